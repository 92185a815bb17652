r"""Priors fitted to observations: how often each cell was occupied, or layouts of earlier games.

Let ``x`` be the numbers of *features* of a layout (the cells that it occupies, the classes of these
cells under the board's symmetries, or its placements), and ``f`` the numbers wanted on average.
Among all distributions of layouts with these averages, the one of maximum entropy assumes nothing
else [Jaynes1957]. It gives a layout the weight ``exp(theta . x)``, a product over placements,
where ``theta`` minimises the convex function

    L(theta) = log Z(theta) - theta . f,    Z(theta) = sum over all layouts x of exp(theta . x).

Its gradient is the expected number of each feature minus ``f``, which one map of the counter gives;
at the minimum, L is the entropy. L-BFGS [Liu1989] of scipy goes down from ``theta = 0``, where all
layouts are equally likely, until no chance deviates from its target by more than the tolerance.

The weight of a single layout is at most Z. So if L is below 0 anywhere, ``theta . x < theta . f``
for every layout: no mix of layouts has the averages ``f``. Other frequencies may be out of reach
as well, where L has a lower bound but no minimum: those of a *face*, say, under which only layouts
with the most ship cells on the border are drawn. A fit says how near it came.

Layouts of earlier games
------------------------
A few games say little about a player, so what they show is mixed with equally likely layouts. With
G games, frequencies ``f`` in them, and ``u`` the occupancy of equally likely layouts, the prior has
the frequencies ``(G f + K u) / (G + K)``, as if K more games (``smoothing``) had been seen of a
player who makes all layouts equally likely. These are always possible.

The default of K comes from the game on 10x10 with the fleet hasbro. There a cell's frequency in G
games has the variance 0.14 / G, averaged over the cells. If a player's true frequencies differ from
``u`` by d (root mean square), the expected squared error is least with K = 0.14 / d**2. All people
together, in 54,652 games against a public program, differ by d = 0.046, which would give K = 66.
Single players must on average differ by at least as much; ``SMOOTHING`` assumes d = 0.084 for them.

Observations in text files
--------------------------
A grid has one line per row of the board, its numbers between blanks or commas; a list has one
layout per line, its ships between blanks or commas. Blank lines and lines that begin with ``#``
are skipped::

    0.19 0.18 0.20          A1:A3 C1 C3
    0.17 0.15 0.17          A1:C1 A3 C3
    0.20 0.18 0.19
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import exp, inf, isfinite, log, log2
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import (
    PositionError,
    WeightsError,
    quoted,
)
from seabattle.enumerate.files import read_text
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import LayoutReader, ProductPrior, parts_of, read_number
from seabattle.enumerate.rules import Rules, choose

TOLERANCE = 1e-6
"""Largest deviation of a fitted frequency, unless another is asked for."""

SMOOTHING = 20
"""Imaginary games added to those seen, unless another number is asked for."""

MOST_MAPS = 3000
"""A fit that is not within its tolerance after so many maps never will be."""

STEPS_REMEMBERED = 40
"""Steps that the quasi-Newton method remembers."""

WIDEST = 1000.0
"""Weights of layouts differ by a factor of at most exp(WIDEST), which floating point can hold."""

RESTARTS = 12
"""How often the method may restart."""

BELOW_ZERO = -1e-7
"""An L below this is below 0 in spite of rounding."""

ROUNDED = Fraction(1, 10**6)
"""How far decimals may be from their right sum, as a share of it; they were rounded."""

DIGITS = 15
"""Significant digits of fitted weights."""

MOST_CHARACTERS = 1 << 26
"""Longer files of observations are refused before they fill the memory."""

Grid = Sequence[Sequence[Fraction | float]] | NDArray[Any]
"""Rows of numbers, top row first."""

SeenLayouts = Iterable[str | Sequence[str]] | NDArray[np.integer]
"""Layouts as text, ``A1:A3 C1``, as names of their ships, or as rows of placement numbers."""


class Weighing(StrEnum):
    """What has a weight of its own."""

    CELLS = "cells"
    CLASSES = "classes"
    PLACEMENTS = "placements"


@dataclass(frozen=True)
class FitProgress:
    """What a fit reports after every map.

    Attributes
    ----------
    maps
        Maps counted so far.
    deviation
        The largest deviation of an expected number from its target, in the best map so far.
    """

    maps: int
    deviation: float


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
    interrupted: bool
    seconds: float

    @property
    def reached(self) -> bool:
        """Whether the deviation is within the tolerance."""
        return self.deviation <= self.tolerance

    @property
    def bits(self) -> float:
        """Bits gained over equally likely layouts."""
        return max(0.0, log2(self.layouts) - self.entropy)

    def document(self) -> dict[str, Any]:
        """What ``prior fit --json`` prints after the game, and what is saved with the prior.

        Fields
        ------
        weights: what has a weight of its own: cells, classes of cells, or placements
        games: games it was fitted to, if they are known
        smoothing: games' worth of uniform layouts added
        iterations: steps of the fit
        maps: maps counted
        tolerance: how far a frequency may be from what it was fitted to
        deviation: how far one is
        reached: whether that is within the tolerance
        bits: how much it tells beyond equally likely layouts, in bits
        entropy_bits: its entropy, in bits
        interrupted: whether the fit was stopped
        """
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
            "interrupted": self.interrupted,
        }

    def facts(self) -> list[tuple[str, str]]:
        """The fit as labels and texts, the game apart."""
        facts = [("weights", f"of {self.weighing.value}")]
        if self.games is not None:
            smoothing = f" seen, {float(self.smoothing):g} imaginary" if self.smoothing else ""
            facts.append(("games", f"{float(self.games):,g}{smoothing}"))
        return [
            *facts,
            ("iterations", f"{self.iterations} ({self.maps:,} map{'s'[: self.maps != 1]})"),
            ("deviation", f"{self.deviation:.2g} at most"),
            ("gained", f"{self.bits:.4f} bits over equally likely layouts"),
        ]


@dataclass(frozen=True)
class _Target:
    """The features of a game's placements, and how many of each a layout shall have on average.

    Attributes
    ----------
    rules, weighing
        The game, and what has a weight of its own.
    of_placement
        Sparse int64 ``(n_placements, n_features)``: how many of each feature a placement has.
    of_cell
        int64 ``(n_cells,)``: the feature of each cell; None where placements have weights.
    sizes
        int64 ``(n_features,)``: how many cells, or placements, share the weight of a feature.
    gauges
        int64 ``(n_features,)``: the gauge of each feature. Multiplying the weights of one gauge
        (all cells, or the placements of one length) by a common factor changes no chance.
    wanted
        The exact target of every feature.
    """

    rules: Rules
    weighing: Weighing
    of_placement: Any
    of_cell: NDArray[np.int64] | None
    sizes: NDArray[np.int64]
    gauges: NDArray[np.int64]
    wanted: tuple[Fraction, ...] = ()

    @classmethod
    def of(cls, rules: Rules, weighing: Weighing) -> _Target:
        """The features alone."""
        placements = placement_table(rules).placements
        if weighing is Weighing.PLACEMENTS:
            lengths = np.array([p.length for p in placements], dtype=np.int64)
            ones, numbers = np.ones(len(placements), dtype=np.int64), np.arange(len(placements))
            return cls(rules, weighing, csr_array((ones, (numbers, numbers))), None, ones, lengths)
        of_cell = np.arange(rules.board.cells, dtype=np.int64)
        if weighing is Weighing.CLASSES:
            of_cell = classes_of(rules)
        rows = [i for i, p in enumerate(placements) for _ in p.cells]
        columns = of_cell[[cell for p in placements for cell in p.cells]]
        sizes = np.bincount(of_cell)
        ones = np.ones(len(rows), dtype=np.int64)
        matrix = csr_array((ones, (rows, columns)), shape=(len(placements), len(sizes)))
        return cls(rules, weighing, matrix, of_cell, sizes, np.zeros(len(sizes), dtype=np.int64))

    @property
    def never(self) -> NDArray[np.bool_]:
        """Which features no layout shall have."""
        return np.array([share == 0 for share in self.wanted])

    @property
    def always(self) -> NDArray[np.bool_]:
        """Which cells every layout shall have; placements are certain as their rivals are not."""
        if self.of_cell is None:
            return np.zeros(len(self.wanted), dtype=bool)
        sizes = self.sizes.tolist()
        return np.array([share == size for share, size in zip(self.wanted, sizes, strict=True)])

    @property
    def forced(self) -> list[int]:
        """The cells that every layout shall occupy."""
        cells = () if self.of_cell is None else np.flatnonzero(self.always[self.of_cell])
        return [int(cell) for cell in cells]


def classes_of(rules: Rules) -> NDArray[np.int64]:
    """For each cell the number of its class; symmetries of the board map a class to itself.

    >>> classes_of(Rules("2x3", "1")).tolist()
    [0, 1, 0, 0, 1, 0]
    """
    least = np.array(rules.symmetries).min(axis=0)
    found: NDArray[np.int64] = np.unique(least, return_inverse=True)[1].reshape(-1)
    return found.astype(np.int64)


@dataclass(frozen=True)
class _Point:
    """One point of the descent, and what its map says.

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


