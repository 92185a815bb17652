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

from ctypes import Structure
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import BatchPlayer

NEVER = 2
"""When a cell that is blocked is hunted; the others first, 0, or later, 1."""


class Random(BatchPlayer):
    """Shoots anywhere."""

    name = "random"
    needs = AnswerMode.HIT
    follows_hits = False
    parity = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        columns = rules.board.columns
        self.turns = np.array(
            [self.parity and sum(divmod(cell, columns)) % 2 for cell in range(rules.board.cells)],
            dtype=np.uint8,
        )
        self.turns[list(rules.blocked)] = NEVER

    def run(self, games: Structure, memory: NDArray[np.uint8]) -> tuple[int, NDArray[Any]]:
        """Play games; nothing is weighed."""
        neighbours = self.tables.neighbours if self.follows_hits else None
        status = core().play_hunt(self.tables.placements, games, neighbours, self.turns, memory)
        return status, np.empty((0, 0), dtype=np.int64)


class HuntTarget(Random):
    """Shoots anywhere until it hits, then around every hit."""

    name = "hunt-target"
    follows_hits = True


class HuntTargetParity(HuntTarget):
    """The same, hunting on every second cell first."""

    name = "hunt-target-parity"
    parity = True
