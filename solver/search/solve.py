"""Solving a game: the optimal tree for an objective, proven, grown and verified.

========== ============================================================ =====================
objective  what is minimised                                            how
========== ============================================================ =====================
mean       total misses                                                 T(S)
worst      misses in the worst case                                     W(S)
mean-worst total; among those trees the worst case                      least w: T(S, w) = T(S)
worst-mean worst case; among those trees the total                      T(S, W(S))
pareto     every pair (worst, total) that no other pair beats           T(S, w), w from W(S) on
within:K   layouts not finished with K misses; of none, the total       lost(S, K); T(S, K)
========== ============================================================ =====================

T(S, w) is the least total of the sub-table S over trees that miss at most w times on any path.
It obeys T(S, w) = min over cells c of |S without c| + T(S without c, w - 1) + T(S with c, w), so
the worst case still allowed is part of the state; ``mean`` allows any number.

lost(S, w) is the least weight of the layouts that miss more than w times: that of S where w is
negative, 0 where all of S occupy the same cells, else the least over c of the sum of
lost(S without c, w - 1) and lost(S with c, w). What is not lost, ``within`` finishes.

Optimal decision trees are NP-complete in general [Hyafil1976]; what fits a machine is solved. A
shot's children share a budget: what one may cost is what the others leave, as in [KnuthMoore1975].

Every comparison of the search is of a single number: nothing distinguishes shots of equal total.
A search for T(S) finds *some* tree of that total, and the worst case it reports is only that of
this tree: where weights make shots tie, another tree of T(S) may have a smaller one, and each
search of S may find another tree. A worst case is therefore always proven by computing T(S, w),
which excludes trees that miss too often, and a tree that has to keep a worst case is grown with
that limit unless it keeps it anyway. Before a tree is called optimal, its total and worst case,
recomputed from the rules, are compared with those proven.

Where a limit or Ctrl-C stops the search, the best tree known so far is returned with ``status``
"bounded" and the interval that was proven. After a stop that follows the proof the status is
"optimal", and only the best first shots or the values not yet computed stay unknown.

A solve has an interval: a lower bound that is proven, and the misses of the best verified tree.
Four workers narrow it, in turns: the *search* proves bounds and in the end the optimum, a *sweep*
works out every set of misses where those are few, *rollouts* find better trees, and *best first*
raises the bound where the search stands still.

All is measured in rows looked at, not in seconds, so that each run with one thread finds the same
keys. A *unit* of the search is a twentieth of one of its steps, a few hundredths of a second. That
of rollouts and of best first is a twentieth of ``Limits.rows_per_step``: with other answers than
``hit``, where the search takes shorter steps, up to four times as many rows.

========== =========================================== ============================================
turn       what the search is asked for                afterwards
========== =========================================== ============================================
straight   the optimum at once                         rollouts, sweep; its answers split what is
                                                       lacking from here on (``minimize``)
probe      bounds that rise step by step               straight on, if much of the gap has closed
straight   the optimum at once, nothing split          as after the first turn; only after such a
                                                       probe, and once
rising     bounds that rise step by step, from turn to rollouts, sweep, best first
           turn for longer
========== =========================================== ============================================

A turn ends early where a sweep is due; but not with answers ``hit``, where bounds close many games
before it ends.

To split raises bounds with a fraction of the work, and exact values take more of it: so a game
whose gap closes at a walk is asked for its value at once, and one whose proof is likely to fit in
memory is never split, nor does anything but the search go on for long.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, repeat
from pathlib import Path

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.table import Game, position_of, rules_of
from seabattle.solver.proofs.proof_files import require_provable, write_proof
from seabattle.solver.search.best_first import BestFirst
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import GreedyRule, grow_greedy
from seabattle.solver.search.growing import grow_best
from seabattle.solver.search.limits import LimitReached, Limits, Pace, Paused, Snapshot
from seabattle.solver.search.miss_sets import MissSets, MissSweep
from seabattle.solver.search.problem import MEMORY_GIB, Family, Problem, as_problem
from seabattle.solver.search.queries import (
    INFEASIBLE,
    AnyObjective,
    Goal,
    Objective,
    SearchOptions,
    Value,
    Within,
    read_objective,
)
from seabattle.solver.search.rollouts import BetterTrees
from seabattle.solver.search.solution import Solution
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid


def solve(
    game: Game,
    objective: AnyObjective = "mean",
    *,
    values: bool = False,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    proof: str | Path | None = None,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Optimal tree of a game, proven and verified.

    Parameters
    ----------
    game
        Rules, a position, or a decision table. The tree begins at the position, whose misses are
        not counted.
    objective
        ``mean``, ``worst``, ``mean-worst``, ``worst-mean``, ``pareto``, or ``Within(K)``, as
        text ``within:K``: the tree that finishes the most layouts with at most K misses.
    values
        Also compute the least cost of every first shot.
    time_limit
        Seconds from now after which the search stops; its solution then has ``status``
        "bounded". A first tree is grown and verified in any case, which takes some seconds for
        every million layouts.
    memory_limit
        GiB that the search may take; the layouts may take half as much.
    threads
        How many threads search together, 1 to 256; by default one per core. The value is the same
        with any number; where a game takes more than a moment, the keys, the sub-tables and which
        of several best trees is found are only the same in every run with 1.
    checkpoint
        File that keeps what is proven while the search runs; one that exists already is
        continued. See ``solver.search.checkpoint`` for errors.
    proof
        File for a proof of the lower bound, as ``check_proof`` takes it, with the objectives
        ``mean`` and ``worst``. Three quarters of the time limit are kept for it.
    progress
        Called with a ``Snapshot`` a few times a second.
    stop
        Called a few times a second; when it returns true the search ends as if by Ctrl-C.

    Returns
    -------
    Solution
        The tree, its value, and what is proven of it.

    Raises
    ------
    RulesError
        If the objective is unknown, or of a game or objective that has no proofs one is wanted.
    PositionError
        If no layout fits the position.
    TooLargeError
        If the game is too large to be solved.
    SeabattleError
        If a limit or the number of threads is out of range.

    Examples
    --------
    >>> from seabattle.enumerate.position import Position
    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("4x4", "3,2,1")
    >>> solution = solve(rules, "worst-mean")
    >>> solution.total_misses, solution.worst_misses, solution.best_shots
    (605, 5, ('A1', 'D1', 'A4', 'D4'))
    >>> solve(Position(rules).shoot("B2", "miss").shoot("A1", "hit")).best_shots
    ('C1', 'A3')
    """
    position_of(game)
    chosen = read_objective(str(objective))
    if proof is not None:
        require_provable(rules_of(game), chosen)
    limits = Limits.of(time_limit, memory_limit, progress, stop, threads)
    problem = as_problem(game, memory_limit=memory_limit)
    return solve_problem(
        problem, chosen, values=values, limits=limits, checkpoint=checkpoint, proof=proof
    )


