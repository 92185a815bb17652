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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import (
    HIT,
    MISS,
    SUNK_LENGTH,
    BatchPlayer,
    Fitting,
    answers_of,
    begin_fitting,
    class_of_length,
    fill_deck,
    learn_fitting,
    new_fitting,
    play_games,
    rule_out,
    shot_after,
)

HEAVY = 5
"""What each cell hit adds to the weight of a placement over it, for ``density``."""

HUNTED = 1_000_000
"""``diagonal`` hunts while no sum is as large: a hit makes any placement over it weigh as much."""


# Kernels: a placement is *alive* while no answer rules it out

SHOTS, SINKINGS = 0, 1
MARKS = 2


@group
class Counts(NamedTuple):
    """A game so far, as a player that counts placements knows it.

    Attributes
    ----------
    fitting
        ``Fitting``: the placements that fit, each of the weight given by its hits.
    columns
        int64, given: columns of the board if the player hunts along diagonals, else 0.
    shot_time
        int64 ``(cells,)``, modified: number of the shot at each cell, -1 for none.
    afloat
        int64 ``(classes,)``, modified: ships of each class not known to be sunk.
    sunk_at, sunk_class
        int64 ``(cells,)``, modified: cell of each sinking, and class of its ship or -1.
    settled
        uint8 ``(cells,)``, modified: 1 for sinkings whose ship is known.
    marks
        int64 ``(MARKS,)``, modified: number of shots and of sinkings so far.
    candidates
        int64 ``(placements,)``, scratch.
    sums
        int64 ``(cells,)``, scratch.
    deck
        int16 ``(cells,)``, modified: the order in which cells on the same diagonals are shot.
    """

    fitting: Fitting
    columns: int
    shot_time: NDArray[np.int64]
    afloat: NDArray[np.int64]
    sunk_at: NDArray[np.int64]
    sunk_class: NDArray[np.int64]
    settled: NDArray[np.uint8]
    marks: NDArray[np.int64]
    candidates: NDArray[np.int64]
    sums: NDArray[np.int64]
    deck: NDArray[np.int16]


@kernel
def begin_counts(tables, counts, seed):
    """A game begins. tables : Tables; counts : Counts, modified; seed : uint64, the game's."""
    if counts.columns > 0:
        fill_deck(seed, counts.deck)
    begin_fitting(tables, counts.fitting)
    for row in range(counts.afloat.shape[0]):
        counts.afloat[row] = tables.ships_of[row]
    for cell in range(counts.shot_time.shape[0]):
        counts.shot_time[cell] = -1
    counts.marks[SHOTS] = 0
    counts.marks[SINKINGS] = 0


@kernel
def is_candidate(tables, counts, p, cell, row):
    """Whether the ship sunk by the shot at a cell can lie there: all its cells were hit by then.

    tables : Tables; counts : Counts
    p, cell : int64, placement and cell; row : int64, class of the ship, -1 if not known
    Returns bool
    """
    if counts.fitting.alive[p] == 0 or (row >= 0 and tables.class_of[p] != row):
        return False
    length = 0
    for j in range(tables.ship_cells.shape[1]):
        x = tables.ship_cells[p, j]
        if x < 0:
            break
        if counts.shot_time[x] < 0 or counts.shot_time[x] > counts.shot_time[cell]:
            return False
        length += 1
    return counts.fitting.hits[p] == length


@kernel
def locate_sunk_ships(tables, counts):
    """Work out where the sunk ships lie, as far as it is certain, until nothing more follows.

    tables : Tables; counts : Counts, modified
    """
    candidates = counts.candidates
    again = True
    while again:
        again = False
        for s in range(counts.marks[SINKINGS]):
            if counts.settled[s] == 1:
                continue
            cell = counts.sunk_at[s]
            n = 0
            same = True
            for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
                p = tables.through[i]
                if is_candidate(tables, counts, p, cell, counts.sunk_class[s]):
                    candidates[n] = p
                    n += 1
                    same = same and tables.class_of[p] == tables.class_of[candidates[0]]
            if n == 0:
                continue
            if same and counts.sunk_class[s] < 0:
                counts.sunk_class[s] = tables.class_of[candidates[0]]
                counts.afloat[counts.sunk_class[s]] -= 1
            for j in range(tables.ship_cells.shape[1]):
                x = tables.ship_cells[candidates[0], j]
                if x < 0:
                    break
                common = True
                for c in range(1, n):
                    covers = False
                    for e in range(tables.ship_cells.shape[1]):
                        covers = covers or tables.ship_cells[candidates[c], e] == x
                    common = common and covers
                if not common:
                    continue
                for i in range(tables.through_first[x], tables.through_first[x + 1]):
                    p = tables.through[i]
                    if counts.fitting.alive[p] == 0:
                        continue
                    keep = False
                    for c in range(n):
                        keep = keep or (n > 1 and candidates[c] == p)
                    if not keep:
                        rule_out(tables, counts.fitting, p)
                        again = True
            if n == 1:
                counts.settled[s] = 1
                again = True


