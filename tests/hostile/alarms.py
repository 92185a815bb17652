"""An alarm for what may hang."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Fail what takes longer."""

    def ring(number: int, frame: object) -> None:
        pytest.fail(f"still running after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
