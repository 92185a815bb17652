"""Advice from strategy files agrees with exact play, and falls back where the file ends."""

import json

import pytest

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import CounterAdviser, Method, StrategyAdviser
from seabattle.solver.players import exact_map
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.strategy import Strategy


@pytest.fixture(scope="module", params=["hit", "sunk"])
def adviser(request, tmp_path_factory):
    rules = Rules("4x4", "3,2,1", answers=request.param)
    path = tmp_path_factory.mktemp("strategies") / request.param
    build_strategy(rules, path, complete=True)
    return StrategyAdviser(Strategy.open(path), CounterAdviser(rules))


@pytest.mark.parametrize("shots", ["", "B2 miss", "A1 miss, D4 hit", "C1 miss, A3 hit, A2 miss"])
def test_a_file_advises_as_exact_play_does(adviser, shots):
    rules = adviser.strategy.rules
    position = Position.in_order(rules, shots) if shots else Position(rules)
    found = adviser.advise(position)
    expected = adviser.otherwise.advise(position)
    assert found.method is expected.method is Method.OPTIMAL
    assert found.total_misses == expected.total_misses
    assert found.best_cells == expected.best_cells
    assert found.note == ""


def test_positions_outside_a_file_are_advised_by_counting(run, tmp_path):
    rules = Rules("4x4", "3,2,1", answers="sunk")
    build_strategy(rules, tmp_path / "few")
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
    status, _, err = run("advise", *game[:-1], str(tmp_path / "none"))
    assert status == 2
    assert "none" in err


def test_exact_plays_a_strategy_file(run, adviser, monkeypatch):
    rules = adviser.strategy.rules
    file = str(adviser.strategy.path)
    game = ("--board", "4x4", "--fleet", "3,2,1", "--answers", rules.answers.value)
    asked = ("tournament", "--players", "exact", "--layouts", "all", "--workers", "1")
    status, out, err = run(*asked, *game, "--strategy", file, "--json")
    assert (status, err) == (0, "")
    (score,) = json.loads(out)["players"]
    assert score["player"] == "exact"
    assert score["total_misses"] == adviser.strategy.value
    monkeypatch.setattr(exact_map, "MOST_SOLVED", 10)  # what is solved needs no limit
    assert run(*asked, *game, "--strategy", file, "--json")[0] == 0
    status, _, err = run(*asked, *game)
    assert (status, err.count("\n")) == (2, 1)
    assert "the optimal tree is looked for among at most 10 layouts" in err
    status, _, err = run(*asked, "--board", "3x3", "--fleet", "2,1", "--strategy", file)
    assert status == 2
    assert "strategy file" in err
    assert err.count("\n") == 1
