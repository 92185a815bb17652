"""Real processes: exit status, a reader that leaves, a full disk, Ctrl-C, and no terminal."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from seabattle import load_tree, verify

COMMAND = [sys.executable, "-m", "seabattle"]


def process(*arguments: str, folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, **options
    )


def test_a_process_ends_with_the_status_of_its_command(tmp_path: Path) -> None:
    found = process("verify", "missing.json", folder=tmp_path)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_leaves_hears_no_complaint(tmp_path: Path) -> None:
    count = f"{shlex.join(COMMAND)} count --board 5x5 --fleet 3,2,1 --sample 20000"
    found = subprocess.run(
        ["bash", "-c", f"{count} | head -1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.count("\n") == 1
    assert "cannot" not in found.stderr
    assert "Traceback" not in found.stderr


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    line = f"{shlex.join(COMMAND)} count --board 3x3 --fleet 3,1,1 > /dev/full"
    found = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1


def seconds_of_work(number: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_leaves_whole_files(tmp_path: Path) -> None:
    """In a game that takes hours."""
    game = shlex.split("solve --board 6x6 --fleet 3,2,2,1 --tree tree.json --checkpoint keys.npz")
    with subprocess.Popen(
        [*COMMAND, *game], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as solving:
        try:
            until = time.monotonic() + 200
            while seconds_of_work(solving.pid) < 1.5 and time.monotonic() < until:
                time.sleep(0.2)
            solving.send_signal(signal.SIGINT)
            _, told = solving.communicate(timeout=200)
        finally:
            solving.kill()
    assert solving.returncode == 130
    assert "Traceback" not in told
    left = set(os.listdir(tmp_path))
    assert left <= {"keys.npz", "tree.json"}
    if "tree.json" in left:
        assert verify(load_tree(tmp_path / "tree.json")).valid


PRESSES = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Presses(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ["PRESS_AT"]:
            sys.meta_path.remove(self)
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                if os.environ.get("BECOMES"):
                    raise RuntimeError("Error calling __set_name__") from None
                raise

sys.meta_path.insert(0, Presses())
"""
"""Ctrl-C while a module is imported, which some importers turn into an error of another kind."""


@pytest.mark.parametrize("becomes", ["", "RuntimeError"])
@pytest.mark.parametrize(
    "at", ["click", "uuid", "seabattle.cli.commands", "seabattle.cli.solving", "numpy", "scipy"]
)
def test_ctrl_c_while_it_begins_is_one_line(tmp_path: Path, at: str, becomes: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES)
    told = {"PYTHONPATH": str(tmp_path), "PRESS_AT": at, "BECOMES": becomes}
    game = shlex.split("bound --board 4x4 --fleet 2,1")
    found = process(*game, folder=tmp_path, env={**os.environ, **told})
    assert (found.returncode, found.stdout) == (130, "")
    assert found.stderr.strip() == "seabattle: stopped by Ctrl-C"
