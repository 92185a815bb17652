"""Better trees than greedy ones long before a proof: rollouts of rollouts of the greedy rule.

The policy of level 0 shoots the cell that most of the weight occupies. The policy of level k + 1
weighs a few cells of a sub-table S: the weight that a shot there misses, plus what the policy of
level k misses in each part. It shoots the cell where that sum is least, and goes on in the parts
by level k + 1. If V_k(S) are the misses of level k, the sum for the shot of level k is V_k(S); as
that cell is always weighed too, the least sum is no more, and so, part by part from the smallest
on, V_{k+1}(S) <= V_k(S). Sub-tables of few rows are solved exactly, by ``minimize``,
at each level those of the level below and maybe larger ones.

Values and shots are kept in the table of the search under the level in place of a miss limit
(``table``). An entry whose shot is chosen, but not yet followed to the end, has a worst
case of 0 and one that is ``FINISHED`` has 1; the misses of both are those of a tree.

``rules`` is int64 ``(levels, 2)``, read only: how many cells are weighed at each level, and up to
how many rows are solved exactly there. Other parameters are as in ``minimize``.

They work on a table of their own, so that the exact search finds the same keys with them or
without; one compiled loop serves every answer mode.

They are sought between two turns of a search; at a deadline they end a little earlier, so that the
tree can be grown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import (
    count_cells,
    is_dominated,
    partition_by_answers,
)
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GrowingTree, Policy
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.minimize import minimize
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.table import (
    EMPTY,
    KEY,
    PACKED,
    find_slot,
    misses_of,
    pack,
    shot_of,
    worst_of,
)
from seabattle.solver.search.work import has_room, spend
from seabattle.trees.tree import Tree

WIDTH = 0
EXACT = 1
"""Columns of ``rules``."""

LEVELS = (
    *((1, 8), (3, 8), (4, 8), (5, 8), (6, 8), (8, 8)),
    *((8, 12), (10, 12), (12, 12), (12, 16), (12, 20), (12, 24)),
)
"""Of each level, how many cells it weighs, and up to how many rows it solves exactly.

