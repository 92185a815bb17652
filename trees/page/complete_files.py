"""Complete strategy files in a page: what the page needs to look any position up, in few bytes.

A complete strategy file (``trees.strategy.keys``) knows the value of every position. Its
arrays are embedded in this order, then compressed with gzip and written in base64:

========  =============================================================================
part      meaning
========  =============================================================================
shots     one byte each: a best shot
values    the lowest byte of every value, then the next, up to the highest that is used
word 0    differences of the sorted keys, the first from 0, as variable-length numbers
word 1    where keys have two words: the second words as variable-length numbers
========  =============================================================================

A variable-length number has seven bits in a byte, the lowest first; every byte but the last has its
highest bit set. Neighbouring keys differ by little: a state takes two bytes or less, where the
arrays have eleven. The page reads them with ``DecompressionStream``, which browsers have since
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

_SEVEN = np.uint64(7)
_LOWEST = np.uint64(127)


def variable_length(numbers: NDArray[np.uint64]) -> bytes:
    """Numbers with seven bits in a byte, the lowest first.

    Parameters
    ----------
    numbers
        uint64 ``(n,)``.

    Examples
    --------
    >>> variable_length(np.array([5, 300], dtype=np.uint64)).hex(" ")
    '05 ac 02'
    """
    sizes = np.ones(len(numbers), dtype=np.int64)
    left = numbers >> _SEVEN
    while left.any():
        sizes += left > 0
        left >>= _SEVEN
    places = np.cumsum(sizes) - sizes
    written = np.empty(int(sizes.sum()), dtype=np.uint8)
    left = numbers
    for i in range(int(sizes.max(initial=0))):
        here = np.flatnonzero(sizes > i)
        more = (sizes[here] > i + 1).astype(np.uint8) << 7
        written[places[here] + i] = (left[here] & _LOWEST).astype(np.uint8) | more
        left = left >> _SEVEN
    return written.tobytes()


def complete_document(
    strategy: Strategy, *, checked: bool, most_bytes: int = MOST_BYTES
) -> dict[str, Any]:
    """What the page reads of a complete strategy file; only its size where that is too large.

    Parameters
    ----------
    strategy
        An open strategy file that holds every position.
    checked
        Whether the file has been checked from the rules (``strategy_check.check``).
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
    values = np.ascontiguousarray(strategy.values.astype("<u8")).view(np.uint8).reshape(-1, 8)
    used = max(1, (int(strategy.values.max(initial=0)).bit_length() + 7) // 8)
    data = b"".join(
        (
            strategy.shots.tobytes(),
            np.ascontiguousarray(values[:, :used].T).tobytes(),
            variable_length(np.diff(low, prepend=np.uint64(0))),
            variable_length(np.ascontiguousarray(high)),
        )
    )
    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")
    if len(packed) > most_bytes:
        return left_out
    return {
        "objective": strategy.objective,
        "states": strategy.states,
        "bytes": used,
        "words": strategy.arrays.words,
        "wide": strategy.arrays.wide,
        "symmetries": strategy.symmetries,
        "checked": checked,
        "packed": packed,
    }
