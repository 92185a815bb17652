"""Where everything goes in the picture of a heat map: heading, board, colour bar, signs."""

from __future__ import annotations

from dataclasses import dataclass

from seabattle.enumerate.display.boards import GREY, INK, RED
from seabattle.enumerate.display.colours import css, text_on, viridis
from seabattle.enumerate.game.answers import HIT, MISS, SUNK
from seabattle.enumerate.game.board import column_name
from seabattle.trees.drawing._canvas import Disc, Line, Rect, Shape, Text, shapes_png, shapes_svg
from seabattle.trees.drawing._surroundings import (
    FONTS,
    LINE_SIZE,
    MARGIN,
    TITLE_SIZE,
    text_width,
    wrapped,
    xml,
)
from seabattle.trees.drawing.heatmap import HeatMap, heatmap_text, percent_text
from seabattle.trees.drawing.selection import plain

MIN_WIDTH = 380
"""Room for heading and legend beside a small board."""

SHOT = "#e9edf1"
"""Ground of cells shot: no colour of the scale."""

BAR_STEPS = 64


@dataclass(frozen=True)
class _Size:
    """Side of a cell, size of its text, decimals of its percentage."""

    cell: int
    text: float
    decimals: int


def _size(heat: HeatMap) -> _Size:
    side = max(heat.board.rows, heat.board.columns)
    for most, size in ((6, _Size(60, 16, 1)), (12, _Size(48, 13.5, 1)), (26, _Size(38, 11, 1))):
        if side <= most:
            return size
    return _Size(26, 10, 0)


@dataclass(frozen=True)
class Page:
    """The picture: shapes in pixels on a white ground of ``width`` x ``height``."""

    heat: HeatMap
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def svg(self) -> str:
        """The picture as an SVG document."""
        prefix = self.heat.prefix
        told = "\n".join(xml(line) for line in heatmap_text(self.heat).split("\n"))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" width="{self.width:g}" '
            f'height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}" role="img" '
            f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}">\n'
            f'<title id="{prefix}-title">{xml(self.heat.title)}</title>\n'
            f'<desc id="{prefix}-desc">{told}</desc>\n'
            f'<rect width="{self.width:g}" height="{self.height:g}" fill="#fff"/>\n'
            f"{shapes_svg(self.shapes)}\n</svg>\n"
        )

    def png(self) -> bytes:
        """The picture as a PNG."""
        return shapes_png(self.shapes, self.width, self.height)


def page(heat: HeatMap) -> Page:
    """Lay out the picture of a map."""
    size = _size(heat)
    board = heat.board
    gutter = max(18, round(text_width(str(board.rows), 12)) + 8)
    wide, high = board.columns * size.cell, board.rows * size.cell
    inner = max(gutter + wide, MIN_WIDTH)
    shapes: list[Shape] = []
    y: float = MARGIN
    for given, points in ((plain(heat.title), TITLE_SIZE), (heat.subtitle(), LINE_SIZE)):
        big = points == TITLE_SIZE
        for line in wrapped(given, points, min(inner, 1400)):
            y += round(points * 1.4)
            shapes.append(Text(MARGIN, y - 4, line, points, INK if big else GREY, bold=big))
    left, top = MARGIN + gutter, y + 30
    shapes += _labels(heat, size, left, top)
    shapes += _cells(heat, size, left, top)
    y = top + high + 24
    key, y = _legend(heat, left, y, inner - gutter)
    shapes += key
    return Page(heat, inner + 2 * MARGIN, y + MARGIN, tuple(shapes))


def _labels(heat: HeatMap, size: _Size, left: float, top: float) -> list[Shape]:
    u, board = size.cell, heat.board
    found: list[Shape] = [
        Text(left + (c + 0.5) * u, top - 8, column_name(c), 12, GREY, "middle")
        for c in range(board.columns)
    ]
    found += [
        Text(left - 8, top + (r + 0.5) * u + 4.2, str(r + 1), 12, GREY, "end")
        for r in range(board.rows)
    ]
    return found


