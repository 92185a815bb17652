"""Kernels that add along the steps of a frontier sweep: sums forward and backward, and walks.

Profiles, layers, steps and their kinds are those of ``_profile_kernels``. The profiles of all
layers are numbered consecutively, layer by layer; a profile of a layer is called a *node* here, as
in a graph whose edges are the steps. A *sum vector* has one entry for each choice of how many
ships of every length are used, and ``words`` words of 64 bits each, least significant first.

Arrays that several kernels take, none of them modified unless a kernel says so:

``sums``
    uint64 ``(nodes, words, entries)``: the sum vector of each node.
``alive``
    uint8 ``(nodes,)``: 1 where a node is reached.
``steps``
    ``Steps``: the steps out of each node, or into it.
``row``
    ``RowRules``: which steps one row of the board allows, and what they do to a sum vector.
``layers``
    int64 ``(width + 2,)``: first node of each layer, and the end.

A step is *open* when the ship that begins with it, if any, is allowed to lie there, and none of
the cells that it makes water is required to be occupied.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.compiler import ZERO, allocating_kernel, kernel
from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP

LOW_HALF = np.uint64(0xFFFFFFFF)
HALF_BITS = np.uint64(32)


class Steps(NamedTuple):
    """The steps of one row of a sweep, sorted by one of their ends, in CSR form.

    Attributes
    ----------
    starts
        int64 ``(nodes + 1,)``: the steps of node v are ``starts[v]`` to ``starts[v + 1] - 1``.
    others
        int32 ``(steps,)``: the node at the other end.
    codes
        int32 ``(steps,)``: column times kinds plus kind.
    waters
        uint16 ``(steps,)``: mask of the columns whose cells the step makes water.
    """

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    codes: NDArray[np.int32]
    waters: NDArray[np.uint16]


class RowRules(NamedTuple):
    """What one row of the board allows, and how steps move the entries of a sum vector.

    Attributes
    ----------
    allowed
        uint8 ``(width * kinds,)`` by code: 1 where the step is allowed.
    required
        Integer, mask of the columns whose cells must be occupied.
    shifts
        int64 ``(kinds,)``: by how many entries a step of this kind moves a vector up.
    masks
        uint64 ``(kinds, entries)``: all ones where the entry may be moved, 0 elsewhere.
    """

    allowed: NDArray[np.uint8]
    required: Any
    shifts: NDArray[np.int64]
    masks: NDArray[np.uint64]


@kernel
def is_open(steps, e, row):
    """Whether step number ``e`` is open in a row of the board."""
    return row.allowed[steps.codes[e]] and not steps.waters[e] & row.required


@kernel
def _add(total, share, mask, up, down):
    """Add ``share``, its entries moved up by ``up`` or down by ``down``, to ``total``.

    total : uint64 (words, entries), modified
    share : uint64 (words, entries)
    mask : uint64 (entries,), all ones where an entry may be moved and 0 elsewhere, counted from
        the first entry moved
    up, down : integers, one of them 0
    Addition is modulo 2**(64 words).
    """
    words, entries = total.shape
    moved = entries - up - down
    if words == 1:
        into, add = total[0, up:], share[0, down:]
        for u in range(moved):
            into[u] += add[u] & mask[u]
        return
    if words == 2:
        into, high = total[0, up:], total[1, up:]
        add, add_high = share[0, down:], share[1, down:]
        for u in range(moved):
            part = add[u] & mask[u]
            after = into[u] + part
            high[u] += (add_high[u] & mask[u]) + np.uint64(after < part)
            into[u] = after
        return
    for u in range(moved):
        if mask[u] == ZERO:
            continue
        carry = ZERO
        for w in range(words):
            before = total[w, u + up]
            partly = before + share[w, u + down]
            after = partly + carry
            carry = np.uint64(partly < before) | np.uint64(after < partly)
            total[w, u + up] = after


@kernel
def forward_row(sums, alive, reached, steps, row):
    """Sums of all layers of one row from those of layer 0: in how many ways a node is reached.

    sums, alive : given for layer 0, written for the others (sums of dead nodes stay as they were)
    reached : int32 (n,), the nodes after layer 0 to visit, in increasing order of their layers
    steps : the steps into each node
    Sums are modulo 2**(64 words).
    """
    kinds = len(row.shifts)
    if sums.shape[1] == 1 and sums.shape[2] == 1:  # the same, of single numbers
        single = sums.reshape(-1)
        for node in reached:
            number, met = ZERO, 0
            for e in range(steps.starts[node], steps.starts[node + 1]):
                if alive[steps.others[e]] and is_open(steps, e, row):
                    number += single[steps.others[e]]
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
                total[:] = ZERO
                met = True
            kind = steps.codes[e] % kinds
            _add(total, sums[source], row.masks[kind], row.shifts[kind], 0)
        alive[node] = met


@kernel
def reach_row(alive, layers, steps, row, listed, counts):
    """List the nodes that are reached from those of layer 0 that are alive.

    alive : modified; 0 after layer 0 on entry, set where a node is reached
    steps : the steps out of each node
    listed : int32 (nodes,), modified: the nodes reached in each layer, from that layer's first
        place on; given for layer 0
    counts : int64 (width + 1,), modified: how many they are; given for layer 0
    """
    width = len(layers) - 2
    for c in range(width):
        for i in range(layers[c], layers[c] + counts[c]):
            node = listed[i]
            for e in range(steps.starts[node], steps.starts[node + 1]):
                target = steps.others[e]
                if alive[target] == 0 and is_open(steps, e, row):
                    alive[target] = 1
                    to = c + 1
                    while target >= layers[to + 1]:
                        to += 1
                    listed[layers[to] + counts[to]] = target
                    counts[to] += 1


@kernel
def backward_row(sums, alive, begun, steps, row):
    """Sums of all layers of one row from those of the last: in how many ways a fleet is completed.

    sums : given for the last layer, written where a node of ``begun`` is alive; entry u of a node
        counts the completions when the ships of choice u are used so far
    begun : int32 (n,), the nodes before the last layer to visit, in increasing order of layers
    steps : the steps out of each node
    Sums are modulo 2**(64 words).
    """
    kinds = len(row.shifts)
    if sums.shape[1] == 1 and sums.shape[2] == 1:
        single = sums.reshape(-1)
        for node in begun[::-1]:
            if alive[node]:
                number = ZERO
                for e in range(steps.starts[node], steps.starts[node + 1]):
                    if is_open(steps, e, row):
                        number += single[steps.others[e]]
                single[node] = number
        return
    for node in begun[::-1]:
        if alive[node] == 0:
            continue
        total = sums[node]
        total[:] = ZERO
        for e in range(steps.starts[node], steps.starts[node + 1]):
            if is_open(steps, e, row):
                kind = steps.codes[e] % kinds
                _add(total, sums[steps.others[e]], row.masks[kind], 0, row.shifts[kind])


@kernel
def _dot(ahead, behind, mask, shift, digits):
    """Add the scalar product of two sum vectors to a number.

    ahead, behind : uint64 (words, entries), entry u of the first times entry u + shift of the
        second
    mask : uint64 (entries,), 0 where entry u is left out
    digits : uint64 (2 * words,), modified: the number to the base 2**32, not normalised; with one
        word the product modulo 2**64 is added to digits[0] itself
    A call adds less than 2**34 * words * entries to a digit; ``start_counts`` carries before a
    digit can reach 2**64.
    """
    words, entries = ahead.shape
    if words == 1:
        one, two = ahead[0], behind[0, shift:]
        total = ZERO
        for u in range(entries - shift):
            total += (one[u] & mask[u]) * two[u]
        digits[0] += total
        return
    for u in range(entries - shift):
        if mask[u] == ZERO:
            continue
        for i in range(2 * words):
            a = ahead[i // 2, u] >> HALF_BITS if i & 1 else ahead[i // 2, u] & LOW_HALF
            if a == ZERO:
                continue
            for j in range(2 * words - i):
                b = behind[j // 2, u + shift]
                b = b >> HALF_BITS if j & 1 else b & LOW_HALF
                product = a * b
                digits[i + j] += product & LOW_HALF
                if i + j + 1 < len(digits):
                    digits[i + j + 1] += product >> HALF_BITS


@allocating_kernel
def start_counts(ahead, behind, alive, begun, steps, row, out):
    """In how many layouts a ship begins at each cell of one row, by kind.

    ahead, behind : uint64 (nodes, words, entries), the forward and backward sums of the row
    begun : int32 (n,), the nodes before the last layer to visit
    steps : the steps out of each node
    out : uint64 (width * kinds, words), modified, indexed by code
    Exact when the number of layouts is below 2**(64 words).
    """
    kinds = len(row.shifts)
    words = ahead.shape[1]
    digits = np.zeros((out.shape[0], 2 * words), dtype=np.uint64)
    if words == 1 and ahead.shape[2] == 1:
        before, after = ahead.reshape(-1), behind.reshape(-1)
        starting = np.zeros(len(row.allowed), dtype=np.uint8)
        for code in range(len(row.allowed)):
            starting[code] = row.allowed[code] if code % kinds >= FIRST_SHIP else 0
        for node in begun:
            if alive[node]:
                for e in range(steps.starts[node], steps.starts[node + 1]):
                    code = steps.codes[e]
                    if starting[code] and not steps.waters[e] & row.required:
                        digits[code, 0] += before[node] * after[steps.others[e]]
        for code in range(out.shape[0]):
            out[code, 0] = digits[code, 0]
        return
    for node in begun:
        if alive[node] == 0:
            continue
        for e in range(steps.starts[node], steps.starts[node + 1]):
            code = steps.codes[e]
            kind = code % kinds
            if kind < FIRST_SHIP or not is_open(steps, e, row):
                continue
            target = steps.others[e]
            _dot(ahead[node], behind[target], row.masks[kind], row.shifts[kind], digits[code])
        if words > 1:  # keeps every digit far below 2**64
            for code in range(out.shape[0]):
                for i in range(2 * words):
                    if i + 1 < 2 * words:
                        digits[code, i + 1] += digits[code, i] >> HALF_BITS
                    digits[code, i] &= LOW_HALF
    for code in range(out.shape[0]):
        if words == 1:
            out[code, 0] = digits[code, 0]
            continue
        for w in range(words):
            out[code, w] = digits[code, 2 * w] | digits[code, 2 * w + 1] << HALF_BITS


@kernel
def walk_row(sums, layers, steps, row, at, used, ranks, ships, found):
    """Follow walks through one row, each by its rank among the layouts still ahead of it.

    A step is taken when the rank is below the sum at its end; otherwise that sum is subtracted
    from the rank and the next step is tried.

    sums : the backward sums of the row, exact
    steps : the steps out of each node
    at : int64 (walks,), modified: node of layer 0; on return the number in the last layer
    used : int64 (walks,), modified: the entry of a sum vector that says which ships are used
    ranks : uint64 (walks, words), modified: each below the sum at its node and entry
    ships : int64 (walks, n_ships), modified: codes of the ships met
    found : int64 (walks,), modified: how many of them are written
    """
    kinds = len(row.shifts)
    words = sums.shape[1]
    last = layers[len(layers) - 2]
    for walk in range(len(at)):
        node = at[walk]
        while node < last:
            for e in range(steps.starts[node], steps.starts[node + 1]):
                code = steps.codes[e]
                kind = code % kinds
                if not is_open(steps, e, row) or row.masks[kind, used[walk]] == ZERO:
                    continue
                to = used[walk] + row.shifts[kind]
                target = steps.others[e]
                below = False
                for w in range(words - 1, -1, -1):
                    if ranks[walk, w] != sums[target, w, to]:
                        below = ranks[walk, w] < sums[target, w, to]
                        break
                if below:
                    node = target
                    used[walk] = to
                    if kind >= FIRST_SHIP:
                        ships[walk, found[walk]] = code
                        found[walk] += 1
                    break
                borrow = ZERO
                for w in range(words):
                    before = ranks[walk, w]
                    partly = before - sums[target, w, to]
                    after = partly - borrow
                    borrow = np.uint64(partly > before) | np.uint64(after > partly)
                    ranks[walk, w] = after
        at[walk] = node - last
