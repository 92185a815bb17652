"""What a service may use: its address, its counting processes, and the limits of a question."""

from __future__ import annotations

import os
from dataclasses import dataclass

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine that only this machine can use."""


@dataclass(frozen=True)
class Settings:
    """What a service may use.

    Attributes
    ----------
    host, port
        The address it listens on; a port of 0 stands for any that is free.
    workers
        Counting processes: so many questions are worked on at a time.
    memory
        GiB that each of them may take.
    seconds
        The longest time that a question may be worked on.
    waiting
        Questions that may wait; any more are answered 503.
    cells
        Cells of the largest board.
    kept_bytes
        Bytes of answers that are kept in case they are asked for again.
    games
        Games whose tables each counting process keeps.
    body_bytes
        Length of the longest request.
    matches
        Games against the program that are kept.
    match_idle
        Seconds after its last request for which such a game is kept.
    """

    host: str = "127.0.0.1"
    port: int = 0
    workers: int = 1
    memory: float = 2.0
    seconds: float = 60.0
    waiting: int = 64
    cells: int = 400
    kept_bytes: int = 64 << 20
    games: int = 4
    body_bytes: int = 64 << 10
    matches: int = 1_000
    match_idle: float = 6 * 3600.0


def usual_workers(memory: float) -> int:
    """Counting processes where nothing else is said: one for each core, as the memory allows.

    Parameters
    ----------
    memory
        GiB that each of them may take.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(1, min(cores, int(memory_free() / memory)))


def memory_free() -> float:
    """GiB that programs started now may take; half of the machine's where it does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            kib = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
        free = kib * 1024
    except (OSError, StopIteration, ValueError):
        try:
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        except (AttributeError, ValueError, OSError):
            free = 4 << 30
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            free = min(free, int(file.read()))
    except (OSError, ValueError):  # no container, or one without a limit
        pass
    return float(free / 2**30)
