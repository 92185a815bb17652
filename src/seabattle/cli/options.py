"""Options that mean the same in every command, and what they are made into."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from seabattle.enumerate.game.position import Position
    from seabattle.enumerate.game.rules import Rules
    from seabattle.enumerate.layouts.table import DecisionTable
    from seabattle.solver.search.workspace import Limits, Snapshot

STARTED = time.monotonic()
MANY_LAYOUTS = 20_000

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _NamedPath(click.Path):
    """A path that is not empty, as an unset variable of the shell would make it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("'' names no file or folder.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _NamedPath(path_type=Path)
"""Type of options that name a file or folder."""


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
        click.option("--announce", default="length", show_default=True, metavar="none|length",
                     help="What a sinking tells under --contact sides."),
    ]  # fmt: skip
    return lambda command: _all_of(options)(known_options(command))


def known_options(command: _Command) -> _Command:
    """What is known so far."""
    options = [
        click.option("--miss", default="", metavar="C1,J8", help="Cells shot and missed."),
        click.option("--hit", default="", metavar="E5", help="Cells shot and hit."),
        click.option("--sunk", default="", metavar="A1:A4,C7",
                     help="Ships sunk: their two ends, or the one cell."),
        click.option("--sunk-at", default="", metavar="C7=3,E1",
                     help="Cells where a sinking was announced, with or without its length; the "
                          "ship's other cells are among --hit."),
        click.option("--named", default="", metavar="E5=3#1",
                     help="Hits that name the ship (answers ship)."),
        click.option("--shots", default="", metavar="'C3 hit, B3 sunk=2'",
                     help="All shots so far in order, instead of the options above."),
        click.option("--position", default="", metavar="FILE",
                     help="Game and shots from a position file, instead of all options above."),
    ]  # fmt: skip
    return _all_of(options)(command)


def limit_options(command: _Command) -> _Command:
    """Limits of time and memory for the whole command."""
    options = [
        click.option("--time-limit", type=float, default=None, metavar="SECONDS",
                     help="Stop in time; the answer is then an interval."),
        click.option("--memory-limit", type=float, default=4.0, show_default=True, metavar="GIB",
                     help="Memory for layouts and search together."),
    ]  # fmt: skip
    return _all_of(options)(command)


def prior_options(command: _Command) -> _Command:
    """How likely each layout is."""
    options = [
        click.option("--weights", type=click.Path(path_type=Path), default=None, metavar="FILE",
                     help="How likely layouts are: CSV layout,weight; a grid of cell weights; or "
                          "a list of observed layouts. [default: all alike]"),
        click.option("--weights-rule", default=None, metavar="product|sum",
                     help="How a grid's cell weights make a layout's weight."),
        click.option("--smoothing", type=click.IntRange(min=0), default=0, show_default=True,
                     help="Count added to every layout of a list of observed ones."),
    ]  # fmt: skip
    return _all_of(options)(command)


@dataclass(frozen=True)
class Prior:
    """Where the weights of the layouts come from."""

    path: Path
    rule: str | None
    smoothing: int

    @classmethod
    def read(cls, path: Path | None, rule: str | None, smoothing: int) -> Prior | None:
        """The options' prior, None when all layouts are alike."""
        if path is None and (rule is not None or smoothing):
            from seabattle.enumerate.errors import WeightsError

            raise WeightsError("--weights-rule and --smoothing go with --weights FILE")
        return None if path is None else cls(path, rule, smoothing)

    def weigh(self, table: DecisionTable) -> DecisionTable:
        """The table with these weights; layouts that weigh 0 stay in it."""
        from seabattle.enumerate.layouts.table import DecisionTable
        from seabattle.enumerate.priors.prior_files import read_weights

        weights = read_weights(self.path, table.layouts, rule=self.rule, smoothing=self.smoothing)
        return DecisionTable(table.layouts, None, weights)


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


def given_options(*names: str) -> list[str]:
    """Those of the running command's options that were written on its command line."""
    context = click.get_current_context(silent=True)
    written = click.core.ParameterSource.COMMANDLINE
    return [
        f"--{name.replace('_', '-')}"
        for name in names
        if context is not None and context.get_parameter_source(name) is written
    ]


def _cells(text: str) -> list[str]:
    return [part for part in text.replace(",", " ").split() if part]


