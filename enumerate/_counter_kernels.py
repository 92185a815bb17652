"""Kernels of the frontier sweep: its profiles and steps, sums forward and backward, walks.

The sweep visits the cells of a board row by row, ``width`` cells to a row. A *profile* tells, for
every column, what its next cell to be visited must be: a digit 0 free, 1 water, ``k + 1`` (k >= 1)
a cell of a vertical ship of which k cells are still to come; the digits are packed into a uint64
to the base ``longest + 1``. Profiles met before cell ``c`` of a row form layer ``c``; layer
``width`` is layer 0 of the next row, number for number. A *step* leads from a profile to a
profile of a later layer: water on a cell, the next cell of a ship begun above, or a whole ship
beginning here, horizontal ones at once. Where ships may not touch side by side, the cell after a
ship in its row is water and the step passes over it too.

Kinds of steps: 0 water, 1 a ship's next cell, ``2 + 2 * t`` a ship of the t-th length going down
(or of length 1), ``3 + 2 * t`` going right. Profiles of all layers are numbered through, layer by
layer: *rows* of the arrays of sums. A sum vector has one entry for each choice of how many ships
of every length are used, and ``words`` words of 64 bits, least significant first.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate._compile import ONE, ZERO, kernel

NONE, CORNERS, SIDES = 0, 1, 2
FULL, DONE = 1, 0


@kernel
def _slot(slots, keys, key):
    """Slot of ``key`` in an open-addressing table of numbers plus one, or of the gap for it."""
    size = np.uint64(len(slots) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & size
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + ONE) & size
    return slot


@kernel
def _fits(digits, longer):
    """Whether the fleet has the vertical ships that a profile is in the middle of.

    ``longer[k]`` is the number of ships longer than k.
    """
    for k in range(1, len(longer)):
        begun = 0
        for digit in digits:
            if digit > k:
                begun += 1
        if begun > longer[k]:
            return False
    return True


@kernel
def find_profiles(
    width, contact, lengths, ships, strides, homes, keys, counts, slots, steps, n_steps, done
):
    """Every profile of every layer and every step between them, from the empty one.

    Parameters: ``lengths`` int64 ``(types,)``, distinct, longest first, and ``ships`` int64
    ``(types,)`` how many of each; ``strides`` int64 ``(types,)``: 0, or the digits of the ships
    used so far are part of a profile, above those of its columns; ``homes`` int64
    ``(width + 1,)`` the list of profiles that each layer uses (layers may share one); ``keys``
    uint64 ``(lists, room)`` the profiles found, with ``counts`` int64 ``(lists,)``; ``slots``
    int32 ``(lists, 2**k)`` the hash table of each list, numbers plus one; ``steps`` int32
    ``(room, 4)``: number of the source, layer and number of the target, code of the source's
    layer and the kind; ``n_steps`` int64 ``(1,)``; ``done`` int64 ``(width + 1,)`` profiles whose
    steps are known. From ``keys`` on all are modified. The lists of layer 0 and layer ``width``
    must hold the empty profile as number 0. Returns ``DONE``, or ``FULL`` when an array has no
    room left for the steps of another profile: give larger ones holding the same, and call again.
    A key is below ``(longest + 1) ** width`` times the choices of used ships, which must fit in
    63 bits.
    """
    base = np.uint64(lengths[0] + 1)
    power = np.empty(width + 1, dtype=np.int64)
    power[0] = 1
    for c in range(1, width + 1):
        power[c] = power[c - 1] * np.int64(base)
    longer = np.zeros(lengths[0], dtype=np.int64)
    for t in range(len(lengths)):
        longer[: lengths[t]] += ships[t]
    counted = strides[0] > 0
    digits = np.empty(width, dtype=np.int64)
    finished = 0 if contact == SIDES else 1
    beside = 1 if contact == NONE else 0
    most = 2 + 2 * len(lengths)
    half = slots.shape[1] // 2
    while True:
        for c in range(width):
            while done[c] < counts[homes[c]]:
                for home in range(len(counts)):
                    if counts[home] + most > min(keys.shape[1], half):
                        return FULL
                if n_steps[0] + most > steps.shape[0]:
                    return FULL
                source = done[c]
                key = keys[homes[c], source]
                rest = key
                for i in range(width):
                    digits[i] = np.int64(rest % base)
                    rest //= base
                used = np.int64(rest)
                here = digits[c]
                first, last = 0, most
                if here == 1:
                    last = 1
                elif here > 1:
                    first, last = 1, 2
                for kind in range(first, last):
                    if kind == 1 and here <= 1:
                        continue
                    delta = 0
                    to = c + 1
                    if kind == 0:
                        delta = -here * power[c]
                    else:
                        long, down = 1, 0
                        if kind == 1:
                            down = here - 2
                        else:
                            t = (kind - 2) // 2
                            if kind & 1:
                                long = lengths[t]
                                if long == 1:
                                    continue
                            else:
                                down = lengths[t] - 1
                            if counted:
                                if used // strides[t] % (ships[t] + 1) == ships[t]:
                                    continue
                                delta = strides[t] * power[width]
                        end = c + long
                        if end > width:
                            continue
                        free = True
                        for i in range(c + 1, end):
                            free = free and digits[i] == 0
                        if contact != SIDES and end < width:
                            free = free and digits[end] <= 1
                        if not free:
                            continue
                        below = down + 1 if down > 0 else finished
                        for i in range(c, end):
                            delta += (below - digits[i]) * power[i]
                        to = end
                        if contact != SIDES:
                            edge = 1 if down > 0 else beside
                            if c > 0 and edge == 1:
                                delta += (1 - digits[c - 1]) * power[c - 1]
                            if end < width:
                                delta += (edge - digits[end]) * power[end]
                                to = end + 1
                        if kind > 1 and down > 0 and not counted:
                            digits[c] = below
                            fits = _fits(digits, longer)
                            digits[c] = here
                            if not fits:
                                continue
                    after = np.uint64(np.int64(key) + delta)
                    home = homes[to]
                    slot = _slot(slots[home], keys[home], after)
                    if slots[home, slot] == 0:
                        keys[home, counts[home]] = after
                        counts[home] += 1
                        slots[home, slot] = counts[home]
                    step = steps[n_steps[0]]
                    step[0], step[1], step[2] = source, to, slots[home, slot] - 1
                    step[3] = c * most + kind
                    n_steps[0] += 1
                done[c] += 1
        end_of_row = homes[width]
        for i in range(counts[0], counts[end_of_row]):
            keys[0, i] = keys[end_of_row, i]
        counts[0] = counts[end_of_row]
        finished_all = True
        for c in range(width):
            finished_all = finished_all and done[c] == counts[homes[c]]
        if finished_all:
            return DONE


@kernel
def feasible_uses(keys, base, width, lengths, ships):
    """How many (profile, ships used) pairs there are such that the used ships can be those begun.

    ``keys`` uint64 ``(profiles,)`` of one layer, without counts; ``lengths``, ``ships`` as above.
    """
    types = len(lengths)
    begun = np.empty(lengths[0] + 1, dtype=np.int64)
    use = np.empty(types, dtype=np.int64)
    pairs = 0
    for key in keys:
        begun[:] = 0
        rest = key
        for _ in range(width):
            digit = np.int64(rest % base)
            rest //= base
            for k in range(1, digit):
                begun[k] += 1
        use[:] = 0
        while True:
            fine = True
            longer = 0
            t = 0
            for k in range(lengths[0] - 1, 0, -1):
                while t < types and lengths[t] > k:
                    longer += use[t]
                    t += 1
                fine = fine and begun[k] <= longer
            pairs += fine
            t = 0
            while t < types and use[t] == ships[t]:
                use[t] = 0
                t += 1
            if t == types:
                break
            use[t] += 1
    return pairs


@kernel
def sort_steps(rows, others, codes, starts, sorted_others, sorted_codes):
    """Steps sorted by row, stably: fills ``starts`` (int64, one more than rows), and the copies."""
    for row in rows:
        starts[row + 1] += 1
    for row in range(len(starts) - 1):
        starts[row + 1] += starts[row]
    at = starts[:-1].copy()
    for i in range(len(rows)):
        sorted_others[at[rows[i]]] = others[i]
        sorted_codes[at[rows[i]]] = codes[i]
        at[rows[i]] += 1


@kernel
def rehash(keys, counts, slots):
    """Fill empty hash tables with the profiles found: see ``find_profiles``."""
    for home in range(keys.shape[0]):
        for i in range(counts[home]):
            slot = _slot(slots[home], keys[home], keys[home, i])
            slots[home, slot] = i + 1


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
def forward_row(sums, alive, reached, starts, sources, codes, allowed, shifts, masks):
    """Sums of all layers of one row from those of layer 0: in how many ways a profile is reached.

    Parameters: ``reached`` int32, the rows after layer 0 that may be reached, in increasing order
    of their layers; ``sums`` uint64 ``(rows, words, entries)`` and ``alive`` uint8 ``(rows,)``,
    layer 0 given, the others written (entries of dead rows are left as they were); ``starts``
    int64 ``(rows + 1,)``, ``sources`` int32, ``codes`` int32: the steps into each row, a code
    being ``layer * kinds + kind`` of the source; ``allowed`` uint8 by code; ``shifts`` int64 and
    ``masks`` uint64 ``(kinds, entries)`` by kind, see ``_add``. Sums are modulo 2**(64 words).
    """
    kinds = len(shifts)
    if sums.shape[1] == 1 and sums.shape[2] == 1:  # the same, of single numbers
        single = sums.reshape(-1)
        for row in reached:
            number, met = ZERO, 0
            for e in range(starts[row], starts[row + 1]):
                if allowed[codes[e]] & alive[sources[e]]:
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
            if allowed[codes[e]] == 0 or alive[sources[e]] == 0:
                continue
            if not met:
                total[:] = ZERO
                met = True
            kind = codes[e] % kinds
            _add(total, sums[sources[e]], masks[kind], shifts[kind])
        alive[row] = met


@kernel
def forward_ring(sums, alive, places, first, stop, starts, sources, codes, allowed, shifts, masks):
    """As ``forward_row`` for the rows from ``first`` to ``stop``, where sums share their memory.

    ``places`` int32 ``(rows,)`` gives where the sums of each row are kept: layers far enough
    apart use the same places, because no step leads past all of those between.
    """
    kinds = len(shifts)
    for row in range(first, stop):
        total = sums[places[row]]
        met = False
        for e in range(starts[row], starts[row + 1]):
            if allowed[codes[e]] == 0 or alive[sources[e]] == 0:
                continue
            if not met:
                total[:] = ZERO
                met = True
            kind = codes[e] % kinds
            _add(total, sums[places[sources[e]]], masks[kind], shifts[kind])
        alive[row] = met


@kernel
def reach_row(alive, layers, starts, targets, codes, allowed, listed, counts):
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
                if allowed[codes[e]] != 0 and alive[target] == 0:
                    alive[target] = 1
                    to = c + 1
                    while target >= layers[to + 1]:
                        to += 1
                    listed[layers[to] + counts[to]] = target
                    counts[to] += 1


@kernel
def backward_row(sums, alive, begun, starts, targets, codes, allowed, shifts, masks):
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
                    if allowed[codes[e]]:
                        number += single[targets[e]]
                single[row] = number
        return
    for row in begun[::-1]:
        if alive[row] == 0:
            continue
        total = sums[row]
        total[:] = ZERO
        for e in range(starts[row], starts[row + 1]):
            if allowed[codes[e]]:
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


@kernel
def start_counts(ahead, behind, alive, begun, starts, targets, codes, allowed, shifts, masks, out):
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
                    if starting[codes[e]]:
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
            if kind < 2 or allowed[code] == 0:
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
    sums, layers, starts, targets, codes, allowed, shifts, masks, rows, used, left, ships, found
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
                if allowed[code] == 0 or masks[kind, used[walk]] == ZERO:
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
