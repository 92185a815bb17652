"""Trees of every answer mode, grown by compiled loops: in steps, so that limits hold meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.position import Position
from seabattle.solver.search import work as w
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import tree_of_nodes
from seabattle.solver.search.workspace import Workspace
from seabattle.trees.tree import Tree

if TYPE_CHECKING:
    from seabattle.solver.search.exact_search import ExactSearch
    from seabattle.solver.search.kernels.answer_trees import Growing, Nodes, PlayArrays


NODES_AT_ONCE = 1 << 16
"""Room for nodes that are not kept."""

Loop = Callable[["Growing", "Nodes"], int]
"""Emits nodes until all are emitted or it has to stop: the compiled loop with its arguments."""


class GreedyPlayer(Workspace):
    """Rows, counters and scratch for a greedy rule: no keys, and a table of no use.

    Parameters
    ----------
    problem, limits
        The rows, and when to stop.
    """

    def __init__(self, problem: Problem, limits: Limits | None = None) -> None:
        super().__init__(problem, orbits=False, limits=limits, first_capacity=1)
        self.stage = "greedy play"
        self.options = np.zeros(w.OPTIONS, dtype=np.int64)
        self.options[w.FULL_BOARD] = np.uint64(problem.full).astype(np.int64)
        self.game = problem.game_arrays()

    def kernel_arrays(self) -> PlayArrays:
        """The arrays that the kernels of greedy trees take."""
        from seabattle.solver.search.kernels.answer_trees import PlayArrays

        return PlayArrays(self.game, self.counts, self.options, self.counters)


class GrowingTree:
    """A tree of some policy, node by node.

    Parameters
    ----------
    search
        The search whose arrays are used, and whose limits and reports hold while the tree grows;
        for a greedy rule any ``Workspace`` with ``PlayArrays``.
    due_first
        Whether certain hits are shot before anything else; by default where that is free and may
        tell something.
    miss_limit
        Of the exact policy, for ``work``.
    kept
        Whether the nodes are kept. Otherwise there is no ``tree``, only what it costs.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import Problem
    >>> from seabattle.solver.search.exact_search import ExactSearch
    >>> from seabattle.enumerate.table import DecisionTable
    >>> table = DecisionTable.build(Rules("4x4", "3,2", answers="sunk"))
    >>> growing = GrowingTree(ExactSearch(Problem(table)), due_first=True)
    >>> growing.grow_greedily(w.POLICY_HITS)
    >>> growing.tree(table.history, objective="greedy-hits", status="heuristic").total_misses
    330
    """

    def __init__(
        self,
        search: ExactSearch | GreedyPlayer,
        *,
        due_first: bool | None = None,
        miss_limit: int = w.NO_LIMIT,
        kept: bool = True,
    ) -> None:
        # imported here because its kernels are compiled on import, with those of the search
        from seabattle.solver.search.kernels import answer_trees as t

        self.search = search
        problem = search.problem
        n, ships = len(problem), problem.ships.shape[1]
        history = problem.table.history if problem.mode != w.PLAIN else None
        number = {board: cell for cell, board in enumerate(problem.board_cells)}
        shots = [] if history is None else [number[c] for c, _ in history.shots if c in number]
        depth = (problem.cells + 1) * (ships + 2)
        self.ids = np.arange(n, dtype=np.int32)
        self.growing = t.Growing(
            np.zeros((depth, t.STACK_COLUMNS), dtype=np.int64),
            np.zeros((depth, t.STACK_MASKS), dtype=np.uint64),
            np.zeros(len(shots) + problem.cells + 1, dtype=np.int64),
            np.zeros(t.PROGRESS, dtype=np.int64),
            np.zeros(problem.cells + 1, dtype=np.int64),
            np.zeros(n, dtype=np.int64),
            np.zeros(ships, dtype=np.int64),
            np.zeros(ships, dtype=np.uint64),
            kernel_mode(problem.rules),
            problem.hits_are_shot if due_first is None else due_first,
        )
        self.growing.path[: len(shots)] = shots
        self.growing.entries[0] = 0, n, -1, 0, len(shots), 0, miss_limit
        known = 0 if history is None else problem.mask(history.shot_mask)
        self.growing.masks[0, t.SHOT_CELLS] = known
        self.growing.progress[t.HEIGHT] = 1
        self.kept = kept
        self.emitted = 0  # nodes that are not kept
        self.nodes = self._room(2 * n if kept else min(2 * n, NODES_AT_ONCE))

    def _room(self, count: int) -> Nodes:
        from seabattle.solver.search.kernels import answer_trees as t

        return t.Nodes(
            np.zeros(count, dtype=np.int16),
            np.zeros(count, dtype=np.int32),
            np.zeros(count, dtype=np.uint16),
            np.zeros(count, dtype=np.int64),
            np.zeros(len(self.ids), dtype=np.int32),
        )

    def grow(self, loop: Loop) -> None:
        """Grow the tree to its end; after an exception the next loop goes on from there.

        Raises
        ------
        LimitReached, KeyboardInterrupt, Paused
            As in ``Workspace.run``.
        """
        from seabattle.solver.search.kernels import answer_trees as t

        def step() -> int:
            while True:
                value = int(loop(self.growing, self.nodes))
                if not self.growing.progress[t.NO_ROOM]:
                    return value
                self.growing.progress[t.NO_ROOM] = 0
                if not self.kept:
                    self.emitted += int(self.growing.progress[t.GROWN]) - 1
                    self.growing.progress[t.GROWN] = 1  # the root stays
                    continue
                smaller = self.nodes
                count = len(smaller.shots)
                self.nodes = self._room(count * 3 // 2)
                for place, array in enumerate(smaller):
                    larger: Any = self.nodes[place]
                    larger[: len(array)] = array  # type: ignore[arg-type]

        self.search.run(step)

    @property
    def worst_misses(self) -> int:
        """Misses at most of the rows in the leaves emitted."""
        from seabattle.solver.search.kernels import answer_trees as t

        return int(self.growing.progress[t.WORST_MISSES])

    @property
    def shots(self) -> int:
        """Nodes emitted that are no leaves."""
        from seabattle.solver.search.kernels import answer_trees as t

        progress = self.growing.progress
        return self.emitted + int(progress[t.GROWN] - progress[t.LEAVES])

    def grow_greedily(self, policy: int, seed: int | None = None) -> None:
        """Grow it by ``POLICY_HALF`` or ``POLICY_HITS``; raises as ``grow`` does.

        Ties go to the first cell in reading order, or, with a seed, to any of them.
        """
        from seabattle.solver.search.kernels.answer_trees import grow_greedily, seed_ties

        search = self.search
        if seed is not None:
            seed_ties(seed)
        self.grow(
            lambda growing, nodes: grow_greedily(
                policy, seed is not None, self.ids, growing, nodes, search.kernel_arrays()
            )
        )

    def grow_exactly(self, exact_rows: int) -> None:
        """Grow it by the best shots for the search's goal; raises as ``grow`` does.

        Sub-tables of more than ``exact_rows`` are shot at greedily.
        """
        from seabattle.solver.search.kernels.answer_trees import grow_exactly

        search = self.search
        self.grow(
            lambda growing, nodes: grow_exactly(
                exact_rows, self.ids, growing, nodes, search.kernel_arrays()
            )
        )

    def tree(self, position: Position, *, objective: str, status: str) -> Tree:
        """The tree, once it is grown.

        Parameters
        ----------
        position, objective, status
            Recorded in the tree.
        """
        from seabattle.solver.search.kernels import answer_trees as t

        progress = self.growing.progress
        count, total, worst = (
            int(progress[place]) for place in (t.GROWN, t.TOTAL_MISSES, t.WORST_MISSES)
        )
        nodes = self.nodes
        return tree_of_nodes(
            self.search.problem, nodes.shots[:count], nodes.parents[:count],
            nodes.answers[:count], nodes.leaf[:count], nodes.members, total, worst,
            position=position, objective=objective, status=status,
        )  # fmt: skip
