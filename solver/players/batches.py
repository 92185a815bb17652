"""Players whose rules are compiled: many games in one call of the core.

The rules of such a player are a class in C++ (``batches.hpp``), which plays a batch of games
against hidden layouts, and chooses a single shot after answers that are given. This file has what
all of them share: the tables of placements, and play.
"""

from __future__ import annotations

from abc import abstractmethod
from ctypes import Structure
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS, core_mode
from seabattle.enumerate.core.library import FULL, core
from seabattle.enumerate.errors import LayoutError, TooLargeError
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance, player_key
from seabattle.solver.players.player import Player

MAX_PLAYED_PLACEMENTS = 1 << 15
MAX_PLAYED_CELLS = 2500

WORK_AT_ONCE = 30_000_000
"""Cells times placements times games that the core is given in one call, about 0.1 s at most."""


class Tables:
    """Placements of a fleet, as the compiled players look them up.

    Ships of one length are a *class*, the longest first. A placement *touches* a cell that it does
    not cover when no other ship may stand there.

    Attributes
    ----------
    placements
        All of it, for the core: ``seabattle_placements``.
    lengths, ships_of
        int64 ``(classes,)``: length of the ships of a class, and how many there are.
    alike
        int64 ``(longest + 1,)``: the weight of a placement, 1, however many of its cells were hit.
    neighbours
        int16 ``(cells, 4)``: the cells north, south, east and west, -1 off the board.
    """

    def __init__(self, rules: Rules) -> None:
        board, table = rules.board, placement_table(rules)
        if not len(table):
            raise fleet_does_not_fit(rules)
        covers, halos = (
            np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : board.cells]
            for words in (table.masks, table.halos)
        )
        sizes = covers.sum(axis=1, dtype=np.int16)
        ship_cells = np.full((len(table), sizes.max()), -1, dtype=np.int16)
        ship_cells[np.arange(sizes.max()) < sizes[:, None]] = np.nonzero(covers)[1]
        self.lengths = np.array(list(rules.fleet.counts), dtype=np.int64)
        self.ships_of = np.array(list(rules.fleet.counts.values()), dtype=np.int64)
        self.alike = np.ones(self.lengths[0] + 1, dtype=np.int64)
        numbers = np.arange(board.cells, dtype=np.int16).reshape(board.rows, board.columns)
        grid = np.pad(numbers, 1, constant_values=-1)
        beside = grid[:-2, 1:-1], grid[2:, 1:-1], grid[1:-1, 2:], grid[1:-1, :-2]
        self.neighbours = np.stack(beside, axis=-1).reshape(board.cells, 4)
        base = [covers[sizes == length].sum(axis=0) for length in self.lengths]
        through, touching = _of_cells(covers), _of_cells(halos > covers)
        self.placements: Structure = core().structure(
            "placements",
            {
                "ship_cells": ship_cells,
                "sizes": sizes,
                "class_of": np.argmax(sizes[:, None] == self.lengths, axis=1).astype(np.int16),
                "lengths": self.lengths,
                "ships_of": self.ships_of,
                "base": np.array(base, dtype=np.int64),
                "through_first": through[0],
                "through": through[1],
                "touching_first": touching[0],
                "touching": touching[1],
            },
        )


