"""Hash tables of sub-tables, and the packed word that says what is proven of one.

All tables are open-addressing arrays whose length is a power of 2, with room to spare:

* of the search in mode ``hit``, uint64 ``(capacity, 2)``, or ``(capacity, 3)`` with two-word
  keys: key word 0, packed word, key word 1;
* of the search in the other modes, uint64 ``(capacity, 1 + words)``: packed word, key words;
* of the graph of sub-tables, uint64 ``(capacity,)``: the key, with its node in another array.

They hash alike and differ in where a key is: the first two hold the same kind of entry, but
mode ``hit`` asks so often that its key stays in registers, where the others' keys of any length
are rows of an array. Each has its own finder for that reason.

Packed: misses (42 bits), exact (1), shot in the key's orientation (7), worst (7), tag (7). The
shot is ``NO_SHOT`` for a bound and for a single occupancy.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, kernel
from seabattle.solver.search.kernels.work import SHOT

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Packed word, or key of the graph, where nothing is stored."""

NO_SHOT = 127
SEVEN_BITS = np.uint64(127)
# Where the parts of a packed word begin; the tag is in its lowest bits.
MISSES_AT = np.uint64(22)
EXACT_AT = np.uint64(21)
SHOT_AT = np.uint64(14)
WORST_AT = np.uint64(7)

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OTHER_FACTOR = np.uint64(0xD6E8FEB86659FD93)


@kernel
def pack(misses, worst, exact, image, tag):
    """What is proven of a key, as one word; a bound (not exact) has worst 0 and no shot."""
    return (
        np.uint64(misses) << MISSES_AT
        | np.uint64(1 if exact else 0) << EXACT_AT
        | np.uint64(image if exact else NO_SHOT) << SHOT_AT
        | np.uint64(worst if exact else 0) << WORST_AT
        | np.uint64(tag)
    )


@kernel
def misses_of(packed):
    """Misses of a packed word: exact, or a lower bound."""
    return np.int64(packed >> MISSES_AT)


@kernel
def value_of(packed):
    """Search value of an exact packed word."""
    return misses_of(packed) << 7 | np.int64((packed >> WORST_AT) & SEVEN_BITS)


@kernel
def is_exact(packed):
    """Whether a packed word is exact, not a bound."""
    return (packed >> EXACT_AT) & ONE == ONE


@kernel
def within(packed, allowed):
    """A packed word for any number of misses, as one for so many on any path.

    Where its tree misses more often than that, it is only a bound.
    """
    if packed != EMPTY and np.int64((packed >> WORST_AT) & SEVEN_BITS) > allowed:
        packed &= ~(ONE << EXACT_AT)
    return packed


@kernel
def tell_shot(packed, symmetry, moves, counters):
    """Put the shot of a packed word into counters[SHOT], turned back from the key's orientation.

    moves : int64 (n_symmetries, 64), image of each cell, -1 off the board
    """
    image = np.int64((packed >> SHOT_AT) & SEVEN_BITS)
    for cell in range(64):
        if moves[symmetry, cell] == image:
            counters[SHOT] = cell


@kernel
def stir(mixed):
    """One step of the hash: high bits to the low ones, then times an odd number."""
    return (mixed ^ (mixed >> np.uint64(32))) * _FACTOR


@kernel
def first_slot(table, word, second, tag):
    """Where ``find_slot`` begins to look for a key with its tag."""
    mixed = word ^ (np.uint64(tag) << np.uint64(57))
    if table.shape[1] == 3:
        mixed ^= second * _OTHER_FACTOR
    mixed = stir(mixed)
    mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(table.shape[0] - 1))


@kernel
def find_slot(table, word, second, tag):
    """Place of a key with its tag in the table, or the empty place where it would go.

    table : uint64 (capacity, 2 or 3), of the search in mode ``hit``
    """
    wide = table.shape[1] == 3
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_slot(table, word, second, tag))
    while True:
        packed = table[slot, 1]
        if packed == EMPTY:
            return np.int64(slot)
        if (
            table[slot, 0] == word
            and np.int64(packed & SEVEN_BITS) == tag
            and (not wide or table[slot, 2] == second)
        ):
            return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash(old, new):
    """Move every entry of one table into a larger, empty one. Returns how many there are.

    old, new : uint64 (capacity, 2 or 3); new is modified
    """
    moved = 0
    for i in range(old.shape[0]):
        packed = old[i, 1]
        if packed != EMPTY:
            second = old[i, 2] if old.shape[1] == 3 else ZERO
            slot = find_slot(new, old[i, 0], second, np.int64(packed & SEVEN_BITS))
            for w in range(old.shape[1]):
                new[slot, w] = old[i, w]
            moved += 1
    return moved


@kernel
def first_row(table, keys, at, first, tag):
    """Where ``find_row`` begins to look for a key with its tag."""
    mixed = np.uint64(tag) * _OTHER_FACTOR
    for w in range(table.shape[1] - 1):
        mixed = stir(mixed ^ keys[at, first + w])
    mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(table.shape[0] - 1))


@kernel
def find_row(table, keys, at, first, tag):
    """Place of a key with its tag, or the empty place where it would go.

    table : uint64 (capacity, 1 + words), of the search in the other modes
    keys : uint64 (any, at least first + words): the key is in row ``at`` from column ``first`` on
    """
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_row(table, keys, at, first, tag))
    while True:
        packed = table[slot, 0]
        if packed == EMPTY:
            return np.int64(slot)
        if np.int64(packed & SEVEN_BITS) == tag:
            same = True
            for w in range(table.shape[1] - 1):
                if table[slot, 1 + w] != keys[at, first + w]:
                    same = False
                    break
            if same:
                return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash_rows(old, new, key):
    """Move every entry of a table into a larger, empty one. key : uint64 (2, words), scratch."""
    zero = np.int64(0)
    for i in range(old.shape[0]):
        packed = old[i, 0]
        if packed != EMPTY:
            for w in range(key.shape[1]):
                key[0, w] = old[i, 1 + w]
            slot = find_row(new, key, zero, zero, np.int64(packed & SEVEN_BITS))
            for w in range(old.shape[1]):
                new[slot, w] = old[i, w]


@kernel
def find_key(keys, word):
    """Place of a key in the graph's table, or the empty place where it would go.

    keys : uint64 (capacity,), EMPTY where there is none
    """
    last = np.uint64(keys.shape[0] - 1)
    mixed = stir(word)
    mixed ^= mixed >> np.uint64(29)
    slot = mixed & last
    while keys[slot] != EMPTY and keys[slot] != word:
        slot = (slot + ONE) & last
    return np.int64(slot)


@kernel
def move_keys(keys, nodes, new_keys, new_nodes):
    """Enter every key with its node into a larger, empty table; the new arrays are modified."""
    for i in range(keys.shape[0]):
        if keys[i] != EMPTY:
            slot = find_key(new_keys, keys[i])
            new_keys[slot] = keys[i]
            new_nodes[slot] = nodes[i]
