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
search of S may find another tree. (Weights of 0 make most ties: layouts that weigh nothing add
nothing to the total, but count in the worst case like all others.) A worst case is therefore always
proven by computing T(S, w), which excludes trees that miss too often, and a tree that has to keep a
worst case is grown with that limit unless it keeps it anyway. Before a tree is called optimal, its
total and worst case, recomputed from the rules, are compared with those proven.

Where a limit or Ctrl-C stops the search, the best tree known so far is returned with ``status``
"bounded" and the interval that was proven. After a stop that follows the proof the status is
"optimal", and only the best first shots or the values not yet computed stay unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seabattle.enumerate.table import Game, position_of
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.solution import (
    AnyObjective,
    Objective,
    Solution,
    Within,
    read_objective,
)
from seabattle.solver.search.solve_run import SolveRun


def solve(
    game: Game,
    objective: AnyObjective = "mean",
    *,
    values: bool = False,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
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
        every million layouts; kernels that are compiled meanwhile do not count.
    memory_limit
        GiB that the search may take; the layouts may take half as much.
    threads
        How many threads search together, 1 to 256; by default one per core. The value is the same
        with any number; where a game takes more than a moment, the keys, the sub-tables and which
        of several best trees is found are only the same in every run with 1.
    checkpoint
        File that keeps what is proven while the search runs; one that exists already is
        continued. See ``solver.search.checkpoint`` for errors.
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
        If the objective is unknown.
    PositionError
        If no layout fits the position, or the table has no history.
    TooLargeError
        If the game is too large to be solved.
    SeabattleError
        If a limit or the number of threads is out of range.
    TypeError
        If a parameter is of the wrong type; names it.

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
    limits = Limits.of(time_limit, memory_limit, progress, stop, threads)
    problem = as_problem(game, memory_limit=memory_limit)
    return solve_problem(problem, chosen, values=values, limits=limits, checkpoint=checkpoint)


def solve_problem(
    problem: Problem,
    objective: Objective | Within | str = Objective.MEAN,
    *,
    values: bool = False,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Optimal tree of a problem: ``solve`` without the validation of its arguments.

    Parameters
    ----------
    problem
        The problem; its table knows the position.
    objective, values, checkpoint
        As in ``solve``.
    options, limits
        What the search may use, and when it stops.
    """
    chosen = read_objective(str(objective))
    run = SolveRun(problem, chosen, options, limits)
    if checkpoint is not None:
        orbits = run.search.options.orbits
        goal = "within" if isinstance(chosen, Within) else ""
        run.search.resume(Checkpoint(Path(checkpoint), problem, orbits=orbits, goal=goal))
    return run.solve(values=values)
