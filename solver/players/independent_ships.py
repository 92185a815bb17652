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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import (
    HIT_SHIP,
    MISS,
    NUMBERS,
    Alive,
    Batch,
    BatchPlayer,
    Hidden,
    Tables,
    answer,
    answers_of,
    begin_alive,
    class_of_length,
    draw,
    fraction,
    hide,
    new_alive,
    note,
    rule_out,
)
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
    summary = "chances of each named ship by itself, favoured edges and a little noise"
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

    def recall(self, position: Position, seed: np.uint64) -> NamedShips:
        """What each ship's placements are after these answers."""
        ships = new_named(self.tables, self.grown, self.noise)
        recall_named(self.tables, ships, *answers_of(position))
        return ships

    def choose_from(self, state: NamedShips, seed: np.uint64) -> int:
        """The cell of the highest weighted chance."""
        return int(choose_named(self.tables, state, seed))

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        ships = new_named(self.tables, self.cell_weights.copy(), self.noise)
        play_named(self.tables, ships, hidden, batch, self.cell_weights, self.growth, BLOCK)


class Learning(Over9000):
    """Over-9000 that favours the cells where it hit in earlier games."""

    name = "learning"
    summary = "over-9000 that favours the cells where it hit in earlier games"
    growth = GROWTH
    learns = True


class Bob(BatchPlayer):
    """Chances of each ship by itself, told of hits and misses only."""

    name = "bob"
    summary = "chances of each ship by itself, told of hits and misses only"
    needs = AnswerMode.HIT
    uses_chance = False

    def recall(self, position: Position, seed: np.uint64) -> UnnamedShips:
        """Which placements fit these answers."""
        ships = new_unnamed(self.tables)
        recall_unnamed(self.tables, ships, *answers_of(position))
        return ships

    def choose_from(self, state: UnnamedShips, seed: np.uint64) -> int:
        """The cell of the highest chance."""
        return int(choose_unnamed(self.tables, state))

    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games."""
        play_unnamed(self.tables, new_unnamed(self.tables), hidden, batch)


# Kernels of over-9000 and learning

NOT_SHOT = -1


@group
class NamedShips(NamedTuple):
    """A game so far in which hits name the ship.

    Ship ``n`` of a class is the one named with number ``n + 1``.

    Attributes
    ----------
    fitting
        ``Alive``: placements of ships not hit yet.
    factor
        float64 ``(cells,)``, given: factor of each cell's chance; ``play_named`` modifies it.
    noise
        float64, given: greatest random number added to a chance.
    answer_at
        int64 ``(cells,)``, modified: answer code at each cell, ``NOT_SHOT`` for none.
    apart
        uint8 ``(placements,)``, modified: 1 while no hit touches the placement.
    named
        int64 ``(classes,)``, modified: ships of each class that were hit.
    left
        int64 ``(classes, most)``, modified: cells of each ship hit that were not hit yet.
    first_hit
        int64 ``(classes, most)``, modified: cell of the first hit on each ship hit.
    own
        int64 ``(cells,)``, scratch.
    missing
        float64 ``(cells,)``, scratch.
    shots
        int64 ``(1,)``, modified: number of shots so far.
    """

    fitting: Alive
    factor: NDArray[np.float64]
    noise: float
    answer_at: NDArray[np.int64]
    apart: NDArray[np.uint8]
    named: NDArray[np.int64]
    left: NDArray[np.int64]
    first_hit: NDArray[np.int64]
    own: NDArray[np.int64]
    missing: NDArray[np.float64]
    shots: NDArray[np.int64]


def new_named(tables: Tables, factor: NDArray[np.float64], noise: float) -> NamedShips:
    """State of a player that is told the ship of each hit, for ``begin_named`` to fill."""
    classes, cells = tables.base.shape
    most = int(tables.ships_of.max())
    return NamedShips(
        new_alive(tables),
        factor,
        noise,
        np.empty(cells, np.int64),
        np.empty(len(tables.class_of), np.uint8),
        np.empty(classes, np.int64),
        np.empty((classes, most), np.int64),
        np.empty((classes, most), np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.float64),
        np.empty(1, np.int64),
    )


@kernel
def begin_named(tables, ships):
    """A game begins. tables : Tables; ships : NamedShips, modified."""
    begin_alive(tables, ships.fitting)
    for cell in range(ships.answer_at.shape[0]):
        ships.answer_at[cell] = NOT_SHOT
    for p in range(ships.apart.shape[0]):
        ships.apart[p] = 1
    for row in range(ships.named.shape[0]):
        ships.named[row] = 0
    ships.shots[0] = 0


@kernel
def learn_named(tables, ships, cell, code):
    """Take in an answer of mode ``ship``.

    tables : Tables; ships : NamedShips, modified; cell, code : int64
    """
    ships.answer_at[cell] = code
    ships.shots[0] += 1
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        rule_out(tables, ships.fitting, tables.through[i])
    if code == MISS:
        return
    length = (code - HIT_SHIP) // NUMBERS
    row = class_of_length(tables, length)
    n = (code - HIT_SHIP) % NUMBERS - 1
    while ships.named[row] <= n:  # a number may be told before the ones below it
        ships.left[row, ships.named[row]] = length
        ships.first_hit[row, ships.named[row]] = -1
        ships.named[row] += 1
    if ships.first_hit[row, n] < 0:
        ships.first_hit[row, n] = cell
    ships.left[row, n] -= 1
    for i in range(tables.touching_first[cell], tables.touching_first[cell + 1]):
        ships.apart[tables.touching[i]] = 0
        rule_out(tables, ships.fitting, tables.touching[i])


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
    code = ships.answer_at[start]
    for i in range(tables.through_first[start], tables.through_first[start + 1]):
        p = tables.through[i]
        if tables.class_of[p] != row or ships.apart[p] == 0:
            continue
        mine = 0
        fits = True
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            if ships.answer_at[x] == code:
                mine += 1
            elif ships.answer_at[x] != NOT_SHOT:
                fits = False
                break
        if fits and mine == struck:
            ways += 1
            for j in range(tables.ship_cells.shape[1]):
                if tables.ship_cells[p, j] < 0:
                    break
                ships.own[tables.ship_cells[p, j]] += 1
    return ways


@kernel
def choose_named(tables, ships, seed):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : NamedShips, its scratch modified
    seed : uint64, the game's seed. Returns int64
    """
    cells = ships.missing.shape[0]
    for x in range(cells):
        ships.missing[x] = 1.0
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
            for x in range(cells):
                other = 1.0 - ships.fitting.count[row, x] / ships.fitting.total[row]
                for _ in range(unhit):
                    ships.missing[x] *= other
    cell = -1
    most = -1.0
    for x in range(cells):
        if ships.answer_at[x] == NOT_SHOT:
            chance = (1.0 - ships.missing[x]) * ships.factor[x]
            if ships.noise > 0.0:
                chance += ships.noise * fraction(seed, ships.shots[0] * cells + x)
            if chance > most:
                most = chance
                cell = x
    return cell


