"""The graph of all closed sub-tables of a game, stored once, swept many times.

One node for every symmetry orbit of closed sub-tables that shots can lead to
(``solver.search.exact_search`` says why (H, M) is an exact key in
modes ``hit`` and ``sunk``), and for each node the shots worth weighing, each with the nodes it
leads to. Once it is stored, the best tree against *any* weights of the layouts is one sweep from
the leaves to the root: a few tens of milliseconds where a search takes seconds. The weights must be
the same for all symmetric images of a layout, else images of a sub-table would not have equal
value.

Left out are shots that are no better whatever the weights: a cell that is occupied only where
another one is too, and a shot that splits the sub-table into images of the parts of another.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium import _response_kernels as rk
from seabattle.solver.equilibrium import _state_kernels as k
from seabattle.solver.search.arrays import (
    CERTAIN,
    COUNT_PLANES,
    OCCUPIED,
    ROWS,
)
from seabattle.solver.search.kernels.segments import HIT, MASK_PLANES, MISS, count_and_close
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem
from seabattle.solver.search.table import EMPTY, move_keys
from seabattle.solver.search.work import ALLOWANCE, STATUS, STOP
from seabattle.trees.plans import Grower, require_plannable

BYTES_PER_NODE = 350
"""Memory that a node takes while the graph is built, its actions and edges included."""

_SAMPLES = 1
_SAMPLED_ROWS = 3_000
_WORK = 20_000_000

_Kind = TypeVar("_Kind", bound=np.generic)

Report = Callable[[str], None]
"""Called a few times a second with what is being done."""


def estimate_subtables(problem: Problem, *, samples: int = _SAMPLES, seed: int = 0) -> float:
    """About how many closed sub-tables the game has in mode ``hit``, symmetric ones apart.

    Every closed set is reached once in the tree that adds attributes ("cell c is occupied", "cell
    c is empty") in the order of the cells and drops a set whose closing adds one of an earlier
    cell (Close-by-One). The nodes of that tree are counted by heterogeneous sampling (P. C. Chen,
    SIAM Journal on Computing 21, 1992): nodes alike in last cell, size and cells still open are
    one stratum, of which one member, drawn at random, stands for all. Of tables with more than a
    few thousand layouts a random sample is taken, so that the estimate is then too low.

    Parameters
    ----------
    problem
        The rows.
    samples, seed
        How many such counts are averaged, and the seed of their choices.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> problem = Problem(DecisionTable.build(Rules("4x4", "3,2,1")), merge=False)
    >>> 33_000 < estimate_subtables(problem) < 53_000  # it is 42,290
    True
    """
    generator = np.random.default_rng(seed)
    rows = problem.rows
    if len(rows) > _SAMPLED_ROWS:
        rows = generator.choice(rows, _SAMPLED_ROWS, replace=False)
    return float(np.mean([_sampled_count(problem, rows, generator) for _ in range(samples)]))


def _sampled_count(
    problem: Problem, rows: NDArray[np.uint64], generator: np.random.Generator
) -> float:
    """One estimate: strata in the order of their last cells, each by one member."""
    full = np.uint64(problem.full)
    counts = np.zeros((COUNT_PLANES, 64), dtype=np.int64)
    masks = np.zeros((MASK_PLANES, 64), dtype=np.uint64)
    no_weights = np.empty(0, dtype=np.int64)
    certain, occupied = int(np.bitwise_and.reduce(rows)), int(np.bitwise_or.reduce(rows))
    # For each last cell: (size, open cells) -> (members, rows, certain, occupied).
    strata: list[dict[tuple[int, int], tuple[float, NDArray[np.uint64], int, int]]]
    strata = [{} for _ in range(problem.cells + 1)]
    strata[0][0, 0] = 1.0, rows, certain, occupied
    total = 0.0
    for last in range(problem.cells + 1):
        for members, held, certain, occupied in strata[last].values():
            total += members
            count_and_close(
                held, no_weights, 0, len(held), np.uint64(certain), np.uint64(occupied), full,
                counts, masks,
            )  # fmt: skip
            for cell in cells_of((occupied & ~certain) >> last << last):
                before = (1 << cell) - 1
                for child in (HIT, MISS):
                    h, u = int(masks[child + CERTAIN, cell]), int(masks[child + OCCUPIED, cell])
                    if ((h ^ certain) | (u ^ occupied)) & before:
                        continue
                    hits = int(counts[ROWS, cell])
                    size = hits if child == HIT else len(held) - hits
                    stratum = strata[cell + 1]
                    mark = (int(4 * math.log2(size)), (u & ~h).bit_count())
                    known = stratum[mark][0] if mark in stratum else 0.0
                    if generator.random() * (known + members) < members:
                        has = (held >> np.uint64(cell) & np.uint64(1)).astype(bool)
                        stratum[mark] = known + members, held[has == (child == HIT)], h, u
                    else:
                        stratum[mark] = (known + members, *stratum[mark][1:])
    return total


@dataclass(frozen=True)
class BestResponse:
    """The best tree against given weights.

    Attributes
    ----------
    value
        Its total misses: a float, or an int for integer weights.
    misses
        int64 ``(n_orbits,)``: its misses added up over the layouts of each orbit.
    choice
        int64 ``(n_nodes,)``: the action taken at each node of the graph.
    """

    value: float
    misses: NDArray[np.int64]
    choice: NDArray[np.int64]


class SubtableGraph:
    """All closed sub-tables of a game, one per symmetry orbit, and the shots between them.

    Parameters
    ----------
    table
        The decision table of a whole game, in answer mode ``hit`` or ``sunk``, where ships do
        not share sides.
    limits
        When to stop building; ``report`` is not used.
    dominance
        Leave out shots that are no better than another one whatever the weights.
    report
        Called with the progress of building.

    Attributes
    ----------
    orbit
        int64 ``(n_layouts,)``: symmetry orbit of each layout.
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
        report: Report | None = None,
    ) -> None:
        require_plannable(table.rules)
        self.rules = table.rules
        self.table = table
        self.limits = limits or Limits()
        self.problem = Problem(DecisionTable(table.layouts), merge=False)
        self._refuse_large()
        self.grower = Grower(table.layouts)
        self.key_shares, self.moves = self.problem.symmetry_arrays()
        images = np.full_like(self.moves, -1)
        for g, move in enumerate(self.moves[:, : self.problem.cells]):
            images[g, move] = np.arange(self.problem.cells)
        self.images = images
        self._find_orbits()
        self._build(dominance, report or (lambda text: None))
        nodes = len(self.leaf)
        self._float_costs = np.zeros(2 * nodes)
        self._int_costs = np.zeros(0, dtype=np.int64)
        self._stack = np.zeros((len(self.problem) + 64, 2), dtype=np.int64)

    def __len__(self) -> int:
        """Number of nodes: orbits of sub-tables, and the start."""
        return len(self.leaf)

    def __repr__(self) -> str:
        return (
            f"<graph of {len(self)} sub-tables, {len(self.cells)} actions, "
            f"{len(self.edges)} edges: {self.rules}>"
        )

    def _refuse_large(self) -> None:
        rules, problem = self.rules, self.problem
        if problem.cells > ONE_WORD_CELLS:
            raise TooLargeError(
                f"board {rules.board}: the sub-tables of boards of up to {ONE_WORD_CELLS} cells "
                f"are enumerated, this one has {problem.cells}"
            )
        most = self.limits.memory * 2**30 / BYTES_PER_NODE
        about = estimate_subtables(problem) / len(problem.symmetries)
        # Announced sinkings part sub-tables further and leave far fewer of them.
        margin = 1.1 if rules.answers is AnswerMode.HIT else 50
        if about > margin * most:
            raise TooLargeError(
                f"{rules.board} with {rules.fleet} has {len(problem):,} layouts and about "
                f"{about:.1e} sub-tables; {self.limits.memory:.3g} GiB hold about {most:.1e}. "
                f"Take a smaller board or more memory"
            )

    def _find_orbits(self) -> None:
        problem = self.problem
        least = np.stack([problem.transformed_rows(g) for g in problem.symmetries]).min(axis=0)
        _, first, orbit = np.unique(least, return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))  # orbits in order of their first layouts
        self.orbit = rank[orbit].astype(np.int64)
        self.sizes = np.bincount(self.orbit).astype(np.int64)

    def _build(self, dominance: bool, report: Report) -> None:
        problem = self.problem
        levels = problem.cells + 3
        options = np.zeros(k.OPTIONS, dtype=np.int64)
        options[k.FULL_BOARD] = np.uint64(problem.full).astype(np.int64)
        options[k.SUNK] = self.grower.sunk
        options[k.DOMINANCE] = dominance
        sides = np.zeros(64, dtype=np.uint64)
        sides[: problem.cells] = self.rules.board.side_masks
        counters = np.zeros(k.COUNTERS, dtype=np.int64)
        rows, no_weights = problem.rows.copy(), np.empty(0, dtype=np.int64)
        counts = np.zeros((levels, COUNT_PLANES, 64), dtype=np.int64)
        masks = np.zeros((levels, MASK_PLANES, 64), dtype=np.uint64)
        size, scratch = 1 << 12, 1 << 10
        arrays = _GrowingGraph(size)
        while True:
            segments = k.Segments(
                np.zeros((scratch, k.BOUND_COLUMNS), dtype=np.int64),
                np.zeros((scratch, k.MASK_COLUMNS), dtype=np.uint64),
            )
            actions = k.Actions(
                np.zeros((levels, 64), dtype=np.int64),
                np.zeros((levels, 64), dtype=np.int8),
                np.zeros((levels, scratch), dtype=np.int32),
            )
            counters[ALLOWANCE] = _WORK
            counters[STATUS] = 0
            building = k.Building(
                *(sides, self.key_shares, self.moves, options, counts, masks),
                *(segments, actions, arrays.graph, counters),
            )
            done = k.explore_all(rows, no_weights, building)
            if done != STOP:
                break
            if counters[STATUS] == k.FULL_GRAPH:
                arrays.grow(counters, self.limits.memory)
            elif counters[STATUS] == k.FULL_SCRATCH:
                scratch *= 2
            report(f"{counters[k.NODES]:,} sub-tables")
            if self.limits.stop is not None and self.limits.stop():
                raise KeyboardInterrupt
            if self.limits.deadline is not None and time.monotonic() > self.limits.deadline:
                raise LimitReached(
                    f"the time limit was reached with {counters[k.NODES]} sub-tables enumerated; "
                    f"the equilibrium needs them all"
                )
        graph = arrays.graph
        n_nodes, n_actions, n_edges = (int(counters[i]) for i in (k.NODES, k.ACTIONS, k.EDGES))
        self.first = graph.first[: n_nodes + 1].copy()
        self.start = graph.start[: n_actions + 1].copy()
        self.edges = graph.edges[:n_edges].copy()
        self.cells = graph.cells[:n_actions].copy()
        self.keys, self.nodes = graph.keys, graph.nodes
        self.leaf = np.full(n_nodes, -1, dtype=np.int32)
        single = np.flatnonzero(graph.leaves[:n_nodes])
        order = np.argsort(problem.rows)
        found = np.searchsorted(problem.rows, graph.leaves[single], sorter=order)
        self.leaf[single] = self.orbit[order[found]]

    @property
    def nbytes(self) -> int:
        """Bytes of the graph and of one sweep's results."""
        arrays = (self.first, self.start, self.edges, self.cells, self.leaf, self.keys, self.nodes)
        return sum(a.nbytes for a in arrays) + 24 * len(self)

    def best_response(self, weights: NDArray[np.float64] | NDArray[np.int64]) -> BestResponse:
        """The best tree against weights, the same for all layouts of an orbit.

        Parameters
        ----------
        weights
            float64 or int64 ``(n_orbits,)``: weight of one layout of each orbit. The sum of
            integer weights over the layouts, times the cells of the board, stays below 2^62.
        """
        if weights.dtype == np.int64:
            if len(self._int_costs) == 0:
                self._int_costs = np.zeros(2 * len(self), dtype=np.int64)
            costs: NDArray[np.float64] | NDArray[np.int64] = self._int_costs
        else:
            costs = self._float_costs
        choice = np.empty(len(self), dtype=np.int64)
        rk.sweep(self.first, self.edges, self.leaf, weights, costs, choice)
        misses = np.zeros(len(self.sizes), dtype=np.int64)
        root = len(self) - 1
        rk.add_up_misses(root, choice, self.start, self.edges, self.leaf, self._stack, misses)
        return BestResponse(costs[2 * root].item(), misses, choice)

    def plan(self, choice: NDArray[np.int64]) -> NDArray[np.int8]:
        """The plan (``trees.plans``) of the tree that takes the given action at every node."""
        grower = self.grower
        ids, stack, masks = grower.scratch()
        plan = np.empty(len(self.problem), dtype=np.int8)
        length = rk.write_plan(
            choice, self.cells, self.keys, self.nodes, self.key_shares, self.images, grower.rows,
            grower.ships, ids, grower.full, grower.sunk, stack, masks, plan,
        )  # fmt: skip
        return plan[:length].copy()


