"""Kernels that add up weights along the steps of a frontier sweep: forward, backward, and walks.

They do in floating point what ``_sum_kernels`` does in whole numbers: where a ship begins, the sum
is multiplied by the weight of its placement, so that a layout counts the product of its
placements' weights, its *mass*. Nodes, steps, layers and open steps are those of ``_sum_kernels``.
A *sum vector* has one float64 for each choice of how many ships of every length are used.

Arrays that several kernels take, none of them modified unless a kernel says so:

``sums``
    float64 ``(nodes, entries)``: the sum vector of each node.
``row``
    ``MassRules``: which steps one row of the board allows, their weights, and what they do to a
    sum vector.
``reached``, ``steps``, ``layers``
    As in ``_sum_kernels``.

No number is negative and nothing is subtracted, so every rounding changes a sum by at most one
part in 2**53 and errors only add up: ``MassSweep.error`` counts the roundings. This holds as long
as no number leaves the range of normal float64, 2.3e-308 to 1.7e308; ``weighing`` scales the
weights so that none can.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.counting._sum_kernels import is_dense, is_open, note
from seabattle.enumerate.kernels import inner_kernel, kernel

BLOCK = 1024
"""So many nodes are summed up by themselves, which keeps long sums from adding up roundings."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHARE = 2.0**-53


class MassRules(NamedTuple):
    """What one row of the board allows, and how steps move the entries of a sum vector.

    Attributes
    ----------
    opened
        uint8 ``(classes,)``: 1 where the steps of a class are open.
    weights
        float64 ``(width * kinds,)`` by code: the weight of the placement that begins with the
        step, above 0 where it is allowed; 1 where none begins.
    shifts
        int64 ``(kinds,)``: by how many entries a step of this kind moves a vector up.
    masks
        float64 ``(kinds, entries)``: 1 where the entry may be moved, 0 elsewhere.
    """

    opened: NDArray[np.uint8]
    weights: NDArray[np.float64]
    shifts: NDArray[np.int64]
    masks: NDArray[np.float64]


@kernel
def _add(total, share, mask, up, down, weight):
    """Add ``weight`` times ``share``, its entries moved up or down, to ``total``.

    total : float64 (entries,), modified
    share, mask : float64 (entries,), 0 in the mask where an entry is left out, else 1, counted
        from the first entry moved
    up, down : integers, one of them 0
    """
    moved = len(total) - up - down
    into, add = total[up:], share[down:]
    for u in range(moved):
        into[u] += add[u] * (mask[u] * weight)


@inner_kernel
def _add_all(total, share):
    """Add ``share`` to ``total``; float64 (entries,) both."""
    for u in range(len(total)):
        total[u] += share[u]


@kernel
def forward_row(sums, reached, layers, steps, row):
    """Sums of all layers of one row from those of layer 0: the mass with which a node is reached.

    sums : given for the nodes of layer 0 that are reached, written for the others reached
    reached : modified; given for layer 0, filled for the other layers
    """
    kinds = len(row.shifts)
    single = sums.reshape(-1)
    is_single = sums.shape[1] == 1
    for c in range(len(layers) - 2):
        dense = is_dense(reached, layers, c)
        for i in range(layers[c + 1] - layers[c] if dense else reached.counts[c]):
            node = layers[c] + i
            if not dense:
                node = np.int64(reached.listed[node])
            elif reached.alive[node] == 0:
                continue
            first, stop = steps.starts[node], steps.starts[node + 1]
            if is_single:  # the same, of single numbers
                number = single[node]
                for e in range(first, stop):
                    if is_open(steps, e, row):
                        target, weight = steps.others[e], row.weights[steps.codes[e]]
                        if reached.alive[target]:
                            single[target] += number * weight
                        else:
                            note(reached, layers, c, target)
                            single[target] = number * weight
                continue
            for e in range(first, stop):
                if is_open(steps, e, row):
                    target, code = steps.others[e], steps.codes[e]
                    if reached.alive[target] == 0:
                        note(reached, layers, c, target)
                        sums[target][:] = 0.0
                    kind = code % kinds
                    if kind < FIRST_SHIP:
                        _add_all(sums[target], sums[node])
                    else:
                        mask, up = row.masks[kind], row.shifts[kind]
                        _add(sums[target], sums[node], mask, up, 0, row.weights[code])


@inner_kernel
def _dot(ahead, behind, mask, shift):
    """Scalar product of two sum vectors, entry u of the first with entry u + shift of the second.

    ahead, behind, mask : float64 (entries,), 0 in the mask where entry u is left out, else 1
    """
    total = 0.0
    two = behind[shift:]
    for u in range(len(ahead) - shift):
        total += ahead[u] * mask[u] * two[u]
    return total


