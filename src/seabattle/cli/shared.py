"""What commands share: what a command is, its answer, and the options that mean the same in all.

A command has options in sections, and a function that finds an ``Answer``: the game, then a
document for programs and facts for people, which the result's own ``document()`` and ``facts()``
make. Here and nowhere else it is printed; the engine takes the same document from the same
function.

The name of a fleet stands for a whole game, and answers that only one answer mode has imply that
mode; an option that is given explicitly wins over both.
"""

from __future__ import annotations

import functools
import inspect
import io
import json
import os
import select
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

import seabattle
from seabattle.cli.progress import Bar

ABOUT, GAME, KNOWN, LIMITS, OUTPUT = SECTIONS = (
    "What to compute", "The game", "What is known", "Limits", "Output",
)  # fmt: skip
"""Sections of ``--help``, in their order."""

FOR_A_PROGRAM = "answer"
"""What the context of a command holds when its answer is returned, not printed."""

LIMITING = ("time_limit", "memory_limit")
"""Parameters of a command that its progress line knows."""

Facts = Sequence[tuple[str, str]]
"""Labels and texts, as people are told them."""


@dataclass(frozen=True)
class Answer:
    """What a command found.

    Attributes
    ----------
    document
        For programs, the game apart.
    facts
        For people, the game apart.
    game
        What it is about; None where the document says it, or nobody can.
    text
        For people, below the facts: a board, or a table.
    status
        The exit status.
    interrupted
        Whether it is less than was asked for as the work was stopped; after Ctrl-C the exit status
        is 130 then.
    timed
        Whether the document of a command with a progress line ends with the ``seconds`` it took.
    """

    document: Mapping[str, Any]
    facts: Facts = ()
    game: seabattle.Rules | seabattle.Position | None = None
    text: str = ""
    status: int = 0
    interrupted: bool = False
    timed: bool = True

    @classmethod
    def of(
        cls,
        found: Any,
        game: seabattle.Rules | seabattle.Position | None = None,
        *,
        saved: Iterable[Path | None] = (),
        weighed: tuple[seabattle.Prior | None, seabattle.DecisionTable | None] = (None, None),
        also: Mapping[str, Any] | None = None,
        **attributes: Any,
    ) -> Answer:
        """What a result says of itself, with the files that it was written to.

        Parameters
        ----------
        found
            The result, with ``facts()`` and ``document()``.
        game
            What it is about.
        saved
            The files; None for those that were not wanted.
        weighed
            The prior and the layouts that it weighs.
        also
            What the document has besides.
        attributes
            As of ``Answer``.
        """
        prior, told = prior_told(*weighed)
        facts = [*told, *found.facts(), *(("saved", str(path)) for path in saved if path)]
        document = {**found.document(), **prior, **(also or {})}
        stopped = getattr(found, "interrupted", False)
        return cls(document, facts, game, **{"interrupted": stopped, **attributes})

    def whole(self) -> dict[str, Any]:
        """The document with its game: what ``--json`` prints."""
        begins = {} if self.game is None else self.game.document()
        return {**begins, **self.document}

    def show(self, *, as_json: bool) -> int:
        """Print it; the exit status."""
        if as_json:
            click.echo(json.dumps(self.whole(), ensure_ascii=False))
            return self.status
        pairs = [*(() if self.game is None else game_facts(self.game)), *self.facts]
        told = "\n\n".join(filter(None, (facts_text(pairs), self.text)))
        if told:
            click.echo(told)
        return self.status


def game_facts(game: seabattle.Rules | seabattle.Position) -> list[tuple[str, str]]:
    """The game as everything printed begins with: a line, and another one for what is known."""
    position = game if isinstance(game, seabattle.Position) else seabattle.Position(game)
    facts = [("game", str(position.rules))]
    if position.shots:
        told = position.words + ("" if position.ordered else ", in some order")
        told += f"; sunk ships {' '.join(position.ship_names)}" if position.ships else ""
        facts.append(("known", told))
    return facts


