"""Hash tables of sub-tables, and the packed word that says what is proven of one.

Tables of positions already searched are as old as chess programs [Greenblatt1967]; hashes of boards
were drawn at random [Zobrist1970]. Here keys are exact, and their words are mixed as they are. All
tables are open-addressing arrays whose length is a power of 2, with room to spare:

* of the search in mode ``hit``, uint64 ``(capacity, 2)``, or ``(capacity, 3)`` with two-word
  keys: key word 0, packed word, key word 1;
* of the search in the other modes, uint64 ``(capacity, 1 + words)``: packed word, key words;
* of the graph of sub-tables, uint64 ``(capacity,)``: the key, with its node in another array.

They hash alike and differ in where a key is: the first two hold the same kind of entry, but
mode ``hit`` asks so often that its key stays in registers, where the others' keys of any length
are rows of an array. Each has its own finder for that reason.

An entry of a search is found by its key and its miss limit (``work``). Packed: misses (42 bits),
exact (1), shot in the key's orientation (7), worst (7), miss limit (7). The shot is ``NO_SHOT``
for a bound and for a single occupancy. Misses stay below 2^42, as ``INFEASIBLE`` is 2^41.

Parameters that many kernels share: ``table``, one of the first two; ``word`` and ``second``,
uint64, the words of a key; ``packed``, uint64, a packed word or ``EMPTY``; ``miss_limit``, int64;
a *slot* is an int64, the row of a table. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import (
    ONE,
    ZERO,
    inlined_inner_kernel,
    inlined_kernel,
    inner_kernel,
    kernel,
)
from seabattle.solver.search.kernels.work import SHOT

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Packed word, or key of the graph, where nothing is stored."""

