"""How long work will still take, from how much of it was done when."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_MOST_MARKS = 500

FIRST_SECONDS = 5.0
"""Before that, what is done once at the beginning would count for too much."""


class TimeToGo:
    """The time to go of work that is counted.

    The speed is that of the later half of the time so far, as the first part of the work is slower:
    kernels are loaded, and workers start.

    Parameters
    ----------
    clock
        Seconds from some moment on.

    Examples
    --------
    >>> times = iter([0, 20, 40])
    >>> left = TimeToGo(lambda: next(times))
    >>> left(0, 100), left(1, 100), left(2, 100)
    ('', ', about 33 min to go', ', about 33 min to go')
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()
        self._begun: float | None = None

    def __call__(self, done: int, wanted: int) -> str:
        """What there is to say when so much is done; nothing before the first, and at the end."""
        seconds = self.seconds(done, wanted)
        return "" if seconds is None or done >= wanted else f", about {duration(seconds)} to go"

    def seconds(self, done: int, wanted: int) -> float | None:
        """Seconds to go when so much is done; None as long as nothing is known."""
        now = self._clock()
        if self._begun is None:
            self._begun = now
        self._marks.append((now, done))
        half = (self._begun + now) / 2
        while len(self._marks) > 2 and (
            self._marks[1][0] <= half or len(self._marks) > _MOST_MARKS
        ):
            self._marks.popleft()
        since, before = self._marks[0]
        if done <= before or now - self._begun < FIRST_SECONDS:
            return None
        return (wanted - done) * (now - since) / (done - before)


def duration(seconds: float) -> str:
    """A time in words, to about one part in fifty.

    >>> duration(0.2), duration(42.4), duration(600), duration(7300), duration(200000)
    ('1 s', '42 s', '10 min', '2 h 2 min', '2 d 8 h')
    """
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours = round(minutes / 60)
    if hours < 36:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{hours // 24} d {hours % 24} h"
