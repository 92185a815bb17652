"""Best-first search: lower bounds of games that are too large to be solved.

A search with a budget proves a lower bound by refuting every shot of every sub-table on its way,
and has to share out beforehand what the answers to a shot may cost. Where ships are few and the
water is wide it spends its time on answers whose bounds hardly rise, while others would at once.
Here nothing is shared out: every sub-table looked at is kept, with a lower bound, and the work goes
where the bound of the whole game depends on it. This is the search for a least tree in an AND/OR
graph, which was made for decision tables [Martelli1978].

What is known of a sub-table S is a lower bound b(S) on its misses, at first the greatest of those
that the search with budgets has: words, columns, what hits leave, cells revealed
(``solver.search.coverage``, ``reveal_bound``). Once its shots are listed,

    b(S) = the least, over all cells c, of (weight that c misses + b of each sub-table after it),

if that is more. By induction every b is a lower bound: a tree of S begins with some shot, and has a
tree of every sub-table after it. A shot whose sub-tables are not listed yet has a bound made of
counts alone. Cells that another one dominates are left out, as in every search. If all
sub-tables after a shot of least bound are known exactly, b(S) is the value of S: no other shot can
do better.

The whole game, the root, rises only when the sub-tables do that lie behind shots of least bound. So
each step goes down from the root: at a sub-table the shot of least bound is taken, and of the
answers to it the one whose bound has risen most for the work done below it. (All have to be solved
at some time; which comes first is of no matter to what is true.) The path ends where no shots are
listed. They are listed there, and the bounds of the path are raised from its end to the root. Few
rows are solved exactly by the other search.

Sub-tables with misses in another order, and images under a symmetry, are one. Rows are not kept but
listed anew from what is known of a sub-table, as most are looked at once. Answers ``sunk`` under
contact rule ``sides`` are left out, as rows are not known from cells there.

The bound rises between two turns of the search, which is then told what was proven of sub-tables.

A shot is *open* when the sub-tables after its answers are listed. Parameters that many kernels
share: ``explored``, the group Explored of ``arrays``, modified; ``table``, int64, number of a
sub-table; ``shot``, int64, number of a shot; ``rows``, int64, how many of ``explored.ids`` are the
rows of the sub-table; ``arrays``, the group SearchArrays, whose table, arena, counters and scratch
are modified. Every row looked at is taken off the allowance. A kernel may be called again after
STOP: what it knows of a sub-table is changed all at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, kernel
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import (
    count_cells,
    is_dominated,
    part_all,
    partition_by_answers,
    same_names,
)
from seabattle.solver.search.arrays import Explored
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.minimize import (
    SubTable,
    bound_at_once,
    bound_by_columns,
    bound_parts,
    minimize,
    try_miss,
)
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.reveal_bound import cells_revealed, misses_revealed, part_revealed
from seabattle.solver.search.segments import group_of
from seabattle.solver.search.table import (
    EMPTY,
    KEY,
    NO_SHOT,
    PACKED,
    enter,
    find_slot,
    misses_of,
    pack,
    rehash,
)

LOOKS_PER_ROW = 8
"""A row is looked at so many times here in the time in which the search looks at one, which it
partitions by every shot."""

FIRST_TABLES = 1 << 12
"""Sub-tables that there is room for at the start."""

PER_TABLE = 8, 2
"""Shots and answers that there is room for at the start, for each of them."""

PART_OF_MEMORY = 4
"""What is looked at best first may take this part of the memory of the search."""


def explored_for(rows: int, levels: int, words: int) -> Explored:
    """The arrays before any sub-table is explored."""
    shots, answers = PER_TABLE
    return Explored(
        tables=np.zeros((FIRST_TABLES, at.TABLE_COLUMNS), dtype=np.int64),
        masks=np.zeros((FIRST_TABLES, 2), dtype=np.uint64),
        slots=np.full((2 * FIRST_TABLES, KEY + words), EMPTY, dtype=np.uint64),
        shots=np.zeros((shots * FIRST_TABLES, at.SHOT_COLUMNS), dtype=np.int64),
        answers=np.zeros(answers * FIRST_TABLES, dtype=np.int32),
        size=np.zeros(3, dtype=np.int64),
        path=np.zeros((levels, 2), dtype=np.int64),
        ids=np.zeros(rows, dtype=np.int32),
    )


class BestFirst:
    """A lower bound on the least total of a problem that rises for as long as it is worked on.

    Parameters
    ----------
    search
        The search of the problem, whose limits hold.

    Attributes
    ----------
    ended
        Whether nothing more can be done: the optimum is proven, no memory is left, or the options
        or the answers are not those it is for.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> best_first = BestFirst(ExactSearch(as_problem(Rules("4x4", "2,1", answers="sunk"))))
    >>> best_first.go_on(100_000_000, Limits())
    >>> best_first.lower
    1056
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        problem, options = search.problem, search.options
        self.sizes = len(problem), problem.cells + 3, problem.key_words
        self.explored = explored_for(*self.sizes)
        self.ended = not (problem.hits_are_free and options.best_first and options.bounds)

    @cached_property
    def own(self) -> ExactSearch:
        """A search that solves few rows, with a table of its own and the counts of the other."""
        search = self.search
        own = ExactSearch(search.problem, options=search.options)
        own.counting = False
        own.states_counted = search.states_counted
        own.rows_per_step *= LOOKS_PER_ROW
        own.kernel_options[work.GOAL] = Goal.TOTAL
        return own

    @property
    def lower(self) -> int:
        """The lower bound; 0 before there is one."""
        return int(self.explored.tables[0, at.BOUND])

    @property
    def sub_tables(self) -> int:
        """Sub-tables of which something is known."""
        return int(self.explored.size[0])

    @property
    def nbytes(self) -> int:
        """Bytes that all of it takes."""
        return sum(array.nbytes for array in self.explored) + self.own.table.nbytes

    def go_on(self, rows: int, limits: Limits) -> None:
        """Raise the bound for as long as it takes to look at so many rows.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        limits
            When to stop. ``limits.memory`` is what all of this may take: when that is used up, the
            search is ``ended``.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At the deadline, or where ``limits.stop`` says so.
        """
        if self.ended:
            return
        own = self.own
        own.limits = replace(limits, memory=limits.memory / 2, threads=1)

        def go_on() -> None:
            if self.sub_tables == 0:
                hit = np.uint64(own.hit)
                own.run(lambda: begin_at(hit, self.explored, own.arrays))
            while own.run(lambda: explore(self.explored, own.arrays)) == NO_ROOM:
                self._make_room(limits.memory)
            self.ended = True

        try:
            own.pausing(LOOKS_PER_ROW * rows, go_on)
        except (LimitReached, MemoryError):
            if limits.seconds_left() < 0:
                raise
            self.ended = True

    def tell(self) -> None:
        """Enter what is proven of sub-tables into the table of the search, which has their keys.

        Raises
        ------
        LimitReached
            If the table has no room for it.
        """
        search = self.search
        slot = 0
        while slot < len(self.explored.slots):
            slot = int(tell_bounds(slot, self.explored, search.table, search.counters))
            if slot < len(self.explored.slots):
                search.enlarge()

    def _make_room(self, memory: float) -> None:
        """Double the arrays, as one of them is nearly full.

        Raises
        ------
        LimitReached
            If that would take more than so many GiB.
        """
        if 3 * self.nbytes > memory * 2**30:  # while rows are copied
            raise LimitReached("no memory is left for sub-tables looked at best first")
        grown, others = self.explored[:5], self.explored[5:]
        larger: Any = (np.concatenate((array, np.zeros_like(array))) for array in grown)
        explored, self.explored = self.explored, Explored._make((*larger, *others))
        self.explored.slots[:] = EMPTY
        rehash(explored.slots, self.explored.slots)

    def seek(self, rows: int, report: Callable[[Snapshot], None]) -> None:
        """Raise the bound between two turns of the search, and tell the search.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        report
            Called as ``limits.report`` would be.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            At a limit of the search.
        """
        limits = self.search.limits
        own = replace(limits, memory=limits.memory / PART_OF_MEMORY, report=report)
        self.search.reserved = int(own.memory * 2**30)
        self.go_on(rows, own)
        with suppress(LimitReached):  # the search goes on with less
            self.tell()
        if self.ended:
            self.give_up()

    def give_up(self) -> None:
        """End, and free its memory; the bound stays."""
        self.ended = True
        lower = self.lower
        self.explored = explored_for(*self.sizes)
        self.explored.tables[0, at.BOUND] = lower
        self.__dict__.pop("own", None)
        self.search.reserved = 0


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
    mode = arrays.options[work.MODE]
    certain = explored.masks[table, at.H]
    occupied = explored.masks[table, at.U]
    around = arrays.together[0]  # scratch
    groups = 0
    if mode == work.CLOSED_SUNK:
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
        if mode == work.NAMED:
            alike = same_names(explored.tables[table, at.A_ROW], row, certain, game)
        if alike:
            ids[count] = row
            count += 1
    arrays.counters[work.ALLOWANCE] -= count + len(ids) // ROWS_AT_ONCE
    return count


