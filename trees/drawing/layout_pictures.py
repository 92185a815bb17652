"""Pictures of hidden fleets: maps side by side, and layouts with captions.

Both are SVG documents that load nothing from elsewhere and describe in words, for screen readers,
what they show. Maps that belong together share one colour scale, so that equal colours are equal
chances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from seabattle.enumerate.colours import LIGHT, Palette, share_between
from seabattle.enumerate.picture import (
    LARGE,
    MARGIN,
    MIN_WIDTH,
    Boards,
    CellFace,
    Scale,
    colour_bar,
    coloured_board,
    document,
    heading,
    id_prefix,
    text_line,
    text_width,
    xml,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

_SIZE = Scale(cell=48, text=14, label=11)
_GAP = 36


def percent_cell(chance: Fraction | float) -> str:
    """A chance in percent, blank where it is 0.

    >>> percent_cell(Fraction(1, 3)), percent_cell(0), percent_cell(0.0001)
    ('33.3', '', '<0.1')
    """
    if not chance:
        return ""
    return f"{100 * float(chance):.1f}" if 100 * chance >= 0.05 else "<0.1"


@dataclass(frozen=True)
class CellMap:
    """A number for every cell.

    Attributes
    ----------
    title
        What the numbers are, in a few words.
    chances
        One per cell, in reading order.
    best
        Numbers of cells to frame.
    unit
        What stands behind the ends of the scale. Maps of one unit share one scale.
    write
        Text of a number, blank where it tells nothing.
    least_deepest
        Whether the least number, not the greatest, is furthest from the ground: of costs.
    """

    title: str
    chances: Sequence[Fraction | float]
    best: Sequence[int] = ()
    unit: str = "%"
    write: Callable[[Fraction | float], str] = percent_cell
    least_deepest: bool = False

    def share(self, chance: Fraction | float, low: float, high: float) -> float:
        """Where a number is on the scale."""
        share = share_between(float(chance), low, high)
        return 1 - share if self.least_deepest else share


def cell_maps_svg(
    rules: Rules, maps: Sequence[CellMap], title: str, subtitle: str = "", palette: Palette = LIGHT
) -> str:
    """Maps of one board side by side; those of one unit on one colour scale.

    Examples
    --------
    >>> even = CellMap("even", [Fraction(1, 2)] * 4)
    >>> odd = CellMap("odd", [Fraction(1, 4), Fraction(3, 4), Fraction(3, 4), Fraction(1, 4)])
    >>> cell_maps_svg(Rules("2x2", "1"), [even, odd], "Two maps").startswith("<svg ")
    True
    """
    board, ends = rules.board, {}
    for drawn in maps:
        numbers = [float(n) for each in maps if each.unit == drawn.unit for n in each.chances]
        ends[drawn.unit] = (min(numbers), max(numbers))
    gutter = 22
    wide = [
        max(board.columns * _SIZE.cell, text_width(drawn.title, 13)) + gutter for drawn in maps
    ]  # fmt: skip
    inner = max(sum(wide) + _GAP * (len(maps) - 1), MIN_WIDTH)
    shapes, y = heading(title, [subtitle], inner, palette)
    top = y + 58
    bottom = top + board.rows * _SIZE.cell + 22
    left: float = MARGIN + gutter
    scaled: set[str] = set()
    for drawn, width in zip(maps, wide, strict=True):
        low, high = ends[drawn.unit]
        shapes.append(text_line(left, top - 26, drawn.title, 13, palette.ink, bold=True))
        faces = [
            CellFace(drawn.share(number, low, high), drawn.write(number), best=cell in drawn.best)
            for cell, number in enumerate(drawn.chances)
        ]
        shapes.append(coloured_board(Boards(rules, _SIZE, palette=palette), faces, left, top))
        if drawn.unit not in scaled:
            scaled.add(drawn.unit)
            order = (high, low) if drawn.least_deepest else (low, high)
            first, last = (f"{drawn.write(end) if end else 0} {drawn.unit}" for end in order)
            shapes += colour_bar(left, bottom, board.columns * _SIZE.cell, first, last, palette)
        left += width + _GAP
    words = [
        f"{drawn.title}:\n" + board.grid(drawn.write(number) or "0" for number in drawn.chances)
        for drawn in maps
    ]
    text = "\n".join([subtitle, *words])
    return _document("\n".join(shapes), inner, bottom + 14, title, text, palette)


def layouts_svg(
    rules: Rules,
    layouts: Sequence[tuple[Sequence[int], str]],
    title: str,
    subtitle: str = "",
    palette: Palette = LIGHT,
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
    palette
        Colours.
    """
    table = placement_table(rules)
    named = [(table.names(ships), caption) for ships, caption in layouts]
    prefix = id_prefix("y", (title, named, palette.theme.value))
    boards = Boards(rules, LARGE, prefix, palette)
    across = min(5, len(layouts))
    captions = max(text_width(caption, LARGE.text + 1) for _, caption in layouts)
    step = max(boards.width + LARGE.gutter, captions) + 28
    rise = boards.height + LARGE.gutter + 40
    inner = max(step * across - 28, MIN_WIDTH)
    shapes, y = heading(title, [subtitle], inner, palette)
    parts = [f"<defs>{boards.defs()}</defs>", "\n".join(shapes)]
    for i, (ships, caption) in enumerate(layouts):
        row, column = divmod(i, across)
        x = MARGIN + LARGE.gutter + column * step
        top = y + LARGE.gutter + 16 + row * rise
        placed = boards.ships([table.placements[int(number)] for number in ships])
        parts.append(
            f'<g transform="translate({x:g} {top:g})">{boards.use(prefix + "b")}{placed}'
            f'<text x="{boards.width / 2:g}" y="{boards.height + 19}" '
            f'font-size="{LARGE.text + 1}" fill="{palette.ink}" text-anchor="middle">'
            f"{xml(caption)}</text>"
            f"</g>"
        )
    rows = (len(layouts) + across - 1) // across
    words = "\n".join([subtitle, *(f"{' '.join(names)}: {caption}" for names, caption in named)])
    return _document("\n".join(parts), inner, y + 8 + rows * rise, title, words, palette)


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


def _document(
    body: str, width: float, height: float, title: str, words: str, palette: Palette
) -> str:
    prefix = id_prefix("y", (title, words, palette.theme.value))
    across, down = width + 2 * MARGIN, height + MARGIN
    return document(prefix, across, down, title, body, description=words, ground=palette.ground)
