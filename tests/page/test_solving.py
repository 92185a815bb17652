"""The page solves games as the library does: values, keys, sub-tables, trees."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.known_answers import known
from support.page_desk import Desk

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.search.greedy import play_greedily
from seabattle.solver.search.solve import solve
from seabattle.trees.files import load_tree
from seabattle.trees.verify import require_valid

TABLE_SLOTS = 1 << 18
GOALS = ("total", "worst", "lost")
GAME_FIELDS = ("board", "fleet", "contact", "answers")
GAMES = known("signature")


@pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: "-".join(map(str, list(game.values())[:6]))
)
def test_the_signature(page: Desk, game: Mapping[str, Any]) -> None:
    """In a table that does not grow: the same values, keys and sub-tables as natively."""
    found = page.ask(
        "signature",
        {name: game[name] for name in GAME_FIELDS},
        goal=GOALS.index(game["goal"]),
        limit=game["miss_limit"],
        slots=TABLE_SLOTS,
    )
    assert found == [game["misses"], game["keys"], game["sub_tables"]]


FORMS = "2x2", "xx/x."


def any_game(rng: random.Random) -> Rules:
    """A small game of any rules, ships of any form among them, some with blocked cells."""
    while True:
        rows, columns = rng.randint(2, 4), rng.randint(3, 4)
        ships = [rng.choice(("1", "2", "2", "3", *FORMS)) for _ in range(rng.randint(1, 3))]
        try:
            rules = Rules(
                f"{rows}x{columns}",
                ",".join(ships),
                rng.choice(("none", "corners", "sides")),
                rng.choice(("hit", "sunk", "ship")),
                rng.choice(("length", "none")),
                blocked=["B2"] if rng.random() < 0.2 else (),
            )
            if 2 <= solve(rules, threads=1).layouts <= 150:
                return rules
        except ValueError:
            continue


def checked(document: Mapping[str, Any], folder: Path) -> None:
    """The tree file is valid: its costs are recomputed from the rules."""
    path = folder / "tree.json"
    path.write_text(document["file"], encoding="utf-8")
    tree = load_tree(path)
    require_valid(tree)
    assert (tree.total_misses, tree.worst_misses) == (document["total"], document["worst"])
    assert tree.objective == document["objective"]
    assert tree.status == document["status"]


def distribution_of(found: Mapping[str, Any]) -> dict[int, int]:
    return {misses: many for misses, many in enumerate(found["distribution"]) if many}


def test_small_games_of_all_rules(page: Desk, tmp_path: Path) -> None:
    """The optimum, all first shots and greedy play, as the library says; the tree is verified."""
    rng = random.Random(65)
    for _ in range(12):
        rules = any_game(rng)
        found = page.ask("solve", rules.document())
        solved = solve(rules, threads=1, values=True)
        assert found["status"] == "optimal", rules
        assert (found["layouts"], found["total"]) == (solved.layouts, solved.total_misses), rules
        assert (found["lower"], found["upper"]) == (found["total"], found["total"]), rules
        assert found["values"] == list(solved.values or ()), rules
        for rule in "half", "hits":
            play = play_greedily(rules, rule)
            greedy = found["greedy"][rule]
            assert (greedy["total"], greedy["worst"]) == (play.total_misses, play.worst_misses)
            assert distribution_of(greedy) == play.distribution, rules
        checked(found, tmp_path)


def test_other_objectives(page: Desk, tmp_path: Path) -> None:
    rng = random.Random(7)
    for _ in range(6):
        rules = any_game(rng)
        least = solve(rules, "worst", threads=1).worst_misses
        found = page.ask("solve", rules.document(), objective="worst")
        assert (found["status"], found["lower"], found["worst"]) == ("optimal", least, least), rules
        checked(found, tmp_path)
        for within in range(least + 1):
            found = page.ask("solve", rules.document(), objective=f"within:{within}")
            solved = solve(rules, f"within:{within}", threads=1)
            assert found["finished"] == solved.finished, (rules, within)
            if within == least:
                assert found["total"] == solved.total_misses, rules
            checked(found, tmp_path)


@pytest.mark.parametrize("answers", ["hit", "sunk"])
def test_what_first_shots_cost_in_the_worst_case(page: Desk, answers: AnswerMode) -> None:
    """The worst of what each answer leaves, and a miss where it is one."""
    rules = Rules("3x4", "2,1", answers=answers)

    def worst(cell: int, code: int) -> int:
        try:
            return (code == MISS) + solve(Position(rules, ((cell, code),)), "worst").worst_misses
        except PositionError:  # no layout answers so
            return 0

    found = page.ask("solve", rules.document(), objective="worst")
    assert found["values"] == [
        max(worst(cell, code) for code in possible_answers(rules)) for cell in range(12)
    ]


def test_games_in_progress(page: Desk, tmp_path: Path) -> None:
    rules = Rules("4x4", "3,2,1", "sides", "sunk")
    position = Position.in_order(rules, "C3 hit, A1 miss, C2 sunk=2")
    found = page.ask("solve", {**position.rules.document(), **position.shot_fields()})
    solved = solve(position, threads=1)
    assert (found["status"], found["total"]) == ("optimal", solved.total_misses)
    checked(found, tmp_path)


def test_advice_plays_exactly_as_long_as_the_core_proves_it(page: Desk) -> None:
    """On 6x6 with one ship of four, from the first shot on, and with a limit of misses, too."""
    rules = Rules("6x6", "4")
    found = page.ask("advise", rules.document())
    solved = solve(rules, threads=1)
    assert (found["method"], found["total_misses"]) == ("optimal", solved.total_misses)
    assert set(found["best"]) == set(solved.best_shots)
    least = page.ask("advise", rules.document(), within=4)
    within = solve(rules, "within:4", threads=1)
    assert least["finishes"] == within.finished / within.weight


def test_what_is_stopped_keeps_its_best_tree_and_the_gap(page: Desk, tmp_path: Path) -> None:
    rules = Rules("5x5", "3,2,1")
    found = page.ask("solve", rules.document(), stopped_after=20)
    greedy = min(play_greedily(rules, rule).total_misses for rule in ("half", "hits"))
    assert found["status"] == "bounded"
    assert 0 < found["lower"] <= 31828 <= found["upper"] == found["total"] <= greedy
    checked(found, tmp_path)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ({"fleet": "russian"}, "too many"),
        ({"board": "3x3", "fleet": "3,3,3"}, "no layout"),
        ({"board": "5x5", "fleet": "3,2", "options": {"objective": "best"}}, "objective"),
    ],
)
def test_what_cannot_be_solved_is_refused(page: Desk, game: dict[str, Any], said: str) -> None:
    assert said in page.ask("solve", game, **game.pop("options", {}))["error"]
