"""A fit from start to end: minimising, and testing whether the frequencies are possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, log, log2

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import WorkFailed
from seabattle.enumerate.fitting.certificate import Certificate, ImpossibleFrequencies
from seabattle.enumerate.fitting.dual import BelowZero, Dual, Target, TooWide
from seabattle.enumerate.fitting.features import Features, Weighing
from seabattle.enumerate.fitting.hull import FEW_ROUNDS, Hull
from seabattle.enumerate.fitting.proofs import FINE_SCALES, SCALES, Prover
from seabattle.enumerate.fitting.watch import Stopped, Watch
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.plain_arguments import require_flag
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.priors.prior import ProductPrior

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
