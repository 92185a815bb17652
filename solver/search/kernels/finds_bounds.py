"""Lower bounds from what can be found with few misses. Arrays and scalars only.

``solver.search.finds`` proves them; ``finds`` in this folder counts what they are made of.

Parameters that many kernels share: ``finds``, the group ``Finds`` or ``HitFinds`` of ``arrays``;
``state``, int64, from ``states.state_of`` or ``state_of_hits``; ``n``, ``weight`` and ``goal`` as
in ``bounds``; ``lightest`` and ``heaviest``, int64, least and greatest weight of a row of the game;
``ways`` and ``cells`` as in ``bounds.words_bound``; ``options`` and ``reach``, as in
``SearchArrays``. Nothing is modified.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import inlined_kernel, inner_kernel
from seabattle.solver.search.kernels.arrays import (
    FOUND,
    FOUND_AFTER_HIT,
)
from seabattle.solver.search.kernels.bounds import (
    first_shots_bound,
    miss_path_bound,
    words_bound,
)
from seabattle.solver.search.kernels.states import UNKNOWN
from seabattle.solver.search.kernels.work import FINDS, HEAVIEST, LIGHTEST, WORST

ROWS_LOOKED_UP = 24
"""Rows from which on mode ``hit`` asks for a state: of fewer the words tell as much."""


@inner_kernel
def found_bound(n, weight, state, lightest, heaviest, goal, finds):
    """Lower bound on the misses of a sub-table of a state, which is not UNKNOWN."""
    bound = 0
    for k in range(finds.found.shape[2]):
        found = np.int64(finds.found[state, FOUND, k])
        if found >= n:
            break
        bound += 1 if goal == WORST else max((n - found) * lightest, weight - found * heaviest)
    return bound


@inlined_kernel
def size_bound(n, weight, state, ways, cells, goal, options, reach, finds):
    """Lower bound on the misses of a sub-table from its size alone: words, and finds if known."""
    lightest = options[LIGHTEST]
    heaviest = options[HEAVIEST]
    bound = words_bound(n, weight, ways, cells, lightest, heaviest, goal, reach)
    if state != UNKNOWN:
        bound = max(bound, found_bound(n, weight, state, lightest, heaviest, goal, finds))
    return bound


@inlined_kernel
def column_bound(
    n, weight, skip, count, counts, state, ways, cells, goal, options, reach, finds
):  # fmt: skip
    """Lower bound on the misses of a sub-table from its columns and what may follow a hit.

    skip : int64, a cell left out, or -1; count : int64, number of undetermined cells
    counts : int64 (COUNT_PLANES, 64), from ``count_cells``
    """
    path = miss_path_bound(n, weight, skip, count, counts, goal)
    if options[FINDS] == 0 or (state == UNKNOWN and ways == 0):
        return path
    lightest = options[LIGHTEST]
    heaviest = options[HEAVIEST]
    if state == UNKNOWN:
        after = reach[cells - 1]
        bound = first_shots_bound(
            n, weight, skip, count, counts, after, ways, lightest, heaviest, goal
        )
    else:
        found = finds.found[state, FOUND_AFTER_HIT]
        bound = first_shots_bound(
            n, weight, skip, count, counts, found, 1, lightest, heaviest, goal
        )
    return max(bound, path)
