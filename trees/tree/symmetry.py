"""Trees under symmetries of the board: the same strategy, rotated or reflected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seabattle.enumerate.errors import TreeError
from seabattle.enumerate.placements import PlacementTable, placement_table
from seabattle.trees.tree.tree import Tree


def transformed_placements(table: PlacementTable, symmetry: tuple[int, ...]) -> np.ndarray:
    """Number of the image of each placement under a symmetry: uint16 ``(n_placements,)``.

    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("1x3", "2")
    >>> transformed_placements(placement_table(rules), rules.board.symmetries[1]).tolist()
    [1, 0]
    """
    return np.array(
        [
            table.number_of_cells(tuple(sorted(symmetry[cell] for cell in p.cells)))
            for p in table.placements
        ],
        dtype=np.uint16,
    )


def transformed(tree: Tree, symmetry: tuple[int, ...]) -> Tree:
    """The tree that shoots ``symmetry[c]`` where this one shoots c.

    Parameters
    ----------
    tree
        A tree of a whole game, every layout of weight 1.
    symmetry
        One of ``tree.rules.board.symmetries``.

    Raises
    ------
    TreeError
        If the tree starts from a position or has weights, which the symmetry need not preserve.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> tree = greedy_tree(Rules("4x4", "3,2,1"))
    >>> copies = [transformed(tree, symmetry) for symmetry in tree.rules.board.symmetries]
    >>> sorted({copy.rules.board.name(copy.root.shot) for copy in copies})
    ['A1', 'A4', 'D1', 'D4']
    >>> {copy.total_misses for copy in copies} == {tree.total_misses}
    True
    """
    if tree.position.shots or len(tree.weights):
        raise TreeError("only a tree of a whole game with all layouts alike can be turned")
    cells = np.append(np.array(symmetry, dtype=np.int16), np.int16(-1))  # -1 stays at leaves
    placements = transformed_placements(placement_table(tree.rules), symmetry)
    return replace(tree, shots=cells[tree.shots], ships=np.sort(placements[tree.ships], axis=1))
