"""Edges of the system: folders that are gone, links that lead nowhere, streams that are closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import seabattle as sb

PROGRAM = [sys.executable, "-m", "seabattle"]
GAME = ["--board", "3x3", "--fleet", "2,1"]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of a shell, in which ``seabattle`` is the program."""
    program = " ".join(PROGRAM)
    return subprocess.run(
        ["sh", "-c", line.replace("seabattle", program)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    "command", ["count", "solve --tree x.json", "tournament --players random --games 2", "play"]
)
def test_a_working_directory_that_was_deleted(tmp_path: Path, command: str) -> None:
    game = "" if command == "play" else " ".join(GAME)
    # -P: Python itself looks for no module in a folder that is gone
    line = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -P -m seabattle"
    done = subprocess.run(
        ["sh", "-c", f"{line} {command} {game}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "the folder that this was started in cannot be found" in done.stderr


def test_standard_error_may_be_closed(tmp_path: Path) -> None:
    game = " ".join(GAME)
    done = shell(f"seabattle count {game} --json 2>&-", tmp_path)
    assert done.returncode == 0
    assert '"layouts": 24' in done.stdout
    # What is said there is lost, and lands in no file.
    done = shell(f"seabattle solve {game} --tree tree.json 2>&-", tmp_path)
    assert done.returncode == 0
    assert sb.verify(sb.load_tree(tmp_path / "tree.json"))
    assert shell("seabattle count --fleet 9,9 2>&-", tmp_path).returncode == 2


CLOSED = pytest.mark.parametrize("streams", [">&-", "<&- >&-", "<&-"])


@CLOSED
@pytest.mark.parametrize("command", ["advise --think 0", "advise --think 0 --json", "count"])
def test_standard_streams_may_be_closed(tmp_path: Path, command: str, streams: str) -> None:
    done = shell(f"seabattle {command} {' '.join(GAME)} {streams}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (streams == "<&-")


@CLOSED
def test_what_is_written_is_the_file_s_alone(tmp_path: Path, streams: str) -> None:
    """Whichever number the system gives it where standard streams are closed."""
    done = shell(f"seabattle solve {' '.join(GAME)} --tree tree.json {streams}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert sb.verify(sb.load_tree(tmp_path / "tree.json"))


def test_a_link_beside_a_strategy_leads_nowhere(tmp_path: Path) -> None:
    strategy = sb.build_strategy(sb.Rules("3x3", "2,1"), tmp_path / "kept")
    size = strategy.bytes
    (tmp_path / "kept" / "link").symlink_to("nowhere")
    assert sb.Strategy.open(tmp_path / "kept").document()["bytes"] == size
    (tmp_path / "kept" / "values.npy").unlink()
    (tmp_path / "kept" / "values.npy").symlink_to("nowhere")
    with pytest.raises(sb.SeabattleError, match=r"cannot read [^\n]*values\.npy[^\n]*\Z"):
        sb.Strategy.open(tmp_path / "kept")


def test_a_player_in_a_link_to_itself(tmp_path: Path) -> None:
    for name in ("loop", "loop.py"):
        (tmp_path / name).symlink_to(name)
        with pytest.raises(sb.PlayerError, match=rf"player '[^\n]*{name}:C'[^\n]*\Z"):
            sb.tournament(sb.Rules("3x3", "2,1"), [f"{tmp_path / name}:C"], games=1)
