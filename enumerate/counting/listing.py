"""Layouts listed and weighed one by one, exactly, for priors that are not products."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import lcm, log

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.mass_sweep import ROUNDING
from seabattle.enumerate.counting.ranks import random_ranks
from seabattle.enumerate.counting.sweep import WORD_BITS
from seabattle.enumerate.counting.weighed import Weighed
from seabattle.enumerate.errors import TooLargeError, WeightsError, wrong_type
from seabattle.enumerate.map import Chances
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import Prior, ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Rules

EXACT_BITS = 53
"""Whole numbers below 2**EXACT_BITS are exact in float64."""

MOST_LISTED = 2_000_000
"""The most layouts that are listed, which takes some seconds."""


class WeighedByList(Weighed):
    """Listed and weighed one by one, exactly.

    Parameters
    ----------
    rules
        The game.
    ships
        uint16 ``(n, n_ships)``: placement numbers of every layout that fits.
    weights, unit
        The weight of each is ``weights[i] / unit``; at least one is above 0.
    """

    def __init__(
        self, rules: Rules, ships: NDArray[np.uint16], weights: list[int], unit: int
    ) -> None:
        self.rules, self.ships, self.weights = rules, ships, weights
        self.total = sum(weights)
        self.log_weight = log(self.total) - log(unit)

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        sums = placement_sums(self.ships, self.weights, len(placement_table(self.rules)))
        cells = [0] * self.rules.board.cells
        for placement, weight in zip(placement_table(self.rules).placements, sums, strict=True):
            for cell in placement.cells:
                cells[cell] += weight
        return Chances(
            np.array([weight / self.total for weight in sums]),
            np.array([weight / self.total for weight in cells]),
            self.log_weight,
            ROUNDING,
        )

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Layouts drawn by their weight, exactly."""
        up_to = list(accumulate(self.weights))
        ranks = random_ranks(count, self.total, -(-self.total.bit_length() // WORD_BITS), rng)
        rows = [
            bisect_right(up_to, sum(int(word) << (WORD_BITS * w) for w, word in enumerate(rank)))
            for rank in ranks
        ]
        return self.ships[np.array(rows, dtype=np.int64)].astype(np.int64)


def weigh_by_list(
    prior: Prior, rules: Rules, layouts: Callable[[int], NDArray[np.uint16]], memory_limit: float
) -> WeighedByList | None:
    """List the layouts that fit a position and weigh them.

    Parameters
    ----------
    prior, rules
        The prior and the game.
    layouts
        Lists the layouts, given the largest number allowed; fails if there are more.
    memory_limit
        GiB that the list may take.

    Returns
    -------
    weighed
        None where all layouts weigh 0.

    Raises
    ------
    WeightsError
        If there are too many.
    """
    most = int(memory_limit * 2**30) // (24 * len(rules.fleet.lengths) + 200)
    try:
        ships = layouts(min(most, MOST_LISTED))
    except TooLargeError as error:
        raise WeightsError(
            f"{prior.called} is no product of weights, so that its layouts have to be listed: "
            f"{error}; counting more needs a product prior, which 'seabattle prior fit' finds"
        ) from None
    weights, unit = whole_weights(prior, ships)
    return WeighedByList(rules, ships, weights, unit) if any(weights) else None


def placement_sums(ships: NDArray[np.uint16], weights: list[int], placements: int) -> list[int]:
    """For each placement, the sum of the weights of the layouts that have it, exact.

    The bits of the weights are cut into pieces short enough for float64 to add up without rounding.

    >>> placement_sums(np.array([[0, 1], [1, 2]], dtype=np.uint16), [1 << 80, 3], 3)
    [1208925819614629174706176, 1208925819614629174706179, 3]
    """
    bits = EXACT_BITS - max(1, len(weights)).bit_length()
    found = [0] * placements
    rest, place = weights, 0
    while any(rest):
        piece = np.array([weight & ((1 << bits) - 1) for weight in rest], dtype=np.float64)
        for column in ships.T:
            sums = np.bincount(column, weights=piece, minlength=placements)
            for number in np.flatnonzero(sums):
                found[number] += int(sums[number]) << place
        rest, place = [weight >> bits for weight in rest], place + bits
    return found


def whole_weights(prior: Prior, ships: NDArray[np.uint16]) -> tuple[list[int], int]:
    """Weights of some layouts as whole numbers and their unit: ``weights[i] / unit`` is exact.

    Parameters
    ----------
    prior
        The prior.
    ships
        uint16 ``(n, n_ships)``: placement numbers of each layout, increasing.

    Raises
    ------
    TypeError
        If ``prior`` is no prior.
    """
    if isinstance(prior, TablePrior):
        rows = map(tuple, ships.tolist())
        return [prior.weights.get(row, prior.others) for row in rows], 1
    if isinstance(prior, SumPrior):
        unit = lcm(*(weight.denominator for weight in prior.cells))
        cells = [int(weight * unit) for weight in prior.cells]
        table = placement_table(prior.rules).placements
        lighter = [sum(cells[cell] for cell in placement.cells) for placement in table]
        return [sum(lighter[ship] for ship in row) for row in ships.tolist()], unit
    if isinstance(prior, ProductPrior):
        exact = [product_weight(prior, row) for row in ships.tolist()]
        unit = lcm(*(weight.denominator for weight in exact))
        return [int(weight * unit) for weight in exact], unit
    raise wrong_type("prior", "a Prior, or None when all layouts are equally likely", prior)


def product_weight(prior: ProductPrior, row: list[int]) -> Fraction:
    """Weight of one layout under a product prior, exact."""
    table = placement_table(prior.rules).placements
    weight, occupied = Fraction(1), 0
    for ship in row:
        weight *= prior.placements[ship]
        occupied |= table[ship].mask
    return weight if prior.forced & ~occupied == 0 else Fraction(0)