def prior_told(
    prior: seabattle.Prior | None, table: seabattle.DecisionTable | None
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What a document and what facts say about the prior of a table: nothing if it is uniform."""
    if prior is None or table is None:
        return {}, []
    rounding = float(table.rounding)
    rounded = f": weights rounded to whole numbers, total variation {rounding:.2g}"
    fact = ("prior", f"{prior.name}{rounded if rounding else ''}")
    return {"prior": prior.name, "prior_rounding": rounding}, [fact]


def facts_text(facts: Facts) -> str:
    """Labels and texts in two columns."""
    width = max((len(label) for label, _ in facts), default=0)
    return "\n".join(f"{label:<{width}}  {text}" for label, text in facts)


def map_text(heat: seabattle.HeatMap) -> str:
    """A map as text, as wide and in such colours as the terminal has."""
    from seabattle.enumerate.colours import shows_colours

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return seabattle.heatmap_text(heat, colours=shows_colours(sys.stdout), width=width)


class Option(click.Option):
    """An option that stands in a section of ``--help``."""

    def __init__(self, *names: Any, section: str = ABOUT, **attributes: Any) -> None:
        super().__init__(*names, **{"show_default": True, **attributes})
        self.section = section


option = functools.partial(click.option, cls=Option)
"""An option of a command, in a ``section`` of its help; otherwise as ``click.option``."""

listed = functools.partial(
    option,
    multiple=True,
    callback=lambda context, option, texts: ",".join(texts) if texts else None,
)
"""An option whose text lists things: given several times it is as given once with all of them."""


class Command(click.Command):
    """A command whose help has sections, and whose answer is printed here."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, section by section."""
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and isinstance(parameter, click.Option):
                sections[getattr(parameter, "section", OUTPUT)].append(record)
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Read the command line; a long option with one hyphen is named whole."""
        words = list(args)
        try:
            return super().parse_args(context, args)
        except click.NoSuchOption as error:
            known = {name for each in self.get_params(context) for name in each.opts}
            for word in (word.partition("=")[0] for word in words):
                if word.startswith(error.option_name) and f"-{word}" in known:
                    raise click.NoSuchOption(
                        word, possibilities=[f"-{word}"], ctx=context
                    ) from None
            raise

    def invoke(self, context: click.Context) -> Any:
        """Run the command and print its answer; its exit status, or the answer for a program.

        A function that takes ``bar`` gets the progress line, which knows the limits. Where JSON is
        asked for, what a player of one's own prints goes to standard error.
        """
        assert self.callback is not None
        wanted = inspect.signature(self.callback).parameters
        shown = context.params.get("as_json", False)
        if "as_json" not in wanted:
            context.params.pop("as_json", None)
        with redirect_stdout(sys.stderr) if shown else nullcontext():
            answer = self._answer(context, "bar" in wanted, shown)
        if not isinstance(answer, Answer) or context.obj is FOR_A_PROGRAM:
            return answer
        status = answer.show(as_json=shown)
        context.exit(status)

    def _answer(self, context: click.Context, takes_bar: bool, silent: bool) -> Any:
        """What the function finds."""
        if not takes_bar:
            return super().invoke(context)
        limits = {name: context.params.pop(name) for name in LIMITING if name in context.params}
        with Bar(self.name or "", silent=silent, **limits) as bar:
            context.params["bar"] = bar
            answer = super().invoke(context)
        if answer.timed:
            answer = replace(answer, document={**answer.document, "seconds": bar.elapsed()})
        if bar.interrupted and answer.interrupted:
            answer = replace(answer, status=130)
        return answer


JSON = Option(
    ("--json", "as_json"), section=OUTPUT, is_flag=True,
    help="Print one JSON object and nothing else.",
)  # fmt: skip


def command(
    name: str | None = None, *, answers: bool = True
) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command: one that returns an ``Answer``, with ``--json``, or a status."""

    def decorate(function: Callable[..., Any]) -> Command:
        made = click.command(name, cls=Command)(function)
        made.params += [JSON] if answers else []
        return made

    return decorate


def given_options(*names: str) -> list[str]:
    """Those of the running command's options that were written on its command line."""
    context = click.get_current_context()
    written = click.core.ParameterSource.COMMANDLINE
    spelled = {each.name: each.opts[-1] for each in context.command.params}
    return [spelled[n] for n in names if context.get_parameter_source(n) is written]


def made_by(seed: int | None = None, *, without: str = "") -> dict[str, object]:
    """Command, version and seed, to be kept beside results.

    ``without`` is an option that changes nothing about them.
    """
    words = shlex.join(["seabattle", *(word for word in sys.argv[1:] if word != without)])
    words = words.encode("utf-8", "backslashreplace").decode()  # names of files may be no UTF-8
    return {"command": words, "version": version("seabattle"), "seed": seed}


# ------------------------------------------------------------------------------------------------
# The options that many commands have.

Decorator = Callable[[Any], Any]
"""What adds options to a command."""

STANDARD_INPUT = "-"
"""The name of standard input where a file is read."""

PATIENCE = 1.0
"""Seconds within which optional input has to begin."""


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown by ``--help`` in this order."""

    def decorate(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


# Types of values.


SHARED_FILES = ("autosave", "prior")
"""Parameters of files that others may name: to go on from a position file; or not always files."""


class _File(click.Path):
    """A file or folder that no other option of a command names.

    Its name is not empty, as an unset variable would make it.
    """

    def __init__(
        self, kind: type[Any] = Path, *, new: bool = False, inside: Sequence[str] = ()
    ) -> None:
        super().__init__(path_type=kind)
        self.new, self.inside = new, inside

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from seabattle.enumerate.files import require_place

        if isinstance(value, str) and not value.strip():
            self.fail(f"{value!r} names no file or folder.", param, ctx)
        if "\0" in str(value):  # as a request to the engine may have it
            self.fail(f"{value!r} is not a name that a file can have.", param, ctx)
        if ctx and param and param.name not in SHARED_FILES:
            files = ctx.meta.setdefault("seabattle.files", {})
            for name in ("", *self.inside):
                path = os.path.realpath(os.path.join(value, name) if name else value)
                first = files.setdefault(path, param).opts[-1]
                if first not in param.opts:
                    named = f"{first} names {name} there" if name else f"{first} names it"
                    self.fail(f"{named}, too: name another file or folder.", param, ctx)
        if self.new:
            require_place(Path(value, *self.inside[:1]))
        return super().convert(value, param, ctx)


FILE = _File()
"""A file or folder to read, or a folder to write."""

FILE_OR_INPUT = _File(str)
"""A file to read, or standard input."""

NEW_FILE = _File(new=True)
"""A file to write; refused before any work where it cannot be."""

NEW_FOLDER = _File(new=True, inside=("table.json", "table.csv", "games.csv"))
"""A folder to write to, made with its first file; refused likewise, and where others name a table
in it, which would be replaced."""


def words(text: str) -> click.Choice:  # type: ignore[type-arg, unused-ignore]
    """The type of an option that takes one of some words, joined by ``|``, in any case."""
    return click.Choice(text.split("|"), case_sensitive=False)


class _Number(click.FloatRange):
    """A number in a range, and no larger than anybody means."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not found <= 1e9:
            self.fail(f"{value} is not a number up to 1e9.", param, ctx)
        return found


NUMBER = _Number(0)
"""A number from 0 on."""

ABOVE_0 = _Number(0, min_open=True)
"""A number above 0."""


def completing(*names: str) -> dict[str, Any]:
    """An option's values for completion by the shell, where others are allowed, too."""

    def complete(context: Any, parameter: Any, begun: str) -> list[CompletionItem]:
        files = [CompletionItem(begun, type="file")] if "FILE" in names else []
        return [CompletionItem(n) for n in names if n.startswith(begun) and n != "FILE"] + files

    return {"shell_complete": complete}


# The game, and what is known of it.

ALL = "all"
"""What ``--answers`` calls every answer mode."""

GAME_NAMES = ("board", "fleet", "contact", "answers", "announce", "blocked", "letters")
KNOWN_NAMES = ("miss", "hit", "sunk", "sunk_at", "named", "shots", "position")
ASKED_NAMES = (*GAME_NAMES, *KNOWN_NAMES, "signs")
"""Parameters of the options below."""


letters_option = option(
    "--letters", section=GAME, type=words("latin|russian"),
    help="Letters that name the columns in all that is read and shown; Russian ones are counted as "
         "on Russian boards, without Yo and short I. [default: latin, or as a file says]",
)  # fmt: skip


def rules_options(answers: str = "hit|sunk|ship", usual_answers: str = "hit") -> Decorator:
    """Board, fleet, contact rule and answer mode.

    Parameters
    ----------
    answers
        Answer modes, joined by ``|``.
    usual_answers
        The answer mode that holds when no option says one.
    """
    return together(
        option("--board", section=GAME, metavar="ROWSxCOLUMNS",
               help="Size of the board. [default: 5x5]"),
        listed("--fleet", section=GAME, metavar="LENGTHS|NAME", **completing("russian", "hasbro"),
               help="The ships, each by its length; if not a line, by its form (2x2, xx/x.); if it "
                    "may not be turned, marked so (3h, 3v, 2x3=). Or a name for a whole game: "
                    "russian (10x10, contact none, answers sunk) or hasbro (10x10, contact sides, "
                    "answers sunk), of which other options change a part. "
                    "[default: 3,2,2,1,1,1]"),
        option("--contact", section=GAME, type=words("none|corners|sides"),
               help="Where ships may touch: nowhere (none), at corners (corners) or anywhere "
                    "(sides). [default: none]"),
        option("--answers", section=GAME, type=words(answers),
               help=f"What a shot reveals: hit or miss (hit), also that a ship is sunk (sunk) or "
                    f"also which ship is hit (ship). [default: {usual_answers}]"),
        listed("--blocked", section=GAME, metavar="C3,A1:A4",
               help="Cells on which no ship can lie, those of a row or column by their two ends."),
        letters_option,
    )  # fmt: skip


_known = functools.partial(option, section=KNOWN)
_listed = functools.partial(listed, section=KNOWN)
known_options = together(
    _listed("--miss", metavar="C1,J8:J10", help="Cells shot and missed."),
    _listed("--hit", metavar="E5,F5", help="Cells shot and hit."),
    _listed("--sunk", metavar="A1:A4,C7",
           help="Ships sunk, each by its two ends, its one cell or its cells (A1+B1+A2)."),
    _listed("--sunk-at", metavar="C7=3,E1",
           help="Shots that sank a ship whose cells are not all known, with or without its length. "
                "Its other hits go in --hit."),
    _listed("--named", metavar="E5=3#1",
           help="Hits that name the ship, here the first of length 3."),
    _listed("--shots", metavar="'C3 hit, B3 sunk=2'",
           help="All shots so far in order, instead of --miss to --named. The length of a sunk "
                "ship may be left out where only one is possible."),
    _known("--position", type=FILE_OR_INPUT, metavar="FILE",
           help="Game and shots from a position file, or from standard input with -, instead of "
                "all options above; or a board as text, a line for each row (. not shot, o missed, "
                "x hit, # sunk, and other signs that have one meaning), beside the options of the "
                "game and of cells that are known."),
    _listed("--signs", metavar="'~=unknown,!=miss,*=hit'",
           help="What other signs of that board mean: unknown (not shot), miss, hit or sunk."),
)  # fmt: skip
"""What is known so far."""


def game_options(every: bool = False) -> Decorator:
    """The whole game, and what is known so far; ``every`` as in ``with_position``."""
    answers, usual = "hit|sunk|ship", "hit; sunk if a sinking is known, ship if a named hit is"
    if every:
        answers, usual = f"{answers}|{ALL}", "all, each of these in turn, whatever the fleet"
    return together(
        rules_options(answers, usual),
        option("--announce", section=GAME, type=words("none|length"),
               help="What a sinking tells with --contact sides: only that a ship is sunk (none), "
                    "or its length too (length). [default: length]"),
        known_options,
    )  # fmt: skip


def with_position(
    *,
    small: bool = False,
    prior: bool = False,
    every: bool = False,
    several: bool = False,
) -> Decorator:
    """The prologue of a command that takes a game: it gets ``position``, and ``prior`` if asked.

    Parameters
    ----------
    small
        Whether boards are refused that exact search cannot hold.
    prior
        Whether the command takes ``--prior``: it gets the prior, None if it is uniform.
    every
        Whether it takes ``--answers all``: it gets ``modes``, all where no option says which.
    several
        Whether ``--fleet`` may be one of several, joined by ``|``: it gets ``fleets``, a position
        for each, empty where there is one fleet; ``position`` is then the first.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begin(**given: Any) -> Any:
            asked = {name: given.pop(name) for name in ASKED_NAMES if name in given}
            told = asked["answers"] or asked["position"] or implied_answers(asked)
            everything = every and told in (None, ALL)
            if everything:  # sunk is the mode in which all other options have a meaning
                asked["answers"] = "sunk"
            if several:
                given["fleets"] = _positions_of_fleets(asked)
            fleets = given.get("fleets")
            position = fleets[0] if fleets else asked_position(**asked)
            if every:
                one = [position.rules.answers]
                given["modes"] = list(seabattle.AnswerMode) if everything else one
            if small:
                from seabattle.solver.search.problem import refuse_large_board

                if not prior or given["prior"] == "uniform":  # others may list few layouts
                    refuse_large_board(position.rules, len(position.shots))
            if prior:
                given["prior"] = seabattle.load_prior(given["prior"], position.rules)
            return function(position=position, **given)

        return together(game_options(every), *([prior_option] if prior else []))(begin)  # type: ignore[no-any-return]

    return decorate


def _positions_of_fleets(asked: Mapping[str, Any]) -> list[seabattle.Position]:
    """What is known, for each of several fleets that can give such answers; or none, for one.

    Raises
    ------
    SeabattleError
        As for ``asked_position``, if no fleet can give the answers.
    """
    texts = (asked["fleet"] or "").split("|")
    found, wrong = [], None
    for text in texts if len(texts) > 1 else ():
        try:
            found.append(asked_position(**{**asked, "fleet": text}))
        except seabattle.PositionError as error:
            wrong = wrong or error
    if wrong is not None and not found:
        raise wrong
    return found


def asked_position(
    *,
    position: str | None = None,
    contradictory: bool = False,
    rules: seabattle.Rules | None = None,
    shots: str | None = None,
    signs: str | None = None,
    **given: str | None,
) -> seabattle.Position:
    """The position that the options of ``game_options`` say, None where one was not given.

    Answers may contradict each other only where ``contradictory`` says so. ``rules`` are the game
    where options do not say it.

    Raises
    ------
    SeabattleError
        If an option cannot be read or contradicts another.
    """
    from seabattle.enumerate.board_text import is_board
    from seabattle.enumerate.position_files import position_of_text
    from seabattle.enumerate.rules import LETTERS
    from seabattle.enumerate.words import split_list

    goes_without("shots", *KNOWN_NAMES[:-2])
    game = {name: given.pop(name, None) for name in GAME_NAMES}
    cells = {name: split_list(text or "") for name, text in given.items()}
    if position is not None:
        text, called = position_text(position)
        drawn = is_board(text)
        goes_without("position", *(("shots",) if drawn else KNOWN_NAMES[:-1]))
        if rules is not None:
            game = {**rules.document()} if drawn else {LETTERS: rules.letters}
        return position_of_text(
            text, called, contradictory=contradictory, signs=signs, known=cells, **game
        )
    refuse_without("--position", position, "signs")
    if rules is None:
        answers = game["answers"] or implied_answers({**given, "shots": shots})
        rules = seabattle.Rules.read(**{**game, "answers": answers})
        if rules.announce == "none" and rules.answers != "sunk":
            raise seabattle.RulesError(
                f"--announce none goes with --answers sunk: answers {rules.answers.value!r} "
                f"announce no sinkings"
            )
    if not shots:
        return seabattle.Position.of_cells(rules, **cells)
    from seabattle.cli.typed_answers import told_after

    try:
        return told_after(seabattle.Position(rules), shots)
    except seabattle.SeabattleError as error:
        raise type(error)(f"--shots: {error}") from None


def asked_before(name: str | None, **given: Any) -> dict[str, Any]:
    """How a game is asked about: as options say, else as its position file does, else as usual.

    Parameters
    ----------
    name
        The file, if there is one.
    given
        Values of the options, by name.

    Returns
    -------
    asked
        A value for each option; and what else the file says, to be kept.
    """
    from seabattle.enumerate.position_files import asked_of_text

    kept = {} if name is None else asked_of_text(*position_text(name))
    source = click.get_current_context().get_parameter_source
    usual = {option for option in given if source(option) is ParameterSource.DEFAULT}
    return {**kept, **{o: kept.get(o, v) if o in usual else v for o, v in given.items()}}


def source_of(name: str) -> Path | IO[Any]:
    """What an argument names that is read: a file, or standard input; empty where it is closed."""
    if name != STANDARD_INPUT:
        return Path(name)
    if sys.stdin is None or sys.stdin.closed:
        return io.BytesIO()
    return getattr(sys.stdin, "buffer", sys.stdin)


def position_text(name: str) -> tuple[str, str]:
    """The text of a position file, or of standard input, and what messages call it."""
    from seabattle.enumerate.files import read_text

    if name == STANDARD_INPUT:
        context = click.get_current_context()
        kept = context.meta  # it can be read but once
        if STANDARD_INPUT not in kept:
            kept[STANDARD_INPUT] = read_text(source_of(name))
        # the engine puts there what a request has in this field
        called = "position" if context.obj is FOR_A_PROGRAM else "standard input"
        return kept[STANDARD_INPUT], called
    return read_text(name), name


def implied_answers(told: Mapping[str, str | None]) -> seabattle.AnswerMode | None:
    """The answer mode that the answers told belong to, None if they belong to several.

    Examples
    --------
    >>> implied_answers({"hit": "A1", "sunk_at": "C7=3"})
    <AnswerMode.SUNK: 'sunk'>
    >>> implied_answers({"shots": "C3 miss, B3 hit=2#1"})
    <AnswerMode.SHIP: 'ship'>
    """
    from seabattle.cli.typed_answers import parts_of

    shots = parts_of(told.get("shots") or "")
    if told.get("named") or any("#" in said.number for said in shots):
        return seabattle.AnswerMode.SHIP
    sinks = told.get("sunk") or told.get("sunk_at") or any(said.word == "sunk" for said in shots)
    return seabattle.AnswerMode.SUNK if sinks else None


def piped_lines() -> list[str]:
    """Lines on standard input; none from a terminal, or where nothing comes for a moment.

    A program may leave the pipe to a command open without ever writing to it; waiting for its end
    would take for ever.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return []
    try:
        begins = bool(select.select([sys.stdin], [], [], PATIENCE)[0])
    except (OSError, ValueError, TypeError):  # no file that can be asked, so it does not block
        begins = True
    return sys.stdin.read().splitlines() if begins else []


# What is believed, limits, and files.

prior_option = option(
    "--prior", section=KNOWN, type=_File(str), default="uniform", metavar="uniform|people|FILE",
    **completing("uniform", "people", "FILE"),
    help="How likely each layout is before the first shot: all equally likely (uniform), as people "
    "hide on 10x10 with the fleet hasbro (people), or as a file says. The file is JSON, or CSV "
    "whose first line tells what it holds: layout,weight; placement,weight; cells,product; "
    "cells,sum; or games.",
)  # fmt: skip


def memory_option(what: str, usual: float = 4.0) -> Decorator:
    """``--memory-limit GIB``; ``what`` says what takes the memory."""
    return option(
        "--memory-limit", section=LIMITS, type=ABOVE_0, default=usual, metavar="GIB",
        help=f"{what} The program itself takes up to 0.4 GiB besides.",
    )  # fmt: skip


limit_options = together(
    option("--time-limit", section=LIMITS, type=ABOVE_0, metavar="SECONDS",
           help="Stop after this time and tell what is proven by then; exit status 1 if that is "
                "no answer yet. [default: no limit]"),
    memory_option("Memory for the layouts, the search and the trees together."),
)  # fmt: skip

threads_option = option(
    "--threads", section=LIMITS, type=click.IntRange(1, 256), metavar="N",
    help="Search on this many cores. The misses proven are the same with any number; with 1, so "
    "are the keys and sub-tables counted, and which of several best trees is found, in every run. "
    "[default: all cores]",
)  # fmt: skip


def sharing_options(workers: str, usual: int | None = None) -> Decorator:
    """``--workers W`` and ``--scheduler ADDRESS`` of lists of games and tournaments."""
    return together(
        option("--workers", section=LIMITS, type=click.IntRange(1, 10_000), default=usual,
               metavar="W", help=workers),
        option("--scheduler", section=LIMITS, metavar="ADDRESS",
               help="Work on the Dask cluster of this scheduler, as in tcp://host:8786."),
    )  # fmt: skip


def seed_option(help: str, usual: int | None = 0) -> Decorator:
    """``--seed N``, from which all chance follows."""
    return option("--seed", type=click.IntRange(0), default=usual, metavar="N", help=help)


def salvo_option(help: str) -> Decorator:
    """``--salvo N``, the shots of a turn, which are all chosen before any is answered."""
    return option("--salvo", type=click.IntRange(1, 100), metavar="N", help=help)


def tree_option(help: str = "Save the tree to this file.") -> Decorator:
    """``--tree FILE``, which saves the tree that was found."""
    return option("--tree", "tree_file", section=OUTPUT, type=NEW_FILE, metavar="FILE", help=help)


def out_option(help: str, *, required: bool = False) -> Decorator:
    """``--out DIR``, the folder that results are written to."""
    return option(
        "--out", section=OUTPUT, type=NEW_FOLDER, required=required, metavar="DIR", help=help
    )


def output_option(
    metavar: str, help: str, *, required: bool = True, type: Any = NEW_FILE
) -> Decorator:
    """``-o FILE``, the one file (or folder) that the command writes."""
    return option(
        "-o", "--output", section=OUTPUT, type=type, required=required, metavar=metavar, help=help
    )


def picture_options(of: str, value: str | None, formats: str | None = None) -> Decorator:
    """How pictures are written: the command gets them as ``pictures``, see ``Pictures``.

    Parameters
    ----------
    of
        The option that asks for pictures, for the help.
    value
        Its parameter, without which options of pictures are refused; None if pictures come anyway.
    formats
        Kinds of picture that ``--formats`` has by default; None where the file says its kind.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begin(scale: float | None, theme: str, formats: str | None = None, **given: Any) -> Any:
            from seabattle.enumerate.picture import Pictures, require_picture
            from seabattle.enumerate.words import parts_of

            asked = given if value is None else given[value]
            refuse_without(of, asked, "formats", "scale", "theme")
            if formats is None and isinstance(asked, Path):
                require_picture(asked, of)
            parts = () if formats is None else parts_of(formats.strip().lower())
            kinds = tuple(dict.fromkeys(parts))
            return function(pictures=Pictures(kinds, scale, theme), **given)

        kinds = listed("--formats", section=OUTPUT, default=[formats], metavar="svg,png,pdf",
                       help=f"With {of}: kinds of its pictures.")  # fmt: skip
        scale = option(
            "--scale", section=OUTPUT, type=float, metavar="X",
            help=f"With {of}: size of the picture, times its own. [default: 1; 2 for .png]",
        )  # fmt: skip
        theme = option("--theme", section=OUTPUT, type=words("light|dark|print"), default="light",
                       help="Colours: print is black on white, without large fills.")  # fmt: skip
        return together(*([kinds] if formats else []), scale, theme)(begin)  # type: ignore[no-any-return]

    return decorate


def refuse_without(needed: str, value: object, *names: str) -> None:
    """Refuse options that mean nothing without another one.

    Raises
    ------
    SeabattleError
        If one of them was given, and the other was not.
    """
    given = given_options(*names) if value is None else []
    if given:
        raise seabattle.SeabattleError(
            f"{given[0]} needs {needed}: give that too, or leave {given[0]} out"
        )


def goes_without(name: str, *others: str) -> None:
    """Refuse options that exclude another one.

    Raises
    ------
    SeabattleError
        If that one was given, and one of these.
    """
    given = given_options(name, *others)
    if given_options(name) and len(given) > 1:
        raise seabattle.SeabattleError(
            f"{given[0]} and {given[1]} exclude each other: leave one of them out"
        )
