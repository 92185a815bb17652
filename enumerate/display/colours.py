"""Colours as numbers: mixed, measured for contrast, and as the codes of a terminal.

Which colours are used is said in ``palette``.

Contrast is that of WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances. On any
colour the better of black and white reaches at least 4.58, above the 4.5 asked of small text.
"""

from __future__ import annotations

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """So much of the other colour mixed into the first, 0 to 1, as CSS mixes in sRGB.

    >>> mixed((0, 0, 0), (100, 200, 50), 0.5), mixed((0, 0, 0), (100, 200, 50), 2)
    ((50, 100, 25), (100, 200, 50))
    """
    part = min(max(share, 0.0), 1.0)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Relative luminance, 0 (black) to 1 (white)."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast of two colours, 1 (none) to 21 (black on white)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def text_on(back: Colour) -> Colour:
    """Black or white, whichever is more legible on a colour.

    >>> text_on((40, 40, 120)), text_on((240, 230, 60))
    ((255, 255, 255), (0, 0, 0))
    """
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, back))


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
