"""Whole-number weights of layouts beside an obvious twin, by fractions: exact, or rounded."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm, prod

import numpy as np
import pytest
from hypothesis import given
from support.examples import examples
from support.prior_games import GAME, all_of, naive_rows, priors
from twins import naive

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.priors import prior as whole_numbers
from seabattle.enumerate.priors.prior import MAX_TOTAL, Prior, ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.table import DecisionTable


def naive_weights(prior: Prior, layouts: Layouts) -> list[Fraction]:
    """The weight of every layout, by the definition of its kind."""
    found = []
    for cells, ships in zip(
        (set(naive.cells_of(layout)) for layout in naive_rows(layouts)),
        layouts.ships.tolist(),
        strict=True,
    ):
        if isinstance(prior, SumPrior):
            weight = sum((prior.cells[cell] for cell in cells), Fraction(0))
        elif isinstance(prior, TablePrior):
            weight = Fraction(prior.weights.get(tuple(ships), prior.others))
        else:
            assert isinstance(prior, ProductPrior)
            if prior.cells is not None:
                weight = prod((prior.cells[cell] for cell in cells), start=Fraction(1))
            else:
                weight = prod((prior.placements[ship] for ship in ships), start=Fraction(1))
            if not all(cell in cells for cell in range(70) if prior.forced >> cell & 1):
                weight = Fraction(0)
        found.append(weight)
    return found


def naive_whole(
    weights: list[Fraction], cells: int, *, table: bool = False
) -> tuple[list[int], Fraction]:
    """The stated rule, by fractions; the error is half the sum of all differences."""
    if table and sum(weights) * cells < MAX_TOTAL:
        return [int(weight) for weight in weights], Fraction(0)
    scale = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    lowest = [weight // gcd(*whole) for weight in whole]
    total, limit = sum(lowest), (MAX_TOTAL - 1) // cells
    if total <= limit:
        return lowest, Fraction(0)
    share = Fraction(limit - sum(weight > 0 for weight in lowest), total)
    found = [
        0 if not weight else max(1, (weight * share + Fraction(1, 2)).__floor__())
        for weight in lowest
    ]
    differences = (
        abs(Fraction(v, total) - Fraction(r, sum(found)))
        for v, r in zip(lowest, found, strict=True)
    )
    return found, sum(differences, Fraction(0)) / 2


@pytest.mark.parametrize("chunk", [3, 1 << 16])
@examples(80)
@given(prior=priors())
def test_all_kinds_agree_with_the_twin(chunk: int, prior: Prior) -> None:
    layouts = all_of(prior.rules)
    exact = naive_weights(prior, layouts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_numbers, "LAYOUTS_AT_ONCE", chunk)
        if not any(exact):
            with pytest.raises(WeightsError, match="every layout weighs 0"):
                prior.whole_weights(layouts)
            return
        found = prior.whole_weights(layouts)
    cells = prior.rules.board.cells
    expected, error = naive_whole(exact, cells, table=isinstance(prior, TablePrior))
    assert found.weights.dtype == np.int64
    assert found.weights.tolist() == expected
    assert found.error == error
    assert ((found.weights > 0) == np.array([weight > 0 for weight in exact])).all()
    assert int(found.weights.sum()) * cells < MAX_TOTAL
    assert DecisionTable(layouts, found.weights).total_weight == sum(expected)


def test_weights_are_exact_up_to_the_limit_and_rounded_beyond() -> None:
    """Board 3x3: the largest sum is (2^41 - 1) // 9."""
    first, second, *_ = (tuple(row) for row in all_of(GAME).ships.tolist())
    most = (MAX_TOTAL - 1) // 9
    at_limit = TablePrior(GAME, {first: most - 1, second: 1}).whole_weights(all_of(GAME))
    assert (at_limit.weights.tolist(), at_limit.error) == ([most - 1, 1, 0, 0], 0)
    beyond = TablePrior(GAME, {first: most, second: 1}).whole_weights(all_of(GAME))
    assert beyond.weights.tolist() == [most - 3, 1, 0, 0]  # most (most - 2) / (most + 1), rounded
    assert beyond.error == Fraction(1, most - 2) - Fraction(1, most + 1)
    common = TablePrior(GAME, {first: most * 10**20, second: 10**20 * most * 2})
    assert common.whole_weights(all_of(GAME)).weights.tolist() == [1, 2, 0, 0]
