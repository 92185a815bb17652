"""What a sweep takes over from the one before changes no count, map or sample."""

from __future__ import annotations

import numpy as np
import pytest
from support.random_games import random_positions

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.layouts import enumerate_layouts
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
        rules.board.columns, rules.contact, rules.fleet.lengths, counted=counted
    )
    layouts = enumerate_layouts(rules).ships
    rng = np.random.default_rng(1)
    for position in random_positions(rules, layouts, 6, seed=5):
        monkeypatch.setattr(Sweep, "shares_rows", True)
        task = int(rng.integers(3))  # maps, counts and samples share the same memory
        made = counter.at(position)
        found = made.occupancy_map()
        extra = (made.count(), made.sample(3, 1).tolist(), None)[task]
        monkeypatch.setattr(Sweep, "shares_rows", False)
        alone = Counter(position)
        alone.frontier = counter.frontier
        assert found == alone.occupancy_map(), position
        assert extra == (alone.count(), alone.sample(3, 1).tolist(), None)[task]
