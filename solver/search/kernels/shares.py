"""What the answers to a shot are asked for, to refute it. Arrays and scalars only.

A shot is refuted once its value, the misses at once and those after every answer, reaches the
limit. Which answer contributes how much is free. To ask the smallest sub-table for all that is
lacking has it solved exactly: wasted work where the larger ones would have given that with ease, as
what it takes to raise a lower bound grows fast with the rise. So each sub-table is first asked
whether it has one miss more than its bound, which often raises that by several for next to nothing.
What is still lacking is then shared in proportion to the misses known of each. One that has less is
known exactly by then, and the others share the rest.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import inlined_inner_kernel, inlined_kernel
from seabattle.solver.search.kernels.arrays import HI, KNOWN, LEAST, LO
from seabattle.solver.search.kernels.work import (
    BUDGETS,
    GOAL,
    INFEASIBLE,
    SHARED_ROWS,
    WORST,
)

PROBES_OF_ANSWER = 2
"""Times that a sub-table is asked for one miss more, before what is lacking is shared."""


@inlined_inner_kernel
def is_shared(n, limit, options):
    """Whether what a sub-table lacks of the limit is shared among the answers to a shot.

    n, limit : int64, rows of the sub-table, and misses below which the shot would be better
    options : int64 (OPTIONS,)
    """
    least = options[SHARED_ROWS]
    return (
        0 < least <= n and limit < INFEASIBLE and options[GOAL] != WORST and options[BUDGETS] == 1
    )


@inlined_kernel
def share_of(known, n):
    """Part of what is lacking for which a sub-table is asked, in proportion to the others' parts.

    Rather less for one of many rows: there the same rise takes more work.

    known, n : int64, lower bound on its misses and number of its rows
    """
    bits = 0
    while n > 0:
        n >>= 1
        bits += 1
    return 64 * (known + 1) // bits


@inlined_inner_kernel
def shares_of_answers(base, top, arena):
    """Sum of the shares of all entries whose value is not known.

    base, top : int64, the range of entries; arena : Arena
    """
    shares = 0
    for p in range(base, top):
        if arena.entries[p, KNOWN] == 0:
            n = arena.entries[p, HI] - arena.entries[p, LO]
            shares += share_of(arena.entries[p, LEAST], n)
    return shares


@inlined_kernel
def misses_asked(turn, known, lacking, share, shares):
    """Budget of a sub-table, its lower bound and a part of what is lacking.

    turn : int64, how often it has been asked before; known : int64, the lower bound
    lacking : int64, above 0; share, shares : int64, from ``share_of``: its own, and the sum for
    all that are asked from here on, it included
    """
    if turn < PROBES_OF_ANSWER:
        return known + 1
    if share == shares:
        return known + lacking
    return known + 1 + np.int64(lacking * (share / shares))
