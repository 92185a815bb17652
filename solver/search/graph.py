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
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import Game, rules_of
from seabattle.solver.search.arrays import CHILD_PLANES
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import MEMORY_GIB, as_problem
from seabattle.solver.search.workspace import Workspace


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
        Rules, a position, or a decision table, also one without history: the graph below its
        layouts is counted.
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
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> graph_size(Rules("3x3", "3,1,1"))
    GraphSize(layouts=4, vertices=15, edges=56, orbits=5)
    """
    # imported here because it is compiled on import, and searches do not need it
    from seabattle.solver.search.kernels import graph as g

    answers = rules_of(game).answers
    if answers is not AnswerMode.HIT:
        raise RulesError(f"the sub-table graph is defined for answers 'hit', not {answers.value!r}")
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    problem = as_problem(game, memory_limit=memory_limit)
    work = Workspace(problem, orbits=orbits, limits=limits)
    totals = np.zeros(g.TOTALS, dtype=np.int64)
    rows = problem.rows.copy()
    certain, occupied = np.uint64(problem.certain), np.uint64(problem.occupied)
    levels = len(work.counts)
    masks = np.zeros((levels, CHILD_PLANES, 64), dtype=np.uint64)
    key = np.zeros((levels, 2, problem.key_words), dtype=np.uint64)
    work.run(
        lambda: g.walk_graph(
            *(rows, 0, len(rows), certain, occupied, 0),
            g.GraphArrays(
                *(work.table, work.key_shares, work.counts, masks, key),
                *(problem.game_arrays().full, work.counters, totals),
            ),
        )
    )
    vertices, edges, orbit_count = (int(totals[i]) for i in (g.VERTICES, g.EDGES, g.ORBITS))
    return GraphSize(len(problem.table), vertices, edges, orbit_count)
