"""A slow, obvious twin of the counter under a product prior: every layout weighed one by one."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules


class ListedCounter:
    """The layouts of a small board under a product prior, weighed exactly."""

    def __init__(self, rules: Rules, prior: ProductPrior) -> None:
        self.rules, self.prior = rules, prior
        self.ships = enumerate_layouts(rules).ships
        placements = placement_table(rules).placements
        weights, forced = prior.placements, prior.forced
        masks = [p.mask for p in placements]
        self.weights = [
            prod((weights[i] for i in row), start=Fraction(1))
            if forced & ~sum(masks[i] for i in row) == 0
            else Fraction(0)
            for row in self.ships.tolist()
        ]
        self.total = sum(self.weights, Fraction(0))

    @property
    def chances(self) -> NDArray[np.float64]:
        """The chance of each layout."""
        return np.array([float(weight / self.total) for weight in self.weights])

    @property
    def placements(self) -> list[float]:
        """The chance of each placement."""
        found = np.zeros(len(placement_table(self.rules)))
        for chance, row in zip(self.chances, self.ships, strict=True):
            found[row] += chance
        return found.tolist()
