"""The exact search in modes ``sunk`` and ``ship``: naive twin, known answers, switches, laws.

Three families are searched differently, and every test covers all that it can be asked of:
*closed* (``sunk`` where ships may not touch side by side), *open* (``sunk`` under ``sides``) and
*named* (``ship``).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.known_answers import known, known_rules
from twins import naive
from twins.naive_trees import layouts_by_number, naive_layouts, naive_rows, position_of, spoken

from seabattle.enumerate.errors import FleetError, TooLargeError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import count_layouts
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.search import answer_search
from seabattle.solver.search import hit_search as search_module
from seabattle.solver.search.answer_search import PartedProblem, PartedSearch
from seabattle.solver.search.bounds import counting_total
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.hit_search import (
    UNLIMITED,
    WORST_CASE,
    Limits,
    Snapshot,
    Switches,
    Value,
)
from seabattle.solver.search.kernels import bounds as bounds
from seabattle.solver.search.kernels import work as work
from seabattle.solver.search.solution import Objective, Solution
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.tree.verify import verify

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
GAMES = CLOSED + OPEN + NAMED
LARGER = [
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
"""Games on which the naive search takes longer."""

FAMILIES = {"closed": CLOSED, "open": OPEN, "named": NAMED}
RANK: dict[str, Callable[[naive.Front], object]] = {
    "mean": lambda front: min(total for _, total in front),
    "worst": lambda front: min(worst for worst, _ in front),
    "mean-worst": lambda front: min((total, worst) for worst, total in front),
    "worst-mean": min,
    "pareto": min,
}


def name_of(rules: Rules) -> str:
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


every_game = pytest.mark.parametrize("rules", GAMES, ids=name_of)


@cache
def twin(rules: Rules) -> naive.Search:
    mode, announce, contact = spoken(rules)
    return naive.Search(naive_layouts(rules), mode, announce, contact)


def score(solution: Solution) -> object:
    """What the objective of a solution compares, as ``RANK`` gives it."""
    worst, total = solution.worst_misses, solution.total_misses
    return {"mean": total, "worst": worst, "mean-worst": (total, worst)}.get(
        solution.objective, (worst, total)
    )


def points(solution: Solution) -> naive.Front:
    return tuple((tree.worst_misses, tree.total_misses) for tree in solution.front)


def parted_search(rules: Rules, **options: object) -> PartedSearch:
    return PartedSearch(PartedProblem(DecisionTable.build(rules)), **options)  # type: ignore[arg-type]


def least_total(rules: Rules) -> int:
    """Least total of any game, mode ``hit`` included."""
    return make_search(as_problem(rules)).least().misses


def least_worst(rules: Rules) -> int:
    return make_search(as_problem(rules)).least(allowed=WORST_CASE).misses


def in_mode(rules: Rules, answers: str, announce: str = "length") -> Rules:
    return Rules(rules.board, rules.fleet, rules.contact.value, answers, announce)


# The naive twin


@pytest.mark.parametrize(
    "rules", GAMES + [pytest.param(rules, marks=pytest.mark.slow) for rules in LARGER], ids=name_of
)
def test_all_objectives_agree_with_the_naive_search(rules: Rules) -> None:
    front = twin(rules).optimum()
    problem = as_problem(rules)
    for objective in Objective:
        solution = solve_problem(problem, objective)
        assert score(solution) == RANK[objective](front)
        assert (solution.status, solution.layouts) == ("optimal", len(naive_layouts(rules)))
        for tree in solution.front or (solution.tree,):
            found = verify(tree)
            assert found.valid, found.problems
            assert found.wasted == 0
    assert points(solution) == front  # the last objective is the whole front


@every_game
def test_every_limit_of_misses_agrees_with_the_naive_search(rules: Rules) -> None:
    """T(S, w) for every w, through the search itself."""
    front = twin(rules).optimum()
    search = parted_search(rules)
    for allowed in [*range(-1 + front[0][0], front[-1][0] + 2), WORST_CASE, UNLIMITED]:
        if allowed < 0:
            continue
        value = search.least(allowed=allowed)
        within = [total for worst, total in front if worst <= allowed]
        if allowed == WORST_CASE:
            assert value.misses == front[0][0]
        elif within:
            assert value.misses == min(within)
            assert value.worst <= allowed
        assert value.feasible == bool(within)


@every_game
def test_budgets_are_fail_soft(rules: Rules) -> None:
    """Below its budget a value is exact; else it is a bound no greater than the optimum."""
    search = parted_search(rules)
    optimum = RANK["mean"](twin(rules).optimum())
    assert isinstance(optimum, int)
    for budget in (1, optimum // 2, optimum, optimum + 1):
        value = search.least(budget=budget)
        assert value.exact == (optimum < budget)
        assert min(budget, optimum) <= value.misses <= optimum
    assert search.least().misses == optimum


@every_game
def test_first_shots_agree_with_the_naive_search(rules: Rules) -> None:
    mode, announce, contact = spoken(rules)
    cells = rules.board.cells
    found, search = naive_layouts(rules), twin(rules)
    totals = {c: RANK["mean"](search.after(search.found, frozenset(), c)) for c in range(cells)}
    solution = solve(rules, "mean", values=True)
    assert solution.values == tuple(totals.values())
    if len({naive.cells_of(layout) for layout in found}) == 1:
        return  # nothing is left to learn
    best = [cell for cell, total in totals.items() if total == min(totals.values())]
    if cells < 9:
        options = {"announce": announce, "contact": contact}
        assert totals == naive.first_shot_totals(found, cells, mode, **options)
        assert best == naive.optimal_first_shots(found, cells, mode, **options)
    assert solution.best_shots == tuple(map(rules.board.name, best))


@pytest.mark.parametrize("objective", ["worst", "worst-mean", "pareto"])
@pytest.mark.parametrize("rules", GAMES[::4], ids=name_of)
def test_first_shots_of_other_objectives(rules: Rules, objective: str) -> None:
    """A cell is a best first shot exactly when shooting it first keeps the optimum."""
    search, cells = twin(rules), range(rules.board.cells)
    if len({naive.cells_of(layout) for layout in search.found}) == 1:
        return
    occupied = naive.occupancy(search.found, rules.board.cells)
    scores = {
        cell: RANK[objective](search.after(search.found, frozenset(), cell))
        for cell in cells
        if occupied[cell]
    }
    best = RANK[objective](search.optimum())
    expected = tuple(rules.board.name(cell) for cell in scores if scores[cell] == best)
    assert solve(rules, objective).best_shots == expected


# Switches


ALL_SWITCHES = [
    Switches(**dict(zip([f.name for f in fields(Switches)], states, strict=True)))
    for states in itertools.product((False, True), repeat=len(fields(Switches)))
]
TINY = [
    Rules("3x3", "2,1", "none", "sunk"),
    Rules("2x4", "2,2", "corners", "sunk"),
    Rules("2x3", "2,2,1", "sides", "sunk", "length"),
    Rules("1x8", "3,2,2", "sides", "sunk", "none"),
    Rules("2x4", "2,1", "none", "ship"),
    Rules("2x3", "2,2", "sides", "ship"),
]


@pytest.mark.parametrize("rules", TINY, ids=name_of)
def test_switches_do_not_move_the_optimum(rules: Rules) -> None:
    front = twin(rules).optimum()
    worst, total = front[0]
    problem = PartedProblem(DecisionTable.build(rules))
    assert len(ALL_SWITCHES) == 128
    for switches in ALL_SWITCHES:
        search = PartedSearch(problem, switches=switches)
        assert search.least().misses == RANK["mean"](front), switches
        assert search.least(allowed=WORST_CASE).misses == worst, switches
        assert search.least(allowed=worst).misses == total, switches
        assert not worst or not search.least(allowed=worst - 1).feasible, switches
        assert (search.states > 0) == switches.cache


LARGE = {
    Rules("4x4", "3,2,1", "none", "sunk"): (428, 4),
    Rules("3x5", "2,2,1", "none", "sunk"): (525, 6),
    Rules("3x3", "3,2,1", "sides", "sunk", "none"): (251, 3),
    Rules("3x4", "2,2", "none", "ship"): (82, 4),
    Rules("3x4", "3,2", "sides", "ship"): (252, 5),
}
"""Least total and least worst case, as ``naive`` gives them."""


@pytest.mark.parametrize("name", [f.name for f in fields(Switches) if f.name != "cache"])
@pytest.mark.parametrize("rules", LARGE, ids=name_of)
def test_each_switch_alone_on_a_larger_board(rules: Rules, name: str) -> None:
    problem = PartedProblem(DecisionTable.build(rules))
    everything = PartedSearch(problem)
    without = PartedSearch(problem, switches=replace(Switches(), **{name: False}))
    for search in (everything, without):
        values = (search.least().misses, search.least(allowed=WORST_CASE).misses)
        assert values == LARGE[rules]


@pytest.mark.parametrize("rules", TINY, ids=name_of)
def test_solving_without_switches_gives_a_valid_tree(rules: Rules) -> None:
    for objective in Objective:
        solution = solve_problem(as_problem(rules), objective, switches=Switches.plain())
        assert score(solution) == RANK[objective](twin(rules).optimum())


# Positions and weights


def draw_history(data: st.DataObject, rules: Rules) -> list[tuple[int, str]]:
    """Random shots in order, answered by a random layout."""
    layouts = naive_rows(rules)
    layout = data.draw(st.sampled_from(layouts))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=5))
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


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_position_agrees_with_the_naive_search(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(FAMILIES[family]))
    history = draw_history(data, rules)
    search, shot = naive_search_at(rules, history)
    front = search.optimum(shot)
    for objective in Objective:
        solution = solve(position_of(rules, history), objective)
        assert score(solution) == RANK[objective](front)
        assert solution.layouts == len(search.found)
        assert all(verify(tree) for tree in solution.front or (solution.tree,))
        assert not set(map(rules.board.name, shot)) & set(solution.best_shots)
    assert points(solution) == front


@pytest.mark.parametrize(
    "family",
    [
        "closed",
        "named",
        "open",
    ],
)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_first_shots_of_any_position(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(FAMILIES[family]))
    history = draw_history(data, rules)
    search, shot = naive_search_at(rules, history)
    solution = solve(position_of(rules, history), values=True)
    assert solution.values is not None
    totals = {
        cell: RANK["mean"](search.after(search.found, shot, cell))
        for cell in range(rules.board.cells)
        if cell not in shot
    }
    assert totals == {cell: solution.values[cell] for cell in totals}
    if len({naive.cells_of(layout) for layout in search.found}) > 1:
        best = [cell for cell in totals if totals[cell] == solution.total_misses]
        assert solution.best_shots == tuple(map(rules.board.name, best))


def best_shots_of(
    rules: Rules, objective: str, shots: list[tuple[str, str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Best next shots in a position: found by ``solve``, and expected."""
    history = [(rules.board.cell(name), told) for name, told in shots]
    search, before = naive_search_at(rules, history)
    best = RANK[objective](search.optimum(before))
    expected = [
        rules.board.name(cell)
        for cell in sorted(frozenset().union(*map(naive.cells_of, search.found)) - before)
        if RANK[objective](search.after(search.found, before, cell)) == best
    ]
    found = solve(position_of(rules, history), objective)
    return found.best_shots, tuple(expected)


