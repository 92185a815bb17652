"""Players whose rules are compiled: many games in one call of a kernel.

A compiled player is three kernels over a state of its own: ``begin_...`` empties the state,
``learn_...`` takes in one answer, ``choose_...`` says where to shoot next. They are written once
and serve both ways to play: a game shot by shot (``shot_after``: the answers of a position are
learnt, then the cell is chosen) and a batch of games in one call (``play_games``). The state holds
the answers and nothing else of the hidden layout. This file has what all of them share: random
numbers, the tables of placements, hidden layouts and their answers, the placements that fit, and
the two ways to play.

Counts are int64: at most 2^15 placements, each of a weight below 2^37, times 63 ships.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import LayoutError, TooLargeError
from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance, player_key
from seabattle.solver.players.player import BLOCK, Player

MAX_PLAYED_PLACEMENTS = 1 << 15
MAX_PLAYED_CELLS = 2500

MISS, HIT, SUNK = 0, 1, 2
SUNK_LENGTH = 0x100
HIT_SHIP = 0x4000
NUMBERS = 64
"""The answer codes of ``enumerate.answers``: ``HIT_SHIP + NUMBERS * length + number``.

Repeated here because compiled code is kept until a source of kernels changes.
"""

ANSWERS_HIT, ANSWERS_SUNK, ANSWERS_SUNK_LENGTH, ANSWERS_SHIP = 0, 1, 2, 3
"""The answer modes, numbered as ``enumerate.answers.kernel_mode`` does."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
FRACTIONS = 1 << 20


@group
class Tables(NamedTuple):
    """Placements of a fleet, as the compiled players look them up; no kernel modifies them.

    A placement's *class* is the place of its length in ``lengths``. A placement *touches* a cell
    that it does not cover when no other ship may stand there.

    Attributes
    ----------
    ship_cells
        int16 ``(placements, longest)``: cells of each placement, -1 behind the last.
    class_of
        int64 ``(placements,)``: class of each placement.
    lengths, ships_of
        int64 ``(classes,)``: length of the ships of a class, longest first, and how many there
        are.
    base
        int64 ``(classes, cells)``: placements of each class through each cell.
    through_first, through
        int64 ``(cells + 1,)`` and ``(n,)``: the placements that cover cell c are
        ``through[through_first[c]:through_first[c + 1]]``.
    touching_first, touching
        The same for the placements that touch cell c.
    neighbours
        int16 ``(cells, 4)``: the cells north, south, east and west, -1 off the board.
    """

    ship_cells: NDArray[np.int16]
    class_of: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ships_of: NDArray[np.int64]
    base: NDArray[np.int64]
    through_first: NDArray[np.int64]
    through: NDArray[np.int64]
    touching_first: NDArray[np.int64]
    touching: NDArray[np.int64]
    neighbours: NDArray[np.int16]


def padded(rows: list[tuple[int, ...]]) -> NDArray[np.int16]:
    """Lists of cells as rows of an array, -1 behind the last."""
    longest = max(map(len, rows))
    return np.array([row + (-1,) * (longest - len(row)) for row in rows], dtype=np.int16)


