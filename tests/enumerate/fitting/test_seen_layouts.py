"""Priors fitted to layouts seen: they move as far as the games support, and no further."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.examples import examples
from support.small_boards import GAMES, cells_of_layouts
from twins.listed_counter import ListedCounter

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import LayoutError, SeabattleError, WeightsError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.fit import SMOOTHING, PriorFit, fit_layouts, learned_cells
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.independent_ships import GROWTH, Learning

TOLERANCE = 1.01e-6


def cell_chances(found: PriorFit) -> NDArray[np.float64]:
    """The chance of every cell under a fitted prior, over all layouts listed."""
    listed = ListedCounter(found.prior.rules, found.prior)
    return listed.chances @ cells_of_layouts(found.prior.rules)


@examples(30)
@given(
    st.sampled_from(GAMES),
    st.integers(0, 2**32),
    st.integers(1, 6),
    st.sampled_from(["cells", "placements"]),
    st.sampled_from([0.5, 1, 5, 20]),
)
def test_no_chance_moves_further_than_the_games_support(
    rules: Rules, seed: int, games: int, weights: str, smoothing: float
) -> None:
    rng = np.random.default_rng(seed)
    listed, cells = enumerate_layouts(rules), cells_of_layouts(rules)
    rows = rng.integers(len(listed), size=games)
    found = fit_layouts(rules, listed.ships[rows], weights=weights, smoothing=smoothing)
    assert found.reached
    uniform, seen = cells.mean(axis=0), cells[rows].mean(axis=0)
    share = games / (games + smoothing)
    moved = cell_chances(found) - uniform
    most = 3 * TOLERANCE if weights == "placements" else TOLERANCE
    assert np.abs(moved - share * (seen - uniform)).max() <= most * rules.fleet.cells
    assert (np.abs(moved) <= share * np.abs(seen - uniform) + most * rules.fleet.cells).all()
    if weights == "placements":
        under = ListedCounter(rules, found.prior)
        ships = np.zeros((len(listed), len(placement_table(rules))))
        ships[np.arange(len(listed))[:, None], listed.ships] = 1
        wanted = share * ships[rows].mean(axis=0) + (1 - share) * ships.mean(axis=0)
        assert np.abs(np.array(under.placements) - wanted).max() <= TOLERANCE


@examples(15)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(1, 6))
def test_classes_share_a_weight_and_a_chance(rules: Rules, seed: int, games: int) -> None:
    rng = np.random.default_rng(seed)
    listed, cells = enumerate_layouts(rules), cells_of_layouts(rules)
    rows = rng.integers(len(listed), size=games)
    found = fit_layouts(rules, listed.ships[rows], weights="classes", smoothing=4)
    uniform, seen = cells.mean(axis=0), cells[rows].mean(axis=0)
    images = np.array([seen[list(symmetry)] for symmetry in rules.board.symmetries])
    moved = cell_chances(found) - uniform
    assert np.abs(moved - games / (games + 4) * (images.mean(axis=0) - uniform)).max() <= TOLERANCE
    assert found.prior.cells is not None
    for symmetry in rules.board.symmetries:
        assert [found.prior.cells[cell] for cell in symmetry] == list(found.prior.cells)


@pytest.mark.slow
def test_one_game_gives_a_tame_map() -> None:
    """A single game moves no cell of the full board by more than one game in 21."""
    rules = Rules("10x10", "hasbro")
    seen = ["A1:E1 A2:D2 A3:C3 A4:C4 A5:B5"]
    found = fit_layouts(rules, seen, tolerance=1e-4)
    assert found.smoothing == SMOOTHING == 20
    uniform = np.array([Fraction(n, found.layouts) for n in Counter(rules).occupancy_map().cells])
    chances = Counter(rules, prior=found.prior).chances().cells
    assert np.abs(chances - uniform.astype(float)).max() <= 1 / 21 + 1e-4
    assert found.bits < 1


def test_many_games_need_little_smoothing() -> None:
    rules = Rules("4x4", "3,2", "sides")
    listed, cells = enumerate_layouts(rules), cells_of_layouts(rules)
    prior = ProductPrior.of_cells(rules, [1 + cell % 3 for cell in range(16)])
    drawn = Counter(rules, prior=prior).sample(20_000, 5)
    found = fit_layouts(rules, drawn)
    right = ListedCounter(rules, prior).chances @ cells
    assert np.abs(cell_chances(found) - right).max() <= 0.02
    assert len(listed) == found.layouts


def test_layouts_may_be_text_names_or_numbers() -> None:
    rules = Rules("1x5", "2,1")
    by_text = fit_layouts(rules, ["A1:B1 D1", "D1:E1,A1"])
    by_names = fit_layouts(rules, [["A1:B1", "D1"], ["A1", "D1:E1"]])
    table = placement_table(rules)
    numbers = np.array([table.parse_layout(["A1:B1", "D1"]), table.parse_layout(["A1", "D1:E1"])])
    assert by_text.prior == by_names.prior == fit_layouts(rules, numbers).prior


def test_wrong_layouts_and_options_are_refused() -> None:
    rules = Rules("1x5", "2,1")
    with pytest.raises(LayoutError, match=r"game 2: layout .*touch"):
        fit_layouts(rules, ["A1:B1 D1", "A1:B1 C1"])
    with pytest.raises(WeightsError, match="no layout was seen"):
        fit_layouts(rules, [])
    with pytest.raises(SeabattleError, match="smoothing 0: must be a number of games above 0"):
        fit_layouts(rules, ["A1:B1 D1"], smoothing=0)
    with pytest.raises(WeightsError, match="smoothing inf"):
        fit_layouts(rules, ["A1:B1 D1"], smoothing=float("inf"))
    with pytest.raises(SeabattleError, match="cells, classes"):
        fit_layouts(rules, ["A1:B1 D1"], weights="ships")
    with pytest.raises(TypeError, match="layouts_seen: give a list of layouts"):
        fit_layouts(rules, "A1:B1 D1")


@examples(20)
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_the_learning_grid_is_the_additive_case(seed: int, games: int) -> None:
    """After the same games the player has exactly these weights."""
    rules = Rules("5x5", "3,2,1", answers="ship")
    listed = enumerate_layouts(rules)
    player = Learning(rules)
    player.begin_block()
    rows = np.random.default_rng(seed).integers(len(listed), size=games)
    for row in rows:
        position = Position(rules)
        placements = listed.placements(int(row))
        for ship in placements:
            for cell in ship.cells:
                position = position.shoot(cell, f"hit={ship.length}#1")
        player.finish(position)
    start = player.cell_weights.tolist()
    if games:
        weights = learned_cells(rules, listed.ships[rows], start, GROWTH)
        assert player.grown == pytest.approx([float(w) for w in weights], rel=1e-14)
    else:
        assert player.grown.tolist() == start


def test_learned_cells_are_counts_with_smoothing() -> None:
    rules = Rules("1x4", "2")
    weights = learned_cells(rules, ["A1:B1", "B1:C1"], ["1.1", 1, 1, "1.1"], "0.02")
    assert weights == (Fraction("1.12"), Fraction("1.04"), Fraction("1.02"), Fraction("1.1"))
    with pytest.raises(WeightsError, match="start has 3 weights"):
        learned_cells(rules, ["A1:B1"], [1, 1, 1], 1)
