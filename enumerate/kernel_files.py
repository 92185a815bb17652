"""Files of compiled kernels that several processes may read and write at the same time.

numba keeps an index for each function, which names a file for each compiled signature, and numbers
these files. Two processes that keep two signatures at the same moment can give both the same
number, and one of them later runs the machine code of the other. Here every file is named by what
is in it, which is compared when it is read, and indexes are changed under a lock. What cannot be
kept, because the disk is full, say, or cannot be read, because it is damaged, is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core import caching, config

from seabattle.enumerate.memory import require_addresses

_NumbaFile: Any = caching.IndexDataCacheFile
_NumbaCache: Any = caching.FunctionCache
_places: Any = caching
_NumbaPlace: Any = (
    _places.UserProvidedCacheLocator
    if hasattr(_places, "UserProvidedCacheLocator")
    else _places._UserProvidedCacheLocator  # before numba 0.61
)
_config: Any = config

OURS = "seabattle."
"""How the names of modules begin whose kernels are kept by module."""


class SharedKernelFile(_NumbaFile):  # type: ignore[misc]
    """The index of a function and the files of its signatures, shared by processes."""

    _cache_path: str

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for a signature; nothing happens if that is not possible."""
        content = self._dump(data)
        name = self._name_of(content)
        with suppress(OSError), _locked(self._cache_path) as alone:
            if alone:
                self._sweep()
            with self._open_for_write(self._data_path(name)) as stream:
                stream.write(content)
            self._save_index(self._load_index() | {key: name})

    def _name_of(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()[:20]
        return str(self._data_name_pattern).replace("{number:d}", digest)

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as stream:
            content = stream.read()
        if self._name_of(content) != name:  # damaged machine code could do anything
            raise ValueError(f"{name} is damaged")
        return pickle.loads(content)

    def _sweep(self) -> None:
        """Remove what processes that were killed left; nobody else writes to the folder now."""
        for name in os.listdir(self._cache_path):
            if ".tmp." in name:
                os.unlink(os.path.join(self._cache_path, name))

    def load(self, key: Any) -> Any:
        """What was compiled for a signature; None if it is not there, or is damaged.

        Raises
        ------
        MemoryError
            If too little is left for it: LLVM would end the whole process.
        """
        require_addresses(0)
        try:
            return super().load(key)
        except Exception:  # whatever a damaged file makes of the reader
            return None

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:
            return {}


class _PlaceOfModule(_NumbaPlace):  # type: ignore[misc]
    """Where kernels are kept: those of this package by module, wherever it is installed.

    They are known by the text of their file, not by its time. Other functions are kept as numba
    keeps them, by the path and time of their file.
    """

    _cache_path: str

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        self._file = file if function.__module__.startswith(OURS) else None
        if self._file is not None:
            self._cache_path = os.path.join(_config.CACHE_DIR, function.__module__)

    def get_source_stamp(self) -> Any:
        """What has to be the same for a kernel to be used."""
        if self._file is None:
            return super().get_source_stamp()
        return hashlib.sha256(Path(self._file).read_bytes()).hexdigest()


class _KeptByModule(_NumbaCache._impl_class):  # type: ignore[misc]
    _locator_classes = (_PlaceOfModule,)


class SharedKernels(_NumbaCache):  # type: ignore[misc]
    """What is kept of one function: a folder that has gone, or is full, is no failure.

    Raises
    ------
    OSError
        If it would be kept elsewhere than in the folder that numba was given, by numba's own rules.
    """

    _impl_class = _KeptByModule

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        if not Path(self.cache_path).is_relative_to(_config.CACHE_DIR):
            raise OSError(f"nothing can be kept in {_config.CACHE_DIR}")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature; None if it is not there, or is damaged.

        Raises
        ------
        MemoryError
            If addresses are bounded and too few are left to load or compile anything.
        """
        require_addresses(0)
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever a damaged file makes of the reader
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code; nothing happens if that is not possible."""
        with suppress(OSError):
            super().save_overload(sig, data)


@contextmanager
def _locked(folder: str) -> Iterator[bool]:
    """While this lasts no other process does the same in the folder, if True is yielded.

    On some systems files cannot be locked.
    """
    try:
        import fcntl
    except ImportError:
        yield False
        return
    with open(os.path.join(folder, "lock"), "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield True
