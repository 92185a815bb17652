"""Files are written whole or not at all, and only where nothing else is lost.

A file is written beside its place and then renamed: a reader finds the old file or the new one,
also after a crash or a full disk. It takes the place of nothing, of an empty file, or of a file of
its own kind, as its first bytes tell; a file of another kind is never replaced. What a link leads
to is replaced, not the link. Devices and pipes are written to and stay what they are.

What a program that was killed left beside is removed by the next one that writes to the same place
(``beside``). A file that grows line by line is the one that is not written whole (``GrowingFile``).

Files are read with one-line errors; JSON among them.

Long JSON files whose last field is an array with one element per line, read in pieces.

Such a file begins with a line that ends in ``"field": [``; each following line is an element, all
but the last with a comma behind it; the last line is ``]}``. Every file of this kind is plain JSON
too, and one that is written otherwise is read as a whole instead.

Files that are being made beside the place they will take have hidden names, and are locked while
they are made. One that nobody holds was left by a program that was killed, and is removed by the
next one that writes to the same place.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from seabattle.enumerate.errors import FileAccessError, SeabattleError, quoted


def read_text(
    path: str | Path,
    not_text: SeabattleError,
    *,
    encoding: str = "utf-8",
    most: int | None = None,
) -> str:
    """The content of a text file.

    Parameters
    ----------
    path
        The file.
    not_text
        Raised if it cannot be decoded.
    encoding
        UTF-8, or a variant of it.
    most
        The largest number of characters; any by default.

    Raises
    ------
    FileAccessError
        If the file cannot be read, or is longer.
    """
    try:
        with Path(path).open(encoding=encoding) as stream:
            text = stream.read(-1 if most is None else most + 1)
    except UnicodeDecodeError:
        raise not_text from None
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError:  # a null byte, or a character the file system cannot name
        raise FileAccessError(f"cannot read {str(path)!r}: no possible file name") from None
    if most is not None and len(text) > most:
        raise FileAccessError(f"cannot read {path}: it has more than {most:,} characters")
    return text


def _only_once(may_repeat: Callable[[str], bool]) -> Callable[[list[tuple[str, Any]]], Any]:
    """Makes JSON objects; a repeated field is rejected, as it is unclear which value counts."""

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            for name in names:
                if names.count(name) > 1 and not may_repeat(name):
                    raise _FieldTwiceError(name)
        return found

    return made


class _FieldTwiceError(Exception):
    """A field occurs twice in one object."""


def _no_constant(name: str) -> Any:
    """Reject ``NaN`` and ``Infinity``, which Python's reader of JSON takes for numbers."""
    raise _NoJsonError(name)


class _NoJsonError(Exception):
    """A word that JSON does not know."""


def read_json(
    path: str | Path,
    kind: str,
    error: type[SeabattleError],
    *,
    once: bool = False,
    may_repeat: Callable[[str], bool] = lambda name: False,
) -> Any:
    """The document of a JSON file.

    Parameters
    ----------
    path
        The file.
    kind
        What it should be, for messages: ``tree file``, for example.
    error
        Raised if it is not valid JSON.
    once
        Whether to reject objects with a repeated field; reading then takes half as long again.
    may_repeat
        Names of fields that are not rejected even then: of equal ones the last counts.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    """
    text = read_text(path, error(f"{path} is no {kind}: it is not UTF-8 text"))
    return json_document(text, path, kind, error, once=once, may_repeat=may_repeat)


