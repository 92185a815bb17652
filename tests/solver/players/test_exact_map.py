"""Players that know every layout: beside the proven optimum, the greedy tree and the counter."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from seabattle.enumerate.errors import PlayerError, PositionError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium import mixed_player
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.players import exact_map
from seabattle.solver.players.player import Player
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.registry import make_player, player_spec
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.solver.tournament.layout_sources import layout_source
from seabattle.solver.tournament.tournament import tournament

SMALL = [
    Rules("4x4", "3,2,1", "none", "hit"),
    Rules("4x4", "3,2,1", "none", "sunk"),
    Rules("3x4", "3,2", "corners", "sunk"),
    Rules("3x4", "2,2,1", "none", "ship"),
    Rules("3x3", "3,2", "sides", "hit"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("3x3", "2,2", "sides", "ship"),
]


def misses_of(player: Player) -> int:
    layouts = enumerate_layouts(player.rules).ships
    return int(player.play_all(layouts).sum()) - player.rules.fleet.cells * len(layouts)


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_exact_meets_the_optimum(rules: Rules) -> None:
    least = solve(rules).total_misses
    assert misses_of(make_player("exact", rules)) == least
    assert misses_of(make_player("greedy-map", rules)) >= least


@pytest.mark.parametrize("rules", [r for r in SMALL if r.contact != "sides"], ids=repr)
def test_greedy_map_is_the_greedy_tree(rules: Rules) -> None:
    assert misses_of(make_player("greedy-map", rules)) == greedy_tree(rules, "hits").total_misses


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_an_endgame_from_the_start_is_optimal(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_map, "SOLVED", 10**6)
    assert misses_of(make_player("map-endgame", rules)) == solve(rules).total_misses


def test_the_counter_and_the_list_shoot_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing from the start, after a while, or not at all plays the same games."""
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    layouts = enumerate_layouts(rules).ships[::200]
    records = []
    for at_once, listed in ((10**6, 0), (0, 100), (0, 0)):
        monkeypatch.setattr(exact_map, "LISTED_AT_ONCE", at_once)
        monkeypatch.setattr(exact_map, "LISTED", listed)
        exact_map._all_listed.cache_clear()
        record = np.full((len(layouts), 25), -1, dtype=np.int16)
        make_player("greedy-map", rules).play_all(layouts, record=record)
        records.append(record)
    exact_map._all_listed.cache_clear()
    assert np.array_equal(records[0], records[1])
    assert np.array_equal(records[0], records[2])


@pytest.mark.slow
def test_the_main_fleet_beside_the_optimum() -> None:
    """Every layout of 5x5 once, sinkings told: the figures of the compare command."""
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    result = tournament(rules, ["exact", "greedy-map", "density"], layouts="all")
    exact, greedy, density = (score.misses for score in result.scores)
    assert (exact.total, exact.maximum) == (2490, 3)
    assert (greedy.total, greedy.maximum) == (2595, 4)
    assert density.total > greedy.total
    assert exact.interval == (2490 / 1428, 2490 / 1428)


def test_exact_from_a_position() -> None:
    rules = Rules("4x4", "3,2,1")
    start = Position.of_cells(rules, miss=["B2"], hit=["A1"])
    result = tournament(start, ["exact"], layouts="all")
    assert result.scores[0].misses.total == solve(start).total_misses
    player = make_player("exact", rules)
    foreign = Position.of_cells(rules, miss=["B2", "C2"])
    with pytest.raises(PlayerError, match="plays its own tree, which does not shoot B2 here"):
        player.shoot(foreign)


def test_exact_from_a_position_of_a_game_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left after the shots is few enough; the game from its beginning is not."""
    rules = Rules("4x4", "3,2,1")
    start = Position.in_order(rules, "B2 miss, A1 hit")
    monkeypatch.setattr(exact_map, "MOST_SOLVED", 100)
    with pytest.raises(PlayerError, match="at most 100 layouts"):
        make_player("exact", rules)
    player = make_player("exact", start)
    layouts = enumerate_layouts(rules)
    rows = layouts.ships[fitting(start, layouts) == 1]
    misses = player.play_all(rows, start=start) - (rules.fleet.cells - 1)
    assert misses.sum() == solve(start).total_misses


def test_what_exact_refuses() -> None:
    spec = player_spec("exact")
    assert "out of reach on 100 cells" in spec.why_not(Rules("10x10", "hasbro"))
    assert "at most 6,000 layouts" in spec.why_not(Rules("6x6", "3,2,2,1,1,1"))
    assert spec.why_not(Rules("5x5", "3,2,1", answers="ship")) == ""


# The mixes of the solved game


@pytest.mark.parametrize("answers", ["hit", "sunk"])
def test_the_equilibrium_is_worth_its_value(answers: str) -> None:
    """Mix against mix costs the value, whatever the seed; the best tree gains nothing on it."""
    rules = Rules("4x4", "3,2,1", answers=answers)
    value = float(equilibrium(rules, gap=1e-3).value)
    result = tournament(rules, ["equilibrium", "exact"], layouts="equilibrium", games=4000, seed=3)
    mixed, exact = (score.misses for score in result.scores)
    assert abs(float(mixed.mean) - value) < 4 * mixed.deviation / 4000**0.5 + 1e-3
    assert float(exact.mean) > value - 4 * exact.deviation / 4000**0.5 - 1e-3


def test_the_shooting_mix_is_drawn_as_it_weighs() -> None:
    rules = Rules("3x4", "2,1")
    solved = equilibrium(rules, gap=1e-3)
    player = mixed_player.Mixed(rules, solved)
    games = 4000
    firsts = np.bincount(
        [
            player.shoot(Position(rules), Chance.of(seed=1, player="equilibrium", game=game))
            for game in range(games)
        ],
        minlength=12,
    )
    shares = np.array([float(share) for share in solved.first_shots()])
    spread = np.sqrt(games * shares * (1 - shares))
    assert (np.abs(firsts - games * shares) <= 4 * spread).all()


def test_mixed_layouts_travel_with_their_mixes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process draws what the first process would, without solving the game again."""
    rules = Rules("3x4", "2,1", answers="sunk")
    source = layout_source("equilibrium", Position(rules), seed=5)
    drawn = source.take(0, 50).tolist()
    sent = pickle.dumps(source.prepared(lambda: False))
    monkeypatch.setattr(mixed_player, "_solved", {})
    with pytest.raises(KeyboardInterrupt):
        source.prepared(lambda: True)
    monkeypatch.setattr(mixed_player, "solve_game", None)
    assert pickle.loads(sent).take(0, 50).tolist() == drawn


def test_what_the_equilibrium_refuses() -> None:
    spec = player_spec("equilibrium")
    assert "out of reach on 100 cells" in spec.why_not(Rules("10x10", "russian"))
    assert spec.why_not(Rules("4x4", "3,2", "sides")) != ""
    assert "at most 2,000 layouts" in spec.why_not(Rules("5x5", "3,2,1"))
    rules = Rules("4x4", "3,2,1")
    start = Position.of_cells(rules, miss=["B2"])
    assert "from an empty board" in spec.why_not(rules, start)
    with pytest.raises(PositionError, match="layouts 'equilibrium' of 5x5"):
        layout_source("equilibrium", Position(Rules("5x5", "3,2,1")))
