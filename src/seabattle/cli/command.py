"""What a command is: options in sections, a function that finds an answer, one place to print it.

A command returns an ``Answer``: the game, then a document for programs and facts for people, which
the result's own ``document()`` and ``facts()`` make. Here and nowhere else it is printed; the
engine takes the same document from the same function.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

import seabattle
from seabattle.cli.progress import CLOCK
from seabattle.enumerate.compile_notice import seconds_compiling

ABOUT, GAME, KNOWN, LIMITS, OUTPUT = SECTIONS = (
    "What to compute", "The game", "What is known", "Limits", "Output",
)  # fmt: skip
"""Sections of ``--help``, in their order."""

FOR_A_PROGRAM = "answer"
"""What the context of a command holds when its answer is returned, not printed."""

AS_JSON = "seabattle.json"
"""Where the context of a command holds whether its answer is printed as JSON."""

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
    timed
        Whether the document ends with the ``seconds`` that the command took.
    """

    document: Mapping[str, Any]
    facts: Facts = ()
    game: seabattle.Rules | seabattle.Position | None = None
    text: str = ""
    status: int = 0
    timed: bool = True

    def whole(self) -> dict[str, Any]:
        """The document with its game: what ``--json`` prints."""
        begins = {} if self.game is None else game_document(self.game)
        ends = {"seconds": CLOCK.elapsed()} if self.timed else {}
        return {**begins, **self.document, **ends}

    def show(self, *, as_json: bool) -> int:
        """Print it; the exit status."""
        if as_json:
            click.echo(json.dumps(self.whole(), ensure_ascii=False))
            return self.status
        pairs = [*(() if self.game is None else game_facts(self.game)), *self.facts]
        print_facts(pairs)
        if pairs and self.text:
            click.echo()
        if self.text:
            click.echo(self.text)
        return self.status


def game_document(game: seabattle.Rules | seabattle.Position) -> dict[str, Any]:
    """The game as every JSON answer begins with: the fields of a position file.

    ``board``, ``fleet``, ``contact``, ``answers``, ``announce``; and of a game in progress
    ``shots``, with ``ordered`` and ``ships`` where they apply.

    >>> from seabattle.enumerate.rules import Rules
    >>> list(game_document(Rules("3x3", "2,1")))
    ['board', 'fleet', 'contact', 'answers', 'announce']
    """
    from seabattle.enumerate.position_files import position_document

    position = game if isinstance(game, seabattle.Position) else seabattle.Position(game)
    document = position_document(position)
    del document["format"], document["version"]
    if not position.shots:
        del document["shots"]
    return document


def game_facts(game: seabattle.Rules | seabattle.Position) -> list[tuple[str, str]]:
    """The game as everything printed begins with: a line, and another one for what is known."""
    from seabattle.enumerate.answers import answer_text

    position = game if isinstance(game, seabattle.Position) else seabattle.Position(game)
    facts = [("game", str(position.rules))]
    if position.shots:
        name = position.rules.board.name
        told = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)
        told += "" if position.ordered else ", in some order"
        told += f"; sunk ships {' '.join(position.ship_names)}" if position.ships else ""
        facts.append(("known", told))
    return facts


def print_facts(facts: Facts, *, err: bool = False) -> None:
    """Labels and texts in two columns, on standard output or standard error."""
    width = max((len(label) for label, _ in facts), default=0)
    for label, text in facts:
        click.echo(f"{label:<{width}}  {text}", err=err)


class Option(click.Option):
    """An option that stands in a section of ``--help``."""

    def __init__(self, *names: Any, section: str = ABOUT, **attributes: Any) -> None:
        super().__init__(*names, **{"show_default": True, **attributes})
        self.section = section


def option(*names: str, section: str = ABOUT, **attributes: Any) -> Callable[[Any], Any]:
    """An option of a command, in a section of its help; otherwise as ``click.option``."""
    return click.option(*names, cls=Option, section=section, **attributes)


class Command(click.Command):
    """A command whose help has sections, and whose answer is printed here."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, section by section."""
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None:
                sections[getattr(parameter, "section", OUTPUT)].append(record)
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)

    def invoke(self, context: click.Context) -> Any:
        """Run the command and print its answer; its exit status, or the answer for a program."""
        _refuse_one_file_twice(context)
        context.meta[AS_JSON] = shown = context.params.pop("as_json", False)
        answer = super().invoke(context)
        if not isinstance(answer, Answer) or context.obj is FOR_A_PROGRAM:
            return answer
        status = answer.show(as_json=shown)
        if sys.stderr.isatty() and seconds_compiling() > 3:
            spent = f"{seconds_compiling():.0f} s went into compiling, once for this machine"
            click.echo(f"seabattle: {spent}", err=True)
        context.exit(status)


def _refuse_one_file_twice(context: click.Context) -> None:
    """Refuse to write a file that the same command reads, or writes as something else."""
    seen: dict[str, str] = {}
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name == "position" and value not in (None, "", "-"):
            value = Path(value)
        if not isinstance(value, Path) or parameter.name == "autosave":
            continue  # which may go on from the position file
        place = os.path.realpath(value)
        if place in seen:
            raise click.UsageError(
                f"{value} is named by {seen[place]} and by {parameter.opts[-1]}: "
                f"name another file.",
                context,
            )
        seen[place] = parameter.opts[-1]


def command(name: str | None = None) -> Callable[[Callable[..., Any]], Command]:
    """Make a function that returns an ``Answer`` a command."""
    return click.command(name, cls=Command)


def as_json() -> bool:
    """Whether the running command prints its answer as JSON, or is asked by a program."""
    return bool(click.get_current_context().meta[AS_JSON])


def given_options(*names: str) -> list[str]:
    """Those of the running command's options that were written on its command line."""
    context = click.get_current_context(silent=True)
    written = click.core.ParameterSource.COMMANDLINE
    return [
        option_name(name)
        for name in names
        if context is not None and context.get_parameter_source(name) is written
    ]


def option_name(parameter: str) -> str:
    """An option as it is typed.

    >>> option_name("sunk_at")
    '--sunk-at'
    """
    return f"--{parameter.replace('_', '-')}"


def made_by(seed: int | None = None, *, without: str = "") -> dict[str, object]:
    """Command, version and seed, to be kept beside results.

    ``without`` is an option that changes nothing about them.
    """
    words = shlex.join(["seabattle", *(word for word in sys.argv[1:] if word != without)])
    words = words.encode("utf-8", "backslashreplace").decode()  # names of files may be no UTF-8
    return {"command": words, "version": version("seabattle"), "seed": seed}
