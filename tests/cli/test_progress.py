"""The progress line: nothing that is printed while it stands is glued to it."""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from collections.abc import Callable

import click
import pytest

from seabattle.__main__ import _say_compiling
from seabattle.cli import progress
from seabattle.cli.progress import Bar
from seabattle.solver.search.limits import Snapshot

LINE = "14 of 300 games"


class Terminal(io.StringIO):
    """A terminal of one width, which keeps what was written to it."""

    def isatty(self) -> bool:
        return True

    def screen(self) -> list[str]:
        """The lines as a person sees them."""
        shown = []
        for written in self.getvalue().split("\n"):
            cells: list[str] = []
            for part in written.split("\r"):
                cells[: len(part)] = part
            shown.append("".join(cells).rstrip())
        return shown


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard output and standard error at one terminal from now on; lines are shown at once."""
    made = Terminal()
    monkeypatch.setattr(sys, "stdout", made)
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setenv("COLUMNS", "60")
    return made


@pytest.mark.parametrize(
    ("lower", "told"), [(70, "between 70 and 73"), (73, "proven: 73")], ids=["open", "closed"]
)
def test_an_interval_that_is_closed_is_called_proven(
    monkeypatch: pytest.MonkeyPatch, lower: int, told: str
) -> None:
    terminal = at_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "80")
    with Bar("solve") as bar:
        bar.search(Snapshot(1.0, 8, 9, "mean", lower, 73))
        assert terminal.screen()[-1].endswith(told)


def warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest: sys.stderr.write(f"{message}\n")
        warnings.warn("stopped", stacklevel=1)


@pytest.mark.parametrize(
    "say",
    [
        lambda: click.echo("stopped", err=True),
        lambda: click.echo("stopped"),
        lambda: print("stopped", file=sys.stderr),
        lambda: print("stopped"),
        lambda: sys.stderr.writelines(["stop", "ped\n"]),
        warn,
    ],
)
def test_what_is_printed_has_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, say: Callable[[], None]
) -> None:
    terminal = at_terminal(monkeypatch)
    with Bar("tournament") as bar:
        bar.say(LINE)
        assert terminal.screen()[-1].endswith(LINE)
        say()
        assert terminal.screen() == ["stopped", ""]
        bar.say(LINE)
        assert terminal.screen()[-1].endswith(LINE)
    assert terminal.screen() == ["stopped", ""]
    assert sys.stderr is terminal


def test_a_failure_and_the_notice_of_compiling_have_lines_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = at_terminal(monkeypatch)
    try:
        with Bar("solve") as bar:
            bar.say(LINE)
            _say_compiling(True)
            bar.say(LINE)
            terminal.write("^C")  # as a terminal does
            os.kill(os.getpid(), signal.SIGINT)
            assert bar.interrupted
            raise ValueError
    except ValueError:
        print("seabattle: stopped", file=sys.stderr)
    compiling, stopped, last = terminal.screen()
    assert compiling == "compiling kernels, kept for the next time: 5 to 30 s"
    assert (stopped, last) == ("seabattle: stopped", "")


def test_a_long_line_keeps_to_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with Bar("solve") as bar:
        bar.say("exact: " + "12,345,678 keys, " * 20)
        assert 40 < len(terminal.screen()[-1]) < 60
        bar.say("exact: 7 keys")
        assert terminal.screen()[-1].endswith("exact: 7 keys")


def test_a_quick_command_shows_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    monkeypatch.setattr(progress, "AFTER", 1.0)
    with Bar("solve") as bar:
        bar.say(LINE)
    assert terminal.getvalue() == ""


def test_streams_that_are_no_terminal_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", out := io.StringIO())
    monkeypatch.setattr(sys, "stderr", errors := io.StringIO())
    with Bar("solve") as bar:
        bar.say(LINE)
        assert sys.stdout is out
        assert sys.stderr is errors
    assert errors.getvalue() == ""
