"""Files are read with one-line errors; JSON among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
