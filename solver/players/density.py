"""Players that count placements of the ships afloat: ``density``, ``odds`` and ``diagonal``.

``density``
    Source: [Berry2011]. Every ship not yet sunk is
    laid wherever it fits, each time adding to the cells under it; the cell with the largest sum is
    shot, the first in reading order where several tie. Misses and sunk ships are in the way; cells
    hit on ships still afloat are not, and each makes a placement over it count ``HEAVY`` more.
    Berry says "heavily" without a number; of the whole numbers, 3 to 7 shoot the first seven shots
    of his walkthrough (two hits side by side, a miss at one end, one below, one above, and only
    then the other end).
``odds``
    ``density`` with other weights: each cell hit makes a placement over it ``FACTOR`` times as
    likely, where Berry adds: as if ships lay independently of each other, so that a placement over
    three hits outweighs three over one each. On the Hasbro board that saves a third of a shot, and
    any factor from 5 to 8 saves as much.
``diagonal``
    Source: the "diagonal" algorithm that [Mrrl2013] wants to meet in a tournament. While the
    longest ship afloat has ``n`` cells, it cannot avoid every ``n``-th diagonal. The diagonals are
    those that rise to the right: row plus column, both counted from 0 at A1, is the same along one.
    The cells where that sum leaves the same remainder by ``n`` are a set. Before every shot the set
    is taken anew that has the fewest cells not shot on which that ship may still lie, among equals
    that of the smallest remainder; where the ship may lie on none, the next shorter one takes its
    place. The cells of a set are shot in the order of one shuffle of the whole board, drawn when
    the game begins. Sinking the ship makes ``n`` smaller and the diagonals closer. While a
    placement of a ship afloat that covers a hit fits, there is no hunt: the largest sum decides as
    for ``density``, the first cell in reading order where several tie, but a placement over ``h``
    hits counts ``HUNTED * 4 ** (h - 1)``, ``h`` counted up to 9, in place of ``1 + HEAVY * h``; so
    any hit outweighs all placements without one.

What fits
    A placement of a ship afloat fits when it has no miss and no cell of a sunk ship, and no cell
    hit lies where the contact rule keeps other ships away from it.
Where a sunk ship lies
    Its cells are among those hit. It can be any placement over the last shot all of whose cells
    were hit by then, of the announced length if that is told. Where ships keep apart only one is
    possible; where they may share sides there can be several. Then just the cells that all of them
    have count as sunk, and placements over those cells other than these candidates are ruled out,
    which may settle an earlier sinking. So nothing is concluded that could be false.
"""

from __future__ import annotations

from ctypes import Structure
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.rules import AnswerMode
from seabattle.solver.players.batches import BatchPlayer

HEAVY = 5
"""What each cell hit adds to the weight of a placement over it, for ``density``."""

FACTOR = 6
"""By what each cell hit multiplies the weight of a placement over it, for ``odds``."""

HUNTED = 1_000_000
"""``diagonal`` hunts while no sum is as large: a hit makes any placement over it weigh as much."""


class Density(BatchPlayer):
    """The cell covered by the most placements of the ships afloat."""

    name = "density"
    needs = AnswerMode.SUNK
    uses_chance = False
    hunted: ClassVar[int] = 0

    @staticmethod
    def weight(hits: int) -> int:
        """Weight of a placement that covers so many cells hit."""
        return 1 + HEAVY * hits

    def run(self, games: Structure, memory: NDArray[np.uint8]) -> tuple[int, NDArray[Any]]:
        """Play games, and weigh the placements that fit."""
        weights = np.array([self.weight(hits) for hits in range(self.tables.lengths[0] + 1)])
        columns, scores = self.rules.board.columns, self.empty_scores()
        status = core().play_density(
            self.tables.placements, games, weights, columns, self.hunted, scores, memory
        )
        return status, scores


class Odds(Density):
    """Density in which each cell hit makes a placement six times as likely."""

    name = "odds"

    @staticmethod
    def weight(hits: int) -> int:
        """Weight of a placement that covers so many cells hit; more than 12 count as 12."""
        return int(FACTOR ** min(hits, 12))


class Diagonal(Density):
    """Every n-th diagonal, n the cells of the longest ship afloat."""

    name = "diagonal"
    uses_chance = True
    hunted = HUNTED

    @staticmethod
    def weight(hits: int) -> int:
        """Any cell hit outweighs all placements without one; more of them outweigh fewer."""
        return HUNTED * 4 ** min(hits - 1, 8) if hits else 1