@kernel
def learn_counts(tables, counts, cell, code):
    """Take in an answer of mode ``sunk``.

    tables : Tables; counts : Counts, modified; cell, code : int64
    """
    counts.shot_time[cell] = counts.marks[SHOTS]
    counts.marks[SHOTS] += 1
    learn_fitting(tables, counts.fitting, cell, code)
    if code in (MISS, HIT):
        return
    s = counts.marks[SINKINGS]
    counts.marks[SINKINGS] += 1
    counts.settled[s] = 0
    counts.sunk_at[s] = cell
    counts.sunk_class[s] = class_of_length(tables, code - SUNK_LENGTH)
    if counts.sunk_class[s] >= 0:
        counts.afloat[counts.sunk_class[s]] -= 1
    locate_sunk_ships(tables, counts)


@kernel
def is_worth(tables, counts, cell, row, offset):
    """Whether a ship of a class may lie on a cell not shot, on the diagonals of an offset.

    tables : Tables; counts : Counts; cell, row, offset : int64. Returns bool
    """
    return (
        counts.shot_time[cell] < 0
        and counts.fitting.score[row, cell] > 0
        and (cell // counts.columns + cell % counts.columns) % tables.lengths[row] == offset
    )


@kernel
def hunt_diagonals(tables, counts):
    """The cell at which ``diagonal`` hunts; -1 when no class has one left.

    tables : Tables; counts : Counts. Returns int64
    """
    cells = counts.deck.shape[0]
    for row in range(tables.lengths.shape[0]):
        if counts.afloat[row] <= 0:
            continue
        best = -1
        fewest = cells + 1
        for offset in range(tables.lengths[row]):
            n = 0
            for cell in range(cells):
                n += is_worth(tables, counts, cell, row, offset)
            if 0 < n < fewest:
                fewest = n
                best = offset
        if best < 0:
            continue
        for i in range(cells):
            cell = np.int64(counts.deck[i])
            if is_worth(tables, counts, cell, row, best):
                return cell
    return -1


@kernel
def choose_counts(tables, counts, seed):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; counts : Counts, its scratch modified; seed : uint64, not needed. Returns int64
    """
    cells = counts.sums.shape[0]
    for x in range(cells):
        counts.sums[x] = 0
    for row in range(counts.afloat.shape[0]):
        if counts.afloat[row] > 0:
            for x in range(cells):
                counts.sums[x] += counts.afloat[row] * counts.fitting.score[row, x]
    cell = -1
    most = -1
    for x in range(cells):
        if counts.shot_time[x] < 0 and counts.sums[x] > most:
            most = counts.sums[x]
            cell = x
    if counts.columns > 0 and most < HUNTED:
        hunted = hunt_diagonals(tables, counts)
        if hunted >= 0:
            cell = hunted
    return cell


@kernel
def shot_of_counts(tables, counts, seed, cells, codes):
    """As ``shot_after``."""
    return shot_after(
        begin_counts, learn_counts, choose_counts, tables, counts, seed, cells, codes
    )  # fmt: skip


@kernel
def play_counts(tables, counts, hidden, batch):
    """As ``play_games``."""
    play_games(begin_counts, learn_counts, choose_counts, tables, counts, hidden, batch)


# Players


class Density(BatchPlayer):
    """The cell covered by the most placements of the ships afloat."""

    name = "density"
    summary = "the cell covered by the most placements of the ships afloat"
    needs = AnswerMode.SUNK
    uses_chance = False
    hunts_diagonals = False
    shot_kernel = shot_of_counts
    play_kernel = play_counts

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.weights = self.weights_by_hits(rules.fleet.lengths[0])

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Weight of a placement by the number of cells hit that it covers."""
        return 1 + HEAVY * np.arange(longest + 1, dtype=np.int64)

    def state(self) -> Counts:
        """Placements that fit and the ships afloat, for ``begin_counts`` to fill."""
        classes, cells = self.tables.base.shape
        placements = len(self.tables.class_of)
        return Counts(
            new_fitting(self.tables, self.weights),
            self.rules.board.columns if self.hunts_diagonals else 0,
            np.empty(cells, np.int64),
            np.empty(classes, np.int64),
            np.empty(cells, np.int64),
            np.empty(cells, np.int64),
            np.empty(cells, np.uint8),
            np.empty(MARKS, np.int64),
            np.empty(placements, np.int64),
            np.empty(cells, np.int64),
            np.empty(cells, np.int16),
        )

    def scores(self, position: Position) -> list[list[int]]:
        """For each length class, the weight of its fitting placements over each cell."""
        counts = self.state()
        shot_of_counts(self.tables, counts, np.uint64(0), *answers_of(position))
        scores: list[list[int]] = counts.fitting.score.tolist()
        return scores


class Diagonal(Density):
    """Every n-th diagonal, n the cells of the longest ship afloat; a ship hit comes first."""

    name = "diagonal"
    summary = "every n-th diagonal, n the cells of the longest ship afloat"
    uses_chance = True
    hunts_diagonals = True

    def weights_by_hits(self, longest: int) -> NDArray[np.int64]:
        """Any cell hit outweighs all placements without one; more of them outweigh fewer."""
        return np.array([1] + [HUNTED * 4 ** min(h, 8) for h in range(longest)], dtype=np.int64)
