"""Fitted priors against the exact optimum over all layouts listed."""

from __future__ import annotations

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

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import SeabattleError, WeightsError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.priors.fit import (
    PriorFit,
    fit_frequencies,
    fit_layouts,
    shares,
)
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

TOLERANCE = 1.01e-6


def chances_of(found: PriorFit) -> NDArray[np.float64]:
    """The chance of every layout under a fitted prior, computed exactly."""
    chances: NDArray[np.float64] = ListedCounter(found.prior.rules, found.prior).chances
    return chances


@examples(20)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_the_optimum_is_that_over_all_layouts_listed(rules: Rules, seed: int) -> None:
    """Frequencies of any distribution of all layouts, not of a product prior."""
    layouts = cells_of_layouts(rules)
    frequencies = np.random.default_rng(seed).dirichlet(np.ones(len(layouts))) @ layouts
    found = fit_frequencies(rules, as_grid(rules, frequencies), tolerance=1e-8)
    assert found.reached
    free = (frequencies > 0) & (frequencies < 1)
    right = most_entropic(layouts[:, free], frequencies[free])
    assert np.abs(chances_of(found) - right).max() <= 1e-6
    assert found.bits == pytest.approx(np.log2(len(layouts)) - entropy_bits(right), abs=1e-6)
    assert found.prior.cells is not None
    inside = [w for w, f in zip(found.prior.cells, frequencies, strict=True) if 0 < f < 1 - 1e-12]
    assert float(prod(inside)) ** (1 / len(inside)) == pytest.approx(1, abs=1e-9)


@examples(15)
@given(
    st.sampled_from(GAMES),
    st.integers(0, 2**32),
    st.integers(1, 6),
    st.sampled_from(["cells", "classes", "placements"]),
    st.sampled_from([0.5, 1, 5, 20]),
)
def test_chances_move_as_far_as_the_games_support(
    rules: Rules, seed: int, games: int, weights: str, smoothing: float
) -> None:
    rng = np.random.default_rng(seed)
    listed, cells = enumerate_layouts(rules), cells_of_layouts(rules)
    rows = rng.integers(len(listed), size=games)
    found = fit_layouts(rules, listed.ships[rows], weights=weights, smoothing=smoothing)
    assert found.reached
    uniform, seen = cells.mean(axis=0), cells[rows].mean(axis=0)
    if weights == "classes":
        seen = np.mean([seen[list(symmetry)] for symmetry in rules.board.symmetries], axis=0)
    moved = chances_of(found) @ cells - uniform
    most = TOLERANCE * rules.fleet.cells * (3 if weights == "placements" else 1)
    assert np.abs(moved - games / (games + smoothing) * (seen - uniform)).max() <= most


def test_frequencies_of_0_and_1_are_forbidden_and_forced_cells() -> None:
    rules = Rules("4x4", "3,2,1", "corners")
    layouts = cells_of_layouts(rules)
    some = layouts[(layouts[:, 5] == 1) & (layouts[:, 0] == 0)]
    frequencies = np.random.default_rng(3).dirichlet(np.ones(len(some))) @ some
    found = fit_frequencies(rules, as_grid(rules, np.where(frequencies > 1 - 1e-9, 1, frequencies)))
    assert found.reached
    assert found.prior.forced >> 5 & 1
    chances = chances_of(found)
    assert not chances[(layouts[:, 5] == 0) | (layouts[:, 0] == 1)].any()
    assert np.abs(chances @ layouts - frequencies).max() <= TOLERANCE


def test_ships_of_every_form_are_fitted() -> None:
    rules = Rules("4x5", "2x2,xx/x.,2")
    prior = ProductPrior.of_cells(rules, [1 + cell * 7 % 5 for cell in range(20)])
    wanted = Counter(rules, prior=prior).map()
    found = fit_frequencies(rules, [list(row) for row in wanted.rows])
    assert Counter(rules, prior=found.prior).map().cells == pytest.approx(wanted.cells, abs=1e-5)


def test_counts_and_frequencies_say_the_same() -> None:
    rules = Rules("1x4", "2")
    by_counts = fit_frequencies(rules, [[2, 3, 2, 1]])
    by_games = fit_frequencies(rules, [[2, 3, 2, 1]], games=4)
    by_shares = fit_frequencies(rules, [[0.5, 0.75, 0.5, 0.25]])
    assert by_counts.prior == by_games.prior == by_shares.prior
    assert sum(shares(rules, [[0.5, 0.75, 0.5, 0.2500005]])[0]) == 2  # rounded decimals
    for above in (1.0000000000000002, 1.0000009):
        assert shares(rules, [[above, 1, 0, 0]])[0] == (1, 1, 0, 0)
        assert sum(shares(rules, [[0.5, above, 0.5, 0]])[0]) == 2
    with pytest.raises(WeightsError, match=r"sum to 2, at most 1.000002 at A1; .* at most 1 each"):
        shares(rules, [[1.000002, 0.999998, 0, 0]])
    with pytest.raises(WeightsError, match=r"sum to 20000000001, .* need 20000000000, "):
        shares(rules, [[10_000_000_000, 10_000_000_000, 1, 0]], 10_000_000_000)


@pytest.mark.parametrize(
    ("grid", "games"),
    [
        ([[0.5, 0.75, 0.5, 0.35]], None),
        ([[2, 3, 2, 2]], None),
        ([[2, 3, 2, 2]], 4),
        ([[2, 5, 0, 1]], None),
        ([[-0.5, 1.5, 0.5, 0.5]], None),
        ([[0.5, 0.5], [0.5, 0.5]], None),
        ([[float("nan"), 0.5, 0.5, 0.5]], None),
        ([[0, 0, 0, 0]], None),
        ([[2, 3, 2, 1]], 0),
        ([[1, 0, 0, 1]], None),
    ],
)
def test_wrong_and_impossible_frequencies_are_refused(
    grid: list[list[float]], games: int | None
) -> None:
    with pytest.raises(SeabattleError):
        fit_frequencies(Rules("1x4", "2"), grid, games=games)


def test_frequencies_that_no_mix_of_layouts_has_are_approached() -> None:
    found = fit_frequencies(Rules("1x4", "2"), [[0.75, 0.25, 0.25, 0.75]])
    assert not found.reached
    assert found.deviation == pytest.approx(0.25, abs=1e-3)


def test_a_stopped_fit_keeps_the_best_prior_so_far() -> None:
    rules = Rules("4x4", "3,2,1")
    layouts = cells_of_layouts(rules)
    frequencies = np.random.default_rng(1).dirichlet(np.ones(len(layouts))) @ layouts
    seen: list[float] = []
    found = fit_frequencies(
        rules,
        as_grid(rules, frequencies),
        progress=lambda maps, deviation: seen.append(deviation),
        stop=lambda: len(seen) >= 3,
    )
    assert found.interrupted
    assert found.maps == len(seen) == 3
    assert found.deviation == min(seen)
    assert fit_frequencies(rules, as_grid(rules, frequencies), time_limit=0).maps == 1
