"""Commands whose system refuses memory: one line and an exit status, never a traceback.

Children run with a bound on their addresses (``ulimit -v``), from what Python and numpy need to
start to what suffices. A command that succeeds has to have told and written what it always does.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

MIB = 1 << 20

COMMANDS = {
    "solve": "solve --board 6x6 --fleet 3,2,2 --time-limit 8 --tree tree.json",
    "solve large": "solve --board 6x6 --fleet 3,2,2,1,1,1 --time-limit 8 --tree tree.json",
    "greedy sunk": "greedy --board 5x5 --fleet 3,2,1 --answers sunk --tree tree.json",
    "count": "count --fleet russian --map map.svg",
    "count hasbro": "count --fleet hasbro",
    "equilibrium": "equilibrium --board 4x4 --fleet 3,2,1",
    "strategy build": "strategy build --board 4x5 --fleet 3,2,1 --output strategy",
    "tournament": "tournament --answers sunk --players density --games 300 --workers 2",
}


LEAST = 450
"""Addresses, in MiB, with which Python starts and imports numpy and numba."""

SECONDS = 120


def _run(command: list[str], folder: Path, mib: int) -> subprocess.CompletedProcess[str]:
    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (mib * MIB, mib * MIB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run(
        command, cwd=folder, preexec_fn=bound, capture_output=True, text=True, timeout=SECONDS
    )


def judge(command: str, folder: Path, mib: int) -> str:
    """What became of a command: ``done``, ``one line``, or what is wrong with its end."""
    folder.mkdir()
    found = _run([sys.executable, "-m", "seabattle", *command.split()], folder, mib)
    lines = found.stderr.strip().splitlines()
    if any(".seabattle-new" in path.name for path in folder.iterdir()):
        return "a file that was not finished is left"
    if found.returncode < 0:
        return f"signal {-found.returncode}: {found.stderr[-300:]}"
    if "Traceback" in found.stderr:
        return f"traceback: {lines[-1]}"
    if found.returncode == 0:
        return "done" if found.stdout else "nothing told"
    if not lines or not lines[-1].startswith("seabattle: "):
        return f"status {found.returncode}: {found.stderr[-300:]}"
    return "one line"


def sweep(command: str, folder: Path, step: int, most: int) -> list[tuple[int, str]]:
    """What became of a command under bound after bound, until it succeeds twice."""
    found: list[tuple[int, str]] = []
    for mib in range(LEAST, LEAST + most, step):
        found.append((mib, judge(command, folder / str(mib), mib)))
        if [end for _, end in found[-2:]] == ["done", "done"]:
            break
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("command", "step"), [("solve", 400), ("count hasbro", 400)])
def test_refused_memory_is_one_line(command: str, step: int, tmp_path: Path) -> None:
    ends = sweep(COMMANDS[command], tmp_path, step, 600)
    assert {end for _, end in ends} <= {"done", "one line"}, ends


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_refused_memory_is_one_line_at_every_bound(command: str, tmp_path: Path) -> None:
    ends = sweep(COMMANDS[command], tmp_path, 20, 2000)
    assert {end for _, end in ends} <= {"done", "one line"}, ends
