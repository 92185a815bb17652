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

from typing import Annotated, NamedTuple

import numpy as np

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS
from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import (
    NOT_SHOT,
    BatchPlayer,
    Fitting,
    Flags,
    Floats,
    Numbers,
    Tables,
    begin_fitting,
    best_open,
    blank,
    class_of_length,
    covered,
    covering,
    learn_fitting,
    play_games,
    rule_out,
    touching,
    weigh,
)
from seabattle.solver.players.chance import fraction

SIDE_WEIGHT = 1.1
"""Weight of a cell at the side of the board; the others weigh 1."""
NOISE = 0.01
"""Greatest random number added to a chance."""
GROWTH = 0.02
"""What a hit adds to a cell's weight in the games to come."""


def new_fitting(tables: Tables) -> Fitting:
    """Placements of the same weight, whatever was hit; no shots yet, from which to learn."""
    weights = np.ones(tables.lengths[0] + 1, np.int64)
    nothing = np.full(tables.base.shape[1], NOT_SHOT, np.int64)
    return blank(Fitting, tables, weights=weights, answer_at=nothing)


# Kernels of over-9000 and learning


@group
class NamedShips(NamedTuple):
    """A game so far in which hits name the ship.

    Ship ``n`` of a class is the one named with number ``n + 1``.

    Attributes
    ----------
    fitting
        Given: placements of ships not hit yet.
    factor
        Given: factor of each cell's chance; it grows with every hit there when the next game
        begins.
    growth
        float64, given: by how much a factor grows.
    apart
        1 while no hit touches the placement.
    named
        Ships of each class that were hit.
    left
        Cells of each ship hit that were not hit yet.
    first_hit
        Cell of the first hit on each ship hit.
    own, missing
        Scratch; ``missing`` is the chance that no ship is on a cell.
    """

    fitting: Fitting
    factor: Floats
    growth: float
    apart: Annotated[Flags, "placements"]
    named: Annotated[Numbers, "classes"]
    left: Annotated[Numbers, "classes", "most"]
    first_hit: Annotated[Numbers, "classes", "most"]
    own: Annotated[Numbers, "cells"]
    missing: Annotated[Floats, "cells"]


@kernel
def begin_named(tables, ships, seed):
    """A game begins. tables : Tables; ships : NamedShips, modified; seed : uint64, not needed."""
    for x in range(ships.factor.shape[0]):  # hits of the game before
        if ships.fitting.answer_at[x] > MISS:
            ships.factor[x] += ships.growth
    begin_fitting(tables, ships.fitting)
    for p in range(ships.apart.shape[0]):
        ships.apart[p] = 1
    for row in range(ships.named.shape[0]):
        ships.named[row] = 0


@kernel
def learn_named(tables, ships, cell, code):
    """Take in an answer of mode ``ship``.

    tables : Tables; ships : NamedShips, modified; cell, code : int64
    """
    ships.fitting.answer_at[cell] = code
    for p in covering(tables, cell):
        rule_out(tables, ships.fitting, p)
    if code == MISS:
        return
    length = (code - HIT_SHIP) // 64
    row = class_of_length(tables, length)
    n = (code - HIT_SHIP) % 64 - 1
    while ships.named[row] <= n:  # a number may be told before the ones below it
        ships.left[row, ships.named[row]] = length
        ships.first_hit[row, ships.named[row]] = -1
        ships.named[row] += 1
    if ships.first_hit[row, n] < 0:
        ships.first_hit[row, n] = cell
    ships.left[row, n] -= 1
    for p in touching(tables, cell):
        ships.apart[p] = 0
        rule_out(tables, ships.fitting, p)


@kernel
def count_own(tables, ships, row, n):
    """Count the placements that ship n of a class, hit before, can have.

    tables : Tables; row, n : int64
    ships : NamedShips, its ``own`` modified: how many of them cover each cell
    Returns int64, the number of placements
    """
    for x in range(ships.own.shape[0]):
        ships.own[x] = 0
    ways = 0
    start = ships.first_hit[row, n]
    struck = tables.lengths[row] - ships.left[row, n]
    code = ships.fitting.answer_at[start]
    for p in covering(tables, start):
        if tables.class_of[p] != row or ships.apart[p] == 0:
            continue
        mine = 0
        fits = True
        for x in covered(tables, p):
            if ships.fitting.answer_at[x] == code:
                mine += 1
            elif ships.fitting.answer_at[x] != NOT_SHOT:
                fits = False
                break
        if fits and mine == struck:
            ways += 1
            for x in covered(tables, p):
                ships.own[x] += 1
    return ways


