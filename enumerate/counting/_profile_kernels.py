"""Kernels that find the profiles of a frontier sweep and the steps between them.

The sweep visits the cells of a board row by row, ``width`` cells to a row. A *profile* tells, for
every column, what its next cell to be visited must be: a digit 0 free, 1 water, ``k + 1`` (k >= 1)
a cell of a vertical ship of which k cells are still to come; the digits are packed into a uint64
to the base ``longest + 1``. Profiles met before cell ``c`` of a row form layer ``c``; layer
``width`` is layer 0 of the next row, number for number. A *step* leads from a profile to a
profile of a later layer: water on a cell, the next cell of a ship begun above, or a whole ship
beginning here, horizontal ones at once. Where ships may not touch side by side, the cell after a
ship in its row is water and the step passes over it too.

Kinds of steps: 0 water, 1 a ship's next cell, ``2 + 2 * t`` a ship of the t-th length going down
(or of length 1), ``3 + 2 * t`` going right. The *code* of a step is ``column * kinds + kind``.

Most profiles within a row leave no choice: one step leads on from them, and no ship begins with it.
``join_steps`` leaves them out, and joins the steps that lead to them with the one that leads on.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, allocating_kernel, kernel

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


@allocating_kernel
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
                here = np.int64(key // np.uint64(power[c]) % base)
                used = 0
                if here == 0:
                    rest = key
                    for i in range(width):
                        digits[i] = np.int64(rest % base)
                        rest //= base
                    used = np.int64(rest)
                else:  # one step, which looks at the next columns only; divisions take time
                    for i in range(max(c - 1, 0), min(c + 2, width)):
                        digits[i] = np.int64(key // np.uint64(power[i]) % base)
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


@allocating_kernel
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


@allocating_kernel
def join_steps(layers, order, steps, kinds, water, number, sources, targets, codes, waters):
    """Leave out the profiles within a row of the board that leave no choice.

    Rows are the profiles of all layers, numbered through. Parameters: ``layers`` int64
    ``(width + 2,)``, first row of each layer and the end; ``order`` int64 ``(rows,)``, the rows
    in the order in which they are to be numbered; ``steps`` as ``find_profiles`` gives them;
    ``water`` uint16 by code, the mask of the columns whose cells a step makes water. Fills
    ``number`` int32 ``(rows,)``, the new number of each row or -1 if it is left out, and for each
    step that is left, in the same order, ``sources``, ``targets`` (new numbers) and ``codes``,
    int32, and ``waters`` uint16. Returns how many are left.
    """
    rows = len(number)
    count = np.zeros(rows, dtype=np.int32)
    only = np.empty(rows, dtype=np.int32)
    for e in range(len(steps)):
        row = layers[steps[e, 3] // kinds] + steps[e, 0]
        count[row] += 1
        only[row] = e
    onto = np.arange(rows).astype(np.int32)
    follows = np.zeros(rows, dtype=np.uint16)
    for row in range(layers[len(layers) - 2] - 1, layers[1] - 1, -1):
        e = only[row]
        if count[row] == 1 and steps[e, 3] % kinds < 2:
            target = layers[steps[e, 1]] + steps[e, 2]
            onto[row] = onto[target]
            follows[row] = water[steps[e, 3]] | follows[target]
    left = 0
    for row in order:
        number[row] = -1
        if onto[row] == row:
            number[row] = left
            left += 1
    left = 0
    for e in range(len(steps)):
        code = steps[e, 3]
        source = number[layers[code // kinds] + steps[e, 0]]
        if source >= 0:
            target = layers[steps[e, 1]] + steps[e, 2]
            sources[left], targets[left], codes[left] = source, number[onto[target]], code
            waters[left] = water[code] | follows[target]
            left += 1
    return left


@allocating_kernel
def sort_steps(rows, others, codes, waters, starts, sorted_others, sorted_codes, sorted_waters):
    """Steps sorted by row, stably: fills ``starts`` (int64, one more than rows), and the copies."""
    for row in rows:
        starts[row + 1] += 1
    for row in range(len(starts) - 1):
        starts[row + 1] += starts[row]
    at = starts[:-1].copy()
    for i in range(len(rows)):
        to = at[rows[i]]
        sorted_others[to], sorted_codes[to], sorted_waters[to] = others[i], codes[i], waters[i]
        at[rows[i]] += 1


@kernel
def rehash(keys, counts, slots):
    """Fill empty hash tables with the profiles found: see ``find_profiles``."""
    for home in range(keys.shape[0]):
        for i in range(counts[home]):
            slot = _slot(slots[home], keys[home], keys[home, i])
            slots[home, slot] = i + 1
