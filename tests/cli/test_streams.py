"""Standard streams that are closed or full, or whose reader leaves: no traceback, a true status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle.trees.files import load_tree
from seabattle.trees.verify import verify

SOLVE = ["solve", "--board", "3x3", "--fleet", "3,1,1", "--tree", "tree.json"]
COMMAND = f"{sys.executable} -m seabattle"


def shell(line: str, folder: Path) -> tuple[int, str, str]:
    """Status and both outputs of a line of the shell."""
    found = subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in found.stderr
    return found.returncode, found.stdout, found.stderr


@pytest.mark.parametrize(
    ("streams", "status", "says"),
    [
        (">/dev/full", 1, "cannot write to standard output: No space left on device"),
        (">&-", 1, "cannot write to standard output: Bad file descriptor"),
        ("2>&-", 0, ""),
        ("2>/dev/full", 0, ""),
        (">&- 2>&-", 1, ""),
        (">/dev/full 2>/dev/full", 1, ""),
        ("<&-", 0, ""),
    ],
)
def test_files_are_written_whatever_becomes_of_the_streams(
    tmp_path: Path, streams: str, status: int, says: str
) -> None:
    found, _, errors = shell(f"{COMMAND} {' '.join(SOLVE)} {streams}", tmp_path)
    assert found == status
    assert says in errors
    assert errors.count("\n") == (1 if says else 0)
    assert verify(load_tree(tmp_path / "tree.json")).valid


def test_a_reader_that_leaves_hears_no_complaint(tmp_path: Path) -> None:
    many = "count --board 5x5 --fleet 3,2,2,1,1,1 --sample 200000"
    status, out, errors = shell(f"set -o pipefail; {COMMAND} {many} | head -1", tmp_path)
    assert status == 1
    assert out.count("\n") == 1
    assert "cannot" not in errors


@pytest.mark.parametrize("streams", [">/dev/full", ">&-", "2>&-", "2>/dev/full", ">&- 2>&-"])
def test_bad_input_stays_bad_input(tmp_path: Path, streams: str) -> None:
    status, out, errors = shell(f"{COMMAND} solve --board 0x0 {streams}", tmp_path)
    assert status == 2
    assert out == ""
    assert errors.count("\n") == (0 if "2>" in streams else 1)


def test_a_session_without_standard_input_ends(tmp_path: Path) -> None:
    status, out, errors = shell(f"{COMMAND} advise --board 3x3 --fleet 3,1,1 <&-", tmp_path)
    assert (status, errors) == (0, "")
    assert "Shoot" in out
    assert not os.listdir(tmp_path)
