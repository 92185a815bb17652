"""Files are written whole or not at all.

A file is written beside its place and then renamed: a reader finds the old file or the new one,
also after a crash or a full disk. What a link leads to is replaced, not the link. Devices and pipes
are written to and stay what they are. A file that grows line by line is the one that is not written
whole (``GrowingFile``).

Files are read with one-line errors; JSON among them.

Long JSON files whose last field is an array with one element per line, read in pieces.

Such a file begins with a line that ends in ``"field": [``; each following line is an element, all
but the last with a comma behind it; the last line is ``]}``. Every file of this kind is plain JSON
too, and one that is written otherwise is read as a whole instead.
"""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from threading import get_ident
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
                    raise _NotTakenError(f"the field {quoted(name)} is given twice")
        return found

    return made


def _no_constant(name: str) -> Any:
    """Reject ``NaN`` and ``Infinity``, which Python's reader of JSON takes for numbers."""
    raise _NotTakenError(f"{name} is no number")


class _NotTakenError(ValueError):
    """Why what Python's reader of JSON takes is not taken here."""


def read_json(
    path: str | Path,
    kind: str,
    error: type[SeabattleError],
    *,
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
    may_repeat
        Names of fields that may be repeated in an object: of equal ones the last counts. Others
        are rejected, as it is unclear which value counts.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    """
    text = read_text(path, error(f"{path} is no {kind}: it is not UTF-8 text"))
    return json_document(text, path, kind, error, may_repeat=may_repeat)


def json_document(
    text: str,
    path: str | Path,
    kind: str,
    error: type[SeabattleError],
    *,
    may_repeat: Callable[[str], bool] = lambda name: False,
    decimals: Callable[[str], Any] | None = None,
) -> Any:
    """The document of the text of a JSON file, without the ``NaN`` that Python's reader takes.

    Parameters
    ----------
    text
        The text.
    path, kind, error, may_repeat
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
            object_pairs_hook=_only_once(may_repeat),
            parse_float=decimals,
            parse_constant=_no_constant,
        )
    except _NotTakenError as why:
        raise error(f"{path} is no valid {kind}: {why}") from None
    except SeabattleError:  # of ``decimals``
        raise
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
        once = _only_once(lambda name: False)
        return json.loads(text, object_pairs_hook=once, parse_constant=_no_constant)
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


def require_place(path: str | Path, *, said: str | None = None) -> None:
    """Refuse a place that a file cannot be written to, before the work that makes the file.

    Parameters
    ----------
    path
        Where the file is to be written.
    said
        What a refusal begins with; ``cannot write`` and the path by default.

    Raises
    ------
    FileAccessError
        If a folder or a link that leads nowhere is there, or the file cannot be written there.
    """
    with _one_line(path, said):
        place = _place(Path(path))
        if place is None:
            return
        above = next(each for each in place.absolute().parents if os.path.lexists(each))
        if not above.is_dir():
            raise _RefusalError(f"{above} is no folder")
        try:
            tempfile.TemporaryFile(dir=above).close()
        except OSError as error:
            raise _RefusalError(f"cannot write to {above}: {error.strerror or error}") from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, in UTF-8: whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file: whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    write_whole(path, lambda stream: stream.write(content))


def write_whole(path: str | Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file by a function that writes to a stream: whole or not at all.

    Parameters
    ----------
    path
        The file.
    write
        Called with a stream that takes bytes.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    with _one_line(path):
        place = _place(Path(path))
        if place is None:
            with open(path, "ab") as stream:
                write(stream)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        writer = f"{os.getpid()}-{get_ident()}"
        temporary = place.with_name(f".{place.name[:40]}.{writer}.new")
        try:
            with temporary.open("wb") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, place)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows with the same columns as CSV; None as an empty cell."""
    stream = io.StringIO()
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(stream, fieldnames=list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return stream.getvalue()


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
