"""The commands that help in a real game: advise, and review, which looks back at it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import options
from seabattle.cli.command import (
    LIMITS,
    OUTPUT,
    Answer,
    as_json,
    command,
    game_facts,
    option,
    print_facts,
)
from seabattle.cli.progress import Bar
from seabattle.enumerate.words import counted

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

GAME_FILE = "seabattle-game{}.json"
"""Where a game is saved on leaving; with a number where files of that name are there."""


@command()
@options.game_options()
@options.prior_option
@option("--strategy", type=options.FILE, metavar="DIR",
        help="Take advice from this strategy file where it holds the position.")  # fmt: skip
@option("--think", section=LIMITS, type=float, default=2.0, metavar="SECONDS", **options.within(0),
        help="How long to search for the optimal shot before staying with the "
             "likeliest cell, which is shown meanwhile; 0: do not search.")  # fmt: skip
@options.salvo_option("Also name the cells of a turn of N shots with the most hits to expect.")
@options.memory_option("Memory for counting.")
@option("--autosave", section=OUTPUT, type=options.FILE, metavar="FILE",
        help="Save the position to this file after every answer.")  # fmt: skip
@options.json_option
def advise(
    autosave: Path | None,
    think: float,
    strategy: Path | None,
    prior: str,
    salvo: int | None,
    memory_limit: float,
    **game: Any,
) -> Answer | int:
    """Get advice in a real game, shot by shot.

    Shows the map and the best shots, and takes the answers you type; type help to see how. Answers
    that contradict each other are named, to be changed or removed. At a terminal it asks for the
    game unless options give it, and saves it when you leave. With --json, lines on standard input
    that is no terminal are played before the one advice is told. Try:

    \b
      seabattle advise --fleet russian
      seabattle advise --position game.json --json
      echo "C4 miss, J8 hit" | seabattle advise --fleet russian --json
    """  # noqa: D301  # fmt: skip
    if autosave is not None:
        if as_json():
            raise seabattle.SeabattleError("--json tells one advice and ends: leave out --autosave")
        _require_savable(autosave, game["position"])
    opened = None if strategy is None else seabattle.Strategy.open(strategy)
    source = _Advisers(think, memory_limit, opened, prior, salvo or 0)
    return _tell_once(game, source) if as_json() else _play(game, source, autosave)


def _tell_once(game: dict[str, Any], source: _Advisers) -> Answer:
    """One advice, after the answers on standard input."""
    from seabattle.cli.typed_answers import played

    position = options.asked_position(**game, contradictory=True)
    if game["position"] != options.STANDARD_INPUT:
        position = played(position, options.piped_lines())
    if options.has_few_layouts(position.rules):
        options.interpret()

    with source.thinking():
        try:
            advice = source(position.rules).advise(position)
        except seabattle.PositionError as error:
            found = seabattle.conflict(position, memory_limit=source.memory_limit)
            if found is None:
                raise
            one = len(found.shots) + len(found.ships) == 1
            told = f"{found} cannot be right" if one else f"of these {found} cannot stand together"
            raise seabattle.PositionError(f"{error}; {told}") from None
    return Answer(advice.document(), game=position, timed=False)


def _require_savable(autosave: Path, position: str | None) -> None:
    """Refuse a file that cannot be written, or that would lose another game, before the game."""
    from seabattle.enumerate.files import require_place

    require_place(autosave)
    if os.path.isfile(autosave) and not (position and os.path.samefile(autosave, position)):
        raise seabattle.SeabattleError(
            f"--autosave {autosave}: the file exists; go on from it with --position {autosave}, "
            f"or name another file"
        )


@dataclass
class _Advisers:
    """Makes advisers, and shows at a terminal what takes them longer than a second.

    ``shown`` is the advice of the map that was shown while exact play is searched for.
    """

    seconds: float
    memory_limit: float
    strategy: seabattle.Strategy | None
    prior: str
    salvo: int
    shown: seabattle.Advice | None = None
    _waits: seabattle.Advice | None = None
    _since: float = 0.0
    _bar: Bar = field(default_factory=lambda: Bar("advise"))

    def __call__(self, rules: seabattle.Rules) -> seabattle.Adviser:
        counting = seabattle.CounterAdviser(
            rules,
            prior=options.asked_prior(self.prior, rules),
            time_limit=self.seconds,
            memory_limit=self.memory_limit,
            progress=self._report,
            early=self._keep,
            salvo=self.salvo,
        )
        if self.strategy is None:
            return counting
        return seabattle.StrategyAdviser(self.strategy, counting)

    def _keep(self, advice: seabattle.Advice) -> None:
        """Advice that is shown if the search for better does not end in a moment."""
        self._waits, self._since = advice, time.monotonic()

    def _report(self, snapshot: seabattle.Snapshot) -> None:
        from seabattle.cli.session import advice_lines

        late = time.monotonic() - self._since > MOMENT
        if self._waits is not None and late and sys.stdout.isatty():
            self.shown, self._waits = self._waits, None
            with self._bar.aside():
                told = [*_map_lines(self.shown), *advice_lines(self.shown)]
                click.echo("\n".join(["", *told, ""]))
                click.echo(f"Looking for the optimal shot, for at most {self.seconds:g} s ...")
        self._bar.search(snapshot)
        self._bar.check()

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """While this lasts, Ctrl-C is waited for and progress shown."""
        self._waits = self.shown = None
        with Bar("advise") as self._bar:
            yield
            self._bar.check()


def _play(game: dict[str, Any], source: _Advisers, autosave: Path | None) -> int:
    """Take answers until the end of input; status 130 after Ctrl-C."""
    from seabattle.cli.session import Session, Show

    session: Session | None = None
    status = 0
    try:
        position = _position_asked_for(game)
        print_facts(game_facts(position))
        click.echo("\nType the answers you get, or help.")
        with source.thinking():
            session = Session(position, source, autosave=autosave, memory_limit=source.memory_limit)
        if game["position"] is not None:
            session.saved = position
        _show(session, Show.MAP, source.shown)
        while (line := _read(PROMPT)) is not None:
            with source.thinking():
                reply = session.tell(line)
            for told in reply.lines:
                click.echo(told)
            _show(session, reply.show, source.shown)
            if reply.end:
                break
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game is kept first
        click.echo()
        status = 130
    if session is not None:
        _leave(session)
        if session.save_fault is not None:
            raise session.save_fault
    return status


def _show(session: Session, what: Any, shown: seabattle.Advice | None = None) -> None:
    """The map and the advice, in colours where the terminal has them, or what contradicts.

    Of what was ``shown`` already while exact play was searched for only what is new is told.
    """
    from seabattle.cli.session import Show, advice_lines, conflict_lines
    from seabattle.solver.advice import Method

    advice = session.advice
    if what is Show.NOTHING:
        return
    if advice is None:
        lines = [] if session.conflict is None else conflict_lines(session.conflict)
    elif shown is None or shown.map is not advice.map:
        lines = [*(_map_lines(advice) if what is Show.MAP else []), *advice_lines(advice)]
    elif advice.method is Method.OPTIMAL:
        lines = advice_lines(advice)
    else:
        lines = [f"It stands: {advice.note}."]
    click.echo("\n".join(["", *lines, ""]))


def _map_lines(advice: seabattle.Advice) -> list[str]:
    """The map, in colours where the terminal has them."""
    from seabattle.cli.session import heat_map
    from seabattle.enumerate.colours import terminal_colours

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    colours = terminal_colours(sys.stdout)
    return [seabattle.heatmap_text(heat_map(advice), colours=colours, width=width), ""]


def _leave(session: Session) -> None:
    """Keep the game, and say where and how to come back to it."""
    from seabattle.enumerate.position_files import position_text

    if session.unsaved and session.autosave is None and sys.stdin.isatty() and not session.over:
        ends = ("", *(f"-{number}" for number in range(2, 10_000)))
        path = next(p for p in map(Path, map(GAME_FILE.format, ends)) if not p.exists())
        try:
            session.save(path)
        except seabattle.SeabattleError as error:
            click.echo(f"{error}; keep this as a file for --position:")
            click.echo(position_text(session.position).rstrip())
            return
        click.echo(f"saved in {path}; to go on: seabattle advise --position {path}")
    elif session.autosave is not None and session.position.shots and not session.unsaved:
        click.echo(f"saved in {session.autosave}")


def _read(prompt: str) -> str | None:
    """The next line that is typed or piped in, None at the end; piped ones are printed."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  line editing and history, where there is one
        try:
            return input(prompt)
        except EOFError:
            click.echo()
            return None
    line = sys.stdin.readline()
    if not line:
        return None
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in line.strip())
    click.echo(f"{prompt}{shown}")
    return line


