"""Replaying a strategy against one hidden layout, answer by answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, answer_text, sunk_code
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import LayoutError, PositionError, TreeError
from seabattle.enumerate.layouts import fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.words import split_list
from seabattle.trees.tree import Tree


def replay(tree: Tree, layout: str | Sequence[str]) -> list[tuple[str, str]]:
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
    names = split_list(layout) if isinstance(layout, str) else list(layout)
    rules = tree.rules
    table = placement_table(rules)
    numbers = table.parse_layout(names)
    try:
        fitting(tree.position, np.array([sorted(numbers)], dtype=np.uint16))
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


# ------------------------------------------------------------------------------------------------
# A hidden layout that answers shots by the rules.


class HiddenGame:
    """One hidden layout being shot at: answers by the rules.

    Parameters
    ----------
    rules
        The game.
    numbers
        Placement numbers of the hidden layout.
    before
        Pairs (cell, answer code) that count as shot already; the answers are worked out anew.
    """

    def __init__(
        self, rules: Rules, numbers: tuple[int, ...], before: Iterable[tuple[int, int]] = ()
    ) -> None:
        self.rules = rules
        placements = [placement_table(rules).placements[n] for n in numbers]
        self.ships = [p.mask for p in placements]
        self.lengths = [p.length for p in placements]
        self.occupied = sum(self.ships)
        self.shot = 0
        self.names: dict[int, int] = {}
        self.shots: list[tuple[int, int]] = []
        for cell, _ in before:
            self._answer(cell)

    def _answer(self, cell: int) -> int:
        bit = 1 << cell
        self.shot |= bit
        hit = next((d for d, mask in enumerate(self.ships) if mask & bit), None)
        if hit is None:
            return MISS
        length = self.lengths[hit]
        if self.rules.answers is AnswerMode.SHIP:
            equal = [d for d in self.names if self.lengths[d] == length]
            return HIT_SHIP + 64 * length + self.names.setdefault(hit, len(equal) + 1)
        if self.rules.answers is AnswerMode.HIT or self.ships[hit] & ~self.shot:
            return HIT
        return sunk_code(self.rules, length)

    def shoot(self, cell: int) -> int:
        """Answer code of a shot, which is recorded."""
        code = self._answer(cell)
        self.shots.append((cell, code))
        return code

    def left(self) -> list[int]:
        """Occupied cells not yet shot, in reading order."""
        return list(cells_of(self.occupied & ~self.shot))
