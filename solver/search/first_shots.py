"""What the first shots of a game are worth: which are best, and what each of them costs."""

from __future__ import annotations

from collections.abc import Callable

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.position import Position
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.miss_sets import MissSets
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, Proven, Value


class FirstShots:
    """The first shots of the game that a search solves.

    Parameters
    ----------
    search
        The search.
    position
        The position of its table.

    Attributes
    ----------
    cells
        Mask of the best shots for the least total, 0 as long as they are not known.
    """

    def __init__(self, search: ExactSearch, position: Position) -> None:
        self.search = search
        self.position = position
        self.cells = 0

    def least_total(self, budget: int) -> Value:
        """As ``ExactSearch.minimize``, and the best shots besides if the value is exact.

        All other shots have to be refuted by one miss more. Where a proof is long, that is much
        less work than to refute them a second time.
        """
        value, self.cells = self.search.best_shots(budget=budget)
        return value

    def best(self, optimum: Proven, sets: MissSets | None) -> tuple[str, ...]:
        """Names of the cells an optimal tree can begin with, certain hits included.

        Parameters
        ----------
        optimum
            What is proven of it.
        sets
            Every set of misses, if they were worked out for it.
        """
        problem = self.search.problem
        certain = problem.certain & ~problem.mask(self.position.shot_mask)
        if problem.unknown == 0:
            return problem.names(certain)
        cells = self.cells if (optimum.goal, optimum.miss_limit) == (Goal.TOTAL, None) else 0
        if sets is not None:
            worth = orbit_values(problem, self.position, sets.shot_value)
            cells = mask_of(cell for cell, cost in worth.items() if cost == optimum.value)
        elif not cells:
            _, cells = self.search.best_shots(
                optimum.goal, miss_limit=optimum.miss_limit, budget=optimum.value + 1
            )
        return problem.names(cells | (certain if problem.hits_are_free else 0))

    def values(self, least: int, sets: MissSets | None) -> tuple[int, ...]:
        """Least total for every first shot: a certain hit adds 0, a certain miss all the weight.

        Parameters
        ----------
        least
            The least total.
        sets
            Every set of misses, if they were worked out for it.
        """
        problem = self.search.problem
        worth = {}
        if problem.unknown:
            value = self.search.shot_value if sets is None else sets.shot_value
            worth = orbit_values(problem, self.position, value)
        worth = dict.fromkeys(cells_of(problem.certain), least) | worth
        return problem.on_all_cells(worth, self.position, shot=least, water=least + problem.weight)


def orbit_values(
    problem: Problem, position: Position, shot_value: Callable[[int], int]
) -> dict[int, int]:
    """Value of every cell that may matter as first shot, asked for once per orbit.

    Parameters
    ----------
    problem, position
        The problem, and the position of its table.
    shot_value
        Least misses of a tree that begins with a shot at a cell.
    """
    weighed = problem.unknown
    if not problem.hits_are_free:
        weighed |= problem.certain & ~problem.mask(position.shot_mask)
    # Where the cells hit are part of the state, a symmetry has to keep them too.
    hit = problem.mask(position.hit_mask)
    symmetries = [
        symmetry
        for symmetry in problem.symmetries
        if problem.hits_are_free or mask_of(symmetry[cell] for cell in cells_of(hit)) == hit
    ]
    found: dict[int, int] = {}
    for cell in cells_of(weighed):
        images = {symmetry[cell] for symmetry in symmetries}
        known = next((found[image] for image in images if image in found), None)
        found[cell] = shot_value(cell) if known is None else known
    return found
