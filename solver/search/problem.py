"""The problem the search works on: one row per distinct occupancy, and the board's symmetries.

A symmetry of the board counts only when it maps the table (rows and weights) to itself: then it
maps sub-tables to sub-tables of equal value, and one key per orbit is enough. After some shots
have been made few symmetries are left, often only the identity.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import estimate_layouts
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import bounds

MAX_SOLVED_CELLS = 64
ONE_WORD_CELLS = 40


def refuse_large_board(rules: Rules) -> None:
    """Reject, before any work, a board that exact search cannot hold.

    Raises
    ------
    TooLargeError
        If the board has more than 64 cells; gives the approximate number of layouts.
    """
    cells = rules.board.cells
    if cells > MAX_SOLVED_CELLS:
        about = f", about {estimate_layouts(rules):.3g} layouts" if cells <= 128 else ""
        raise TooLargeError(
            f"board {rules.board} with fleet {rules.fleet} is too large to solve exactly: "
            f"{cells} cells{about}; the limit is {MAX_SOLVED_CELLS} cells. Solve a smaller board "
            f"such as 5x5"
        )


class Problem:
    """Rows, weights and symmetries in the form the kernels read.

    Attributes
    ----------
    hits_are_free
        Whether certain hits may be shot before anything else without loss.
    on_board
        Whether cells have their numbers of the board, so that placements lie across or down.
    table
        The decision table: all layouts, or those that fit a position.
    rows
        uint64 ``(n_rows,)``: distinct occupancies.
    weights
        int64 ``(n_rows,)``, or length 0 when all are 1.
    symmetries
        Permutations of the cells that map the table to itself; the identity first.
    """

    hits_are_free = True
    on_board = True

    def __init__(self, table: DecisionTable, *, merge: bool = True) -> None:
        refuse_large_board(table.rules)
        self.table = table
        self.rules = table.rules
        masks, self.weights = table.masks, table.weights
        self.group = np.arange(len(table), dtype=np.int64)
        if merge:
            masks, self.weights, self.group = table.occupancies()
        self.rows: NDArray[np.uint64] = np.ascontiguousarray(masks[:, 0])
        self.cells = self.rules.board.cells
        self.full = self.rules.board.full_mask
        self.two_words = self.cells > ONE_WORD_CELLS

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<problem of {len(self)} occupancies: {self.rules}>"

    def closure(self, rows: NDArray[np.int64]) -> tuple[int, int]:
        """Masks of the cells that all the given rows occupy, and that some do."""
        masks = self.rows[rows]
        return int(np.bitwise_and.reduce(masks)), int(np.bitwise_or.reduce(masks))

    @property
    def side_masks(self) -> tuple[int, ...]:
        """For every cell, the mask of the cells that share a side with it."""
        return self.rules.board.side_masks

    @property
    def weight(self) -> int:
        """Sum of the weights."""
        return int(self.weights.sum()) if len(self.weights) else len(self)

    @property
    def lightest(self) -> int:
        """Least weight of a row."""
        return int(self.weights.min()) if len(self.weights) else 1

    @property
    def heaviest(self) -> int:
        """Greatest weight of a row."""
        return int(self.weights.max()) if len(self.weights) else 1

    @cached_property
    def certain(self) -> int:
        """Mask of the cells that every row occupies."""
        return int(np.bitwise_and.reduce(self.rows))

    @cached_property
    def occupied(self) -> int:
        """Mask of the cells that some row occupies."""
        return int(np.bitwise_or.reduce(self.rows))

    @property
    def unknown(self) -> int:
        """Mask of the cells that some but not all rows occupy."""
        return self.occupied & ~self.certain

    def transformed_rows(self, symmetry: tuple[int, ...]) -> NDArray[np.uint64]:
        """The rows moved by a symmetry of the board, in the order of the rows."""
        images = np.zeros(len(self.rows), dtype=np.uint64)
        for cell, image in enumerate(symmetry):
            images |= (self.rows >> np.uint64(cell) & np.uint64(1)) << np.uint64(image)
        return images

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Symmetries of the board that map rows to rows of equal weight."""
        order = np.argsort(self.rows)
        kept = []
        for symmetry in self.rules.board.symmetries:
            images = self.transformed_rows(symmetry)
            moved = np.argsort(images)
            same = np.array_equal(images[moved], self.rows[order])
            if same and len(self.weights):
                same = np.array_equal(self.weights[moved], self.weights[order])
            if same:
                kept.append(symmetry)
        return tuple(kept)

    def symmetry_arrays(
        self, *, orbits: bool = True
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """What keys are made of, and the images of cells.

        Parameters
        ----------
        orbits
            False takes the identity alone, so that symmetric sub-tables have different keys.

        Returns
        -------
        key_shares
            uint64 ``(bytes, 256, n_symmetries)``: each byte's share of a key under each symmetry
            (``kernels.keys``).
        moves
            int64 ``(n_symmetries, 64)``: the image of every cell, -1 off the board.
        """
        chosen = self.symmetries if orbits else self.symmetries[:1]
        count = (self.cells + 7) // 8
        shares = np.zeros((count, 256, len(chosen)), dtype=np.uint64)
        moves = np.full((len(chosen), 64), -1, dtype=np.int64)
        for g, symmetry in enumerate(chosen):
            moves[g, : self.cells] = symmetry
            for cell, image in enumerate(symmetry):
                byte, bit = divmod(cell, 8)
                holds = np.arange(256) >> bit & 1 == 1
                share = 1 << image if self.two_words else 3**image
                shares[byte, holds, g] += np.uint64(share)
        return shares, moves

    def bound_arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The tables of the counting bound: ``bounds.total_table`` and ``bounds.reach_table``."""
        return bounds.total_table(self.rules.fleet.cells, len(self)), bounds.reach_table()
