"""Writing files: whole or not at all, over nothing that is worth keeping, devices left alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.files import (
    HEAD,
    kind_of,
    kind_of_suffix,
    require_place,
    write_bytes,
    write_text,
)

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("*.json", "*.csv", "*.txt", "*.svg", "*.png", "*.html")


@pytest.mark.parametrize("pattern", KEPT)
def test_results_are_of_the_kind_their_suffix_promises(pattern: str) -> None:
    files = sorted((ROOT / "outputs").rglob(pattern))
    assert files
    for file in files:
        kind = kind_of(file.read_bytes()[:HEAD])
        if promised := kind_of_suffix(file):
            assert kind == promised, file
        elif file.suffix == ".json":
            assert kind.startswith(("a file of the format seabattle-", "JSON that begins")), file
        else:
            assert kind.startswith(
                ("a table of ", "a prior as a table", "text that begins with ")
            ), file


@given(st.binary(max_size=200))
def test_every_beginning_has_a_kind(head: bytes) -> None:
    kind = kind_of(head)
    assert kind
    assert kind.isprintable()


def test_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "new" / "notes.txt"
    write_text(file, "game 1\n")
    write_text(file, "game 2\n")
    assert file.read_text() == "game 2\n"
    assert [each.name for each in file.parent.iterdir()] == ["notes.txt"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    "there",
    [
        b"Dear diary,",
        b"3x3, fleet 2,1",
        b"\x89PNG\r\n",
        b'{"format": "seabattle-position"}',
        b"a,b\n1,2\n",
        b"\0",
    ],
)
def test_a_file_of_another_kind_is_never_replaced(tmp_path: Path, there: bytes) -> None:
    file = tmp_path / "tree.json"
    file.write_bytes(there)
    tree = b'{"format": "seabattle-tree"}'
    for attempt in (lambda: write_bytes(file, tree), lambda: require_place(file, kind_of(tree))):
        with pytest.raises(FileAccessError, match="may not replace"):
            attempt()
    assert file.read_bytes() == there
    assert [each.name for each in tmp_path.iterdir()] == ["tree.json"]
    file.write_bytes(b"")
    require_place(file, kind_of(tree))
    write_bytes(file, tree)
    assert file.read_bytes() == tree


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("missing")
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    wrong = {
        "loop": "symbolic links",
        "nowhere": "a link to missing, which is not there",
        "folder": "it is a folder; name a file",
        "file/below": "[Nn]ot a directory|no folder",
        "x" * 300: "too long",
        "nul\0": "no possible file name",
    }
    before = sorted(tmp_path.iterdir())
    for name, message in wrong.items():
        for attempt in (require_place, lambda path: write_text(path, "text")):
            with pytest.raises(FileAccessError, match=message) as caught:
                attempt(tmp_path / name)
            assert len(str(caught.value)) < 700
    assert sorted(tmp_path.iterdir()) == before


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    target, link = tmp_path / "kept" / "real.txt", tmp_path / "link.txt"
    target.write_text("game 1\n")
    link.symlink_to(target)
    write_text(link, "game 2\n")
    assert link.is_symlink()
    assert target.read_text() == "game 2\n"


def test_devices_and_pipes_are_written_to_and_stay(tmp_path: Path) -> None:
    device = os.stat("/dev/null")
    require_place("/dev/null", "a checkpoint")
    write_text("/dev/null", "gone")
    assert os.stat("/dev/null").st_rdev == device.st_rdev
    with pytest.raises(FileAccessError, match="No space left"):
        write_text("/dev/full", "text")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
