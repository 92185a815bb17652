"""Counting games, and what the counts say."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from seabattle.enumerate.rules import Rules
from seabattle.solver.tournament.statistics import (
    QUANTILES,
    Duel,
    Estimate,
    Score,
    Spread,
    wilson,
)
from seabattle.solver.tournament.tournament import tournament

SAMPLES = st.lists(st.integers(0, 30), min_size=2, max_size=60)


def spread_of(values: list[int]) -> Spread:
    return Spread(-9, np.bincount(np.array(values) + 9, minlength=40))


@given(SAMPLES)
def test_a_spread_says_what_the_list_says(values: list[int]) -> None:
    spread = spread_of(values)
    assert spread.games == len(values)
    assert spread.total == sum(values)
    assert spread.mean == Fraction(sum(values), len(values))
    assert spread.deviation == pytest.approx(statistics.stdev(values))
    assert spread.quantile(0.5) == statistics.median(values)
    assert (spread.minimum, spread.maximum) == (min(values), max(values))
    for level in QUANTILES.values():
        if level != 0.5:
            value = spread.quantile(level)
            assert sum(v <= value for v in values) >= level * len(values) - 1e-9
            assert sum(v < value for v in values) < level * len(values) + 1e-9
    low, high = spread.interval
    assert low <= float(spread.mean) <= high
    assert Spread(-9, spread.counts, exact=True).interval == (float(spread.mean),) * 2


@given(SAMPLES, st.booleans())
def test_without_luck_what_is_left_is_the_whole(values: list[int], exact: bool) -> None:
    spread = Spread(-9, spread_of(values).counts, exact)
    left = Estimate.of(np.array(values, dtype=float), exact=exact)
    assert left.mean == pytest.approx(float(spread.mean))
    assert left.deviation == pytest.approx(spread.deviation)
    assert left.interval == pytest.approx(spread.interval)
    assert left.reversed() == Estimate.of(-np.array(values, dtype=float), exact=exact)
    assert Estimate.of(np.array([4.5])).interval == (-math.inf, math.inf)


def test_intervals() -> None:
    """Student's t with 9 degrees is 2.262; a single game says nothing about the mean."""
    low, high = spread_of(list(range(10))).interval
    assert (high - low) / 2 == pytest.approx(
        2.2621572 * statistics.stdev(range(10)) / math.sqrt(10)
    )
    assert spread_of([4]).interval == (-math.inf, math.inf)
    assert wilson(0, 100) == (0.0, pytest.approx(0.0369935))
    assert wilson(100, 100) == (pytest.approx(1 - 0.0369935), 1.0)
    assert wilson(50, 100) == (pytest.approx(0.4038315), pytest.approx(0.5961685))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40))
def test_duels_are_paired(games: list[tuple[int, int]]) -> None:
    shots = np.array(games, dtype=np.int16).T
    duel, back = Duel.of("a", "b", shots), Duel.of("a", "b", shots).reversed()
    spread = spread_of([a - b for a, b in games])
    assert (duel.mean, duel.interval) == (float(spread.mean), spread.interval)
    assert (back.first, back.mean, back.wins) == ("b", -duel.mean, duel.losses)
    assert duel.wins == sum(a < b for a, b in games)
    assert duel.losses == sum(a > b for a, b in games)
    assert duel.wins + duel.even + duel.losses == len(games)
    score = Score("a", Spread(0, np.bincount(shots[0])), 2)
    assert score.misses.total == score.shots.total - 2 * len(games)
    assert score.perfect == sum(a == 2 for a, _ in games)


def test_random_play_is_distributed_as_known() -> None:
    """The last of k cells is shot at shot s with C(s - 1, k - 1) of C(n, k) orders."""
    found = tournament(Rules("3x3", "2,1"), ["random"], games=3000, seed=1)
    chances = [math.comb(s - 1, 2) / math.comb(9, 3) for s in range(3, 10)]
    counts = found.scores[0].shots.counts
    assert not counts[:3].any()
    assert chisquare(counts[3:], 3000 * np.array(chances)).pvalue > 1e-4
