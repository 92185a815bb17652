"""Strategy files on disk: hostile manifests and arrays, and writing that harms nothing.

The checksums of every damaged file here are made to fit: whoever writes one can do the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate import errors
from seabattle.enumerate.rules import Rules
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.folder import (
    MANIFEST,
    sealed,
)
from seabattle.trees.strategy.strategy import Strategy

RULES = Rules("3x4", "2,2,1", answers="sunk")
MARKUP = "</script><script>alert(1)</script>\x1b[31m"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound strategy file."""
    path = tmp_path_factory.mktemp("made") / "s"
    build_strategy(RULES, path, complete=True)
    return path


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    shutil.copytree(made, tmp_path / "copy")
    return tmp_path / "copy"


def manifest_of(path: Path) -> dict:
    return json.loads((path / MANIFEST).read_text(encoding="utf-8"))


def seal(path: Path, manifest: dict) -> None:
    """Write a manifest with the checksum it should have."""
    (path / MANIFEST).write_text(json.dumps(manifest | {"sha256": sealed(manifest)}))


def put(path: Path, name: str, data: bytes) -> None:
    """Write the bytes of an array, with the checksums they should have."""
    (path / f"{name}.npy").write_bytes(data)
    manifest = manifest_of(path)
    manifest["files"][f"{name}.npy"] = {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    seal(path, manifest)


TEXTS = ("board", "fleet", "contact", "answers", "announce", "objective", "scope")
COUNTS = ("states", "layouts", "value")
FOREIGN = {
    **{name: [MARKUP, "9" * 5000, 3, None, ["3x4"]] for name in TEXTS},
    **{name: [-1, 1.5, "7", True, 10**300, math.nan, math.inf, None] for name in COUNTS},
    "version": [2, 1.0, True, "1", 10**300],
    "made_by": [{"a": 1}, None, 3],
    "position": [[1], [[MARKUP, MARKUP]], {"A1": "miss"}, "A1 miss", [["A1"]], [["A1", 1]]],
    "symmetries": [[], "0", {"0": 1}, [0, -1], [0, 0], [0] * 1000, [0, 1.0], [7], [0, 8]],
    "files": [
        [1, 2], {}, {"key0.npy": 5}, {"key0.npy": {}}, {"key0.npy": {"bytes": "x"}},
        {"/etc/passwd": {"bytes": 1, "sha256": "0" * 64}},
        {"key0": {"bytes": 1, "sha256": "0" * 64}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_fields_are_refused_in_one_line(copied: Path, name: str) -> None:
    sound = manifest_of(copied)
    missing = {each: value for each, value in sound.items() if each != name}
    for manifest in (missing, *({**sound, name: value} for value in FOREIGN[name])):
        seal(copied, manifest)
        with pytest.raises(errors.SeabattleError) as raised:
            Strategy.open(copied)
        told = str(raised.value)
        assert "copy" in told
        assert "\n" not in told
        assert "\x1b" not in told


def saved(array: np.ndarray) -> bytes:
    """The bytes of an ``.npy`` file."""
    from io import BytesIO

    stream = BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


ARRAY_DAMAGES: dict[str, tuple[str, Callable[[np.ndarray, bytes], bytes]]] = {
    "no byte": ("key0", lambda array, data: b""),
    "half of it": ("key0", lambda array, data: data[: len(data) // 2]),
    "half of its header": ("key0", lambda array, data: data[:40]),
    "another magic": ("key0", lambda array, data: b"PK\x03\x04" + data[4:]),
    "a header that runs code": (
        "key0", lambda array, data: data.replace(b"'<u8'", b"exit("),
    ),
    "a shape beyond the file": (
        "key0", lambda array, data: data.replace(b"'shape': (", b"'shape': (9"),
    ),
    "floats": ("key0", lambda array, data: saved(array.astype("<f8"))),
    "high bytes first": ("key0", lambda array, data: saved(array.astype(">u8"))),
    "signed numbers": ("shots", lambda array, data: saved(array.astype("i1"))),
    "truth values": ("values", lambda array, data: saved(array.astype(bool))),
    "objects": ("values", lambda array, data: saved(array.astype(object))),
    "one number": ("key0", lambda array, data: saved(array[0])),
    "a column": ("key0", lambda array, data: saved(array[:, None])),
    "records": ("values", lambda array, data: saved(array.view([("a", array.dtype)]))),
}  # fmt: skip


@pytest.mark.parametrize("damage", ARRAY_DAMAGES)
def test_foreign_arrays_are_refused_in_one_line(copied: Path, damage: str) -> None:
    name, change = ARRAY_DAMAGES[damage]
    array, data = np.load(copied / f"{name}.npy"), (copied / f"{name}.npy").read_bytes()
    changed = change(array, data)
    assert changed != data
    put(copied, name, changed)
    with pytest.raises(errors.StrategyError) as raised:
        Strategy.open(copied)
    assert "copy" in str(raised.value)
    assert "\n" not in str(raised.value)


# ------------------------------------------------------------------------------------- writing


def test_nothing_but_strategy_files_and_empty_folders_is_replaced(tmp_path: Path) -> None:
    # A folder of something else may hold a manifest.json, too.
    web = tmp_path / "web"
    web.mkdir()
    (web / MANIFEST).write_text('{"name": "an app"}')
    with pytest.raises(errors.FileAccessError, match="exists and is no strategy file"):
        build_strategy(RULES, web)
    ours = tmp_path / "ours"
    build_strategy(RULES, ours)
    (ours / "notes.txt").write_text("years of work")
    with pytest.raises(errors.FileAccessError, match="exists and is no strategy file"):
        build_strategy(RULES, ours)
    assert (ours / "notes.txt").read_text() == "years of work"
    (ours / "notes.txt").unlink()
    build_strategy(RULES, ours, objective="worst")
    assert Strategy.open(ours).objective == "worst"
    empty = tmp_path / "empty"
    empty.mkdir()
    build_strategy(RULES, empty)
    assert Strategy.open(empty).objective == "mean"
    (tmp_path / "file").write_text("text")
    with pytest.raises(errors.FileAccessError, match="exists and is no strategy file"):
        build_strategy(RULES, tmp_path / "file")
    with pytest.raises(errors.FileAccessError, match=r"file is no folder"):
        build_strategy(RULES, tmp_path / "file" / "s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "ours", "web"]
    assert [path.name for path in web.iterdir()] == [MANIFEST]


@pytest.mark.parametrize("seconds", [0.5, 3.0])
def test_a_build_that_is_stopped_leaves_nothing(tmp_path: Path, seconds: float) -> None:
    command = [sys.executable, "-m", "seabattle", "strategy", "build", "--fleet", "3,2,1",
               "--complete", "-o", str(tmp_path / "s")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    told, err = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)
    assert told == ""
    assert list(tmp_path.iterdir()) == []
    if process.returncode == 130:
        assert err.strip() == "seabattle: stopped by Ctrl-C"
