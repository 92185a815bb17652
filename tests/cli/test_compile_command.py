"""Kernels compiled ahead: what the commands need afterwards is there."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle.cli.compiling import WORK, run_lines

Run = Callable[..., tuple[int, str, str]]

USUAL = """
solve --board 5x5 --fleet 3,2,2,1,1,1
solve --board 5x5 --fleet 3,2,2,1,1,1 --answers sunk --checkpoint sunk.npz
solve --board 4x5 --fleet 3,2,1 --answers ship --objective pareto
compare --board 4x4 --fleet 3,2,1 --answers sunk
count --fleet russian --miss C3,D4 --percent
count --fleet hasbro --prior people --hit E5
advise --board 5x5 --fleet 3,2,1 --answers sunk --json
equilibrium --board 3x4 --fleet 2,1,1
strategy build --board 4x4 --fleet 3,2,1 -o strategy --complete
strategy verify strategy
tournament --fleet hasbro --players density,hunt-target,diagonal,random --games 5
tournament --board 5x5 --fleet 3,2,2,1,1,1 --players exact,lookahead,map-endgame --games 5
""".strip().splitlines()


@pytest.mark.parametrize("command", ["solve SMALL --answers ship", "# advice"])
def test_the_lines_run_and_leave_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    run_lines(next(part for part in WORK if part.startswith(command)))
    assert list(tmp_path.iterdir()) == []
    assert Path.cwd() == tmp_path
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow  # compiles every kernel, which takes a minute or two
def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    environment = {**os.environ, "SEABATTLE_CACHE_DIR": str(cache)}

    def told(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "seabattle", *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), arguments
        return done.stdout

    def kept() -> set[str]:
        return {path.name for path in cache.rglob("*.nbc")}

    assert told("compile").startswith("compiled  ")
    ready = kept()
    assert len(ready) > len(WORK)
    for line in USUAL:
        told(*shlex.split(line))
        assert kept() == ready, line
    assert told("compile").startswith("compiled  nothing new")