def json_document(
    text: str,
    path: str | Path,
    kind: str,
    error: type[SeabattleError],
    *,
    once: bool = False,
    may_repeat: Callable[[str], bool] = lambda name: False,
    decimals: Callable[[str], Any] | None = None,
) -> Any:
    """The document of the text of a JSON file, without the ``NaN`` that Python's reader takes.

    Parameters
    ----------
    text
        The text.
    path, kind, error, once, may_repeat
        As for ``read_json``.
    decimals
        Makes a value of a number with a point or an exponent, as it is written.

    Raises
    ------
    SeabattleError
        The error that was given, if it is not valid JSON.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_only_once(may_repeat) if once else None,
            parse_float=decimals,
            parse_constant=_no_constant,
        )
    except _FieldTwiceError as twice:
        raise error(
            f"{path} is no valid {kind}: the field {quoted(str(twice))} is given twice"
        ) from None
    except _NoJsonError as word:
        raise error(f"{path} is no valid {kind}: {word} is no number") from None
    except (ValueError, RecursionError) as problem:  # ValueError: a number of too many digits
        where = f": line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise error(f"{path} is no JSON, or was cut short{where}") from None


LINES_AT_ONCE = 2_000
"""Elements that are parsed at a time."""

_END = "]}\n"


class NotLinedError(Exception):
    """The file is not written in lines, or is no JSON with each field once: read it as a whole."""


class LinedJson:
    """A file that is open and whose first line was read.

    Attributes
    ----------
    head
        The document with an empty array.
    elements
        How many lines there are between the first and the last.
    """

    def __init__(self, stream: TextIO, head: Any, elements: int) -> None:
        self.head, self.elements = head, elements
        self._stream = stream

    def __iter__(self) -> Iterator[Any]:
        """The elements in order.

        Raises
        ------
        NotLinedError
            If a line is something else, or there are more or fewer elements than lines.
        """
        left = self.elements
        while left:
            lines = list(islice(self._stream, min(left, LINES_AT_ONCE)))
            left -= len(lines)
            if left:
                if not lines or not lines[-1].endswith(",\n"):
                    raise NotLinedError
                lines[-1] = lines[-1][:-2]
            found = _parsed(f"[{''.join(lines)}]")
            if len(found) != len(lines):
                raise NotLinedError
            yield from found
        if self._stream.read() != _END:
            raise NotLinedError


def _parsed(text: str) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(
            text, object_pairs_hook=_lines_only_once, parse_constant=_no_constant_in_lines
        )
    raise NotLinedError


def _lines_only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; none if a field is repeated, as it is unclear which value counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotLinedError
    return found


def _no_constant_in_lines(name: str) -> Any:
    """Reject ``NaN`` and ``Infinity``, which are no JSON."""
    raise NotLinedError


@contextmanager
def lined_json(path: str | Path, field: str) -> Iterator[LinedJson]:
    """Open a file for reading element by element.

    Parameters
    ----------
    path
        The file.
    field
        The name of the array.

    Raises
    ------
    NotLinedError
        If the file is written otherwise, or cannot be read.
    """
    try:
        elements = _lines(Path(path)) - 2
        with Path(path).open(encoding="utf-8", newline="\n") as stream:
            first = stream.readline()
            if elements < 1 or not first.endswith(f'"{field}": [\n'):
                raise NotLinedError
            yield LinedJson(stream, _parsed(first + "]}"), elements)
    except (OSError, ValueError):  # not UTF-8, or no possible name
        raise NotLinedError from None


def _lines(path: Path) -> int:
    """Line breaks of a file that ends as it should; 0 for what is no file, a pipe for one."""
    try:
        if not path.is_file():
            return 0
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - len(_END)))
            if stream.read() != _END.encode():
                return 0
            stream.seek(0)
            return sum(piece.count(b"\n") for piece in iter(lambda: stream.read(1 << 20), b""))
    except ValueError:  # no possible name
        return 0


LEFT_BEHIND = ".seabattle-new"
"""Ending of the name of what is being made beside its place."""


@contextmanager
def file_beside(place: Path) -> Iterator[tuple[BinaryIO, str]]:
    """A new, locked file beside a place, and its name; removed unless it was renamed."""
    while True:
        handle, temporary = tempfile.mkstemp(LEFT_BEHIND, _prefix(place), place.parent)
        if lock(handle) is not False and _is_there(handle, temporary):
            break
        os.close(handle)  # swept by another program before it was locked
    try:
        with os.fdopen(handle, "wb") as stream:
            os.chmod(temporary, 0o666 & ~_mask())
            yield stream, temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def sweep(place: Path) -> None:
    """Remove what programs that were killed left beside a place."""
    with suppress(OSError):
        for each in place.parent.iterdir():
            if each.name.startswith(_prefix(place)) and each.name.endswith(LEFT_BEHIND):
                with suppress(OSError):
                    _sweep_one(each)


def _sweep_one(left: Path) -> None:
    handle = os.open(left, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not lock(handle):
            return
        left.unlink()
    finally:
        os.close(handle)


def lock(handle: int) -> bool | None:
    """Lock an open file.

    Returns
    -------
    bool or None
        False if somebody else has locked it; None if this system or its disk cannot lock.
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _is_there(handle: int, name: str) -> bool:
    """Whether an open file still has its name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(name))
    except FileNotFoundError:
        return False


def _prefix(place: Path) -> str:
    return f".{place.name[:100]}."


def _mask() -> int:
    """Permissions that new files shall not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
