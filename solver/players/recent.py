"""A cache that keeps the entries used last, up to a number."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The entries used last.

    Parameters
    ----------
    most
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.entries: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value of a key; None if it is not kept."""
        found = self.entries.get(key)
        if found is not None:
            self.entries.move_to_end(key)
        return found

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; the one not used for longest may give way."""
        self.entries[key] = value
        if len(self.entries) > self.most:
            self.entries.popitem(last=False)
