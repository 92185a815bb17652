"""Players whose rules are compiled: many games in one call of a kernel.

A compiled player is three kernels over a state of its own: ``begin_...`` empties the state,
``learn_...`` takes in one answer, ``choose_...`` says where to shoot next. ``play_games`` joins
them, and serves both ways to play: a batch of games against hidden layouts, and a single shot after
answers that are given. The state holds the answers and nothing else of the hidden layout. This file
has what all of them share: the tables of placements, hidden layouts and their answers, the
placements that fit, and play.

Counts are int64: at most 2^15 placements, each of a weight below 2^37, times 63 ships.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
    kernel_mode,
)
from seabattle.enumerate.errors import LayoutError, TooLargeError
from seabattle.enumerate.kernels import group, kernel, part_of_kernel
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance, draw_word, player_key
from seabattle.solver.players.player import Player

MAX_PLAYED_PLACEMENTS = 1 << 15
MAX_PLAYED_CELLS = 2500

Numbers = Annotated[NDArray[np.int64], np.int64]
Floats = Annotated[NDArray[np.float64], np.float64]
Flags = Annotated[NDArray[np.uint8], np.uint8]
Cells = Annotated[NDArray[np.int16], np.int16]
"""Arrays of groups; annotated further, by their sizes, where ``blank`` makes them."""


@group
class Tables(NamedTuple):
    """Placements of a fleet, as the compiled players look them up; no kernel modifies them.

    A placement's *class* is the place of its length in ``lengths``. A placement *touches* a cell
    that it does not cover when no other ship may stand there.

    Attributes
    ----------
    ship_cells
        int16 ``(placements, longest)``: cells of each placement, -1 behind the last.
    size
        int64 ``(placements,)``: number of cells of each placement.
    class_of
        int64 ``(placements,)``: class of each placement.
    lengths, ships_of
        int64 ``(classes,)``: length of the ships of a class, longest first, and how many there
        are.
    base
        int64 ``(classes, cells)``: placements of each class through each cell.
    through_first, through
        int64 ``(cells + 1,)`` and ``(n,)``: see ``covering``.
    touching_first, touching
        The same for the placements that touch a cell.
    neighbours
        int16 ``(cells, 4)``: the cells north, south, east and west, -1 off the board.
    """

    ship_cells: NDArray[np.int16]
    size: NDArray[np.int64]
    class_of: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ships_of: NDArray[np.int64]
    base: NDArray[np.int64]
    through_first: NDArray[np.int64]
    through: NDArray[np.int64]
    touching_first: NDArray[np.int64]
    touching: NDArray[np.int64]
    neighbours: NDArray[np.int16]


def _of_cells(held: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each cell the numbers of the rows that hold it: where they begin, end to end."""
    found = np.ascontiguousarray(np.nonzero(held.T)[1])  # a column of what numpy finds
    return np.cumsum([0, *held.sum(axis=0)], dtype=np.int64), found


@lru_cache(maxsize=16)
def play_tables(rules: Rules) -> Tables:
    """The tables of a game, made once per process.

    Raises
    ------
    TooLargeError
        If the board or the placements are too many to play with.
    """
    board, table = rules.board, placement_table(rules)
    if board.cells > MAX_PLAYED_CELLS or len(table) > MAX_PLAYED_PLACEMENTS:
        raise TooLargeError(
            f"{rules}: games are played on boards of up to {MAX_PLAYED_CELLS} cells, with up to "
            f"{MAX_PLAYED_PLACEMENTS} placements of one ship"
        )
    covers, halos = (
        np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : board.cells]
        for words in (table.masks, table.halos)
    )
    size = covers.sum(axis=1, dtype=np.int64)
    ship_cells = np.full((len(table), size.max()), -1, dtype=np.int16)
    ship_cells[np.arange(size.max()) < size[:, None]] = np.nonzero(covers)[1]
    lengths = np.array(list(rules.fleet.counts), dtype=np.int64)
    class_of = np.argmax(size[:, None] == lengths, axis=1)
    numbers = np.arange(board.cells, dtype=np.int16).reshape(board.rows, board.columns)
    grid = np.pad(numbers, 1, constant_values=-1)
    beside = grid[:-2, 1:-1], grid[2:, 1:-1], grid[1:-1, 2:], grid[1:-1, :-2]
    return Tables(
        ship_cells,
        size,
        class_of,
        lengths,
        np.array(list(rules.fleet.counts.values()), dtype=np.int64),
        np.array([covers[size == length].sum(axis=0) for length in lengths], dtype=np.int64),
        *_of_cells(covers),
        *_of_cells(halos > covers),
        np.stack(beside, axis=-1).reshape(board.cells, 4),
    )


