"""The command that helps in a real game: advise."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.options import (
    PATH,
    Bar,
    Request,
    check_limits,
    game_options,
    given_options,
    json_option,
)
from seabattle.cli.printing import print_json

if TYPE_CHECKING:
    from seabattle.cli.session import Reply, Session
    from seabattle.enumerate.game.position import Position
    from seabattle.enumerate.game.rules import Rules
    from seabattle.solver.advice.advisers import Adviser
    from seabattle.solver.search.workspace import Snapshot

PROMPT = "answer> "


@click.command()
@game_options(answers="sunk")
@click.option("--autosave", type=PATH, default=None, metavar="FILE",
              help="Save the position after every answer.")  # fmt: skip
@click.option("--think", type=float, default=2.0, show_default=True, metavar="SECONDS",
              help="How long exact play may be searched for at a shot; 0 never.")  # fmt: skip
@click.option("--strategy", type=PATH, default=None, metavar="DIR",
              help="Take advice from this strategy file where it holds the position.")  # fmt: skip
@click.option("--memory-limit", type=float, default=4.0, show_default=True, metavar="GIB",
              help="Memory for counting.")  # fmt: skip
@json_option
def advise(
    autosave: Path | None,
    think: float,
    strategy: Path | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Help in a real game: shows the map and the best shots, and takes the answers you type.

    Asks for board and fleet when they are not given at a terminal. Type help for what can be
    typed. Try:

    \b
      seabattle advise --board 10x10 --fleet russian
      seabattle advise --position game.json --json
    """  # noqa: D301
    from seabattle.enumerate.errors import SeabattleError

    check_limits(None, memory_limit)
    if not 0 <= think < float("inf"):
        raise SeabattleError(f"--think {think:g}: must be a number of seconds, 0 or more")
    if autosave is not None and as_json:
        raise SeabattleError("--json tells one advice and takes no answers: leave out --autosave")
    if autosave is not None:
        _require_savable(autosave, game["position"])
    source = _Source(think, memory_limit, strategy)
    if as_json:
        request = Request.read(**game)
        with source.thinking():
            advice = source(request.rules).advise(request.position)
        print_json(advice.document())
        return 0
    return _play(game, source, autosave)


def _require_savable(autosave: Path, position: str) -> None:
    """Refuse a file that cannot be written, or that would lose another game, before the game."""
    from seabattle.enumerate.errors import FileAccessError, SeabattleError

    if autosave.is_dir():
        raise SeabattleError(f"--autosave {autosave}: is a folder; name a file")
    goes_on = position and Path(position).exists() and autosave.exists()
    if autosave.exists() and not (goes_on and autosave.samefile(position)):
        raise SeabattleError(
            f"--autosave {autosave}: the file exists; go on from it with --position {autosave}, "
            f"or name another file"
        )
    folder = next(path for path in autosave.absolute().parents if os.path.lexists(path))
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise FileAccessError(
            f"--autosave {autosave}: cannot write to {folder}: {error.strerror or error}"
        ) from None


class _Source:
    """Makes advisers, and shows at a terminal what takes them longer than a second."""

    def __init__(self, seconds: float, memory_limit: float, strategy: Path | None) -> None:
        from seabattle.trees.strategy.strategy import Strategy

        self.seconds = seconds
        self.memory_limit = memory_limit
        self._strategy = Strategy.open(strategy) if strategy is not None else None
        self._bar: Bar | None = None

    def __call__(self, rules: Rules) -> Adviser:
        from seabattle.solver.advice.advisers import CounterAdviser, StrategyAdviser

        counting = CounterAdviser(
            rules, seconds=self.seconds, memory_limit=self.memory_limit, report=self._report
        )
        return StrategyAdviser(self._strategy, counting) if self._strategy else counting

    def _report(self, snapshot: Snapshot) -> None:
        if self._bar is not None:
            self._bar.search(snapshot)
            if self._bar.interrupted:
                raise KeyboardInterrupt

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """While this lasts, Ctrl-C is waited for and progress shown."""
        with Bar("advise") as self._bar:
            yield
            interrupted = self._bar.interrupted
        self._bar = None
        if interrupted:
            raise KeyboardInterrupt


def _play(game: dict[str, Any], source: _Source, autosave: Path | None) -> int:
    """Take answers until the end of input; status 130 after Ctrl-C."""
    session: Session | None = None
    with _Lines() as lines:
        try:
            from seabattle.cli.session import Session, Show

            position = _position(game, lines)
            with source.thinking():
                session = Session(position, source, autosave=autosave)
            click.echo(f"{position.rules}; type the answers you get, or help")
            _show(session, Show.MAP)
            while (line := lines.read(PROMPT)) is not None:
                with source.thinking():
                    reply = session.tell(line)
                _print(session, reply)
                if reply.end:
                    break
        except KeyboardInterrupt:
            click.echo()
            _farewell(session)
            return 130
    _farewell(session)
    return 0


