"""The kernels by which the graph of sub-tables writes plans, as numba compiles them.

A *segment* is a range ``lo:hi`` of ``ids``, the layouts still possible; a tree is walked from a
stack of segments whose answers are known. Arrays that several kernels take:

    ids : int32 (n_layouts,), numbers of the layouts, modified: segments are partitioned in place
    rows : uint64 (n_layouts,), cells of each layout
    ships : uint64 (n_layouts, n_ships), cells of each ship
    stack : int64 (n_layouts + 2, STACK_COLUMNS), modified: the segments waiting, see ``LO``
    masks : uint64 (n_layouts + 2, MASK_COLUMNS), modified: masks of each of them, see ``SHOT``
    full : uint64, mask of all cells
    sunk : 1 when sinkings are announced, else 0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, SUNK
from seabattle.enumerate.kernels import ONE, ZERO, kernel, lowest_bit
from seabattle.solver.search.segments import close_segment, part_segment

LEAF = -1
OPEN_NODE = -2
"""What ``next_node`` returns in place of a cell: one layout is left, or the plan names the shot."""

LO, HI, PARENT, ANSWER = 0, 1, 2, 3
"""Columns of the stack: the segment, the node it hangs from (-1 at the root), the answer there."""

STACK_COLUMNS = 4

SHOT, CERTAIN, OCCUPIED = 0, 1, 2
"""Columns of the masks: cells shot so far, cells that all layouts occupy, cells that some do."""

MASK_COLUMNS = 3


@kernel
def part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk):
    """Order a segment by the answers to a shot: misses, then hits, then sinkings.

    cell : the shot; shot : uint64, mask of the cells shot before
    Returns where the hits and where the sinkings begin.
    """
    bit = ONE << np.uint64(cell)
    struck = shot | bit
    hits = part_segment(ids, lo, hi, bit, rows)
    sinkings = hi
    if sunk == 1:
        i = hits
        while i < sinkings:
            row = ids[i]
            whole = False
            for d in range(ships.shape[1]):
                if (ships[row, d] & bit) != ZERO:
                    whole = (ships[row, d] & ~struck) == ZERO
            if whole:
                sinkings -= 1
                ids[i] = ids[sinkings]
                ids[sinkings] = row
            else:
                i += 1
    return hits, sinkings


@kernel
def begin(rows, stack, masks):
    """Put all layouts on the empty stack; return its height."""
    stack[0, LO] = 0
    stack[0, HI] = rows.shape[0]
    stack[0, PARENT] = -1
    stack[0, ANSWER] = MISS
    masks[0, SHOT] = ZERO
    return 1


@kernel
def next_node(stack, level, ids, rows, full, sunk, masks):
    """The node for the segment at ``level``: ``LEAF``, a certain hit to shoot, or ``OPEN_NODE``.

    stack, ids : not modified; masks : ``CERTAIN`` and ``OCCUPIED`` of the level are written
    """
    certain, occupied = close_segment(ids, stack[level, LO], stack[level, HI], rows, full)
    masks[level, CERTAIN] = certain
    masks[level, OCCUPIED] = occupied
    if certain == occupied:
        return LEAF
    due = certain & ~masks[level, SHOT]
    if sunk == 1 and due != ZERO:
        return np.int64(lowest_bit(due))
    return OPEN_NODE


@kernel
def push_answers(stack, level, masks, node, cell, ids, rows, ships, sunk):
    """Replace the segment at ``level`` by its parts after a shot, the misses uppermost.

    node : number of the node that shoots; cell : its shot. Returns the new height of the stack.
    """
    lo = stack[level, LO]
    hi = stack[level, HI]
    shot = masks[level, SHOT]
    hits, sinkings = part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk)
    for answer in range(SUNK, MISS - 1, -1):
        a = lo if answer == MISS else (hits if answer == HIT else sinkings)
        b = hits if answer == MISS else (sinkings if answer == HIT else hi)
        if a < b:
            stack[level, LO] = a
            stack[level, HI] = b
            stack[level, PARENT] = node
            stack[level, ANSWER] = answer
            masks[level, SHOT] = shot | ONE << np.uint64(cell)
            level += 1
    return level


def scratch(n: int) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]:
    """Arrays ``ids``, ``stack`` and ``masks`` of the kernels, for one tree of so many layouts."""
    stack = np.zeros((n + 2, STACK_COLUMNS), dtype=np.int64)
    masks = np.zeros((n + 2, MASK_COLUMNS), dtype=np.uint64)
    return np.arange(n, dtype=np.int32), stack, masks