@pytest.mark.parametrize(
    "shots",
    [
        [("D1", "hit"), ("B1", "hit")],
        [("F1", "hit"), ("D1", "hit")],
    ],
)
def test_best_shots_where_the_cells_hit_break_a_symmetry(shots: list[tuple[str, str]]) -> None:
    """The layouts left are symmetric, the cells shot are not: A1 is a best shot, G1 is none."""
    found, expected = best_shots_of(Rules("1x7", "2,2,2", "sides", "sunk"), "mean", shots)
    assert found == expected


@pytest.mark.parametrize(
    ("rules", "shots"),
    [
        (Rules("1x6", "2,1", "none", "sunk"), [("B1", "miss")]),
        (Rules("1x8", "2,1,1", "corners", "sunk"), [("C1", "sunk")]),
        (Rules("1x7", "3,1", "none", "ship"), [("B1", "miss")]),
        (Rules("3x3", "3,2", "sides", "sunk", "none"), [("C1", "miss"), ("B1", "hit")]),
    ],
    ids=str,
)
def test_best_shots_of_least_total_keep_its_least_worst_case(
    rules: Rules, shots: list[tuple[str, str]]
) -> None:
    """Other shots reach the least total too, but only with a greater worst case."""
    found, expected = best_shots_of(rules, "mean-worst", shots)
    assert found == expected


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_weights_agree_with_the_naive_search(family: str, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([r for r in FAMILIES[family] if len(naive_layouts(r)) < 31]))
    table = DecisionTable.build(rules)
    weights = data.draw(
        st.lists(st.integers(0, 9), min_size=len(table), max_size=len(table)).filter(any)
    )
    weighted = DecisionTable(table.layouts, None, np.array(weights, dtype=np.int64))
    by_number = layouts_by_number(rules)
    numbers = (tuple(sorted(map(int, row))) for row in table.layouts.ships)
    given_weights = {by_number[row]: weight for row, weight in zip(numbers, weights, strict=True)}
    mode, announce, contact = spoken(rules)
    front = naive.Search(
        naive_layouts(rules), mode, announce, contact, weights=given_weights
    ).optimum()
    solution = solve(weighted, "mean")
    assert solution.total_misses == RANK["mean"](front)
    assert solution.weight == sum(weights)
    assert verify(solution.tree)
    assert points(solve(weighted, "pareto")) == front
    plain = PartedSearch(PartedProblem(weighted), switches=Switches.plain())
    assert plain.least().misses == RANK["mean"](front)


