"""Colours of heat maps: viridis, and black or white text that is legible on it.

Viridis (S. van der Walt and N. Smith, 2015, released to the public domain) is perceptually
uniform: equal steps of the number are equal steps to the eye, in grey print and for colour-blind
readers too. Seventeen of its colours are kept here; between them colours are interpolated, which
stays within 6 of 255 of the original.

Contrast is that of WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances. On any
colour the better of black and white reaches at least 4.58, above the 4.5 asked of small text.
"""

from __future__ import annotations

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

VIRIDIS: tuple[Colour, ...] = tuple(
    (number >> 16, number >> 8 & 255, number & 255)
    for number in (
        0x440154, 0x48186A, 0x472D7B, 0x424086, 0x3B528B, 0x33638D, 0x2C728E, 0x26828E, 0x21918C,
        0x1F9F88, 0x27AD81, 0x3DBC74, 0x5CC863, 0x81D34D, 0xAADC32, 0xD5E21A, 0xFDE725,
    )
)  # fmt: skip

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)


def viridis(share: float) -> Colour:
    """Colour of a number from 0 (dark violet) to 1 (bright yellow).

    >>> viridis(0), viridis(1)
    ((68, 1, 84), (253, 231, 37))
    """
    place = min(max(share, 0.0), 1.0) * (len(VIRIDIS) - 1)
    low = min(int(place), len(VIRIDIS) - 2)
    part = place - low
    red, green, blue = (
        round(a + (b - a) * part) for a, b in zip(VIRIDIS[low], VIRIDIS[low + 1], strict=True)
    )
    return red, green, blue


def scaled(value: float, low: float, high: float) -> Colour:
    """Colour of a value on the scale from ``low`` to ``high``; the middle one if these are equal.

    >>> scaled(3, 1, 3) == viridis(1), scaled(2, 2, 2) == viridis(0.5)
    (True, True)
    """
    return viridis((value - low) / (high - low) if high > low else 0.5)


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

    >>> text_on(viridis(0)), text_on(viridis(1))
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
