"""The equilibrium mixes as a player.

Source: the solved game of hiding and shooting (``solver.equilibrium.double_oracle``). The player
draws a tree of the shooting mix and a symmetry of the board at the start of every game and plays
that. It cannot be exploited by an opponent who knows the mix.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import SeabattleError, Stop
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.players.chance import Chance, draw
from seabattle.solver.players.exact_map import shot_of_tree
from seabattle.solver.players.player import Player
from seabattle.solver.search.problem import refuse_large_board
from seabattle.trees.plans import require_plannable
from seabattle.trees.tree import Tree

GAP = 1e-3
"""Misses between the bounds of the mixes that are played."""
MOST_SOLVED = 2_000
"""Games with at most this many layouts are solved."""

_TREE, _TURN = 1 << 40, (1 << 40) + 1

_solved: dict[Rules, Equilibrium] = {}
"""The game solved last: player and layouts often belong to the same game."""


def why_not_mixed(position: Position) -> str:
    """Why the mixes of a game are out of reach; an empty text when they are not."""
    rules = position.rules
    if position.shots:
        return "the mixes are for games from an empty board"
    try:
        refuse_large_board(rules)
        require_plannable(rules)
    except SeabattleError as error:
        return str(error)
    if count_layouts(rules, most=MOST_SOLVED) > MOST_SOLVED:
        return f"the mixes are looked for among at most {MOST_SOLVED:,} layouts"
    return ""


def mixes_of(rules: Rules, stop: Stop = lambda: False) -> Equilibrium:
    """The mixes of a game; the game solved last is not solved again.

    Raises
    ------
    KeyboardInterrupt
        When ``stop``, called now and then, returns true.
    """
    if rules not in _solved:
        solved = equilibrium(rules, gap=GAP, memory_limit=usual_limit(), stop=stop)
        if solved.interrupted:
            raise KeyboardInterrupt(solved.stopped_by)
        _solved.clear()
        _solved[rules] = solved
    return _solved[rules]


class Mixed(Player):
    """Trees drawn at random so that nobody can prepare for them, on small boards.

    A tree of the shooting mix under a random symmetry, both drawn anew for every game.
    """

    name = "equilibrium"

    def __init__(self, rules: Rules, solved: Equilibrium) -> None:
        super().__init__(rules)
        self.solved = solved
        self._sums = list(accumulate(solved.shooting))
        self._trees: dict[int, Tree] = {}

    @classmethod
    def refuses(cls, position: Position) -> str:
        """Why the mixes are out of reach; an empty text when they are not."""
        return why_not_mixed(position)

    @classmethod
    def prepare(
        cls, position: Position, prior: Any, strategy: str | Path | None, stop: Stop
    ) -> tuple[Equilibrium]:
        """The mixes of the game."""
        return (mixes_of(position.rules, stop),)

    def _tree(self, chance: Chance) -> Tree:
        number = bisect_right(self._sums, draw(chance.seed, _TREE) * self._sums[-1] >> 64)
        if number not in self._trees:
            self._trees[number] = self.solved.tree(number)
        return self._trees[number]

    def choose(self, position: Position, chance: Chance) -> int:
        """The shot of the drawn tree at the node that the answers lead to."""
        turns = self.rules.symmetries
        turn = turns[draw(chance.seed, _TURN) * len(turns) >> 64]
        return shot_of_tree(self.name, self._tree(chance), position, turn=turn)