@kernel
def choose_named(tables, ships, seed):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : NamedShips, its scratch modified
    seed : uint64, the game's seed. Returns int64
    """
    cells = ships.missing.shape[0]
    shots = 0
    for x in range(cells):
        ships.missing[x] = 1.0
        shots += ships.fitting.answer_at[x] != NOT_SHOT
    for row in range(tables.lengths.shape[0]):
        for n in range(ships.named[row]):
            if ships.left[row, n] <= 0 or ships.first_hit[row, n] < 0:
                continue
            ways = count_own(tables, ships, row, n)
            for x in range(cells):
                if ships.own[x] > 0:
                    ships.missing[x] *= 1.0 - ships.own[x] / ways
        unhit = tables.ships_of[row] - ships.named[row]
        if unhit > 0 and ships.fitting.total[row] > 0:
            miss_all(ships.missing, ships.fitting.score[row], ships.fitting.total[row], unhit)
    for x in range(cells):
        if ships.fitting.answer_at[x] == NOT_SHOT:
            noise = NOISE * fraction(seed, shots * cells + x)
            ships.missing[x] = (1.0 - ships.missing[x]) * ships.factor[x] + noise
    return best_open(ships.fitting.answer_at, ships.missing)


@kernel
def miss_all(missing, score, total, ships):
    """Multiply the chances that nothing is on a cell by those of some ships alike.

    missing : float64 (cells,), modified; score : (cells,), weight of the placements over each cell;
    total : of all placements; ships : int64
    """
    for x in range(missing.shape[0]):
        absent = 1.0 - score[x] / total
        for _ in range(ships):
            missing[x] *= absent


@kernel
def play_named(tables, ships, batch):
    """As ``play_games``."""
    play_games(begin_named, learn_named, choose_named, tables, ships, batch)


# Kernels of bob

LEAST_OTHER = 1e-6
"""The chance that a hit is another ship's is taken to be at least this."""


@group
class UnnamedShips(NamedTuple):
    """A game so far in which hits do not name the ship.

    Attributes
    ----------
    fitting
        Given: placements that a ship may have.
    weight, weight_of
        Scratch: weight of the placements alive over each cell, and of all.
    absent
        Scratch: chance that a ship of each class is not on a cell.
    telling
        Scratch: how much likelier a hit makes a placement over it.
    missing
        Scratch: chance that no ship is on a cell.
    """

    fitting: Fitting
    weight: Annotated[Floats, "classes", "cells"]
    weight_of: Annotated[Floats, "classes"]
    absent: Annotated[Floats, "classes"]
    telling: Annotated[Floats, "classes", "cells"]
    missing: Annotated[Floats, "cells"]


@kernel
def begin_unnamed(tables, ships, seed):
    """A game begins. tables : Tables; ships : UnnamedShips, modified; seed : uint64, not needed."""
    begin_fitting(tables, ships.fitting)


@kernel
def learn_unnamed(tables, ships, cell, code):
    """Take in an answer of mode ``hit``.

    tables : Tables; ships : UnnamedShips, modified; cell, code : int64
    """
    learn_fitting(tables, ships.fitting, cell, code)


@kernel
def weigh_hits(tables, ships):
    """Work out how much likelier each hit makes a placement over it, class by class.

    tables : Tables; ships : UnnamedShips, its ``telling`` modified
    """
    classes = tables.lengths.shape[0]
    absent = ships.absent
    for x in range(ships.missing.shape[0]):
        if ships.fitting.answer_at[x] != HIT:
            continue
        for other in range(classes):
            covering = ships.fitting.score[other, x] / max(1, ships.fitting.total[other])
            absent[other] = 1.0 - covering
        for row in range(classes):
            none = 1.0
            for other in range(classes):
                for _ in range(tables.ships_of[other] - (1 if other == row else 0)):
                    none *= absent[other]
            ships.telling[row, x] = 1.0 / max(1.0 - none, LEAST_OTHER)


@kernel
def choose_unnamed(tables, ships, seed):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : UnnamedShips, its scratch modified; seed : uint64, not needed
    Returns int64
    """
    classes, cells = tables.base.shape
    weigh_hits(tables, ships)
    for row in range(classes):
        ships.weight_of[row] = ships.fitting.total[row]
        for x in range(cells):
            ships.weight[row, x] = ships.fitting.score[row, x]
    alive, hits, answer_at = ships.fitting.alive, ships.fitting.hits, ships.fitting.answer_at
    for p in range(tables.class_of.shape[0]):
        if alive[p] == 0 or hits[p] == 0:
            continue
        row = tables.class_of[p]
        more = 1.0
        for x in covered(tables, p):
            if answer_at[x] == HIT:
                more *= ships.telling[row, x]
        more -= 1.0
        ships.weight_of[row] += more
        weigh(tables, ships.weight, p, more)
    for x in range(cells):
        ships.missing[x] = 1.0
    for row in range(classes):
        if ships.fitting.total[row] > 0:
            miss_all(ships.missing, ships.weight[row], ships.weight_of[row], tables.ships_of[row])
    for x in range(cells):
        ships.missing[x] = 1.0 - ships.missing[x]
    return best_open(answer_at, ships.missing)


@kernel
def play_unnamed(tables, ships, batch):
    """As ``play_games``."""
    play_games(begin_unnamed, learn_unnamed, choose_unnamed, tables, ships, batch)


# Players


class Over9000(BatchPlayer):
    """Chances of each named ship by itself, favoured edges and a little noise."""

    name = "over-9000"
    needs = AnswerMode.SHIP
    growth = 0.0
    play_kernel = play_named

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

    def state(self) -> NamedShips:
        """Each ship's placements and the weights of the cells, for ``begin_named`` to fill."""
        given = {"factor": self.grown.copy(), "growth": self.growth}
        return blank(NamedShips, self.tables, fitting=new_fitting(self.tables), **given)


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
    play_kernel = play_unnamed

    def state(self) -> UnnamedShips:
        """Which placements fit, for ``begin_unnamed`` to fill."""
        return blank(UnnamedShips, self.tables, fitting=new_fitting(self.tables))
