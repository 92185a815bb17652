"""The endgame: exact play on a board of any size once few layouts are left.

Only cells that some layout occupies matter: those not certain, those certain but not shot, and
the hits; all other cells are water for every layout. Numbered anew they mostly fit the words of the
exact search, whatever the size of the board. Where they do not, the position is *wide*, and
``set_search`` solves it, whose states are sets of layouts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import require_whole
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import LayoutError, TooLargeError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import UNIFORM, Game, check_weights
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import MAX_SOLVED_CELLS, MEMORY_GIB, Problem
from seabattle.solver.search.queries import Value
from seabattle.solver.search.set_search import SetProblem, SetSearch
from seabattle.solver.search.work import PLAIN


@dataclass(frozen=True)
class Endgame:
    """Optimal play from a position on, for the mean number of misses.

    Attributes
    ----------
    position
        What is known.
    layouts
        Number of layouts left.
    total_misses
        Misses still to come, summed over them, each times its weight.
    worst_misses
        Misses still to come at most with the tree of least mean that was found; another tree as
        good on average may have a greater or a smaller worst case.
    best_cells
        Numbers of all optimal next shots, in reading order: certain hits alone where there are
        any and shooting them first is optimal (they cost nothing); empty when nothing is left to
        hit.
    weight
        Sum of the weights of the layouts; their number when all are equally likely.
    """

    position: Position
    layouts: int
    total_misses: int
    worst_misses: int
    best_cells: tuple[int, ...]
    weight: int

    @property
    def best_shots(self) -> tuple[str, ...]:
        """The same shots by name."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def mean_misses(self) -> Fraction:
        """Misses still to expect."""
        return Fraction(self.total_misses, self.weight)


class _Condensed:
    """The cells that matter, numbered anew."""

    def __init__(
        self, position: Position, ships: NDArray[np.uint16], weights: NDArray[np.int64]
    ) -> None:
        self.position = position
        self.weights = weights
        masks = [p.mask for p in placement_table(position.rules).placements]
        self.ships = [[masks[i] for i in row] for row in ships.tolist()]
        occupied = 0
        for row in self.ships:
            for mask in row:
                occupied |= mask
        self.cells = list(cells_of(occupied))
        self._new = {cell: i for i, cell in enumerate(self.cells)}

    def mask(self, mask: int) -> int:
        """A mask in the new numbers; other cells are left out."""
        return sum(1 << self._new[cell] for cell in cells_of(mask) if cell in self._new)

    def fill(self, problem: Problem) -> None:
        """Set what every problem of up to 64 cells has.

        Raises
        ------
        TooLargeError
            If there are more cells.
        """
        board = self.position.rules.board
        if len(self.cells) > MAX_SOLVED_CELLS:
            raise TooLargeError(
                f"{len(self.cells)} cells of the board {board} may be occupied still; one word "
                f"takes up to {MAX_SOLVED_CELLS}"
            )
        problem.rules = self.position.rules
        problem.on_board = False
        problem.weights = self.weights
        problem.cells = len(self.cells)
        problem.full = (1 << problem.cells) - 1
        # Before the first shot, where a ship can be on any cell, the board keeps its shape.
        self.whole = not self.position.shots and problem.cells == board.cells
        self.sides = tuple(self.mask(board.side_masks[cell]) for cell in self.cells)

    def wide_problem(self) -> SetProblem:
        """The problem where there are more cells than a word holds."""
        ships = [[self.mask(mask) for mask in row] for row in self.ships]
        return SetProblem(self.position.rules, ships, self.weights, len(self.cells))


