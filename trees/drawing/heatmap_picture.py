"""The picture of a heat map: heading, board, colour bar, signs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seabattle.enumerate.display.boards import GREY
from seabattle.enumerate.display.coloured_boards import (
    LINE_SIZE,
    MARGIN,
    SHOT,
    TITLE_SIZE,
    BoardSize,
    CellFace,
    answer_sign,
    best_frame,
    colour_bar,
    coloured_board,
    heading,
)
from seabattle.enumerate.display.colours import css, viridis
from seabattle.enumerate.display.shapes import Rect, Shape, Text, shapes_png, shapes_svg
from seabattle.enumerate.display.svg import document, text_width
from seabattle.enumerate.display.wording import plain
from seabattle.enumerate.errors import DrawingError
from seabattle.enumerate.game.answers import HIT, MISS, SUNK
from seabattle.enumerate.game.arguments import require_path, require_type
from seabattle.enumerate.writing import write_bytes, write_text
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
    """The picture: shapes in pixels on a white ground of ``width`` x ``height``."""

    heat: HeatMap
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def svg(self) -> str:
        """The picture as an SVG document."""
        return document(
            self.heat.prefix,
            self.width,
            self.height,
            self.heat.title,
            shapes_svg(self.shapes),
            description=heatmap_text(self.heat),
        )

    def png(self) -> bytes:
        """The picture as a PNG."""
        return shapes_png(self.shapes, self.width, self.height)


def page(heat: HeatMap) -> Page:
    """Lay out the picture of a map."""
    size, decimals = _size(heat)
    board = heat.board
    gutter = max(18, round(text_width(str(board.rows), LINE_SIZE)) + 8)
    inner = max(gutter + board.columns * size.cell, MIN_WIDTH)
    lines = [(plain(heat.title), TITLE_SIZE), (heat.subtitle(), LINE_SIZE)]
    shapes, y = heading(lines, min(inner, 1400))
    left, top = MARGIN + gutter, y + 30
    faces = [
        CellFace(
            heat.colour(cell),
            percent_text(heat.count(cell), heat.total, decimals=decimals),
            heat.answers.get(cell, MISS),
            cell in heat.best_cells,
        )
        for cell in range(board.cells)
    ]
    shapes += coloured_board(board, faces, left, top, size)
    key, end = _legend(heat, left, top + board.rows * size.cell + 24, inner - gutter)
    return Page(heat, inner + 2 * MARGIN, end + MARGIN, (*shapes, *key))


def _legend(heat: HeatMap, left: float, y: float, width: float) -> tuple[list[Shape], float]:
    """The colour bar with its ends named, then the signs; and where they end."""
    found: list[Shape] = []
    if heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        whole = f" under the prior {plain(heat.prior)}" if heat.prior else " of the layouts"
        if low == high:
            found += [Rect(left, y, 24, 14, fill=css(viridis(0.5)))]
            found += [Text(left + 32, y + 11, f"{low}{whole}", 12, GREY)]
        else:
            high += whole
            names = text_width(low, LINE_SIZE) + text_width(high, LINE_SIZE)
            length = max(60.0, min(260.0, width - names - 16))
            found += colour_bar(left, y, length, low, high, gap=6)
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
            found += [Rect(x, y, u, u, fill=css(viridis(1.0))), *best_frame(x, y, u)]
        else:
            found += [Rect(x, y, u, u, fill=SHOT), *answer_sign(code, x, y, u)]
        found.append(Text(x + u + 6, y + 13, name, 12, GREY))
        x += need
    return found, y + (u if entries else 0)


def heatmap_svg(heat: HeatMap) -> str:
    """The map as an SVG document.

    Every cell not shot yet has its percentage on its colour, best cells a red frame; cells shot
    show a dot, a cross, or a white cross on a dark square, as in the pictures of trees. Below the
    board a bar says what the colours mean. A description for screen readers holds the map as
    text. Nothing is loaded from elsewhere, and several maps can be on one page.

    Examples
    --------
    >>> heatmap_svg(HeatMap("2x2", [[1, 1], [1, 1]], 4)).startswith("<svg ")
    True
    """
    require_type("heat", heat, HeatMap, "a HeatMap")
    return page(heat).svg()


def heatmap_png(heat: HeatMap) -> bytes:
    """The map as a PNG, drawn by matplotlib: the same picture at twice the resolution."""
    return page(heat).png()


def save_heatmap(heat: HeatMap, path: str | Path) -> None:
    """Write the map to a file: ``.svg`` or ``.png`` by its suffix.

    Raises
    ------
    DrawingError
        If the suffix is another one.
    FileAccessError
        If the file cannot be written.
    """
    require_type("heat", heat, HeatMap, "a HeatMap")
    require_path("path", path)
    path = Path(path)
    require_picture(path)
    if path.suffix.lower() == ".svg":
        write_text(path, heatmap_svg(heat))
    else:
        write_bytes(path, heatmap_png(heat))


def require_picture(path: Path) -> None:
    """Reject a file whose suffix ``save_heatmap`` does not write.

    Raises
    ------
    DrawingError
        If it is another one.
    """
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise DrawingError(
            f"heat map {path}: {suffix or 'a name without a suffix'} is no picture; "
            f"write a .svg or .png file"
        )
