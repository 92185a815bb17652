"""The sub-tables of a best-first search: what is kept of them. Arrays and scalars only.

Parameters that many kernels share: ``explored``, the group Explored of ``arrays``, modified;
``table``, int64, number of a sub-table; ``arrays``, the group SearchArrays, whose scratch is
modified.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inner_kernel, kernel, popcount
from seabattle.enumerate.layouts import group_of
from seabattle.solver.search.answers import same_names
from seabattle.solver.search.arrays import (
    A_ROW,
    BOUND,
    ENTRY_WEIGHT,
    FIRST_SHOT,
    HI,
    IS_EXACT,
    LO,
    MISSED,
    TABLE_ROWS,
    TABLE_WEIGHT,
    H,
    U,
)
from seabattle.solver.search.bounds import patterns_left, size_bound
from seabattle.solver.search.kernels.states import state_of
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.table import NO_SHOT, enter, mix_hash, pack, slot_of_hash
from seabattle.solver.search.work import (
    ALLOWANCE,
    ARENA_TOP,
    CLOSED_SUNK,
    FULL_BOARD,
    LIGHTEST,
    MODE,
    NAMED,
    NO_LIMIT,
    TOTAL,
)

ROWS_AT_ONCE = 16
"""Rows of the game that take as long to leave out of a sub-table as one of it takes to look at."""


@kernel
def list_rows(table, explored, arrays):
    """Put the rows of a sub-table into ``explored.ids``; returns how many they are.

    They are the rows that occupy H and no cell outside U and answered alike (``exact_search``):
    in the closed mode they occupy a cell beside every group that has one in U, in mode ``ship``
    they name the cells of H alike.
    """
    game = arrays.game
    ids = explored.ids
    mode = arrays.options[MODE]
    certain = explored.masks[table, H]
    occupied = explored.masks[table, U]
    around = arrays.together[0]  # scratch
    groups = 0
    if mode == CLOSED_SUNK:
        left = certain
        while left != ZERO:
            group, beside = group_of(left & (~left + ONE), certain, game.sides)
            left &= ~group
            if beside & occupied != ZERO:
                around[groups] = beside & occupied
                groups += 1
    count = 0
    for row in range(len(ids)):
        cells = game.occupied_by[row]
        if cells & certain != certain or cells & ~occupied != ZERO:
            continue
        alike = True
        for i in range(groups):
            alike = alike and cells & around[i] != ZERO
        if mode == NAMED:
            alike = same_names(
                explored.tables[table, A_ROW], row, certain, game.ships, game.lengths
            )
        if alike:
            ids[count] = row
            count += 1
    arrays.counters[ALLOWANCE] -= count + len(ids) // ROWS_AT_ONCE
    return count


@inner_kernel
def slot_of_key(key, explored):
    """Slot of the sub-table that has a key, or the empty one where it would go.

    key : uint64 (words,)
    """
    mixed = ZERO
    for w in range(len(key)):
        mixed = mix_hash(mixed ^ key[w])
    slot = slot_of_hash(mixed, len(explored.slots))
    while explored.slots[slot] >= 0:
        held = explored.keys[explored.slots[slot]]
        same = True
        for w in range(len(key)):
            same = same and held[w] == key[w]
        if same:
            break
        slot = (slot + 1) & (len(explored.slots) - 1)
    return slot


@kernel
def find_slots(explored):
    """Enter all sub-tables into slots that are empty."""
    for table in range(1, explored.size[0]):
        explored.slots[slot_of_key(explored.keys[table], explored)] = table


@inner_kernel
def enter_table(p, explored, arrays):
    """Number of the sub-table of an entry of the arena, which is new or was explored before.

    p : int64, the entry; its rows are in ``explored.ids``
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    game = arrays.game
    options = arrays.options
    ids = explored.ids
    key = arrays.key[0]
    lo = entries[p, LO]
    certain = masks[p, H]
    weight = entries[p, ENTRY_WEIGHT]
    rows = entries[p, HI] - lo
    make_key(
        ids, lo, entries[p, HI], certain, masks[p, U], ZERO, options[MODE],
        np.uint64(options[FULL_BOARD]), arrays.keys, game.ships, game.lengths, arrays.counts[1],
        key,
    )  # fmt: skip
    slot = slot_of_key(key[0], explored)
    if explored.slots[slot] >= 0:
        return np.int64(explored.slots[slot])
    table = explored.size[0]
    explored.size[0] = table + 1
    explored.slots[slot] = table
    for w in range(key.shape[1]):
        explored.keys[table, w] = key[0, w]
    explored.masks[table, H] = certain
    explored.masks[table, U] = masks[p, U]
    row = ids[lo]
    known = explored.tables[table]
    known[:] = 0
    known[TABLE_ROWS] = rows
    known[TABLE_WEIGHT] = weight
    known[A_ROW] = row
    known[FIRST_SHOT] = -1
    if rows == 2:  # one of them is shot at first, and missed if it is the other
        known[BOUND] = min(game.weights[row], game.weights[ids[lo + 1]])
        known[IS_EXACT] = 1
        return table
    ways = patterns_left(row, certain, game.ships, game.lengths, options[MODE], arrays.patterns)
    known[BOUND] = max(options[LIGHTEST], size_bound(
        rows, weight, state_of(row, certain, arrays.finds), ways,
        popcount(game.occupied_by[row]) - popcount(certain), TOTAL, arrays
    ))  # fmt: skip
    return table


@inner_kernel
def list_answers(first, explored, arrays):
    """Misses after the answers in the arena, as far as they are known; others are listed.

    first : int64, number of the first answer listed
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    misses = np.int64(0)
    for p in range(arrays.counters[ARENA_TOP]):
        if entries[p, MISSED] == 1:
            misses += entries[p, ENTRY_WEIGHT]
        if masks[p, H] == masks[p, U]:
            continue
        table = enter_table(p, explored, arrays)
        if explored.tables[table, IS_EXACT] == 1:
            misses += explored.tables[table, BOUND]
        else:
            explored.answers[explored.size[2]] = table
            explored.size[2] += 1
    return misses


@kernel
def tell_bounds(begin, explored, table, counters):
    """Enter the bounds of sub-tables whose shots are listed into the table of another search.

    Returns the number of the first that has not been looked at, as the table is full.

    begin : int64, the first to look at; table : uint64 (capacity, 1 + words), modified, of a
        search; counters : of that search, STATES and STATUS modified
    """
    for number in range(begin, explored.size[0]):
        known = explored.tables[number]
        if known[FIRST_SHOT] < 0:
            continue
        packed = pack(known[BOUND], 0, False, NO_SHOT, NO_LIMIT)
        if not enter(table, explored.keys[number], packed, counters):
            return number
    return explored.size[0]
