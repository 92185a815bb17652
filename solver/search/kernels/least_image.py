"""The least image of a key over all symmetries of a board, side by side in one vector register.

``keys`` says what the images are. This is the innermost loop of the search: every child that may
be looked up needs its key. The shares of one byte under all symmetries are neighbours in memory,
so that a key takes one vector addition for each byte of its two masks, one least element and one
comparison. A compiler does not find that in a loop over scalars; so the instructions are given
here, for boards of 4 and of 8 symmetries (rectangles and squares). Where a processor has no
vectors that long, the compiler takes shorter ones.

The functions of this file have the parameters of ``keys.canonical_key`` without ``two_words``, and
return what it returns: ``least_of_...`` for one-word keys, ``least_wide_of_...`` for keys of two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from seabattle.enumerate.kernels import INTERPRETED

WORD = ir.IntType(64)


def plain_least(two_words: bool) -> Callable[..., Any]:
    """What the compiled functions do, in numpy: for runs in which nothing is compiled."""

    def least(certain: Any, water: Any, key_shares: Any) -> tuple[Any, Any, int]:
        numbers = range(len(key_shares))
        low, high = (
            np.add.reduce([key_shares[b, int(cells) >> 8 * b & 255] for b in numbers])
            for cells in (certain, water)
        )
        if not two_words:
            low, high = low + (high << np.uint64(1)), high & np.uint64(0)
        symmetry = int(np.lexsort((high, low))[0])
        return low[symmetry], high[symmetry], symmetry

    return least


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


def _compiled(lanes: int, *, two_words: bool) -> Callable[..., Any]:
    if INTERPRETED:
        return plain_least(two_words)

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


least_of_four = _compiled(4, two_words=False)
least_of_eight = _compiled(8, two_words=False)
least_wide_of_four = _compiled(4, two_words=True)
least_wide_of_eight = _compiled(8, two_words=True)
