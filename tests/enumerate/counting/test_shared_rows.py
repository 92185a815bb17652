"""What a sweep takes over from the one before changes no count, map or sample."""

from __future__ import annotations

import threading
from itertools import product

import numpy as np
import pytest
from support.random_games import random_positions

from seabattle.enumerate.counting import frontier_sweep
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.frontier_sweep import FrontierSweep
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules(board, fleet, contact, answers)
    for board, fleet in (("4x4", "3,2,1"), ("5x3", "2,2,1"))
    for contact in ("none", "corners", "sides")
    for answers in ("hit", "sunk", "ship")
]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_games_one_position_after_another(
    rules: Rules, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = Counter(rules)
    counter.frontier = Frontier(
        counter.grid.width, rules.contact, rules.fleet.lengths, counted=counted
    )
    layouts = enumerate_layouts(rules).ships
    rng = np.random.default_rng(1)
    for position in random_positions(rules, layouts, 6, seed=5):
        monkeypatch.setattr(FrontierSweep, "shares_rows", True)
        task = int(rng.integers(3))  # maps, counts and samples share the same memory
        made = counter.at(position)
        found = made.occupancy_map()
        extra = (made.count(), made.sample(3, 1).tolist(), None)[task]
        monkeypatch.setattr(FrontierSweep, "shares_rows", False)
        alone = Counter(position)
        alone.frontier = counter.frontier
        assert found == alone.occupancy_map(), position
        assert extra == (alone.count(), alone.sample(3, 1).tolist(), None)[task]


def test_rows_are_shared_where_they_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules("8x8", "4,3,2,2,1,1", "none", "sunk")
    monkeypatch.setattr(Sweep, "any_side", False)
    counter = Counter(rules)
    swept: list[int] = []
    forward = FrontierSweep.forward

    def told(self: FrontierSweep, sums, reached, row, *rest):  # type: ignore[no-untyped-def]
        swept.append(row)
        forward(self, sums, reached, row, *rest)

    monkeypatch.setattr(FrontierSweep, "forward", told)
    start = Position(rules)
    for shots, expected in (
        ((), range(8)),
        ((), []),
        (("A8",), range(4, 8)),  # a ship of length 4 that covers row 8 begins in row 5
        (("A8", "C4"), range(8)),
        (("C4", "A8"), []),
        (("C4",), range(4, 8)),
    ):
        position = start
        for cell in shots:
            position = position.shoot(cell, "miss")
        swept.clear()
        counter.at(position).occupancy_map()
        assert swept == list(expected), shots
    for change in ("under a prior", "another fleet is left", "little memory"):
        swept.clear()
        if change == "under a prior":
            counter.under(ProductPrior.of_cells(rules, range(1, 65))).chances()
        elif change == "another fleet is left":
            counter.at(start.shoot("A1", "sunk")).occupancy_map()
        else:
            monkeypatch.setattr(frontier_sweep, "MOST_KEPT", 0)
            counter.occupancy_map()
        assert set(swept) == set(range(8)), change


@pytest.mark.parametrize("memory", [0, 1 << 32])
def test_two_sweeps_that_take_turns(memory: int) -> None:
    """Each finds that the other has written over its sums, or that they are what it needs."""
    rules = Rules("5x5", "3,2,1")
    counter = Counter(rules)
    sweeps = [
        Sweep(
            rules, constrain(Position.of_cells(rules, miss=miss)), pool=counter.pool,
            steps=counter.frontier, memory=memory,
        )
        for miss in (["C5"], ["C5", "E4"], ["A1"])
    ]  # fmt: skip
    expected = [
        Sweep(rules, s.constraints, steps=counter.frontier).placement_counts() for s in sweeps
    ]
    for order in product(range(3), repeat=4):
        for number in order:
            assert sweeps[number].placement_counts() == expected[number], order


def test_threads_do_not_share_rows() -> None:
    rules = Rules("6x6", "4,3,2,1", "none", "sunk")
    counter = Counter(rules)
    positions = list(random_positions(rules, counter.sample(3, 1), 3, seed=2))
    expected = [Counter(position).occupancy_map() for position in positions]
    wrong: list[Position] = []

    def work(seed: int) -> None:
        order = np.random.default_rng(seed).permutation(len(positions))
        for number in order.tolist():
            if counter.at(positions[number]).occupancy_map() != expected[number]:
                wrong.append(positions[number])

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
