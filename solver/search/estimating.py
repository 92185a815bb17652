"""How long a search will still take, judged by how fast it closes the gap between its bounds.

A search for the least total raises its lower bound from L0, the bound at the root, to the optimum,
which is close below the best total U known. After a share f = (L - L0) / (U - L0) of that way it
has stored k keys. In some games that were followed to the end keys grew in proportion to the way,
so that the whole is k / f; or the first steps did the work of all later ones, and the whole is
less: another guess counts only what came after the first step, in proportion to the way made since.
In others each part of the way took so many times the one before: there keys grow exponentially, at
the rate of the last third of the way made so far, or of the last three fifths if that is greater.
The least guess gives the lower end of a range, the greatest the upper end. Its factors held at the
steps of those games (``docs/pages/estimates.md`` has the table). Before a tenth of the way, before
that rate is known, and where by it the whole is many times what was done, there is no upper end.

A large game of mode ``hit`` is first solved by trees exact up to R rows, for R = 30, 100, 333 ...:
there each round takes a number of times the keys of the one before, and what is left are rounds.

Random probes of the search tree [Knuth1975] are not used: they estimate a tree without table,
bounds and budgets, and say nothing of the share of it that this search visits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from seabattle.enumerate.compile_notice import working_seconds

TOLD_FROM = 0.1
"""Share of the way from which an upper end is given."""

TOLD_AFTER = 4.0
"""Seconds before which no upper end is given: then the bounds are counted again."""

MOST_TIMES = 30
"""Where the whole may be more times than this what was done, no upper end is given."""

EARLIER = 0.65, 0.4
"""How fast the search slows down is judged since it had made these parts of its way."""

BEYOND = 50.0
"""Logarithm of more times than any search can take."""

MOST_KEYS = 1e15
"""More keys than any memory holds."""

GROWTH = 10 / 3
"""Rows up to which a round of trees is exact, over those of the round before."""


@dataclass(frozen=True)
class Estimate:
    """What a search is likely to take from its beginning to the proof.

    Attributes
    ----------
    begun
        When the search began, by ``working_seconds``.
    least, most
        Seconds; ``most`` is infinite where nothing can be said.
    least_gib, most_gib
        Memory of its table while it grows for the last time.
    closed
        Share of the gap between the bounds that is closed.
    """

    begun: float
    least: float
    most: float
    least_gib: float
    most_gib: float
    closed: float

    def left(self, clock: Callable[[], float] = working_seconds) -> tuple[float, float]:
        """Seconds from now, least and most; below 0 where it takes longer than estimated."""
        gone = clock() - self.begun
        return max(0.0, self.least - gone), self.most - gone

    @property
    def told(self) -> bool:
        """Whether there is an upper end."""
        return math.isfinite(self.most)


def gib_of(keys: float, width: int) -> float:
    """GiB of a table with so many keys, and of the one it grows from.

    >>> gib_of(62e6, 2)
    3.0
    """
    slots = 1 << max(16, math.ceil(math.log2(max(1.0, keys) * 4 / 3)))
    return 1.5 * slots * width * 8 / 2**30


class Forecast:
    """What is known of one search so far.

    Parameters
    ----------
    width
        Words of a row of its table.
    clock
        Seconds; by default a clock that stops while kernels are compiled.

    Examples
    --------
    >>> times = iter([0.0, 10.0, 20.0])
    >>> forecast = Forecast(2, lambda: next(times))
    >>> forecast.begin(100)
    >>> forecast.note(125, 200, 500, 1500)
    >>> forecast.note(150, 200, 1000, 3000)
    >>> forecast.estimate.least, forecast.estimate.most
    (20.0, 300.0)
    """

    def __init__(self, width: int, clock: Callable[[], float] = working_seconds) -> None:
        self.width = width
        self.estimate: Estimate | None = None
        self._clock = clock
        self._begun = 0.0
        self._root: int | None = None
        self._kept = 0
        self._nodes_kept = 0
        self._first: tuple[int, int, int] | None = None
        self._way: list[tuple[float, int, int]] = []
        self._rounds: list[tuple[int, int]] = []
        self.keys_by_rounds = math.inf

    def begin(self, lower: int, kept: int = 0) -> None:
        """The search begins, with the lower bound known at the root and the keys kept before."""
        self._root = lower
        self._kept = kept
        self._begun = self._clock()

    def lifted(self, lower: int, keys: int, nodes: int) -> None:
        """The lower bound has risen without searching: what comes now is judged by itself."""
        if self._root is None or self._rounds:  # rounds do not go by the bound
            return
        self.begin(lower, keys)
        self._nodes_kept = nodes
        self._first, self._way, self.estimate = None, [], None

    def note(self, lower: int, upper: int, keys: int, nodes: int) -> None:
        """A step is done: bounds, keys stored and sub-tables expanded by now."""
        if self._root is None or self._rounds or nodes == 0:
            return
        closed = (lower - self._root) / max(1, upper - self._root)
        keys = max(1, keys - self._kept)
        nodes = max(1, nodes - self._nodes_kept)
        if closed <= 0:
            return
        if self._first is None:
            self._first = lower, keys, nodes
        since, keys_before, nodes_before = self._first
        on = (upper - since) / (lower - since) if lower > since else math.inf
        self._way.append((closed, keys, nodes))
        passed = [[step for step in self._way if step[0] <= part * closed] for part in EARLIER]
        earlier = [steps[-1] for steps in passed if steps]
        ends = []
        for place, now, before in ((1, keys, keys_before), (2, nodes, nodes_before)):
            whole = now / closed
            other = before + (now - before) * on if lower > since else whole
            rates = [math.log(now / step[place]) / (closed - step[0]) for step in earlier]
            rate = max(rates, default=0.0)
            most = max(1 / closed, math.exp(min(rate * (1 - closed), BEYOND)))
            ends.append((min(whole, other) / now, most))
        (keys_least, keys_most), (nodes_least, nodes_most) = ends
        told = closed >= TOLD_FROM and bool(earlier) and nodes_most < MOST_TIMES
        low = 0.15 + 0.6 * closed if told else 0.1
        self._tell(
            keys,
            closed,
            told,
            (max(1.0, low * keys_least), keys_most * (1.5 + 1.7 * (1 - closed))),
            (max(1.0, low * nodes_least), nodes_most * (2.0 + 3.5 * (1 - closed))),
        )

    def round_done(self, rows: int, all_rows: int, keys: int) -> None:
        """A round of trees exact up to so many rows is done, with so many keys stored by now."""
        if self._root is None:
            return
        keys = max(1, keys - self._kept)
        self._rounds.append((rows, keys))
        if len(self._rounds) < 3:
            return
        times = max(1.0, keys / self._rounds[-2][1])
        left = math.log(max(1.0, all_rows / rows)) / math.log(GROWTH)
        whole = times**left
        ends = max(1.0, whole / 1.3**left), whole * 1.3**left
        self.keys_by_rounds = whole * keys
        self._tell(keys, 1 / whole, True, ends, ends)

    def fits(self, memory: float) -> bool:
        """Whether rounds have shown that a proof is likely to fit in so many GiB."""
        return gib_of(min(self.keys_by_rounds, MOST_KEYS), self.width) <= memory

    def _tell(
        self,
        keys: int,
        closed: float,
        told: bool,
        keys_times: tuple[float, float],
        nodes_times: tuple[float, float],
    ) -> None:
        """Estimate from how many times what was done by now there will be, least and most."""
        gone = self._clock() - self._begun
        told = told and gone >= TOLD_AFTER
        self.estimate = Estimate(
            self._begun,
            nodes_times[0] * gone,
            nodes_times[1] * gone if told else math.inf,
            gib_of(self._kept + keys_times[0] * keys, self.width),
            gib_of(self._kept + keys_times[1] * keys, self.width) if told else math.inf,
            closed,
        )
