"""Compiled loops that grow a tree from its plan by the rules of the game. Arrays and scalars only.

For games in which every occupancy belongs to one layout (contact rules none and corners), answer
modes ``hit`` and ``sunk``. A *segment* is a range ``lo:hi`` of ``ids``, the layouts still possible.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel, lowest_bit
from seabattle.enumerate.layouts._subset_kernels import close_segment, part_segment

OPEN_NODE = -2  # a shot that the plan has to name
PLAN_TOO_SHORT = -1
PLAN_SHOT_IDLE = -2
PLAN_TOO_LONG = -3


@kernel
def part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk):
    """Order a segment by the answers to a shot: misses, hits, sunk; return where each next begins.

    ids : int32, modified; shot : uint64, cells shot before
    rows : uint64 (n_layouts,), cells of each layout; ships : uint64 (n_layouts, n_ships)
    sunk : 1 when sinkings are announced
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
    """Put all layouts on the empty stack; return its height. Arrays as in ``next_node``."""
    stack[0, 0] = 0
    stack[0, 1] = rows.shape[0]
    stack[0, 2] = -1
    stack[0, 3] = 0
    masks[0, 0] = ZERO
    return 1


@kernel
def next_node(stack, level, ids, rows, full, sunk, masks):
    """What comes at the segment on top of the stack: -1 a leaf, a certain hit, or ``OPEN_NODE``.

    stack : int64 (size, 4): lo, hi, parent, answer; masks : uint64 (size, 3), modified: cells
    shot, cells all rows occupy, cells some occupy
    """
    certain, occupied = close_segment(ids, stack[level, 0], stack[level, 1], rows, full)
    masks[level, 1] = certain
    masks[level, 2] = occupied
    if certain == occupied:
        return -1
    due = certain & ~masks[level, 0]
    if sunk == 1 and due != ZERO:
        return np.int64(lowest_bit(due))
    return OPEN_NODE


@kernel
def push_answers(stack, level, masks, node, cell, ids, rows, ships, sunk):
    """Replace the segment on top by its parts after a shot, the misses uppermost.

    Returns the new height. stack, masks, ids : modified
    """
    lo = stack[level, 0]
    hi = stack[level, 1]
    shot = masks[level, 0]
    hits, sinkings = part_by_answer(ids, lo, hi, cell, shot, rows, ships, sunk)
    for answer in range(2, -1, -1):
        a = lo if answer == 0 else (hits if answer == 1 else sinkings)
        b = hits if answer == 0 else (sinkings if answer == 1 else hi)
        if a < b:
            stack[level, 0] = a
            stack[level, 1] = b
            stack[level, 2] = node
            stack[level, 3] = answer
            masks[level, 0] = shot | ONE << np.uint64(cell)
            level += 1
    return level


@kernel
def expand_plan(
    plan, rows, ships, ids, full, sunk, stack, masks, shots, parents, answers, layouts
):  # fmt: skip
    """Grow a tree in preorder, misses first, taking the open shots from a plan.

    plan : int8 (n_shots,); rows : uint64 (n_layouts,); ships : uint64 (n_layouts, n_ships)
    ids : int32 (n_layouts,), modified; stack, masks : scratch, n_layouts + 2 high
    shots : int16, parents : int32, answers : uint16, layouts : int32, (n_nodes,), modified: cell
        (-1 at a leaf), parent node, answer on the way from it, row of a leaf's layout
    Returns the number of nodes (below 2 n_layouts (fleet cells + 1)), or why the plan is wrong.
    """
    level = begin(rows, stack, masks)
    node = 0
    used = 0
    while level > 0:
        level -= 1
        cell = next_node(stack, level, ids, rows, full, sunk, masks)
        parents[node] = stack[level, 2]
        answers[node] = stack[level, 3]
        layouts[node] = ids[stack[level, 0]]
        if cell == OPEN_NODE:
            if used >= plan.shape[0]:
                return PLAN_TOO_SHORT
            cell = np.int64(plan[used])
            used += 1
            if ((masks[level, 2] & ~masks[level, 1]) >> np.uint64(cell)) & ONE == ZERO:
                return PLAN_SHOT_IDLE
        shots[node] = cell
        if cell >= 0:
            level = push_answers(stack, level, masks, node, cell, ids, rows, ships, sunk)
        node += 1
    return node if used == plan.shape[0] else PLAN_TOO_LONG
