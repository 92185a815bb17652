"""Lower bounds on the misses of every strategy: below every optimum known, each part by itself."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from twins import naive

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FleetError, SeabattleError
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.placements import placements_of_length
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.search.bounds import counting_total
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.bound import (
    FirstHits,
    beside_ships,
    bound_table,
    by_touches,
    finished,
    miss_bound,
    moves,
)

ATLAS = Path(__file__).parents[3] / "outputs" / "atlas" / "table.json"
SWITCHES: list[dict[str, Any]] = [
    {"show": show, "beside": beside, "first_shots": first_shots}
    for show in (False, True)
    for beside in (False, True)
    for first_shots in (0, 1, 3)
]
BOARDS = ("1x6", "2x3", "3x3", "2x5", "3x4")
FLEETS = ("1", "2", "3", "1,1", "2,1", "3,1", "2,2", "2,1,1", "3,2", "1,1,1", "3,2,1", "2,2,1")
MOST_LAYOUTS = 300
GAMES = [
    rules
    for rules in itertools.starmap(Rules, itertools.product(BOARDS, FLEETS, Contact, AnswerMode))
    if 2 <= count_layouts(rules) <= MOST_LAYOUTS
]
TINY = [
    Rules(*game)
    for game in itertools.product(
        ("1x6", "2x3", "3x3"), ("1,1", "2", "2,1", "2,2", "3,2"), Contact, AnswerMode
    )
    if 2 <= count_layouts(Rules(*game)) <= 24
]


@cache
def atlas() -> list[dict[str, Any]]:
    """Rows of the atlas."""
    return list(json.loads(ATLAS.read_text())["rows"])


def atlas_rules(row: dict[str, Any]) -> Rules:
    """The game of a row."""
    return Rules(row["board"], row["fleet"], contact="none", answers=row["answers"])


def naive_search(rules: Rules) -> naive.Search:
    """The naive search of a game."""
    board = rules.board
    found = naive.layouts(board.rows, board.columns, rules.fleet.lengths, rules.contact.value)
    return naive.Search(found, rules.answers.value, contact=rules.contact.value)


def least_charge(search: naive.Search, charge: Callable[[naive.Layout, int], int]) -> int:
    """Least sum of what misses are charged, over all strategies and all layouts."""

    @cache
    def least(possible: frozenset[naive.Layout], shot: frozenset[int]) -> int:
        occupancies = {naive.cells_of(layout) for layout in possible}
        if len(occupancies) == 1:
            return 0
        costs = []
        for cell in frozenset().union(*occupancies) - shot:
            parts = search.parts(possible, shot, cell)
            paid = sum(charge(layout, cell) for layout in parts.get("miss", ()))
            costs.append(paid + sum(least(part, shot | {cell}) for part in parts.values()))
        return min(costs)

    return least(search.found, frozenset())


def most_finished(search: naive.Search, misses: int) -> int:
    """Most layouts that a strategy finishes with at most so many misses."""

    @cache
    def most(possible: frozenset[naive.Layout], shot: frozenset[int], misses: int) -> int:
        if misses < 0:
            return 0
        occupancies = {naive.cells_of(layout) for layout in possible}
        if len(occupancies) == 1:
            return len(possible)
        return max(
            sum(
                most(part, shot | {cell}, misses - (told == "miss"))
                for told, part in search.parts(possible, shot, cell).items()
            )
            for cell in frozenset().union(*occupancies) - shot
        )

    return most(search.found, frozenset(), misses)


# The bound


@pytest.mark.parametrize(
    "games",
    [pytest.param(GAMES[::12], id="some"), pytest.param(GAMES, id="all", marks=pytest.mark.slow)],
)
def test_never_above_the_optimum_of_small_games(games: list[Rules]) -> None:
    sharp = 0
    for rules in games:
        best = solve(rules).total_misses
        for switches in SWITCHES:
            bound = miss_bound(rules, **switches)
            assert bound.total_misses <= best, (rules, switches)
            assert bound.layouts == count_layouts(rules)
        sharp += bound.total_misses == best
    assert sharp > len(games) // 5


@settings(max_examples=25, deadline=None)
@given(
    board=st.sampled_from(["3x3", "2x6", "3x5", "4x4", "1x9"]),
    lengths=st.lists(st.integers(1, 3), min_size=1, max_size=4),
    contact=st.sampled_from(Contact),
    answers=st.sampled_from(AnswerMode),
    switches=st.sampled_from(SWITCHES),
)
def test_never_above_the_optimum_of_drawn_games(
    board: str, lengths: list[int], contact: str, answers: str, switches: dict[str, Any]
) -> None:
    assume(sum(lengths) <= Board.parse(board).cells)
    rules = Rules(board, lengths, contact=contact, answers=answers)
    if 1 <= count_layouts(rules, most=400) <= 400:
        assert miss_bound(rules, **switches).total_misses <= solve(rules).total_misses


@pytest.mark.parametrize("row", atlas()[::7], ids=lambda row: f"{row['board']} {row['fleet']}")
def test_never_above_the_atlas(row: dict[str, Any]) -> None:
    bound = miss_bound(atlas_rules(row), first_shots=1)
    assert bound.layouts == row["layouts"]
    assert bound.total_misses <= row["total_misses"]


@pytest.mark.slow
def test_never_above_the_whole_atlas() -> None:
    for row in atlas():
        assert miss_bound(atlas_rules(row)).total_misses <= row["total_misses"], row


def test_each_argument_only_raises_the_bound() -> None:
    for rules in GAMES[::30]:
        found = {tuple(s.values()): miss_bound(rules, **s).mean_misses for s in SWITCHES}
        for (show, beside, first), mean in found.items():
            assert found[True, beside, first] >= mean
            assert found[show, True, first] >= mean
            if first < 3:
                assert found[show, beside, 3] >= mean


def test_words_alone_are_the_counting_bound_of_mode_hit() -> None:
    for rules in (Rules("5x5", "3,2,2,1,1,1"), Rules("4x5", "2,2", contact="corners")):
        bound = miss_bound(rules, show=False, beside=False, first_shots=0)
        cells = rules.fleet.cells
        assert bound.mean_misses * bound.layouts == counting_total(bound.layouts, cells)


@pytest.mark.parametrize(
    ("fleet", "contact", "answers", "switches", "hidden", "mean"),
    [
        ("russian", "none", "hit", {"show": False, "first_shots": 0}, 10, "36.2030"),
        ("russian", "none", "hit", {"show": False, "first_shots": 1}, 10, "36.2899"),
        ("russian", "none", "sunk", {"show": False, "first_shots": 0}, 10, "16.5795"),
        pytest.param(
            "russian",
            "none",
            "sunk",
            {"beside": False, "first_shots": 0},
            4,
            "21.9412",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "russian", "none", "sunk", {"first_shots": 0}, 4, "29.2103", marks=pytest.mark.slow
        ),
        pytest.param(
            "russian", "none", "ship", {"first_shots": 0}, 4, "29.2103", marks=pytest.mark.slow
        ),
        ("hasbro", "sides", "hit", {"first_shots": 0}, 3, "18.1555"),
        ("hasbro", "sides", "sunk", {"first_shots": 0}, 3, "18.1555"),
        ("hasbro", "sides", "ship", {"first_shots": 0}, 3, "18.1555"),
    ],
)
def test_full_boards(
    fleet: str, contact: str, answers: str, switches: dict[str, Any], hidden: int, mean: str
) -> None:
    rules = Rules("10x10", fleet, contact=contact, answers=answers)
    bound = miss_bound(rules, **switches)
    assert (len(bound.hidden), f"{float(bound.mean_misses):.4f}") == (hidden, mean)
    assert bound.mean_shots - bound.mean_misses == rules.fleet.cells
    assert 0 <= bound.total_misses - bound.mean_misses * bound.layouts < 1


def test_says_what_it_is_made_of() -> None:
    rules = Rules("1x4", "2", answers="sunk")
    assert repr(miss_bound(rules, show=False, first_shots=0)) == (
        "<at least 0.6667 misses on average: 0.6667 to find ships 2, 0.0000 beside no ship; "
        f"{rules}>"
    )
    assert miss_bound(Rules("4x4", "2,1", answers="sunk")).hidden == (1,)


def test_the_table_has_each_argument() -> None:
    rules = Rules("4x4", "2,1,1", answers="sunk")
    title, _, heading, _, *rows = bound_table(rules, first_shots=1).splitlines()
    assert title == f"{rules}: {count_layouts(rules)} layouts"
    assert heading.split() == ["argument", "mean", "misses", "mean", "shots", "ships", "hidden"]
    means = [float(row.split()[-3]) for row in rows]
    assert means == sorted(means)
    assert means[-1] == pytest.approx(float(miss_bound(rules, first_shots=1).mean_misses), abs=1e-4)


def test_bad_input() -> None:
    with pytest.raises(FleetError, match="no layout"):
        miss_bound(Rules("2x2", "2,2", contact="none"))
    with pytest.raises(TypeError, match="give Rules"):
        miss_bound("10x10")  # type: ignore[arg-type]
    with pytest.raises(SeabattleError, match="first_shots"):
        miss_bound(Rules("3x3", "2"), first_shots=-1)


# Its parts


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_no_strategy_finishes_more_layouts_than_there_are_words(rules: Rules) -> None:
    search = naive_search(rules)
    for misses in range(6):
        most = most_finished(search, misses)
        assert most <= finished(rules, rules.fleet.lengths, misses)


def test_words_never_become_fewer() -> None:
    board = Board(10, 10)
    for hidden in [(), (1,), (3, 2), (5, 4, 3, 3, 2)]:
        counts = [by_touches(board, hidden, misses) for misses in range(30)]
        assert counts == sorted(counts)


@pytest.mark.parametrize("rules", TINY, ids=str)
def test_misses_beside_ships_cannot_be_fewer(rules: Rules) -> None:
    halos = {
        frozenset(ship.cells): ship.halo(rules.contact)
        for length in rules.fleet.counts
        for ship in placements_of_length(rules.board, length)
    }
    search = naive_search(rules)
    for length in rules.fleet.counts:

        def beside(layout: naive.Layout, cell: int, length: int = length) -> int:
            return any(len(ship) == length and halos[ship] >> cell & 1 for ship in layout)

        assert beside_ships(rules, length) <= least_charge(search, beside)


def test_misses_beside_ships_are_all_of_them_in_one_row() -> None:
    # One ship in a row of n cells: each placement and the next cost a miss, at an end of one.
    for length in (1, 2, 3):
        for cells in range(length + 1, 9):
            rules = Rules(f"1x{cells}", [length], answers="sunk")
            assert beside_ships(rules, length) == Fraction(cells - length)


def test_moves_are_those_whose_cells_forbid_each_other() -> None:
    for contact in Contact:
        rules = Rules("4x4", "3", contact=contact)
        ships = {s.mask: s.halo(contact) for s in placements_of_length(rules.board, 3)}
        right = {
            frozenset((one, other))
            for one, other in itertools.combinations(ships, 2)
            if contact is not Contact.SIDES
            and (one & ~other) & ~ships[other] == 0
            and (other & ~one) & ~ships[one] == 0
        }
        assert {frozenset(move) for move in moves(rules, 3)} == right


@pytest.mark.parametrize("contact", list(Contact))
def test_first_hits_are_those_of_the_best_set(contact: str) -> None:
    for board, fleet in [("3x4", "2,1"), ("4x4", "3,1,1"), ("2x7", "2,2"), ("3x3", "3,3")]:
        rules = Rules(board, fleet, contact=contact)
        layouts = naive.layouts(
            rules.board.rows, rules.board.columns, rules.fleet.lengths, rules.contact.value
        )
        occupied = [naive.cells_of(layout) for layout in layouts]
        hits = FirstHits(rules)
        for shots in (1, 2, 3):
            most = max(
                sum(1 for cells in occupied if not cells.isdisjoint(chosen))
                for chosen in itertools.combinations(range(rules.board.cells), shots)
            )
            assert hits.most(shots) == most
            for searched in range(1, shots + 1):
                assert hits.bound(shots, searched) >= most
