"""What players look up about a game's placements, as arrays for the kernels."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.placements import PlacementTable, placement_table
from seabattle.enumerate.rules import Rules
from seabattle.solver.players._game_kernels import Tables

MAX_PLAYED_PLACEMENTS = 2048
MAX_PLAYED_CELLS = 256


def _padded(rows: list[tuple[int, ...]]) -> NDArray[np.int16]:
    longest = max(len(row) for row in rows)
    return np.array([row + (-1,) * (longest - len(row)) for row in rows], dtype=np.int16)


def _grouped(rows: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lists of numbers end to end, and where each begins."""
    first = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return first, np.array([number for row in rows for number in row], dtype=np.int64)


class PlayTables:
    """Placements of a fleet in the form that games are played with.

    Attributes
    ----------
    placements
        The placement table; a placement's *class* is the place of its length in ``lengths``.
    lengths, ships_of
        int64 ``(classes,)``: the different ship lengths, longest first, and the ships of each.
    masks, rims
        For every placement, the mask of its cells, and of the cells around it that no other ship
        may occupy (none under contact rule ``sides``).
    ship_cells, halo_cells
        int16 ``(n_placements, most)``: the same as lists of cells, -1 behind the last;
        ``halo_cells`` are cells and rim together.
    class_of
        int64 ``(n_placements,)``.
    through_first, through
        int64: placement numbers that cover cell c are ``through[through_first[c]:...]``.
    touching_first, touching
        The same for placements with c in their rim.
    neighbours
        int16 ``(cells, 4)``: the cells north, south, east and west, -1 off the board.
    """

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        if board.cells > MAX_PLAYED_CELLS:
            raise TooLargeError(
                f"board {board}: games are played on boards of up to {MAX_PLAYED_CELLS} cells"
            )
        self.rules = rules
        self.placements: PlacementTable = placement_table(rules)
        if len(self.placements) > MAX_PLAYED_PLACEMENTS:
            raise TooLargeError(
                f"board {board} with fleet {rules.fleet}: {len(self.placements)} placements of one "
                f"ship, at most {MAX_PLAYED_PLACEMENTS} are played with"
            )
        listed = self.placements.placements
        counts = rules.fleet.counts
        row_of = {length: row for row, length in enumerate(counts)}
        self.lengths = np.array(list(counts), dtype=np.int64)
        self.ships_of = np.array(list(counts.values()), dtype=np.int64)
        self.masks = [p.mask for p in listed]
        self.rims = [p.halo(rules.contact) & ~p.mask for p in listed]
        self.ship_cells = _padded([p.cells for p in listed])
        self.class_of = np.array([row_of[p.length] for p in listed], dtype=np.int64)
        through: list[list[int]] = [[] for _ in range(board.cells)]
        touching: list[list[int]] = [[] for _ in range(board.cells)]
        for number, (mask, rim) in enumerate(zip(self.masks, self.rims, strict=True)):
            for cell in cells_of(mask):
                through[cell].append(number)
            for cell in cells_of(rim):
                touching[cell].append(number)
        self.through_first, self.through = _grouped(through)
        self.touching_first, self.touching = _grouped(touching)
        self.slot_first = np.array([a for a, _ in self.placements.slots], dtype=np.int64)
        self.slot_stop = np.array([b for _, b in self.placements.slots], dtype=np.int64)

    @cached_property
    def halo_cells(self) -> NDArray[np.int16]:
        """Cells and rim of every placement."""
        return _padded([tuple(cells_of(m | r)) for m, r in zip(self.masks, self.rims, strict=True)])

    @cached_property
    def neighbours(self) -> NDArray[np.int16]:
        """Cells north, south, east and west of each cell."""
        rows, columns = self.rules.board.rows, self.rules.board.columns
        found = np.full((rows * columns, 4), -1, dtype=np.int16)
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            for j, (down, right) in enumerate(((-1, 0), (1, 0), (0, 1), (0, -1))):
                if 0 <= row + down < rows and 0 <= column + right < columns:
                    found[cell, j] = cell + down * columns + right
        return found

    @cached_property
    def arrays(self) -> Tables:
        """What the compiled players look up."""
        return Tables(
            self.ship_cells,
            self.class_of,
            self.lengths,
            self.ships_of,
            self.base,
            self.through_first,
            self.through,
            self.touching_first,
            self.touching,
            self.neighbours,
        )

    @cached_property
    def base(self) -> NDArray[np.int64]:
        """Placements of each class through each cell of the empty board: ``(classes, cells)``."""
        found = np.zeros((len(self.lengths), self.rules.board.cells), dtype=np.int64)
        for cells, row in zip(self.ship_cells, self.class_of, strict=True):
            found[row, cells[cells >= 0]] += 1
        return found


@lru_cache(maxsize=16)
def play_tables(rules: Rules) -> PlayTables:
    """The tables of a game, made once per process."""
    return PlayTables(rules)
