"""The rules of ``over-9000`` and ``learning``, compiled: chances of each ship, hits name the ship.

``_game_kernels`` says how the kernels of a player play together; ``independent_ships`` says what
the players do. Arrays and scalars only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import inlined_inner_kernel, inlined_kernel, inner_kernel, kernel
from seabattle.solver.players._alive_kernels import Alive, begin_alive, new_alive, rule_out
from seabattle.solver.players._game_kernels import (
    HIT_SHIP,
    MISS,
    NUMBERS,
    Tables,
    answer,
    class_of_length,
    draw,
    fraction,
    hide,
    note,
)

NOT_SHOT = -1

SHOTS = 0
MARKS = 1


class NamedShips(NamedTuple):
    """A game so far in which hits name the ship.

    Ship ``n`` of a class is the one named with number ``n + 1``.

    Attributes
    ----------
    fitting
        ``Alive``: placements of ships not hit yet.
    factor
        float64 ``(cells,)``, given: factor of each cell's chance; ``play_named`` modifies it.
    noise
        float64, given: greatest random number added to a chance.
    answer_at
        int64 ``(cells,)``, modified: answer code at each cell, ``NOT_SHOT`` for none.
    apart
        uint8 ``(placements,)``, modified: 1 while no hit touches the placement.
    named
        int64 ``(classes,)``, modified: ships of each class that were hit.
    left
        int64 ``(classes, most)``, modified: cells of each ship hit that were not hit yet.
    first_hit
        int64 ``(classes, most)``, modified: cell of the first hit on each ship hit.
    own
        int64 ``(cells,)``, scratch.
    missing
        float64 ``(cells,)``, scratch.
    marks
        int64 ``(MARKS,)``, modified: number of shots so far.
    """

    fitting: Alive
    factor: NDArray[np.float64]
    noise: float
    answer_at: NDArray[np.int64]
    apart: NDArray[np.uint8]
    named: NDArray[np.int64]
    left: NDArray[np.int64]
    first_hit: NDArray[np.int64]
    own: NDArray[np.int64]
    missing: NDArray[np.float64]
    marks: NDArray[np.int64]


def new_named(tables: Tables, factor: NDArray[np.float64], noise: float) -> NamedShips:
    """State of a player that is told the ship of each hit, for ``begin_named`` to fill."""
    classes, cells = tables.base.shape
    most = int(tables.ships_of.max())
    return NamedShips(
        new_alive(tables),
        factor,
        noise,
        np.empty(cells, np.int64),
        np.empty(len(tables.class_of), np.uint8),
        np.empty(classes, np.int64),
        np.empty((classes, most), np.int64),
        np.empty((classes, most), np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.float64),
        np.empty(MARKS, np.int64),
    )


@inner_kernel
def begin_named(tables, ships):
    """A game begins. tables : Tables; ships : NamedShips, modified."""
    begin_alive(tables, ships.fitting)
    for cell in range(ships.answer_at.shape[0]):
        ships.answer_at[cell] = NOT_SHOT
    for p in range(ships.apart.shape[0]):
        ships.apart[p] = 1
    for row in range(ships.named.shape[0]):
        ships.named[row] = 0
    ships.marks[SHOTS] = 0


@inlined_inner_kernel
def learn_named(tables, ships, cell, code):
    """Take in an answer of mode ``ship``.

    tables : Tables; ships : NamedShips, modified; cell, code : int64
    """
    ships.answer_at[cell] = code
    ships.marks[SHOTS] += 1
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        rule_out(tables, ships.fitting, tables.through[i])
    if code == MISS:
        return
    length = (code - HIT_SHIP) // NUMBERS
    row = class_of_length(tables, length)
    n = (code - HIT_SHIP) % NUMBERS - 1
    while ships.named[row] <= n:  # a number may be told before the ones below it
        ships.left[row, ships.named[row]] = length
        ships.first_hit[row, ships.named[row]] = -1
        ships.named[row] += 1
    if ships.first_hit[row, n] < 0:
        ships.first_hit[row, n] = cell
    ships.left[row, n] -= 1
    for i in range(tables.touching_first[cell], tables.touching_first[cell + 1]):
        ships.apart[tables.touching[i]] = 0
        rule_out(tables, ships.fitting, tables.touching[i])


@inlined_kernel
def count_own(tables, ships, row, n):
    """Count the placements that ship n of a class, hit before, can have.

    tables : Tables; row, n : int64
    ships : NamedShips, its ``own`` modified: how many of them cover each cell
    Returns int64, the number of placements
    """
    for x in range(ships.own.shape[0]):
        ships.own[x] = 0
    ways = 0
    start = ships.first_hit[row, n]
    struck = tables.lengths[row] - ships.left[row, n]
    code = ships.answer_at[start]
    for i in range(tables.through_first[start], tables.through_first[start + 1]):
        p = tables.through[i]
        if tables.class_of[p] != row or ships.apart[p] == 0:
            continue
        mine = 0
        fits = True
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            if ships.answer_at[x] == code:
                mine += 1
            elif ships.answer_at[x] != NOT_SHOT:
                fits = False
                break
        if fits and mine == struck:
            ways += 1
            for j in range(tables.ship_cells.shape[1]):
                if tables.ship_cells[p, j] < 0:
                    break
                ships.own[tables.ship_cells[p, j]] += 1
    return ways


@inlined_kernel
def choose_named(tables, ships, seed):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : NamedShips, its scratch modified
    seed : uint64, the game's seed. Returns int64
    """
    cells = ships.missing.shape[0]
    for x in range(cells):
        ships.missing[x] = 1.0
    for row in range(tables.lengths.shape[0]):
        for n in range(ships.named[row]):
            if ships.left[row, n] <= 0 or ships.first_hit[row, n] < 0:
                continue
            ways = count_own(tables, ships, row, n)
            for x in range(cells):
                if ships.own[x] > 0:
                    ships.missing[x] *= 1.0 - ships.own[x] / ways
        unhit = tables.ships_of[row] - ships.named[row]
        if unhit > 0 and ships.fitting.total[row] > 0:
            for x in range(cells):
                other = 1.0 - ships.fitting.count[row, x] / ships.fitting.total[row]
                for _ in range(unhit):
                    ships.missing[x] *= other
    cell = -1
    most = -1.0
    for x in range(cells):
        if ships.answer_at[x] == NOT_SHOT:
            chance = (1.0 - ships.missing[x]) * ships.factor[x]
            if ships.noise > 0.0:
                chance += ships.noise * fraction(seed, ships.marks[SHOTS] * cells + x)
            if chance > most:
                most = chance
                cell = x
    return cell


