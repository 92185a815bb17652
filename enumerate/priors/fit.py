"""A fit from start to end: minimising, and testing whether the frequencies are possible.

The progress that a fit reports, and what ends it early.

Features: what a fitted prior gives weights to, and how many of each a placement has.

The weight of a layout is ``exp(theta . x)``, where ``x`` counts its features: the cells that it
occupies, the classes of these cells under the board's symmetries, or its placements. Each placement
adds its own features, so all such priors are products over placements.

Certificates: whole numbers for the cells that show why frequencies cannot be reached.

Give every cell a coefficient, and call the sum of the coefficients on a layout's cells the layout's
*value*. If no layout has a value above ``most``, then the mean value is at most ``most`` too,
however layouts are drawn. But the mean value is determined by the frequencies: it is the sum over
the cells of coefficient times frequency, called ``needed``. So frequencies with ``needed`` above
``most`` are impossible. If ``needed`` equals ``most``, every layout drawn has exactly this value.
Such frequencies lie on a *face* of the possible ones: layouts of lower value have probability 0,
which a product of positive weights reaches only in the limit.

Maximum entropy by its dual: the weights under which every feature reaches its target.

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

Turn real coefficients that seem to separate frequencies from layouts into whole ones that do.

Every candidate is rounded to whole numbers and then checked exactly: the largest value of a layout
is a whole number found by a sweep, and the mean value that the frequencies need is a fraction.

Where frequencies lie among those that layouts can have: inside, on a face, or outside.

The possible frequencies are all weighted averages of layouts: a polytope, their convex hull. The
frequencies ``u`` of equally likely layouts lie inside it. Follow the ray from ``u`` through the
frequencies ``f``, and let ``u + s (f - u)`` be the last possible point on it. If s is above 1,
``f`` is inside; if s = 1, it is on a face; if s is below 1, it is impossible. By duality

    s = min over c with c . (f - u) = 1 of  max over layouts x of  c . x  -  c . u

A linear program over the layouts known so far gives a lower bound on s; once this is above 1, ``f``
is proved to be inside. The program's ``c`` also gives an upper bound, by the heaviest layout under
``c``, which then joins the known layouts. There are finitely many layouts, so the bounds meet.

If ``f`` is not inside, more linear programs look for a ``c`` with few cells that shows it, and
``proofs`` turns this into whole numbers.

Priors fitted to how often each cell was occupied.

Among all distributions of layouts under which every cell is occupied as often as was observed, the
prior found here has maximum entropy [Jaynes1957]: it reproduces the frequencies and assumes nothing
else. It is a product of weights of cells.

Priors fitted to whole layouts, those that one opponent used in earlier games.

A few games say little about a player, so what they show is mixed with equally likely layouts. With
G games, frequencies ``f`` in them, and ``u`` the occupancy of equally likely layouts, the
prior has exactly the frequencies

    (G f + K u) / (G + K),

as if K more games (``smoothing``) had been seen of a player who makes all layouts equally likely.
So the chance of every cell (of every class or placement, where these have the weights) moves from
``u`` towards ``f`` by exactly ``G / (G + K)`` of their difference. Among the priors with these
frequencies the one of maximum entropy is taken. These frequencies are always possible: drawing from
the layouts seen with probability ``G / (G + K)``, and otherwise from all layouts, has them.

The default of K comes from the game on 10x10 with the fleet hasbro. There a cell's frequency in G
games has the variance 0.14 / G, averaged over the cells. If a player's true frequencies differ from
``u`` by d (root mean square), the expected squared error is least with K = 0.14 / d**2. All people
together, in 54,652 games against a public program, differ by d = 0.046, which would give K = 66.
Single players must on average differ by at least as much; ``SMOOTHING`` assumes d = 0.084 for them.

Observations in text files: a grid of frequencies or counts, or a list of layouts.

A grid has one line per row of the board, its numbers between blanks or commas, whole or decimal; a
list has one layout per line, its ships between blanks or commas. Blank lines and lines that begin
with ``#`` are skipped::

    0.19 0.18 0.20          A1:A3 C1 C3
    0.17 0.15 0.17          A1:C1 A3 C3
    0.20 0.18 0.19

Weights that grow with every game: the learning grid of "Over 9000".

The player that [Chronicles2010] suggests keeps a weight per cell, which grows a little with every
hit there. In a game that is played to its end, every cell of the fleet is hit. So after some games
the weight of a cell is its start plus the growth times the number of games in which it was
occupied. This is *additive smoothing*: the counts are taken as if the cell had been occupied in
``start / growth`` earlier games, too. No weights are simpler, but a product prior with these
weights does not have the frequencies that were seen. For that, the weights must be fitted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import exp, isfinite, log, log2
from numbers import Rational, Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize
from scipy.sparse import csr_array, hstack, vstack

from seabattle.enumerate.arguments import (
    require_choice,
    require_function,
    require_memory,
    require_number,
    require_path,
    require_placements,
    require_rules,
)
from seabattle.enumerate.board import Board, cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.heaviest import HeaviestLayout, HeaviestSearch, heaviest
from seabattle.enumerate.deductions import Constraints, constrain
from seabattle.enumerate.errors import (
    LayoutError,
    SeabattleError,
    WeightsError,
    WorkFailed,
    is_iterable,
    quoted,
    whole_number,
    wrong_type,
)
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import LayoutReader, ProductPrior, parts_of, read_number
from seabattle.enumerate.rules import Rules


@dataclass(frozen=True)
class FitProgress:
    """What a fit reports after every map.

    Attributes
    ----------
    stage
        What is being done: ``fitting``, or ``looking for faces``.
    maps
        Maps counted so far.
    deviation
        The largest deviation of an expected number from its target, in the best map so far.
    """

    stage: str
    maps: int
    deviation: float


class Stopped(Exception):  # noqa: N818
    """The fit was asked to end; the best weights so far are kept."""


class Watch:
    """Reports progress, and ends a fit at its time limit or when asked to.

    Parameters
    ----------
    time_limit
        Seconds, or None.
    progress
        Called with a ``FitProgress`` after every map.
    stop
        Called often; the fit ends when it returns true.
    """

    def __init__(
        self,
        time_limit: float | None,
        progress: Callable[[FitProgress], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        require_function("progress", progress)
        require_function("stop", stop)
        if time_limit is not None:
            time_limit = require_number("time_limit", time_limit, "seconds", least=0)
        self.started = time.monotonic()
        self.time_limit, self.progress, self.stop = time_limit, progress, stop
        self.begun = False
        self.interrupted = False
        self.out_of_time = False

    @property
    def seconds(self) -> float:
        """Seconds since the fit began."""
        return time.monotonic() - self.started

    def check(self) -> None:
        """End the fit if it was asked to end and there is something to keep.

        Raises
        ------
        Stopped
            If so.
        """
        if not self.begun:
            return
        if self.stop is not None and self.stop():
            self.interrupted = True
            raise Stopped
        if self.time_limit is not None and self.seconds > self.time_limit:
            self.out_of_time = True
            raise Stopped

    def rows(self, row: int, rows: int) -> None:
        """Progress of a sweep."""
        self.check()

    def say(self, stage: str, maps: int, deviation: float) -> None:
        """Report a map."""
        self.begun = True
        if self.progress is not None:
            self.progress(FitProgress(stage, maps, deviation))


class Weighing(StrEnum):
    """What has a weight of its own."""

    CELLS = "cells"
    CLASSES = "classes"
    PLACEMENTS = "placements"


@dataclass(frozen=True)
class Features:
    """The features of a game's placements.

    Attributes
    ----------
    weighing
        What has a weight of its own.
    of_placement
        Sparse int64 ``(n_placements, n_features)``: how many of each feature a placement has.
    of_cell
        int64 ``(n_cells,)``: the feature of each cell; None where placements have weights.
    sizes
        int64 ``(n_features,)``: how many cells, or placements, share the weight of a feature.
    gauges
        int64 ``(n_features,)``: the gauge of each feature. Multiplying the weights of one gauge
        (all cells, or the placements of one length) by a common factor changes no chance.
    """

    weighing: Weighing
    of_placement: Any
    of_cell: NDArray[np.int64] | None
    sizes: NDArray[np.int64]
    gauges: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    def logs(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Natural logarithms of the placements' weights: float64 ``(n_placements,)``."""
        found: NDArray[np.float64] = self.of_placement @ theta
        return found

    def expected(self, chances: NDArray[Any]) -> NDArray[Any]:
        """How many of each feature there are on average, from the chance of each placement."""
        found: NDArray[Any] = self.of_placement.T @ chances
        return found


