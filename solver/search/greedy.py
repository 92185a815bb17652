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
and nothing more is concluded. [Recognition2013] gives 4 misses at worst and 2.04 on average for
``hits``, without its tie rule: ``positive`` comes to 4 and 2.014 with ties to the first cell, and
to 4 and 2.02 to 2.05 at random, ``full`` to 4 and 1.817 (``outputs/reproduce.py``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np

from seabattle.enumerate.errors import RulesError, Stop, within
from seabattle.enumerate.rules import AnswerMode, Contact, Rules, choose
from seabattle.enumerate.table import Game, position_of
from seabattle.enumerate.words import mean_text
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.growing import GreedyRule, GrowingTree
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.queries import Limits, SearchOptions, Snapshot
from seabattle.trees.tree import Reading, Tree, distribution_document, distribution_text
from seabattle.trees.verify import require_valid


class Ties(StrEnum):
    """Which of several equally good cells is shot."""

    FIRST = "first"
    RANDOM = "random"


@dataclass(frozen=True)
class Manner:
    """How a greedy strategy chooses."""

    rule: GreedyRule
    ties: Ties = Ties.FIRST
    reading: Reading = Reading.FULL
    seed: int = 0

    @property
    def objective(self) -> str:
        """What is recorded in its trees."""
        return f"greedy-{self.rule}"


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
    stop: Stop | None = None,
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

    Examples
    --------
    >>> tree = greedy_tree(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> tree.total_misses, tree.worst_misses
    (6561, 8)
    """
    how = _manner(game, rule, ties, seed, reading)
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    return grow_greedy(as_problem(game, memory_limit=memory_limit), how, limits=limits)


def _manner(game: Game, rule: str, ties: str, seed: int, reading: str) -> Manner:
    """The manner that public parameters name, if it goes with the game."""
    how = Manner(
        choose(GreedyRule, rule, "greedy rule"),
        choose(Ties, ties, "tie rule"),
        choose(Reading, reading, "reading"),
        within("seed", seed, 0, 2**63 - 1),
    )
    start = position_of(game)
    if how.reading is Reading.POSITIVE:
        if start.rules.answers is not AnswerMode.SUNK or start.rules.contact is Contact.SIDES:
            raise RulesError(
                "reading 'positive' differs from 'full' only with answers 'sunk' under contact "
                "rule 'none' or 'corners'"
            )
        if start.shots:
            raise RulesError("reading 'positive' starts from an empty board: give no shots")
    return how


@dataclass(frozen=True, kw_only=True)
class GreedyPlay(Manner):
    """A greedy rule played against every layout: what it costs.

    Attributes
    ----------
    rule, ties, reading, seed
        How it chooses.
    rules
        The game.
    layouts, weight
        Of the game.
    distribution
        Weight of the layouts that cost so many misses, by misses.
    worst_misses
        Misses for any layout at most.
    shots
        Shots of its tree: nodes that are not leaves.
    first_shot
        Cell that it shoots first, -1 where none is needed.
    seconds
        Time taken.
    tree
        Its tree, if that was wanted.
    wasted
        Shots of the tree at cells that no layout left occupies; only the positive reading has such.
    """

    rules: Rules
    layouts: int
    weight: int
    distribution: dict[int, int]
    worst_misses: int
    shots: int
    first_shot: int
    seconds: float
    tree: Tree | None = None
    wasted: int = 0

    @property
    def total_misses(self) -> int:
        """Misses over all layouts, each times its weight."""
        return sum(misses * weight for misses, weight in self.distribution.items())

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return Fraction(self.total_misses, self.weight)

    @property
    def _first(self) -> list[str]:
        return [self.rules.board.name(self.first_shot)] if self.first_shot >= 0 else []

    def document(self) -> dict[str, Any]:
        """What ``greedy --json`` prints after the game.

        Fields
        ------
        rule: half or hits
        ties: which of equal cells is shot: first or random
        reading: what a plain hit tells: full or positive
        layouts: layouts that fit
        status: heuristic
        total_misses: misses over all layouts, each weighed by its weight
        mean_misses: the same divided by the weight of all layouts
        worst_misses: the most misses for any layout that weighs more than 0
        distribution: how many layouts, or how much of their weight, cost so many misses
        weight: the weight of all layouts; their number where none has a weight of its own
        wasted: shots at cells that no layout left occupies
        states, sets: 0: nothing is kept, no sets of misses are weighed
        nodes: shots of its tree
        best_shots: its first shot; empty if none is needed
        search_seconds: of playing
        """
        return {
            "rule": self.rule.value,
            "ties": self.ties.value,
            "reading": self.reading.value,
            "layouts": self.layouts,
            "status": "heuristic",
            "total_misses": self.total_misses,
            "mean_misses": float(self.mean_misses),
            "worst_misses": self.worst_misses,
            "distribution": distribution_document(self.distribution),
            "weight": self.weight,
            "wasted": self.wasted,
            "states": 0,
            "nodes": self.shots,
            "sets": 0,
            "best_shots": self._first,
            "search_seconds": self.seconds,
        }

    def facts(self) -> list[tuple[str, str]]:
        """What it costs as labels and texts, the game apart."""
        ties = f"random, seed {self.seed}" if self.ties is Ties.RANDOM else "first"
        shown = "every layout played" if self.tree is None else "tree verified"
        return [
            ("layouts", f"{self.layouts:,}"),
            ("rule", f"{self.rule}, reading {self.reading}"),
            ("ties", ties),
            ("status", f"heuristic; {shown}"),
            ("misses", mean_text(self.total_misses, self.weight, self.worst_misses)),
            ("by misses", distribution_text(self.distribution)),
            ("wasted shots", str(self.wasted)),
            ("first shot", " ".join(self._first) or "none: the layout is known"),
        ]


def play_greedily(
    game: Game,
    rule: str = "hits",
    *,
    ties: str = "first",
    seed: int = 0,
    reading: str = "full",
    tree: bool = False,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Stop | None = None,
) -> GreedyPlay:
    """What the tree of a greedy rule costs.

    Parameters
    ----------
    game, rule, ties, seed, reading, time_limit, memory_limit, progress, stop
        As in ``greedy_tree``.
    tree
        Whether to keep the tree, and verify it; without it millions of layouts can be played. It is
        kept with the reading ``positive``, of which it alone tells the shots that are wasted.

    Raises
    ------
    RulesError, PositionError, TooLargeError, LimitReached
        As in ``greedy_tree``.

    Examples
    --------
    >>> play = play_greedily(Rules("5x5", "3,2,2,1,1,1"), "hits")
    >>> play.total_misses, play.worst_misses, play.distribution[0]
    (6561, 8, 1)
    """
    started = time.monotonic()
    how = _manner(game, rule, ties, seed, reading)
    kept = tree or how.reading is Reading.POSITIVE
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    problem = as_problem(game, memory_limit=memory_limit, keys=kept)
    growing = _grow(problem, how, limits, kept=kept)
    grown = growing.tree(objective=how.objective, status="heuristic") if kept else None
    misses, first = np.flatnonzero(growing.found).tolist(), int(growing.nodes["shots"][0])
    return GreedyPlay(
        **vars(how),
        rules=problem.rules,
        layouts=len(problem.table),
        weight=problem.table.total_weight,
        distribution={k: int(growing.found[k]) for k in misses},
        worst_misses=growing.worst_misses,
        shots=growing.shots,
        first_shot=problem.board_cells[first] if first >= 0 else -1,
        wasted=0 if grown is None else require_valid(grown, layouts=problem.table.layouts).wasted,
        tree=grown,
        seconds=time.monotonic() - started,
    )


def grow_greedy(problem: Problem, how: Manner, *, limits: Limits | None = None) -> Tree:
    """Tree of a greedy rule for a problem: ``greedy_tree`` without the validation of arguments."""
    growing = _grow(problem, how, limits)
    return growing.tree(objective=how.objective, status="heuristic")


def _grow(
    problem: Problem, how: Manner, limits: Limits | None, *, kept: bool = True
) -> GrowingTree:
    """The tree grown to its end; raises ``LimitReached`` where that takes longer than it may."""
    search = ExactSearch(problem.without_symmetry(), options=SearchOptions.plain(), limits=limits)
    search.stage = "greedy play"
    growing = GrowingTree(search, kept=kept, reading=how.reading)
    growing.grow(how.rule, seed=how.seed if how.ties is Ties.RANDOM else None)
    search.limits.require_time()
    return growing