@kernel
def recall_named(tables, ships, cells, codes):
    """Begin a game and take in its answers so far.

    tables : Tables; ships : NamedShips, modified
    cells, codes : int64 (k,), the cells shot and their answers, in order
    """
    begin_named(tables, ships)
    for t in range(cells.shape[0]):
        learn_named(tables, ships, cells[t], codes[t])


@kernel
def play_named(tables, ships, hidden, batch, given, growth, block):
    """Play a batch of games.

    tables : Tables; ships, hidden, batch : all modified
    given : float64 (cells,), factors of the cells at the beginning of a block
    growth : float64, added to a cell's factor for every hit there in an earlier game of the same
        block
    block : int64, games of a block, counted from game 0
    """
    for g in range(batch.ships.shape[0]):
        if (batch.first_game + g) % block == 0:
            for x in range(given.shape[0]):
                ships.factor[x] = given[x]
        seed = draw(batch.key, batch.first_game + g)
        begin_named(tables, ships)
        left = hide(tables, hidden, batch.ships[g])
        t = 0
        while left > 0:
            if t < batch.prefix.shape[0]:
                cell = batch.prefix[t]
            else:
                cell = choose_named(tables, ships, seed)
            note(batch, g, t, cell)
            code = answer(tables, hidden, batch.answers, cell)
            left -= code != MISS
            learn_named(tables, ships, cell, code)
            t += 1
        for x in range(ships.factor.shape[0]):
            if ships.answer_at[x] > MISS:
                ships.factor[x] += growth
        batch.shots[g] = t - batch.prefix.shape[0]


# Kernels of bob

LEAST_OTHER = 1e-6
"""The chance that a hit is another ship's is taken to be at least this."""


@group
class UnnamedShips(NamedTuple):
    """A game so far in which hits do not name the ship.

    Attributes
    ----------
    fitting
        ``Alive``: placements that a ship may have.
    shot
        uint8 ``(cells,)``, modified: 1 for cells shot.
    hits
        int64 ``(placements,)``, modified: how many cells of a placement were hit.
    hit_cells
        int64 ``(cells,)``, modified: the cells hit.
    number
        int64 ``(1,)``, modified: number of cells hit.
    weight, weight_of
        float64 ``(classes, cells)`` and ``(classes,)``, scratch: weight of the placements alive
        over each cell, and of all.
    telling
        float64 ``(classes, cells)``, scratch: how much likelier a hit makes a placement over it.
    missing
        float64 ``(cells,)``, scratch.
    """

    fitting: Alive
    shot: NDArray[np.uint8]
    hits: NDArray[np.int64]
    hit_cells: NDArray[np.int64]
    number: NDArray[np.int64]
    weight: NDArray[np.float64]
    weight_of: NDArray[np.float64]
    telling: NDArray[np.float64]
    missing: NDArray[np.float64]


