"""How many layouts can be found with few misses once some cells are hit. Arrays and scalars only.

``solver.search.coverage`` explains what is counted, and proves the bounds made of it. First come
the placements of one ship not hit yet, then paths of misses of a state and what a hit at each of
their shots finds, then the states themselves, listed and counted.

Parameters that many kernels share: ``finds``, the group ``Finds`` of ``arrays``, whose states after
hits are counted; ``work``, the group ``Placements``; ``certain``, uint64, H of a closed sub-table;
``rows``, int32 (n,), its rows, and ``row``, int64, one of them; ``count``, int64, and ``cells``,
int64 (64,), its undetermined cells; ``state``, int64, from ``state_of``; ``n``, ``weight`` and
``goal`` as in ``bounds``; ``ways`` and ``cells`` as in ``bounds.words_bound``; ``game``,
``options`` and ``reach`` as in ``CountArrays``. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit, popcount, recursive_kernel
from seabattle.solver.search.answers import count_cells, partition_by_answers
from seabattle.solver.search.arrays import (
    AHEAD,
    AT_CELL,
    BY_ROWS,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    LO,
    MISSED,
    MOST_PLACEMENTS,
    PARTS,
    PATHS,
    CountArrays,
    Finds,
    H,
    Placements,
    U,
)
from seabattle.solver.search.bounds import UNKNOWN, enter_state, slot_of, state_of, sunk_cells
from seabattle.solver.search.table import mix_hash, slot_of_hash
from seabattle.solver.search.work import (
    ALLOWANCE,
    ALLOWANCE_USED,
    ARENA_TOP,
    FULL_FINDS,
    MODE,
    STATUS,
    STOP,
    spend,
)


@kernel
def choose_placements(rows, certain, rank, ships, work):
    """Number the placements of the ship of a rank among those of each row that are not sunk.

    Returns how many there are, or 0 where a row has no such ship, or there are too many.

    rank : int64; ships : as in ``Game``; work : place and masks modified
    """
    number = 0
    last = 0
    for row in rows:
        left = rank
        mask = ZERO
        for d in range(ships.shape[1]):
            if (ships[row, d] & ~certain) != ZERO:
                if left == 0:
                    mask = ships[row, d]
                    break
                left -= 1
        if mask == ZERO:
            return 0
        if number == 0 or work.masks[last] != mask:
            last = 0
            while last < number and work.masks[last] != mask:
                last += 1
            if last == MOST_PLACEMENTS:
                return 0
            if last == number:
                work.masks[number] = mask
                number += 1
        work.place[row] = last
    return number


@kernel
def index_at(cell, a, work):
    """Index of a placement among those at a cell, or how many there are if it is not one of them.

    cell, a : int64; work : through and number
    """
    i = 0
    while i < work.number[cell] and work.through[cell, i] != a:
        i += 1
    return i


@kernel
def gather_row(row, c, q, i, occupied, work):
    """Add a row to the group of a cell, a part and a placement of the cell.

    c, q, i : int64; occupied : uint64, cells of the row; work : modified
    """
    if work.size[c, q, i] == 0:
        work.common[c, q, i] = occupied
        work.any[c, q, i] = occupied
        work.first[c, q, i] = row
    work.size[c, q, i] += 1
    work.common[c, q, i] &= occupied
    work.any[c, q, i] |= occupied


@kernel
def compare_state(row, c, q, i, ships, work):
    """Set ``work.first`` of a gathered group to -1 if a row is not of one state with the first."""
    hit = work.common[c, q, i]
    first = work.first[c, q, i]
    if first >= 0 and sunk_cells(row, hit, ships) != sunk_cells(first, hit, ships):
        work.first[c, q, i] = -1


@kernel
def group_by_placement(rows, certain, game, finds, work):
    """What is found of each placement once it is hit at a cell: ``work.gain`` by part.

    Returns whether no cell is in more than AT_CELL placements.

    work : modified
    """
    work.number[:] = 0
    work.size[:] = 0
    # First the groups are gathered; once their common cells are known, their states are compared.
    for comparing in range(2):
        for row in rows:
            a = work.place[row]
            left = work.masks[a] & ~certain
            while left != ZERO:
                c = lowest_bit(left)
                left &= left - ONE
                i = index_at(c, a, work)
                if i == AT_CELL:
                    return False
                if i == work.number[c]:
                    work.through[c, i] = a
                    work.number[c] += 1
                q = finds.part[c, row]
                if comparing == 1:
                    compare_state(row, c, q, i, finds.ships, work)
                else:
                    gather_row(row, c, q, i, game.occupied_by[row], work)
    misses = finds.found.shape[2]
    for c in range(64):
        for i in range(work.number[c]):
            for q in range(finds.parts[c]):
                size = work.size[c, q, i]
                state = UNKNOWN
                if size > 0 and q > 0 and work.first[c, q, i] >= 0:
                    hit = work.common[c, q, i]
                    if hit != work.any[c, q, i]:
                        sunk = sunk_cells(work.first[c, q, i], hit, finds.ships)
                        slot = slot_of(hit, sunk, finds.slots)
                        state = np.int64(finds.slots[slot, 2]) - 1
                for k in range(misses):
                    work.gain[c, q, i, k] = size
                    if state != UNKNOWN:
                        work.gain[c, q, i, k] = min(size, np.int64(finds.found[state, FOUND, k]))
    return True


@kernel
def group_by_rest(rows, certain, number, game, finds, work):
    """Rows hit at a cell in another ship, at most, when u placements are left: ``beside[.., u]``.

    Rows that differ in the placement alone are no more than the placements that are left.

    number : int64, of the placements; work : modified
    """
    n = len(rows)
    size = 1
    while size < 2 * n:
        size *= 2
    for slot in range(size):
        work.heads[slot] = -1
    # rows of the same rest in chains: the head of each, and the next of each row
    for i in range(n):
        row = rows[i]
        rest = game.occupied_by[row] & ~work.masks[work.place[row]]
        slot = slot_of_hash(mix_hash(rest), size)
        while work.heads[slot] >= 0 and work.rest[work.heads[slot]] != rest:
            slot = (slot + 1) & (size - 1)
        work.next[i] = work.heads[slot]
        work.heads[slot] = i
        work.rest[i] = rest
    work.beside[:, :, : number + 1] = 0
    for slot in range(size):
        if work.heads[slot] < 0:
            continue
        cells = work.rest[work.heads[slot]] & ~certain
        left = cells
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            for q in range(finds.parts[c]):
                work.together[q] = 0
            i = work.heads[slot]
            while i >= 0:
                work.together[finds.part[c, rows[i]]] += 1
                i = work.next[i]
            for q in range(finds.parts[c]):
                work.beside[c, q, work.together[q]] += 1
    for c in range(64):
        for q in range(finds.parts[c]):
            work.beside[c, q, 0] = 0
            more = 0  # rests of u rows or more
            for u in range(number, 0, -1):
                more += work.beside[c, q, u]
                work.beside[c, q, u] = more
            for u in range(1, number + 1):
                work.beside[c, q, u] += work.beside[c, q, u - 1]


@kernel
def most_of_placements(k, rank, number, n, count, cells, finds, work):
    """Layouts found with k misses, at most, by the placements left: ``best[rank, k + 1]``.

    Called with k = 0, 1, 2, ...; returns what is found with all of them left.

    k, rank, number, n : int64; work : modified
    """
    for x in range(count):
        c = cells[x]
        for q in range(finds.parts[c]):
            # the largest first
            for i in range(work.number[c]):
                gain = work.gain[c, q, i, k]
                j = i
                while j > 0 and work.largest[c, q, j] < gain:
                    work.largest[c, q, j + 1] = work.largest[c, q, j]
                    j -= 1
                work.largest[c, q, j + 1] = gain
            work.largest[c, q, 0] = 0
            for i in range(work.number[c]):
                work.largest[c, q, i + 1] += work.largest[c, q, i]
    before = work.best[rank, k]
    best = work.best[rank, k + 1]
    for u in range(number + 1):
        most = 0
        for x in range(count):
            c = cells[x]
            for f in range(min(u, work.number[c]) + 1):
                found = before[u - f]
                for q in range(finds.parts[c]):
                    found += min(
                        finds.after[c, q, k],
                        work.largest[c, q, f] + work.beside[c, q, u - f],
                    )
                most = max(most, found)
        best[u] = min(n, most)
    return best[number]


@kernel
def bound_by_placements(rows, certain, count, cells, found, game, finds, work):
    """Lower ``found[k]``, the layouts found with k misses, by the placements of each ship.

    ``work`` keeps what ``most_with_placements_left`` asks for; ``work.numbers`` is all 0 before.

    found : int32 (misses,), modified; work : modified
    """
    n = len(rows)
    for rank in range(game.ships.shape[1]):
        number = choose_placements(rows, certain, rank, game.ships, work)
        if number == 0 or not group_by_placement(rows, certain, game, finds, work):
            continue
        group_by_rest(rows, certain, number, game, finds, work)
        for row in rows:
            work.places[rank, row] = work.place[row]
        work.numbers[rank] = number
        work.best[rank, 0, : number + 1] = 0
        work.best[rank, 1:, : number + 1] = n
        for k in range(len(found)):
            most = most_of_placements(k, rank, number, n, count, cells, finds, work)
            found[k] = min(found[k], most)
            if most == n:
                break


@kernel
def most_with_placements_left(k, ids, n, work):
    """Rows found with k misses, at most, of the first n of ``ids``, by the placements they have.

    k, n : int64; ids : int32 (n or more,), rows that a path of all misses has left
    work : as ``bound_by_placements`` has left it for the state
    """
    most = n
    for rank in range(len(work.numbers)):
        if work.numbers[rank] == 0:
            continue
        first = ZERO  # the placements left, 64 in each word: there are up to MOST_PLACEMENTS
        second = ZERO
        third = ZERO
        for i in range(n):
            a = work.places[rank, ids[i]]
            bit = ONE << np.uint64(a & 63)
            if a < 64:
                first |= bit
            elif a < 128:
                second |= bit
            else:
                third |= bit
        left = popcount(first) + popcount(second) + popcount(third)
        most = min(most, work.best[rank, k + 1, left])
    return most


@kernel
def found_after(cell, k, columns, finds):
    """Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.

    cell, k : int64; columns : int64 (2 + PARTS, 64), of a level
    """
    found = 0
    for q in range(finds.parts[cell]):
        found += min(columns[2 + q, cell], finds.after[cell, q, k])
    return found


@recursive_kernel(
    "int64(int64, int64, int64, int64, int64, int64[::1], Finds, Placements)",
    Finds,
    Placements,
)
def most_found(k, n, level, ahead, enough, counters, finds, placements):
    """Upper bound on the rows found with k misses or fewer; finds.rows[level, :n] are left.

    The shots of the path of all misses are tried out up to ``ahead`` shots from here; after that
    columns are added up, or the placements left are counted. Where it is found to be no more than
    ``enough``, it is not made less. Nor is it tried once the allowance is taken away.

    k, n, level, ahead, enough : int64
    finds : rows, left, and columns from ``level`` on, and tries modified
    placements : as ``bound_by_placements`` has left them for the state; of counts only
    """
    if n == 0:
        return 0
    rows = finds.rows[level]
    ids = finds.left[level]
    most = n
    if level > 0:
        most = most_with_placements_left(k, ids, n, placements)
        if most <= enough:
            return most
    columns = finds.columns[level]
    order = finds.columns[level, 1]
    finds.tries[1] += n
    columns[:] = 0
    told = finds.part.shape[1] > 0
    cells = ZERO
    for i in range(n):
        left = rows[i]
        cells |= left
        while left != ZERO:
            c = lowest_bit(left)
            columns[0, c] += 1
            if told:
                columns[2 + finds.part[c, ids[i]], c] += 1
            left &= left - ONE
    count = 0
    while cells != ZERO:
        c = lowest_bit(cells)
        cells &= cells - ONE
        if not told:
            columns[2, c] = columns[0, c]
        j = count
        while j > 0 and columns[0, order[j - 1]] < columns[0, c]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = c
        count += 1
    total = 0
    rest = 0  # the same without the first shot
    covered = 0
    for j in range(k + 1):
        gain = 0
        for i in range(count):
            c = order[i]
            if columns[0, c] <= gain:
                break
            if finds.after[c, PARTS, k - j] > gain:
                gain = max(gain, found_after(c, k - j, columns, finds))
        if j < count:
            covered += columns[0, order[j]]
        total = min(total + gain, covered)
        if j > 0:
            rest = min(rest + gain, covered)
        if total >= n:
            total = n
            rest = n
            break
    total = min(total, most)
    if ahead == 0 or finds.tries[0] <= 0 or k == 0 or total <= enough:
        return total
    if counters[ALLOWANCE] < 0:
        return total
    finds.tries[0] -= 1
    best = 0
    for i in range(count):
        c = order[i]
        gain = found_after(c, k, columns, finds)
        if gain + min(rest, n - columns[0, c]) <= best:
            continue
        m = 0
        for r in range(n):
            finds.rows[level + 1, m] = rows[r]
            finds.left[level + 1, m] = ids[r]
            m += np.int64((rows[r] >> np.uint64(c)) & ONE == ZERO)
        later = most_found(k - 1, m, level + 1, ahead - 1, best - gain, counters, finds, placements)
        best = max(best, gain + later)
        if best >= total:
            return total
    return best


@kernel
def tell_parts(ids, lo, hi, cell, arrays):
    """Tell the parts that the rows of a state go to after a hit at a cell, and what is found there.

    Part 0 holds all rows that the hit alone finds. Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: rows change places; lo, hi, cell : int64
    arrays : CountArrays, whose states after the hit are counted; finds and arena modified
    """
    finds = arrays.finds
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    counters = arrays.counters
    told = finds.part.shape[1] > 0
    after = finds.after[cell]
    after[:] = 0
    misses = after.shape[1]
    base = counters[ARENA_TOP]
    stopped = partition_by_answers(
        ids, lo, hi, cell, ZERO, arrays.game, arrays.options[MODE], False, arrays.game.full[0],
        arrays.arena, counters,
    )  # fmt: skip
    if stopped == STOP:
        return STOP
    parts = 1
    for p in range(base, counters[ARENA_TOP]):
        if entries[p, MISSED] == 1:
            continue
        q = 0
        if masks[p, H] == masks[p, U]:
            for k in range(misses):
                after[0, k] += 1
        else:
            if told:
                q = min(parts, PARTS - 1)
                parts = q + 1
            state = state_of(ids[entries[p, LO]], masks[p, H], finds)
            for k in range(misses):
                after[q, k] += finds.found[state, FOUND, k]
        if told:
            for i in range(entries[p, LO], entries[p, HI]):
                finds.part[cell, ids[i]] = q
    for q in range(parts):
        for k in range(misses):
            after[PARTS, k] += after[q, k]
    finds.parts[cell] = parts
    counters[ARENA_TOP] = base
    return 0


@kernel
def most_of_paths(k, n, counters, finds, placements):
    """``most_found`` of all n rows of a state, AHEAD shots tried out.

    finds : rows and left of level 0 set, and parts told; scratch modified
    """
    finds.tries[0] = PATHS
    found = n
    for ahead in range(AHEAD + 1):
        if finds.tries[0] > 0:
            found = min(found, most_found(k, n, 0, ahead, 0, counters, finds, placements))
    return found


ROWS_PLACED = 24
"""Rows of a state from which on placements are counted: those of fewer gain little by it."""

WORK_OF_A_ROW = 1
"""To look at a row of a path takes about so many times as long as in the search."""


@kernel
def count_paths(ids, lo, hi, certain, occupied, count, cells, state, arrays):
    """Lower what is found of a state; the states after a hit are counted.

    Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    count : int64, and cells : int64 (64,), its undetermined cells; state : int64
    arrays : CountArrays; finds, placements, arena and counters modified
    """
    counters = arrays.counters
    finds = arrays.finds
    placements = arrays.placements
    n = hi - lo
    for i in range(count):
        if tell_parts(ids, lo, hi, cells[i], arrays) == STOP:
            return STOP
    for i in range(n):
        finds.left[0, i] = ids[lo + i]
        finds.rows[0, i] = arrays.game.occupied_by[ids[lo + i]] & ~certain
    bounds = finds.found[state, FOUND]
    placements.numbers[:] = 0
    if finds.part.shape[1] > 0 and n >= ROWS_PLACED:
        bound_by_placements(
            ids[lo:hi], certain, count, cells, bounds, arrays.game, finds, placements
        )
    found = 0
    finds.tries[1] = 0
    for k in range(len(bounds)):
        if found < n:
            found = min(np.int64(bounds[k]), most_of_paths(k, n, counters, finds, placements))
            bounds[k] = found
        most = 0
        for i in range(count):
            most = max(most, finds.after[cells[i], PARTS, k])
        finds.found[state, FOUND_AFTER_HIT, k] = most
    counters[ALLOWANCE] -= WORK_OF_A_ROW * finds.tries[1]
    return 0


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, int64, uint64[:, ::1], CountArrays)",
    CountArrays,
)
def list_state(ids, lo, hi, certain, occupied, depth, hits, arrays):
    """List the state of a closed sub-table without misses, after those that follow it.

    Returns 0, or STOP when an array is full or the allowance is used up; what was listed is kept.
    Of a state that is only listed, n layouts are found with any misses: no bound comes of that.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion, 0 from outside
    hits : uint64 (states, 2), modified: H of each state and the cells of its sunk ships
    arrays : CountArrays; finds, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    finds = arrays.finds
    counts = arrays.counts[depth]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    full = game.full[0]
    if state_of(ids[lo], certain, finds) != UNKNOWN:
        return 0
    n = hi - lo
    count = count_cells(
        ids, lo, hi, game.occupied_by, game.weights, occupied & ~certain, full, counts,
        arrays.together[depth],
    )  # fmt: skip
    base = counters[ARENA_TOP]
    for i in range(count):
        stopped = partition_by_answers(
            ids, lo, hi, counts[BY_ROWS, i], ZERO, game, arrays.options[MODE], False, full,
            arrays.arena, counters,
        )  # fmt: skip
        for p in range(base, counters[ARENA_TOP]):
            if stopped == STOP or entries[p, MISSED] == 1 or masks[p, H] == masks[p, U]:
                continue
            stopped = list_state(
                ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1, hits,
                arrays,
            )  # fmt: skip
        counters[ARENA_TOP] = base
        if stopped == STOP:
            return STOP
    state = finds.size[0]
    if state >= finds.found.shape[0]:
        counters[STATUS] = FULL_FINDS
        return STOP
    if not spend(4 * n, counters):
        return STOP
    finds.found[state] = n
    hits[state, 0] = certain
    hits[state, 1] = sunk_cells(ids[lo], certain, finds.ships)
    finds.size[0] = state + 1
    enter_state(state, certain, hits[state, 1], arrays.keys.moves, finds)
    return 0


