"""Players that treat each ship by itself: ``over-9000``, ``learning`` and ``bob``.

Source: [Chronicles2010].

For each ship by itself, every placement that agrees with the answers is taken as equally likely;
``p(cell)`` is the share of them that cover the cell. Taking the ships as independent of each other
the chance that a cell is occupied is ``1 - (1 - p1) * (1 - p2) * ...``, and the cell of the
highest chance is shot.

``over-9000``
    Hits name the ship: its placements cover its own hits and nothing else that was shot. The
    chance is multiplied by a weight of the cell, higher at the board's sides because people like
    to place ships there, and a small random number is added. The source gives neither number:
    here ``SIDE_WEIGHT`` and ``NOISE``.
``learning``
    The improvement that [Chronicles2010] suggests: a cell's weight grows by ``GROWTH`` with every
    hit there in earlier games, against people who play a small set of layouts. It learns within
    blocks of ``player.BLOCK`` games and then begins anew, so that no result depends on who plays
    which block.
``bob``
    Told of hits and misses only, without weights and noise. The source does not say how hits enter
    when they do not name a ship; here they do by the same assumption of independence. A hit that a
    placement of a ship does not cover must be another ship's, which has the chance ``q`` by the
    formula above over the other ships; so each hit that it does cover makes the placement
    ``1 / q`` times as likely as it would be. ``q`` is taken to be at least a millionth
    (``LEAST_OTHER``): where no other ship can lie on the hit, ``q`` is 0, and the placement becomes
    a million times as likely instead of certain.

Under the contact rules ``none`` and ``corners`` a placement agrees with the answers only if no
ship known to be another one lies where the rule keeps ships apart.
"""

from __future__ import annotations

from ctypes import Structure
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.core.library import core
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import BatchPlayer

SIDE_WEIGHT = 1.1
"""Weight of a cell at the side of the board; the others weigh 1."""
NOISE = 0.01
"""Greatest random number added to a chance."""
GROWTH = 0.02
"""What a hit adds to a cell's weight in the games to come."""
LEAST_OTHER = 1e-6
"""The chance that a hit is another ship's is taken to be at least this."""


class Over9000(BatchPlayer):
    """Chances of each named ship by itself, favoured edges and a little noise."""

    name = "over-9000"
    needs = AnswerMode.SHIP
    growth = 0.0

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.begin_block()

    def begin_block(self) -> None:
        """Forget what was learnt."""
        self.grown = np.where((self.tables.neighbours < 0).any(axis=1), SIDE_WEIGHT, 1.0)

    def finish(self, position: Position) -> None:
        """Raise the weights of the cells hit."""
        for cell, code in position.shots:
            if code != MISS:
                self.grown[cell] += self.growth

    def run(self, games: Structure, memory: NDArray[np.uint8]) -> tuple[int, NDArray[Any]]:
        """Play games, and count the placements of ships not hit."""
        scores = self.empty_scores()
        status = core().play_named(
            self.tables.placements, games, self.tables.alike, self.grown, self.growth, NOISE,
            scores, memory,
        )  # fmt: skip
        return status, scores


class Learning(Over9000):
    """Over-9000 that favours the cells where it hit in earlier games."""

    name = "learning"
    growth = GROWTH
    learns = True


class Bob(BatchPlayer):
    """Chances of each ship by itself, told of hits and misses only."""

    name = "bob"
    needs = AnswerMode.HIT
    uses_chance = False

    def run(self, games: Structure, memory: NDArray[np.uint8]) -> tuple[int, NDArray[Any]]:
        """Play games, and weigh the placements that fit."""
        chances = self.empty_scores(np.float64)
        status = core().play_unnamed(
            self.tables.placements, games, self.tables.alike, LEAST_OTHER, chances, memory
        )
        return status, chances