def classes_of(board: Board) -> NDArray[np.int64]:
    """For each cell the number of its class; symmetries of the board map a class to itself.

    >>> classes_of(Board(2, 3)).tolist()
    [0, 1, 0, 0, 1, 0]
    """
    least = np.array(board.symmetries).min(axis=0)
    found: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].reshape(-1)
    return found.astype(np.int64)


def features_of(rules: Rules, weighing: Weighing) -> Features:
    """The features of a game."""
    placements = placement_table(rules).placements
    if weighing is Weighing.PLACEMENTS:
        lengths = np.array([p.length for p in placements], dtype=np.int64)
        ones = np.ones(len(placements), dtype=np.int64)
        identity = (ones, (np.arange(len(placements)), np.arange(len(placements))))
        return Features(weighing, csr_array(identity), None, ones, lengths)
    of_cell = np.arange(rules.board.cells, dtype=np.int64)
    if weighing is Weighing.CLASSES:
        of_cell = classes_of(rules.board)
    rows = [i for i, p in enumerate(placements) for _ in p.cells]
    columns = of_cell[[cell for p in placements for cell in p.cells]]
    sizes = np.bincount(of_cell)
    matrix = csr_array(
        (np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=(len(placements), len(sizes))
    )
    return Features(weighing, matrix, of_cell, sizes, np.zeros(len(sizes), dtype=np.int64))


ROUNDED_AWAY = Fraction(1, 10**12)
"""Frequencies are believed to be rounded by so much; what is impossible by less is on a face."""

MANY = 6
"""Largest number of cells that are named one by one."""


@dataclass(frozen=True)
class Certificate:
    """Coefficients of cells under which no layout has a value above what the frequencies need.

    Attributes
    ----------
    rules
        The game.
    coefficients
        A whole number per cell.
    most
        The largest value of any layout.
    needed
        The mean value that the frequencies need: the sum of coefficient times frequency.
    """

    rules: Rules
    coefficients: tuple[int, ...]
    most: int
    needed: Fraction

    @property
    def impossible(self) -> bool:
        """Whether the frequencies need a clearly higher mean value than any layout has."""
        return self.needed - self.most > ROUNDED_AWAY * sum(map(abs, self.coefficients))

    def __str__(self) -> str:
        needed, said = float(self.needed), _sum_text(self.rules, self.coefficients)
        if self.impossible and max(self.coefficients) <= 0:
            said = _sum_text(self.rules, [-c for c in self.coefficients])
            return f"{said} is at least {-self.most} in every layout, but they give {-needed:.10g}"
        if self.impossible:
            return f"{said} is at most {self.most} in every layout, but they give {needed:.10g}"
        return f"{said} is {self.most} in every layout drawn, the most that any layout has"

    def document(self) -> dict[str, object]:
        """The certificate for JSON: coefficients by rows, top row first."""
        columns = self.rules.board.columns
        return {
            "coefficients": [
                list(self.coefficients[start : start + columns])
                for start in range(0, self.rules.board.cells, columns)
            ],
            "most": self.most,
            "needed": float(self.needed),
            "needed_exactly": str(self.needed),
        }


def _sum_text(rules: Rules, coefficients: Sequence[int]) -> str:
    """A weighted sum of cells as a formula; if it has many cells, just their number."""
    used = [(c, rules.board.name(cell)) for cell, c in enumerate(coefficients) if c]
    if len(used) > MANY:
        return f"a weighted sum of {len(used)} cells"
    terms = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{n}" for c, n in used]
    text = " ".join(terms)
    return text[2:] if text.startswith("+") else f"-{text[2:]}"


def most_of(rules: Rules, coefficients: Sequence[int], layouts: Layouts | None = None) -> int:
    """The largest value of any layout under these coefficients.

    Parameters
    ----------
    rules
        The game.
    coefficients
        A whole number per cell.
    layouts
        The game's layouts, if each of them is to be looked at instead of sweeping the board.
    """
    if layouts is None:
        found = heaviest(rules, list(coefficients))
        if found is None:
            raise WeightsError(f"fleet {rules.fleet} has no layout on the board {rules.board}")
        return found.gain
    gains = [sum(coefficients[cell] for cell in p.cells) for p in placement_table(rules).placements]
    return int(np.array(gains, dtype=object)[layouts.ships].sum(axis=1).max())


def check_certificate(
    certificate: Certificate,
    frequencies: Sequence[Fraction | int | float],
    *,
    layouts: Layouts | None = None,
) -> bool:
    """Whether a certificate is true for some frequencies: every number is computed anew.

    Parameters
    ----------
    certificate
        What is claimed.
    frequencies
        One per cell, top row first; floats are taken as the binary fractions that they are.
    layouts
        The game's layouts, if each of them is to be looked at instead of sweeping the board.

    Examples
    --------
    >>> certificate = Certificate(Rules("1x4", "2"), (1, 0, 0, 1), 1, Fraction(3, 2))
    >>> check_certificate(certificate, [0.75, 0.25, 0.25, 0.75])
    True
    """
    pairs = zip(certificate.coefficients, frequencies, strict=True)
    needed = sum((c * Fraction(f) for c, f in pairs), Fraction(0))
    most = most_of(certificate.rules, certificate.coefficients, layouts)
    return needed == certificate.needed and most == certificate.most <= needed


class ImpossibleFrequencies(WeightsError):  # noqa: N818
    """Frequencies that no distribution of layouts has, with the certificate that shows it.

    Attributes
    ----------
    certificate
        The certificate.
    """

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        super().__init__(f"the frequencies are impossible: {certificate}")


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


SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60, 100, 300, 1000)
FINE_SCALES = tuple(10**power for power in range(4, 16))
"""Greatest coefficients that are tried, the readable ones first."""

