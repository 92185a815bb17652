"""Files of compiled kernels that several processes may read and write at the same time.

numba keeps an index for each function, which names a file for each compiled signature, and numbers
these files. Two processes that keep two signatures at the same moment can give both the same
number, and one of them later runs the machine code of the other. Here every file is named by what
is in it, and indexes are changed under a lock. What cannot be kept, because the disk is full, say,
or cannot be read, because it is damaged, is compiled again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba.core import caching

_NumbaFile: Any = caching.IndexDataCacheFile


class SharedKernelFile(_NumbaFile):  # type: ignore[misc]
    """The index of a function and the files of its signatures, shared by processes."""

    _cache_path: str

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for a signature; nothing happens if that is not possible."""
        content = self._dump(data)
        digest = hashlib.sha256(content).hexdigest()[:20]
        name = self._data_name_pattern.replace("{number:d}", digest)
        with suppress(OSError), _locked(self._cache_path):
            with self._open_for_write(self._data_path(name)) as stream:
                stream.write(content)
            self._save_index(self._load_index() | {key: name})

    def load(self, key: Any) -> Any:
        """What was compiled for a signature; None if it is not there, or is damaged."""
        try:
            return super().load(key)
        except Exception:  # whatever a damaged file makes of the reader
            return None

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:
            return {}


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """While this lasts no other process does the same in the folder, where files can be locked."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(os.path.join(folder, "lock"), "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
