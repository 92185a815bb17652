"""Work in threads of its own is stopped when it is to be, and Ctrl-C breaks nothing."""

from __future__ import annotations

import random
import signal
import threading
import time
from functools import partial

import numpy as np
import pytest

from seabattle.solver.search.queries import Limits
from seabattle.solver.threads import run_together


def still_running() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "core"]


def test_work_that_runs_long_is_stopped() -> None:
    allowances = np.full(3, 10**9, dtype=np.int64)

    def working(own: int) -> None:
        """What the core does until its allowance is used up, ten seconds at most."""
        end = time.monotonic() + 10
        while allowances[own] >= 0 and time.monotonic() < end:
            time.sleep(0.001)
            allowances[own] += 0

    works = [partial(working, own) for own in range(3)]
    started = time.monotonic()
    run_together(works, Limits(deadline=started + 0.3).over, lambda: allowances.fill(-1))
    assert 0.3 < time.monotonic() - started < 5
    assert not still_running()
    allowances[:] = 10**9, 10**9, -1  # one is done, and ends the others
    run_together(works, Limits().over, lambda: allowances.fill(-1))
    assert time.monotonic() - started < 5


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_breaks_nothing_when_it_comes_as_work_is_done() -> None:
    """What waits for the work is half awake then, and may be pressed while it wakes."""

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    def work(alarm: float, rest: float) -> None:
        time.sleep(0.003)  # until it is waited for
        signal.setitimer(signal.ITIMER_REAL, alarm)
        time.sleep(rest)

    rng, pressed, before = random.Random(1), 0, signal.signal(signal.SIGALRM, press)
    try:
        for _ in range(400):
            alarm, rest = rng.uniform(0.0002, 0.0006), rng.uniform(0.0002, 0.0006)
            try:
                run_together([partial(work, alarm, rest)], lambda: False, lambda: None)
                time.sleep(0.1)
            except KeyboardInterrupt:
                pressed += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert pressed > 300  # Python hears some where it cannot raise them
    assert not still_running()
