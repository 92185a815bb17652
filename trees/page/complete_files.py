"""Complete strategy files in a page: what the page needs to look any position up, in few bytes.

A complete strategy file (``trees.strategy.keys``) knows the value of every position. Its
arrays are embedded in this order, then compressed with gzip and written in base64:

========  =============================================================================
part      meaning
========  =============================================================================
shots     one byte each: a best shot
values    the lowest byte of every value, then the next, up to the highest that is used
word 0    differences of the sorted keys, the first from 0, as eight such planes of bytes
word 1    where keys have two words: the second words as eight planes
========  =============================================================================

Neighbouring keys differ by little, so most planes are all 0: a state takes two bytes or less, where
the arrays have eleven. The page reads them with ``DecompressionStream``, which browsers have since
2023, and looks positions up by bisection (``complete.js``).
"""

from __future__ import annotations

import base64
import gzip
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import StrategyError
from seabattle.trees.strategy.strategy import Strategy

PAGE_MEGABYTES = 12
"""No page with complete files is larger."""

MOST_BYTES = PAGE_MEGABYTES * 1_000_000 - 500_000
"""Most bytes of the complete files of a page, as embedded; the trees and scripts take the rest."""


def planes(numbers: NDArray[Any], count: int) -> bytes:
    """The lowest byte of every number, then the next, and so on: ``count`` bytes of each.

    >>> planes(np.array([5, 300]), 2).hex(" ")
    '05 2c 00 01'
    """
    written = np.ascontiguousarray(numbers.astype("<u8")).view(np.uint8).reshape(-1, 8)
    return written[:, :count].T.tobytes()


def complete_document(
    strategy: Strategy, *, checked: bool, most_bytes: int = MOST_BYTES
) -> dict[str, Any]:
    """What the page reads of a complete strategy file; only its size where that is too large.

    Parameters
    ----------
    strategy
        An open strategy file that holds every position.
    checked
        Whether the file has been checked from the rules (``trees.strategy.check.check``).
    most_bytes
        Bytes that it may take; a larger file gives ``left_out``, its number of states, and nothing
        else.

    Raises
    ------
    StrategyError
        If the file does not hold every position.
    """
    if strategy.scope != "complete":
        raise StrategyError(
            f"{strategy.path} holds what optimal play can meet: the page needs a file of every "
            f"position (strategy build --complete)"
        )
    left_out = {"left_out": strategy.states}
    if strategy.states > most_bytes:  # a state takes more than a byte, compressed and in base64
        return left_out
    low, high = strategy.keys
    used = max(1, (int(strategy.values.max(initial=0)).bit_length() + 7) // 8)
    data = strategy.shots.tobytes() + planes(strategy.values, used)
    data += planes(np.diff(low, prepend=np.uint64(0)), 8) + planes(high, 8)
    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")
    if len(packed) > most_bytes:
        return left_out
    return {
        "objective": strategy.objective,
        "states": strategy.states,
        "bytes": used,
        "words": strategy.positions.words,
        "wide": strategy.positions.wide,
        "symmetries": strategy.symmetries,
        "checked": checked,
        "packed": packed,
    }
