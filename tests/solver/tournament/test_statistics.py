"""Counting games, and what the counts say."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seabattle.solver.tournament.statistics import (
    LEVELS,
    Duel,
    Score,
    Spread,
    random_play_distribution,
    wilson,
)

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
    for level in LEVELS:
        if level != 0.5:
            value = spread.quantile(level)
            assert sum(v <= value for v in values) >= level * len(values) - 1e-9
            assert sum(v < value for v in values) < level * len(values) + 1e-9
    low, high = spread.interval
    assert low <= float(spread.mean) <= high
    assert Spread(-9, spread.counts, exact=True).interval == (float(spread.mean),) * 2


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


@pytest.mark.parametrize(("cells", "occupied"), [(9, 5), (25, 10), (100, 17), (100, 20), (4, 4)])
def test_random_play_in_closed_form(cells: int, occupied: int) -> None:
    chances = random_play_distribution(cells, occupied)
    assert sum(chances) == 1
    mean = sum(shots * chance for shots, chance in enumerate(chances))
    assert mean == Fraction(occupied * (cells + 1), occupied + 1)
    assert chances[cells] == Fraction(occupied, cells)
    assert not any(chances[:occupied])


def test_random_play_of_the_source() -> None:
    """Median 97, 17 % of games take all 100 shots, and the chance of a perfect game."""
    chances = random_play_distribution(100, 17)
    assert chances[17] == Fraction(355687428096000, 2365369369446553061560941772800000)
    assert chances[17] == Fraction(math.factorial(17) * math.factorial(83), math.factorial(100))
    assert sum(chances[:97]) < Fraction(1, 2) < sum(chances[:98])
    assert sum(chances[79:]) > Fraction(99, 100)  # 99 % of the games take more than 78 shots