Narrow levels are cheap, and several of them find more than one that is wide."""

ROW_COST = 10
"""A row takes so many times as long as in the search, so that a step looks at as many fewer."""

IDLE_LEVELS = 2
"""After so many levels that find nothing better, the next ones are not worth their time."""

ROWS_PER_TREE = 4
"""To grow a tree again takes new work: so many rows for each that one path through all may cost."""

PART_OF_MEMORY = 8
"""They may take this part of the memory that the search has not taken."""

GROWTH_OF_TABLE = 3
"""While the table of a search grows, the old one and one twice as large are in memory."""


class BetterTrees:
    """Trees of one problem that miss less than the best one known, by rollouts, level by level.

    Parameters
    ----------
    problem
        The problem of the search.
    limits
        When to stop; reports and ``stop`` are asked as by a search.
    seconds_to_grow
        Seconds that it takes to grow a tree and to verify it.

    Attributes
    ----------
    exhausted
        Whether levels find nothing better any more, or no memory is left.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> trees = BetterTrees(as_problem(Rules("4x4", "3,2", answers="ship")))
    >>> [trees.climb() for level in range(3)]
    [316, 309, 309]
    """

    def __init__(
        self,
        problem: Problem,
        limits: Limits | None = None,
        *,
        seconds_to_grow: float = 0.0,
    ) -> None:
        self.problem = problem
        self.limits = limits or Limits()
        self.seconds_to_grow = seconds_to_grow
        self.rules = np.array(LEVELS, dtype=np.int64)
        self.give_up()

    def give_up(self) -> None:
        """Forget what was found, and free its memory."""
        self.__dict__.pop("search", None)
        self.level = -1
        self.totals: list[int] = []
        self.rows_since_grown = inf  # no tree was grown yet
        self.exhausted = False

    @cached_property
    def search(self) -> ExactSearch:
        """A search with a table for what the levels choose."""
        problem = self.problem
        search = ExactSearch(problem, limits=self.limits)
        search.counting = False
        # A path goes no deeper than there are cells: so every step ends with something kept.
        search.least_rows_per_step = (problem.cells + 2) * len(problem)
        search.rows_per_step = max(
            self.limits.rows_per_step // ROW_COST, search.least_rows_per_step
        )
        return search

    def climb(self) -> int:
        """Misses in total of the next level's policy, or of one that was begun and not finished.

        Raises
        ------
        LimitReached
            At a limit of time or memory; what the level has chosen so far is kept.
        """
        self.level = len(self.totals)
        search = self.search
        ids, parts = search.parts(np.arange(len(self.problem)))

        def step() -> int:
            search.counters[work.ARENA_TOP] = 0
            total = 0
            for part in parts:
                how = self.level, 1, self.rules, search.arrays
                misses = int(follow(ids, *part.segment, *how))
                if misses == work.STOP:
                    return work.STOP
                total += misses
            return total

        total = search.run(step)
        self.totals.append(total)
        idle = self.totals[-1 - IDLE_LEVELS :].count(total) > IDLE_LEVELS
        self.exhausted = idle or len(self.totals) == len(self.rules)
        return total

    def improve(self, rows: int, limits: Limits) -> None:
        """Climb until a limit is reached or that many rows were looked at.

        What a level has found is kept, so that another call goes on from there. Growing the tree
        may take as much memory again.

        Parameters
        ----------
        rows
            Rows that may be looked at.
        limits
            Of this call. It stops somewhat before the deadline, so that a tree can still be grown.
        """
        search = self.search
        search.limits = replace(limits, deadline=limits.deadline - self.seconds_to_grow)

        def climb_on() -> None:
            while not self.exhausted:
                self.climb()

        try:
            search.pausing(rows, climb_on)
        except LimitReached:
            self.exhausted = True
        finally:
            self.rows_since_grown += rows
            # What is asked while the tree grows may be new to a table that is full.
            search.limits = replace(limits, memory=2 * limits.memory)

    def grow(self, *, objective: str, status: str) -> Tree:
        """The tree of the best shots known; what is left at a limit is shot at greedily.

        ``objective`` and ``status`` are recorded in it.
        """
        search = self.search
        self.rows_since_grown = 0
        growing = GrowingTree(search)

        def ask(ids: NDArray[np.int32], hit: int, limit: int) -> int:
            arrays, problem = search.arrays, self.problem
            certain, occupied = problem.closure(ids.astype(np.int64))
            masks = (problem.kernel_mask(mask) for mask in (certain, occupied, hit))
            part = ids, 0, len(ids), *masks, int(arrays.game.weights[ids].sum())
            search.counters[work.ARENA_TOP] = 0
            if len(ids) <= self.rules[self.level, EXACT]:
                return int(minimize(*part, work.INFEASIBLE, limit, 0, at.NO_KEY, arrays))
            search.counters[work.SHOT] = -1  # it is in the table then
            return int(follow(*part, 0, 1, self.rules, arrays))

        try:
            growing.grow(Policy.KNOWN, ask=ask, level=self.level)
        except LimitReached:
            search.limits = replace(search.limits, deadline=inf)
            growing.grow(Policy.HITS)
        return growing.tree(objective=objective, status=status)

    def seek(
        self,
        tree: Tree,
        rows: int,
        limits: Limits,
        taken: float,
        report: Callable[[Snapshot], None],
    ) -> Tree | None:
        """Seek a better tree for as long as it takes to look at so many rows, if there is one.

        It goes on where the last call stopped.

        Parameters
        ----------
        tree
            The best one known.
        rows
            Rows that may be looked at.
        limits
            Of the search.
        taken
            GiB that the search has taken.
        report
            Called as ``limits.report`` would be.

        Raises
        ------
        KeyboardInterrupt
            Where ``limits.stop`` says so.
        """
        if limits.seconds_left() < 2 * self.seconds_to_grow:
            return None
        # Time to grow what a limit leaves, and to verify the whole.
        deadline = limits.deadline - self.seconds_to_grow
        memory = (limits.memory - taken) / PART_OF_MEMORY
        if GROWTH_OF_TABLE * taken + memory > limits.memory:
            # What the trees hold between two calls would be missing when the table grows.
            self.give_up()
            self.exhausted = True
        if self.exhausted:
            return None
        self.improve(rows, replace(limits, deadline=deadline, memory=memory, report=report))
        new_work = self.rows_since_grown >= ROWS_PER_TREE * self.search.least_rows_per_step
        if self.level < 1 or not (new_work or self.exhausted):
            return None
        found = self.grow(objective=tree.objective, status=tree.status)
        return found if found.total_misses < tree.total_misses else None


FINISHED = 1
"""Worst case of an entry whose misses are those of its level's policy."""


@kernel
def keep_plan(misses, finished, symmetry, shot, level, key, arrays):
    """Enter a shot and its misses under a key and a level; False when the table is full.

    misses, finished, symmetry, shot, level : int64; key : uint64 (2, words), the key in row 0
    arrays : SearchArrays; table and counters modified
    """
    table = arrays.table
    slot = find_slot(table, key[0], level)
    if table[slot, PACKED] == EMPTY:
        if not has_room(arrays.counters):
            return False
        for word in range(key.shape[1]):
            table[slot, KEY + word] = key[0, word]
    image = arrays.keys.moves[symmetry, shot]
    table[slot, PACKED] = pack(misses, finished, True, image, level)
    return True


