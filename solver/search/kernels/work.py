"""What a search is asked and answers, and how its work is limited: constants and two kernels.

A *search value* is one int64, ``misses << 7 | worst``: exact when its misses are below the budget
(``worst`` then is the worst case of the tree found), else a proven lower bound with ``worst`` 0.
``STOP`` is returned through all levels when an array is full or the allowance is used up; all
that was proven so far is in the table, so calling again goes on where it stopped.

A *tag* tells the questions about one sub-table apart: the number of misses still allowed on any
path, ``UNLIMITED``, or ``WORST_CASE`` for the least worst case. Totals stay below 2^41 by
validation.

``options`` is int64 ``(OPTIONS,)``, ``counters`` int64 ``(COUNTERS,)``, modified.
"""

from __future__ import annotations

from seabattle.enumerate.compiler import kernel

INFEASIBLE = 1 << 41
UNLIMITED = 127
WORST_CASE = 126
STOP = -1

# Places in ``options``.
FULL_BOARD = 0
OBJECTIVE = 1
BOUNDS = 2
CACHE = 3
ORDERING = 4
DOMINANCE = 5
LOOKAHEAD = 6
BUDGETS = 7
LIGHTEST = 8
HEAVIEST = 9
EXACT_ROWS = 10
MODE = 11
OPTIONS = 12

# Families of answers that say more than hit or miss (see ``_parting_kernels``). The option MODE
# is one of them, and 4 more when a sinking tells its length.
CLOSED_SUNK = 1
OPEN_SUNK = 2
NAMED = 3

# Places in ``counters``.
STATES = 0
NODES = 1
CAPACITY = 2
ALLOWANCE = 3
STATUS = 4
SHOT = 5
BOUNDED = 6
PROBES = 7
ARENA_TOP = 8
COUNTERS = 9

# Why a kernel stopped: what it leaves in counters[STATUS].
FULL_TABLE = 1
ALLOWANCE_USED = 2
FULL_ARENA = 3


@kernel
def spend(rows, counters):
    """Take the work of looking at some rows off the allowance; False when it is used up."""
    counters[ALLOWANCE] -= rows
    if counters[ALLOWANCE] < 0:
        counters[STATUS] = ALLOWANCE_USED
        return False
    return True


@kernel
def has_room(counters):
    """Count one more key of the table; False when the table is full."""
    if counters[STATES] >= counters[CAPACITY]:
        counters[STATUS] = FULL_TABLE
        return False
    counters[STATES] += 1
    return True
