"""The states of a game, hits without a miss, by their hits and the sinkings that answers tell.

``solver.search.finds`` says what they are for. Parameters: ``certain``, uint64, H of a closed
sub-table; ``row``, int64, number of one of its rows; ``ships``, uint64 (rows, ships), as
``Finds.ships``; ``finds``, the group ``Finds`` of ``arrays``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inlined_kernel, inner_kernel, kernel, lowest_bit
from seabattle.solver.search.table import mix_hash, slot_of_hash

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


@inner_kernel
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
def state_of(row, certain, finds):
    """The state of a closed sub-table: the number of its hits and sinkings, or UNKNOWN."""
    if finds.size[0] == 0:
        return UNKNOWN
    slot = slot_of(certain, sunk_cells(row, certain, finds.ships), finds.slots)
    return np.int64(finds.slots[slot, 2]) - 1


@kernel
def image_of(cells, symmetry, moves):
    """Mask of the cells to which a symmetry moves those of a mask.

    cells : uint64; symmetry : int64; moves : int64 (symmetries, 64), image of each cell
    """
    image = ZERO
    while cells != ZERO:
        image |= ONE << np.uint64(moves[symmetry, lowest_bit(cells)])
        cells &= cells - ONE
    return image


@inner_kernel
def enter_state(state, certain, sunk, moves, finds):
    """Enter the number of a state under its hits and sinkings, and under all images of them.

    state : int64; sunk : uint64, from ``sunk_cells``
    moves : as in ``image_of``, of symmetries that map the rows to themselves
    finds : slots modified
    """
    for symmetry in range(moves.shape[0]):
        certain_there = image_of(certain, symmetry, moves)
        sunk_there = image_of(sunk, symmetry, moves)
        slot = slot_of(certain_there, sunk_there, finds.slots)
        if finds.slots[slot, 2] == ZERO:
            finds.slots[slot, 0] = certain_there
            finds.slots[slot, 1] = sunk_there
            finds.slots[slot, 2] = np.uint64(state + 1)


@kernel
def move_states(old, new):
    """Enter every state of a table into a larger, empty one.

    old, new : uint64 (a power of 2, 3), as in ``slot_of``; new is modified
    """
    for i in range(old.shape[0]):
        if old[i, 2] != ZERO:
            slot = slot_of(old[i, 0], old[i, 1], new)
            for word in range(3):
                new[slot, word] = old[i, word]
