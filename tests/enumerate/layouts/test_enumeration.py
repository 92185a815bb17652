"""The enumerator: each layout valid, none twice, all found; counts and limits."""

import numpy as np
import pytest

from seabattle.enumerate import layouts
from seabattle.enumerate.errors import FleetError, LayoutError, TooLargeError
from seabattle.enumerate.layouts import (
    Layouts,
    bytes_per_layout,
    count_layouts,
    enumerate_layouts,
)
from seabattle.enumerate.rules import Rules


def mask_of(layouts: Layouts, row: int) -> int:
    """Cells of one enumerated layout."""
    return sum(int(word) << (64 * w) for w, word in enumerate(layouts.masks[row]))


@pytest.mark.parametrize("ships", [[[21, 0]], [[0]], [0, 1], [[0, 0, 0]]])
def test_what_are_no_placements_is_refused(ships):
    with pytest.raises(LayoutError, match=r"give an array \(layouts, 2\) .* numbers, 0 to 20$"):
        Layouts(Rules("3x3", "2,1"), np.array(ships, dtype=np.uint16))


def test_counting_stops_above_most(example):
    for most in (0, 1, 100, 1427):
        assert most < count_layouts(example, most=most) <= 1428
    for most in (1428, 1429, 10**12):
        assert count_layouts(example, most=most) == 1428


@pytest.mark.parametrize("rules", [
    Rules("4x4", "2,2,1"), Rules("4x5", "3,2x2,1", "corners"), Rules("13x5", "4,2", "sides"),
], ids=str)  # fmt: skip
def test_steps_of_any_length_list_the_same(rules, monkeypatch):
    whole = enumerate_layouts(rules).ships
    for placements in (1, 2, 7, 100):
        monkeypatch.setattr(layouts, "PLACEMENTS_PER_STEP", placements)
        found = []
        assert np.array_equal(enumerate_layouts(rules, progress=found.append).ships, whole)
        assert len(found) > 4  # it is counted and listed, in more than a step each
        assert found[-1] == len(whole)


def test_what_would_take_years_can_be_stopped():
    def stop(found):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_layouts(Rules(fleet="russian"), progress=stop)


def test_counting_by_a_walk_that_takes_too_long_names_the_counter(example, monkeypatch):
    monkeypatch.setattr(layouts, "MOST_WALKED", 1427)
    with pytest.raises(TooLargeError, match=r"1,427 layouts, .* Counter\(rules\)\.count\(\)"):
        count_layouts(example)
    assert count_layouts(example, most=10**12) == 1428
    monkeypatch.setattr(layouts, "MOST_WALKED", 1428)
    assert count_layouts(example) == 1428


def test_too_many_layouts_are_refused():
    rules = Rules("10x10", "russian")
    most = int(0.001 * 2**30) // bytes_per_layout(rules)
    with pytest.raises(TooLargeError, match=rf"has more layouts .* 0.001 GiB holds \({most:,}\)"):
        enumerate_layouts(rules, memory_limit=0.001)


def test_the_memory_limit_is_met_exactly(example):
    need = 1428 * bytes_per_layout(example)
    found = enumerate_layouts(example, memory_limit=need / 2**30)
    assert found.masks.nbytes + found.ships.nbytes == need
    with pytest.raises(TooLargeError, match="1,427"):
        enumerate_layouts(example, memory_limit=(need - 1) / 2**30)


def test_boards_beyond_128_cells_are_refused():
    for work in (count_layouts, enumerate_layouts):
        with pytest.raises(TooLargeError, match="up to 128 cells, this one has 129"):
            work(Rules("3x43", "1"))


def test_a_fleet_that_cannot_be_placed_is_refused():
    rules = Rules("2x2", "1,1")
    assert count_layouts(rules) == 0
    with pytest.raises(FleetError, match="does not fit on the board 2x2 under contact rule 'none'"):
        enumerate_layouts(rules)
