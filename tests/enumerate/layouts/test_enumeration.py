"""The enumerator: each layout valid, none twice, all found; counts, estimates and limits."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.known_answers import known, known_rules, label
from twins.naive_trees import naive_layouts, numbers_of

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FleetError, TooLargeError
from seabattle.enumerate.layouts import (
    Layouts,
    bytes_per_layout,
    count_layouts,
    enumerate_layouts,
    estimate_layouts,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Contact, Rules

GAMES = [
    (board, fleet)
    for board, fleets in {
        "1x1": ["1"],
        "1x7": ["3", "2,1", "1,1,1", "2,2,1", "3,3"],
        "6x1": ["2,2", "3,1,1", "6"],
        "2x2": ["1", "2", "1,1", "2,2", "2,1,1"],
        "2x5": ["2,2,1", "3,3", "4,1", "2,2,2"],
        "3x3": ["3,1,1", "2,2", "3,2", "3,2,1", "1,1,1,1", "2,1,1"],
        "3x4": ["2,2,1", "3,3,1", "4,2", "1,1,1,1"],
        "4x4": ["3,2,1", "3,2,2", "2,2,1", "4,4"],
        "4x5": ["4,2", "3,3", "5,1,1"],
    }.items()
    for fleet in fleets
]


def mask_of(layouts: Layouts, row: int) -> int:
    """Cells of one enumerated layout."""
    return sum(int(word) << (64 * w) for w, word in enumerate(layouts.masks[row]))


def check_rows(layouts: Layouts) -> None:
    """Each row is a layout by the rules, its mask is its ships', and no row comes twice."""
    table = placement_table(layouts.rules)
    for row, ships in enumerate(layouts.ships):
        assert table.parse_layout(layouts.names(row)) == tuple(int(n) for n in ships)
        assert mask_of(layouts, row) == sum(table.placements[int(n)].mask for n in ships)
    assert len(np.unique(layouts.ships, axis=0)) == len(layouts)


@pytest.mark.parametrize("contact", list(Contact))
@pytest.mark.parametrize(("board", "fleet"), GAMES)
def test_layouts_are_the_brute_force_ones(board, fleet, contact):
    rules = Rules(board, fleet, contact)
    expected = {numbers_of(rules, layout) for layout in naive_layouts(rules)}
    assert count_layouts(rules) == len(expected)
    if not expected:
        with pytest.raises(FleetError, match=f"fleet {fleet} does not fit on the board {board}"):
            enumerate_layouts(rules)
        return
    found = enumerate_layouts(rules)
    check_rows(found)
    rows = [tuple(row) for row in found.ships.tolist()]
    assert set(rows) == expected
    assert rows == sorted(rows), "in the order of placement numbers"


@examples(40)
@given(
    st.integers(1, 4),
    st.integers(1, 4),
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
    st.sampled_from(list(Contact)),
)
def test_symmetries_map_layouts_to_layouts(rows, columns, lengths, contact):
    if max(lengths) > max(rows, columns) or sum(lengths) > rows * columns:
        return
    board = Board(rows, columns)
    rules = Rules(board, lengths, contact)
    if count_layouts(rules) == 0:
        assert not naive_layouts(rules)
        return
    layouts = enumerate_layouts(rules)
    masks = sorted(mask_of(layouts, row) for row in range(len(layouts)))
    for symmetry in board.symmetries:
        moved = [board.mask(symmetry[c] for c in range(board.cells) if m >> c & 1) for m in masks]
        assert sorted(moved) == masks


@pytest.mark.parametrize(
    "entry",
    [e for e in known("layout_counts") if e.get("layouts", 10**9) < 10**6],
    ids=label,
)
def test_known_counts(entry):
    assert count_layouts(known_rules(entry)) == entry["layouts"]


@pytest.mark.parametrize(
    "entry",
    [e for e in known("layout_counts") if e.get("labelled_layouts", 10**12) < 10**7],
    ids=label,
)
def test_known_counts_with_identical_ships_told_apart(entry):
    rules = known_rules(entry)
    assert count_layouts(rules) * rules.fleet.rearrangements == entry["labelled_layouts"]


@pytest.mark.parametrize(
    ("board", "fleet", "contact"),
    [("8x9", "2,2", "none"), ("10x10", "2,1", "corners"), ("1x128", "3,2", "sides")],
)
def test_boards_of_more_than_64_cells(board, fleet, contact):
    rules = Rules(board, fleet, contact)
    layouts = enumerate_layouts(rules)
    assert layouts.masks.shape == (len(layouts), 2)
    expected = {numbers_of(rules, layout) for layout in naive_layouts(rules)}
    assert {tuple(row) for row in layouts.ships.tolist()} == expected
    for row in range(0, len(layouts), 211):
        cells = {c for n in layouts.ships[row] for c in placement_table(rules).placements[n].cells}
        assert mask_of(layouts, row) == rules.board.mask(cells)


def test_boards_of_64_and_65_cells_differ_in_words_only():
    assert enumerate_layouts(Rules("8x8", "3")).masks.shape == (96, 1)
    assert enumerate_layouts(Rules("5x13", "3")).masks.shape == (94, 2)
    assert mask_of(enumerate_layouts(Rules("8x8", "1")), 63) == 1 << 63
    assert mask_of(enumerate_layouts(Rules("5x13", "1")), 64) == 1 << 64


def test_layouts_are_read_only_and_named():
    layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    assert layouts.names(0) == ["A1:C1", "A3", "C3"]
    assert repr(layouts) == "<4 layouts of 3x3, fleet 3,1,1, contact none, answers hit>"
    with pytest.raises(ValueError, match="read-only"):
        layouts.masks[0, 0] = 0
    with pytest.raises(ValueError, match="read-only"):
        layouts.ships[0, 0] = 0


def test_counting_stops_above_most(example):
    for most in (0, 1, 100, 1427):
        assert most < count_layouts(example, most=most) <= 1428
    for most in (1428, 1429, 10**12):
        assert count_layouts(example, most=most) == 1428


def test_a_walk_cut_into_small_steps_finds_the_same(monkeypatch):
    rules = Rules("4x5", "3,2,2,1", "corners")
    whole = enumerate_layouts(rules)
    monkeypatch.setattr("seabattle.enumerate.layouts.STEPS_AT_ONCE", 7)
    told = []
    cut = enumerate_layouts(rules, progress=told.append)
    assert len(told) > 100
    assert np.array_equal(cut.masks, whole.masks)
    assert np.array_equal(cut.ships, whole.ships)


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
