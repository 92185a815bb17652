"""Greedy rules: shoot the cell that looks best now.

``half``  the cell whose share of the layouts still possible is nearest to one half
``hits``  the cell that most of them occupy

Only cells whose content still differs between those layouts are shot; a certain hit costs nothing
and tells nothing. Ties go to the first cell in reading order, or to a random one.
"""

from __future__ import annotations

from enum import StrEnum

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules, choose
from seabattle.enumerate.table import DecisionTable
from seabattle.solver import _kernels as k
from seabattle.solver.growing import POLICY_HALF, POLICY_HITS, grow
from seabattle.solver.problem import Problem, refuse_large_board
from seabattle.solver.search import Limits, Search
from seabattle.trees.tree import Tree


class GreedyRule(StrEnum):
    """How a greedy strategy chooses."""

    HALF = "half"
    HITS = "hits"


class Ties(StrEnum):
    """Which of several equally good cells is shot."""

    FIRST = "first"
    RANDOM = "random"


def require_hit_mode(rules: Rules) -> None:
    """Refuse the answer modes that this version cannot search.

    Raises
    ------
    RulesError
        In modes ``sunk`` and ``ship``.
    """
    if rules.answers is not AnswerMode.HIT:
        raise RulesError(
            f"answer mode {rules.answers.value!r} is not solved by this version; use 'hit'"
        )


def greedy_tree(
    game: Rules | DecisionTable | Problem,
    rule: str = "hits",
    *,
    ties: str = "first",
    seed: int = 0,
    position: Position | None = None,
    limits: Limits | None = None,
) -> Tree:
    """Tree of a greedy rule.

    Parameters
    ----------
    game
        The rules, or the decision table (already restricted to ``position``), or the problem.
    rule
        ``half`` or ``hits``.
    ties, seed
        ``first`` cell in reading order, or ``random`` with a seed.
    position
        Shots made before the tree begins.
    limits
        When to stop.

    Examples
    --------
    >>> tree = greedy_tree(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> tree.total_misses, tree.worst_misses
    (6561, 8)
    """
    chosen = choose(GreedyRule, rule, "greedy rule")
    tie_rule = choose(Ties, ties, "tie rule")
    problem = as_problem(game, position)
    require_hit_mode(problem.rules)
    if tie_rule is Ties.RANDOM:
        k.seed_ties(seed)
    return grow(
        Search(problem, limits=limits),
        POLICY_HALF if chosen is GreedyRule.HALF else POLICY_HITS,
        position=Position(problem.rules) if position is None else position,
        objective=f"greedy-{chosen.value}",
        status="heuristic",
        ties=int(tie_rule is Ties.RANDOM),
    )


def as_problem(game: Rules | DecisionTable | Problem, position: Position | None = None) -> Problem:
    """The problem of a game; given rules, layouts are enumerated and restricted to a position."""
    if isinstance(game, Problem):
        return game
    if isinstance(game, DecisionTable):
        return Problem(game)
    refuse_large_board(game)
    table = DecisionTable.build(game)
    return Problem(table if position is None else table.at(position))