@kernel
def list_candidates(n, weight, count, unknown, due, width, before, open_mode, counts, together):
    """Put the cells worth weighing into the plane ORDER, and return their number.

    Certain hits that are due come first: they cost nothing. Then the ``width`` cells that occupy
    most, without those dominated by another; and the shot of the level below.

    n, weight : int64, rows and weight of the sub-table; count : int64, from ``count_cells``
    width : int64; before : int64, the cell shot by the level below, or -1
    unknown, due : uint64, undetermined cells, and certain hits not shot yet (open mode)
    counts : int64 (COUNT_PLANES, 64), from ``count_cells``; ORDER, and ROWS and WEIGHT of the
        cells that are due, modified
    together : uint64 (64,), from ``count_cells``
    """
    candidates = 0
    while due != ZERO:
        c = lowest_bit(due)
        due &= due - ONE
        counts[at.ROWS, c] = n
        counts[at.WEIGHT, c] = weight
        counts[at.ORDER, candidates] = c
        candidates += 1
    weighed = 0
    for i in range(count):
        c = counts[at.BY_WEIGHT, i]
        alike = together[c] & unknown & ~(ONE << np.uint64(c))
        fits = weighed < width and (open_mode or not is_dominated(c, alike, counts))
        if fits or c == before:
            weighed += 1
            counts[at.ORDER, candidates] = c
            candidates += 1
    return candidates


@kernel
def follow(ids, lo, hi, certain, occupied, shot, weight, level, depth, rules, arrays):
    """Misses of a level's policy in a sub-table, or STOP.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi, certain, occupied, shot, weight : the sub-table, as in ``minimize``
    level : int64; depth : int64, level of the recursion, at least 1
    arrays : SearchArrays; table, arena, scratch from level ``depth`` on, and counters modified
    """
    if certain == occupied:
        return 0
    counters = arrays.counters
    open_mode = arrays.options[work.MODE] == work.OPEN_SUNK
    n = hi - lo
    if n == 2 and not open_mode:
        return min(arrays.game.weights[ids[lo]], arrays.game.weights[ids[lo + 1]])
    if n <= rules[level, EXACT]:
        answer = minimize(
            ids, lo, hi, certain, occupied, shot, weight, work.INFEASIBLE, work.NO_LIMIT, depth,
            at.NO_KEY, arrays,
        )  # fmt: skip
        return answer if answer == work.STOP else answer >> 7
    counts = arrays.counts[depth]
    together = arrays.together[depth]
    key = arrays.key[depth]
    symmetry = make_key(ids, lo, hi, certain, occupied, shot, depth, arrays)
    packed = arrays.table[find_slot(arrays.table, key[0], level), PACKED]
    choice = np.int64(-1)
    if packed != EMPTY:
        if worst_of(packed) == FINISHED:
            return misses_of(packed)
        choice = shot_of(packed, symmetry, arrays.keys.moves)
    before = np.int64(-1)
    if choice < 0 and level > 0:
        packed = arrays.table[find_slot(arrays.table, key[0], level - 1), PACKED]
        if packed != EMPTY:
            before = shot_of(packed, symmetry, arrays.keys.moves)
    if not spend(n, counters):
        return work.STOP
    unknown = occupied & ~certain
    due = certain & ~shot if open_mode else ZERO
    count = count_cells(ids, lo, hi, unknown, depth, arrays)
    arena = arrays.arena.entries
    arena_masks = arrays.arena.masks
    base = counters[work.ARENA_TOP]
    # The cells weighed by the level below, if any; last, by this level, the one chosen.
    candidates = 0
    if choice < 0:
        counters[work.NODES] += 1
        width = rules[level, WIDTH] if level > 0 else 1
        candidates = list_candidates(
            n, weight, count, unknown, due, width, before, open_mode, counts, together
        )
        if level == 0:
            choice = counts[at.ORDER, 0]
            candidates = 0
    best = work.INFEASIBLE
    value = 0
    for q in range(candidates + 1):
        chosen = q == candidates
        if (
            chosen
            and candidates > 0
            and not keep_plan(best, 0, symmetry, choice, level, key, arrays)
        ):
            return work.STOP
        c = choice if chosen else counts[at.ORDER, q]
        limit = work.INFEASIBLE if chosen else best
        value = 0 if (due >> np.uint64(c)) & ONE == ONE else weight - counts[at.WEIGHT, c]
        if value >= limit:
            continue
        if partition_by_answers(ids, lo, hi, c, shot, arrays) == work.STOP:
            counters[work.ARENA_TOP] = base
            return work.STOP
        for p in range(base, counters[work.ARENA_TOP]):
            answer = follow(
                ids, arena[p, at.LO], arena[p, at.HI], arena_masks[p, at.H], arena_masks[p, at.U],
                arena_masks[p, at.K], arena[p, at.ENTRY_WEIGHT], level if chosen else level - 1,
                depth + 1, rules, arrays,
            )  # fmt: skip
            if answer == work.STOP:
                counters[work.ARENA_TOP] = base
                return work.STOP
            value += answer
            if value >= limit:
                break
        counters[work.ARENA_TOP] = base
        if not chosen and value < best:
            best = value
            choice = c
    if not keep_plan(value, FINISHED, symmetry, choice, level, key, arrays):
        return work.STOP
    return value
