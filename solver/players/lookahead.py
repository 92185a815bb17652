"""A player that looks further than the next shot: ``lookahead``.

``greedy-map`` shoots the cell that is likeliest to be occupied, whatever comes after. ``lookahead``
does the same until the layouts still possible can be listed. Then each of the ``CANDIDATES`` best
cells is tried: the game is played on from there in *every* layout of the list, by a simple rule,
and the cell with the fewest misses in all is shot. Play that is improved in this way at every shot
misses no more on average than the simple rule.

The simple rule shoots the cell for which the chance of a miss, less ``WORTH`` times what the
answer tells in bits, is least. Of two cells as likely to be occupied, it takes the one whose answer
leaves less to be found. Where answers are hit or miss only, what they tell is worth nothing to it:
there it shoots the likeliest cell.

At the end ``lookahead`` plays optimally, as ``map-endgame`` does.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import core_mode
from seabattle.enumerate.core.library import FULL, core
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import play_tables
from seabattle.solver.players.exact_map import MapEndgame

WORTH = 0.3
"""Misses that a bit of information is worth."""
CANDIDATES = 10
"""Number of cells that are tried."""
AHEAD = 10_000
"""The game is played on in every layout once at most this many are left."""


@lru_cache(maxsize=1)
def _logs() -> NDArray[np.float64]:
    """What x log2 x is, for x up to ``AHEAD``."""
    return np.array([x * log2(x) if x else 0.0 for x in range(AHEAD + 1)])


class Lookahead(MapEndgame):
    """Greedy-map that tries its best shots in every layout left, once they can be listed."""

    name = "lookahead"
    takes_prior = False
    most_listed = AHEAD

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._memory = np.empty(1 << 20, dtype=np.uint8)

    def _best_listed(self, position: Position, layouts: Layouts) -> int:
        if self.most_solved < len(layouts) <= AHEAD:
            cell = self._look_ahead(position, layouts.ships)
            if cell >= 0:
                return cell
        return super()._best_listed(position, layouts)

    def _look_ahead(self, position: Position, ships: NDArray[np.uint16]) -> int:
        """The best of the shots that score best; -1 where nothing is left to ask."""
        worth = 0.0 if self.rules.answers is AnswerMode.HIT else WORTH
        hits = np.array([cell for cell, code in position.shots if code], dtype=np.int16)
        best, status = np.empty(1, dtype=np.int16), FULL
        while status == FULL:
            status = core().look_ahead(
                play_tables(self.rules).placements, np.ascontiguousarray(ships),
                core_mode(self.rules), hits, worth, _logs(), CANDIDATES, best, self._memory,
            )  # fmt: skip
            if status == FULL:
                self._memory = np.empty(4 * len(self._memory), dtype=np.uint8)
        return int(best[0])
