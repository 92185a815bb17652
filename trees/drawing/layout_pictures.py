"""Pictures of hidden fleets: probability maps side by side, and layouts with captions.

Both are SVG documents that load nothing from elsewhere and describe in words, for screen readers,
what they show. Maps that belong together share one colour scale, so that equal colours are equal
chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from seabattle.enumerate.display.boards import INK, LARGE, Boards
from seabattle.enumerate.display.coloured_boards import (
    LINE_SIZE,
    MARGIN,
    TITLE_SIZE,
    BoardSize,
    CellFace,
    colour_bar,
    coloured_board,
    heading,
)
from seabattle.enumerate.display.colours import scaled
from seabattle.enumerate.display.shapes import Text, shapes_svg
from seabattle.enumerate.display.svg import document, id_prefix, text_width, xml
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules

_SIZE = BoardSize(cell=48, text=14, text_drop=5, label=11, label_gap=7, label_drop=4)
_GAP = 36
_MIN_WIDTH = 380  # for the heading and the colour scale


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
        max(board.columns * _SIZE.cell, text_width(drawn.title, 13)) + gutter for drawn in maps
    ]  # fmt: skip
    inner = max(sum(wide) + _GAP * (len(maps) - 1), _MIN_WIDTH)
    shapes, y = heading([(title, TITLE_SIZE), (subtitle, LINE_SIZE)], inner)
    top = y + 58
    left: float = MARGIN + gutter
    for drawn, width in zip(maps, wide, strict=True):
        shapes.append(Text(left, top - 26, drawn.title, 13, INK, bold=True))
        faces = [
            CellFace(scaled(float(chance), low, high), _percent(chance)) for chance in drawn.chances
        ]
        shapes += coloured_board(board, faces, left, top, _SIZE)
        left += width + _GAP
    y = top + board.rows * _SIZE.cell + 22
    ends = (f"{_percent(low)} %", f"{_percent(high)} %")
    shapes += colour_bar(MARGIN + gutter, y, 200.0, *ends, gap=8)
    words = [
        f"{drawn.title}:\n" + board.grid(_percent(chance) for chance in drawn.chances)
        for drawn in maps
    ]
    return _document(shapes_svg(shapes), inner, y + 14, title, "\n".join([subtitle, *words]))


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
    prefix = id_prefix("y", (title, named))
    boards = Boards(rules, LARGE, prefix)
    across = min(5, len(layouts))
    captions = max(text_width(caption, LARGE.text + 1) for _, caption in layouts)
    step = max(boards.width + LARGE.gutter, captions) + 28
    rise = boards.height + LARGE.gutter + 40
    inner = max(step * across - 28, _MIN_WIDTH)
    shapes, y = heading([(title, TITLE_SIZE), (subtitle, LINE_SIZE)], inner)
    parts = [f"<defs>{boards.defs()}</defs>", shapes_svg(shapes)]
    for i, (ships, caption) in enumerate(layouts):
        row, column = divmod(i, across)
        x = MARGIN + LARGE.gutter + column * step
        top = y + LARGE.gutter + 16 + row * rise
        placed = boards.ships([table.placements[int(number)] for number in ships])
        parts.append(
            f'<g transform="translate({x:g} {top:g})">{boards.use(prefix + "b")}{placed}'
            f'<text x="{boards.width / 2:g}" y="{boards.height + 19}" '
            f'font-size="{LARGE.text + 1}" fill="{INK}" text-anchor="middle">{xml(caption)}</text>'
            f"</g>"
        )
    rows = (len(layouts) + across - 1) // across
    words = "\n".join([subtitle, *(f"{' '.join(names)}: {caption}" for names, caption in named)])
    return _document("\n".join(parts), inner, y + 8 + rows * rise, title, words)


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


def _document(body: str, width: float, height: float, title: str, words: str) -> str:
    prefix = id_prefix("y", (title, words))
    across, down = width + 2 * MARGIN, height + MARGIN
    return document(prefix, across, down, title, body, description=words)
