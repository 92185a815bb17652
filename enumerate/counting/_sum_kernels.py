"""Kernels that add along the steps of a frontier sweep: sums forward and backward, and walks.

Profiles, layers, steps and their kinds are those of ``_profile_kernels``. The profiles of all
layers are numbered through, layer by layer: *rows* of the arrays of sums. A sum vector has one
entry for each choice of how many ships of every length are used, and ``words`` words of 64 bits,
least significant first.

A step is open when the ship that begins it, if any, is ``allowed`` to lie there (uint8 by code),
and none of the cells that it makes water (``waters`` uint16, masks of columns) is ``required`` to
be occupied (an integer mask of the columns of the row that is swept).
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ZERO, allocating_kernel, kernel


@kernel
def _add(total, share, mask, shift):
    """Add a vector to another, its entries moved up by ``shift``; arithmetic modulo 2**(64 words).

    ``total``, ``share``: uint64 ``(words, entries)``, the first modified; ``mask`` uint64
    ``(entries,)``, all ones where the entry may be moved and 0 elsewhere.
    """
    words, entries = total.shape
    if words == 1:
        into, add = total[0, shift:], share[0]
        for u in range(entries - shift):
            into[u] += add[u] & mask[u]
        return
    if words == 2:
        low, high = total[0, shift:], total[1, shift:]
        for u in range(entries - shift):
            part = share[0, u] & mask[u]
            after = low[u] + part
            high[u] += (share[1, u] & mask[u]) + np.uint64(after < part)
            low[u] = after
        return
    for u in range(entries - shift):
        if mask[u] == ZERO:
            continue
        carry = ZERO
        for w in range(words):
            before = total[w, u + shift]
            partly = before + share[w, u]
            after = partly + carry
            carry = np.uint64(partly < before) | np.uint64(after < partly)
            total[w, u + shift] = after


@kernel
def _take(total, share, mask, shift):
    """Add to a vector another one moved down by ``shift``: the reverse of ``_add``."""
    words, entries = total.shape
    if words == 1:
        into, add = total[0], share[0, shift:]
        for u in range(entries - shift):
            into[u] += add[u] & mask[u]
        return
    if words == 2:
        low, high = share[0, shift:], share[1, shift:]
        for u in range(entries - shift):
            part = low[u] & mask[u]
            after = total[0, u] + part
            total[1, u] += (high[u] & mask[u]) + np.uint64(after < part)
            total[0, u] = after
        return
    for u in range(entries - shift):
        if mask[u] == ZERO:
            continue
        carry = ZERO
        for w in range(words):
            before = total[w, u]
            partly = before + share[w, u + shift]
            after = partly + carry
            carry = np.uint64(partly < before) | np.uint64(after < partly)
            total[w, u] = after


@kernel
def forward_row(
    sums, alive, reached, starts, sources, codes, waters, allowed, required, shifts, masks
):
    """Sums of all layers of one row from those of layer 0: in how many ways a profile is reached.

    Parameters: ``reached`` int32, the rows after layer 0 that may be reached, in increasing order
    of their layers; ``sums`` uint64 ``(rows, words, entries)`` and ``alive`` uint8 ``(rows,)``,
    layer 0 given, the others written (entries of dead rows are left as they were); ``starts``
    int64 ``(rows + 1,)``, ``sources`` int32, ``codes`` int32 and ``waters``: the steps into each
    row; ``shifts`` int64 and ``masks`` uint64 ``(kinds, entries)`` by kind, see ``_add``. Sums
    are modulo 2**(64 words).
    """
    kinds = len(shifts)
    if sums.shape[1] == 1 and sums.shape[2] == 1:  # the same, of single numbers
        single = sums.reshape(-1)
        for row in reached:
            number, met = ZERO, 0
            for e in range(starts[row], starts[row + 1]):
                if alive[sources[e]] and allowed[codes[e]] and not waters[e] & required:
                    number += single[sources[e]]
                    met = 1
            alive[row] = met
            if met:
                single[row] = number
        return
    for row in reached:
        total = sums[row]
        met = False
        for e in range(starts[row], starts[row + 1]):
            if alive[sources[e]] == 0 or allowed[codes[e]] == 0 or waters[e] & required:
                continue
            if not met:
                total[:] = ZERO
                met = True
            kind = codes[e] % kinds
            _add(total, sums[sources[e]], masks[kind], shifts[kind])
        alive[row] = met


@kernel
def reach_row(alive, layers, starts, targets, codes, waters, allowed, required, listed, counts):
    """Rows that are reached from those of layer 0 that are ``alive``.

    Parameters: the steps out of each row; ``alive`` uint8 ``(rows,)``, 0 after layer 0, set where
    reached; ``listed`` int32 ``(rows,)``, for each layer the rows reached, from the layer's first
    place on, with ``counts`` int64 ``(width + 1,)``, given for layer 0. Last three modified.
    """
    width = len(layers) - 2
    for c in range(width):
        for i in range(layers[c], layers[c] + counts[c]):
            row = listed[i]
            for e in range(starts[row], starts[row + 1]):
                target = targets[e]
                if alive[target] == 0 and allowed[codes[e]] and not waters[e] & required:
                    alive[target] = 1
                    to = c + 1
                    while target >= layers[to + 1]:
                        to += 1
                    listed[layers[to] + counts[to]] = target
                    counts[to] += 1


@kernel
def backward_row(
    sums, alive, begun, starts, targets, codes, waters, allowed, required, shifts, masks
):
    """Sums of all layers of one row from those of the last: in how many ways a fleet is completed.

    As ``forward_row``, with the steps out of each row; the last layer is given. Entry u of a row
    counts completions when u is used so far. Only rows that are ``alive`` are written, and only
    those of ``begun``: int32, rows before the last layer in increasing order of their layers.
    """
    kinds = len(shifts)
    if sums.shape[1] == 1 and sums.shape[2] == 1:
        single = sums.reshape(-1)
        for row in begun[::-1]:
            if alive[row]:
                number = ZERO
                for e in range(starts[row], starts[row + 1]):
                    if allowed[codes[e]] and not waters[e] & required:
                        number += single[targets[e]]
                single[row] = number
        return
    for row in begun[::-1]:
        if alive[row] == 0:
            continue
        total = sums[row]
        total[:] = ZERO
        for e in range(starts[row], starts[row + 1]):
            if allowed[codes[e]] and not waters[e] & required:
                kind = codes[e] % kinds
                _take(total, sums[targets[e]], masks[kind], shifts[kind])


@kernel
def _dot(ahead, behind, mask, shift, digits):
    """Add the product of two vectors to ``digits``: uint64, base 2**32, not normalised.

    ``ahead``, ``behind`` uint64 ``(words, entries)``: entry u of the first with entry u + shift
    of the second. With one word the product modulo 2**64 is added to ``digits[0]`` itself.
    """
    words, entries = ahead.shape
    if words == 1:
        one, two = ahead[0], behind[0, shift:]
        total = ZERO
        for u in range(entries - shift):
            total += (one[u] & mask[u]) * two[u]
        digits[0] += total
        return
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    for u in range(entries - shift):
        if mask[u] == ZERO:
            continue
        for i in range(2 * words):
            a = ahead[i // 2, u] >> half if i & 1 else ahead[i // 2, u] & low
            if a == ZERO:
                continue
            for j in range(2 * words - i):
                b = behind[j // 2, u + shift]
                b = b >> half if j & 1 else b & low
                product = a * b
                digits[i + j] += product & low
                if i + j + 1 < len(digits):
                    digits[i + j + 1] += product >> half


@allocating_kernel
def start_counts(
    ahead,
    behind,
    alive,
    begun,
    starts,
    targets,
    codes,
    waters,
    allowed,
    required,
    shifts,
    masks,
    out,
):
    """In how many layouts a ship begins at each cell of one row, by kind.

    ``ahead`` and ``behind`` are the forward and backward sums of the row's layers; the rest as in
    ``backward_row``. Writes ``out``, uint64 ``(width * kinds, words)``, indexed by code. Exact
    when the number of layouts is below 2**(64 words).
    """
    kinds = len(shifts)
    words = ahead.shape[1]
    digits = np.zeros((out.shape[0], 2 * words), dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    if words == 1 and ahead.shape[2] == 1:
        before, after = ahead.reshape(-1), behind.reshape(-1)
        starting = np.zeros(len(allowed), dtype=np.uint8)
        for code in range(len(allowed)):
            starting[code] = allowed[code] if code % kinds > 1 else 0
        for row in begun:
            if alive[row]:
                for e in range(starts[row], starts[row + 1]):
                    if starting[codes[e]] and not waters[e] & required:
                        digits[codes[e], 0] += before[row] * after[targets[e]]
        for code in range(out.shape[0]):
            out[code, 0] = digits[code, 0]
        return
    for row in begun:
        if alive[row] == 0:
            continue
        for e in range(starts[row], starts[row + 1]):
            code = codes[e]
            kind = code % kinds
            if kind < 2 or allowed[code] == 0 or waters[e] & required:
                continue
            _dot(ahead[row], behind[targets[e]], masks[kind], shifts[kind], digits[code])
        if words > 1:  # keeps every digit far below 2**64
            for code in range(out.shape[0]):
                for i in range(2 * words):
                    if i + 1 < 2 * words:
                        digits[code, i + 1] += digits[code, i] >> half
                    digits[code, i] &= low
    for code in range(out.shape[0]):
        if words == 1:
            out[code, 0] = digits[code, 0]
            continue
        for w in range(words):
            out[code, w] = digits[code, 2 * w] | digits[code, 2 * w + 1] << half


@kernel
def walk_row(
    sums,
    layers,
    starts,
    targets,
    codes,
    waters,
    allowed,
    required,
    shifts,
    masks,
    rows,
    used,
    left,
    ships,
    found,
):
    """Follow walks through one row, each by the rank it has among the layouts still ahead of it.

    ``sums`` are the backward sums of the row's layers, exact. For each walk, ``rows`` int64 holds
    its row (in layer 0, at the end the number in the last layer), ``used`` int64 the entry,
    ``left`` uint64 ``(walks, words)`` its rank, below the sum at its row, ``ships`` int64
    ``(walks, ships)`` the codes of the ships it met (written from ``found[walk]``, int64,
    on). All five are modified. A step is taken when the rank is below its sum, else the sum is
    taken off the rank.
    """
    kinds = len(shifts)
    words = sums.shape[1]
    for walk in range(len(rows)):
        row = rows[walk]
        while row < layers[-2]:
            for e in range(starts[row], starts[row + 1]):
                code = codes[e]
                kind = code % kinds
                if allowed[code] == 0 or waters[e] & required or masks[kind, used[walk]] == ZERO:
                    continue
                to = used[walk] + shifts[kind]
                target = targets[e]
                below = False
                for w in range(words - 1, -1, -1):
                    if left[walk, w] != sums[target, w, to]:
                        below = left[walk, w] < sums[target, w, to]
                        break
                if below:
                    row = target
                    used[walk] = to
                    if kind >= 2:
                        ships[walk, found[walk]] = code
                        found[walk] += 1
                    break
                borrow = ZERO
                for w in range(words):
                    before = left[walk, w]
                    partly = before - sums[target, w, to]
                    after = partly - borrow
                    borrow = np.uint64(partly > before) | np.uint64(after > partly)
                    left[walk, w] = after
        rows[walk] = row - layers[-2]
