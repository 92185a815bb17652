"""Luck has mean zero whatever is guessed, and what is left of the misses varies less."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.examples import examples

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.layouts import answers_to, enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.registry import make_player
from seabattle.solver.tournament import luck
from seabattle.solver.tournament.luck import Luck, misses_to_come

GAMES = [
    Rules("3x4", "3,2", "none", "hit"),
    Rules("3x4", "2,2,1", "corners", "sunk"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("3x3", "2,2", "sides", "sunk", "none"),
    Rules("3x3", "2,2", "sides", "ship"),
]


def all_games(
    rules: Rules, player: str, start: Position | None = None
) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]:
    """Every layout once: the layouts, the cells shot in each game, and its misses."""
    start = start or Position(rules)
    layouts = enumerate_layouts(rules).ships
    for place, (_, answer) in enumerate(start.shots, start=1):
        shots = [cell for cell, _ in start.shots[:place]]
        layouts = layouts[answers_to(rules, layouts, shots) == answer]
    record = np.empty((len(layouts), rules.board.cells), dtype=np.int16)
    shots_taken = make_player(player, rules).play_all(layouts, start=start, record=record)
    to_hit = rules.fleet.cells - start.hit_mask.bit_count()
    return layouts, record, shots_taken.astype(np.int64) - to_hit


def by_definition(
    rules: Rules, layouts: NDArray[np.uint16], record: NDArray[np.int16]
) -> list[float]:
    """The luck of every game, from the answers of all layouts to every shot."""
    found = []
    for row, cells in enumerate(record.tolist()):
        left, to_hit, luck_of_game = layouts, rules.fleet.cells, 0.0
        own = layouts[row : row + 1]
        shots = [cell for cell in cells if cell >= 0]
        for place in range(1, len(shots) + 1):
            given = answers_to(rules, left, shots[:place])
            (mine,) = answers_to(rules, own, shots[:place])

            def worth(answer: int, given: NDArray[np.int64] = given, to_hit: int = to_hit) -> float:
                number = int((given == answer).sum())
                return (answer == MISS) + misses_to_come(number, to_hit - (answer != MISS))

            luck_of_game += worth(mine) - np.mean([worth(answer) for answer in given.tolist()])
            left, to_hit = left[given == mine], to_hit - (mine != MISS)
        found.append(luck_of_game)
    return found


@pytest.mark.parametrize("rules", GAMES, ids=str)
@pytest.mark.parametrize("player", ["greedy-map", "random"])
def test_luck_is_what_it_is_by_definition(rules: Rules, player: str) -> None:
    layouts, record, _ = all_games(rules, player)
    assert Luck(Position(rules)).of(layouts, record) == pytest.approx(
        by_definition(rules, layouts, record), abs=1e-9
    )


@examples(20)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_it_has_mean_zero_whatever_is_guessed(rules: Rules, seed: int) -> None:
    """Over all layouts the mean of what is left of the misses is the mean of the misses."""
    layouts, record, _ = all_games(rules, "greedy-map")

    def anything(number: int, cells: int) -> float:
        return float(np.random.default_rng([seed, number, cells]).normal(0, 9))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(luck, "misses_to_come", anything)
        found = Luck(Position(rules)).of(layouts, record)
    assert np.ptp(found) > 0
    assert float(found.mean()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_counter_and_the_list_say_the_same(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    layouts, record, _ = all_games(rules, "greedy-map")
    listed = Luck(Position(rules)).of(layouts, record)
    monkeypatch.setattr(luck, "few_layouts", lambda rules: None)
    for most in (0, 5):
        monkeypatch.setattr(luck, "LISTED", most)
        assert Luck(Position(rules)).of(layouts, record) == pytest.approx(listed, abs=1e-9)


def test_from_a_position_on() -> None:
    rules = Rules("4x4", "3,2", answers="sunk")
    start = Position.read(rules, [("B2", "hit"), ("D4", "miss")])
    layouts, record, _ = all_games(rules, "greedy-map", start)
    found = Luck(start).of(layouts, record)
    assert np.ptp(found) > 0
    assert float(found.mean()) == pytest.approx(0, abs=1e-9)


def test_fewer_games_are_needed() -> None:
    """Means, and differences on the same layouts, have less than half the variance."""
    rules = Rules("5x5", "3,2,2", "sides", "sunk")
    ships = enumerate_layouts(rules).ships[::97]
    plain, left = {}, {}
    for player in ("greedy-map", "density", "hunt-target-parity"):
        record = np.empty((len(ships), 25), dtype=np.int16)
        plain[player] = make_player(player, rules).play_all(ships, record=record) - 7.0
        left[player] = plain[player] - Luck(Position(rules)).of(ships, record)
        assert np.var(left[player]) < np.var(plain[player]) / 2
    for first, second in combinations(plain, 2):
        difference = plain[first] - plain[second]
        assert np.var(left[first] - left[second]) < np.var(difference) / 2
