"""Trees as text, and the part of a tree that a text, an export or a drawing shows.

The whole tree is selected, or its first ``depth`` shots, or one path with everything that leaves
it. Each selected node is of one of these kinds:

* *inner*: the next shot, with its answers below it;
* *leaf*: one occupancy left, with every layout that shares it;
* *stub*: an inner node whose subtree is not shown, only its numbers. Along a path every node off
  the path is a stub, leaves included;
* *fold*: an inner node that a drawing on paper goes on from in another part.

In a text answers that hit come first and the miss last; in a picture the miss comes first, on the
left, as in the explorer. Either way the *miss path* (the branch where every shot misses) runs along
one edge. *Layouts* of a node are those still possible there; *misses* are those on the way to it
since the tree began, *worst* the most still to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS, answer_symbol, answer_text
from seabattle.enumerate.errors import DrawingError
from seabattle.enumerate.rules import Announce
from seabattle.enumerate.words import counted, plain
from seabattle.trees.replay import replay
from seabattle.trees.tree import Node, Reading, Tree

MISS_PATH = "misses"
"""The path that names no layout: the branch where every shot misses."""

TreePath = str | Sequence[str]
"""``"misses"``, or the ships of a layout as a list or joined by commas or spaces."""


class NodeKind(StrEnum):
    """What is shown of a node."""

    INNER = "inner"
    LEAF = "leaf"
    STUB = "stub"
    FOLD = "fold"


@dataclass(frozen=True)
class SelectedNode:
    """One node of the selection.

    Attributes
    ----------
    node
        The node of the tree.
    parent
        Place of its parent among the selected nodes, -1 at the root.
    code
        Code of the answer that leads here, -1 at the root.
    kind
        What is shown of it.
    depth
        Shots from the root to here.
    shots
        Pairs (cell, answer code) shot up to here, those before the tree begins included.
    misses, worst
        Misses since the tree began, and the most still to come.
    layouts
        Number of layouts still possible.
    on_path
        Whether the path asked for passes here; false without a path.
    """

    node: Node
    parent: int
    code: int
    kind: NodeKind
    depth: int
    shots: tuple[tuple[int, int], ...]
    misses: int
    worst: int
    layouts: int
    on_path: bool


def numbers_below(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Layouts and worst misses still to come of every node, two arrays int64 ``(n_nodes,)``.

    Nodes that the root does not reach have 0. Raises as ``Tree.levels``.
    """
    layouts = np.diff(tree.leaf).astype(np.int64)
    worst = np.zeros(len(tree), dtype=np.int64)
    parents = tree.parents
    for edges in reversed(tree.levels()):
        children = tree.children[edges]
        np.add.at(layouts, parents[edges], layouts[children])
        np.maximum.at(worst, parents[edges], worst[children] + (tree.answers[edges] == MISS))
    return layouts, worst


def path_nodes(tree: Tree, path: TreePath) -> list[Node]:
    """Nodes along a path from the root.

    Parameters
    ----------
    tree
        The tree.
    path
        ``"misses"``: the miss child as long as there is one; else the ships of a layout: the
        answers that layout gives, down to its leaf.

    Raises
    ------
    LayoutError, BoardError
        If the path is not a layout of the tree's rules, or contradicts its position.
    TreeError
        If the tree does not know the layout.
    """
    missing = repeat("miss")
    answers = missing if path == MISS_PATH else (answer for _, answer in replay(tree, path))
    nodes = [tree.root]
    for answer in answers:
        following = nodes[-1].children.get(answer)
        if following is None:
            break
        nodes.append(following)
    return nodes


def select_nodes(
    tree: Tree,
    *,
    depth: int | None = None,
    path: TreePath | None = None,
    most: int | None = None,
    miss_first: bool = False,
) -> list[SelectedNode]:
    """Nodes to show, each after its parent, every subtree in one piece.

    Parameters
    ----------
    tree
        The tree.
    depth
        Shots to show from the root; inner nodes after that many are stubs. By default all.
    path
        Show only this path (see ``path_nodes``) and, as stubs, what leaves it.
    most
        Most nodes that can be shown; by default any number.
    miss_first
        Whether the miss comes before the hits.

    Raises
    ------
    DrawingError
        If ``depth`` is negative or there are more than ``most`` nodes to show.
    LayoutError, BoardError, TreeError
        If ``path`` is not a layout that the tree knows.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> tree = greedy_tree(Rules("3x3", "3,1,1"), "hits")
    >>> selected = select_nodes(tree, path="misses")
    >>> selected[0].layouts, selected[0].worst
    (4, 3)
    """
    if depth is not None and depth < 0:
        raise DrawingError(f"depth {depth}: give the number of shots to show, 0 or more")
    layouts, worst = numbers_below(tree)
    along = None if path is None else {node.index for node in path_nodes(tree, path)}
    selected: list[SelectedNode] = []
    waiting: list[tuple[Node, int, int, tuple[tuple[int, int], ...], int]] = [
        (tree.root, -1, -1, tree.position.shots, 0)
    ]
    while waiting:
        if most is not None and len(selected) + len(waiting) > most:
            raise DrawingError(
                f"more than {most} nodes are too many for a picture: give a depth or a path"
            )
        node, parent, code, shots, misses = waiting.pop()
        level = selected[parent].depth + 1 if parent >= 0 else 0
        on_path = along is not None and node.index in along
        kind = NodeKind.LEAF if node.is_leaf else NodeKind.INNER
        if (along is not None and not on_path) or (kind is NodeKind.INNER and level == depth):
            kind = NodeKind.STUB
        selected.append(
            SelectedNode(
                node=node,
                parent=parent,
                code=code,
                kind=kind,
                depth=level,
                shots=shots,
                misses=misses,
                worst=int(worst[node.index]),
                layouts=int(layouts[node.index]),
                on_path=on_path,
            )
        )
        if kind is NodeKind.INNER:
            place = len(selected) - 1
            edges = sorted(node.edges, key=lambda edge: ((edge[0] == MISS) != miss_first, edge[0]))
            for answer, below in reversed(edges):
                history = (*shots, (node.shot, answer))
                waiting.append((below, place, answer, history, misses + (answer == MISS)))
    return selected


