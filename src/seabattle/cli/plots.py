"""The picture of ``layouts``: two ways to hide ships, and the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seabattle.enumerate.colours import LIGHT, SERIES, Palette, css, text_on


def occupancy_plot(
    maps: Sequence[tuple[str, Sequence[float]]],
    rows: int,
    columns: int,
    title: str,
    line: str,
    palette: Palette = LIGHT,
) -> Any:
    """Figure of two ways to hide ships: the share of layouts on each cell, and their quotient.

    Parameters
    ----------
    maps
        Two pairs of a name and the shares by cell, reading order.
    rows, columns
        Size of the board.
    title, line
        Above the picture, in large letters and in small ones.
    palette
        Colours; the figure is to be saved under ``colours_of`` the same.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    from seabattle.enumerate.board import column_name

    figure = Figure(figsize=(13.5, 5.5), layout="constrained")
    figure.suptitle(f"{title}\n", fontsize=17, x=0.01, ha="left", weight="bold")
    figure.text(0.01, 0.925, line, fontsize=12, va="top", color=palette.ink_soft)
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
    names = [f"{name}: % that occupy the cell" for name, _ in maps]
    pictures = [
        (names[0], 100 * grids[0], {"cmap": likely, "vmin": least, "vmax": most}, "{:.1f}"),
        (names[1], 100 * grids[1], {"cmap": likely, "vmin": least, "vmax": most}, "{:.1f}"),
        ("the difference: % more or fewer", quotient,
         {"cmap": apart, "vmin": -reach, "vmax": reach}, "{:+.1f}"),
    ]  # fmt: skip
    for axes, (name, grid, colours, form) in zip(figure.subplots(1, 3), pictures, strict=True):
        picture = axes.imshow(grid, **colours)
        axes.set_title(name, fontsize=12)
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
