"""What is typed at a terminal or piped in: lines, and the questions about a game."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import asked_position, implied_answers

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position


class Lines:
    """Lines that are typed or piped in, with a prompt; piped ones are printed after it."""

    def __init__(self) -> None:
        self.typed = sys.stdin.isatty()

    def __enter__(self) -> Lines:
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


def position_asked_for(game: dict[str, Any], lines: Lines) -> Position:
    """The position of the options; at a terminal, what they leave open of the game is asked."""
    from seabattle.enumerate.board import Board
    from seabattle.enumerate.rules import (
        SMALL_GAME,
        Announce,
        AnswerMode,
        Contact,
        Fleet,
        choose,
        usual_game,
    )

    named = usual_game(game["fleet"]) is not SMALL_GAME
    whole = named or (game["board"] is not None and game["fleet"] is not None)
    if not lines.typed or game["position"] is not None or whole:
        return asked_position(**game, contradictory=True)
    asked = dict(game)

    def ask(option: str, question: str, default: str, check: Callable[[str], object]) -> None:
        if asked[option] is None:
            asked[option] = _ask(lines, question, default, check)

    ask("board", "Board, rows x columns", "10x10", Board.parse)
    ask("fleet", "Fleet: russian, hasbro, or lengths such as 4,3,2,2", "russian",
        lambda text: Fleet.parse(text))  # fmt: skip
    usual = usual_game(asked["fleet"])
    ask("contact", "May ships touch: none (not at all), corners, sides", usual.contact,
        lambda text: choose(Contact, text, "contact rule"))  # fmt: skip
    ask("answers", "What is answered: hit (or miss), sunk (too), ship (is named)",
        implied_answers(game) or AnswerMode.SUNK,
        lambda text: choose(AnswerMode, text, "answer mode"))  # fmt: skip
    if asked["contact"].lower() == Contact.SIDES and asked["answers"].lower() == AnswerMode.SUNK:
        ask("announce", "Is a sunk ship's length told: length, none", usual.announce,
            lambda text: choose(Announce, text, "announcement"))  # fmt: skip
    return asked_position(**asked)


def _ask(lines: Lines, question: str, default: str, check: Callable[[str], object]) -> str:
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
