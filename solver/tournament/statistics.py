"""Statistics of games: distributions of shots, and pairs of players on the same layouts.

Means come with the 95 % interval ``mean ± t * s / sqrt(n)`` (Student's t, ``n - 1`` degrees), a
share ``k / n`` with Wilson's interval [Wilson1927]. Where every layout was played once by a player
without chance the mean is exact, and the interval is the point.

Games may come with a *control*: the luck of each (``solver.tournament.luck``), whose mean is known
to be zero. Then the mean of shots less luck is estimated beside that of the shots: they are taken
for a constant, which is the mean, and a multiple of luck, by least squares [Lavenberg1981]. So a
luck that says little of a game changes little, and one that says most leaves a narrow interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum, inf, isinf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.position import Position

QUANTILES = {
    "p01": 0.01, "p05": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "p99": 0.99,
}  # fmt: skip
"""Quantiles that are reported: names of columns, and the share of games that take no more."""

_NORMAL = 1.959963984540054

Interval = tuple[float, float]


def student(degrees: int) -> float:
    """What a standard error is multiplied by for half of a 95 % interval (Student's t)."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.975))


def wilson(successes: int, trials: int) -> Interval:
    """95 % interval of a share [Wilson1927].

    >>> low, high = wilson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.037)
    """
    share, z = successes / trials, _NORMAL**2 / trials
    middle = (share + z / 2) / (1 + z)
    half = _NORMAL * sqrt(share * (1 - share) / trials + z / (4 * trials)) / (1 + z)
    low = 0.0 if successes == 0 else middle - half
    return low, 1.0 if successes == trials else middle + half


def finite(value: float) -> float | None:
    """A number that JSON can hold."""
    return value if abs(value) != float("inf") else None


@dataclass(frozen=True)
class Estimate:
    """A mean, its 95 % interval, and the standard deviation of what it is the mean of.

    Examples
    --------
    >>> found = Estimate.of(np.array([3.5, 4.5, 4.0]))
    >>> found.mean, found.deviation, with_interval(found, 2)
    (4.0, 0.5, '4.00 ± 1.24')
    """

    mean: float
    interval: Interval
    deviation: float
    exact: bool = False

    @classmethod
    def of(
        cls,
        values: NDArray[Any],
        luck: NDArray[np.float64] | None = None,
        *,
        exact: bool = False,
    ) -> Estimate:
        """The estimate from a value of each game, less multiples of some lucks ``(k, n_games)``.

        The deviation is that of what is left. Of too few games luck explains nothing.

        Examples
        --------
        >>> luck = np.array([[-1.0, 1.0, 0.5, -0.5, 0.25]])
        >>> with_interval(Estimate.of(4 + 2 * luck[0] + [0.1, 0, 0, 0, 0], luck), 2)
        '4.02 ± 0.05'
        """
        n = len(values)
        if luck is None or n < len(luck) + 2:
            luck = np.empty((0, n))
        free, known = n - 1 - len(luck), np.vstack([np.ones(n), luck])
        spread = np.linalg.pinv(known @ known.T)
        share = spread @ (known @ values)
        mean, left = float(share[0]), values - share @ known
        deviation = sqrt(fsum(left**2) / max(1, free))
        error = student(free) * deviation * sqrt(spread[0, 0]) if free else inf
        half = 0.0 if exact else error
        return cls(mean, (mean - half, mean + half), deviation, exact)

    def moved(self, by: float) -> Estimate:
        """The same of values that are larger by so much."""
        low, high = self.interval
        return replace(self, mean=self.mean + by, interval=(low + by, high + by))

    def reversed(self) -> Estimate:
        """The same of the values with the other sign."""
        low, high = self.interval
        return replace(self, mean=-self.mean, interval=(-high, -low))

    def document(self) -> dict[str, Any]:
        """The estimate as JSON."""
        return {
            "mean": self.mean,
            "interval": [finite(end) for end in self.interval],
            "deviation": self.deviation,
        }


@dataclass(frozen=True, eq=False)
class Spread:
    """A distribution of whole numbers, as counts.

    Attributes
    ----------
    least
        The number that ``counts[0]`` counts.
    counts
        int64 ``(n,)``.
    exact
        Whether these are all cases, not a sample.
    less_luck
        The mean less luck; None where luck was not counted.
    """

    least: int
    counts: NDArray[np.int64]
    exact: bool = False
    less_luck: Estimate | None = None

    def moved(self, by: int) -> Spread:
        """The same of numbers that are larger by so much."""
        left = self.less_luck and self.less_luck.moved(by)
        return replace(self, least=self.least + by, less_luck=left)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.counts.sum())

    @property
    def total(self) -> int:
        """Sum over the games."""
        return sum(v * n for v, n in self.items())

    def items(self) -> list[tuple[int, int]]:
        """Pairs (number, how often it came), only those that came."""
        found = np.flatnonzero(self.counts)
        return [(self.least + int(i), int(self.counts[i])) for i in found]

    @property
    def mean(self) -> Fraction:
        """Total over games."""
        return Fraction(self.total, self.games)

    @property
    def deviation(self) -> float:
        """Standard deviation of the sample; 0 for a single game."""
        n = self.games
        squares = sum(v * v * c for v, c in self.items())
        return sqrt(Fraction(n * squares - self.total**2, n * max(1, n - 1)))

    @property
    def interval(self) -> Interval:
        """95 % interval of the mean; the whole line for one game of a sample."""
        mean, n = float(self.mean), self.games
        if self.exact:
            return mean, mean
        if n == 1:
            return float("-inf"), float("inf")
        half = student(n - 1) * self.deviation / sqrt(n)
        return mean - half, mean + half

    def quantile(self, level: float) -> float:
        """The least number that a share ``level`` of the games does not exceed.

        The median of an even number of games is the middle between the two in the middle.
        """
        n = self.games
        ends = np.cumsum(self.counts)
        rank = Fraction(level).limit_denominator(10**6) * n
        place = -(-rank.numerator // rank.denominator)
        low = self.least + int(np.searchsorted(ends, max(1, place)))
        if level == 0.5 and n % 2 == 0:
            return (low + self.least + int(np.searchsorted(ends, place + 1))) / 2
        return float(low)

    @property
    def minimum(self) -> int:
        """Least number that occurs."""
        return self.items()[0][0]

    @property
    def maximum(self) -> int:
        """Greatest number that occurs."""
        return self.items()[-1][0]

    def document(self) -> dict[str, Any]:
        """The distribution summed up, as JSON."""
        return {
            "mean": float(self.mean),
            "interval": [finite(end) for end in self.interval],
            "deviation": self.deviation,
            **less_luck_document(self),
            "median": self.quantile(0.5),
            "quantiles": {f"{level:g}": self.quantile(level) for level in QUANTILES.values()},
            "minimum": self.minimum,
            "maximum": self.maximum,
        }


def less_luck_document(found: Spread | Duel) -> dict[str, Any]:
    """The field ``less_luck``, where luck was counted."""
    return {} if found.less_luck is None else {"less_luck": found.less_luck.document()}


def with_interval(found: Spread | Duel | Estimate, places: int, sign: str = "") -> str:
    """A mean to so many places, with half of its interval unless it is exact or of one game.

    >>> with_interval(Spread(3, np.array([4, 0, 4])), 2), with_interval(Spread(3, np.array([1])), 1)
    ('4.00 ± 0.89', '3.0')
    """
    low, high = found.interval
    half = (high - low) / 2
    mean = f"{float(found.mean):{sign}.{places}f}"
    return mean if found.exact or isinf(half) else f"{mean} ± {half:.{places}f}"


@dataclass(frozen=True)
class Score:
    """One player's games; ``to_hit`` cells had to be hit in each."""

    player: str
    shots: Spread
    to_hit: int

    @classmethod
    def of(
        cls,
        player: str,
        position: Position,
        counts: NDArray[np.int64],
        exact: bool,
        less_luck: Estimate | None = None,
    ) -> Score:
        """The score of so many games of each number of shots, from a position on."""
        to_hit = position.rules.fleet.cells - position.hit_mask.bit_count()
        return cls(player, Spread(0, counts, exact, less_luck), to_hit)

    @property
    def misses(self) -> Spread:
        """Misses: shots less the cells that had to be hit."""
        return self.shots.moved(-self.to_hit)

    @property
    def perfect(self) -> int:
        """Games without a miss."""
        return dict(self.misses.items()).get(0, 0)

    def document(self) -> dict[str, Any]:
        """The games as a JSON object."""
        games = self.shots.games
        return {
            "player": self.player,
            "games": games,
            "exact": self.shots.exact,
            "total_misses": self.misses.total,
            "shots": self.shots.document(),
            "misses": self.misses.document(),
            "perfect_games": self.perfect,
            "perfect_share": self.perfect / games,
            "perfect_interval": list(wilson(self.perfect, games)),
            "distribution": {str(shots): games for shots, games in self.shots.items()},
        }


@dataclass(frozen=True)
class Duel:
    """Two players on the same layouts.

    Attributes
    ----------
    first, second
        Their names.
    games
        Number of games.
    mean, interval
        Shots of ``first`` less shots of ``second``: the mean, and its 95 % interval.
    wins, losses
        Games in which ``first`` took fewer shots, and more.
    exact
        Whether these are all cases, not a sample.
    less_luck
        The mean less the luck of both; None where luck was not counted.
    """

    first: str
    second: str
    games: int
    mean: float
    interval: Interval
    wins: int
    losses: int
    exact: bool = False
    less_luck: Estimate | None = None

    @classmethod
    def of(
        cls,
        first: str,
        second: str,
        shots: NDArray[np.integer[Any]],
        luck: NDArray[np.float64] | None = None,
        *,
        exact: bool = False,
    ) -> Duel:
        """The duel of games, given the shots, and the luck, of both, ``(2, n_games)``."""
        more = shots[0].astype(np.int64) - shots[1]
        least = int(more.min())
        spread = Spread(least, np.bincount(more - least), exact)
        wins, losses = int((more < 0).sum()), int((more > 0).sum())
        mean, games = float(spread.mean), spread.games
        less_luck = None
        if luck is not None:
            less_luck = Estimate.of(more, luck, exact=exact)
        return cls(first, second, games, mean, spread.interval, wins, losses, exact, less_luck)

    @property
    def even(self) -> int:
        """Games in which both took as many shots."""
        return self.games - self.wins - self.losses

    def reversed(self) -> Duel:
        """The same with the players exchanged."""
        low, high = self.interval
        return replace(
            self, first=self.second, second=self.first, mean=-self.mean, interval=(-high, -low),
            wins=self.losses, losses=self.wins,
            less_luck=self.less_luck and self.less_luck.reversed(),
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """The pair as a JSON object; positive means more shots for the first."""
        return {
            "first": self.first,
            "second": self.second,
            "mean_more_shots": self.mean,
            "interval": [finite(end) for end in self.interval],
            **less_luck_document(self),
            "fewer": self.wins,
            "as_many": self.even,
            "more": self.losses,
        }
