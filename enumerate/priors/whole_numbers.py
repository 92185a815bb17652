r"""Whole-number weights of the layouts: exact, or rounded by a stated rule.

The search adds up whole numbers. For its totals to be exact, the sum of the weights must stay below
a limit (``layouts.weights``); let L be the largest sum allowed.

- The weights of a table are whole numbers already. If their sum is at most L, they are used as
  written.
- Otherwise the weights are brought to *lowest terms*: in a common unit in which all of them are
  whole, they are divided by their greatest common divisor. This gives every layout a whole number
  v. If the sum S of all v is at most L, these are the weights, and nothing is rounded.
- Otherwise v is scaled and rounded to the nearest whole number, but a positive weight stays at
  least 1: r = 0 if v = 0, else max(1, round(v (L - n) / S)), where n is the number of positive
  weights. Rounding adds at most 1 to each, so the sum T of all r is at most L.

The *rounding error* is the total variation distance between the prior and the rounded one, the sum
of max(0, v / S - r / T) over all layouts. It is the largest difference between the two in the
probability of any set of layouts. Rounding changes the mean misses of a tree, with at most w misses
on any path, by at most w times this error. Everything here is exact: the error is a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm, log

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts.weights import MAX_TOTAL, WholeWeights

MACHINE = 1 << 62
"""Integers below this can be added once or doubled in int64 without overflow."""

MOST_BITS = 1 << 17
"""With longer whole numbers than this, in bits, weighing the layouts would take hours."""

LAYOUTS_AT_ONCE = 1 << 16
"""Layouts weighed together, so that memory stays small beside the layouts themselves."""

BITS_AT_ONCE = 1 << 28
"""Bits of the numbers of layouts weighed together, where numbers are very long."""

Weigh = Callable[[slice], NDArray[np.int64]]
"""Weights of some layouts in a common unit, exactly: whole numbers, int64 or Python's."""


def whole_weights(
    weigh: Weigh,
    count: int,
    cells: int,
    source: str,
    *,
    most: int = MACHINE,
    as_written: bool = False,
) -> WholeWeights:
    """Weights of all layouts by the rule of this module.

    Parameters
    ----------
    weigh
        Gives the weights of a slice of the layouts, int64 or object ``(n,)``.
    count
        Number of layouts.
    cells
        Cells of the board.
    source
        What the weights come from, for messages.
    most
        Upper bound of the weights, in the unit of ``weigh``.
    as_written
        Whether weights whose sum is small enough stay as ``weigh`` gives them.

    Raises
    ------
    WeightsError
        If every layout weighs 0, or more layouts have positive weights than the limit allows.
    """
    limit = (MAX_TOTAL - 1) // cells
    size = max(1, min(LAYOUTS_AT_ONCE, BITS_AT_ONCE // most.bit_length()))
    slices = [slice(start, start + size) for start in range(0, count, size)]
    divisor = total = positive = 0
    for part in slices:
        given = weigh(part)
        divisor = gcd(divisor, int(np.gcd.reduce(given)))
        total += _sum(given)
        positive += int(np.count_nonzero(given))
    if not total:
        raise WeightsError(f"{source}: every layout weighs 0, so none is possible")
    if as_written and total <= limit:
        divisor = 1
    total //= divisor
    weights = np.empty(count, dtype=np.int64)
    if total <= limit:
        for part in slices:
            weights[part] = weigh(part) // divisor
        return WholeWeights(weights, Fraction(0))
    room = limit - positive
    if room < 1:
        raise WeightsError(
            f"{source}: {positive:,} layouts have a weight, too many for exact totals on {cells} "
            f"cells, where the sum of whole numbers stays below {limit + 1:,}"
        )
    for part, lowest in _lowest(weigh, slices, divisor):
        nearest = (lowest * (2 * room) + total) // (2 * total)
        weights[part] = np.maximum(nearest, lowest > 0).astype(np.int64)
    rounded = int(weights.sum())
    excess = 0
    for part, lowest in _lowest(weigh, slices, divisor):
        beyond = lowest * rounded - weights[part].astype(object) * total
        excess += int(np.maximum(beyond, 0).sum())
    return WholeWeights(weights, Fraction(excess, total * rounded))


def _lowest(
    weigh: Weigh, slices: list[slice], divisor: int
) -> Iterator[tuple[slice, NDArray[np.object_]]]:
    """The weights in lowest terms, as Python's integers, because their products can be long."""
    for part in slices:
        yield part, weigh(part).astype(object) // divisor


def _sum(weights: NDArray[np.int64]) -> int:
    """Exact sum of whole numbers, even where it exceeds a machine word."""
    if weights.dtype == object or len(weights) * int(weights.max()) >= MACHINE:
        return sum(weights.tolist())
    return int(weights.sum())


def lowest_terms(values: Sequence[Fraction]) -> list[int]:
    """The values in lowest terms as integers: their ratios stay the same."""
    denominator = lcm(*(value.denominator for value in values))
    whole = [int(value * denominator) for value in values]
    divisor = gcd(*whole) or 1
    return [value // divisor for value in whole]


def log_of(weight: Fraction) -> float:
    """Natural logarithm, even of weights too large or too small for a float."""
    return log(weight.numerator) - log(weight.denominator) if weight else -float("inf")


def machine_integers(values: Sequence[int], most: int, source: str) -> NDArray[np.int64]:
    """The values as machine integers if no result, at most ``most``, reaches 2^62."""
    if most.bit_length() > MOST_BITS:
        raise WeightsError(
            f"{source}: in whole numbers the weights have up to {most.bit_length():,} bits; "
            f"{MOST_BITS:,} are allowed: round them"
        )
    return np.array(values, dtype=np.int64 if most < MACHINE else object)