NEAR = 1e-3
"""How far coefficients of a face may be from whole numbers, as a share of the greatest."""


class Prover:
    """Exact checks of coefficients for the cells of one target.

    Parameters
    ----------
    target
        Frequencies of the cells.
    memory_limit
        GiB for sweeps.
    watch
        What ends the work.
    """

    def __init__(self, target: Target, memory_limit: float, watch: Watch) -> None:
        self.target = target
        rules = target.rules
        self.everywhere = HeaviestSearch(rules, memory_limit=memory_limit, progress=watch.rows)
        every = constrain(Position(rules))
        self.within = HeaviestSearch(
            rules,
            Constraints(target.allowed.astype(np.uint8), target.forced, every.left, ()),
            memory_limit=memory_limit,
            progress=watch.rows,
        )

    def heaviest(self, coefficients: NDArray[np.float64]) -> tuple[HeaviestLayout | None, float]:
        """A possible layout that is heaviest under coefficients of the free cells.

        Coefficients are rounded to multiples of a unit, 2^-40 of the greatest. The gain found is in
        this unit, which is returned as well.
        """
        greatest = float(np.max(np.abs(coefficients), initial=0.0)) or 1.0
        unit = greatest / 2.0**40
        whole = np.rint(coefficients / unit).astype(np.int64)
        gains = self.target.features.of_placement @ self._spread(whole, 0)
        return self.within.find(gains), unit

    def _spread(self, coefficients: NDArray[np.int64], outside: int) -> NDArray[np.int64]:
        """Coefficients of all cells: ``outside`` on forced ones, less than 0 on forbidden ones."""
        target = self.target
        found = np.full(len(target.features), -outside, dtype=np.int64)
        found[list(cells_of(target.forced))] = outside
        found[target.free] = coefficients
        return found

    def certificate(self, coefficients: NDArray[np.int64]) -> Certificate | None:
        """The certificate from whole coefficients of the free cells, if they prove anything.

        Where necessary, forced and forbidden cells get coefficients that outweigh the others.
        """
        target = self.target
        greatest = int(np.max(np.abs(coefficients), initial=0))
        outweighing = 2 * target.rules.fleet.cells * greatest + 1
        outside = [0, max(1, greatest), outweighing]
        if len(target.free) == len(target.features):
            outside = [0]
        for number in outside:
            cells = self._spread(coefficients, number)
            if not cells.any():
                continue
            found = self.everywhere.find(target.features.of_placement @ cells)
            assert found is not None  # the fleet has layouts
            whole = tuple(int(c) for c in cells)
            needed = sum(
                (c * f for c, f in zip(whole, target.wanted, strict=True) if c), Fraction(0)
            )
            if needed > found.gain or (needed == found.gain and not self._says_nothing(cells)):
                return Certificate(target.rules, whole, found.gain, needed)
        return None

    def _says_nothing(self, cells: NDArray[np.int64]) -> bool:
        """Whether every possible layout has the same value under these coefficients."""
        gains = self.target.features.of_placement @ cells
        most, least = self.within.find(gains), self.within.find(-gains)
        if most is None or least is None:
            return False
        needed = sum(
            (int(c) * f for c, f in zip(cells, self.target.wanted, strict=True)), Fraction(0)
        )
        return most.gain == -least.gain == needed

    def of_zeros_and_ones(self) -> Certificate | None:
        """The certificate where forced and forbidden cells leave no layout at all."""
        if self.within.find(np.zeros(len(self.target.allowed), dtype=np.int64)) is not None:
            return None
        return self.certificate(np.zeros(len(self.target.free), dtype=np.int64))

    def rounded(
        self, coefficients: NDArray[np.float64], scales: Sequence[int], *, near: float | None = None
    ) -> Certificate | None:
        """The first certificate among roundings to whole numbers of increasing size.

        Parameters
        ----------
        coefficients
            Real numbers for the free cells.
        scales
            Greatest whole numbers to try.
        near
            Try only roundings that change no coefficient by more than this share of the greatest.
        """
        for whole in _roundings(coefficients, scales, near):
            found = self.certificate(whole)
            if found is not None:
                return found
        return None


