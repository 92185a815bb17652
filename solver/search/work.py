"""What a search kernel is asked and answers, and how its work is limited.

A *search value* is one int64, ``misses << 7 | worst``: exact when its misses are below the budget
(``worst`` is then the worst case of the tree found), otherwise a proven lower bound with ``worst``
0. ``STOP`` is returned through all levels when an array is full or the allowance is used up;
everything proven so far is in the table, so calling again goes on from where the kernel stopped.
Totals stay below 2^41 by validation.

A *miss limit* is the number of misses that a path may still have: 0 to ``MOST_MISSES``, or
``NO_LIMIT``. Entries of the table are found by their key and miss limit. The question for the
least worst case has no limit either; it goes by ``WORST_CASE`` in place of ``NO_LIMIT`` so that its
entries are kept apart from those of the question for the least total.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import kernel

INFEASIBLE = 1 << 41
"""Misses of a sub-table that no tree solves within the miss limit; above every total."""

STOP = -1

MISSES_COUNTED = 32
"""Of more misses than this nothing is counted (``coverage``)."""

NO_LIMIT = 127
WORST_CASE = 126
MOST_MISSES = 125

# Places in ``options``: int64 (OPTIONS,), read only.
GOAL = 0  # TOTAL, WORST or LOST
BOUNDS = 1  # this and the next four: 1 where the search may use it
ORDERING = 2
DOMINANCE = 3
LOOKAHEAD = 4
BUDGETS = 5
LIGHTEST = 6  # least and greatest weight of a row
HEAVIEST = 7
MODE = 8  # family of the answers
ANNOUNCED = 9  # 1 where a sinking tells the ship's length
COVERAGE = 10  # 1 where bounds may take columns with what may follow a hit
REVEAL_ROWS = 11  # least rows for which it may ask what is left once cells are revealed; 0: never
SPLIT_ROWS = 12  # least rows of a sub-table whose answers split what it lacks; 0: never
EVERY_SHOT = 13  # 1 where depth 0 asks for every best shot
OPTIONS = 14

# What is made least: options[GOAL].
TOTAL = 0
WORST = 1
LOST = 2  # the weight of the rows that take more misses than the miss limit

# Families of answers that say more than hit or miss (``answers`` describes them): options[MODE].
CLOSED_SUNK = 1
OPEN_SUNK = 2
NAMED = 3
PLAIN = 4  # hit and miss alone, where the search of mode ``hit`` is not the one that asks

# Places in ``counters``: int64 (COUNTERS,), modified.
STATES = 0  # keys in the table
NODES = 1  # sub-tables expanded
CAPACITY = 2  # keys the table may hold
ALLOWANCE = 3  # rows that may still be looked at before the kernel has to stop
STATUS = 4  # why it stopped
SHOT = 5  # cell of the best shot at depth 0, -1 when there is none
ARENA_TOP = 6  # entries of the arena in use
COUNTERS = 7

NO_ALLOWANCE = -(2**62)
"""Allowance of a kernel that is to stop at once."""

# Why a kernel stopped: counters[STATUS].
FULL_TABLE = 1
ALLOWANCE_USED = 2
FULL_ARENA = 3
FULL_STATES = 4


@kernel
def limits_misses(miss_limit):
    """Whether a miss limit is a number, not ``NO_LIMIT`` or ``WORST_CASE``."""
    return miss_limit < WORST_CASE


@kernel
def after_miss(miss_limit):
    """The miss limit that is left after a miss; -1 where none was allowed."""
    return miss_limit - 1 if limits_misses(miss_limit) else miss_limit


@kernel
def goal_of(miss_limit, options):
    """What is asked of a sub-table with a miss limit, as bounds take it.

    ``TOTAL``, ``WORST``, or, where the goal is ``LOST``, that plus the misses left plus 1: so
    ``LOST`` itself is asked of what has missed too often, and all of its weight is lost.
    """
    goal = options[GOAL]
    return LOST + 1 + miss_limit if goal == LOST else goal


@kernel
def spend(rows, counters):
    """Take the work of looking at some rows off the allowance; False when it is used up.

    rows : int64, number of rows; counters : ALLOWANCE and STATUS modified
    """
    counters[ALLOWANCE] -= rows
    if counters[ALLOWANCE] < 0:
        counters[STATUS] = ALLOWANCE_USED
        return False
    return True


@kernel
def has_room(counters):
    """Count one more key of the table; False when the table is full.

    counters : STATES and STATUS modified
    """
    if counters[STATES] >= counters[CAPACITY]:
        counters[STATUS] = FULL_TABLE
        return False
    counters[STATES] += 1
    return True
