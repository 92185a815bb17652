"""Priors fitted to frequencies, against the exact optimum over all layouts listed."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.examples import examples
from support.small_boards import GAMES, as_grid, cells_of_layouts
from twins.entropy_twin import entropy_bits, most_entropic
from twins.listed_counter import ListedCounter

from seabattle.enumerate.errors import SeabattleError, WeightsError
from seabattle.enumerate.priors.fit import FitProgress, PriorFit, fit_frequencies, shares
from seabattle.enumerate.rules import Rules


def random_interior(rules: Rules, rng: np.random.Generator, sd: float) -> NDArray[np.float64]:
    """Chances of the layouts under a random product prior of the cells."""
    logs = cells_of_layouts(rules) @ rng.normal(0, sd, rules.board.cells)
    weights = np.exp(logs - logs.max())
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances


def chances_of(found: PriorFit) -> NDArray[np.float64]:
    """The chance of every layout under a fitted prior, computed exactly."""
    return ListedCounter(found.prior.rules, found.prior).chances


@examples(40)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from([0.3, 1.0, 2.0]))
def test_a_product_prior_is_recovered_from_its_frequencies(
    rules: Rules, seed: int, sd: float
) -> None:
    chances = random_interior(rules, np.random.default_rng(seed), sd)
    frequencies = chances @ cells_of_layouts(rules)
    found = fit_frequencies(rules, as_grid(rules, frequencies))
    assert found.reached
    assert found.face is None
    assert found.deviation <= 1e-6
    fitted = chances_of(found)
    assert np.abs(fitted @ cells_of_layouts(rules) - frequencies).max() <= 1.01e-6
    assert np.abs(fitted - chances).max() <= 1e-5
    # frequencies may be off by 1e-6 each, the entropy by that times the logarithms of weights
    assert found.entropy == pytest.approx(entropy_bits(fitted), abs=1e-4)


@examples(25)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_the_optimum_is_that_over_all_layouts_listed(rules: Rules, seed: int) -> None:
    """Frequencies of any distribution of all layouts, not of a product prior."""
    rng = np.random.default_rng(seed)
    layouts = cells_of_layouts(rules)
    frequencies = rng.dirichlet(np.ones(len(layouts))) @ layouts
    found = fit_frequencies(rules, as_grid(rules, frequencies), tolerance=1e-8)
    free = (frequencies > 0) & (frequencies < 1)
    right = most_entropic(layouts[:, free], frequencies[free])
    assert np.abs(chances_of(found) - right).max() <= 1e-6
    assert found.bits == pytest.approx(np.log2(len(layouts)) - entropy_bits(right), abs=1e-6)


@examples(15)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_the_gauge_and_fitting_again(rules: Rules, seed: int) -> None:
    chances = random_interior(rules, np.random.default_rng(seed), 0.7)
    frequencies = chances @ cells_of_layouts(rules)
    found = fit_frequencies(rules, as_grid(rules, frequencies))
    assert found.prior.cells is not None
    inside = [w for w, f in zip(found.prior.cells, frequencies, strict=True) if 0 < f < 1 - 1e-12]
    assert float(prod(inside)) ** (1 / len(inside)) == pytest.approx(1, abs=1e-9)
    reached = chances_of(found) @ cells_of_layouts(rules)
    again = fit_frequencies(rules, as_grid(rules, np.clip(reached, 0, 1)), tolerance=1e-8)
    assert np.abs(chances_of(again) - chances_of(found)).max() <= 1e-6


@pytest.mark.slow  # ten seconds of linear programs
@examples(20)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(1, 5))
def test_frequencies_close_to_a_face_are_reached(rules: Rules, seed: int, power: int) -> None:
    """Nearly all games have the same few layouts: many cells are occupied hardly ever."""
    rng = np.random.default_rng(seed)
    layouts = cells_of_layouts(rules).astype(int)
    few = layouts[rng.integers(len(layouts), size=rng.integers(1, 4))]
    games = len(few) * 10**power * len(layouts) + len(layouts)
    counts = few.sum(axis=0) * 10**power * len(layouts) + layouts.sum(axis=0)
    found = fit_frequencies(rules, as_grid(rules, counts).tolist(), games=games)
    assert found.reached
    assert found.face is None


def test_uniform_frequencies_need_one_map_and_give_no_bits() -> None:
    rules = Rules("4x4", "3,2,1")
    layouts = cells_of_layouts(rules).astype(int)
    counts = layouts.sum(axis=0)
    found = fit_frequencies(rules, as_grid(rules, counts).tolist(), games=len(layouts))
    assert (found.maps, found.iterations) == (1, 0)
    assert found.bits == pytest.approx(0, abs=1e-9)
    assert found.games == len(layouts)
    assert set(found.prior.cells or ()) == {Fraction(1)}


def test_frequencies_of_0_and_1_are_forbidden_and_forced_cells() -> None:
    rules = Rules("4x4", "3,2,1", "corners")
    layouts = cells_of_layouts(rules)
    some = layouts[(layouts[:, 5] == 1) & (layouts[:, 0] == 0)]
    rng = np.random.default_rng(3)
    frequencies = rng.dirichlet(np.ones(len(some))) @ some
    found = fit_frequencies(rules, as_grid(rules, np.where(frequencies > 1 - 1e-9, 1, frequencies)))
    assert found.reached
    assert found.prior.forced >> 5 & 1
    assert found.prior.cells is not None
    assert found.prior.cells[0] == 0
    chances = chances_of(found)
    assert not chances[(layouts[:, 5] == 0) | (layouts[:, 0] == 1)].any()
    assert np.abs(chances @ layouts - frequencies).max() <= 1.01e-6


def test_one_layout_alone() -> None:
    rules = Rules("3x3", "2,2")
    grid = [[1, 1, 0], [0, 0, 0], [0, 1, 1]]
    found = fit_frequencies(rules, grid)
    assert found.entropy == pytest.approx(0, abs=1e-12)
    assert found.bits == pytest.approx(np.log2(found.layouts))


def test_counts_and_frequencies_say_the_same() -> None:
    rules = Rules("1x4", "2")
    by_counts = fit_frequencies(rules, [[2, 3, 2, 1]])
    by_games = fit_frequencies(rules, [[2, 3, 2, 1]], games=4)
    by_shares = fit_frequencies(rules, [[0.5, 0.75, 0.5, 0.25]])
    assert by_counts.prior == by_games.prior == by_shares.prior
    assert (by_counts.games, by_games.games, by_shares.games) == (4, 4, None)


def test_decimals_that_were_rounded_are_taken_in_their_proportion() -> None:
    wanted, games = shares(Rules("1x4", "2"), [[0.5, 0.75, 0.5, 0.2500005]])
    assert sum(wanted) == 2
    assert games is None


@pytest.mark.parametrize(
    ("grid", "games", "message"),
    [
        (
            [[0.5, 0.75, 0.5, 0.35]],
            None,
            r"sum to 2\.1, and the fleet's 2 cells need 2: 0\.1 too m",
        ),
        ([[0.5, 0.75, 0.5, 0.15]], None, r"sum to 1\.9, .*: 0\.1 too few"),
        ([[2, 3, 2, 2]], None, r"the counts sum to 9, which is no multiple .* 2 cells: 1 too many"),
        ([[2, 3, 2, 2]], 4, "the counts sum to 9, and the fleet's 2 cells need 8: 1 too many"),
        ([[2, 5, 0, 1]], None, r"cell B1: 5 in 4 games is outside \[0, 1\]"),
        ([[-0.5, 1.5, 0.5, 0.5]], None, r"cell A1: -0\.5 is outside"),
        ([[0.5, 1.5, 0.0, 0.0]], None, "cell B1: 1.5 is outside .*; say the number of games"),
        ([[0.5, 0.5, 0.5]], None, "frequencies of 1x3: the board is 1x4"),
        ([[0.5, 0.5], [0.5, 0.5]], None, "frequencies of 2x2"),
        ([[float("nan"), 0.5, 0.5, 0.5]], None, "cell A1: nan is not a finite number"),
        ([[float("inf"), 0.5, 0.5, 0.5]], None, "cell A1: inf is not a finite number"),
        ([[0, 0, 0, 0]], None, "the counts sum to 0"),
        ([[2, 3, 2, 1]], 0, "games 0"),
    ],
)
def test_wrong_frequencies_are_refused(
    grid: list[list[float]], games: int | None, message: str
) -> None:
    with pytest.raises(SeabattleError, match=message):
        fit_frequencies(Rules("1x4", "2"), grid, games=games)


def test_wrong_types_are_refused_by_name() -> None:
    rules = Rules("1x4", "2")
    with pytest.raises(TypeError, match="rules: give Rules"):
        fit_frequencies("1x4", [[0.5, 0.75, 0.5, 0.25]])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="frequencies: give 1 rows of 4 numbers"):
        fit_frequencies(rules, "0.5")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="frequencies: give numbers, not 'str'"):
        fit_frequencies(rules, [["0.5", 0.5, 0.5, 0.5]])  # type: ignore[list-item]
    with pytest.raises(SeabattleError, match="tolerance 0: must be"):
        fit_frequencies(rules, [[0.5, 0.75, 0.5, 0.25]], tolerance=0)


def test_a_stopped_fit_keeps_the_best_prior_so_far() -> None:
    rules = Rules("4x4", "3,2,1")
    frequencies = random_interior(rules, np.random.default_rng(1), 1.0) @ cells_of_layouts(rules)
    seen: list[FitProgress] = []
    found = fit_frequencies(
        rules, as_grid(rules, frequencies), progress=seen.append, stop=lambda: len(seen) >= 6
    )
    assert found.interrupted
    assert not found.reached
    assert found.maps == len(seen) == 6
    assert found.deviation == seen[-1].deviation == min(p.deviation for p in seen)
    gone = fit_frequencies(rules, as_grid(rules, frequencies), time_limit=0)
    assert gone.interrupted
    assert gone.maps == 1
    assert gone.bits == pytest.approx(0, abs=1e-9)


def test_errors_are_errors_of_weights() -> None:
    with pytest.raises(WeightsError, match="the frequencies are impossible"):
        fit_frequencies(Rules("1x4", "2"), [[0.75, 0.25, 0.25, 0.75]])