def _roundings(
    coefficients: NDArray[np.float64], scales: Sequence[int], near: float | None
) -> Iterator[NDArray[np.int64]]:
    """The different roundings, with the greatest coefficient equal to each scale in turn."""
    greatest = float(np.max(np.abs(coefficients), initial=0.0))
    if greatest == 0:
        return
    seen = set()
    for scale in scales:
        real = coefficients * (scale / greatest)
        whole = np.rint(real).astype(np.int64)
        if near is not None and np.max(np.abs(whole - real)) > near * scale:
            continue
        lowest = whole // max(1, int(np.gcd.reduce(whole)))
        if lowest.tobytes() not in seen:
            seen.add(lowest.tobytes())
            yield lowest


CLEARLY = 1e-7
"""An s that differs from 1 by less than this counts as 1 until whole numbers decide."""

EXACT = 1e-9
"""Rounding of linear programs, as a share of the greatest coefficient."""

WIDEST_BOX = 1e9
WAYS = (("highs-ds", 1e-10), ("highs-ds", 1e-9), ("highs-ds", 1e-7), ("highs-ipm", 1e-8))
"""Methods of HiGHS with their tolerances, tried in turn until one succeeds."""

FEW_ROUNDS = 40
"""Rounds spent on making a certificate shorter."""

Bounds = tuple[float | None, float | None]


class Hull:
    """The convex hull of layouts, as far as the free cells go.

    Parameters
    ----------
    target
        The frequencies.
    start
        The map of equally likely layouts.
    prover
        Exact checks.
    layouts
        Layouts known at the beginning, as placement numbers ``(n, n_ships)``.
    say
        Called before every round.
    """

    def __init__(
        self,
        target: Target,
        start: Point,
        prover: Prover,
        layouts: NDArray[np.uint16],
        say: Callable[[], None],
    ) -> None:
        self.target, self.prover, self.say = target, prover, say
        self.goals, self.middle = target.goals, start.expected
        self.of_placement = target.features.of_placement.toarray()[:, target.free]
        self.known = np.unique(self._counts(layouts), axis=0)

    def _counts(self, layouts: NDArray[np.uint16]) -> NDArray[np.int64]:
        """Which free cells each layout occupies: int64 ``(n, n_free)``."""
        found: NDArray[np.int64] = self.of_placement[layouts.astype(np.int64)].sum(axis=1)
        return found

    def face(self) -> Certificate | None:
        """None if the frequencies are inside, otherwise the certificate that shows why not.

        Raises
        ------
        WorkFailed
            If rounding leaves it open.
        """
        direction = self.goals - self.middle
        length = float(np.max(np.abs(direction), initial=0.0))
        if length < 1e-12:
            return None
        box = 100.0
        while True:
            self.say()
            c, most, narrow = self._ray(direction / length, box)
            reach = (most - float(c @ self.middle)) / length
            if reach > 1 + CLEARLY and not narrow:
                return None
            if self._learn(c, most):
                continue
            if reach > 1 + CLEARLY:
                if box > WIDEST_BOX:
                    return None
                box *= 100
                continue
            return self._shown(c, outside=reach < 1 - CLEARLY)

    def _ray(
        self, direction: NDArray[np.float64], box: float
    ) -> tuple[NDArray[np.float64], float, bool]:
        """The coefficients in a box that bound s best, and the largest value of a known layout.

        Also returns whether the limits of the box matter. All layouts occupy equally many free
        cells, so one coefficient can be fixed at 0.
        """
        cost = np.append(-self.middle, 1.0)
        bounds: list[Bounds] = [(-box, box)] * len(direction) + [(None, None)]
        bounds[int(np.argmin(np.abs(direction)))] = (0.0, 0.0)
        solved = _solved(
            cost, self._rows(), np.zeros(len(self.known)),
            csr_array(np.append(direction, 0.0).reshape(1, -1)), np.ones(1), bounds,
        )  # fmt: skip
        held = np.abs(solved.lower.marginals) + np.abs(solved.upper.marginals)
        narrow = held[np.abs(solved.x) > 0.999 * box].max(initial=0.0) > EXACT
        return solved.x[:-1], float(solved.x[-1]), bool(narrow)

    def _rows(self, split: bool = False) -> csr_array:
        """Rows ``c . x - t <= 0`` for the known layouts; ``split`` writes c as a difference."""
        known = csr_array(self.known.astype(np.float64))
        ones = csr_array(-np.ones((len(self.known), 1)))
        return csr_array(hstack([known, -known, ones] if split else [known, ones]))

    def _learn(self, c: NDArray[np.float64], most: float) -> bool:
        """Whether some layout clearly exceeds the known ones under c; it then joins them."""
        found, unit = self.prover.heaviest(c)
        if found is None:
            return False
        greatest = float(np.max(np.abs(c), initial=0.0))
        if found.gain * unit <= most + EXACT * max(1.0, greatest) * len(c):
            return False
        new = self._counts(np.array([found.ships], dtype=np.uint16))
        if (self.known == new).all(axis=1).any():
            return False
        self.known = np.concatenate([self.known, new])
        return True

    def _shown(self, c: NDArray[np.float64], *, outside: bool) -> Certificate | None:
        """The certificate for frequencies that are not inside, from coefficients that show it."""
        short = self.shorter(outside=outside, rounds=None if not outside else FEW_ROUNDS)
        near = None if outside else NEAR
        for coefficients in (short, c):
            if coefficients is not None:
                found = self.prover.rounded(coefficients, SCALES, near=near)
                if found is not None:
                    return found
        found = self.prover.rounded(c, FINE_SCALES)
        if found is None and outside:
            raise WorkFailed(
                "the frequencies are impossible, or so close to it that rounding does not tell"
            )
        return found

    def shorter(self, *, outside: bool, rounds: int | None) -> NDArray[np.float64] | None:
        """Coefficients of few cells that show that the frequencies are not inside.

        The sum of their absolute values is minimal, which leaves most of them 0.

        Parameters
        ----------
        outside
            Whether the frequencies are impossible, not on a face.
        rounds
            The most linear programs to solve; if they do not suffice, None is returned.
        """
        cells = len(self.goals)
        gap = np.concatenate([-self.goals, self.goals, [1.0]])  # t - c . f
        steep = np.concatenate([-self.middle, self.middle, [1.0]])  # t - c . u
        norm = np.append(np.ones(2 * cells), 0.0)
        bounds: list[Bounds] = [(0.0, None)] * (2 * cells) + [(None, None)]
        while rounds is None or rounds > 0:
            self.say()
            rounds = None if rounds is None else rounds - 1
            rows, extra = self._rows(split=True), norm if outside else gap
            limits = np.append(np.zeros(len(self.known)), 1.0 if outside else 0.0)
            matrix = csr_array(vstack([rows, csr_array(extra.reshape(1, -1))]))
            if outside:
                found = _solved(gap, matrix, limits, None, None, bounds).x
            else:
                equal = csr_array(steep.reshape(1, -1))
                try:
                    found = _solved(norm, matrix, limits, equal, np.ones(1), bounds).x
                except WorkFailed:  # inside after all, by less than rounding
                    return None
            c: NDArray[np.float64] = found[:cells] - found[cells:-1]
            if not self._learn(c, float(found[-1])):
                return c
        return None


