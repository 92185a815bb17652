"""Counting under a prior: chances, the total weight and samples agree with exact fractions."""

from __future__ import annotations

from collections import Counter as Tally
from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from support.examples import examples
from twins import naive, naive_priors
from twins.naive_trees import naive_rows, numbers_of, position_of, spoken

from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.mass_sweep import MassSweep
from seabattle.enumerate.counting.weighing import ProductWeights
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import PositionError, WeightsError
from seabattle.enumerate.map import ChanceMap
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules

GAMES = [
    ("3x3", "3,2,1"),
    ("3x4", "2,1"),
    ("2x5", "2,2,1"),
    ("4x4", "3,2"),
    ("4x3", "2,2"),
    ("1x6", "2,1"),
    ("6x1", "3,1"),
    ("4x4", "2,1,1"),
    ("5x3", "3,1,1"),
]
RUSSIAN, HASBRO = (
    Rules("10x10", "russian", answers="sunk"),
    Rules("10x10", "hasbro", answers="sunk"),
)

ERROR = Fraction(1, 10**10)
"""Largest relative error allowed."""

SPREADS = [0, 1, 12]
"""Decades from 1, up and down, over which weights are drawn."""

games = st.sampled_from(GAMES)
contacts = st.sampled_from(list(Contact))
modes = st.sampled_from(list(AnswerMode))
announcements = st.sampled_from(list(Announce))
seeds = st.integers(0, 2**32 - 1)


