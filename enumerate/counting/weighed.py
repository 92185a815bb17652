"""The layouts that fit a position, each with its weight: sums, chances, samples.

Most are summed up by a ``Sweep``, in whole numbers where all layouts are equally likely, and in
floating point under a product prior, whose weights are scaled so that no sum leaves the range of
float64: all layouts have equally many ships of each length, so multiplying the weights of one
length by a common factor changes no chance. The weights of each length are divided by a power of 2
such that the largest and the smallest of those still allowed are equally far from 1. Then no sum is
less than the smallest possible product of weights, nor more than the largest one times the number
of layouts. If these bounds leave the range of float64, the prior is refused.

Under other priors layouts are listed and weighed one by one, exactly. Those of ships that are no
lines are listed, too: the sweep decides a line at its first cell and carries no other forms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import fsum, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.sweep import (
    ROUNDING,
    Sweep,
    layouts_bound,
    random_numbers,
)
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import TooLargeError, WeightsError
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts
from seabattle.enumerate.map import Chances
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

MOST_LISTED = 2_000_000
"""The most layouts that are listed, which takes some seconds."""

BITS = 1020
"""Sums stay between 2**-BITS and 2**BITS; normal float64 reaches from 2**-1022 to 2**1024."""


class Listed:
    """Layouts one by one, with weights in whole numbers; it answers what a ``Sweep`` answers.

    Parameters
    ----------
    rules
        The game.
    ships
        uint16 ``(n, n_ships)``: placement numbers of every layout.
    weights
        The weight of each; 1 by default.
    """

    words = 1
    states: tuple[int, ...] = ()
    map_bytes = count_bytes = 0
    error = ROUNDING

    def __init__(
        self, rules: Rules, ships: NDArray[np.uint16], weights: Sequence[int] | None = None
    ) -> None:
        self.rules, self.ships = rules, ships
        self.weights = [1] * len(ships) if weights is None else weights
        self.total: Any = sum(self.weights)

    @classmethod
    def under(cls, rules: Rules, constraints: Constraints) -> Listed:
        """The layouts that satisfy constraints, with no ships set aside.

        Raises
        ------
        TooLargeError
            If there are too many, before those are left out that leave a hit uncovered.
        """
        allowed = constraints.allowed.astype(np.bool_)
        found = count_layouts(rules, most=MOST_LISTED, allowed=allowed)
        if found > MOST_LISTED:
            raise TooLargeError(
                f"fleet {rules.fleet}: layouts of ships that are no lines are listed, up to "
                f"{MOST_LISTED:,} of them, and more may lie on the board {rules.board}"
            )
        if not found:
            return cls(rules, np.empty((0, len(rules.fleet.lengths)), dtype=np.uint16))
        listed = enumerate_layouts(rules, allowed=allowed)
        keep = np.ones(len(listed), dtype=np.bool_)
        for cell in cells_of(constraints.required):
            keep &= (listed.masks[:, cell // 64] >> np.uint64(cell % 64) & np.uint64(1)) == 1
        return cls(rules, listed.ships[keep])

    def count(self) -> int:
        """The total."""
        return int(self.total)

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


@dataclass(frozen=True)
class Weighed:
    """The layouts that fit a position and what they weigh.

    Attributes
    ----------
    rules, constraints
        The game, and what the layouts satisfy.
    sweep
        Sums over them, the ships that are known to lie somewhere set aside; its total is above 0.
    log_unit
        Natural logarithm of the ratio between a layout's weight and the one in ``sweep``.
    """

    rules: Rules
    constraints: Constraints
    sweep: Sweep | Listed
    log_unit: float = 0.0

    @property
    def log_weight(self) -> float:
        """Natural logarithm of the sum of the weights."""
        return log(self.sweep.total) + self.log_unit

    def placements(self) -> list[Any]:
        """For every placement the weight of the layouts that have it, in the unit of the sweep."""
        found = self.sweep.placement_sums()
        for ship in self.constraints.fixed:
            found[ship] = self.sweep.total
        return found

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        total, placements = self.sweep.total, self.placements()
        add: Any = fsum if isinstance(total, float) else sum
        over = placement_table(self.rules).over_cells(placements)
        # Rounding may bring what is certain to a little more or less than 1.
        cells = np.array([min(add(weights) / total, 1.0) for weights in over])
        cells[list(cells_of(self.constraints.required))] = 1.0
        chances = np.array([min(weight / total, 1.0) for weight in placements])
        return Chances(chances, cells, self.log_weight, self.sweep.error)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Layouts drawn by weight; under a product prior each step errs by one part in 2**53."""
        total = self.sweep.total
        most = 1 << 64 if isinstance(total, float) else total
        return self.constraints.whole(self.sweep.layouts(random_numbers(count, most, rng)))


def likely_constraints(prior: ProductPrior, constraints: Constraints) -> Constraints | None:
    """Constraints with placements of weight 0 excluded, too, and forced cells required.

    None if a known ship weighs 0.
    """
    masks = [placement.mask for placement in placement_table(prior.rules).placements]
    positive = np.array([weight > 0 for weight in prior.placements], dtype=np.uint8)
    known = mask_of(cell for ship in constraints.fixed for cell in cells_of(masks[ship]))
    if not positive[list(constraints.fixed)].all():
        return None
    required = constraints.required | prior.forced & ~known
    return replace(constraints, allowed=constraints.allowed * positive, required=required)


def scaled_weights(
    prior: ProductPrior, constraints: Constraints
) -> tuple[NDArray[np.float64], float] | None:
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

    None if no layout of positive weight is left.

    Raises
    ------
    WeightsError
        If the weights are too far apart.
    """
    lengths = np.array([p.length for p in placement_table(prior.rules).placements])
    weights, logs = np.zeros(len(lengths)), prior.logs / log(2)
    unit = float(logs[list(constraints.fixed)].sum())
    highest, lowest = log2(max(1, layouts_bound(constraints, lengths))), 0.0
    shifts: dict[int, int] = {}
    for length, ships in constraints.left.items():
        those = np.flatnonzero((lengths == length) & (constraints.allowed > 0))
        if len(those) < ships:
            return None
        if ships:
            in_order = np.sort(logs[those])
            shift = shifts[length] = round(float(in_order[0] + in_order[-1]) / 2)
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
        shift = shifts.get(int(lengths[number]), 0)
        above, below = prior.placements[number].as_integer_ratio()
        weights[number] = (above << max(-shift, 0)) / (below << max(shift, 0))
    return weights, unit * log(2)
