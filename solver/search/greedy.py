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

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, kernel_mode
from seabattle.enumerate.arguments import require_whole
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.layouts import count_columns, name_all
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules, choose
from seabattle.enumerate.table import Game, position_of
from seabattle.solver.search.growing import GreedyPlayer, GrowingTree, tree_of_nodes
from seabattle.solver.search.limits import LimitReached, Limits, Snapshot
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.work import PLAIN, POLICY_HALF, POLICY_HITS
from seabattle.trees.tree import Reading, Tree

Choose = Callable[[NDArray[np.int64], Sequence[int], int], int]
"""Next shot, given the rows thought possible, the cells shot so far and the misses so far."""

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
        If no layout fits the position, or the table has no history.
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
    number = require_whole("seed", seed, 0, 2**63 - 1)
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
    growing = GrowingTree(
        GreedyPlayer(problem, limits), due_first=problem.mode != PLAIN, kept=False
    )
    _let_grow(growing, chosen, None, limits)
    misses = np.flatnonzero(growing.growing.found).tolist()
    return GreedyPlay(
        layouts=len(problem.table),
        weight=problem.table.total_weight,
        distribution={k: int(growing.growing.found[k]) for k in misses},
        worst_misses=growing.worst_misses,
        shots=growing.shots,
        first_shot=problem.board_cells[shot] if (shot := int(growing.nodes.shots[0])) >= 0 else -1,
    )


def _let_grow(
    growing: GrowingTree, rule: GreedyRule, seed: int | None, limits: Limits | None
) -> None:
    """Grow a tree by a greedy rule to its end.

    Raises
    ------
    LimitReached
        At a limit of time.
    """
    policy = POLICY_HALF if rule is GreedyRule.HALF else POLICY_HITS
    try:
        growing.grow_greedily(policy, seed)
    except LimitReached:
        raise LimitReached(TOO_LATE) from None
    if limits is not None and limits.seconds_left() < 0:
        raise LimitReached(TOO_LATE)


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
    start = problem.table.history
    objective = f"greedy-{rule.value}"
    if problem.mode == PLAIN or (ties is Ties.FIRST and reading is Reading.FULL):
        growing = GrowingTree(GreedyPlayer(problem, limits), due_first=problem.mode != PLAIN)
        growing.search.stage = "greedy tree"
        _let_grow(growing, rule, seed if ties is Ties.RANDOM else None, limits)
        return growing.tree(start, objective=objective, status="heuristic")
    generator = np.random.default_rng(seed) if ties is Ties.RANDOM else None
    return grow_by_rules(
        problem,
        _policy(problem, rule, generator, limits or Limits()),
        position=start,
        objective=objective,
        status="heuristic",
        reading=reading,
    )


def _require_two_readings(rules: Rules, position: Position) -> None:
    if rules.answers is not AnswerMode.SUNK or rules.contact is Contact.SIDES:
        raise RulesError(
            "reading 'positive' differs from 'full' only with answers 'sunk' under contact rule "
            "'none' or 'corners'"
        )
    if position.shots:
        raise RulesError("reading 'positive' starts from an empty board: give no shots")


def _policy(
    problem: Problem, rule: GreedyRule, ties: np.random.Generator | None, limits: Limits
) -> Choose:
    """The rule as a policy for ``grow_by_rules``, which asks it at every node."""
    counts = np.empty(problem.cells, dtype=np.int64)

    def shoot(rows: NDArray[np.int64], shots: Sequence[int], misses: int) -> int:
        if limits.stop is not None and limits.stop():
            raise KeyboardInterrupt
        if limits.seconds_left() < 0:
            raise LimitReached(TOO_LATE)
        certain, occupied = problem.closure(rows)
        shot = mask_of(shots)
        if certain & ~shot:
            return next(cells_of(certain & ~shot))
        weights = problem.weights[rows] if len(problem.weights) else problem.weights
        whole = int(weights.sum()) if len(weights) else len(rows)
        counts.fill(0)
        count_columns(problem.rows[rows].reshape(-1, 1), weights, counts)
        score = counts if rule is GreedyRule.HITS else -abs(2 * counts - whole)
        free = np.array(list(cells_of(occupied & ~certain & ~shot)))
        best = free[score[free] == score[free].max()]
        return int(best[0] if ties is None else ties.choice(best))

    return shoot


def grow_by_rules(
    problem: Problem,
    choose: Choose,
    *,
    position: Position,
    objective: str,
    status: str,
    reading: Reading = Reading.FULL,
) -> Tree:
    """Grow a tree by asking the rules for every layout's answer.

    Parameters
    ----------
    problem
        One row per layout.
    choose
        The policy, in the problem's cells; with reading ``positive`` it is shown all layouts in
        which the cells answered ``hit`` are occupied, also those that would have answered ``sunk``.
    position, objective, status, reading
        Recorded in the tree.
    """
    table = problem.table
    placements = placement_table(problem.rules)
    lengths = np.array(problem.rules.fleet.lengths, dtype=np.int64)
    mode = kernel_mode(problem.rules)
    shots_of, leaf, members = array("h"), array("q", [0]), array("q")
    parents, codes_of = array("q"), array("H")  # the edge into each node but the root
    everything = np.arange(len(problem), dtype=np.int64)
    board = problem.board_cells
    history = [cell for cell, _ in position.shots]
    total = worst = 0
    stack = [(everything, everything, history, 0, -1, 0)]
    while stack:
        rows, thought, shots, misses, parent, code = stack.pop()
        node = len(shots_of)
        if parent >= 0:
            parents.append(parent)
            codes_of.append(code)
        certain, occupied = problem.closure(thought)
        if certain == occupied:
            shots_of.append(-1)
            members.extend(rows.tolist())
            leaf.append(len(members))
            weight = int(table.weights[rows].sum()) if len(table.weights) else len(rows)
            total += misses * weight
            worst = max(worst, misses)
            continue
        own = [cell for cell in range(problem.cells) if board[cell] in shots]
        chosen = choose(thought, own, misses)
        shots_of.append(chosen)
        cell = board[chosen]
        leaf.append(len(members))
        codes = np.empty(len(thought), dtype=np.int64)
        name_all(
            table.index[thought], placements.masks, table.layouts.ships, lengths,
            np.array(shots, dtype=np.int64), cell, mode, codes,
        )  # fmt: skip
        given = codes if thought is rows else codes[np.searchsorted(thought, rows)]
        for answer in np.unique(given)[::-1].tolist():  # misses come first
            kept = rows[given == answer]
            believed = kept
            if reading is Reading.POSITIVE:
                fits = codes != MISS if answer == HIT else codes == answer
                believed = thought[fits]
            stack.append((kept, believed, [*shots, cell], misses + (answer == MISS), node, answer))
    return tree_of_nodes(
        problem,
        np.array(shots_of, dtype=np.int16),
        np.array([-1, *parents], dtype=np.int64),
        np.array([0, *codes_of], dtype=np.uint16),
        np.array(leaf[1:], dtype=np.int64),
        np.array(members, dtype=np.int64),
        total,
        worst,
        position=position,
        objective=objective,
        status=status,
        reading=reading,
    )
