"""Writing files: whole or not at all, devices left alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.files import (
    require_place,
    write_text,
)


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


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    wrong = {
        "loop": "symbolic links",
        "folder": "it is a folder; name a file",
        "file/below": "[Nn]ot a directory|no folder",
        "x" * 300: "too long",
        "nul\0": "a file cannot have this name",
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
    require_place("/dev/null")
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
