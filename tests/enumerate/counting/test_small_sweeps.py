"""Every way to sweep a tiny game against listing its layouts, quick enough without the compiler."""

from __future__ import annotations

from collections import Counter as Tally
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2
from twins import naive
from twins.naive_trees import naive_rows, position_of, spoken

from seabattle.enumerate.counting import frontier as frontiers
from seabattle.enumerate.counting._profile_kernels import feasible_uses
from seabattle.enumerate.counting.counter import Counter as OneCounter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.mass_sweep import MassSweep
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.counting.weighing import ProductWeights
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Contact, Rules

GAMES = [
    Rules(board, fleet, contact)
    for board, fleet in [("2x3", "2,1"), ("3x3", "3,1"), ("2x4", "2,2"), ("3x3", "2,1,1")]
    for contact in ("none", "corners", "sides")
]
WAYS = list(product((False, True), (False, True)))
SHOTS = [(), (0,), (4, 1)]
"""Cells shot before; the last layout answers."""


def named(rules, numbers):
    """A layout as placements of the table, as the set of its ships."""
    table = placement_table(rules).placements
    return Tally(frozenset(table[number].cells) for number in numbers)


def some_position(rules, cells):
    """Some shots, and the layouts that fit them, as lists of ships."""
    rows = naive_rows(rules)
    history = [
        (cell, naive.answer(rows[-1], cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]
    left = naive.fitting(rows, history, *spoken(rules))
    return constrain(position_of(rules, history), propagate=False), left


def frontier_of(rules, transposed, counted):
    width = rules.board.rows if transposed else rules.board.columns
    return Frontier(width, rules.contact, rules.fleet.lengths, counted=counted)


@pytest.mark.parametrize("shot", SHOTS, ids=str)
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_counts_and_ranks_are_those_of_the_list(rules, shot):
    constraints, left = some_position(rules, shot)
    met = Tally(frozenset(ship) for row in left for ship in row)
    ships = [met[frozenset(p.cells)] for p in placement_table(rules).placements]
    expected = sorted(sorted(map(sorted, row)) for row in left)
    for number, (transposed, counted) in enumerate(WAYS):
        steps = frontier_of(rules, transposed, counted)
        words = 1 + (number + len(shot)) % 3
        for memory, upwards in ((0, False), (1 << 30, True)):
            sweep = Sweep(
                rules, constraints, steps=steps, transposed=transposed, upwards=upwards,
                words=words, memory=memory,
            )  # fmt: skip
            assert sweep.total == len(left)
            assert sweep.placement_counts() == ships
            ranks = np.zeros((len(left), words), dtype=np.uint64)
            ranks[:, 0] = np.arange(len(left))
            found = [named(rules, numbers) for numbers in sweep.layouts(ranks).tolist()]
            listed = sorted(sorted(map(sorted, row.elements())) for row in found)
            assert listed == expected


@pytest.mark.parametrize("shot", SHOTS[:2], ids=str)
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_masses_are_those_of_the_list(rules, shot):
    constraints, left = some_position(rules, shot)
    table = placement_table(rules).placements
    weights = [Fraction(i * 5 % 7, 3) for i in range(len(table))]
    weight_of = {frozenset(p.cells): w for p, w in zip(table, weights, strict=True)}
    masses, whole = dict.fromkeys(weight_of, Fraction(0)), Fraction(0)
    for row in left:
        mass = Fraction(1)
        for ship in row:
            mass *= weight_of[frozenset(ship)]
        whole += mass
        for ship in row:
            masses[frozenset(ship)] += mass
    weighing = ProductWeights(ProductPrior(rules, tuple(weights))).weigh(constraints)
    for transposed, counted in WAYS:
        if weighing is None:
            assert whole == 0
            continue
        for memory in (0, 1 << 30):
            sweep = MassSweep(
                rules, weighing.constraints, weighing.weights, transposed=transposed,
                steps=frontier_of(rules, transposed, counted), memory=memory,
            )  # fmt: skip
            unit = np.exp(weighing.log_unit)
            assert sweep.total * unit == pytest.approx(float(whole), rel=1e-10)
            assert sweep.placement_masses() * unit == pytest.approx(
                [float(masses[frozenset(p.cells)]) for p in table], rel=1e-10
            )
            if whole:
                drawn = sweep.draw(np.arange(1, 9, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
                for row in drawn.tolist():
                    assert named(rules, row) in [Tally(map(frozenset, other)) for other in left]
                    assert all(weights[number] for number in row)


@pytest.mark.parametrize("counted", [False, True])
def test_layouts_are_drawn_as_often_as_they_weigh(counted):
    rules = Rules("2x3", "2,1")
    table = placement_table(rules).placements
    weights = tuple(Fraction(1 + i % 3) for i in range(len(table)))
    weighing = ProductWeights(ProductPrior(rules, weights)).weigh(some_position(rules, ())[0])
    sweep = MassSweep(
        rules, weighing.constraints, weighing.weights, transposed=False,
        steps=frontier_of(rules, False, counted),
    )  # fmt: skip
    with np.errstate(over="ignore"):  # random numbers are meant to wrap around
        drawn = sweep.draw(np.random.default_rng(3).integers(0, 1 << 64, 1000, dtype=np.uint64))
    met = Tally(tuple(sorted(row)) for row in drawn.tolist())
    number = {frozenset(p.cells): i for i, p in enumerate(table)}
    layouts = [tuple(sorted(number[frozenset(s)] for s in row)) for row in naive_rows(rules)]
    mass = np.array([float(np.prod([weights[i] for i in row])) for row in layouts])
    expected = 1000 * mass / mass.sum()
    statistic = sum((met[row] - e) ** 2 / e for row, e in zip(layouts, expected, strict=True))
    assert sum(met[row] for row in layouts) == 1000
    assert 1e-3 < chi2.sf(float(statistic), len(layouts) - 1) < 1 - 1e-3


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("contact", list(Contact))
def test_frontiers_that_begin_small_are_the_same(contact, counted, monkeypatch):
    """Arrays that are full are enlarged, and what was found so far goes on."""
    expected = Frontier(4, contact, (3, 2, 2), counted=counted)
    monkeypatch.setattr(frontiers, "FIRST_CAPACITY", 4)
    found = Frontier(4, contact, (3, 2, 2), counted=counted)
    assert expected.profiles > 16
    assert found.keys.tolist() == expected.keys.tolist()
    assert found.layers.tolist() == expected.layers.tolist()
    for part, other in zip(found.steps_out, expected.steps_out, strict=True):
        assert part.tolist() == other.tolist()


@pytest.mark.parametrize(("cells", "ships"), [(40, 10), (160, 25), (230, 50)])
def test_long_strips_have_as_many_layouts_as_the_formula(cells, ships):
    """Ships of one cell that do not touch, in one to three words: C(cells - ships + 1, ships)."""
    rules = Rules(f"1x{cells}", [1] * ships)
    found = OneCounter(rules).map()
    assert found.layouts == comb(cells - ships + 1, ships)
    assert sum(found.cells) == ships * found.layouts
    assert found.cells[0] == found.cells[-1] == comb(cells - ships, ships - 1)
    assert found.cells == found.cells[::-1]
    assert found.cells[1] == comb(cells - ships - 1, ships - 1)
    drawn = OneCounter(rules).sample(3, 5)
    assert all((np.diff(sorted(row)) > 1).all() and len(row) == ships for row in drawn.tolist())


def test_a_seed_draws_the_same_layouts_everywhere():
    """What is drawn is part of what a seed means: on every machine, compiled or not."""
    rules = Rules("3x4", "2,1")
    weights = tuple(Fraction(1 + i % 3) for i in range(len(placement_table(rules))))
    with np.errstate(over="ignore"):
        drawn = OneCounter(rules, prior=ProductPrior(rules, weights)).sample(8, 2026)
    assert drawn.tolist() == [
        [11, 17], [11, 17], [14, 24], [2, 17], [11, 25], [16, 22], [5, 21], [8, 19],
    ]  # fmt: skip
    assert OneCounter(rules).sample(8, 2026).tolist() == [
        [9, 23], [12, 22], [2, 28], [12, 21], [6, 19], [2, 25], [7, 19], [6, 19],
    ]  # fmt: skip


@pytest.mark.parametrize("contact", list(Contact))
@pytest.mark.parametrize("fleet", [(2, 1), (3, 3, 1, 1), (3, 2, 1), (4, 3, 2, 2)], ids=str)
def test_choices_of_ships_used_are_counted(contact, fleet):
    """Of the ships used, at least as many are longer than k as were begun with more than k left."""
    front = Frontier(4, contact, fleet, counted=False)
    lengths = sorted(set(fleet), reverse=True)
    ships = [fleet.count(length) for length in lengths]
    pairs = 0
    for key in front.keys.tolist():
        left = [key // front.base**c % front.base for c in range(4)]
        for use in product(*(range(count + 1) for count in ships)):
            used = [n for n, count in zip(lengths, use, strict=True) for _ in range(count)]
            pairs += all(
                sum(n > k for n in left) <= sum(n > k for n in used) for k in range(1, fleet[0])
            )
    found = feasible_uses(front.keys, np.uint64(front.base), 4, np.array(lengths), np.array(ships))
    assert found == pairs