# Laws


BOARDS = ["1x8", "1x10", "2x5", "2x6", "3x3", "3x4", "4x4"]
FLEETS = ("2", "3", "2,1", "2,2", "3,1", "3,2", "2,1,1", "2,2,1", "3,2,1", "4,2", "1,1,1", "2,2,2")


@cache
def drawable(contacts: tuple[str, ...], fleets: tuple[str, ...], most: int) -> list[Rules]:
    """Games in mode ``hit`` that have layouts, but not too many."""
    found = []
    for board, fleet, contact in itertools.product(BOARDS, fleets, contacts):
        try:
            rules = Rules(board, fleet, contact)
        except FleetError:
            continue
        if 2 <= count_layouts(rules, most=most + 1) <= most:
            found.append(rules)
    return found


def games(
    contacts: tuple[str, ...], fleets: tuple[str, ...], most: int = 300
) -> st.SearchStrategy[Rules]:
    return st.deferred(lambda: st.sampled_from(drawable(contacts, fleets, most)))


@settings(max_examples=40, deadline=None)
@given(games(("none", "corners"), FLEETS))
def test_more_telling_answers_never_cost_more(rules: Rules) -> None:
    chain = [in_mode(rules, answers) for answers in ("hit", "sunk", "ship")]
    for least in (least_total, least_worst):
        values = [least(game) for game in chain]
        assert values == sorted(values, reverse=True)


