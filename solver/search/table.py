"""The transposition table: what is proven of each sub-table, filled by several threads at once.

Tables of positions already searched are as old as chess programs [Greenblatt1967]; hashes of boards
were drawn at random [Zobrist1970]. Here keys are exact, and their words are mixed as they are. The
table is an open-addressing array, uint64 ``(capacity, 1 + words)`` with a capacity of 2^i and room
to spare: a *packed* word, and the words of the key. An entry is found by its key and its miss limit
(``work``).

Packed: misses (42 bits), exact (1), shot in the key's orientation (7), worst (7), miss limit (7).
The shot is ``NO_SHOT`` for a bound. Misses stay below 2^42, as ``INFEASIBLE`` is 2^41.

Races. The packed word of an entry changes; its key is written once and stays. A thread that finds a
slot ``EMPTY`` claims it: it puts ``CLAIMED`` there in one go, which only one thread can. Then it
writes the key, and last the packed word. So a packed word that is neither ``EMPTY`` nor ``CLAIMED``
has its whole key beside it, and no entry is ever read half written. Two threads may enter the same
key twice, which costs a slot, or both work out what one would have told the other, which costs
time. What is proven of a key only ever becomes stronger: an exact value stays, and a bound gives
way to a greater bound or an exact value.

*Busy* sub-tables are those that some thread has begun and not finished, uint64 ``(size,)`` with
``size`` a power of 2, or 0 with one thread: marks of their keys, each in the place that its key
gives. A thread puts off what another is busy with [Weill1996]. A mark that is lost, late or of
another key costs time and nothing else.

Parameters that many kernels share: ``table``; ``key``, uint64 with at least the words of a key;
``packed``, uint64; ``miss_limit``, int64; a *slot* is an int64, the row of the table. A kernel
modifies only what it says it modifies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seabattle.enumerate.kernels import INTERPRETED, ONE, ZERO, kernel
from seabattle.solver.search.work import STATES, has_room

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Packed word where nothing is stored."""

CLAIMED = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Packed word of an entry that is being written: beyond all that are proven."""

NO_SHOT = 127

PACKED = 0  # columns of the table
KEY = 1

SEVEN_BITS = np.uint64(127)
# Where the parts of a packed word begin; the miss limit is in its lowest bits.
MISSES_AT = np.uint64(22)
EXACT_AT = np.uint64(21)
SHOT_AT = np.uint64(14)
WORST_AT = np.uint64(7)

PATIENCE = 1 << 16
"""Looks at a claimed slot before it is passed over: far more than writing a key takes."""

BUSY_ROWS = 24
"""Sub-tables of fewer rows are not marked: they are done sooner than others can see it."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OTHER_FACTOR = np.uint64(0xD6E8FEB86659FD93)


