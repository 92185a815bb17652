"""Greedy rules: shoot the cell that looks best now.

``half``  the cell whose share of the layouts still possible is nearest to one half
``hits``  the cell that most of them occupy

Only cells whose content still differs between those layouts are weighed. A certain hit costs
nothing: in mode ``hit`` it tells nothing and is never shot, in the other modes it is shot at once.
Ties go to the first cell in reading order, or to a random one.

Where sinkings are announced a plain ``hit`` can be read in two ways. ``full``: the ship is not
complete yet, and layouts in which it would be are crossed out. ``positive``: the cell is occupied,
and nothing more is concluded; that is how the figures of the source come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Contact, Rules, choose
from seabattle.solver.search.dispatch import Game, as_problem
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels.work import POLICY_HALF, POLICY_HITS
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import Choose, grow, grow_by_rules
from seabattle.solver.search.workspace import Limits
from seabattle.trees.tree.tree import Reading, Tree


class GreedyRule(StrEnum):
    """How a greedy strategy chooses."""

    HALF = "half"
    HITS = "hits"


class Ties(StrEnum):
    """Which of several equally good cells is shot."""

    FIRST = "first"
    RANDOM = "random"


def greedy_tree(
    game: Game,
    rule: str = "hits",
    *,
    ties: str = "first",
    seed: int = 0,
    reading: str = "full",
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
    reading
        ``full`` or ``positive``; the latter in mode ``sunk`` under ``none`` and ``corners`` only.
    position
        Shots made before the tree begins.
    limits
        When to stop.

    Raises
    ------
    RulesError
        If a name is unknown, or the reading does not go with the rules.

    Examples
    --------
    >>> tree = greedy_tree(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> tree.total_misses, tree.worst_misses
    (6561, 8)
    """
    chosen = choose(GreedyRule, rule, "greedy rule")
    tie_rule = choose(Ties, ties, "tie rule")
    read = choose(Reading, reading, "reading")
    problem = as_problem(game, position)
    start = Position(problem.rules) if position is None else position
    objective = f"greedy-{chosen.value}"
    if read is Reading.POSITIVE:
        _require_two_readings(problem.rules, start)
    if problem.rules.answers is AnswerMode.HIT:
        if tie_rule is Ties.RANDOM:
            from seabattle.solver.search.kernels.tree_nodes import seed_ties

            seed_ties(seed)
        return grow(
            HitSearch(problem, limits=limits),
            POLICY_HALF if chosen is GreedyRule.HALF else POLICY_HITS,
            position=start,
            objective=objective,
            status="heuristic",
            random_ties=tie_rule is Ties.RANDOM,
        )
    generator = np.random.default_rng(seed) if tie_rule is Ties.RANDOM else None
    return grow_by_rules(
        problem,
        _policy(problem, chosen, generator),
        position=start,
        objective=objective,
        status="heuristic",
        reading=read,
    )


def _require_two_readings(rules: Rules, position: Position) -> None:
    if rules.answers is not AnswerMode.SUNK or rules.contact is Contact.SIDES:
        raise RulesError(
            "reading 'positive' differs from 'full' only with answers 'sunk' under contact rule "
            "'none' or 'corners'"
        )
    if position.shots:
        raise RulesError("reading 'positive' starts from an empty board: give no shots")


def _policy(problem: Problem, rule: GreedyRule, ties: np.random.Generator | None) -> Choose:
    """The rule as a policy for ``grow_by_rules``."""
    cells = np.arange(problem.cells, dtype=np.uint64)

    def shoot(rows: NDArray[np.int64], shots: Sequence[int], misses: int) -> int:
        certain, occupied = problem.closure(rows)
        shot = problem.rules.board.mask(shots)
        if certain & ~shot:
            return next(cells_of(certain & ~shot))
        occupies = (problem.rows[rows][:, None] >> cells & np.uint64(1)).astype(np.int64)
        weights = problem.weights[rows] if len(problem.weights) else np.ones(len(rows), np.int64)
        counts = weights @ occupies
        score = counts if rule is GreedyRule.HITS else -abs(2 * counts - int(weights.sum()))
        free = np.array(list(cells_of(occupied & ~certain & ~shot)))
        best = free[score[free] == score[free].max()]
        return int(best[0] if ties is None else ties.choice(best))

    return shoot
