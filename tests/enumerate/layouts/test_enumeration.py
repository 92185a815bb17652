"""The enumerator: each layout valid, none twice, all found; counts, estimates and limits."""

import math
import re

import pytest
from support.known_answers import known

from seabattle.enumerate.errors import FleetError, TooLargeError
from seabattle.enumerate.layouts import (
    Layouts,
    bytes_per_layout,
    count_layouts,
    enumerate_layouts,
    estimate_layouts,
)
from seabattle.enumerate.rules import Rules


def mask_of(layouts: Layouts, row: int) -> int:
    """Cells of one enumerated layout."""
    return sum(int(word) << (64 * w) for w, word in enumerate(layouts.masks[row]))


def test_counting_stops_above_most(example):
    for most in (0, 1, 100, 1427):
        assert most < count_layouts(example, most=most) <= 1428
    for most in (1428, 1429, 10**12):
        assert count_layouts(example, most=most) == 1428


@pytest.mark.parametrize(
    ("board", "fleet", "contact"),
    [("5x5", "3,2,2,1,1,1", "none"), ("4x4", "3,2,2", "none"), ("4x5", "4,3,2,2", "sides")],
)
def test_estimates_are_unbiased(board, fleet, contact):
    """The mean over many seeds comes as close to the count as its own spread allows."""
    rules = Rules(board, fleet, contact)
    true = count_layouts(rules)
    estimates = [estimate_layouts(rules, probes=2000, seed=seed) for seed in range(60)]
    mean = sum(estimates) / len(estimates)
    spread = math.sqrt(sum((e - mean) ** 2 for e in estimates) / len(estimates) ** 2)
    assert spread < true / 20
    assert abs(mean - true) < 4 * spread
    assert estimate_layouts(rules, seed=5) == estimate_layouts(rules, seed=5)


def test_too_many_layouts_are_refused_with_figures():
    rules = Rules("10x10", "russian")
    with pytest.raises(TooLargeError) as caught:
        enumerate_layouts(rules, memory_limit=0.001)
    text = str(caught.value)
    assert "\n" not in text
    match = re.search(
        r"about ([\d.e+]+) layouts, which need ([\d.e+]+) GiB; "
        r"the limit is 0.001 GiB \((\d+) layouts\)",
        text,
    )
    assert match is not None, text
    about, gib, most = (float(figure) for figure in match.groups())
    (entry,) = [e for e in known("layout_counts") if e.get("layouts", 0) > 10**15]
    assert about == pytest.approx(entry["layouts"], rel=0.05)
    assert gib == pytest.approx(about * bytes_per_layout(rules) / 2**30, rel=0.01)
    assert most == 0.001 * 2**30 // bytes_per_layout(rules)


def test_the_memory_limit_is_met_exactly(example):
    need = 1428 * bytes_per_layout(example)
    layouts = enumerate_layouts(example, memory_limit=need / 2**30)
    assert layouts.masks.nbytes + layouts.ships.nbytes == need
    with pytest.raises(TooLargeError, match="1427 layouts"):
        enumerate_layouts(example, memory_limit=(need - 1) / 2**30)


def test_boards_beyond_128_cells_are_refused():
    for work in (count_layouts, enumerate_layouts, estimate_layouts):
        with pytest.raises(TooLargeError, match="up to 128 cells, this one has 129"):
            work(Rules("3x43", "1"))


def test_a_fleet_that_cannot_be_placed_is_refused():
    rules = Rules("2x2", "1,1")
    assert count_layouts(rules) == 0
    with pytest.raises(FleetError, match="does not fit on the board 2x2 under contact rule 'none'"):
        enumerate_layouts(rules)
