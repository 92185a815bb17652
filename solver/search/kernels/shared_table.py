"""A transposition table that several threads read and fill at once, without locks.

An entry of either table of a search (``transposition``) has one word that changes, the packed
word; its key is written once and stays. A thread that finds a slot ``EMPTY`` claims it: it puts
``CLAIMED`` there in one go, which only one thread can. Then it writes the key, and last the packed
word. So a packed word that is neither ``EMPTY`` nor ``CLAIMED`` has its whole key beside it, and a
thread uses the copy of the word it looked at, never a second look: no entry is ever read half
written. Entries that are overwritten by other keys have to be told apart by what is in them, as by
a key that is stored as its exclusive or with the value [Hyatt2002]; that holds but for a chance
in 2^64, and here nothing is left to chance.

What is proven of a key only ever becomes stronger: an exact value stays, and a bound gives way
to a greater bound or an exact value.

*Busy* sub-tables are those that some thread has begun and not finished, uint64 ``(size,)`` with
``size`` a power of 2, or 0 with one thread: marks of their keys, each in the place that its key
gives. A thread puts off what another is busy with [Weill1996]. A mark that is lost, late or of
another key costs time and nothing else.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.kernels import ONE, ZERO, inlined_kernel, inner_kernel, kernel
from seabattle.solver.search.kernels.arrays import HI, KEY, LO, MISSED, NO_KEY, SYMMETRY
from seabattle.solver.search.kernels.atomics import load, publish, replace
from seabattle.solver.search.kernels.transposition import (
    CLAIMED,
    EMPTY,
    HIGH_WORD,
    LOW_WORD,
    PACKED,
    ROW_KEY,
    ROW_PACKED,
    SEVEN_BITS,
    first_row,
    first_slot,
    has_high_word,
    mix_hash,
    says_more,
)
from seabattle.solver.search.kernels.work import STATES, has_room

PATIENCE = 1 << 16
"""Looks at a claimed slot before it is passed over: far more than writing a key takes."""

BUSY_ROWS = 24
"""Sub-tables of fewer rows are not marked: they are done sooner than others can see it."""


@inner_kernel
def claimed_no_more(table, slot, column):
    """The packed word of a slot once its key is written, or CLAIMED where that takes too long."""
    packed = load(table, slot, column)
    for _ in range(PATIENCE):
        if packed != CLAIMED:
            break
        packed = load(table, slot, column)
    return packed


@inner_kernel
def strengthen(table, slot, column, packed):
    """Put a packed word in the place of one that says less of the same key.

    table : modified; packed : uint64
    """
    held = load(table, slot, column)
    while says_more(packed, held):
        if replace(table, slot, column, held, packed):
            return
        held = load(table, slot, column)


@kernel
def look_up(table, word, second, miss_limit):
    """The packed word of a key with a miss limit, or EMPTY where nothing is stored.

    table : uint64 (capacity, 2 or 3), of the search in mode ``hit``
    """
    wide = has_high_word(table)
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_slot(table, word, second, miss_limit))
    while True:
        packed = load(table, slot, PACKED)
        if packed == EMPTY:
            return packed
        if (
            np.int64(packed & SEVEN_BITS) == miss_limit
            and packed != CLAIMED
            and table[slot, LOW_WORD] == word
            and (not wide or table[slot, HIGH_WORD] == second)
        ):
            return packed
        slot = (slot + ONE) & last


@kernel
def enter(table, word, second, packed, counters):
    """Enter what is proven of a key, or strengthen it; False where the table is full.

    table : as in ``look_up``, modified; packed : uint64, which holds the miss limit
    counters : STATES and STATUS modified
    """
    wide = has_high_word(table)
    last = np.uint64(table.shape[0] - 1)
    miss_limit = np.int64(packed & SEVEN_BITS)
    slot = np.uint64(first_slot(table, word, second, miss_limit))
    while True:
        held = claimed_no_more(table, slot, PACKED)
        if held == EMPTY:
            if not has_room(counters):
                return False
            if replace(table, slot, PACKED, EMPTY, CLAIMED):
                table[slot, LOW_WORD] = word
                if wide:
                    table[slot, HIGH_WORD] = second
                publish(table, slot, PACKED, packed)
                return True
            counters[STATES] -= 1
            continue  # another thread took it, perhaps for the same key
        if (
            np.int64(held & SEVEN_BITS) == miss_limit
            and held != CLAIMED
            and table[slot, LOW_WORD] == word
            and (not wide or table[slot, HIGH_WORD] == second)
        ):
            strengthen(table, slot, PACKED, packed)
            return True
        slot = (slot + ONE) & last


@inner_kernel
def is_key_of_row(table, slot, keys, at, first):
    """Whether a slot holds a key; arguments as in ``look_up_row``."""
    for w in range(table.shape[1] - ROW_KEY):
        if table[slot, ROW_KEY + w] != keys[at, first + w]:
            return False
    return True


@inlined_kernel
def look_up_row(table, keys, at, first, miss_limit):
    """The packed word of a key with a miss limit, or EMPTY where nothing is stored.

    table : uint64 (capacity, 1 + words), of the search in the other modes
    keys : uint64 (any, at least first + words): the key is in row ``at`` from column ``first`` on
    at, first : int64
    """
    last = np.uint64(table.shape[0] - 1)
    slot = np.uint64(first_row(table, keys, at, first, miss_limit))
    while True:
        packed = load(table, slot, ROW_PACKED)
        if packed == EMPTY:
            return packed
        if (
            np.int64(packed & SEVEN_BITS) == miss_limit
            and packed != CLAIMED
            and is_key_of_row(table, slot, keys, at, first)
        ):
            return packed
        slot = (slot + ONE) & last


@kernel
def enter_row(table, keys, at, first, packed, counters):
    """Enter what is proven of a key, or strengthen it; False where the table is full.

    table, keys, at, first : as in ``look_up_row``; table is modified
    packed : uint64, which holds the miss limit; counters : STATES and STATUS modified
    """
    last = np.uint64(table.shape[0] - 1)
    miss_limit = np.int64(packed & SEVEN_BITS)
    slot = np.uint64(first_row(table, keys, at, first, miss_limit))
    while True:
        held = claimed_no_more(table, slot, ROW_PACKED)
        if held == EMPTY:
            if not has_room(counters):
                return False
            if replace(table, slot, ROW_PACKED, EMPTY, CLAIMED):
                for w in range(table.shape[1] - ROW_KEY):
                    table[slot, ROW_KEY + w] = keys[at, first + w]
                publish(table, slot, ROW_PACKED, packed)
                return True
            counters[STATES] -= 1
            continue
        if (
            np.int64(held & SEVEN_BITS) == miss_limit
            and held != CLAIMED
            and is_key_of_row(table, slot, keys, at, first)
        ):
            strengthen(table, slot, ROW_PACKED, packed)
            return True
        slot = (slot + ONE) & last


@inner_kernel
def mark_of(word, second, miss_limit):
    """The mark of a busy sub-table: a hash of its key and its miss limit, never 0."""
    return mix_hash(mix_hash(word ^ np.uint64(miss_limit)) ^ second) | ONE


@inner_kernel
def mark_of_row(keys, at, first, words, miss_limit):
    """The mark of a busy sub-table with a key of so many words; arguments as in ``look_up_row``."""
    mark = np.uint64(miss_limit)
    for w in range(words):
        mark = mix_hash(mark ^ keys[at, first + w])
    return mark | ONE


@kernel
def place_of(busy, mark):
    """Where a mark is kept: its middle bits, as its lowest is always 1."""
    return np.int64((mark >> np.uint64(24)) & np.uint64(busy.shape[0] - 1))


@inner_kernel
def is_busy(busy, mark):
    """Whether some thread is busy with a sub-table; busy : uint64 (size,), not empty."""
    return busy[place_of(busy, mark)] == mark


@kernel
def begin(busy, mark):
    """Mark a sub-table as busy; busy : as in ``is_busy``, modified."""
    busy[place_of(busy, mark)] = mark


@kernel
def finish(busy, mark):
    """Take the mark of a sub-table away, if it is still there; busy : modified."""
    at = place_of(busy, mark)
    if busy[at] == mark:
        busy[at] = ZERO


@inner_kernel
def is_child_busy(base, top, miss_limit, fewer, arena, busy):
    """Whether another thread is busy with one of the children ``base:top`` of the arena.

    miss_limit, fewer : int64, of children after a hit and a miss; arena : Arena
    busy : uint64 (size,), not empty
    """
    words = arena.masks.shape[1] - KEY
    for p in range(base, top):
        if (
            arena.entries[p, SYMMETRY] != NO_KEY
            and arena.entries[p, HI] - arena.entries[p, LO] >= BUSY_ROWS
        ):
            limit = fewer if arena.entries[p, MISSED] == 1 else miss_limit
            if is_busy(busy, mark_of_row(arena.masks, p, KEY, words, limit)):
                return True
    return False
