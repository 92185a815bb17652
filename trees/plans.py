"""Compiled loops that grow a tree from its plan by the rules of the game.

For games in which every occupancy belongs to one layout (contact rules ``none`` and ``corners``),
answer modes ``hit`` and ``sunk``. A *segment* is a range ``lo:hi`` of ``ids``, the layouts still
possible; the tree is grown from a stack of segments whose answers are known. Arrays that several
kernels take:

    ids : int32 (n_layouts,), numbers of the layouts, modified: segments are partitioned in place
    rows : uint64 (n_layouts,), cells of each layout
    ships : uint64 (n_layouts, n_ships), cells of each ship
    stack : int64 (n_layouts + 2, STACK_COLUMNS), modified: the segments waiting, see ``LO``
    masks : uint64 (n_layouts + 2, MASK_COLUMNS), modified: masks of each of them, see ``SHOT``
    full : uint64, mask of all cells
    sunk : 1 when sinkings are announced, else 0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, SUNK
from seabattle.enumerate.errors import RulesError, TreeError
from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.segments import close_segment, part_segment
from seabattle.trees.tree import Tree

LEAF = -1
OPEN_NODE = -2
"""What ``next_node`` returns in place of a cell: one layout is left, or the plan names the shot."""

NO_PLAN = -1
"""What ``expand_plan`` returns for a plan that does not belong to the game."""

LO, HI, PARENT, ANSWER = 0, 1, 2, 3
"""Columns of the stack: the segment, the node it hangs from (-1 at the root), the answer there."""

STACK_COLUMNS = 4

SHOT, CERTAIN, OCCUPIED = 0, 1, 2
"""Columns of the masks: cells shot so far, cells that all layouts occupy, cells that some do."""

MASK_COLUMNS = 3


@kernel
def part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk):
    """Order a segment by the answers to a shot: misses, then hits, then sinkings.

    cell : the shot; shot : uint64, mask of the cells shot before
    Returns where the hits and where the sinkings begin.
    """
    bit = ONE << np.uint64(cell)
    struck = shot | bit
    hits = part_segment(ids, lo, hi, bit, rows)
    sinkings = hi
    if sunk == 1:
        i = hits
        while i < sinkings:
            row = ids[i]
            whole = False
            for d in range(ships.shape[1]):
                if (ships[row, d] & bit) != ZERO:
                    whole = (ships[row, d] & ~struck) == ZERO
            if whole:
                sinkings -= 1
                ids[i] = ids[sinkings]
                ids[sinkings] = row
            else:
                i += 1
    return hits, sinkings


@kernel
def begin(rows, stack, masks):
    """Put all layouts on the empty stack; return its height."""
    stack[0, LO] = 0
    stack[0, HI] = rows.shape[0]
    stack[0, PARENT] = -1
    stack[0, ANSWER] = MISS
    masks[0, SHOT] = ZERO
    return 1


@kernel
def next_node(stack, level, ids, rows, full, sunk, masks):
    """The node for the segment at ``level``: ``LEAF``, a certain hit to shoot, or ``OPEN_NODE``.

    stack, ids : not modified; masks : ``CERTAIN`` and ``OCCUPIED`` of the level are written
    """
    certain, occupied = close_segment(ids, stack[level, LO], stack[level, HI], rows, full)
    masks[level, CERTAIN] = certain
    masks[level, OCCUPIED] = occupied
    if certain == occupied:
        return LEAF
    due = certain & ~masks[level, SHOT]
    if sunk == 1 and due != ZERO:
        return np.int64(lowest_bit(due))
    return OPEN_NODE


@kernel
def push_answers(stack, level, masks, node, cell, ids, rows, ships, sunk):
    """Replace the segment at ``level`` by its parts after a shot, the misses uppermost.

    node : number of the node that shoots; cell : its shot. Returns the new height of the stack.
    """
    lo = stack[level, LO]
    hi = stack[level, HI]
    shot = masks[level, SHOT]
    hits, sinkings = part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk)
    for answer in range(SUNK, MISS - 1, -1):
        a = lo if answer == MISS else (hits if answer == HIT else sinkings)
        b = hits if answer == MISS else (sinkings if answer == HIT else hi)
        if a < b:
            stack[level, LO] = a
            stack[level, HI] = b
            stack[level, PARENT] = node
            stack[level, ANSWER] = answer
            masks[level, SHOT] = shot | ONE << np.uint64(cell)
            level += 1
    return level


@kernel
def expand_plan(
    plan, rows, ships, ids, full, sunk, stack, masks, shots, parents, answers, layouts
):  # fmt: skip
    """Grow a tree in preorder, misses first, taking the open shots from a plan.

    plan : int8 (n_shots,), cells
    shots : int16 (n_nodes,), modified: cell, -1 at a leaf
    parents : int32 (n_nodes,), modified: parent node, -1 at the root
    answers : uint16 (n_nodes,), modified: answer on the way from the parent
    layouts : int32 (n_nodes,), modified: at a leaf the number of its layout
    Returns the number of nodes, below 2 * n_layouts * (fleet cells + 1), or ``NO_PLAN`` where the
    plan ends before the tree or goes on after it, or a shot in it is no choice.
    """
    level = begin(rows, stack, masks)
    node = 0
    used = 0
    while level > 0:
        level -= 1
        cell = next_node(stack, level, ids, rows, full, sunk, masks)
        parents[node] = stack[level, PARENT]
        answers[node] = stack[level, ANSWER]
        layouts[node] = ids[stack[level, LO]]
        if cell == OPEN_NODE:
            if used >= plan.shape[0]:
                return NO_PLAN
            cell = np.int64(plan[used])
            used += 1
            unknown = masks[level, OCCUPIED] & ~masks[level, CERTAIN]
            if (unknown >> np.uint64(cell)) & ONE == ZERO:
                return NO_PLAN
        shots[node] = cell
        if cell >= 0:
            level = push_answers(stack, level, masks, node, cell, ids, rows, ships, sunk)
        node += 1
    return node if used == plan.shape[0] else NO_PLAN


# ------------------------------------------------------------------------------------------------
# Plans: trees in compact form, written as their open shots alone.
#
# Given the rules, most of a tree follows from a few of its shots. Walk it in preorder: first the
# branch of the miss, then that of the hit, then that of the sinking. Where one layout is left there
# is nothing to choose; where sinkings are announced, cells that every layout still possible
# occupies are shot at once, in reading order. The *plan* is what remains, in that order: one cell
# for each choice the strategy makes, at most one less than there are layouts. The plan of a tree of
# 2,855 nodes has 1,427 cells, and a mixed strategy of a hundred trees stays a small file.
#
# Plans are for games in which an occupancy belongs to one layout: contact rules ``none`` and
# ``corners``, answer modes ``hit`` and ``sunk``.


def require_plannable(rules: Rules) -> None:
    """Reject games whose trees are not determined by plans.

    Raises
    ------
    RulesError
        If ships may share sides, or the answers name ships.
    """
    if rules.contact is Contact.SIDES or rules.answers is AnswerMode.SHIP:
        raise RulesError(
            f"{rules}: mixed strategies are for answers 'hit' and 'sunk' under contact rules "
            f"'none' and 'corners'"
        )


class Grower:
    """Grows trees of one game from plans.

    Parameters
    ----------
    layouts
        All layouts of the game, on a board of at most 64 cells.

    Examples
    --------
    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> tree = Grower(layouts).grow(np.array([1, 3, 5], dtype=np.int8))  # B1, A2, C2
    >>> tree.total_misses, tree.worst_misses
    (6, 3)
    """

    def __init__(self, layouts: Layouts) -> None:
        require_plannable(layouts.rules)
        self.layouts = layouts
        self.rules = layouts.rules
        self.rows = np.ascontiguousarray(layouts.masks[:, 0])
        masks = placement_table(self.rules).masks
        self.ships = np.ascontiguousarray(masks[layouts.ships.astype(np.int64), 0])
        self.full = np.uint64(self.rules.board.full_mask)
        self.sunk = int(self.rules.answers is AnswerMode.SUNK)

    def scratch(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]:
        """Arrays ``ids``, ``stack`` and ``masks`` of the kernels, for one tree."""
        n = len(self.rows)
        stack = np.zeros((n + 2, STACK_COLUMNS), dtype=np.int64)
        masks = np.zeros((n + 2, MASK_COLUMNS), dtype=np.uint64)
        return np.arange(n, dtype=np.int32), stack, masks

    def grow(self, plan: NDArray[np.int8], *, objective: str = "plan") -> Tree:
        """The tree of a plan.

        Parameters
        ----------
        plan
            int8 ``(n_shots,)``: cells in preorder.
        objective
            What the tree says that it was made for.

        Raises
        ------
        TreeError
            If the plan does not belong to this game.
        """
        if len(plan) and (plan.min() < 0 or plan.max() >= self.rules.board.cells):
            raise TreeError("the plan names a cell off the board")
        n = len(self.rows)
        most = 2 * n * (self.rules.fleet.cells + 1)
        shots = np.empty(most, dtype=np.int16)
        parents = np.empty(most, dtype=np.int32)
        answers = np.empty(most, dtype=np.uint16)
        rows = np.empty(most, dtype=np.int32)
        ids, stack, masks = self.scratch()
        nodes = expand_plan(
            plan, self.rows, self.ships, ids, self.full, self.sunk, stack, masks,
            shots, parents, answers, rows,
        )  # fmt: skip
        if nodes < 0:
            raise TreeError(
                f"the plan is none of {self.rules}: give one cell for each choice, in preorder"
            )
        shots, parents, rows = shots[:nodes].copy(), parents[1:nodes], rows[:nodes]
        order = np.lexsort((answers[1:nodes], parents))
        leaf = shots < 0
        return Tree.counted(
            Position(self.rules),
            objective,
            "heuristic",
            {
                "shots": shots,
                "first": np.cumsum([0, *np.bincount(parents, minlength=nodes)], dtype=np.int64),
                "answers": answers[1:nodes][order],
                "children": (order + 1).astype(np.int32),
                "leaf": np.cumsum([0, *leaf], dtype=np.int64),
                "ships": np.ascontiguousarray(self.layouts.ships[rows[leaf]]),
            },
        )
