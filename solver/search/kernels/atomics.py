"""Words of an array that several threads read and write at once, for use in kernels.

Arrays are uint64 ``(rows, columns)``, and rows and columns in range: nothing is checked. What a
thread wrote before ``publish`` or a successful ``replace`` is seen by a thread that found the new
word with ``load``; neither the compiler nor the processor puts these reads and writes in another
order. Each is one instruction on common processors, and the plain one where a read or a write
costs nothing more.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from seabattle.enumerate.kernels import INTERPRETED

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