def ships_text(node: Node, between: str = " or ") -> str:
    """The ships of a leaf, its layouts one after the other."""
    return between.join(" ".join(names) for names in node.layouts)


def still_to_come(item: SelectedNode) -> str:
    """The worst case of the misses still to come at a node, in words."""
    return f"up to {counted(item.worst, 'more miss')}" if item.worst else "no more misses"


def shots_text(tree: Tree, shots: Sequence[tuple[int, int]]) -> str:
    """Shots with their answers, as in ``C3 miss, A1 hit``."""
    return ", ".join(f"{tree.rules.board.name(cell)} {answer_text(code)}" for cell, code in shots)


def rules_text(tree: Tree) -> str:
    """The rules in one line, with announcement and reading of hits where these matter."""
    rules = tree.rules
    parts = [str(rules)]
    if rules.order_matters:
        announced = "its length" if rules.announce is Announce.LENGTH else "nothing more"
        parts.append(f"a sinking tells {announced}")
    if tree.reading is Reading.POSITIVE:
        parts.append("hits read as positive only")
    return ", ".join(parts)


def mean_decimal(tree: Tree, digits: int = 2) -> str:
    """The mean as a decimal, without zeros at its end."""
    return f"{float(tree.mean_misses):.{digits}f}".rstrip("0").rstrip(".")


def mean_text(tree: Tree) -> str:
    """The mean as a fraction and as a decimal.

    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> mean_text(greedy_tree(Rules("3x3", "3,1,1"), "hits"))
    '3/2 = 1.5'
    """
    mean, decimal = tree.mean_misses, mean_decimal(tree, 4)
    if mean.denominator == 1:
        return decimal
    exact = (mean * 10_000).denominator == 1
    return f"{mean.numerator}/{mean.denominator} {'=' if exact else '≈'} {decimal}"


def cost_text(tree: Tree) -> str:
    """Objective, status and cost of a tree, in one line."""
    return (
        f"strategy {plain(tree.objective)}, {plain(tree.status)}: "
        f"worst {counted(tree.worst_misses, 'miss')}, total {tree.total_misses:,}, "
        f"mean {mean_text(tree)}, {counted(tree.layouts, 'layout')}"
    )


# ------------------------------------------------------------------------------------------------
# A tree as indented text.
#
# One line per node: the answer that leads there (``.`` miss, ``x`` hit, ``X`` sunk, with a length
# or name if announced), then the cell to shoot and how many layouts are left; or, after ``=``, the
# ships of a leaf and the misses made on the way. ``...`` stands for a subtree that is not shown.


def node_words(tree: Tree, item: SelectedNode, between: str = " or ") -> tuple[str, str]:
    """What a node is, and what is left or was missed there; of a stub, what is to come."""
    left = counted(item.layouts, "layout")
    if item.kind is NodeKind.STUB:
        return left, still_to_come(item)
    if item.kind is NodeKind.INNER:
        return tree.rules.board.name(item.node.shot), left
    return ships_text(item.node, between), counted(item.misses, "miss")


LINES = {NodeKind.INNER: "{} ({})", NodeKind.LEAF: "= {} ({})", NodeKind.STUB: "... ({}, {})"}
"""How a node is told in a text."""


def text(tree: Tree, *, depth: int | None = None, path: TreePath | None = None) -> str:
    """The strategy as indented text.

    Parameters
    ----------
    tree
        The strategy.
    depth
        Shots to print from the root; by default all.
    path
        Print only one path: ``"misses"`` for the branch where every shot misses, or the ships of
        a layout, as a list or joined by commas or spaces.

    Returns
    -------
    str
        Two lines on the rules and the cost (three when shots were made before the tree begins),
        an empty line, then one line per node.

    Raises
    ------
    DrawingError
        If ``depth`` is negative.
    LayoutError, BoardError, TreeError
        If ``path`` is not a layout that the tree knows.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> print(text(greedy_tree(Rules("3x3", "3,1,1"), "hits"), depth=1).splitlines()[0])
    3x3, fleet 3,1,1, contact none, answers hit
    """
    lines = [rules_text(tree), cost_text(tree)]
    if tree.position.shots:
        lines.append(f"after {shots_text(tree, tree.position.shots)}")
    lines.append("")
    for item in select_nodes(tree, depth=depth, path=path):
        symbol = f"{answer_symbol(item.code)} " if item.parent >= 0 else ""
        lines.append("  " * item.depth + symbol + LINES[item.kind].format(*node_words(tree, item)))
    return "\n".join(lines)
