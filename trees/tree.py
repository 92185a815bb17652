"""A strategy as a decision tree: frozen data.

A node is either *inner* (a cell to shoot, and one child for every answer that can come) or a
*leaf* (one occupancy left, with every layout that shares it; nothing more is missed). Nodes are
kept in flat arrays, so that a tree of a million leaves is a few dozen megabytes; ``Node`` is a
light view of one of them. Node 0 is the root.

============  ===========================  ==================================================
array         shape, dtype                 meaning
============  ===========================  ==================================================
``shots``     (n_nodes,) int16             cell to shoot, -1 at a leaf
``first``     (n_nodes+1,) int64           children of node v: edges first[v] to first[v+1]-1
``answers``   (n_edges,) uint16            answer code of each edge (``enumerate.answers``)
``children``  (n_edges,) int32             node at the end of each edge
``leaf``      (n_nodes+1,) int64           layouts of node v: rows leaf[v] to leaf[v+1]-1
``ships``     (n_layouts, n_ships) uint16  placement numbers of the leaves' layouts
============  ===========================  ==================================================

Cost: a shot that misses costs 1, every other shot 0. *Worst* is the most misses any layout costs,
*total* the sum over the layouts (times their weights).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS, answer_text
from seabattle.enumerate.errors import TreeError
from seabattle.enumerate.layouts import MAX_ENUMERATED_CELLS
from seabattle.enumerate.placements import PlacementTable, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

NODES_SHOWN = 40
"""Trees of at most this many nodes are shown whole in a notebook."""

SHOTS_SHOWN = 3
"""Depth to which a larger tree is shown."""


class Reading(StrEnum):
    """How a strategy reads a plain ``hit`` where sinkings are announced.

    ``full``: the ship hit is not complete yet; ``positive``: the cell is occupied, nothing more.
    """

    FULL = "full"
    POSITIVE = "positive"


@dataclass(frozen=True)
class Node:
    """View of one node of a tree."""

    tree: Tree
    index: int

    @property
    def is_leaf(self) -> bool:
        """Whether one occupancy is left."""
        return bool(self.tree.shots[self.index] < 0)

    @property
    def shot(self) -> int:
        """Cell to shoot; -1 at a leaf."""
        return int(self.tree.shots[self.index])

    @property
    def edges(self) -> Iterator[tuple[int, Node]]:
        """Answer codes with the node each leads to."""
        tree = self.tree
        for e in range(int(tree.first[self.index]), int(tree.first[self.index + 1])):
            yield int(tree.answers[e]), Node(tree, int(tree.children[e]))

    @property
    def children(self) -> dict[str, Node]:
        """Next node by answer text."""
        return {answer_text(code): node for code, node in self.edges}

    @property
    def layouts(self) -> list[list[str]]:
        """Layouts of a leaf, each as the names of its ships; empty at an inner node."""
        table = placement_table(self.tree.rules)
        start, stop = (int(edge) for edge in self.tree.leaf[self.index : self.index + 2])
        return [table.names(row) for row in self.tree.ships[start:stop]]

    @property
    def occupancy(self) -> int:
        """Mask of the cells a leaf's layouts occupy; 0 at an inner node."""
        if not self.is_leaf:
            return 0
        placements = placement_table(self.tree.rules).placements
        layout = self.tree.ships[int(self.tree.leaf[self.index])]
        return sum(placements[int(number)].mask for number in layout)


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree; see the module's text for the arrays.

    Attributes
    ----------
    rules, position
        The game, and the shots made before the tree begins (none for a whole game).
    reading, objective, status
        How plain hits were read; what was minimised (or the greedy rule used); ``optimal``,
        ``bounded`` or ``heuristic``.
    total_misses, worst_misses
        Cost that the tree claims; ``verify`` recomputes both.
    weights
        int64 ``(n_layouts,)`` in the order of ``ships``, or length 0 when uniform. Layouts that
        weigh 0 are not listed.

    Raises
    ------
    TreeError
        If the board has more than 128 cells.
    """

    rules: Rules
    shots: NDArray[np.int16]
    first: NDArray[np.int64]
    answers: NDArray[np.uint16]
    children: NDArray[np.int32]
    leaf: NDArray[np.int64]
    ships: NDArray[np.uint16]
    weights: NDArray[np.int64]
    reading: Reading
    objective: str
    status: str
    total_misses: int
    worst_misses: int
    position: Position

    @classmethod
    def counted(
        cls, position: Position, objective: str, status: str, arrays: dict[str, NDArray[Any]]
    ) -> Tree:
        """A tree of layouts that are all alike, given by its arrays: its cost is counted."""
        tree = cls(
            rules=position.rules,
            weights=np.empty(0, dtype=np.int64),
            reading=Reading.FULL,
            objective=objective,
            status=status,
            total_misses=0,
            worst_misses=0,
            position=position,
            **arrays,
        )
        misses = tree.distribution
        total = sum(missed * layouts for missed, layouts in misses.items())
        return replace(tree, total_misses=total, worst_misses=max(misses))

    def __post_init__(self) -> None:
        board = self.rules.board
        if board.cells > MAX_ENUMERATED_CELLS:
            raise TreeError(
                f"board {board}: trees are for boards of up to {MAX_ENUMERATED_CELLS} cells, "
                f"this one has {board.cells}"
            )
        for name in ("shots", "first", "answers", "children", "leaf", "ships", "weights"):
            getattr(self, name).flags.writeable = False

    def lettered(self, letters: str) -> Tree:
        """The same tree with the columns of its board named in other letters."""
        position = self.position.lettered(letters)
        return replace(self, rules=position.rules, position=position)

    def __len__(self) -> int:
        """Number of nodes."""
        return int(self.shots.shape[0])

    def __repr__(self) -> str:
        return (
            f"<tree of {len(self)} nodes, {self.leaves} leaves: {self.rules}, "
            f"{self.objective}, {self.status}, worst {self.worst_misses}, "
            f"total {self.total_misses}>"
        )

    @property
    def root(self) -> Node:
        """Node 0."""
        return Node(self, 0)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return int((self.shots < 0).sum())

    @property
    def layouts(self) -> int:
        """Number of layouts in the leaves."""
        return int(self.ships.shape[0])

    @property
    def parents(self) -> NDArray[np.int64]:
        """Node above each edge: int64 ``(n_edges,)``."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def levels(self) -> list[NDArray[np.int64]]:
        """Numbers of the edges that leave the root, then of those a shot below it, and so on.

        Raises
        ------
        TreeError
            If the nodes are not a tree: one is reached twice, or by itself.
        """
        if len(np.unique(self.children)) != len(self.children) or (self.children == 0).any():
            raise TreeError("the nodes are not a tree: a node has more than one parent")
        found = []
        nodes = np.zeros(1, dtype=np.int64)
        while len(nodes):
            number = self.first[nodes + 1] - self.first[nodes]
            before = np.cumsum(number) - number
            edges = np.arange(int(number.sum())) + np.repeat(self.first[nodes] - before, number)
            found.append(edges)
            nodes = self.children[edges].astype(np.int64)
        return found

    @property
    def weight(self) -> int:
        """Sum of the weights: the number of layouts when they are uniform."""
        return int(self.weights.sum()) if len(self.weights) else self.layouts

    @property
    def mean_misses(self) -> Fraction:
        """Total misses divided by the weight."""
        return Fraction(self.total_misses, self.weight)

    @property
    def distribution(self) -> dict[int, int]:
        """How many layouts cost so many misses, by misses: their weight where they have weights.

        Examples
        --------
        >>> from seabattle.enumerate.rules import Rules
        >>> from seabattle.solver.search.greedy import greedy_tree
        >>> greedy_tree(Rules("3x3", "3,1,1")).distribution
        {0: 1, 1: 1, 2: 1, 3: 1}
        """
        missed = np.zeros(len(self), dtype=np.int64)
        parents = self.parents
        for edges in self.levels():
            missed[self.children[edges]] = missed[parents[edges]] + (self.answers[edges] == MISS)
        return distribution_of(np.repeat(missed, np.diff(self.leaf)), self.weights)

    def finished(self, misses: int) -> int:
        """Layouts (their weight) that cost at most so many misses."""
        return sum(weight for k, weight in self.distribution.items() if k <= misses)

    def _repr_svg_(self) -> str:
        from seabattle.trees.drawing.tree_svg import svg

        return svg(self, depth=None if len(self) <= NODES_SHOWN else SHOTS_SHOWN)