def _position_asked_for(game: dict[str, Any]) -> seabattle.Position:
    """The position of the options; at a terminal, the game is asked for where none gives it."""
    given = any(game[name] is not None for name in ("board", "fleet", "position"))
    if given or not sys.stdin.isatty():
        return options.asked_position(**game, contradictory=True)
    asked = dict(game)
    usual = {"board": "10x10", "fleet": "russian",
             "answers": options.implied_answers(game) or seabattle.AnswerMode.SUNK}  # fmt: skip

    def so_far(**typed: str) -> seabattle.Rules:
        told = {"fleet": "1", **{name: text for name, text in asked.items() if text}, **typed}
        return seabattle.Rules.read(**{name: told.get(name) for name in QUESTIONS})

    for name, question in QUESTIONS.items():
        rules = so_far()
        lengths = rules.contact == seabattle.Contact.SIDES and rules.answers == "sunk"
        if asked[name] is not None or (name == "announce" and not lengths):
            continue

        def checked(text: str, name: str = name) -> str:
            try:
                so_far(**{name: text})
            except seabattle.SeabattleError as error:
                raise click.UsageError(str(error)) from None
            return text

        default = usual.get(name, getattr(rules, name))
        asked[name] = str(click.prompt(question, default, value_proc=checked))
    return options.asked_position(**asked)


