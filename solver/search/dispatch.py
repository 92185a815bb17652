"""Which problem and which search a game takes."""

from __future__ import annotations

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.arguments import require_position, shown
from seabattle.solver.search.answer_search import AnswerProblem, AnswerSearch
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.problem import Problem, refuse_large_board
from seabattle.solver.search.workspace import ExactSearch, Limits, SearchOptions

Game = Rules | DecisionTable | Problem
"""What can be solved: rules, a decision table (restricted already), or a problem."""


def check_game(game: Game, position: Position | None = None) -> None:
    """Refuse what is no game, or a position of another one, before any work.

    Raises
    ------
    RulesError, PositionError
        Says what would be right.
    """
    if not isinstance(game, Game):
        raise RulesError(
            f"game {shown(game)}: give Rules, as in Rules('5x5', '3,2,1'), or a DecisionTable"
        )
    if position is not None:
        require_position(position, game if isinstance(game, Rules) else game.rules)


def check_table(game: Rules | DecisionTable) -> None:
    """Refuse what has no layouts to begin with: a problem is of one answer mode already.

    Raises
    ------
    RulesError
        Says what would be right.
    """
    if isinstance(game, Problem):
        raise RulesError("a Problem is of one answer mode: give Rules or a DecisionTable")
    check_game(game)


def as_problem(game: Game, position: Position | None = None) -> Problem:
    """The problem of a game; given rules, layouts are enumerated and restricted to a position."""
    check_game(game, position)
    if isinstance(game, Problem):
        return game
    if isinstance(game, DecisionTable):
        hit = game.rules.answers is AnswerMode.HIT
        return Problem(game) if hit else AnswerProblem(game)
    refuse_large_board(game)
    table = DecisionTable.build(game)
    return as_problem(table if position is None else table.at(position))


def make_search(
    problem: Problem,
    *,
    position: Position | None = None,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
    first_capacity: int | None = None,
) -> ExactSearch:
    """The search for a problem's answer mode.

    Parameters
    ----------
    problem, options, limits
        As in ``ExactSearch``.
    position
        Shots made before the search begins.
    first_capacity
        Slots of the table at the start, a power of 2; by default what suits the mode.
    """
    if isinstance(problem, AnswerProblem):
        hit = position.hit_mask if position is not None else 0
        return AnswerSearch(
            problem, options=options, limits=limits, first_capacity=first_capacity, hit=hit
        )
    return HitSearch(problem, options=options, limits=limits, first_capacity=first_capacity)
