"""How many layouts can be found with few misses, by trying every shot; for tiny games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from twins import naive


class Finds:
    """The most layouts that any tree finds with at most so many misses, state by state.

    Parameters
    ----------
    mode, contact
        As in ``naive.answer``.
    """

    def __init__(self, mode: str, contact: str) -> None:
        self.told_by = mode, "length", contact
        self.known: dict[tuple[frozenset[naive.Layout], frozenset[int], int], int] = {}

    def most(self, found: frozenset[naive.Layout], shot: frozenset[int], misses: int) -> int:
        """Layouts found with at most ``misses`` more, of those possible after the cells shot."""
        if misses < 0:
            return 0
        if len({naive.cells_of(layout) for layout in found}) == 1:
            return len(found)
        key = found, shot, misses
        if key not in self.known:
            self.known[key] = max(
                self._after(found, shot, cell, misses)
                for cell in frozenset().union(*map(naive.cells_of, found)) - shot
            )
        return self.known[key]

    def _after(
        self, found: frozenset[naive.Layout], shot: frozenset[int], cell: int, misses: int
    ) -> int:
        parts: dict[Hashable, set[naive.Layout]] = defaultdict(set)
        for layout in found:
            parts[naive.outcome(layout, shot, cell, *self.told_by)].add(layout)
        return sum(
            self.most(frozenset(part), shot | {cell}, misses - (told == "miss"))
            for told, part in parts.items()
        )
