"""The colours of everything that is drawn: pictures, plots, pages and notebooks.

There is one palette, in three themes: ``light``, ``dark``, and ``print`` (black on white without
large fills, told apart in greyscale). The variables of ``trees/page/styles/page.css`` are those
of ``light`` and ``dark``; a test compares them.

Chances run over one scale, from the colour of the sea to a deep blue on a light ground, to a bright
one on a dark ground: the more likely, the further from the ground. It is one hue whose lightness
changes evenly, so that colour-blind readers and grey prints show the same order. Signs differ in
shape as well as in colour.

Contrast is that of WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances. On any
colour the better of black and white reaches at least 4.58, above the 4.5 asked of small text.

A terminal is told in 256 colours, which all know that show any.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

from seabattle.enumerate.rules import choose

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


def text_on(back: Colour) -> Colour:
    """Black or white, whichever has more contrast with a colour.

    >>> text_on((40, 40, 120)), text_on((240, 230, 60))
    ((255, 255, 255), (0, 0, 0))
    """
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in back)
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return (0, 0, 0) if (luminance + 0.05) ** 2 >= 1.05 * 0.05 else (255, 255, 255)


def css(colour: Colour) -> str:
    """A colour as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def ansi_256(colour: Colour) -> tuple[int, Colour]:
    """Number and value of the nearest colour in the 6 x 6 x 6 cube of 256-colour terminals.

    >>> ansi_256((0, 0, 0)), ansi_256((250, 250, 250))
    ((16, (0, 0, 0)), (231, (255, 255, 255)))
    """
    steps = (0, 95, 135, 175, 215, 255)
    red, green, blue = (min(range(6), key=lambda i: abs(steps[i] - part)) for part in colour)
    return 16 + 36 * red + 6 * green + blue, (steps[red], steps[green], steps[blue])


class Theme(StrEnum):
    """What a picture is made for."""

    LIGHT = "light"
    DARK = "dark"
    PRINT = "print"


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, as ``#rrggbb``.

    Attributes
    ----------
    theme
        Its name.
    ground, ink, ink_soft, line
        Of the page: its ground, texts, lesser texts, thin lines.
    sea, sea_line
        An empty cell, and the lines between cells.
    heat
        The colour of a certain cell; ``sea`` is that of an impossible one.
    shot
        Ground of a cell shot, where cells are coloured by chance.
    miss, hit, wreck, wreck_ink
        The dot of a miss, the cross of a hit, the square of a sunk cell and the cross on it.
    target, aim
        The next shot or a best cell, and the ground of the cell shot at.
    ship, hull
        Outline and inside of a ship.
    edge, stub
        Edges of a tree, and the ground of boxes that stand for subtrees.
    filled
        Whether cells are filled by chance; else a bar in the cell is as long as it is likely.
    """

    theme: Theme
    ground: str
    ink: str
    ink_soft: str
    line: str
    sea: str
    sea_line: str
    heat: str
    shot: str
    miss: str
    hit: str
    wreck: str
    wreck_ink: str
    target: str
    aim: str
    ship: str
    hull: str
    edge: str
    stub: str
    filled: bool = True

    def scale(self, share: float) -> Colour:
        """Colour of a number from 0 (as the sea) to 1, mixed as CSS mixes in sRGB.

        >>> LIGHT.scale(0) == (243, 248, 252), LIGHT.scale(1) == (11, 79, 138)
        (True, True)
        """
        part = min(max(share, 0.0), 1.0)
        ends = zip(*(bytes.fromhex(c[1:]) for c in (self.sea, self.heat)), strict=True)
        red, green, blue = (round(a + (b - a) * part) for a, b in ends)
        return red, green, blue


def share_between(value: float, low: float, high: float) -> float:
    """Where a value lies between two others, 0 to 1; the middle if these are equal."""
    return (value - low) / (high - low) if high > low else 0.5


LIGHT = Palette(
    theme=Theme.LIGHT,
    ground="#ffffff", ink="#14212e", ink_soft="#52616f", line="#d3dce4",
    sea="#f3f8fc", sea_line="#c3d3e0", heat="#0b4f8a", shot="#e4e9ee",
    miss="#6b8196", hit="#c2410c", wreck="#27313b", wreck_ink="#ffffff",
    target="#c9184a", aim="#fde3ea", ship="#5b7083", hull="#d5dde4",
    edge="#8a97a3", stub="#f3f6f9",
)  # fmt: skip
DARK = Palette(
    theme=Theme.DARK,
    ground="#151f29", ink="#e8eff5", ink_soft="#9db0c0", line="#2a3947",
    sea="#1a2733", sea_line="#32475a", heat="#8fd0ff", shot="#2b3844",
    miss="#8299ae", hit="#ff8a4c", wreck="#cfdae4", wreck_ink="#151f29",
    target="#ff5c8a", aim="#4a2233", ship="#8ba3b8", hull="#3a4c5d",
    edge="#6d8091", stub="#1d2a36",
)  # fmt: skip
PRINT = Palette(
    theme=Theme.PRINT,
    ground="#ffffff", ink="#000000", ink_soft="#333333", line="#999999",
    sea="#ffffff", sea_line="#999999", heat="#000000", shot="#ffffff",
    miss="#000000", hit="#000000", wreck="#000000", wreck_ink="#ffffff",
    target="#000000", aim="#ffffff", ship="#000000", hull="#ffffff",
    edge="#666666", stub="#ffffff", filled=False,
)  # fmt: skip

PALETTES = {palette.theme: palette for palette in (LIGHT, DARK, PRINT)}


def palette_of(theme: Theme | str) -> Palette:
    """The palette of a theme.

    Raises
    ------
    RulesError
        If there is no such theme.

    Examples
    --------
    >>> palette_of("dark").ground
    '#151f29'
    """
    return PALETTES[choose(Theme, theme, "theme")]


def shows_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours.

    Variables of the process tell more: ``NO_COLOR`` (https://no-color.org, any value but an empty
    one) and ``TERM`` (``dumb`` shows none).
    """
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb")
    return stream.isatty() and not dull


def painted(text: str, back: Colour, *, bold: bool) -> str:
    """A text on a ground of a colour, as a terminal is told: in 256 colours, which all know."""
    number, nearest = ansi_256(back)
    ink, _ = ansi_256(text_on(nearest))
    return f"\x1b[{'1;' if bold else ''}38;5;{ink};48;5;{number}m{text}\x1b[0m"