@kernel
def recall_named(tables, ships, cells, codes):
    """Begin a game and take in its answers so far.

    tables : Tables; ships : NamedShips, modified
    cells, codes : int64 (k,), the cells shot and their answers, in order
    """
    begin_named(tables, ships)
    for t in range(cells.shape[0]):
        learn_named(tables, ships, cells[t], codes[t])


@kernel
def play_named(tables, ships, hidden, batch, given, growth, block):
    """Play a batch of games.

    tables : Tables; ships, hidden, batch : all modified
    given : float64 (cells,), factors of the cells at the beginning of a block
    growth : float64, added to a cell's factor for every hit there in an earlier game of the same
        block
    block : int64, games of a block, counted from game 0
    """
    for g in range(batch.ships.shape[0]):
        if (batch.first_game + g) % block == 0:
            for x in range(given.shape[0]):
                ships.factor[x] = given[x]
        seed = draw(batch.key, batch.first_game + g)
        begin_named(tables, ships)
        left = hide(tables, hidden, batch.ships[g])
        t = 0
        while left > 0:
            if t < batch.prefix.shape[0]:
                cell = batch.prefix[t]
            else:
                cell = choose_named(tables, ships, seed)
            note(batch, g, t, cell)
            code = answer(tables, hidden, batch.answers, cell)
            left -= code != MISS
            learn_named(tables, ships, cell, code)
            t += 1
        for x in range(ships.factor.shape[0]):
            if ships.answer_at[x] > MISS:
                ships.factor[x] += growth
        batch.shots[g] = t - batch.prefix.shape[0]
