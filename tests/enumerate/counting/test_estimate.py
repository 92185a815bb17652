"""Estimated maps: as near to exact ones as their errors say, and honest where nothing can be said.

All seeds are fixed and all work is counted, so a figure outside its bounds is a change, not chance.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from support.random_games import random_positions

from seabattle import Counter, HeatMap, Position, Rules, TooLargeError, advise, enumerate_layouts
from seabattle.cli.commands import commands
from seabattle.enumerate.core.library import core
from seabattle.enumerate.counting import estimate as room
from seabattle.enumerate.counting.estimate import Estimate, Estimator, estimate
from seabattle.enumerate.errors import CoreError, PositionError
from seabattle.enumerate.map import heatmap_text
from seabattle.solver.advice import Method

RUSSIAN = Rules("10x10", "russian", answers="sunk")
HASBRO = Rules("10x10", "hasbro", answers="sunk")
APART = Rules("12x12", "4,4,3,3,3,2,2,2,2,1,1,1,1,1", "none")
WIDE = Rules("20x20", "5,4,3,3,2", "sides", "sunk")


def drawn(position: Position, batches: int = 32, seed: int = 0) -> Estimate:
    estimator = Estimator(position, seed)
    estimator.draw(batches)
    return estimator.estimate()


def deviations(found: Estimate, exact: HeatMap) -> np.ndarray:
    """By how many standard errors the cells are off.

    What is said to be without an error has to be exact.
    """
    cells = found.cells()
    errors = np.array(cells.errors)
    off = np.array(cells.chances) - [*map(float, exact.shares)]
    sure = errors < 1e-12
    assert np.abs(off[sure]).max(initial=0) < 1e-8
    return np.asarray(np.abs(off[~sure]) / errors[~sure])


def test_errors_are_as_great_as_they_say() -> None:
    """Of games of ten and five ships, from the first shot to the last, with hits and sinkings."""
    of_cells, of_layouts = [], []
    for rules in (RUSSIAN, HASBRO, Rules("10x10", "hasbro", answers="ship")):
        counter = Counter(rules)
        hidden = counter.sample(4, 3)
        for position in list(random_positions(rules, hidden, 4, seed=8, aimed=0.3))[::28]:
            found, exact = drawn(position), counter.at(position).map()
            of_cells += deviations(found, exact).tolist()
            off = found.layouts / exact.layouts - 1
            of_layouts.append(abs(off) / max(found.layouts_error, 1e-9))
    assert len(of_layouts) > 25
    assert len(of_cells) > 1000
    # Of a normal number 0.3 % lie beyond 3 and 4.6 % beyond 2; errors are from 32 batches, and the
    # cells of one position hang together.
    assert 0 < np.mean(np.array(of_cells) > 3) < 0.01
    assert 0.02 < np.mean(np.array(of_cells) > 2) < 0.09
    assert np.sum(np.array(of_layouts) > 3) <= 1


@pytest.mark.parametrize(
    "position",
    [
        Position.in_order(Rules("6x6", "3,2,2,1", "none", "sunk"), "C3 hit, C4 sunk, A1 miss"),
        Position.in_order(Rules("4x5", "3,2,2", "sides", "sunk", "none"),
                          "A1 hit, A2 hit, B1 hit, C1 sunk"),
        Position.in_order(Rules("5x5", "3,3,2", "corners", "ship"), "C3 hit=3#1, E5 hit=3#2"),
        Position.in_order(Rules("5x5", "xx/x.,2x2,2", "sides"), "B2 hit, D4 hit, E1 miss"),
        Position(Rules("5x5", "3,2,2", "none", blocked="C3")),
        Position(Rules("5x5", "2,1,1,1,1,1,1", "none")),  # packed: most particles die
    ],
    ids=lambda position: str(position.rules),
)  # fmt: skip
def test_small_boards_are_as_they_are_listed(position: Position) -> None:
    exact, found = Counter(position).map(), drawn(position, 64)
    assert found.says_something
    assert deviations(found, exact).max(initial=0) < 4
    assert abs(found.layouts / exact.layouts - 1) <= 4 * found.layouts_error + 1e-9
    far = 4 * found.layouts_error * exact.labelled_layouts + 1e-6
    assert abs(found.labelled_layouts - exact.labelled_layouts) <= far + 1
    each = np.array(found.placements) * exact.layouts
    assert np.abs(each - exact.placements).max() < max(0.05 * exact.layouts, 1)
    assert (each[np.array(exact.placements) == 0] == 0).all()


def test_a_board_of_fourteen_ships_apart() -> None:
    """Ships taken one by one call D4 best there, with 24 %."""
    found = estimate(Position(APART))
    cells = found.cells()
    for name, chance in {"D4": 0.186, "C1": 0.277, "A1": 0.250}.items():
        assert abs(cells.chances[APART.board.cell(name)] - chance) < 0.004
    assert APART.board.names(sum(1 << cell for cell in cells.best)) == [
        "C1", "J1", "A3", "L3", "A10", "L10", "C12", "J12",
    ]  # fmt: skip
    assert max(cells.errors) <= room.SMALL_ERROR
    # 500,066,528,368,096,846,492,508,160 by the exact count, which takes some ten seconds
    labelled = 500_066_528_368_096_846_492_508_160
    assert abs(found.labelled_layouts / labelled - 1) < 3 * found.layouts_error < 0.02


def test_particles_drawn_anew_keep_the_mean() -> None:
    """Few fit this board, so that particles are drawn anew at nearly every ship."""
    rules = Rules("6x6", "3,2,2,2,1,1", "none")
    exact = len(enumerate_layouts(rules))
    found = drawn(Position(rules), 200)
    assert found.effective < found.samples / 3
    assert abs(found.layouts / exact - 1) < 3 * found.layouts_error < 0.02


def test_the_same_seed_draws_the_same_and_more_is_better() -> None:
    position = Position(RUSSIAN)
    once, again, other = drawn(position), drawn(position), drawn(position, seed=1)
    assert once.cells() == again.cells()
    assert once.layouts == again.layouts != other.layouts
    estimator = Estimator(position)
    estimator.draw(8)
    before = max(estimator.estimate().cells().errors)
    estimator.draw(120)
    assert max(estimator.estimate().cells().errors) < before / 2
    first = Estimator(position)
    first.draw(8)
    assert first.estimate().cells().errors == drawn(position, 8).cells().errors


def test_it_ends_where_the_error_is_small_or_at_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "MOST_BATCHES", 96)
    assert estimate(Position(WIDE)).samples == room.LEAST_BATCHES * room.PARTICLES
    packed = Position(Rules("17x17", [3] * 34, "none"))
    estimator = Estimator(packed)
    while not estimator.done:
        estimator.draw(room.LEAST_BATCHES)
    assert estimator.batches == room.MOST_BATCHES
    with pytest.raises(TooLargeError, match="too few fit to estimate anything, worth"):
        estimate(packed)


def test_where_no_layout_is_met_nothing_is_said() -> None:
    found = drawn(Position(Rules("17x17", [2] * 54, "none")))
    assert (found.layouts, found.labelled_layouts, found.effective) == (0, 0, 0)
    assert not found.says_something
    full = Position.of_cells(Rules("1x5", "2,2", "sides"), miss=["B1", "D1"])
    assert drawn(full).layouts == 0
    with pytest.raises(PositionError):
        Estimator(Position.of_cells(WIDE, hit=["A1"], miss=["A2", "B1"]))


def test_the_counter_maps_what_it_cannot_count() -> None:
    counter = Counter(Position.in_order(WIDE, "J10 hit, A1 miss"))
    found = counter.map_or_estimate()
    board = WIDE.board
    assert found.estimate is not None
    assert set(found.best_shots) <= {"J9", "I10", "K10", "J11"}
    assert found.cells[board.cell("J10")] == 1
    assert found.cells[board.cell("A1")] == 0
    assert found.errors[board.cell("J10")] == 0
    assert sum(found.cells) == pytest.approx(17, abs=1e-6)
    assert "about" in found.subtitle()
    assert "estimated, ± 0." in heatmap_text(found)
    carrier = found.of_length(5)
    assert sum(carrier.cells) == pytest.approx(5, abs=1e-6)
    assert len(carrier.errors) == board.cells
    exact = Counter(HASBRO)
    assert exact.map_or_estimate().estimate is None


def test_advice_of_a_board_too_large_to_count() -> None:
    advice = advise(Position.in_order(WIDE, "J10 hit, A1 miss"))
    assert advice.method is Method.ESTIMATED_MAP
    chances = [advice.map.cells[cell] for cell in advice.best_cells]
    assert chances == sorted(chances, reverse=True)
    assert "estimated from 32,768 layouts drawn" in advice.note
    document = advice.document()
    assert document["estimated"]["samples"] == 32_768
    assert document["method"] == "estimated-map"
    assert dict(advice.facts())["shoot"].endswith("± 0.1 %)")


@pytest.mark.parametrize("more", [[], ["--no-map"], ["--ship", "4"]])
def test_the_command_says_about(more: list[str]) -> None:
    game = ["--board", "20x20", "--fleet", "5,4,3,3,2", "--contact", "sides", *more]
    text = CliRunner().invoke(commands, ["count", *game])
    assert text.exit_code == 0
    assert "about 6.87" in text.output
    assert "at most 16 is supported" in text.output
    told = json.loads(CliRunner().invoke(commands, ["count", *game, "--json"]).output)
    assert told["layouts"] == pytest.approx(6.87e13, rel=1e-3)
    assert told["labelled_layouts"] == pytest.approx(2 * told["layouts"], rel=1e-12)
    assert told["estimated"]["effective"] > 30_000
    if "--no-map" not in more:
        occupancy = np.array(told["occupancy"], dtype=float)
        assert occupancy.sum() / told["layouts"] == pytest.approx(17)
        assert np.array(told["estimated"]["error"]).shape == (20, 20)
        assert np.array(told["chances"]).sum() == pytest.approx(17)
        assert told["best"]


def test_the_core_refuses_arrays_that_do_not_go_together() -> None:
    estimator = Estimator(Position(HASBRO))
    with pytest.raises(CoreError, match="do not go together"):
        core().estimate(
            estimator._laying, 0, 0, 10, np.empty(1 << 20, np.uint8), np.empty(4), np.empty(10),
            np.empty(2),
        )  # fmt: skip
