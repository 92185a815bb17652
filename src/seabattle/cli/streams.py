"""Standard output and standard error that may be closed or full, or whose reader may leave.

Files asked for are written all the same. What standard output does not take is dropped; the
exit status says so, and a line on standard error, unless a reader left, who wanted no more. Nobody
can be told that standard error takes nothing, so that changes nothing. A closed standard input is
an empty one.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO


class _Lasting(io.RawIOBase):
    """An open file to which writing never fails: what it does not take is dropped."""

    def __init__(self, stream: TextIO | None) -> None:
        self.failed: int | None = None if stream is not None else errno.EBADF
        self._handle = -1 if stream is None else stream.fileno()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self._handle < 0:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._handle

    def isatty(self) -> bool:
        return self._handle >= 0 and os.isatty(self._handle)

    def write(self, data: Any, /) -> int:
        size = memoryview(data).nbytes
        if self.failed is None:
            try:
                return os.write(self._handle, data)
            except OSError as error:
                self.failed = error.errno or errno.EIO
        return size


class Streams:
    """The two streams while a command runs."""

    def __enter__(self) -> Streams:
        if sys.stdin is None:
            sys.stdin = io.StringIO()
        self._before = sys.stdout, sys.stderr
        self._out, sys.stdout = _guarded(sys.stdout, "strict")
        _, sys.stderr = _guarded(sys.stderr, "backslashreplace")
        return self

    def __exit__(self, *exception: object) -> None:
        _flush(sys.stdout)
        _flush(sys.stderr)
        sys.stdout, sys.stderr = self._before

    def untold(self) -> int | None:
        """Write out what is left; the number of the error if standard output did not take it."""
        _flush(sys.stdout)
        return None if self._out is None else self._out.failed


def _flush(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        stream.flush()


def _guarded(stream: TextIO | None, errors: str) -> tuple[_Lasting | None, TextIO]:
    """What is written to, and the text stream upon it; a stream that is no file stays as it is."""
    if stream is not None:
        try:
            stream.fileno()
        except (OSError, ValueError):
            return None, stream
        _flush(stream)
    raw = _Lasting(stream)
    text = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding="utf-8" if stream is None else stream.encoding,
        errors=errors if stream is None else stream.errors,
        line_buffering=raw.isatty() or errors != "strict",
    )
    return raw, text
