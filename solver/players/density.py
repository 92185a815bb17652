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

from typing import Annotated, NamedTuple

import numpy as np

from seabattle.enumerate.answers import HIT, MISS, SUNK_LENGTH
from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.rules import AnswerMode
from seabattle.solver.players.batches import (
    BatchPlayer,
    Cells,
    Fitting,
    Flags,
    Numbers,
    begin_fitting,
    best_open,
    blank,
    class_of_length,
    covered,
    covering,
    learn_fitting,
    play_games,
    rule_out,
)
from seabattle.solver.players.chance import fill_deck

HEAVY = 5
"""What each cell hit adds to the weight of a placement over it, for ``density``."""

HUNTED = 1_000_000
"""``diagonal`` hunts while no sum is as large: a hit makes any placement over it weigh as much."""


# Kernels: a placement is *alive* while no answer rules it out

SHOTS, SINKINGS = 0, 1


@group
class Counts(NamedTuple):
    """A game so far, as a player that counts placements knows it.

    Attributes
    ----------
    fitting
        Given: the placements that fit, each of the weight given by its hits.
    columns
        int64, given: columns of the board if the player hunts along diagonals, else 0.
    shot_time
        Number of the shot at each cell, -1 for none.
    afloat
        Ships of each class not known to be sunk.
    sunk_at, sunk_class
        Cell of each sinking, and class of its ship or -1.
    settled
        1 for sinkings whose ship is known.
    marks
        ``(2,)``, given: number of shots and of sinkings so far.
    candidates, sums
        Scratch.
    deck
        The order in which cells on the same diagonals are shot.
    """

    fitting: Fitting
    columns: int
    shot_time: Annotated[Numbers, "cells"]
    afloat: Annotated[Numbers, "classes"]
    sunk_at: Annotated[Numbers, "cells"]
    sunk_class: Annotated[Numbers, "cells"]
    settled: Annotated[Flags, "cells"]
    marks: Numbers
    candidates: Annotated[Numbers, "placements"]
    sums: Annotated[Numbers, "cells"]
    deck: Annotated[Cells, "cells"]


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
    for x in covered(tables, p):
        if counts.shot_time[x] < 0 or counts.shot_time[x] > counts.shot_time[cell]:
            return False
    return counts.fitting.hits[p] == tables.size[p]


@kernel
def find_candidates(tables, counts, s):
    """Find the placements that the ship of a sinking can have; its class, if all have the same.

    tables : Tables; counts : Counts, its ``candidates`` and the ship's class modified
    s : int64, number of the sinking. Returns int64, how many they are
    """
    cell = counts.sunk_at[s]
    n = 0
    same = True
    for p in covering(tables, cell):
        if is_candidate(tables, counts, p, cell, counts.sunk_class[s]):
            counts.candidates[n] = p
            n += 1
            same = same and tables.class_of[p] == tables.class_of[counts.candidates[0]]
    if n > 0 and same and counts.sunk_class[s] < 0:
        counts.sunk_class[s] = tables.class_of[counts.candidates[0]]
        counts.afloat[counts.sunk_class[s]] -= 1
    return n


@kernel
def all_cover(tables, placements, cell):
    """Whether all placements cover a cell. tables : Tables; placements : int64; cell : int64."""
    for p in placements:
        covers = False
        for x in covered(tables, p):
            covers = covers or x == cell
        if not covers:
            return False
    return True


@kernel
def locate_sunk_ships(tables, counts):
    """Work out where the sunk ships lie, as far as it is certain, until nothing more follows.

    tables : Tables; counts : Counts, modified
    """
    again = True
    while again:
        again = False
        for s in range(counts.marks[SINKINGS]):
            n = 0 if counts.settled[s] == 1 else find_candidates(tables, counts, s)
            if n == 0:
                continue
            candidates = counts.candidates[:n]
            for x in covered(tables, candidates[0]):
                if not all_cover(tables, candidates, x):
                    continue
                for p in covering(tables, x):
                    others = 0
                    for candidate in candidates:
                        others += candidate != p
                    if counts.fitting.alive[p] == 1 and (n == 1 or others == n):
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
    cell = best_open(counts.fitting.answer_at, counts.sums)
    if counts.columns > 0 and cell >= 0 and counts.sums[cell] < HUNTED:
        hunted = hunt_diagonals(tables, counts)
        if hunted >= 0:
            return hunted
    return cell


@kernel
def play_counts(tables, counts, batch):
    """As ``play_games``."""
    play_games(begin_counts, learn_counts, choose_counts, tables, counts, batch)


# Players


class Density(BatchPlayer):
    """The cell covered by the most placements of the ships afloat."""

    name = "density"
    needs = AnswerMode.SUNK
    uses_chance = False
    hunts_diagonals = False
    play_kernel = play_counts

    @staticmethod
    def weight(hits: int) -> int:
        """Weight of a placement that covers so many cells hit."""
        return 1 + HEAVY * hits

    def state(self) -> Counts:
        """Placements that fit and the ships afloat, for ``begin_counts`` to fill."""
        weights = np.array([self.weight(hits) for hits in range(self.tables.lengths[0] + 1)])
        fitting = blank(Fitting, self.tables, weights=weights)
        columns = self.rules.board.columns if self.hunts_diagonals else 0
        marks = np.empty(2, np.int64)
        return blank(Counts, self.tables, fitting=fitting, columns=columns, marks=marks)


class Diagonal(Density):
    """Every n-th diagonal, n the cells of the longest ship afloat."""

    name = "diagonal"
    uses_chance = True
    hunts_diagonals = True

    @staticmethod
    def weight(hits: int) -> int:
        """Any cell hit outweighs all placements without one; more of them outweigh fewer."""
        return HUNTED * 4 ** min(hits - 1, 8) if hits else 1