def distribution_of(misses: NDArray[np.int64], weights: NDArray[np.int64]) -> dict[int, int]:
    """Weight of the layouts that cost so many misses, by misses in rising order.

    Parameters
    ----------
    misses
        int64 ``(n_layouts,)``.
    weights
        int64 ``(n_layouts,)``, or length 0 when all are 1.
    """
    if not len(weights):
        found = np.bincount(misses)
    else:
        found = np.zeros(int(misses.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(found, misses, weights)
    return {k: int(found[k]) for k in np.flatnonzero(found).tolist()}


def distribution_document(distribution: dict[int, int]) -> dict[str, int]:
    """A distribution as a JSON object, whose keys are text."""
    return {str(misses): weight for misses, weight in distribution.items()}


def distribution_text(distribution: dict[int, int]) -> str:
    """A distribution on one line.

    >>> distribution_text({0: 1, 1: 3, 2: 12})
    '0: 1, 1: 3, 2: 12'
    """
    return ", ".join(f"{misses}: {weight}" for misses, weight in distribution.items())


def tree_arrays(
    nodes: Sequence[tuple[int, Sequence[tuple[int, int]], Sequence[Sequence[int]]]], ships: int
) -> dict[str, Any]:
    """Flat arrays of a tree given node by node as (shot, [(answer, child)], layouts).

    ``ships`` is the number of ships of the fleet; a leaf has shot -1 and its layouts as
    placement numbers.
    """
    edges = [len(node[1]) for node in nodes]
    rows = [len(node[2]) for node in nodes]
    layouts = [layout for node in nodes for layout in node[2]]
    return {
        "shots": np.array([node[0] for node in nodes], dtype=np.int16),
        "first": np.concatenate(([0], np.cumsum(edges))).astype(np.int64),
        "answers": np.array([a for node in nodes for a, _ in node[1]], dtype=np.uint16),
        "children": np.array([c for node in nodes for _, c in node[1]], dtype=np.int32),
        "leaf": np.concatenate(([0], np.cumsum(rows))).astype(np.int64),
        "ships": np.array(layouts, dtype=np.uint16).reshape(len(layouts), ships),
    }


# ------------------------------------------------------------------------------------------------
# Trees under symmetries of the board: the same strategy, rotated or reflected.


def transformed_placements(table: PlacementTable, symmetry: tuple[int, ...]) -> np.ndarray:
    """Number of the image of each placement under a symmetry: uint16 ``(n_placements,)``.

    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("1x3", "2")
    >>> transformed_placements(placement_table(rules), rules.symmetries[1]).tolist()
    [1, 0]
    """
    own = table.covering.T
    moved = np.zeros_like(own)
    moved[:, list(symmetry)] = own
    own, moved = np.packbits(own, axis=1), np.packbits(moved, axis=1)
    order, images = np.lexsort(own.T), np.lexsort(moved.T)
    assert np.array_equal(own[order], moved[images]), "every image is a placement"
    found = np.empty(len(table), dtype=np.uint16)
    found[images] = order
    return found


def transformed(tree: Tree, symmetry: tuple[int, ...]) -> Tree:
    """The tree that shoots ``symmetry[c]`` where this one shoots c.

    Parameters
    ----------
    tree
        A tree of a whole game, every layout of weight 1.
    symmetry
        One of ``tree.rules.symmetries``.

    Raises
    ------
    TreeError
        If the tree starts from a position or has weights, which the symmetry need not preserve.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> tree = greedy_tree(Rules("4x4", "3,2,1"))
    >>> copies = [transformed(tree, symmetry) for symmetry in tree.rules.symmetries]
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
