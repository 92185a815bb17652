"""Kernels that find the profiles of a frontier sweep and the steps between them.

The sweep visits the cells of a board row by row, ``width`` cells to a row. A *profile* records, for
every column, what its next cell to be visited must be: a digit 0 free, 1 water, ``k + 1`` (k >= 1)
a cell of a vertical ship of which k cells are still to come; the digits are packed into a uint64
to the base ``longest + 1``. Profiles met before cell ``c`` of a row form layer ``c``; layer
``width`` is layer 0 of the next row, number for number. A *step* leads from a profile to a
profile of a later layer: water on a cell, the next cell of a ship begun above, or a whole ship
beginning here, horizontal ones at once. Where ships may not touch side by side, the cell after a
ship in its row is water and the step passes over it too.

Kinds of steps: ``WATER``; ``NEXT_CELL``, the next cell of a ship begun above; from ``FIRST_SHIP``
on whole ships, two kinds for the t-th length: ``FIRST_SHIP + 2 * t`` going down (or of length 1),
``FIRST_SHIP + 2 * t + 1`` going right. There are ``kinds = FIRST_SHIP + 2 * types`` of them. The
*code* of a step is ``column * kinds + kind``.

Most profiles within a row leave no choice: one step leads on from them, and no ship begins with it.
``join_steps`` leaves them out, and joins the steps that lead to them with the one that leads on.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, allocating_kernel, inner_kernel, kernel

NONE, CORNERS, SIDES = 0, 1, 2
"""Contact rules."""

FULL, DONE = 1, 0
"""What ``find_profiles`` returns."""

WATER, NEXT_CELL, FIRST_SHIP = 0, 1, 2
"""Kinds of steps."""

SOURCE, LAYER, TARGET, CODE = 0, 1, 2, 3
"""Columns of the table of steps: number of the source in its layer, layer of the target, number
of the target in it, code (whose column is the source's layer)."""

STEP_COLUMNS = 4

FREE, BLOCKED = 0, 1
"""Digits of a profile; a greater digit d is a ship of which d - 1 cells are still to come."""


@inner_kernel
def _slot(slots, keys, key):
    """Slot of a profile in an open-addressing hash table, or of the gap where it belongs.

    slots : int32 (2**k,), numbers plus one, 0 in gaps, of which there is at least one
    keys : uint64 (n,), the profiles by number; key : uint64
    """
    size = np.uint64(len(slots) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & size
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + ONE) & size
    return slot


@kernel
def _fits(digits, longer):
    """Whether the fleet has the vertical ships that a profile is in the middle of.

    digits : int64 (width,), of the profile; longer : int64 (longest,), ships longer than k cells
    """
    for k in range(1, len(longer)):
        begun = 0
        for digit in digits:
            if digit > k:
                begun += 1
        if begun > longer[k]:
            return False
    return True


@inner_kernel
def _lead(kind, c, here, used, digits, power, lengths, ships, strides, longer, contact):
    """Layer to which a step from a cell leads, and what it adds to the key; -1 if there is none.

    kind : int64, kind of the step; c : the cell's column; here : its digit
    used : int64, digits of the ships used so far, where they are part of a profile
    digits : int64 (width,), of the profile, modified and restored
    power : int64 (width + 1,), powers of the base of keys
    lengths, ships, strides : int64 (types,), as in ``find_profiles``
    longer : int64 (longest,), ships longer than k cells; contact : the rule
    """
    width, counted = len(digits), strides[0] > 0
    if kind == WATER:
        return c + 1, -here * power[c]
    long, down, delta = 1, 0, 0
    if kind == NEXT_CELL:
        if here <= BLOCKED:
            return -1, 0
        down = here - 2
    else:
        t = (kind - FIRST_SHIP) // 2
        if (kind - FIRST_SHIP) & 1:
            long = lengths[t]
            if long == 1:
                return -1, 0
        else:
            down = lengths[t] - 1
        if counted:
            if used // strides[t] % (ships[t] + 1) == ships[t]:
                return -1, 0
            delta = strides[t] * power[width]
    end = c + long
    free = end <= width
    for i in range(c + 1, min(end, width)):
        free = free and digits[i] == FREE
    if contact != SIDES and end < width:
        free = free and digits[end] <= BLOCKED
    if not free:
        return -1, 0
    below = FREE if contact == SIDES else BLOCKED
    if down > 0:
        below = down + 1
    if kind >= FIRST_SHIP and down > 0 and not counted:
        digits[c] = below
        fits = _fits(digits, longer)
        digits[c] = here
        if not fits:
            return -1, 0
    for i in range(c, end):
        delta += (below - digits[i]) * power[i]
    to = end
    if contact != SIDES:
        edge = BLOCKED if down > 0 or contact == NONE else FREE
        if c > 0 and edge == BLOCKED:
            delta += (BLOCKED - digits[c - 1]) * power[c - 1]
        if end < width:
            delta += (edge - digits[end]) * power[end]
            to = end + 1
    return to, delta


@allocating_kernel
def find_profiles(
    width, contact, lengths, ships, strides, homes, keys, counts, slots, steps, n_steps, done
):
    """Every profile of every layer and every step between them, from the empty one.

    width : cells in a row; contact : ``NONE``, ``CORNERS`` or ``SIDES``
    lengths, ships : int64 (types,), distinct lengths, longest first, and how many ships of each
    strides : int64 (types,), 0, or the digits of the ships used so far are part of a profile,
        above those of its columns
    homes : int64 (width + 1,), the list of profiles that each layer uses (layers may share one)
    keys : uint64 (lists, capacity), modified: the profiles found
    counts : int64 (lists,), modified: how many they are
    slots : int32 (lists, 2**k), modified: the hash table of each list, see ``_slot``
    steps : int32 (capacity, STEP_COLUMNS), modified: the steps found, one a row
    n_steps : int64 (1,), modified: how many they are
    done : int64 (width + 1,), modified: how many profiles of each layer have all their steps

    The lists of layer 0 and layer ``width`` must hold the empty profile as number 0. Returns
    ``DONE``, or ``FULL`` when an array cannot take the steps of another profile: copy everything
    to larger ones and call again. A key is below ``(longest + 1) ** width`` times the number of
    choices of used ships, which the caller keeps below 2**63.
    """
    base = np.uint64(lengths[0] + 1)
    power = np.empty(width + 1, dtype=np.int64)
    power[0] = 1
    for c in range(1, width + 1):
        power[c] = power[c - 1] * np.int64(base)
    longer = np.zeros(lengths[0], dtype=np.int64)
    for t in range(len(lengths)):
        longer[: lengths[t]] += ships[t]
    digits = np.empty(width, dtype=np.int64)
    kinds = FIRST_SHIP + 2 * len(lengths)
    half = slots.shape[1] // 2
    while True:
        for c in range(width):
            while done[c] < counts[homes[c]]:
                for home in range(len(counts)):
                    if counts[home] + kinds > min(keys.shape[1], half):
                        return FULL
                if n_steps[0] + kinds > steps.shape[0]:
                    return FULL
                source = done[c]
                key = keys[homes[c], source]
                here = np.int64(key // np.uint64(power[c]) % base)
                used = 0
                if here == FREE:
                    rest = key
                    for i in range(width):
                        digits[i] = np.int64(rest % base)
                        rest //= base
                    used = np.int64(rest)
                else:  # one step, which looks at the next columns only; divisions take time
                    for i in range(max(c - 1, 0), min(c + 2, width)):
                        digits[i] = np.int64(key // np.uint64(power[i]) % base)
                first, last = WATER, kinds
                if here == BLOCKED:
                    last = NEXT_CELL
                elif here > BLOCKED:
                    first, last = NEXT_CELL, FIRST_SHIP
                for kind in range(first, last):
                    to, delta = _lead(
                        kind, c, here, used, digits, power, lengths, ships, strides, longer, contact
                    )
                    if to < 0:
                        continue
                    after = np.uint64(np.int64(key) + delta)
                    home = homes[to]
                    slot = _slot(slots[home], keys[home], after)
                    if slots[home, slot] == 0:
                        keys[home, counts[home]] = after
                        counts[home] += 1
                        slots[home, slot] = counts[home]
                    step = steps[n_steps[0]]
                    step[SOURCE], step[LAYER] = source, to
                    step[TARGET], step[CODE] = slots[home, slot] - 1, c * kinds + kind
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
    """Number of pairs (profile, ships used) in which the ships begun can be among those used.

    keys : uint64 (profiles,), of one layer, without digits of the ships used
    base : uint64, longest + 1; width : cells in a row
    lengths, ships : int64 (types,), as in ``find_profiles``. Modifies nothing.
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

    Profiles of all layers are numbered consecutively: nodes, as in ``_sum_kernels``.

    layers : int64 (width + 2,), first node of each layer, and the end
    order : int64 (nodes,), the nodes in the order in which they are to be renumbered
    steps : int32 (n_steps, STEP_COLUMNS), as ``find_profiles`` writes them; kinds : how many
    water : uint16 (width * kinds,) by code, mask of the columns whose cells a step makes water
    number : int32 (nodes,), modified: the new number of each node, or -1 if it is left out
    sources, targets, codes : int32 (n_steps,), waters : uint16 (n_steps,), modified: new ends,
        code and water mask of each step that is left, in the same order
    Returns how many steps are left.
    """
    nodes = len(number)
    count = np.zeros(nodes, dtype=np.int32)
    only = np.empty(nodes, dtype=np.int32)
    for e in range(len(steps)):
        node = layers[steps[e, CODE] // kinds] + steps[e, SOURCE]
        count[node] += 1
        only[node] = e
    onto = np.arange(nodes).astype(np.int32)
    follows = np.zeros(nodes, dtype=np.uint16)
    for node in range(layers[len(layers) - 2] - 1, layers[1] - 1, -1):
        e = only[node]
        if count[node] == 1 and steps[e, CODE] % kinds < FIRST_SHIP:
            target = layers[steps[e, LAYER]] + steps[e, TARGET]
            onto[node] = onto[target]
            follows[node] = water[steps[e, CODE]] | follows[target]
    left = 0
    for node in order:
        number[node] = -1
        if onto[node] == node:
            number[node] = left
            left += 1
    left = 0
    for e in range(len(steps)):
        code = steps[e, CODE]
        source = number[layers[code // kinds] + steps[e, SOURCE]]
        if source >= 0:
            target = layers[steps[e, LAYER]] + steps[e, TARGET]
            sources[left], targets[left], codes[left] = source, number[onto[target]], code
            waters[left] = water[code] | follows[target]
            left += 1
    return left


@allocating_kernel
def sort_steps(nodes, others, codes, classes, starts, sorted_others, sorted_codes, sorted_classes):
    """Sort steps by one of their ends, stably.

    nodes, others, codes : int32 (n_steps,), classes : uint16 or uint32 (n_steps,): the end to sort
        by, the other end, code and class of each step
    starts : int64 (n_nodes + 1,), modified; zero on entry, then the first step of each node
    sorted_others, sorted_codes, sorted_classes : as ``others``, ``codes``, ``classes``, modified
    """
    for node in nodes:
        starts[node + 1] += 1
    for node in range(len(starts) - 1):
        starts[node + 1] += starts[node]
    at = starts[:-1].copy()
    for i in range(len(nodes)):
        to = at[nodes[i]]
        sorted_others[to], sorted_codes[to], sorted_classes[to] = others[i], codes[i], classes[i]
        at[nodes[i]] += 1


@kernel
def rehash(keys, counts, slots):
    """Fill empty hash tables with the profiles found.

    keys, counts : as in ``find_profiles``; slots : int32 (lists, 2**k), modified, zero on entry
    """
    for home in range(keys.shape[0]):
        for i in range(counts[home]):
            slot = _slot(slots[home], keys[home], keys[home, i])
            slots[home, slot] = i + 1
