"""Advice from strategy files agrees with exact play, and falls back where the file ends."""

import json

import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import StrategyError
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


def test_other_games_are_advised_by_counting(adviser):
    other = Position(Rules("3x3", "2,1", answers=adviser.strategy.rules.answers.value))
    helper = StrategyAdviser(adviser.strategy, CounterAdviser(other.rules))
    found = helper.advise(other)
    assert "another game" in found.note
    assert found.best_cells == CounterAdviser(other.rules).advise(other).best_cells


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


def test_a_position_is_counted_once(adviser, monkeypatch):
    """Whether the file answers, names a certain hit, or leaves it to the other source."""
    counted = []
    plain = Counter.map
    monkeypatch.setattr(
        Counter, "map", lambda counter: counted.append(counter.position) or plain(counter)
    )
    rules = adviser.strategy.rules
    sure = {"sunk": "A1 hit, B1 hit", "hit": "A1 hit, B1 hit, C1 hit, A3 hit, B3 hit, D4 hit"}
    shots = ("B2 miss", sure[rules.answers.value])
    positions = [Position.in_order(rules, text) for text in shots]
    known = adviser.strategy.probe(positions[1])
    assert known.certain or known.best_cell is None
    for position in positions:
        adviser.advise(position)
    assert counted == positions
    monkeypatch.setattr(adviser.strategy, "probe", absent)
    assert "not held" in adviser.advise(positions[0]).note
    assert counted == [*positions, positions[0]]


def absent(position):
    raise StrategyError("not held")


def test_files_that_begin_later_leave_the_beginning_to_counting(tmp_path):
    rules = Rules("4x4", "3,2,1", answers="sunk")
    build_strategy(Position.in_order(rules, "B2 miss"), tmp_path / "later")
    adviser = StrategyAdviser(Strategy.open(tmp_path / "later"), CounterAdviser(rules))
    found = adviser.advise(Position(rules))
    assert found.best_cells == adviser.otherwise.advise(Position(rules)).best_cells
    assert "begins after B2 miss" in found.note
    assert adviser.advise(Position.in_order(rules, "B2 miss")).note == ""


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
