"""Compiled games of the quick players, a batch of layouts in one call. Arrays and scalars only.

Every kernel plays what a player of ``hunt_target`` (here), ``density``
(``_density_kernels``) or ``independent_ships`` (``_ship_kernels``) chooses shot by shot, and must
play the same games. What they share:

layouts : uint16 (n_games, n_ships), placement numbers of each hidden layout
ship_cells : int16 (n_placements, longest), cells of each placement, -1 behind the last
class_of : int64 (n_placements,), which length a placement has: 0 the longest of the fleet
lengths, ships_of : int64 (classes,), length of the ships of a class, and how many there are
base : int64 (classes, cells), placements of each class through each cell of the empty board
prefix : int64 (k,), cells that are shot first and not counted
key : uint64, the player's key (``chance.player_key``); first_game : int64, number of row 0
shots : int32 (n_games,), modified: shots until the fleet was sunk, the prefix not counted
record : int16 (n_games, cells), or (0, 0) for none, modified: cells in the order shot, the
    prefix first; what lies behind the last shot is left alone
through, touching : int64, with ``through_first``, ``touching_first`` int64 (cells + 1,): the
    placements that cover a cell, and those that do not but that no ship on the cell allows

Counts are int64: at most 2^11 placements, each of a weight below 2^37, times 63 ships.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import allocating_kernel, kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
FRACTIONS = 1 << 20


@kernel
def draw(seed, index):
    """Number ``index`` of the random stream ``seed`` (splitmix64): uint64, uint64 -> uint64."""
    x = seed + (np.uint64(index) + np.uint64(1)) * GAMMA
    x = (x ^ (x >> np.uint64(30))) * FIRST_MIX
    x = (x ^ (x >> np.uint64(27))) * SECOND_MIX
    return x ^ (x >> np.uint64(31))


@kernel
def fill_deck(seed, deck):
    """Put the cells in random order, each order equally likely (Fisher and Yates; Lemire 2019).

    deck : int16 (cells,), modified
    """
    cells = deck.shape[0]
    for i in range(cells):
        deck[i] = i
    index = 0
    for i in range(cells - 1, 0, -1):
        size = np.uint64(i + 1)
        product = (draw(seed, index) >> np.uint64(32)) * size
        index += 1
        if (product & LOW_HALF) < size:
            least = (np.uint64(1 << 32) - size) % size
            while (product & LOW_HALF) < least:
                product = (draw(seed, index) >> np.uint64(32)) * size
                index += 1
        j = np.int64(product >> np.uint64(32))
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def fraction(seed, index):
    """A number from 0 to 1, exclusive, in steps of 2^-53; float64."""
    return np.float64(draw(seed, FRACTIONS + index) >> np.uint64(11)) * 2.0**-53


@kernel
def hide(layout, ship_cells, ship_at, left):
    """Put one layout on the board; return its number of cells.

    layout : uint16 (n_ships,); ship_at : int16 (cells,), modified: the ship on each cell, -1 water
    left : int64 (n_ships,), modified: cells of each ship
    """
    for cell in range(ship_at.shape[0]):
        ship_at[cell] = -1
    total = 0
    for d in range(layout.shape[0]):
        left[d] = 0
        for j in range(ship_cells.shape[1]):
            cell = ship_cells[layout[d], j]
            if cell < 0:
                break
            ship_at[cell] = d
            left[d] += 1
        total += left[d]
    return total


@allocating_kernel
def place_in_sequence(slot_first, slot_stop, ship_cells, halo_cells, key, first_game, out):
    """Place ships one after another, longest first, each at random where it still fits.

    A ship that fits nowhere starts the layout anew.

    slot_first, slot_stop : int64 (n_ships,), placements of each ship
    ship_cells, halo_cells : int16 (n_placements, ...), cells covered; cells forbidden to others
    out : uint16 (n_games, n_ships), modified. Returns 0, or 1 when a layout failed 100,000 times
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
                if failures == 100_000:
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


@allocating_kernel
def play_in_order(
    layouts,
    ship_cells,
    neighbours,
    hunted_first,
    follow,
    prefix,
    key,
    first_game,
    shots,
    record,
):
    """Games of ``random`` and of hunting with a queue of neighbours.

    neighbours : int16 (cells, 4), in the order north, south, east, west, -1 off the board
    hunted_first : uint8 (cells,), 1 for cells to hunt before the others
    follow : 1 to shoot the neighbours of hits, first found first shot
    """
    cells = neighbours.shape[0]
    ship_at = np.empty(cells, np.int16)
    left = np.empty(layouts.shape[1], np.int64)
    deck = np.empty(cells, np.int16)
    shot = np.empty(cells, np.uint8)
    queue = np.empty(4 * cells, np.int16)
    for g in range(layouts.shape[0]):
        total = hide(layouts[g], ship_cells, ship_at, left)
        fill_deck(draw(key, first_game + g), deck)
        shot[:] = 0
        head = 0
        tail = 0
        at = 0
        first = 1
        t = 0
        while total > 0:
            cell = -1
            if t < prefix.shape[0]:
                cell = prefix[t]
            elif follow == 1:
                while cell < 0 and head < tail:
                    if shot[queue[head]] == 0:
                        cell = np.int64(queue[head])
                    head += 1
            while cell < 0:
                if at == cells:
                    at = 0
                    first = 0
                x = deck[at]
                at += 1
                if shot[x] == 0 and hunted_first[x] == first:
                    cell = np.int64(x)
            if record.shape[0] > 0:
                record[g, t] = cell
            t += 1
            shot[cell] = 1
            if ship_at[cell] >= 0:
                total -= 1
                if follow == 1:
                    for j in range(4):
                        x = neighbours[cell, j]
                        if x >= 0 and shot[x] == 0:
                            queue[tail] = x
                            tail += 1
        shots[g] = t - prefix.shape[0]


@kernel
def weigh(score, ship_cells, row, p, change):
    """Add to the scores of the cells of placement p; score : int64 (classes, cells), modified."""
    for j in range(ship_cells.shape[1]):
        cell = ship_cells[p, j]
        if cell < 0:
            break
        score[row, cell] += change
