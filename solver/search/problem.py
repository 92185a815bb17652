"""The problem that a search works on: rows, weights, ships, and the symmetries that keep them.

In answer mode ``hit`` a row is an occupancy, which layouts may share; in the other modes it is a
layout, with its ships. A symmetry of the board counts only when it maps rows to rows of equal
weight: then it maps sub-tables to sub-tables of equal value, and one key per orbit is enough. After
some shots have been made few symmetries are left, often only the identity.

Which keys each family of answers has, and why, is told in ``exact_search``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import fitting_table
from seabattle.enumerate.errors import TooLargeError, within
from seabattle.enumerate.placements import mask_words, placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable, Game, position_of, rules_of
from seabattle.trees.tree import transformed_placements

MEMORY_GIB = 4.0
"""Default memory limit of a search; the layouts may take half as much."""

MAX_SOLVED_CELLS = 64
"""Most cells of a board that is solved whole: those of a mask of one word."""

WIDE_CELLS = 126
"""Most cells of masks of two words: shots and misses are numbers below 127 (``table``)."""

ONE_WORD_CELLS = 40
"""Most cells whose two masks are one word of a key."""

MOST_OPEN_LAYOUTS = 1 << 14
"""Most layouts of a game whose keys hold a bit per layout."""

MOST_SHIPS = 4
"""With more ships words are near the truth, and the states are many: nothing is counted."""

# Where what hits leave is worth counting in mode ``hit``: on smaller boards words are near the
# truth, and games of fewer rows are solved before it is counted.
LEAST_COUNTED_CELLS = 30
LEAST_COUNTED_ROWS = 1500


WHAT_WORKS = (
    "Solve a smaller board such as 5x5, or this one once few layouts and cells are left; until "
    "then advise plays by its map"
)
"""What the refusals of games that are too large end with."""


class Family(IntEnum):
    """Families of answers: which keys sub-tables have, see ``exact_search``."""

    CLOSED_SUNK = 1
    OPEN_SUNK = 2
    NAMED = 3
    HIT = 4

    @classmethod
    def of(cls, rules: Rules) -> Family:
        """The family of answers that the rules take."""
        if rules.answers is AnswerMode.HIT:
            return cls.HIT
        if rules.answers is AnswerMode.SHIP:
            return cls.NAMED
        return cls.OPEN_SUNK if rules.contact is Contact.SIDES else cls.CLOSED_SUNK


def refuse_large_board(rules: Rules, shots: int = 0) -> None:
    """Reject, before any work, a board that exact search cannot hold.

    Parameters
    ----------
    rules
        The game.
    shots
        Number of shots made: of a game in progress what is left may be small on any board.

    Raises
    ------
    TooLargeError
        If the board has more than 64 cells.
    """
    cells = rules.board.cells
    if cells > MAX_SOLVED_CELLS and not shots:
        raise TooLargeError(
            f"board {rules.board} with fleet {rules.fleet} is too large to solve exactly: "
            f"{cells} cells; the limit is {MAX_SOLVED_CELLS} cells. {WHAT_WORKS}"
        )


def as_problem(game: Game, *, memory_limit: float = MEMORY_GIB, keys: bool = True) -> Problem:
    """The problem of a game: its layouts are listed unless it is a table already.

    Parameters
    ----------
    game
        Rules, a position, or a decision table. The problem's ``table`` knows the position.
    memory_limit
        GiB for the search; the layouts may take half as much.
    keys
        Whether it is to be searched, so that its sub-tables need keys.

    Raises
    ------
    PositionError, FleetError
        If no layout fits.
    TooLargeError
        If the board is too large to be solved, or has too many layouts.
    """
    if not isinstance(game, DecisionTable):
        refuse_large_board(rules_of(game), len(position_of(game).shots))
    problem = Problem(fitting_table(game, memory_limit=within("memory_limit", memory_limit, 0) / 2))
    if keys:
        problem.require_keys()
    return problem


def whole_mask(words: NDArray[np.uint64]) -> int:
    """One mask of one word or more, the low one first, as a whole number."""
    return int.from_bytes(words.tobytes(), "little")


def holding(masks: NDArray[np.uint64], cell: int) -> NDArray[np.bool_]:
    """Which of some masks, uint64 ``(n, words)``, hold a cell."""
    return (masks[:, cell >> 6] >> np.uint64(cell & 63) & np.uint64(1)).astype(np.bool_)


def moved_masks(
    masks: NDArray[np.uint64], images: Mapping[int, int], words: int
) -> NDArray[np.uint64]:
    """Masks of cells, each of which moves to its image; one that has none is left out.

    Parameters
    ----------
    masks
        uint64 ``(n, words)``, the low word first.
    images
        The image of each cell.
    words
        Words of the masks returned: uint64 ``(n, words)``.

    Examples
    --------
    >>> moved_masks(np.array([[7]], dtype=np.uint64), {0: 2, 2: 64}, 2).tolist()
    [[4, 1]]
    """
    moved = np.zeros((len(masks), words), dtype=np.uint64)
    for cell, image in images.items():
        moved[:, image >> 6] |= holding(masks, cell).astype(np.uint64) << np.uint64(image & 63)
    return moved


class Problem:
    """Rows, weights and symmetries in the form the core reads.

    Parameters
    ----------
    table
        The decision table: all layouts, or those that fit a position.
    merge
        False gives each layout a row of its own in mode ``hit``, too.
    wide
        Whether more cells may be in question than a word has bits, and keys may have more than two
        words: ``ExactSearch`` takes that, nothing else does.

    Attributes
    ----------
    family
        Family of the answers.
    table
        The decision table: all layouts, or those that fit a position.
    rows
        uint64 ``(n_rows, words)``: cells that each row occupies, distinct in mode ``hit``.
    group
        int64 ``(n_layouts,)``: row of each layout.
    weights
        int64 ``(n_rows,)``, or length 0 when all are 1.
    numbers
        int64 ``(n_rows, n_ships)``: placement of each ship of a row, in the fleet's order.
    cells
        How many cells the search has.
    words
        Words of a mask of cells, the low one first: 1, or 2 of more than 64 cells.
    board_cells
        Cell of the board that each cell stands for: all of them where the board fits the words of
        the search; otherwise, or where only the layouts that fit are listed, those that some layout
        occupies, as all others are water.
    cell_of
        And the other way round: the cell that stands for each of those of the board.
    renumbered
        Whether they are only some cells of the board.
    on_board
        Whether cells have their numbers of the board and ships are lines, so that placements lie
        across or down.

    Raises
    ------
    TooLargeError
        If there are more such cells than the words of the search hold.
    """

    def __init__(self, table: DecisionTable, *, merge: bool = True, wide: bool = False) -> None:
        self.table = table
        self._wide = wide
        self.rules = table.rules
        masks, self.weights = table.masks, table.weights
        self.group = first = np.arange(len(table), dtype=np.int64)
        if merge and self.rules.answers is AnswerMode.HIT:
            masks, self.weights, self.group = table.occupancies()
            _, first = np.unique(self.group, return_index=True)
        self.board_cells = self._cells_in_question()
        self.cell_of = {board: cell for cell, board in enumerate(self.board_cells)}
        self.renumbered = len(self.board_cells) < self.rules.board.cells
        self.on_board = self.rules.fleet.all_lines and not self.renumbered
        self.cells = len(self.board_cells)
        self.words = 1 if self.cells <= MAX_SOLVED_CELLS else 2
        self.rows = moved_masks(masks, self.cell_of, self.words)
        self.numbers: NDArray[np.int64] = table.layouts.ships[table.index[first]].astype(np.int64)
        self.family = Family.of(self.rules)

    def _cells_in_question(self) -> tuple[int, ...]:
        board = self.rules.board
        most = WIDE_CELLS if self._wide else MAX_SOLVED_CELLS
        if self.rules.answers is AnswerMode.SHIP and not self._wide:
            most = min(most, ONE_WORD_CELLS)
        if board.cells <= most and not self.table.is_partial:
            return tuple(range(board.cells))
        occupied = np.bitwise_or.reduce(self.table.masks, axis=0).view(np.uint8)
        cells = tuple(np.flatnonzero(np.unpackbits(occupied, bitorder="little")).tolist())
        if len(cells) > most:
            with_names = " with answers 'ship'" if most == ONE_WORD_CELLS else ""
            raise TooLargeError(
                f"{len(cells)} cells of the board {board} may be occupied still; the limit"
                f"{with_names} is {most} cells. {WHAT_WORKS}"
            )
        return cells

    def mask(self, board_mask: int) -> int:
        """The search's cells among some of the board's."""
        return mask_of(self.cell_of[cell] for cell in cells_of(board_mask) if cell in self.cell_of)

    def mask_words(self, mask: int) -> NDArray[np.uint64]:
        """A mask of the search's cells as the core takes it: uint64 ``(words,)``."""
        words: NDArray[np.uint64] = mask_words([mask], self.words)[0]
        return words

    def names(self, mask: int) -> tuple[str, ...]:
        """Names of some of the search's cells, in reading order."""
        return tuple(self.rules.board.name(self.board_cells[cell]) for cell in cells_of(mask))

    def on_all_cells(self, worth: Mapping[int, int], *, shot: int, water: int) -> tuple[int, ...]:
        """Values of all cells of the board: those of cells shot and of water are all the same.

        ``worth`` has the values of the search's other cells.
        """
        known = {self.board_cells[cell]: value for cell, value in worth.items()}
        known |= dict.fromkeys(cells_of(self.table.position.shot_mask), shot)
        return tuple(known.get(cell, water) for cell in range(self.rules.board.cells))

    def require_keys(self) -> None:
        """Refuse what has no keys, before a search is made; a greedy rule needs none.

        Raises
        ------
        TooLargeError
            If they would be too long.
        """
        rules = self.rules
        if self.family == Family.NAMED and self.key_words > 2 and not self._wide:
            raise TooLargeError(
                f"{rules.board} with {rules.fleet} is too large for answer mode 'ship', which "
                f"takes up to {ONE_WORD_CELLS} cells that may be occupied, and smaller fleets"
            )
        if self.family == Family.OPEN_SUNK and len(self) > MOST_OPEN_LAYOUTS:
            raise TooLargeError(
                f"{rules.board} with {rules.fleet} has {len(self)} layouts: with answers "
                f"'sunk' under contact rule 'sides' up to {MOST_OPEN_LAYOUTS} are solved, of any "
                f"number a greedy rule can be played without a tree"
            )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def hit(self) -> int:
        """Mask of the cells hit before the search begins; 0 in mode ``hit``, where none is shot."""
        return 0 if self.family == Family.HIT else self.mask(self.table.position.hit_mask)

    @property
    def hits_are_free(self) -> bool:
        """Whether certain hits may be shot before anything else without loss."""
        return self.family != Family.OPEN_SUNK

    @property
    def hits_are_shot(self) -> bool:
        """Whether certain hits come first: they are free, and may tell something."""
        return self.family in (Family.CLOSED_SUNK, Family.NAMED)

    @property
    def is_counted(self) -> bool:
        """Whether what hits leave is worth counting (``coverage.hpp``)."""
        if not (self.looks_at_ships and self.words == 1 and self.rules.fleet.all_lines):
            return False
        large = self.cells >= LEAST_COUNTED_CELLS and len(self) >= LEAST_COUNTED_ROWS
        apart = self.rules.contact is not Contact.SIDES
        plain = self.family == Family.HIT and self.on_board and apart and large
        return plain or self.family == Family.CLOSED_SUNK

    @property
    def looks_at_ships(self) -> bool:
        """Whether it is worth while to look at single ships.

        Of many ships words tell as much, unless each hit names its own.
        """
        return self.family == Family.NAMED or len(self.rules.fleet.lengths) <= MOST_SHIPS

    @property
    def two_words(self) -> bool:
        """Whether H and M take words of their own in a key, not one together."""
        return self.cells > ONE_WORD_CELLS or self.words > 1 or self.name_words > 1

    @property
    def key_words(self) -> int:
        """Words of a key (``keys``)."""
        if self.family == Family.OPEN_SUNK:
            return self.words + (len(self) + 63) // 64
        return self.name_words + (2 * self.words if self.two_words else 1)

    @property
    def name_words(self) -> int:
        """Words of a key that name the ships hit."""
        if self.family != Family.NAMED:
            return 0
        fleet = self.rules.fleet
        ships = max(2, len(fleet.lengths))
        if fleet.cells * np.log2(ships) <= 64:
            return 1
        digits = 64 // (ships - 1).bit_length()  # that surely fit in a word
        return -(-fleet.cells // digits)

    @cached_property
    def ships(self) -> NDArray[np.uint64]:
        """uint64 ``(n_rows, n_ships, words)``: cells of each ship of a row."""
        masks = placement_table(self.rules).masks
        return moved_masks(masks, self.cell_of, self.words)[self.numbers]

    def closure(self, rows: NDArray[np.int64]) -> tuple[int, int]:
        """Masks of the cells that all the given rows occupy, and that some do."""
        masks = self.rows[rows]
        every, some = np.bitwise_and.reduce(masks), np.bitwise_or.reduce(masks)
        return whole_mask(every), whole_mask(some)

    @property
    def row_weights(self) -> NDArray[np.int64]:
        """int64 ``(n_rows,)``: the weights, written out where all are 1."""
        return self.weights if len(self.weights) else np.ones(len(self), dtype=np.int64)

    @cached_property
    def certain(self) -> int:
        """Mask of the cells that every row occupies."""
        return whole_mask(np.bitwise_and.reduce(self.rows))

    @cached_property
    def occupied(self) -> int:
        """Mask of the cells that some row occupies."""
        return whole_mask(np.bitwise_or.reduce(self.rows))

    @property
    def unknown(self) -> int:
        """Mask of the cells that some but not all rows occupy."""
        return self.occupied & ~self.certain

    def transformed_rows(self, symmetry: tuple[int, ...]) -> NDArray[np.uint64]:
        """The rows moved by a symmetry of the board, in the order of the rows."""
        return moved_masks(self.rows, dict(enumerate(symmetry)), self.words)

    def _row_images(
        self, symmetries: Iterable[tuple[int, ...]]
    ) -> Iterator[NDArray[np.int64] | None]:
        """Row that each row becomes under symmetries of the board; None if some row becomes none.

        Rows are told apart by their cells in mode ``hit``, else by their ships.
        """
        by_cells = self.family == Family.HIT
        own: NDArray[Any] = self.rows if by_cells else self.numbers.astype(np.uint16)
        order = np.lexsort(own.T)
        for symmetry in symmetries:
            if by_cells:
                moved: NDArray[Any] = self.transformed_rows(symmetry)
            else:
                number = transformed_placements(placement_table(self.rules), symmetry)
                moved = np.sort(number[self.numbers], axis=1)
            images = np.lexsort(moved.T)
            found = np.empty_like(order)
            found[images] = order
            yield found if np.array_equal(own[order], moved[images]) else None

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Permutations of the cells that map rows to rows of equal weight; the identity first.

        Where only some cells of the board are in question they have no shape, and it is alone.
        """
        identity = tuple(range(self.cells))
        if self.renumbered:
            return (identity,)
        others = self.rules.symmetries[1:]
        return identity, *(
            symmetry
            for symmetry, images in zip(others, self._row_images(others), strict=True)
            if images is not None and self._weigh_alike(images)
        )

    def _weigh_alike(self, images: NDArray[np.int64]) -> bool:
        """Whether every row weighs as much as its image."""
        return not len(self.weights) or np.array_equal(self.weights[images], self.weights)

    def without_symmetry(self) -> Problem:
        """The same problem in which what symmetries exchange is told apart."""
        apart = copy(self)
        apart.symmetries = (tuple(range(self.cells)),)
        return apart

    def row_images(self) -> NDArray[np.int32]:
        """Row that each row becomes under each symmetry: int32 ``(n_symmetries, n_rows)``."""
        if len(self.symmetries) == 1:
            return np.arange(len(self), dtype=np.int32).reshape(1, -1)
        return np.array(list(self._row_images(self.symmetries)), dtype=np.int32)