def naive_history(rules, rows, rng):
    """Some shots answered by one of the layouts: cells and texts."""
    target = rows[rng.integers(len(rows))]
    cells = rng.permutation(rules.board.cells)[: rng.integers(0, 8)].tolist()
    return [
        (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]


def some_weights(count, rng, spread, zeros):
    """Weights up to 10**spread from 1, with some zeros."""
    exponents = rng.uniform(-spread, spread, count)
    parts = [Fraction(int(part), 997) for part in rng.integers(1, 2000, count)]
    drawn = [Fraction(10**e) * part for e, part in zip(exponents, parts, strict=True)]
    return [w * bool(keep) for w, keep in zip(drawn, rng.random(count) >= zeros, strict=True)]


def some_prior(rules, rng, zeros=0.15):
    """A product prior of placements or of cells, and its twin; one of all zeros is drawn again."""
    while True:
        try:
            prior = drawn_prior(rules, rng, zeros)
        except WeightsError:
            continue
        return prior, twin_of(prior)


def drawn_prior(rules, rng, zeros):
    table = placement_table(rules).placements
    spread = SPREADS[rng.integers(len(SPREADS))]
    forced = rng.permutation(rules.board.cells)[: int(rng.random() < 0.3)].tolist()
    if rng.random() < 0.5:
        weights = tuple(some_weights(len(table), rng, spread, zeros * rng.integers(2)))
        return ProductPrior(rules, weights, rules.board.mask(forced), name="some")
    cells = some_weights(rules.board.cells, rng, spread, zeros * rng.integers(2))
    return ProductPrior.of_cells(rules, cells, forced=forced, name="some")


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


def check_map(found, expected, weigh):
    """A map against the layouts that fit, weighed one by one."""
    rules = found.position.rules
    assert found.error <= ERROR
    assert found.layouts == len(expected)
    exact = naive_priors.cell_chances(expected, weigh, rules.board.cells)
    assert all(map(close, found.cells, exact))
    assert all(map(close, found.cells, exact, [Fraction(found.error)] * len(exact)))
    ships = naive_priors.ship_chances(expected, weigh)
    for placement, chance in zip(placement_table(rules).placements, found.placements, strict=True):
        assert close(chance, ships.get(frozenset(placement.cells), Fraction(0)))
    assert abs(found.log_weight - log_of(naive_priors.total(expected, weigh))) <= ERROR
    free = {
        cell: exact[cell] for cell in range(len(exact)) if cell not in dict(found.position.shots)
    }
    best = [cell for cell, chance in free.items() if chance == max(free.values()) > 0]
    assert set(best) <= set(found.best_cells)


@pytest.mark.parametrize("answers", list(AnswerMode))
@pytest.mark.parametrize("contact", list(Contact))
@examples(60)
@given(game=games, announce=announcements, seed=seeds)
def test_chances_are_those_of_exact_fractions(contact, answers, game, announce, seed):
    rules, rng = Rules(*game, contact, answers, announce), np.random.default_rng(seed)
    rows = naive_rows(rules)
    if not rows:
        return
    history = naive_history(rules, rows, rng)
    expected = naive.fitting(rows, history, *spoken(rules))
    prior, weigh = some_prior(rules, rng)
    position = position_of(rules, history)
    counter = Counter(position, prior=prior)
    assert counter.count() == len(expected)
    assert counter.labelled() == Counter(position).labelled()
    if naive_priors.total(expected, weigh) == 0:
        for work in (counter.map, counter.chances, counter.log_weight, lambda: counter.sample(1)):
            with pytest.raises(WeightsError, match=r"^prior some: every layout that fits weighs 0"):
                work()
        return
    found = counter.map()
    assert isinstance(found, ChanceMap)
    check_map(found, expected, weigh)
    assert found.labelled_layouts == counter.labelled()
    assert abs(counter.log_weight() - found.log_weight) <= ERROR
    chances = counter.chances()
    assert tuple(chances.cells.tolist()) == found.cells
    for row in counter.sample(20, seed).tolist():
        assert sum(weigh(layout) for layout in expected if numbers_of(rules, layout) == tuple(row))


@examples(60)
@given(games, contacts, modes, announcements, seeds)
def test_every_way_to_sweep_gives_the_same(game, contact, answers, announce, seed):
    rules, rng = Rules(*game, contact, answers, announce), np.random.default_rng(seed)
    rows = naive_rows(rules)
    if not rows:
        return
    history = naive_history(rules, rows, rng)
    expected = naive.fitting(rows, history, *spoken(rules))
    prior, weigh = some_prior(rules, rng, zeros=0)
    whole = naive_priors.total(expected, weigh)
    ships = {frozenset(p.cells): i for i, p in enumerate(placement_table(rules).placements)}
    masses = [Fraction(0)] * len(ships)
    for layout in expected:
        for ship in layout:
            masses[ships[ship]] += weigh(layout)
    constraints = constrain(position_of(rules, history), propagate=False)
    weighing = ProductWeights(prior).weigh(constraints)
    for transposed, counted in product((False, True), (False, True)):
        width = rules.board.rows if transposed else rules.board.columns
        steps = Frontier(width, rules.contact, rules.fleet.lengths, counted=counted)
        sweep = MassSweep(
            rules,
            weighing.constraints,
            weighing.weights,
            steps=steps,
            transposed=transposed,
            memory=int(rng.integers(2)) << 32,  # rows computed twice, or kept
        )
        if whole == 0:
            assert sweep.total == 0
            continue
        assert abs(log(sweep.total) + weighing.log_unit - log_of(whole)) <= ERROR
        for mass, exact in zip(sweep.placement_masses(), masses, strict=True):
            assert close(mass / sweep.total, exact / whole)


@examples(60)
@given(games, contacts, modes, announcements, seeds)
def test_the_chances_after_each_answer_are_those_of_bayes(game, contact, answers, announce, seed):
    rules, rng = Rules(*game, contact, answers, announce), np.random.default_rng(seed)
    rows = naive_rows(rules)
    if not rows:
        return
    position = position_of(rules, naive_history(rules, rows, rng))
    free = [c for c in range(rules.board.cells) if not position.shot_mask >> c & 1]
    if not free:
        return
    cell = free[rng.integers(len(free))]
    counter = Counter(position, prior=some_prior(rules, rng, zeros=0)[0])
    try:
        whole = counter.map()
    except WeightsError:
        return
    sums, total = np.zeros(rules.board.cells), 0.0
    for code in possible_answers(rules):
        try:
            part = counter.at(position.shoot(cell, code)).map()
        except (PositionError, WeightsError):
            continue
        share = exp(part.log_weight - whole.log_weight)
        sums += share * np.array(part.cells)
        total += share
    assert total == pytest.approx(1, rel=1e-9)
    assert sums == pytest.approx(np.array(whole.cells), rel=1e-9)


@examples(40)
@given(
    games,
    contacts,
    st.sampled_from([Fraction(1, 3), Fraction(10**40), Fraction(1, 10**200)]),
    seeds,
)
def test_a_factor_for_all_ships_of_a_length_changes_no_chance(game, contact, factor, seed):
    rules, rng = Rules(*game, contact), np.random.default_rng(seed)
    if not naive_rows(rules):
        return
    prior, _ = some_prior(rules, rng)
    table = placement_table(rules).placements
    length = rules.fleet.lengths[rng.integers(len(rules.fleet.lengths))]
    weights = [
        w * factor if p.length == length else w
        for p, w in zip(table, prior.placements, strict=True)
    ]
    scaled = ProductPrior(rules, tuple(weights), prior.forced)
    counter = Counter(rules, prior=prior)
    try:
        before = counter.map()
    except WeightsError:
        return
    after = counter.under(scaled).map()
    assert after.cells == pytest.approx(before.cells, rel=1e-12)
    change = rules.fleet.lengths.count(length) * log_of(factor)
    assert after.log_weight - before.log_weight == pytest.approx(change, abs=1e-10)


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
        assert found.log_weight == pytest.approx(weight, abs=1e-10)


@pytest.mark.parametrize("rules", [RUSSIAN, HASBRO], ids=["russian", "hasbro"])
def test_10x10_by_rows_and_by_columns(rules):
    rng = np.random.default_rng(4)
    prior = ProductPrior.of_cells(rules, some_weights(100, rng, 2, 0))
    weighing = ProductWeights(prior).weigh(constrain(Position(rules)))
    by_rows, by_columns = (
        MassSweep(rules, weighing.constraints, weighing.weights, transposed=transposed)
        for transposed in (False, True)
    )
    assert by_rows.total == pytest.approx(by_columns.total, rel=1e-12)
    masses = by_rows.placement_masses()
    assert masses == pytest.approx(by_columns.placement_masses(), rel=1e-12)
    sums = np.array([p.length for p in placement_table(rules).placements]) @ masses
    assert sums == pytest.approx(by_rows.total * rules.fleet.cells, rel=1e-12)


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


@examples(150)
@given(games, contacts, modes, announcements, st.booleans(), seeds)
def test_priors_that_are_no_products_are_listed(game, contact, answers, announce, summed, seed):
    rules, rng = Rules(*game, contact, answers, announce), np.random.default_rng(seed)
    rows = naive_rows(rules)
    if not rows:
        return
    history = naive_history(rules, rows, rng)
    expected = naive.fitting(rows, history, *spoken(rules))
    if summed:
        cells = some_weights(rules.board.cells, rng, SPREADS[seed % 3], 0.3)
        cells[0] += not any(cells)
        prior, weigh = SumPrior(rules, tuple(cells), name="some"), naive_priors.by_cells(cells)
    else:
        listed = [row for row in rows if rng.random() < 0.3]
        weights = {row: int(rng.integers(0, 4)) << int(rng.integers(0, 80)) for row in listed}
        others = int(rng.integers(0, 2)) or int(not any(weights.values()))
        table = {numbers_of(rules, row): weight for row, weight in weights.items()}
        prior = TablePrior(rules, table, others, name="some")
        weigh = naive_priors.by_table(weights, others)
    counter = Counter(position_of(rules, history), prior=prior)
    if naive_priors.total(expected, weigh) == 0:
        with pytest.raises(WeightsError, match=r"^prior some: every layout that fits weighs 0"):
            counter.map()
        return
    found = counter.map()
    check_map(found, expected, weigh)
    exact = naive_priors.cell_chances(expected, weigh, rules.board.cells)
    assert found.cells == tuple(map(float, exact))


def test_layouts_that_cannot_be_listed_are_refused():
    """But late in a game they can, on any board."""
    numbers = tuple(Counter(RUSSIAN).sample(1, 3)[0].tolist())
    prior = TablePrior(RUSSIAN, {numbers: 5}, 1, name="seen.csv")
    counter = Counter(RUSSIAN, prior=prior)
    with pytest.raises(WeightsError, match=r"^prior seen.csv is no product .* prior fit") as caught:
        counter.map()
    assert "\n" not in str(caught.value)
    assert counter.count() == 1_855_545_978_831_780
    table = placement_table(RUSSIAN)
    ships = [table.placements[number] for number in numbers]
    occupied = sum(ship.mask for ship in ships)
    late = Position.of_cells(
        RUSSIAN,
        miss=[RUSSIAN.board.name(cell) for cell in range(80) if not occupied >> cell & 1],
        sunk=[str(ship) for ship in ships[:6]],
    )
    uniform, found = Counter(late).map(), counter.at(late).map()
    assert 1 < uniform.layouts < 100_000
    whole = uniform.layouts + 4
    for number, (count, chance) in enumerate(
        zip(uniform.placements, found.placements, strict=True)
    ):
        assert chance == (count + 4 * (number in numbers)) / whole


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
    found = Counter(rules, prior=ProductPrior(rules, tuple(shifted))).map()
    total = found.layouts * weights[0] ** 2 * 10**2000
    assert found.log_weight == pytest.approx(log_of(total), rel=1e-14)
    far = ProductPrior(rules, tuple(Fraction(1, 10**400) for _ in weights))
    assert Counter(rules, prior=far).log_weight() == pytest.approx(
        log(found.layouts) - 800 * log(10), rel=1e-14
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
