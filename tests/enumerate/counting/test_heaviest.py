"""The heaviest layout, against all layouts listed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.counting.heaviest import HeaviestSearch, heaviest
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import TooLargeError, WeightsError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules(board, fleet, contact)
    for contact in ("none", "corners", "sides")
    for board, fleet in (("4x4", "3,2,1"), ("3x5", "2,2"), ("5x3", "3,2,2"), ("2x6", "1,1,2"))
] + [Rules("3x3", "2,2", "sides"), Rules("1x7", "3,1")]


@examples(60)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from([1, 3, 10**15]))
def test_the_most_is_that_of_all_layouts_listed(rules: Rules, seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    listed = enumerate_layouts(rules).ships
    gains = rng.integers(-most, most, size=len(placement_table(rules)), endpoint=True)
    found = heaviest(rules, gains)
    totals = gains[listed].sum(axis=1)
    assert found is not None
    assert found.gain == totals.max()
    assert found.ships in {tuple(row) for row in listed[totals == totals.max()].tolist()}


@examples(40)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_constraints_hold(rules: Rules, seed: int) -> None:
    """Cells that must be occupied and placements that must not be."""
    rng = np.random.default_rng(seed)
    listed = enumerate_layouts(rules)
    table = placement_table(rules)
    allowed = (rng.random(len(table)) < 0.9).astype(np.uint8)
    cell = int(rng.integers(rules.board.cells))
    constraints = constrain(Position(rules))
    constraints.allowed[:] = allowed
    constraints = type(constraints)(allowed, 1 << cell, constraints.left, ())
    gains = rng.integers(-9, 9, size=len(table))
    found = HeaviestSearch(rules, constraints).find(gains)
    fits = allowed[listed.ships].all(axis=1) & (
        (listed.masks[:, cell // 64] >> np.uint64(cell % 64)) & np.uint64(1)
    ).astype(bool)
    if not fits.any():
        assert found is None
    else:
        assert found is not None
        assert found.gain == gains[listed.ships[fits]].sum(axis=1).max()


def test_gains_of_cells_are_those_of_their_placements() -> None:
    rules = Rules("4x4", "3,2,1")
    cells = list(range(16))
    found = heaviest(rules, cells)
    assert found is not None
    table = placement_table(rules)
    assert found.gain == sum(cells[c] for i in found.ships for c in table.placements[i].cells)


def test_a_full_board() -> None:
    rules = Rules("10x10", "hasbro")
    found = heaviest(rules, [1] * 100)
    assert found is not None
    assert found.gain == 17
    corner = heaviest(rules, [int(cell < 3) for cell in range(100)])
    assert corner is not None
    assert corner.gain == 3


def test_gains_that_are_too_many_or_too_large_are_refused() -> None:
    rules = Rules("4x4", "3,2,1")
    with pytest.raises(WeightsError, match="17 gains: give one per placement"):
        heaviest(rules, [1] * 17)
    with pytest.raises(WeightsError, match="too large"):
        heaviest(rules, [1 << 59] * 16)
    with pytest.raises(TooLargeError, match="the heaviest layout needs"):
        heaviest(Rules("10x10", "russian"), [1] * 100, memory_limit=0.001)
