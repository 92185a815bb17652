"""Hiding and shooting: known values, an independent solution, laws, certificates, files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
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
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium import restricted_game
from seabattle.solver.equilibrium.certificate import (
    certify,
    misses_by_layout,
    shooting_costs,
    transformed_copies,
)
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.exploitability import matchups
from seabattle.solver.equilibrium.mix_files import (
    MANIFEST,
    WEIGHTS,
    check_mixes,
    load_mixes,
    save_mixes,
)
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.equilibrium.state_graph import SubtableGraph, estimate_subtables
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.limits import LimitReached
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve
from seabattle.trees.plans import Grower, plan_of
from seabattle.trees.replay import misses_of, replay
from seabattle.trees.tree import transformed
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
    mean = sum(
        (cost * weight for cost, weight in zip(certificate.costs, found.hiding, strict=True)),
        Fraction(0),
    ) / sum(found.hiding)
    assert found.lower_bound <= mean <= found.upper_bound


@pytest.mark.parametrize("rules", [r for r in SMALL if r.answers.value == "hit"], ids=str)
def test_announcing_sinkings_never_costs_the_shooter(rules: Rules) -> None:
    assert solved(rules.answering("sunk")).value <= solved(rules).value


def test_a_larger_game_closes_to_the_gap() -> None:
    """88 orbits: beyond what is solved in fractions."""
    found = equilibrium(Rules("4x5", "4,2", answers="sunk"), gap=1e-5)
    assert 0 <= found.gap <= Fraction(1, 10**5)
    assert found.uniform_value <= found.lower_bound
    assert found.stopped_by == ""
    steps = found.history
    assert all(a.lower <= b.lower and a.upper >= b.upper for a, b in zip(steps, steps[1:]))  # noqa: B905, RUF007


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
    table = DecisionTable(graph.table.layouts, None, weights[graph.orbit])
    assert response.value == ExactSearch(as_problem(table)).minimize().misses
    assert response.value == graph.best_response(weights.astype(float)).value
    # The tree that the choices grow is valid and costs what the sweep says.
    tree = graph.grower.grow(graph.plan(response.choice))
    assert verify(tree)
    misses = misses_by_layout(tree, graph.table.layouts)
    assert np.array_equal(np.bincount(graph.orbit, misses).astype(int), response.misses)
    assert int(misses @ weights[graph.orbit]) == response.value


@cache
def graph_of(rules: Rules, dominance: bool) -> SubtableGraph:
    return SubtableGraph(DecisionTable.build(rules), dominance=dominance)


def test_dominated_shots_leave_the_graph_smaller() -> None:
    rules = Rules("4x4", "3,2,1")
    assert len(graph_of(rules, True).cells) < len(graph_of(rules, False).cells)
    # Every sub-table of the plain graph, one per orbit, and the start.
    assert len(graph_of(rules, False)) == 5426 + 1


def test_the_estimate_is_near_the_number_of_subtables() -> None:
    for rules in (Rules("3x4", "2,1"), Rules("4x4", "3,2,1"), Rules("4x4", "2,1")):
        problem = as_problem(rules)
        found = estimate_subtables(problem, samples=8)
        assert 0.9 < found / graph_size(rules).vertices < 1.1


# Certificates


def test_misses_by_layout_are_those_of_replays() -> None:
    rules = Rules("3x4", "2,1", answers="sunk")
    tree = greedy_tree(rules)
    layouts = enumerate_layouts(rules)
    misses = misses_by_layout(tree, layouts)
    for number in range(len(layouts)):
        assert misses[number] == misses_of(replay(tree, layouts.names(number)))


def test_costs_of_a_turned_mix_are_the_mean_over_its_copies() -> None:
    rules = Rules("3x4", "2,1")
    layouts = enumerate_layouts(rules)
    trees = [greedy_tree(rules, "hits"), greedy_tree(rules, "half")]
    costs = shooting_costs(layouts, trees, [3, 1])
    copies = [
        (weight, misses_by_layout(transformed(tree, symmetry), layouts))
        for tree, weight in zip(trees, [3, 1], strict=True)
        for symmetry in rules.board.symmetries
    ]
    for number, cost in enumerate(costs):
        assert cost == Fraction(sum(w * int(m[number]) for w, m in copies), 4 * len(copies) // 2)


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
    with pytest.raises(TreeError, match=r"no choice|ends before|goes on"):
        replace(found, plans=(found.plans[0][::-1].copy(), *found.plans[1:])).certify()
    with pytest.raises(WeightsError, match="negative"):
        replace(found, hiding=(-1, *found.hiding[1:])).certify()
    with pytest.raises(WeightsError, match="start at 0"):
        replace(found, shooting=(-1, *found.shooting[1:])).certify()
    with pytest.raises(WeightsError, match="give one each"):
        replace(found, shooting=found.shooting[1:]).certify()


def test_a_tree_that_lies_is_refused() -> None:
    rules = Rules("3x4", "2,1")
    tree = greedy_tree(rules)
    layouts = enumerate_layouts(rules)
    lying = replace(tree, total_misses=tree.total_misses - 1)
    even = [1] * len(layouts)
    assert certify(layouts, even, [tree], [1]).lower_bound == Fraction(321, 74)
    with pytest.raises(SeabattleError, match="claims"):
        certify(layouts, even, [lying], [1])
    with pytest.raises(TreeError, match="another game"):
        certify(layouts, even, [greedy_tree(Rules("4x4", "2,1"))], [1])


# Plans, turning, drawing lots


@given(st.integers(0, 200))
@examples(20)
def test_plans_grow_the_tree_they_were_read_from(seed: int) -> None:
    for rules in (Rules("3x4", "2,1", answers="sunk"), Rules("3x3", "2,1", "corners")):
        tree = greedy_tree(rules, ties="random", seed=seed)
        again = Grower(enumerate_layouts(rules)).grow(plan_of(tree), objective=tree.objective)
        assert verify(again)
        for name in ("shots", "first", "answers", "children", "leaf", "ships"):
            assert np.array_equal(getattr(again, name), getattr(tree, name))
        assert (again.total_misses, again.worst_misses) == (tree.total_misses, tree.worst_misses)


def test_turned_trees_are_valid_and_cost_the_same() -> None:
    for rules in (Rules("3x4", "2,1", answers="sunk"), Rules("4x4", "3,2,1")):
        tree = solve(rules).tree
        for symmetry in rules.board.symmetries:
            copy = transformed(tree, symmetry)
            assert verify(copy)
            assert copy.root.shot == symmetry[tree.root.shot]
    with pytest.raises(TreeError, match="can be turned"):
        transformed(replace(tree, weights=np.ones(tree.layouts, dtype=np.int64)), symmetry)


def test_draws_follow_the_mixes() -> None:
    found = solved(Rules("3x4", "2,1", answers="sunk"))
    generator = np.random.default_rng(7)
    draws = [found.draw_layout_number(generator) for _ in range(20_000)]
    shares = np.bincount(draws, minlength=len(found.hiding)) / len(draws)
    chances = [found.hiding_chance(number) for number in range(len(found.hiding))]
    assert sum(chances) == sum(map(found.shooting_chance, range(len(found.plans)))) == 1
    assert np.abs(shares - np.array(chances, dtype=float)).max() < 0.005
    again = np.random.default_rng(7)
    assert found.draw_layout(again) == found.layouts.names(draws[0])
    trees = [found.draw_tree(generator) for _ in range(300)]
    assert all(verify(tree) for tree in trees[:5])
    # Played against each other the mixes cost the value, within three standard errors.
    played = [
        int(misses_by_layout(tree, found.layouts)[found.draw_layout_number(generator)])
        for tree in trees
    ]
    error = np.std(played) / np.sqrt(len(played))
    assert abs(np.mean(played) - float(found.value)) < 3 * error


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


def test_centre_and_vertex_agree_on_a_small_game() -> None:
    costs = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 0.0]])
    exact = restricted_game.lp_vertex(costs)
    assert exact.upper == pytest.approx(1.0)
    middle = restricted_game.analytic_centre(costs, np.array([0.5, 0.5]), 1e-6)
    assert middle.upper == pytest.approx(1.0, abs=1e-4)
    assert float((costs @ middle.shares).min()) == pytest.approx(1.0, abs=1e-4)


# Stopping early, bad input


def test_stopping_early_returns_the_interval_reached() -> None:
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return asked[0] > 12

    found = equilibrium(Rules("4x4", "2,1"), stop=stop)
    assert found.interrupted
    assert found.stopped_by == "Ctrl-C"
    value = Fraction(892489, 137380)
    assert found.lower_bound <= value < found.upper_bound
    assert found.certify().upper_bound == found.upper_bound


def test_limits_stop_the_enumeration() -> None:
    rules = Rules("4x4", "2,1")
    with pytest.raises(LimitReached, match=r"memory limit leaves 0\.002 GiB"):
        equilibrium(rules.answering("sunk"), memory_limit=0.002)
    with pytest.raises(TooLargeError, match=r"0\.005 GiB hold about 1\.5e\+04"):
        equilibrium(rules, memory_limit=0.005)
    with pytest.raises(LimitReached, match=r"time limit was reached with .* sub-tables"):
        equilibrium(rules, time_limit=0)


def test_large_boards_are_refused_with_an_estimate() -> None:
    with pytest.raises(TooLargeError, match=r"6x6 .* 894,296 layouts and about .* sub-tables"):
        equilibrium(Rules("6x6", "3,2,2,1,1,1"))
    with pytest.raises(TooLargeError, match="64 cells"):
        equilibrium(Rules("10x10", "russian"))
    with pytest.raises(TooLargeError, match="up to 40 cells"):
        equilibrium(Rules("1x50", "2"))


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        (Rules("3x3", "2,1", "sides"), "contact rules 'none' and 'corners'"),
        (Rules("3x3", "2,1", answers="ship"), "answers 'hit' and 'sunk'"),
    ],
    ids=["sides", "ship"],
)
def test_other_games_are_refused(rules: Rules, match: str) -> None:
    with pytest.raises(RulesError, match=match):
        equilibrium(rules)


def test_bad_arguments_are_refused() -> None:
    for gap in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(SeabattleError, match="must be a number above 0"):
            equilibrium(Rules("3x3", "3,1,1"), gap=gap)
    table = DecisionTable.build(Rules("3x3", "3,1,1"))
    for begun in (table.shoot("B1", "miss"), Position(table.rules).shoot("B1", "miss")):
        with pytest.raises(PositionError, match="starts at the beginning, not after B1 miss"):
            equilibrium(begun)
    with pytest.raises(RulesError, match="solved for layouts without weights"):
        equilibrium(DecisionTable.build(table, prior=[1, 2, 3, 4]))


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


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('"seabattle-equilibrium"', '"something"', "'format' is not"),
        ('"version": 1,\n "made', '"version": 2,\n "made', "version 2 is unknown"),
        ('"lower_bound": "', '"lower_bound": "x', "must be a fraction"),
        ('"weight": ', '"weight": -', "above 0"),
        ('"plan": "', '"plan": "?', "written in letters"),
        ('"plan": "', '"plan": "AA', "no choice|ends before|goes on|off the board"),
        ('"plan": ', '"plans": ', "must have 'weight' and 'plan'"),
        ('"board": "3x4"', '"board": 7', "'board' must be text"),
        ('"fleet": "2,1"', '"fleet": "2,2"', "the plan|no layout|length"),
        ("{", "[", "no JSON"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, old: str, new: str, match: str) -> None:
    save_mixes(solved(Rules("3x4", "2,1", answers="sunk")), tmp_path)
    path = tmp_path / MANIFEST
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(SeabattleError, match=match):
        load_mixes(tmp_path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match=MANIFEST):
        load_mixes(tmp_path)
    save_mixes(solved(Rules("3x3", "2,1")), tmp_path)
    (tmp_path / WEIGHTS).unlink()
    with pytest.raises(FileAccessError, match=WEIGHTS):
        load_mixes(tmp_path)


# Matchups


def test_matchups_are_the_misses_of_the_trees() -> None:
    rules = Rules("3x4", "2,1", answers="sunk")
    found = solved(rules)
    rows = {row.shooter: row for row in matchups(found)}
    tree = solve(rules).tree
    assert rows["optimal"].uniform == tree.mean_misses == found.uniform_value
    assert rows["optimal"].knowing == tree.worst_misses
    assert rows["equilibrium"].knowing == found.upper_bound
    assert rows["equilibrium"].equilibrium == found.value
    for row in rows.values():
        assert row.uniform >= found.uniform_value
        assert row.equilibrium >= found.lower_bound
        assert row.knowing >= max(row.uniform, row.equilibrium, found.value)
    assert rows["greedy, turned"].uniform == rows["greedy"].uniform
