"""Trees of policies that are no compiled loop: each layout's answers are derived from the rules.

So a tree follows the game even where the search works on a condensed form of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, kernel_mode
from seabattle.enumerate.layouts import name_all
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.solver.search.problem import Problem
from seabattle.trees.tree import Reading, Tree

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
        The policy, in the problem's cells; with reading ``positive`` it is shown all layouts in
        which the cells answered ``hit`` are occupied, also those that would have answered ``sunk``.
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
    board = problem.board_cells
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
        own = [cell for cell in range(problem.cells) if board[cell] in shots]
        chosen = choose(thought, own, misses)
        shots_of.append(chosen)
        cell = board[chosen]
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
    if problem.renumbered:
        inner = shots >= 0
        shots = shots.copy()
        shots[inner] = np.array(problem.board_cells, dtype=np.int16)[shots[inner]]
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
