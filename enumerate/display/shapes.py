"""A few shapes that are drawn alike as SVG and as PNG.

A picture is a list of shapes in pixels, x to the right and y down, later ones over earlier ones.
``shapes_svg`` writes them as SVG elements; ``shapes_png`` has matplotlib paint them at twice the
resolution, without touching pyplot or any of the caller's settings.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seabattle.enumerate.display.svg import xml

PNG_SCALE = 2
"""Pixels of a PNG per pixel of the picture."""


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


def shapes_png(shapes: Sequence[Shape], width: float, height: float) -> bytes:
    """The shapes as a PNG picture of ``PNG_SCALE`` times the given size, on white.

    Notes
    -----
    Imports matplotlib (about 0.3 s). The same shapes give the same bytes with the same
    matplotlib.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Rectangle

    points = 0.72  # of a pixel, at 100 pixels per inch
    figure = Figure(figsize=(width / 100, height / 100), dpi=100 * PNG_SCALE, facecolor="#fff")
    canvas: Any = FigureCanvasAgg(figure)  # print_png has no types
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    for order, shape in enumerate(shapes):
        if isinstance(shape, Rect):
            axes.add_patch(
                Rectangle(
                    (shape.x, shape.y), shape.width, shape.height, facecolor=shape.fill,
                    edgecolor=shape.stroke, linewidth=shape.line * points, joinstyle="miter",
                    zorder=order,
                )
            )  # fmt: skip
        elif isinstance(shape, Line):
            axes.add_line(
                Line2D(
                    (shape.x1, shape.x2), (shape.y1, shape.y2), color=shape.stroke,
                    linewidth=shape.line * points, solid_capstyle="round", zorder=order,
                )
            )  # fmt: skip
        elif isinstance(shape, Disc):
            axes.add_patch(
                Circle(
                    (shape.x, shape.y), shape.radius, facecolor=shape.fill, linewidth=0,
                    zorder=order,
                )
            )  # fmt: skip
        else:
            axes.text(
                shape.x, shape.y, shape.text, fontsize=shape.size * points, color=shape.fill,
                ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
                va="baseline", weight="bold" if shape.bold else "normal", parse_math=False,
                family="DejaVu Sans", zorder=order,
            )  # fmt: skip
    stream = io.BytesIO()
    with warnings.catch_warnings():
        # A character that the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        canvas.print_png(stream, metadata={"Software": None})
    return stream.getvalue()
