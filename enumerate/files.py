"""Files: written whole or not at all, and JSON that is refused in one line when it is damaged."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import FileAccessError, SeabattleError, quoted


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, in UTF-8, whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:200]}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise FileAccessError(f"cannot write {path}: {error.strerror or error}") from None
    except ValueError:  # a null byte, or a character the file system cannot name
        raise FileAccessError(f"cannot write {str(path)!r}: no possible file name") from None


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a field that is given twice leaves it unsure which one counts."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _FieldTwiceError(name)
        found[name] = value
    return found


class _FieldTwiceError(Exception):
    """A field stands twice in one object."""


def read_json(
    path: str | Path, kind: str, error: type[SeabattleError], *, once: bool = False
) -> Any:
    """The document of a JSON file.

    Parameters
    ----------
    path
        The file.
    kind
        What it should be, for the messages, as in ``tree file``.
    error
        Raised when it is no JSON.
    once
        Whether to refuse objects that have a field twice. It makes reading large files slower.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise error(f"{path} is no {kind}: it is not UTF-8 text") from None
    except OSError as problem:
        raise FileAccessError(f"cannot read {path}: {problem.strerror or problem}") from None
    except ValueError:  # a null byte, or a character the file system cannot name
        raise FileAccessError(f"cannot read {str(path)!r}: no possible file name") from None
    try:
        return json.loads(text, object_pairs_hook=_only_once if once else None)
    except _FieldTwiceError as twice:
        raise error(
            f"{path} is no valid {kind}: the field {quoted(str(twice))} is given twice"
        ) from None
    except (ValueError, RecursionError) as problem:  # ValueError: a number of too many digits
        where = f": line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise error(f"{path} is no JSON, or was cut short{where}") from None
