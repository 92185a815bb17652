"""The reference algorithm's graph: every sub-table that shots can lead to, counted.

A vertex is a distinct set of layouts reachable from the whole table, the single-layout ones
included; every cell whose content still differs between its layouts gives two edges, miss and
hit. Plain dynamic programming over this graph is the reference that the search is measured
against. The core visits them (``graph.hpp``), one per symmetry orbit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from seabattle.enumerate.core.library import core
from seabattle.enumerate.errors import RulesError, Stop
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import Game, rules_of
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import MEMORY_GIB, as_problem
from seabattle.solver.search.queries import Limits, SearchOptions, Snapshot


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
    stop: Stop | None = None,
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
    rows = np.arange(len(problem), dtype=np.int32)
    counted = core().structure("graph", {"vertices": 0, "edges": 0, "orbits": 0})

    search.run(lambda searcher: searcher.ask(core().graph_walk, rows, search.question(), counted))
    return GraphSize(len(problem.table), counted.vertices, counted.edges, counted.orbits)