@settings(max_examples=30, deadline=None)
@given(games(("sides",), FLEETS, most=60))
def test_announcing_lengths_never_costs_more(rules: Rules) -> None:
    chain = [
        rules, in_mode(rules, "sunk", "none"), in_mode(rules, "sunk", "length"),
        in_mode(rules, "ship"),
    ]  # fmt: skip
    for least in (least_total, least_worst):
        values = [least(game) for game in chain]
        assert values == sorted(values, reverse=True)


@settings(max_examples=25, deadline=None)
@given(games(("none", "corners"), ("2", "2,2", "2,2,2")))
def test_sinkings_tell_nothing_of_equal_ships_of_length_2(rules: Rules) -> None:
    assert least_total(rules) == least_total(in_mode(rules, "sunk"))
    assert least_worst(rules) == least_worst(in_mode(rules, "sunk"))


@settings(max_examples=25, deadline=None)
@given(games(("none", "corners", "sides"), ("1", "1,1", "1,1,1")))
def test_names_tell_nothing_of_equal_ships_of_length_1(rules: Rules) -> None:
    expected = (least_total(rules), least_worst(rules))
    for game in (in_mode(rules, "ship"), in_mode(rules, "sunk")):
        assert (least_total(game), least_worst(game)) == expected


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(GAMES), st.sampled_from(["half", "hits"]))
def test_greedy_rules_never_beat_the_optimum(rules: Rules, rule: str) -> None:
    tree = greedy_tree(rules, rule)
    assert least_total(rules) <= tree.total_misses
    assert least_worst(rules) <= tree.worst_misses


