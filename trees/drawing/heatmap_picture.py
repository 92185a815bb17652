"""The picture of a heat map: heading, board, colour bar, signs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seabattle.enumerate.answers import HIT, MISS, SUNK
from seabattle.enumerate.colours import LIGHT, Palette, Theme, palette_of
from seabattle.enumerate.picture import (
    LINE_SIZE,
    MARGIN,
    TITLE_SIZE,
    BoardSize,
    CellFace,
    Rect,
    Shape,
    Text,
    answer_sign,
    best_frame,
    colour_bar,
    coloured_board,
    document,
    ground_of,
    heading,
    save_picture,
    shapes_svg,
    share_bar,
    text_width,
)
from seabattle.enumerate.picture import require_picture as require_picture_file
from seabattle.enumerate.words import plain
from seabattle.trees.drawing.heatmap import HeatMap, heatmap_text, percent_text

MIN_WIDTH = 380
"""Least width, for heading and legend of a small board."""


def _size(heat: HeatMap) -> tuple[BoardSize, int]:
    """Sizes for a board, and the decimals of its percentages."""
    side = max(heat.board.rows, heat.board.columns)
    sizes = ((6, 60, 16, 1), (12, 48, 13.5, 1), (26, 38, 11, 1), (side, 26, 10, 0))
    _, cell, text, decimals = next(size for size in sizes if side <= size[0])
    return BoardSize(cell, text, text * 0.35, label=12, label_gap=8, label_drop=4.2), decimals


@dataclass(frozen=True)
class Page:
    """The picture: shapes in pixels on a ground of ``width`` x ``height``."""

    heat: HeatMap
    width: float
    height: float
    shapes: tuple[Shape, ...]
    palette: Palette = LIGHT

    def svg(self) -> str:
        """The picture as an SVG document."""
        theme = self.palette.theme
        game = f"{self.heat.game}\n" if self.heat.game else ""
        return document(
            self.heat.prefix + ("" if theme is Theme.LIGHT else theme.value[0]),
            self.width,
            self.height,
            self.heat.title,
            shapes_svg(self.shapes),
            description=game + heatmap_text(self.heat),
            ground=self.palette.ground,
        )


def page(heat: HeatMap, palette: Palette = LIGHT) -> Page:
    """Lay out the picture of a map."""
    size, decimals = _size(heat)
    board = heat.board
    gutter = max(18, round(text_width(str(board.rows), LINE_SIZE)) + 8)
    inner = max(gutter + board.columns * size.cell, MIN_WIDTH)
    lines = [(plain(heat.title), TITLE_SIZE), (plain(heat.game), LINE_SIZE)]
    shapes, y = heading([*lines, (heat.subtitle(), LINE_SIZE)], min(inner, 1400), palette)
    left, top = MARGIN + gutter, y + 30
    faces = [
        CellFace(
            heat.share(cell),
            percent_text(heat.count(cell), heat.total, decimals=decimals),
            heat.answers.get(cell, MISS),
            cell in heat.best_cells,
        )
        for cell in range(board.cells)
    ]
    shapes += coloured_board(board, faces, left, top, size, palette)
    key, end = _legend(heat, left, top + board.rows * size.cell + 24, inner - gutter, palette)
    return Page(heat, inner + 2 * MARGIN, end + MARGIN, (*shapes, *key), palette)


def _legend(
    heat: HeatMap, left: float, y: float, width: float, palette: Palette
) -> tuple[list[Shape], float]:
    """The colour bar with its ends named, then the signs; and where they end."""
    found: list[Shape] = []
    if heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        whole = f" under the prior {plain(heat.prior)}" if heat.prior else " of the layouts"
        if low == high:
            edge = palette.sea_line
            found.append(Rect(left, y, 24, 14, fill=ground_of(0.5, palette), stroke=edge, line=1))
            found += [Text(left + 32, y + 11, f"{low}{whole}", 12, palette.ink_soft)]
        else:
            high += whole
            names = text_width(low, LINE_SIZE) + text_width(high, LINE_SIZE)
            length = max(60.0, min(260.0, width - names - 16))
            found += colour_bar(left, y, length, low, high, gap=6, palette=palette)
        y += 30
    u, x = 18.0, left
    entries = [("best", -1)] if heat.best_cells else []
    named = {MISS: "miss", HIT: "hit", SUNK: "sunk"}
    entries += [(named[code], code) for code in sorted(set(heat.answers.values()))]
    for name, code in entries:
        need = u + 6 + text_width(name, 12) + 16
        if x > left and x + need > left + width:
            x, y = left, y + 26
        if code < 0:
            found += [Rect(x, y, u, u, fill=ground_of(1.0, palette))]
            if not palette.filled:
                found += share_bar(1.0, x, y, u, palette)
            found += best_frame(x, y, u, palette)
        else:
            found += [Rect(x, y, u, u, fill=palette.shot), *answer_sign(code, x, y, u, palette)]
        found.append(Text(x + u + 6, y + 13, name, 12, palette.ink_soft))
        x += need
    return found, y + (u if entries else 0)


def heatmap_svg(heat: HeatMap, *, theme: Theme | str = Theme.LIGHT) -> str:
    """The map as an SVG document.

    Every cell not shot yet has its percentage on its colour, best cells a frame; cells shot show a
    dot, a cross, or a cross on a dark square, as in the pictures of trees. Below the board a bar
    says what the colours mean. A description for screen readers holds the map as text. Nothing is
    loaded from elsewhere, and several maps can be on one page.

    Parameters
    ----------
    heat
        The heat map.
    theme
        ``light``, ``dark``, or ``print``: black on white, with a bar in each cell that is as long
        as the cell is likely.

    Raises
    ------
    DrawingError
        If there is no such theme.

    Examples
    --------
    >>> heatmap_svg(HeatMap("2x2", [[1, 1], [1, 1]], 4)).startswith("<svg ")
    True
    """
    return page(heat, palette_of(theme)).svg()


def save_heatmap(
    heat: HeatMap,
    path: str | Path,
    *,
    scale: float | None = None,
    theme: Theme | str = Theme.LIGHT,
) -> None:
    """Write the map to a file: ``.svg``, ``.png`` or ``.pdf`` by its suffix.

    Parameters
    ----------
    heat
        The heat map.
    path
        The file.
    scale
        Size relative to the picture's own; by default 1, and of a PNG 2.
    theme
        ``light``, ``dark`` or ``print``.

    Raises
    ------
    DrawingError
        If the suffix is another one, the theme unknown, the scale too large, or a package that
        writes PDF is missing.
    FileAccessError
        If the file cannot be written.
    """
    require_picture(path)
    save_picture(heatmap_svg(heat, theme=theme), path, scale=scale)


def require_picture(path: str | Path) -> None:
    """Reject a file whose suffix ``save_heatmap`` does not write.

    Raises
    ------
    DrawingError
        If it is another one, or a package that writes PDF is missing.
    """
    require_picture_file(path, "heat map")
