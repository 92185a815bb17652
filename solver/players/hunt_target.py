"""Players that shoot in random order: ``random``, ``hunt-target``, ``hunt-target-parity``.

Source: the first three strategies of [Berry2011], told of hits and misses only.

*Hunting* is shooting at random. A hit puts the cells north, south, east and west of it that have
not been shot at the end of a list of targets; while there are targets the oldest one is shot.
[Berry2011] calls the list a stack, but his walkthrough takes targets in the order they were added:
the first hit's southern neighbour is shot before any neighbour of the second hit. Nothing is
concluded from the answers, so every neighbour of every hit is shot sooner or later.

With *parity* hunting keeps to the cells of one colour of a chessboard, those of A1, for no ship of
two cells or more avoids them. Ships of one cell can: when the colour is exhausted, hunting goes on
over the other one.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players import _hunt_kernels as k
from seabattle.solver.players._game_kernels import Batch, Hidden
from seabattle.solver.players.batches import BatchPlayer, answers_of


class Random(BatchPlayer):
    """Shoots anywhere, each cell not yet shot equally likely."""

    name = "random"
    needs = AnswerMode.HIT
    follows_hits = False
    parity = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        columns = rules.board.columns
        self.hunted_first = np.array(
            [not self.parity or sum(divmod(c, columns)) % 2 == 0 for c in range(rules.board.cells)],
            dtype=np.uint8,
        )

    def _begin(self) -> k.Hunt:
        return k.new_hunt(self.tables.arrays, int(self.follows_hits), self.hunted_first)

    def recall(self, position: Position, seed: np.uint64) -> k.Hunt:
        """Targets and random order after these answers."""
        hunt = self._begin()
        k.recall_hunt(self.tables.arrays, hunt, seed, *answers_of(position))
        return hunt

    def choose_from(self, state: k.Hunt, seed: np.uint64) -> int:
        """The oldest target, or the first cell of the game's random order."""
        return int(k.choose_hunt(state))

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        k.play_hunt(self.tables.arrays, self._begin(), hidden, batch)


class HuntTarget(Random):
    """Shoots anywhere until it hits, then around every hit."""

    name = "hunt-target"
    follows_hits = True


class HuntTargetParity(HuntTarget):
    """The same, hunting on one colour of the chessboard first."""

    name = "hunt-target-parity"
    parity = True
