"""The classes of priors: what their constructors reject, equality, names, pickles."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support.prior_games import GAME

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import Prior, ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Rules

PLACEMENTS = len(placement_table(GAME))
ONES = [1] * 9
SHIPS = placement_table(GAME).parse_layout(["A1:A3", "C1", "C3"])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: SumPrior(GAME, [-1, *ONES[1:]]), "cells: -1 is negative; weights start at 0"),
        (lambda: SumPrior(GAME, [0] * 9), "cells: every number is 0"),
        (lambda: SumPrior(GAME, [1] * 8), "cells: 8 given for 9 cells; give one each"),
        (
            lambda: ProductPrior.of_cells(GAME, [0, 0, 0, 0, 1, 0, 0, 0, 0]),
            "placements: those of a ship of length 3 all weigh 0",
        ),
        (lambda: ProductPrior.of_cells(GAME, ONES, forced=["D4"]), "forced: cell 'D4' is off"),
        (lambda: ProductPrior(GAME, (1,) * 3), f"placements: 3 given for {PLACEMENTS} placements"),
        (lambda: TablePrior(GAME, {SHIPS: 0}), "weights: every number is 0"),
        (lambda: TablePrior(GAME, {(0, 1): 1}), "one placement number for each of the 3 ships"),
        (lambda: TablePrior(GAME, {(0, 6, 7): 1}), r"weights: \(0, 6, 7\) is not a layout"),
        (lambda: TablePrior.of_games(GAME, ["A1:A3 C1 C2"]), "layout 1: .*C1 and C2 touch"),
    ],
)
def test_wrong_weights_are_refused_in_one_line(make: Callable[[], Prior], told: str) -> None:
    with pytest.raises(WeightsError, match=told) as caught:
        make()
    assert len(str(caught.value).splitlines()) == 1


def test_numbers_of_every_kind_stand_for_their_exact_values() -> None:
    given = [1, 0.1, Fraction(1, 3), Decimal("0.1"), np.int64(4), np.float64(0.1), np.float32(0.1)]
    prior = SumPrior(GAME, [*given, 0, 0])
    assert prior.cells[:6] == (
        1, Fraction(0.1), Fraction(1, 3), Fraction(1, 10), 4, Fraction(0.1),
    )  # fmt: skip
    assert prior.cells[6] == Fraction(float(np.float32(0.1)))
    assert all(type(weight) is Fraction for weight in prior.cells)


def test_priors_are_equal_when_they_weigh_layouts_alike() -> None:
    sunk = Rules("3x3", "3,1,1", answers="sunk")
    one = ProductPrior.of_cells(GAME, ONES, name="one", facts={"source": "me"})
    for same in (
        ProductPrior.of_cells(sunk, ONES),
        ProductPrior(GAME, (1,) * PLACEMENTS),
        pickle.loads(pickle.dumps(one)),
    ):
        assert one == same
        assert hash(one) == hash(same)
    for other in (
        ProductPrior.of_cells(GAME, ONES, forced=["A1"]),
        ProductPrior.of_cells(GAME, [2, *ONES[1:]]),
        ProductPrior.of_cells(Rules("3x3", "3,1,1", "sides"), ONES),
        SumPrior(GAME, ONES),
        "one",
    ):
        assert one != other
    table = TablePrior(GAME, {SHIPS: 2}, 1)
    assert table == TablePrior.of_games(GAME, [["C1", "C3", "A1:A3"]], smoothing=1)
    assert hash(table) == hash(pickle.loads(pickle.dumps(table)))
    assert table != TablePrior(GAME, {SHIPS: 2})
    assert SumPrior(GAME, ONES) == SumPrior(sunk, [1.0] * 9)


def test_boards_too_large_to_enumerate_have_priors() -> None:
    """Masks of more than two words."""
    rules = Rules("20x20", "3,2")
    prior = TablePrior.of_games(rules, ["A1:C1 S20:T20", "T18:T20 A1:A2"])
    assert len(prior.weights) == 2
    with pytest.raises(WeightsError, match="touch"):
        TablePrior.of_games(rules, ["T18:T20 S17:S18"])
    with pytest.raises(WeightsError, match="overlap"):
        TablePrior.of_games(rules, ["T18:T20 S20:T20"])