CLAIMED = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Packed word of an entry that is being written (``shared_table``): beyond all that are proven."""

NO_SHOT = 127

# Columns of the table of mode ``hit``.
LOW_WORD = 0
PACKED = 1
HIGH_WORD = 2
# Columns of the table of the other modes.
ROW_PACKED = 0
ROW_KEY = 1

SEVEN_BITS = np.uint64(127)
# Where the parts of a packed word begin; the miss limit is in its lowest bits.
MISSES_AT = np.uint64(22)
EXACT_AT = np.uint64(21)
SHOT_AT = np.uint64(14)
WORST_AT = np.uint64(7)

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OTHER_FACTOR = np.uint64(0xD6E8FEB86659FD93)


@kernel
def pack(misses, worst, exact, image, miss_limit):
    """What is proven of a key, as one word; a bound (not exact) has worst 0 and no shot.

    misses : int64, 0 to 2^41; worst : int64, 0 to 127; exact : bool
    image : int64, the best shot in the key's orientation, or NO_SHOT
    """
    return (
        np.uint64(misses) << MISSES_AT
        | np.uint64(1 if exact else 0) << EXACT_AT
        | np.uint64(image if exact else NO_SHOT) << SHOT_AT
        | np.uint64(worst if exact else 0) << WORST_AT
        | np.uint64(miss_limit)
    )


@inner_kernel
def has_high_word(table):
    """Whether the keys of a table of mode ``hit`` have two words."""
    return table.shape[1] > HIGH_WORD


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
def says_more(packed, held):
    """Whether a packed word proves more than another of the same key and miss limit."""
    return not is_exact(held) and (is_exact(packed) or misses_of(packed) > misses_of(held))


@kernel
def within(packed, miss_limit):
    """A packed word for any number of misses, as one for so many on any path.

    Where its tree misses more often than that, it is only a bound.
    """
    if packed != EMPTY and np.int64((packed >> WORST_AT) & SEVEN_BITS) > miss_limit:
        packed &= ~(ONE << EXACT_AT)
    return packed


@kernel
def store_best_shot(packed, symmetry, moves, counters):
    """Put the shot of a packed word into counters[SHOT], moved back from the key's orientation.

    symmetry : int64, the one that gives the key
    moves : int64 (symmetries, 64), image of each cell, -1 off the board
    counters : SHOT modified, unless the word has no shot
    """
    image = np.int64((packed >> SHOT_AT) & SEVEN_BITS)
    for cell in range(64):
        if moves[symmetry, cell] == image:
            counters[SHOT] = cell


@inner_kernel
def mix_hash(mixed):
    """One step of the hash: high bits to the low ones, then times an odd number; wraps at 2^64."""
    return (mixed ^ (mixed >> np.uint64(32))) * _FACTOR


@inlined_inner_kernel
def slot_of_hash(mixed, slots):
    """Slot at which to begin to look for what has a mixed hash, of a table of 2^i slots."""
    return np.int64((mixed ^ (mixed >> np.uint64(29))) & np.uint64(slots - 1))


@kernel
def first_slot(table, word, second, miss_limit):
    """Slot where ``find_slot`` begins to look for a key with a miss limit."""
    mixed = word ^ (np.uint64(miss_limit) << np.uint64(57))
    if has_high_word(table):
        mixed ^= second * _OTHER_FACTOR
    return slot_of_hash(mix_hash(mixed), table.shape[0])


@kernel
def find_slot(table, word, second, miss_limit):
    """Slot of a key with a miss limit, or the empty slot where it would go.

    table : uint64 (capacity, 2 or 3), of the search in mode ``hit``
    """
    wide = has_high_word(table)
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_slot(table, word, second, miss_limit))
    while True:
        packed = table[slot, PACKED]
        if packed == EMPTY:
            return np.int64(slot)
        if (
            table[slot, LOW_WORD] == word
            and np.int64(packed & SEVEN_BITS) == miss_limit
            and (not wide or table[slot, HIGH_WORD] == second)
        ):
            return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash(old, new):
    """Move every entry of a table of mode ``hit`` into a larger, empty one; return their number.

    old, new : uint64 (capacity, 2 or 3); new is modified
    """
    moved = 0
    for i in range(old.shape[0]):
        packed = old[i, PACKED]
        if packed != EMPTY and packed != CLAIMED:
            second = old[i, HIGH_WORD] if has_high_word(old) else ZERO
            slot = find_slot(new, old[i, LOW_WORD], second, np.int64(packed & SEVEN_BITS))
            if new[slot, PACKED] == EMPTY or says_more(packed, new[slot, PACKED]):
                for w in range(old.shape[1]):
                    new[slot, w] = old[i, w]
            moved += 1
    return moved


@inlined_kernel
def first_row(table, keys, at, first, miss_limit):
    """Slot where ``find_row`` begins to look for a key with a miss limit; arguments as there."""
    mixed = np.uint64(miss_limit) * _OTHER_FACTOR
    for w in range(table.shape[1] - ROW_KEY):
        mixed = mix_hash(mixed ^ keys[at, first + w])
    return slot_of_hash(mixed, table.shape[0])


@inlined_kernel
def find_row(table, keys, at, first, miss_limit):
    """Slot of a key with a miss limit, or the empty slot where it would go.

    table : uint64 (capacity, 1 + words), of the search in the other modes
    keys : uint64 (any, at least first + words): the key is in row ``at`` from column ``first`` on
    at, first : int64
    """
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_row(table, keys, at, first, miss_limit))
    while True:
        packed = table[slot, ROW_PACKED]
        if packed == EMPTY:
            return np.int64(slot)
        if np.int64(packed & SEVEN_BITS) == miss_limit:
            same = True
            for w in range(table.shape[1] - ROW_KEY):
                if table[slot, ROW_KEY + w] != keys[at, first + w]:
                    same = False
                    break
            if same:
                return np.int64(slot)
        slot = (slot + ONE) & last


@kernel
def rehash_rows(old, new, key):
    """Move every entry of a table of the other modes into a larger, empty one.

    old, new : uint64 (capacity, 1 + words); new is modified
    key : uint64 (1 or more, words), scratch: row 0 is modified
    """
    zero = np.int64(0)
    for i in range(old.shape[0]):
        packed = old[i, ROW_PACKED]
        if packed != EMPTY and packed != CLAIMED:
            for w in range(key.shape[1]):
                key[0, w] = old[i, ROW_KEY + w]
            slot = find_row(new, key, zero, zero, np.int64(packed & SEVEN_BITS))
            if new[slot, ROW_PACKED] == EMPTY or says_more(packed, new[slot, ROW_PACKED]):
                for w in range(old.shape[1]):
                    new[slot, w] = old[i, w]


@kernel
def find_key(keys, word):
    """Slot of a key in the graph's table, or the empty slot where it would go.

    keys : uint64 (capacity,), EMPTY where there is none; word : uint64
    """
    last = np.uint64(keys.shape[0] - 1)
    slot = np.uint64(slot_of_hash(mix_hash(word), keys.shape[0]))
    while keys[slot] != EMPTY and keys[slot] != word:
        slot = (slot + ONE) & last
    return np.int64(slot)


@kernel
def move_keys(keys, nodes, new_keys, new_nodes):
    """Enter every key with its node into a larger, empty table.

    keys, new_keys : uint64 (capacity,); nodes, new_nodes : int32 (capacity,), node of each key
    new_keys, new_nodes : modified
    """
    for i in range(keys.shape[0]):
        if keys[i] != EMPTY:
            slot = find_key(new_keys, keys[i])
            new_keys[slot] = keys[i]
            new_nodes[slot] = nodes[i]
