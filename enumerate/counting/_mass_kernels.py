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
``alive``, ``steps``, ``layers``
    As in ``_sum_kernels``.

No number is negative and nothing is subtracted, so every rounding changes a sum by at most one
part in 2**53 and errors only add up: ``MassSweep.error`` counts the roundings. This holds as long
as no number leaves the range of normal float64, 2.3e-308 to 1.7e308; ``weighing`` scales the
weights so that none can.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.compiler import allocating_kernel, kernel
from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.counting._sum_kernels import is_open

BLOCK = 1024
"""So many nodes are summed up by themselves, which keeps long sums from adding up roundings."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHARE = 2.0**-53


class MassRules(NamedTuple):
    """What one row of the board allows, and how steps move the entries of a sum vector.

    Attributes
    ----------
    allowed
        uint8 ``(width * kinds,)`` by code: 1 where the step is allowed.
    required
        Integer, mask of the columns whose cells must be occupied.
    weights
        float64 ``(width * kinds,)`` by code: the weight of the placement that begins with the
        step, above 0 where it is allowed; 1 where none begins.
    shifts
        int64 ``(kinds,)``: by how many entries a step of this kind moves a vector up.
    masks
        float64 ``(kinds, entries)``: 1 where the entry may be moved, 0 elsewhere.
    """

    allowed: NDArray[np.uint8]
    required: Any
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


@kernel
def _add_all(total, share):
    """Add ``share`` to ``total``; float64 (entries,) both."""
    for u in range(len(total)):
        total[u] += share[u]


@kernel
def forward_row(sums, alive, reached, steps, row):
    """Sums of all layers of one row from those of layer 0: the mass with which a node is reached.

    sums, alive : given for layer 0, written for the others (sums of dead nodes stay as they were)
    reached : int32 (n,), the nodes after layer 0 to visit, in increasing order of their layers
    steps : the steps into each node
    """
    kinds = len(row.shifts)
    if sums.shape[1] == 1:  # the same, of single numbers
        single = sums.reshape(-1)
        for node in reached:
            number, met = 0.0, 0
            for e in range(steps.starts[node], steps.starts[node + 1]):
                if alive[steps.others[e]] and is_open(steps, e, row):
                    number += single[steps.others[e]] * row.weights[steps.codes[e]]
                    met = 1
            alive[node] = met
            if met:
                single[node] = number
        return
    for node in reached:
        total = sums[node]
        met = False
        for e in range(steps.starts[node], steps.starts[node + 1]):
            source = steps.others[e]
            if alive[source] == 0 or not is_open(steps, e, row):
                continue
            if not met:
                total[:] = 0.0
                met = True
            code = steps.codes[e]
            kind = code % kinds
            if kind < FIRST_SHIP:
                _add_all(total, sums[source])
            else:
                mask, up = row.masks[kind], row.shifts[kind]
                _add(total, sums[source], mask, up, 0, row.weights[code])
        alive[node] = met


@kernel
def backward_row(sums, alive, begun, steps, row):
    """Sums of all layers of one row from those of the last: the mass that completes a fleet.

    sums : given for the last layer, written where a node of ``begun`` is alive; entry u of a node
        is the mass of the completions when the ships of choice u are used so far
    begun : int32 (n,), the nodes before the last layer to visit, in increasing order of layers
    steps : the steps out of each node
    """
    kinds = len(row.shifts)
    if sums.shape[1] == 1:
        single = sums.reshape(-1)
        for node in begun[::-1]:
            if alive[node]:
                number = 0.0
                for e in range(steps.starts[node], steps.starts[node + 1]):
                    if is_open(steps, e, row):
                        number += single[steps.others[e]] * row.weights[steps.codes[e]]
                single[node] = number
        return
    for node in begun[::-1]:
        if alive[node] == 0:
            continue
        total = sums[node]
        total[:] = 0.0
        for e in range(steps.starts[node], steps.starts[node + 1]):
            if is_open(steps, e, row):
                code = steps.codes[e]
                kind = code % kinds
                if kind < FIRST_SHIP:
                    _add_all(total, sums[steps.others[e]])
                else:
                    mask, down = row.masks[kind], row.shifts[kind]
                    _add(total, sums[steps.others[e]], mask, 0, down, row.weights[code])


@kernel
def _dot(ahead, behind, mask, shift):
    """Scalar product of two sum vectors, entry u of the first with entry u + shift of the second.

    ahead, behind, mask : float64 (entries,), 0 in the mask where entry u is left out, else 1
    """
    total = 0.0
    two = behind[shift:]
    for u in range(len(ahead) - shift):
        total += ahead[u] * mask[u] * two[u]
    return total


@kernel
def _block_masses(ahead, behind, alive, begun, steps, row, out):
    """``start_masses`` of some nodes, the weights of the ships that begin left out.

    out : float64 (width * kinds,), modified: the sums are added
    """
    kinds = len(row.shifts)
    single = ahead.shape[1] == 1
    before, after = ahead.reshape(-1), behind.reshape(-1)
    for node in begun:
        if alive[node] == 0:
            continue
        for e in range(steps.starts[node], steps.starts[node + 1]):
            code = steps.codes[e]
            kind = code % kinds
            if kind < FIRST_SHIP or not is_open(steps, e, row):
                continue
            target = steps.others[e]
            if single:
                out[code] += before[node] * after[target]
            else:
                mask, shift = row.masks[kind], row.shifts[kind]
                out[code] += _dot(ahead[node], behind[target], mask, shift)


@allocating_kernel
def start_masses(ahead, behind, alive, begun, steps, row, out):
    """The mass of the layouts in which a ship begins at each cell of one row, by kind.

    ahead, behind : float64 (nodes, entries), the forward and backward sums of the row
    begun : int32 (n,), the nodes before the last layer to visit
    steps : the steps out of each node
    out : float64 (width * kinds,), modified, zero on entry: the masses by code
    A node has at most one step of a code, so that ``BLOCK`` numbers at most are added up by
    themselves.
    """
    part = np.empty_like(out)
    for first in range(0, len(begun), BLOCK):
        part[:] = 0.0
        nodes = begun[first : first + BLOCK]
        _block_masses(ahead, behind, alive, nodes, steps, row, part)
        _add_all(out, part)
    for code in range(len(out)):
        out[code] *= row.weights[code]


@kernel
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
    steps : the steps out of each node
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
