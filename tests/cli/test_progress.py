"""The progress line: drawn by a timer at a terminal, and nowhere else."""

from __future__ import annotations

import io
import os
import signal
import time
from types import SimpleNamespace

import pytest

from seabattle.cli import progress
from seabattle.cli.progress import Bar
from seabattle.solver.search.limits import Snapshot


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
        for note in ("between 70 and 73", "proven: 73"):
            bar.search(Snapshot(1.0, 8, 9, "mean", 70 if "70" in note else 73, 73))
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