@dataclass(frozen=True)
class Request:
    """The game a command was asked about."""

    rules: Rules
    position: Position

    @classmethod
    def read(
        cls,
        *,
        board: str,
        fleet: str,
        contact: str | None,
        answers: str,
        announce: str,
        shots: str,
        position: str = "",
        **known: str,
    ) -> Request:
        """Rules and position from the options' texts."""
        from seabattle.enumerate.errors import PositionError, RulesError
        from seabattle.enumerate.game.position import Position
        from seabattle.enumerate.game.position_files import load_position
        from seabattle.enumerate.game.rules import Announce, AnswerMode, Rules

        if given_options("position") and not position:
            raise PositionError("--position '': name a position file")
        if position:
            given = given_options("board", "fleet", "contact", "answers", "announce", "shots",
                                  *known)  # fmt: skip
            if given:
                raise PositionError(
                    f"--position {position} gives the game and all its shots: leave out "
                    f"{', '.join(given)}"
                )
            loaded = load_position(position)
            return cls(loaded.rules, loaded)
        rules = Rules(board, fleet, contact, answers, announce)
        if rules.announce is Announce.NONE and rules.answers is not AnswerMode.SUNK:
            raise RulesError(
                f"--announce none is about sinkings, which answers {rules.answers.value!r} do not "
                f"announce; it goes with --answers sunk"
            )
        cells = {name: _cells(text) for name, text in known.items()}
        if not shots:
            return cls(rules, Position.of_cells(rules, **cells))
        if any(cells.values()):
            raise PositionError("--shots gives all shots in order: leave out --miss, --hit, "
                                "--sunk, --sunk-at and --named")  # fmt: skip
        return cls(rules, Position.in_order(rules, shots))

    def table(self, memory_limit: float, bar: Bar, prior: Prior | None = None) -> DecisionTable:
        """Layouts that fit the position, as a decision table; large ones are announced."""
        return self.whole_table(memory_limit, bar, prior).at(self.position)

    def whole_table(
        self, memory_limit: float, bar: Bar, prior: Prior | None = None
    ) -> DecisionTable:
        """All layouts as a decision table, whatever the position."""
        from seabattle.enumerate.layouts.table import DecisionTable

        table = DecisionTable.build(self.rules, memory_limit=memory_limit / 2, progress=bar.layouts)
        if prior is not None:
            table = prior.weigh(table)
        if len(table) > MANY_LAYOUTS:
            click.echo(
                f"seabattle: {len(table):,} layouts; an exact search of this size may use all of "
                f"--memory-limit {memory_limit:g} GiB and take hours; it stops at the limits (or "
                f"Ctrl-C) with a proven interval",
                err=True,
            )
        return table


def check_limits(time_limit: float | None, memory_limit: float) -> None:
    """Refuse limits that are not positive numbers."""
    from seabattle.enumerate.errors import SeabattleError

    for name, value in (("--time-limit", time_limit), ("--memory-limit", memory_limit)):
        if value is not None and not 0 < value < float("inf"):
            raise SeabattleError(f"{name} {value:g}: must be a number above 0")


_pressed = False


@contextmanager
def ctrl_c_remembered() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt as ever, and is remembered for the next ``Bar``.

    One that comes while a module is loaded or a kernel compiled may be swallowed there, by code
    that calls back into Python and cannot pass an exception on.
    """
    global _pressed  # a signal comes to the whole process
    _pressed = False
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        global _pressed
        _pressed = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Bar:
    """A progress line on standard error: only at a terminal, only after a second."""

    def __init__(self, title: str) -> None:
        from tqdm import tqdm

        self.interrupted = False
        self._bar = tqdm(
            desc=title,
            disable=None,
            delay=1.0,
            leave=False,
            bar_format="{desc} {elapsed}{postfix}",
        )

    def __enter__(self) -> Bar:
        if _pressed:
            raise KeyboardInterrupt
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
        interval = ""
        if snapshot.lower is not None and snapshot.upper is not None:
            interval = f", between {snapshot.lower:,} and {snapshot.upper:,}"
        self.say(
            f"{snapshot.stage}: {snapshot.states:,} keys, {snapshot.nodes:,} sub-tables{interval}"
        )

    def limits(self, time_limit: float | None, memory_limit: float, used: int = 0) -> Limits:
        """Limits for a search; ``used`` bytes are taken already."""
        from seabattle.solver.search.workspace import Limits

        return Limits(
            deadline=None if time_limit is None else STARTED + time_limit,
            memory=max(0.01, memory_limit - used / 2**30),
            report=self.search,
            stop=lambda: self.interrupted,
        )
