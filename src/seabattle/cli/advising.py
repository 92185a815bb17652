"""The commands that help in a real game: advise, and review, which looks back at it."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar
from seabattle.enumerate.words import plain

if TYPE_CHECKING:
    from seabattle.cli.session import Session

PROMPT = "answer> "

MOMENT = 0.3
"""Seconds that a player waits for the optimal shot before the map is shown without it."""

QUESTIONS = {
    "board": "Board, rows x columns",
    "fleet": "Fleet: russian, hasbro, or lengths such as 4,3,2,2",
    "contact": "May ships touch: none (not at all), corners, sides",
    "answers": "What is answered: hit (or miss), sunk (too), ship (is named)",
    "announce": "Is a sunk ship's length told: length, none",
}
"""What a player is asked at a terminal, in this order."""

UNASKED: dict[str, Any] = {"prior": "uniform", "think": 2.0, "salvo": None}
"""What is asked where nothing is said; the rest is kept in a game's file."""

GAME_FILE = "seabattle-game{}.json"
"""Where a game is saved on leaving; with a number where files of that name are there."""


@shared.command()
@shared.game_options()
@shared.prior_option
@shared.option("--strategy", type=shared.FILE, metavar="DIR",
        help="Take advice from this strategy file where it holds the position.")  # fmt: skip
@shared.option("--think", section=shared.LIMITS, type=shared.NUMBER,
        default=UNASKED["think"], metavar="SECONDS",
        help="How long to search for the optimal shot before staying with the "
             "likeliest cell, which is shown meanwhile; 0: do not search.")  # fmt: skip
@shared.option("--player", metavar="NAME",
        help="Where the optimal shot is not known, take that of this player in place of the "
             "likeliest cell: rollout misses less with Hasbro's fleet, and takes a second. "
             "'seabattle players' lists all.")  # fmt: skip
@shared.salvo_option("Also name the cells of a turn of N shots with the most hits to expect.")
@shared.memory_option("Memory for counting.")
@shared.option("--autosave", section=shared.OUTPUT, type=shared.NEW_FILE, metavar="FILE",
        help="Save the position to this file after every answer.")  # fmt: skip
