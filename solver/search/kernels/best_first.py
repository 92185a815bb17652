"""Compiled best-first search of sub-tables, for lower bounds. Arrays and scalars only.

``solver.search.best_first`` explains and proves it. First comes what is kept of a sub-table, then
the search. All sub-tables looked at are kept, with a lower bound each. A shot is *open* when the
sub-tables after its answers are; before that it has a bound made of what is counted alone. The
*best* shot of a sub-table is one of least bound.

Parameters that many kernels share: ``explored``, the group Explored of ``arrays``, modified;
``table``, int64, number of a sub-table; ``shot``, int64, number of a shot; ``rows``, int64, how
many of ``explored.ids`` are the rows of the sub-table; ``arrays``, the group SearchArrays, whose
table, arena, counters and scratch are modified. Every row looked at is taken off the allowance.
A kernel may be called again after STOP: what it knows of a sub-table is changed all at once.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel, popcount
from seabattle.enumerate.layouts import group_of
from seabattle.solver.search.answers import (
    count_cells,
    is_dominated,
    part_all,
    partition_by_answers,
    same_names,
)
from seabattle.solver.search.arrays import (
    A_ROW,
    BOUND,
    BY_WEIGHT,
    ENTRY_WEIGHT,
    FIRST_SHOT,
    HI,
    IS_EXACT,
    LO,
    MISSED,
    NO_KEY,
    RISE,
    ROWS,
    SHOT_ANSWERS,
    SHOT_MISSES,
    SHOTS,
    TABLE_ROWS,
    TABLE_WEIGHT,
    WEIGHT,
    WORK,
    H,
    U,
)
from seabattle.solver.search.bounds import (
    UNKNOWN,
    column_bound,
    patterns_left,
    size_bound,
    state_of,
)
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.minimize import bound_parts, minimize
from seabattle.solver.search.reveal_bound import misses_beside, partition_beside, told_beside
from seabattle.solver.search.table import NO_SHOT, enter, mix_hash, pack, slot_of_hash
from seabattle.solver.search.work import (
    ALLOWANCE,
    ALLOWANCE_USED,
    ARENA_TOP,
    CLOSED_SUNK,
    DOMINANCE,
    INFEASIBLE,
    LIGHTEST,
    MODE,
    NAMED,
    NO_LIMIT,
    NODES,
    STATUS,
    STOP,
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


@kernel
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


@kernel
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
        ids, lo, entries[p, HI], certain, masks[p, U], ZERO, options[MODE], game.full[0],
        arrays.keys, game.ships, game.lengths, arrays.counts[1], key,
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


@kernel
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


PROVEN = 1
NO_ROOM = 2

EXACT_ROWS = 16
"""Up to so many rows a sub-table is solved at once: to open its shots would take as long."""

HOPE = 16
"""A sub-table not looked at yet is expected to rise by this part of its bound ..."""

FIRST_WORK = 3
"""... for looking so many times at each of its rows."""

WORK_RECALLED = 100_000
"""Work and rise of a sub-table are halved when it has looked so many times at each of its rows:
what comes later costs more than what came first."""

MOST_SHOTS = 64
MOST_ANSWERS = 1 << 10
"""Answers of all shots of one sub-table, more than there can be."""


@kernel
def shot_word(first, number, cell):
    """A shot's first answer, how many it has, and its cell, packed; first is -1 if not open."""
    return (first + 1) << 16 | number << 8 | cell


@kernel
def misses_of_shot(shot, explored):
    """Lower bound on the misses of a shot and what follows; its value, if all answers are exact."""
    word = explored.shots[shot, SHOT_ANSWERS]
    misses = explored.shots[shot, SHOT_MISSES]
    first = (word >> 16) - 1
    if first >= 0:
        for i in range(first, first + (word >> 8 & 255)):
            misses += explored.tables[explored.answers[i], BOUND]
    return misses


@kernel
def best_shot(table, explored):
    """Least misses of all shots of a sub-table, and the first shot that has them."""
    least = np.int64(INFEASIBLE)
    best = np.int64(-1)
    first = explored.tables[table, FIRST_SHOT]
    for shot in range(first, first + explored.tables[table, SHOTS]):
        misses = misses_of_shot(shot, explored)
        if misses < least:
            least = misses
            best = shot
    return least, best


