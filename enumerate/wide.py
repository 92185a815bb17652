"""Masks of two words, for boards of more than 64 cells: one number of 128 bits to a kernel.

A kernel is written once, for masks of one word (uint64). Given arrays of ``WIDE`` masks it is
compiled a second time, for these. All that a kernel does with masks, LLVM does with numbers of 128
bits as well: the operators below, ``popcount`` and ``lowest_bit`` of ``compiler``, and

    ``bit_of(cell, mask)``  the mask of one cell, of the kind of another mask
    ``low_word(mask)``, ``high_word(mask)``  its two words; the second of a mask of one word is 0

numpy has no whole number as long as that. Its complex numbers are, and nothing but their bits is
looked at: in Python an array of wide masks is one of complex128, the low word in the real part.

Used by ``compiler`` and ``kernels`` (``seabattle.enumerate.kernels``) alone.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv.rules import default_type_manager
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

WORD = ir.IntType(64)
TWO_WORDS = ir.IntType(128)


class Wide(types.Type):
    """The type, to kernels, of a mask of two words."""


WIDE = Wide("mask of two words")


@register_model(Wide)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, TWO_WORDS)


default_type_manager.set_promote(types.uint64, WIDE)


@lower_cast(types.Integer, Wide)
def _widened(context: Any, builder: Any, kind: Any, wanted: Any, word: Any) -> Any:
    return builder.zext(word, TWO_WORDS)


@unbox(Wide)
def _from_python(kind: Any, number: Any, c: Any) -> Any:
    """The bits of a complex number."""
    parts = (
        c.builder.zext(c.builder.bitcast(part(number), WORD), TWO_WORDS)
        for part in (c.pyapi.complex_real_as_double, c.pyapi.complex_imag_as_double)
    )
    low, high = parts
    return NativeValue(c.builder.or_(low, c.builder.shl(high, ir.Constant(TWO_WORDS, 64))))


def _operator(function: Any, other: Any, result: Any, instruction: str, *how: str) -> None:
    """Let kernels use an operator of two numbers, which is one instruction of LLVM."""

    @infer_global(function)
    class _Template(ConcreteTemplate):
        cases = [signature(result, WIDE, other)]  # noqa: RUF012 (numba wants a list)

    @lower_builtin(function, WIDE, other)
    def _lowered(context: Any, builder: Any, types_: Any, args: Any) -> Any:
        one, two = args
        if other is not WIDE:
            two = builder.zext(two, TWO_WORDS)
        return getattr(builder, instruction)(*how, one, two)


for name in "and_", "or_", "xor", "add", "sub":
    _operator(getattr(operator, name), WIDE, WIDE, name)
    _operator(getattr(operator, f"i{name.strip('_')}"), WIDE, WIDE, name)
_operator(operator.rshift, types.uint64, WIDE, "lshr")
_operator(operator.irshift, types.uint64, WIDE, "lshr")
_operator(operator.eq, WIDE, types.boolean, "icmp_unsigned", "==")
_operator(operator.ne, WIDE, types.boolean, "icmp_unsigned", "!=")


@infer_global(operator.invert)
class _Inverted(ConcreteTemplate):
    cases = [signature(WIDE, WIDE)]  # noqa: RUF012 (numba wants a list)


@lower_builtin(operator.invert, WIDE)
def _invert(context: Any, builder: Any, types_: Any, args: Any) -> Any:
    return builder.not_(args[0])


@intrinsic
def bit_of(typing_context: Any, cell: Any, mask: Any) -> Any:
    """The mask of one cell, of the kind of another mask."""
    kind = WIDE if mask is WIDE else types.uint64

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = context.get_value_type(kind)
        at = builder.zext(args[0], number) if kind is WIDE else args[0]
        return builder.shl(ir.Constant(number, 1), at)

    return kind(types.int64, kind), generate


@intrinsic
def low_word(typing_context: Any, mask: Any) -> Any:
    """The first 64 cells of a mask."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(args[0], WORD) if mask is WIDE else args[0]

    return types.uint64(WIDE if mask is WIDE else types.uint64), generate


@intrinsic
def high_word(typing_context: Any, mask: Any) -> Any:
    """The other cells of a mask; none where it has one word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if mask is not WIDE:
            return ir.Constant(WORD, 0)
        return builder.trunc(builder.lshr(args[0], ir.Constant(TWO_WORDS, 64)), WORD)

    return types.uint64(WIDE if mask is WIDE else types.uint64), generate
