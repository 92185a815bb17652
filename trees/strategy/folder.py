"""Strategy files on disk: a folder of arrays and a manifest, whole or not there.

``trees.strategy.keys`` defines the format. The files are written beside their folder and put in
place by ``os.replace``, the manifest last. Only strategy files and empty folders are ever written
to.

Files may come from untrusted sources. Arrays are mapped as plain ``.npy`` files, never unpickled.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import FileAccessError, StrategyError, quoted
from seabattle.enumerate.files import read_json, require_place

FORMAT = "seabattle-strategy"
VERSION = 1
MANIFEST = "manifest.json"
_FILES = frozenset(f"{name}.npy" for name in ("key0", "key1", "values", "shots", "layouts"))


def digest_of(file: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sealed(manifest: Mapping[str, Any]) -> str:
    """Checksum of a manifest without its own field."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


# ------------------------------------------------------------------------------------- reading


def read_manifest(path: Path) -> dict[str, Any]:
    """Manifest of a strategy file, with its checksum checked; raises as ``Strategy.open``."""
    file = path / MANIFEST
    if path.is_dir() and not file.is_file():
        raise StrategyError(f"{path} is no strategy file: it has no {MANIFEST}")
    manifest = read_json(file, "manifest of a strategy file", StrategyError)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StrategyError(f"{path} is no strategy file: its 'format' is not {FORMAT!r}")
    if manifest.get("version") != VERSION:
        raise StrategyError(
            f"{path}: version {quoted(manifest.get('version'))} of the strategy format is "
            f"unknown; this program reads version {VERSION}"
        )
    if manifest.get("sha256") != sealed(manifest):
        raise StrategyError(f"{file} was edited or damaged: its checksum does not fit")
    return manifest


def map_arrays(path: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a strategy file by name, memory-mapped; raises as ``Strategy.open``.

    Types and shapes are not checked.
    """
    arrays = {}
    for name in names:
        if name not in _FILES:
            raise StrategyError(f"{path}: the manifest names an unknown file {quoted(name)}")
        try:
            mapped = np.lib.format.open_memmap(path / name, mode="r")
        except OSError as error:
            raise FileAccessError(f"cannot read {path / name}: {error.strerror or error}") from None
        except Exception:  # numpy raises various errors for a damaged header
            raise StrategyError(f"{path} is no valid strategy file: {name} is damaged") from None
        arrays[name.removesuffix(".npy")] = np.asarray(mapped)
    return arrays


# ------------------------------------------------------------------------------------- writing


def refuse_target(path: str | Path) -> None:
    """Reject a path to which no strategy file can be written, before one is computed.

    Raises
    ------
    FileAccessError
        If the path is neither free, nor an empty folder, nor a strategy file and nothing else, or
        nothing can be written there.
    """
    path = Path(path)
    if os.path.exists(path) and not _is_ours(path):
        raise FileAccessError(f"cannot write {path}: it exists and is no strategy file")
    require_place(path / MANIFEST)


def _is_ours(path: Path) -> bool:
    """Whether a path is an empty folder, or a strategy file and nothing else."""
    try:
        names = {each.name for each in path.iterdir()}
        found = json.loads((path / MANIFEST).read_text("utf-8")) if names else {"format": FORMAT}
    except (OSError, ValueError, RecursionError):
        return False
    ours = isinstance(found, dict) and found.get("format") == FORMAT
    return ours and names <= _FILES | {MANIFEST}


def write_strategy(
    path: str | Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a strategy file; one that is there is replaced once the new one is whole.

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
        with TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as beside:
            new = Path(beside)
            files = {}
            for name, array in arrays.items():
                file = new / f"{name}.npy"
                np.save(file, array, allow_pickle=False)
                files[file.name] = {"bytes": file.stat().st_size, "sha256": digest_of(file)}
            whole = {"format": FORMAT, "version": VERSION, **manifest, "files": files}
            whole["sha256"] = sealed(whole)
            (new / MANIFEST).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
            place.mkdir(exist_ok=True)
            for name in (MANIFEST, *(_FILES - files.keys())):  # without it nothing is read
                (place / name).unlink(missing_ok=True)
            for name in (*files, MANIFEST):
                os.replace(new / name, place / name)
    except OSError as error:
        raise FileAccessError(f"cannot write {path}: {error.strerror or error}") from None