class _Done(Exception):  # noqa: N818
    """The deviation is within the tolerance, or the fit was asked to end."""


class _TooWide(Exception):  # noqa: N818
    """The weights differ by more than floating point can hold."""


class _Descent:
    """The way down L for one target: the best and the lowest point met so far.

    Parameters
    ----------
    target
        What is asked.
    tolerance
        Largest deviation allowed.
    memory_limit
        GiB for counting.
    time_limit, progress, stop
        See ``fit_frequencies``; a fit ends early once it has a map to keep.
    """

    def __init__(
        self,
        target: _Target,
        tolerance: float,
        memory_limit: float,
        time_limit: float | None,
        progress: Callable[[FitProgress], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        if not 0 < tolerance <= 1:
            raise WeightsError(f"tolerance {tolerance:g}: must be a number above 0, at most 1")
        self.target, self.tolerance = target, tolerance
        self.started = time.monotonic()
        self.ends = inf if time_limit is None else self.started + time_limit
        self.progress, self.stop = progress, stop
        self.interrupted = False
        self.counter = Counter(
            target.rules, memory_limit=memory_limit, progress=lambda row, rows: self._check()
        )
        self.free = np.flatnonzero(~target.never & ~target.always)
        self.goals = np.array([float(target.wanted[i]) for i in self.free])
        self.sizes = target.sizes[self.free]
        self.allowed = np.asarray(target.of_placement @ target.never.astype(np.int64)) == 0
        self.lengths = np.array([p.length for p in placement_table(target.rules).placements])
        self.maps = self.iterations = 0
        self.best: _Point | None = None
        self.lowest: _Point | None = None

    def _check(self) -> None:
        """End the fit if it was asked to end and there is something to keep."""
        if self.best is None:
            return
        if time.monotonic() > self.ends or (self.stop is not None and self.stop()):
            self.interrupted = True
            raise _Done

    def _prior_at(self, theta: NDArray[np.float64]) -> tuple[ProductPrior, float]:
        """The prior with these weights, scaled by a factor for each length, and the scaling undone.

        The second value is the logarithm to add to that of every layout's scaled weight.
        """
        spread = np.zeros(len(self.target.sizes))
        spread[self.free] = theta
        logs = self.target.of_placement @ spread
        weights, left_out, width = np.zeros(len(logs)), 0.0, 0.0
        for length, ships in self.target.rules.fleet.counts.items():
            those = self.allowed & (self.lengths == length)
            if those.any():
                most, least = float(logs[those].max()), float(logs[those].min())
                width += ships * (most - least)
                if width > WIDEST:
                    raise _TooWide
                weights[those] = np.exp(logs[those] - (most + least) / 2)
                left_out += ships * (most + least) / 2
        exact = tuple(Fraction(weight) for weight in weights.tolist())
        forced = self.target.rules.board.mask(self.target.forced)
        return ProductPrior(self.target.rules, exact, forced), left_out

    def _at(self, theta: NDArray[np.float64]) -> _Point:
        """Count the map at a point; the best and the lowest point are kept."""
        self._check()
        prior, left_out = self._prior_at(theta)
        found = self.counter.under(prior).chances()
        expected = (self.target.of_placement.T @ found.placements)[self.free]
        value = found.log_weight + left_out - float(theta @ self.goals)
        deviation = float(np.max(np.abs(expected - self.goals) / self.sizes, initial=0.0))
        self.maps += 1
        point = _Point(theta.copy(), value, expected, deviation)
        if self.best is None or deviation < self.best.deviation:
            self.best = point
        if self.lowest is None or value < self.lowest.value:
            self.lowest = point
        if self.progress is not None:
            self.progress(FitProgress(self.maps, self.best.deviation))
        if deviation <= self.tolerance:
            raise _Done
        if value < BELOW_ZERO:
            raise WeightsError("the frequencies are impossible: no mix of layouts has them")
        return point

    def run(self) -> _Point:
        """Go down until the tolerance is reached, or nothing improves; the best point met.

        When rounding ends its line search, the method restarts with the variables rescaled for the
        point reached; when a step went too far, it restarts more cautiously.
        """
        try:
            self._run()
        except _Done:
            pass
        except (PositionError, WeightsError) as error:  # no layout has what is forced and allowed
            if self.best is None:
                raise WeightsError(f"the frequencies are impossible: {error}") from None
            raise
        assert self.best is not None  # a fit is not stopped before its first map
        return self.best

    def _run(self) -> None:
        lowest = self._at(np.zeros(len(self.goals)))
        caution = 1.0
        for _ in range(RESTARTS):
            before = lowest
            try:
                self._go_down(lowest, caution)
            except _TooWide:
                caution *= 4
            lowest = self.lowest or lowest
            if self.maps >= MOST_MAPS:
                return
            if caution == 1 and lowest.deviation > 0.9 * before.deviation:
                caution = 4
            elif lowest is before and caution > 4**4:
                return

    def _go_down(self, start: _Point, caution: float) -> None:
        """Run the method once, with each variable scaled by its curvature."""
        scale = caution * np.sqrt(
            np.maximum(self._variance(self.goals), self._variance(start.expected))
        )

        def value_and_slope(z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            point = self._at(z / scale)
            return point.value, (point.expected - self.goals) / scale

        def count_iteration(_: NDArray[np.float64]) -> None:
            self.iterations += 1

        options = {"maxcor": STEPS_REMEMBERED, "maxfun": max(1, MOST_MAPS - self.maps),
                   "maxiter": MOST_MAPS, "ftol": 0.0, "gtol": 0.0}  # fmt: skip
        minimize(value_and_slope, start.theta * scale, jac=True, method="L-BFGS-B",
                 callback=count_iteration, options=options)  # fmt: skip

    def _variance(self, expected: NDArray[np.float64]) -> NDArray[np.float64]:
        """The approximate variance of each feature, the second derivative of L along it."""
        share = expected / self.sizes
        found: NDArray[np.float64] = np.maximum(expected * np.maximum(1 - share, 1e-4), 1e-8)
        return found

    def fit(self, games: Fraction | None, smoothing: Fraction, name: str) -> PriorFit:
        """The fit to what was seen, by ``run``."""
        layouts = self.counter.count()
        best = self.run()
        found = PriorFit(
            prior=self.prior(best, name),
            weighing=self.target.weighing,
            games=games,
            smoothing=smoothing,
            iterations=self.iterations,
            maps=self.maps,
            tolerance=self.tolerance,
            deviation=best.deviation,
            layouts=layouts,
            entropy=best.value / log(2),
            interrupted=self.interrupted,
            seconds=time.monotonic() - self.started,
        )
        return replace(found, prior=replace(found.prior, facts={"fit": found.document()}))

    def prior(self, point: _Point, name: str) -> ProductPrior:
        """The prior at a point: the geometric mean of each gauge is 1; rounded to 15 digits."""
        target, theta = self.target, point.theta.copy()
        gauges = target.gauges[self.free]
        for gauge in set(gauges.tolist()):
            those = gauges == gauge
            theta[those] -= np.average(theta[those], weights=self.sizes[those])
        weights = [Fraction(0)] * len(target.sizes)
        for number, log_weight in zip(self.free, theta, strict=True):
            weights[number] = Fraction(f"{exp(log_weight):.{DIGITS}g}")
        if target.of_cell is None:
            return ProductPrior(target.rules, tuple(weights), name=name)
        cells = [weights[feature] for feature in target.of_cell]
        for cell in target.forced:
            cells[cell] = Fraction(1)
        return ProductPrior.of_cells(target.rules, cells, forced=target.forced, name=name)


def _require_lines(rules: Rules) -> None:
    """Refuse fleets whose layouts no sweep weighs."""
    if not rules.fleet.all_lines:
        raise WeightsError(f"fleet {rules.fleet}: a prior is fitted to ships that are lines")


def fit_frequencies(
    rules: Rules,
    frequencies: Grid,
    *,
    games: float | None = None,
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
    WeightsError
        If the shape, a number, or the sum is wrong (says by how much), or the fit meets a proof
        that no mix of layouts has these frequencies.

    Notes
    -----
    The chances are unique, the weights are so up to a common factor. Cells of frequency 0 become
    forbidden and cells of frequency 1 forced; the weights of the others have geometric mean 1.
    Frequencies that no mix has, or only one of layouts some of which are left out, are approached
    as far as floating point allows: ``reached`` and ``deviation`` say how far.

    Examples
    --------
    >>> found = fit_frequencies(Rules("1x4", "2"), [[0.5, 0.75, 0.5, 0.25]])
    >>> [round(float(weight), 4) for weight in found.prior.placements]
    [1.4142, 0.7071, 0.7071]
    >>> round(found.bits, 4)
    0.085
    """
    _require_lines(rules)
    wanted, games_seen = shares(rules, frequencies, games)
    target = replace(_Target.of(rules, Weighing.CELLS), wanted=wanted)
    descent = _Descent(target, tolerance, memory_limit, time_limit, progress, stop)
    return descent.fit(games_seen, Fraction(0), name)


def shares(
    rules: Rules, frequencies: Grid, games: float | None = None
) -> tuple[tuple[Fraction, ...], Fraction | None]:
    """Frequencies as exact fractions that sum to the fleet's cells, and the number of games.

    Raises
    ------
    WeightsError
        See ``fit_frequencies``.

    Examples
    --------
    >>> shares(Rules("1x4", "2"), [[2, 3, 2, 1]])
    ((Fraction(1, 2), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)), Fraction(4, 1))
    """
    board, cells = rules.board, rules.fleet.cells
    rows = [list(row) for row in frequencies]
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        shape = f"{len(rows)}x{len(rows[0]) if rows else 0}"
        raise WeightsError(f"frequencies of {shape}: the board is {board}")
    values = []
    for cell, number in enumerate(number for row in rows for number in row):
        if isinstance(number, float | np.floating) and not isfinite(number):
            raise WeightsError(f"cell {board.name(cell)}: {number} is not a finite number")
        values.append(Fraction(number.item() if isinstance(number, np.generic) else number))
    total, whole = sum(values, Fraction(0)), all(value.denominator == 1 for value in values)
    count: Fraction | None = None
    if games is not None:
        if not 0 < games < inf:
            raise WeightsError(f"games {games:g}: must be a finite number above 0")
        count = Fraction(games)
    elif whole:
        count = total / cells
        if count.denominator != 1 or count == 0:
            nearest = max(1, round(count)) * cells
            raise WeightsError(
                f"the counts sum to {total}, which is no multiple of the fleet's {cells} cells: "
                f"{_missing(nearest - total)} of {nearest}"
            )
    per_game = count or Fraction(1)
    wanted = [value / per_game for value in values]
    for cell, share in enumerate(wanted):
        if not 0 <= share <= 1:
            among = f" in {_text(per_game)} games" if count else ""
            raise WeightsError(
                f"cell {board.name(cell)}: {_text(values[cell])}{among} is outside [0, 1]"
                + ("" if games or share < 0 else "; say the number of games if these are counts")
            )
    right = cells * per_game
    if (whole and total != right) or abs(total - right) > ROUNDED * right:
        raise WeightsError(
            f"the {'counts' if count else 'frequencies'} sum to {_text(total)}, and the fleet's "
            f"{cells} cells need {_text(right)}: {_missing(right - total)}"
        )
    sure = sum((share for share in wanted if share == 1), Fraction(0))
    rest = sum(wanted) - sure
    if rest and rest != cells - sure:  # decimals that were rounded
        factor = (cells - sure) / rest
        wanted = [share if share == 1 else min(share * factor, Fraction(1)) for share in wanted]
    return tuple(wanted), count


def _missing(difference: Fraction) -> str:
    return f"{_text(abs(difference))} too {'few' if difference > 0 else 'many'}"


def _text(number: Fraction) -> str:
    if number.denominator == 1 or abs(number) >= 2**1000:
        return quoted(int(number))
    return f"{float(number):.9g}"


def fit_layouts(
    rules: Rules,
    layouts_seen: SeenLayouts,
    *,
    weights: str = Weighing.CELLS,
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
    WeightsError
        If a layout is not one of the game (says which), no layout was seen, or the smoothing is not
        above 0.

    Examples
    --------
    >>> found = fit_layouts(Rules("1x4", "2"), ["A1:B1"], smoothing=2)
    >>> found.games, found.smoothing
    (Fraction(1, 1), Fraction(2, 1))
    """
    _require_lines(rules)
    if not 0 < smoothing < inf:
        raise WeightsError(f"smoothing {smoothing:g}: must be a finite number of games above 0")
    features = _Target.of(rules, choose(Weighing, weights, "kind of weights"))
    ships, added = ships_seen(rules, layouts_seen), Fraction(smoothing)
    uniform = Counter(rules, memory_limit=memory_limit).occupancy_map()
    seen = np.bincount(ships.reshape(-1), minlength=len(placement_table(rules)))
    by_feature = features.of_placement.toarray().astype(object).T
    in_games = by_feature @ seen.astype(object)
    in_layouts = by_feature @ np.array(uniform.placements, dtype=object)
    total = 1 / (len(ships) + added)
    share = added * total / uniform.layouts
    pairs = zip(in_games, in_layouts, strict=True)
    wanted = tuple(int(games) * total + int(layouts) * share for games, layouts in pairs)
    target = replace(features, wanted=wanted)
    descent = _Descent(target, tolerance, memory_limit, time_limit, progress, stop)
    return descent.fit(Fraction(len(ships)), added, name)


def ships_seen(rules: Rules, layouts_seen: SeenLayouts) -> NDArray[np.int64]:
    """Placement numbers of layouts seen: int64 ``(games, n_ships)``; errors as ``fit_layouts``."""
    reader = LayoutReader(rules)
    for game, layout in enumerate(layouts_seen, start=1):
        names = reader.table.names(layout) if isinstance(layout, np.ndarray) else layout
        reader.add(f"game {game}", names if isinstance(names, str) else " ".join(names))
    if not reader.found:
        raise WeightsError("no layout was seen: give one per game, at least one")
    return np.array(reader.layouts(), dtype=np.int64)


def _lines(path: str | Path, what: str) -> list[tuple[str, str]]:
    """The lines with content, each with its place for the beginning of messages.

    Raises
    ------
    WeightsError, FileAccessError
        If there is none, or the file cannot be read.
    """
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
    """
    board = rules.board
    rows: list[list[Fraction]] = []
    for place, line in _lines(path, "frequencies"):
        try:
            row = [read_number(part) for part in parts_of(line.rstrip(","))]
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
    """
    reader = LayoutReader(rules)
    for place, line in _lines(path, "layouts"):
        reader.add(place, line)
    return np.array(reader.layouts(), dtype=np.int64)
