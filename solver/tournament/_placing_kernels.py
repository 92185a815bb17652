"""Placing the ships of a layout one after another, compiled. Arrays and scalars only."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import allocating_kernel
from seabattle.solver.players._game_kernels import draw

MOST_FAILURES = 100_000
"""A layout that was begun anew so often is given up."""


@allocating_kernel
def place_in_sequence(slot_first, slot_stop, ship_cells, halo_cells, key, first_game, out):
    """Place ships one after another, longest first, each at random where it still fits.

    A ship that fits nowhere starts the layout anew.

    slot_first, slot_stop : int64 (ships,), the placements of each ship are a range
    ship_cells : int16 (placements, longest), cells covered, -1 behind the last
    halo_cells : int16 (placements, most), cells that no later ship may cover, -1 behind the last
    key : uint64, the stream's key; first_game : int64, number of the first game
    out : uint16 (games, ships), modified: placement numbers, equal ships by number
    Returns int64: 0, or 1 when a layout was given up
    """
    ships = slot_first.shape[0]
    cells = 0
    for p in range(halo_cells.shape[0]):
        for j in range(halo_cells.shape[1]):
            cells = max(cells, halo_cells[p, j] + 1)
    blocked = np.zeros(cells, np.uint8)
    free = np.empty(ship_cells.shape[0], np.int64)
    for g in range(out.shape[0]):
        seed = draw(key, first_game + g)
        index = 0
        d = 0
        failures = 0
        while d < ships:
            if d == 0:
                blocked[:] = 0
            n = 0
            for p in range(slot_first[d], slot_stop[d]):
                fits = True
                for j in range(ship_cells.shape[1]):
                    cell = ship_cells[p, j]
                    if cell < 0:
                        break
                    if blocked[cell] == 1:
                        fits = False
                        break
                if fits:
                    free[n] = p
                    n += 1
            if n == 0:
                failures += 1
                if failures == MOST_FAILURES:
                    return 1
                d = 0
                continue
            share = (draw(seed, index) >> np.uint64(32)) * np.uint64(n)
            p = free[np.int64(share >> np.uint64(32))]
            index += 1
            out[g, d] = p
            for j in range(halo_cells.shape[1]):
                if halo_cells[p, j] < 0:
                    break
                blocked[halo_cells[p, j]] = 1
            d += 1
        for d in range(1, ships):  # equal ships by placement number
            p = out[g, d]
            e = d
            while e > 0 and out[g, e - 1] > p:
                out[g, e] = out[g, e - 1]
                e -= 1
            out[g, e] = p
    return 0