def test_equal_ships_under_sides() -> None:
    """Where ships may touch, sinkings do tell something of equal ships."""
    rules = Rules("3x3", "2,2", "sides")
    assert least_total(rules) == 114
    assert least_total(in_mode(rules, "sunk", "none")) == 99
    assert least_total(in_mode(rules, "sunk", "length")) == 99


# Known answers


def told_by(entry: dict[str, object]) -> str:
    return name_of(known_rules(entry))


@pytest.mark.parametrize(
    "entry", known("trees", answers="sunk") + known("trees", answers="ship"), ids=told_by
)
def test_known_optima(entry: dict[str, object]) -> None:
    rules = known_rules(entry)
    solution = solve(rules, "mean")
    assert (solution.total_misses, solution.status) == (entry["total"], "optimal")
    assert solution.lower_bound == solution.upper_bound == entry["total"]
    if "worst" in entry:
        assert solve(rules, "worst").worst_misses == entry["worst"]


def test_figures_of_the_main_fleet() -> None:
    solution = solve(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "mean")
    assert solution.total_misses == 2490
    assert solution.states <= 40_000
    assert solve(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "worst").worst_misses == 3


# Shortcuts that hold elsewhere and not here


CERTAIN_HITS_CAN_WAIT = [
    ("1x6", "3,2", 2, 3), ("1x9", "2,2,2,2", 2, 4), ("2x3", "2,2", 11, 12),
    ("2x3", "2,2,1", 13, 14), ("2x4", "2,2,2", 27, 29), ("1x9", "3,2,2", 24, 26),
]  # fmt: skip


@pytest.mark.parametrize("announce", ["none", "length"])
@pytest.mark.parametrize(("board", "fleet", "free", "first"), CERTAIN_HITS_CAN_WAIT)
def test_certain_hits_are_not_shot_first_in_the_open_mode(
    board: str, fleet: str, announce: str, free: int, first: int
) -> None:
    """Shooting a certain hit early gives away what its answer would have told later."""
    rules = Rules(board, fleet, "sides", "sunk", announce)
    found, (mode, _, contact) = naive_layouts(rules), spoken(rules)
    at_once = naive.Search(found, mode, announce, contact, certain_first=True)
    assert RANK["mean"](at_once.optimum()) == first
    assert solve(rules).total_misses == free


def test_a_certain_hit_can_be_a_bad_shot() -> None:
    rules = Rules("1x7", "2,2,2", "sides", "sunk")
    position = Position.read(rules, [("D1", "hit"), ("B1", "hit")])
    assert as_problem(position).certain == rules.board.mask([1, 3, 5])
    solution = solve(position, values=True)
    assert solution.values is not None
    assert solution.values[5] == 3
    assert solution.total_misses == 2
    assert "F1" not in solution.best_shots


