"""Compiled loops that walk trees by the rules of the game alone.

Counts are at most n_layouts and misses at most the cells of the board: nothing can overflow.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.kernels import ZERO, allocating_kernel, kernel
from seabattle.enumerate.layouts import name_answer, replay, set_up, words_of

FINE, NO_BRANCH, SHOT_TWICE = 0, 1, 2
"""How the walk of a layout ended: in a leaf; at a node without a branch for its answer; at a cell
that was shot before. Every walk ends so, as a board has only so many cells to shoot."""


@allocating_kernel
def walk_layouts(
    shots,
    first,
    answers,
    children,
    masks,
    ships,
    lengths,
    history,
    mode,
    visits,
    used,
    ends,
    misses,
    problem,
):
    """Send every layout from the root to where the tree ends for it.

    shots : int16 (n_nodes,), first : int64 (n_nodes + 1,), answers : uint16 (n_edges,), children :
        int32 (n_edges,), the tree's arrays (see ``trees.tree.tree``)
    masks : uint64 (n_placements, 2), cells of each placement
    ships : uint16 (n_layouts, n_ships), placement numbers; lengths : int64 (n_ships,)
    history : int64 (n_before,), cells shot before the tree begins, in order
    mode : answer mode, as ``name_answer`` takes it
    visits : int64 (n_nodes,), modified: increased by the layouts that pass through each node
    used : uint8 (n_edges,), modified: set to 1 where some layout takes the edge
    ends : int64 (n_layouts,), modified: node where the walk stopped (a leaf when all is well)
    misses : int64 (n_layouts,), modified: number of shots that missed
    problem : uint8 (n_layouts,), modified: ``FINE``, or what stopped the walk
    """
    count = lengths.shape[0]
    low = np.empty(count, np.uint64)
    high = np.empty(count, np.uint64)
    names = np.empty(count, np.int64)
    for i in range(ships.shape[0]):
        set_up(i, ships, masks, low, high, names)
        shot_low, shot_high = replay(low, high, lengths, history, names, mode)
        node = 0
        missed = 0
        problem[i] = FINE
        while True:
            visits[node] += 1
            cell = np.int64(shots[node])
            if cell < 0:
                break
            bit_low, bit_high = words_of(cell)
            if (shot_low & bit_low) != ZERO or (shot_high & bit_high) != ZERO:
                problem[i] = SHOT_TWICE
                break
            answer = name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)
            shot_low |= bit_low
            shot_high |= bit_high
            if answer == MISS:
                missed += 1
            following = -1
            for e in range(first[node], first[node + 1]):
                if answers[e] == answer:
                    following = children[e]
                    used[e] = 1
                    break
            if following < 0:
                problem[i] = NO_BRANCH
                break
            node = following
        ends[i] = node
        misses[i] = missed


@kernel
def match_leaves(ships, ends, leaf, listed, row, matched):
    """Find each layout among those its leaf lists.

    ships : uint16 (n_layouts, n_ships), placement numbers, in the order in which leaves list them
    ends : int64 (n_layouts,), node that each layout came to
    leaf : int64 (n_nodes + 1,), rows listed by node v: leaf[v] to leaf[v + 1] - 1
    listed : uint16 (n_listed, n_ships), placement numbers
    row : int64 (n_layouts,), modified: the listed row, -1 where the leaf does not list the layout
    matched : uint8 (n_listed,), modified: 1 where a layout was found; a row is taken only once
    """
    for i in range(ships.shape[0]):
        row[i] = -1
        for r in range(leaf[ends[i]], leaf[ends[i] + 1]):
            if matched[r] == 1:
                continue
            same = True
            for d in range(ships.shape[1]):
                if listed[r, d] != ships[i, d]:
                    same = False
                    break
            if same:
                matched[r] = 1
                row[i] = r
                break


@kernel
def differing_leaf(leaf, ships, masks):
    """First leaf whose layouts do not all occupy the same cells, or -1.

    leaf : int64 (n_nodes + 1,), ships : uint16 (n_listed, n_ships), as in ``match_leaves``
    masks : uint64 (n_placements, 2), cells of each placement. Modifies nothing.
    """
    for v in range(leaf.shape[0] - 1):
        first_low = ZERO
        first_high = ZERO
        for i in range(leaf[v], leaf[v + 1]):
            low = ZERO
            high = ZERO
            for d in range(ships.shape[1]):
                low |= masks[ships[i, d], 0]
                high |= masks[ships[i, d], 1]
            if i == leaf[v]:
                first_low = low
                first_high = high
            elif low != first_low or high != first_high:
                return v
    return -1