class _Endgame(Problem):
    """The problem of an endgame whose cells fit a word."""

    def __init__(self, condensed: _Condensed, ships: NDArray[np.uint16]) -> None:
        condensed.fill(self)
        self._whole = condensed.whole
        self._sides = condensed.sides
        self._hit = condensed.mask(condensed.position.hit_mask)
        self.numbers = ships.astype(np.int64)
        self.group = np.arange(len(ships), dtype=np.int64)
        self.ships = np.array(
            [[condensed.mask(mask) for mask in row] for row in condensed.ships], dtype=np.uint64
        )
        self.rows = np.bitwise_or.reduce(self.ships, axis=1)
        self.mode = self._mode()
        if self.mode == PLAIN:
            self._merge()

    def _merge(self) -> None:
        """One row per occupancy."""
        layouts = len(self.rows)
        self.rows, first, self.group = np.unique(self.rows, return_index=True, return_inverse=True)
        self.numbers, self.ships = self.numbers[first], self.ships[first]
        if len(self.weights) or len(self.rows) < layouts:
            each = self.weights if len(self.weights) else np.ones(layouts, dtype=np.int64)
            self.weights = np.zeros(len(self.rows), dtype=np.int64)
            np.add.at(self.weights, self.group, each)

    @property
    def hit(self) -> int:
        """Cells hit, by their new numbers."""
        return self._hit

    @property
    def side_masks(self) -> tuple[int, ...]:
        """Neighbours among the cells that matter; the others are water."""
        return self._sides

    @property
    def is_counted(self) -> bool:
        """Not in mode ``hit``, where symmetric games of one shape are counted."""
        return self.mode != PLAIN and super().is_counted

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Those of the board before the first shot; later the cells left have no shape."""
        return super().symmetries if self._whole else (tuple(range(self.cells)),)

    def row_images(self) -> NDArray[np.int32]:
        """As in ``Problem``."""
        if self._whole:
            return super().row_images()
        return np.arange(len(self), dtype=np.int32).reshape(1, -1)


def endgame(
    game: Game,
    *,
    prior: Prior | str | Path | None = None,
    most: int = 2_000,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Endgame:
    """Solve what is left of a game exactly, on a board of any size.

    Parameters
    ----------
    game
        Rules, a position, or a decision table without weights.
    prior
        How likely the layouts are: a prior, its name or its file; all equally by default. Misses
        are then weighed by whole numbers made from it (see ``Prior.whole_weights``).
    most
        The greatest number of layouts that may be left.
    time_limit, memory_limit, progress, stop
        As in ``solve``.

    Raises
    ------
    TooLargeError
        If more layouts are left.
    PositionError
        If no layout fits the position, or the table has no history.
    WeightsError
        If the table has weights, the prior is of another game, or all that fit weigh 0.
    LimitReached
        At a limit.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> russian = Rules("10x10", "2,1", answers="sunk")
    >>> found = endgame(Position.of_cells(russian, sunk=["A1"], hit=["E5"]))
    >>> found.layouts, found.mean_misses, found.best_shots
    (4, Fraction(3, 2), ('E4', 'D5', 'F5', 'E6'))
    """
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    least = require_whole("most", most, 1)
    counter = Counter(game, prior=prior, memory_limit=memory_limit)
    ships = counter.likely(most=least)
    weights = weights_of(counter.rules, ships, counter.prior)
    return solve_endgame(counter.position, ships, weights=weights, limits=limits)


def weights_of(
    rules: Rules, ships: NDArray[np.uint16], prior: Prior | None
) -> NDArray[np.int64] | None:
    """Whole numbers as weights of listed layouts; None when all are equally likely.

    Raises
    ------
    WeightsError
        If all of them weigh 0.
    """
    return None if prior is None else prior.whole_weights(Layouts.of_ships(rules, ships)).weights


def solve_endgame(
    position: Position,
    ships: NDArray[np.uint16],
    *,
    weights: NDArray[np.int64] | None = None,
    limits: Limits | None = None,
) -> Endgame:
    """Exact play for layouts that are listed already; see ``EndgameSearch``."""
    return EndgameSearch(position, ships, weights=weights, limits=limits).solve()


class EndgameSearch:
    """Exact play for layouts that are listed already, and what other shots are worth.

    Parameters
    ----------
    position
        What is known.
    ships
        uint16 ``(n_layouts, n_ships)``: all layouts that fit it, as ``Counter.layouts`` lists
        them.
    weights
        One per layout, whole numbers from 0 on; all 1 by default.
    limits
        Time and memory.

    Raises
    ------
    LayoutError
        If there are no layouts, or not as many ships in each as in the fleet.
    WeightsError
        If the weights are negative, all 0, too large, or not one per layout.
    TooLargeError
        If there are more than 16,384 layouts and more cells may be occupied than 64, in mode
        ``ship`` 40; or more layouts than that in mode ``sunk`` where ships may touch.
    """

    def __init__(
        self,
        position: Position,
        ships: NDArray[np.uint16],
        *,
        weights: NDArray[np.int64] | None = None,
        limits: Limits | None = None,
    ) -> None:
        rules = position.rules
        if ships.ndim != 2 or ships.shape[1] != len(rules.fleet.lengths) or not len(ships):
            raise LayoutError(
                f"layouts of shape {ships.shape}: give one row of {len(rules.fleet.lengths)} "
                f"placement numbers per layout, at least one"
            )
        if weights is not None:
            weights = check_weights(weights, len(ships), rules.board.cells)
            if len(weights):
                ships, weights = ships[weights > 0], weights[weights > 0]
        self.position = position
        self.layouts = len(ships)
        self.weight = len(ships) if weights is None or not len(weights) else int(weights.sum())
        self._condensed = _Condensed(position, ships, UNIFORM if weights is None else weights)
        self._hit = self._condensed.mask(position.hit_mask)
        self._problem: Problem
        self._search: ExactSearch | SetSearch
        try:
            self._problem = _Endgame(self._condensed, ships)
            self._search = ExactSearch(self._problem, limits=limits)
        except TooLargeError:  # for words of 64 bits
            wide = self._problem = self._condensed.wide_problem()
            self._search = SetSearch(wide, limits=limits, hit=self._hit)

    def solve(self) -> Endgame:
        """Optimal play.

        Raises
        ------
        LimitReached
            At a limit.
        """
        value, best = self._best_shots()
        return Endgame(
            self.position,
            self.layouts,
            value.misses,
            value.worst,
            tuple(self._condensed.cells[cell] for cell in best),
            self.weight,
        )

    def _best_shots(self) -> tuple[Value, list[int]]:
        """The least total, and all cells with which a best tree begins."""
        problem, search = self._problem, self._search
        due = problem.certain & ~self._hit
        if due and (problem.hits_are_free or not problem.unknown):
            return search.minimize(), list(cells_of(due))
        if isinstance(search, ExactSearch):
            value, cells = search.best_shots()
            return value, list(cells_of(cells))
        value = search.minimize()
        left = cells_of((problem.occupied | due) & ~self._hit)
        return value, [
            cell
            for cell in left
            if search.shot_value(cell, budget=value.misses + 1) == value.misses
        ]

    def total_after(self, cell: int) -> int:
        """Least total of misses of play that begins with a shot at a cell, its own included.

        Parameters
        ----------
        cell
            Number of a cell that has not been shot.

        Raises
        ------
        LimitReached
            At a limit.
        """
        if cell not in self._condensed.cells:  # water in every layout: a miss that tells nothing
            return self._search.minimize().misses + self.weight
        return self._search.shot_value(self._condensed.cells.index(cell))