@kernel
def enter_table(p, explored, arrays):
    """Number of the sub-table of an entry of the arena, which is new or was explored before.

    p : int64, the entry; its rows are in ``explored.ids``
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    game = arrays.game
    ids = explored.ids
    key = arrays.key[0]
    lo = entries[p, at.LO]
    certain = masks[p, at.H]
    weight = entries[p, at.ENTRY_WEIGHT]
    rows = entries[p, at.HI] - lo
    make_key(ids, lo, entries[p, at.HI], certain, masks[p, at.U], ZERO, 0, arrays)
    slot = find_slot(explored.slots, key[0], work.NO_LIMIT)
    if explored.slots[slot, PACKED] != EMPTY:
        return misses_of(explored.slots[slot, PACKED])
    table = explored.size[0]
    explored.size[0] = table + 1
    explored.slots[slot, PACKED] = pack(table, 0, False, NO_SHOT, work.NO_LIMIT)
    for word in range(key.shape[1]):
        explored.slots[slot, KEY + word] = key[0, word]
    explored.masks[table, at.H] = certain
    explored.masks[table, at.U] = masks[p, at.U]
    row = ids[lo]
    known = explored.tables[table]
    known[:] = 0
    known[at.TABLE_ROWS] = rows
    known[at.TABLE_WEIGHT] = weight
    known[at.A_ROW] = row
    known[at.FIRST_SHOT] = -1
    if rows == 2:  # one of them is shot at first, and missed if it is the other
        known[at.BOUND] = min(game.weights[row], game.weights[ids[lo + 1]])
        known[at.IS_EXACT] = 1
        return table
    known[at.BOUND] = bound_at_once(ids, lo, rows, certain, ZERO, weight, work.NO_LIMIT, arrays)[0]
    return table


@kernel
def list_answers(first, explored, arrays):
    """Misses after the answers in the arena, as far as they are known; others are listed.

    first : int64, number of the first answer listed
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    misses = np.int64(0)
    for p in range(arrays.counters[work.ARENA_TOP]):
        if entries[p, at.MISSED] == 1:
            misses += entries[p, at.ENTRY_WEIGHT]
        if masks[p, at.H] == masks[p, at.U]:
            continue
        table = enter_table(p, explored, arrays)
        if explored.tables[table, at.IS_EXACT] == 1:
            misses += explored.tables[table, at.BOUND]
        else:
            explored.answers[explored.size[2]] = table
            explored.size[2] += 1
    return misses