def _solved(
    cost: NDArray[np.float64],
    rows: csr_array,
    limits: NDArray[np.float64],
    equal: csr_array | None,
    values: NDArray[np.float64] | None,
    bounds: list[Bounds],
) -> Any:
    """The solution of a linear program, as scipy gives it."""
    for method, exactness in WAYS:
        options = {
            "primal_feasibility_tolerance": exactness,
            "dual_feasibility_tolerance": exactness,
        }
        solved = linprog(cost, rows, limits, equal, values, bounds, method=method, options=options)
        if solved.status == 0:
            return solved
    raise WorkFailed(f"a linear program of the fit failed: {solved.message}")


SUSPICIOUS = 150
"""After so many maps without success, a fit tests whether its target is possible."""

MOST_MAPS = 3000
"""A fit that is not within its tolerance after so many maps never will be."""

DRAWN = 2000
"""Layouts drawn by the fitted prior; their convex hull usually contains the frequencies."""

DIGITS = 15
"""Significant digits of fitted weights."""


@dataclass(frozen=True)
class PriorFit:
    """A product prior fitted to frequencies, and how well it fits.

    Attributes
    ----------
    prior
        The prior, with the facts of the fit. It is scaled so that the geometric mean of the weights
        of the free cells is 1, or that of the free placements of each length.
    weighing
        What has a weight of its own: ``cells``, ``classes`` or ``placements``.
    games
        How many games were observed; None if frequencies were given.
    smoothing
        How many imaginary games with layouts drawn at random were added; 0 if none.
    iterations, maps
        Iterations of the quasi-Newton method, and maps counted.
    tolerance
        The largest deviation asked for.
    deviation
        The largest deviation of a chance from its target.
    layouts
        Number of layouts of the game.
    entropy
        Entropy of the prior in bits.
    face
        None if positive weights can have exactly these frequencies, apart from cells that are
        always or never occupied. Otherwise the face on which the frequencies lie: no weights reach
        them exactly, and the fit comes as close as its tolerance asks.
    interrupted
        Whether the fit was stopped, by ``stop`` or its time limit, before it was done.
    seconds
        Time taken.
    """

    prior: ProductPrior
    weighing: Weighing
    games: Fraction | None
    smoothing: Fraction
    iterations: int
    maps: int
    tolerance: float
    deviation: float
    layouts: int
    entropy: float
    face: Certificate | None
    interrupted: bool
    seconds: float

    def __post_init__(self) -> None:
        require_flag("interrupted", self.interrupted)

    @property
    def reached(self) -> bool:
        """Whether the deviation is within the tolerance."""
        return self.deviation <= self.tolerance

    @property
    def bits(self) -> float:
        """Bits gained over equally likely layouts."""
        return max(0.0, log2(self.layouts) - self.entropy)

    def facts(self) -> dict[str, object]:
        """Facts about the fit that are saved with the prior, for JSON."""
        return {
            "weights": self.weighing.value,
            "games": None if self.games is None else float(self.games),
            "smoothing": float(self.smoothing),
            "iterations": self.iterations,
            "maps": self.maps,
            "tolerance": self.tolerance,
            "deviation": self.deviation,
            "reached": self.reached,
            "bits": self.bits,
            "entropy_bits": self.entropy,
            "face": None if self.face is None else self.face.document(),
            "interrupted": self.interrupted,
        }


def target_of(rules: Rules, features: Features, wanted: tuple[Fraction, ...]) -> Target:
    """A target whose features that never or always occur are forbidden or forced."""
    never = np.array([share == 0 for share in wanted])
    always = np.array([w == size for w, size in zip(wanted, features.sizes.tolist(), strict=True)])
    allowed = np.asarray(features.of_placement @ never.astype(np.int64)) == 0
    forced = 0
    if features.of_cell is None:
        always[:] = False  # a placement is certain when all its rivals are forbidden
    else:
        forced = rules.board.mask(np.flatnonzero(always[features.of_cell]).tolist())
    return Target(rules, features, wanted, np.flatnonzero(~never & ~always), allowed, forced)


def fit(
    target: Target,
    watch: Watch,
    *,
    games: Fraction | None,
    smoothing: Fraction,
    tolerance: float,
    memory_limit: float,
    inside: bool,
    name: str,
) -> PriorFit:
    """Fit a product prior to a target.

    Parameters
    ----------
    target
        What is asked.
    watch
        Progress, and what ends the fit early.
    games, smoothing, tolerance
        See ``PriorFit``.
    memory_limit
        GiB for counting.
    inside
        Whether the target is known to be possible, and not on a face.
    name
        Name of the prior.

    Raises
    ------
    ImpossibleFrequencies
        With the certificate.
    """
    counter = Counter(target.rules, memory_limit=memory_limit, progress=watch.rows)
    layouts = counter.count()
    work = _Fit(target, watch, tolerance, counter)
    face: Certificate | None = None
    try:
        face = work.run(inside)
    except Stopped:
        face = work.face
    dual, best = work.dual, work.dual.best
    assert best is not None  # a fit is not stopped before its first map
    found = PriorFit(
        prior=prior_of(target, best.theta, name),
        weighing=target.features.weighing,
        games=games,
        smoothing=smoothing,
        iterations=dual.iterations,
        maps=dual.maps,
        tolerance=tolerance,
        deviation=best.deviation,
        layouts=layouts,
        entropy=best.value / log(2),
        face=face,
        interrupted=watch.interrupted or watch.out_of_time,
        seconds=watch.seconds,
    )
    return replace(found, prior=replace(found.prior, facts={"fit": found.facts()}))


