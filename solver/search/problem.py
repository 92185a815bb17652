"""The problem that a search works on: rows, weights, ships, and the symmetries that keep them.

In answer mode ``hit`` a row is an occupancy, which layouts may share; in the other modes it is a
layout, with its ships. A symmetry of the board counts only when it maps rows to rows of equal
weight: then it maps sub-tables to sub-tables of equal value, and one key per orbit is enough. After
some shots have been made few symmetries are left, often only the identity.

Which family of answers the rules take (``mode``), and why, is told in ``exact_search``.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import require_memory
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import estimate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable, Game, as_table, rules_of
from seabattle.solver.search import bounds
from seabattle.solver.search import work as w
from seabattle.solver.search.coverage import MOST_SHIPS

MEMORY_GIB = 4.0
"""Default memory limit of a search; the layouts may take half as much."""

MAX_SOLVED_CELLS = 64
ONE_WORD_CELLS = 40

MOST_OPEN_LAYOUTS = 1 << 14
"""Most layouts of a game whose keys hold a bit per layout."""

# Where what hits leave is worth counting in mode ``hit``: on smaller boards words are near the
# truth, and games of fewer rows are solved before it is counted.
LEAST_COUNTED_CELLS = 30
LEAST_COUNTED_ROWS = 1500


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


def as_problem(game: Game, *, memory_limit: float = MEMORY_GIB) -> Problem:
    """The problem of a game: its layouts are enumerated unless it is a table already.

    Parameters
    ----------
    game
        Rules, a position, or a decision table. The problem's ``table`` knows the position.
    memory_limit
        GiB for the search; the layouts may take half as much.

    Raises
    ------
    PositionError, FleetError
        If no layout fits.
    TooLargeError
        If the board is too large to be solved, or has too many layouts.
    TypeError
        If ``game`` is not ``Rules``, a ``Position`` or a ``DecisionTable``.
    """
    refuse_large_board(rules_of(game))
    return Problem(as_table(game, memory_limit=require_memory(memory_limit) / 2))


def _word_of_each(numbers: NDArray[np.int64], placements: int) -> NDArray[np.void | np.int64]:
    """Each layout's placement numbers as one value, to sort and to search."""
    if placements ** numbers.shape[1] < 2**63:
        return numbers @ placements ** np.arange(numbers.shape[1], dtype=np.int64)
    rows = np.ascontiguousarray(numbers.astype(">u2"))  # bytes that sort like the numbers
    return rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel()


