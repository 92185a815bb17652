"""Counting under a prior: chances, the total weight and samples agree with exact fractions."""

from __future__ import annotations

from collections import Counter as Tally
from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from laws.games import MIDDLE, Game, games, law
from scipy.stats import chi2
from twins import naive, naive_priors
from twins.naive_trees import naive_rows, numbers_of, position_of, spoken

from seabattle.enumerate.counting.chances import likely_constraints, scaled_weights
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier, grid
from seabattle.enumerate.counting.sweep import Sweep, Workspace
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Rules

RUSSIAN, HASBRO = (
    Rules("10x10", "russian", answers="sunk"),
    Rules("10x10", "hasbro", answers="sunk"),
)

ERROR = Fraction(1, 10**10)
"""Largest relative error allowed."""

"""Decades from 1, up and down, over which weights are drawn."""


def some_weights(count, rng, spread, zeros):
    """Weights up to 10**spread from 1, with some zeros."""
    exponents = rng.uniform(-spread, spread, count)
    parts = [Fraction(int(part), 997) for part in rng.integers(1, 2000, count)]
    drawn = [Fraction(10**e) * part for e, part in zip(exponents, parts, strict=True)]
    return [w * bool(keep) for w, keep in zip(drawn, rng.random(count) >= zeros, strict=True)]


def twin_of(prior):
    """What layouts weigh under a product prior, by the twin."""
    table = placement_table(prior.rules).placements
    ships = {frozenset(p.cells): w for p, w in zip(table, prior.placements, strict=True)}
    forced = [cell for cell in range(prior.rules.board.cells) if prior.forced >> cell & 1]
    return naive_priors.by_ships(ships, forced)


def close(found, exact, error=ERROR):
    """Whether a float is as near to a fraction as stated; 0 only if it is 0."""
    return abs(Fraction(found) - exact) <= exact * error


def log_of(weight):
    return log(weight.numerator) - log(weight.denominator)


@law(12)
@given(games(size=MIDDLE))
def test_every_way_to_sweep_gives_the_same(game: Game) -> None:
    """With or without a count of the ships."""
    assume(game.kind == "product")
    rules, whole = game.rules, game.weight
    ships = {frozenset(p.cells): i for i, p in enumerate(placement_table(rules).placements)}
    masses = [Fraction(0)] * len(ships)
    for layout in game.possible:
        for ship in layout:
            masses[ships[ship]] += game.weight_of[layout]
    constraints = likely_constraints(game.prior, constrain(game.position, propagate=False))
    weights, log_unit = scaled_weights(game.prior, constraints)
    for counted in (False, True):
        space = Workspace(rules, Frontier(grid(rules).ships, counted=counted))
        sweep = Sweep(space, constraints, weights)
        assert abs(log(sweep.total) + log_unit - log(whole)) <= ERROR
        for mass, exact in zip(sweep.placement_sums(), masses, strict=True):
            assert close(mass / sweep.total, exact / whole)


@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def test_equal_weights_on_10x10_give_the_exact_map(rules):
    prior = ProductPrior.of_cells(rules, [Fraction(2, 3)] * 100)
    position = Position.of_cells(rules, miss=["A1", "E5", "F6", "J9"], hit=["C3"])
    for known in (Position(rules), position):
        exact = Counter(known).map()
        found = Counter(known, prior=prior).map()
        assert found.error < 1e-11
        assert (found.layouts, found.labelled_layouts) == (exact.layouts, exact.labelled_layouts)
        for chance, layouts in zip(
            found.cells + found.placements, exact.cells + exact.placements, strict=True
        ):
            assert close(chance, Fraction(layouts, exact.layouts), Fraction(1, 10**12))
        weight = log(exact.layouts) + rules.fleet.cells * log(2 / 3)
        assert Counter(known, prior=prior).chances().log_weight == pytest.approx(weight, abs=1e-10)