# Words that several threads read and write at once, in arrays uint64 ``(rows, columns)``; rows and
# columns are in range. What a thread wrote before ``publish`` or a successful ``replace`` is seen
# by a thread that found the new word with ``load``. Each is one instruction on common processors.
if INTERPRETED:

    def load(table: Any, row: Any, column: Any) -> Any:
        """A word as some thread wrote it last, and with it all that was written before it."""
        return table[row, column]

    def publish(table: Any, row: Any, column: Any, word: Any) -> None:
        """Write a word after all that this thread has written before."""
        table[row, column] = word

    def replace(table: Any, row: Any, column: Any, old: Any, new: Any) -> bool:
        """Write ``new`` where ``old`` still is, in one go; whether it was."""
        if table[row, column] != old:
            return False
        table[row, column] = new
        return True

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    _WORD = ir.IntType(64)

    def _address(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
        """Pointer to the word at a row and a column of a contiguous array of words."""
        array = context.make_array(kinds[0])(context, builder, args[0])
        columns = builder.extract_value(array.shape, 1)
        return builder.gep(array.data, [builder.add(builder.mul(args[1], columns), args[2])])

    @intrinsic
    def load(typing_context: Any, table: Any, row: Any, column: Any) -> Any:
        """A word as some thread wrote it last, and with it all that was written before it."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(
                _address(context, builder, signature.args, args), "acquire", 8
            )

        return types.uint64(table, types.int64, types.int64), generate

    @intrinsic
    def publish(typing_context: Any, table: Any, row: Any, column: Any, word: Any) -> Any:
        """Write a word after all that this thread has written before."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at = _address(context, builder, signature.args, args)
            builder.store_atomic(args[3], at, "release", 8)
            return context.get_dummy_value()

        return types.void(table, types.int64, types.int64, types.uint64), generate

    @intrinsic
    def replace(typing_context: Any, table: Any, row: Any, column: Any, old: Any, new: Any) -> Any:
        """Write ``new`` where ``old`` still is, in one go; whether it was."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at = _address(context, builder, signature.args, args)
            done = builder.cmpxchg(at, args[3], args[4], "acq_rel", "acquire")
            return builder.extract_value(done, 1)

        given = types.int64, types.int64, types.uint64, types.uint64
        return types.boolean(table, *given), generate


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


@kernel
def misses_of(packed):
    """Misses of a packed word: exact, or a lower bound."""
    return np.int64(packed >> MISSES_AT)


@kernel
def worst_of(packed):
    """Worst case of a packed word that is exact."""
    return np.int64((packed >> WORST_AT) & SEVEN_BITS)


@kernel
def value_of(packed):
    """Search value of an exact packed word."""
    return misses_of(packed) << 7 | worst_of(packed)


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
    if packed != EMPTY and worst_of(packed) > miss_limit:
        packed &= ~(ONE << EXACT_AT)
    return packed


@kernel
def shot_of(packed, symmetry, moves):
    """Cell of a packed word's shot, moved back from the key's orientation; -1 for none.

    symmetry : int64, the one that gives the key
    moves : int64 (symmetries, 64 or 128), image of each cell, -1 off the board
    """
    image = np.int64((packed >> SHOT_AT) & SEVEN_BITS)
    for cell in range(moves.shape[1]):
        if moves[symmetry, cell] == image:
            return cell
    return -1


@kernel
def mix_hash(mixed):
    """One step of the hash: high bits to the low ones, then times an odd number; wraps at 2^64."""
    return (mixed ^ (mixed >> np.uint64(32))) * _FACTOR


@kernel
def slot_of_hash(mixed, slots):
    """Slot at which to begin to look for what has a mixed hash, of a table of 2^i slots."""
    return np.int64((mixed ^ (mixed >> np.uint64(29))) & np.uint64(slots - 1))


@kernel
def first_slot(table, key, miss_limit):
    """Slot where to begin to look for a key with a miss limit, -1 where no miss is left."""
    mixed = np.uint64(np.int64(miss_limit)) * _OTHER_FACTOR
    for w in range(table.shape[1] - KEY):
        mixed = mix_hash(mixed ^ key[w])
    return slot_of_hash(mixed, table.shape[0])


@kernel
def is_entry(table, slot, held, key, miss_limit):
    """Whether a slot, whose packed word is ``held``, has a key with a miss limit."""
    if np.int64(held & SEVEN_BITS) != miss_limit or held == CLAIMED:
        return False
    for w in range(table.shape[1] - KEY):  # noqa: SIM110 (numba has no ``all``)
        if table[slot, KEY + w] != key[w]:
            return False
    return True


@kernel
def look_up(table, key, miss_limit):
    """The packed word of a key with a miss limit, or EMPTY where nothing is stored."""
    last = table.shape[0] - 1
    slot = first_slot(table, key, miss_limit)
    while True:
        packed = load(table, slot, PACKED)
        if packed == EMPTY or is_entry(table, slot, packed, key, miss_limit):
            return packed
        slot = (slot + 1) & last


@kernel
def enter(table, key, packed, counters):
    """Enter what is proven of a key, or strengthen it; False where the table is full.

    table : modified; packed : uint64, which holds the miss limit
    counters : STATES and STATUS modified
    """
    last = table.shape[0] - 1
    miss_limit = np.int64(packed & SEVEN_BITS)
    slot = first_slot(table, key, miss_limit)
    while True:
        held = claimed_no_more(table, slot)
        if held == EMPTY:
            if not has_room(counters):
                return False
            if replace(table, slot, PACKED, EMPTY, CLAIMED):
                for w in range(table.shape[1] - KEY):
                    table[slot, KEY + w] = key[w]
                publish(table, slot, PACKED, packed)
                return True
            counters[STATES] -= 1
            continue  # another thread took it, perhaps for the same key
        if is_entry(table, slot, held, key, miss_limit):
            while says_more(packed, held):
                if replace(table, slot, PACKED, held, packed):
                    break
                held = load(table, slot, PACKED)
            return True
        slot = (slot + 1) & last


@kernel
def claimed_no_more(table, slot):
    """The packed word of a slot once its key is written, or CLAIMED where that takes too long."""
    packed = load(table, slot, PACKED)
    for _ in range(PATIENCE):
        if packed != CLAIMED:
            break
        packed = load(table, slot, PACKED)
    return packed


@kernel
def find_slot(table, key, miss_limit):
    """Slot of a key with a miss limit, or the empty slot where it would go; for one thread."""
    last = table.shape[0] - 1
    slot = first_slot(table, key, miss_limit)
    while table[slot, PACKED] != EMPTY and not is_entry(
        table, slot, table[slot, PACKED], key, miss_limit
    ):
        slot = (slot + 1) & last
    return slot


@kernel
def rehash(old, new):
    """Move every entry of a table into a larger, empty one.

    old, new : uint64 (capacity, 1 + words); new is modified
    """
    for i in range(old.shape[0]):
        packed = old[i, PACKED]
        if packed >= CLAIMED:  # or empty
            continue
        slot = find_slot(new, old[i, KEY:], np.int64(packed & SEVEN_BITS))
        if new[slot, PACKED] == EMPTY or says_more(packed, new[slot, PACKED]):
            for w in range(old.shape[1]):
                new[slot, w] = old[i, w]


@kernel
def mark_of(key, miss_limit):
    """The mark of a busy sub-table: a hash of its key and its miss limit, never 0."""
    mark = np.uint64(miss_limit)
    for w in range(key.shape[0]):
        mark = mix_hash(mark ^ key[w])
    return mark | ONE


@kernel
def place_of(busy, mark):
    """Where a mark is kept: its middle bits, as its lowest is always 1."""
    return np.int64((mark >> np.uint64(24)) & np.uint64(busy.shape[0] - 1))


@kernel
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
