"""Pictures of a tournament: how many games took how many shots."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seabattle.enumerate.writing import write_bytes
from seabattle.solver.tournament.statistics import Score

COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#7f3c8d",
    "#8c6d31",
    "#555555",
    "#b2182b",
    "#1b9e77",
)
"""Told apart by colour-blind readers as far as so many can be (Okabe and Ito first)."""

FORMATS = ("svg", "png")


def distribution_plot(scores: Sequence[Score], title: str, *, cumulative: bool = False) -> Any:
    """Figure of the distributions of the number of shots, one line per player.

    Parameters
    ----------
    scores
        The players.
    title
        The game and the number of games, above the picture.
    cumulative
        Share of games finished within so many shots, instead of share that took so many.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 5.4), layout="constrained")
    axes = figure.add_subplot()
    left = min(score.shots.minimum for score in scores)
    right = max(score.shots.maximum for score in scores)
    for colour, score in zip(_colours(len(scores)), scores, strict=True):
        counts = score.shots.counts
        shares = 100 * (np.cumsum(counts) if cumulative else counts) / score.shots.games
        drawn = slice(max(0, left - 1), right + 2)
        at = np.arange(len(shares))[drawn]
        label = f"{score.player} (median {score.shots.quantile(0.5):g})"
        axes.plot(at, shares[drawn], color=colour, linewidth=2, label=label)
        if not cumulative:
            axes.fill_between(at, shares[drawn], color=colour, alpha=0.12, linewidth=0)
    axes.set_xlim(max(0, left - 1), right + 1)
    axes.set_ylim(0, 102 if cumulative else None)
    if cumulative:
        axes.axhline(50, color="#999999", linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axes.set_xlabel("shots")
    axes.set_ylabel("% of games finished" if cumulative else "% of games")
    axes.set_title(title, loc="left", fontsize=11)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(scores) > 6:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    else:
        axes.legend(frameon=False, loc="lower right" if cumulative else "best")
    return figure


def occupancy_plot(
    maps: Sequence[tuple[str, Sequence[float]]], rows: int, columns: int, title: str
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

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    from seabattle.enumerate.game.board import column_name

    figure = Figure(figsize=(13.5, 5.0), layout="constrained")
    figure.suptitle(title, fontsize=12, x=0.01, ha="left")
    grids = [np.array(shares, dtype=float).reshape(rows, columns) for _, shares in maps]
    least = 100 * min(grid[grid > 0].min() for grid in grids)
    most = 100 * max(grid.max() for grid in grids)
    quotient = 100 * (np.divide(grids[1], grids[0], where=grids[0] > 0, out=grids[1] * 0 + 1) - 1)
    reach = max(1.0, float(np.abs(quotient).max()))
    names = [f"{name}: % of layouts that occupy the cell" for name, _ in maps]
    pictures = [
        (names[0], 100 * grids[0], {"cmap": "YlGnBu", "vmin": least, "vmax": most}, "{:.1f}"),
        (names[1], 100 * grids[1], {"cmap": "YlGnBu", "vmin": least, "vmax": most}, "{:.1f}"),
        (f"{maps[1][0]} against {maps[0][0]}: % more or fewer", quotient,
         {"cmap": "RdBu_r", "vmin": -reach, "vmax": reach}, "{:+.1f}"),
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
                dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
                axes.text(
                    c, r, form.format(grid[r, c]), ha="center", va="center",
                    fontsize=min(7.5, 75 / columns), color="white" if dark else "#222222",
                )  # fmt: skip
    return figure


def _colours(number: int) -> list[str]:
    return [COLOURS[i % len(COLOURS)] for i in range(number)]


def save_figure(figure: Any, path: Path) -> list[Path]:
    """Write a figure as SVG and PNG; the same figure gives the same bytes.

    Raises
    ------
    FileAccessError
        If a file cannot be written.
    """
    from matplotlib import rc_context

    written = []
    for form in FORMATS:
        stream = io.BytesIO()
        no_date = {"Date": None} if form == "svg" else {"Software": None}
        with rc_context({"svg.hashsalt": "seabattle", "svg.fonttype": "none"}):
            figure.savefig(stream, format=form, dpi=144, metadata=no_date)
        file = path.with_name(f"{path.name}.{form}")
        write_bytes(file, stream.getvalue())
        written.append(file)
    return written
