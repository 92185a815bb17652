"""The exact search for wide positions, where more cells are in question than a word has bits.

A sub-table is the set of its layouts, and that set, one bit per layout, is its key: an exact one in
every mode, however many cells the board has.

Modes ``hit`` and ``ship``, and ``sunk`` under contact rules ``none`` and ``corners``
    Once every certain hit has been shot, the cells hit are those that all layouts of the set
    occupy. ``solver.search.exact_search`` proves that these cells,
    those that no layout occupies, and in mode ``ship`` the ship in each cell hit, say all there is
    to know; each of them can be read off the set. So the set alone is a key, too.
Mode ``sunk``, contact rule ``sides``
    The state is the set and the cells hit, as there.

Two layouts of mode ``hit`` that occupy the same cells are one row whose weight is their sum.

Bounds and dominance are those of the other searches. They need fewer bits where cells are few and
layouts many, which is why this one is kept for the end of games on large boards. Symmetries of the
board are not used: after a few shots there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_SUNK_LENGTH, kernel_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.search import work as w
from seabattle.solver.search.arrays import COUNT_PLANES
from seabattle.solver.search.bounds import MISSES, REACH_LIMIT, sinking_patterns
from seabattle.solver.search.kernels.set_search import (
    SCRATCH_ROWS,
    SET_COLUMNS,
    WORST_BITS,
    WORST_MASK,
    SetArena,
    SetArrays,
    SetGame,
    minimize_after,
)
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, SearchOptions, Value
from seabattle.solver.search.workspace import Workspace

MOST_SET_LAYOUTS = 1 << 14
"""Most layouts of a position whose keys hold a bit per layout."""

FIRST_CAPACITY = 1 << 12
FIRST_ARENA = 1 << 9


@lru_cache(maxsize=16)
def _reach(ships: int, misses: int) -> NDArray[np.int64]:
    """C(k + h, k) for h up to ``ships`` and k below ``misses``, cut off at 2^40."""
    table = [[min(comb(k + h, k), REACH_LIMIT) for k in range(misses)] for h in range(ships + 1)]
    return np.array(table, dtype=np.int64)


class SetProblem(Problem):
    """A problem of any number of cells: one row per layout, in mode ``hit`` one per occupancy.

    Of what a ``Problem`` has, masks are Python's whole numbers here, and ``rows`` has a row of
    words for each layout.

    Parameters
    ----------
    rules
        The game.
    ships
        For each layout the masks of its ships, in the fleet's order, over cells numbered from 0.
    weights
        int64 ``(n_layouts,)``, or length 0 when all are 1.
    cells
        Number of cells.

    Raises
    ------
    TooLargeError
        If there are more than 16,384 rows.

    Attributes
    ----------
    mode
        Family of the answers (``kernels.set_search``).
    layouts
        For each row the cells of its ships, ship by ship.
    words
        Words of a mask.
    """

    def __init__(
        self, rules: Rules, ships: Sequence[Sequence[int]], weights: NDArray[np.int64], cells: int
    ) -> None:
        self.rules = rules
        self.cells = cells
        self.full = 0  # the boards of other problems fit in a word
        self.words = max(1, (cells + 63) // 64)
        self.weights = weights
        if rules.answers is AnswerMode.HIT:
            ships = self._merge(ships)
            self.mode = w.PLAIN
        elif rules.answers is AnswerMode.SHIP:
            self.mode = w.NAMED
        elif rules.contact is Contact.SIDES:
            self.mode = w.OPEN_SUNK
        else:
            self.mode = w.CLOSED_SUNK
        if len(ships) > MOST_SET_LAYOUTS:
            raise TooLargeError(
                f"{len(ships)} layouts with {cells} cells that may be occupied: exact play takes "
                f"up to {MOST_SET_LAYOUTS} layouts where so many cells are in question"
            )
        self.layouts = [[c for ship in row for c in cells_of(ship)] for row in ships]
        self.rows = np.zeros((len(ships), self.words), dtype=np.uint64)
        for number, row in enumerate(self.layouts):
            for cell in row:
                self.rows[number, cell >> 6] |= np.uint64(1 << (cell & 63))

    def _merge(self, ships: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        """One layout of each occupancy; its weight becomes that of all."""
        each = self.weights.tolist() if len(self.weights) else [1] * len(ships)
        first: dict[int, Sequence[int]] = {}
        weights: dict[int, int] = {}
        for row, weight in zip(ships, each, strict=True):
            occupied = sum(row)
            first.setdefault(occupied, row)
            weights[occupied] = weights.get(occupied, 0) + weight
        if len(self.weights) or len(first) < len(ships):
            self.weights = np.array(list(weights.values()), dtype=np.int64)
        return list(first.values())

    @property
    def key_words(self) -> int:
        """Words of a key: a bit per row and, in the open mode, the cells hit."""
        return (len(self) + 63) // 64 + (self.words if self.mode == w.OPEN_SUNK else 0)

    def _mask(self, words: NDArray[np.uint64]) -> int:
        return sum(int(word) << 64 * place for place, word in enumerate(words))

    @cached_property
    def certain(self) -> int:
        """Mask of the cells that every row occupies."""
        return self._mask(np.bitwise_and.reduce(self.rows))

    @cached_property
    def occupied(self) -> int:
        """Mask of the cells that some row occupies."""
        return self._mask(np.bitwise_or.reduce(self.rows))

    def symmetry_arrays(
        self, *, orbits: bool = True
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Nothing: keys are sets of rows."""
        return np.zeros((1, 1, 1), dtype=np.uint64), np.zeros((1, 1), dtype=np.int64)


