"""Work for counting processes, to be found there by its name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import PositionError, TooLargeError
from seabattle.web.worker import Watch


def double(watch: Watch, number: int) -> int:
    return 2 * number


def process(watch: Watch) -> int:
    return os.getpid()


def heed(watch: Watch, begun: str = "", seconds: float = 60.0) -> str:
    """Work that looks at the watch; ``begun`` is a file that says it has begun, and how it ends."""
    if begun:
        Path(begun).write_text("begun")
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            watch.check()
            time.sleep(0.01)
    except BaseException as why:
        if begun:
            Path(begun).write_text(type(why).__name__)
        raise
    return "done"


def be_deaf(watch: Watch, seconds: float = 60.0) -> str:
    """Work that does not look at the watch."""
    time.sleep(seconds)
    return "done"


def die(watch: Watch) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(watch: Watch, mark: str) -> str:
    """Die unless the file is there."""
    if not Path(mark).exists():
        Path(mark).write_text("died")
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def fail(watch: Watch, kind: str) -> Any:
    errors = {
        "position": PositionError("no layout fits"),
        "large": TooLargeError(
            "a map needs 5 GiB, more than the limit of 2 GiB; raise --memory-limit"
        ),
        "program": ZeroDivisionError("division by zero"),
        "memory": MemoryError(),
    }
    raise errors[kind]


def hoard(watch: Watch, gibibytes: float) -> int:
    """Keep memory after the work."""
    global _kept
    _kept = bytearray(int(gibibytes * 2**30))
    for at in range(0, len(_kept), 4096):
        _kept[at] = 1
    return os.getpid()


_kept = bytearray()
