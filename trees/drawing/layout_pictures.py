"""Pictures of hiding: probability maps side by side, and layouts with how likely they are.

Both are SVG documents that load nothing from elsewhere; what they show is also told in words, for
screen readers. Maps that belong together share one colour scale, so that equal colours are equal
chances.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from seabattle.enumerate.display.boards import GREY, INK, LARGE, Boards
from seabattle.enumerate.display.colours import css, text_on, viridis
from seabattle.enumerate.game.board import Board, column_name
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.trees.drawing._canvas import Rect, Shape, Text, shapes_svg
from seabattle.trees.drawing._surroundings import (
    FONTS,
    LINE_SIZE,
    MARGIN,
    TITLE_SIZE,
    text_width,
    wrapped,
    xml,
)

_CELL = 48
_GAP = 36
_LEAST_WIDTH = 380  # room for the heading and the colour scale


@dataclass(frozen=True)
class CellMap:
    """A probability for every cell.

    Attributes
    ----------
    title
        What the probabilities are of, in a few words.
    chances
        One per cell, in reading order, 0 to 1.
    """

    title: str
    chances: Sequence[Fraction | float]


def cell_maps_svg(board: Board, maps: Sequence[CellMap], title: str, subtitle: str = "") -> str:
    """Probability maps of one board side by side, on one colour scale.

    Examples
    --------
    >>> even = CellMap("even", [Fraction(1, 2)] * 4)
    >>> odd = CellMap("odd", [Fraction(1, 4), Fraction(3, 4), Fraction(3, 4), Fraction(1, 4)])
    >>> cell_maps_svg(Board(2, 2), [even, odd], "Two maps").startswith("<svg ")
    True
    """
    every = [float(chance) for drawn in maps for chance in drawn.chances]
    low, high = min(every), max(every)
    gutter = 22
    wide = [
        max(board.columns * _CELL, text_width(drawn.title, 13)) + gutter for drawn in maps
    ]  # fmt: skip
    inner = max(sum(wide) + _GAP * (len(maps) - 1), _LEAST_WIDTH)
    shapes, y = _heading(title, subtitle, inner)
    top = y + 50
    left: float = MARGIN + gutter
    for drawn, width in zip(maps, wide, strict=True):
        shapes.append(Text(left, top - 26, drawn.title, 13, INK, bold=True))
        shapes += _map(board, drawn, left, top, low, high)
        left += width + _GAP
    y = top + board.rows * _CELL + 22
    shapes += _bar(MARGIN + gutter, y, low, high)
    told = [
        f"{drawn.title}:\n" + board.grid(_percent(chance) for chance in drawn.chances)
        for drawn in maps
    ]
    return _document(shapes_svg(shapes), inner, y + 14, title, "\n".join([subtitle, *told]))


def layouts_svg(
    rules: Rules, layouts: Sequence[tuple[Sequence[int], str]], title: str, subtitle: str = ""
) -> str:
    """Layouts with a caption each, up to five in a row.

    Parameters
    ----------
    rules
        The game.
    layouts
        Pairs of placement numbers, as in ``Layouts.ships``, and caption.
    title, subtitle
        Heading.
    """
    table = placement_table(rules)
    named = [(table.names(ships), caption) for ships, caption in layouts]
    prefix = _prefix(title, named)
    boards = Boards(rules, LARGE, prefix)
    across = min(5, len(layouts))
    captions = max(text_width(caption, LARGE.text + 1) for _, caption in layouts)
    step = max(boards.width + LARGE.gutter, captions) + 28
    rise = boards.height + LARGE.gutter + 40
    inner = max(step * across - 28, _LEAST_WIDTH)
    shapes, y = _heading(title, subtitle, inner)
    parts = [f"<defs>{boards.defs()}</defs>", shapes_svg(shapes)]
    for i, (ships, caption) in enumerate(layouts):
        row, column = divmod(i, across)
        x = MARGIN + LARGE.gutter + column * step
        top = y + LARGE.gutter + 8 + row * rise
        placed = boards.ships([table.placements[int(number)] for number in ships])
        parts.append(
            f'<g transform="translate({x:g} {top:g})">{boards.use(prefix + "b")}{placed}'
            f'<text x="{boards.width / 2:g}" y="{boards.height + 19}" '
            f'font-size="{LARGE.text + 1}" fill="{INK}" text-anchor="middle">{xml(caption)}</text>'
            f"</g>"
        )
    rows = (len(layouts) + across - 1) // across
    told = "\n".join([subtitle, *(f"{' '.join(names)}: {caption}" for names, caption in named)])
    return _document("\n".join(parts), inner, y + rows * rise, title, told)


def layout_text(rules: Rules, ships: Sequence[int]) -> str:
    """A layout as a board of text: the length of the ship in each cell, ``.`` for water.

    >>> rules = Rules("3x3", "3,1,1")
    >>> table = placement_table(rules)
    >>> print(layout_text(rules, table.parse_layout(["A1:A3", "C1", "C3"])))
       A B C
     1 3 . 1
     2 3 . .
     3 3 . 1
    """
    table = placement_table(rules)
    signs = ["."] * rules.board.cells
    for number in ships:
        placement = table.placements[int(number)]
        for cell in placement.cells:
            signs[cell] = str(placement.length)
    return rules.board.grid(signs)


def _percent(chance: Fraction | float) -> str:
    return f"{100 * float(chance):.1f}"


def _heading(title: str, subtitle: str, width: float) -> tuple[list[Shape], float]:
    shapes: list[Shape] = []
    y: float = MARGIN
    for given, size in ((title, TITLE_SIZE), (subtitle, LINE_SIZE)):
        for line in wrapped(given, size, width) if given else ():
            y += round(size * 1.4)
            big = size == TITLE_SIZE
            shapes.append(Text(MARGIN, y - 4, line, size, INK if big else GREY, bold=big))
    return shapes, y + 8


def _map(
    board: Board, drawn: CellMap, left: float, top: float, low: float, high: float
) -> list[Shape]:
    shapes: list[Shape] = []
    for column in range(board.columns):
        x = left + (column + 0.5) * _CELL
        shapes.append(Text(x, top - 7, column_name(column), 11, GREY, "middle"))
    for row in range(board.rows):
        y = top + (row + 0.5) * _CELL + 4
        shapes.append(Text(left - 7, y, str(row + 1), 11, GREY, "end"))
    for cell, chance in enumerate(drawn.chances):
        row, column = divmod(cell, board.columns)
        x, y = left + column * _CELL, top + row * _CELL
        back = viridis((float(chance) - low) / (high - low) if high > low else 0.5)
        shapes.append(Rect(x, y, _CELL, _CELL, fill=css(back), stroke="#fff", line=1))
        ink = css(text_on(back))
        middle = x + _CELL / 2
        shapes.append(Text(middle, y + _CELL / 2 + 5, _percent(chance), 14, ink, "middle"))
    edge = Rect(left, top, board.columns * _CELL, board.rows * _CELL, stroke=GREY, line=1)
    return [*shapes, edge]


def _bar(left: float, y: float, low: float, high: float) -> list[Shape]:
    """The colour scale with its ends named."""
    begin, end = f"{_percent(low)} %", f"{_percent(high)} %"
    start, length, steps = left + text_width(begin, 12) + 8, 200.0, 64
    shapes: list[Shape] = [Text(left, y + 11, begin, 12, GREY)]
    for i in range(steps):
        # Each step runs under the next one, so that no seam shows between them.
        reach = min(2, steps - i) * length / steps
        colour = css(viridis(i / (steps - 1)))
        shapes.append(Rect(start + i * length / steps, y, reach, 14, fill=colour))
    shapes.append(Text(start + length + 8, y + 11, end, 12, GREY))
    return shapes


def _prefix(*told: object) -> str:
    return f"y{hashlib.blake2s(repr(told).encode(), digest_size=4).hexdigest()}"


def _document(body: str, width: float, height: float, title: str, told: str) -> str:
    prefix = _prefix(title, told)
    across, down = width + 2 * MARGIN, height + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" width="{across:g}" '
        f'height="{down:g}" viewBox="0 0 {across:g} {down:g}" role="img" '
        f'aria-labelledby="{prefix}-title {prefix}-desc" font-family="{FONTS}">\n'
        f'<title id="{prefix}-title">{xml(title)}</title>\n'
        f'<desc id="{prefix}-desc">{chr(10).join(map(xml, told.split(chr(10))))}</desc>\n'
        f'<rect width="{across:g}" height="{down:g}" fill="#fff"/>\n{body}\n</svg>\n'
    )
