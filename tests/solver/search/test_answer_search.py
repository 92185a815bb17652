"""The exact search in modes ``sunk`` and ``ship``: known answers, laws, what holds nowhere else.

Three families are searched differently: *closed* (``sunk`` where ships may not touch side by
side), *open* (``sunk`` under ``sides``) and *named* (``ship``). ``test_exact_search`` has what
holds in every mode.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.known_answers import known, known_rules
from support.search_games import (
    CLOSED,
    FAMILIES,
    GAMES,
    NAMED,
    RANK,
    naive_search_at,
    name_of,
    search_of,
    twin,
)
from twins import naive
from twins.naive_trees import naive_layouts, position_of, spoken

from seabattle.enumerate.errors import FleetError, TooLargeError
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import answer_problem, sinkings
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.bounds import counting_total
from seabattle.solver.search.dispatch import as_problem, make_search
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.kernels import bounds as bounds
from seabattle.solver.search.kernels import work as work
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.verify import verify


def least_total(rules: Rules) -> int:
    """Least total of any game, mode ``hit`` included."""
    return make_search(as_problem(rules)).minimize().misses


def least_worst(rules: Rules) -> int:
    return make_search(as_problem(rules)).minimize(Goal.WORST).misses


def in_mode(rules: Rules, answers: str, announce: str = "length") -> Rules:
    return Rules(rules.board, rules.fleet, rules.contact.value, answers, announce)


# The naive twin


# SearchOptions


# Positions and weights


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


@examples(40)
@given(games(("none", "corners"), FLEETS))
def test_more_telling_answers_never_cost_more(rules: Rules) -> None:
    chain = [in_mode(rules, answers) for answers in ("hit", "sunk", "ship")]
    for least in (least_total, least_worst):
        values = [least(game) for game in chain]
        assert values == sorted(values, reverse=True)


@examples(30)
@given(games(("sides",), FLEETS, most=60))
def test_announcing_lengths_never_costs_more(rules: Rules) -> None:
    chain = [
        rules, in_mode(rules, "sunk", "none"), in_mode(rules, "sunk", "length"),
        in_mode(rules, "ship"),
    ]  # fmt: skip
    for least in (least_total, least_worst):
        values = [least(game) for game in chain]
        assert values == sorted(values, reverse=True)


@examples(25)
@given(games(("none", "corners"), ("2", "2,2", "2,2,2")))
def test_sinkings_tell_nothing_of_equal_ships_of_length_2(rules: Rules) -> None:
    assert least_total(rules) == least_total(in_mode(rules, "sunk"))
    assert least_worst(rules) == least_worst(in_mode(rules, "sunk"))


@examples(25)
@given(games(("none", "corners", "sides"), ("1", "1,1", "1,1,1")))
def test_names_tell_nothing_of_equal_ships_of_length_1(rules: Rules) -> None:
    expected = (least_total(rules), least_worst(rules))
    for game in (in_mode(rules, "ship"), in_mode(rules, "sunk")):
        assert (least_total(game), least_worst(game)) == expected


@examples(30)
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
    at_once = naive.Search(found, mode, announce, contact, certain_hits_first=True)
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
    assert search_of(rules).minimize().misses == 4
    assert search_of(rules, options=SearchOptions.plain()).minimize().misses == 4


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
def test_the_counting_bound_is_not_used(rules: Rules) -> None:
    """It exceeds the true optimum where an answer has more than two values."""
    problem = as_problem(rules)
    undetermined = rules.fleet.cells - problem.certain.bit_count()
    counting = counting_total(len(set(problem.rows.tolist())), undetermined)
    optimum = search_of(rules).minimize().misses
    assert optimum < counting
    stopped = solve_problem(as_problem(rules), limits=Limits(stop=lambda: True, rows_per_step=1))
    assert stopped.lower_bound <= optimum <= stopped.upper_bound


@pytest.mark.parametrize("rules", CLOSED + NAMED, ids=name_of)
def test_the_bound_by_words_never_exceeds_the_optimum(rules: Rules) -> None:
    """Asked of the whole game where no hit is certain, so that it is a closed sub-table."""
    problem, front = AnswerProblem(DecisionTable.build(rules)), twin(rules).optimum()
    search, n, ships = search_of(rules), len(problem), rules.fleet.cells
    if problem.certain:
        return
    ways = bounds.patterns_left(
        *(0, np.uint64(0), problem.ships, search.game.lengths, problem.mode, search.patterns)
    )
    total, worst = (
        bounds.words_bound(n, n, ways, ships, 1, 1, objective, search.reach) for objective in (0, 1)
    )
    assert 0 <= total <= front[-1][1]
    assert 0 <= worst <= front[0][0]


@examples(15)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_sinking_patterns_are_an_upper_bound(fleet: list[int], data: st.DataObject) -> None:
    """Every order in which the cells of some ships may be hit, some of them hit already."""
    hit = [data.draw(st.integers(0, length - 1)) for length in fleet]
    left = [length - done for length, done in zip(fleet, hit, strict=True)]
    told = set()

    def hit_on(rest: tuple[int, ...], sunk: tuple[bool, ...]) -> None:
        if not any(rest):
            told.add(sunk)
        for ship in range(len(rest)):
            if rest[ship]:
                less = (*rest[:ship], rest[ship] - 1, *rest[ship + 1 :])
                hit_on(less, (*sunk, not less[ship]))

    hit_on(tuple(left), ())
    lengths = tuple(sorted(fleet, reverse=True))
    bound = sinkings.sinking_patterns(lengths)[(1 << len(fleet)) - 1, sum(hit)]
    assert len(told) <= bound
    assert sum(hit) or len(told) == bound or len(set(fleet)) > 1


# Growth, interruption, keys


def test_closed_keys_of_more_than_40_cells() -> None:
    rules = Rules("6x7", "7", answers="sunk")
    assert AnswerProblem(DecisionTable.build(rules)).two_words
    solution = solve(rules)
    assert verify(solution.tree)
    plain = search_of(rules, options=replace(SearchOptions(), bounds=False))
    assert plain.minimize().misses == solution.total_misses == least_total(in_mode(rules, "hit"))


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match=r"answer mode 'ship'.* up to 40 cells"):
        solve(Rules("6x7", "7", answers="ship"))
    # 20 digits of base 20 do not fit in a word, 21 layouts or not; 13 digits of base 13 do.
    with pytest.raises(TooLargeError, match=r"answer mode 'ship'.* smaller fleets"):
        solve(Rules("1x40", [1] * 20, answers="ship"))
    assert solve(Rules("1x26", [1] * 13, answers="ship")).layouts == 14
    monkeypatch.setattr(answer_problem, "MOST_OPEN_LAYOUTS", 43)
    with pytest.raises(TooLargeError, match=r"3x3 with 2,2 has 44 layouts: .* up to 43 are solved"):
        solve(Rules("3x3", "2,2", "sides", "sunk"))


def test_families() -> None:
    modes = {
        family: {AnswerProblem(DecisionTable.build(rules)).mode for rules in games}
        for family, games in FAMILIES.items()
        if family != "hit"
    }
    assert modes == {"closed": {work.CLOSED_SUNK}, "open": {work.OPEN_SUNK}, "named": {work.NAMED}}
