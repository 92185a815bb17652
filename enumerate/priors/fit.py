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

Not all frequencies can be reached: no mix of layouts may have them, or only layouts some of which
are left out, such as those with the most ship cells on the border; L then has no minimum, and the
weights grow as far as floating point allows. A fit says how near it came.

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
layout per line, its ships between blanks or commas. Blank lines and what follows a ``#`` are
skipped::

    0.19 0.18 0.20          A1:A3 C1 C3
    0.17 0.15 0.17          A1:C1 A3 C3
    0.20 0.18 0.19
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from math import exp, inf, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import Stop, WeightsError, within
from seabattle.enumerate.files import Source, name_of, read_text
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import (
    ProductPrior,
    exact_weights,
    filled_lines,
    read_grid,
    read_layouts,
)
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

ROUNDED = Fraction(1, 10**6)
"""How far decimals may be from their right sum, as a share of it; they were rounded."""

DIGITS = 15
"""Significant digits of fitted weights."""

Grid = Sequence[Sequence[Fraction | float]] | NDArray[Any]
"""Rows of numbers, top row first."""


Progress = Callable[[int, float], None]
"""Called with the maps counted so far, and the largest deviation from a target in the best one."""


class Weighing(StrEnum):
    """What has a weight of its own."""

    CELLS = "cells"
    CLASSES = "classes"
    PLACEMENTS = "placements"


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
    maps
        Maps counted.
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
    """

    prior: ProductPrior
    weighing: Weighing
    games: Fraction | None
    smoothing: Fraction
    maps: int
    tolerance: float
    deviation: float
    layouts: int
    entropy: float
    interrupted: bool

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
        left = ""
        if self.interrupted:
            left = "; the fit was stopped: this is the best prior by then"
        elif not self.reached:
            left = f", above {self.tolerance:g}: the frequencies may be out of reach"
        return [
            *facts,
            ("maps", f"{self.maps:,}"),
            ("deviation", f"{self.deviation:.2g} at most{left}"),
            ("gained", f"{self.bits:.4f} bits over equally likely layouts"),
        ]


class _Features:
    """What has a weight of its own in a game: cells, classes of cells, or placements.

    Attributes
    ----------
    of_placement
        Sparse int64 ``(n_placements, n_features)``: how many of each feature a placement has.
    of_cell
        int64 ``(n_cells,)``: the feature of each cell; None where placements have weights.
    sizes
        int64 ``(n_features,)``: how many cells, or placements, share the weight of a feature.
    gauges
        int64 ``(n_features,)``: the gauge of each feature. Multiplying the weights of one gauge
        (all cells, or the placements of one kind of ship) by a common factor changes no chance.
    """

    def __init__(self, rules: Rules, weighing: Weighing) -> None:
        self.rules, self.weighing = rules, weighing
        self.of_cell: NDArray[np.int64] | None = None
        placements = placement_table(rules).placements
        rows = columns = np.arange(len(placements))
        self.gauges = np.array(placement_table(rules).kinds, dtype=np.int64)
        if weighing is not Weighing.PLACEMENTS:
            # Symmetries of the board map a class to itself; a cell alone only the identity does.
            turns = rules.symmetries if weighing is Weighing.CLASSES else rules.symmetries[:1]
            least = np.array(turns).min(axis=0)
            self.of_cell = np.unique(least, return_inverse=True)[1].reshape(-1)
            rows = np.array([i for i, p in enumerate(placements) for _ in p.cells])
            columns = self.of_cell[[cell for p in placements for cell in p.cells]]
            self.gauges = np.zeros(self.of_cell.max() + 1, dtype=np.int64)
        shape = len(placements), len(self.gauges)
        self.of_placement = csr_array((np.ones_like(rows), (rows, columns)), shape=shape)
        self.sizes = np.bincount(columns if self.of_cell is None else self.of_cell)


class _Done(Exception):  # noqa: N818
    """The deviation is within the tolerance, or the fit was asked to end."""


class _TooWide(Exception):  # noqa: N818
    """The weights differ by more than floating point can hold."""


class _Descent:
    """The way down L, and the point met with the least deviation.

    Parameters
    ----------
    features
        What has a weight of its own.
    wanted
        How many of each feature a layout shall have on average, exactly.
    tolerance, memory_limit, time_limit, progress, stop
        See ``fit_frequencies``; a fit ends early once it has a map to keep.
    """

    def __init__(
        self,
        features: _Features,
        wanted: Sequence[Fraction],
        tolerance: float,
        memory_limit: float,
        time_limit: float | None,
        progress: Progress | None,
        stop: Stop | None,
    ) -> None:
        if not 0 < tolerance <= 1:
            raise WeightsError(f"tolerance {tolerance:g}: must be a number above 0, at most 1")
        self.features, self.rules, self.tolerance = features, features.rules, tolerance
        seconds = inf if time_limit is None else within("time_limit", time_limit, 0)
        self.ends = time.monotonic() + seconds
        self.progress, self.stop = progress, stop
        self.counter = Counter(
            self.rules, memory_limit=memory_limit, progress=lambda row, rows: self._check()
        )
        never = np.array([number == 0 for number in wanted])
        self.forced: list[int] = []  # placements are certain as their rivals are forbidden
        always = np.zeros_like(never)
        if features.of_cell is not None:
            sizes = features.sizes.tolist()
            always = np.array([n == size for n, size in zip(wanted, sizes, strict=True)])
            self.forced = np.flatnonzero(always[features.of_cell]).tolist()
        self.allowed = features.of_placement @ never.astype(np.int64) == 0
        self.free = np.flatnonzero(~never & ~always)
        self.goals = np.array([float(wanted[i]) for i in self.free.tolist()])
        self.sizes = features.sizes[self.free]
        self.maps = 0
        self.interrupted = False
        self.theta, self.value, self.deviation = np.zeros(len(self.free)), inf, inf
        self.expected = self.goals

    def _check(self) -> None:
        """End the fit if it was asked to end and there is something to keep."""
        if self.maps and (time.monotonic() > self.ends or (self.stop is not None and self.stop())):
            self.interrupted = True
            raise _Done

    def _at(self, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """L and its slope, by a map; the point of the least deviation is kept."""
        self._check()
        spread = np.zeros(len(self.features.sizes))
        spread[self.free] = theta
        logs = self.features.of_placement @ spread
        if np.abs(logs).max() * len(self.rules.fleet.lengths) > WIDEST / 2:
            raise _TooWide
        weights = np.exp(logs) * self.allowed
        prior = ProductPrior(self.rules, tuple(weights), self.rules.board.mask(self.forced))
        found = self.counter.under(prior).chances()
        expected = (self.features.of_placement.T @ found.placements)[self.free]
        value = found.log_weight - float(theta @ self.goals)
        deviation = float(np.max(np.abs(expected - self.goals) / self.sizes, initial=0.0))
        self.maps += 1
        if deviation < self.deviation:
            self.theta, self.value = theta.copy(), value
            self.deviation, self.expected = deviation, expected
        if self.progress is not None:
            self.progress(self.maps, self.deviation)
        if deviation <= self.tolerance:
            raise _Done
        return value, expected - self.goals

    def run(self) -> None:
        """Go down until the tolerance is reached, or nothing improves.

        When rounding ends the line search, or a step went too far, the method restarts from the
        best point.
        """
        try:
            self._at(self.theta)
            for _ in range(RESTARTS):
                before = self.deviation
                with suppress(_TooWide):
                    self._go_down()
                if self.maps >= MOST_MAPS or self.deviation > 0.9 * before:
                    return
        except _Done:
            return

    def _go_down(self) -> None:
        """Run the method once, with each variable scaled by its curvature at the best point."""
        scale = np.sqrt(np.maximum(self._variance(self.goals), self._variance(self.expected)))

        def value_and_slope(z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, slope = self._at(z / scale)
            return value, slope / scale

        options = {"maxcor": STEPS_REMEMBERED, "maxfun": max(1, MOST_MAPS - self.maps),
                   "maxiter": MOST_MAPS, "ftol": 0.0, "gtol": 0.0}  # fmt: skip
        start = self.theta * scale
        minimize(value_and_slope, start, jac=True, method="L-BFGS-B", options=options)

    def _variance(self, expected: NDArray[np.float64]) -> NDArray[np.float64]:
        """The approximate variance of each feature, the second derivative of L along it."""
        share = expected / self.sizes
        found: NDArray[np.float64] = np.maximum(expected * np.maximum(1 - share, 1e-4), 1e-8)
        return found

    def fit(self, games: Fraction | None, smoothing: Fraction, name: str) -> PriorFit:
        """The fit to what was seen, by ``run``."""
        layouts = self.counter.count()
        self.run()
        found = PriorFit(
            prior=self.prior(name),
            weighing=self.features.weighing,
            games=games,
            smoothing=smoothing,
            maps=self.maps,
            tolerance=self.tolerance,
            deviation=self.deviation,
            layouts=layouts,
            entropy=self.value / log(2),
            interrupted=self.interrupted,
        )
        return replace(found, prior=replace(found.prior, facts={"fit": found.document()}))

    def prior(self, name: str) -> ProductPrior:
        """The best prior met: the geometric mean of each gauge is 1; rounded to 15 digits."""
        features, theta = self.features, self.theta.copy()
        gauges = features.gauges[self.free]
        for gauge in set(gauges.tolist()):
            those = gauges == gauge
            theta[those] -= np.average(theta[those], weights=self.sizes[those])
        weights = [Fraction(0)] * len(features.sizes)
        for number, log_weight in zip(self.free, theta, strict=True):
            weights[number] = Fraction(f"{exp(log_weight):.{DIGITS}g}")
        if features.of_cell is None:
            return ProductPrior(self.rules, tuple(weights), name=name)
        cells = [weights[feature] for feature in features.of_cell]
        for cell in self.forced:
            cells[cell] = Fraction(1)
        return ProductPrior.of_cells(self.rules, cells, forced=self.forced, name=name)


def fit_frequencies(
    rules: Rules,
    frequencies: Grid,
    *,
    games: float | None = None,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of cell weights under which cells are occupied with given frequencies.

    Among all distributions of layouts with these frequencies, it is the one of maximum entropy.

    Parameters
    ----------
    rules
        The game.
    frequencies
        Rows of frequencies in [0, 1], or of counts, top row first. Decimals may be off by a
        millionth, as they are rounded: in their sum, and above 1.
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
        Called after every map with the number of maps, and the largest deviation of an expected
        number from its target in the best of them.
    stop
        Called often; when it returns true, the best prior so far is returned.
    name
        Name of the prior.

    Raises
    ------
    WeightsError
        If the shape, a number, or the sum is wrong, or no layout avoids all cells of frequency 0
        and occupies all of frequency 1.

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
    wanted, games_seen = shares(rules, frequencies, games)
    features = _Features(rules, Weighing.CELLS)
    descent = _Descent(features, wanted, tolerance, memory_limit, time_limit, progress, stop)
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
    if [len(row) for row in rows] != [board.columns] * board.rows:
        raise WeightsError(f"frequencies: give {board.rows} rows of {board.columns} numbers")
    values = exact_weights("frequencies", chain(*rows), board.cells, "cells")
    total, whole = sum(values, Fraction(0)), all(value.denominator == 1 for value in values)
    if games is not None and not 0 < games < inf:
        raise WeightsError(f"games {games:g}: must be a finite number above 0")
    count = None if games is None else Fraction(games)
    if count is None and whole:
        count = max(Fraction(round(total / cells)), Fraction(1))
    right = cells * (count or Fraction(1))
    wanted = [value / (count or 1) for value in values]
    if not whole:
        wanted = [Fraction(1) if 1 < share <= 1 + ROUNDED else share for share in wanted]
    if abs(total - right) > (0 if whole else ROUNDED * right) or max(wanted) > 1:
        name = board.name(max(range(board.cells), key=wanted.__getitem__))
        raise WeightsError(
            f"the numbers sum to {_text(total)}, at most {_text(max(values))} at {name}; the "
            f"fleet's {cells} cells need {_text(right)}, at most {_text(right / cells)} each; "
            f"counts need the right number of games"
        )
    sure = wanted.count(Fraction(1))
    if sure < cells:  # decimals may have been rounded
        factor = (cells - sure) / (sum(wanted, Fraction(0)) - sure)
        wanted = [share if share == 1 else min(share * factor, Fraction(1)) for share in wanted]
    return tuple(wanted), count


def _text(number: Fraction) -> str:
    if number.denominator == 1 and number < 10**15:
        return str(number)
    return f"{float(number):.9g}" if number < 10**300 else "more than 10^300"


def fit_layouts(
    rules: Rules,
    layouts_seen: Iterable[str | Sequence[str]] | NDArray[np.integer],
    *,
    weights: str = Weighing.CELLS,
    smoothing: float = SMOOTHING,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of an opponent who used these layouts in earlier games.

    Parameters
    ----------
    rules
        The game.
    layouts_seen
        One layout per game: as text, ``A1:A3 C1``, as the names of its ships, or as a row of
        placement numbers.
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
    if not 0 < smoothing < inf:
        raise WeightsError(f"smoothing {smoothing:g}: must be a finite number of games above 0")
    features = _Features(rules, choose(Weighing, weights, "kind of weights"))
    table, added = placement_table(rules), Fraction(smoothing)
    named = (table.names(seen) if isinstance(seen, np.ndarray) else seen for seen in layouts_seen)
    ships = read_layouts(rules, ((f"game {n}", seen) for n, seen in enumerate(named, start=1)))
    if not ships:
        raise WeightsError("no layout was seen: give one per game, at least one")
    uniform = Counter(rules, memory_limit=memory_limit).map()
    seen = np.bincount(np.array(ships).reshape(-1), minlength=len(table))
    by_feature = features.of_placement.toarray().astype(object).T
    in_games = by_feature @ seen.astype(object)
    in_layouts = by_feature @ np.array(uniform.placements, dtype=object)
    total = 1 / (len(ships) + added)
    share = added * total / uniform.layouts
    pairs = zip(in_games, in_layouts, strict=True)
    wanted = [int(games) * total + int(layouts) * share for games, layouts in pairs]
    descent = _Descent(features, wanted, tolerance, memory_limit, time_limit, progress, stop)
    return descent.fit(Fraction(len(ships)), added, name)


def _lines(source: Source, what: str) -> list[tuple[str, str]]:
    """The filled lines of a file of observations, each with its place."""
    name = name_of(source)
    found = filled_lines(read_text(source), name)
    if not found:
        raise WeightsError(f"{name} is empty: it holds no {what}")
    return found


def load_grid(source: Source, rules: Rules) -> tuple[tuple[Fraction, ...], ...]:
    """Rows of numbers, as ``fit_frequencies`` takes them, from a file.

    Raises
    ------
    WeightsError
        If a number is wrong, or their number; names the file and the line.
    FileAccessError
        If the file cannot be read.
    """
    numbers = read_grid(rules.board, _lines(source, "frequencies"), name_of(source))
    return rules.board.by_rows(numbers)


def load_layouts(source: Source, rules: Rules) -> NDArray[np.int64]:
    """Placement numbers of layouts, as ``fit_layouts`` takes them, from a file.

    Returns
    -------
    int64 ``(games, n_ships)``.

    Raises
    ------
    WeightsError
        If a line is not a layout of the game; names the file and the line.
    FileAccessError
        If the file cannot be read.
    """
    return np.array(read_layouts(rules, _lines(source, "layouts")), dtype=np.int64)