class _GrowingGraph:
    """A graph being built, with room to spare."""

    def __init__(self, size: int) -> None:
        self.graph = k.Graph(
            keys=np.full(size, EMPTY, dtype=np.uint64),
            nodes=np.zeros(size, dtype=np.int32),
            first=np.zeros(size, dtype=np.int64),
            start=np.zeros(size, dtype=np.int64),
            edges=np.zeros(size, dtype=np.int32),
            cells=np.zeros(size, dtype=np.int8),
            leaves=np.zeros(size, dtype=np.uint64),
        )

    def grow(self, counters: NDArray[np.int64], memory: float) -> None:
        """Double whatever is nearly full.

        Raises
        ------
        LimitReached
            If that would not fit in ``memory`` GiB.
        """
        graph = self.graph
        nodes, actions, edges = (int(counters[i]) for i in (k.NODES, k.ACTIONS, k.EDGES))
        held = sum(array.nbytes for array in graph)
        full_nodes = 2 * nodes > len(graph.first)
        full_keys = 2 * nodes > len(graph.keys)
        full_actions = 2 * actions > len(graph.start)
        full_edges = 2 * edges > len(graph.edges)
        if not (full_nodes or full_keys or full_actions or full_edges):
            full_actions = full_edges = True  # one node with a great many actions
        more = (
            full_nodes * (graph.first.nbytes + graph.leaves.nbytes)
            + full_keys * 2 * (graph.keys.nbytes + graph.nodes.nbytes)
            + full_actions * (graph.start.nbytes + graph.cells.nbytes)
            + full_edges * graph.edges.nbytes
        )
        if held + more > memory * 2**30:
            raise LimitReached(
                f"{nodes:,} sub-tables were enumerated, and to go on would take "
                f"{(held + more) / 2**30:.2g} GiB; the memory limit leaves {memory:.3g} GiB"
            )
        if full_nodes:
            graph = graph._replace(first=_doubled(graph.first), leaves=_doubled(graph.leaves))
        if full_actions:
            graph = graph._replace(start=_doubled(graph.start), cells=_doubled(graph.cells))
        if full_edges:
            graph = graph._replace(edges=_doubled(graph.edges))
        if full_keys:
            keys = np.full(2 * len(graph.keys), EMPTY, dtype=np.uint64)
            places = np.zeros(len(keys), dtype=np.int32)
            move_keys(graph.keys, graph.nodes, keys, places)
            graph = graph._replace(keys=keys, nodes=places)
        self.graph = graph


def _doubled(array: NDArray[_Kind]) -> NDArray[_Kind]:
    larger: NDArray[_Kind] = np.zeros(2 * len(array), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