@kernel
def tell_bounds(begin, explored, table, counters):
    """Enter the bounds of sub-tables whose shots are listed into the table of another search.

    Returns the number of the first slot that has not been looked at, as the table is full.

    begin : int64, the first to look at; table : uint64 (capacity, 1 + words), modified, of a
        search; counters : of that search, STATES and STATUS modified
    """
    for slot in range(begin, len(explored.slots)):
        packed = explored.slots[slot, PACKED]
        if packed == EMPTY:
            continue
        known = explored.tables[misses_of(packed)]
        if known[at.FIRST_SHOT] < 0:
            continue
        packed = pack(known[at.BOUND], 0, False, NO_SHOT, work.NO_LIMIT)
        if not enter(table, explored.slots[slot, KEY:], packed, counters):
            return slot
    return len(explored.slots)


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
    word = explored.shots[shot, at.SHOT_ANSWERS]
    misses = explored.shots[shot, at.SHOT_MISSES]
    first = (word >> 16) - 1
    if first >= 0:
        for i in range(first, first + (word >> 8 & 255)):
            misses += explored.tables[explored.answers[i], at.BOUND]
    return misses


@kernel
def best_shot(table, explored):
    """Least misses of all shots of a sub-table, and the first shot that has them."""
    least = np.int64(work.INFEASIBLE)
    best = np.int64(-1)
    first = explored.tables[table, at.FIRST_SHOT]
    for shot in range(first, first + explored.tables[table, at.SHOTS]):
        misses = misses_of_shot(shot, explored)
        if misses < least:
            least = misses
            best = shot
    return least, best


