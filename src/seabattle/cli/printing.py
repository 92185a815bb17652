"""What commands print: the game they played, in words and as JSON; two columns; means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import Rules


def game_lines(game: Rules | Position) -> list[tuple[str, str]]:
    """The game as everything printed begins with: a line, and another one for what is known."""
    from seabattle.enumerate.answers import answer_text
    from seabattle.enumerate.position import Position

    position = game if isinstance(game, Position) else Position(game)
    lines = [("game", str(position.rules))]
    if position.shots:
        name = position.rules.board.name
        told = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)
        told += "" if position.ordered else ", in some order"
        told += f"; sunk ships {' '.join(position.ship_names)}" if position.ships else ""
        lines.append(("known", told))
    return lines


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False))


def print_answer(game: Rules | Position | None, found: Mapping[str, Any]) -> None:
    """One JSON object: the game (None where a file does not tell it), then what was found."""
    from seabattle.documents.games import answer_document

    print_json(answer_document(game, found))


def print_verdict(
    game: Rules | Position | None,
    kind: str,
    problems: Sequence[str],
    *,
    as_json: bool,
    found: Mapping[str, Any],
    lines: Sequence[tuple[str, str]] = (),
) -> int:
    """Whether everything that a file states is true, with what was found; the exit status.

    ``game`` is None where the file does not tell it. ``found`` are fields of the JSON object and
    ``lines`` what people are told in their place.
    """
    if as_json:
        verdict = {"valid": not problems, "kind": kind, **found, "problems": list(problems)}
        print_answer(game, verdict)
    else:
        print_lines(
            [
                *(game_lines(game) if game is not None else ()),
                ("kind", kind),
                ("valid", "no" if problems else "yes"),
                *lines,
                *(("problem", problem) for problem in problems),
            ]
        )
    return 1 if problems else 0


def print_lines(pairs: Sequence[tuple[str, str]], *, err: bool = False) -> None:
    """Names and texts in two columns, on standard output or standard error."""
    width = max(len(name) for name, _ in pairs)
    for name, text in pairs:
        click.echo(f"{name:<{width}}  {text}", err=err)


def mean_text(total: int, weight: int) -> str:
    """Mean misses, as a number and as a fraction."""
    return f"{float(Fraction(total, weight)):.4f} ({total}/{weight})"


def counted(number: int, word: str, plural: str = "") -> str:
    """A number of things.

    >>> counted(1, "miss", "misses"), counted(1200, "game")
    ('1 miss', '1,200 games')
    """
    return f"{number:,} {word if number == 1 else plural or word + 's'}"
