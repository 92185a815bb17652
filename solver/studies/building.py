"""Building strategy files: the positions that optimal play can meet, or every position.

*Reachable*: the game is solved, and every inner node of the optimal tree at which no certain hit
is due becomes a state, with what its subtree costs. *Complete*: the search runs with everything
switched off but its table and the symmetries; it then visits every sub-table, and the table
becomes the file. The keys of the search and of the file are the same
(``solver.search.exact_search``; ``trees.strategy.keys`` defines them in full).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import CORE_HIT, MISS, answer_text
from seabattle.enumerate.errors import Stop, StrategyError, WorkFailed, quoted
from seabattle.enumerate.table import DecisionTable, Game, position_of
from seabattle.solver.search.exact_search import (
    EMPTY,
    EXACT_AT,
    KEY,
    MISSES_AT,
    NO_SHOT,
    PACKED,
    SEVEN_BITS,
    SHOT_AT,
    ExactSearch,
)
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem
from seabattle.solver.search.queries import Goal, Limits, SearchOptions, Snapshot
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.drawing.selection import numbers_below
from seabattle.trees.strategy.keys import OBJECTIVES, Positions, refuse_rules
from seabattle.trees.strategy.strategy import Strategy, write_strategy

States = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint8], int]
"""Keys ``(n, 2)``, values and shots of the states, and the value at the beginning."""


def build_strategy(
    game: Game,
    path: str | Path,
    *,
    objective: str = "mean",
    complete: bool = False,
    made_by: str = "",
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Stop | None = None,
) -> Strategy:
    """Solve a game, write its strategy file, and open it.

    Parameters
    ----------
    game
        Rules, a position, or a decision table; the strategy begins at the position.
    path
        Folder to write; an existing strategy file is replaced.
    objective
        ``mean`` (least total misses) or ``worst`` (least worst case).
    complete
        Hold every position, not only what optimal play can meet.
    made_by
        Stored in the manifest.
    time_limit, memory_limit, progress, stop
        As in ``solve``; nothing is written when a limit is reached.

    Raises
    ------
    StrategyError
        If the rules have no closed keys, the objective is unknown, weights are given, or the order
        of the shots is not known.
    PositionError
        If no layout fits the position.
    WorkFailed
        If a limit stopped the search.
    FileAccessError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from seabattle.enumerate.rules import Rules
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     strategy = build_strategy(Rules("4x4", "3,2,1"), f"{folder}/s", complete=True)
    ...     strategy.value, strategy.states, strategy.probe().total
    (605, 5404, 605)
    """
    if objective not in OBJECTIVES:
        raise StrategyError(
            f"objective {quoted(objective)}: strategy files hold the objectives "
            f"{', '.join(OBJECTIVES)}"
        )
    start = position_of(game)
    refuse_rules(start.rules)
    if not start.ordered or start.ships:
        raise StrategyError("strategy files hold positions whose shots are in their order")
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    if isinstance(game, DecisionTable) and len(game.prior):
        raise StrategyError("strategy files hold games whose layouts are all equally likely")
    problem = as_problem(game, memory_limit=memory_limit)
    layouts = np.ascontiguousarray(problem.table.layouts.ships[problem.table.index])
    states = _every_state if complete else _reachable_states
    keys, values, shots, value = states(problem, objective, limits)
    rules = problem.rules
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    arrays: dict[str, NDArray[Any]] = {"key0": keys[order, 0]}
    if problem.key_words == 2:
        arrays["key1"] = keys[order, 1]
    arrays["values"] = values[order].astype(np.min_scalar_type(int(values.max(initial=0))))
    arrays["shots"] = shots[order]
    arrays["layouts"] = layouts
    every = list(rules.board.symmetries)
    manifest = {
        **rules.document(),
        "objective": objective,
        "scope": "complete" if complete else "reachable",
        "position": [
            [rules.board.name(cell), answer_text(code)] for cell, code in start.shots
        ],
        "symmetries": [every.index(symmetry) for symmetry in problem.symmetries],
        "states": len(order),
        "layouts": len(layouts),
        "value": value,
        "made_by": made_by,
    }  # fmt: skip
    write_strategy(path, manifest, arrays)
    return Strategy.open(path)


def _every_state(problem: Problem, objective: str, limits: Limits) -> States:
    """The table of a search that visits every sub-table, one for each orbit."""
    search = ExactSearch(problem, options=SearchOptions.plain(), limits=limits)
    search.stage = "every position"
    value = search.minimize(Goal.TOTAL if objective == "mean" else Goal.WORST)
    packed = search.table[:, PACKED]
    image = packed >> SHOT_AT & SEVEN_BITS
    kept = (packed != EMPTY) & (image != NO_SHOT)  # no shot: one occupancy
    packed, image = packed[kept], image[kept]
    keys = np.zeros((len(packed), 2), dtype=np.uint64)
    keys[:, : problem.key_words] = search.table[kept, KEY:]
    if not (packed >> EXACT_AT & np.uint64(1)).all() or not value.exact:
        raise AssertionError("a search without budgets left a value unproven")
    return keys, (packed >> MISSES_AT).astype(np.int64), image.astype(np.uint8), value.misses


def _reachable_states(problem: Problem, objective: str, limits: Limits) -> States:
    """Nodes of the optimal tree at which no certain hit is due, one for each orbit."""
    solution = solve_problem(problem, objective, limits=limits)
    if solution.interrupted:
        raise KeyboardInterrupt(solution.stopped_by)
    if solution.status != "optimal":
        raise WorkFailed(
            f"no strategy file was written: the optimum is not proven ({solution.stopped_by})"
        )
    tree = solution.tree
    made = Positions(problem.rules, tree.ships, problem.symmetries)
    levels, parents, children = tree.levels(), tree.parents, tree.children
    number, worst = numbers_below(tree)
    missed = tree.answers == MISS
    shot = np.full(len(tree), tree.position.shot_mask, dtype=np.uint64)
    for edges in levels:
        above = parents[edges]
        shot[children[edges]] = shot[above] | np.uint64(1) << tree.shots[above].astype(np.uint64)
    layouts, misses = tree.leaf[:-1].copy(), np.zeros_like(number)
    leaves = tree.shots < 0
    certain = np.full(len(tree), made.full)
    certain[leaves] = made.rows[layouts[leaves]]
    occupied = np.where(leaves, certain, np.uint64(0))
    for edges in reversed(levels):
        above, below = parents[edges], children[edges]
        np.bitwise_and.at(certain, above, certain[below])
        np.bitwise_or.at(occupied, above, occupied[below])
        np.add.at(misses, above, misses[below] + missed[edges] * number[below])
        layouts[above] = layouts[below]
    due = (certain & ~shot != 0) & (made.mode != CORE_HIT)
    nodes = np.flatnonzero(~leaves & ~due)
    keys = np.zeros((len(nodes), 2), dtype=np.uint64)
    water = made.full & ~occupied[nodes]
    keys[:, : made.words], symmetries = made.keys_of(
        layouts[nodes].astype(np.int32), certain[nodes], water
    )
    shots = made.moves[symmetries, tree.shots[nodes]].astype(np.uint8)
    keys, first = np.unique(keys, axis=0, return_index=True)
    values, value = misses, tree.total_misses
    if objective == "worst":
        values, value = worst, tree.worst_misses
    return keys, values[nodes][first], shots[first], value
