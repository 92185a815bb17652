"""The table of a search as Python reads it: its columns, and the parts of a packed word.

What an entry is, and how several threads fill the table at once, stands in ``table.hpp``.
"""

from __future__ import annotations

import numpy as np

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Packed word where nothing is stored."""

CLAIMED = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Packed word of an entry that is being written: beyond all that are proven."""

PACKED = 0
"""Column of the packed words; the words of the key are in those from ``KEY`` on."""
KEY = 1

NO_SHOT = 127
"""In place of a shot, where there is only a bound."""

SEVEN_BITS = np.uint64(127)
# Where the parts of a packed word begin; the miss limit is in its lowest bits.
MISSES_AT = np.uint64(22)
EXACT_AT = np.uint64(21)
SHOT_AT = np.uint64(14)