@pytest.mark.parametrize("announce", ["none", "length"])
@pytest.mark.parametrize("board", ["1x8"])
def test_a_free_hit_may_part_what_the_columns_would_bound(board: str, announce: str) -> None:
    """Where a certain hit is due, the path of all misses is no bound: 5 is too much here."""
    rules = Rules(board, "3,3", "sides", "sunk", announce)
    assert parted_search(rules).least().misses == 4
    assert parted_search(rules, switches=Switches.plain()).least().misses == 4


@pytest.mark.parametrize("announce", ["none", "length"])
def test_the_order_of_shots_matters_in_the_open_mode(announce: str) -> None:
    rules = Rules("3x3", "3,2", "sides", "sunk", announce)
    sunk = "sunk" if announce == "none" else "sunk:2"
    told = {
        order: len(as_problem(Position.read(rules, order)))
        for order in [
            (("C3", "hit"), ("B3", sunk), ("A3", "hit")),
            (("C3", "hit"), ("A3", "hit"), ("B3", sunk)),
        ]
    }
    assert list(told.values()) == ([1, 9] if announce == "none" else [1, 2])


@pytest.mark.parametrize(
    "rules",
    [
        Rules("5x5", "3,2,2,1,1,1", "none", "sunk"),
        Rules("3x3", "3,1,1", "none", "sunk"),
        Rules("3x4", "2,1,1", "none", "sunk"),
        Rules("3x3", "2,1", "none", "ship"),
        Rules("3x3", "3,2", "sides", "sunk"),
        Rules("3x3", "3,2", "sides", "ship"),
    ],
    ids=name_of,
)
def test_the_counting_bound_is_not_used(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """It exceeds the true optimum where an answer has more than two values."""
    problem = as_problem(rules)
    undetermined = rules.fleet.cells - problem.certain.bit_count()
    counting = counting_total(len(set(problem.rows.tolist())), undetermined)
    optimum = parted_search(rules).least().misses
    assert optimum < counting
    monkeypatch.setattr(search_module, "_WORK", 1)
    stopped = solve(rules, stop=lambda: True)
    assert stopped.lower_bound <= optimum <= stopped.upper_bound


@pytest.mark.parametrize("rules", CLOSED + NAMED, ids=name_of)
def test_the_bound_by_words_never_exceeds_the_optimum(rules: Rules) -> None:
    """Asked of the whole game where no hit is certain, so that it is a closed sub-table."""
    problem, front = PartedProblem(DecisionTable.build(rules)), twin(rules).optimum()
    search, n, ships = parted_search(rules), len(problem), rules.fleet.cells
    if problem.certain:
        return
    ways = bounds.patterns_left(
        *(0, np.uint64(0), problem.ships, search.lengths, problem.mode, search.patterns)
    )
    total, worst = (
        bounds.words_bound(n, n, ways, ships, 1, 1, objective, search.reach) for objective in (0, 1)
    )
    assert 0 <= total <= front[-1][1]
    assert 0 <= worst <= front[0][0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_sinking_patterns_are_an_upper_bound(fleet: list[int], data: st.DataObject) -> None:
    """Every order in which the cells of some ships may be hit, some of them hit already."""
    hit = [data.draw(st.integers(0, length - 1)) for length in fleet]
    left = [length - done for length, done in zip(fleet, hit, strict=True)]
    told = set()
    for order in set(itertools.permutations([d for d, n in enumerate(left) for _ in range(n)])):
        counts = [order[: i + 1].count(d) == left[d] for i, d in enumerate(order)]
        told.add(tuple(counts))
    lengths = tuple(sorted(fleet, reverse=True))
    bound = answer_search.sinking_patterns(lengths)[(1 << len(fleet)) - 1, sum(hit)]
    assert len(told) <= bound
    assert sum(hit) or len(told) == bound or len(set(fleet)) > 1


# Growth, interruption, keys


@pytest.mark.parametrize("rules", LARGE, ids=name_of)
def test_growing_and_interrupted_work_change_nothing(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = parted_search(rules)
    monkeypatch.setattr(search_module, "_WORK", 1)
    seen: list[Snapshot] = []
    pieces = parted_search(rules, limits=Limits(report=seen.append))
    pieces.table = pieces._empty_table(4)
    pieces.arena = pieces.arena[:1].copy()
    pieces.arena_masks = pieces.arena_masks[:1].copy()
    for allowed in (UNLIMITED, WORST_CASE, LARGE[rules][1]):
        assert pieces.least(allowed=allowed) == expected.least(allowed=allowed)
    assert len(pieces.table) > 4
    assert len(pieces.arena) > 4
    assert len(pieces.arena_masks) == len(pieces.arena)
    assert seen
    assert seen[-1].states <= pieces.states


@pytest.mark.parametrize(
    "rules",
    [Rules("4x4", "3,2,1", "none", "sunk"), Rules("3x4", "2,2,1", "corners", "sunk")],
    ids=name_of,
)
def test_two_word_keys_agree_with_one_word_keys(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = PartedProblem(DecisionTable.build(rules))
    one = PartedSearch(problem)
    monkeypatch.setattr(problem, "two_words", True)
    two = PartedSearch(problem)
    assert one.table.shape[1] == 2
    assert two.table.shape[1] == 3
    for allowed in (UNLIMITED, WORST_CASE, 3, 4, 5, 6):
        assert one.least(allowed=allowed) == two.least(allowed=allowed)
    assert one.states == two.states


def test_closed_keys_of_more_than_40_cells() -> None:
    rules = Rules("6x7", "7", answers="sunk")
    assert PartedProblem(DecisionTable.build(rules)).two_words
    solution = solve(rules)
    assert verify(solution.tree)
    plain = parted_search(rules, switches=replace(Switches(), bounds=False))
    assert plain.least().misses == solution.total_misses == least_total(in_mode(rules, "hit"))


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match=r"answer mode 'ship'.* up to 40 cells"):
        solve(Rules("6x7", "7", answers="ship"))
    # 20 digits of base 20 do not fit in a word, 21 layouts or not; 13 digits of base 13 do.
    with pytest.raises(TooLargeError, match=r"answer mode 'ship'.* smaller fleets"):
        solve(Rules("1x40", [1] * 20, answers="ship"))
    assert solve(Rules("1x26", [1] * 13, answers="ship")).layouts == 14
    monkeypatch.setattr(answer_search, "MOST_OPEN_LAYOUTS", 43)
    with pytest.raises(TooLargeError, match=r"3x3 with 2,2 has 44 layouts: .* up to 43 are solved"):
        solve(Rules("3x3", "2,2", "sides", "sunk"))


@pytest.mark.parametrize("rules", TINY, ids=name_of)
def test_values_of_first_shots_respect_limits_of_misses(rules: Rules) -> None:
    search, twin_search = parted_search(rules), twin(rules)
    for cell in range(rules.board.cells):
        if not naive.occupancy(twin_search.found, rules.board.cells)[cell]:
            continue
        front = twin_search.after(twin_search.found, frozenset(), cell)
        assert search.shot_value(cell, WORST_CASE) == front[0][0]
        for allowed in range(front[-1][0] + 1):
            within = [total for worst, total in front if worst <= allowed]
            value = search.shot_value(cell, allowed)
            if within:
                assert value == min(within)
            else:
                assert not Value(value, 0, False).feasible


def test_families() -> None:
    modes = {
        family: {PartedProblem(DecisionTable.build(rules)).mode for rules in games}
        for family, games in FAMILIES.items()
    }
    assert modes == {"closed": {work.CLOSED_SUNK}, "open": {work.OPEN_SUNK}, "named": {work.NAMED}}
