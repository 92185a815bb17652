"""The readable reference search: the fast searches, the naive twin, and trees that verify."""

from __future__ import annotations

import itertools
import random
from functools import cache
from math import inf

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import layouts_by_number, naive_layouts, position_of, spoken

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.reference import ReferenceSearch, Value
from seabattle.solver.search.solution import Objective
from seabattle.solver.search.solve import solve
from seabattle.trees.verify import verify

GAMES = [
    Rules(*game.split(), contact, answers, announce)
    for contact, answers, announce, games in [
        ("none", "hit", "length", ["1x7 2,1", "2x5 2,2", "3x3 2", "3x3 2,1", "3x3 3,1,1"]),
        ("corners", "hit", "length", ["2x4 2,1", "2x5 2,2", "3x3 2,1"]),
        ("sides", "hit", "length", ["1x6 2,2", "2x4 3,2", "2x3 2,2"]),
        ("none", "sunk", "length", ["1x7 2,1", "2x5 2,2", "3x3 2,1", "3x3 3,1,1"]),
        ("corners", "sunk", "length", ["2x4 2,1", "3x3 2,2", "3x3 3,2"]),
        ("sides", "sunk", "length", ["1x6 2,2", "1x7 3,2", "2x4 3,2", "3x3 3,2"]),
        ("sides", "sunk", "none", ["1x6 2,2", "1x7 3,2", "2x4 3,2", "3x3 2,2"]),
        ("none", "ship", "length", ["1x9 2,2,1", "3x3 2,1", "3x3 2,2"]),
        ("corners", "ship", "length", ["2x4 2,2", "3x3 3,2"]),
        ("sides", "ship", "length", ["1x6 2,2", "1x8 2,2,2", "2x4 2,2", "3x3 1,1", "2x4 3,2"]),
    ]
    for game in games
]


def name_of(rules: Rules) -> str:
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


every_game = pytest.mark.parametrize(
    "rules",
    [pytest.param(g, marks=pytest.mark.slow) if n % 2 else g for n, g in enumerate(GAMES)],
    ids=name_of,
)


def weights_with_zeros(rules: Rules) -> np.ndarray:
    draw = random.Random(name_of(rules))
    numbers = [draw.choice([0, 0, 1, 2, 5]) for _ in range(len(enumerate_layouts(rules)))]
    return np.array([1, *numbers[1:]], dtype=np.int64)


@cache
def search_of(rules: Rules, weighted: bool) -> ReferenceSearch:
    weights = weights_with_zeros(rules) if weighted else None
    return ReferenceSearch(DecisionTable(enumerate_layouts(rules), None, weights))


@cache
def front_of(rules: Rules, weighted: bool) -> naive.Front:
    """Pareto front of the naive twin, with the same weights."""
    mode, announce, contact = spoken(rules)
    weights = None
    if weighted:
        by_number = layouts_by_number(rules)
        given = weights_with_zeros(rules).tolist()
        ships = enumerate_layouts(rules).ships.tolist()
        weights = {by_number[tuple(sorted(row))]: w for row, w in zip(ships, given, strict=True)}
    return naive.Search(naive_layouts(rules), mode, announce, contact, weights).optimum()


@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weights"])
@every_game
def test_every_objective_equals_the_naive_twin(rules: Rules, weighted: bool) -> None:
    best = naive.objectives(front_of(rules, weighted))
    search = search_of(rules, weighted)
    for objective in Objective:
        tree = search.tree(objective)
        point = tree.worst_misses, tree.total_misses
        if objective is Objective.MEAN:
            assert tree.total_misses == best["mean"]
        elif objective is Objective.WORST:
            assert tree.worst_misses == best["worst"]
        elif objective is Objective.PARETO:
            assert point == front_of(rules, weighted)[0]
        else:
            assert point == best[objective.value]
        found = verify(tree)
        assert found, found.problems
        assert (found.worst_misses, found.total_misses) == point