@group
class Batch(NamedTuple):
    """Games to play in one call of a kernel, or one game up to now, whose answers are given.

    Attributes
    ----------
    ships
        uint16 ``(games, ships)``: placement numbers of the hidden layouts; ``(0, ships)`` where
        answers are given.
    mode
        int64: the answer mode that the player is told in, as the kernels know it.
    cells, codes
        int64 ``(k,)``: cells that are shot first and not counted, and their answer codes, which
        only a game without a layout needs.
    key
        uint64: the player's key (``chance.player_key``); without a layout the game's seed.
    first_game
        int64: number of the first game.
    record
        int16 ``(games, cells + 1)``, all -1, modified: the cells in the order shot. Without a
        layout the last one is the player's choice.
    ship_at
        Scratch: the ship on each cell, -1 for water.
    length, left, number
        Scratch: cells of each ship, those that were not hit yet, and its number among those of its
        length, 0 before its first hit.
    """

    ships: NDArray[np.uint16]
    mode: int
    cells: Numbers
    codes: Numbers
    key: np.uint64
    first_game: int
    record: NDArray[np.int16]
    ship_at: Annotated[Cells, "cells"]
    length: Annotated[Numbers, "ships"]
    left: Annotated[Numbers, "ships"]
    number: Annotated[Numbers, "ships"]


State = TypeVar("State")


def blank(kind: type[State], tables: Tables, **given: Any) -> State:
    """A group for kernels to fill.

    Parameters
    ----------
    kind
        Its class, whose arrays are annotated with their sizes: ``classes``, ``cells``,
        ``placements``, ``ships``, or ``most``, the greatest number of equal ships.
    tables
        The game's.
    given
        The fields that are not to be empty arrays.
    """
    sizes = dict(zip(("classes", "cells"), tables.base.shape, strict=True))
    sizes |= {"placements": len(tables.size), "ships": int(tables.ships_of.sum()),
              "most": int(tables.ships_of.max())}  # fmt: skip
    made: Any = kind
    for name, (dtype, *shape) in _empty_fields(made).items():
        if name not in given:
            given[name] = np.empty([sizes[side] for side in shape], dtype)
    return kind(**given)


@lru_cache
def _empty_fields(kind: type) -> dict[str, Any]:
    """Kind and sizes of the arrays of a group."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: getattr(hint, "__metadata__", (None,)) for name, hint in hints.items()}


# Hidden layouts


@kernel
def hide(tables, batch, ships):
    """Put one layout on the board.

    tables : Tables; batch : Batch, its scratch modified
    ships : uint16 (ships,), placement numbers. Returns int64, the number of cells they cover
    """
    for cell in range(batch.ship_at.shape[0]):
        batch.ship_at[cell] = -1
    occupied = 0
    for d in range(ships.shape[0]):
        batch.length[d] = batch.left[d] = tables.size[ships[d]]
        batch.number[d] = 0
        occupied += batch.length[d]
        for cell in covered(tables, ships[d]):
            batch.ship_at[cell] = d
    return occupied


@kernel
def answer(batch, cell):
    """Answer code of a shot.

    batch : Batch, its scratch modified; cell : int64, not shot before. Returns int64
    """
    d = batch.ship_at[cell]
    if d < 0:
        return MISS
    if batch.mode == KERNEL_HIT:
        return HIT
    length = batch.length[d]
    if batch.mode == KERNEL_SHIP:
        if batch.number[d] == 0:
            number = 1
            for e in range(batch.number.shape[0]):
                number += batch.number[e] > 0 and batch.length[e] == length
            batch.number[d] = number
        return HIT_SHIP + 64 * length + batch.number[d]
    batch.left[d] -= 1
    if batch.left[d] > 0:
        return HIT
    return SUNK if batch.mode == KERNEL_SUNK else SUNK_LENGTH + length


# Placements


@part_of_kernel
def covered(tables, p):
    """The cells of placement p, int16. tables : Tables; p : int64."""
    return tables.ship_cells[p, : tables.size[p]]


@part_of_kernel
def covering(tables, cell):
    """The placements that cover a cell, int64. tables : Tables; cell : int64."""
    return tables.through[tables.through_first[cell] : tables.through_first[cell + 1]]


@part_of_kernel
def touching(tables, cell):
    """The placements that touch a cell, int64. tables : Tables; cell : int64."""
    return tables.touching[tables.touching_first[cell] : tables.touching_first[cell + 1]]


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
        ``(longest + 1,)``, given: weight of a placement by how many of its cells were hit.
    answer_at
        Answer code at each cell, ``NOT_SHOT`` for none.
    alive
        1 while no answer rules a placement out.
    hits
        How many cells of a placement were hit.
    score
        Weight of the placements alive over each cell.
    total
        How many placements are alive.
    """

    weights: Numbers
    answer_at: Annotated[Numbers, "cells"]
    alive: Annotated[Flags, "placements"]
    hits: Annotated[Numbers, "placements"]
    score: Annotated[Numbers, "classes", "cells"]
    total: Annotated[Numbers, "classes"]


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
    for cell in covered(tables, p):
        score[row, cell] += change


