"""Which problem and which search a game takes."""

from __future__ import annotations

from seabattle.enumerate.arguments import require_memory
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import Game, as_table, rules_of
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import Problem, refuse_large_board

MEMORY_GIB = 4.0
"""Default memory limit of a search; the layouts may take half as much."""


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
    table = as_table(game, memory_limit=require_memory(memory_limit) / 2)
    return Problem(table) if table.rules.answers is AnswerMode.HIT else AnswerProblem(table)


def make_search(
    problem: Problem,
    *,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
    first_capacity: int | None = None,
) -> ExactSearch:
    """The search for a problem's answer mode, from the position of its table.

    Parameters
    ----------
    problem, options, limits
        As in ``ExactSearch``.
    first_capacity
        Slots of the table at the start, a power of 2; by default what suits the mode.

    Raises
    ------
    PositionError
        If the answer mode depends on the shots so far, and the table has no history.
    """
    if isinstance(problem, AnswerProblem):
        hit = problem.table.history.hit_mask
        return AnswerSearch(
            problem, options=options, limits=limits, first_capacity=first_capacity, hit=hit
        )
    return HitSearch(problem, options=options, limits=limits, first_capacity=first_capacity)
