"""Maximum entropy by its dual: the weights under which every feature reaches its target.

Let ``x`` be the numbers of features of a layout, and ``f`` the numbers wanted on average. Among all
distributions of layouts with these averages, the one of maximum entropy gives a layout the weight
``exp(theta . x)``, where ``theta`` minimises the convex function

    L(theta) = log Z(theta) - theta . f,    Z(theta) = sum over all layouts x of exp(theta . x).

Its gradient is the expected number of each feature minus ``f``, which one map gives; at the
minimum, L is the entropy. A quasi-Newton method (L-BFGS [Liu1989] of scipy) searches for the
minimum from ``theta = 0``, where all layouts are equally likely.

The weight of a single layout is at most Z, so ``max over x of theta . x <= log Z(theta)``. If L is
below 0 anywhere, then ``theta . x < theta . f`` for every layout: ``theta`` itself shows that ``f``
is impossible, and L has no lower bound. On a face of the possible averages L has a lower bound but
no minimum.

Deming and Stephan (1940) fitted tables this way; Jaynes (1957) gave the principle.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.fitting.features import Features
from seabattle.enumerate.fitting.watch import Watch
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.priors.prior import ProductPrior

MEMORY = 40
"""Steps that the quasi-Newton method remembers."""

WIDEST = 1000.0
"""Weights of layouts differ by a factor of at most exp(WIDEST), which floating point can hold."""

RESTARTS = 12
"""How often the method may restart."""

BELOW_ZERO = -1e-7
"""An L below this is below 0 in spite of rounding."""


@dataclass(frozen=True)
class Target:
    """What is asked of a fit.

    Attributes
    ----------
    rules, features
        The game, and the features that have weights.
    wanted
        The exact target of every feature.
    free
        Numbers of the features whose weights are to be found.
    allowed
        bool ``(n_placements,)``: the placements that are possible at all.
    forced
        Mask of the cells that every layout must occupy.
    """

    rules: Rules
    features: Features
    wanted: tuple[Fraction, ...]
    free: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    forced: int = 0

    @property
    def goals(self) -> NDArray[np.float64]:
        """Targets of the free features: float64 ``(n_free,)``."""
        return np.array([float(self.wanted[i]) for i in self.free])

    def spread(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithms of all features' weights from those of the free ones; 0 for the others."""
        found = np.zeros(len(self.features))
        found[self.free] = theta
        return found

    def gauged(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights with the same chances, scaled so that the geometric mean of each gauge is 1."""
        found = theta.copy()
        gauges, sizes = self.features.gauges[self.free], self.features.sizes[self.free]
        for gauge in set(gauges.tolist()):
            those = gauges == gauge
            found[those] -= np.average(found[those], weights=sizes[those])
        return found


@dataclass(frozen=True)
class Point:
    """One point of the search, and what its map says.

    Attributes
    ----------
    theta
        Logarithms of the free features' weights.
    value
        L at this point, in natural logarithms.
    expected
        Expected numbers of the free features.
    deviation
        The largest deviation from a target, per cell or placement.
    """

    theta: NDArray[np.float64]
    value: float
    expected: NDArray[np.float64]
    deviation: float


class Reached(Exception):  # noqa: N818
    """The deviation is within the tolerance."""


class BelowZero(Exception):  # noqa: N818
    """L is below 0: the targets are impossible.

    Attributes
    ----------
    theta
        The point at which L is below 0.
    """

    def __init__(self, theta: NDArray[np.float64]) -> None:
        self.theta = theta
        super().__init__()


class TooWide(Exception):  # noqa: N818
    """The weights differ by more than floating point can hold."""


class Dual:
    """The function L of a target, the best and the lowest point met so far.

    Parameters
    ----------
    target
        What is asked.
    watch
        Progress, and what ends the fit.
    tolerance
        Largest deviation allowed.
    counter
        Counts the game's layouts.
    """

    def __init__(self, target: Target, watch: Watch, tolerance: float, counter: Counter) -> None:
        self.target, self.watch = target, watch
        self.tolerance, self.counter = tolerance, counter
        self.maps = self.iterations = 0
        self.goals = target.goals
        self.sizes = target.features.sizes[target.free]
        table = placement_table(target.rules)
        self.lengths = np.array([p.length for p in table.placements])
        self.ships = target.rules.fleet.counts
        self.best: Point | None = None
        self.lowest: Point | None = None
        self.start: Point | None = None

    def prior_at(self, theta: NDArray[np.float64]) -> tuple[ProductPrior, float]:
        """The prior with these weights, scaled by a factor for each length, and the scaling undone.

        The second value is the logarithm to add to that of every layout's scaled weight.

        Raises
        ------
        TooWide
            If floating point could not hold the sums.
        """
        logs = self.target.features.logs(self.target.spread(theta))
        weights, left_out, width = np.zeros(len(logs)), 0.0, 0.0
        for length, ships in self.ships.items():
            those = self.target.allowed & (self.lengths == length)
            if those.any():
                most, least = float(logs[those].max()), float(logs[those].min())
                width += ships * (most - least)
                if width > WIDEST:
                    raise TooWide
                weights[those] = np.exp(logs[those] - (most + least) / 2)
                left_out += ships * (most + least) / 2
        exact = tuple(Fraction(weight) for weight in weights.tolist())
        return ProductPrior(self.target.rules, exact, self.target.forced), left_out

    def at(self, theta: NDArray[np.float64]) -> Point:
        """Count the map at a point; the best point is kept.

        Raises
        ------
        Stopped, TooWide
            See these classes.
        """
        self.watch.check()
        prior, left_out = self.prior_at(theta)
        found = self.counter.under(prior).chances()
        expected = self.target.features.expected(found.placements)[self.target.free]
        value = found.log_weight + left_out - float(theta @ self.goals)
        deviation = float(np.max(np.abs(expected - self.goals) / self.sizes, initial=0.0))
        self.maps += 1
        point = Point(theta.copy(), value, expected, deviation)
        if self.best is None or deviation < self.best.deviation:
            self.best = point
        if self.lowest is None or value < self.lowest.value:
            self.lowest = point
        self.start = self.start or point
        self.watch.say("fitting", self.maps, self.best.deviation)
        return point

    def descend(self, most_maps: int) -> bool:
        """Go down from the lowest point so far; return whether the tolerance was reached.

        Gives up after ``most_maps`` maps in all, or when nothing improves. When rounding ends its
        line search, the method restarts with the variables rescaled for the point reached; when a
        step went too far, it restarts more cautiously.

        Raises
        ------
        BelowZero, TooWide, Stopped
            See these classes.
        """
        lowest = self.lowest or self.at(np.zeros(len(self.goals)))
        caution = 1.0
        for _ in range(RESTARTS):
            before = lowest
            try:
                self._go_down(lowest, most_maps, caution)
            except Reached:
                return True
            except TooWide:
                caution *= 4
            lowest = self.lowest or lowest
            if self.maps >= most_maps:
                return False
            if caution == 1 and lowest.deviation > 0.9 * before.deviation:
                caution = 4
            elif lowest is before and caution > 4**4:
                return False
        return False

    def _go_down(self, start: Point, most_maps: int, caution: float) -> None:
        """Run the method once; ends by ``Reached``, or where it makes no progress."""
        if start.deviation <= self.tolerance:
            raise Reached
        scale = caution * np.sqrt(
            np.maximum(self._variance(self.goals), self._variance(start.expected))
        )

        def value_and_slope(z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            point = self.at(z / scale)
            if point.deviation <= self.tolerance:
                raise Reached
            if point.value < BELOW_ZERO:
                raise BelowZero(point.theta)
            return point.value, (point.expected - self.goals) / scale

        def count_iteration(_: NDArray[np.float64]) -> None:
            self.iterations += 1

        options = {"maxcor": MEMORY, "maxfun": max(1, most_maps - self.maps),
                   "maxiter": most_maps, "ftol": 0.0, "gtol": 0.0}  # fmt: skip
        minimize(value_and_slope, start.theta * scale, jac=True, method="L-BFGS-B",
                 callback=count_iteration, options=options)  # fmt: skip

    def _variance(self, expected: NDArray[np.float64]) -> NDArray[np.float64]:
        """The approximate variance of each feature, the second derivative of L along it."""
        share = expected / self.sizes
        found: NDArray[np.float64] = np.maximum(expected * np.maximum(1 - share, 1e-4), 1e-8)
        return found
