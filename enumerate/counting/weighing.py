"""The weights of a product prior for a sweep, scaled so that no sum leaves the range of float64.

All layouts have equally many ships of each length, so multiplying the weights of one length by a
common factor changes no chance. The weights of each length are divided by a power of 2 such that
the largest and the smallest of those still allowed are equally far from 1. Then no sum is less than
the smallest possible product of weights, nor more than the largest one times the number of layouts.
If these bounds leave the range of float64, the prior is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import log, log2

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.sweep import layouts_bound
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior

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
