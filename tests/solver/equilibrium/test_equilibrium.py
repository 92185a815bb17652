"""Hiding and shooting: known values, an independent solution, laws, certificates, files."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from corpus.damage import damaged_documents
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.known_answers import known, known_rules, label
from twins import naive_equilibrium

from seabattle.enumerate.errors import (
    FileAccessError,
    PositionError,
    RulesError,
    SeabattleError,
    TooLargeError,
    TreeError,
    WeightsError,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable, Game
from seabattle.solver.equilibrium import restricted_game
from seabattle.solver.equilibrium.certificate import (
    shooting_costs,
    transformed_copies,
)
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.mix_files import (
    MANIFEST,
    WEIGHTS,
    check_mixes,
    load_mixes,
    save_mixes,
)
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.equilibrium.reports import matchups
from seabattle.solver.equilibrium.subtable_graph import SubtableGraph
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import LimitReached
from seabattle.solver.search.solve import solve
from seabattle.trees.plans import Grower
from seabattle.trees.verify import verify

KNOWN = [
    (known_rules(entry).answering(mode), Fraction(entry[mode]), f"{label(entry)}-{mode}")
    for entry in known("equilibrium")
    for mode in ("hit", "sunk")
]
TINY = [
    Rules(board, fleet, contact, answers)
    for contact, games in {
        "none": [
            "1x3 1", "1x5 2,1", "1x5 1,1", "1x6 2,2", "2x3 2", "2x3 2,1", "3x3 3", "3x3 3,1,1",
        ],
        "corners": ["2x3 2,1", "1x5 3,1"],
    }.items()
    for board, fleet in map(str.split, games)
    for answers in ("hit", "sunk")
    if (board, fleet, contact, answers) != ("2x3", "2,1", "corners", "hit")  # minutes
]  # fmt: skip
SMALL = [
    Rules(board, fleet, contact, answers)
    for board, fleet, contact in (
        ("1x7", "2,1,1", "none"),
        ("3x3", "2,1", "none"),
        ("3x3", "2,1", "corners"),
        ("2x5", "2,2", "corners"),
        ("3x4", "2,1", "none"),
        ("3x4", "3,2", "none"),
    )
    for answers in ("hit", "sunk")
]


@cache
def solved(rules: Rules) -> Equilibrium:
    return equilibrium(rules)


@pytest.mark.parametrize(("rules", "value"), [k[:2] for k in KNOWN], ids=[k[2] for k in KNOWN])
def test_known_values_are_reached_exactly(rules: Rules, value: Fraction) -> None:
    found = solved(rules)
    assert found.lower_bound == found.upper_bound == found.value == value
    assert found.is_exact
    assert found.gap == 0


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_the_value_is_that_of_all_strategies_listed(rules: Rules) -> None:
    board = rules.board
    value = naive_equilibrium.value(
        board.rows, board.columns, rules.fleet.lengths, rules.answers.value, rules.contact.value
    )
    assert equilibrium(rules).value == value


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_laws(rules: Rules) -> None:
    found = solved(rules)
    layouts = found.layouts
    uniform = solve(rules)
    assert found.uniform_value == uniform.mean_misses
    # No fixed tree does better in its worst case, and the placer may always hide uniformly.
    assert found.uniform_value <= found.value <= solve(rules, "worst").worst_misses
    assert found.value <= greedy_tree(rules).worst_misses
    # Symmetric layouts weigh the same.
    weights = np.array(found.hiding, dtype=object)
    assert all((weights[image] == weights).all() for image in transformed_copies(layouts))
    assert sum(found.occupancy()) == rules.fleet.cells
    assert sum(found.first_shots()) in (0, 1)
    # The certificate is the interval, and both mixes are best against each other.
    certificate = found.certify()
    assert (certificate.lower_bound, certificate.upper_bound) == (
        found.lower_bound,
        found.upper_bound,
    )
    costs, scale = shooting_costs(layouts, found.trees, found.shooting)
    mean = Fraction(int(np.dot(costs, weights)), scale * sum(found.hiding))
    assert found.lower_bound <= mean <= found.upper_bound


def test_a_larger_game_closes_to_the_gap() -> None:
    """88 orbits: beyond what is solved in fractions."""
    found = equilibrium(Rules("4x5", "4,2", answers="sunk"), gap=1e-5)
    assert 0 <= found.gap <= Fraction(1, 10**5)
    assert found.uniform_value <= found.lower_bound
    assert found.stopped_by == ""


# The graph of sub-tables


@given(
    rules=st.sampled_from([Rules("3x4", "2,1"), Rules("3x4", "3,2", answers="sunk"),
                           Rules("3x3", "2,1", "corners", "sunk")]),
    seed=st.integers(0, 1000),
    dominance=st.booleans(),
)  # fmt: skip
@examples(25)
def test_a_sweep_is_the_exact_search(rules: Rules, seed: int, dominance: bool) -> None:
    graph = graph_of(rules, dominance)
    weights = np.random.default_rng(seed).integers(0, 9, len(graph.sizes))
    weights[0] += 1
    response = graph.best_response(weights)
    table = DecisionTable(graph.table.layouts, weights[graph.orbit])
    assert response.value == ExactSearch(as_problem(table)).minimize().misses
    assert response.value == graph.best_response(weights.astype(float)).value
    # The tree that the choices grow is valid and costs what the sweep says.
    tree = Grower(graph.table.layouts).grow(response.plan)
    found = verify(tree, layouts=graph.table.layouts)
    assert found
    misses = found.misses
    assert np.array_equal(np.bincount(graph.orbit, misses).astype(int), response.misses)
    assert int(misses @ weights[graph.orbit]) == response.value


@cache
def graph_of(rules: Rules, dominance: bool) -> SubtableGraph:
    return SubtableGraph(DecisionTable.build(rules), dominance=dominance)


# Certificates


def test_a_tampered_hiding_mix_is_refused() -> None:
    found = solved(Rules("3x4", "2,1", answers="sunk"))
    moved = list(found.hiding)
    moved[0] += moved[1]
    moved[1] = 0
    assert check_mixes(found) == []
    (problem,) = check_mixes(replace(found, hiding=tuple(moved)))
    assert "lower bound 945/262" in problem


def test_a_tampered_shooting_mix_is_refused() -> None:
    found = solved(Rules("3x4", "2,1", answers="sunk"))
    (problem,) = check_mixes(replace(found, shooting=(1,) * len(found.shooting)))
    assert "upper bound 945/262" in problem
    with pytest.raises(TreeError, match="the plan is not one for"):
        replace(found, plans=(found.plans[0][::-1].copy(), *found.plans[1:])).certify()
    with pytest.raises(WeightsError, match="negative"):
        replace(found, hiding=(-1, *found.hiding[1:])).certify()
    with pytest.raises(WeightsError, match="start at 0"):
        replace(found, shooting=(-1, *found.shooting[1:])).certify()
    with pytest.raises(WeightsError, match="give one each"):
        replace(found, shooting=found.shooting[1:]).certify()


# Exact linear algebra


@given(
    st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=3, max_size=5),
    st.lists(st.integers(-5, 5), min_size=3, max_size=3),
)
@settings(deadline=None)
def test_exact_solutions_solve(matrix: list[list[int]], wanted: list[int]) -> None:
    right = [sum(a * x for a, x in zip(row, wanted, strict=True)) for row in matrix]
    found = restricted_game.solve_exactly(matrix, right)
    if np.linalg.matrix_rank(np.array(matrix)) == 3:
        assert found == wanted
    else:
        assert found is None


# Stopping early, bad input


def test_stopping_early_returns_the_interval_reached() -> None:
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return asked[0] > 12

    found = equilibrium(Rules("4x4", "2,1"), stop=stop)
    assert found.interrupted
    assert found.stopped_by == "stopped by Ctrl-C"
    value = Fraction(892489, 137380)
    assert found.lower_bound <= value < found.upper_bound
    assert found.certify().upper_bound == found.upper_bound


@pytest.mark.parametrize(
    ("game", "options", "error"),
    [
        (Rules("5x6", "3,2,1"), {"memory_limit": 0.05}, TooLargeError),
        (Rules("10x10", "russian"), {}, TooLargeError),
        (Rules("4x4", "2,1"), {"memory_limit": 0.005}, TooLargeError),
        (Rules("4x4", "2,1", answers="sunk"), {"memory_limit": 0.002}, LimitReached),
        (Rules("4x4", "2,1"), {"time_limit": 0}, LimitReached),
        (Rules("3x3", "2,1", "sides"), {}, RulesError),
        (Rules("3x3", "2,1", answers="ship"), {}, RulesError),
        (DecisionTable.build(Rules("3x3", "3,1,1"), prior=[1, 2, 3, 4]), {}, RulesError),
        (Position(Rules("3x3", "3,1,1")).shoot("B1", "miss"), {}, PositionError),
        (Rules("3x3", "3,1,1"), {"gap": 0.0}, SeabattleError),
    ],
    ids=str,
)
def test_what_cannot_be_solved_is_refused_at_once(
    game: Game, options: dict[str, float], error: type[SeabattleError]
) -> None:
    with pytest.raises(error):
        equilibrium(game, **options)


# Files


def test_saved_mixes_are_read_back(tmp_path: Path) -> None:
    found = solved(Rules("3x4", "2,1", answers="sunk"))
    written = save_mixes(found, tmp_path, trees=2)
    assert [path.name for path in written] == [MANIFEST, WEIGHTS, "001.json", "002.json"]
    again = load_mixes(tmp_path)
    assert again.hiding == found.hiding
    assert again.shooting == found.shooting
    assert (again.lower_bound, again.upper_bound) == (found.lower_bound, found.upper_bound)
    assert again.uniform_value == found.uniform_value
    assert check_mixes(again) == []
    generators = np.random.default_rng(3), np.random.default_rng(3)
    assert again.draw_layout(generators[0]) == found.draw_layout(generators[1])
    assert np.array_equal(
        again.draw_tree(generators[0]).shots, found.draw_tree(generators[1]).shots
    )


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    """What is accepted has mixes that show less than it claims, or the same."""
    found = solved(Rules("3x4", "2,1", answers="sunk"))
    save_mixes(found, tmp_path)
    path = tmp_path / MANIFEST
    text = path.read_text()
    for how, wrong in islice(damaged_documents(json.loads(text), random.Random(2)), 0, None, 7):
        path.write_bytes(wrong.encode("utf-8", "surrogatepass"))
        told = ""
        try:
            read = load_mixes(tmp_path)
            if not check_mixes(read):
                assert read.value == found.value, how
        except SeabattleError as error:
            told = str(error)
        assert "\n" not in told, how
    path.write_text(text)
    (tmp_path / WEIGHTS).unlink()
    with pytest.raises(FileAccessError, match=WEIGHTS):
        load_mixes(tmp_path)


# Matchups


def test_matchups_are_the_misses_of_the_trees() -> None:
    rules = Rules("3x4", "2,1", answers="sunk")
    found = solved(rules)
    rows = {row.pop("shooter"): row for row in matchups(found)}
    tree = solve(rules).tree
    uniform, value = float(found.uniform_value), float(found.value)
    assert rows["optimal"]["uniform"] == float(tree.mean_misses) == uniform
    assert rows["optimal"]["knowing"] == tree.worst_misses
    assert rows["equilibrium"]["knowing"] == float(found.upper_bound)
    assert rows["equilibrium"]["equilibrium"] == value
    for row in rows.values():
        assert row["uniform"] >= uniform
        assert row["equilibrium"] >= float(found.lower_bound)
        assert row["knowing"] >= max(row["uniform"], row["equilibrium"], value)
    assert rows["greedy, turned"]["uniform"] == rows["greedy"]["uniform"]


def test_a_matchup_is_named_optimal_only_if_it_is() -> None:
    rough = equilibrium(Rules("4x5", "2,1"), gap=20.0)
    shooters = [row["shooter"] for row in matchups(rough, stop=lambda: True)]
    assert shooters == [
        "greedy", "greedy, turned", "best found", "best found, turned", "equilibrium",
    ]  # fmt: skip
