"""Players that count placements of the ships afloat: ``density`` and ``diagonal``.

``density``
    Source: [Berry2011]. Every ship not yet sunk is
    laid wherever it fits, each time adding to the cells under it; the cell with the largest sum is
    shot, the first in reading order where several tie. Misses and sunk ships are in the way; cells
    hit on ships still afloat are not, and each makes a placement over it count ``HEAVY`` more.
    Berry says "heavily" without a number; of the whole numbers, 3 to 7 shoot the first seven shots
    of his walkthrough (two hits side by side, a miss at one end, one below, one above, and only
    then the other end).
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

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players import _density_kernels as k
from seabattle.solver.players._game_kernels import Batch, Hidden
from seabattle.solver.players.batches import BatchPlayer, answers_of

HEAVY = 5
"""What each cell hit adds to the weight of a placement over it, for ``density``."""


class Density(BatchPlayer):
    """The cell covered by the most placements of the ships afloat."""

    name = "density"
    needs = AnswerMode.SUNK
    hunts_diagonals = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.weights = self.weights_by_hits(rules.fleet.lengths[0])

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Weight of a placement by the number of cells hit that it covers."""
        return 1 + HEAVY * np.arange(longest + 1, dtype=np.int64)

    def _begin(self) -> k.Counts:
        columns = self.rules.board.columns if self.hunts_diagonals else 0
        return k.new_counts(self.tables.arrays, self.weights, columns)

    def recall(self, position: Position, seed: np.uint64) -> k.Counts:
        """Placements that fit these answers, and the ships afloat."""
        counts = self._begin()
        k.recall_counts(self.tables.arrays, counts, seed, *answers_of(position))
        return counts

    def choose_from(self, state: k.Counts, seed: np.uint64) -> int:
        """The cell of the largest sum."""
        return int(k.choose_counts(self.tables.arrays, state))

    def scores(self, position: Position) -> list[list[int]]:
        """For each length class, the weight of its fitting placements over each cell."""
        scores: list[list[int]] = self.recall(position, np.uint64(0)).score.tolist()
        return scores

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        k.play_counts(self.tables.arrays, self._begin(), hidden, batch)


class Diagonal(Density):
    """Every n-th diagonal, n the cells of the longest ship afloat; a ship hit comes first."""

    name = "diagonal"
    hunts_diagonals = True

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Any cell hit outweighs all placements without one; more of them outweigh fewer."""
        return np.array([1] + [k.HUNTED * 4 ** min(h, 8) for h in range(longest)], dtype=np.int64)