def _of_cells(masks: list[int], cells: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each cell the numbers of the masks that hold it: where they begin, end to end."""
    rows: list[list[int]] = [[] for _ in range(cells)]
    for number, mask in enumerate(masks):
        for cell in cells_of(mask):
            rows[cell].append(number)
    first = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return first, np.array([number for row in rows for number in row], dtype=np.int64)


@lru_cache(maxsize=16)
def play_tables(rules: Rules) -> Tables:
    """The tables of a game, made once per process.

    Raises
    ------
    TooLargeError
        If the board or the placements are too many to play with.
    """
    board = rules.board
    if board.cells > MAX_PLAYED_CELLS:
        raise TooLargeError(
            f"board {board}: games are played on boards of up to {MAX_PLAYED_CELLS} cells"
        )
    placements = placement_table(rules).placements
    if len(placements) > MAX_PLAYED_PLACEMENTS:
        raise TooLargeError(
            f"board {board} with fleet {rules.fleet}: {len(placements)} placements of one ship, at "
            f"most {MAX_PLAYED_PLACEMENTS} are played with"
        )
    lengths = list(rules.fleet.counts)
    base = np.zeros((len(lengths), board.cells), dtype=np.int64)
    for placement in placements:
        base[lengths.index(placement.length), list(placement.cells)] += 1
    neighbours = np.full((board.cells, 4), -1, dtype=np.int16)
    for cell in range(board.cells):
        row, column = divmod(cell, board.columns)
        for j, (down, right) in enumerate(((-1, 0), (1, 0), (0, 1), (0, -1))):
            if 0 <= row + down < board.rows and 0 <= column + right < board.columns:
                neighbours[cell, j] = cell + down * board.columns + right
    return Tables(
        padded([tuple(p.cells) for p in placements]),
        np.array([lengths.index(p.length) for p in placements], dtype=np.int64),
        np.array(lengths, dtype=np.int64),
        np.array(list(rules.fleet.counts.values()), dtype=np.int64),
        base,
        *_of_cells([p.mask for p in placements], board.cells),
        *_of_cells([p.halo(rules.contact) & ~p.mask for p in placements], board.cells),
        neighbours,
    )


@group
class Batch(NamedTuple):
    """Games to play in one call of a kernel.

    Attributes
    ----------
    ships
        uint16 ``(games, ships)``: placement numbers of the hidden layouts.
    answers
        int64: the answer mode that the player is told in, ``ANSWERS_...``.
    prefix
        int64 ``(k,)``: cells that are shot first and not counted.
    key
        uint64: the player's key (``chance.player_key``).
    first_game
        int64: number of the first game.
    shots
        int32 ``(games,)``, modified: shots until the fleet was sunk, the prefix not counted.
    record
        int16 ``(games, cells)``, or ``(0, 0)`` for none, modified: the cells in the order shot,
        the prefix first; what lies behind the last shot is left alone.
    """

    ships: NDArray[np.uint16]
    answers: int
    prefix: NDArray[np.int64]
    key: np.uint64
    first_game: int
    shots: NDArray[np.int32]
    record: NDArray[np.int16]


@group
class Hidden(NamedTuple):
    """One hidden layout that is shot at; all of it is scratch that ``hide`` fills.

    Attributes
    ----------
    ship_at
        int16 ``(cells,)``: the ship on each cell, -1 for water.
    class_of
        int64 ``(ships,)``: class of each ship.
    left
        int64 ``(ships,)``: cells of each ship that were not hit yet.
    number
        int64 ``(ships,)``: number of each ship among those of its class, 0 before its first hit.
    numbered
        int64 ``(classes,)``: how many ships of each class were hit.
    """

    ship_at: NDArray[np.int16]
    class_of: NDArray[np.int64]
    left: NDArray[np.int64]
    number: NDArray[np.int64]
    numbered: NDArray[np.int64]


def hidden_layout(tables: Tables) -> Hidden:
    """Scratch for the hidden layouts of a game."""
    ships = int(tables.ships_of.sum())
    return Hidden(
        np.empty(tables.base.shape[1], np.int16),
        np.empty(ships, np.int64),
        np.empty(ships, np.int64),
        np.empty(ships, np.int64),
        np.empty(len(tables.lengths), np.int64),
    )


# Random numbers


@kernel
def draw(seed, index):
    """Number ``index`` of a random stream (splitmix64, see ``chance``).

    seed : uint64; index : int64. Returns uint64
    """
    x = seed + (np.uint64(index) + np.uint64(1)) * GAMMA
    x = (x ^ (x >> np.uint64(30))) * FIRST_MIX
    x = (x ^ (x >> np.uint64(27))) * SECOND_MIX
    return x ^ (x >> np.uint64(31))


@kernel
def fill_deck(seed, deck):
    """Put the cells in random order, each order equally likely (Fisher and Yates; Lemire 2019).

    seed : uint64, the game's seed
    deck : int16 (cells,), modified
    """
    cells = deck.shape[0]
    for i in range(cells):
        deck[i] = i
    index = 0
    for i in range(cells - 1, 0, -1):
        size = np.uint64(i + 1)
        product = (draw(seed, index) >> np.uint64(32)) * size
        index += 1
        if (product & LOW_HALF) < size:
            least = (np.uint64(1 << 32) - size) % size
            while (product & LOW_HALF) < least:
                product = (draw(seed, index) >> np.uint64(32)) * size
                index += 1
        j = np.int64(product >> np.uint64(32))
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def fraction(seed, index):
    """A random number from 0 to 1, exclusive, in steps of 2^-53.

    seed : uint64, the game's seed; index : int64. Returns float64
    """
    return np.float64(draw(seed, FRACTIONS + index) >> np.uint64(11)) * 2.0**-53


# Hidden layouts


@kernel
def hide(tables, hidden, ships):
    """Put one layout on the board.

    tables : Tables; hidden : Hidden, modified
    ships : uint16 (ships,), placement numbers. Returns int64, the number of cells they cover
    """
    for cell in range(hidden.ship_at.shape[0]):
        hidden.ship_at[cell] = -1
    for row in range(hidden.numbered.shape[0]):
        hidden.numbered[row] = 0
    occupied = 0
    for d in range(ships.shape[0]):
        row = tables.class_of[ships[d]]
        hidden.class_of[d] = row
        hidden.number[d] = 0
        hidden.left[d] = tables.lengths[row]
        occupied += tables.lengths[row]
        for j in range(tables.lengths[row]):
            hidden.ship_at[tables.ship_cells[ships[d], j]] = d
    return occupied


@kernel
def answer(tables, hidden, answers, cell):
    """Answer code of a shot.

    tables : Tables; hidden : Hidden, modified
    answers : int64, the answer mode; cell : int64, not shot before. Returns int64
    """
    d = hidden.ship_at[cell]
    if answers == ANSWERS_HIT:
        return HIT if d >= 0 else MISS
    if d < 0:
        return MISS
    row = hidden.class_of[d]
    if answers == ANSWERS_SHIP:
        if hidden.number[d] == 0:
            hidden.numbered[row] += 1
            hidden.number[d] = hidden.numbered[row]
        return HIT_SHIP + NUMBERS * tables.lengths[row] + hidden.number[d]
    hidden.left[d] -= 1
    if hidden.left[d] > 0:
        return HIT
    return SUNK if answers == ANSWERS_SUNK else SUNK_LENGTH + tables.lengths[row]


# Placements


@kernel
def class_of_length(tables, length):
    """Class of the ships of a length, -1 if the fleet has none.

    tables : Tables; length : int64. Returns int64
    """
    for row in range(tables.lengths.shape[0]):
        if tables.lengths[row] == length:
            return row
    return -1


# Placements that fit

NOT_SHOT = -1


@group
class Fitting(NamedTuple):
    """The answers so far, and what they leave of the placements of each class.

    Attributes
    ----------
    weights
        int64 ``(longest + 1,)``, given: weight of a placement by how many of its cells were hit.
    answer_at
        int64 ``(cells,)``, modified: answer code at each cell, ``NOT_SHOT`` for none.
    alive
        uint8 ``(placements,)``, modified: 1 while no answer rules a placement out.
    hits
        int64 ``(placements,)``, modified: how many cells of a placement were hit.
    score
        int64 ``(classes, cells)``, modified: weight of the placements alive over each cell.
    total
        int64 ``(classes,)``, modified: how many placements are alive.
    """

    weights: NDArray[np.int64]
    answer_at: NDArray[np.int64]
    alive: NDArray[np.uint8]
    hits: NDArray[np.int64]
    score: NDArray[np.int64]
    total: NDArray[np.int64]


def new_fitting(tables: Tables, weights: NDArray[np.int64] | None = None) -> Fitting:
    """The placements that fit, for ``begin_fitting`` to fill; each weighs 1 by default."""
    (classes, cells), placements = tables.base.shape, len(tables.class_of)
    return Fitting(
        np.ones(tables.lengths[0] + 1, np.int64) if weights is None else weights,
        np.full(cells, NOT_SHOT, np.int64),
        np.empty(placements, np.uint8),
        np.empty(placements, np.int64),
        np.empty((classes, cells), np.int64),
        np.empty(classes, np.int64),
    )


@kernel
def begin_fitting(tables, fitting):
    """The empty board: every placement fits. tables : Tables; fitting : Fitting, modified."""
    for row in range(fitting.total.shape[0]):
        fitting.total[row] = 0
        for cell in range(fitting.answer_at.shape[0]):
            fitting.score[row, cell] = fitting.weights[0] * tables.base[row, cell]
    for cell in range(fitting.answer_at.shape[0]):
        fitting.answer_at[cell] = NOT_SHOT
    for p in range(tables.class_of.shape[0]):
        fitting.total[tables.class_of[p]] += 1
        fitting.alive[p] = 1
        fitting.hits[p] = 0


@kernel
def weigh(tables, score, p, change):
    """Add to the scores of the cells of placement p.

    tables : Tables; score : (classes, cells), modified; p : int64; change : as ``score``
    """
    row = tables.class_of[p]
    for j in range(tables.ship_cells.shape[1]):
        cell = tables.ship_cells[p, j]
        if cell < 0:
            break
        score[row, cell] += change


@kernel
def rule_out(tables, fitting, p):
    """Rule out placement p. tables : Tables; fitting : Fitting, modified; p : int64."""
    if fitting.alive[p] == 1:
        fitting.alive[p] = 0
        fitting.total[tables.class_of[p]] -= 1
        weigh(tables, fitting.score, p, -fitting.weights[fitting.hits[p]])


@kernel
def rule_out_through(tables, fitting, cell):
    """Rule out what covers a cell. tables : Tables; fitting : Fitting, modified; cell : int64."""
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        rule_out(tables, fitting, tables.through[i])


@kernel
def rule_out_touching(tables, fitting, cell):
    """Rule out what touches a cell. tables : Tables; fitting : Fitting, modified; cell : int64."""
    for i in range(tables.touching_first[cell], tables.touching_first[cell + 1]):
        rule_out(tables, fitting, tables.touching[i])


@kernel
def learn_fitting(tables, fitting, cell, code):
    """Take in an answer that does not name the ship, as a hit or a miss.

    tables : Tables; fitting : Fitting, modified; cell, code : int64
    """
    fitting.answer_at[cell] = code
    if code == MISS:
        rule_out_through(tables, fitting, cell)
        return
    for i in range(tables.through_first[cell], tables.through_first[cell + 1]):
        p = tables.through[i]
        before = fitting.hits[p]
        fitting.hits[p] = before + 1
        if fitting.alive[p] == 1:
            weigh(
                tables, fitting.score, p, fitting.weights[before + 1] - fitting.weights[before]
            )  # fmt: skip
    rule_out_touching(tables, fitting, cell)


# Playing, whatever the player: kernels are handed over as ``begin``, ``learn`` and ``choose``


@kernel
def shot_after(begin, learn, choose, tables, state, seed, cells, codes):
    """Cell to shoot after some answers, -1 when all are shot.

    begin, learn, choose : kernels of a player; tables : Tables; state : theirs, modified
    seed : uint64, the game's; cells, codes : int64 (k,), the cells shot and their answers, in order
    Returns int64
    """
    begin(tables, state, seed)
    for t in range(cells.shape[0]):
        learn(tables, state, cells[t], codes[t])
    return choose(tables, state, seed)


@kernel
def play_games(begin, learn, choose, tables, state, hidden, batch):
    """Play a batch of games.

    begin, learn, choose : kernels of a player; tables : Tables; state : theirs, modified
    hidden, batch : modified
    """
    prefix = batch.prefix.shape[0]
    for g in range(batch.ships.shape[0]):
        seed = draw(batch.key, batch.first_game + g)
        begin(tables, state, seed)
        left = hide(tables, hidden, batch.ships[g])
        t = 0
        while left > 0:
            cell = batch.prefix[t] if t < prefix else choose(tables, state, seed)
            if batch.record.shape[0] > 0:
                batch.record[g, t] = cell
            code = answer(tables, hidden, batch.answers, cell)
            left -= code != MISS
            learn(tables, state, cell, code)
            t += 1
        batch.shots[g] = t - prefix


# Players


def answers_of(position: Position) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells shot and the answer codes of a position, in order: two arrays int64 ``(k,)``."""
    table = np.array(position.shots, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])


