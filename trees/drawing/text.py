"""A tree as indented text.

One line per node: the answer that leads there (``.`` miss, ``x`` hit, ``X`` sunk, with a length or
name if announced), then the cell to shoot and how many layouts are left; or, after ``=``, the ships
of a leaf and the misses made on the way. ``...`` stands for a subtree that is not shown.
"""

from __future__ import annotations

from seabattle.enumerate.answers import answer_symbol
from seabattle.enumerate.words import counted
from seabattle.trees.drawing.selection import (
    NodeKind,
    Path,
    SelectedNode,
    cost_text,
    rules_text,
    select_nodes,
    ships_text,
    shots_text,
    still_to_come,
)
from seabattle.trees.tree import Tree


def _line(tree: Tree, item: SelectedNode) -> str:
    left = counted(item.layouts, "layout")
    if item.kind is NodeKind.STUB:
        return f"... ({left}, {still_to_come(item)})"
    if item.kind is NodeKind.INNER:
        return f"{tree.rules.board.name(item.node.shot)} ({left})"
    return f"= {ships_text(item.node)} ({counted(item.misses, 'miss')})"


def text(tree: Tree, *, depth: int | None = None, path: Path | None = None) -> str:
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
        If ``path`` is no layout that the tree knows.

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
        lines.append("  " * item.depth + symbol + _line(tree, item))
    return "\n".join(lines)