def prior_of(target: Target, theta: NDArray[np.float64], name: str) -> ProductPrior:
    """The prior with these weights, scaled as ``PriorFit`` says and rounded to 15 digits."""
    features = target.features
    weights = [Fraction(0)] * len(features)
    for number, log_weight in zip(target.free, target.gauged(theta), strict=True):
        weights[number] = Fraction(f"{exp(log_weight):.{DIGITS}g}")
    if features.of_cell is None:
        return ProductPrior(target.rules, tuple(weights), name=name)
    cells = [weights[feature] for feature in features.of_cell]
    forced = list(cells_of(target.forced))
    for cell in forced:
        cells[cell] = Fraction(1)
    return ProductPrior.of_cells(target.rules, cells, forced=forced, name=name)


class _Fit:
    """The steps of one fit; keeps what is known in case it is stopped."""

    def __init__(self, target: Target, watch: Watch, tolerance: float, counter: Counter) -> None:
        self.target, self.watch, self.counter = target, watch, counter
        self.dual = Dual(target, watch, tolerance, counter)
        self.face: Certificate | None = None
        self._prover: Prover | None = None

    @property
    def prover(self) -> Prover:
        """Exact checks, prepared when they are first needed."""
        limit = self.counter.memory_limit
        self._prover = self._prover or Prover(self.target, limit, self.watch)
        return self._prover

    def run(self, inside: bool) -> Certificate | None:
        """Fit; return the face."""
        if len(self.target.free) < len(self.target.features) and not inside:
            impossible = self.prover.of_zeros_and_ones()
            if impossible is not None:
                raise ImpossibleFrequencies(impossible)
        reached = self._descend(SUSPICIOUS)
        if not inside:
            self.face = self._hull().face()
            if self.face is not None and self.face.impossible:
                raise ImpossibleFrequencies(self.face)
        if not reached:
            self._descend(MOST_MAPS)
        return self.face

    def _descend(self, most_maps: int) -> bool:
        try:
            return self.dual.descend(most_maps)
        except TooWide:
            return False
        except BelowZero as below:
            raise ImpossibleFrequencies(self._certificate(below.theta)) from None

    def _certificate(self, theta: NDArray[np.float64]) -> Certificate:
        """The certificate from weights under which L is below 0, with few cells if possible.

        Raises
        ------
        WorkFailed
            If rounding leaves the question open.
        """
        found = self.prover.rounded(theta - np.median(theta), (*SCALES, *FINE_SCALES))
        short = self._hull().shorter(outside=True, rounds=FEW_ROUNDS)
        shorter = None if short is None else self.prover.rounded(short, SCALES)
        known = [c for c in (shorter, found) if c is not None and c.impossible]
        if not known:
            raise WorkFailed("the frequencies are impossible by less than rounding can show")
        return min(known, key=lambda c: sum(number != 0 for number in c.coefficients))

    def _hull(self) -> Hull:
        """The possible frequencies, beginning with layouts drawn by the best prior so far."""
        start, best = self.dual.start, self.dual.best
        assert start is not None
        assert best is not None
        drawn = [
            self.counter.under(self.dual.prior_at(point.theta)[0]).sample(DRAWN)
            for point in (best, start)
        ]

        def say() -> None:
            self.watch.check()
            self.watch.say("looking for faces", self.dual.maps, best.deviation)

        return Hull(self.target, start, self.prover, np.concatenate(drawn), say)


TOLERANCE = 1e-6
"""Largest deviation of a fitted frequency, unless another is asked for."""

ROUNDED = Fraction(1, 10**6)
"""How far decimals may be from their right sum, as a share of it; they were rounded."""

Grid = Sequence[Sequence[Real | float]]


