"""How many layouts can be found with few misses, by the placements of one ship not hit yet.

``solver.search.finds`` explains the bound, and proves it. Parameters that the kernels share:
``finds``, the group ``Finds`` of ``arrays``, whose states after hits are counted and whose parts
are told; ``work``, the group ``Placements``; ``rows``, int32 (n,), the rows of a state;
``certain``, uint64, its H; ``count``, int64, and ``cells``, int64 (64,), its undetermined cells;
``game`` as in ``CountArrays``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inlined_inner_kernel,
    inner_kernel,
    lowest_bit,
    popcount,
)
from seabattle.solver.search.arrays import (
    AT_CELL,
    FOUND,
    MOST_PLACEMENTS,
)
from seabattle.solver.search.kernels.states import UNKNOWN, slot_of, sunk_cells
from seabattle.solver.search.table import mix_hash, slot_of_hash


@inner_kernel
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


@inlined_inner_kernel
def index_at(cell, a, work):
    """Index of a placement among those at a cell, or how many there are if it is not one of them.

    cell, a : int64; work : through and number
    """
    i = 0
    while i < work.number[cell] and work.through[cell, i] != a:
        i += 1
    return i


@inlined_inner_kernel
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


@inlined_inner_kernel
def compare_state(row, c, q, i, ships, work):
    """Set ``work.first`` of a gathered group to -1 if a row is not of one state with the first."""
    hit = work.common[c, q, i]
    first = work.first[c, q, i]
    if first >= 0 and sunk_cells(row, hit, ships) != sunk_cells(first, hit, ships):
        work.first[c, q, i] = -1


@inner_kernel
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


@inner_kernel
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


@inner_kernel
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


@inner_kernel
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


@inlined_inner_kernel
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