def _sign(code: int, x: float, y: float, u: float) -> list[Shape]:
    """A miss, hit or sunk cell in the square at (x, y)."""
    if code == MISS:
        return [Disc(x + u / 2, y + u / 2, u * 0.13, GREY)]
    dark = code == SUNK
    reach = u * (0.15 if dark else 0.24)
    near, far = u / 2 - reach, u / 2 + reach
    stroke, line = ("#fff", u * 0.09) if dark else (INK, u * 0.12)
    inset = u * 0.2
    ground = [Rect(x + inset, y + inset, u - 2 * inset, u - 2 * inset, fill=INK)] if dark else []
    return [
        *ground,
        Line(x + near, y + near, x + far, y + far, stroke, line),
        Line(x + near, y + far, x + far, y + near, stroke, line),
    ]


def _frame(x: float, y: float, u: float) -> list[Shape]:
    """The mark of a best cell: red on white, so that it stands out on any colour."""
    line = max(2.0, u * 0.07)
    inset = line / 2
    inner = inset + line * 0.85
    return [
        Rect(x + inner, y + inner, u - 2 * inner, u - 2 * inner, stroke="#fff", line=line * 0.7),
        Rect(x + inset, y + inset, u - 2 * inset, u - 2 * inset, stroke=RED, line=line),
    ]


def _cells(heat: HeatMap, size: _Size, left: float, top: float) -> list[Shape]:
    u, board = size.cell, heat.board
    grounds: list[Shape] = []
    marks: list[Shape] = []
    frames: list[Shape] = []
    for cell in range(board.cells):
        row, column = divmod(cell, board.columns)
        x, y = left + column * u, top + row * u
        back = heat.colour(cell)
        ground = SHOT if back is None else css(back)
        grounds.append(Rect(x, y, u, u, fill=ground, stroke="#fff", line=1))
        if back is None:
            marks += _sign(heat.answers[cell], x, y, u)
        else:
            told = percent_text(heat.count(cell), heat.total, decimals=size.decimals)
            base = y + u / 2 + size.text * 0.35
            bold = cell in heat.best_cells
            marks.append(
                Text(x + u / 2, base, told, size.text, css(text_on(back)), "middle", bold=bold)
            )
        if cell in heat.best_cells:
            frames += _frame(x, y, u)
    edge = Rect(left, top, board.columns * u, board.rows * u, stroke=GREY, line=1)
    return [*grounds, *marks, edge, *frames]


def _legend(heat: HeatMap, left: float, y: float, width: float) -> tuple[list[Shape], float]:
    """The colour bar with its ends named, then the signs; and where that ends."""
    found: list[Shape] = []
    if heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        if low == high:
            found += [Rect(left, y, 24, 14, fill=css(viridis(0.5)))]
            found += [Text(left + 32, y + 11, f"{low} of the layouts", 12, GREY)]
        else:
            start = left + text_width(low, 12) + 6
            bar = max(60.0, min(260.0, width - text_width(f"{low}{high} of the layouts", 12) - 16))
            step = bar / BAR_STEPS
            for i in range(BAR_STEPS):
                # Each step runs under the next one, so that no seam shows between them.
                reach = min(2 * step, bar - i * step)
                colour = css(viridis(i / (BAR_STEPS - 1)))
                found.append(Rect(start + i * step, y, reach, 14, fill=colour))
            found.append(Text(left, y + 11, low, 12, GREY))
            found.append(Text(start + bar + 6, y + 11, f"{high} of the layouts", 12, GREY))
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
            found += [Rect(x, y, u, u, fill=css(viridis(1.0))), *_frame(x, y, u)]
        else:
            found += [Rect(x, y, u, u, fill=SHOT), *_sign(code, x, y, u)]
        found.append(Text(x + u + 6, y + 13, name, 12, GREY))
        x += need
    return found, y + (u if entries else 0)
