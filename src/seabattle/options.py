"""Options that mean the same in every command, and what they are made into."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import Rules
    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.search import Limits, Snapshot

STARTED = time.monotonic()
MANY_LAYOUTS = 20_000

_Command = TypeVar("_Command", bound=Callable[..., Any])


def game_options(answers: str = "hit") -> Callable[[_Command], _Command]:
    """Board, fleet, contact rule, answer mode and what is known so far."""
    options = [
        click.option("--board", default="5x5", show_default=True, metavar="ROWSxCOLUMNS",
                     help="Size of the board."),
        click.option("--fleet", default="3,2,2,1,1,1", show_default=True, metavar="LENGTHS",
                     help="Ship lengths, or a name: russian, hasbro."),
        click.option("--contact", default=None, metavar="none|corners|sides",
                     help="Whether ships may touch: not at all, at corners, anywhere. "
                          "[default: the named fleet's own rule, else none]"),
        click.option("--answers", default=answers, show_default=True, metavar="hit|sunk|ship",
                     help="What a shot reveals."),
        click.option("--miss", default="", metavar="C1,J8", help="Cells shot and missed."),
        click.option("--hit", default="", metavar="E5", help="Cells shot and hit."),
    ]  # fmt: skip
    return _all_of(options)


def limit_options(command: _Command) -> _Command:
    """Limits of time and memory for the whole command."""
    options = [
        click.option("--time-limit", type=float, default=None, metavar="SECONDS",
                     help="Stop in time; the answer is then an interval."),
        click.option("--memory-limit", type=float, default=4.0, show_default=True, metavar="GIB",
                     help="Memory for layouts and search together."),
    ]  # fmt: skip
    return _all_of(options)(command)


def json_option(command: _Command) -> _Command:
    """Machine-readable output."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
    )(command)


def _all_of(options: list[Callable[[Any], Any]]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _cells(text: str) -> list[str]:
    return [part for part in text.replace(",", " ").split() if part]


@dataclass(frozen=True)
class Request:
    """The game a command was asked about."""

    rules: Rules
    position: Position

    @classmethod
    def read(
        cls, *, board: str, fleet: str, contact: str | None, answers: str, miss: str, hit: str
    ) -> Request:
        """Rules and position from the options' texts."""
        from seabattle.enumerate.position import Position
        from seabattle.enumerate.rules import Rules

        rules = Rules(board, fleet, contact, answers)
        return cls(rules, Position.of_cells(rules, miss=_cells(miss), hit=_cells(hit)))

    def table(self, memory_limit: float, bar: Bar) -> DecisionTable:
        """Layouts that fit the position, as a decision table; large ones are announced."""
        from seabattle.enumerate.table import DecisionTable

        table = DecisionTable.build(self.rules, memory_limit=memory_limit / 2, progress=bar.layouts)
        if len(table) > MANY_LAYOUTS:
            click.echo(
                f"seabattle: {len(table):,} layouts; an exact search of this size may use all of "
                f"--memory-limit {memory_limit:g} GiB and take hours; it stops at the limits (or "
                f"Ctrl-C) with a proven interval",
                err=True,
            )
        return table.at(self.position)


def check_limits(time_limit: float | None, memory_limit: float) -> None:
    """Refuse limits that are not positive numbers."""
    from seabattle.enumerate.errors import SeabattleError

    for name, value in (("--time-limit", time_limit), ("--memory-limit", memory_limit)):
        if value is not None and not 0 < value < float("inf"):
            raise SeabattleError(f"{name} {value:g}: must be a number above 0")


class Bar:
    """A progress line on standard error: only at a terminal, only after a second."""

    def __init__(self, title: str) -> None:
        from tqdm import tqdm

        from seabattle.enumerate import _compile

        self.interrupted = False
        self._bar = tqdm(
            desc=title,
            disable=None,
            delay=1.0,
            leave=False,
            bar_format="{desc} {elapsed}{postfix}",
        )
        if not self._bar.disable and _compile.is_first_run():
            click.echo("compiling the kernels, once per installation: 10 to 30 s", err=True)

    def __enter__(self) -> Bar:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._bar.close()

    def _interrupt(self, number: int, frame: object) -> None:
        """Ctrl-C asks the work to end, so that what is known is kept; again, it ends at once."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True

    def say(self, text: str) -> None:
        """Show what is being done."""
        self._bar.set_postfix_str(text)

    def layouts(self, found: int) -> None:
        """Progress of the enumeration."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.say(f"{found:,} layouts")

    def search(self, snapshot: Snapshot) -> None:
        """Progress of a search."""
        self.say(f"{snapshot.stage}: {snapshot.states:,} keys, {snapshot.nodes:,} sub-tables")

    def limits(self, time_limit: float | None, memory_limit: float, used: int = 0) -> Limits:
        """Limits for a search; ``used`` bytes are taken already."""
        from seabattle.solver.search import Limits

        return Limits(
            deadline=None if time_limit is None else STARTED + time_limit,
            memory=max(0.01, memory_limit - used / 2**30),
            report=self.search,
            stop=lambda: self.interrupted,
        )
