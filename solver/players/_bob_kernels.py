"""The rules of ``bob``, compiled: chances of each ship by itself, hits do not name the ship.

``_game_kernels`` says how the kernels of a player play together; ``independent_ships`` says what
the player does. Arrays and scalars only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import inlined_inner_kernel, inlined_kernel, inner_kernel, kernel
from seabattle.solver.players._alive_kernels import Alive, begin_alive, new_alive, rule_out
from seabattle.solver.players._game_kernels import MISS, Tables, answer, hide, note

LEAST_OTHER = 1e-6
"""The chance that a hit is another ship's is taken to be at least this."""

HITS = 0
MARKS = 1


class UnnamedShips(NamedTuple):
    """A game so far in which hits do not name the ship.

    Attributes
    ----------
    fitting
        ``Alive``: placements that a ship may have.
    shot
        uint8 ``(cells,)``, modified: 1 for cells shot.
    hits
        int64 ``(placements,)``, modified: how many cells of a placement were hit.
    hit_cells
        int64 ``(cells,)``, modified: the cells hit.
    marks
        int64 ``(MARKS,)``, modified: number of cells hit.
    weight, weight_of
        float64 ``(classes, cells)`` and ``(classes,)``, scratch: weight of the placements alive
        over each cell, and of all.
    telling
        float64 ``(classes, cells)``, scratch: how much likelier a hit makes a placement over it.
    missing
        float64 ``(cells,)``, scratch.
    """

    fitting: Alive
    shot: NDArray[np.uint8]
    hits: NDArray[np.int64]
    hit_cells: NDArray[np.int64]
    marks: NDArray[np.int64]
    weight: NDArray[np.float64]
    weight_of: NDArray[np.float64]
    telling: NDArray[np.float64]
    missing: NDArray[np.float64]


def new_unnamed(tables: Tables) -> UnnamedShips:
    """State of a player that is told of hits and misses, for ``begin_unnamed`` to fill."""
    classes, cells = tables.base.shape
    return UnnamedShips(
        new_alive(tables),
        np.empty(cells, np.uint8),
        np.empty(len(tables.class_of), np.int64),
        np.empty(cells, np.int64),
        np.empty(MARKS, np.int64),
        np.empty((classes, cells), np.float64),
        np.empty(classes, np.float64),
        np.ones((classes, cells), np.float64),
        np.empty(cells, np.float64),
    )


@inner_kernel
def begin_unnamed(tables, ships):
    """A game begins. tables : Tables; ships : UnnamedShips, modified."""
    begin_alive(tables, ships.fitting)
    for cell in range(ships.shot.shape[0]):
        ships.shot[cell] = 0
    for p in range(ships.hits.shape[0]):
        ships.hits[p] = 0
    ships.marks[HITS] = 0


@inlined_inner_kernel
def learn_unnamed(tables, ships, cell, code):
    """Take in an answer of mode ``hit``.

    tables : Tables; ships : UnnamedShips, modified; cell, code : int64
    """
    ships.shot[cell] = 1
    if code == MISS:
        for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
            rule_out(tables, ships.fitting, tables.through[i])
        return
    ships.hit_cells[ships.marks[HITS]] = cell
    ships.marks[HITS] += 1
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        ships.hits[tables.through[i]] += 1
    for i in range(tables.touching_first[cell], tables.touching_first[cell + 1]):
        rule_out(tables, ships.fitting, tables.touching[i])


@inner_kernel
def weigh_hits(tables, ships):
    """Work out how much likelier each hit makes a placement over it, class by class.

    tables : Tables; ships : UnnamedShips, its ``telling`` modified
    """
    classes = tables.lengths.shape[0]
    for i in range(ships.marks[HITS]):
        x = ships.hit_cells[i]
        for row in range(classes):
            none = 1.0
            for other in range(classes):
                absent = 1.0 - ships.fitting.count[other, x] / max(1, ships.fitting.total[other])
                for _ in range(tables.ships_of[other] - (1 if other == row else 0)):
                    none *= absent
            ships.telling[row, x] = 1.0 / max(1.0 - none, LEAST_OTHER)


@inlined_kernel
def choose_unnamed(tables, ships):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : UnnamedShips, its scratch modified. Returns int64
    """
    classes, cells = tables.base.shape
    weigh_hits(tables, ships)
    for row in range(classes):
        ships.weight_of[row] = ships.fitting.total[row]
        for x in range(cells):
            ships.weight[row, x] = ships.fitting.count[row, x]
    for p in range(tables.class_of.shape[0]):
        if ships.fitting.alive[p] == 0 or ships.hits[p] == 0:
            continue
        row = tables.class_of[p]
        more = 1.0
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            if ships.shot[x] == 1:
                more *= ships.telling[row, x]
        more -= 1.0
        ships.weight_of[row] += more
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            ships.weight[row, x] += more
    for x in range(cells):
        ships.missing[x] = 1.0
    for row in range(classes):
        if ships.fitting.total[row] > 0:
            for x in range(cells):
                other_chance = 1.0 - ships.weight[row, x] / ships.weight_of[row]
                for _ in range(tables.ships_of[row]):
                    ships.missing[x] *= other_chance
    cell = -1
    most = -1.0
    for x in range(cells):
        if ships.shot[x] == 0 and 1.0 - ships.missing[x] > most:
            most = 1.0 - ships.missing[x]
            cell = x
    return cell


@kernel
def recall_unnamed(tables, ships, cells, codes):
    """Begin a game and take in its answers so far.

    tables : Tables; ships : UnnamedShips, modified
    cells, codes : int64 (k,), the cells shot and their answers, in order
    """
    begin_unnamed(tables, ships)
    for t in range(cells.shape[0]):
        learn_unnamed(tables, ships, cells[t], codes[t])


@kernel
def play_unnamed(tables, ships, hidden, batch):
    """Play a batch of games. tables : Tables; ships, hidden, batch : all modified."""
    for g in range(batch.ships.shape[0]):
        begin_unnamed(tables, ships)
        left = hide(tables, hidden, batch.ships[g])
        t = 0
        while left > 0:
            cell = batch.prefix[t] if t < batch.prefix.shape[0] else choose_unnamed(tables, ships)
            note(batch, g, t, cell)
            code = answer(tables, hidden, batch.answers, cell)
            left -= code != MISS
            learn_unnamed(tables, ships, cell, code)
            t += 1
        batch.shots[g] = t - batch.prefix.shape[0]
