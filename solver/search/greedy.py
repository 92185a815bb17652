"""Greedy rules: shoot the cell that looks best now.

``half``  the cell whose share of the layouts still possible is nearest to one half
``hits``  the cell that most of them occupy

Only cells whose content still differs between those layouts are weighed. A certain hit costs
nothing: in mode ``hit`` it reveals nothing and is never shot, in the other modes it is shot at
once. Of several certain hits the first in reading order is shot, also where ties are random; after
its answer the certain hits are found anew. Ties go to the first cell in reading order, or to a
random one.

Where sinkings are announced a plain ``hit`` can be read in two ways. ``full``: the ship is not
complete yet, and layouts in which it would be are crossed out. ``positive``: the cell is occupied,
and nothing more is concluded; this reading reproduces the figures of [Recognition2013].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np

from seabattle.enumerate.errors import RulesError, within
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules, choose
from seabattle.enumerate.table import Game, position_of
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GrowingTree
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.work import POLICY_HALF, POLICY_HITS
from seabattle.trees.tree import Reading, Tree

TOO_LATE = "the time limit was reached while the tree was grown"


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
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Tree:
    """Tree of a greedy rule.

    Parameters
    ----------
    game
        Rules, a position, or a decision table; the tree begins at the position.
    rule
        ``half`` or ``hits``.
    ties, seed
        ``first`` cell in reading order, or ``random`` with a seed, a whole number from 0 on.
    reading
        ``full`` or ``positive``; the latter in mode ``sunk`` under ``none`` and ``corners`` only.
    time_limit, memory_limit, progress, stop
        As in ``solve``; there is no tree when a limit is reached.

    Raises
    ------
    RulesError
        If a name is unknown, or the reading does not go with the rules.
    PositionError
        If no layout fits the position.
    TooLargeError
        If the board is larger than trees are grown for, or has too many layouts.
    LimitReached
        At a limit.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> tree = greedy_tree(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> tree.total_misses, tree.worst_misses
    (6561, 8)
    """
    start = position_of(game)
    chosen = choose(GreedyRule, rule, "greedy rule")
    tie_rule = choose(Ties, ties, "tie rule")
    read = choose(Reading, reading, "reading")
    number = within("seed", seed, 0, 2**63 - 1)
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    if read is Reading.POSITIVE:
        _require_two_readings(start.rules, start)
    problem = as_problem(game, memory_limit=memory_limit)
    return grow_greedy(problem, chosen, ties=tie_rule, seed=number, reading=read, limits=limits)


@dataclass(frozen=True)
class GreedyPlay:
    """A greedy rule played against every layout: what it costs, without its tree.

    Attributes
    ----------
    layouts, weight
        Of the game.
    distribution
        Weight of the layouts that cost so many misses, by misses.
    worst_misses
        Misses for any layout at most.
    shots
        Shots of its tree: nodes that are no leaves.
    first_shot
        Cell that it shoots first, -1 where none is needed.
    """

    layouts: int
    weight: int
    distribution: dict[int, int]
    worst_misses: int
    shots: int
    first_shot: int

    @property
    def total_misses(self) -> int:
        """Misses over all layouts, each times its weight."""
        return sum(misses * weight for misses, weight in self.distribution.items())

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return Fraction(self.total_misses, self.weight)


def play_greedily(
    game: Game,
    rule: str = "hits",
    *,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> GreedyPlay:
    """What the tree of a greedy rule costs, without the tree in memory: for millions of layouts.

    Ties go to the first cell in reading order, and hits are read in full.

    Parameters
    ----------
    game, rule, time_limit, memory_limit, progress, stop
        As in ``greedy_tree``.

    Raises
    ------
    RulesError, PositionError, TooLargeError, LimitReached, TypeError
        As in ``greedy_tree``.

    Examples
    --------
    >>> play = play_greedily(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> play.total_misses, play.worst_misses, play.distribution[0]
    (6561, 8, 1)
    """
    chosen = choose(GreedyRule, rule, "greedy rule")
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    problem = as_problem(game, memory_limit=memory_limit, keys=False)
    growing = _grown(problem, chosen, limits=limits, kept=False)
    misses = np.flatnonzero(growing.growing.found).tolist()
    return GreedyPlay(
        layouts=len(problem.table),
        weight=problem.table.total_weight,
        distribution={k: int(growing.growing.found[k]) for k in misses},
        worst_misses=growing.worst_misses,
        shots=growing.shots,
        first_shot=problem.board_cells[shot] if (shot := int(growing.nodes.shots[0])) >= 0 else -1,
    )


def grow_greedy(
    problem: Problem,
    rule: GreedyRule,
    *,
    ties: Ties = Ties.FIRST,
    seed: int = 0,
    reading: Reading = Reading.FULL,
    limits: Limits | None = None,
) -> Tree:
    """Tree of a greedy rule for a problem: ``greedy_tree`` without the validation of arguments."""
    growing = _grown(
        problem, rule, seed=seed if ties is Ties.RANDOM else None, reading=reading, limits=limits
    )
    return growing.tree(objective=f"greedy-{rule.value}", status="heuristic")


def _grown(
    problem: Problem,
    rule: GreedyRule,
    *,
    seed: int | None = None,
    reading: Reading = Reading.FULL,
    limits: Limits | None = None,
    kept: bool = True,
) -> GrowingTree:
    """The tree grown to its end; random ties have a seed.

    Raises
    ------
    LimitReached
        At a limit of time.
    """
    search = ExactSearch(
        problem.without_symmetry(), options=SearchOptions.plain(), limits=limits,
        first_capacity=1, first_arena=1,
    )  # fmt: skip
    search.stage = "greedy play"
    growing = GrowingTree(search, kept=kept, reading=reading)
    try:
        growing.grow(POLICY_HALF if rule is GreedyRule.HALF else POLICY_HITS, seed=seed)
    except LimitReached:
        raise LimitReached(TOO_LATE) from None
    if search.limits.seconds_left() < 0:
        raise LimitReached(TOO_LATE)
    return growing


def _require_two_readings(rules: Rules, position: Position) -> None:
    if rules.answers is not AnswerMode.SUNK or rules.contact is Contact.SIDES:
        raise RulesError(
            "reading 'positive' differs from 'full' only with answers 'sunk' under contact rule "
            "'none' or 'corners'"
        )
    if position.shots:
        raise RulesError("reading 'positive' starts from an empty board: give no shots")
