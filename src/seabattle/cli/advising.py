"""The command that helps in a real game: advise."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import STANDARD_INPUT, asked_position, game_options
from seabattle.cli.limits import check_limits, memory_option
from seabattle.cli.options import PATH, json_option
from seabattle.cli.printing import game_lines, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar
from seabattle.cli.questions import Lines, position_asked_for

if TYPE_CHECKING:
    from seabattle.cli.session import Reply, Session
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.advice import Advice, Adviser
    from seabattle.solver.search.limits import Snapshot

PROMPT = "answer> "

MOMENT = 0.3
"""Seconds that a player waits for the optimal shot before the map is shown without it."""


@click.command()
@game_options()
@click.option(
    "--autosave",
    type=PATH,
    metavar="FILE",
    help="Save the position to this file after every answer.",
)
@click.option(
    "--think",
    type=float,
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to search for the optimal shot before staying with the likeliest cell, which "
    "is shown meanwhile; 0: do not search.",
)
@click.option(
    "--strategy",
    type=PATH,
    metavar="DIR",
    help="Take advice from this strategy file where it holds the position.",
)
@prior_option
@memory_option("Memory for counting.")
@json_option
def advise(
    autosave: Path | None,
    think: float,
    strategy: Path | None,
    prior: str,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Get advice in a real game, shot by shot.

    Shows the map and the best shots, and takes the answers you type; type help to see how. Answers
    that contradict each other are named, to be changed or removed. At a terminal it asks for the
    game unless --board and --fleet, or the name of a fleet, give it. With --json, lines on standard
    input that is no terminal are played before the one advice is told. Try:

    \b
      seabattle advise --fleet russian
      seabattle advise --position game.json --json
      echo "C4 miss, J8 hit" | seabattle advise --fleet russian --json
    """  # noqa: D301
    from seabattle.enumerate.errors import SeabattleError

    check_limits(None, memory_limit)
    if not 0 <= think < float("inf"):
        raise SeabattleError(f"--think {think:g}: must be a number of seconds, 0 or more")
    if autosave is not None and as_json:
        raise SeabattleError("--json tells one advice and ends: leave out --autosave")
    if autosave is not None:
        _require_savable(autosave, game["position"])
    source = AdviserSource(think, memory_limit, strategy, prior)
    if as_json:
        return _tell_once(game, source, memory_limit)
    return _play(game, source, autosave, memory_limit)


def _tell_once(game: dict[str, Any], source: AdviserSource, memory_limit: float) -> int:
    """One advice as JSON, after the answers on standard input."""
    from seabattle.cli.piped_lines import piped_lines, played, with_conflict
    from seabattle.enumerate.errors import PositionError

    position = asked_position(**game, contradictory=True)
    if game["position"] != STANDARD_INPUT:
        position = played(position, piped_lines())
    with source.thinking():
        try:
            advice = source(position.rules).advise(position)
        except PositionError as error:
            raise with_conflict(error, position, memory_limit) from None
    print_answer(position, advice.document())
    return 0


def _require_savable(autosave: Path, position: str | None) -> None:
    """Refuse a file that cannot be written, or that would lose another game, before the game."""
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.files import require_place

    require_place(autosave, said=f"--autosave {autosave}")
    if os.path.isfile(autosave) and not (position and os.path.samefile(autosave, position)):
        raise SeabattleError(
            f"--autosave {autosave}: the file exists; go on from it with --position {autosave}, "
            f"or name another file"
        )


class AdviserSource:
    """Makes advisers, and shows at a terminal what takes them longer than a second."""

    def __init__(
        self, seconds: float, memory_limit: float, strategy: Path | None, prior: str
    ) -> None:
        from seabattle.trees.strategy.strategy import Strategy

        self.seconds = seconds
        self.memory_limit = memory_limit
        self.prior = prior
        self._strategy = Strategy.open(strategy) if strategy is not None else None
        self._bar: Bar | None = None
        self._waits: Advice | None = None
        self.introduction: Position | None = None
        """What is played, until it has been said."""
        self.shown: Advice | None = None
        """The advice of the map that was shown while exact play is searched for."""

    def __call__(self, rules: Rules) -> Adviser:
        from seabattle.solver.advice import CounterAdviser, StrategyAdviser

        counting = CounterAdviser(
            rules,
            prior=asked_prior(self.prior, rules),
            time_limit=self.seconds,
            memory_limit=self.memory_limit,
            progress=self._report,
            early=self._keep,
        )
        return StrategyAdviser(self._strategy, counting) if self._strategy else counting

    def introduce(self) -> None:
        """Say what is played, once: before the first advice is shown."""
        if self.introduction is not None:
            print_lines(game_lines(self.introduction))
            click.echo("\nType the answers you get, or help.")
            self.introduction = None

    def _keep(self, advice: Advice) -> None:
        """Advice that is shown if the search for better does not end in a moment."""
        self._waits, self._since = advice, time.monotonic()

    def _report(self, snapshot: Snapshot) -> None:
        late = self._waits is not None and time.monotonic() - self._since > MOMENT
        if self._waits is not None and late and sys.stdout.isatty():
            self.shown, self._waits = self._waits, None
            self.introduce()
            click.echo()
            _show_map(self.shown)
            click.echo(f"Looking for the optimal shot, for at most {self.seconds:g} s ...")
        if self._bar is not None:
            self._bar.search(snapshot)
            if self._bar.interrupted:
                raise KeyboardInterrupt

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """While this lasts, Ctrl-C is waited for and progress shown."""
        self._waits = self.shown = None
        with Bar("advise") as self._bar:
            yield
            interrupted = self._bar.interrupted
        self._bar = None
        if interrupted:
            raise KeyboardInterrupt


