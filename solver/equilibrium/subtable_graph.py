"""The graph of all closed sub-tables of a game, stored once, swept many times.

One node for every symmetry orbit of closed sub-tables that shots can lead to
(``solver.search.exact_search`` says why (H, M) is an exact key in modes ``hit`` and ``sunk``), and
for each node the shots worth weighing, each with the nodes that its answers lead to. Once it is
stored, the best tree against *any* weights w of the layouts is one sweep from the leaves to the
root,

    least(v) = min over shots of  sum over answers a of  least(v_a) + w(v_a) [a is a miss],

a few tens of milliseconds where a search takes seconds. The weights must be the same for all
symmetric images of a layout, else images of a sub-table would not have equal value.

Left out are shots that are no better whatever the weights: a cell that is occupied only where
another one is too, and a shot that splits the sub-table into images of the parts of another.

The core explores it and sweeps it (``subtable_graph.hpp``), by the parts, columns and keys of a
search whose table holds the number of each sub-table's node. Children have smaller numbers than
their parents, and the last node is the start of the game. The start has one action, of cell -1: it
leads to the sub-tables that certain hits split the whole table into. A node's children through one
action are disjoint and together hold its layouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.core.library import core
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch, Searcher
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem, holding
from seabattle.solver.search.queries import LimitReached, Limits, SearchOptions
from seabattle.trees.plans import require_plannable, walk_memory

BYTES_PER_NODE = 350
"""Memory that a node takes while the graph is built, its actions and edges included."""

_SAMPLED_ROWS = 3_000
_ROOM = 1 << 20  # nodes and edges that are moved out of the arrays of the core at once

Report = Callable[[str], None]
"""Called a few times a second with what is being done."""


@dataclass(frozen=True)
class BestResponse:
    """The best tree against given weights.

    Attributes
    ----------
    value
        Its total misses: a float, or an int for integer weights.
    misses
        int64 ``(n_orbits,)``: its misses added up over the layouts of each orbit.
    plan
        int8 ``(n_shots,)``: its open shots (``trees.plans``).
    """

    value: float
    misses: NDArray[np.int64]
    plan: NDArray[np.int8]


class SubtableGraph:
    """All closed sub-tables of a game, one per symmetry orbit, and the shots between them.

    Parameters
    ----------
    table
        The decision table of a whole game, in answer mode ``hit`` or ``sunk``, where ships do
        not share sides.
    limits
        When to stop building.
    dominance
        Leave out shots that are no better than another one whatever the weights.
    report
        Called with the progress of building.

    Attributes
    ----------
    orbit
        int64 ``(n_layouts,)``: symmetry orbit of each layout, in order of their first layouts.
    sizes
        int64 ``(n_orbits,)``: layouts in each orbit.

    Raises
    ------
    RulesError
        If the game is of another kind.
    TooLargeError
        If the graph is estimated not to fit in the memory limit; said before building it.
    LimitReached
        If building it reaches a limit after all.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> graph = SubtableGraph(DecisionTable.build(Rules("4x4", "3,2,1")))
    >>> graph.best_response(np.ones(len(graph.sizes), dtype=np.int64)).value
    605
    """

    def __init__(
        self,
        table: DecisionTable,
        *,
        limits: Limits | None = None,
        dominance: bool = True,
        report: Report = lambda text: None,
    ) -> None:
        require_plannable(table.rules)
        self.table = table
        self.problem = Problem(DecisionTable(table.layouts), merge=False)
        limits = limits or Limits()
        _refuse_large(self.problem, limits.memory)
        least = self.problem.row_images().min(axis=0)
        self.orbit: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].astype(np.int64)
        self.sizes: NDArray[np.int64] = np.bincount(self.orbit).astype(np.int64)
        limits = replace(limits, report=lambda search: report(f"{search.states:,} sub-tables"))
        search = _Exploration(self.problem, limits, dominance=dominance)
        row, actions, self.cells, self.edges = search.explored()
        self.first = np.concatenate([[0], np.cumsum(actions, dtype=np.int64)])
        self.leaf = np.where(row < 0, -1, self.orbit[row]).astype(np.int32)
        fields = {"first": self.first, "edges": self.edges, "leaf": self.leaf}
        self._made = core().structure("subtable_graph", fields)
        self._search = search
        self._costs: dict[np.dtype[np.generic], NDArray[np.generic]] = {}

    def __len__(self) -> int:
        """Number of nodes: orbits of sub-tables, and the start."""
        return len(self.leaf)

    def __repr__(self) -> str:
        return (
            f"<graph of {len(self)} sub-tables, {len(self.cells)} actions, "
            f"{len(self.edges)} edges: {self.table.rules}>"
        )

    def best_response(self, weights: NDArray[np.float64] | NDArray[np.int64]) -> BestResponse:
        """The best tree against weights, the same for all layouts of an orbit.

        Parameters
        ----------
        weights
            float64 or int64 ``(n_orbits,)``: weight of one layout of each orbit. The sum of
            integer weights over the layouts, times the cells of the board, stays below 2^62.
        """
        costs = self._costs.setdefault(weights.dtype, np.zeros(2 * len(self), weights.dtype))
        choice = np.empty(len(self), dtype=np.int64)
        whole = np.issubdtype(weights.dtype, np.integer)
        sweep = core().sweep_subtables_exactly if whole else core().sweep_subtables
        sweep(self._made, weights, costs, choice)
        misses = np.zeros(len(self.sizes), dtype=np.int64)
        plan = np.empty(len(self.problem), dtype=np.int8)
        searcher, rows = self._search.searcher, self.problem.rows
        length = core().write_plan(
            searcher.memory, self._search.question(), searcher.counters, rows,
            self.problem.ships, choice, self.cells, self.orbit, plan, misses,
            walk_memory(len(rows)),
        )  # fmt: skip
        return BestResponse(costs[2 * len(self) - 2].item(), misses, plan[:length].copy())


def _refuse_large(problem: Problem, memory: float) -> None:
    """Refuse a game whose sub-tables are not enumerated, or are too many for so many GiB."""
    rules = problem.rules
    if problem.cells > ONE_WORD_CELLS:
        raise TooLargeError(
            f"board {rules.board}: the sub-tables of boards of up to {ONE_WORD_CELLS} cells "
            f"are enumerated, this one has {problem.cells}"
        )
    most = memory * 2**30 / BYTES_PER_NODE
    about = estimate_subtables(problem) / len(problem.symmetries)
    # Announced sinkings part sub-tables further and leave far fewer of them.
    margin = 1.1 if rules.answers is AnswerMode.HIT else 50
    if about > margin * most:
        raise TooLargeError(
            f"{rules.board} with {rules.fleet} has {len(problem):,} layouts and about "
            f"{about:.1e} sub-tables; {memory:.3g} GiB hold about {most:.1e}. "
            f"Take a smaller board or more memory"
        )


def estimate_subtables(problem: Problem) -> float:
    """About how many closed sub-tables the game has in mode ``hit``, symmetric ones apart.

    Every closed set is reached once in the tree that adds attributes ("cell c is occupied", "cell
    c is empty") in the order of the cells and drops a set whose closing adds one of an earlier
    cell (Close-by-One). The nodes of that tree are counted by heterogeneous sampling (P. C. Chen,
    SIAM Journal on Computing 21, 1992): nodes alike in last cell, size and cells still open are
    one stratum, of which one member, drawn at random, stands for all. Of tables with more than a
    few thousand layouts a random sample is taken, so that the estimate is then too low.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> problem = Problem(DecisionTable.build(Rules("4x4", "3,2,1")), merge=False)
    >>> 33_000 < estimate_subtables(problem) < 53_000  # it is 42,290
    True
    """
    generator = np.random.default_rng(0)
    ids = np.arange(len(problem))
    if len(ids) > _SAMPLED_ROWS:
        ids = generator.choice(ids, _SAMPLED_ROWS, replace=False)
    # For each last cell: (size, open cells) -> (members, rows, certain, occupied).
    strata: list[dict[tuple[int, int], tuple[float, NDArray[np.int64], int, int]]]
    strata = [{} for _ in range(problem.cells + 1)]
    strata[0][0, 0] = 1.0, ids, *problem.closure(ids)
    total = 0.0
    for last in range(problem.cells + 1):
        for members, held, certain, occupied in strata[last].values():
            total += members
            for cell in cells_of((occupied & ~certain) >> last << last):
                has = holding(problem.rows[held], cell)
                for kept in held[has], held[~has]:
                    h, u = problem.closure(kept)
                    if ((h ^ certain) | (u ^ occupied)) & ((1 << cell) - 1):
                        continue
                    mark = int(4 * math.log2(len(kept))), (u & ~h).bit_count()
                    stratum = strata[cell + 1]
                    before = stratum.get(mark, (0.0, kept, h, u))
                    known = before[0] + members
                    drawn = generator.random() * known < members
                    stratum[mark] = (known, kept, h, u) if drawn else (known, *before[1:])
    return total


# Building


def _found(room: int) -> Any:
    """Room for so many nodes and edges: ``seabattle_subtables``."""
    links, cells = np.zeros((3, room), dtype=np.int32), np.zeros((3, room), dtype=np.int8)
    arrays = dict(zip(("rows", "edges", "waiting"), links, strict=True))
    arrays |= zip(("actions", "cells", "shots"), cells, strict=True)
    counts = "nodes_found", "actions_found", "edges_found", "edges_waiting"
    return core().structure("subtables", arrays | dict.fromkeys(counts, 0))


class _Exploration(ExactSearch):
    """A search in whose table nodes are numbered, and the nodes as they are found."""

    def __init__(self, problem: Problem, limits: Limits, *, dominance: bool) -> None:
        super().__init__(problem, options=SearchOptions.plain(), limits=limits)
        self.dominance = dominance
        self.found = _found(_ROOM)
        self.pieces: list[tuple[NDArray[np.signedinteger], ...]] = []

    def explored(self) -> list[NDArray[np.signedinteger]]:
        """Rows and numbers of actions of all nodes, cells of the actions, and edges."""
        rows, function = np.arange(len(self.problem), dtype=np.int32), core().explore_subtables

        def explore(searcher: Searcher) -> int:
            return searcher.ask(function, rows, self.question(), self.dominance, self.found)

        try:
            self.run(explore, self._make_room)
            if self.limits.seconds_left() < 0:
                raise LimitReached("the time limit was reached")
        except LimitReached as error:
            raise LimitReached(f"{error}; the equilibrium needs all sub-tables first") from None
        edges = self.found.kept["waiting"][: self.found.edges_waiting].copy()
        edges[-1] |= 1
        start = (np.array([each], dtype=np.int8) for each in (-1, 1, -1))
        self._put_away()
        self.pieces.append((*start, edges))
        self.found = None
        return [np.concatenate(parts) for parts in zip(*self.pieces, strict=True)]

    def _put_away(self) -> None:
        """Move the nodes found last to where there is room.

        Raises
        ------
        LimitReached
            If all nodes would not fit in the memory limit, twice while they move to one place.
        """
        found, arrays = self.found, self.found.kept
        parts = (
            arrays["rows"][: found.nodes_found], arrays["actions"][: found.nodes_found],
            arrays["cells"][: found.actions_found], arrays["edges"][: found.edges_found],
        )  # fmt: skip
        self.pieces.append(tuple(part.copy() for part in parts))
        found.nodes_found = found.actions_found = found.edges_found = 0
        self.reserved += 2 * sum(part.nbytes for part in self.pieces[-1])
        if self.table.nbytes + self.reserved > self.limits.memory * 2**30:
            raise LimitReached(
                f"{self.states:,} sub-tables were enumerated, and to go on would take more than "
                f"the {self.limits.memory:.3g} GiB that the memory limit leaves"
            )

    def _make_room(self) -> None:
        """Empty the room for nodes; double it where it is empty."""
        is_empty = self.found.nodes_found == 0
        self._put_away()
        if is_empty:
            self.found = _found(2 * len(self.found.kept["waiting"]))