@kernel
def open_best_shots(table, rows, explored, arrays):
    """Open best shots of a sub-table until the best is open; returns 0, or STOP (arena full)."""
    game = arrays.game
    options = arrays.options
    counters = arrays.counters
    full = game.full[0]
    first = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    while True:
        least, shot = best_shot(table, explored)
        if least > explored.tables[table, BOUND]:
            return 0
        word = explored.shots[shot, SHOT_ANSWERS]
        if word >> 16 > 0:
            return 0
        counters[ARENA_TOP] = 0
        counters[ALLOWANCE] -= 3 * rows
        if (
            partition_by_answers(
                explored.ids, first, rows, word & 255, ZERO, game, options[MODE], False, full,
                arrays.arena, counters,
            )
            == STOP
        ):  # fmt: skip
            return STOP
        begin = explored.size[2]
        explored.shots[shot, SHOT_MISSES] = list_answers(begin, explored, arrays)
        listed = explored.size[2] - begin
        explored.shots[shot, SHOT_ANSWERS] = shot_word(begin, listed, word & 255)


@kernel
def expand(table, explored, arrays):
    """List the shots of a sub-table, or solve it, if it has few rows.

    Returns 0, or STOP (an array is full, or the allowance used up).
    """
    game = arrays.game
    options = arrays.options
    counters = arrays.counters
    finds = arrays.finds
    ids = explored.ids
    full = game.full[0]
    mode = options[MODE]
    first = np.int64(0)  # as in ``open_best_shots``
    known = explored.tables[table]
    certain = explored.masks[table, H]
    occupied = explored.masks[table, U]
    rows = list_rows(table, explored, arrays)
    weight = known[TABLE_WEIGHT]
    counters[ARENA_TOP] = 0
    if rows <= EXACT_ROWS:
        answer = minimize(
            ids, first, rows, certain, occupied, ZERO, weight, INFEASIBLE, NO_LIMIT, np.int64(1),
            NO_KEY, arrays,
        )  # fmt: skip
        if answer == STOP:
            return STOP
        known[BOUND] = answer >> 7
        known[IS_EXACT] = 1
        return 0
    counts = arrays.counts[0]
    together = arrays.together[0]
    unknown = occupied & ~certain
    count = count_cells(
        ids, first, rows, game.occupied_by, game.weights, unknown, full, counts, together
    )
    counters[ALLOWANCE] -= 5 * rows
    row = ids[0]
    state = state_of(row, certain, finds)
    ways = patterns_left(row, certain, game.ships, game.lengths, mode, arrays.patterns)
    cells = popcount(game.occupied_by[row]) - popcount(certain)
    bound = column_bound(rows, weight, -1, count, counts, state, ways, cells, TOTAL, arrays)
    told, seed = told_beside(ids, first, rows, certain, occupied, game, options)
    if told != ZERO:
        beside = misses_beside(ids, first, rows, told, seed, game, arrays.groups)
        counters[ALLOWANCE] -= 3 * rows
        if (
            partition_beside(ids, first, rows, told, game, full, arrays.arena, options, counters)
            == STOP
        ):
            return STOP
        bound = max(bound, bound_parts(ids, first, beside, arrays))
    before = known[BOUND]
    known[BOUND] = max(before, bound)
    shots = explored.size[1]
    for i in range(count):
        c = counts[BY_WEIGHT, i]
        alike = together[c] & unknown & ~(ONE << np.uint64(c))
        if options[DOMINANCE] == 1 and is_dominated(c, alike, counts):
            continue
        left = rows - counts[ROWS, c]
        missed = weight - counts[WEIGHT, c]
        after = 0
        if left > 0:
            after = max(
                column_bound(left, missed, c, count, counts, state, ways, cells, TOTAL, arrays),
                size_bound(left, missed, state, ways, cells, TOTAL, arrays),
            )  # fmt: skip
        on_hit = size_bound(
            counts[ROWS, c], weight - missed, UNKNOWN, ways, cells - 1, TOTAL, arrays,
        )  # fmt: skip
        shot = explored.size[1]
        explored.shots[shot, SHOT_MISSES] = missed + after + on_hit
        explored.shots[shot, SHOT_ANSWERS] = shot_word(-1, 0, c)
        explored.size[1] = shot + 1
    known[FIRST_SHOT] = shots
    known[SHOTS] = explored.size[1] - shots
    counters[NODES] += 1
    least, _ = best_shot(table, explored)
    if max(known[BOUND], least) > before:  # maybe it is not looked at again
        return 0
    return open_best_shots(table, rows, explored, arrays)


