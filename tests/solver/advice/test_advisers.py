"""Advice: what it says of large boards, of little time, of strategy files, and beside hits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from laws.games import MIDDLE, Game, games, law
from twins import naive

from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import CounterAdviser, Method, StrategyAdviser, advise
from seabattle.solver.players.registry import make_player
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.strategy import Strategy


@law(40)
@given(games(size=MIDDLE, modes=("hit",), priors=False, over=True))
def test_advice_by_the_map(game: Game) -> None:
    """The likeliest cells; beside hits that lead nowhere yet, the likeliest of their neighbours."""
    advice = CounterAdviser(game.rules, time_limit=0).advise(game.position)
    counts = naive.occupancy(game.possible, game.cells)
    assert advice.map.cells == tuple(counts)
    assert (advice.ships is not None) == (len(game.possible) == 1)
    open_cells = [cell for cell in range(game.cells) if cell not in game.shot]
    if advice.over:
        return
    most = max(counts[cell] for cell in open_cells)
    assert advice.best_cells == tuple(cell for cell in open_cells if counts[cell] == most)
    beside = game.rules.beside
    near = [cell for cell in open_cells if beside[cell] & game.position.hit_mask]
    most = max((counts[cell] for cell in near), default=0)
    assert list(advice.beside_hits) in ([], [cell for cell in near if counts[cell] == most])


def test_a_large_board_is_advised_by_its_map() -> None:
    adviser = CounterAdviser(Rules("10x10", "russian", answers="sunk"))
    document = adviser.advise(Position(adviser.rules)).document()
    assert document["layouts"] == 1855545978831780
    assert document["method"] == "greedy-map"
    assert document["best"] == ["C1", "H1", "A3", "J3", "A8", "J8", "C10", "H10"]
    assert "total_misses" not in document


def test_no_cell_is_beside_a_hit_where_the_ships_hit_are_known_to_be_sunk() -> None:
    rules = Rules("6x6", "3,2,2", "sides", "sunk")
    known = Position.of_cells(rules, sunk=["A1:A3"], miss=["F6"])
    assert CounterAdviser(rules, time_limit=0).advise(known).beside_hits == ()


def test_exact_play_that_takes_too_long_is_given_up_and_said() -> None:
    rules = Rules("6x6", "2,2")
    adviser = CounterAdviser(rules, time_limit=1e-6)
    advice = adviser.advise(Position(rules))
    assert advice.method is Method.GREEDY_MAP
    assert advice.best_cells == advice.map.best_cells
    assert "exact play was not found within 1e-06 s" in advice.note


def test_a_player_is_asked_until_the_optimal_shot_is_known(tmp_path: Path) -> None:
    rules = Rules("10x10", "hasbro", answers="sunk")
    adviser, player = CounterAdviser(rules, player="odds"), make_player("odds", rules)
    start = Position.in_order(rules, "E5 miss, G3 hit")
    advice, by_map = adviser.advise(start), advise(start)
    assert (advice.method, advice.player) == (Method.PLAYER, "odds")
    assert advice.best_cells == (player.shoot(start),)
    assert (advice.map.cells, advice.layouts) == (by_map.map.cells, by_map.layouts)
    document = advice.document()
    assert (document["method"], document["player"]) == ("player", "odds")
    assert ("method", "player odds") in advice.facts()
    assert "player" not in by_map.document()

    small = Rules("4x4", "3,2,1", answers="sunk")
    known = Position.in_order(small, "B2 miss")
    assert advise(known, player="odds") == advise(known)
    assert advise(known, player="odds", time_limit=0).player == "odds"
    file = build_strategy(small, tmp_path / "file", complete=True)
    otherwise = CounterAdviser(small, player="odds", time_limit=0)
    assert StrategyAdviser(file, otherwise).advise(known).method is Method.OPTIMAL


def test_no_player_is_asked_once_the_game_is_over() -> None:
    rules = Rules("20x20", "3,2", answers="sunk")  # which is estimated
    over = Position.of_cells(rules, sunk=["A1:A3", "D4:E4"])
    advice = CounterAdviser(rules, player="random").advise(over)
    assert (advice.over, advice.method, advice.player) == (True, Method.ESTIMATED_MAP, "")


def test_what_a_player_believes_is_named_with_it() -> None:
    rules = Rules("10x10", "hasbro", answers="sunk")
    asked = CounterAdviser(rules, player="greedy-map@people").advise(Position(rules))
    assert asked.best_cells[0] in advise(rules, prior="people").best_cells
    with pytest.raises(PlayerError, match="greedy-map@people"):
        CounterAdviser(rules, player="greedy-map", prior="people")
    with pytest.raises(PlayerError, match="did you mean rollout"):
        advise(rules, player="rolout")
    with pytest.raises(PlayerError, match="answers are 'hit'"):
        advise(Rules("10x10", "hasbro", answers="hit"), player="odds")
    with pytest.raises(PlayerError, match="failed"):
        advise(rules, player=lambda position: 1 // 0)


@pytest.mark.parametrize("mode", ["hit", "sunk"])
def test_a_file_advises_as_exact_play_does(tmp_path: Path, mode: str) -> None:
    rules = Rules("4x4", "3,2,1", answers=mode)
    strategy = build_strategy(rules, tmp_path / "file", complete=True)
    adviser = StrategyAdviser(Strategy.open(strategy.path), CounterAdviser(rules))
    for shots in ("B2 miss", "A1 miss, D4 hit", "C1 miss, A3 hit, A2 miss"):
        position = Position.in_order(rules, shots)
        found, expected = adviser.advise(position), adviser.otherwise.advise(position)
        assert found.method is expected.method is Method.OPTIMAL
        assert found.total_misses == expected.total_misses
        assert (found.best_cells, found.note) == (expected.best_cells, "")


def test_positions_outside_a_file_are_advised_by_counting(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    build_strategy(Rules("4x4", "3,2,1", answers="sunk"), tmp_path / "few")
    game = ("--board", "4x4", "--fleet", "3,2,1", "--answers", "sunk", "--json", "--strategy",
            str(tmp_path / "few"))  # fmt: skip
    status, out, err = run("advise", *game)
    assert (status, err) == (0, "")
    held = json.loads(out)
    assert held["method"] == "optimal"
    assert "note" not in held
    status, out, _ = run("advise", *game, "--miss", "B2,C3,C2")
    assert status == 0
    assert "does not hold this position" in json.loads(out)["note"]
