"""Plans: trees in compact form, written as their open shots alone.

Given the rules, most of a tree follows from a few of its shots. Walk it in preorder: first the
branch of the miss, then that of the hit, then that of the sinking. Where one layout is left there
is nothing to choose; where sinkings are announced, cells that every layout still possible occupies
are shot at once, in reading order. The *plan* is what remains, in that order: one cell for each
choice the strategy makes, at most one less than there are layouts. The plan of a tree of 2,855
nodes has 1,427 cells, and a mixed strategy of a hundred trees stays a small file.

Plans are for games in which an occupancy belongs to one layout: contact rules ``none`` and
``corners``, answer modes ``hit`` and ``sunk``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.errors import RulesError, TreeError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.trees.tree import _plan_kernels as kernels
from seabattle.trees.tree.tree import Reading, Tree

_WRONG = {
    kernels.PLAN_TOO_SHORT: "it ends before the tree does",
    kernels.PLAN_SHOT_IDLE: "a shot in it is no choice: its answer is known, or the cell was shot",
    kernels.PLAN_TOO_LONG: "it goes on after the tree has ended",
}


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
    >>> tree.total_misses, plan_of(tree).tolist()
    (6, [1, 3, 5])
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
        stack = np.zeros((n + 2, kernels.STACK_COLUMNS), dtype=np.int64)
        masks = np.zeros((n + 2, kernels.MASK_COLUMNS), dtype=np.uint64)
        return np.arange(n, dtype=np.int32), stack, masks

    def grow(
        self, plan: NDArray[np.int8], *, objective: str = "plan", status: str = "heuristic"
    ) -> Tree:
        """The tree of a plan.

        Parameters
        ----------
        plan
            int8 ``(n_shots,)``: cells in preorder.
        objective, status
            The tree's claims about itself.

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
        nodes = kernels.expand_plan(
            plan, self.rows, self.ships, ids, self.full, self.sunk, stack, masks,
            shots, parents, answers, rows,
        )  # fmt: skip
        if nodes < 0:
            raise TreeError(f"the plan is none of {self.rules}: {_WRONG[nodes]}")
        return self._tree(
            shots[:nodes].copy(), parents[:nodes], answers[:nodes], rows[:nodes], objective, status
        )

    def _tree(
        self,
        shots: NDArray[np.int16],
        parents: NDArray[np.int32],
        answers: NDArray[np.uint16],
        rows: NDArray[np.int32],
        objective: str,
        status: str,
    ) -> Tree:
        nodes = len(shots)
        inner = shots >= 0
        order = 1 + np.lexsort((answers[1:], parents[1:]))
        edges = np.bincount(parents[1:], minlength=nodes)
        misses = np.zeros(nodes, dtype=np.int64)
        for v in range(1, nodes):  # parents come first
            misses[v] = misses[parents[v]] + (answers[v] == MISS)
        return Tree(
            rules=self.rules,
            shots=shots,
            first=np.concatenate(([0], np.cumsum(edges))).astype(np.int64),
            answers=answers[order],
            children=order.astype(np.int32),
            leaf=np.concatenate(([0], np.cumsum(~inner))).astype(np.int64),
            ships=np.ascontiguousarray(self.layouts.ships[rows[~inner]]),
            weights=np.empty(0, dtype=np.int64),
            reading=Reading.FULL,
            objective=objective,
            status=status,
            total_misses=int(misses[~inner].sum()),
            worst_misses=int(misses[~inner].max()),
            position=Position(self.rules),
        )


def plan_of(tree: Tree) -> NDArray[np.int8]:
    """The plan of a tree that shoots certain hits at once where sinkings are announced.

    Returns int8 ``(n_shots,)``. A tree that shoots certain hits in another order has no plan; the
    result for such a tree is invalid or the plan of another tree.
    """
    require_plannable(tree.rules)
    table = placement_table(tree.rules)
    masks = np.array([table.placements[i].mask for i in range(len(table))], dtype=np.uint64)
    rows = np.bitwise_or.reduce(masks[tree.ships.astype(np.int64)], axis=1)
    certain = np.full(len(tree), tree.rules.board.full_mask, dtype=np.uint64)
    # In a tree from a file children may have lower numbers than their parents.
    plan: list[int] = []
    order: list[int] = []
    stack = [0]
    while stack:
        v = stack.pop()
        order.append(v)
        stack += tree.children[tree.first[v] : tree.first[v + 1]][::-1].tolist()
    for v in reversed(order):
        if tree.shots[v] < 0:
            certain[v] = np.bitwise_and.reduce(rows[tree.leaf[v] : tree.leaf[v + 1]])
        else:
            below = tree.children[tree.first[v] : tree.first[v + 1]]
            certain[v] = np.bitwise_and.reduce(certain[below])
    for v in order:
        cell = int(tree.shots[v])
        if cell >= 0 and not int(certain[v]) >> cell & 1:
            plan.append(cell)
    return np.array(plan, dtype=np.int8)
