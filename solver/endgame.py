"""The endgame: exact play on a board of any size once few layouts are left.

Only cells that some layout occupies matter: those not certain, those certain but not shot, and
the hits; all other cells are water for every layout. Numbered anew they mostly fit a word of the
exact search, whatever the size of the board, and nearly always two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import Stop, within
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.table import DecisionTable, Game
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import MEMORY_GIB, Problem
from seabattle.solver.search.queries import Limits, Snapshot


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


def endgame(
    game: Game,
    *,
    prior: Prior | str | Path | None = None,
    most: int = 2_000,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Stop | None = None,
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
        If no layout fits the position.
    WeightsError
        If the table has weights, the prior is of another game, or all that fit weigh 0.
    LimitReached
        At a limit.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> russian = Rules("10x10", "2,1", answers="sunk")
    >>> found = endgame(Position.of_cells(russian, sunk=["A1"], hit=["E5"]))
    >>> found.layouts, found.mean_misses, found.best_shots
    (4, Fraction(3, 2), ('E4', 'D5', 'F5', 'E6'))
    """
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    counter = Counter(game, prior=prior, memory_limit=memory_limit)
    return search_of(counter, within("most", most, 1), limits).solve()


def search_of(counter: Counter, most: int, limits: Limits) -> EndgameSearch:
    """Exact play for the position of a counter; raises as ``endgame``."""
    ships = counter.likely(most=most)
    return EndgameSearch(counter.position, ships, prior=counter.prior, limits=limits)


class EndgameSearch:
    """Exact play for layouts that are listed already, and what other shots are worth.

    Parameters
    ----------
    position
        What is known.
    ships
        uint16 ``(n_layouts, n_ships)``: all layouts that fit it, as ``Counter.layouts`` lists
        them.
    prior
        How likely they are; all equally by default.
    limits
        Time and memory.

    Raises
    ------
    WeightsError
        If all of them weigh 0.
    TooLargeError
        If more than 126 cells may be occupied; or there are more than 16,384 layouts in mode
        ``sunk`` where ships may touch.
    """

    def __init__(
        self,
        position: Position,
        ships: NDArray[np.uint16],
        *,
        prior: Prior | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.position = position
        table = DecisionTable.of_fitting(position, ships, prior)
        self.layouts, self.weight = len(table), table.total_weight
        self._problem = Problem(table, wide=True)
        self._problem.require_keys()
        self._search = ExactSearch(self._problem, limits=limits)

    def solve(self) -> Endgame:
        """Optimal play.

        Raises
        ------
        LimitReached
            At a limit.
        """
        problem, search = self._problem, self._search
        due = problem.certain & ~problem.mask(self.position.hit_mask)
        if due and (problem.hits_are_free or not problem.unknown):
            value, best = search.minimize(), due
        else:
            value, best = search.best_shots()
        return Endgame(
            self.position,
            self.layouts,
            value.misses,
            value.worst,
            tuple(problem.board_cells[cell] for cell in cells_of(best)),
            self.weight,
        )

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
        number = self._problem.cell_of.get(cell)
        if number is None:  # water in every layout: a miss that tells nothing
            return self._search.minimize().misses + self.weight
        return self._search.shot_value(number)
