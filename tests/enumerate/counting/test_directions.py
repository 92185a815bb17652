"""A map is the same from whichever side it is swept, and the side is chosen by what it reaches."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.random_games import random_positions

from seabattle.enumerate.counting import directions
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.game.deductions import constrain
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import enumerate_layouts

GAMES = [
    Rules(board, fleet, contact, answers)
    for board, fleet in (("4x4", "3,2,1"), ("3x5", "2,2,1"), ("5x4", "3,2,1,1"))
    for contact in ("none", "corners", "sides")
    for answers in ("hit", "sunk", "ship")
]
RUSSIAN = Rules("10x10", "russian", answers="sunk")


@pytest.fixture
def any_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sides are tried in every position."""
    monkeypatch.setattr(directions, "WORTH_IT", 0)
    monkeypatch.setattr(directions, "FEW_RULED_OUT", 0)
    monkeypatch.setattr(directions, "GAIN", 1.0)


def counters(rules: Rules, *, counted: bool | None = False) -> tuple[Counter, Counter]:
    """A counter that takes the cheapest side, and one that takes the usual one."""
    cheap, usual = Counter(rules), Counter(rules)
    for counter in (cheap, usual):
        counter.frontier = Frontier(
            counter.grid.width, rules.contact, rules.fleet.lengths, counted=counted
        )
    usual.any_side = False
    return cheap, usual


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@pytest.mark.usefixtures("any_gain")
def test_no_map_changes(rules: Rules) -> None:
    cheap, usual = counters(rules)
    layouts = enumerate_layouts(rules).ships
    for position in random_positions(rules, layouts, 8, seed=2):
        found, expected = (c.at(position).occupancy_map() for c in (cheap, usual))
        assert found.placements == expected.placements, position
        assert found.occupancy == expected.occupancy
        assert found.layouts == expected.layouts
        assert found.labelled_layouts == expected.labelled_layouts


def same_maps_of_the_full_board(games: int, seed: int) -> int:
    """Compare maps of games; the number of positions."""
    usual, cheap = Counter(RUSSIAN), Counter(RUSSIAN)
    usual.any_side = False
    layouts = usual.sample(games, seed)
    seen = 0
    for number, position in enumerate(random_positions(RUSSIAN, layouts, games, seed, aimed=0.1)):
        if number % 7 == 0 and len(position.shots) > 8:
            found, expected = (c.at(position).occupancy_map() for c in (cheap, usual))
            assert found.placements == expected.placements, position
            seen += 1
    return seen


def test_no_map_of_the_full_board_changes() -> None:
    assert same_maps_of_the_full_board(6, seed=4) > 50


@pytest.mark.slow
def test_no_map_of_hundreds_of_positions_changes() -> None:
    assert same_maps_of_the_full_board(50, seed=9) > 400


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("rules", GAMES[::4], ids=repr)
def test_the_nodes_reached_are_those_with_sums(rules: Rules, counted: bool) -> None:
    counter, _ = counters(rules, counted=counted)
    layouts = enumerate_layouts(rules).ships
    for position in random_positions(rules, layouts, 3, seed=3):
        for transposed, upwards in product((False, True), (False, True)):
            if transposed != (rules.board.columns > rules.board.rows) and not square(rules):
                continue
            sweep = counter._sweep(constrain(position), 1, transposed=transposed, upwards=upwards)
            nodes = sweep.nodes_reached(2**62)
            assert sweep.total >= 0
            rows = (sweep._row_buffers(row)[1].counts.sum() for row in range(sweep.grid.rows))
            assert nodes == sum(rows)
            assert sweep.nodes_reached(nodes - 1) == nodes
            assert sweep.nodes_reached(0) <= nodes


def square(rules: Rules) -> bool:
    return rules.board.rows == rules.board.columns


@pytest.mark.usefixtures("any_gain")
def test_the_side_with_fewest_nodes_is_taken() -> None:
    rules = Rules("6x6", "4,3,2,1", "none", "sunk")
    usual = counters(rules)[1]
    layouts = usual.sample(5, 1)
    other_sides = 0
    for position in random_positions(rules, layouts, 5, seed=6):
        constraints = constrain(position)
        made = {
            side: usual._sweep(constraints, 1, transposed=side[0], upwards=side[1])
            for side in product((False, True), (False, True))
        }
        nodes = {side: sweep.nodes_reached(2**62) for side, sweep in made.items()}
        best = directions.cheapest(made[False, False], lambda t, u, made=made: made[t, u])
        assert best.nodes_reached(2**62) == min(nodes.values())
        other_sides += best is not made[False, False]
    assert other_sides > 5


def test_no_other_side_is_tried_where_little_is_known() -> None:
    counter = Counter(RUSSIAN)
    position = Position.of_cells(RUSSIAN, miss=["E5"])
    sweep = counter._sweep(constrain(position))
    assert directions.cheapest(sweep, lambda t, u: pytest.fail("tried")) is sweep
    late = Position.of_cells(RUSSIAN, miss=[f"{c}{r}" for c in "ABCDEFGH" for r in range(1, 11)])
    sweep = counter._sweep(constrain(late))
    assert directions.cheapest(sweep, lambda t, u: pytest.fail("tried")) is sweep
    hasbro = Rules("5x5", "3,2", "sides", "sunk")
    counter, _ = counters(hasbro, counted=True)
    sweep = counter._sweep(constrain(Position.of_cells(hasbro, miss=["C3", "A1", "E5"])))
    assert directions.cheapest(sweep, lambda t, u: pytest.fail("tried")) is sweep


def test_samples_do_not_depend_on_the_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directions, "WORTH_IT", 0)
    rules = Rules("6x6", "4,3,2,1", "none", "sunk")
    cheap, usual = counters(rules)
    for position in random_positions(rules, usual.sample(2, 1), 2, seed=6):
        cheap.at(position).occupancy_map()
        drawn = [c.at(position).sample(20, 5) for c in (cheap, usual)]
        assert np.array_equal(*drawn)
