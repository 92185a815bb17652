"""Files are written whole or not at all, and only where nothing else is lost.

A file is written beside its place and then renamed: a reader finds the old file or the new one,
also after a crash or a full disk. It takes the place of nothing, of an empty file, or of a file of
its own kind, as its first bytes tell; a file of another kind is never replaced. What a link leads
to is replaced, not the link. Devices and pipes are written to and stay what they are.

What a program that was killed left beside is removed by the next one that writes to the same place
(``beside``). A file that grows line by line is the one that is not written whole (``GrowingFile``).
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from seabattle.enumerate.beside import file_beside, sweep
from seabattle.enumerate.errors import FileAccessError

HEAD = 4096
"""Bytes at the beginning of a file that tell its kind."""

EMPTY = "an empty file"
UNKNOWN = "something else"
CHECKPOINT = "a checkpoint"
PRIOR_TABLE = "a prior as a table"
_SVG, _PNG, _PDF = "an SVG picture", "a PNG picture", "a PDF document"
_HTML, _DOT = "an HTML page", "a Graphviz file"

_SIGNATURES = (
    (b"\x89PNG", _PNG),
    (b"%PDF", _PDF),
    (b"PK\x03\x04", CHECKPOINT),
    (b"<!DOCTYPE html", _HTML),
    (b"digraph", _DOT),
)
_SVG_BEGINS = re.compile(
    r"(<\?xml[^>]*>\s*)?((<!--.*?-->|<!DOCTYPE svg[^>]*>)\s*)*<svg\b", re.DOTALL
)
_FORMAT = re.compile(r'"format":\s*"([\w-]+)"')
_FIRST_FIELD = re.compile(r'\{\s*"(\w+)"')

_PRIOR_TABLES = {"layout,weight", "placement,weight", "cells,product", "cells,sum", "games"}
"""What a prior as a table can begin with; one kind may take the place of another."""

_TABLES = {
    "shots,": "a table of shots by player",
    "player,games,": "a table of players",
    "first,second,": "a table of pairs of players",
    "board,fleet,contact,answers,layouts,status,worst_misses,": "a table of solved games",
}

_SUFFIXES = {".svg": _SVG, ".png": _PNG, ".pdf": _PDF, ".html": _HTML, ".dot": _DOT}


def of_format(name: str) -> str:
    """The kind of a JSON file whose field ``format`` is this."""
    return f"a file of the format {name}"


def kind_of(head: bytes) -> str:
    r"""The kind of a file, as its first bytes tell it.

    >>> kind_of(b'{"format": "seabattle-tree", "version": 1'), kind_of(b"")
    ('a file of the format seabattle-tree', 'an empty file')
    >>> kind_of(b"shots,player\n17,3\n"), kind_of(b"5x5, fleet 3,2,1, contact none")
    ('a table of shots by player', 'text that begins with NxN,')
    """
    if not head:
        return EMPTY
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:  # not just a letter cut in two
            return UNKNOWN
        text = head[: error.start].decode("utf-8")
    if "\0" in text:
        return UNKNOWN
    text = text.removeprefix("\ufeff").lstrip()
    if _SVG_BEGINS.match(text):
        return _SVG
    if field := _FIRST_FIELD.match(text):
        named = _FORMAT.search(text)
        return of_format(named[1]) if named else f"JSON that begins with {field[1]}"
    first = text.split("\n", 1)[0].strip()
    if not first.isprintable():
        return UNKNOWN
    if first in _PRIOR_TABLES:
        return PRIOR_TABLE
    for begins, kind in _TABLES.items():  # columns differ by players and versions
        if first.startswith(begins):
            return kind
    if re.fullmatch(r"[^\s,]+(,[^\s,]+)+", first):
        return f"a table of {first}"
    beginning = text.split(maxsplit=1)[0] if text else ""
    return f"text that begins with {re.sub(r'[0-9]+', 'N', beginning)[:20]}"


def kind_of_suffix(path: Path) -> str | None:
    """The kind of a file that a name promises, where it promises one."""
    return _SUFFIXES.get(path.suffix.lower())


def require_place(path: str | Path, kind: str | None = None, *, said: str | None = None) -> None:
    """Refuse a place that a file cannot be written to, before the work that makes the file.

    Parameters
    ----------
    path
        Where the file is to be written.
    kind
        What it will be, as ``kind_of`` says it; None where that is not known yet.
    said
        What a refusal begins with; ``cannot write`` and the path by default.

    Raises
    ------
    FileAccessError
        If a folder, a link that leads nowhere, or a file of another kind is there, or the file
        cannot be written there.
    """
    with _one_line(path, said):
        place = _place(Path(path))
        if place is None:
            return
        if kind is not None:
            _refuse_other_kind(place, kind)
        above = next(each for each in place.absolute().parents if os.path.lexists(each))
        if not above.is_dir():
            raise _RefusalError(f"{above} is no folder")
        try:
            tempfile.TemporaryFile(dir=above).close()
        except OSError as error:
            raise _RefusalError(f"cannot write to {above}: {error.strerror or error}") from None
        _require_short_name(place)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, in UTF-8: whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written, or another kind of file is there.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file: whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written, or another kind of file is there.
    """
    write_whole(path, lambda stream: stream.write(content), kind_of(content[:HEAD]))


