"""How many layouts can be found with few misses, and what trees earn; every shot is tried."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable

from twins import naive


class Coverage:
    """The most layouts that any tree finds with at most so many misses, state by state.

    Parameters
    ----------
    mode, contact
        As in ``naive.answer``.
    """

    def __init__(self, mode: str, contact: str) -> None:
        self.told_by = mode, "length", contact
        self.known: dict[tuple[frozenset[naive.Layout], frozenset[int], int], int] = {}
        self.earned: dict[tuple[frozenset[naive.Layout], frozenset[int], int], int] = {}

    def most(self, found: frozenset[naive.Layout], shot: frozenset[int], misses: int) -> int:
        """Layouts found with at most ``misses`` more, of those possible after the cells shot."""
        if misses < 0:
            return 0
        if len({naive.cells_of(layout) for layout in found}) == 1:
            return len(found)
        return self._best(self.known, self.most, found, shot, misses)

    def credit(self, found: frozenset[naive.Layout], shot: frozenset[int], misses: int) -> int:
        """Most that one tree earns: ``misses`` less its own for each layout, and never below 0."""
        if misses <= 0:
            return 0
        if len({naive.cells_of(layout) for layout in found}) == 1:
            return misses * len(found)
        return self._best(self.earned, self.credit, found, shot, misses)

    def _best(
        self,
        known: dict[tuple[frozenset[naive.Layout], frozenset[int], int], int],
        ask: Callable[[frozenset[naive.Layout], frozenset[int], int], int],
        found: frozenset[naive.Layout],
        shot: frozenset[int],
        misses: int,
    ) -> int:
        key = found, shot, misses
        if key not in known:
            known[key] = max(
                self._after(ask, found, shot, cell, misses)
                for cell in frozenset().union(*map(naive.cells_of, found)) - shot
            )
        return known[key]

    def _after(
        self,
        ask: Callable[[frozenset[naive.Layout], frozenset[int], int], int],
        found: frozenset[naive.Layout],
        shot: frozenset[int],
        cell: int,
        misses: int,
    ) -> int:
        parts: dict[Hashable, set[naive.Layout]] = defaultdict(set)
        for layout in found:
            parts[naive.outcome(layout, shot, cell, *self.told_by)].add(layout)
        return sum(
            ask(frozenset(part), shot | {cell}, misses - (told == "miss"))
            for told, part in parts.items()
        )