def _of_cells(held: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """For each cell the numbers of the rows that hold it: where they begin, end to end."""
    first = np.cumsum([0, *held.sum(axis=0)], dtype=np.int32)
    return first, np.nonzero(held.T)[1].astype(np.uint16)


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
    return Tables(rules)


class BatchPlayer(Player):
    """A player whose rules are compiled.

    Attributes
    ----------
    tables
        The game's placements, as the player is told of them.
    """

    quick = True

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.tables = play_tables(self.told)
        self._memory = np.empty(1 << 16, dtype=np.uint8)

    @abstractmethod
    def run(self, games: Structure, memory: NDArray[np.uint8]) -> tuple[int, NDArray[Any]]:
        """Play games in the core.

        Parameters
        ----------
        games
            ``seabattle_games``; their record is modified.
        memory
            Scratch.

        Returns
        -------
        status, scores
            What the core returned, and ``(classes, cells)``: what the placements of each class
            weigh over each cell at the end; empty for a player that does not weigh them.
        """

    def empty_scores(self, kind: type[Any] = np.int64) -> NDArray[Any]:
        """Scores for the core to fill."""
        return np.zeros((len(self.tables.lengths), self.rules.board.cells), dtype=kind)

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell that the core chooses."""
        return self.after(position, chance)[1]

    def after(self, position: Position, chance: Chance) -> tuple[NDArray[Any], int]:
        """What placements weigh in a position, and the cell that is shot, -1 on a full board.

        Parameters
        ----------
        position
            The game so far, reduced to what this player needs.
        chance
            The game's random numbers.

        Returns
        -------
        scores, cell
            As ``run`` returns them; the number of the cell.
        """
        nothing = np.empty((0, len(self.rules.fleet.lengths)), dtype=np.uint16)
        scores, record = self._run(nothing, chance.seed, 0, position)
        return scores, int(record[0, len(position.shots)])

    def _run(
        self, ships: NDArray[np.uint16], key: int, first: int, start: Position
    ) -> tuple[NDArray[Any], NDArray[np.int16]]:
        """The scores at the end of games, and the record of all of them."""
        cells, codes = np.array(start.shots, dtype=np.int64).reshape(-1, 2).T
        record = np.full((max(1, len(ships)), self.rules.board.cells + 1), -1, dtype=np.int16)
        games = core().structure(
            "games",
            {
                "ships": np.ascontiguousarray(ships, dtype=np.uint16),
                "mode": core_mode(self.told),
                "cells": cells.astype(np.int16),
                "codes": codes.astype(np.uint16),
                "key": key,
                "first_game": first,
                "record": record,
            },
        )
        status, scores = self.run(games, self._memory)
        while status == FULL:
            self._memory = np.empty(4 * len(self._memory), dtype=np.uint8)
            status, scores = self.run(games, self._memory)
        return scores, record

    def _play_block(
        self, ships: NDArray[np.uint16], seed: int, first: int, start: Position
    ) -> NDArray[np.int16]:
        if type(self).choose is not BatchPlayer.choose:  # a player derived from a compiled one
            return super()._play_block(ships, seed, first, start)
        return self._record_of(ships, start, player_key(seed, self.name), first)

    def shots_after(
        self, position: Position, cell: int, ships: NDArray[np.uint16]
    ) -> NDArray[np.int64]:
        """Shots of whole games in which a cell is shot in a position, and then this player plays.

        Parameters
        ----------
        position, cell
            What is known, and a cell not shot.
        ships
            uint16 ``(games, ships)``: placement numbers of layouts that fit, one for each game.

        Returns
        -------
        int64 ``(games,)``
            The shots of the position are counted as well.

        Raises
        ------
        LayoutError
            If the layouts are not of this game.

        Examples
        --------
        >>> from seabattle.solver.players.density import Odds
        >>> position = Position(Rules("1x4", "2", answers="sunk")).shoot("A1", "miss")
        >>> ships = np.array([[1], [2]], dtype=np.uint16)  # B1:C1 and C1:D1
        >>> Odds(position.rules).shots_after(position, 2, ships).tolist()  # C1
        [3, 4]
        """
        after = Position(position.rules, (*position.shots, (cell, MISS)))  # the layouts answer
        return np.asarray((self._record_of(ships, after, 0, 0) >= 0).sum(axis=1))

    def _record_of(
        self, ships: NDArray[np.uint16], start: Position, key: int, first: int
    ) -> NDArray[np.int16]:
        """The cells shot in each game, those of the start first, whatever the answers there."""
        right = ships.ndim == 2 and ships.shape[1] == len(self.rules.fleet.lengths)
        placements = len(placement_table(self.rules))
        if not right or ships.max(initial=0) >= placements:
            raise LayoutError(f"ships: these are not placement numbers of {self.rules}")
        cells = self.rules.board.cells
        games = max(1, WORK_AT_ONCE // (cells * placements))
        records = [np.empty((0, cells), dtype=np.int16)]
        for begin in range(0, len(ships), games):
            part = ships[begin : begin + games]
            records.append(self._run(part, key, first + begin, start)[1][:, :-1])
        return np.concatenate(records)
