"""Compiling kernels by numba, and keeping the compiled code between runs safely.

Importing this takes half a second of processor time: ``kernels`` does it, unless nothing is to be
compiled.

``@kernel`` is numba's ``njit`` with the interpreter lock released and the machine code kept on
disk. What is compiled is the kernel that Python calls, with all kernels that it calls, at once:
numba itself would optimise each of them, with all that it calls, one by one, and make machine code
of each. Arrays that many kernels share are a ``@group``. ``lowering`` writes the code of a kernel.

Compiled kernels are kept in a folder whose name holds a digest of *every* source that imports or
names ``kernels``, however deep its folder (and of the numba and Python versions): when one of them
changes, all are compiled anew, and stale machine code can never run (numba's own cache does not
notice a changed callee or constant in another file). The folder is the first of these that is
writable: ``$SEABATTLE_CACHE_DIR``, ``$NUMBA_CACHE_DIR``, the user's cache folder, a private folder
in the temporary directory. If none is, kernels are compiled in memory, for this process only.

``popcount``, ``lowest_bit`` and ``prefetch`` are single machine instructions, for use in kernels.
"""

from __future__ import annotations

import gc
import hashlib
import operator
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils, typed_passes, types, typing, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_machinery import PassManager
from numba.core.event import Listener, register
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.options import DefaultOptions
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from seabattle.enumerate.compile_notice import COMPILING
from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.lowering import (
    EXTREMES,
    TWO_NUMBERS,
    FreeVariables,
    KernelLowering,
    KernelTarget,
)
from seabattle.enumerate.wide import WIDE

Kind = TypeVar("Kind", bound=type)


class KeptCode:
    """The compiled code of one kernel on disk: what numba's dispatcher asks of a cache.

    There is a file for each signature, named by all that determines what is in it: the kernel's own
    text, the processor, the signature. So several processes may share a folder, and several
    installations of the same sources. What cannot be kept, because the disk is full, say, or cannot
    be read, because it is damaged, is compiled again.
    """

    def __init__(self, function: Any, folder: Path) -> None:
        code = function.__code__
        source = Path(code.co_filename)
        text = source.read_bytes() if source.exists() else code.co_code
        self.cache_path: Path = folder / function.__module__
        self._name = function.__name__
        self._known = hashlib.sha256(text + str(code.co_firstlineno).encode()).hexdigest()

    def _file(self, signature: Any, target: Any) -> Path:
        told = f"{self._known} {target.codegen().magic_tuple()} {signature}"
        digest = hashlib.sha256(told.encode()).hexdigest()[:20]
        return self.cache_path / f"{self._name}-{digest}.nbc"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled code for a signature; None if it is not there, or cannot be read."""
        target.refresh()
        try:
            content = self._file(signature, target).read_bytes()
            return CompileResult._rebuild(target, *pickle.loads(content))
        except Exception:  # whatever the reader makes of what others wrote
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep compiled code; nothing happens if that is not possible."""
        file = self._file(signature, compiled.target_context)
        with suppress(FileAccessError):
            write_bytes(file, dumps(compiled._reduce()))


KERNELS = b"seabattle.enumerate.kernels"
"""What the sources of kernels name."""


def kernel_sources() -> list[Path]:
    """Every file whose text determines the compiled kernels: this one and all that name it.

    A file that only defines constants for kernels names this module in a comment.
    """
    own = Path(__file__).resolve()
    rooms = (own.parent.parent / name for name in ("enumerate", "trees", "solver"))
    files = (path for room in rooms for path in sorted(room.rglob("*.py")))
    return [own, *(path for path in files if path != own and KERNELS in path.read_bytes())]


def source_digest() -> str:
    """Digest of all kernel sources and of the compiler's and interpreter's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _private_temporary_folder() -> Path:
    """A folder in the temporary directory that only this user can write to: its code is run."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"seabattle-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid"):
        status = folder.lstat()
        if status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise PermissionError(f"{folder} belongs to somebody else")
    return folder


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "seabattle"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "seabattle"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seabattle"


def cache_folder() -> Path | None:
    """The folder for compiled kernels, created if necessary; None if no folder is writable."""
    named = map(os.environ.get, ("SEABATTLE_CACHE_DIR", "NUMBA_CACHE_DIR"))
    places: list[Any] = [*filter(None, named), _user_cache_folder, _private_temporary_folder]
    for place in places:
        with suppress(OSError, RuntimeError):
            folder = Path(place() if callable(place) else place) / f"kernels-{source_digest()}"
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return None


