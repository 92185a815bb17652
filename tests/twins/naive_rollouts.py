"""A slow, obvious twin of the rollout rule, for tiny games.

Nothing of ``seabattle`` is imported; layouts and answers are those of ``naive``. The rule of level
0 shoots the cell that most of the weight occupies. The rule of level k + 1 adds up, for each of a
few cells, the weight that a shot there misses and what the rule of level k misses afterwards; it
shoots the cell where that is least and goes on by level k + 1. Where cells tie, the first one
counts: cells of more weight come first, then those that come first in reading order.

A cell is left out where all layouts that occupy it occupy another one too, which some others occupy
as well or which comes first. Certain hits come before anything else, as in ``greedy_choice``; only
where ships touch and sinkings are announced are they weighed like all other cells, first of all, as
shooting them early may cost, and there no cell is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable

from twins.naive import Layout, Weights, cells_of, outcome, weight_of

State = tuple[frozenset[Layout], frozenset[int]]
"""Layouts still possible, and the cells shot."""


class Rollouts:
    """The rules of all levels for one game.

    Parameters
    ----------
    width
        How many cells a level weighs beside certain hits and the shot of the level below.
    mode, announce, contact, weights
        As in ``naive.Search``.

    Examples
    --------
    >>> from twins.naive import layouts
    >>> rollouts = Rollouts(3, "ship")
    >>> start = frozenset(layouts(3, 3, [2, 1])), frozenset()
    >>> rollouts.misses(0, start), rollouts.misses(1, start)
    (46, 46)
    """

    def __init__(
        self,
        width: int,
        mode: str = "hit",
        announce: str = "length",
        contact: str = "none",
        weights: Weights = None,
    ) -> None:
        self.width = width
        self.told = mode, announce, contact
        self.weights = weights
        self.open = mode == "sunk" and contact == "sides"
        self._misses: dict[tuple[int, State], int] = {}
        self._choices: dict[tuple[int, State], int] = {}

    def misses(self, level: int, state: State) -> int:
        """Misses of a level's rule, each layout with its weight."""
        possible, shot = state
        if len({cells_of(layout) for layout in possible}) == 1:
            return 0
        known = self._misses.get((level, state))
        if known is None:
            due = sorted(frozenset.intersection(*map(cells_of, possible)) - shot)
            at_once = due and self.told[0] != "hit" and not self.open
            cell = due[0] if at_once else self.choice(level, state)
            known = self._misses[level, state] = self._cost(cell, level, state)
        return known

    def _cost(self, cell: int, level: int, state: State) -> int:
        """What a shot misses, and a level's rule after it."""
        possible, shot = state
        parts: dict[Hashable, set[Layout]] = defaultdict(set)
        for layout in possible:
            parts[outcome(layout, shot, cell, *self.told)].add(layout)
        missed = [layout for layout in possible if cell not in cells_of(layout)]
        return weight_of(missed, self.weights) + sum(
            self.misses(level, (frozenset(part), shot | {cell})) for part in parts.values()
        )

    def choice(self, level: int, state: State) -> int:
        """Cell that a level's rule shoots, where nothing is shot at once."""
        if (level, state) not in self._choices:
            if level == 0:
                found = self._cells(state, 1, None)[0]
            else:
                cells = self._cells(state, self.width, self.choice(level - 1, state))
                found = min(cells, key=lambda cell: self._cost(cell, level - 1, state))
            self._choices[level, state] = found
        return self._choices[level, state]

    def _cells(self, state: State, width: int, before: int | None) -> list[int]:
        """Cells worth weighing, in order."""
        possible, shot = state
        occupied = frozenset().union(*map(cells_of, possible))
        certain = frozenset.intersection(*map(cells_of, possible))
        columns = {
            cell: frozenset(layout for layout in possible if cell in cells_of(layout))
            for cell in sorted(occupied - certain)
        }
        falling = sorted(columns, key=lambda cell: -weight_of(columns[cell], self.weights))
        good = falling if self.open else [c for c in falling if not _is_needless(c, columns)]
        chosen: Collection[int] = {*good[:width], before}
        first = sorted(certain - shot) if self.open else []
        return [*first, *(cell for cell in falling if cell in chosen)]


def _is_needless(cell: int, columns: dict[int, frozenset[Layout]]) -> bool:
    """Whether another cell is at least as good a shot."""
    own = columns[cell]
    return any(own < column or (own == column and c < cell) for c, column in columns.items())
