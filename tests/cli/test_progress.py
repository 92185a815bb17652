"""The progress line: drawn by a timer at a terminal, and nowhere else."""

from __future__ import annotations

import io
import json
import os
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

import seabattle
from seabattle.cli import progress
from seabattle.cli.progress import Bar
from seabattle.solver.search.queries import Snapshot

fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))


class Terminal(io.StringIO):
    """A terminal, which keeps what was written to it."""

    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error at a terminal from now on; lines are drawn at once.

    No fixture, as pytest puts its own standard error in place before a test begins.
    """
    made = Terminal()
    # pytest puts its own standard error in place between a fixture and its test
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=made))
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.01)
    return made


def shown(terminal: Terminal, text: str) -> bool:
    """Whether the text is drawn within a minute, without any more work reported."""
    end = time.monotonic() + 60
    while text not in terminal.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return text in terminal.getvalue()


def test_the_line_is_drawn_while_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with Bar("tournament") as bar:
        bar.show(14, 300, "games")
        assert shown(terminal, "14/300")
        for note, lower, of in (
            ("total 70 to 73, mean", 70, "total"), ("worst 73 proven, mean", 73, "worst"),
        ):  # fmt: skip
            bar.search(Snapshot(1.0, 8, 9, "mean", lower, 73, of))
            assert shown(terminal, note)
    assert terminal.getvalue().endswith("\r")


def test_the_first_ctrl_c_asks_and_the_second_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with Bar("solve") as bar:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        stopped = bar.stoppable()
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        assert shown(terminal, "Ctrl-C again ends at once")
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_drawn_in_a_pipe_or_before_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    monkeypatch.setattr(progress, "AFTER", 60.0)
    with Bar("solve") as bar:
        bar.say("at work")
    assert terminal.getvalue() == ""
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(pipe := io.StringIO())))
    with Bar("solve") as bar:
        bar.say("at work")
        time.sleep(0.1)
    assert pipe.getvalue() == ""


# ------------------------------------------------------------------------ a real terminal


class Pseudo:
    """A program at a pseudo-terminal of so many columns; what it writes there is kept."""

    def __init__(self, command: str, folder: Path, columns: int = 80) -> None:
        self.screen = ""
        self._talk, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "seabattle", *shlex.split(command)],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal,
            text=True, start_new_session=True,
        )  # fmt: skip
        os.close(terminal)

    def read_until(self, pattern: str, seconds: float = 240.0) -> None:
        """Read the terminal until something is on it, or the program has ended."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.screen) and time.monotonic() < end:
            if select.select([self._talk], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._talk, 65536).decode()
                except OSError:  # it has ended
                    return

    def end(self) -> tuple[int, str]:
        """Wait for its end; the exit status, and its standard output."""
        Thread(target=self.read_until, args=("(?!)",), daemon=True).start()
        out, _ = self.process.communicate(timeout=240)
        return self.process.returncode, out

    @property
    def lines(self) -> list[str]:
        """Every line that was drawn, one over the other."""
        return [line for line in re.split(r"[\r\n]|\x1b\[A", self.screen) if line.strip()]


LARGE = "solve --board 5x6 --fleet 3,2,1 --threads 1"


def test_eighty_columns_show_the_bounds_and_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    """A search of hours, stopped once it has drawn bounds, and at a narrower terminal, too."""
    solve = f"{LARGE} --checkpoint kept.bin"
    for columns in (80, 60):
        at_work = Pseudo(solve, tmp_path, columns)
        bounds = r"solve: total [\d,]+ to [\d,]+"
        at_work.read_until(bounds)
        os.kill(at_work.process.pid, signal.SIGINT)
        status, out = at_work.end()
        assert status == 130
        drawn = [line for line in at_work.lines if "total" in line]
        assert drawn
        assert all(len(line) <= columns and re.match(bounds, line) for line in drawn)
        lines = [re.split(r" {2,}", line, maxsplit=1) for line in out.splitlines()]
        told = {line[0]: line[1] for line in lines if len(line) == 2}
        assert [line[0] for line in lines][-4:] == ["stopped", "gap", "checkpoint", "to go on"]
        assert told["stopped"] == "by Ctrl-C"
        assert "stopped by" not in out
        assert re.fullmatch(r"[\d,]+, [\d.]+ %: total [\d,]+ to [\d,]+", told["gap"])
        assert told["checkpoint"] == "kept.bin"
        assert (tmp_path / "kept.bin").exists()
        assert told["to go on"] == f"seabattle {solve}"  # and that is how it goes on here


def test_a_limit_says_what_is_left_and_that_nothing_was_kept(tmp_path: Path) -> None:
    at_work = Pseudo(f"{LARGE} --time-limit 0.1", tmp_path)
    status, out = at_work.end()
    assert status == 0
    *_, stopped, gap, goes_on = out.splitlines()
    assert stopped.split(maxsplit=1) == ["stopped", "the time limit was reached"]
    assert "%: total " in gap
    assert goes_on.endswith("--time-limit 0.1 --checkpoint FILE keeps what is proven")


