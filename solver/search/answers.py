"""The model of answers: how a shot parts a sub-table, and what its columns say of it beforehand.

A *segment* is a range ``lo:hi`` of ``ids``, int32, the rows still possible; a shot partitions it,
in place, into one segment per answer. Four families of answers (``mode``) differ in how;
``solver.search.exact_search`` gives the proofs.

``PLAIN``        answers hit and miss. Certain hits are not shot: they tell nothing. What a shot
    leaves is known from the columns before any row moves (``count_and_close``).
``CLOSED_SUNK``  answers hit, miss, sunk where ships are connected groups of cells (contact rules
    none and corners). All certain hits are shot at once.
``OPEN_SUNK``    the same answers where ships may touch at their sides. Nothing is shot at once.
``NAMED``        a hit names the ship. All certain hits are shot at once.

Parameters that many kernels share: ``ids``, int32 ``(n_rows,)``; ``lo`` and ``hi``, int64;
``row``, int64, number of a row; ``cell``, int64; ``shot``, mask, cells hit before (open mode);
``certain`` and ``occupied``, masks, H and U of a segment; ``ships``, the field of ``Game``;
``game`` and ``arena``, the groups Game and Arena of ``arrays``, which names the arena's columns;
``arrays``, the group SearchArrays, whose arena and counters are modified where parts go there. A
kernel modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, bit_of, kernel, lowest_bit
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.segments import close_segment, group_of, part_segment


@kernel
def ship_at(row, cell, ships):
    """Number of the ship of a row that covers a cell, -1 for water."""
    for d in range(ships.shape[1]):
        if (ships[row, d] & bit_of(cell, ships[row, d])) != ZERO:
            return d
    return -1


@kernel
def open_answer(row, cell, shot, arrays):
    """Answer of a row in the open mode: 0 miss, 1 hit, 2 sunk (or 2 + its length if announced)."""
    ships = arrays.game.ships
    d = ship_at(row, cell, ships)
    if d < 0:
        return 0
    if (ships[row, d] & ~(shot | bit_of(cell, shot))) != ZERO:
        return 1
    return 2 + arrays.game.lengths[d] * arrays.options[work.ANNOUNCED]


@kernel
def settled_ships(ids, lo, hi, certain, shot, ships):
    """Cells of ships that lie alike in all rows of a segment, where some are not shot yet.

    In the open mode a shot at one of them costs nothing and tells nothing, whenever it is made: all
    rows answer it alike, and no answer at another cell depends on it. So they may be taken as shot.

    certain : mask, H of the segment; shot : mask, cells hit before
    """
    settled = ZERO
    for d in range(ships.shape[1]):
        cells = ships[ids[lo], d]
        if (cells & ~certain) != ZERO or (cells & ~shot) == ZERO:
            continue
        first = lowest_bit(cells)
        i = lo + 1
        while i < hi and ships[ids[i], ship_at(ids[i], first, ships)] == cells:
            i += 1
        if i == hi:
            settled |= cells
    return settled


@kernel
def same_names(row, other, cells, game):
    """Whether two rows put ships of the same lengths on the same groups of the given cells.

    other : int64, number of the other row; cells : mask
    """
    ships = game.ships
    lengths = game.lengths
    for d in range(ships.shape[1]):
        group = ships[row, d] & cells
        if group == ZERO:
            continue
        found = False
        for e in range(ships.shape[1]):
            if lengths[e] == lengths[d] and (ships[other, e] & cells) == group:
                found = True
                break
        if not found:
            return False
    return True


@kernel
def split_by_names(ids, lo, hi, cells, game):
    """Move the rows named like the first one on ``cells`` to the front; return where others begin.

    ids : modified; cells : mask
    """
    i = lo + 1
    for j in range(lo + 1, hi):
        if same_names(ids[lo], ids[j], cells, game):
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def split_by_answer(ids, lo, hi, cell, shot, arrays):
    """Move the rows that answer like the first one to the front; return where others begin.

    ids : modified
    """
    answer = open_answer(ids[lo], cell, shot, arrays)
    i = lo + 1
    for j in range(lo + 1, hi):
        if open_answer(ids[j], cell, shot, arrays) == answer:
            swap = ids[i]
            ids[i] = ids[j]
            ids[j] = swap
            i += 1
    return i


@kernel
def split_by_groups(ids, lo, hi, certain, occupied, game):
    """Shoot certain hits until their answers differ: return where the others begin, hi if nowhere.

    A group of certain cells connected by their sides lies in one ship; it is sunk in a row
    exactly when the row occupies no cell around it. The first group whose answer differs between
    rows splits them, the sunk ones to the front.
    ids : modified
    """
    left = certain
    while left != ZERO:
        group, around = group_of(left & (~left + ONE), certain, game.sides)
        left &= ~group
        around &= occupied
        if around != ZERO:
            mid = part_segment(ids, lo, hi, around, game.occupied_by)
            if lo < mid < hi:
                return mid
    return hi


@kernel
def push(lo, hi, missed, hit, arrays):
    """Put a segment on the arena, not closed yet; return whether there was room.

    missed : int64, 1 when the shot missed in its rows; hit : mask, cells hit so far
    """
    arena = arrays.arena
    counters = arrays.counters
    top = counters[work.ARENA_TOP]
    if top >= arena.entries.shape[0]:
        counters[work.STATUS] = work.FULL_ARENA
        return False
    arena.entries[top, at.LO] = lo
    arena.entries[top, at.HI] = hi
    arena.entries[top, at.MISSED] = missed
    arena.masks[top, at.K] = hit
    counters[work.ARENA_TOP] = top + 1
    return True


@kernel
def split_entry(p, mid, arrays):
    """Split entry p of the arena at row mid, the second part to the top; whether there was room."""
    entry = arrays.arena.entries[p]
    if not push(mid, entry[at.HI], entry[at.MISSED], arrays.arena.masks[p, at.K], arrays):
        return False
    entry[at.HI] = mid
    return True


@kernel
def close_entries(first, ids, arrays):
    """Shoot all certain hits of the arena's entries from ``first`` on, and split by the answers.

    H, U and the weight of the entries are filled in, not their lower bounds; what is split off
    takes new places at the top. Returns 0, or STOP (arena full).

    first : int64; ids : modified
    """
    game = arrays.game
    mode = arrays.options[work.MODE]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    p = first
    while p < arrays.counters[work.ARENA_TOP]:
        lo = entries[p, at.LO]
        hi = entries[p, at.HI]
        certain, occupied = close_segment(ids, lo, hi, game.occupied_by, game.full[0])
        mid = hi
        if certain != occupied:
            if mode == work.CLOSED_SUNK:
                mid = split_by_groups(ids, lo, hi, certain, occupied, game)
            elif mode == work.NAMED:
                mid = split_by_names(ids, lo, hi, certain, game)
        if mid == hi:
            masks[p, at.H] = certain
            masks[p, at.U] = occupied
            entries[p, at.ENTRY_WEIGHT] = 0
            for i in range(lo, hi):
                entries[p, at.ENTRY_WEIGHT] += game.weights[ids[i]]
            entries[p, at.SYMMETRY] = at.NO_KEY
            p += 1
        elif not split_entry(p, mid, arrays):
            return work.STOP
    return 0


@kernel
def partition_by_answers(ids, lo, hi, cell, shot, arrays):
    """Partition a segment by the answer to a shot, and close the parts; they go on the arena.

    Returns 0, or STOP (arena full).

    ids : modified
    """
    first = arrays.counters[work.ARENA_TOP]
    if part_by_answers(ids, lo, hi, cell, shot, arrays) == work.STOP:
        return work.STOP
    return close_entries(first, ids, arrays)


@kernel
def part_by_answers(ids, lo, hi, cell, shot, arrays):
    """Partition a segment by the answer to a shot; the parts, not closed yet, go on the arena.

    What a miss leaves comes first. Returns 0, or STOP (arena full).

    ids : modified
    """
    bit = bit_of(cell, arrays.game.full[0])
    mid = part_segment(ids, lo, hi, bit, arrays.game.occupied_by)  # water first
    p = arrays.counters[work.ARENA_TOP]
    if lo < mid and not push(lo, mid, np.int64(1), shot, arrays):
        return work.STOP
    if mid < hi and not push(mid, hi, np.int64(0), shot | bit, arrays):
        return work.STOP
    entries = arrays.arena.entries
    while arrays.options[work.MODE] == work.OPEN_SUNK and p < arrays.counters[work.ARENA_TOP]:
        if entries[p, at.MISSED] == 0:
            mid = split_by_answer(ids, entries[p, at.LO], entries[p, at.HI], cell, shot, arrays)
            if mid < entries[p, at.HI] and not split_entry(p, mid, arrays):
                return work.STOP
        p += 1
    return 0


@kernel
def part_all(ids, cell, shot, arrays):
    """Partition all rows by a shot, or, with cell -1, shoot certain hits alone; 0, or STOP.

    The parts are the entries of the arena.

    arrays : SearchArrays; arena and counters modified; ids : modified
    """
    first = np.int64(0)
    arrays.counters[work.ARENA_TOP] = 0
    if cell >= 0:
        return partition_by_answers(ids, first, len(ids), cell, shot, arrays)
    if not push(first, len(ids), first, shot, arrays):
        return work.STOP
    return close_entries(first, ids, arrays)


@kernel
def partition_after_miss_known(ids, lo, hi, cell, certain, occupied, missed, arrays):
    """``partition_by_answers`` in the closed mode, where it is known what a miss leaves.

    certain, occupied : masks, H and U after the miss; missed : int64, weight after it
    """
    arena = arrays.arena
    first = arrays.counters[work.ARENA_TOP]
    if part_by_answers(ids, lo, hi, cell, certain, arrays) == work.STOP:
        return work.STOP
    arena.masks[first, at.H] = certain
    arena.masks[first, at.U] = occupied
    arena.entries[first, at.ENTRY_WEIGHT] = missed
    arena.entries[first, at.SYMMETRY] = at.NO_KEY
    return close_entries(first + 1, ids, arrays)


@kernel
def settle_by_rows(p, base, arena):
    """Move an entry down before those from ``base`` on that have more rows; those are sorted.

    p, base : int64; arena : modified
    """
    entries = arena.entries
    masks = arena.masks
    keys = arena.keys
    while (
        p > base
        and entries[p, at.HI] - entries[p, at.LO] < entries[p - 1, at.HI] - entries[p - 1, at.LO]
    ):
        for column in range(entries.shape[1]):
            swap = entries[p, column]
            entries[p, column] = entries[p - 1, column]
            entries[p - 1, column] = swap
        for column in range(masks.shape[1]):
            mask = masks[p, column]
            masks[p, column] = masks[p - 1, column]
            masks[p - 1, column] = mask
        for column in range(keys.shape[1]):
            word = keys[p, column]
            keys[p, column] = keys[p - 1, column]
            keys[p - 1, column] = word
        p -= 1


# Columns: how many rows occupy each cell, and what a shot there leaves.


@kernel
def list_falling(cells, order, by, counts):
    """List the cells of a mask by falling numbers; returns how many they are.

    order, by : planes of ``counts``, the list and the numbers; the list is modified
    """
    count = 0
    while cells != ZERO:
        c = lowest_bit(cells)
        cells &= cells - ONE
        j = count
        while j > 0 and counts[by, counts[order, j - 1]] < counts[by, c]:
            counts[order, j] = counts[order, j - 1]
            j -= 1
        counts[order, j] = c
        count += 1
    return count


@kernel
def count_cells(ids, lo, hi, unknown, depth, arrays):
    """Rows and weight that occupy each undetermined cell, and the cells that go with it.

    unknown : mask of the undetermined cells
    depth : int64, level whose counts (planes ROWS, WEIGHT, BY_WEIGHT and BY_ROWS) and cells that go
        together are modified
    Returns int64, the number of undetermined cells.
    """
    game = arrays.game
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        counts[at.ROWS, c] = 0
        counts[at.WEIGHT, c] = 0
        together[c] = game.full[0]
    for i in range(lo, hi):
        row = game.occupied_by[ids[i]]
        weight = game.weights[ids[i]]
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            counts[at.ROWS, c] += 1
            counts[at.WEIGHT, c] += weight
            together[c] &= row
    list_falling(unknown, at.BY_WEIGHT, at.WEIGHT, counts)
    return list_falling(unknown, at.BY_ROWS, at.ROWS, counts)


@kernel
def is_dominated(cell, alike, counts):
    """Whether another cell is at least as good a shot: every row that occupies ``cell`` has it.

    alike : mask, the undetermined cells that all rows with ``cell`` occupy, itself left out.
    Of cells with equal columns the first one stays.
    cell : int64; counts : plane ROWS is read
    """
    while alike != ZERO:
        d = lowest_bit(alike)
        alike &= alike - ONE
        if counts[at.ROWS, d] > counts[at.ROWS, cell] or d < cell:
            return True
    return False


@kernel
def is_simple_miss(c, n, count, counts):
    """Whether a miss at c makes no other cell certain: no two columns have all rows together.

    c, n : int64, cell and rows of the sub-table
    count : int64, undetermined cells; counts : planes ROWS and BY_ROWS of ``count_cells``
    """
    if count == 1:
        return False
    most = counts[at.BY_ROWS, 0]
    if most == c:
        most = counts[at.BY_ROWS, 1]
    return counts[at.ROWS, c] + counts[at.ROWS, most] < n


@kernel
def occupied_after_miss(c, occupied, unknown, together):
    """Cells that some row occupies after a miss at c: not those of which every row has c.

    c : int64; occupied, unknown : masks, U and undetermined cells of the sub-table
    together : masks (cells,), of ``count_cells``
    """
    after = occupied
    while unknown != ZERO:
        d = lowest_bit(unknown)
        bit = unknown & (~unknown + ONE)
        unknown ^= bit
        if (together[d] >> np.uint64(c)) & ONE != ZERO:
            after ^= bit
    return after


@kernel
def count_and_close(ids, lo, hi, certain, occupied, weighted, depth, arrays):
    """Count the columns of a segment and close both children of every undetermined cell.

    Each row is looked at for the cells that it occupies alone, as what a miss leaves follows from
    what hits leave. A miss at c leaves no row with d when every row with d has c: when c is certain
    after a hit at d. It makes d certain when every row without c has d. Then every row without d
    has c, and one of the two is in half of the rows or more: only for such cells are rows looked
    at again.
    """
    game = arrays.game
    full = game.full[0]
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    children = arrays.children[depth]
    rows = arrays.rows  # one after the other in memory, as they are looked at so often
    unknown = occupied & ~certain
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        counts[at.ROWS, c] = 0
        counts[at.WEIGHT, c] = 0
        together[c] = full
        children[at.AFTER_HIT + at.OCCUPIED, c] = ZERO
        children[at.AFTER_MISS + at.CERTAIN, c] = certain
        children[at.AFTER_MISS + at.OCCUPIED, c] = occupied
    part = ids[lo:hi]
    n = part.shape[0]
    for i in range(n):
        row = game.occupied_by[part[i]]
        rows[i] = row
        left = row & unknown
        while left != ZERO:
            c = lowest_bit(left)
            left &= left - ONE
            counts[at.ROWS, c] += 1
            if weighted:
                counts[at.WEIGHT, c] += game.weights[part[i]]
            together[c] &= row
            children[at.AFTER_HIT + at.OCCUPIED, c] |= row
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        bit = left & (~left + ONE)
        left ^= bit
        if not weighted:
            counts[at.WEIGHT, c] = counts[at.ROWS, c]
        children[at.AFTER_HIT + at.CERTAIN, c] = together[c]
        alike = together[c] & unknown  # itself among them
        while alike != ZERO:
            d = lowest_bit(alike)
            alike &= alike - ONE
            children[at.AFTER_MISS + at.OCCUPIED, d] &= ~bit
        if 2 * counts[at.ROWS, c] >= n:
            common = full
            for i in range(n):
                common &= rows[i] if rows[i] & bit == ZERO else full
            children[at.AFTER_MISS + at.CERTAIN, c] |= common
            common &= unknown
            while common != ZERO:
                d = lowest_bit(common)
                common &= common - ONE
                children[at.AFTER_MISS + at.CERTAIN, d] |= bit