def _print(session: Session, reply: Reply) -> None:
    for line in reply.lines:
        click.echo(line)
    _show(session, reply.show)


def _show(session: Session, what: Any) -> None:
    """The map and the advice, in colours where the terminal has them."""
    from seabattle.cli.session import Show, advice_lines, heat_map
    from seabattle.trees.drawing.heatmap import heatmap_text, terminal_colours

    if what is Show.NOTHING:
        return
    click.echo()
    if what is Show.MAP:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        colours = terminal_colours(sys.stdout)
        click.echo(heatmap_text(heat_map(session.advice), colours=colours, width=width))
        click.echo()
    for line in advice_lines(session.advice):
        click.echo(line)
    click.echo()


def _farewell(session: Session | None) -> None:
    """Where the game is kept, or how to come back to it."""
    if session is None or not session.position.shots:
        return
    if not session.unsaved:
        if session.autosave is not None:
            click.echo(f"saved in {session.autosave}")
        return
    if not session.advice.over and sys.stdin.isatty():
        click.echo(_way_back(session.position))


def _way_back(position: Position) -> str:
    """The command that goes on from a position, or a file for it where no command says it all."""
    from seabattle.enumerate.game.answers import answer_text
    from seabattle.enumerate.game.position_files import position_text
    from seabattle.enumerate.game.rules import Announce, Contact

    rules = position.rules
    if position.ships or not position.ordered:
        text = position_text(position).rstrip()
        return f"to go on later, keep this as a file for --position:\n{text}"
    name = rules.board.name
    words = ["seabattle", "advise", "--board", str(rules.board), "--fleet", str(rules.fleet),
             "--contact", rules.contact.value, "--answers", rules.answers.value]  # fmt: skip
    if rules.contact is Contact.SIDES and rules.announce is Announce.NONE:
        words += ["--announce", rules.announce.value]
    shots = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)
    return f"to go on later:\n  {shlex.join([*words, '--shots', shots])}"


class _Lines:
    """Lines that are typed or piped in, with a prompt; piped ones are printed after it."""

    def __init__(self) -> None:
        self.typed = sys.stdin.isatty()

    def __enter__(self) -> _Lines:
        if self.typed and sys.stdout.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  line editing and history, where there is one
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def read(self, prompt: str) -> str | None:
        """The next line, None at the end of input."""
        if self.typed:
            try:
                return input(prompt)
            except EOFError:
                click.echo()
                return None
        line = sys.stdin.readline()
        if not line:
            return None
        click.echo(f"{prompt}{_printable(line.strip())}")
        return line


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _position(game: dict[str, Any], lines: _Lines) -> Position:
    """The position of the options; at a terminal, board and fleet are asked for if not given."""
    if (
        not lines.typed
        or given_options("position")
        or (given_options("board") and given_options("fleet"))
    ):
        return Request.read(**game).position
    from seabattle.enumerate.game.board import Board
    from seabattle.enumerate.game.fleet import Fleet
    from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, choose

    asked = dict(game)

    def ask(option: str, question: str, default: str, check: Callable[[str], object]) -> None:
        if not given_options(option):
            asked[option] = _ask(lines, question, default, check)

    ask("board", "Board, rows x columns", "10x10", Board.parse)
    ask("fleet", "Fleet: russian, hasbro, or lengths such as 4,3,2,2", "russian",
        lambda text: Fleet.parse(text))  # fmt: skip
    usual = Fleet.usual_contact(asked["fleet"])
    ask("contact", "May ships touch: none (not at all), corners, sides", usual,
        lambda text: choose(Contact, text, "contact rule"))  # fmt: skip
    ask("answers", "What is answered: hit (or miss), sunk (too), ship (is named)", "sunk",
        lambda text: choose(AnswerMode, text, "answer mode"))  # fmt: skip
    if asked["contact"].lower() == Contact.SIDES and asked["answers"].lower() == AnswerMode.SUNK:
        ask("announce", "Is a sunk ship's length told: length, none", "length",
            lambda text: choose(Announce, text, "announcement"))  # fmt: skip
    return Request.read(**asked).position


def _ask(lines: _Lines, question: str, default: str, check: Callable[[str], object]) -> str:
    """Ask until the answer can be used; nothing typed means the default."""
    from seabattle.enumerate.errors import SeabattleError

    while True:
        text = lines.read(f"{question} [{default}]: ")
        if text is None:
            raise click.Abort
        text = text.strip() or default
        try:
            check(text)
        except SeabattleError as error:
            click.echo(str(error))
        else:
            return text
