"""Replaying a strategy against one hidden layout, answer by answer."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.arguments import require_type
from seabattle.enumerate.errors import (
    LayoutError,
    PositionError,
    TreeError,
    is_iterable,
    wrong_type,
)
from seabattle.enumerate.layouts import fitting_ships
from seabattle.enumerate.placements import placement_table
from seabattle.trees.tree.hidden_game import HiddenGame
from seabattle.trees.tree.tree import Tree


def replay(tree: Tree, layout: str | list[str]) -> list[tuple[str, str]]:
    """Shots and answers of a game against one layout, until the fleet is sunk.

    Parameters
    ----------
    tree
        The strategy.
    layout
        The hidden layout: names of its ships, as a list or joined by commas or spaces.

    Returns
    -------
    list
        Pairs (cell name, answer text): the tree's shots, then the cells left to hit.

    Raises
    ------
    LayoutError
        If the layout breaks the rules.
    TreeError
        If the tree does not know the layout.
    """
    require_type("tree", tree, Tree, "a Tree, such as solve(game).tree")
    if not is_iterable(layout):
        raise wrong_type("layout", "the names of its ships, such as 'A1:A3,C1'", layout)
    names = layout.replace(",", " ").split() if isinstance(layout, str) else list(layout)
    rules = tree.rules
    table = placement_table(rules)
    numbers = table.parse_layout(names)
    try:
        fitting_ships(tree.position, np.array([sorted(numbers)], dtype=np.uint16))
    except PositionError:
        raise LayoutError(
            f"layout {' '.join(names)} does not fit the position this tree starts from"
        ) from None
    game = HiddenGame(rules, numbers, tree.position.shots)
    node = tree.root
    while not node.is_leaf:
        cell = node.shot
        if game.shot >> cell & 1:
            raise TreeError(f"the tree shoots {rules.board.name(cell)} twice")
        code = game.shoot(cell)
        following = dict(node.edges).get(code)
        if following is None:
            raise TreeError(
                f"the tree has no branch for {answer_text(code)!r} at {rules.board.name(cell)}"
            )
        node = following
    if node.occupancy != game.occupied:
        raise TreeError(f"the tree ends at another layout than {' '.join(names)}")
    for cell in game.left():
        game.shoot(cell)
    return [(rules.board.name(cell), answer_text(code)) for cell, code in game.shots]


def misses_of(shots: list[tuple[str, str]]) -> int:
    """Number of misses among shots and answers."""
    return sum(answer == "miss" for _, answer in shots)
