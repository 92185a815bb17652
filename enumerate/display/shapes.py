"""A few shapes of which pictures are made.

A picture is a list of shapes in pixels, x to the right and y down, later ones over earlier ones.
``shapes_svg`` writes them as SVG elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seabattle.enumerate.display.svg import xml


@dataclass(frozen=True)
class Rect:
    """A rectangle; a ``fill`` or ``stroke`` of "none" is not painted."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    line: float = 0.0


@dataclass(frozen=True)
class Line:
    """A straight line with round ends."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    line: float


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str


@dataclass(frozen=True)
class Text:
    """One line of text; ``y`` is its base line, ``anchor`` start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False


Shape = Rect | Line | Disc | Text


def _element(shape: Shape) -> str:
    if isinstance(shape, Rect):
        stroke = f' stroke="{shape.stroke}" stroke-width="{shape.line:g}"' if shape.line else ""
        return (
            f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
            f'height="{shape.height:g}" fill="{shape.fill}"{stroke}/>'
        )
    if isinstance(shape, Line):
        return (
            f'<path d="M{shape.x1:g} {shape.y1:g}L{shape.x2:g} {shape.y2:g}" fill="none" '
            f'stroke="{shape.stroke}" stroke-width="{shape.line:g}" stroke-linecap="round"/>'
        )
    if isinstance(shape, Disc):
        return (
            f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="{shape.fill}"/>'
        )
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    weight = ' font-weight="bold"' if shape.bold else ""
    return (
        f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" '
        f'fill="{shape.fill}"{anchor}{weight}>{xml(shape.text)}</text>'
    )


def shapes_svg(shapes: Sequence[Shape]) -> str:
    """The shapes as SVG elements, one per line."""
    return "\n".join(map(_element, shapes))
