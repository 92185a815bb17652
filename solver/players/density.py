"""Players that count placements of the ships afloat: ``density`` and ``diagonal``.

``density``
    Source: the article on playing Battleship by probability density. Every ship not yet sunk is
    laid wherever it fits, each time adding to the cells under it; the cell with the largest sum is
    shot, the first in reading order where several tie. Misses and sunk ships are in the way; cells
    hit on ships still afloat are not, and each makes a placement over it count ``HEAVY`` more. The
    article says "heavily" without a number; of the whole numbers, 3 to 7 shoot the first seven
    shots of its walkthrough (two hits side by side, a miss at one end, one below, one above, and
    only then the other end).
``diagonal``
    Source: the "diagonal" algorithm that the article on counting layouts wants to meet in a
    tournament. While the longest ship afloat has ``n`` cells, it cannot avoid every ``n``-th
    diagonal: of the ``n`` sets of such diagonals the one with the fewest cells still worth a shot
    (where that ship may lie) is covered, in random order. Sinking the ship makes ``n`` smaller and
    the diagonals closer. A ship that is hit is finished off as by ``density``.

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

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.answers import (
    KERNEL_SUNK_LENGTH,
    MISS,
    SUNK,
    SUNK_LENGTH,
    is_sunk,
    kernel_mode,
)
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.solver.players import _density_kernels as k
from seabattle.solver.players.batches import Batch, BatchPlayer
from seabattle.solver.players.placement_tables import PlayTables
from seabattle.solver.players.player import unshot
from seabattle.solver.players.random_streams import Chance

HEAVY = 5
"""What each cell hit adds to the weight of a placement over it, for ``density``."""


@dataclass
class _Sinking:
    """A shot that sank a ship: its cell, the cells hit by then, and the candidates left."""

    cell: int
    candidates: list[int]
    kind: int | None
    settled: bool = False


@dataclass
class _Knowledge:
    """What follows from a position: placements that fit, ships afloat by length class."""

    fits: list[bool]
    afloat: list[int]
    sinkings: list[_Sinking] = field(default_factory=list)


def _conclude(tables: PlayTables, position: Position) -> _Knowledge:
    """Read a position of mode ``sunk`` as the module's text says."""
    shots = position.shots
    misses = position.rules.board.mask(cell for cell, code in shots if code == MISS)
    hits = position.hit_mask
    known = _Knowledge(
        [
            not mask & misses and not rim & hits
            for mask, rim in zip(tables.masks, tables.rims, strict=True)
        ],
        tables.ships_of.tolist(),
    )
    kinds = tables.class_of.tolist()
    by_then = 0
    for cell, code in shots:
        by_then |= (1 << cell) if code != MISS else 0
        if is_sunk(code):
            told = None
            if code != SUNK:
                told = tables.lengths.tolist().index(code - SUNK_LENGTH)
                known.afloat[told] -= 1
            candidates = [
                number
                for number, mask in enumerate(tables.masks)
                if mask >> cell & 1 and not mask & ~by_then and told in (None, kinds[number])
            ]
            known.sinkings.append(_Sinking(cell, candidates, told))
    while _settle(tables, known):
        pass
    return known


def _settle(tables: PlayTables, known: _Knowledge) -> bool:
    """Conclude once more from every sinking; whether anything new was found."""
    news = False
    kinds = tables.class_of.tolist()
    for sinking in known.sinkings:
        if sinking.settled:
            continue
        candidates = [number for number in sinking.candidates if known.fits[number]]
        if not candidates:
            continue
        if sinking.kind is None and len({kinds[number] for number in candidates}) == 1:
            sinking.kind = kinds[candidates[0]]
            known.afloat[sinking.kind] -= 1
        common = tables.masks[candidates[0]]
        for number in candidates:
            common &= tables.masks[number]
        sinking.settled = len(candidates) == 1
        kept = () if sinking.settled else candidates
        for number, mask in enumerate(tables.masks):
            if mask & common and known.fits[number] and number not in kept:
                known.fits[number] = False
                news = True
    return news


class Density(BatchPlayer):
    """The cell that most placements of the ships afloat cover."""

    name = "density"
    needs = AnswerMode.SUNK
    hunts_diagonals = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.weights = self.weights_by_hits(rules.fleet.lengths[0])

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Weight of a placement by the number of cells hit that it covers."""
        return 1 + HEAVY * np.arange(longest + 1, dtype=np.int64)

    def scores(self, position: Position) -> list[list[int]]:
        """For each length class, the weight of its fitting placements over each cell."""
        known = _conclude(self.tables, position)
        return self._scores(known, position.hit_mask)

    def _scores(self, known: _Knowledge, hits: int) -> list[list[int]]:
        rules = self.rules
        scores = [[0] * rules.board.cells for _ in known.afloat]
        kinds = self.tables.class_of.tolist()
        for number, mask in enumerate(self.tables.masks):
            if known.fits[number]:
                weight = int(self.weights[(mask & hits).bit_count()])
                for cell in cells_of(mask):
                    scores[kinds[number]][cell] += weight
        return scores

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell of the largest sum."""
        known = _conclude(self.tables, position)
        scores = self._scores(known, position.hit_mask)
        free = unshot(position)
        sums = {
            cell: sum(n * row[cell] for n, row in zip(known.afloat, scores, strict=True) if n > 0)
            for cell in free
        }
        best = max(free, key=lambda cell: (sums[cell], -cell))
        if self.hunts_diagonals and sums[best] < k.HUNTED:
            return self._hunt(known.afloat, scores, free, chance, best)
        return best

    def _hunt(
        self,
        afloat: list[int],
        scores: list[list[int]],
        free: list[int],
        chance: Chance,
        otherwise: int,
    ) -> int:
        """A cell on the diagonals that the longest ship afloat cannot avoid."""
        columns = self.rules.board.columns
        for kind, length in enumerate(self.tables.lengths.tolist()):
            diagonals: dict[int, list[int]] = {}
            for cell in free:
                if scores[kind][cell] > 0:
                    diagonals.setdefault(sum(divmod(cell, columns)) % length, []).append(cell)
            if afloat[kind] > 0 and diagonals:
                _, offset = min((len(cells), offset) for offset, cells in diagonals.items())
                deck = chance.deck(self.rules.board.cells)
                return next(cell for cell in deck if cell in diagonals[offset])
        return otherwise

    def play_batch(self, layouts: NDArray[np.uint16], batch: Batch) -> None:
        """Play one game against each layout with the kernel."""
        k.play_by_counts(
            layouts,
            *self.tables.kernel_arrays(),
            self.weights,
            int(kernel_mode(self.told) == KERNEL_SUNK_LENGTH),
            int(self.hunts_diagonals),
            self.rules.board.columns,
            *batch,
        )


class Diagonal(Density):
    """Every fourth diagonal until the longest ship is found, then closer ones."""

    name = "diagonal"
    hunts_diagonals = True

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Any cell hit outweighs all placements without one; more of them outweigh fewer."""
        return np.array([1] + [k.HUNTED * 4 ** min(h, 8) for h in range(longest)], dtype=np.int64)