def new_unnamed(tables: Tables) -> UnnamedShips:
    """State of a player that is told of hits and misses, for ``begin_unnamed`` to fill."""
    classes, cells = tables.base.shape
    return UnnamedShips(
        new_alive(tables),
        np.empty(cells, np.uint8),
        np.empty(len(tables.class_of), np.int64),
        np.empty(cells, np.int64),
        np.empty(1, np.int64),
        np.empty((classes, cells), np.float64),
        np.empty(classes, np.float64),
        np.ones((classes, cells), np.float64),
        np.empty(cells, np.float64),
    )


@kernel
def begin_unnamed(tables, ships):
    """A game begins. tables : Tables; ships : UnnamedShips, modified."""
    begin_alive(tables, ships.fitting)
    for cell in range(ships.shot.shape[0]):
        ships.shot[cell] = 0
    for p in range(ships.hits.shape[0]):
        ships.hits[p] = 0
    ships.number[0] = 0


@kernel
def learn_unnamed(tables, ships, cell, code):
    """Take in an answer of mode ``hit``.

    tables : Tables; ships : UnnamedShips, modified; cell, code : int64
    """
    ships.shot[cell] = 1
    if code == MISS:
        for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
            rule_out(tables, ships.fitting, tables.through[i])
        return
    ships.hit_cells[ships.number[0]] = cell
    ships.number[0] += 1
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        ships.hits[tables.through[i]] += 1
    for i in range(tables.touching_first[cell], tables.touching_first[cell + 1]):
        rule_out(tables, ships.fitting, tables.touching[i])


@kernel
def weigh_hits(tables, ships):
    """Work out how much likelier each hit makes a placement over it, class by class.

    tables : Tables; ships : UnnamedShips, its ``telling`` modified
    """
    classes = tables.lengths.shape[0]
    for i in range(ships.number[0]):
        x = ships.hit_cells[i]
        for row in range(classes):
            none = 1.0
            for other in range(classes):
                absent = 1.0 - ships.fitting.count[other, x] / max(1, ships.fitting.total[other])
                for _ in range(tables.ships_of[other] - (1 if other == row else 0)):
                    none *= absent
            ships.telling[row, x] = 1.0 / max(1.0 - none, LEAST_OTHER)


@kernel
def choose_unnamed(tables, ships):
    """Cell to shoot, -1 when all are shot.

    tables : Tables; ships : UnnamedShips, its scratch modified. Returns int64
    """
    classes, cells = tables.base.shape
    weigh_hits(tables, ships)
    for row in range(classes):
        ships.weight_of[row] = ships.fitting.total[row]
        for x in range(cells):
            ships.weight[row, x] = ships.fitting.count[row, x]
    for p in range(tables.class_of.shape[0]):
        if ships.fitting.alive[p] == 0 or ships.hits[p] == 0:
            continue
        row = tables.class_of[p]
        more = 1.0
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            if ships.shot[x] == 1:
                more *= ships.telling[row, x]
        more -= 1.0
        ships.weight_of[row] += more
        for j in range(tables.ship_cells.shape[1]):
            x = tables.ship_cells[p, j]
            if x < 0:
                break
            ships.weight[row, x] += more
    for x in range(cells):
        ships.missing[x] = 1.0
    for row in range(classes):
        if ships.fitting.total[row] > 0:
            for x in range(cells):
                other_chance = 1.0 - ships.weight[row, x] / ships.weight_of[row]
                for _ in range(tables.ships_of[row]):
                    ships.missing[x] *= other_chance
    cell = -1
    most = -1.0
    for x in range(cells):
        if ships.shot[x] == 0 and 1.0 - ships.missing[x] > most:
            most = 1.0 - ships.missing[x]
            cell = x
    return cell


@kernel
def recall_unnamed(tables, ships, cells, codes):
    """Begin a game and take in its answers so far.

    tables : Tables; ships : UnnamedShips, modified
    cells, codes : int64 (k,), the cells shot and their answers, in order
    """
    begin_unnamed(tables, ships)
    for t in range(cells.shape[0]):
        learn_unnamed(tables, ships, cells[t], codes[t])


@kernel
def play_unnamed(tables, ships, hidden, batch):
    """Play a batch of games. tables : Tables; ships, hidden, batch : all modified."""
    for g in range(batch.ships.shape[0]):
        begin_unnamed(tables, ships)
        left = hide(tables, hidden, batch.ships[g])
        t = 0
        while left > 0:
            cell = batch.prefix[t] if t < batch.prefix.shape[0] else choose_unnamed(tables, ships)
            note(batch, g, t, cell)
            code = answer(tables, hidden, batch.answers, cell)
            left -= code != MISS
            learn_unnamed(tables, ships, cell, code)
            t += 1
        batch.shots[g] = t - batch.prefix.shape[0]
