"""The loader of the core: finds the compiled library, reads its interface and calls its functions.

The functions are declared once, in ``seabattle.h``, and read from there, so that every call is
checked against its declaration: an array has to be of the declared type, contiguous, and writable
where it is modified; its size goes with it. ctypes releases the interpreter's lock while the core
works, so that threads call it side by side.

In a checkout, as after ``pip install -e .``, a library older than its sources is compiled anew when
it is loaded.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.build_core import FOLDER, ROOT, SUFFIX, build
from seabattle.enumerate.errors import CoreError

FULL, STOPPED, INVALID = -1, -2, -3
"""``enum seabattle_status``: what a function returns in place of a number."""

ALIGNED = 64
"""Memory in which the core makes objects begins at a multiple of this."""

FIRST_MEMORY = 1 << 19
"""Bytes that are tried first where it is not known how many an object takes."""

NUMBERS: dict[str, Any] = {
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int16_t": ctypes.c_int16,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
}
"""Types of the interface, by the names that C has for them."""


def aligned_memory(size: int) -> NDArray[np.uint8]:
    """So many bytes, not cleared, in which the core can make objects."""
    memory = np.empty(size + ALIGNED, dtype=np.uint8)
    first = -memory.ctypes.data % ALIGNED
    return memory[first : first + size]


def memory_for(make: Callable[[NDArray[np.uint8]], int]) -> NDArray[np.uint8]:
    """Memory in which the core makes something, doubled until it has room."""
    size = FIRST_MEMORY
    while make(memory := aligned_memory(size)) == FULL:
        size *= 2
    return memory


class Parameter:
    """A parameter of a function, or a field of a structure, as it is declared.

    Attributes
    ----------
    name, kind
        Its name, and that of its type without ``const`` and ``*``.
    is_constant, is_pointer, is_array
        Whether it is left as it is; whether it points to something; whether that is an array, whose
        size is the parameter behind it.
    dtype
        Of the items of an array.
    """

    def __init__(self, declared: str) -> None:
        found = re.fullmatch(r"(const )?(\w+) ?(\* ?)?(\w+)", " ".join(declared.split()))
        if found is None:
            raise CoreError(f"seabattle.h: {declared.strip()!r} cannot be read")
        self.kind, self.name = found[2], found[4]
        self.is_constant, self.is_pointer = found[1] is not None, found[3] is not None
        self.is_array = self.is_pointer and self.kind in NUMBERS
        self.dtype = np.dtype(NUMBERS[self.kind]) if self.is_array else None

    @property
    def ctype(self) -> Any:
        """Its type for ctypes; every pointer is an address."""
        return ctypes.c_void_p if self.is_pointer else NUMBERS[self.kind]

    def address(self, array: Any, where: str) -> int:
        """Where the items of an array are.

        Raises
        ------
        CoreError
            If the array is of another type than declared, not contiguous, or may not be written
            and is declared to be modified.
        """
        if not isinstance(array, np.ndarray) or array.dtype != self.dtype:
            given = getattr(array, "dtype", type(array).__name__)
            raise CoreError(f"{where}: {self.name} is {given}, not an array of {self.dtype}")
        if not array.flags.c_contiguous:
            raise CoreError(f"{where}: {self.name} is not contiguous")
        if not (self.is_constant or array.flags.writeable):
            raise CoreError(f"{where}: {self.name} may not be written")
        return int(array.ctypes.data)


class Declaration:
    """The parameters of a function or the fields of a structure.

    Attributes
    ----------
    name
        Of the function or structure, for messages.
    all, given
        All parameters, and those that a caller gives: without the sizes of arrays.
    """

    def __init__(self, name: str, text: str) -> None:
        parts = [part.strip() for part in re.split("[,;]", text)]
        self.name = name
        self.all = [Parameter(part) for part in parts if part not in ("", "void")]
        self.given = [p for i, p in enumerate(self.all) if i == 0 or not self.all[i - 1].is_array]

    def values(self, arguments: Iterable[Any]) -> list[Any]:
        """Values of all parameters; an array stands for its address and its size, None for none."""
        values: list[Any] = []
        for parameter, value in zip(self.given, arguments, strict=True):
            if parameter.is_array:
                there = value is not None
                values += (parameter.address(value, self.name), value.size) if there else (None, 0)
            elif parameter.is_pointer:
                values.append(ctypes.addressof(value))
            else:
                values.append(value)
        return values


class Interface:
    """A compiled core: its functions are attributes, named as in ``seabattle.h``.

    A function takes its parameters in their order, an array as one of them. A status in place of a
    number is returned as it is, but for ``INVALID``, which raises ``CoreError``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._library = ctypes.CDLL(str(path))
        text = re.sub(r"/\*.*?\*/", " ", (FOLDER / "seabattle.h").read_text("utf-8"), flags=re.S)
        self._structures: dict[str, tuple[Declaration, type[ctypes.Structure]]] = {}
        for fields, name in re.findall(r"typedef struct \{([^}]*)\} seabattle_(\w+);", text):
            declared = Declaration(name, fields)
            members = [(field.name, field.ctype) for field in declared.all]
            self._structures[name] = (
                declared,
                type(name, (ctypes.Structure,), {"_fields_": members}),
            )
        self._functions = {
            name: (result, Declaration(name, parameters))
            for result, name, parameters in re.findall(
                r"SEABATTLE_API\s+(\w+)\s+seabattle_(\w+)\(([^)]*)\);", text
            )
        }

    def structure(self, name: str, fields: Mapping[str, Any]) -> ctypes.Structure:
        """A structure of the interface from its fields, to be handed to functions.

        It holds the addresses of arrays; they are kept as long as it is.
        """
        declared, kind = self._structures[name]
        made = kind(*declared.values(fields[parameter.name] for parameter in declared.given))
        made.kept = dict(fields)
        return made

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self._functions:
            raise AttributeError(name)
        result, declared = self._functions[name]
        function = getattr(self._library, f"seabattle_{name}")
        function.argtypes = [parameter.ctype for parameter in declared.all]
        function.restype = NUMBERS[result]

        def call(*arguments: Any) -> Any:
            returned = function(*declared.values(arguments))
            if returned == INVALID and result != "double":
                raise CoreError(f"{name}: the core was given arrays that do not go together")
            return returned

        setattr(self, name, call)
        return call


def _path() -> Path:
    """The library for this machine; it is compiled where a checkout has none, or an old one."""
    named = os.environ.get("SEABATTLE_CORE")
    if named:
        return Path(named)
    if (ROOT / "pyproject.toml").exists():
        build()
        return FOLDER / f"here{SUFFIX}"
    plain = FOLDER / f"core{SUFFIX}"
    if not plain.exists():
        raise CoreError(f"{plain}: the compiled core is missing; install seabattle again")
    better = plain.with_stem("core-v3")
    return better if better.exists() and Interface(plain).level() >= 3 else plain


@cache
def core() -> Interface:
    """The core of this machine, loaded when it is first asked for.

    ``SEABATTLE_CORE`` names another library to load, such as one built with checks.

    Raises
    ------
    CoreError
        If it is missing, does not load, or cannot be compiled.

    Examples
    --------
    >>> core().level() in (1, 3)
    True
    """
    path = _path()
    try:
        return Interface(path)
    except OSError as error:
        raise CoreError(f"{path}: the compiled core does not load: {error}") from error
