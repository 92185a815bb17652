"""Colours in a terminal: which it can show, and how it is told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from typing import TextIO

from seabattle.enumerate.display.colours import Colour, ansi_256, text_on


class Colours(StrEnum):
    """Colours that a terminal can show."""

    NONE = "none"
    ANSI_256 = "256"
    TRUE = "truecolour"


def terminal_colours(stream: TextIO, environment: Mapping[str, str] | None = None) -> Colours:
    """Colours that a stream can show: none unless it is a terminal, or where NO_COLOR is set.

    Parameters
    ----------
    stream
        Where the text will be printed.
    environment
        Variables to look at; by default those of the process: ``NO_COLOR`` (https://no-color.org,
        any value but an empty one), ``TERM`` (``dumb`` shows none) and ``COLORTERM``.
    """
    found = os.environ if environment is None else environment
    if not stream.isatty() or found.get("NO_COLOR") or found.get("TERM", "") in ("", "dumb"):
        return Colours.NONE
    if found.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Colours.TRUE
    return Colours.ANSI_256


def painted(text: str, back: Colour, colours: Colours, *, bold: bool) -> str:
    """A text on a ground of a colour, as a terminal of these colours is told."""
    if colours is Colours.NONE:
        return text
    if colours is Colours.TRUE:
        codes = "38;2;{};{};{};48;2;{};{};{}".format(*text_on(back), *back)
    else:
        number, nearest = ansi_256(back)
        codes = f"38;5;{ansi_256(text_on(nearest))[0]};48;5;{number}"
    return f"\x1b[{'1;' if bold else ''}{codes}m{text}\x1b[0m"