@inner_kernel
def _close_block(starts):
    """Add the sums of a block to those of the blocks before; ``starts`` is modified."""
    for code in range(len(starts)):
        starts[code, 0] += starts[code, 1]
        starts[code, 1] = 0.0


@kernel
def backward_row(sums, reached, layers, steps, row, ahead, starts):
    """Sums of all layers of one row from those of the last: the mass that completes a fleet.

    sums : given for the nodes of the last layer that are reached, written for the others reached;
        entry u of a node is the mass of the completions when the ships of choice u are used so far
    ahead : float64 (nodes, entries), the forward sums of the row, if starts are wanted
    starts : float64 (width * kinds, 2), modified, zero on entry: in the first column the mass of
        the layouts in which a ship begins with each code; the second column is scratch; of length
        0 if starts are not wanted
    A node has at most one step of a code, so that ``BLOCK`` numbers at most are added up by
    themselves.
    """
    kinds = len(row.shifts)
    single, before = sums.reshape(-1), ahead.reshape(-1)
    is_single = sums.shape[1] == 1
    wanted = len(starts) > 0
    seen = 0
    for c in range(len(layers) - 3, -1, -1):
        dense = is_dense(reached, layers, c)
        for i in range(layers[c + 1] - layers[c] if dense else reached.counts[c]):
            node = layers[c] + i
            if not dense:
                node = np.int64(reached.listed[node])
            elif reached.alive[node] == 0:
                continue
            seen += 1
            if wanted and seen % BLOCK == 0:
                _close_block(starts)
            first, stop = steps.starts[node], steps.starts[node + 1]
            if is_single:
                number = 0.0
                for e in range(first, stop):
                    if is_open(steps, e, row):
                        code = steps.codes[e]
                        rest = single[steps.others[e]] * row.weights[code]
                        number += rest
                        if wanted:  # for steps that begin no ship too, which is faster
                            starts[code, 1] += before[node] * rest
                single[node] = number
                continue
            sums[node][:] = 0.0
            for e in range(first, stop):
                if is_open(steps, e, row):
                    code, rest = steps.codes[e], sums[steps.others[e]]
                    kind = code % kinds
                    if kind < FIRST_SHIP:
                        _add_all(sums[node], rest)
                        continue
                    mask, shift, weight = row.masks[kind], row.shifts[kind], row.weights[code]
                    _add(sums[node], rest, mask, 0, shift, weight)
                    if wanted:
                        starts[code, 1] += _dot(ahead[node], rest, mask, shift) * weight
    if wanted:
        _close_block(starts)


@inner_kernel
def _next_share(streams, walk):
    """A random number of 53 bits from 0 to below 1 from one of the streams (splitmix64).

    streams : uint64 (walks,), modified
    """
    streams[walk] += GOLDEN
    word = streams[walk]
    word = (word ^ (word >> np.uint64(30))) * FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * SECOND_FACTOR
    word ^= word >> np.uint64(31)
    return np.float64(word >> np.uint64(11)) * SHARE


@kernel
def draw_row(sums, layers, steps, row, at, used, streams, ships, found):
    """Take walks through one row, each step at random by the mass of the layouts beyond it.

    sums : the backward sums of the row
    at : int64 (walks,), modified: node of layer 0; on return the number in the last layer
    used : int64 (walks,), modified: the entry of a sum vector that says which ships are used
    streams : uint64 (walks,), modified: the state of each walk's random numbers; every step takes
        a fresh one
    ships : int64 (walks, n_ships), modified: codes of the ships met
    found : int64 (walks,), modified: how many of them are written
    A share of 53 bits below 1 times the sum of some numbers rounds to less than that sum, and the
    same numbers are added up in the same order, so that one step is always taken.
    """
    kinds = len(row.shifts)
    last = layers[len(layers) - 2]
    for walk in range(len(at)):
        node = at[walk]
        while node < last:
            first, stop = steps.starts[node], steps.starts[node + 1]
            total = 0.0
            for e in range(first, stop):
                kind = steps.codes[e] % kinds
                if is_open(steps, e, row) and row.masks[kind, used[walk]] > 0.0:
                    to = used[walk] + row.shifts[kind]
                    total += row.weights[steps.codes[e]] * sums[steps.others[e], to]
            drawn = _next_share(streams, walk) * total
            total = 0.0
            for e in range(first, stop):
                code = steps.codes[e]
                kind = code % kinds
                if not is_open(steps, e, row) or row.masks[kind, used[walk]] == 0.0:
                    continue
                to = used[walk] + row.shifts[kind]
                total += row.weights[code] * sums[steps.others[e], to]
                if drawn < total:
                    used[walk] = to
                    if kind >= FIRST_SHIP:
                        ships[walk, found[walk]] = code
                        found[walk] += 1
                    node = steps.others[e]
                    break
        at[walk] = node - last