def test_ctrl_c_is_told_once_of_search_and_proof(tmp_path: Path) -> None:
    at_work = Pseudo(f"{LARGE} --proof proof.txt --json", tmp_path)
    at_work.read_until(r"total [\d,]+ to [\d,]+")
    os.kill(at_work.process.pid, signal.SIGINT)
    status, out = at_work.end()
    assert status == 130
    document = json.loads(out)
    assert document["stopped_by"].count("stopped by Ctrl-C") == 1
    assert ("lemmas" in document) == (tmp_path / "proof.txt").exists()
    assert ("lemmas" in document) != ("no proof was written" in document["stopped_by"])


def test_a_bound_that_takes_long_moves_and_is_kept_at_ctrl_c(tmp_path: Path) -> None:
    """Twenty ships of 1 on 9x9: half a minute goes into the shots that must hit."""
    fleet = ",".join(["1"] * 20)
    at_work = Pseudo(f"bound --board 9x9 --fleet {fleet} --json", tmp_path, 100)
    first, later = (rf"hit: 5 to 81, [\d:]+, {n} steps" for n in ("([0-9]+)", r"(?!\1 )[0-9]+"))
    at_work.read_until(f"(?s){first}.*{later}")
    os.kill(at_work.process.pid, signal.SIGINT)
    status, out = at_work.end()
    told = json.loads(out)
    assert (status, told["stopped_by"]) == (130, "")
    assert told["must_hit_stopped_by"] == "stopped by Ctrl-C"
    assert (told["must_hit_at_least"], told["must_hit"]) == (5, 81)
    assert told["mean_misses"] == pytest.approx(9.5187, abs=1e-4)


@pytest.mark.parametrize(("limit", "status"), [(False, 130), (True, 0)])
def test_a_bound_is_kept_where_nothing_is_known_of_the_shots_that_must_hit(
    *,
    limit: bool,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., tuple[int, str, str]],
) -> None:
    """As where the bound itself has taken all of the time."""
    bound, water = seabattle.miss_bound, seabattle.open_water

    def pressed_at_the_end(*game: Any, **how: Any) -> seabattle.MissBound:
        found = bound(*game, **how)
        if not limit:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    def out_of_time(*game: Any, **how: Any) -> seabattle.OpenWater:
        return water(*game, **how | ({"time_limit": 0} if limit else {}))

    monkeypatch.setattr(seabattle, "miss_bound", pressed_at_the_end)
    monkeypatch.setattr(seabattle, "open_water", out_of_time)
    ended, out, _ = run("bound", "--board", "4x4", "--fleet", "2,1", "--json")
    assert ended == status
    told = json.loads(out)
    assert told["mean_misses"] == float(bound(seabattle.Rules("4x4", "2,1")).mean_misses) > 0
    assert told["must_hit_stopped_by"] in ("stopped by Ctrl-C", "the time limit was reached")
    assert "must_hit" not in told
    assert run("bound", "--board", "4x4", "--fleet", "2,1")[1].count("not known: ") == 1


# ------------------------------------------------------------------------ what ended it


def test_an_answer_that_is_whole_is_not_stopped(
    monkeypatch: pytest.MonkeyPatch, run: Callable[..., tuple[int, str, str]]
) -> None:
    solve = seabattle.solve

    def pressed_at_the_end(*game: Any, **how: Any) -> seabattle.Solution:
        found = solve(*game, **how)
        os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(seabattle, "solve", pressed_at_the_end)
    status, out, _ = run("solve", "--board", "3x3", "--fleet", "2,1", "--json")
    told = json.loads(out)
    assert (status, told["status"], told["stopped_by"]) == (0, "optimal", "")


@pytest.mark.parametrize("why", ["the time limit was reached", "stopped by Ctrl-C"])
@pytest.mark.parametrize("command", ["solve", "equilibrium", "review", "graph", "tournament"])
def test_what_ended_the_work_is_told_as_who_ended_it_says(
    command: str,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
) -> None:
    """By whoever interrupts a process of the engine's; else it was Ctrl-C."""
    if "Ctrl-C" not in why:
        monkeypatch.setattr(progress, "reason", lambda: why)
    stoppable = Bar.stoppable

    def pressed(bar: Bar) -> Callable[[], str]:
        found = stoppable(bar)
        if not bar.interrupted:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(Bar, "stoppable", pressed)
    words: list[str] = []
    if command == "review":
        rules = seabattle.Rules("4x4", "3,2,1", answers="sunk")
        shots = "B2 miss, A1 hit, A2 hit, C4 miss"
        position = seabattle.Position.in_order(rules, shots)
        seabattle.save_position(position, tmp_path / "game.json")
        words = [str(tmp_path / "game.json")]
    status, out, err = run(command, *words, "--json")
    assert status == 130
    assert json.loads(out)["stopped_by"].startswith(why) if out else why in err
