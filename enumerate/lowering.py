"""The code of a kernel before LLVM optimises it: a few lines where numba writes fifty.

What numba writes for an element of an array, a variable or a call is made for all of Python: an
index may be negative, a call may raise, whatever a variable held is let go. In a kernel (see
``seabattle.enumerate.kernels``) none of that is so, except that kernels that allocate let go. LLVM
would take most of it out again, which took a third of a first solve, but not all: searches run a
tenth to a quarter faster without it.

An index of a kernel's array is never negative.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core import ir as program
from numba.core.callconv import CPUCallConv, Status
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.np.arrayobj import load_item, store_item

EXTREMES: dict[Any, str] = {max: ">", min: "<"}
"""Functions of two numbers, and how the first compares where they return it."""

TWO_NUMBERS = (types.int64, types.int64)


class _CallConvention(CPUCallConv):
    """Whatever a kernel calls returns; only where memory is allocated may it fail."""

    def _get_return_status(self, builder: Any, code: Any, excinfoptr: Any) -> Status:
        if self.context.enable_nrt:
            return super()._get_return_status(builder, code, excinfoptr)
        yes, no = cgutils.true_bit, cgutils.false_bit
        return Status(code, yes, no, no, no, no, no, excinfoptr)


class KernelTarget(CPUContext):
    """numba's knowledge of the processor, with the calls of kernels."""

    def __init__(self, numbas: Any) -> None:
        self.__dict__ = numbas.__dict__

    @property
    def call_conv(self) -> Any:
        """How functions are called."""
        return _CallConvention(self)


class _Lower(Lower):
    """Writes the code of a kernel."""

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """An operation on two values; numba would try it on constants first."""
        function = self.context.typing_context.resolve_value_type(op)
        signature = self.fndesc.calltypes[expr]
        operands = map(self._cast_var, (expr.lhs, expr.rhs), signature.args)
        signature = function.get_call_type(self.context.typing_context, signature.args, {})
        value = self.context.get_function(function, signature)(self.builder, list(operands))
        return self.context.cast(self.builder, value, signature.return_type, resty)

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        compared = EXTREMES.get(getattr(fnty, "typing_key", None))
        if compared is None or signature.args != TWO_NUMBERS:
            return super()._lower_call_normal(fnty, expr, signature)
        first, second = map(self._cast_var, expr.args, signature.args)
        return self.builder.select(self.builder.icmp_signed(compared, first, second), first, second)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """An element of a tuple at a place that is known, of an array, or a part of an array."""
        whole, place = signature.args[:2]
        if isinstance(whole, types.BaseTuple) and isinstance(place, types.IntegerLiteral):
            item = self.builder.extract_value(self.loadvar(value.name), place.literal_value)
            return self.context.cast(self.builder, item, signature.return_type, resty)
        numbers = self._numbers(index) if isinstance(whole, types.Array) else []
        is_part = numbers and len(numbers) < whole.ndim
        if not numbers or (is_part and self.context.enable_nrt):  # who owns it is to be counted
            return super().lower_getitem(resty, expr, value, index, signature)
        address, *left = self._address(whole, value, numbers)
        if is_part:
            return self._part(resty, address, *left)
        item = load_item(self.context, self.builder, whole, address)
        return self.context.cast(self.builder, item, whole.dtype, resty)

    def lower_setitem(
        self, target_var: Any, index_var: Any, value_var: Any, signature: Any
    ) -> None:
        """Write an element of an array, or of what else there is."""
        kind, numbers = self.typeof(target_var.name), self._numbers(index_var)
        if not isinstance(kind, types.Array) or len(numbers) != kind.ndim:
            super().lower_setitem(target_var, index_var, value_var, signature)
            return
        address, _, _ = self._address(kind, target_var, numbers)
        item = self._cast_var(value_var, kind.dtype)
        store_item(self.context, self.builder, kind, item, address)

    def _numbers(self, index: Any) -> list[Any]:
        """The numbers of an index; none if it is not made of numbers."""
        kind, value = self.typeof(index.name), self.loadvar(index.name)
        kinds, values = (kind,), [value]
        if isinstance(kind, types.BaseTuple):
            kinds, values = tuple(kind), cgutils.unpack_tuple(self.builder, value)
        if not all(isinstance(each, types.Integer) for each in kinds):
            return []
        cast = self.context.cast
        return [cast(self.builder, *each, types.int64) for each in zip(values, kinds, strict=True)]

    def _address(
        self, kind: types.Array, array: Any, numbers: list[Any]
    ) -> tuple[Any, list[Any], list[Any]]:
        """The address of an element or a part of an array, and the shape and strides left."""
        builder, model = self.builder, self.context.data_model_manager[kind]
        stored = self.loadvar(array.name)
        data, shape, strides = (
            builder.extract_value(stored, model.get_field_position(name))
            for name in ("data", "shape", "strides")
        )
        shape, strides = (cgutils.unpack_tuple(builder, each) for each in (shape, strides))
        left = shape[len(numbers) :], strides[len(numbers) :]
        if kind.layout != "C":
            offset = reduce(builder.add, map(builder.mul, numbers, strides))
            address = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [offset])
            return builder.bitcast(address, data.type), *left
        offset = numbers[0]
        for size, number in zip(shape[1:], numbers[1:], strict=False):
            offset = builder.add(builder.mul(offset, size), number)
        return builder.gep(data, [reduce(builder.mul, left[0], offset)]), *left

    def _part(self, kind: types.Array, address: Any, shape: list[Any], strides: list[Any]) -> Any:
        """An array that is part of another."""
        builder, model = self.builder, self.context.data_model_manager[kind]
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        parts = {
            "nitems": reduce(builder.mul, shape),
            "itemsize": cgutils.intp_t(size),
            "data": address,
            "shape": cgutils.pack_array(builder, shape),
            "strides": cgutils.pack_array(builder, strides),
        }
        array = ir.Constant(self.context.get_value_type(kind), None)
        for name, part in parts.items():
            array = builder.insert_value(array, part, model.get_field_position(name))
        return array


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """The step that writes the code."""

    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> Any:
        """What writes it."""
        return _Lower


@register_pass(mutates_CFG=False, analysis_only=False)
class FreeVariables(FunctionPass):
    """Lets a variable that begins as a global constant become another number later.

    numba instead tells all assignments to a variable apart, which takes a tenth of the time.
    """

    _name = "kernel_variables"

    def __init__(self) -> None:
        """Nothing: a step takes no parameters."""

    def run_pass(self, state: Any) -> bool:
        """Assign constants by way of a variable of their own."""
        for block in state.func_ir.blocks.values():
            for i, step in reversed(list(enumerate(block.body))):
                if (
                    isinstance(step, program.Assign)
                    and isinstance(step.value, program.Global | program.FreeVar)
                    and not step.target.is_temp
                ):
                    between = block.scope.redefine("$constant", step.loc)
                    block.body[i : i + 1] = [
                        program.Assign(step.value, between, step.loc),
                        program.Assign(between, step.target, step.loc),
                    ]
        return True
