"""Coverage: how many layouts a tree can find with few misses once some cells are hit.

The words of ``bounds.told_apart_bound`` know of a sub-table only how many cells are left to
hit. Where few ships lie on much water that is far too generous: no shot hits as many layouts as
the words allow. Here it is counted, for all hits that the game can have, with no miss yet.

Words: a *state* is a closed sub-table of mode ``sunk`` or ``hit`` after hits alone (contact rules
``none`` and ``corners``, certain hits shot at once). A layout is *found with k misses* by a tree
when its path has at most k. r(s, k) is an upper bound on the layouts of a state s that any tree
finds so. States that a symmetry of the rows turns into one another have one r, counted once.

*It holds of sub-tables with misses too.* A closed sub-table S is the layouts that contain H,
avoid M and, in mode ``sunk``, agree which groups of H are sunk (``exact_search``). Without M it
is a state s, a superset of S. Leave out of a tree of s all layouts but those of S: none gets a miss
more. So no tree of S finds more than r(s, k) layouts with k misses, and as at least
n - r(s, k) of its n layouts miss more than k times,

    total(S) >= sum over k of max(0, n - r(s, k))        worst(S) >= first k with r(s, k) >= n.

*How r is counted.* Take a tree of s (or of a part of it), and let c1, c2, ... be the shots on its
path of all misses, with a last one that hits the leaf at its end, if there is one. A layout found
with k misses is hit by one of the first k + 1. Those that the shot at c hits with m more misses
allowed go, by their answer, to states p after a hit at c. In each at most r(p, m) are found, and
no more than the layouts of p that none of the shots before has hit. So

    r(s, k) = the most that the sum over j = 0 .. k and p of min(left of p, r(p, k - j)) can be,

p after a hit at c_j, over all sequences of cells, is right, by induction on the cells left to hit.
It is only searched for the first shots; for the rest the largest term at each place is taken, and
the first j terms are never more than the sum of the j largest columns. Both can only enlarge it.

*By placements.* With columns that do not shrink the later shots of the path find too much. So the
path is also followed with one number that does shrink. Choose one ship of each layout that is not
sunk yet (the longest, the second longest, ...), and let u be the number of its placements that the
path has not hit. The next shot, at c, hits f of them for the first time. Of the layouts that it
hits and whose answer leads to p,

- those with the ship at c are in those f placements. Those of one placement a lie in the state s_a
  that is there once all of a is hit, as restricted to them the cells of a tell nothing: at most
  r(s_a, m) of them are found with m more misses;
- in those with the ship elsewhere it is in one of u - f placements: of the layouts that differ in
  it alone, all other ships in the same place, at most u - f are left.

So what is found in p is at most the lesser of r(p, m) and of the sum of both, and u - f placements
are left. The most that a path can find with k misses follows by going through k, u, c and f; which
cells it has shot before is not remembered, which can only enlarge it.

*With columns at hand.* Of a sub-table that is expanded the columns are known. There the path is
bounded once more in the same way, by its own columns and by the largest sum of r(p, m) over the p
after a hit at one cell; where no states are counted, by words of one cell less.

With weights, found layouts weigh at most the heaviest each: at least
max((n - r) * lightest, weight - r * heaviest) misses more than k times.

States are listed after those that follow them, and each is counted as it is listed: what is found
after every hit is known by then.

Parameters that many kernels share: ``states``, the group ``States`` of ``arrays``; ``work``, the
group ``Paths``, scratch, modified; ``certain``, uint64, H of a
closed sub-table; ``rows``, int32 (n,), its rows, and ``row``, int64, one of them; ``count``, int64,
and ``cells``, int64 (64,), its undetermined cells; ``state``, int64, from ``state_of``; ``game`` as
in ``SearchArrays``. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit, recursive_kernel
from seabattle.solver.search.answers import count_cells, part_all, partition_by_answers
from seabattle.solver.search.arrays import (
    AHEAD,
    AT_CELL,
    BY_ROWS,
    FIND_PLANES,
    FOUND,
    FOUND_AFTER_HIT,
    HI,
    LO,
    MISSED,
    MOST_PLACEMENTS,
    PARTS,
    PATHS,
    H,
    Mask,
    Paths,
    SearchArrays,
    States,
    U,
)
from seabattle.solver.search.bounds import (
    MOST_COUNTED_SHIPS,
    UNKNOWN,
    enter_state,
    move_states,
    slot_of,
    state_of,
    sunk_cells,
)
from seabattle.solver.search.table import mix_hash, slot_of_hash
from seabattle.solver.search.work import (
    ALLOWANCE,
    ALLOWANCE_USED,
    ARENA_TOP,
    FULL_FINDS,
    MODE,
    STATUS,
    STOP,
)

MOST_SHIPS = 4
"""With more ships words are near the truth, and the states are many: nothing is counted."""

MISSES_COUNTED = 32
"""Of more misses than this nothing is counted."""

FIRST_STATES = 1 << 11
"""States that there is room for at first. It doubles: memory that is not used takes time, too."""

MOST_STATES = 1 << 17
"""States of one game; where there are more, the bound is used for those that were counted."""


def open_patterns(lengths: tuple[int, ...], *, announced: bool, alike: int) -> NDArray[np.int64]:
    """Layouts that share their misses, at most, where ships may touch and sinkings are announced.

    After a leaf the rest of the fleet is sunk in reading order. Every ship cell that is left is
    then one letter, *hit* or *sunk*, in the order in which they were shot, and the last one is
    *sunk*. With h cells and f ships left there are C(h - 1, f - 1) ways to place the sinkings, and
    where lengths are announced as many times more as there are orders of the lengths. Layouts of
    the same word have the same leaf, hence the same cells: there are no more than ``alike``.

    Parameters
    ----------
    lengths
        Ship lengths.
    announced
        Whether a sinking tells the length.
    alike
        Most layouts of the game that occupy the same cells.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``, at most 2^40: by the set of ships left (the answers
        tell how many, and which lengths where they are announced) and the number of their cells
        that are hit. 0 (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> open_patterns((2, 1), announced=True, alike=1)[0b11].tolist()  # three cells left: 2 x 2
    [4, 2, 0, 0]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    patterns = np.zeros((1 << len(lengths), sum(lengths) + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = [length for d, length in enumerate(lengths) if afloat >> d & 1]
        orders = factorial(len(left)) if announced else 1
        if announced:
            for length in set(left):
                orders //= factorial(left.count(length))
        for hit in range(sum(left) - len(left) + 1):
            ways = comb(sum(left) - hit - 1, len(left) - 1)
            patterns[afloat, hit] = min(alike * orders * ways, 1 << 40)
    return patterns


def no_states(ships: NDArray[np.uint64]) -> States:
    """The arrays of states before any is counted.

    Parameters
    ----------
    ships
        uint64 ``(rows, n_ships)``: cells of each ship, where the answers tell what is sunk.
    """
    found = np.zeros((0, FIND_PLANES, MISSES_COUNTED), dtype=np.int32)
    return States(ships, np.zeros((2, 3), dtype=np.uint64), found, np.zeros(1, dtype=np.int64))


def more_states(states: States, symmetries: int, memory: float) -> States | None:
    """The same arrays with room for more states; None where there are to be no more.

    Parameters
    ----------
    states
        The arrays.
    symmetries
        Those that share a number.
    memory
        GiB that a search may take.
    """
    have, *planes = states.found.shape
    bytes_of_one = 4 * FIND_PLANES * MISSES_COUNTED + 48 * symmetries
    most = min(MOST_STATES, int(memory * 2**30 / 32) // bytes_of_one)
    room = min(max(FIRST_STATES, 2 * have), most)
    if room <= have:
        return None
    found = np.zeros((room, *planes), dtype=np.int32)
    found[:have] = states.found
    # at most half full
    slots = np.zeros((1 << (2 * room * symmetries - 1).bit_length(), 3), dtype=np.uint64)
    move_states(states.slots, slots)
    return states._replace(found=found, slots=slots)


def paths_for(rows: int) -> Paths:
    """Scratch for states of so many rows at most."""
    by_part = (64, PARTS, AT_CELL)
    return Paths(
        after=np.zeros((64, PARTS + 1, MISSES_COUNTED), dtype=np.int64),
        parts=np.zeros(64, dtype=np.int64),
        part=np.zeros((64, rows), dtype=np.uint8),
        rows=np.zeros((AHEAD + 1, rows), dtype=np.uint64),
        left=np.zeros((AHEAD + 1, rows), dtype=np.int32),
        columns=np.zeros((AHEAD + 1, 2 + PARTS, 64), dtype=np.int64),
        tries=np.zeros(2, dtype=np.int64),
        place=np.zeros(rows, dtype=np.int32),
        masks=np.zeros(MOST_PLACEMENTS, dtype=np.uint64),
        through=np.zeros((64, AT_CELL), dtype=np.int64),
        number=np.zeros(64, dtype=np.int64),
        size=np.zeros(by_part, dtype=np.int64),
        common=np.zeros(by_part, dtype=np.uint64),
        any=np.zeros(by_part, dtype=np.uint64),
        first=np.zeros(by_part, dtype=np.int64),
        gain=np.zeros((*by_part, MISSES_COUNTED), dtype=np.int64),
        largest=np.zeros((64, PARTS, AT_CELL + 1), dtype=np.int64),
        beside=np.zeros((64, PARTS, MOST_PLACEMENTS + 1), dtype=np.int64),
        together=np.zeros(PARTS, dtype=np.int64),
        heads=np.zeros(1 << (2 * rows - 1).bit_length(), dtype=np.int32),
        next=np.zeros(rows, dtype=np.int32),
        rest=np.zeros(rows, dtype=np.uint64),
        best=np.zeros((MISSES_COUNTED + 1, MOST_PLACEMENTS + 1), dtype=np.int64),
    )


def count_states(ids: NDArray[np.int32], hit: Mask, work: Paths, arrays: SearchArrays) -> int:
    """Count the states that hits can leave of all rows, or go on with it; 0, or STOP.

    Parameters
    ----------
    ids
        int32 ``(n_rows,)``, modified: rows change places.
    hit
        Cells hit before.
    work
        Scratch, from ``paths_for``.
    arrays
        Of a search; its states, arena, scratch and counters are modified.
    """
    entries, masks, _ = arrays.arena
    value = int(part_all(ids, -1, hit, arrays))
    for p in range(int(arrays.counters[ARENA_TOP])):
        if value != STOP and masks[p, H] != masks[p, U]:
            part = int(entries[p, LO]), int(entries[p, HI]), masks[p, H], masks[p, U]
            value = int(count_state(ids, *part, 0, work, arrays))
    return value


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
def group_by_placement(rows, certain, game, states, work):
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
                q = work.part[c, row]
                if comparing == 1:
                    compare_state(row, c, q, i, states.ships, work)
                else:
                    gather_row(row, c, q, i, game.occupied_by[row], work)
    misses = states.found.shape[2]
    for c in range(64):
        for i in range(work.number[c]):
            for q in range(work.parts[c]):
                size = work.size[c, q, i]
                state = UNKNOWN
                if size > 0 and q > 0 and work.first[c, q, i] >= 0:
                    hit = work.common[c, q, i]
                    if hit != work.any[c, q, i]:
                        sunk = sunk_cells(work.first[c, q, i], hit, states.ships)
                        slot = slot_of(hit, sunk, states.slots)
                        state = np.int64(states.slots[slot, 2]) - 1
                for k in range(misses):
                    work.gain[c, q, i, k] = size
                    if state != UNKNOWN:
                        work.gain[c, q, i, k] = min(size, np.int64(states.found[state, FOUND, k]))
    return True


@kernel
def group_by_rest(rows, certain, number, game, work):
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
            for q in range(work.parts[c]):
                work.together[q] = 0
            i = work.heads[slot]
            while i >= 0:
                work.together[work.part[c, rows[i]]] += 1
                i = work.next[i]
            for q in range(work.parts[c]):
                work.beside[c, q, work.together[q]] += 1
    for c in range(64):
        for q in range(work.parts[c]):
            work.beside[c, q, 0] = 0
            more = 0  # rests of u rows or more
            for u in range(number, 0, -1):
                more += work.beside[c, q, u]
                work.beside[c, q, u] = more
            for u in range(1, number + 1):
                work.beside[c, q, u] += work.beside[c, q, u - 1]


@kernel
def most_of_placements(k, number, n, count, cells, work):
    """Layouts found with k misses, at most, by the placements left: ``best[k + 1]``.

    Called with k = 0, 1, 2, ...; returns what is found with all of them left.

    k, number, n : int64; work : modified
    """
    for x in range(count):
        c = cells[x]
        for q in range(work.parts[c]):
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
    before = work.best[k]
    best = work.best[k + 1]
    for u in range(number + 1):
        most = 0
        for x in range(count):
            c = cells[x]
            for f in range(min(u, work.number[c]) + 1):
                found = before[u - f]
                for q in range(work.parts[c]):
                    found += min(
                        work.after[c, q, k],
                        work.largest[c, q, f] + work.beside[c, q, u - f],
                    )
                most = max(most, found)
        best[u] = min(n, most)
    return best[number]


@kernel
def bound_by_placements(rows, certain, count, cells, found, game, states, work):
    """Lower ``found[k]``, the layouts found with k misses, by the placements of each ship.

    found : int32 (misses,), modified; work : modified
    """
    n = len(rows)
    for rank in range(game.ships.shape[1]):
        number = choose_placements(rows, certain, rank, game.ships, work)
        if number == 0 or not group_by_placement(rows, certain, game, states, work):
            continue
        group_by_rest(rows, certain, number, game, work)
        work.best[0, : number + 1] = 0
        for k in range(len(found)):
            most = most_of_placements(k, number, n, count, cells, work)
            found[k] = min(found[k], most)
            if most == n:
                break


@kernel
def found_after(cell, k, columns, work):
    """Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.

    cell, k : int64; columns : int64 (2 + PARTS, 64), of a level
    """
    found = 0
    for q in range(work.parts[cell]):
        found += min(columns[2 + q, cell], work.after[cell, q, k])
    return found


@recursive_kernel("int64(int64, int64, int64, int64, int64, int64[::1], Paths)", Paths)
def most_found(k, n, level, ahead, enough, counters, work):
    """Upper bound on the rows found with k misses or fewer; work.rows[level, :n] are left.

    The shots of the path of all misses are tried out up to ``ahead`` shots from here; after that
    columns are added up. Where it is found to be no more than ``enough``, it is not made less. Nor
    is it tried once the allowance is taken away.

    k, n, level, ahead, enough : int64
    work : rows, left and columns from ``level`` on, and tries modified
    """
    if n == 0:
        return 0
    rows = work.rows[level]
    ids = work.left[level]
    columns = work.columns[level]
    order = work.columns[level, 1]
    work.tries[1] += n
    columns[:] = 0
    cells = ZERO
    for i in range(n):
        left = rows[i]
        cells |= left
        while left != ZERO:
            c = lowest_bit(left)
            columns[0, c] += 1
            columns[2 + work.part[c, ids[i]], c] += 1
            left &= left - ONE
    count = 0
    while cells != ZERO:
        c = lowest_bit(cells)
        cells &= cells - ONE
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
            if work.after[c, PARTS, k - j] > gain:
                gain = max(gain, found_after(c, k - j, columns, work))
        if j < count:
            covered += columns[0, order[j]]
        total = min(total + gain, covered)
        if j > 0:
            rest = min(rest + gain, covered)
        if total >= n:
            total = n
            rest = n
            break
    if ahead == 0 or work.tries[0] <= 0 or k == 0 or total <= enough:
        return total
    if counters[ALLOWANCE] < 0:
        return total
    work.tries[0] -= 1
    best = 0
    for i in range(count):
        c = order[i]
        gain = found_after(c, k, columns, work)
        if gain + min(rest, n - columns[0, c]) <= best:
            continue
        m = 0
        for r in range(n):
            work.rows[level + 1, m] = rows[r]
            work.left[level + 1, m] = ids[r]
            m += np.int64((rows[r] >> np.uint64(c)) & ONE == ZERO)
        later = most_found(k - 1, m, level + 1, ahead - 1, best - gain, counters, work)
        best = max(best, gain + later)
        if best >= total:
            return total
    return best


@kernel
def tell_parts(ids, lo, hi, cell, work, arrays):
    """Tell the parts that the rows of a state go to after a hit at a cell, and what is found there.

    Part 0 holds all rows that the hit alone finds. Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: rows change places; lo, hi, cell : int64
    arrays : SearchArrays, whose states after the hit are counted; arena modified
    """
    states = arrays.finds
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    counters = arrays.counters
    after = work.after[cell]
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
            q = min(parts, PARTS - 1)
            parts = q + 1
            state = state_of(ids[entries[p, LO]], masks[p, H], states)
            for k in range(misses):
                after[q, k] += states.found[state, FOUND, k]
        for i in range(entries[p, LO], entries[p, HI]):
            work.part[cell, ids[i]] = q
    for q in range(parts):
        for k in range(misses):
            after[PARTS, k] += after[q, k]
    work.parts[cell] = parts
    counters[ARENA_TOP] = base
    return 0


@kernel
def most_of_paths(k, n, counters, work):
    """``most_found`` of all n rows of a state, AHEAD shots tried out.

    work : rows and left of level 0 are set, and parts told
    """
    work.tries[0] = PATHS
    found = n
    for ahead in range(AHEAD + 1):
        if work.tries[0] > 0:
            found = min(found, most_found(k, n, 0, ahead, 0, counters, work))
    return found


ROWS_PLACED = 24
"""Rows of a state from which on placements are counted: those of fewer gain little by it."""


@kernel
def count_paths(ids, lo, hi, certain, count, cells, found, work, arrays):
    """Set what is found of a state from the states after a hit; returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; found : int32 (FIND_PLANES, misses), modified
    arrays : SearchArrays; arena and counters modified
    """
    counters = arrays.counters
    n = hi - lo
    for i in range(count):
        if tell_parts(ids, lo, hi, cells[i], work, arrays) == STOP:
            return STOP
    for i in range(n):
        work.left[0, i] = ids[lo + i]
        work.rows[0, i] = arrays.game.occupied_by[ids[lo + i]] & ~certain
    bounds = found[FOUND]
    bounds[:] = n
    if n >= ROWS_PLACED:
        bound_by_placements(
            ids[lo:hi], certain, count, cells, bounds, arrays.game, arrays.finds, work
        )
    best = 0
    work.tries[1] = 0
    for k in range(len(bounds)):
        if best < n:
            best = min(np.int64(bounds[k]), most_of_paths(k, n, counters, work))
            bounds[k] = best
        most = 0
        for i in range(count):
            most = max(most, work.after[cells[i], PARTS, k])
        found[FOUND_AFTER_HIT, k] = most
    counters[ALLOWANCE] -= work.tries[1] + 20 * n
    return 0


@recursive_kernel(
    "int64(int32[::1], int64, int64, uint64, uint64, int64, Paths, SearchArrays)",
    Paths,
    SearchArrays,
)
def count_state(ids, lo, hi, certain, occupied, depth, work, arrays):
    """Count the state of a closed sub-table without misses, after those that follow it.

    Returns 0, or STOP when an array is full or the allowance is used up; what was counted is kept.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion, 0 from outside
    arrays : SearchArrays; states, arena, scratch from level ``depth`` on, and counters modified
    """
    game = arrays.game
    counters = arrays.counters
    states = arrays.finds
    counts = arrays.counts[depth]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    full = game.full[0]
    if state_of(ids[lo], certain, states) != UNKNOWN:
        return 0
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
            stopped = count_state(
                ids, entries[p, LO], entries[p, HI], masks[p, H], masks[p, U], depth + 1, work,
                arrays,
            )  # fmt: skip
        counters[ARENA_TOP] = base
        if stopped == STOP:
            return STOP
    state = states.size[0]
    if state >= states.found.shape[0]:
        counters[STATUS] = FULL_FINDS
        return STOP
    if counters[ALLOWANCE] < 0:
        counters[STATUS] = ALLOWANCE_USED
        return STOP
    stopped = count_paths(
        ids, lo, hi, certain, count, counts[BY_ROWS], states.found[state], work, arrays
    )
    if stopped == STOP:
        return STOP
    states.size[0] = state + 1
    sunk = sunk_cells(ids[lo], certain, states.ships)
    enter_state(state, certain, sunk, arrays.keys.moves, states)
    return 0
