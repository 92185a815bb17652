"""Which problem and which search a game takes."""

from __future__ import annotations

from seabattle.enumerate.game.rules import AnswerMode
from seabattle.enumerate.layouts.games import Game, as_table, rules_of
from seabattle.solver.search.answer_search import PartedProblem, PartedSearch
from seabattle.solver.search.hit_search import Limits, Search, Switches
from seabattle.solver.search.problem import Problem, refuse_large_board

MEMORY_GIB = 4.0
"""Memory that a search may take unless the caller says otherwise; layouts half as much."""


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
        If ``game`` is none.
    """
    refuse_large_board(rules_of(game))
    table = as_table(game, memory_limit=memory_limit / 2)
    return Problem(table) if table.rules.answers is AnswerMode.HIT else PartedProblem(table)


def make_search(
    problem: Problem, *, switches: Switches | None = None, limits: Limits | None = None
) -> Search | PartedSearch:
    """The search for a problem's answer mode, from the position of its table.

    Raises
    ------
    PositionError
        If the answer mode depends on the shots so far, and the table has no history.
    """
    if isinstance(problem, PartedProblem):
        hit = problem.table.history.hit_mask
        return PartedSearch(problem, switches=switches, limits=limits, hit=hit)
    return Search(problem, switches=switches, limits=limits)
