"""The compiled test of a history against whole layouts, and estimates on boards of two words."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import naive_rows, numbers_of, position_of, spoken

from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.layouts import (
    count_layouts,
    enumerate_layouts,
    estimate_layouts,
    fit_history,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules("3x3", "2,1"),
    Rules("3x3", "3,1,1", answers="sunk"),
    Rules("2x4", "2,2", "corners", "sunk"),
    Rules("2x3", "2,2", "sides", "sunk", "length"),
    Rules("1x7", "3,2", "sides", "sunk", "none"),
    Rules("2x4", "2,2,1", "sides", "ship"),
    Rules("10x10", "9,9", "none", "sunk"),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_history_keeps_the_layouts_that_would_answer_so(rules):
    layouts = enumerate_layouts(rules)
    listed = naive_rows(rules)
    assert len(listed) == len(layouts)
    rng = np.random.default_rng(len(layouts))
    for _ in range(12):
        target = listed[rng.integers(len(listed))]
        cells = rng.permutation(rules.board.cells)[: rng.integers(0, 6)].tolist()
        history = [
            (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
            for i, cell in enumerate(cells)
        ]
        position = position_of(rules, history)
        keep = np.full(len(layouts), 7, dtype=np.uint8)
        kept = fit_history(
            placement_table(rules).masks,
            layouts.ships,
            np.array(rules.fleet.lengths, dtype=np.int64),
            np.array([cell for cell, _ in position.shots], dtype=np.int64),
            np.array([code for _, code in position.shots], dtype=np.int64),
            kernel_mode(rules),
            keep,
        )
        fitting = naive.fitting(listed, history, *spoken(rules))
        assert kept == keep.sum() == len(fitting)
        found = {tuple(row) for row in layouts.ships[keep == 1].tolist()}
        assert found == {numbers_of(rules, layout) for layout in fitting}


@pytest.mark.parametrize(
    ("board", "fleet", "contact"),
    [("10x12", "2,2", "none"), ("10x12", "9,9", "sides"), ("4x30", "20,20", "corners")],
)
def test_estimates_beyond_64_cells_are_near_the_count(board, fleet, contact):
    rules = Rules(board, fleet, contact)
    found = estimate_layouts(rules, probes=1000, seed=4)
    assert found == pytest.approx(count_layouts(rules), rel=0.05)


@pytest.mark.parametrize("cell", [0, 35, 64, 99])
def test_layouts_without_a_forced_cell_weigh_nothing(cell):
    rules = Rules("10x10", "10,9", "none")
    layouts, table = enumerate_layouts(rules), placement_table(rules).placements
    prior = ProductPrior(rules, (Fraction(3),) * len(table), rules.board.mask([cell]))
    covers = [any(cell in table[ship].cells for ship in row) for row in layouts.ships.tolist()]
    assert 0 < sum(covers) < len(layouts)
    assert prior.log_weights(layouts) == pytest.approx(
        [2 * log(3) if covered else -inf for covered in covers]
    )