def _play(
    game: dict[str, Any], source: AdviserSource, autosave: Path | None, memory_limit: float
) -> int:
    """Take answers until the end of input; status 130 after Ctrl-C."""
    session: Session | None = None
    with Lines() as lines:
        try:
            from seabattle.cli.session import Session, Show
            from seabattle.enumerate.deductions import contradiction

            position = position_asked_for(game, lines)
            source.introduction = position
            with source.thinking():
                session = Session(position, source, autosave=autosave, memory_limit=memory_limit)
            if session.conflict is not None and game["position"] is None:
                raise contradiction(position)
            source.introduce()
            show_state(session, Show.MAP, source.shown)
            while (line := lines.read(PROMPT)) is not None:
                with source.thinking():
                    reply = session.tell(line)
                _print(session, reply, source.shown)
                if reply.end:
                    break
        except KeyboardInterrupt:
            click.echo()
            _farewell(session)
            return 130
    _farewell(session)
    if session.save_fault is not None:
        raise session.save_fault
    return 0


def _print(session: Session, reply: Reply, shown: Advice | None) -> None:
    for line in reply.lines:
        click.echo(line)
    show_state(session, reply.show, shown)


def show_state(session: Session, what: Any, shown: Advice | None = None) -> None:
    """The map and the advice, in colours where the terminal has them, or what contradicts.

    Of what was ``shown`` already while exact play was searched for only what is new is told.
    """
    from seabattle.cli.advice_words import advice_lines, conflict_lines
    from seabattle.cli.session import Show
    from seabattle.solver.advice import Method

    if what is Show.NOTHING:
        return
    click.echo()
    if session.advice is None:
        for line in conflict_lines(session.conflict) if session.conflict is not None else ():
            click.echo(line)
        click.echo()
        return
    if shown is not None and shown.map is session.advice.map:
        if session.advice.method is Method.OPTIMAL:
            click.echo("\n".join(advice_lines(session.advice)))
        else:
            click.echo(f"It stands: {session.advice.note}.")
        click.echo()
        return
    if what is Show.MAP:
        _show_map(session.advice)
        return
    click.echo("\n".join(advice_lines(session.advice)))
    click.echo()


def _show_map(advice: Advice) -> None:
    """The map, in colours where the terminal has them, and the advice."""
    from seabattle.cli.advice_words import advice_lines, heat_map
    from seabattle.trees.drawing.heatmap import heatmap_text, terminal_colours

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo(heatmap_text(heat_map(advice), colours=terminal_colours(sys.stdout), width=width))
    click.echo()
    click.echo("\n".join(advice_lines(advice)))
    click.echo()


def _farewell(session: Session | None) -> None:
    """Where the game is kept, or how to come back to it."""
    if session is None or not session.position.shots:
        return
    if not session.unsaved:
        if session.autosave is not None:
            click.echo(f"saved in {session.autosave}")
        return
    if not session.over and sys.stdin.isatty():
        click.echo(_way_back(session.position, as_file=session.conflict is not None))


def _way_back(position: Position, *, as_file: bool) -> str:
    """The command that goes on from a position, or a file for it where no command says it all."""
    from seabattle.enumerate.answers import answer_text
    from seabattle.enumerate.position_files import position_text
    from seabattle.enumerate.rules import Announce, Contact

    rules = position.rules
    if as_file or position.ships or not position.ordered:
        text = position_text(position).rstrip()
        return f"to go on later, keep this as a file for --position:\n{text}"
    name = rules.board.name
    words = ["seabattle", "advise", "--board", str(rules.board), "--fleet", str(rules.fleet),
             "--contact", rules.contact.value, "--answers", rules.answers.value]  # fmt: skip
    if rules.contact is Contact.SIDES and rules.announce is Announce.NONE:
        words += ["--announce", rules.announce.value]
    shots = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)
    return f"to go on later:\n  {shlex.join([*words, '--shots', shots])}"