@kernel
def open_best_shots(table, rows, explored, arrays):
    """Open best shots of a sub-table until the best is open; returns 0, or STOP (arena full)."""
    counters = arrays.counters
    first = np.int64(0)  # a plain 0 would have what takes it compiled a second time
    while True:
        least, shot = best_shot(table, explored)
        if least > explored.tables[table, at.BOUND]:
            return 0
        word = explored.shots[shot, at.SHOT_ANSWERS]
        if word >> 16 > 0:
            return 0
        counters[work.ARENA_TOP] = 0
        counters[work.ALLOWANCE] -= 3 * rows
        if partition_by_answers(explored.ids, first, rows, word & 255, ZERO, arrays) == work.STOP:
            return work.STOP
        begin = explored.size[2]
        explored.shots[shot, at.SHOT_MISSES] = list_answers(begin, explored, arrays)
        listed = explored.size[2] - begin
        explored.shots[shot, at.SHOT_ANSWERS] = shot_word(begin, listed, word & 255)


@kernel
def expand(table, explored, arrays):
    """List the shots of a sub-table, or solve it, if it has few rows.

    Returns 0, or STOP (an array is full, or the allowance used up).
    """
    counters = arrays.counters
    ids = explored.ids
    first = np.int64(0)  # as in ``open_best_shots``
    known = explored.tables[table]
    certain = explored.masks[table, at.H]
    occupied = explored.masks[table, at.U]
    rows = list_rows(table, explored, arrays)
    weight = known[at.TABLE_WEIGHT]
    counters[work.ARENA_TOP] = 0
    if rows <= EXACT_ROWS:
        answer = minimize(
            ids, first, rows, certain, occupied, ZERO, weight, work.INFEASIBLE, work.NO_LIMIT,
            np.int64(1), at.NO_KEY, arrays,
        )  # fmt: skip
        if answer == work.STOP:
            return work.STOP
        known[at.BOUND] = answer >> 7
        known[at.IS_EXACT] = 1
        return 0
    counts = arrays.counts[0]
    together = arrays.together[0]
    unknown = occupied & ~certain
    count = count_cells(ids, first, rows, unknown, first, arrays)
    counters[work.ALLOWANCE] -= 5 * rows
    _, ways, cells, state = bound_at_once(
        ids, first, rows, certain, ZERO, weight, work.NO_LIMIT, arrays
    )
    no_limit = np.int64(work.NO_LIMIT)
    sub = SubTable(
        rows, weight, certain, occupied, ways, cells, state, False, no_limit, no_limit, count
    )
    bound = bound_by_columns(sub, first, arrays)
    revealed, seed = cells_revealed(ids, first, rows, certain, occupied, arrays)
    if revealed != ZERO:
        missed = misses_revealed(ids, first, rows, revealed, seed, arrays)
        counters[work.ALLOWANCE] -= 3 * rows
        if part_revealed(ids, first, rows, revealed, arrays) == work.STOP:
            return work.STOP
        bound = max(bound, bound_parts(ids, first, missed, work.NO_LIMIT, work.NO_LIMIT, arrays))
    before = known[at.BOUND]
    known[at.BOUND] = max(before, bound)
    shots = explored.size[1]
    for i in range(count):
        c = counts[at.BY_WEIGHT, i]
        alike = together[c] & unknown & ~(ONE << np.uint64(c))
        if arrays.options[work.DOMINANCE] == 1 and is_dominated(c, alike, counts):
            continue
        least = try_miss(c, sub, first, first, arrays)[0]
        shot = explored.size[1]
        explored.shots[shot, at.SHOT_MISSES] = least
        explored.shots[shot, at.SHOT_ANSWERS] = shot_word(-1, 0, c)
        explored.size[1] = shot + 1
    known[at.FIRST_SHOT] = shots
    known[at.SHOTS] = explored.size[1] - shots
    counters[work.NODES] += 1
    least, _ = best_shot(table, explored)
    if max(known[at.BOUND], least) > before:  # maybe it is not looked at again
        return 0
    return open_best_shots(table, rows, explored, arrays)


