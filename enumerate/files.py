"""Files are written whole or not at all, and read with one-line errors; JSON among them.

A file is written beside its place and then renamed: a reader finds the old file or the new one,
also after a crash or a full disk. What a link leads to is replaced, not the link. Devices and pipes
are written to and stay what they are. A file that grows line by line is the one that is not written
whole (``append_line``).

A long JSON file whose last field is an array may have one element per line and is then read in
pieces (``lined_json``): it begins with a line that ends in ``"field": [``; each following line is
an element, all but the last with a comma behind it; the last line is ``]}``.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from threading import get_ident
from typing import IO, Any, BinaryIO

from seabattle.enumerate.errors import FileAccessError, SeabattleError, quoted

Source = str | Path | IO[Any]
"""What is read: a file by its name, or a stream that is open, as standard input is."""

INPUT = "standard input"
"""What messages call a stream without a name."""

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How a text in UTF-16 begins, as some shells of Windows write what a command prints."""


def name_of(source: Source) -> str:
    """What messages call a file or a stream.

    >>> name_of("tree.json"), name_of(io.BytesIO())
    ('tree.json', 'standard input')
    """
    if isinstance(source, str | Path):
        return str(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name != "<stdin>" else INPUT


def read_text(source: Source) -> str:
    """The content of a text file in UTF-8, or in UTF-16 that says so, or what is left of a stream.

    Raises
    ------
    FileAccessError
        If the file cannot be read or decoded.
    """
    with _one_line(name_of(source), "read"):
        content = Path(source).read_bytes() if isinstance(source, str | Path) else source.read()
        if isinstance(content, bytes):
            content = content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
        text: str = content.replace("\r\n", "\n").replace("\r", "\n")
        return text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a repeated field is rejected, as it is unclear which value counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise SeabattleError(f"the field {quoted(twice)} is given twice")
    return found


def _no_constant(name: str) -> Any:
    """Reject ``NaN`` and ``Infinity``, which Python's reader of JSON takes for numbers."""
    raise SeabattleError(f"{name} is not a number")


def read_json(source: Source, kind: str, error: type[SeabattleError]) -> Any:
    """The document of a JSON file.

    Parameters
    ----------
    source
        The file, or a stream.
    kind
        What it should be, for messages: ``tree file``, for example.
    error
        Raised if it is not valid JSON.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    """
    return json_document(read_text(source), name_of(source), kind, error)


def json_document(
    text: str | bytes,
    name: str | Path,
    kind: str,
    error: type[SeabattleError],
    *,
    decimals: Callable[[str], Any] | None = None,
    before: int = 0,
) -> Any:
    """The document of the text of a JSON file, without the ``NaN`` that Python's reader takes.

    Parameters
    ----------
    text
        The text.
    name
        What messages call it.
    kind, error
        As for ``read_json``.
    decimals
        Makes a value of a number with a point or an exponent, as it is written.
    before
        Lines of the file before the text.

    Raises
    ------
    SeabattleError
        The error that was given, if it is not valid JSON.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_float=decimals, parse_constant=_no_constant
        )
    except SeabattleError as why:
        raise error(f"{name} is not a valid {kind}: {why}") from None
    except (ValueError, RecursionError) as problem:  # ValueError: a number of too many digits
        if not text.strip():
            raise error(f"{name} is empty, and no {kind}") from None
        where = f": line {before + problem.lineno}" if hasattr(problem, "lineno") else ""
        raise error(f"{name} is not JSON, or was cut short{where}") from None


def require_format(document: Any, name: str, version: int, error: type[SeabattleError]) -> None:
    """Refuse a document that is of another format, or of another version of it.

    Parameters
    ----------
    document
        The document of a JSON file.
    name, version
        What its fields ``format`` and ``version`` have to say.
    error
        Raised if they do not.
    """
    if not isinstance(document, dict) or document.get("format") != name:
        raise error(f"its 'format' is not {name!r}")
    found = document.get("version")
    if type(found) is not int or found != version:
        raise error(
            f"version {quoted(found)} of the format is unknown; this program reads version "
            f"{version}"
        )


def require_known(
    document: Mapping[str, Any], known: Iterable[str], error: type[SeabattleError], of: str = ""
) -> None:
    """Refuse an object with a field that nobody would read: one that is misspelt, most often.

    Parameters
    ----------
    document
        The object.
    known
        Names of the fields that it may have.
    error
        Raised if it has another.
    of
        What the fields are of, where the message does not say it otherwise: ``the request``.

    Raises
    ------
    SeabattleError
        The error that was given; it names the field and the nearest that is known, if one is near.

    Examples
    --------
    >>> require_known({"boad": "5x5"}, ("board", "fleet"), SeabattleError, of="the game")
    Traceback (most recent call last):
    seabattle.enumerate.errors.SeabattleError: the field 'boad' of the game is unknown; did you \
mean 'board'?
    """
    names = tuple(known)
    for name in document:
        if name not in names:
            near = get_close_matches(name[:40].lower(), names, n=1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise error(f"the field {quoted(name)}{of and f' of {of}'} is unknown{meant}")


def require_same(document: Any, right: Any, error: type[SeabattleError], of: str = "") -> None:
    """Refuse a document that is not, field by field, what is written of what was read from it.

    Parameters
    ----------
    document
        What was read.
    right
        What is written.
    error
        Raised if they are not the same; 1, 1.0 and true are not.
    of
        Where in a document these are, for messages.

    Raises
    ------
    SeabattleError
        The error that was given; it names the first field that is unknown, missing or other.

    Examples
    --------
    >>> require_same({"games": 3, "shots": [4, 5, 6]}, {"games": 3, "shots": (4, 5, 7)}, ValueError)
    Traceback (most recent call last):
    ValueError: shots 3 is 6, and the rest says 7
    """
    if isinstance(document, dict) and isinstance(right, dict):
        require_known(document, right, error, of)
        for name, value in right.items():
            if name not in document:
                raise error(f"the field {name!r}{of and f' of {of}'} is missing")
            require_same(document[name], value, error, f"{of} {name}".strip())
    elif isinstance(document, list) and isinstance(right, list | tuple):
        for number, (one, other) in enumerate(zip(document, right, strict=False), start=1):
            require_same(one, other, error, f"{of} {number}")
        if len(document) != len(right):
            raise error(f"{of} has {len(document)} elements, and the rest says {len(right)}")
    elif json.dumps(document) != json.dumps(right):
        raise error(f"{of} is {quoted(document)}, and the rest says {quoted(right)}")


LINES_AT_ONCE = 2_000
"""Elements that are parsed at a time."""


def lined_json(source: Source, field: str, kind: str, error: type[SeabattleError]) -> Iterator[Any]:
    """The document of a JSON file, and then the elements of its array if that is written in lines.

    Parameters
    ----------
    source, kind, error
        As for ``read_json``.
    field
        The name of the array.

    Yields
    ------
    document
        At first: with an empty array where its elements follow, else whole.
    element
        The elements in order.

    Raises
    ------
    FileAccessError, SeabattleError
        As ``read_json``.
    """
    text, name = read_text(source), name_of(source)
    first, begins, rest = text.partition(f'"{field}": [\n')
    if "\n" in first or not rest.rstrip().endswith("\n]}"):
        yield json_document(text, name, kind, error)
        return
    yield json_document(f"{first}{begins}]}}", name, kind, error)
    stream, before = io.StringIO(rest.rstrip().removesuffix("\n]}")), 1
    while lines := list(islice(stream, LINES_AT_ONCE)):
        part = "".join(lines).rstrip().removesuffix(",")
        yield from json_document(f"[{part}]", name, kind, error, before=before)
        before += len(lines)


def require_place(path: str | Path) -> None:
    """Refuse a place that a file cannot be written to, before the work that makes the file.

    Raises
    ------
    FileAccessError
        If a folder is there, or the file cannot be written there.
    """
    with _one_line(path):
        place = _place(Path(path))
        if place is not None:
            above = next(each for each in place.parents if os.path.lexists(each))
            tempfile.TemporaryFile(dir=above).close()


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, in UTF-8: whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8"))


def write_texts(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write text files, by their names in a folder: each whole or not at all; the files.

    Raises
    ------
    FileAccessError
        If one cannot be written.
    """
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]


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
    listed = list(rows)
    stream = io.StringIO()
    if listed:
        writer = csv.DictWriter(stream, fieldnames=list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)
    return stream.getvalue()


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that grows, without a last one that was cut short; none without a file.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    """
    return read_text(path).split("\n")[:-1] if path.exists() else []


def append_line(path: Path, line: str) -> None:
    """Append a line to a file, which is made if there is none; it is there on return.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    with _one_line(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as stream:
            stream.write(f"{line}\n".encode())


@contextmanager
def _one_line(path: str | Path, what: str = "write") -> Iterator[None]:
    """Whatever the system has to say against a path, in one line that names it."""
    try:
        yield
        return
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        reason = getattr(error, "strerror", None) or error
    except SeabattleError:
        raise
    except UnicodeDecodeError:
        reason = "it is not text in UTF-8"
    except ValueError:  # a null byte, or a character the file system cannot name
        path, reason = repr(str(path)), "a file cannot have this name"
    raise FileAccessError(f"cannot {what} {path}: {reason}")


def _place(path: Path) -> Path | None:
    """Where the file of a path is; None for a device, a pipe, or an open file of a process."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return path.resolve()
    if stat.S_ISDIR(mode):
        raise FileAccessError(f"cannot write {path}: it is a folder; name a file")
    above = path.absolute().parent.resolve()
    # /dev/stdout leads to what a process holds open, which another file cannot replace.
    held = above == Path("/dev") or above.is_relative_to("/proc")
    return path.resolve() if stat.S_ISREG(mode) and not held else None
