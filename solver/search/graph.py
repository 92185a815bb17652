"""The reference algorithm's graph: every sub-table that shots can lead to, counted.

A vertex is a distinct set of layouts reachable from the whole table, the single-layout ones
included; every cell whose content still differs between its layouts gives two edges, miss and
hit. Plain dynamic programming over this graph is the reference that the search is measured
against. Vertices are visited one per symmetry orbit: an orbit of size s stands for s vertices of
equally many edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    bit_of,
    kernel,
    lowest_bit,
    popcount,
)
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import Game, rules_of
from seabattle.solver.search.answers import count_and_close
from seabattle.solver.search.arrays import AFTER_HIT, AFTER_MISS, CERTAIN, OCCUPIED
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.keys import key_under, make_closed_key
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import MEMORY_GIB, as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.segments import part_segment
from seabattle.solver.search.table import EMPTY, NO_SHOT, enter, look_up, pack
from seabattle.solver.search.work import NO_LIMIT, STOP, spend


@dataclass(frozen=True)
class GraphSize:
    """Size of the sub-table graph: layouts, vertices, edges, and orbits of vertices."""

    layouts: int
    vertices: int
    edges: int
    orbits: int

    def document(self) -> dict[str, Any]:
        """What ``graph --json`` prints after the game.

        Fields
        ------
        layouts: layouts that fit
        vertices: distinct sub-tables that play can reach
        edges: pairs of a sub-table and one that an answer leads to
        orbits: sub-tables, those counted once that symmetries of the board exchange
        """
        return dict(vars(self))

    def facts(self) -> list[tuple[str, str]]:
        """The sizes as labels and texts."""
        return [(name, f"{size:,}") for name, size in vars(self).items()]


def graph_size(
    game: Game,
    *,
    orbits: bool = True,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> GraphSize:
    """Count vertices and edges of the whole sub-table graph in answer mode ``hit``.

    Parameters
    ----------
    game
        Rules, a position, or a decision table: the graph below its layouts is counted.
    orbits
        Visit one sub-table per symmetry orbit; when false, every sub-table.
    time_limit, memory_limit, progress, stop
        As in ``solve``.

    Raises
    ------
    RulesError
        If the answer mode is another one.
    LimitReached
        At a limit of time or memory.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> graph_size(Rules("3x3", "3,1,1"))
    GraphSize(layouts=4, vertices=15, edges=56, orbits=5)
    """
    answers = rules_of(game).answers
    if answers is not AnswerMode.HIT:
        raise RulesError(f"the sub-table graph is defined for answers 'hit', not {answers.value!r}")
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    problem = as_problem(game, memory_limit=memory_limit)
    if not orbits:
        problem = problem.without_symmetry()
    search = ExactSearch(problem, options=SearchOptions.plain(), limits=limits)
    ids = np.arange(len(problem), dtype=np.int32)
    certain, occupied = np.uint64(problem.certain), np.uint64(problem.occupied)
    totals = np.zeros(TOTALS, dtype=np.int64)
    search.run(lambda: walk_graph(ids, 0, len(ids), certain, occupied, 0, totals, search.arrays))
    return GraphSize(len(problem.table), *totals.tolist())


# Places in ``totals``.
VERTICES = 0
EDGES = 1
ORBITS = 2
TOTALS = 3


@kernel
def is_visited(certain, occupied, depth, arrays):
    """Whether a sub-table is in the table; its key is made for a level."""
    key = arrays.key[depth]
    make_closed_key(certain, occupied, arrays.game.full[0], arrays.keys, key)
    return look_up(arrays.table, key[0], NO_LIMIT) != EMPTY


@kernel
def orbit_size(certain, occupied, key, arrays):
    """How many images a sub-table has under the symmetries; key : uint64 (words,), its own."""
    shares = arrays.keys.key_shares
    symmetries = shares.shape[2]
    two_words = key.shape[0] == 2
    fixed = 0  # symmetries that map it to itself
    for g in range(symmetries):
        low, high = key_under(certain, arrays.game.full[0] & ~occupied, shares, two_words, g)
        fixed += low == key[0] and (not two_words or high == key[1])
    return symmetries // fixed


@kernel
def walk_graph(ids, lo, hi, certain, occupied, depth, totals, arrays):
    """Visit every sub-table reachable from the segment, one per orbit, and count them: 0 or STOP.

    A sub-table is entered in the table only when all below it were visited, so after STOP
    (table full, allowance used) a new call goes on where this one stopped.

    ids : int32 (n_rows,), modified: the rows of the segment change places
    lo, hi : int64, the segment; certain, occupied : uint64, its H and U
    depth : int64, level of the recursion
    totals : int64 (TOTALS,), modified
    arrays : SearchArrays; table, scratch from level ``depth`` on, and counters modified
    """
    if is_visited(certain, occupied, depth, arrays):
        return 0
    if not spend(hi - lo, arrays.counters):
        return STOP
    game = arrays.game
    children = arrays.children[depth]
    unknown = occupied & ~certain
    if unknown != ZERO:
        count_and_close(ids, lo, hi, certain, occupied, False, depth, arrays)
    left = unknown
    while left != ZERO:
        c = lowest_bit(left)
        left &= left - ONE
        mid = -1
        for after in (AFTER_HIT, AFTER_MISS):
            h = children[after + CERTAIN, c]
            u = children[after + OCCUPIED, c]
            if is_visited(h, u, depth + 1, arrays):
                continue
            if mid < 0:
                mid = part_segment(ids, lo, hi, bit_of(c, unknown), game.occupied_by)
            first = mid if after == AFTER_HIT else lo
            last = hi if after == AFTER_HIT else mid
            if walk_graph(ids, first, last, h, u, depth + 1, totals, arrays) == STOP:
                return STOP
    key = arrays.key[depth, 0]
    if not enter(arrays.table, key, pack(0, 0, False, NO_SHOT, NO_LIMIT), arrays.counters):
        return STOP
    size = orbit_size(certain, occupied, key, arrays)
    totals[VERTICES] += size
    totals[EDGES] += 2 * popcount(unknown) * size
    totals[ORBITS] += 1
    return 0