@pytest.mark.parametrize(
    ("game", "history"),
    [
        (Rules("3x4", "2,1", "none", "sunk"), []),
        (Rules("2x5", "2,2,1", "corners"), [(0, "miss")]),
        (Rules("3x3", "3,2", "sides", "sunk", "none"), [(4, "hit")]),
        (Rules("4x3", "2,2", "sides", "ship"), [(4, "hit:2#1")]),
    ],
)
def test_layouts_are_drawn_by_the_prior(game, history):
    """Chi-square for every single layout, by either way to count."""
    rng = np.random.default_rng(11)
    expected = list(naive.fitting(naive_rows(game), history, *spoken(game)))
    cells = some_weights(game.board.cells, rng, 1, 0.1)
    product_prior = ProductPrior.of_cells(game, cells)
    some = {numbers_of(game, layout): 3 + i % 5 for i, layout in enumerate(expected[::2])}
    table_prior = TablePrior(game, some, 2)
    by_numbers = {numbers_of(game, layout): layout for layout in expected}
    in_table = {by_numbers[numbers]: weight for numbers, weight in some.items()}
    for prior, weigh in (
        (product_prior, twin_of(product_prior)),
        (SumPrior(game, tuple(cells)), naive_priors.by_cells(cells)),
        (table_prior, naive_priors.by_table(in_table, 2)),
    ):
        draws = 40_000
        rows = Counter(position_of(game, history), prior=prior).sample(draws, 5)
        met = Tally(map(tuple, rows.tolist()))
        assert set(met) <= set(by_numbers)
        whole = naive_priors.total(expected, weigh)
        shares = {n: float(weigh(layout) / whole) for n, layout in by_numbers.items()}
        assert not [n for n in met if shares[n] == 0]
        likely = {n: share * draws for n, share in shares.items() if share * draws >= 5}
        statistic = sum((met[n] - mean) ** 2 / mean for n, mean in likely.items())
        rest = draws - sum(likely.values())
        if rest > 5:
            rare = draws - sum(met[n] for n in likely)
            statistic += (rare - rest) ** 2 / rest
        assert len(likely) > 5
        assert chi2.sf(statistic, len(likely)) > 1e-4


@pytest.mark.parametrize("decades", [12, 100, 150])
def test_weights_far_apart_are_added_up_right(decades):
    rules = Rules("3x4", "2,1")
    rng = np.random.default_rng(decades)
    table = placement_table(rules).placements
    weights = [Fraction(10) ** int(rng.choice([-decades, decades])) for _ in table]
    prior = ProductPrior(rules, tuple(weights))
    weigh = twin_of(prior)
    found = Counter(rules, prior=prior).chances()
    for chance, exact in zip(
        found.cells, naive_priors.cell_chances(naive_rows(rules), weigh, 12), strict=True
    ):
        assert close(chance, exact)


def test_weights_too_far_apart_are_refused():
    rules = Rules("3x4", "2,1")
    weights = [Fraction(10) ** (400 * (-1) ** i) for i in range(len(placement_table(rules)))]
    with pytest.raises(WeightsError, match=r"prior wild: .* 1,60. decades apart, .* at most 614"):
        Counter(rules, prior=ProductPrior(rules, tuple(weights), name="wild")).map()
    shifted = [weight * 10**1000 for weight in weights[:1] * len(weights)]
    found = Counter(rules, prior=ProductPrior(rules, tuple(shifted)))
    total = found.count() * weights[0] ** 2 * 10**2000
    assert found.chances().log_weight == pytest.approx(log_of(total), rel=1e-14)
    far = ProductPrior(rules, tuple(Fraction(1, 10**400) for _ in weights))
    assert Counter(rules, prior=far).chances().log_weight == pytest.approx(
        log(found.count()) - 800 * log(10), rel=1e-14
    )


def test_forced_cells_are_occupied_or_nothing_is_left():
    rules = Rules("3x4", "2,1", answers="sunk")
    prior = ProductPrior.of_cells(rules, [1] * 12, forced=["B2"], name="at B2")
    found = Counter(rules, prior=prior).map()
    hit = Counter(Position.of_cells(Rules("3x4", "2,1"), hit=["B2"])).map()
    assert found.chance("B2") == 1
    assert found.cells == pytest.approx([n / hit.layouts for n in hit.cells], rel=1e-14)
    assert found.layouts == Counter(rules).count() > hit.layouts
    miss = Counter(Position.of_cells(rules, miss=["B2"]), prior=prior)
    with pytest.raises(WeightsError, match=r"^prior at B2: every layout that fits weighs 0$"):
        miss.map()
    assert miss.count() == found.layouts - hit.layouts
