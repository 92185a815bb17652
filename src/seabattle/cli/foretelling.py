"""What a long search will take, in words: once beforehand, and in its progress line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from seabattle.cli.time_to_go import duration

if TYPE_CHECKING:
    from seabattle.solver.search.estimating import Estimate
    from seabattle.solver.search.limits import Snapshot

INTERVAL = "it stops at the limits (or Ctrl-C) with a proven interval"

SOON = 5.0
"""Seconds of search after which what is known is said, ..."""

LATE = 20.0
"""... and after which it is said that nothing is known."""

STAGES = ("mean", "better trees", "trees exact")
"""How the stages of a search before the proof begin."""

WORTH_SAYING = 30.0
"""Searches that are over sooner need no estimate."""


def to_go(estimate: Estimate | None) -> str:
    """The time to the proof, for a progress line."""
    if estimate is None:
        return ""
    least, most = estimate.left()
    if not estimate.told:
        return f", at least {duration(least)} to go"
    if most <= 0:
        return ", longer than estimated"
    return f", {span(least, most)} to go"


def span(least: float, most: float) -> str:
    """A range of times.

    >>> span(40, 610), span(590, 610), span(0, 20), span(3600, 72000)
    ('40 s to 10 min', 'about 10 min', 'up to 20 s', '60 min to 20 h 0 min')
    """
    ends = duration(least), duration(most)
    if ends[0] == ends[1]:
        return f"about {ends[0]}"
    return f"up to {ends[1]}" if least < 1 else " to ".join(ends)


class Foretelling:
    """Says once what a search will take, as soon as that is known; later once more, if it was not.

    Parameters
    ----------
    memory_limit
        GiB of the command.
    """

    def __init__(self, memory_limit: float) -> None:
        self._memory_limit = memory_limit
        self._since: float | None = None  # before that a first tree was grown
        self._said = False
        self._open = False

    def __call__(self, snapshot: Snapshot) -> str:
        """What there is to say now, mostly nothing."""
        if self._said or not snapshot.stage.startswith(STAGES):
            return ""
        if self._since is None:
            self._since = snapshot.seconds
        seconds = snapshot.seconds - self._since
        if seconds < SOON:
            return ""
        estimate = snapshot.estimate
        if estimate is not None and estimate.told:
            self._said = True
            least, most = estimate.left()
            return self._range(estimate, least, most) if most > WORTH_SAYING else ""
        if self._open or seconds < LATE:
            return ""
        self._open = True
        return self._at_least(estimate, seconds)

    def _range(self, estimate: Estimate, least: float, most: float) -> str:
        limit = self._memory_limit
        if estimate.least_gib > limit:
            return (
                f"a proof would take {_gib(estimate.least_gib)} or more, about "
                f"{span(least, most)}, and the limit is {limit:g} GiB; {INTERVAL}"
            )
        memory = f"up to {_gib(estimate.most_gib)}"
        if estimate.most_gib > limit:
            memory += f" (--memory-limit is {limit:g})"
        return (
            f"a proof takes {span(least, most)} more and {memory}, by the speed so far; {INTERVAL}"
        )

    def _at_least(self, estimate: Estimate | None, seconds: float) -> str:
        if estimate is None:
            return (
                f"how long a proof takes cannot be told: the first {seconds:.0f} s have "
                f"closed nothing of the gap between the bounds; it may be hours or days; {INTERVAL}"
            )
        least, _ = estimate.left()
        return (
            f"a proof takes at least {duration(least)} more, maybe many times that: the first "
            f"{seconds:.0f} s have closed {estimate.closed:.1%} of the gap between the "
            f"bounds; {INTERVAL}"
        )


def _gib(amount: float) -> str:
    """Memory in words.

    >>> _gib(0.004), _gib(3.0), _gib(1536.0), _gib(math.inf)
    ('0.004 GiB', '3 GiB', '1,536 GiB', 'more GiB than there are')
    """
    if math.isinf(amount):
        return "more GiB than there are"
    return f"{amount:,.0f} GiB" if amount >= 10 else f"{amount:.2g} GiB"
