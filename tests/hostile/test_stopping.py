"""Ctrl-C at many moments: one line, exit status 130, files whole, and nothing left beside them.

A child is started and sent the signal once or twice after times that cover its start, the loading
of kernels, the enumeration, the search, the verification and the writing of its files.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.trees.files import load_tree, save_tree
from seabattle.trees.verify import verify

SECONDS = 120
"""More than any child takes, however busy the machine is."""

OLD = greedy_tree(Rules("3x3", "2,1"))

SOLVE = "solve --board 5x5 --fleet 3,2,1 --tree tree.json"
WRITE = "greedy --board 5x5 --fleet 3,2,1,1 --tree tree.json"
SHORT = "solve --board 4x5 --fleet 3,2,1 --answers sunk --tree tree.json --checkpoint keys.npz"
LARGE = "solve --board 6x6 --fleet 3,2,2,1 --tree tree.json --checkpoint keys.npz"
COMMANDS = {
    "solve": SOLVE,
    "greedy": WRITE,
    "solve, checkpoint": f"{SOLVE} --checkpoint keys.npz",
    "count": "count --fleet russian --map map.svg",
    "equilibrium": "equilibrium --board 4x4 --fleet 3,2,1 --out mixes",
    "strategy build": "strategy build --board 4x5 --fleet 3,2,1 --output strategy",
    "tournament": "tournament --answers sunk --players density,bob --games 100000 --workers 2 "
    "--out played",
    "verify": "verify old.json",
    "render": "render old.json -o old.svg",
}

STARTED = 0.2
"""Seconds after which the program itself runs, and no longer Python's own start."""

NOT_STARTED = re.compile(
    r'Traceback[^\n]*\n(  File "<frozen runpy>"[^\n]*\n)+  File "[^"]*__main__.py", line \d+, in '
    r"<module>\n    (from|import) "
)
"""What Python says when a busy machine took longer, and the first imports were not over."""


def stopped(command: str, folder: Path, *moments: float) -> tuple[int, str, str]:
    """Exit status and outputs of a command that is sent SIGINT at some moments."""
    begun = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "seabattle", *command.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
    ) as process:  # fmt: skip
        try:
            for moment in moments:
                time.sleep(max(0.0, begun + moment - time.monotonic()))
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    return process.returncode, out, err


def assert_stops_cleanly(command: str, folder: Path, *moments: float) -> None:
    """Stop a command and judge what it said and left."""
    folder.mkdir()
    save_tree(OLD, folder / "tree.json")
    save_tree(OLD, folder / "old.json")
    old = (folder / "old.json").read_bytes()
    status, _, err = stopped(command, folder, *moments)
    if NOT_STARTED.match(err):
        return
    told = f"{command} at {moments}: {status}, {err}"
    assert "Traceback" not in err, told
    assert "Exception ignored" not in err, told
    assert status in (0, 130), told
    lines = [line for line in err.splitlines() if line.startswith("seabattle: stopped")]
    assert len(lines) <= 2, told
    for name in os.listdir(folder):
        assert ".seabattle-new" not in name, f"{told}: {name} is left"
    assert (folder / "old.json").read_bytes() == old, told
    if (folder / "tree.json").read_bytes() != old:
        tree = load_tree(folder / "tree.json")
        assert verify(tree).valid, told
        json.loads((folder / "tree.json").read_bytes())


def moments_of(count: int, last: float, seed: int) -> list[tuple[float, ...]]:
    """Moments of one signal or of two, spread over a command's run and a little at random."""
    chance = random.Random(seed)
    found: list[tuple[float, ...]] = []
    for number in range(count):
        first = STARTED + (last - STARTED) * (number + chance.random()) / count
        second = first + chance.choice((0.001, 0.02, 0.2, 1.0))
        found.append((first,) if number % 2 else (first, second))
    return found


@pytest.mark.parametrize(("command", "seconds"), [(SHORT, 1.8), ("verify old.json", 0.9)])
def test_a_short_command_can_be_stopped_at_any_moment(
    command: str, seconds: float, tmp_path: Path
) -> None:
    """``seconds`` are about those that the whole command takes."""
    for number, moments in enumerate(moments_of(3, seconds, 1)):
        assert_stops_cleanly(command, tmp_path / str(number), *moments)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_can_be_stopped_at_any_moment(command: str, tmp_path: Path) -> None:
    for number, moments in enumerate(moments_of(30, 8.0, 2)):
        assert_stops_cleanly(COMMANDS[command], tmp_path / str(number), *moments)


@pytest.mark.slow
def test_a_large_search_can_be_stopped_at_any_moment(tmp_path: Path) -> None:
    for number, moments in enumerate(moments_of(20, 25.0, 3)):
        assert_stops_cleanly(LARGE, tmp_path / str(number), *moments)


AT_WORK = """
import atexit, sys, threading, time
from unittest import mock
from seabattle.__main__ import main
from seabattle.cli import commands
from seabattle.solver.search.work_threads import work_goes_on, work_thread

def run(**options):
    assert not work_goes_on()
    {start}
    return 0

atexit.register(print, "ended in order", flush=True)
with mock.patch.object(commands.commands, "main", run):
    main()
"""


@pytest.mark.parametrize(
    ("start", "out"),
    [
        ("pass", "ended in order\n"),
        (
            "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
            "ended in order\n",
        ),
        ('work_thread(time.sleep, (60,), name="sleep").start()', ""),
    ],
)
def test_a_program_whose_kernels_still_run_ends_at_once(start: str, out: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", AT_WORK.format(start=start)],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, out, "")


SWALLOWED = """
import os, signal
from unittest import mock
from seabattle.__main__ import main
from seabattle.cli import commands
from seabattle.cli.progress import Bar

def run(**options):
    with Bar("work", at_once=True):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet")

with mock.patch.object(commands.commands, "main", run):
    main()
"""


def test_an_error_that_follows_from_the_interruption_is_not_told() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SWALLOWED],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (130, "seabattle: stopped by Ctrl-C\n")


@pytest.mark.slow
def test_compiling_can_be_stopped_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, moments in enumerate(moments_of(20, 25.0, 4)):
        monkeypatch.setenv("SEABATTLE_CACHE_DIR", str(tmp_path / f"kernels {number}"))
        assert_stops_cleanly(f"{SOLVE} --threads 2", tmp_path / str(number), *moments)


@pytest.mark.slow
def test_a_large_search_says_what_it_still_does(tmp_path: Path) -> None:
    large = "solve --board 6x6 --fleet 3,2,2,1,1,1 --tree tree.json"
    status, _, err = stopped(large, tmp_path, 30.0)
    assert status == 130
    assert "stopped; verifying and writing the best tree so far, about " in err
    assert verify(load_tree(tmp_path / "tree.json")).valid