def fit_frequencies(
    rules: Rules,
    frequencies: Grid,
    *,
    games: int | float | None = None,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[FitProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of cell weights under which cells are occupied with given frequencies.

    Among all distributions of layouts with these frequencies, it is the one of maximum entropy.

    Parameters
    ----------
    rules
        The game.
    frequencies
        Rows of frequencies in [0, 1], or of counts, top row first.
    games
        How many games the counts are from. By default whole numbers are taken to be counts, whose
        sum is the number of games times the cells of the fleet, and other numbers frequencies.
    tolerance
        The largest deviation of a cell's chance from its frequency.
    time_limit
        Seconds after which the best prior so far is returned.
    memory_limit
        GiB for counting.
    progress
        Called with a ``FitProgress`` after every map.
    stop
        Called often; when it returns true, the best prior so far is returned.
    name
        Name of the prior.

    Raises
    ------
    ImpossibleFrequencies
        If no distribution of layouts has these frequencies; carries a certificate.
    WeightsError
        If the shape, a number, or the sum is wrong; says by how much.
    TypeError
        If a parameter is of the wrong type; names it.

    Notes
    -----
    The chances are unique, the weights are so up to a common factor. Cells of frequency 0 become
    forbidden and cells of frequency 1 forced; the weights of the others have geometric mean 1.

    Examples
    --------
    >>> found = fit_frequencies(Rules("1x4", "2"), [[0.5, 0.75, 0.5, 0.25]])
    >>> [round(float(weight), 4) for weight in found.prior.placements]
    [1.4142, 0.7071, 0.7071]
    >>> round(found.bits, 4)
    0.085
    """
    require_rules(rules)
    tolerance = require_number("tolerance", tolerance, "games", above=0, most=1)
    memory_limit = require_memory(memory_limit, zero=False)
    watch = Watch(time_limit, progress, stop)
    wanted, games_seen = shares(rules, frequencies, games)
    target = target_of(rules, features_of(rules, Weighing.CELLS), wanted)
    return fit(
        target,
        watch,
        games=games_seen,
        smoothing=Fraction(0),
        tolerance=tolerance,
        memory_limit=memory_limit,
        inside=False,
        name=name,
    )


def shares(
    rules: Rules, frequencies: Grid, games: int | float | None = None
) -> tuple[tuple[Fraction, ...], Fraction | None]:
    """Frequencies as exact fractions that sum to the fleet's cells, and the number of games.

    Raises
    ------
    WeightsError, TypeError
        See ``fit_frequencies``.

    Examples
    --------
    >>> shares(Rules("1x4", "2"), [[2, 3, 2, 1]])
    ((Fraction(1, 2), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)), Fraction(4, 1))
    """
    values = _values(rules, frequencies)
    cells, total = rules.fleet.cells, sum(values)
    whole = all(value.denominator == 1 for value in values)
    count: Fraction | None = None
    if games is not None:
        number = require_number("games", games, "games", above=0)
        if not isfinite(number):
            raise WeightsError(f"games {number:g}: must be a finite number")
        count = Fraction(games)
    elif whole:
        count = Fraction(total, cells)
        if count.denominator != 1 or count == 0:
            nearest = max(1, round(count)) * cells
            raise WeightsError(
                f"the counts sum to {total}, which is no multiple of the fleet's {cells} cells: "
                f"{_missing(nearest - total)} of {nearest}"
            )
    per_game = count or Fraction(1)
    wanted = [value / per_game for value in values]
    what = "counts" if count else "frequencies"
    for cell, share in enumerate(wanted):
        if not 0 <= share <= 1:
            seen = _text(values[cell])
            among = f" in {_text(per_game)} games" if count else ""
            raise WeightsError(
                f"cell {rules.board.name(cell)}: {seen}{among} is outside [0, 1]"
                + ("" if games or share < 0 else "; say the number of games if these are counts")
            )
    right = cells * per_game
    if (whole and total != right) or abs(total - right) > ROUNDED * right:
        raise WeightsError(
            f"the {what} sum to {_text(Fraction(total))}, and the fleet's {cells} cells need "
            f"{_text(right)}: {_missing(right - total)}"
        )
    sure = sum((share for share in wanted if share == 1), Fraction(0))
    rest = sum(wanted) - sure
    if rest and rest != cells - sure:  # decimals that were rounded
        factor = (cells - sure) / rest
        wanted = [share if share == 1 else min(share * factor, Fraction(1)) for share in wanted]
    return tuple(wanted), count


def _missing(difference: Fraction | int) -> str:
    size = _text(abs(Fraction(difference)))
    return f"{size} too few" if difference > 0 else f"{size} too many"


def _text(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.9g}"


def _values(rules: Rules, frequencies: Grid) -> list[Fraction]:
    """The numbers of a grid in reading order, exactly.

    Raises
    ------
    WeightsError, TypeError
        See ``fit_frequencies``.
    """
    board = rules.board
    given = isinstance(frequencies, Sequence | np.ndarray) and is_iterable(frequencies)
    if isinstance(frequencies, str | bytes) or not given:
        raise wrong_type(
            "frequencies", f"{board.rows} rows of {board.columns} numbers", frequencies
        )
    rows = [list(row) if isinstance(row, Sequence | np.ndarray) else [row] for row in frequencies]
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        shape = f"{len(rows)}x{len(rows[0]) if rows else 0}"
        raise WeightsError(f"frequencies of {shape}: the board is {board}")
    found = []
    for cell, value in enumerate(value for row in rows for value in row):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise wrong_type("frequencies", "numbers", value)
        if not isinstance(value, Rational) and not isfinite(value):
            raise WeightsError(f"cell {board.name(cell)}: {quoted(value)} is not a finite number")
        whole = whole_number(value)
        exact = value if isinstance(value, Fraction) else float(value)
        found.append(Fraction(exact if whole is None else whole))
    return found


SMOOTHING = 20
"""Imaginary games added to those seen, unless another number is asked for."""

SeenLayouts = Iterable[str | Sequence[str]] | NDArray[np.integer]
"""Layouts as text, ``A1:A3 C1``, as names of their ships, or as rows of placement numbers."""


def fit_layouts(
    rules: Rules,
    layouts_seen: SeenLayouts,
    *,
    weights: str | Weighing = Weighing.CELLS,
    smoothing: float = SMOOTHING,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[FitProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of an opponent who used these layouts in earlier games.

    Parameters
    ----------
    rules
        The game.
    layouts_seen
        One layout per game.
    weights
        What has a weight of its own: ``cells``; ``classes``, the cells that symmetries of the board
        map to each other together, for few games; or ``placements``, for many.
    smoothing
        How many imaginary games of a player who makes all layouts equally likely are added to
        those seen, above 0; the module says what this does.
    tolerance, time_limit, memory_limit, progress, stop, name
        As in ``fit_frequencies``.

    Raises
    ------
    LayoutError
        If a layout is not one of the game; says which.
    WeightsError
        If no layout was seen.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> found = fit_layouts(Rules("1x4", "2"), ["A1:B1"], smoothing=2)
    >>> found.games, found.smoothing
    (Fraction(1, 1), Fraction(2, 1))
    """
    require_rules(rules)
    weighing = require_choice("weights", weights, Weighing, "weights")
    number = require_number("smoothing", smoothing, "games", above=0)
    if number == float("inf"):
        raise WeightsError("smoothing inf: must be a finite number of games")
    tolerance = require_number("tolerance", tolerance, "games", above=0, most=1)
    memory_limit = require_memory(memory_limit, zero=False)
    watch = Watch(time_limit, progress, stop)
    ships = ships_seen(rules, layouts_seen)
    features = features_of(rules, weighing)
    wanted = smoothed(rules, features, ships, Fraction(smoothing), memory_limit)
    return fit(
        target_of(rules, features, wanted),
        watch,
        games=Fraction(len(ships)),
        smoothing=Fraction(smoothing),
        tolerance=tolerance,
        memory_limit=memory_limit,
        inside=True,
        name=name,
    )


def ships_seen(rules: Rules, layouts_seen: SeenLayouts) -> NDArray[np.int64]:
    """Placement numbers of layouts seen: int64 ``(games, n_ships)``.

    Raises
    ------
    LayoutError, WeightsError, TypeError
        See ``fit_layouts``.
    """
    table = placement_table(rules)
    if isinstance(layouts_seen, str) or not is_iterable(layouts_seen):
        raise wrong_type("layouts_seen", "a list of layouts, one per game", layouts_seen)
    rows: list[Sequence[str]] = []
    if isinstance(layouts_seen, np.ndarray):
        require_placements(layouts_seen, rules, "layouts_seen")
        rows = [table.names(row) for row in layouts_seen]
    else:
        for layout in layouts_seen:
            names = layout.replace(",", " ").split() if isinstance(layout, str) else layout
            if not isinstance(names, Sequence):
                raise wrong_type("layouts_seen", "layouts, such as 'A1:A3 C1'", layout)
            rows.append(names)
    found = []
    for game, names in enumerate(rows, start=1):
        try:
            found.append(table.parse_layout(names))
        except SeabattleError as error:
            raise LayoutError(f"game {game}: {error}") from None
    if not found:
        raise WeightsError("no layout was seen: give one per game, at least one")
    return np.array(found, dtype=np.int64)


def smoothed(
    rules: Rules,
    features: Features,
    ships: NDArray[np.int64],
    smoothing: Fraction,
    memory_limit: float,
) -> tuple[Fraction, ...]:
    """Exact targets of the features: the counts seen, mixed with equally likely layouts."""
    uniform = Counter(rules, memory_limit=memory_limit).occupancy_map()
    seen = np.bincount(ships.reshape(-1), minlength=len(placement_table(rules)))
    total = 1 / (len(ships) + smoothing)
    share = smoothing * total / uniform.layouts
    by_feature = features.of_placement.toarray().astype(object).T
    games = by_feature @ seen.astype(object)
    layouts = by_feature @ np.array(uniform.placements, dtype=object)
    return tuple(
        int(seen_in) * total + int(occupied) * share
        for seen_in, occupied in zip(games, layouts, strict=True)
    )


MOST_CHARACTERS = 1 << 26
"""Longer files are refused before they fill the memory."""


def _lines(path: str | Path, what: str) -> list[tuple[str, str]]:
    """The lines with content, each with its place for the beginning of messages.

    Raises
    ------
    WeightsError, FileAccessError
        If there is none, or the file cannot be read.
    """
    require_path("path", path)
    not_text = WeightsError(f"{path}: a file of {what} must be UTF-8 text")
    text = read_text(path, not_text, encoding="utf-8-sig", most=MOST_CHARACTERS)
    found = [(f"{path}, line {n}", line.strip()) for n, line in enumerate(text.split("\n"), 1)]
    found = [(place, line) for place, line in found if line and line[0] != "#"]
    if not found:
        raise WeightsError(f"{path} is empty: it holds no {what}")
    return found


def load_grid(path: str | Path, rules: Rules) -> list[list[Fraction]]:
    """Rows of numbers, as ``fit_frequencies`` takes them, from a file.

    Raises
    ------
    WeightsError
        If a number is wrong, or their number; names the file and the line.
    FileAccessError
        If the file cannot be read.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_rules(rules)
    board = rules.board
    rows: list[list[Fraction]] = []
    for place, line in _lines(path, "frequencies"):
        if len(rows) == board.rows:
            raise WeightsError(
                f"{place}: board {board} has {board.rows} rows, this line is one too many"
            )
        row = []
        for part in parts_of(line.rstrip(",")):
            if not part:
                raise WeightsError(f"{place}: there is nothing before or after a comma; write 0")
            try:
                row.append(read_number(part))
            except WeightsError as error:
                raise WeightsError(f"{place}: {error}") from None
        if len(row) != board.columns:
            raise WeightsError(
                f"{place}: {len(row)} numbers, and board {board} has {board.columns} columns; "
                f"write decimals with a point"
            )
        rows.append(row)
    if len(rows) != board.rows:
        raise WeightsError(f"{path}: the grid has {len(rows)} rows, and board {board} {board.rows}")
    return rows


def load_layouts(path: str | Path, rules: Rules) -> NDArray[np.int64]:
    """Placement numbers of layouts, as ``fit_layouts`` takes them, from a file.

    Returns
    -------
    int64 ``(games, n_ships)``.

    Raises
    ------
    WeightsError
        If a line is no layout of the game; names the file and the line.
    FileAccessError
        If the file cannot be read.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_rules(rules)
    reader = LayoutReader(rules)
    for place, line in _lines(path, "layouts"):
        reader.add(place, line)
    return np.array(reader.layouts(), dtype=np.int64)


def learned_cells(
    rules: Rules,
    layouts_seen: SeenLayouts,
    start: Sequence[Fraction | float | str],
    growth: Fraction | float | str,
) -> tuple[Fraction, ...]:
    """Weights of the cells after some games: start plus growth for every game that occupied them.

    Parameters
    ----------
    rules
        The game.
    layouts_seen
        One layout per game, as for ``fit_layouts``.
    start
        The weight of each cell before the first game, top row first.
    growth
        What a game adds to the weights of the cells occupied in it.

    Returns
    -------
    A weight per cell, exact; decimals given as text are taken as written.

    Raises
    ------
    LayoutError
        If a layout is not one of the game.
    WeightsError
        If the number of weights is wrong.

    Examples
    --------
    >>> learned_cells(Rules("1x4", "2"), ["A1:B1", "B1:C1"], [1, 1, 1, 1], "0.5")
    (Fraction(3, 2), Fraction(2, 1), Fraction(3, 2), Fraction(1, 1))
    """
    require_rules(rules)
    if len(start) != rules.board.cells:
        raise WeightsError(
            f"start has {len(start)} weights: give one per cell of the board {rules.board}, "
            f"{rules.board.cells}"
        )
    ships, step = ships_seen(rules, layouts_seen), Fraction(growth)
    often = np.zeros(rules.board.cells, dtype=np.int64)
    placements = placement_table(rules).placements
    for number in ships.reshape(-1):
        often[list(placements[number].cells)] += 1
    return tuple(Fraction(s) + step * int(n) for s, n in zip(start, often, strict=True))