def solve_problem(
    problem: Problem,
    objective: Objective | Within | str = Objective.MEAN,
    *,
    values: bool = False,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
    checkpoint: str | Path | None = None,
    proof: str | Path | None = None,
) -> Solution:
    """Optimal tree of a problem: ``solve`` without the validation of its arguments.

    Parameters
    ----------
    problem
        The problem; its table knows the position.
    objective, values, checkpoint, proof
        As in ``solve``.
    options, limits
        What the search may use, and when it stops.
    """
    chosen = read_objective(str(objective))
    run = SolveRun(problem, chosen, options, limits, proof)
    if checkpoint is not None:
        goal = "within" if isinstance(chosen, Within) else ""
        run.search.resume(Checkpoint(Path(checkpoint), problem, goal=goal))
    return run.solve(values=values)


LATER, OTHERS = 4, 5
"""A later turn takes 1/LATER of all units so far, every other worker 1/OTHERS of that."""

MUCH = 1 / 4
"""Part of the first gap that has to be closed by the end of the probe."""

LEAST_RISE = 100
"""A turn of rising bounds that has closed less than this part of the gap stands still."""

PROOF = 3 / 4
"""Where a proof is wanted, this part of the time limit is kept for it: to find its lemmas takes two
to six times the processor time of the search."""

BEST_FIRST = 4
"""After such a turn this many times its own work goes to a bound that rises best first."""

FIRST_STEP = 64
"""The lower bound of a long search rises by this part of the gap at first."""

SECONDS_FOR_BOUND = 0.2
"""Seconds for which the lower bound is raised after a search has stopped."""

QUERIES_FOR_BOUND = 20
"""Queries by which it is raised between two turns: as many in every run."""


@dataclass(frozen=True)
class Turn:
    """A turn of the search: its units, those of each other worker after it, and its kind."""

    units: int
    others: int = 0
    straight: bool = False
    probe: bool = False


FIRST_TURNS = (
    Turn(16, 3, straight=True),
    Turn(32, probe=True),
    Turn(400, 80, straight=True),
    Turn(60, 20),
    Turn(400, 80),
)
"""The first of them takes about a second."""


