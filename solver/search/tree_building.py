"""From a policy to a tree: grow the nodes, list the layouts of every leaf, state the cost.

``grow`` is for mode ``hit``, where a compiled loop emits the nodes of trees of any size; the other
modes have ``solver.search.answer_growing``. ``grow_by_rules`` is for every mode, and for policies
that are no compiled loop: it derives each layout's answers from the rules, so that a tree follows
the game even where the search works on a condensed form of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, kernel_mode
from seabattle.enumerate.layouts import name_all
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.problem import Problem
from seabattle.trees.tree import Reading, Tree

if TYPE_CHECKING:
    from seabattle.solver.search.hit_search import HitSearch
    from seabattle.solver.search.queries import Goal


def grow(
    search: HitSearch,
    policy: int,
    *,
    position: Position,
    objective: str,
    status: str,
    goal: Goal | None = None,
    miss_limit: int | None = None,
    random_ties: bool = False,
    exact_rows: int = 0,
) -> Tree:
    """Grow the tree of a policy over a search's problem.

    Parameters
    ----------
    search
        The search whose table answers the exact policy; for greedy policies only its arrays
        are used.
    policy
        ``POLICY_HALF``, ``POLICY_HITS``, ``POLICY_EXACT`` or ``POLICY_MIXED`` of ``kernels.work``.
    position, objective, status
        Recorded in the tree.
    goal, miss_limit
        Of the exact policies, as in ``ExactSearch.minimize``; by default the least total.
    random_ties
        Of the greedy policies: take a random one of the best cells (``seed_ties``), not the first
        in reading order.
    exact_rows
        With ``POLICY_MIXED``: sub-tables of at most this many rows are solved exactly, larger ones
        shot at greedily.

    Raises
    ------
    LimitReached
        If the exact policy needs more search than the limits allow.
    """
    # imported here because it is compiled on import, with the search of mode ``hit``
    from seabattle.solver.search.kernels import tree_nodes as t
    from seabattle.solver.search.queries import Goal, kernel_limit

    problem = search.problem
    n = len(problem)
    rows, weights = problem.rows.copy(), problem.weights.copy()
    goal = Goal.TOTAL if goal is None else goal
    levels = problem.cells + 3
    stack = t.Stack(
        np.zeros((levels, t.STACK_COLUMNS), dtype=np.int64),
        np.zeros((levels, t.STACK_MASKS), dtype=np.uint64),
        np.zeros(t.PROGRESS, dtype=np.int64),
    )
    limit = kernel_limit(goal, miss_limit)
    stack.entries[0] = 0, n, problem.weight, -1, limit, 0
    stack.masks[0] = problem.certain, problem.occupied
    stack.progress[t.HEIGHT] = 1
    grown = t.GrownTree(
        np.empty(2 * n, dtype=np.int16),
        np.empty((2 * n, 2), dtype=np.int32),
        np.empty(2 * n, dtype=np.uint64),
    )
    search.kernel_options[w.GOAL] = goal
    search.kernel_options[w.EXACT_ROWS] = exact_rows
    nodes = search.run(
        lambda: t.grow_tree(
            rows, weights, policy, random_ties, stack, grown, search.kernel_arrays()
        )
    )
    total, worst = (int(stack.progress[place]) for place in (t.TOTAL_MISSES, t.WORST_MISSES))
    return assemble(
        problem, grown.shots[:nodes], grown.children[:nodes], grown.leaves[:nodes], total, worst,
        position=position, objective=objective, status=status,
    )  # fmt: skip


def assemble(
    problem: Problem,
    shots: NDArray[np.int16],
    children: NDArray[np.int32],
    leaves: NDArray[np.uint64],
    total: int,
    worst: int,
    *,
    position: Position,
    objective: str,
    status: str,
) -> Tree:
    """Flat arrays of a tree with two answers per shot, and the layouts of its leaves."""
    table = problem.table
    inner = shots >= 0
    first = np.concatenate(([0], np.cumsum(2 * inner.astype(np.int64))))
    edges = children[inner].reshape(-1)
    answers = np.tile(np.array([MISS, HIT], dtype=np.uint16), int(inner.sum()))
    # Occupancy of each leaf -> number of the row -> the layouts that share it.
    order = np.argsort(problem.rows)
    occupancy = order[np.searchsorted(problem.rows, leaves[~inner], sorter=order)]
    by_group = np.argsort(problem.group, kind="stable")
    size = np.bincount(problem.group, minlength=len(problem))
    start = np.concatenate(([0], np.cumsum(size)))
    counts = np.zeros(len(shots), dtype=np.int64)
    counts[~inner] = size[occupancy]
    leaf = np.concatenate(([0], np.cumsum(counts)))
    offset = np.arange(int(leaf[-1])) - np.repeat(leaf[:-1][~inner], size[occupancy])
    members = by_group[np.repeat(start[occupancy], size[occupancy]) + offset]
    return Tree(
        rules=table.rules,
        shots=shots.copy(),
        first=first.astype(np.int64),
        answers=answers,
        children=edges.astype(np.int32),
        leaf=leaf.astype(np.int64),
        ships=np.ascontiguousarray(table.layouts.ships[table.index[members]]),
        weights=table.weights[members] if len(table.weights) else table.weights,
        reading=Reading.FULL,
        objective=objective,
        status=status,
        total_misses=total,
        worst_misses=worst,
        position=position,
    )


Choose = Callable[[NDArray[np.int64], Sequence[int], int], int]
"""Next shot, given the rows thought possible, the cells shot so far and the misses so far."""


def grow_by_rules(
    problem: Problem,
    choose: Choose,
    *,
    position: Position,
    objective: str,
    status: str,
    reading: Reading = Reading.FULL,
) -> Tree:
    """Grow a tree by asking the rules for every layout's answer.

    Parameters
    ----------
    problem
        One row per layout.
    choose
        The policy; with reading ``positive`` it is shown all layouts in which the cells answered
        ``hit`` are occupied, also those that would have answered ``sunk``.
    position, objective, status, reading
        Recorded in the tree.
    """
    table = problem.table
    placements = placement_table(problem.rules)
    lengths = np.array(problem.rules.fleet.lengths, dtype=np.int64)
    mode = kernel_mode(problem.rules)
    shots_of, leaf, members = array("h"), array("q", [0]), array("q")
    parents, codes_of = array("q"), array("H")  # the edge into each node but the root
    everything = np.arange(len(problem), dtype=np.int64)
    history = [cell for cell, _ in position.shots]
    total = worst = 0
    stack = [(everything, everything, history, 0, -1, 0)]
    while stack:
        rows, thought, shots, misses, parent, code = stack.pop()
        node = len(shots_of)
        if parent >= 0:
            parents.append(parent)
            codes_of.append(code)
        certain, occupied = problem.closure(thought)
        if certain == occupied:
            shots_of.append(-1)
            members.extend(rows.tolist())
            leaf.append(len(members))
            weight = int(table.weights[rows].sum()) if len(table.weights) else len(rows)
            total += misses * weight
            worst = max(worst, misses)
            continue
        cell = choose(thought, shots, misses)
        shots_of.append(cell)
        leaf.append(len(members))
        codes = np.empty(len(thought), dtype=np.int64)
        name_all(
            table.index[thought], placements.masks, table.layouts.ships, lengths,
            np.array(shots, dtype=np.int64), cell, mode, codes,
        )  # fmt: skip
        given = codes if thought is rows else codes[np.searchsorted(thought, rows)]
        for answer in np.unique(given)[::-1].tolist():  # misses come first
            kept = rows[given == answer]
            believed = kept
            if reading is Reading.POSITIVE:
                fits = codes != MISS if answer == HIT else codes == answer
                believed = thought[fits]
            stack.append((kept, believed, [*shots, cell], misses + (answer == MISS), node, answer))
    return tree_of_nodes(
        problem,
        np.array(shots_of, dtype=np.int16),
        np.array([-1, *parents], dtype=np.int64),
        np.array([0, *codes_of], dtype=np.uint16),
        np.array(leaf[1:], dtype=np.int64),
        np.array(members, dtype=np.int64),
        total,
        worst,
        position=position,
        objective=objective,
        status=status,
        reading=reading,
    )


def tree_of_nodes(
    problem: Problem,
    shots: NDArray[np.int16],
    parents: NDArray[np.integer],
    answers: NDArray[np.uint16],
    leaf: NDArray[np.int64],
    members: NDArray[np.integer],
    total: int,
    worst: int,
    *,
    position: Position,
    objective: str,
    status: str,
    reading: Reading = Reading.FULL,
) -> Tree:
    """A tree whose nodes come in preorder, each with its parent and the answer that leads to it.

    Parameters
    ----------
    problem
        The problem whose rows the leaves list.
    shots, parents, answers
        ``(nodes,)``: cell shot, -1 at a leaf; parent, -1 at the root; answer code, 0 at the root.
    leaf
        ``(nodes,)``: how many of ``members`` are listed up to and including each node.
    members
        Numbers of the problem's rows, in the order of their leaves.
    total, worst
        Misses.
    position, objective, status, reading
        Recorded in the tree.
    """
    table = problem.table
    into, codes = parents[1:], answers[1:]
    edges = np.lexsort((codes, into))
    number = np.bincount(into, minlength=len(shots))
    if len(problem.group) > len(problem):  # rows stand for several layouts
        size = np.bincount(problem.group, minlength=len(problem))
        start = np.concatenate(([0], np.cumsum(size)))
        before = np.concatenate(([0], np.cumsum(size[members])))
        place = np.arange(int(before[-1])) - np.repeat(before[:-1], size[members])
        by_group = np.argsort(problem.group, kind="stable")
        leaf = before[leaf]
        members = by_group[np.repeat(start[members], size[members]) + place]
    return Tree(
        rules=problem.rules,
        shots=shots.copy(),
        first=np.concatenate(([0], np.cumsum(number))).astype(np.int64),
        answers=codes[edges],
        children=(edges + 1).astype(np.int32),
        leaf=np.concatenate(([0], leaf)).astype(np.int64),
        ships=np.ascontiguousarray(table.layouts.ships[table.index[members]]),
        weights=table.weights[members] if len(table.weights) else table.weights,
        reading=reading,
        objective=objective,
        status=status,
        total_misses=total,
        worst_misses=worst,
        position=position,
    )