KERNEL_FOLDER = cache_folder()
"""Where this process keeps its compiled kernels; None if it can write nowhere."""


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of arrays and scalars on first use, cached, releasing the lock.

    The function must not create or copy arrays. Then references to arrays need not be counted,
    which takes almost half the time of a search, as every view of a row of scratch is counted in
    and out.
    """
    return _compiled(function, _nrt=False)


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that creates or copies arrays, otherwise as ``kernel`` does."""
    # Given explicitly: otherwise a function inherits the setting of its caller.
    return _compiled(function, _nrt=True)


def part_of_kernel(function: Callable[..., Any]) -> Any:
    """A function that stands in the place of each call in a kernel before that is compiled.

    It may call the recursive kernel that calls it, which another kernel may not.
    """
    return numba.njit(inline="always", error_model="numpy")(function)


class Group(types.Type):
    """The type, to kernels, of a ``NamedTuple`` of arrays, numbers and further groups.

    A kernel takes it as one address, where all of them lie one after the other; numba itself would
    hand over each array word by word, some 250 words in each call of a search.
    """

    def __init__(self, kind: Any, fields: tuple[Any, ...]) -> None:
        self.kind = kind
        self.fields = dict(zip(kind._fields, fields, strict=True))
        words = list(map(_words_of, fields))
        self.places = dict(zip(self.fields, accumulate(words, initial=0), strict=False))
        self.words = sum(words)
        digest = hashlib.sha256(repr(self.fields).encode()).hexdigest()
        super().__init__(f"{kind.__module__}.{kind.__name__}.{digest[:16]}")

    def place(self, builder: Any, address: Any, name: str) -> Any:
        """The address of a field, as a pointer to bytes."""
        return builder.gep(address, [ir.IntType(64)(8 * self.places[name])])


def _words_of(kind: Any) -> int:
    """The room that a field takes."""
    match kind:
        case Group():
            return kind.words
        case types.Array():
            return 5 + 2 * int(kind.ndim)
        case types.Integer() | types.Float() | types.Boolean():
            return 1
    raise TypeError(f"a group cannot hold {kind}")


@register_model(Group)
class _GroupModel(models.OpaqueModel):
    """An address of bytes: its own type would be written out wherever LLVM reads of it."""

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The address that a kernel is handed: all of it may be read ahead, so out of loops."""
        value.attributes.dereferenceable = 8 * self._fe_type.words
        return value


@infer_getattr
class _FieldTemplate(AttributeTemplate):
    key = Group

    def generic_resolve(self, group: Any, name: str) -> Any:
        """The type of a field."""
        return group.fields.get(name)


@lower_getattr_generic(Group)
def _field(context: Any, builder: Any, group: Any, address: Any, name: str) -> Any:
    """A field: nothing in a group changes while a kernel runs, so it may be read at any time."""
    place = group.place(builder, address, name)
    if isinstance(group.fields[name], Group):
        return place
    kind = group.fields[name]
    stored = context.get_value_type(kind)
    owners = 2 if isinstance(kind, types.Array) else 0  # of its memory: nobody asks for them
    value = _read(builder, builder.bitcast(place, stored.as_pointer()), stored, owners)
    return impl_ret_borrowed(context, builder, kind, value)


def _read(builder: Any, place: Any, kind: Any, first: int = 0) -> Any:
    """Read what never changes, word by word: LLVM forgets so of a structure that it takes apart."""
    if not isinstance(kind, ir.LiteralStructType | ir.ArrayType):
        value = builder.load(place)
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value
    whole = ir.Constant(kind, None)
    number = ir.IntType(32)
    for i in range(first, len(kind.elements)):
        address = builder.gep(place, [number(0), number(i)])
        whole = builder.insert_value(whole, _read(builder, address, kind.elements[i]), i)
    return whole


@unbox(Group)
def _group_from_python(group: Any, fields: Any, c: Any) -> Any:
    """Lay a group out where a kernel finds it, for the time of a call.

    The kernel is called, and never put in the place of the call, so that to all that reads a group
    it does not change (see ``_field``).
    """
    room = ir.ArrayType(ir.IntType(64), group.words)
    address = c.builder.bitcast(cgutils.alloca_once(c.builder, room), cgutils.voidptr_t)
    laid_out = list(_lay_out(group, fields, address, c))

    def release() -> None:
        for kind, native in laid_out if c.context.enable_nrt else ():
            c.context.nrt.decref(c.builder, kind, native.value)

    failed = reduce(c.builder.or_, [native.is_error for _, native in laid_out])
    return NativeValue(address, failed, release)


def _lay_out(group: Any, fields: Any, address: Any, c: Any) -> Iterator[tuple[Any, Any]]:
    for number, (name, kind) in enumerate(group.fields.items()):
        item = c.pyapi.tuple_getitem(fields, number)
        place = group.place(c.builder, address, name)
        if isinstance(kind, Group):
            yield from _lay_out(kind, item, place, c)
        else:
            native = c.unbox(kind, item)
            c.builder.store(native.value, c.builder.bitcast(place, native.value.type.as_pointer()))
            yield kind, native


def group(kind: Kind) -> Kind:
    """A ``NamedTuple`` whose arrays are handed to kernels together, as one address."""
    typeof_impl.register(kind)(lambda value, context: Group(kind, tuple(map(_type_of, value))))
    return kind


def _type_of(field: Any) -> Any:
    """The compiled type of a field: an array of complex numbers holds masks (``wide``)."""
    kind = numba.typeof(field)
    if isinstance(kind, types.Array) and kind.dtype == types.complex128:
        return kind.copy(dtype=WIDE)
    return kind


class _Part(JITCodeLibrary):
    """What a kernel comes to within others: its code as it was made.

    It is optimised, and made machine code of, once for each kernel that Python calls.
    """

    def add_llvm_module(self, module: Any) -> None:
        """Take code in, which may be there several times when all is put together."""
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = llvm.Linkage.linkonce_odr

    def finalize(self) -> None:
        """Nothing more: the kernel that Python calls takes in what is called."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code to point at."""
        return 0

    @property
    def codegen(self) -> Any:
        """What is told of an environment: kernels need none, as they raise no errors."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to be done."""