def advise(
    autosave: Path | None,
    think: float,
    strategy: Path | None,
    player: str | None,
    prior: str,
    salvo: int | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> shared.Answer | int:
    """Get advice in a real game, shot by shot.

    Shows the map and the best shots, and takes the answers you type; type help to see how. Answers
    that contradict each other are named, to be changed or removed. At a terminal it asks for the
    game unless options give it, and saves it when you leave. With --json, lines on standard input
    that is not a terminal are played before the one advice is told. Try:

    \b
      seabattle advise --fleet russian
      seabattle advise --position game.json --json
      echo "C4 miss, J8 hit" | seabattle advise --fleet russian --json
    """  # noqa: D301  # fmt: skip
    shared.goes_without("as_json", "autosave")
    kept, begun = (os.path.realpath(name or "") for name in (autosave, game["position"]))
    if os.path.isfile(kept) and kept != begun:
        raise seabattle.SeabattleError(
            f"--autosave {autosave}: the file exists; go on from it with --position {autosave}, "
            f"or name another file"
        )
    opened = None if strategy is None else seabattle.Strategy.open(strategy)
    asked = shared.asked_before(game["position"], prior=prior, think=think, salvo=salvo)
    asked["prior"] = _from_anywhere(asked["prior"])
    told = {name: value for name, value in asked.items() if value != UNASKED.get(name)}
    source = _Advisers(opened, player, memory_limit, told, silent=as_json)
    if as_json:
        return _tell_once(game, source)
    again = {"strategy": strategy, "player": player}
    also = "".join(f" --{n} {shlex.quote(str(v))}" for n, v in again.items() if v is not None)
    return _play(game, source, autosave, also)


def _from_anywhere(prior: str) -> str:
    """The name of a prior, or its file as it is found from every folder."""
    from seabattle.enumerate.priors.files import SHIPPED, UNIFORM

    name = prior.strip().lower()
    return name if name in (UNIFORM, *SHIPPED) else os.path.abspath(prior)


def _tell_once(game: dict[str, Any], source: _Advisers) -> shared.Answer:
    """One advice, after the answers on standard input."""
    from seabattle.cli.typed_answers import told_after

    position = shared.asked_position(**game, contradictory=True)
    lines = [] if game["position"] == shared.STANDARD_INPUT else shared.piped_lines()
    for number, line in enumerate(lines, start=1):
        try:
            position = told_after(position, line)
        except seabattle.SeabattleError as error:
            raise type(error)(f"line {number} of standard input: {error}") from None
    session = source.session(position)
    if session.advice is None:
        label, told = session.state.facts()[0]
        raise seabattle.PositionError(f"{label}: {told}")
    return shared.Answer(session.advice.document(), game=position)


@dataclass
class _Advisers:
    """Makes advisers, and shows at a terminal what takes them longer than a second.

    ``asked`` is how the game is asked about where that is unusual, by the names of the options,
    to be kept with the game; ``think`` is that of the last adviser; ``shown`` is the advice of the
    map that was shown while exact play is searched for.
    """

    strategy: seabattle.Strategy | None
    player: str | None
    memory_limit: float
    asked: dict[str, Any]
    silent: bool = False
    think: float = UNASKED["think"]
    shown: seabattle.Advice | None = None
    _waits: seabattle.Advice | None = None
    _since: float = 0.0
    _bar: Bar = field(default_factory=lambda: Bar("advise"))

    def __call__(self, rules: seabattle.Rules, **asked: Any) -> seabattle.Adviser:
        how = {**UNASKED, **asked}
        self.think = how["think"]
        counting = seabattle.CounterAdviser(
            rules,
            prior=how["prior"],
            time_limit=self.think,
            memory_limit=self.memory_limit,
            progress=self._report,
            early=self._keep,
            salvo=how["salvo"] or 0,
            player=self.player,
        )
        if self.strategy is None:
            return counting
        return seabattle.StrategyAdviser(self.strategy, counting)

    def session(self, position: seabattle.Position) -> Session:
        """A game that goes on from a position."""
        from seabattle.cli.session import Session

        with self.thinking():
            return Session(position, self, self.memory_limit, self.asked)

    def _keep(self, advice: seabattle.Advice) -> None:
        """Advice that is shown if the search for better does not end in a moment."""
        self._waits, self._since = advice, time.monotonic()

    def _report(self, snapshot: seabattle.Snapshot) -> None:
        late = time.monotonic() - self._since > MOMENT
        if self._waits is not None and late and sys.stdout.isatty():
            self.shown, self._waits = self._waits, None
            self._bar.print(
                f"\n{shared.map_text(self.shown.shown)}\n",
                shared.facts_text(self.shown.facts()),
                f"\nLooking for the optimal shot, for at most {self.think:g} s ...",
            )
        self._bar.search(snapshot)
        self._bar.check()

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """While this lasts, Ctrl-C is waited for and progress shown."""
        self._waits = self.shown = None
        with Bar("advise", silent=self.silent) as self._bar:
            self._bar.stoppable()
            yield
            self._bar.check()


def _play(game: dict[str, Any], source: _Advisers, autosave: Path | None, also: str) -> int:
    """Take answers until the end of input; status 130 after Ctrl-C.

    ``also`` are options to go on with that the game's file does not keep.
    """
    session: Session | None = None
    status = 0
    try:
        position = _position_asked_for(game)
        if len(position.shots) > 1 and not (position.rules.order_matters or _tells_order(game)):
            position = replace(position, ordered=False)  # which a review of the game has to know
        click.echo(shared.facts_text(shared.game_facts(position)))
        click.echo("\nType the answers you get, or help.")
        session = source.session(position)
        if game["position"] is not None:
            session.saved = position
        _show(session, source.shown)
        while (line := _read()) is not None:
            with source.thinking():
                reply = session.tell(line)
            for told in reply.lines:
                click.echo(told)
            if reply.changed:
                try:
                    if autosave is not None:
                        session.save(autosave)
                except seabattle.SeabattleError as error:
                    click.echo(error)
                _show(session, source.shown)
            if reply.end:
                break
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game is kept first
        click.echo()
        status = 130
    if session is not None:
        _leave(session, autosave, also)
    return status


def _show(session: Session, shown: seabattle.Advice | None) -> None:
    """The advice with its map, unless that was ``shown`` already; or what contradicts."""
    advice = session.advice
    click.echo()
    if advice is not None and (shown is None or shown.map is not advice.map):
        click.echo(f"{shared.map_text(advice.shown)}\n")
    click.echo(shared.facts_text(session.state.facts()))
    click.echo()


def _leave(session: Session, autosave: Path | None, also: str) -> None:
    """Keep the game, and say where and how to come back to it."""
    from seabattle.enumerate.position_files import position_text

    if autosave is None and (session.over or not session.unsaved or not sys.stdin.isatty()):
        return
    ends = ("", *(f"-{number}" for number in range(2, 10_000)))
    path = autosave or next(p for p in map(Path, map(GAME_FILE.format, ends)) if not p.exists())
    try:
        if session.unsaved:
            session.save(path)
    except seabattle.SeabattleError:
        click.echo(
            f"Keep this as a file for --position:\n{position_text(session.position, session.asked)}"
        )
        raise
    if session.position.shots:
        again = f"seabattle advise --position {shlex.quote(str(path))}{also}"
        click.echo(f"saved in {path}; to go on: {again}")


def _read() -> str | None:
    """The next line that is typed or piped in, None at the end; piped ones are printed."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  line editing and history, where there is one
        try:
            return input(PROMPT)
        except EOFError:
            click.echo()
            return None
    line = sys.stdin.readline()
    if not line:
        return None
    click.echo(f"{PROMPT}{plain(line.strip())}")
    return line


def _tells_order(game: dict[str, Any]) -> bool:
    """Whether the options say in which order cells were shot, and not only what each answered."""
    from seabattle.enumerate.board_text import is_board

    if game["position"] is None:
        return bool(game["shots"])
    return not is_board(shared.position_text(game["position"])[0])


def _position_asked_for(game: dict[str, Any]) -> seabattle.Position:
    """The position of the options; at a terminal, the game is asked for where none gives it."""
    given = any(game[name] is not None for name in ("board", "fleet", "position"))
    if given or not sys.stdin.isatty():
        return shared.asked_position(**game, contradictory=True)
    asked = dict(game)
    usual = {"board": "10x10", "fleet": "russian",
             "answers": shared.implied_answers(game) or seabattle.AnswerMode.SUNK}  # fmt: skip

    def so_far(**typed: str) -> seabattle.Rules:
        told = {"fleet": "1", **{name: text for name, text in asked.items() if text}, **typed}
        return seabattle.Rules.read(**{name: told.get(name) for name in QUESTIONS})

    for name, question in QUESTIONS.items():
        rules = so_far()
        if asked[name] is not None or (name == "announce" and not rules.order_matters):
            continue

        def checked(text: str, name: str = name) -> str:
            try:
                so_far(**{name: text})
            except seabattle.SeabattleError as error:
                raise click.UsageError(str(error)) from None
            return text

        default = usual.get(name, getattr(rules, name))
        asked[name] = str(click.prompt(question, default, value_proc=checked))
    return shared.asked_position(**asked)


@shared.command()
@click.argument("file", type=shared.FILE)
@shared.prior_option
@shared.option("--think", section=shared.LIMITS, type=shared.NUMBER, default=10.0,
        metavar="SECONDS",
        help="How long to search for exact losses, for all shots together; 0: do not "
             "search.")  # fmt: skip
@shared.memory_option("Memory for counting.")
def review(file: Path, prior: str, think: float, bar: Bar) -> shared.Answer:
    """Look back at a game, shot by shot, and find the mistakes.

    FILE is a position file whose shots are in order, as advise saves it, or - for standard input.
    Losses are in misses. They are exact on small boards and towards the end of large games;
    elsewhere (~) they are the chance of a hit that the shot gave away, which is not the same. The
    best cells are the optimal shots where optimal play is known, else the likeliest cells. Try:

    \b
      seabattle review game.json
      seabattle review game.json --prior people --json
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.board_text import is_board
    from seabattle.enumerate.position_files import position_of_text

    text, called = shared.position_text(str(file))
    if is_board(text):
        raise seabattle.PositionError(
            f"{called}: a board as text does not tell the order of its shots"
        )
    position = position_of_text(text, called)
    found = seabattle.review(
        position,
        prior=shared.asked_before(str(file), prior=prior)["prior"],
        time_limit=think,
        memory_limit=bar.memory_limit,
        progress=lambda what, shot, shots: bar.show(shot, shots, "shots", what),
        stop=bar.stoppable(),
    )
    if not found.shots:
        raise KeyboardInterrupt(found.stopped_by)
    return shared.Answer.of(found, position.rules, text=found.text())
