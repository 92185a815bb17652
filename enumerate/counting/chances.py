"""What layouts weigh that fit a position: sums over them, and how likely placements and cells are.

Without a prior every layout weighs 1 and sums are numbers of layouts, exact whole numbers.

Under a product prior sums are floating-point numbers with a stated error. Weights are scaled so
that no sum leaves the range of float64: all layouts have equally many ships of each kind, so
multiplying the weights of one kind by a common factor changes no chance. The weights of each kind
are divided by a power of 2 such that the largest and the smallest of those still allowed are
equally far from 1. Then no sum is less than the smallest possible product of weights, nor more than
the largest one times the number of layouts. If these bounds leave the range of float64, the prior
is refused.

Under other priors layouts are listed and weighed one by one, exactly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.sweep import ROUNDING, Sweep, layouts_bound, random_numbers
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

BITS = 1020
"""Sums stay between 2**-BITS and 2**BITS; normal float64 reaches from 2**-1022 to 2**1024."""


@dataclass(frozen=True, eq=False)
class Listed:
    """Layouts one by one, with weights in whole numbers; it answers what a ``Sweep`` answers.

    Parameters
    ----------
    rules, constraints
        The game, and what the layouts satisfy; no ship is set aside.
    ships
        uint16 ``(n, n_ships)``: placement numbers of every layout.
    weights
        The weight of each, a whole number.
    """

    rules: Rules
    constraints: Constraints
    ships: NDArray[np.uint16]
    weights: Sequence[int]
    error = ROUNDING

    @cached_property
    def total(self) -> int:
        """What all weigh."""
        return sum(self.weights)

    def placement_sums(self) -> list[Any]:
        """For every placement, the weight of the layouts that have it."""
        kind = np.int64 if self.total < 1 << 62 else object
        found = np.zeros(len(placement_table(self.rules)), dtype=kind)
        for column in self.ships.T:
            np.add.at(found, column, np.array(self.weights, dtype=kind))
        return list(found.tolist())

    def layouts(self, ranks: Sequence[int]) -> NDArray[np.int64]:
        """The layouts below whose weights, added up, lie some numbers: int64 ``(n, n_ships)``."""
        up_to = list(accumulate(self.weights))
        rows = [bisect_right(up_to, rank) for rank in ranks]
        return self.ships[np.array(rows, dtype=np.int64)].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Chances:
    """The layouts that fit a position, by what they weigh; numbers are found when asked for.

    Parameters
    ----------
    of
        Sums over them, the ships that are known to lie somewhere set aside; its total is above 0.
    log_unit
        Natural logarithm of the ratio between a layout's weight and the one in the sums.

    Examples
    --------
    >>> from seabattle import Counter, Rules
    >>> found = Counter(Rules("1x3", "2")).chances()
    >>> found.total, found.sums, found.cells.tolist()
    (2, [1, 1], [0.5, 1.0, 0.5])
    """

    of: Sweep | Listed
    log_unit: float = 0.0

    @property
    def total(self) -> Any:
        """The sum of the weights in the unit of the sums: without a prior, how many layouts fit."""
        return self.of.total

    @property
    def log_weight(self) -> float:
        """Natural logarithm of the sum of the weights of all layouts that fit."""
        return log(self.total) + self.log_unit

    @property
    def error(self) -> float:
        """Bound on the relative error of a chance above 1e-300, and of the sum of weights."""
        return self.of.error

    @cached_property
    def sums(self) -> list[Any]:
        """For every placement the weight of the layouts that have it, in the unit of ``total``."""
        found = self.of.placement_sums()
        for ship in self.of.constraints.fixed:
            found[ship] = self.total
        return found

    @cached_property
    def placements(self) -> NDArray[np.float64]:
        """Chance of each placement of the rules' placement table: float64 ``(n_placements,)``."""
        return self._shares(self.sums)

    @cached_property
    def cells(self) -> NDArray[np.float64]:
        """Chance of each cell to be occupied: float64 ``(n_cells,)``."""
        found = self._shares(placement_table(self.of.rules).over_cells(self.sums))
        found[list(cells_of(self.of.constraints.required))] = 1.0
        return found

    def _shares(self, weights: Sequence[Any]) -> NDArray[np.float64]:
        # Rounding may bring what is certain to a little more or less than 1.
        return np.array([min(weight / self.total, 1.0) for weight in weights])

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Layouts drawn by weight; under a product prior each step errs by one part in 2**53."""
        most = 1 << 64 if isinstance(self.total, float) else self.total
        return self.of.constraints.whole(self.of.layouts(random_numbers(count, most, rng)))


def likely_constraints(prior: ProductPrior, constraints: Constraints) -> Constraints:
    """Constraints with placements of weight 0 excluded, too, and forced cells required.

    Where a known ship weighs 0, its cells are required of others as well, so that nothing is left.
    """
    masks = placement_table(prior.rules).own
    positive = np.array([weight > 0 for weight in prior.placements], dtype=np.uint8)
    required = constraints.required | prior.forced
    for ship in constraints.fixed:
        required = required & ~masks[ship] if positive[ship] else required | masks[ship]
    return replace(constraints, allowed=constraints.allowed * positive, required=required)


def scaled_weights(
    prior: ProductPrior, constraints: Constraints
) -> tuple[NDArray[np.float64], float]:
    """The weights of placements under a product prior as a sweep takes them.

    Parameters
    ----------
    prior
        The prior.
    constraints
        As ``likely_constraints`` gives them.

    Returns
    -------
    weights
        float64 ``(n_placements,)``: scaled, 0 where a placement is not allowed.
    log_unit
        Natural logarithm of the ratio between a layout's weight in the prior's own units, its known
        ships included, and its scaled weight.

    Raises
    ------
    WeightsError
        If the weights are too far apart.
    """
    kinds, logs = np.array(placement_table(prior.rules).kinds), prior.logs / log(2)
    weights, shifts = np.zeros(len(kinds)), np.zeros(len(kinds), dtype=np.int64)
    unit = float(logs[list(constraints.fixed)].sum())
    highest, lowest = log2(max(1, layouts_bound(constraints, kinds))), 0.0
    for kind, ships in constraints.left.items():
        those = np.flatnonzero((kinds == kind) & (constraints.allowed > 0))
        if ships and len(those):
            in_order = np.sort(logs[those])
            shifts[those] = shift = round(float(in_order[0] + in_order[-1]) / 2)
            unit += shift * ships
            highest += float(np.maximum(in_order[-ships:] - shift, 0).sum())
            lowest += float(np.minimum(in_order[:ships] - shift, 0).sum())
    if max(highest, -lowest) > BITS:
        decades, most = ((n * log(2) / log(10)) for n in (highest - lowest, 2 * BITS))
        raise WeightsError(
            f"{prior.called}: sums of its layouts' weights can be {decades:,.0f} decades apart, "
            f"and the counter adds up at most {most:.0f}; take weights that are less extreme, or 0"
        )
    for number in np.flatnonzero(constraints.allowed).tolist():
        shift = int(shifts[number])
        above, below = prior.placements[number].as_integer_ratio()
        weights[number] = (above << max(-shift, 0)) / (below << max(shift, 0))
    return weights, unit * log(2)
