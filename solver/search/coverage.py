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

*With columns at hand.* Of a sub-table that is expanded the columns are known. There the path is
bounded once more in the same way, by its own columns and by the largest sum of r(p, m) over the p
after a hit at one cell; where no states are counted, by words of one cell less.

With weights, found layouts weigh at most the heaviest each: at least
max((n - r) * lightest, weight - r * heaviest) misses more than k times.

States are listed after those that follow them, and each is counted as it is listed: what is found
after every hit is known by then.

Parameters that many kernels share: ``states``, the group ``States`` of ``arrays``; ``paths``, the
group ``Paths``, scratch, modified; ``certain``, uint64, H of a
closed sub-table; ``rows``, int32 (n,), its rows, and ``row``, int64, one of them; ``count``, int64,
and ``cells``, int64 (64,), its undetermined cells; ``state``, int64, from ``state_of``; ``game`` as
in ``SearchArrays``. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import count_cells, list_falling, partition_by_answers
from seabattle.solver.search.arrays import Paths, States
from seabattle.solver.search.bounds import (
    MOST_COUNTED_SHIPS,
    UNKNOWN,
    enter_state,
    state_of,
    sunk_cells,
)
from seabattle.solver.search.table import EMPTY, rehash

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
        repeats = prod(factorial(left.count(length)) for length in set(left))
        orders = factorial(len(left)) // repeats if announced else 1
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
    found = np.zeros((0, at.FOUND_PLANES, MISSES_COUNTED), dtype=np.int64)
    slots = np.full((2, 3), EMPTY, dtype=np.uint64)
    return States(ships, slots, found, np.zeros(1, dtype=np.int64))


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
    bytes_of_one = 8 * at.FOUND_PLANES * MISSES_COUNTED + 48 * symmetries
    most = min(MOST_STATES, int(memory * 2**30 / 32) // bytes_of_one)
    room = min(max(FIRST_STATES, 2 * have), most)
    if room <= have:
        return None
    found = np.zeros((room, *planes), dtype=np.int64)
    found[:have] = states.found
    # at most half full
    capacity = 1 << (2 * room * symmetries - 1).bit_length()
    slots = np.full((capacity, 3), EMPTY, dtype=np.uint64)
    rehash(states.slots, slots)
    return states._replace(found=found, slots=slots)


def paths_for(rows: int) -> Paths:
    """Scratch for states of so many rows at most."""
    return Paths(
        after=np.zeros((64, at.PARTS + 1, MISSES_COUNTED), dtype=np.int64),
        parts=np.zeros(64, dtype=np.int64),
        part=np.zeros((64, rows), dtype=np.uint8),
        rows=np.zeros((at.AHEAD + 1, rows), dtype=np.uint64),
        left=np.zeros((at.AHEAD + 1, rows), dtype=np.int32),
        columns=np.zeros((at.AHEAD + 1, 2 + at.PARTS, 64), dtype=np.int64),
        tries=np.zeros(2, dtype=np.int64),
    )


@kernel
def found_after(cell, k, columns, paths):
    """Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.

    cell, k : int64; columns : int64 (2 + PARTS, 64), of a level
    """
    found = 0
    for q in range(paths.parts[cell]):
        found += min(columns[2 + q, cell], paths.after[cell, q, k])
    return found


@kernel
def most_found(k, n, level, ahead, enough, counters, paths):
    """Upper bound on the rows found with k misses or fewer; paths.rows[level, :n] are left.

    The shots of the path of all misses are tried out up to ``ahead`` shots from here; after that
    columns are added up. Where it is found to be no more than ``enough``, it is not made less. Nor
    is it tried once the allowance is taken away.

    k, n, level, ahead, enough : int64
    paths : rows, left and columns from ``level`` on, and tries modified
    """
    if n == 0:
        return 0
    rows = paths.rows[level]
    ids = paths.left[level]
    columns = paths.columns[level]
    order = paths.columns[level, 1]
    paths.tries[1] += n
    columns[:] = 0
    cells = ZERO
    for i in range(n):
        left = rows[i]
        cells |= left
        while left != ZERO:
            c = lowest_bit(left)
            columns[0, c] += 1
            columns[2 + paths.part[c, ids[i]], c] += 1
            left &= left - ONE
    count = list_falling(cells, 1, 0, columns)
    total = 0
    rest = 0  # the same without the first shot
    covered = 0
    for j in range(k + 1):
        gain = 0
        for i in range(count):
            c = order[i]
            if columns[0, c] <= gain:
                break
            if paths.after[c, at.PARTS, k - j] > gain:
                gain = max(gain, found_after(c, k - j, columns, paths))
        if j < count:
            covered += columns[0, order[j]]
        total = min(total + gain, covered)
        if j > 0:
            rest = min(rest + gain, covered)
        if total >= n:
            total = n
            rest = n
            break
    if ahead == 0 or paths.tries[0] <= 0 or k == 0 or total <= enough:
        return total
    if counters[work.ALLOWANCE] < 0:
        return total
    paths.tries[0] -= 1
    best = 0
    for i in range(count):
        c = order[i]
        gain = found_after(c, k, columns, paths)
        if gain + min(rest, n - columns[0, c]) <= best:
            continue
        m = 0
        for r in range(n):
            paths.rows[level + 1, m] = rows[r]
            paths.left[level + 1, m] = ids[r]
            m += np.int64((rows[r] >> np.uint64(c)) & ONE == ZERO)
        later = most_found(k - 1, m, level + 1, ahead - 1, best - gain, counters, paths)
        best = max(best, gain + later)
        if best >= total:
            return total
    return best


@kernel
def tell_parts(ids, lo, hi, cell, paths, arrays):
    """Tell the parts that the rows of a state go to after a hit at a cell, and what is found there.

    Part 0 holds all rows that the hit alone finds. Returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: rows change places; lo, hi, cell : int64
    arrays : SearchArrays, whose states after the hit are counted; arena modified
    """
    states = arrays.coverage
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    counters = arrays.counters
    after = paths.after[cell]
    after[:] = 0
    misses = after.shape[1]
    base = counters[work.ARENA_TOP]
    if partition_by_answers(ids, lo, hi, cell, ZERO, arrays) == work.STOP:
        return work.STOP
    parts = 1
    for p in range(base, counters[work.ARENA_TOP]):
        if entries[p, at.MISSED] == 1:
            continue
        q = 0
        if masks[p, at.H] == masks[p, at.U]:
            for k in range(misses):
                after[0, k] += 1
        else:
            q = min(parts, at.PARTS - 1)
            parts = q + 1
            state = state_of(ids[entries[p, at.LO]], masks[p, at.H], states)
            for k in range(misses):
                after[q, k] += states.found[state, at.FOUND, k]
        for i in range(entries[p, at.LO], entries[p, at.HI]):
            paths.part[cell, ids[i]] = q
    for q in range(parts):
        for k in range(misses):
            after[at.PARTS, k] += after[q, k]
    paths.parts[cell] = parts
    counters[work.ARENA_TOP] = base
    return 0


@kernel
def most_of_paths(k, n, counters, paths):
    """``most_found`` of all n rows of a state, AHEAD shots tried out.

    paths : rows and left of level 0 are set, and parts told
    """
    paths.tries[0] = at.PATHS
    found = n
    for ahead in range(at.AHEAD + 1):
        if paths.tries[0] > 0:
            found = min(found, most_found(k, n, 0, ahead, 0, counters, paths))
    return found


@kernel
def count_paths(ids, lo, hi, certain, count, cells, found, paths, arrays):
    """Set what is found of a state from the states after a hit; returns 0, or STOP (arena full).

    ids : int32 (n_rows,), modified: the rows of the segment, those of the state, change places
    lo, hi : int64, the segment; found : int64 (FOUND_PLANES, misses), modified
    arrays : SearchArrays; arena and counters modified
    """
    counters = arrays.counters
    n = hi - lo
    for i in range(count):
        if tell_parts(ids, lo, hi, cells[i], paths, arrays) == work.STOP:
            return work.STOP
    for i in range(n):
        paths.left[0, i] = ids[lo + i]
        paths.rows[0, i] = arrays.game.occupied_by[ids[lo + i]] & ~certain
    bounds = found[at.FOUND]
    bounds[:] = n
    best = 0
    paths.tries[1] = 0
    for k in range(len(bounds)):
        if best < n:
            best = most_of_paths(k, n, counters, paths)
            bounds[k] = best
        most = 0
        for i in range(count):
            most = max(most, paths.after[cells[i], at.PARTS, k])
        found[at.FOUND_AFTER_HIT, k] = most
    counters[work.ALLOWANCE] -= paths.tries[1] + 20 * n
    return 0


@kernel
def count_state(ids, lo, hi, certain, occupied, depth, paths, arrays):
    """Count the state of a closed sub-table without misses, after those that follow it.

    Returns 0, or STOP when an array is full or the allowance is used up; what was counted is kept.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion, 0 from outside
    arrays : SearchArrays; states, arena, scratch from level ``depth`` on, and counters modified
    """
    counters = arrays.counters
    states = arrays.coverage
    counts = arrays.counts[depth]
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    if certain == occupied or state_of(ids[lo], certain, states) != UNKNOWN:
        return 0
    count = count_cells(ids, lo, hi, occupied & ~certain, depth, arrays)
    base = counters[work.ARENA_TOP]
    for i in range(count):
        stopped = partition_by_answers(ids, lo, hi, counts[at.BY_ROWS, i], ZERO, arrays)
        for p in range(base, counters[work.ARENA_TOP]):
            if stopped == work.STOP or entries[p, at.MISSED] == 1:
                continue
            stopped = count_state(
                ids, entries[p, at.LO], entries[p, at.HI], masks[p, at.H], masks[p, at.U],
                depth + 1, paths, arrays,
            )  # fmt: skip
        counters[work.ARENA_TOP] = base
        if stopped == work.STOP:
            return work.STOP
    state = states.size[0]
    if state >= states.found.shape[0]:
        counters[work.STATUS] = work.FULL_STATES
        return work.STOP
    if counters[work.ALLOWANCE] < 0:
        counters[work.STATUS] = work.ALLOWANCE_USED
        return work.STOP
    stopped = count_paths(
        ids, lo, hi, certain, count, counts[at.BY_ROWS], states.found[state], paths, arrays
    )
    if stopped == work.STOP:
        return work.STOP
    states.size[0] = state + 1
    sunk = sunk_cells(ids[lo], certain, states.ships)
    enter_state(state, certain, sunk, arrays.keys.moves, states)
    return 0
