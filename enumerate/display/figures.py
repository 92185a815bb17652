"""Figures of matplotlib in the colours of a theme, as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seabattle.enumerate.display.palette import Palette


def _settings(palette: Palette) -> Any:
    """Settings of matplotlib for the colours of a theme."""
    soft = palette.ink_soft
    return {
        "figure.facecolor": palette.ground, "savefig.facecolor": palette.ground,
        "axes.facecolor": palette.ground, "axes.edgecolor": soft, "axes.labelcolor": palette.ink,
        "axes.titlecolor": palette.ink, "text.color": palette.ink, "xtick.color": soft,
        "ytick.color": soft, "grid.color": palette.line, "grid.linewidth": 0.6,
        "svg.hashsalt": "seabattle", "svg.fonttype": "none", "font.family": "DejaVu Sans",
    }  # fmt: skip


@contextmanager
def colours_of(palette: Palette) -> Iterator[None]:
    """Draw figures in the colours of a theme, without touching the caller's settings."""
    from matplotlib import rc_context

    with rc_context(_settings(palette)):
        yield


def figure_svg(figure: Any) -> str:
    """A figure as an SVG document; the same figure gives the same text.

    matplotlib writes sizes in points; pictures of this program have pixels.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)  # print_svg has no types
    canvas.print_svg(stream, metadata={"Date": None})
    return re.sub(
        r'width="([0-9.]+)pt" height="([0-9.]+)pt"',
        lambda found: f'width="{float(found[1]) * 4 / 3:g}" height="{float(found[2]) * 4 / 3:g}"',
        stream.getvalue(),
        count=1,
    )
