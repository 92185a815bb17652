"""What commands print: JSON, two columns, means, what is known."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import click

from seabattle.cli.options import Request


def print_json(document: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False))


def mean_text(total: int, weight: int) -> str:
    """Mean misses, as a number and as a fraction."""
    return f"{float(Fraction(total, weight)):.4f} ({total}/{weight})"


def print_lines(pairs: list[tuple[str, str]]) -> None:
    """Names and texts in two columns."""
    width = max(len(name) for name, _ in pairs)
    for name, text in pairs:
        click.echo(f"{name:<{width}}  {text}")


def position_line(request: Request) -> list[tuple[str, str]]:
    """What is known, as a line, if anything is."""
    from seabattle.enumerate.game.answers import answer_text

    shots = request.position.shots
    if not shots:
        return []
    name = request.rules.board.name
    return [("known", ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in shots))]