def turn_after(turns: int, units: int) -> Turn:
    """The turn after so many turns of so many units in all.

    Examples
    --------
    >>> turn_after(0, 0)
    Turn(units=16, others=3, straight=True, probe=False)
    >>> turn_after(9, 4_000)
    Turn(units=1000, others=200, straight=False, probe=False)
    """
    if turns < len(FIRST_TURNS):
        return FIRST_TURNS[turns]
    longer = max(FIRST_TURNS[-1].units, units // LATER)
    return Turn(longer, longer // OTHERS)


class Deepening:
    """Budgets of one search for the least total, which rise to the optimum step by step.

    A budget that is not reached is a lower bound, so that the interval narrows while the search
    goes on. Each step begins again at the root: what the table knows is not searched again, but
    shots that were refuted by less have to be weighed once more. And what a step that is stopped
    has done is lost for the bound. So each is to take a fifth to half of all the work so far,
    measured in sub-tables.

    Until ``begin`` the budget is one above the best tree known.

    Examples
    --------
    >>> budgets = Deepening()
    >>> budgets.next_budget(1000, 1640, 50)
    1641
    >>> budgets.begin(1000, 1640)
    >>> budgets.next_budget(1000, 1640, 50)
    1011
    >>> budgets.reached(52)
    >>> budgets.next_budget(1011, 1640, 52)
    1032
    """

    def __init__(self) -> None:
        self.step = 0  # none yet
        self.aim = 0  # lower bound that is sought
        self.sub_tables = 0  # expanded when its search began

    def begin(self, lower: int, upper: int) -> None:
        """Let the budgets rise by steps, if they do not do so yet."""
        if not self.step:
            self.step = max(1, (upper - lower) // FIRST_STEP)

    def next_budget(self, lower: int, upper: int, sub_tables: int) -> int:
        """The budget to search with: the last one, unless the lower bound has come so far.

        Parameters
        ----------
        lower, upper
            The interval.
        sub_tables
            Expanded so far.
        """
        if not self.step:
            return upper + 1
        if self.aim <= lower:
            self.aim = lower + self.step
            self.sub_tables = sub_tables
        if upper - self.aim < self.step // 2:  # no small step at the end
            return upper + 1
        return self.aim + 1

    def reached(self, sub_tables: int) -> None:
        """Make the next step larger or smaller, by the sub-tables that the last one took."""
        taken = sub_tables - self.sub_tables
        if 5 * taken < sub_tables:
            self.step *= 2
        elif 2 * taken > sub_tables:
            self.step = max(1, self.step // 2)


def bound_of_table(
    search: ExactSearch,
    ask: Callable[..., Value],
    lower: int,
    upper: int,
    *,
    queries: int | None = None,
    rows: int = 0,
) -> int:
    """The known lower bound, raised to what a search can say at once of the whole game.

    A query with a budget just above the known bound returns the least bound of all first shots,
    provided the table holds enough of them.

    Parameters
    ----------
    search, ask
        The search, and what asks it for what is bounded, given a budget.
    lower, upper
        Bounds known so far.
    queries
        How many at most; as many as a moment allows where no number is given.
    rows
        That a query may look at, in one step; by default those of a short one.
    """
    until = time.monotonic() + SECONDS_FOR_BOUND
    for _ in repeat(None) if queries is None else repeat(None, queries):
        if lower >= upper or (queries is None and time.monotonic() > until):
            break
        glance = Pace(rows or 4 * len(search.problem) + 100_000, one_step=True)
        try:
            value = ask(budget=lower + 1, pace=glance)
        except (Paused, LimitReached):
            break
        if value.misses <= lower:
            break
        lower = min(value.misses, upper)
    return lower


LARGE_PROBLEM = 20_000
"""With more rows than this, good trees are sought before the optimum."""

EXACT_ROWS = 30, 100, 333
"""Most rows of what is solved exactly for such trees, one after the other."""

APPROACH = 4
"""Steps of the search that each of them may take at most."""


def keys_expected(rounds: Sequence[tuple[int, int]], rows: int) -> float:
    """How many keys a proof is likely to take, as trees exact up to more and more rows show.

    Each of those to come would multiply the keys as the last of them did.

    Parameters
    ----------
    rounds
        Rows solved exactly, and keys stored by then; each time 10/3 as many rows as before.
    rows
        All rows of the problem.

    Examples
    --------
    Of 5x6 with 3,2,2,1,1,1, which takes 61 million in the end:

    >>> f"{keys_expected([(30, 12_740), (100, 47_300), (333, 223_186)], 46_440) / 1e6:.0f} million"
    '129 million'
    """
    (_, before), (exact, keys) = rounds[-2:]
    left = math.log(max(1.0, rows / exact), 10 / 3)
    return float(keys * max(1.0, keys / max(1, before)) ** left)


@dataclass(frozen=True)
class Proven:
    """What an optimal tree is known to cost: a query and its result.

    With the goal ``TOTAL`` no tree of this ``value`` keeps a lower ``miss_limit``, unless it is
    ``given``: asked for, not proven. ``unasked`` says that a search without a limit has found one
    that keeps it.
    """

    goal: Goal
    miss_limit: int | None
    value: int
    unasked: bool = False
    given: bool = False

    def agrees(self, tree: Tree) -> bool:
        """Whether a tree is what was proven."""
        keeps = self.goal is not Goal.TOTAL or self.miss_limit in (None, tree.worst_misses)
        if self.given and self.miss_limit is not None:
            keeps = tree.worst_misses <= self.miss_limit
        return keeps and self.goal.cost(tree, self.miss_limit) == self.value


class SolveRun:
    """One solve: what is known at any moment, so that stopping loses nothing.

    Parameters are those of ``solve_problem``.
    """

    def __init__(
        self,
        problem: Problem,
        chosen: Objective | Within,
        options: SearchOptions | None,
        limits: Limits | None,
        proof: str | Path | None,
    ) -> None:
        self.problem, self.chosen, self.proof = problem, chosen, proof
        self.goal, self.miss_limit = chosen.goal, None
        if isinstance(chosen, Within):
            self.miss_limit = min(chosen.misses, problem.cells)
        self.search = search = ExactSearch(problem, options=options, limits=limits)
        search.counting &= self.goal is not Goal.LOST  # what hits leave bounds only misses
        search.interval, search.bounded = lambda: self.interval, self.goal.bounds
        self.of_totals = search  # which is asked for T(S, w)
        self.verified: Tree | None = None
        growing = time.monotonic()
        # It is grown whatever the limits are, so that there is always a tree.
        rules = [GreedyRule.HITS] if self.miss_limit is None else list(GreedyRule)
        unlimited = Limits(report=search.limits.report)
        trees = (grow_greedy(problem, rule, limits=unlimited) for rule in rules)
        self.tree = replace(min(trees, key=self._first_component), objective=str(chosen))
        checking = time.monotonic()
        self._verify(self.tree)
        grown = time.monotonic()
        # The search stops early enough that its last tree can still be verified.
        reserve = 1.5 * (grown - checking) + (0.7 if len(problem) > LARGE_PROBLEM else 0.05)
        deadline = self.proof_deadline = search.limits.deadline - reserve
        if proof is not None and deadline < math.inf:
            deadline -= max(0.0, search.limits.seconds_left() - reserve) * PROOF
        search.limits = replace(search.limits, deadline=deadline)
        self.better = BetterTrees(problem, search.limits, seconds_to_grow=grown - growing)
        self.rising = BestFirst(search)
        self.sets: MissSets | None = None
        simple = chosen in (Objective.MEAN, Objective.WORST)  # without a miss limit
        if search.options.sets and simple and not problem.renumbered:
            self.sets = MissSets(search, self.goal)
        self.budgets = Deepening()
        self.lower = 0
        self.proven = False
        self.front: tuple[Tree, ...] = ()
        self.best_cells = 0  # best shots for the least total, if they came with it
        self.best_shots: tuple[str, ...] | None = None
        self.values: tuple[int, ...] | None = None
        self.lemmas: int | None = None
        self.states = self.nodes = 0
        self.begun = self.seconds = 0.0
        self.history: list[tuple[float, int]] = []
        self.rounds: list[tuple[int, int]] = []  # rows solved exactly, and keys stored by then

    def _first_component(self, tree: Tree) -> int:
        return self.goal.cost(tree, self.miss_limit)

    def _verify(self, tree: Tree) -> None:
        if tree is not self.verified:
            require_valid(tree, layouts=self.problem.table.layouts)
            self.verified = tree

    @property
    def upper(self) -> int:
        """The first component of the objective, of the best verified tree."""
        return self._first_component(self.tree)

    @property
    def interval(self) -> tuple[int, int]:
        """Proven bounds of that component; with ``within`` of what is finished, not lost."""
        if self.goal is not Goal.LOST:
            return self.lower, self.upper
        return self.problem.weight - self.upper, self.problem.weight - self.lower

    def solve(self, *, values: bool) -> Solution:
        """The course of a solve: interval, larger and larger trees, proof, tree, first shots."""
        self.begun = time.monotonic()
        stopped_by = ""
        interrupted = False
        try:
            self._begin()
            self._approach()
            optimum = self._prove()
            self._take_optimum(optimum)
            self.search.stage = "first shots"
            self.best_shots = self._best_shots(optimum)
            if values:
                self.search.stage = "values of first shots"
                self.values = self._values()
        except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            stopped_by = self._stopped_by(stop, values=values)
        if not self.proven:
            self.rising.give_up()
            self._raise_lower_bound()
        if self.search.checkpoint is not None:
            self.search.save()
        if self.proof is not None:
            unproven = self._write_proof(self.proof, stopped_by)
            stopped_by = "; ".join(filter(None, (stopped_by, unproven)))
        if not self.proven:
            self.search.release()
            self.of_totals.release()
            self._verify(self.tree)
            self.tree = replace(self.tree, status="bounded")
            self._note_work()
        lower, upper = self.interval
        return Solution(
            rules=self.problem.rules,
            position=self.problem.table.position,
            objective=str(self.chosen),
            status="optimal" if self.proven else "bounded",
            layouts=len(self.problem.table),
            weight=self.problem.table.total_weight,
            tree=self.tree,
            front=self.front,
            lower_bound=lower,
            upper_bound=upper,
            states=self.states,
            nodes=self.nodes,
            sets=0 if self.sets is None else self.sets.sets,
            best_shots=self.best_shots or (),
            values=self.values,
            search_seconds=self.seconds,
            interrupted=interrupted,
            stopped_by=stopped_by,
            progress=tuple(self.history),
            within=self.chosen.misses if isinstance(self.chosen, Within) else None,
            lemmas=self.lemmas,
        )

    def _stopped_by(self, stop: BaseException, *, values: bool) -> str:
        """What stopped the search, and after a proof what that leaves unknown, in words."""
        told = "stopped by Ctrl-C" if isinstance(stop, KeyboardInterrupt) else str(stop)
        if isinstance(stop, MemoryError):
            told = "this machine has no more memory"
        if not self.proven:
            return told + ("" if self.sets is None else self.sets.advice)
        unknown = ["the best first shots"] if self.best_shots is None else []
        unknown += ["the values"] if values and self.values is None else []
        open_still = f": {' and '.join(unknown)} are not known" if unknown else ""
        return f"{told}, after the proof{open_still}"

    def _write_proof(self, path: str | Path, told: str) -> str:
        """Prove the lower bound in a file; in words what stopped that, unless told already.

        It is the last that is asked of the search, whose checkpoint is written.
        """
        self.search.limits = replace(self.search.limits, deadline=self.proof_deadline)
        self.search.checkpoint = None  # what is found now is not worth another
        try:
            self.lemmas = write_proof(self.search, self.goal, self.lower, path)
        except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
            why = str(stop) or "stopped by Ctrl-C"
            return "no proof was written" + ("" if told.startswith(why) else f": {why}")
        return ""

    def _note_work(self) -> None:
        """Keys stored, sub-tables expanded and seconds so far."""
        searches = {self.search, self.of_totals}
        self.states = sum(search.states for search in searches)
        self.nodes = sum(search.nodes for search in searches)
        self.seconds = time.monotonic() - self.begun

    # The interval before the proof.

    def _raise_lower_bound(self, queries: int | None = None, *, rows: int = 0) -> None:
        """Raise the lower bound to what is already proven of the whole game."""
        self.lower = min(self.upper, max(self.lower, self.rising.lower))
        ask = partial(self.search.minimize, self.goal, miss_limit=self.miss_limit)
        self.lower = bound_of_table(
            self.search, ask, self.lower, self.upper, queries=queries, rows=rows
        )

    def _begin(self) -> None:
        """The bound that is known before any shot, and the interval it leaves.

        It is that of words first, in case a limit comes while it is counted what hits leave. The
        queries come as far as the bounds of the root and of its children. They count for nothing,
        so that the search finds the same keys and sub-tables as without them.
        """
        search, nodes = self.search, self.search.nodes
        counts = search.counting
        self._raise_lower_bound(self.upper, rows=len(self.problem))
        if counts:
            search.prepare()
            self._raise_lower_bound(self.upper, rows=len(self.problem))
        search.counters.nodes = nodes

    def _approach(self) -> None:
        """Find better and better trees of a large game before its full search.

        Sub-tables of up to 30, 100 and 333 rows are solved exactly, larger ones shot at greedily.
        What was solved stays in the table, where the full search begins.
        """
        search, large = self.search, len(self.problem) > LARGE_PROBLEM
        if self.problem.mode != Family.PLAIN or not large or self.goal is Goal.LOST:
            return
        for rows in EXACT_ROWS:
            search.stage = f"trees exact up to {rows} layouts"
            try:
                tree = grow_best(
                    search, objective=str(self.chosen), status="heuristic", exact_rows=rows,
                    pace=Pace(APPROACH * search.rows_per_step),
                )  # fmt: skip
            except Paused:
                break
            self.history.append((time.monotonic() - search.started, tree.total_misses))
            self.tree = min(self.tree, tree, key=self._rank)
            self.rounds.append((rows, search.states))

    def _rank(self, tree: Tree) -> tuple[int, int]:
        return self._first_component(tree), tree.total_misses + tree.worst_misses

    def _fits(self) -> bool:
        """Whether those trees have shown that a proof is likely to fit in the memory limit."""
        if len(self.rounds) < len(EXACT_ROWS):
            return False
        slots = 4 / 3 * keys_expected(self.rounds, len(self.problem))
        # While a table grows, the old one and one twice as large are in memory. Slots are not
        # rounded up to a power of two, as tables are: the forecast may be twice too high already.
        needed = 1.5 * slots * 8 * self.search.table_width
        return bool(needed <= self.search.limits.memory * 2**30)

    # The proof.

    def _prove(self) -> Proven:
        chosen = self.chosen
        if isinstance(chosen, Within):
            return self._prove_within()
        if chosen is Objective.MEAN:
            return Proven(Goal.TOTAL, None, self._least_total().misses)
        if chosen is Objective.MEAN_WORST:
            return self._prove_mean_worst()
        worst = self._least_worst(self.tree.worst_misses + 1)
        self.lower = max(self.lower, worst)
        if chosen is Objective.WORST:
            return Proven(Goal.WORST, None, worst)
        return Proven(Goal.TOTAL, worst, self._total_within(worst).misses)

    def _prove_within(self) -> Proven:
        """lost(S, K), and where that is nothing T(S, K).

        A table holds the values of one of the two, so that the second takes a search of its own.
        """
        search = self.search
        search.stage = str(self.chosen)
        self.budgets.begin(self.lower, self.upper)
        lost = self._ask(Turn(0), 0, Pace()).misses
        if lost or self.miss_limit is None:
            return Proven(self.goal, self.miss_limit, lost)
        self.of_totals = ExactSearch(self.problem, options=search.options, limits=search.limits)
        self.of_totals.interval, self.of_totals.reserved = search.interval, search.table.nbytes
        self.of_totals.bounded = search.bounded
        total = self._total_within(self.miss_limit)
        return Proven(Goal.TOTAL, self.miss_limit, total.misses, given=True)

    def _prove_mean_worst(self) -> Proven:
        """The least w with T(S, w) = T(S).

        The tree of T(S) that was found misses at most ``worst`` times, so w is no more than that,
        and no less than W(S). T(S, w) falls or stays as w rises: so w is one above the first
        limit, counting down, that rules T(S) out.
        """
        total = self._least_total()
        worst = total.worst
        least_worst = self._least_worst(worst)
        while worst > least_worst:
            value = self._total_within(worst - 1, budget=total.misses + 1)
            if not value.exact:
                break
            worst = value.worst
        return Proven(Goal.TOTAL, worst, total.misses, unasked=worst == total.worst)

    def _total_within(self, miss_limit: int, *, budget: int = INFEASIBLE) -> Value:
        """T(S, w)."""
        self.of_totals.stage = f"mean, at most {miss_limit} misses"
        return self.of_totals.minimize(miss_limit=miss_limit, budget=budget)

    def _least_total(self) -> Value:
        """T(S): turns of the search, between which others narrow the interval from both ends."""
        self.search.stage = "mean"
        units, first = 0, self.lower  # units by the search alone
        straight_on, split = True, False
        for number in count():
            turn = turn_after(number, units)
            if turn.straight and not straight_on:
                continue
            begun = self.lower
            value = self._take(turn, units, partial(self._ask, turn, number), split=split)
            units += turn.units
            straight_on = turn.probe and self.lower - first >= MUCH * (self.upper - first)
            if value is None and not straight_on:
                value = self._sweep(units)
            if value is not None:
                self.better.give_up()
                self.rising.give_up()
                return value
            split = not straight_on and self._narrow(turn, number, self.lower - begun)
        raise AssertionError("there is always another turn")

    def _least_worst(self, budget: int) -> int:
        """W(S), with pauses in which every set of misses may be worked out."""
        self.search.stage = "worst case"
        ask = partial(self.search.minimize, Goal.WORST, budget=budget)
        value = ask() if self.sets is None else None
        number = units = 0
        while value is None:
            turn = turn_after(number, units)
            value = self._take(turn, units, lambda pace: ask(pace=pace))
            number, units = number + 1, units + turn.units
            value = value or self._sweep(units)
        return value.misses

    def _take(
        self, turn: Turn, units: int, ask: Callable[[Pace], Value], *, split: bool = False
    ) -> Value | None:
        """A turn after so many units, which ends early where a sweep is due: None if not done."""
        unit = self.search.rows_per_step // 20
        sets = None if turn.probe or self.problem.mode == Family.PLAIN else self.sets

        def due(rows: float) -> bool:
            return sets is not None and sets.due(units + rows / unit)

        try:
            return ask(Pace(turn.units * unit, due, split=split))
        except Paused:
            return None

    def _ask(self, turn: Turn, number: int, pace: Pace) -> Value:
        """What is sought, asked for at once, or with budgets that rise from the lower bound."""
        search = self.search
        while True:
            budget = self.upper + 1
            if not turn.straight:
                budget = self.budgets.next_budget(self.lower, self.upper, search.nodes)
            # Where a proof is long its best shots come with it; of others they are asked for later.
            if number > 0 and budget > self.upper:
                value, self.best_cells = search.best_shots(budget=budget, pace=pace)
            else:
                value = search.minimize(
                    self.goal, miss_limit=self.miss_limit, budget=budget, pace=pace
                )
            if value.exact:
                return value
            if value.misses > self.upper:
                raise search.contradiction("a tree misses less than is proven")
            self.lower = value.misses
            self.budgets.reached(search.nodes)

    def _sweep(self, units: int) -> Value | None:
        """T(S) or W(S) by every set of misses, where that is worth while after so much work."""
        sweep = None if self.sets is None else self.sets.swept(units)
        if sweep is None:
            return None
        self.lower = sweep.least()
        return Value(self.lower, 0, True)

    def _narrow(self, turn: Turn, number: int, risen: int) -> bool:
        """Between two turns: better trees, a bound that rises best first, what the table knows.

        Whether the answers of later turns are to split what a shot lacks.
        """
        fits = self._fits()
        still = not (fits or turn.straight) and LEAST_RISE * risen < self.upper - self.lower + risen
        unit = self.search.limits.rows_per_step // 20
        if number < len(FIRST_TURNS) or still:
            self._improve_tree(turn.others * unit)
        if number > 0 and not (self.rising.ended or fits):
            rows = unit * (BEST_FIRST * turn.units if still else turn.others)
            self.rising.seek(rows, partial(self._report_pause, "best first"))
        self._raise_lower_bound(QUERIES_FOR_BOUND)
        self.budgets.begin(self.lower, self.upper)
        return not fits

    def _improve_tree(self, rows: int) -> None:
        """Look for a better tree for as long as it takes to look at so many rows."""
        taken = self.search.table.nbytes / 2**30
        report = partial(self._report_pause, "better trees")
        tree = self.better.seek(self.tree, rows, self.search.limits, taken, report)
        if tree is not None:
            self._verify(tree)
            self.tree = tree
            self.history.append((time.monotonic() - self.search.started, tree.total_misses))

    def _report_pause(self, stage: str, snapshot: Snapshot) -> None:
        """Report a pause as a stage of the search, with the bound as it rises."""
        self.lower = max(self.lower, self.rising.lower)
        if self.search.limits.report is not None:
            self.search.limits.report(self.search.snapshot(stage))

    # What is proven: its tree, its first shots.

    def _take_optimum(self, optimum: Proven) -> None:
        """Grow the trees of what is proven: from here on only first shots may stay unknown."""
        self._note_work()
        if self.chosen is Objective.PARETO:
            front = tuple(self._front(optimum))
            self._note_work()
            self.front, self.tree = front, front[0]
        else:
            self.tree = self._grow(optimum)
        self.lower = self.upper
        self.proven = True

    def _front(self, least_worst: Proven) -> Iterator[Tree]:
        """Trees of the Pareto front; a point is kept when its total is below all before.

        Its worst case is then the miss limit: with a limit one lower no tree has its total.
        """
        least_total = self.search.minimize().misses
        total = INFEASIBLE
        for worst in range(least_worst.miss_limit or 0, self.problem.cells + 1):
            value = self._total_within(worst)
            if value.misses < total:
                total = value.misses
                yield self._grow(Proven(Goal.TOTAL, worst, total))
            if total == least_total:
                return

    def _grow(self, proven: Proven) -> Tree:
        self.search.stage = "growing the tree"
        # Without a limit every value needed is in the table, and the tree usually keeps it.
        tree = self._grown(proven, None if proven.unasked else proven.miss_limit)
        if proven.unasked and tree.worst_misses != proven.miss_limit:
            tree = self._grown(proven, proven.miss_limit)
        self._verify(tree)
        if not proven.agrees(tree):
            raise self.search.contradiction(f"the tree grown disagrees with {proven}")
        return tree

    def _grown(self, proven: Proven, miss_limit: int | None) -> Tree:
        """A tree of what is proven."""
        if (sets := self._by_sets(proven.goal, miss_limit)) is not None:
            sets.tell(self.search)
        return grow_best(
            self._search_for(proven.goal), proven.goal, miss_limit=miss_limit,
            objective=str(self.chosen), status="optimal",
        )  # fmt: skip

    def _search_for(self, goal: Goal) -> ExactSearch:
        return self.of_totals if goal is Goal.TOTAL else self.search

    def _by_sets(self, goal: Goal, miss_limit: int | None) -> MissSweep | None:
        """The sets of misses, if they were worked out for a goal."""
        asked = miss_limit is None and goal is self.goal
        return self.sets.sweep if asked and self.sets is not None else None

    def _best_shots(self, optimum: Proven) -> tuple[str, ...]:
        """Names of the cells an optimal tree can begin with, certain hits included."""
        problem, asked = self.problem, (optimum.goal, optimum.miss_limit)
        certain = problem.certain & ~problem.mask(problem.table.position.shot_mask)
        if problem.unknown == 0:
            return problem.names(certain)
        cells = self.best_cells if asked == (Goal.TOTAL, None) else 0
        if (sets := self._by_sets(*asked)) is not None:
            worth = orbit_values(problem, sets.first_shot)
            cells = mask_of(cell for cell, cost in worth.items() if cost == optimum.value)
        elif not cells:
            _, cells = self._search_for(optimum.goal).best_shots(
                optimum.goal, miss_limit=optimum.miss_limit, budget=optimum.value + 1
            )
        return problem.names(cells | (certain if problem.hits_are_free else 0))

    def _values(self) -> tuple[int, ...]:
        """Least total for every first shot: a certain hit adds 0, a certain miss all the weight.

        With ``within`` the most weight finished: a certain miss takes one of the misses allowed.
        """
        problem, search = self.problem, self.search
        value: Callable[[int], int]
        if self.goal is Goal.LOST:
            least, wasted = self.upper, problem.weight
            value = partial(search.shot_value, goal=self.goal, miss_limit=self.miss_limit)
            if self.miss_limit:
                wasted = search.minimize(self.goal, miss_limit=self.miss_limit - 1).misses
        else:
            sets = self._by_sets(Goal.TOTAL, None)
            least = search.minimize().misses if sets is None else sets.least()
            wasted = least + problem.weight
            value = search.shot_value if sets is None else sets.first_shot
        worth = orbit_values(problem, value) if problem.unknown else {}
        worth = dict.fromkeys(cells_of(problem.certain), least) | worth
        values = problem.on_all_cells(worth, shot=least, water=wasted)
        return tuple(problem.weight - v for v in values) if self.goal is Goal.LOST else values


def orbit_values(problem: Problem, shot_value: Callable[[int], int]) -> dict[int, int]:
    """Value of every cell that may matter as first shot, asked for once per orbit.

    Parameters
    ----------
    problem
        The problem.
    shot_value
        Least misses of a tree that begins with a shot at a cell.
    """
    position, weighed = problem.table.position, problem.unknown
    if not problem.hits_are_free:
        weighed |= problem.certain & ~problem.mask(position.shot_mask)
    # Where the cells hit are part of the state, a symmetry has to keep them too.
    hit = problem.mask(position.hit_mask)
    symmetries = [
        symmetry
        for symmetry in problem.symmetries
        if problem.hits_are_free or mask_of(symmetry[cell] for cell in cells_of(hit)) == hit
    ]
    found: dict[int, int] = {}
    for cell in cells_of(weighed):
        images = {symmetry[cell] for symmetry in symmetries}
        known = next((found[image] for image in images if image in found), None)
        found[cell] = shot_value(cell) if known is None else known
    return found
