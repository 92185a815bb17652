"""Who can play a match: said with a reason, quickly, and ready in every thread."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from seabattle.enumerate.errors import PlayerError, PositionError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.opponents import (
    Opponent,
    opponents,
    program_shot,
    require_terms,
    why_no_match,
)
from seabattle.solver.matches.terms import Terms
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.registry import make_player, player_spec, players

GAMES = [
    Rules("4x4", "3,2,1"),
    Rules("5x5", "3,2,2,1,1,1", answers="ship"),
    Rules("6x6", "3,2", answers="sunk"),
    Rules(fleet="hasbro"),
    Rules(fleet="russian", answers="ship"),
    Rules("20x20", "5,4,3", answers="sunk"),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_those_listed_can_be_named_and_the_others_not(rules: Rules) -> None:
    listed = opponents(rules)
    plain = [who.name for who in listed if "@" not in who.name]
    assert plain == [spec.name for spec in players()]
    for who in listed:
        if not who.why_not:
            require_terms(Terms(rules, who.name))
        else:
            with pytest.raises(PlayerError, match=f"player '{who.name}' cannot play"):
                require_terms(Terms(rules, who.name))


def of(rules: Rules) -> dict[str, Opponent]:
    return {who.name: who for who in opponents(rules)}


def test_what_is_said_of_a_full_board() -> None:
    found = of(Rules(fleet="hasbro"))
    assert {name for name, who in found.items() if not who.why_not} == {
        *("random", "hunt-target", "hunt-target-parity", "density", "diagonal", "bob"),
        *("greedy-map", "map-endgame", "greedy-map@people", "map-endgame@people"),
        "lookahead",
    }
    assert not found["greedy-map"].quick
    assert not any("@" in name for name in of(Rules(fleet="russian")))
    assert found["density"].quick
    assert "out of reach on 100 cells" in found["exact"].why_not
    assert "must be told which ship is hit" in found["over-9000"].why_not
    assert found["density"].summary == "the cell covered by the most placements of the ships afloat"


def test_what_is_said_of_a_small_board() -> None:
    found = of(Rules("4x4", "3,2,1", answers="ship"))
    refused = {name for name, who in found.items() if who.why_not}
    assert refused == {"learning", "equilibrium"}
    assert found["greedy-map"].quick
    assert not found["exact"].quick


def test_nobody_waits_for_the_optimal_tree() -> None:
    for rules in (
        Rules("4x5", "2,1", answers="sunk"),
        Rules("5x5", "3,2,2,1,1", answers="sunk"),
        Rules("6x6", "3,2"),
    ):
        spec = player_spec("exact")
        assert not spec.why_not(rules)
        assert why_no_match(spec, rules).startswith("the optimal tree is found in a moment on")
    assert not of(Rules("5x5", "3,2,2,1,1,1", answers="sunk"))["exact"].why_not
    assert not of(Rules("4x4", "2,1", answers="sunk"))["exact"].why_not


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_list_is_made_quickly(rules: Rules) -> None:
    opponents(rules)
    started = time.perf_counter()
    opponents(rules)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("name", ["density", "greedy-map", "exact", "equilibrium"])
def test_a_shot_is_that_of_the_player(name: str) -> None:
    rules = Rules("4x4", "3,2,1")
    if name == "density":
        rules = rules.answering("sunk")
    position, chance = Position(rules), Chance(5)
    player = make_player(name, rules)
    for _ in range(3):
        cell = program_shot(name, position, chance)
        assert cell == player.shoot(position, chance)
        position = position.shoot(cell, "miss")


def test_threads_ask_the_same_player() -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    positions = [Position(rules).shoot(cell, "miss") for cell in range(25)]
    player = make_player("greedy-map", rules)
    expected = [player.shoot(position) for position in positions]
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(program_shot, "greedy-map", p, Chance(1)) for p in positions * 4]
        assert [shot.result() for shot in asked] == expected * 4


def test_bad_input_is_named() -> None:
    with pytest.raises(TypeError, match="position: give a Position"):
        program_shot("density", "A1", Chance(1))  # type: ignore[arg-type]
    with pytest.raises(PlayerError, match="'nobody' is unknown"):
        program_shot("nobody", Position(GAMES[0]), Chance(1))
    everything = Position(Rules("1x2", "1"), ((0, 1), (1, 0)))
    with pytest.raises(PositionError, match="all cells have been shot"):
        program_shot("random", everything, Chance(1))
