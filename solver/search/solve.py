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

How a solve goes about a proof, by an interval and workers that narrow it, is in ``schedule``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.errors import FileAccessError, Stop, why_stopped
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import Game, position_of, rules_of
from seabattle.enumerate.words import counted, interval_text, mean_text
from seabattle.solver.proofs.proof_files import require_provable, write_proof
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import Manner, grow_greedy
from seabattle.solver.search.growing import GreedyRule, grow_best
from seabattle.solver.search.miss_sets import MissSets
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.queries import (
    INFEASIBLE,
    AnyObjective,
    Goal,
    LimitReached,
    Limits,
    Objective,
    Pace,
    SearchOptions,
    Snapshot,
    Value,
    Within,
    read_objective,
)
from seabattle.solver.search.schedule import LARGE_PROBLEM, Interval, Schedule, cost_of
from seabattle.trees.files import save_tree
from seabattle.trees.tree import Tree, distribution_document, distribution_text


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
    stop: Stop | None = None,
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
        Called a few times a second; when it returns true, or why in words, the search ends as if by
        Ctrl-C.

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


@dataclass(frozen=True)
class Solution:
    """A solved game.

    Attributes
    ----------
    status
        ``optimal``, or ``bounded`` when a limit or Ctrl-C stopped the search.
    tree
        The best tree; with objective ``pareto`` the one of least worst case.
    front
        With ``pareto``: a tree for every pair (worst, total), least worst first.
    total_misses, mean_misses, worst_misses
        Of ``tree``: in the total a layout counts as often as it weighs; the worst case is that of
        every layout that fits what is known and weighs more than 0.
    lower_bound, upper_bound
        Proven interval of the objective's first component: total misses, worst misses, or with
        ``within`` the weight finished, of which the tree reaches the lower bound.
    states, nodes
        Distinct keys stored, sub-tables expanded, when the value was proven.
    sets
        Sets of misses weighed, where they were worked out beside the search; else 0.
    best_shots
        Names of all optimal first shots, in reading order: those with which a tree can begin that
        is optimal by the whole objective; with ``pareto`` the trees of the front's first point, so
        that they are those of ``worst-mean``. A certain hit is one too, as it costs nothing. Empty
        if the value is not proven, if nothing is left to hit, or if ``stopped_by`` says that they
        are not known.
    values
        Least total for every first shot in reading order, whatever the objective, but with
        ``within`` the most weight finished; None unless requested, and when the search stopped
        before they were known. A cell shot already has the value of the position.
    search_seconds
        Time of the search alone.
    interrupted, stopped_by
        Whether Ctrl-C stopped the search, and what stopped it in words, empty when nothing did.
        After a stop that follows the proof the status is "optimal", and the words end with what
        is not known: the best first shots, the values, or both.
    progress
        For a large game: (seconds, total misses) of each tree tried on the way.
    within
        With objective ``within`` the misses allowed.
    lemmas
        How many the proof has that was written; None without one.
    unwritten
        Whether the checkpoint or the proof could not be written; ``stopped_by`` says why.
    """

    rules: Rules
    position: Position
    objective: str
    status: str
    layouts: int
    weight: int
    tree: Tree
    front: tuple[Tree, ...]
    lower_bound: int
    upper_bound: int
    states: int
    nodes: int
    best_shots: tuple[str, ...]
    values: tuple[int, ...] | None
    search_seconds: float
    interrupted: bool = False
    stopped_by: str = ""
    progress: tuple[tuple[float, int], ...] = ()
    sets: int = 0
    within: int | None = None
    lemmas: int | None = None
    unwritten: bool = False

    @property
    def total_misses(self) -> int:
        """Total misses of the tree."""
        return self.tree.total_misses

    @property
    def worst_misses(self) -> int:
        """Misses of the tree in the worst case."""
        return self.tree.worst_misses

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return Fraction(self.total_misses, self.weight)

    @property
    def finished(self) -> int | None:
        """With ``within``: weight of the layouts that the tree finishes with so many misses."""
        return None if self.within is None else self.tree.finished(self.within)

    @property
    def _no_shots(self) -> str:
        if self.status == "bounded":
            return "not proven"
        return "not known" if self.stopped_by else "none: the layout is known"

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of all optimal first shots, in reading order."""
        return tuple(map(self.rules.board.cell, self.best_shots))

    def __repr__(self) -> str:
        bounded = self.status == "bounded"
        interval = f" between {self.lower_bound:,} and {self.upper_bound:,}" if bounded else ""
        mean = self.mean_misses
        known = f"; {self.position.words}" if self.position.shots else ""
        return (
            f"<solution: objective {self.objective}, {self.status}{interval}, "
            f"mean {mean} = {float(mean):.4f}, worst {self.worst_misses}, "
            f"first shots {' '.join(self.best_shots) or self._no_shots}; {self.rules}{known}>"
        )

    @property
    def work(self) -> str:
        """What the proof took, in words: keys, sub-tables and, if any, sets of misses."""
        keys = counted(self.states, "key")
        words = f"{keys} stored, {counted(self.nodes, 'sub-table')} expanded"
        return words + (f", {self.sets:,} sets of misses weighed" if self.sets else "")

    def save(self, path: str | Path) -> list[Path]:
        """Write the tree, or of a front a file for each point, the worst case in its name."""
        path = Path(path)
        places = {path: self.tree}
        if self.front:
            stem, suffix = path.stem, path.suffix or ".json"
            named = {f"{stem}-worst{tree.worst_misses}{suffix}": tree for tree in self.front}
            places = {path.with_name(name): tree for name, tree in named.items()}
        for place, tree in places.items():
            save_tree(tree, place)
        return list(places)

    def document(self) -> dict[str, Any]:
        """What ``solve --json`` prints after the game.

        Fields
        ------
        objective: what was asked for: mean, worst, mean-worst, worst-mean, pareto or within:K
        within: with the objective within:K: the misses allowed
        finished: and the layouts, or their weight, that the tree finishes with at most so many
        layouts: layouts that fit
        status: optimal if the value is proven, else bounded
        total_misses: misses over all layouts, each weighed by its weight
        mean_misses: the same divided by the weight of all layouts
        worst_misses: the most misses for any layout that weighs more than 0
        distribution: how many layouts, or how much of their weight, cost so many misses
        weight: the weight of all layouts; their number where none has a weight of its own
        lower_bound: proven least of what the objective counts first
        upper_bound: what the tree reaches of it; with within:K the tree reaches the lower bound,
            and no tree finishes more than the upper one
        states: sub-tables kept with their values (keys)
        nodes: sub-tables looked into
        sets: sets of misses weighed; 0 where the search proved it alone
        best_shots: every first shot of a best strategy; empty if that is not known
        stopped_by: what stopped the search; empty when nothing did
        search_seconds: of the search that found it, now or earlier
        progress: with a limit: when better trees were found
        progress.seconds: since the start
        progress.total_misses: of the best tree by then
        front: with the objective pareto: the trees that none beats in both
        front.worst_misses: the most misses for any layout that weighs more than 0
        front.total_misses: misses over all layouts
        front.mean_misses: the same divided by the weight of all layouts
        lemmas: with --proof: how many the proof has; missing where none was written
        values: with --values: least total of misses after each first shot, top row first; with
            within:K the most layouts, or their weight, finished after each. A cell shot already
            has the value of the position
        """
        document: dict[str, Any] = {
            "objective": self.objective,
            "layouts": self.layouts,
            "status": self.status,
            "total_misses": self.total_misses,
            "mean_misses": float(self.mean_misses),
            "worst_misses": self.worst_misses,
            "distribution": distribution_document(self.tree.distribution),
            "weight": self.weight,
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "states": self.states,
            "nodes": self.nodes,
            "sets": self.sets,
            "best_shots": list(self.best_shots),
            "stopped_by": self.stopped_by,
            "search_seconds": self.search_seconds,
        }
        if self.within is not None:
            document |= {"within": self.within, "finished": self.finished}
        if self.progress:
            document["progress"] = [
                {"seconds": round(seconds, 3), "total_misses": total}
                for seconds, total in self.progress
            ]
        if self.front:
            document["front"] = [
                {
                    "worst_misses": tree.worst_misses,
                    "total_misses": tree.total_misses,
                    "mean_misses": float(tree.mean_misses),
                }
                for tree in self.front
            ]
        if self.lemmas is not None:
            document["lemmas"] = self.lemmas
        if self.values is not None:
            document["values"] = list(map(list, self.rules.board.by_rows(self.values)))
        return document

    def facts(self) -> list[tuple[str, str]]:
        """The solution as labels and texts, the game apart."""
        interval = f": {self.interval}" if self.status == "bounded" else ""
        facts = [
            ("layouts", f"{self.layouts:,}"),
            ("objective", self.objective),
            ("status", f"{self.status}{interval}; tree verified"),
            ("misses", mean_text(self.total_misses, self.weight, self.worst_misses)),
            ("by misses", distribution_text(self.tree.distribution)),
            *self._within_facts(),
            *(
                ("front", f"worst {t.worst_misses}, {mean_text(t.total_misses, self.weight)}")
                for t in self.front
            ),
        ]
        if self.lemmas is not None:
            facts.append(("proof", f"{self.lemmas:,} lemmas prove {self.lower_bound} at least"))
        if self.best_shots:
            facts.append(("best first shots", " ".join(self.best_shots)))
        facts.append(("search", f"{self.work}, {self.search_seconds:.2f} s"))
        if self.stopped_by:
            facts.append(("stopped", self.stopped_by.removeprefix("stopped ")))
        if self.status == "bounded":
            gap = self.upper_bound - self.lower_bound
            share = 100 * gap / max(1, self.upper_bound)
            facts.append(("gap", f"{gap:,}, {share:.2f} %: {self.interval}"))
        return facts

    @property
    def interval(self) -> str:
        """The bounds in words, and what they are of."""
        of = read_objective(self.objective).goal.bounded
        return f"{of} {interval_text(f'{self.lower_bound:,}', f'{self.upper_bound:,}')}"

    def _within_facts(self) -> list[tuple[str, str]]:
        """What is finished with the misses allowed, and where that stands in the Pareto front."""
        if self.within is None:
            return []
        most = self.within
        told = f"{self.finished} of {self.weight} with at most {counted(most, 'miss')}"
        if self.worst_misses <= most:
            place = f"worst {self.worst_misses}; no tree of worst {most} or less has a lower mean"
        else:
            place = f"before its first point: no tree has a worst case of {most} or less"
        facts = [("finished", told)]
        return [*facts, ("in the front", place)] if self.status == "optimal" else facts

    def text(self) -> str:
        """What each first shot is worth, as a board; empty where that was not asked for."""
        if self.values is None:
            return ""
        if self.within is not None:
            best, texts = set(self.best_cells), [str(value) for value in self.values]
            head = f"finished with at most {counted(self.within, 'miss')}"
        else:
            shot = set(cells_of(self.position.shot_mask))
            left = {cell: value for cell, value in enumerate(self.values) if cell not in shot}
            best = {cell for cell, value in left.items() if value == min(left.values())}
            texts = [f"{float(Fraction(value, self.weight)):.3f}" for value in self.values]
            head = "mean misses"
        stars = "best ones marked *"
        if self.finished == self.weight:
            stars = "all can be finished: those of least mean marked *"
        elif self.within is None and self.objective != "mean":
            stars = (
                f"least mean marked *; the best first shots above are those of objective "
                f"{self.objective}"
            )
        cells = [text + ("*" if cell in best else " ") for cell, text in enumerate(texts)]
        return f"{head} after each first shot ({stars}):\n{self.rules.board.grid(cells)}"

    def _repr_html_(self) -> str:
        table = html_table((), [("game", str(self.rules)), *self.facts()], left=(0, 1))
        return f'{table}<div style="overflow-x:auto">{self.tree._repr_svg_()}</div>'


PROOF = 3 / 4
"""Where a proof is wanted, this part of the time limit is kept for it: to find its lemmas takes two
to six times the processor time of the search."""


SECONDS_FOR_BOUND = 0.2
"""Seconds for which the lower bound is raised after a search has stopped."""


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
        limit, worst, keeps = self.miss_limit, tree.worst_misses, True
        if self.goal is Goal.TOTAL and limit is not None:
            keeps = worst <= limit if self.given else worst == limit
        return keeps and cost_of(tree, self.goal, limit) == self.value


class SolveRun:
    """One solve: what is known at any moment, so that stopping loses nothing.

    Parameters are those of ``solve_problem``.
    """

    def __init__(
        self,
        problem: Problem,
        objective: Objective | Within,
        options: SearchOptions | None,
        limits: Limits | None,
        proof: str | Path | None,
    ) -> None:
        self.problem, self.proof = problem, proof
        self.known = known = Interval(problem, objective)
        self.search = search = ExactSearch(problem, options=options, limits=limits)
        self.report = search.limits.report
        self.searches = dict.fromkeys(Goal, search)  # by the goals that they are asked for
        growing = time.monotonic()
        # It is grown whatever the limits are, so that there is always a tree.
        rules = [GreedyRule.HITS] if known.miss_limit is None else list(GreedyRule)
        unlimited = Limits(report=self.report)
        trees = (grow_greedy(problem, Manner(rule), limits=unlimited) for rule in rules)
        known.tree = replace(min(trees, key=known.cost), objective=str(objective))
        checking = time.monotonic()
        known.verify(known.tree)
        grown = time.monotonic()
        # The search stops early enough that its last tree can still be verified.
        reserve = 1.5 * (grown - checking) + (0.7 if len(problem) > LARGE_PROBLEM else 0.05)
        deadline = self.proof_deadline = search.limits.deadline - reserve
        if proof is not None and deadline < math.inf:
            deadline -= max(0.0, search.limits.seconds_left() - reserve) * PROOF
        search.limits = replace(search.limits, deadline=deadline, report=self._report)
        self.schedule = Schedule(search, known, seconds_to_grow=grown - growing)
        self.proven = False
        self.front: tuple[Tree, ...] = ()
        self.best_shots: tuple[str, ...] | None = None
        self.values: tuple[int, ...] | None = None
        self.lemmas: int | None = None
        self.told: list[str] = []  # what stopped it, in words
        self.unwritten = False
        self.states = self.nodes = 0
        self.begun = self.seconds = 0.0

    def solve(self, *, values: bool) -> Solution:
        """The course of a solve: interval, larger and larger trees, proof, tree, first shots."""
        self.begun = time.monotonic()
        interrupted = False
        try:
            self.schedule.begin()
            self.schedule.approach()
            optimum = self._prove()
            self._take_optimum(optimum)
            self.search.stage = "first shots"
            self.best_shots = self._best_shots(optimum)
            if values:
                self.search.stage = "values of first shots"
                self.values = self._values()
        except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            self.told.append(self._stopped_by(stop, values=values))
        if not self.proven:
            self.schedule.rising.give_up()
            self.schedule.raise_lower_bound(seconds=SECONDS_FOR_BOUND)
        try:
            self.search.save()
        except FileAccessError as error:  # the answer is worth more than what it was found with
            self.unwritten = True
            self.told.append(str(error))
        if self.proof is not None:
            self._write_proof(self.proof)
        if not self.proven:
            for search in self.searches.values():
                search.release()
            self.known.verify(self.known.tree)
            self.known.tree = replace(self.known.tree, status="bounded")
            self._note_work()
        objective, (lower, upper) = self.known.objective, self.known.ends
        return Solution(
            rules=self.problem.rules,
            position=self.problem.table.position,
            objective=str(objective),
            status="optimal" if self.proven else "bounded",
            layouts=len(self.problem.table),
            weight=self.problem.table.total_weight,
            tree=self.known.tree,
            front=self.front,
            lower_bound=lower,
            upper_bound=upper,
            states=self.states,
            nodes=self.nodes,
            sets=self.schedule.sets.weighed,
            best_shots=self.best_shots or (),
            values=self.values,
            search_seconds=self.seconds,
            interrupted=interrupted,
            stopped_by="; ".join(self.told),
            progress=tuple(self.schedule.history),
            within=objective.misses if isinstance(objective, Within) else None,
            lemmas=self.lemmas,
            unwritten=self.unwritten,
        )

    def _report(self, of_search: Snapshot) -> None:
        """Report the state of a search, with the interval."""
        if self.report is not None:
            lower, upper = self.known.ends
            bounded = self.known.goal.bounded
            self.report(replace(of_search, lower=lower, upper=upper, bounded=bounded))

    def _stopped_by(self, stop: BaseException, *, values: bool) -> str:
        """What stopped the search, and after a proof what that leaves unknown, in words."""
        told = why_stopped(stop)
        if not self.proven:
            return told + self.schedule.sets.advice
        unknown = ["the best first shots"] if self.best_shots is None else []
        unknown += ["the values"] if values and self.values is None else []
        open_still = f": {' and '.join(unknown)} are not known" if unknown else ""
        return f"{told}, after the proof{open_still}"

    def _write_proof(self, path: str | Path) -> None:
        """Prove the lower bound in a file, and tell what stopped that.

        It is the last that is asked of the search, whose checkpoint is written.
        """
        self.search.limits = replace(self.search.limits, deadline=self.proof_deadline)
        self.search.checkpoint = None  # what is found now is not worth another
        try:
            self.lemmas = write_proof(self.search, self.known.goal, self.known.lower, path)
        except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
            why = why_stopped(stop)
            known = self.told and self.told[0].startswith(why)
            self.told.append("no proof was written" + ("" if known else f": {why}"))
        except FileAccessError as error:
            self.unwritten = True
            self.told.append(f"no proof was written: {error}")

    def _note_work(self) -> None:
        """Keys stored, sub-tables expanded and seconds so far."""
        searches = set(self.searches.values())
        self.states = sum(search.states for search in searches)
        self.nodes = sum(search.nodes for search in searches)
        self.seconds = time.monotonic() - self.begun

    def _prove(self) -> Proven:
        objective = self.known.objective
        if isinstance(objective, Within):
            return self._prove_within()
        if objective is Objective.MEAN:
            return Proven(Goal.TOTAL, None, self.schedule.least_total().misses)
        if objective is Objective.MEAN_WORST:
            return self._prove_mean_worst()
        worst = self.schedule.least_worst(self.known.tree.worst_misses + 1)
        self.known.lower = max(self.known.lower, worst)
        if objective is Objective.WORST:
            return Proven(Goal.WORST, None, worst)
        return Proven(Goal.TOTAL, worst, self._total_within(worst).misses)

    def _prove_within(self) -> Proven:
        """lost(S, K), and where that is nothing T(S, K).

        A table holds the values of one of the two, so that the second takes a search of its own.
        """
        search = self.search
        search.stage = str(self.known.objective)
        self.schedule.budgets.begin(self.known.lower, self.known.upper)
        lost = self.schedule.ask(Pace()).misses
        if lost or self.known.miss_limit is None:
            return Proven(self.known.goal, self.known.miss_limit, lost)
        totals = ExactSearch(self.problem, options=search.options, limits=search.limits)
        totals.reserved = search.table.nbytes
        self.searches[Goal.TOTAL] = totals
        total = self._total_within(self.known.miss_limit)
        return Proven(Goal.TOTAL, self.known.miss_limit, total.misses, given=True)

    def _prove_mean_worst(self) -> Proven:
        """The least w with T(S, w) = T(S).

        The tree of T(S) that was found misses at most ``worst`` times, so w is no more than that,
        and no less than W(S). T(S, w) falls or stays as w rises: so w is one above the first
        limit, counting down, that rules T(S) out.
        """
        total = self.schedule.least_total()
        worst = total.worst
        least_worst = self.schedule.least_worst(worst)
        while worst > least_worst:
            value = self._total_within(worst - 1, budget=total.misses + 1)
            if not value.exact:
                break
            worst = value.worst
        return Proven(Goal.TOTAL, worst, total.misses, unasked=worst == total.worst)

    def _total_within(self, miss_limit: int, *, budget: int = INFEASIBLE) -> Value:
        """T(S, w)."""
        search = self.searches[Goal.TOTAL]
        search.stage = f"mean, at most {miss_limit} misses"
        return search.minimize(miss_limit=miss_limit, budget=budget)

    def _take_optimum(self, optimum: Proven) -> None:
        """Grow the trees of what is proven: from here on only first shots may stay unknown."""
        self._note_work()
        if self.known.objective is Objective.PARETO:
            front = tuple(self._front(optimum))
            self._note_work()
            self.front, self.known.tree = front, front[0]
        else:
            self.known.tree = self._best_tree(optimum)
        self.known.lower = self.known.upper
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
                yield self._best_tree(Proven(Goal.TOTAL, worst, total))
            if total == least_total:
                return

    def _best_tree(self, proven: Proven) -> Tree:
        """A tree of what is proven, verified."""
        self.search.stage = "growing the tree"
        # Without a limit every value needed is in the table, and the tree usually keeps it.
        tree = self._grow(proven.goal, None if proven.unasked else proven.miss_limit)
        if proven.unasked and tree.worst_misses != proven.miss_limit:
            tree = self._grow(proven.goal, proven.miss_limit)
        self.known.verify(tree)
        if not proven.agrees(tree):
            raise self.search.contradiction(f"the tree grown disagrees with {proven}")
        return tree

    def _grow(self, goal: Goal, miss_limit: int | None) -> Tree:
        if (sets := self._by_sets(goal, miss_limit)) is not None:
            sets.tell()
        return grow_best(
            self.searches[goal], goal, miss_limit=miss_limit,
            objective=str(self.known.objective), status="optimal",
        )  # fmt: skip

    def _by_sets(self, goal: Goal, miss_limit: int | None) -> MissSets | None:
        """The sets of misses, if they were worked out for a goal."""
        sets = self.schedule.sets
        return sets if sets.done and miss_limit is None and goal is self.known.goal else None

    def _best_shots(self, optimum: Proven) -> tuple[str, ...]:
        """Names of the cells an optimal tree can begin with, certain hits included."""
        problem, asked = self.problem, (optimum.goal, optimum.miss_limit)
        certain = problem.certain & ~problem.mask(problem.table.position.shot_mask)
        if problem.unknown == 0:
            return problem.names(certain)
        cells = self.schedule.best_cells if asked == (Goal.TOTAL, None) else 0
        if (sets := self._by_sets(*asked)) is not None:
            worth = orbit_values(problem, sets.first_shot)
            cells = mask_of(cell for cell, cost in worth.items() if cost == optimum.value)
        elif not cells:
            _, cells = self.searches[optimum.goal].best_shots(
                optimum.goal, miss_limit=optimum.miss_limit, budget=optimum.value + 1
            )
        return problem.names(cells | (certain if problem.hits_are_free else 0))

    def _values(self) -> tuple[int, ...]:
        """Least total for every first shot: a certain hit adds 0, a certain miss all the weight.

        With ``within`` the most weight finished: a certain miss takes one of the misses allowed.
        """
        problem, search, limit = self.problem, self.search, self.known.miss_limit
        weight, lost = problem.table.total_weight, self.known.goal is Goal.LOST
        goal = Goal.LOST if lost else Goal.TOTAL
        if (sets := self._by_sets(goal, limit)) is not None:
            least, value = sets.least(), sets.first_shot
        else:
            least = search.minimize(goal, miss_limit=limit).misses
            value = partial(search.shot_value, goal=goal, miss_limit=limit)
        wasted = weight if lost else least + weight
        if lost and limit:
            wasted = search.minimize(goal, miss_limit=limit - 1).misses
        worth = orbit_values(problem, value) if problem.unknown else {}
        worth = dict.fromkeys(cells_of(problem.certain), least) | worth
        values = problem.on_all_cells(worth, shot=least, water=wasted)
        return tuple(weight - v for v in values) if lost else values


def orbit_values(problem: Problem, shot_value: Callable[[int], int]) -> dict[int, int]:
    """Value of every cell that may matter as first shot, asked for once per orbit.

    Parameters
    ----------
    problem
        The problem.
    shot_value
        Least misses of a tree that begins with a shot at a cell.
    """
    hit, weighed = problem.hit, problem.unknown
    if not problem.hits_are_free:
        weighed |= problem.certain & ~hit
    symmetries = [g for g in problem.symmetries if mask_of(g[c] for c in cells_of(hit)) == hit]
    found: dict[int, int] = {}
    for cell in cells_of(weighed):
        first = min(symmetry[cell] for symmetry in symmetries)
        found[cell] = found[first] if first < cell else shot_value(cell)
    return found