@kernel
def likeliest_answer(shot, explored):
    """The answer to an open shot that is expected to rise most for its work; -1: all exact."""
    word = explored.shots[shot, at.SHOT_ANSWERS]
    first = (word >> 16) - 1
    best = np.int64(-1)
    most = -1.0
    for i in range(first, first + (word >> 8 & 255)):
        table = np.int64(explored.answers[i])
        known = explored.tables[table]
        if known[at.IS_EXACT] == 1:
            continue
        rise = known[at.RISE] + known[at.BOUND] / HOPE
        rate = rise / (known[at.WORK] + FIRST_WORK * known[at.TABLE_ROWS])
        if rate > most:
            most = rate
            best = table
    return best


@kernel
def back_up(depth, looks, explored):
    """Raise the bounds of the path, from its end on, and note what it took.

    depth : int64, sub-tables on the path; looks : int64, rows looked at
    """
    for d in range(depth - 1, -1, -1):
        table = explored.path[d, 0]
        known = explored.tables[table]
        if known[at.FIRST_SHOT] >= 0 and known[at.IS_EXACT] == 0:
            least, shot = best_shot(table, explored)
            known[at.BOUND] = max(known[at.BOUND], least)
            opened = explored.shots[shot, at.SHOT_ANSWERS] >> 16 > 0
            if least == known[at.BOUND] and opened and likeliest_answer(shot, explored) < 0:
                known[at.IS_EXACT] = 1
        known[at.WORK] += looks
        known[at.RISE] += known[at.BOUND] - explored.path[d, 1]
        if known[at.WORK] > WORK_RECALLED * known[at.TABLE_ROWS]:
            known[at.WORK] //= 2
            known[at.RISE] //= 2


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
        explored.path[depth, 1] = known[at.BOUND]
        depth += 1
        if known[at.IS_EXACT] == 1:
            return depth
        if known[at.FIRST_SHOT] < 0:
            return work.STOP if expand(table, explored, arrays) == work.STOP else depth
        least, shot = best_shot(table, explored)
        if least > known[at.BOUND]:  # more is known of what lies behind its shots than before
            return depth
        if explored.shots[shot, at.SHOT_ANSWERS] >> 16 == 0:
            rows = list_rows(table, explored, arrays)
            opened = open_best_shots(table, rows, explored, arrays)
            return work.STOP if opened == work.STOP else depth
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
    if part_all(ids, np.int64(-1), shot, arrays) == work.STOP:
        return work.STOP
    known = explored.tables[0]
    known[:] = 0
    known[at.TABLE_ROWS] = len(ids)
    known[at.SHOTS] = 1
    explored.size[0] = 1
    explored.size[1] = 1
    explored.size[2] = 0
    explored.shots[0, at.SHOT_MISSES] = list_answers(first, explored, arrays)
    explored.shots[0, at.SHOT_ANSWERS] = shot_word(first, explored.size[2], first)
    return 0


@kernel
def explore(explored, arrays):
    """Raise the bound of the root: PROVEN when it is the optimum, NO_ROOM when an array is full.

    Otherwise STOP, when the allowance is used up or the table or the arena of ``arrays`` is full;
    what is known is kept.
    """
    counters = arrays.counters
    size = explored.size
    while explored.tables[0, at.IS_EXACT] == 0:
        if (
            size[0] + MOST_ANSWERS > len(explored.tables)
            or size[1] + MOST_SHOTS > len(explored.shots)
            or size[2] + MOST_ANSWERS > len(explored.answers)
        ):
            return NO_ROOM
        if counters[work.ALLOWANCE] < 0:
            counters[work.STATUS] = work.ALLOWANCE_USED
            return work.STOP
        before = counters[work.ALLOWANCE]
        depth = go_down(explored, arrays)
        if depth == work.STOP:
            return work.STOP
        if counters[work.ALLOWANCE] > before - (1 << 40):  # it may have been taken away meanwhile
            back_up(depth, before - counters[work.ALLOWANCE], explored)
    return PROVEN
