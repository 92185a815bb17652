"""The signs of a shot's answer: a dot for a miss, a cross for a hit, a cross on a square for sunk.

Their proportions, as shares of a cell's side. Small boards by the thousand are written as merged
paths (``boards``), single pictures as shapes that become SVG or PNG (``shapes``); the signs look
the same in both.
"""

from __future__ import annotations

MISS_RADIUS = 0.135
"""Radius of the dot."""
HIT_ARM = 0.24
"""From the middle of a cell to the end of an arm of the cross of a hit, along either axis."""
SUNK_ARM = 0.17
"""The same of a sunk cell."""
SUNK_INSET = 0.2
"""Between the side of a cell and the square of a sunk cell."""
HIT_LINE = 0.13
"""Width of the lines of the cross of a hit."""
SUNK_LINE = 0.11
"""The same of a sunk cell."""