@command()
@click.argument("file", type=options.FILE)
@options.prior_option
@option("--think", section=LIMITS, type=float, default=10.0, metavar="SECONDS", **options.within(0),
        help="How long to search for exact losses, for all shots together; 0: do not "
             "search.")  # fmt: skip
@options.memory_option("Memory for counting.")
@options.json_option
def review(file: Path, prior: str, think: float, memory_limit: float) -> Answer:
    """Look back at a game, shot by shot, and find the mistakes.

    FILE is a position file whose shots are in order, as advise saves it, or - for standard input.
    Losses are in misses. They are exact on small boards and towards the end of large games;
    elsewhere (~) they are the chance of a hit given away at once, which is not the same. The best
    cells are the optimal shots where optimal play is known, else the likeliest cells. Try:

    \b
      seabattle review game.json
      seabattle review game.json --prior people --json
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.position_files import position_of_text

    if str(file) == options.STANDARD_INPUT:
        position = position_of_text(options.standard_input(), "standard input")
    else:
        position = seabattle.load_position(file)
    believed = options.asked_prior(prior, position.rules)
    with Bar("review") as bar:
        found = seabattle.review(
            position,
            prior=believed,
            time_limit=think,
            memory_limit=memory_limit,
            progress=lambda what, shot, shots: bar.show(shot, shots, "shots", what),
            stop=lambda: bar.interrupted,
        )
    if not found.shots:
        raise KeyboardInterrupt
    if found.stopped_by:
        done, all_shots = len(found.shots), len(position.shots)
        what = (
            f"after {done} of {counted(all_shots, 'shot')}; the review is about these"
            if done < all_shots
            else "while exact losses were searched for; those found are in the review"
        )
        click.echo(f"seabattle: {found.stopped_by} {what}", err=True)
    status = 130 if found.stopped_by else 0
    return Answer(found.document(), found.facts(), position.rules, found.text(), status)
