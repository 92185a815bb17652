"""Plans: trees in compact form, written as their open shots alone.

Given the rules, most of a tree follows from a few of its shots. Walk it in preorder: first the
branch of the miss, then that of the hit, then that of the sinking. Where one layout is left there
is nothing to choose; where sinkings are announced, cells that every layout still possible
occupies are shot at once, in reading order. The *plan* is what remains, in that order: one cell
for each choice the strategy makes, at most one less than there are layouts. The plan of a tree of
2,855 nodes has 1,427 cells, and a mixed strategy of a hundred trees stays a small file.

Plans are for games in which an occupancy belongs to one layout: contact rules ``none`` and
``corners``, answer modes ``hit`` and ``sunk``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.errors import RulesError, TreeError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.trees.tree import Tree

_BYTES_PER_LAYOUT = 96
"""More than the core takes for each of them, and at least as much once more."""


def walk_memory(layouts: int) -> NDArray[np.uint8]:
    """Memory in which the core walks a tree of so many layouts."""
    return np.empty((layouts + 8) * _BYTES_PER_LAYOUT, dtype=np.uint8)


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
        shots, parents = np.empty(most, dtype=np.int16), np.empty(most, dtype=np.int32)
        answers, rows = np.empty(most, dtype=np.uint16), np.empty(most, dtype=np.int32)
        nodes = core().grow_plan(
            self.rows, self.ships, self.rules.board.cells,
            int(self.rules.answers is AnswerMode.SUNK), np.ascontiguousarray(plan),
            core().structure(
                "grown",
                {"shots": shots, "parents": parents, "answers": answers, "layouts": rows},
            ),
            walk_memory(n),
        )  # fmt: skip
        if nodes <= 0:
            raise TreeError(
                f"the plan is not one for {self.rules}: give one cell for each choice, in preorder"
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
