"""The one place that knows the inside of the search and of the counter.

The laws ask for values, bounds, trees and ranks by the names here. When a room changes its inside,
this file changes and no law does. An engine that does not take a game answers None.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from laws.games import Game

from seabattle import Counter, Equilibrium, Position, Tree, greedy_tree, solve
from seabattle.enumerate.answers import answer_text
from seabattle.solver.equilibrium.certificate import transformed_copies
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import grow_best
from seabattle.solver.search.miss_sets import MissSets
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, Limits, Objective, SearchOptions
from seabattle.solver.search.reference import ReferenceSearch
from seabattle.solver.search.schedule import Interval, Schedule
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.search.workers import BestFirst, BetterTrees

SWITCHES = "symmetry", *vars(SearchOptions())
"""Everything of the search that can be switched off."""

Values = tuple[int, int]
"""Least total (in the weights of the game's table) and least worst case."""


def _goal(*, worst: bool) -> Goal:
    return Goal.WORST if worst else Goal.TOTAL


def search_of(
    game: Game, *, off: frozenset[str] = frozenset(), tight: bool = False, threads: int = 1
) -> ExactSearch:
    """The exact search of a game, without some switches, or in the smallest arrays and steps."""
    options = SearchOptions(**{name: name not in off for name in SWITCHES[1:]})
    problem = as_problem(game.table)
    limits = Limits(rows_per_step=1, threads=threads) if tight else Limits(threads=threads)
    capacity = 256 if threads > 1 else 4
    problem = problem.without_symmetry() if "symmetry" in off else problem
    search = ExactSearch(problem, options=options, limits=limits)
    if tight:
        search.table = search._empty_table(capacity)
    if threads > 1:
        search.rows_alone = 0
    return search


def by_search(
    game: Game, *, off: frozenset[str] = frozenset(), tight: bool = False, threads: int = 1
) -> Values:
    """What the exact search finds."""
    search = search_of(game, off=off, tight=tight, threads=threads)
    return search.minimize().misses, search.minimize(Goal.WORST).misses


def by_reference(game: Game) -> Values:
    """What the search that reads like its definition finds."""
    reference = ReferenceSearch(game.table)
    return int(reference.least().total), int(reference.least(reference.budget("worst")).worst)


def by_sets(game: Game) -> Values | None:
    """What the sweep of every set of misses finds."""
    found = [_swept(game, worst=worst) for worst in (False, True)]
    return None if None in found else tuple(sets.least() for sets in found)  # type: ignore[return-value, union-attr]


def _swept(game: Game, *, worst: bool) -> MissSets | None:
    sets = MissSets(ExactSearch(as_problem(game.table)), _goal(worst=worst))
    if not sets.blocks.find():
        return None
    sets.sweep()
    return sets


def tree_by_sets(game: Game, *, worst: bool) -> Tree | None:
    """The tree that the sweep of sets of misses grows."""
    sets = _swept(game, worst=worst)
    if sets is None:
        return None
    sets.tell()
    objective = "worst" if worst else "mean"
    return grow_best(sets.search, sets.goal, objective=objective, status="optimal")


def best_first(game: Game) -> tuple[list[int], bool] | None:
    """Bounds of the best-first search as they rise, and whether the last is proven."""
    search = search_of(game, tight=True)
    search.prepare()
    best = BestFirst(search)
    if best.ended:
        return None
    bounds = [best.lower]
    while not best.ended:
        best.go_on(50)
        bounds.append(best.lower)
    return bounds, best.proven


def shot_values(game: Game, cells: list[int]) -> dict[int, int]:
    """Least totals of trees that begin with each of some cells."""
    search = search_of(game)
    return {cell: search.shot_value(cell, Goal.TOTAL) for cell in cells}


def with_miss_limit(game: Game, limit: int) -> int | None:
    """Least total of the trees that miss at most so often on any path; None if there is none."""
    value = search_of(game).minimize(miss_limit=limit)
    return value.misses if value.misses < INFEASIBLE else None


def bounds(game: Game) -> list[tuple[str, bool, int]]:
    """Lower bounds, each with a name and whether it is one on the worst case."""
    found = []
    for worst in (False, True):
        goal = _goal(worst=worst)
        search = search_of(game)
        known = Interval(search.problem, Objective.WORST if worst else Objective.MEAN)
        known.tree = greedy_tree(game.table)
        Schedule(search, known, seconds_to_grow=0).raise_lower_bound(rows=len(search.problem))
        found.append(("at once", worst, known.lower))
        for budget in (1, 2, 5, 20):
            below = search_of(game).minimize(goal, budget=budget)
            found.append((f"within {budget}", worst, below.misses))
    return found


def heuristic_trees(game: Game) -> list[Tree]:
    """Trees that need not be best: both greedy rules, and rollouts of several levels."""
    found = [greedy_tree(game.table, rule) for rule in ("half", "hits")]
    improver = BetterTrees(search_of(game))
    for _ in range(3):
        improver.climb()
    return [*found, improver.grow(objective="mean", status="heuristic")]


def solved_in_slices(game: Game, objective: str, checkpoint: Path) -> Values:
    """What a solve finds that goes on from a checkpoint that another one has left."""
    solve(game.table, objective, checkpoint=checkpoint, threads=1)
    again = solve(game.table, objective, checkpoint=checkpoint, threads=1)
    return again.total_misses, again.worst_misses


def stopped_after(game: Game, steps: int) -> tuple[int, int, Tree]:
    """Interval and tree of a solve that is stopped after so many short steps."""
    left = [steps]

    def stop() -> bool:
        left[0] -= 1
        return left[0] < 0

    found = solve_problem(
        as_problem(game.table), options=SearchOptions(sets=False),
        limits=Limits(rows_per_step=1, stop=stop),
    )  # fmt: skip
    return found.lower_bound, found.upper_bound, found.tree


def every_rank(game: Game) -> np.ndarray:
    """The layouts that the counter gives for all ranks, as sampling draws them."""
    return Counter(game.position).layouts(most=1 << 20)


def images_of_layouts(solved: Equilibrium) -> np.ndarray:
    """Number of the layout to which each symmetry of the board takes each layout."""
    return transformed_copies(solved.layouts)


ENGINES: dict[str, Callable[[Game], Values | None]] = {
    "reference": by_reference,
    "search": by_search,
    "search in steps": lambda game: by_search(game, tight=True),
    "search in threads": lambda game: by_search(game, tight=True, threads=2),
    "plain search": lambda game: by_search(game, off=frozenset(SWITCHES)),
    "sets of misses": by_sets,
}
"""Engines that find the least total and the least worst case."""


def answer_at(position: Position, cell: int) -> str:
    """The answer at a cell that was shot, in words."""
    return answer_text(dict(position.shots)[cell])
