"""Pictures of a tournament: how many games took how many shots."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from seabattle.enumerate.display.colours import css, text_on
from seabattle.enumerate.display.palette import (
    LIGHT,
    SERIES,
    SERIES_DARK,
    SERIES_PRINT,
    Palette,
    Theme,
)
from seabattle.solver.tournament.statistics import Score

_STROKES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (1, 1)))
"""Strokes of lines that colours cannot tell apart."""


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


def _series(number: int, palette: Palette) -> list[tuple[str, Any]]:
    """Colour and stroke of each line of a plot."""
    own: tuple[str, ...] = SERIES_DARK if palette.theme is Theme.DARK else SERIES
    strokes = _STROKES[:1]
    if palette.theme is Theme.PRINT:
        own, strokes = SERIES_PRINT, _STROKES
    return [
        (own[i % len(own)], strokes[(i if len(strokes) > 1 else i // len(own)) % len(strokes)])
        for i in range(number)
    ]


def distribution_plot(
    scores: Sequence[Score], title: str, *, cumulative: bool = False, palette: Palette = LIGHT
) -> Any:
    """Figure of the distributions of the number of shots, one line per player.

    Parameters
    ----------
    scores
        The players.
    title
        The game and the number of games, above the picture.
    cumulative
        Share of games finished within so many shots, instead of share that took so many.
    palette
        Colours; the figure is to be saved under ``colours_of`` the same.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 5.4), layout="constrained")
    axes = figure.add_subplot()
    left = min(score.shots.minimum for score in scores)
    right = max(score.shots.maximum for score in scores)
    for (colour, stroke), score in zip(_series(len(scores), palette), scores, strict=True):
        counts = score.shots.counts
        shares = 100 * (np.cumsum(counts) if cumulative else counts) / score.shots.games
        drawn = slice(max(0, left - 1), right + 2)
        at = np.arange(len(shares))[drawn]
        label = f"{score.player} (median {score.shots.quantile(0.5):g})"
        axes.plot(at, shares[drawn], color=colour, linestyle=stroke, linewidth=2, label=label)
        if not cumulative and palette.filled:
            axes.fill_between(at, shares[drawn], color=colour, alpha=0.12, linewidth=0)
    axes.set_xlim(max(0, left - 1), right + 1)
    axes.set_ylim(0, 102 if cumulative else None)
    if cumulative:
        axes.axhline(50, color=palette.ink_soft, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axes.set_xlabel("shots")
    axes.set_ylabel("% of games finished" if cumulative else "% of games")
    axes.set_title(title, loc="left", fontsize=11)
    axes.grid()
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(scores) > 6:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    else:
        axes.legend(frameon=False, loc="upper left" if cumulative else "best")
    return figure


def occupancy_plot(
    maps: Sequence[tuple[str, Sequence[float]]],
    rows: int,
    columns: int,
    title: str,
    palette: Palette = LIGHT,
) -> Any:
    """Figure of two ways to hide ships: the share of layouts on each cell, and their quotient.

    Parameters
    ----------
    maps
        Two pairs of a name and the shares by cell, reading order.
    rows, columns
        Size of the board.
    title
        The game, above the picture.
    palette
        Colours; the figure is to be saved under ``colours_of`` the same.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    from seabattle.enumerate.game.board import column_name

    figure = Figure(figsize=(13.5, 5.0), layout="constrained")
    figure.suptitle(title, fontsize=12, x=0.01, ha="left")
    grids = [np.array(shares, dtype=float).reshape(rows, columns) for _, shares in maps]
    least = 100 * min(grid[grid > 0].min() for grid in grids)
    most = 100 * max(grid.max() for grid in grids)
    quotient = 100 * (np.divide(grids[1], grids[0], where=grids[0] > 0, out=grids[1] * 0 + 1) - 1)
    reach = max(1.0, float(np.abs(quotient).max()))
    # In print the darkest cell is a grey on which black can be read.
    deepest = palette.heat if palette.filled else "#b0b0b0"
    likely = LinearSegmentedColormap.from_list("chances", [palette.sea, deepest])
    more, fewer = (SERIES[1], SERIES[0]) if palette.filled else ("#a0a0a0", "#a0a0a0")
    apart = LinearSegmentedColormap.from_list("differences", [fewer, palette.sea, more])
    names = [f"{name}: % of layouts that occupy the cell" for name, _ in maps]
    pictures = [
        (names[0], 100 * grids[0], {"cmap": likely, "vmin": least, "vmax": most}, "{:.1f}"),
        (names[1], 100 * grids[1], {"cmap": likely, "vmin": least, "vmax": most}, "{:.1f}"),
        (f"{maps[1][0]} against {maps[0][0]}: % more or fewer", quotient,
         {"cmap": apart, "vmin": -reach, "vmax": reach}, "{:+.1f}"),
    ]  # fmt: skip
    for axes, (name, grid, colours, form) in zip(figure.subplots(1, 3), pictures, strict=True):
        picture = axes.imshow(grid, **colours)
        axes.set_title(name, fontsize=9.5)
        axes.set_xticks(range(columns), [column_name(c) for c in range(columns)])
        axes.set_yticks(range(rows), [str(r + 1) for r in range(rows)])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for r in range(rows):
            for c in range(columns):
                red, green, blue, _ = picture.cmap(picture.norm(grid[r, c]))
                back = (round(255 * red), round(255 * green), round(255 * blue))
                axes.text(
                    c, r, form.format(grid[r, c]), ha="center", va="center",
                    fontsize=min(7.5, 75 / columns), color=css(text_on(back)),
                )  # fmt: skip
    return figure


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
