"""Players that treat each ship by itself: ``over-9000``, ``learning`` and ``bob``.

Source: "Battleship Chronicles, Part IV: Over 9000" (2010).

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
    The improvement that the source suggests: a cell's weight grows by ``GROWTH`` with every hit
    there in earlier games, against people who play a small set of layouts. It learns within blocks
    of ``players.BLOCK`` games and then begins anew, so that no result depends on who plays which
    block.
``bob``
    Told of hits and misses only, without weights and noise. The source does not say how hits enter
    when they do not name a ship; here they do by the same assumption of independence. A hit that a
    placement of a ship does not cover must be another ship's, which has the chance ``q`` by the
    formula above over the other ships; so each hit that it does cover makes the placement
    ``1 / q`` times as likely as it would be.

Under the contact rules ``none`` and ``corners`` a placement agrees with the answers only if no
ship known to be another one lies where the rule keeps ships apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.answers import HIT_SHIP, MISS
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.solver.players import _ship_kernels as k
from seabattle.solver.players.batches import Batch, BatchPlayer
from seabattle.solver.players.player import BLOCK
from seabattle.solver.players.random_streams import Chance

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

    def ship_chances(self, position: Position) -> list[dict[int, float]]:
        """For each ship not sunk, longest first, the chance that it covers each cell it can.

        Ships hit come before the others of their length, in the order of their names.
        """
        tables = self.tables
        shot, hits = position.shot_mask, position.hit_mask
        named: dict[int, int] = {}
        for cell, code in position.shots:
            if code != MISS:
                named[code] = named.get(code, 0) | 1 << cell
        found = []
        for kind, length in enumerate(tables.lengths.tolist()):
            ships = [
                mask for code, mask in sorted(named.items()) if (code - HIT_SHIP) // 64 == length
            ]
            unhit = int(tables.ships_of[kind]) - len(ships)
            for own in [mask for mask in ships if mask.bit_count() < length] + [0] * unhit:
                counts: dict[int, int] = {}
                ways = 0
                for number in np.flatnonzero(tables.class_of == kind).tolist():
                    mask, rim = tables.masks[number], tables.rims[number]
                    if mask & shot == own and not rim & hits:
                        ways += 1
                        for cell in cells_of(mask):
                            counts[cell] = counts.get(cell, 0) + 1
                found.append({cell: count / ways for cell, count in counts.items()})
        return found

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell of the highest weighted chance."""
        cells = self.rules.board.cells
        ships = self.ship_chances(position)
        best, most = -1, -1.0
        for cell in range(cells):
            if position.shot_mask >> cell & 1:
                continue
            missing = 1.0
            for ship in ships:
                missing *= 1.0 - ship.get(cell, 0.0)
            value = (1.0 - missing) * float(self.grown[cell])
            value += self.noise * chance.fraction(len(position.shots) * cells + cell)
            if value > most:
                best, most = cell, value
        return best

    def play_batch(self, layouts: NDArray[np.uint16], batch: Batch) -> None:
        """Play one game against each layout with the kernel."""
        k.play_by_named_ships(
            layouts,
            *self.tables.kernel_arrays(),
            self.cell_weights,
            self.noise,
            self.growth,
            BLOCK,
            *batch,
        )


class Learning(Over9000):
    """Over-9000 that favours the cells where it hit in earlier games."""

    name = "learning"
    growth = GROWTH


class Bob(BatchPlayer):
    """Chances of each ship by itself, told of hits and misses only."""

    name = "bob"
    needs = AnswerMode.HIT

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell of the highest chance."""
        tables = self.tables
        kinds = range(len(tables.lengths))
        class_of = tables.class_of.tolist()
        ships_of = tables.ships_of.tolist()
        hits = position.hit_mask
        misses = position.shot_mask & ~hits
        fitting = [
            number
            for number, (mask, rim) in enumerate(zip(tables.masks, tables.rims, strict=True))
            if not mask & misses and not rim & hits
        ]
        weight = [[0.0] * self.rules.board.cells for _ in kinds]
        total = [0.0 for _ in kinds]
        for number in fitting:
            total[class_of[number]] += 1.0
            for cell in cells_of(tables.masks[number]):
                weight[class_of[number]][cell] += 1.0
        absent = [
            {cell: 1.0 - row[cell] / max(1.0, whole) for cell in cells_of(hits)}
            for row, whole in zip(weight, total, strict=True)
        ]
        for number in fitting:
            mask, kind = tables.masks[number], class_of[number]
            more = 1.0
            for cell in cells_of(mask & hits):
                none = 1.0
                for other in kinds:
                    for _ in range(ships_of[other] - (other == kind)):
                        none *= absent[other][cell]
                more *= 1.0 / max(1.0 - none, k.LEAST_OTHER)
            if mask & hits:
                total[kind] += more - 1.0
                for cell in cells_of(mask):
                    weight[kind][cell] += more - 1.0
        best, most = -1, -1.0
        for cell in range(self.rules.board.cells):
            if position.shot_mask >> cell & 1:
                continue
            missing = 1.0
            for kind in kinds:
                for _ in range(ships_of[kind] if total[kind] else 0):
                    missing *= 1.0 - weight[kind][cell] / total[kind]
            if 1.0 - missing > most:
                best, most = cell, 1.0 - missing
        return best

    def play_batch(self, layouts: NDArray[np.uint16], batch: Batch) -> None:
        """Play one game against each layout with the kernel."""
        k.play_by_unnamed_ships(layouts, *self.tables.kernel_arrays(), *batch)
