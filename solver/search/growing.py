"""Trees of every answer mode, node by node: the one that best shots lead to, or a greedy rule's.

The core emits the nodes (``growing.hpp``); here they are kept, and made a tree.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from seabattle.enumerate.answers import core_mode
from seabattle.enumerate.board import mask_of
from seabattle.enumerate.core.library import STOPPED, core, memory_for
from seabattle.solver.search.exact_search import ExactSearch, Searcher
from seabattle.solver.search.problem import Family
from seabattle.solver.search.queries import NO_LIMIT, Goal, Limits, Pace, core_limit
from seabattle.trees.tree import Reading, Tree

NODES_AT_ONCE = 1 << 16
"""Room for nodes that are not kept."""

ASKS, CONTRADICTS = 1, 2
"""What the core returns where it is to be told a shot, and where the table is from no search."""


class GreedyRule(StrEnum):
    """How a greedy strategy chooses: the cell nearest to half of the weight, or of most weight."""

    HALF = "half"
    HITS = "hits"


POLICIES = (GreedyRule.HALF, GreedyRule.HITS, None)
"""What the core shoots, in its order: as a greedy rule says, or what is best."""

NODE = {"shots": np.int16, "parents": np.int32, "answers": np.uint16, "leaf": np.int64}
"""What is kept of a node, an array each: the cell shot, -1 at a leaf; the node that it hangs from,
-1 at the root; the code of the answer that leads to it; and how many rows were listed when it was
emitted, its own among them."""


class GrowingTree:
    """A tree of some policy, node by node.

    Parameters
    ----------
    search
        The search whose rows, limits, reports and table are used.
    miss_limit
        Most misses on any path, as ``core_limit`` gives it.
    kept
        Whether the nodes are kept. Otherwise there is no ``tree``, only what it costs.
    reading
        How a plain hit is read: see ``greedy``.

    Attributes
    ----------
    nodes, growth
        The nodes that are kept (``NODE``), and what was emitted.
    found
        int64 ``(cells + 1,)``: weight of the rows in the leaves emitted, by the misses of each.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> problem = as_problem(Rules("4x4", "3,2", answers="sunk"))
    >>> growing = GrowingTree(ExactSearch(problem))
    >>> growing.grow(GreedyRule.HITS)
    >>> growing.tree(objective="greedy-hits", status="bounded").total_misses
    330
    """

    def __init__(
        self,
        search: ExactSearch,
        *,
        miss_limit: int = NO_LIMIT,
        kept: bool = True,
        reading: Reading = Reading.FULL,
    ) -> None:
        self.search = search
        self.kept = kept
        self.reading = reading
        problem = search.problem
        n, words = len(problem), problem.words
        shots = problem.table.position.shots if problem.family != Family.HIT else ()
        path = [problem.cell_of[cell] for cell, _ in shots if cell in problem.cell_of]
        start = core().structure("tree_start", {
            "mode": core_mode(problem.rules),
            "miss_limit": miss_limit,
            "positive": reading is Reading.POSITIVE,
            "path": np.array(path, dtype=np.int16),
            "shot": problem.mask_words(mask_of(path)),
        })  # fmt: skip
        owner = search.searcher.memory
        self._memory = memory_for(lambda memory: core().tree_make(owner, start, memory))
        counted = "nodes", "leaves", "listed", "total_misses", "worst_misses", "random"
        self.growth = core().structure("growth", dict.fromkeys(counted, 0))
        self.asked = core().structure("asked", {
            "rows": np.zeros(n, dtype=np.int32), "hit": np.zeros(words, dtype=np.uint64),
            "count": 0, "shot": -1,
        })  # fmt: skip
        self.members = np.zeros(n, dtype=np.int32)  # rows in the order of their leaves
        self.found = np.zeros(problem.cells + 1, dtype=np.int64)
        self.emitted = 0  # nodes that are not kept
        room = 2 * n if kept else min(2 * n, NODES_AT_ONCE)
        self.nodes = {name: np.zeros(room, dtype=kind) for name, kind in NODE.items()}

    def _make_room(self) -> None:
        """Forget the nodes but the root, or make room for half as many more."""
        if not self.kept:
            self.emitted += self.growth.nodes - 1
            self.growth.nodes = 1
            return
        for name, array in self.nodes.items():
            self.nodes[name] = np.concatenate([array, np.zeros(len(array) // 2, array.dtype)])

    def grow(
        self,
        rule: GreedyRule | None = None,
        *,
        seed: int | None = None,
        goal: Goal = Goal.TOTAL,
        rollouts: tuple[int, int] | None = None,
        exact_rows: int | None = None,
        pace: Pace | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Grow the tree to its end; after an exception the next call goes on from there.

        Parameters
        ----------
        rule
            What is shot, by default the best shots.
        seed
            Of a greedy rule: ties go to any of the cells, by default to the first.
        goal
            What the best shots make least.
        rollouts
            Where given, the best shots are those of rollouts: the highest level that is in the
            table, and up to how many rows a sub-table is solved exactly.
        exact_rows
            Where given, sub-tables of more rows than this are shot at greedily.
        pace
            When to pause.
        limits
            Others than those of the search.

        Raises
        ------
        LimitReached, KeyboardInterrupt, Paused
            As in ``ExactSearch.run``.
        """
        search, problem = self.search, self.search.problem
        level, rows_solved = rollouts or (-1, 0)
        how = core().structure("policy", {
            "kind": POLICIES.index(rule),
            "level": level,
            "exact_rows": len(problem) if exact_rows is None else exact_rows,
            "asks": rollouts is not None,
            "due_first": problem.family != Family.HIT if rule else problem.hits_are_shot,
            "random_ties": seed is not None,
        })  # fmt: skip
        if seed is not None:
            self.growth.random = (seed + 1) % 2**64

        def emit(searcher: Searcher) -> int:
            def go_on() -> int:
                nodes = {**self.nodes, "members": self.members, "found": self.found}
                return int(core().tree_grow(
                    searcher.memory, self._memory, how, search.question(goal),
                    searcher.counters, core().structure("nodes", nodes), self.growth, self.asked,
                ))  # fmt: skip

            while (done := go_on()) == ASKS:
                # The table does not know the shot of these rows; where it does then, it is -1.
                asked, question = self.asked, search.question(hit=self.asked.kept["hit"])
                rows = asked.kept["rows"][: asked.count]
                if searcher.ask(core().rollout_shot, rows, question, rows_solved) < 0:
                    return STOPPED
                asked.shot = searcher.counters.shot
            if done == CONTRADICTS:
                raise search.contradiction("a shot that tells nothing is said to be best")
            return done

        search.run(emit, self._make_room, pace=pace, limits=limits)

    @property
    def worst_misses(self) -> int:
        """Misses at most of the rows in the leaves emitted."""
        return int(self.growth.worst_misses)

    @property
    def shots(self) -> int:
        """Nodes emitted that are not leaves."""
        return int(self.emitted + self.growth.nodes - self.growth.leaves)

    def tree(self, *, objective: str, status: str) -> Tree:
        """The tree, once it is grown; ``objective`` and ``status`` are recorded in it."""
        problem = self.search.problem
        growth, members = self.growth, self.members
        count = int(growth.nodes)
        nodes = {name: array[:count] for name, array in self.nodes.items()}
        shots, leaf, into, codes = (
            nodes["shots"].copy(), nodes["leaf"], nodes["parents"][1:], nodes["answers"][1:]
        )  # fmt: skip
        table = problem.table
        inner = shots >= 0
        shots[inner] = np.array(problem.board_cells, dtype=np.int16)[shots[inner]]
        edges = np.lexsort((codes, into))
        number = np.bincount(into, minlength=count)
        # From rows to the layouts that each stands for, a group of them after the other.
        size = np.bincount(problem.group, minlength=len(problem))
        start = np.concatenate(([0], np.cumsum(size)))
        before = np.concatenate(([0], np.cumsum(size[members])))
        place = np.arange(int(before[-1])) - np.repeat(before[:-1], size[members])
        by_group = np.argsort(problem.group, kind="stable")
        leaf = before[leaf]
        members = by_group[np.repeat(start[members], size[members]) + place]
        return Tree(
            rules=problem.rules,
            shots=shots,
            first=np.concatenate(([0], np.cumsum(number))).astype(np.int64),
            answers=codes[edges],
            children=(edges + 1).astype(np.int32),
            leaf=np.concatenate(([0], leaf)).astype(np.int64),
            ships=np.ascontiguousarray(table.layouts.ships[table.index[members]]),
            weights=table.weights[members] if len(table.weights) else table.weights,
            reading=self.reading,
            objective=objective,
            status=status,
            total_misses=int(growth.total_misses),
            worst_misses=self.worst_misses,
            position=table.position,
        )


def grow_best(
    search: ExactSearch,
    goal: Goal = Goal.TOTAL,
    *,
    miss_limit: int | None = None,
    exact_rows: int | None = None,
    pace: Pace | None = None,
    objective: str,
    status: str,
) -> Tree:
    """A best tree of the whole problem of a search.

    Parameters
    ----------
    search, goal, miss_limit
        As in ``ExactSearch.minimize``.
    exact_rows
        Where given, sub-tables of more rows than this are shot at greedily.
    pace
        When to pause, by ``Paused``.
    objective, status
        Recorded in the tree.
    """
    growing = GrowingTree(search, miss_limit=core_limit(goal, miss_limit))
    growing.grow(goal=goal, exact_rows=exact_rows, pace=pace)
    return growing.tree(objective=objective, status=status)
