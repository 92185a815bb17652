"""What this process takes of the machine's memory, where the system tells."""

from __future__ import annotations

import os


def memory_taken() -> int:
    """Bytes of memory that this process takes now; 0 where the system does not tell."""
    return _statm(1)


def addresses_taken() -> int:
    """Bytes of addresses that this process has asked for, taken or not; 0 if it is not told."""
    return _statm(0)


def _statm(column: int) -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0
