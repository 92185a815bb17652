"""The states of mode ``sunk``, hits without a miss, by their hits and sinkings.

``solver.search.finds`` says what they are for. Parameters: ``certain``, uint64, H of a closed
sub-table; ``row``, int64, number of one of its rows; ``ships`` as in ``Game``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, inlined_kernel, kernel
from seabattle.solver.search.kernels.transposition import mix_hash, slot_of_hash

UNKNOWN = -1
"""In place of a state, where none was counted."""


@kernel
def sunk_cells(row, certain, ships):
    """Mask of the cells of the ships that lie in H: they are sunk, in every row of a sub-table."""
    sunk = ZERO
    for d in range(ships.shape[1]):
        if (ships[row, d] & ~certain) == ZERO:
            sunk |= ships[row, d]
    return sunk


@kernel
def slot_of(certain, sunk, slots):
    """Slot of a state, or the empty one where it would go: the last word is its number plus 1.

    sunk : uint64, from ``sunk_cells``; slots : uint64 (a power of 2, 3), not full
    """
    last = np.uint64(slots.shape[0] - 1)
    slot = np.uint64(slot_of_hash(mix_hash(mix_hash(certain) ^ sunk), slots.shape[0]))
    while slots[slot, 2] != ZERO and (slots[slot, 0] != certain or slots[slot, 1] != sunk):
        slot = (slot + ONE) & last
    return np.int64(slot)


@inlined_kernel
def state_of(row, certain, ships, finds):
    """The state of a closed sub-table: the number of its hits and sinkings, or UNKNOWN."""
    if finds.size[0] == 0:
        return UNKNOWN
    slot = slot_of(certain, sunk_cells(row, certain, ships), finds.slots)
    return np.int64(finds.slots[slot, 2]) - 1
