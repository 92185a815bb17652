"""The fleet: a multiset of ship lengths, by name or in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from operator import index

from seabattle.enumerate.errors import FleetError, is_iterable, quoted, wrong_type

NAMED_FLEETS: dict[str, tuple[int, ...]] = {
    "russian": (4, 3, 3, 2, 2, 2, 1, 1, 1, 1),
    "hasbro": (5, 4, 3, 3, 2),
}
"""Lengths of the fleets that have a name; ``rules`` has the games they are played in."""

MAX_SHIPS = 63
"""Ships of one length are numbered 1 to 63 in the answers of mode ``ship``."""


@dataclass(frozen=True, init=False)
class Fleet:
    """Lengths of the ships, longest first; ships of one length are interchangeable.

    Parameters
    ----------
    lengths
        Ship lengths in cells, in any order, at least one.

    Raises
    ------
    FleetError
        If there is no ship or a length is below 1.
    TypeError
        If the lengths are not whole numbers.

    Examples
    --------
    >>> fleet = Fleet([1, 2, 1, 3, 2, 1])
    >>> fleet, fleet.cells
    (Fleet((3, 2, 2, 1, 1, 1)), 10)
    >>> Fleet.parse("hasbro")
    Fleet((5, 4, 3, 3, 2))
    """

    lengths: tuple[int, ...]

    def __init__(self, lengths: Iterable[int]) -> None:
        try:
            given = tuple(lengths) if is_iterable(lengths) else (lengths,)
            if (
                isinstance(lengths, bytes)
                or not is_iterable(lengths)
                or any(isinstance(length, bool) for length in given)
            ):
                raise TypeError
            ordered = tuple(sorted(map(index, given), reverse=True))
        except TypeError:
            raise TypeError(
                f"lengths: give whole numbers, as in Fleet([3, 2, 1]), not {quoted(lengths)}; "
                f"Fleet.parse reads text"
            ) from None
        if not ordered:
            raise FleetError("fleet is empty: give ship lengths such as 3,2,2,1,1,1")
        if ordered[-1] < 1:
            raise FleetError(
                f"fleet has a ship of length {quoted(ordered[-1])}: lengths start at 1"
            )
        if len(ordered) > MAX_SHIPS:
            raise FleetError(f"fleet has {len(ordered)} ships: at most {MAX_SHIPS} are supported")
        object.__setattr__(self, "lengths", ordered)

    def __repr__(self) -> str:
        return f"Fleet({self.lengths!r})"

    def __str__(self) -> str:
        return ",".join(map(str, self.lengths))

    @classmethod
    def parse(cls, text: str) -> Fleet:
        """Read lengths joined by commas, or the name of a fleet."""
        if not isinstance(text, str):
            raise wrong_type("text", "ship lengths such as '3,2,1', or the name of a fleet", text)
        named = NAMED_FLEETS.get(text.strip().lower())
        if named is not None:
            return cls(named)
        known = ", ".join(sorted(NAMED_FLEETS))
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        for part in parts:
            if not part.removeprefix("-").isascii() or not part.removeprefix("-").isdigit():
                near = get_close_matches(text.strip().lower(), NAMED_FLEETS, n=1)
                raise FleetError(
                    f"fleet {quoted(text)}: {quoted(part)} is no ship length"
                    f"{f' (did you mean {near[0]}?)' if near else ''}; write whole numbers "
                    f"joined by commas, as in 3,2,2,1,1,1, or a name ({known})"
                )
            if not 1 <= int(part[:9]) <= 9999 or len(part) > 4:
                length = part if len(part) < 20 else f"of {len(part)} digits"
                raise FleetError(
                    f"fleet {quoted(text)}: ship length {length} is out of range, 1 to 9999"
                )
        return cls(int(part) for part in parts)

    @property
    def cells(self) -> int:
        """Number of cells the whole fleet occupies."""
        return sum(self.lengths)

    @property
    def counts(self) -> dict[int, int]:
        """Number of ships of each length, longest first."""
        return dict(Counter(self.lengths))

    @property
    def rearrangements(self) -> int:
        """Number of ways to tell identical ships apart: the product of factorials of counts."""
        product = 1
        for count in self.counts.values():
            for factor in range(2, count + 1):
                product *= factor
        return product


def too_few(fleet: Fleet, length: int) -> str:
    """How many ships of a length a fleet has, to say that they are too few.

    >>> too_few(Fleet((3, 2)), 3), too_few(Fleet((3, 2)), 6)
    ('only 1 of length 3', 'no ship of length 6')
    """
    count = fleet.counts.get(length, 0)
    return f"only {count} of length {length}" if count else f"no ship of length {length}"
