"""The layouts that fit a position, weighed by a prior: chances, the total weight, samples.

Under a product prior the layouts are weighed by a sweep, in floating point. Its weights are scaled
so that no sum leaves the range of float64: all layouts have equally many ships of each length, so
multiplying the weights of one length by a common factor changes no chance. The weights of each
length are divided by a power of 2 such that the largest and the smallest of those still allowed are
equally far from 1. Then no sum is less than the smallest possible product of weights, nor more than
the largest one times the number of layouts. If these bounds leave the range of float64, the prior
is refused.

Under other priors layouts are listed and weighed one by one, exactly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import fsum, log, log2

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.sweep import (
    ROUNDING,
    WORD_BITS,
    Sweep,
    layouts_bound,
    random_ranks,
)
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import TooLargeError, WeightsError
from seabattle.enumerate.map import Chances
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import Prior, ProductPrior, log_of
from seabattle.enumerate.rules import Rules

MOST_LISTED = 2_000_000
"""The most layouts that are listed, which takes some seconds."""

BITS = 1020
"""Sums stay between 2**-BITS and 2**BITS; normal float64 reaches from 2**-1022 to 2**1024."""


@dataclass(frozen=True)
class Weighing:
    """The constraints of a position and the scaled weights under a product prior.

    Attributes
    ----------
    constraints
        The constraints, with placements of weight 0 excluded and forced cells required.
    weights
        float64 ``(n_placements,)``: scaled, 0 where a placement is not allowed.
    log_unit
        Natural logarithm of the ratio between a layout's weight in the prior's own units, its known
        ships included, and its scaled weight.
    """

    constraints: Constraints
    weights: NDArray[np.float64]
    log_unit: float


class ProductWeights:
    """The weights of a product prior as floating-point numbers with exponents of any size.

    Parameters
    ----------
    prior
        The prior.

    Attributes
    ----------
    fractions
        float64 ``(n_placements,)``: 0, or from 0.5 to 1. A weight is its fraction times 2 to the
        power of its exponent, rounded once.
    exponents
        int64 ``(n_placements,)``.
    """

    def __init__(self, prior: ProductPrior) -> None:
        self.prior = prior
        parts = [_parts(weight) for weight in prior.placements]
        self.fractions = np.array([fraction for fraction, _ in parts], dtype=np.float64)
        self.exponents = np.array([exponent for _, exponent in parts], dtype=np.int64)
        placements = placement_table(prior.rules).placements
        self.lengths = np.array([p.length for p in placements])
        self.masks = [p.mask for p in placements]
        with np.errstate(divide="ignore"):
            self.log2 = np.log2(self.fractions) + self.exponents

    def weigh(self, constraints: Constraints) -> Weighing | None:
        """The weights under some constraints; None if no layout of positive weight is left.

        Raises
        ------
        WeightsError
            If the weights are too far apart.
        """
        fixed = list(constraints.fixed)
        allowed = constraints.allowed * (self.fractions > 0).astype(np.uint8)
        if not self.fractions[fixed].all():
            return None
        known = 0
        for ship in fixed:
            known |= self.masks[ship]
        constraints = replace(
            constraints,
            allowed=allowed,
            required=constraints.required | self.prior.forced & ~known,
        )
        shifts = np.zeros(len(allowed), dtype=np.int64)
        log2_unit = float(self.log2[fixed].sum())
        highest = log2(max(1, layouts_bound(constraints, self.lengths)))
        lowest = 0.0
        for length, ships in constraints.left.items():
            those = (self.lengths == length) & (allowed > 0)
            if ships == 0:
                continue
            if those.sum() < ships:
                return None
            logs = np.sort(self.log2[those])
            shift = round(float(logs[0] + logs[-1]) / 2)
            shifts[self.lengths == length] = shift
            log2_unit += shift * ships
            highest += float(np.maximum(logs[-ships:] - shift, 0).sum())
            lowest += float(np.minimum(logs[:ships] - shift, 0).sum())
        if max(highest, -lowest) > BITS:
            raise self._too_far_apart(highest - lowest)
        weights = np.ldexp(self.fractions * allowed, (self.exponents - shifts).astype(np.int32))
        return Weighing(constraints, weights, log2_unit * log(2))

    def _too_far_apart(self, bits: float) -> WeightsError:
        decades, most = (n * log(2) / log(10) for n in (bits, 2 * BITS))
        return WeightsError(
            f"{self.prior.called}: sums of its layouts' weights can be {decades:,.0f} decades "
            f"apart, and the counter adds up at most {most:.0f}; take weights that are less "
            f"extreme, or 0"
        )


def _parts(weight: Fraction) -> tuple[float, int]:
    """A number from 0.5 to 1 and an exponent of 2 whose product is the weight, rounded once.

    >>> _parts(Fraction(3)), _parts(Fraction(1, 10**400))[1], _parts(Fraction(0))
    ((0.75, 2), -1328, (0.0, 0))
    """
    if not weight:
        return 0.0, 0
    exponent = weight.numerator.bit_length() - weight.denominator.bit_length()
    scaled = weight / Fraction(2) ** exponent  # above 1/2, below 2
    fraction, more = np.frexp(float(scaled))
    return float(fraction), exponent + int(more)


class WeighedBySweep:
    """Weighed by a sweep, without being listed.

    Parameters
    ----------
    sweep
        The sweep, whose total is above 0.
    weighing
        The weights that it sweeps with.

    Attributes
    ----------
    log_weight
        Natural logarithm of the sum of their weights, in the prior's units.
    """

    def __init__(self, sweep: Sweep, weighing: Weighing) -> None:
        self.sweep, self.weighing = sweep, weighing
        self.fixed = list(weighing.constraints.fixed)
        self.log_weight = log(sweep.mass) + weighing.log_unit

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        sweep = self.sweep
        # Rounding may bring a certain ship to a little more than 1.
        placements = np.minimum(sweep.placement_masses() / sweep.mass, 1.0)
        placements[self.fixed] = 1.0
        over = placement_table(sweep.rules).over_cells(placements.tolist())
        cells = np.array([fsum(chances) for chances in over])
        cells[list(cells_of(self.weighing.constraints.required))] = 1.0
        return Chances(placements, np.minimum(cells, 1.0), self.log_weight, sweep.error)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Layouts drawn by weight; each step of a walk errs by at most one part in 2**53."""
        streams = rng.integers(0, 1 << 64, size=count, dtype=np.uint64)
        found = self.sweep.layouts(streams[:, None])
        fixed = np.tile(np.array(self.fixed, dtype=np.int64), (count, 1))
        return np.concatenate([found, fixed], axis=1)


class WeighedByList:
    """Listed and weighed one by one, exactly.

    Parameters
    ----------
    rules
        The game.
    ships
        uint16 ``(n, n_ships)``: placement numbers of every layout that fits.
    weights, unit
        The weight of each is ``weights[i] * unit``; at least one is above 0.
    """

    def __init__(
        self, rules: Rules, ships: NDArray[np.uint16], weights: list[int], unit: Fraction
    ) -> None:
        self.rules, self.ships, self.weights = rules, ships, weights
        self.total = sum(weights)
        self.log_weight = log(self.total) + log_of(unit)

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        table = placement_table(self.rules)
        found = np.zeros(len(table), dtype=np.int64 if self.total < 1 << 62 else object)
        weights = np.array(self.weights, dtype=found.dtype)
        for column in self.ships.T:
            np.add.at(found, column, weights)
        sums = found.tolist()
        cells = list(map(sum, table.over_cells(sums)))
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
    weigh, _, unit = prior.weigher()
    weights = [int(weight) for weight in weigh(ships)]
    return WeighedByList(rules, ships, weights, unit) if any(weights) else None
