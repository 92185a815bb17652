"""Long JSON files whose last field is an array with one element per line, read in pieces.

Such a file begins with a line that ends in ``"field": [``; each following line is an element, all
but the last with a comma behind it; the last line is ``]}``. Every file of this kind is plain JSON
too, and one that is written otherwise is read as a whole instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

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
        return json.loads(text, object_pairs_hook=_only_once, parse_constant=_no_constant)
    raise NotLinedError


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; none if a field is repeated, as it is unclear which value counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotLinedError
    return found


def _no_constant(name: str) -> Any:
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