@kernel
def rows_of_state(state, hits, columns, ids, arrays):
    """Gather the rows of a state in ``ids``; returns how many, and their U.

    state : int64; hits : as in ``list_state``; columns : as in ``count_states``
    ids : int32 (n_rows,), modified
    """
    certain = hits[state, 0]
    n = np.int64(0)
    occupied = ZERO
    for word in range(columns.shape[1]):
        rows = columns[64, word]
        left = certain
        while left != ZERO and rows != ZERO:
            rows &= columns[lowest_bit(left), word]
            left &= left - ONE
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            if sunk_cells(row, certain, arrays.finds.ships) == hits[state, 1]:
                ids[n] = row
                occupied |= arrays.game.occupied_by[row]
                n += 1
    return n, occupied


@kernel
def count_states(ids, order, hits, columns, counted, arrays):
    """Lower what is found of all states, one after another; returns 0, or STOP.

    ids : int32 (n_rows,), scratch
    order : int64 (n,), the states, those of most cells hit first
    hits : uint64 (states, 2), as in ``list_state``
    columns : uint64 (65, words), bit r for row r: the rows that occupy each cell, and all rows
    counted : int64 (1,), modified: how many are done
    arrays : CountArrays; finds, placements, arena, scratch and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    counts = arrays.counts[0]
    full = game.full[0]
    lo = np.int64(0)
    while counted[0] < len(order):
        if counters[ALLOWANCE] < 0:
            counters[STATUS] = ALLOWANCE_USED
            return STOP
        state = order[counted[0]]
        certain = hits[state, 0]
        n, occupied = rows_of_state(state, hits, columns, ids, arrays)
        counters[ARENA_TOP] = 0
        count = count_cells(
            ids, lo, n, game.occupied_by, game.weights, occupied & ~certain, full, counts,
            arrays.together[0],
        )  # fmt: skip
        stopped = count_paths(ids, lo, n, certain, occupied, count, counts[BY_ROWS], state, arrays)
        if stopped == STOP:
            return STOP
        counted[0] += 1
        counters[ALLOWANCE] -= 16 * n
    return 0
