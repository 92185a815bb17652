"""Kernels that add along the steps of a frontier sweep: sums forward and backward, and walks.

Profiles, layers, steps and their kinds are those of ``_profile_kernels``. The profiles of all
layers are numbered consecutively, layer by layer; a profile of a layer is called a *node* here, as
in a graph whose edges are the steps. A *sum vector* has one entry for each choice of how many
ships of every length are used, and ``words`` words of 64 bits each, least significant first.

Arrays that several kernels take, none of them modified unless a kernel says so:

``sums``
    uint64 ``(nodes, words, entries)``: the sum vector of each node.
``reached``
    ``Reached``: the nodes reached in one row of the board.
``steps``
    ``Steps``: the steps out of each node.
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

from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.kernels import ZERO, inner_kernel, kernel

LOW_HALF = np.uint64(0xFFFFFFFF)
HALF_BITS = np.uint64(32)

FEW = 8
"""Where fewer than one node of a layer in this many is reached, only those on the list are seen."""


class Steps(NamedTuple):
    """The steps of one row of a sweep, sorted by their first node, in CSR form.

    Attributes
    ----------
    starts
        int64 ``(nodes + 1,)``: the steps of node v are ``starts[v]`` to ``starts[v + 1] - 1``.
    others
        int32 ``(steps,)``: the node that the step leads to.
    codes
        int32 ``(steps,)``: column times kinds plus kind.
    classes
        uint16 or uint32 ``(steps,)``: the class of the step; those of a class have the same code
        and make the same cells water.
    """

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    codes: NDArray[np.int32]
    classes: NDArray[Any]


class Reached(NamedTuple):
    """The nodes reached in one row of the board.

    Attributes
    ----------
    alive
        uint8 ``(nodes,)``: 1 where a node is reached.
    listed
        int32 ``(nodes,)``: the nodes reached in each layer, from that layer's first place on; where
        they are many (``is_dense``), perhaps not.
    counts
        int64 ``(width + 1,)``: how many they are.
    """

    alive: NDArray[np.uint8]
    listed: NDArray[np.int32]
    counts: NDArray[np.int64]


class RowRules(NamedTuple):
    """What one row of the board allows, and how steps move the entries of a sum vector.

    Attributes
    ----------
    opened
        uint8 ``(classes,)``: 1 where the steps of a class are open.
    shifts
        int64 ``(kinds,)``: by how many entries a step of this kind moves a vector up.
    masks
        uint64 ``(kinds, entries)``: all ones where the entry may be moved, 0 elsewhere.
    """

    opened: NDArray[np.uint8]
    shifts: NDArray[np.int64]
    masks: NDArray[np.uint64]


@kernel
def is_open(steps, e, row):
    """Whether step number ``e`` is open in a row of the board."""
    return row.opened[steps.classes[e]] != 0


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


@inner_kernel
def is_dense(reached, layers, c):
    """Whether so many nodes of layer ``c`` are reached that they are visited in their own order.

    Nodes that lie close together then are visited together, which is faster; else the list is.
    """
    return reached.counts[c] * FEW > layers[c + 1] - layers[c]


@kernel
def note(reached, layers, c, node):
    """Note that a node is reached by a step from layer ``c``; ``reached`` is modified."""
    reached.alive[node] = 1
    to = c + 1
    while node >= layers[to + 1]:
        to += 1
    reached.listed[layers[to] + reached.counts[to]] = node
    reached.counts[to] += 1


@kernel
def forget(reached, layers):
    """Strike off all nodes; ``reached`` is modified."""
    for c in range(len(reached.counts)):
        if is_dense(reached, layers, c):  # then they need not be listed
            reached.alive[layers[c] : layers[c + 1]] = 0
        else:
            for i in range(layers[c], layers[c] + reached.counts[c]):
                reached.alive[reached.listed[i]] = 0
        reached.counts[c] = 0


@inner_kernel
def _forward_singly(single, reached, layers, steps, row):
    """``forward_row`` of single numbers where many nodes are reached: none is listed on the way.

    single : uint64 (nodes,)
    """
    for node in range(layers[len(layers) - 2]):
        if reached.alive[node] == 0:
            continue
        number = single[node]
        for e in range(steps.starts[node], steps.starts[node + 1]):
            if is_open(steps, e, row):
                target = steps.others[e]
                if reached.alive[target]:
                    single[target] += number
                else:
                    reached.alive[target] = 1
                    single[target] = number
    list_nodes(reached, layers)


@inner_kernel
def list_nodes(reached, layers):
    """Count the nodes reached in every layer, and list them where they are few.

    reached : modified; given as far as ``alive``
    """
    for c in range(len(reached.counts)):
        count = 0
        for node in range(layers[c], layers[c + 1]):
            count += reached.alive[node]
        reached.counts[c] = count
        if not is_dense(reached, layers, c):
            at = layers[c]
            for node in range(layers[c], layers[c + 1]):
                if reached.alive[node]:
                    reached.listed[at] = node
                    at += 1


@kernel
def forward_row(sums, reached, layers, steps, row):
    """Sums of all layers of one row from those of layer 0: in how many ways a node is reached.

    sums : given for the nodes of layer 0 that are reached, written for the others reached
    reached : modified; given for layer 0, filled for the other layers
    Sums are modulo 2**(64 words).
    """
    kinds = len(row.shifts)
    single = sums.reshape(-1)
    is_single = sums.shape[1] == 1 and sums.shape[2] == 1
    if is_single and is_dense(reached, layers, 0):
        _forward_singly(single, reached, layers, steps, row)
        return
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
                        target = steps.others[e]
                        if reached.alive[target]:
                            single[target] += number
                        else:
                            note(reached, layers, c, target)
                            single[target] = number
                continue
            for e in range(first, stop):
                if is_open(steps, e, row):
                    target = steps.others[e]
                    if reached.alive[target] == 0:
                        note(reached, layers, c, target)
                        sums[target][:] = ZERO
                    kind = steps.codes[e] % kinds
                    _add(sums[target], sums[node], row.masks[kind], row.shifts[kind], 0)


@kernel
def reach_row(reached, layers, steps, row):
    """The nodes of one row that are reached from those of layer 0; ``forward_row`` without sums.

    reached : modified; given for layer 0, filled for the other layers
    """
    for c in range(len(layers) - 2):
        for i in range(layers[c], layers[c] + reached.counts[c]):
            node = reached.listed[i]
            for e in range(steps.starts[node], steps.starts[node + 1]):
                if reached.alive[steps.others[e]] == 0 and is_open(steps, e, row):
                    note(reached, layers, c, steps.others[e])


@inner_kernel
def _dot(ahead, behind, mask, shift, digits):
    """Add the scalar product of two sum vectors to a number.

    ahead, behind : uint64 (words, entries), entry u of the first times entry u + shift of the
        second
    mask : uint64 (entries,), 0 where entry u is left out
    digits : uint64 (2 * words,), modified: the number to the base 2**32, not normalised; with one
        word the product modulo 2**64 is added to digits[0] itself
    A call adds less than 2**34 * words * entries to a digit; ``_carry`` is called before a digit
    can reach 2**64.
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


