"""Compiled loops that emit trees by the answers of the rules, in every mode.

Arrays and scalars only. A tree is emitted node by node in preorder, the smallest answer code first.
Each node is settled first (``settle``): it is a leaf, or a certain hit is due, or a shot has to be
chosen. Then its rows are divided by their answers (``divide``), which ``name_answer`` gives by the
rules of the game. What chooses the shot differs from loop to loop; ``rollout`` has another one.

A loop returns FINISHED, or STOP, after which it can be called again to go on, even by another loop.
Parameters that all of them take:

    ids : int32 (n_rows,), modified: rows change places
    growing : Growing, modified; its first entry is the whole problem
    nodes : Nodes, modified
    arrays : SearchArrays; ``counts``, ``together`` and counters modified, and by the exact policy
        its table and arena. ``PlayArrays`` are enough for what no search is asked for.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, KERNEL_HIT, KERNEL_SHIP, MISS
from seabattle.enumerate.kernels import ONE, ZERO, inner_kernel, kernel, lowest_bit
from seabattle.enumerate.layouts import close_segment, name_answer, replay
from seabattle.solver.search.arrays import (
    NO_KEY,
    WEIGHT,
    Game,
    NumberPlanes,
    NumberRows,
    Numbers,
    WordRows,
    Words,
)
from seabattle.solver.search.minimize import minimize
from seabattle.solver.search.work import (
    ARENA_TOP,
    FULL_BOARD,
    INFEASIBLE,
    POLICY_HITS,
    SHOT,
    STOP,
    after_miss,
    spend,
)

# Columns of the stack of sub-tables whose nodes are still to be emitted: a segment, ...
LO = 0
HI = 1
PARENT = 2  # node it hangs from, -1 at the root
ANSWER = 3  # code of the answer that leads to it
SHOTS = 4  # shots so far, those of the position among them
MISSES = 5  # misses so far
LIMIT = 6  # miss limit still left
STACK_COLUMNS = 7
# ... and of its masks: cells shot so far, its H and U.
SHOT_CELLS = 0
CERTAIN = 1
OCCUPIED = 2
STACK_MASKS = 3

# Places in ``progress``.
HEIGHT = 0  # entries on the stack
GROWN = 1  # nodes emitted
LISTED = 2  # rows listed in their leaves
TOTAL_MISSES = 3  # of those leaves, and their worst case
WORST_MISSES = 4
NO_ROOM = 5  # 1 where the arrays of nodes are full
LEAVES = 6  # leaves emitted
PROGRESS = 7

FINISHED = 0

# What ``settle`` found.
LEAF = -2
OPEN = -3

NodeShots = Annotated[NDArray[np.int16], "int16[::1]"]
NodeAnswers = Annotated[NDArray[np.uint16], "uint16[::1]"]
Rows = Annotated[NDArray[np.int32], "int32[::1]"]


class Growing(NamedTuple):
    """Sub-tables whose nodes are still to be emitted, and scratch."""

    entries: NumberRows  # (cells times answers, STACK_COLUMNS)
    masks: WordRows  # as many, STACK_MASKS
    path: Numbers  # (shots of the position + cells + 1,): cells shot on the path, in order
    progress: Numbers  # (PROGRESS,); HEIGHT is 1 and the rest 0 at the start
    found: Numbers  # (cells + 1,): weight of the rows listed, by the misses that each costs
    codes: Numbers  # (n_rows,), scratch: answers
    names: Numbers  # (n_ships,), scratch
    far: Words  # (n_ships,): zeros, the second words of the ships
    mode: int  # answer mode of the rules, one of the ``KERNEL_`` numbers
    due_first: bool  # whether certain hits are shot before anything else


class Nodes(NamedTuple):
    """The tree being grown, with room for some nodes."""

    shots: NodeShots  # cell shot at each node, -1 at a leaf
    parents: Rows  # node that each hangs from, -1 at the root
    answers: NodeAnswers  # code of the answer that leads to it
    leaf: Numbers  # rows listed when the node was emitted, its own among them
    members: Rows  # (n_rows,): rows in the order of their leaves


class PlayArrays(NamedTuple):
    """Of ``SearchArrays`` what a greedy rule needs: so no table is made for millions of rows."""

    game: Game
    counts: NumberPlanes
    options: Numbers
    counters: Numbers


@kernel
def settle(ids, growing, nodes, arrays):
    """Look at the next sub-table: LEAF, the cell of a certain hit that is due, OPEN, or STOP.

    A leaf is emitted here. Otherwise the masks of the entry are filled in, for ``divide``.
    """
    progress = growing.progress
    node = progress[GROWN]
    if node >= nodes.shots.shape[0]:
        progress[NO_ROOM] = 1
        return STOP
    top = progress[HEIGHT] - 1
    entry = growing.entries[top]
    masks = growing.masks[top]
    lo = entry[LO]
    hi = entry[HI]
    if not spend(hi - lo, arrays.counters):
        return STOP
    game = arrays.game
    full = np.uint64(arrays.options[FULL_BOARD])
    certain, occupied = close_segment(ids, lo, hi, game.occupied_by, full)
    if certain == occupied:
        listed = progress[LISTED]
        for i in range(lo, hi):
            weight = game.weights[ids[i]]
            progress[TOTAL_MISSES] += entry[MISSES] * weight
            growing.found[entry[MISSES]] += weight
            j = listed + i - lo
            while j > listed and nodes.members[j - 1] > ids[i]:
                nodes.members[j] = nodes.members[j - 1]
                j -= 1
            nodes.members[j] = ids[i]
        progress[LISTED] += hi - lo
        progress[WORST_MISSES] = max(progress[WORST_MISSES], entry[MISSES])
        nodes.shots[node] = -1
        nodes.parents[node] = entry[PARENT]
        nodes.answers[node] = entry[ANSWER]
        nodes.leaf[node] = progress[LISTED]
        progress[GROWN] += 1
        progress[LEAVES] += 1
        progress[HEIGHT] = top
        return LEAF
    masks[CERTAIN] = certain
    masks[OCCUPIED] = occupied
    due = certain & ~masks[SHOT_CELLS]
    if growing.due_first and due != ZERO:
        return lowest_bit(due)
    return OPEN


@kernel
def answer_of(row, cell, shot, history, growing, game):
    """Code of a row's answer to a shot.

    row : int64; cell : int64; shot : uint64, cells shot before
    history : int64 (n_before,), the same in order
    growing : ``names`` modified
    """
    mode = growing.mode
    if mode == KERNEL_HIT:
        return HIT if (game.occupied_by[row] >> np.uint64(cell)) & ONE == ONE else MISS
    ships = game.ships[row]
    if mode == KERNEL_SHIP:
        for d in range(ships.shape[0]):
            growing.names[d] = 0
        replay(ships, growing.far, game.lengths, history, growing.names, mode)
    return name_answer(ships, growing.far, game.lengths, cell, shot, ZERO, growing.names, mode)


@inner_kernel
def divide(cell, ids, growing, nodes, game):
    """Emit the node of a settled sub-table with its shot, and put its parts on the stack."""
    progress = growing.progress
    node = progress[GROWN]
    top = progress[HEIGHT] - 1
    entries = growing.entries
    lo = entries[top, LO]
    hi = entries[top, HI]
    misses = entries[top, MISSES]
    limit = entries[top, LIMIT]
    count = entries[top, SHOTS]
    shot = growing.masks[top, SHOT_CELLS]
    nodes.shots[node] = cell
    nodes.parents[node] = entries[top, PARENT]
    nodes.answers[node] = entries[top, ANSWER]
    nodes.leaf[node] = progress[LISTED]
    progress[GROWN] += 1
    history = growing.path[:count]
    codes = growing.codes
    for i in range(lo, hi):
        codes[i] = answer_of(ids[i], cell, shot, history, growing, game)
    growing.path[count] = cell
    # The part that is left goes below the one before: so the smallest code ends on top.
    level = top
    while hi > lo:
        code = codes[lo]
        for i in range(lo + 1, hi):
            code = max(code, codes[i])
        mid = lo
        for i in range(lo, hi):  # those with the greatest code to the end
            if codes[i] != code:
                swap = ids[i]
                ids[i] = ids[mid]
                ids[mid] = swap
                smaller = codes[i]
                codes[i] = codes[mid]
                codes[mid] = smaller
                mid += 1
        entries[level, LO] = mid
        entries[level, HI] = hi
        entries[level, PARENT] = node
        entries[level, ANSWER] = code
        entries[level, SHOTS] = count + 1
        entries[level, MISSES] = misses + (1 if code == MISS else 0)
        entries[level, LIMIT] = after_miss(limit) if code == MISS else limit
        growing.masks[level, SHOT_CELLS] = shot | ONE << np.uint64(cell)
        level += 1
        hi = mid
    progress[HEIGHT] = level


@kernel
def seed_ties(seed):
    """Seed the generator that breaks ties at random in the kernels; seed : int64."""
    np.random.seed(seed)


@kernel
def grow_greedily(policy, random_ties, ids, growing, nodes, arrays):
    """Emit the tree of a greedy rule.

    policy : POLICY_HALF or POLICY_HITS; random_ties : bool, as in ``greedy_cell``
    """
    progress = growing.progress
    game = arrays.game
    counts = arrays.counts[0, WEIGHT]
    while progress[HEIGHT] > 0:
        cell = settle(ids, growing, nodes, arrays)
        if cell == STOP:
            return STOP
        if cell == LEAF:
            continue
        if cell == OPEN:
            top = progress[HEIGHT] - 1
            unknown = growing.masks[top, OCCUPIED] & ~growing.masks[top, CERTAIN]
            lo = growing.entries[top, LO]
            hi = growing.entries[top, HI]
            cell = greedy_cell(policy, random_ties, ids, lo, hi, unknown, game, counts)
        divide(cell, ids, growing, nodes, game)
    return FINISHED


@inner_kernel
def greedy_cell(policy, random_ties, ids, lo, hi, unknown, game, counts):
    """Cell that a greedy rule shoots in a segment; unknown : uint64, its undetermined cells.

    policy : POLICY_HALF or POLICY_HITS; counts : int64 (64,), scratch
    random_ties : bool; False takes the first of the best cells in reading order, True any of them
        (numba's own generator, ``seed_ties``)
    """
    for c in range(64):
        counts[c] = 0
    whole = 0
    for i in range(lo, hi):
        weight = game.weights[ids[i]]
        whole += weight
        left = game.occupied_by[ids[i]] & unknown
        while left != ZERO:
            counts[lowest_bit(left)] += weight
            left &= left - ONE
    chosen = -1
    best = 0
    equal = 0
    while unknown != ZERO:
        c = lowest_bit(unknown)
        unknown &= unknown - ONE
        score = counts[c] if policy == POLICY_HITS else -abs(2 * counts[c] - whole)
        if chosen < 0 or score > best:
            chosen = c
            best = score
            equal = 1
        elif score == best and random_ties:
            equal += 1
            if np.random.randint(0, equal) == 0:
                chosen = c
    return chosen


@kernel
def grow_exactly(exact_rows, ids, growing, nodes, arrays):
    """Emit a best tree for options[GOAL], within the miss limit of the first entry.

    exact_rows : int64; sub-tables of more rows than this are shot at by POLICY_HITS
    """
    progress = growing.progress
    game = arrays.game
    counters = arrays.counters
    while progress[HEIGHT] > 0:
        cell = settle(ids, growing, nodes, arrays)
        if cell == STOP:
            return STOP
        if cell == LEAF:
            continue
        if cell == OPEN:
            top = progress[HEIGHT] - 1
            lo = growing.entries[top, LO]
            hi = growing.entries[top, HI]
            certain = growing.masks[top, CERTAIN]
            occupied = growing.masks[top, OCCUPIED]
            if hi - lo > exact_rows:
                cell = greedy_cell(
                    POLICY_HITS, False, ids, lo, hi, occupied & ~certain, game,
                    arrays.counts[0, WEIGHT],
                )  # fmt: skip
            else:
                weight = 0
                for i in range(lo, hi):
                    weight += game.weights[ids[i]]
                counters[ARENA_TOP] = 0
                answer = minimize(
                    ids, lo, hi, certain, occupied, growing.masks[top, SHOT_CELLS] & certain,
                    weight, INFEASIBLE, growing.entries[top, LIMIT], np.int64(0), NO_KEY, arrays,
                )  # fmt: skip
                if answer == STOP:
                    return STOP
                cell = counters[SHOT]
        divide(cell, ids, growing, nodes, game)
    return FINISHED
