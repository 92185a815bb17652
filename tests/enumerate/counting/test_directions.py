"""A map is the same from whichever side it is swept, and the side is chosen by what it reaches."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.random_games import random_positions

from seabattle.enumerate.counting import directions
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.map import OccupancyMap
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

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


def counter_of(rules: Rules, *, counted: bool | None = False) -> Counter:
    """A counter whose profiles count the ships used, or do not."""
    counter = Counter(rules)
    counter.frontier = Frontier(
        counter.grid.width, rules.contact, rules.fleet.lengths, counted=counted
    )
    return counter


def both_maps(counter: Counter, position: Position) -> tuple[OccupancyMap, OccupancyMap]:
    """The map from the cheapest side, and from the usual one."""
    found = counter.at(position).occupancy_map()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sweep, "any_side", False)
        return found, counter.at(position).occupancy_map()


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@pytest.mark.usefixtures("any_gain")
def test_no_map_changes(rules: Rules) -> None:
    counter = counter_of(rules)
    layouts = enumerate_layouts(rules).ships
    for position in random_positions(rules, layouts, 8, seed=2):
        found, expected = both_maps(counter, position)
        assert found.placements == expected.placements, position
        assert found.occupancy == expected.occupancy
        assert found.layouts == expected.layouts
        assert found.labelled_layouts == expected.labelled_layouts


def same_maps_of_the_full_board(games: int, seed: int) -> int:
    """Compare maps of games; the number of positions."""
    counter = Counter(RUSSIAN)
    layouts = counter.sample(games, seed)
    seen = 0
    for number, position in enumerate(random_positions(RUSSIAN, layouts, games, seed, aimed=0.1)):
        if number % 7 == 0 and len(position.shots) > 8:
            found, expected = both_maps(counter, position)
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
    counter = counter_of(rules, counted=counted)
    layouts = enumerate_layouts(rules).ships
    for position in random_positions(rules, layouts, 3, seed=3):
        for transposed, upwards in product((False, True), (False, True)):
            if transposed != (rules.board.columns > rules.board.rows) and not square(rules):
                continue
            sweep = counter.at(position).sweep()[1].from_side(transposed, upwards)
            nodes = sweep.nodes_reached(2**62)
            assert sweep.total >= 0
            rows = (sweep.row_buffers(row)[1].counts.sum() for row in range(sweep.grid.rows))
            assert nodes == sum(rows)
            assert sweep.nodes_reached(nodes - 1) == nodes
            assert sweep.nodes_reached(0) <= nodes


def square(rules: Rules) -> bool:
    return rules.board.rows == rules.board.columns


@pytest.mark.usefixtures("any_gain")
def test_the_side_with_fewest_nodes_is_taken() -> None:
    rules = Rules("6x6", "4,3,2,1", "none", "sunk")
    counter = counter_of(rules)
    layouts = counter.sample(5, 1)
    other_sides = 0
    for position in random_positions(rules, layouts, 5, seed=6):
        usual = counter.at(position).sweep()[1]
        sides = product((False, True), (False, True))
        nodes = [usual.from_side(*side).nodes_reached(2**62) for side in sides]
        best = directions.cheapest(usual)
        assert best.nodes_reached(2**62) == min(nodes)
        other_sides += best is not usual
    assert other_sides > 5


def test_no_other_side_is_tried_where_it_gains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sweep, "from_side", lambda *_: pytest.fail("tried"))
    early = Position.of_cells(RUSSIAN, miss=["E5"])
    late = Position.of_cells(RUSSIAN, miss=[f"{c}{r}" for c in "ABCDEFGH" for r in range(1, 11)])
    counter = Counter(RUSSIAN)
    for position in (early, late):
        sweep = counter.at(position).sweep()[1]
        assert directions.cheapest(sweep) is sweep
    hasbro = Rules("5x5", "3,2", "sides", "sunk")
    counter = counter_of(hasbro, counted=True)
    told = Position.of_cells(hasbro, miss=["C3", "A1", "E5"])
    sweep = counter.at(told).sweep()[1]
    assert directions.cheapest(sweep) is sweep


@pytest.mark.usefixtures("any_gain")
def test_samples_do_not_depend_on_the_side() -> None:
    rules = Rules("6x6", "4,3,2,1", "none", "sunk")
    counter = counter_of(rules)
    for position in random_positions(rules, counter.sample(2, 1), 2, seed=6):
        counter.at(position).occupancy_map()
        drawn = counter.at(position).sample(20, 5)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Sweep, "any_side", False)
            assert np.array_equal(drawn, Counter(position).sample(20, 5))