class _Whole(JITCodeLibrary):
    """A kernel that Python calls, with all that it calls."""

    _linking_libraries: list[Any]

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()

    def finalize(self) -> None:
        """Take in all that is called, however deep: callers first, or LLVM would leave it out."""
        called: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in called:
                called[library] = None
                waiting += library._linking_libraries if isinstance(library, _Part) else ()
        self._linking_libraries = list(called)
        super().finalize()

    def _optimize_functions(self, module: Any) -> None:
        """Nothing to be done: all that is done to a function alone is done to the whole."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal  # so that LLVM may take it apart
        super()._optimize_final_module()


class _Remembering(types.Function):
    """A function or operator that remembers what it comes to.

    numba asks all that it knows of an operator each time that one occurs, once for the types and
    once for the code, which alone takes a seventh of the time of a first solve.
    """

    _calls: ClassVar[dict[Any, Any]] = {}

    def __init__(self, numbas: Any) -> None:
        self.__dict__ = numbas.__dict__

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        if self.typing_key in EXTREMES and tuple(map(types.unliteral, args)) == TWO_NUMBERS:
            return typing.signature(types.int64, *TWO_NUMBERS)
        if self.typing_key is operator.getitem:
            whole, index = args
            if isinstance(whole, types.BaseTuple) and isinstance(index, types.IntegerLiteral):
                return typing.signature(whole[index.literal_value], whole, index)
        call = self.key, tuple(args)
        if kws or call not in self._calls:
            self._calls[call] = super().get_call_type(context, args, kws)
        return self._calls[call]


register_model(_Remembering)(models.OpaqueModel)


class _Typing(typing.Context):
    """numba's knowledge of types, with functions and operators that remember."""

    def __init__(self, numbas: Any) -> None:
        numbas.refresh()
        self.__dict__ = numbas.__dict__

    def refresh(self) -> None:
        """Nothing to be done: numba's own is fresh, and takes in no others than its own."""

    def unify_pairs(self, first: Any, second: Any) -> Any:
        """The type of a variable of two types; None, which is an error, for a mask and a number."""
        both = isinstance(first, types.Integer) and isinstance(second, types.Integer)
        unified = super().unify_pairs(first, second)
        return None if both and isinstance(unified, types.Float) else unified

    def _lookup_global(self, value: Any) -> Any:
        found = super()._lookup_global(value)
        return _Remembering(found) if type(found) is types.Function else found


_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.InlineInlinables,
    FreeVariables,
    typed_passes.NopythonTypeInference,
    typed_passes.IRLegalization,
    KernelLowering,
    typed_passes.NoPythonBackend,
)
"""Those of numba's passes that kernels need, which have no closures and raise nothing.
``IRLegalization`` is for those that allocate: it has memory let go."""


