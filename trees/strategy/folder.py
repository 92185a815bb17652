"""Strategy files on disk: a folder that is written atomically and validated when read.

``trees.strategy.keys`` defines the format. A folder is created beside its destination
under a hidden name, flushed to disk, and then renamed in one step; an existing strategy file is
exchanged with it, where the system can exchange two names, and removed afterwards. Nothing else is
ever replaced: a folder that holds a single file that is not of the format is left alone.

Files may come from untrusted sources. Arrays are mapped as plain ``.npy`` files, never unpickled,
and the type of every field of the manifest is checked before it is used.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import FileAccessError, StrategyError, quoted
from seabattle.enumerate.files import folder_beside, read_json, sweep

FORMAT = "seabattle-strategy"
VERSION = 1
MANIFEST = "manifest.json"
ARRAYS: Mapping[str, bool] = {
    "key0": True, "key1": False, "values": True, "shots": True, "layouts": True,
}  # fmt: skip
"""Arrays of a strategy file, and whether it always has them."""

_FILES = frozenset(f"{name}.npy" for name in ARRAYS)
_MOST = 1 << 62


def digest_of(data: bytes) -> str:
    """SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def sealed(manifest: Mapping[str, Any]) -> str:
    """Checksum of a manifest without its own field."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return digest_of(json.dumps(rest, sort_keys=True, ensure_ascii=True).encode())


# ------------------------------------------------------------------------------------- reading


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_shots(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(shot, list) and len(shot) == 2 and all(map(_is_text, shot)) for shot in value
    )


def _are_symmetries(value: object) -> bool:
    """Whether these are distinct symmetries: a square has 8, numbered from 0."""
    return (
        isinstance(value, list)
        and all(_is_count(each) and each < 8 for each in value)
        and len(set(value)) == len(value)
    )


def _are_files(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(entry, dict)
        and _is_count(entry.get("bytes"))
        and _is_text(entry.get("sha256"))
        and len(entry["sha256"]) == 64
        for entry in value.values()
    )


_TEXT = (_is_text, "text")
_COUNT = (_is_count, "a whole number")
_FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "board": _TEXT, "fleet": _TEXT, "contact": _TEXT, "answers": _TEXT, "announce": _TEXT,
    "objective": _TEXT, "scope": _TEXT, "made_by": _TEXT,
    "states": _COUNT, "layouts": _COUNT, "value": _COUNT,
    "position": (_are_shots, "an array of [cell, answer]"),
    "symmetries": (_are_symmetries, "an array of different numbers from 0 to 7"),
    "files": (_are_files, "an object of files with 'bytes' and 'sha256'"),
}  # fmt: skip


def read_manifest(path: Path) -> dict[str, Any]:
    """Manifest of a strategy file, every field checked; raises as ``Strategy.open``."""
    file = path / MANIFEST
    try:
        path.stat()
    except ValueError:  # a null byte, or a character the file system cannot name
        raise FileAccessError(f"cannot read {str(path)!r}: no possible file name") from None
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        if not file.is_file():
            raise StrategyError(f"{path} is no strategy file: it has no {MANIFEST}")
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    manifest = read_json(file, "manifest of a strategy file", StrategyError, once=True)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StrategyError(f"{path} is no strategy file: its 'format' is not {FORMAT!r}")
    if type(manifest.get("version")) is not int or manifest["version"] != VERSION:
        raise StrategyError(
            f"{path}: version {quoted(manifest.get('version'))} of the strategy format is "
            f"unknown; this program reads version {VERSION}"
        )
    if manifest.get("sha256") != sealed(manifest):
        raise StrategyError(f"{file} was edited or damaged: its checksum does not fit")
    files = manifest.get("files")
    for name in files if isinstance(files, dict) else ():
        if name not in _FILES:
            raise StrategyError(f"{path}: the manifest names an unknown file {quoted(name)}")
    for name, (fits, what) in _FIELDS.items():
        if not fits(manifest.get(name)):
            raise StrategyError(
                f"{path} is no valid strategy file: the field {name!r} must be {what}"
            )
    for name, always in ARRAYS.items():
        if always and f"{name}.npy" not in manifest["files"]:
            raise StrategyError(f"{path} is no valid strategy file: it has no {name}.npy")
    return manifest


def map_arrays(path: Path, manifest: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The arrays of a strategy file by name, memory-mapped; raises as ``Strategy.open``.

    Their sizes are those the manifest states; types and shapes are not checked.
    """
    arrays = {}
    for name, entry in manifest["files"].items():
        file = path / name
        try:
            size = file.stat().st_size
            if size != entry["bytes"]:
                raise StrategyError(
                    f"{file} has {size:,} bytes and should have {entry['bytes']:,}: it was cut "
                    f"short or edited"
                )
            mapped = np.lib.format.open_memmap(file, mode="r")
        except StrategyError:
            raise
        except OSError as error:
            raise FileAccessError(f"cannot read {file}: {error.strerror or error}") from None
        except Exception:  # numpy raises various errors for a damaged header
            raise StrategyError(f"{path} is no valid strategy file: {name} is damaged") from None
        arrays[name.removesuffix(".npy")] = np.asarray(mapped)
    return arrays