@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weights"])
@every_game
def test_budgets_give_the_whole_front(rules: Rules, weighted: bool) -> None:
    search, front = search_of(rules, weighted), front_of(rules, weighted)
    for budget in range(rules.board.cells):
        within = [(total, worst) for worst, total in front if worst <= budget]
        assert search.least(budget) == Value(*min(within, default=(inf, inf)))


@pytest.mark.parametrize(
    ("objective", "weighted"),
    [
        (objective, weighted)
        for objective in Objective
        for weighted in (False, True)
        if not (weighted and objective is Objective.MEAN_WORST)  # the next test's
    ],
)
@every_game
def test_solve_finds_the_same(rules: Rules, objective: Objective, weighted: bool) -> None:
    mine = search_of(rules, weighted).tree(objective)
    solution = solve(search_of(rules, weighted).table, objective)
    if objective is not Objective.WORST:
        assert solution.total_misses == mine.total_misses
    if objective is not Objective.MEAN:
        assert solution.worst_misses == mine.worst_misses
    best = {rules.board.cell(shot) for shot in solution.best_shots}
    assert not best or mine.root.shot in best


def test_solve_finds_the_same_worst_case_among_equal_totals_with_weights_of_0() -> None:
    rules = Rules("1x6", "2")
    table = DecisionTable(enumerate_layouts(rules), None, np.array([1, 0, 2, 0, 1]))
    assert ReferenceSearch(table).least() == (3, 2)
    assert solve(table, "mean-worst").worst_misses == 2


@every_game
def test_the_middle_of_a_game(rules: Rules) -> None:
    """After two shots: the same optimum as the twin, and a tree that verifies from there."""
    mode, announce, contact = spoken(rules)
    table = DecisionTable.build(rules)
    rows = sorted(naive_layouts(rules), key=lambda layout: sorted(map(sorted, layout)))
    draw = random.Random(name_of(rules))
    for layout in draw.sample(rows, min(3, len(rows))):
        cells = draw.sample(range(rules.board.cells), 2)
        history = [
            (cell, naive.answer(layout, cells[:i], cell, mode, announce, contact))
            for i, cell in enumerate(cells)
        ]
        possible = naive.fitting(rows, history, mode, announce, contact)
        front = naive.Search(possible, mode, announce, contact).optimum(cells)
        search = ReferenceSearch(table.at(position_of(rules, history)))
        assert search.least() == min((total, worst) for worst, total in front)
        found = verify(search.tree("worst-mean"))
        assert found, found.problems
        assert (found.worst_misses, found.total_misses) == front[0]


def test_names_go_on_from_a_position_in_which_a_ship_is_named() -> None:
    rules = Rules("1x8", "2,2,2", "sides", "ship")
    position = Position.read(rules, [("C1", "hit:2#1"), ("E1", "hit:2#2")])
    tree = ReferenceSearch(position).tree()
    assert verify(tree)
    answers = {answer_text(code) for code in tree.answers.tolist()}
    assert answers == {"miss", "hit:2#1", "hit:2#2", "hit:2#3"}


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules.answers == "hit"], ids=name_of)
def test_states_of_mode_hit_are_the_vertices_of_the_graph(rules: Rules) -> None:
    """Each sub-table that shots can leave, once; the search looks at no other."""
    search = ReferenceSearch(DecisionTable.build(rules))
    search.least()
    assert len(search.known) == graph_size(rules).vertices


def test_weights_count_like_as_many_layouts() -> None:
    rules = Rules("3x3", "2,1")
    layouts = enumerate_layouts(rules)
    once = ReferenceSearch(DecisionTable(layouts)).least()
    thrice = ReferenceSearch(
        DecisionTable(layouts, None, np.full(len(layouts), 3, dtype=np.int64))
    ).least()
    assert thrice == (3 * once.total, once.worst)


@every_game
def test_the_answers_to_a_shot_part_the_layouts(rules: Rules) -> None:
    search = ReferenceSearch(DecisionTable.build(rules))
    for cell in search.shots(search.everything, search.hits):
        parts = [part for _, part, _ in search.answers(search.everything, search.hits, cell)]
        assert sum(part.count() for part in parts) == len(search.table)
        for one, other in itertools.combinations(parts, 2):
            assert not (one & other).any()