class SetSearch(Workspace):
    """Exact search over sets of layouts, for the least mean of misses.

    Parameters
    ----------
    problem
        The rows.
    limits
        When to stop.
    hit
        Mask of the cells hit before the search begins.
    """

    problem: SetProblem

    def __init__(self, problem: SetProblem, *, limits: Limits | None = None, hit: int = 0) -> None:
        lengths = problem.rules.fleet.lengths
        n, words = len(problem), problem.words
        row_words = (n + 63) // 64
        is_open = problem.mode == w.OPEN_SUNK
        super().__init__(problem, limits=limits, first_capacity=FIRST_CAPACITY)
        cells = np.array(problem.layouts, dtype=np.int32).reshape(n, -1)
        ship_at = np.full((n, problem.cells), -1, dtype=np.int16)
        ship_of = np.repeat(np.arange(len(lengths), dtype=np.int16), lengths)
        ship_at[np.arange(n)[:, None], cells] = ship_of
        self.game = SetGame(
            cells,
            ship_at,
            problem.rows.copy(),  # kernels take writable arrays
            problem.weights if len(problem.weights) else np.ones(n, dtype=np.int64),
            np.array(lengths, dtype=np.int64),
            np.cumsum([0, *lengths[:-1]], dtype=np.int64),
        )
        # A shot parts the rows or, in the open mode, hits a certain cell.
        levels = min(problem.cells, n + cells.shape[1]) + 3
        # A node is entered anew after a stop, with all those above it, and tries each of its cells.
        self.least_rows_per_step = 2 * n * levels
        self.rows_per_step = max(self.limits.rows_per_step // 100, self.least_rows_per_step)
        self.counts = np.zeros((levels, COUNT_PLANES, problem.cells), dtype=np.int64)
        self.together = np.zeros((problem.cells, words), dtype=np.uint64)
        self.reach = _reach(cells.shape[1], max(MISSES, problem.cells))
        self.scratch = np.zeros((SCRATCH_ROWS, self.reach.shape[1]), dtype=np.int64)
        self.patterns = sinking_patterns(lengths if problem.mode == w.CLOSED_SUNK else ())
        self.arena = SetArena(
            np.zeros((FIRST_ARENA, SET_COLUMNS), dtype=np.int64),
            np.zeros((FIRST_ARENA, 3 * words + row_words), dtype=np.uint64),
        )
        self.hit = np.zeros(words, dtype=np.uint64)
        for cell in cells_of(hit if problem.mode != w.PLAIN else 0):
            self.hit[cell >> 6] |= np.uint64(1 << (cell & 63))
        self.options = SearchOptions().kernel_options(problem)
        announced = kernel_mode(problem.rules) == KERNEL_SUNK_LENGTH
        self.options[w.ANNOUNCED] = is_open and announced

    def make_room(self) -> None:
        """Double the arena of children."""
        entries, masks = self.arena
        self.arena = SetArena(
            np.concatenate((entries, np.zeros_like(entries))),
            np.concatenate((masks, np.zeros_like(masks))),
        )

    def _after(self, cell: int, budget: int) -> Value:
        """Least misses after a shot, or, with cell -1, before any."""
        ids = np.arange(len(self.problem), dtype=np.int32)
        value = self.run(
            lambda: minimize_after(
                ids,
                cell,
                self.hit,
                budget,
                SetArrays(
                    self.game,
                    self.arena,
                    self.table,
                    self.patterns,
                    self.reach,
                    self.counts,
                    self.together,
                    self.scratch,
                    self.options,
                    self.counters,
                ),
            )
        )
        misses = value >> WORST_BITS
        return Value(misses, value & WORST_MASK, misses < budget)

    def minimize(self) -> Value:
        """Least misses in total, and the worst case of the tree that was found."""
        return self._after(-1, INFEASIBLE)

    def shot_value(self, cell: int, *, budget: int = INFEASIBLE) -> int:
        """Least misses of a tree that begins with a shot at a cell.

        Parameters
        ----------
        cell
            Number of the cell.
        budget
            The value is exact when below this, else only proven to be at least what is returned.
        """
        return self._after(cell, budget).misses