@kernel
def rule_out(tables, fitting, p):
    """Rule out placement p. tables : Tables; fitting : Fitting, modified; p : int64."""
    if fitting.alive[p] == 1:
        fitting.alive[p] = 0
        fitting.total[tables.class_of[p]] -= 1
        weigh(tables, fitting.score, p, -fitting.weights[fitting.hits[p]])


@kernel
def learn_fitting(tables, fitting, cell, code):
    """Take in an answer that does not name the ship, as a hit or a miss.

    tables : Tables; fitting : Fitting, modified; cell, code : int64
    """
    fitting.answer_at[cell] = code
    for p in covering(tables, cell):
        if code == MISS:
            rule_out(tables, fitting, p)
            continue
        before = fitting.hits[p]
        fitting.hits[p] = before + 1
        if fitting.alive[p] == 1:
            more = fitting.weights[before + 1] - fitting.weights[before]
            weigh(tables, fitting.score, p, more)
    if code != MISS:
        for p in touching(tables, cell):
            rule_out(tables, fitting, p)


@kernel
def best_open(answer_at, values):
    """The cell of the greatest value among those not shot, the first of equals; -1 if all are.

    answer_at : int64 (cells,); values : (cells,), from 0 on. Returns int64
    """
    best = -1
    most = values[0] * 0 - 1  # less than any value, and a number of their type
    for x in range(answer_at.shape[0]):
        if values[x] > most and answer_at[x] == NOT_SHOT:
            most = values[x]
            best = x
    return best


# Playing, whatever the player


@kernel
def play_games(begin, learn, choose, tables, state, batch):
    """Play a batch of games, or choose the next shot of one whose answers are given.

    begin, learn, choose : kernels of a player; tables : Tables; state : theirs, modified
    batch : Batch, modified
    """
    known = batch.cells.shape[0]
    hidden = batch.ships.shape[0] > 0
    for g in range(batch.record.shape[0]):
        seed = draw_word(batch.key, batch.first_game + g) if hidden else batch.key
        begin(tables, state, seed)
        left = hide(tables, batch, batch.ships[g]) if hidden else 1
        t = 0
        while left > 0:
            cell = batch.cells[t] if t < known else choose(tables, state, seed)
            batch.record[g, t] = cell
            if hidden:
                code = answer(batch, cell)
                left -= code != MISS
            elif t < known:
                code = batch.codes[t]
            else:
                break
            learn(tables, state, cell, code)
            t += 1


# Players


class BatchPlayer(Player):
    """A player whose rules are kernels.

    Attributes
    ----------
    tables
        The game's placements, as the player is told of them.
    play_kernel
        ``play_games`` with the player's own three kernels.
    """

    quick = True
    play_kernel: ClassVar[Callable[..., Any]]

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.tables = play_tables(self.told)

    @abstractmethod
    def state(self) -> Any:
        """A state for the kernels to fill."""

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell that the kernels choose."""
        return self.after(position, chance)[1]

    def after(self, position: Position, chance: Chance) -> tuple[Any, int]:
        """What the kernels know in a position, and the cell that they choose, -1 on a full board.

        Parameters
        ----------
        position
            The game so far, reduced to what this player needs.
        chance
            The game's random numbers.
        """
        nothing = np.empty((0, len(self.rules.fleet.lengths)), dtype=np.uint16)
        state, record = self._run(nothing, chance.seed, 0, position)
        return state, int(record[0, len(position.shots)])

    def _run(
        self, ships: NDArray[np.uint16], key: int, first: int, start: Position
    ) -> tuple[Any, NDArray[np.int16]]:
        """Call the kernel: the state that it leaves, and the record of the games."""
        cells, codes = np.array(start.shots, dtype=np.int64).reshape(-1, 2).T.copy()
        batch = blank(
            Batch,
            self.tables,
            ships=np.ascontiguousarray(ships, dtype=np.uint16),
            mode=kernel_mode(self.told),
            cells=cells,
            codes=codes,
            key=np.uint64(key),
            first_game=first,
            record=np.full((max(1, len(ships)), self.rules.board.cells + 1), -1, dtype=np.int16),
        )
        state = self.state()
        type(self).play_kernel(self.tables, state, batch)
        return state, batch.record

    def _play_block(
        self, ships: NDArray[np.uint16], seed: int, first: int, start: Position
    ) -> NDArray[np.int16]:
        if type(self).choose is not BatchPlayer.choose:  # a player derived from a compiled one
            return super()._play_block(ships, seed, first, start)
        right = ships.ndim == 2 and ships.shape[1] == len(self.rules.fleet.lengths)
        if not right or ships.max(initial=0) >= len(self.tables.class_of):
            raise LayoutError(f"ships: these are no placement numbers of {self.rules}")
        return self._run(ships, player_key(seed, self.name), first, start)[1][:, :-1]