class BatchPlayer(Player):
    """A player whose rules are kernels.

    Attributes
    ----------
    tables
        The game's placements, as the player is told of them.
    shot_kernel, play_kernel
        ``shot_after`` and ``play_games`` with the player's own three kernels.
    """

    quick = True
    shot_kernel: ClassVar[Callable[..., Any]]
    play_kernel: ClassVar[Callable[..., Any]]

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.tables = play_tables(self.told)

    @abstractmethod
    def state(self) -> Any:
        """A state for the kernels to fill."""

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell that the kernels choose."""
        seed = np.uint64(chance.seed)
        return int(type(self).shot_kernel(self.tables, self.state(), seed, *answers_of(position)))

    def play_all(
        self,
        ships: NDArray[np.uint16],
        *,
        seed: int = 0,
        first_game: int = 0,
        start: Position | None = None,
        record: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int32]:
        """The same games, compiled. A player that learns begins anew with the first game."""
        if type(self).choose is not BatchPlayer.choose:  # a player derived from a compiled one
            return super().play_all(
                ships, seed=seed, first_game=first_game, start=start, record=record
            )
        shape = len(ships), self.rules.board.cells
        if record is not None and (record.dtype, record.shape) != (np.dtype(np.int16), shape):
            raise LayoutError(f"record: give an int16 array {shape}, not {record.shape}")
        right = ships.ndim == 2 and ships.shape[1] == len(self.rules.fleet.lengths)
        if not right or ships.max(initial=0) >= len(self.tables.class_of):
            raise LayoutError(f"ships: these are no placement numbers of {self.rules}")
        prefix = np.empty(0, dtype=np.int64) if start is None else answers_of(start)[0]
        shots = np.empty(len(ships), dtype=np.int32)
        kept = np.empty((0, 0), dtype=np.int16)
        ends = [len(ships)]
        if self.learns:  # with each block it begins anew
            ends = [*range(BLOCK - first_game % BLOCK, len(ships), BLOCK), *ends]
        for begin, end in pairwise([0, *ends]):
            batch = Batch(
                ships[begin:end].astype(np.uint16, copy=False),
                kernel_mode(self.told),
                prefix,
                np.uint64(player_key(seed, self.name)),
                first_game + begin,
                shots[begin:end],
                kept if record is None else record[begin:end],
            )
            self.begin_block()
            type(self).play_kernel(self.tables, self.state(), hidden_layout(self.tables), batch)
        return shots