class _PartCompiler(Compiler):
    library: ClassVar[Any] = _Part

    def __init__(self, context: Any, target: Any, library: Any, *rest: Any) -> None:
        context = _Typing(context)
        target = KernelTarget(target.subtarget(typing_context=context))
        super().__init__(context, target, self.library(target.codegen(), "kernel"), *rest)

    def define_pipelines(self) -> list[PassManager]:
        """What is done to a kernel, step by step."""
        passes = PassManager("kernel")
        for step in _PASSES:
            if step is not typed_passes.IRLegalization or self.state.flags.nrt:
                passes.add_pass(step, step.name())
        passes.finalize()
        return [passes]


class _WholeCompiler(_PartCompiler):
    library = _Whole


class _Within(CPUDispatcher):
    """A kernel as other kernels call it: one version for a constant and a number that varies."""

    def fold_argument_types(self, args: Any, named: Any) -> Any:
        """The types of a call, of recursion as well."""
        signature, kinds = super().fold_argument_types(args, named)
        return signature, tuple(map(types.unliteral, kinds))

    def get_call_template(self, args: Any, named: Any) -> Any:
        """What is called."""
        _, kinds = self.fold_argument_types(args, named)
        return super().get_call_template(kinds, {})

    def add_overload(self, compiled: Any) -> None:
        """Keep a version for the kernels that call it; there is no way in from Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled


class _Kernel(CPUDispatcher):
    """A kernel as Python calls it."""

    within: Any  # the same as other kernels call it

    @property
    def is_compiling(self) -> Any:
        """Whether it is being compiled, so that a call of it is recursion."""
        return super().is_compiling or self.within.is_compiling

    def fold_argument_types(self, args: Any, named: Any) -> Any:
        """The types of a call of itself."""
        return self.within.fold_argument_types(args, named)

    def get_call_template(self, args: Any, named: Any) -> Any:
        """What is called by another kernel."""
        return self.within.get_call_template(args, named)

    def get_overload(self, signature: Any) -> Any:
        """What is called by another kernel."""
        return self.within.get_overload(signature)

    def typeof_pyval(self, value: Any) -> Any:
        """The compiled type of what Python hands over: a complex number is a mask (``wide``)."""
        return WIDE if isinstance(value, np.complex128) else super().typeof_pyval(value)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    if not hasattr(DefaultOptions, "_nrt"):  # undocumented; without it kernels are merely slower
        del options["_nrt"]
    options |= {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
    within = numba.njit(pipeline_class=_PartCompiler, no_cpython_wrapper=True, **options)(function)
    compiled = numba.njit(pipeline_class=_WholeCompiler, **options)(function)
    within.__class__, compiled.__class__ = _Within, _Kernel
    compiled.within = within
    if KERNEL_FOLDER is not None:
        compiled._cache = KeptCode(function, KERNEL_FOLDER)
    return compiled


def _bit_instruction(mask: Any, name: str, *further: Any) -> Any:
    """An instruction of LLVM on a mask, as numba wants it: its types, and what writes it."""
    kind = WIDE if mask is WIDE else types.uint64

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(getattr(builder, name)(*args, *further), ir.IntType(64))

    return types.int64(kind), generate


@intrinsic
def popcount(typing_context: Any, mask: Any) -> Any:
    """Number of set bits of a mask."""
    return _bit_instruction(mask, "ctpop")


@intrinsic
def lowest_bit(typing_context: Any, mask: Any) -> Any:
    """Position of the lowest set bit of a mask that is not 0."""
    return _bit_instruction(mask, "cttz", ir.Constant(ir.IntType(1), 1))


@intrinsic
def prefetch(typing_context: Any, table: Any, row: Any) -> Any:
    """Prefetch the beginning of a row of a table into the cache."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        stride = builder.extract_value(array.strides, 0)
        address = builder.add(
            builder.ptrtoint(array.data, stride.type), builder.mul(args[1], stride)
        )
        byte = ir.PointerType(ir.IntType(8))
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [byte],
            ir.FunctionType(ir.VoidType(), [byte, *[ir.IntType(32)] * 3]),
        )
        read, keep, data = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))
        builder.call(function, [builder.inttoptr(address, byte), read, keep, data])
        return context.get_dummy_value()

    return types.void(table, types.int64), generate


class _Compilations(Listener):
    """Listens to numba's compilations; functions loaded from disk are not among them.

    Meanwhile Python looks for no garbage, which would take a twelfth of the time.
    """

    _collects = True

    def on_start(self, event: Any) -> None:
        if not COMPILING.running:
            self._collects = gc.isenabled()
        COMPILING.begin()
        gc.disable()

    def on_end(self, event: Any) -> None:
        COMPILING.end()
        if self._collects and not COMPILING.running:
            gc.enable()


register("numba:compile", _Compilations())
