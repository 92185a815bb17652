"""Lower bounds on the misses of every strategy: below every optimum known, each part by itself."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import pytest
from twins import naive

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.bound import beside_ships, first_hits, miss_bound

ATLAS = Path(__file__).parents[3] / "outputs" / "atlas" / "table.json"
SWITCHES: list[dict[str, Any]] = [
    {"show": show, "beside": beside, "first_shots": first_shots}
    for show in (False, True)
    for beside in (False, True)
    for first_shots in (False, True)
]
BOARDS = ("1x6", "2x3", "3x3", "2x5", "3x4")
FLEETS = ("1", "2", "3", "1,1", "2,1", "3,1", "2,2", "2,1,1", "3,2", "1,1,1", "3,2,1", "2,2,1")
MOST_LAYOUTS = 300


def small_games() -> list[Rules]:
    """Every game of these boards and fleets with so few layouts."""
    games = itertools.starmap(Rules, itertools.product(BOARDS, FLEETS, Contact, AnswerMode))
    return [rules for rules in games if 2 <= count_layouts(rules) <= MOST_LAYOUTS]


@cache
def atlas() -> list[dict[str, Any]]:
    """Rows of the atlas whose ships are lines, as the bound needs them."""
    rows = json.loads(ATLAS.read_text())["rows"]
    return [row for row in rows if atlas_rules(row).fleet.all_lines]


def atlas_rules(row: dict[str, Any]) -> Rules:
    """The game of a row."""
    return Rules(row["board"], row["fleet"], contact="none", answers=row["answers"])


# The bound


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_never_above_the_optimum_of_small_games(every: int) -> None:
    games, sharp = small_games()[::every], 0
    for rules in games:
        best = solve(rules).total_misses
        for switches in SWITCHES:
            bound = miss_bound(rules, **switches)
            assert bound.total_misses <= best, (rules, switches)
            assert bound.layouts == count_layouts(rules)
        sharp += bound.total_misses == best
    assert sharp > len(games) // 5


@pytest.mark.parametrize("row", atlas()[::7], ids=lambda row: f"{row['board']} {row['fleet']}")
def test_never_above_the_atlas(row: dict[str, Any]) -> None:
    bound = miss_bound(atlas_rules(row))
    assert bound.layouts == row["layouts"]
    assert bound.total_misses <= row["total_misses"]


def test_words_alone_are_the_counting_bound_of_mode_hit() -> None:
    for rules in (Rules("5x5", "3,2,2,1,1,1"), Rules("4x5", "2,2", contact="corners")):
        bound = miss_bound(rules, show=False, beside=False, first_shots=False)
        n, h = bound.layouts, rules.fleet.cells
        at_least = sum(max(0, n - comb(k + h, k)) for k in range(n))
        assert bound.mean_misses * n == at_least


@pytest.mark.parametrize(
    ("fleet", "contact", "answers", "switches", "hidden", "mean"),
    [
        ("russian", "none", "hit", {"show": False}, 10, "36.3235"),
        ("russian", "none", "sunk", {"show": False, "first_shots": False}, 10, "16.8439"),
        pytest.param("russian", "none", "sunk", {}, 4, "29.2103", marks=pytest.mark.slow),
        ("hasbro", "sides", "sunk", {"first_shots": False, "boards": 0}, 3, "18.9113"),
        pytest.param(
            "hasbro", "sides", "sunk", {"first_shots": False}, 3, "20.4718", marks=pytest.mark.slow
        ),
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


def test_counting_keeps_the_limit_of_memory() -> None:
    game = Rules("10x10", "5,4,3", "sides")
    for switches in SWITCHES:
        with pytest.raises(TooLargeError, match="raise --memory-limit"):
            miss_bound(game, memory_limit=1e-4, **switches)
    with pytest.raises(TooLargeError, match="raise --memory-limit"):
        first_hits(game, lambda: None, 1e-4)
    with pytest.raises(TooLargeError, match="raise --memory-limit"):
        beside_ships(replace(game, contact=Contact.NONE), 5, lambda: None, 1e-4)


@pytest.mark.parametrize("contact", list(Contact))
def test_first_hits_are_those_of_the_best_cells(contact: Contact) -> None:
    for board, fleet in [("3x4", "2,1"), ("4x4", "3,1,1"), ("2x7", "2,2"), ("3x3", "3,3")]:
        rules = Rules(board, fleet, contact)
        names = rules.board.rows, rules.board.columns, rules.fleet.lengths, rules.contact.value
        occupied = list(map(naive.cells_of, naive.layouts(*names)))
        most = tuple(
            max(
                sum(1 for cells in occupied if not cells.isdisjoint(chosen))
                for chosen in itertools.combinations(range(rules.board.cells), shots)
            )
            for shots in (1, 2)
        )
        assert first_hits(rules, lambda: None) == most
