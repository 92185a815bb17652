"""Results of many games in little memory, and their statistics.

A tournament is kept as whole numbers only: for every player how many games took how many shots,
and for every pair of players how many games took so many shots of the one and so many of the
other. The order in which games are added does not matter, so nothing depends on the workers.

Means come with the 95 % interval ``mean ± t * s / sqrt(n)`` (Student's t, ``n - 1`` degrees), a
share ``k / n`` with Wilson's interval [Wilson1927]. Where every layout was played once by a player
without chance the mean is exact, and the interval is the point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

LEVELS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""Quantiles that are reported."""

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


@dataclass(frozen=True)
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
    """

    least: int
    counts: NDArray[np.int64]
    exact: bool = False

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
        """Least number that came."""
        return self.items()[0][0]

    @property
    def maximum(self) -> int:
        """Greatest number that came."""
        return self.items()[-1][0]


@dataclass(frozen=True)
class Score:
    """One player's games."""

    player: str
    shots: Spread
    to_hit: int

    @property
    def misses(self) -> Spread:
        """Misses: shots less the cells that had to be hit."""
        return Spread(self.shots.least - self.to_hit, self.shots.counts, self.shots.exact)

    @property
    def perfect(self) -> int:
        """Games without a miss."""
        return dict(self.misses.items()).get(0, 0)


@dataclass(frozen=True, eq=False)
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
    together
        Games by the shots of both: int64 ``(most + 1, most + 1)``, rows by those of ``first``; None
        where that is not known.
    """

    first: str
    second: str
    games: int
    mean: float
    interval: Interval
    wins: int
    losses: int
    exact: bool = False
    together: NDArray[np.int64] | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls, first: str, second: str, together: NDArray[np.int64], *, exact: bool = False
    ) -> Duel:
        """The duel of these games."""
        more = cls.spread(together, exact=exact)
        return cls(
            first,
            second,
            games=more.games,
            mean=float(more.mean),
            interval=more.interval,
            wins=sum(n for v, n in more.items() if v < 0),
            losses=sum(n for v, n in more.items() if v > 0),
            exact=exact,
            together=together,
        )

    @staticmethod
    def spread(together: NDArray[np.int64], *, exact: bool = False) -> Spread:
        """How many shots more the first took than the second."""
        most = len(together) - 1
        counts = [np.trace(together, offset=-more) for more in range(-most, most + 1)]
        return Spread(-most, np.array(counts), exact)

    @property
    def more_shots(self) -> Spread:
        """How many shots more the first took, where the games are known.

        Raises
        ------
        ValueError
            If they are not.
        """
        if self.together is None:
            raise ValueError("only the mean of these games is known")
        return self.spread(self.together, exact=self.exact)

    def reversed(self) -> Duel:
        """The same with the players exchanged."""
        low, high = self.interval
        together = None if self.together is None else self.together.T
        return replace(
            self, first=self.second, second=self.first, mean=-self.mean, interval=(-high, -low),
            wins=self.losses, losses=self.wins, together=together,
        )  # fmt: skip


class Tally:
    """Games counted so far.

    Parameters
    ----------
    players
        Their names, all different.
    cells
        Cells of the board: no game takes more shots.
    """

    def __init__(self, players: Sequence[str], cells: int) -> None:
        self.players = tuple(players)
        self.cells = cells
        self.pairs = list(combinations(range(len(self.players)), 2))
        self.counts = np.zeros((len(self.players), cells + 1), dtype=np.int64)
        self.together = np.zeros((len(self.pairs), cells + 1, cells + 1), dtype=np.int64)

    @property
    def games(self) -> int:
        """Number of games counted."""
        return int(self.counts[0].sum())

    def add(self, shots: NDArray[np.int32]) -> None:
        """Count games: int32 ``(n_players, n_games)``, shots of each player in each game."""
        width = self.cells + 1
        for row, taken in enumerate(shots):
            self.counts[row] += np.bincount(taken, minlength=width)
        for row, (a, b) in enumerate(self.pairs):
            np.add.at(self.together[row], (shots[a], shots[b]), 1)

    def score(self, player: str, to_hit: int, *, exact: bool = False) -> Score:
        """Games of one player; ``to_hit`` cells had to be hit in each."""
        counts = self.counts[self.players.index(player)]
        return Score(player, Spread(0, counts, exact), to_hit)

    def duel(self, first: str, second: str, *, exact: bool = False) -> Duel:
        """Two players, paired."""
        a, b = self.players.index(first), self.players.index(second)
        found = self.together[self.pairs.index((min(a, b), max(a, b)))]
        return Duel.of(first, second, found if a < b else found.T, exact=exact)


def random_play_distribution(cells: int, occupied: int) -> tuple[Fraction, ...]:
    """Exact distribution of the length of a game played at random.

    The last of the ``occupied`` cells is shot at shot ``s`` when the others are among the
    ``s - 1`` shots before, and every set of places of the occupied cells is equally likely:
    ``P(s) = C(s - 1, occupied - 1) / C(cells, occupied)``. It does not depend on the layout.

    Returns
    -------
    tuple
        Probability of each number of shots, from 0 to ``cells``.

    Examples
    --------
    A perfect game on the 10x10 board with 17 occupied cells, and the median:

    >>> from math import factorial
    >>> chances = random_play_distribution(100, 17)
    >>> chances[17] == Fraction(factorial(17) * factorial(83), factorial(100))
    True
    >>> next(s for s in range(101) if sum(chances[: s + 1]) >= Fraction(1, 2))
    97
    """
    ways = comb(cells, occupied)
    return tuple(
        Fraction(comb(s - 1, occupied - 1) if s >= occupied else 0, ways) for s in range(cells + 1)
    )