@inner_kernel
def _carry(digits, words):
    """Bring every digit of a number to the base 2**32 below 2**32.

    digits : uint64 (2 * words,), modified; left as it is with one word
    """
    if words > 1:
        for i in range(2 * words):
            if i + 1 < 2 * words:
                digits[i + 1] += digits[i] >> HALF_BITS
            digits[i] &= LOW_HALF


@inner_kernel
def _backward_singly(single, reached, layers, steps, row, before, starts):
    """``backward_row`` of single numbers where many nodes are reached.

    single, before : uint64 (nodes,), sums and forward sums
    """
    for node in range(layers[len(layers) - 2] - 1, -1, -1):
        if reached.alive[node] == 0:
            continue
        number, ways = ZERO, before[node]
        for e in range(steps.starts[node], steps.starts[node + 1]):
            if is_open(steps, e, row):
                rest = single[steps.others[e]]
                number += rest
                starts[steps.codes[e], 0] += ways * rest
        single[node] = number


@kernel
def backward_row(sums, reached, layers, steps, row, ahead, starts):
    """Sums of all layers of one row from those of the last: in how many ways a fleet is completed.

    sums : given for the nodes of the last layer that are reached, written for the others reached;
        entry u of a node counts the completions when the ships of choice u are used so far
    ahead : uint64 (nodes, words, entries), the forward sums of the row, if starts are wanted
    starts : uint64 (width * kinds, 2 * words), modified: in how many layouts a ship begins with
        each code is added, as digits to the base 2**32, with one word the number itself modulo
        2**64 in the first column; of length 0 if starts are not wanted
    Sums are modulo 2**(64 words); starts are exact when there are fewer layouts than that.
    """
    kinds = len(row.shifts)
    single, before = sums.reshape(-1), ahead.reshape(-1)
    is_single = sums.shape[1] == 1 and sums.shape[2] == 1
    wanted = len(starts) > 0
    if is_single and wanted and is_dense(reached, layers, 0):
        _backward_singly(single, reached, layers, steps, row, before, starts)
        return
    for c in range(len(layers) - 3, -1, -1):
        dense = is_dense(reached, layers, c)
        for i in range(layers[c + 1] - layers[c] if dense else reached.counts[c]):
            node = layers[c] + i
            if not dense:
                node = np.int64(reached.listed[node])
            elif reached.alive[node] == 0:
                continue
            first, stop = steps.starts[node], steps.starts[node + 1]
            if is_single:
                number = ZERO
                for e in range(first, stop):
                    if is_open(steps, e, row):
                        rest = single[steps.others[e]]
                        number += rest
                        if wanted:  # for steps that begin no ship too, which is faster
                            starts[steps.codes[e], 0] += before[node] * rest
                single[node] = number
                continue
            sums[node][:] = ZERO
            for e in range(first, stop):
                if is_open(steps, e, row):
                    code, rest = steps.codes[e], sums[steps.others[e]]
                    kind = code % kinds
                    _add(sums[node], rest, row.masks[kind], 0, row.shifts[kind])
                    if wanted and kind >= FIRST_SHIP:
                        _dot(ahead[node], rest, row.masks[kind], row.shifts[kind], starts[code])
                        _carry(starts[code], sums.shape[1])


@kernel
def walk_row(sums, layers, steps, row, at, used, ranks, ships, found):
    """Follow walks through one row, each by its rank among the layouts still ahead of it.

    A step is taken when the rank is below the sum at its end; otherwise that sum is subtracted
    from the rank and the next step is tried.

    sums : the backward sums of the row, exact
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