class Problem:
    """Rows, weights and symmetries in the form the kernels read.

    Parameters
    ----------
    table
        The decision table: all layouts, or those that fit a position.
    merge
        False gives each layout a row of its own in mode ``hit``, too.

    Attributes
    ----------
    mode
        Family of the answers: ``PLAIN`` (answer mode ``hit``), ``CLOSED_SUNK``, ``OPEN_SUNK`` or
        ``NAMED``.
    table
        The decision table: all layouts, or those that fit a position.
    rows
        uint64 ``(n_rows,)``: cells that each row occupies, distinct in mode ``hit``.
    group
        int64 ``(n_layouts,)``: row of each layout.
    weights
        int64 ``(n_rows,)``, or length 0 when all are 1.
    numbers
        int64 ``(n_rows, n_ships)``: placement of each ship of a row, in the fleet's order.
    ships
        uint64 ``(n_rows, n_ships)``: cells of each ship; all 0 in mode ``hit``, but where they tell
        something (``is_counted``).
    cells, full
        Cells of the board, and their mask.
    on_board
        Whether cells have their numbers of the board and ships are lines, so that placements lie
        across or down.
    """

    on_board = True

    def __init__(self, table: DecisionTable, *, merge: bool = True) -> None:
        refuse_large_board(table.rules)
        self.table = table
        self.rules = table.rules
        self.cells = self.rules.board.cells
        self.full = self.rules.board.full_mask
        self.on_board = self.rules.fleet.all_lines
        masks, self.weights = table.masks, table.weights
        self.group = first = np.arange(len(table), dtype=np.int64)
        if merge and self.rules.answers is AnswerMode.HIT:
            masks, self.weights, self.group = table.occupancies()
            _, first = np.unique(self.group, return_index=True)
        self.rows: NDArray[np.uint64] = np.ascontiguousarray(masks[:, 0])
        self.numbers: NDArray[np.int64] = table.layouts.ships[table.index[first]].astype(np.int64)
        self.mode = self._mode()
        self.ships: NDArray[np.uint64] = np.zeros(self.numbers.shape, dtype=np.uint64)
        if self.mode != w.PLAIN or self.is_counted:
            self.ships = np.ascontiguousarray(placement_table(self.rules).masks[self.numbers, 0])

    def _mode(self) -> int:
        """The family of answers that the rules take.

        Raises
        ------
        TooLargeError
            If its keys would be too long.
        """
        rules = self.rules
        if rules.answers is AnswerMode.HIT:
            return w.PLAIN
        if rules.answers is AnswerMode.SHIP:
            digits = rules.fleet.cells * np.log2(max(2, len(rules.fleet.lengths)))
            if self.two_words or digits > 64:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet} is too large for answer mode 'ship', which "
                    f"takes boards of up to {ONE_WORD_CELLS} cells and smaller fleets"
                )
            return w.NAMED
        if rules.contact is not Contact.SIDES:
            return w.CLOSED_SUNK
        if len(self) > MOST_OPEN_LAYOUTS:
            raise TooLargeError(
                f"{rules.board} with {rules.fleet} has {len(self)} layouts: with answers "
                f"'sunk' under contact rule 'sides' up to {MOST_OPEN_LAYOUTS} are solved"
            )
        return w.OPEN_SUNK

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        what = "occupancies" if self.mode == w.PLAIN else "layouts"
        return f"<problem of {len(self)} {what}: {self.rules}>"

    @property
    def hit(self) -> int:
        """Mask of the cells hit before the search begins; 0 in mode ``hit``, where none is shot.

        Raises
        ------
        PositionError
            If the answers depend on the shots so far, and the table has no history.
        """
        return 0 if self.mode == w.PLAIN else self.table.history.hit_mask

    @property
    def hits_are_free(self) -> bool:
        """Whether certain hits may be shot before anything else without loss."""
        return self.mode != w.OPEN_SUNK

    @property
    def hits_are_shot(self) -> bool:
        """Whether certain hits come first: they are free, and may tell something."""
        return self.mode in (w.CLOSED_SUNK, w.NAMED)

    @property
    def is_counted(self) -> bool:
        """Whether what hits leave is worth counting (``coverage``)."""
        return (
            self.has_few_ships
            and self.rules.fleet.all_lines
            and (
                self.mode == w.CLOSED_SUNK
                or (
                    self.mode == w.PLAIN
                    and self.rules.contact is not Contact.SIDES
                    and self.cells >= LEAST_COUNTED_CELLS
                    and len(self) >= LEAST_COUNTED_ROWS
                )
            )
        )

    @property
    def has_few_ships(self) -> bool:
        """Whether it is worth while to look at single ships: of many, words tell as much."""
        return len(self.rules.fleet.lengths) <= MOST_SHIPS

    @property
    def two_words(self) -> bool:
        """Whether H and M take a word each in a key."""
        return self.cells > ONE_WORD_CELLS

    @property
    def key_words(self) -> int:
        """Words of a key."""
        if self.mode == w.OPEN_SUNK:
            return 1 + (len(self) + 63) // 64
        return 2 if self.mode == w.NAMED or self.two_words else 1

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
        images = np.zeros(len(self), dtype=np.uint64)
        for cell, image in enumerate(symmetry):
            images |= (self.rows >> np.uint64(cell) & np.uint64(1)) << np.uint64(image)
        return images

    def _row_images(self, symmetry: tuple[int, ...]) -> NDArray[np.int64] | None:
        """Row that each row becomes under a symmetry of the board; None if some row becomes none.

        Rows are told apart by their cells in mode ``hit``, else by their ships.
        """
        own: NDArray[np.generic] = self.rows
        if self.mode == w.PLAIN:
            moved: NDArray[np.generic] = self.transformed_rows(symmetry)
        else:
            placements = placement_table(self.rules)
            number = np.array(
                [
                    placements.number_of_cells(tuple(sorted(symmetry[c] for c in p.cells)))
                    for p in placements.placements
                ]
            )
            own = _word_of_each(self.numbers, len(number))
            moved = _word_of_each(np.sort(number[self.numbers], axis=1), len(number))
        order = np.argsort(own, kind="stable")
        known = own[order]
        if not np.array_equal(np.sort(moved), known):
            return None
        return order[np.searchsorted(known, moved)]

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Permutations of the cells that map rows to rows of equal weight; the identity first."""
        kept = []
        for symmetry in self.rules.symmetries:
            images = self._row_images(symmetry)
            if images is None:
                continue
            if len(self.weights) and not np.array_equal(self.weights[images], self.weights):
                continue
            kept.append(symmetry)
        return tuple(kept)

    def row_images(self) -> NDArray[np.int32]:
        """Row that each row becomes under each symmetry: int32 ``(n_symmetries, n_rows)``."""
        return np.array([self._row_images(g) for g in self.symmetries], dtype=np.int32)

    def image_array(self, *, orbits: bool) -> NDArray[np.int32]:
        """``row_images`` where keys are sets of rows, else int32 ``(1, 1)``."""
        if self.mode != w.OPEN_SUNK:
            return np.zeros((1, 1), dtype=np.int32)
        return np.ascontiguousarray(self.row_images()[: None if orbits else 1])

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
            (``keys``).
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
