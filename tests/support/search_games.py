"""Small games of every family of answers, and the naive searches that know their optima."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import strategies as st
from twins import naive
from twins.naive_trees import naive_layouts, naive_rows, spoken

from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.solution import Solution

SMALL = [
    ("2x3", "2"),
    ("3x3", "2"),
    ("3x3", "3"),
    ("3x3", "1,1"),
    ("3x3", "2,1"),
    ("3x3", "2,2"),
    ("3x3", "3,1"),
    ("3x3", "3,1,1"),
    ("3x3", "1,1,1"),
    ("1x7", "2,1"),
    ("1x8", "3,2"),
    ("2x5", "2,1"),
    ("2x6", "3,1"),
    ("2x6", "2,2"),
    ("3x4", "2,1"),
    ("3x4", "3,1"),
    ("3x4", "4,1"),
    ("3x4", "3,2"),
    ("3x4", "2,2"),
    ("4x3", "2,1,1"),
]
HIT = [Rules(*game) for game in SMALL] + [
    Rules(*game.split(), contact)
    for contact, games in {
        "corners": ["3x3 2,1", "3x4 2,2"],
        "sides": ["3x3 2,2", "2x4 2,2", "3x3 3,2", "3x3 1,1,1"],
    }.items()
    for game in games
]
CLOSED = [
    Rules(board, fleet, contact, "sunk")
    for contact, games in {
        "none": ["1x6 2,1", "1x7 2,1,1", "1x9 2,2,1", "2x4 2,1", "2x5 2,2", "3x3 2", "3x3 1,1",
                 "3x3 2,1", "3x3 2,2", "3x3 3,1", "3x3 3,1,1", "3x4 3,2", "2x4 2,2",
                 "3x4 2,2,1", "4x3 3,2,1"],
        "corners": ["1x8 3,2", "2x3 2,1", "2x4 2,2", "2x5 2,2", "2x5 3,1", "2x5 2,2,1", "3x3 2,1",
                    "3x3 1,1", "3x3 2,1,1", "3x3 3,2", "3x4 4,1", "2x6 5,1", "3x4 4,2"],
    }.items()
    for board, fleet in map(str.split, games)
]  # fmt: skip
OPEN = [
    Rules(*game.split(), "sides", "sunk", announce)
    for announce in ("none", "length")
    for game in [
        "1x5 2,2", "1x6 2,1", "1x6 3,2", "1x7 2,2,2", "1x8 3,3", "1x8 3,2,2", "1x9 3,2,2",
        "1x9 2,2,2,2", "2x3 2,1", "2x3 2,2", "2x3 2,2,1", "3x2 3,1,1", "2x4 2,2", "2x4 3,2",
        "2x4 2,2,2", "2x4 4,3", "2x4 3,2,2", "3x3 2", "3x3 2,1", "3x3 2,2", "3x3 3,2", "3x3 3,3",
        "2x5 4,2",
    ]
]  # fmt: skip
NAMED = [
    Rules(*game.split(), contact, "ship")
    for contact, games in {
        "none": ["1x7 2,1", "1x9 2,2,1", "2x5 2,2", "3x3 2,1", "3x3 2,2", "3x3 2,1,1", "3x4 3,2",
                 "3x4 3,2,1"],
        "corners": ["2x4 2,1", "2x4 2,2", "3x3 2,1", "3x3 2,2", "3x3 3,2", "2x5 2,2,1",
                    "3x3 2,1,1"],
        "sides": ["1x6 2,2", "1x7 3,2", "1x8 2,2,2", "2x3 2,1,1", "2x3 2,2", "2x4 2,2", "2x4 3,2",
                  "2x4 2,2,2", "3x3 1,1", "3x3 2,1", "3x3 2,2", "3x3 3,2", "3x3 3,3"],
    }.items()
    for game in games
]  # fmt: skip
FAMILIES = {"hit": HIT, "closed": CLOSED, "open": OPEN, "named": NAMED}
GAMES = [rules for games in FAMILIES.values() for rules in games]
GAMES_OF_SECONDS = [
    Rules(*game.split())
    for game in ["3x4 2,1", "3x4 3,1", "3x4 3,2", "3x4 2,2", "3x4 2,2 corners", "2x6 2,2",
                 "2x6 3,1", "4x3 2,1,1", "3x4 3,2 none sunk", "3x4 3,2 none ship",
                 "3x3 2,1 sides ship"]
]  # fmt: skip
"""Those of ``GAMES`` on which the naive search takes longer than a second."""

CASES = [
    pytest.param(rules, marks=pytest.mark.slow) if rules in GAMES_OF_SECONDS else rules
    for rules in GAMES
]
"""The games as cases of tests that ask their naive searches."""

LARGER = [
    Rules(*game.split())
    for game in ["4x4 4,3", "3x5 3,2,1", "3x5 2,2,1", "4x4 3,3", "4x4 4,2", "4x4 3,2,2"]
] + [
    Rules(*game.split(), contact, answers, announce)
    for contact, answers, announce, games in [
        ("none", "sunk", "length", ["2x6 2,1,1", "3x4 2,1,1", "3x4 2,1", "3x5 3,2,1"]),
        ("corners", "sunk", "length", ["2x6 2,2", "3x4 2,2", "3x4 3,1,1", "3x4 3,2,1"]),
        ("sides", "sunk", "none", ["3x3 2,2,2", "3x3 3,2,1", "3x4 4,3", "2x5 3,2", "2x5 3,2,2"]),
        ("sides", "sunk", "length", ["3x3 2,2,2", "3x3 3,2,2", "2x5 2,2,2,2", "2x5 2,2"]),
        ("sides", "ship", "length", ["3x3 2,2,2", "3x3 3,2,1", "2x5 3,2"]),
    ]
    for game in games
]  # fmt: skip
"""Games on which the naive search takes longer, up to a minute or two."""

RANK: dict[str, Callable[[naive.Front], object]] = {
    "mean": lambda front: min(total for _, total in front),
    "worst": lambda front: min(worst for worst, _ in front),
    "mean-worst": lambda front: min((total, worst) for worst, total in front),
    "worst-mean": min,
    "pareto": min,
}


def name_of(rules: Rules) -> str:
    """A name of a game for the list of tests."""
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


@lru_cache(maxsize=200)
def twin(rules: Rules) -> naive.Search:
    """The naive search of a game; what it works out is kept while the game is asked about."""
    mode, announce, contact = spoken(rules)
    return naive.Search(naive_layouts(rules), mode, announce, contact)


def score(solution: Solution) -> object:
    """What the objective of a solution compares, as ``RANK`` gives it."""
    worst, total = solution.worst_misses, solution.total_misses
    return {"mean": total, "worst": worst, "mean-worst": (total, worst)}.get(
        solution.objective, (worst, total)
    )


def points(solution: Solution) -> naive.Front:
    """The Pareto front of a solution, as the naive search gives it."""
    return tuple((tree.worst_misses, tree.total_misses) for tree in solution.front)


def search_of(game: Rules | Problem, **options: object) -> ExactSearch:
    """The exact search of a game or problem, with what its class takes."""
    problem = game if isinstance(game, Problem) else as_problem(game)
    return ExactSearch(problem, **options)  # type: ignore[arg-type]


def in_pieces(rules: Rules) -> dict[str, int]:
    """Arguments of ``search_of`` that make every array of the search as small as it can be."""
    sizes = {"first_capacity": 4}
    return sizes if rules.answers is AnswerMode.HIT else {**sizes, "first_arena": 1}


def weighted(table: DecisionTable, weights: list[int]) -> DecisionTable:
    """A table with weights in the order of its layouts."""
    return DecisionTable(table.layouts, None, np.array(weights, dtype=np.int64))


def draw_history(data: st.DataObject, rules: Rules) -> list[tuple[int, str]]:
    """Random shots in order, answered by a random layout; in mode ``hit`` at least two."""
    layouts = naive_rows(rules)
    layout = data.draw(st.sampled_from(layouts))
    least = 2 if rules.answers is AnswerMode.HIT else 0
    cells = data.draw(
        st.lists(st.integers(0, rules.board.cells - 1), unique=True, min_size=least, max_size=5)
    )
    return [
        (cell, naive.answer(layout, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]


def naive_search_at(
    rules: Rules, history: list[tuple[int, str]]
) -> tuple[naive.Search, frozenset[int]]:
    """Search of the layouts that fit a history, and the cells shot."""
    mode, announce, contact = spoken(rules)
    fitting = naive.fitting(naive_layouts(rules), history, mode, announce, contact)
    return naive.Search(fitting, mode, announce, contact), frozenset(cell for cell, _ in history)
