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
    blocks of ``players.BLOCK`` games and then begins anew, so that no result depends on who plays
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

import numpy as np

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players import _bob_kernels as bob
from seabattle.solver.players import _ship_kernels as k
from seabattle.solver.players._game_kernels import Batch, Hidden
from seabattle.solver.players.batches import BatchPlayer, answers_of
from seabattle.solver.players.player import BLOCK

SIDE_WEIGHT = 1.1
"""Weight of a cell at the side of the board; the others weigh 1."""
NOISE = 0.01
"""Greatest random number added to a chance."""
GROWTH = 0.02
"""What a hit adds to a cell's weight in the games to come."""


class Over9000(BatchPlayer):
    """Chances of each named ship by itself, favoured edges and a little noise."""

    name = "over-9000"
    needs = AnswerMode.SHIP
    side_weight = SIDE_WEIGHT
    noise = NOISE
    growth = 0.0

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        board = rules.board
        self.cell_weights = np.array(
            [
                self.side_weight if len(board.neighbours(cell)) < 4 else 1.0
                for cell in range(board.cells)
            ]
        )
        self.grown = self.cell_weights.copy()

    def begin_block(self) -> None:
        """Forget what was learnt."""
        self.grown = self.cell_weights.copy()

    def finish(self, position: Position) -> None:
        """Raise the weights of the cells hit."""
        for cell, code in position.shots:
            if code != MISS:
                self.grown[cell] += self.growth

    def recall(self, position: Position, seed: np.uint64) -> k.NamedShips:
        """What each ship's placements are after these answers."""
        ships = k.new_named(self.tables.arrays, self.grown, self.noise)
        k.recall_named(self.tables.arrays, ships, *answers_of(position))
        return ships

    def choose_from(self, state: k.NamedShips, seed: np.uint64) -> int:
        """The cell of the highest weighted chance."""
        return int(k.choose_named(self.tables.arrays, state, seed))

    def ship_chances(self, position: Position) -> list[dict[int, float]]:
        """For each ship not sunk, longest first, the chance that it covers each cell it can.

        Ships hit come before the others of their length, in the order of their names.
        """
        tables = self.tables.arrays
        ships = self.recall(position, np.uint64(0))
        found = []
        for row, equal in enumerate(tables.ships_of.tolist()):
            for n in range(ships.named[row]):
                if ships.left[row, n] > 0:
                    ways = k.count_own(tables, ships, row, n)
                    found.append({int(x): ships.own[x] / ways for x in np.flatnonzero(ships.own)})
            count, total = ships.fitting.count[row], ships.fitting.total[row]
            unhit = {int(x): count[x] / total for x in np.flatnonzero(count)}
            found += [unhit] * (equal - int(ships.named[row]))
        return found

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        ships = k.new_named(self.tables.arrays, self.cell_weights.copy(), self.noise)
        k.play_named(
            self.tables.arrays, ships, hidden, batch, self.cell_weights, self.growth, BLOCK
        )


class Learning(Over9000):
    """Over-9000 that favours the cells where it hit in earlier games."""

    name = "learning"
    growth = GROWTH
    learns = True


class Bob(BatchPlayer):
    """Chances of each ship by itself, told of hits and misses only."""

    name = "bob"
    needs = AnswerMode.HIT

    def recall(self, position: Position, seed: np.uint64) -> bob.UnnamedShips:
        """Which placements fit these answers."""
        ships = bob.new_unnamed(self.tables.arrays)
        bob.recall_unnamed(self.tables.arrays, ships, *answers_of(position))
        return ships

    def choose_from(self, state: bob.UnnamedShips, seed: np.uint64) -> int:
        """The cell of the highest chance."""
        return int(bob.choose_unnamed(self.tables.arrays, state))

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        bob.play_unnamed(self.tables.arrays, bob.new_unnamed(self.tables.arrays), hidden, batch)
