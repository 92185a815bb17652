"""Games, tournaments and equilibria as version 0.2.0 played and solved them.

    python tests/solver/test_golden_games.py > tests/known/golden_games.json

writes what the installed program finds; the file in ``tests/known`` has what 0.2.0 found. Games are
kept as the shots of each, and a digest of all cells in the order shot.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle import PLAYERS, Position, Rules, equilibrium, make_player, tournament
from seabattle.solver.players.registry import find_player
from seabattle.solver.tournament.layout_sources import layout_source

KNOWN = Path(__file__).parents[1] / "known" / "golden_games.json"
SMALL = [
    Rules("3x3", "3,1,1", answers="ship"),
    Rules("5x5", "3,2,2,1,1,1"),
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"),
    Rules("4x5", "3,2,2", "sides", "sunk"),
    Rules("4x4", "3,2", "sides", "sunk", "none"),
    Rules("4x5", "3,2,2", "sides", "ship"),
    Rules("6x5", "3,3,2", "corners", "sunk"),
]
FULL = [
    Rules("10x10", "russian", answers="sunk"),
    Rules("10x10", "hasbro", answers="sunk"),
    Rules("10x10", "hasbro", "sides", "ship"),
]
MAPPING = ("greedy-map", "map-endgame", "lookahead", "greedy-map@people")
LATER = ("odds", "rollout")
"""Players that 0.2.0 did not have."""
SOLVING = ("exact", "equilibrium")
"""They play one of several strategies that are equally good, and not always the one of 0.2.0: of
``exact`` what it costs against all layouts is kept, of ``equilibrium`` games where there is one."""

GAMES = 50
EQUILIBRIA = [
    Rules(board, fleet, contact, answers)
    for board, fleet, contact, answers in (
        ("3x3", "2,1", "none", "hit"),
        ("3x3", "3,1,1", "none", "sunk"),
        ("3x3", "2,1", "corners", "sunk"),
        ("1x7", "2,1,1", "none", "hit"),
        ("2x5", "2,2", "corners", "hit"),
        ("3x4", "2,1", "none", "hit"),
        ("3x4", "3,2", "none", "sunk"),
        ("4x4", "2,2,1", "none", "sunk"),
        ("4x4", "3,2,1", "none", "hit"),
        ("4x4", "3,2,1", "none", "sunk"),
        ("4x4", "3,2", "corners", "sunk"),
        ("4x5", "4,2", "none", "hit"),
        ("4x5", "3,2,1", "none", "sunk"),
        ("5x5", "3,2", "none", "sunk"),
        ("5x5", "3,2,2", "none", "sunk"),
    )
]
TOURNAMENTS: list[tuple[Rules, list[str], dict[str, Any]]] = [
    (SMALL[2], ["greedy-map", "density", "exact", "bob"], {"layouts": "all"}),
    (SMALL[6], ["density", "diagonal", "map-endgame"], {"games": 250, "seed": 5}),
    (FULL[2], ["hunt-target", "over-9000", "learning"], {"layouts": "people", "games": 200}),
    (FULL[0], ["random", "bob", "hunt-target-parity"], {"layouts": "sequential", "games": 200}),
    (SMALL[5], ["greedy-map", "lookahead"], {"layouts": "worst-for density"}),
    *[(rules, ["exact"], {"layouts": "all"}) for rules in (SMALL[0], *SMALL[3:])],
]
SLOW_TOURNAMENTS = 0, 1, 4, 6, 8, 9


def game_facts(rules: Rules, name: str) -> dict[str, Any]:
    """Shots of games of one player against uniform layouts, and a digest of the cells shot."""
    games = 4 if rules in FULL and name in MAPPING else GAMES
    ships = layout_source("uniform", Position(rules), 1).take(0, games)
    record = np.full((games, rules.board.cells), -1, dtype=np.int16)
    shots = make_player(name, rules).play_all(ships, seed=1, first_game=0, record=record)
    digest = hashlib.sha256(record.astype("<i2").tobytes()).hexdigest()[:16]
    return {"rules": repr(rules), "player": name, "shots": shots.tolist(), "cells": digest}


def equilibrium_facts(rules: Rules) -> dict[str, Any]:
    """The value and the interval."""
    found = equilibrium(rules)
    return {
        "rules": repr(rules),
        "value": str(found.value) if found.is_exact else None,
        "lower": float(found.lower_bound),
        "upper": float(found.upper_bound),
        "uniform": str(found.uniform_value),
    }


def tournament_facts(rules: Rules, names: list[str], options: dict[str, Any]) -> dict[str, Any]:
    """The table as ``--json`` prints it; of players that solve, what every best strategy costs."""
    document = tournament(rules, names, **options).document()
    del document["seconds"]
    document["players"] = [
        {"player": row["player"], "total_misses": row["total_misses"]}
        if row["player"] in SOLVING
        else row
        for row in document["players"]
    ]
    document["pairs"] = [
        pair for pair in document["pairs"] if not {pair["first"], pair["second"]} & {*SOLVING}
    ]
    return {"options": options, "document": document}


def cases() -> list[tuple[Rules, str]]:
    """Every game of the list, and every player that plays it."""
    return [
        (rules, name)
        for rules in SMALL + FULL
        for name in [*PLAYERS, *(["greedy-map@people"] if rules == FULL[2] else [])]
        if not find_player(name).made.why_not(Position(rules))
        and name not in ("exact", *LATER)
        and (name != "equilibrium" or rules not in SMALL[1:3])
    ]


def slow(rules: Rules, name: str) -> bool:
    """Whether games of a player take more than a second or two."""
    if name in SOLVING:
        return rules.board.cells > 16
    return name in MAPPING and (rules in FULL or name != "greedy-map")


def slow_to_solve(rules: Rules) -> bool:
    """Whether an equilibrium takes more than some seconds."""
    return rules.board.cells > 20 or rules == Rules("4x5", "3,2,1", "none", "sunk")


def marked(values: tuple[Any, ...], after: bool) -> Any:
    return pytest.param(*values, marks=[pytest.mark.slow] if after else [])


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KNOWN.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("rules", "name"), [marked(case, slow(*case)) for case in cases()], ids=str
)
def test_games_are_those_of_020(known: dict[str, Any], rules: Rules, name: str) -> None:
    asked = repr(rules), name
    (right,) = (game for game in known["games"] if (game["rules"], game["player"]) == asked)
    assert game_facts(rules, name) == right


@pytest.mark.parametrize(
    "number", [marked((n,), n in SLOW_TOURNAMENTS) for n in range(len(TOURNAMENTS))]
)
def test_tournaments_are_those_of_020(known: dict[str, Any], number: int) -> None:
    rules, names, options = TOURNAMENTS[number]
    assert tournament_facts(rules, names, options) == known["tournaments"][number]


@pytest.mark.parametrize(
    "rules", [marked((rules,), slow_to_solve(rules)) for rules in EQUILIBRIA], ids=str
)
def test_equilibria_are_those_of_020(known: dict[str, Any], rules: Rules) -> None:
    (right,) = (found for found in known["equilibria"] if found["rules"] == repr(rules))
    found = equilibrium_facts(rules)
    assert (found["value"], found["uniform"]) == (right["value"], right["uniform"])
    # Intervals that are not closed to a point lie about the same value.
    assert found["lower"] == pytest.approx(right["lower"], abs=1e-9 if right["value"] else 1e-6)
    assert found["upper"] == pytest.approx(right["upper"], abs=1e-9 if right["value"] else 1e-6)


def main() -> None:
    """Write everything, a line for each."""
    found: dict[str, list[dict[str, Any]]] = {
        "games": [game_facts(*case) for case in cases()],
        "equilibria": [equilibrium_facts(rules) for rules in EQUILIBRIA],
        "tournaments": [tournament_facts(*each) for each in TOURNAMENTS],
    }
    parts = [f'"{k}": [\n' + ",\n".join(map(json.dumps, v)) + "\n]" for k, v in found.items()]
    print("{\n" + ",\n".join(parts) + "\n}")


if __name__ == "__main__":
    main()
