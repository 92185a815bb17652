"""Which problem and which search a game takes."""

from __future__ import annotations

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.arguments import require_position, shown
from seabattle.solver.search.answer_search import PartedProblem, PartedSearch
from seabattle.solver.search.hit_search import Limits, Search, Switches
from seabattle.solver.search.problem import Problem, refuse_large_board

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
        return Problem(game) if hit else PartedProblem(game)
    refuse_large_board(game)
    table = DecisionTable.build(game)
    return as_problem(table if position is None else table.at(position))


def make_search(
    problem: Problem,
    *,
    position: Position | None = None,
    switches: Switches | None = None,
    limits: Limits | None = None,
) -> Search | PartedSearch:
    """The search for a problem's answer mode."""
    if isinstance(problem, PartedProblem):
        hit = position.hit_mask if position is not None else 0
        return PartedSearch(problem, switches=switches, limits=limits, hit=hit)
    return Search(problem, switches=switches, limits=limits)
