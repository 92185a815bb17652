"""Small games of every family of answers, and the naive searches that know their optima."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from twins import naive
from twins.naive_trees import naive_rows, spoken

from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem, as_problem

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


def name_of(rules: Rules) -> str:
    """A name of a game for the list of tests."""
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


def search_of(game: Rules | Problem, **options: object) -> ExactSearch:
    """The exact search of a game or problem, with what its class takes."""
    problem = game if isinstance(game, Problem) else as_problem(game)
    return ExactSearch(problem, **options)  # type: ignore[arg-type]


def weighted(table: DecisionTable, weights: list[int]) -> DecisionTable:
    """A table with weights in the order of its layouts."""
    return DecisionTable(table.layouts, np.array(weights, dtype=np.int64))


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