# ------------------------------------------------------------------------------------- writing


def _is_ours(path: Path) -> bool:
    """Whether a folder is empty or contains a strategy file and nothing else."""
    names = {each.name for each in path.iterdir()}
    if not names <= _FILES | {MANIFEST}:
        return False
    if not names:
        return True
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and manifest.get("format") == FORMAT


def refuse_target(path: str | Path) -> None:
    """Reject a path to which no strategy file can be written, before one is computed.

    Raises
    ------
    FileAccessError
        If the path is neither free, nor an empty folder, nor a strategy file and nothing else, or
        its parent is not writable.
    """
    path = Path(path)
    try:
        place = path.resolve()
        if place.exists() and not (place.is_dir() and _is_ours(place)):
            raise FileAccessError(f"cannot write {path}: it exists and is no strategy file")
        above = next(each for each in place.parents if each.exists())
        if not above.is_dir():
            raise FileAccessError(f"cannot write {path}: {above} is no folder")
        if not os.access(above, os.W_OK | os.X_OK):
            raise FileAccessError(f"cannot write {path}: the folder {above} is read-only")
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise FileAccessError(
            f"cannot write {path}: {getattr(error, 'strerror', None) or error}"
        ) from None
    except FileAccessError:
        raise
    except ValueError:  # a null byte, or a character the file system cannot name
        raise FileAccessError(f"cannot write {str(path)!r}: no possible file name") from None


def write_strategy(
    path: str | Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a strategy file atomically; an existing strategy file is replaced.

    Parameters
    ----------
    path
        The folder; if it is a link, its target.
    manifest
        Everything but ``format``, ``version``, ``files`` and ``sha256``.
    arrays
        The arrays by name, ``key0`` and so on.

    Raises
    ------
    FileAccessError
        If it cannot be written, or the path exists and is not a strategy file.
    """
    refuse_target(path)
    place = Path(path).resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        sweep(place)
        with folder_beside(place) as new:
            files = {
                f"{name}.npy": _write_array(new / f"{name}.npy", array)
                for name, array in arrays.items()
            }
            whole = {"format": FORMAT, "version": VERSION, **manifest, "files": files}
            whole["sha256"] = sealed(whole)
            with (new / MANIFEST).open("w", encoding="utf-8") as text:
                text.write(json.dumps(whole, indent=1) + "\n")
                text.flush()
                os.fsync(text.fileno())
            _take_place(place, new)
        with suppress(OSError):  # not every system can open a folder
            folder = os.open(place.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise FileAccessError(f"cannot write {path}: {error.strerror or error}") from None


class _Digested:
    """A stream that is written to and keeps the digest of what was written."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.bytes, self.sha256 = stream, 0, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.bytes += len(data)
        self.sha256.update(data)
        return self.stream.write(data)


def _write_array(file: Path, array: NDArray[Any]) -> dict[str, Any]:
    """Write an array; returns what the manifest says of the file."""
    with file.open("wb") as stream:
        # numpy leaves out why a file of the system could not be written.
        written = _Digested(stream)
        np.save(cast(BinaryIO, written), np.ascontiguousarray(array), allow_pickle=False)
        stream.flush()
        os.fsync(stream.fileno())
    return {"bytes": written.bytes, "sha256": written.sha256.hexdigest()}


def _take_place(place: Path, new: Path) -> None:
    """Move a folder to a path; the one there, if any, then has the name of the new one, or none.

    On failure the one there stays.
    """
    if not place.exists():
        with suppress(OSError):  # another program was faster, or it cannot be done: see below
            new.rename(place)
            return
    if not exchange_names(place, new):
        _replace_in_two_steps(place, new)


def _replace_in_two_steps(place: Path, new: Path) -> None:
    """Replace a folder; between the two steps the old one has another name."""
    with folder_beside(place) as aside:
        place.rename(aside / place.name)
        new.rename(place)


def exchange_names(one: Path, other: Path) -> bool:
    """Exchange the names of two folders in one step; False if the system cannot."""
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE of Linux
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, TypeError, AttributeError):
        return False
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)