def write_whole(path: str | Path, write: Callable[[BinaryIO], object], kind: str) -> None:
    """Write a file by a function that writes to a stream: whole or not at all.

    Parameters
    ----------
    path
        The file.
    write
        Called with a stream that takes bytes.
    kind
        What the file will be, as ``kind_of`` says it.

    Raises
    ------
    FileAccessError
        If the file cannot be written, or another kind of file is there.
    """
    with _one_line(path):
        place = _place(Path(path))
        if place is None:
            with open(path, "ab") as stream:
                write(stream)
            return
        _refuse_other_kind(place, kind)
        _require_short_name(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        sweep(place)
        with file_beside(place) as (stream, temporary):
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
            os.replace(temporary, place)


class GrowingFile:
    """A text file that grows line by line; a line is in the file when ``add`` returns.

    A program that is killed, or a full disk, may cut the last line short: a reader drops a line
    without its end.

    Parameters
    ----------
    path
        The file.
    lines
        What it begins with, in the place of what is there.

    Raises
    ------
    FileAccessError
        If the file cannot be written; by ``add`` too.
    """

    def __init__(self, path: Path, lines: Iterable[str]) -> None:
        self.path = path
        write_text(path, "".join(f"{line}\n" for line in lines))
        with _one_line(path):
            self._stream = path.open("ab", buffering=0)

    def add(self, line: str) -> None:
        """Append a line."""
        left = memoryview(f"{line}\n".encode())
        with _one_line(self.path):
            while left:
                left = left[self._stream.write(left) :]

    def close(self) -> None:
        """Write no more."""
        self._stream.close()

    def remove(self) -> None:
        """Remove the file, which is no longer needed; that it cannot be removed is no failure."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


class _RefusalError(Exception):
    """Why a file is not written."""


@contextmanager
def _one_line(path: str | Path, said: str | None = None) -> Iterator[None]:
    """Whatever there is to say against a path, in one line that names it."""
    try:
        yield
    except FileAccessError:
        raise
    except _RefusalError as refusal:
        reason = str(refusal)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        reason = str(getattr(error, "strerror", None) or error)
    except ValueError:  # a null byte, or a character the file system cannot name
        path, reason = repr(str(path)), "no possible file name"
    else:
        return
    raise FileAccessError(f"{said or f'cannot write {path}'}: {reason}")


def _place(path: Path) -> Path | None:
    """Where the file of a path is; None for a device, a pipe, or an open file of a process."""
    if not path.name:
        raise _RefusalError("name a file")
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            raise _RefusalError(
                f"it is a link to {os.readlink(path)}, which is not there"
            ) from None
        return path
    if stat.S_ISDIR(mode):
        raise _RefusalError("it is a folder; name a file")
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISFIFO(mode):
        return None
    if not stat.S_ISREG(mode):
        raise _RefusalError("it is no file")
    above = path.absolute().parent.resolve()
    # /dev/stdout leads to what a process holds open, which another file cannot replace.
    return None if above == Path("/dev") or above.is_relative_to("/proc") else path.resolve()


def _refuse_other_kind(place: Path, kind: str) -> None:
    """Refuse to replace a file of another kind."""
    try:
        with place.open("rb") as stream:
            there = kind_of(stream.read(HEAD))
    except FileNotFoundError:
        return
    except PermissionError:
        raise _RefusalError(
            "the file that is there cannot be read, and so it cannot be told whether it may be "
            "replaced"
        ) from None
    if there not in (EMPTY, kind) or there == UNKNOWN:
        raise _RefusalError(
            f"{there} is there, which {kind} may not replace; name another file, or remove that one"
        )


def _require_short_name(place: Path) -> None:
    """Refuse a name that is too long for a file, before a shortened one is written beside it."""
    with suppress(FileNotFoundError):
        os.lstat(place)
