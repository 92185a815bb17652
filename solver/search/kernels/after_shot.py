"""Compiled search of what a shot leaves, where an answer says more than hit or miss: all its parts.

Arrays and scalars only; ``answer_search`` says what they are.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import kernel
from seabattle.solver.search.kernels.answer_children import bound_answers, smaller_first
from seabattle.solver.search.kernels.answer_search import minimize
from seabattle.solver.search.kernels.arrays import (
    ENTRY_WEIGHT,
    HI,
    LEAST,
    LO,
    MISSED,
    NO_KEY,
    H,
    K,
    U,
)
from seabattle.solver.search.kernels.partition import close_entries, partition_by_answers, push
from seabattle.solver.search.kernels.work import (
    ANNOUNCED,
    ARENA_TOP,
    FULL_BOARD,
    GOAL,
    INFEASIBLE,
    MODE,
    STOP,
    WORST,
    after_miss,
)


@kernel
def minimize_after(ids, cell, shot, budget, miss_limit, arrays):
    """Value of the rows ``ids`` after a shot, or, with cell -1, before any: all parts together.

    Certain hits are shot first where the mode closes its sub-tables. Returns a search value, or
    STOP.

    ids : int32 (n_rows,), modified: rows change places
    cell : int64; shot : uint64, cells hit before (open mode)
    budget : int64, misses; miss_limit : int64, misses from this shot on
    arrays : AnswerArrays; table, arena, scratch and counters modified
    """
    game = arrays.game
    arena = arrays.arena.entries
    arena_masks = arrays.arena.masks
    options = arrays.options
    counters = arrays.counters
    goal = options[GOAL]
    mode = options[MODE]
    announced = options[ANNOUNCED] == 1
    full = np.uint64(options[FULL_BOARD])
    counters[ARENA_TOP] = 0
    n = ids.shape[0]
    first = np.int64(0)  # as ``zero`` in ``minimize``
    if cell >= 0:
        if (
            partition_by_answers(
                ids, first, n, cell, shot, game, mode, announced, full, arrays.arena, counters
            )
            == STOP
        ):
            return STOP
    else:
        push(first, n, first, shot, arrays.arena, counters)
        if close_entries(first, ids, game, mode, full, arrays.arena, counters) == STOP:
            return STOP
    worst = 0
    weight = 0
    top = counters[ARENA_TOP]
    for p in range(top):
        if arena[p, MISSED] == 1:
            worst = 1
            weight += arena[p, ENTRY_WEIGHT]
            if miss_limit == 0:
                return INFEASIBLE << 7
    value = bound_answers(ids, first, top, weight, arrays)
    if goal == WORST:
        value = max(value, worst)
    if value >= budget:
        return min(value, INFEASIBLE) << 7
    smaller_first(first, top, arrays.arena)
    exact = True
    for p in range(top):
        missed = arena[p, MISSED]
        child_limit = after_miss(miss_limit) if missed == 1 else miss_limit
        least = arena[p, LEAST]
        room = budget - missed if goal == WORST else budget - (value - least)
        answer = minimize(
            ids, arena[p, LO], arena[p, HI], arena_masks[p, H], arena_masks[p, U],
            arena_masks[p, K], arena[p, ENTRY_WEIGHT], room, child_limit, 1, NO_KEY, arrays,
        )  # fmt: skip
        if answer == STOP:
            return STOP
        found = answer >> 7
        exact = exact and found < room
        worst = max(worst, (answer & 127) + missed)
        value = max(value, found + missed) if goal == WORST else value + found - least
        if value >= budget:
            return min(value, INFEASIBLE) << 7
    return value << 7 | worst if exact else value << 7
