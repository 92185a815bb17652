"""Keys of sub-tables: the least image over the symmetries of the board. Arrays and scalars only.

``certain`` (H) is the mask of the cells that every row occupies, *water* (M) of those that none
does; H and M are the closed key of a sub-table. The image that comes first is the same for all
sub-tables of an orbit, so that they share one entry of the table.

Up to 40 cells both masks are one word, up to 64 a word each, and two words each of wide masks. In
mode ``ship`` the names of ships follow; where they take more than one word, so do the masks.

Parameters that many kernels share: ``water``, mask, M; ``full``, mask of the board;
``two_words``, bool, whether masks take a word each; ``g``, int64, number of a symmetry;
``key_shares``, uint64 ``(bytes, 256, symmetries)``: for one-word keys the sum of 3^image over the
set bits of a byte, so that a key is the board in base 3 (0 unknown, 1 certain, 2 water; at most 40
cells, 3^40 < 2^64); for two words the mask of the images; ``moves``, int64 ``(symmetries, 64)``, of
wide masks 128, image of each cell. A kernel modifies only what it says it modifies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from seabattle.enumerate.kernels import (
    INTERPRETED,
    ONE,
    ZERO,
    bit_of,
    high_word,
    kernel,
    low_word,
    lowest_bit,
)
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.answers import ship_at

# The least image over all symmetries, side by side in one vector register. This is the innermost
# loop of the search: every child that may be looked up needs its key. The shares of one byte under
# all symmetries are neighbours in memory, so that a key takes one vector addition for each byte of
# its two masks, one least element and one comparison. A compiler does not find that in a loop over
# scalars; so the instructions are given here, for boards of 4 and of 8 symmetries (rectangles and
# squares). Where a processor has no vectors that long, the compiler takes shorter ones.
# ``least_of_...`` is for one-word keys, ``least_wide_of_...`` for keys of two; parameters and
# results are those of ``canonical_key``.


if not INTERPRETED:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    WORD = ir.IntType(64)

    def _sums(builder: Any, shares: Any, cells: Any, lanes: int) -> Any:
        """Vector of the sums of the shares of a mask under each symmetry."""
        several = ir.VectorType(WORD, lanes)
        total = cgutils.alloca_once_value(builder, ir.Constant(several, [0] * lanes))
        left = cgutils.alloca_once_value(builder, cells)
        count = builder.extract_value(shares.shape, 0)
        with cgutils.for_range(builder, count, intp=count.type) as loop:
            mask = builder.load(left)
            entry = builder.add(
                builder.shl(loop.index, ir.Constant(WORD, 8)),
                builder.and_(mask, ir.Constant(WORD, 255)),
            )
            first = builder.gep(shares.data, [builder.mul(entry, ir.Constant(WORD, lanes))])
            vector = builder.load(builder.bitcast(first, several.as_pointer()), align=8)
            builder.store(builder.add(builder.load(total), vector), total)
            builder.store(builder.lshr(mask, ir.Constant(WORD, 8)), left)
        return builder.load(total)

    def _least(builder: Any, vector: Any, lanes: int) -> Any:
        """The least element of a vector, and the same in all places of a vector."""
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(WORD, [vector.type]),
            f"llvm.vector.reduce.umin.v{lanes}i64",
        )
        least = builder.call(function, [vector])
        alone = builder.insert_element(
            ir.Constant(vector.type, ir.Undefined), least, ir.Constant(ir.IntType(32), 0)
        )
        places = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
        return least, builder.shuffle_vector(alone, alone, places)

    def _first(builder: Any, found: Any, lanes: int) -> Any:
        """Number of the first place that is true, in a vector of truth values."""
        bits = builder.zext(builder.bitcast(found, ir.IntType(lanes)), WORD)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(WORD, [WORD, ir.IntType(1)]), "llvm.cttz.i64"
        )
        return builder.call(function, [bits, ir.Constant(ir.IntType(1), 1)])

    def _least_image(lanes: int, *, two_words: bool) -> Callable[..., Any]:
        def least_image(typing_context: Any, certain: Any, water: Any, key_shares: Any) -> Any:
            result = types.Tuple((types.uint64, types.uint64, types.int64))

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                shares = context.make_array(signature.args[2])(context, builder, args[2])
                low = _sums(builder, shares, args[0], lanes)
                high = _sums(builder, shares, args[1], lanes)
                if not two_words:
                    low = builder.add(low, builder.add(high, high))
                word, everywhere = _least(builder, low, lanes)
                found = builder.icmp_unsigned("==", low, everywhere)
                second = ir.Constant(WORD, 0)
                if two_words:
                    last = ir.Constant(high.type, [2**64 - 1] * lanes)
                    second, everywhere = _least(builder, builder.select(found, high, last), lanes)
                    found = builder.and_(found, builder.icmp_unsigned("==", high, everywhere))
                symmetry = _first(builder, found, lanes)
                return context.make_tuple(builder, result, [word, second, symmetry])

            return result(types.uint64, types.uint64, key_shares), generate

        compiled: Callable[..., Any] = intrinsic(least_image)
        return compiled

    least_of_four = _least_image(4, two_words=False)
    least_of_eight = _least_image(8, two_words=False)
    least_wide_of_four = _least_image(4, two_words=True)
    least_wide_of_eight = _least_image(8, two_words=True)


BYTE = np.uint64(255)
EIGHT = np.uint64(8)


@kernel
def key_under(certain, water, key_shares, two_words, g):
    """The two words of the key of a sub-table moved by symmetry g; the second may be 0."""
    low = ZERO
    high = ZERO
    for b in range(key_shares.shape[0]):
        if two_words:
            low |= key_shares[b, certain & BYTE, g]
            high |= key_shares[b, water & BYTE, g]
        else:
            low += key_shares[b, certain & BYTE, g] + (key_shares[b, water & BYTE, g] << ONE)
        certain >>= EIGHT
        water >>= EIGHT
    return low, high


@kernel
def canonical_key(certain, water, key_shares, two_words):
    """Least key of a sub-table over its orbit, with the symmetry that gives it.

    Returns (key word 0, key word 1, symmetry).
    """
    symmetries = key_shares.shape[2]
    if symmetries == 8 and not INTERPRETED:
        if two_words:
            return least_wide_of_eight(certain, water, key_shares)
        return least_of_eight(certain, water, key_shares)
    if symmetries == 4 and not INTERPRETED:
        if two_words:
            return least_wide_of_four(certain, water, key_shares)
        return least_of_four(certain, water, key_shares)
    best, second = key_under(certain, water, key_shares, two_words, 0)
    symmetry = 0
    for g in range(1, symmetries):
        low, high = key_under(certain, water, key_shares, two_words, g)
        if low < best or (low == best and high < second):
            best = low
            second = high
            symmetry = g
    return best, second, symmetry


@kernel
def digits_of_word(base):
    """How many digits to a base surely fit in a word."""
    bits = 1
    while 1 << bits < base:
        bits += 1
    return 64 // bits


@kernel
def put_names(row, certain, g, moves, ships, lengths, counts, place, words):
    """Put the ships in the cells of H under symmetry g, as digits, into a key from ``place`` on.

    The cells of H are read in the order of their images; each gets the number of its ship, where
    the ships of one length are numbered in the order in which they are met. Digits are to the
    base n_ships. Where one word holds them all it does, otherwise each as many as
    ``digits_of_word`` says.

    row : int64, any row of the sub-table
    ships : uint64 (n_rows, n_ships), cells of each ship; lengths : int64 (n_ships,)
    counts : int64 (COUNT_PLANES, cells), planes SHIP_NUMBER and CELL_OF_IMAGE modified
    words : uint64 (words,), the key, modified
    """
    count = lengths.shape[0]
    for d in range(count):
        counts[at.SHIP_NUMBER, d] = -1
    for word in range(place, words.shape[0]):
        words[word] = ZERO
    room = digits_of_word(count) if place + 1 < words.shape[0] else 64
    images = ZERO
    left = certain
    while left != ZERO:
        cell = lowest_bit(left)
        left &= left - ONE
        images |= bit_of(moves[g, cell], certain)
        counts[at.CELL_OF_IMAGE, moves[g, cell]] = cell
    while images != ZERO:
        image = lowest_bit(images)
        images &= images - ONE
        d = ship_at(row, counts[at.CELL_OF_IMAGE, image], ships)
        if counts[at.SHIP_NUMBER, d] < 0:
            taken = 0
            offset = 0
            for e in range(count):
                if lengths[e] > lengths[d]:
                    offset += 1
                elif lengths[e] == lengths[d] and counts[at.SHIP_NUMBER, e] >= 0:
                    taken += 1
            counts[at.SHIP_NUMBER, d] = offset + taken
        if room == 0:
            place += 1
            room = digits_of_word(count)
        room -= 1
        words[place] = words[place] * np.uint64(count) + np.uint64(counts[at.SHIP_NUMBER, d])


@kernel
def image_of(cells, symmetry, moves):
    """Mask of the cells to which a symmetry moves those of a mask."""
    image = ZERO
    while cells != ZERO:
        image |= bit_of(moves[symmetry, lowest_bit(cells)], cells)
        cells &= cells - ONE
    return image


@kernel
def put_image(cells, g, moves, at, words):
    """Put the words of a mask's image under symmetry g into a key; return where the next one goes.

    words : uint64 (words,), the key, modified from ``at`` on
    """
    image = image_of(cells, g, moves)
    words[at] = low_word(image)
    if moves.shape[1] == 64:
        return at + 1
    words[at + 1] = high_word(image)
    return at + 2


@kernel
def put_masks(certain, water, g, keys, two_words, words):
    """Put two masks under symmetry g into a key; return where what comes after them goes.

    words : uint64 (words,), the key, modified
    """
    if keys.moves.shape[1] > 64:
        return put_image(water, g, keys.moves, put_image(certain, g, keys.moves, 0, words), words)
    low, high = key_under(low_word(certain), low_word(water), keys.key_shares, two_words, g)
    words[0] = low
    if not two_words:
        return 1
    words[1] = high
    return 2


@kernel
def lesser(g, best, key):
    """The symmetry of the lesser of two keys, which is put into the first row.

    g, best : int64, symmetry of the key in the second row, and in the first, -1 for none
    """
    smaller = best < 0
    if best >= 0:
        for word in range(key.shape[1]):
            if key[1, word] != key[0, word]:
                smaller = key[1, word] < key[0, word]
                break
    if not smaller:
        return best
    for word in range(key.shape[1]):
        key[0, word] = key[1, word]
    return g


@kernel
def make_closed_key(certain, occupied, full, keys, key):
    """``make_key`` where H and U are all there is to a key: in the closed and the plain mode."""
    water = full & ~occupied
    if keys.moves.shape[1] == 64:
        two_words = key.shape[1] == 2
        low, high, symmetry = canonical_key(
            low_word(certain), low_word(water), keys.key_shares, two_words
        )
        key[0, 0] = low
        if two_words:
            key[0, 1] = high
        return symmetry
    best = -1
    for g in range(keys.moves.shape[0]):
        put_masks(certain, water, g, keys, True, key[1])
        best = lesser(g, best, key)
    return best


@kernel
def make_key(ids, lo, hi, certain, occupied, shot, depth, arrays):
    """Least key of a segment over the symmetries; return the symmetry that gives it.

    ids : int32 (n_rows,), lo, hi : int64: the segment; certain, occupied : masks, its H and U
    shot : mask, cells hit so far (open mode)
    arrays : SearchArrays; scratch of level ``depth`` modified: arrays.key[depth, 0] is the key
    """
    mode = arrays.options[work.MODE]
    game = arrays.game
    full = game.full[0]
    moves = arrays.keys.moves
    key = arrays.key[depth]
    words = key.shape[1]
    if mode in (work.CLOSED_SUNK, work.PLAIN):
        return make_closed_key(certain, occupied, full, arrays.keys, key)
    best = -1
    for g in range(moves.shape[0]):
        if mode == work.OPEN_SUNK:
            first = put_image(shot, g, moves, 0, key[1])
            for word in range(first, words):
                key[1, word] = ZERO
            for i in range(lo, hi):
                image = arrays.keys.images[g, ids[i]]
                key[1, first + (image >> 6)] |= ONE << np.uint64(image & 63)
        else:
            place = put_masks(certain, full & ~occupied, g, arrays.keys, words > 2, key[1])
            if best >= 0 and key[1, 0] > key[0, 0]:
                continue
            put_names(
                ids[lo], certain, g, moves, game.ships, game.lengths, arrays.counts[depth], place,
                key[1],
            )  # fmt: skip
        best = lesser(g, best, key)
    return best


@kernel
def key_part(p, ids, depth, arrays):
    """Make the key of a part on the arena, and keep it there with the symmetry that gives it.

    p : int64; ids : as in ``make_key``; arrays : arena and scratch of level ``depth`` modified
    """
    entry = arrays.arena.entries[p]
    masks = arrays.arena.masks[p]
    key = arrays.arena.keys[p]
    entry[at.SYMMETRY] = make_key(
        ids, entry[at.LO], entry[at.HI], masks[at.H], masks[at.U], masks[at.K], depth, arrays
    )
    for word in range(key.shape[0]):
        key[word] = arrays.key[depth, 0, word]
