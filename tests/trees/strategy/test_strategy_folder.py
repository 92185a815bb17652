"""Strategy files on disk: hostile manifests and arrays, and writing that harms nothing.

The checksums of every damaged file here are made to fit: whoever writes one can do the same.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from seabattle.enumerate import errors
from seabattle.enumerate.rules import Rules
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.folder import (
    ARRAYS,
    MANIFEST,
    digest_of,
    refuse_target,
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
    manifest["files"][f"{name}.npy"] = {"bytes": len(data), "sha256": digest_of(data)}
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


def test_files_without_a_checksum_are_refused(copied: Path) -> None:
    manifest = manifest_of(copied)
    del manifest["files"]["shots.npy"]["sha256"]
    seal(copied, manifest)
    with pytest.raises(errors.StrategyError, match="'files' must be an object of files with"):
        Strategy.open(copied)


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


def test_links_folders_and_pipes_in_place_of_files_are_refused(copied: Path) -> None:
    file, kept = copied / "key0.npy", copied.parent / "kept"
    file.rename(kept)
    file.symlink_to("/etc/passwd")
    with pytest.raises(errors.StrategyError, match="was cut short or edited"):
        Strategy.open(copied)
    file.unlink()
    file.symlink_to(file)
    with pytest.raises(errors.FileAccessError, match="cannot read"):
        Strategy.open(copied)
    file.unlink()
    file.mkdir()
    with pytest.raises(errors.SeabattleError):
        Strategy.open(copied)
    file.rmdir()
    file.symlink_to(kept)  # a link to the same bytes is the same file
    assert Strategy.open(copied).probe().total is not None
    (copied / MANIFEST).unlink()
    os.mkfifo(copied / MANIFEST)
    with pytest.raises(errors.StrategyError, match="it has no manifest"):
        Strategy.open(copied)


@pytest.mark.parametrize("text", ["", "\0" * 9, "[" * 100_000, "\ud800", '{"format": NaN}', "null"])
def test_manifests_that_are_none_are_refused(copied: Path, text: str) -> None:
    (copied / MANIFEST).write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(errors.StrategyError) as raised:
        Strategy.open(copied)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("command", ["info", "probe", "verify", "explore"])
def test_commands_say_no_in_one_line(
    copied: Path, tmp_path: Path, command: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    put(copied, "key0", saved(np.load(copied / "key0.npy").astype(">u8")))
    page = tmp_path / "page.html"
    ask = ["explore", "-o", str(page)] if command == "explore" else ["strategy", command]
    status, told, err = run(*ask, str(copied))
    assert "holds >u8" in told + err
    if command == "verify":
        assert (status, err) == (1, "")
    else:
        assert (status, told, err.count("\n")) == (2, "", 1)
    status, told, err = run(*ask, str(tmp_path / "nowhere"))
    assert (status, told) == (2, "")
    assert err == f"seabattle: cannot read {tmp_path}/nowhere: No such file or directory\n"
    assert not page.exists()


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


def test_links_are_followed(tmp_path: Path) -> None:
    build_strategy(RULES, tmp_path / "s")
    (tmp_path / "link").symlink_to("s")
    build_strategy(RULES, tmp_path / "link", objective="worst")
    assert (tmp_path / "link").is_symlink()
    assert Strategy.open(tmp_path / "s").objective == "worst"
    (tmp_path / "ahead").symlink_to("later")
    build_strategy(RULES, tmp_path / "ahead")
    assert Strategy.open(tmp_path / "later").objective == "mean"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(errors.FileAccessError, match="cannot write"):
        build_strategy(RULES, tmp_path / "loop")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_names_that_cannot_be_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(errors.FileAccessError, match="cannot write") as raised:
        build_strategy(RULES, tmp_path / name)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_read_only_folders_are_refused_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., tuple[int, str, str]]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    monkeypatch.setattr("seabattle.solver.studies.building.build_strategy", pytest.fail)
    status, told, err = run("strategy", "build", "-o", str(tmp_path / "new" / "s"))
    assert (status, told) == (2, "")
    assert err == (
        f"seabattle: cannot write {tmp_path}/new/s: the folder {tmp_path} is read-only\n"
    )
    monkeypatch.undo()
    refuse_target(tmp_path / "new" / "s")
    assert list(tmp_path.iterdir()) == []


FAILING = ("np.save", "Path.rename", "os.fsync", "tempfile.mkdtemp", "os.chmod")


def folders_cannot_be_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system whose C library has no ``renameat2``."""
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", FAILING)
@pytest.mark.parametrize("there", [False, True])
def test_a_write_that_fails_anywhere_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, step: str, there: bool
) -> None:
    path = tmp_path / "s"
    if there:
        build_strategy(RULES, path, objective="worst")
        folders_cannot_be_exchanged(monkeypatch)

    def fails(*arguments: object, **options: object) -> None:
        raise error

    owners = {"np": np, "os": os, "Path": Path, "tempfile": tempfile}
    owner, _, name = step.rpartition(".")
    monkeypatch.setattr(owners[owner], name, fails)
    with pytest.raises((errors.FileAccessError, KeyboardInterrupt)):
        build_strategy(RULES, path)
    monkeypatch.undo()
    assert [each.name for each in tmp_path.iterdir()] == (["s"] if there else [])
    if there:
        assert Strategy.open(path).objective == "worst"


@pytest.mark.parametrize("exchange", [False, True])
def test_replacing_leaves_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    path = tmp_path / "s"
    build_strategy(RULES, path)
    if not exchange:
        folders_cannot_be_exchanged(monkeypatch)
    opened = Strategy.open(path)
    build_strategy(RULES, path, objective="worst")
    assert [each.name for each in tmp_path.iterdir()] == ["s"]
    assert Strategy.open(path).objective == "worst"
    assert opened.probe().total == opened.value  # what is open stays as it was
    assert {file.name for file in path.iterdir()} <= {MANIFEST, *(f"{a}.npy" for a in ARRAYS)}


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
