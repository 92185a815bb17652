"""The sub-tables after a shot where an answer says more than hit or miss. Arrays and scalars only.

Parameters that both share: ``base, top``, int64, the range of their entries in the arena.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import inlined_inner_kernel, popcount
from seabattle.solver.search.kernels.arrays import (
    ENTRY_WEIGHT,
    HI,
    KNOWN,
    LEAST,
    LO,
    MISSED,
    H,
    U,
)
from seabattle.solver.search.kernels.bounds import patterns_left
from seabattle.solver.search.kernels.finds_bounds import size_bound
from seabattle.solver.search.kernels.partition import settle_by_rows
from seabattle.solver.search.kernels.states import state_of
from seabattle.solver.search.kernels.work import BOUNDS, GOAL, LIGHTEST, MODE, OPEN_SUNK, WORST


@inlined_inner_kernel
def bound_answers(ids, base, top, missed, arrays):
    """Set the lower bound of each by its size, and return that on the value of the shot.

    ids : int32 (n_rows,); missed : int64, weight of the rows that the shot misses
    arrays : AnswerArrays; arena modified
    """
    entries = arrays.arena.entries
    masks = arrays.arena.masks
    game = arrays.game
    options = arrays.options
    goal = options[GOAL]
    mode = options[MODE]
    value = 0 if goal == WORST else missed
    for p in range(base, top):
        low = 0
        h = masks[p, H]
        if h != masks[p, U] and mode != OPEN_SUNK and options[BOUNDS] == 1:
            low = 1 if goal == WORST else options[LIGHTEST]
            row = ids[entries[p, LO]]
            low = max(low, size_bound(
                entries[p, HI] - entries[p, LO], entries[p, ENTRY_WEIGHT],
                state_of(row, h, arrays.finds),
                patterns_left(row, h, game.ships, game.lengths, mode, arrays.patterns),
                popcount(game.occupied_by[row]) - popcount(h), goal, options, arrays.reach,
                arrays.finds,
            ))  # fmt: skip
        entries[p, LEAST] = low
        value = max(value, entries[p, MISSED] + low) if goal == WORST else value + low
    return value


@inlined_inner_kernel
def smaller_first(base, top, arena):
    """Sort the entries after a shot by rows, and note which are known: those of one occupancy.

    Returns how many are not. To know small ones exactly is cheap.

    base, top : int64, the range of entries; arena : Arena, modified
    """
    entries = arena.entries
    masks = arena.masks
    unknown = 0
    for p in range(base, top):
        known = masks[p, H] == masks[p, U]
        entries[p, KNOWN] = known
        unknown += not known
        settle_by_rows(p, base, arena)
    return unknown