@kernel
def likeliest_answer(shot, explored):
    """The answer to an open shot that is expected to rise most for its work; -1: all exact."""
    word = explored.shots[shot, SHOT_ANSWERS]
    first = (word >> 16) - 1
    best = np.int64(-1)
    most = -1.0
    for i in range(first, first + (word >> 8 & 255)):
        table = np.int64(explored.answers[i])
        known = explored.tables[table]
        if known[IS_EXACT] == 1:
            continue
        rise = known[RISE] + known[BOUND] / HOPE
        rate = rise / (known[WORK] + FIRST_WORK * known[TABLE_ROWS])
        if rate > most:
            most = rate
            best = table
    return best


@kernel
def back_up(depth, work, explored):
    """Raise the bounds of the path, from its end on, and note what it took.

    depth : int64, sub-tables on the path; work : int64, rows looked at
    """
    for d in range(depth - 1, -1, -1):
        table = explored.path[d, 0]
        known = explored.tables[table]
        if known[FIRST_SHOT] >= 0 and known[IS_EXACT] == 0:
            least, shot = best_shot(table, explored)
            known[BOUND] = max(known[BOUND], least)
            opened = explored.shots[shot, SHOT_ANSWERS] >> 16 > 0
            if least == known[BOUND] and opened and likeliest_answer(shot, explored) < 0:
                known[IS_EXACT] = 1
        known[WORK] += work
        known[RISE] += known[BOUND] - explored.path[d, 1]
        if known[WORK] > WORK_RECALLED * known[TABLE_ROWS]:
            known[WORK] //= 2
            known[RISE] //= 2


@kernel
def go_down(explored, arrays):
    """Follow best shots from the root to a sub-table that can be looked at, and do so.

    Returns how many sub-tables the path has, or STOP (an array is full, or no allowance).
    """
    depth = 0
    table = np.int64(0)
    while True:
        known = explored.tables[table]
        explored.path[depth, 0] = table
        explored.path[depth, 1] = known[BOUND]
        depth += 1
        if known[IS_EXACT] == 1:
            return depth
        if known[FIRST_SHOT] < 0:
            return STOP if expand(table, explored, arrays) == STOP else depth
        least, shot = best_shot(table, explored)
        if least > known[BOUND]:  # more is known of what lies behind its shots than before
            return depth
        if explored.shots[shot, SHOT_ANSWERS] >> 16 == 0:
            rows = list_rows(table, explored, arrays)
            return STOP if open_best_shots(table, rows, explored, arrays) == STOP else depth
        table = likeliest_answer(shot, explored)
        if table < 0:
            return depth


@kernel
def begin_at(shot, explored, arrays):
    """Make the root, sub-table 0: its one shot, which misses nothing, is answered by all rows.

    Returns 0, or STOP (arena full).

    shot : uint64, cells hit before
    """
    ids = explored.ids
    for row in range(len(ids)):
        ids[row] = row
    first = np.int64(0)
    if part_all(ids, np.int64(-1), shot, arrays) == STOP:
        return STOP
    known = explored.tables[0]
    known[:] = 0
    known[TABLE_ROWS] = len(ids)
    known[SHOTS] = 1
    explored.size[0] = 1
    explored.size[1] = 1
    explored.size[2] = 0
    explored.shots[0, SHOT_MISSES] = list_answers(first, explored, arrays)
    explored.shots[0, SHOT_ANSWERS] = shot_word(first, explored.size[2], first)
    return 0


@kernel
def explore(explored, arrays):
    """Raise the bound of the root: PROVEN when it is the optimum, NO_ROOM when an array is full.

    Otherwise STOP, when the allowance is used up or the table or the arena of ``arrays`` is full;
    what is known is kept.
    """
    counters = arrays.counters
    size = explored.size
    while explored.tables[0, IS_EXACT] == 0:
        if (
            size[0] + MOST_ANSWERS > len(explored.tables)
            or size[1] + MOST_SHOTS > len(explored.shots)
            or size[2] + MOST_ANSWERS > len(explored.answers)
        ):
            return NO_ROOM
        if counters[ALLOWANCE] < 0:
            counters[STATUS] = ALLOWANCE_USED
            return STOP
        before = counters[ALLOWANCE]
        depth = go_down(explored, arrays)
        if depth == STOP:
            return STOP
        if counters[ALLOWANCE] > before - (1 << 40):  # it may have been taken away meanwhile
            back_up(depth, before - counters[ALLOWANCE], explored)
    return PROVEN
