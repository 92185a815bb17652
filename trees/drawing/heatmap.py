"""Heat maps: how likely each cell is occupied, as text, SVG, PNG or PDF.

A map is exact: for every cell the number of layouts that occupy it, out of a total. Percentages
are made from these integers when they are shown, and never say 0 or 100 of a cell that is merely
close to it. Colours run over the palette's scale from the least to the most likely cell not shot
yet; cells shot show what was answered instead (``.`` miss, ``x`` hit, ``X`` sunk), best cells are
marked.

    heat = HeatMap.of(Counter(position).map())          # what a counter found
    heat = HeatMap.at(position, counts, total)          # or from numbers of one's own
    print(heatmap_text(heat, colours=terminal_colours(sys.stdout)))
    save_heatmap(heat, "map.svg")                       # or .png, .pdf
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seabattle.enumerate.answers import (
    HIT,
    MISS,
    SUNK,
    answer_symbol,
    answer_text,
    game_words,
    is_sunk,
)
from seabattle.enumerate.board import Board, cells_of, column_name, mask_of
from seabattle.enumerate.colours import (
    DARK,
    LIGHT,
    Colours,
    Palette,
    Theme,
    painted,
    palette_of,
    share_between,
)
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.picture import (
    LARGE,
    LINE_SIZE,
    MARGIN,
    TITLE_SIZE,
    Boards,
    CellFace,
    Scale,
    best_frame,
    colour_bar,
    coloured_board,
    document,
    ground_of,
    heading,
    id_prefix,
    rect,
    require_picture,
    save_picture,
    share_bar,
    sunk_mask,
    text_line,
    text_width,
)
from seabattle.enumerate.words import counted, percent_text, plain

if TYPE_CHECKING:
    from seabattle.enumerate.map import AloneMap, ChanceMap, OccupancyMap, ShipMap
    from seabattle.enumerate.position import Position

TITLE = "How likely each cell is occupied"
MOST_NAMED = 12
"""Largest number of best cells that are named one by one."""

MIN_WIDTH = 380
"""Least width of a picture, for heading and legend of a small board."""


@dataclass(frozen=True)
class HeatMap:
    """How many of the layouts still possible occupy each cell; see ``of`` and ``at``.

    Attributes
    ----------
    position
        The game: cells shot show what was answered.
    counts
        Rows of integers, top row first: layouts (or their weight) that occupy each cell.
    total
        Number (or weight) of all layouts.
    best_cells
        Cells to shoot, in reading order.
    title
        Heading of the picture.
    layouts
        Number of layouts, where the total is not that; it is told, not drawn.
    prior
        Name of the prior under which the chances hold; empty when all layouts are equally likely.
    """

    position: Position
    counts: tuple[tuple[int, ...], ...]
    total: int
    best_cells: tuple[int, ...]
    title: str
    layouts: int
    prior: str = ""

    @classmethod
    def at(
        cls, position: Position, counts: Iterable[Iterable[Any]], total: int, title: str = TITLE
    ) -> HeatMap:
        """Map of a game in progress from numbers: rows of integers, or an array of numpy.

        The best cells are those not shot that most layouts occupy.

        Raises
        ------
        DrawingError
            If the counts do not fit the board, or one is negative or above the total.

        Examples
        --------
        >>> from seabattle.enumerate.position import Position
        >>> from seabattle.enumerate.rules import Rules
        >>> position = Position.of_cells(Rules("3x3", "3,1,1"), miss=["B2"], hit=["A1"])
        >>> HeatMap.at(position, [[4, 1, 4], [1, 0, 1], [4, 1, 4]], 4).best_shots
        ('C1', 'A3', 'C3')
        """
        board = position.rules.board
        rows = tuple(tuple(int(count) for count in row) for row in counts)
        shape = [len(row) for row in rows]
        if shape != [board.columns] * board.rows:
            raise DrawingError(
                f"heat map: {sum(shape)} counts in {len(rows)} rows; the board {board} needs "
                f"{board.rows} rows of {board.columns}"
            )
        flat = [count for row in rows for count in row]
        if total < 1 or min(flat) < 0 or max(flat) > total:
            raise DrawingError(
                f"heat map: counts must be from 0 to the total, and the total {total} at least 1"
            )
        left = list(cells_of(board.full_mask & ~position.shot_mask))
        most = max((flat[cell] for cell in left), default=0)
        best = tuple(cell for cell in left if most and flat[cell] == most)
        return cls(position, rows, total, best, title, total)

    @classmethod
    def of(
        cls,
        found: OccupancyMap | ChanceMap | ShipMap | AloneMap,
        best_cells: Iterable[int] | None = None,
        title: str | None = None,
    ) -> HeatMap:
        """The map that a counter found; by default its best cells are marked.

        The map of one length of ship says so in its title, unless another one is given.
        """
        board = found.position.rules.board
        parts = [found.share(cell)[0] for cell in range(board.cells)]
        rows = [tuple(parts[at : at + board.columns]) for at in range(0, len(parts), board.columns)]
        best = found.best_cells if best_cells is None else best_cells
        return cls(
            found.position,
            tuple(rows),
            found.share(0)[1],
            tuple(sorted(best)),
            found.title if title is None else title,
            found.layouts,
            found.prior_name,
        )

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.rules.board

    @property
    def best_shots(self) -> tuple[str, ...]:
        """Names of the best cells, in reading order."""
        return tuple(map(self.board.name, self.best_cells))

    @cached_property
    def answers(self) -> dict[int, int]:
        """For every cell shot: ``MISS``, ``HIT``, or ``SUNK`` where its ship is sunk."""
        sunk = sunk_mask(self.position.rules, self.position.shots)
        sunk |= mask_of(cell for ship in self.position.ships for cell in ship)
        return {
            cell: SUNK if sunk >> cell & 1 or is_sunk(code) else MISS if code == MISS else HIT
            for cell, code in self.position.shots
        }

    def count(self, cell: int) -> int:
        """Layouts that occupy a cell."""
        row, column = divmod(cell, self.board.columns)
        return self.counts[row][column]

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """Least and greatest count of the cells not shot yet; None when all are shot."""
        left = [self.count(cell) for cell in range(self.board.cells) if cell not in self.answers]
        return (min(left), max(left)) if left else None

    def share(self, cell: int) -> float | None:
        """Where a cell not shot yet is on the scale, 0 to 1; None of others."""
        if cell in self.answers or self.span is None:
            return None
        return share_between(self.count(cell), *self.span)

    def subtitle(self) -> str:
        """Board, number of layouts, prior, and the best cells with their chance."""
        parts = [str(self.board)]
        if self.layouts:
            parts.append(counted(self.layouts, "layout", separator=","))
        if self.prior:
            parts.append(f"prior {plain(self.prior)}")
        if self.best_cells:
            names = list(self.best_shots[:MOST_NAMED])
            more = len(self.best_cells) - len(names)
            if more:
                names.append(f"and {counted(more, 'more cell')}")
            chances = {percent_text(self.count(cell), self.total) for cell in self.best_cells}
            chance = f" ({chances.pop()} %)" if len(chances) == 1 else ""
            parts.append(f"best {' '.join(names)}{chance}")
        return " · ".join(parts)

    def _repr_svg_(self) -> str:
        return heatmap_svg(self)


def heatmap_text(
    heat: HeatMap, *, colours: Colours | str = Colours.NONE, width: int | None = None
) -> str:
    """The map as text: percentages under column letters, best cells marked ``*``.

    Parameters
    ----------
    heat
        The heat map.
    colours
        ``none``, ``256`` or ``truecolour``; see ``terminal_colours``. What the colours say is in
        the text too.
    width
        Columns of the terminal: where one decimal would not fit, whole percents are printed.

    Raises
    ------
    DrawingError
        If the colours are unknown.

    Examples
    --------
    >>> from seabattle.enumerate.position import Position
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position.of_cells(Rules("3x3", "3,1,1"), miss=["B2"], hit=["A1"])
    >>> heat = HeatMap.at(position, [[4, 1, 4], [1, 0, 1], [4, 1, 4]], 4)
    >>> print(heatmap_text(heat))
    How likely each cell is occupied
    3x3 · 4 layouts · best C1 A3 C3 (100 %)
    <BLANKLINE>
         A      B      C
     1   x    25.0    100*
     2 25.0     .    25.0
     3  100*  25.0    100*
    <BLANKLINE>
    percent of layouts   * best   . miss   x hit
    """
    try:
        colours = Colours(colours)
    except ValueError:
        right = ", ".join(kind.value for kind in Colours)
        raise DrawingError(f"colours {quoted(colours)} are unknown: write {right}") from None
    lines = [plain(heat.title), heat.subtitle(), "", *_grid(heat, colours, width)]
    signs = ["* best"] if heat.best_cells else []
    codes = sorted(set(heat.answers.values()))
    signs += [f"{answer_symbol(code)} {answer_text(code)}" for code in codes]
    lines += ["", "   ".join(["chance in percent" if heat.prior else "percent of layouts", *signs])]
    if colours is not Colours.NONE and heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        steps = (DARK.scale(i / 31) for i in range(32))
        bar = "".join(painted(" ", step, colours, bold=False) for step in steps)
        lines.append(f"{low} {bar} {high}")
    return "\n".join(line.rstrip() for line in lines)


def _grid(heat: HeatMap, colours: Colours, width: int | None) -> list[str]:
    """The board of percentages; every column is as wide as the widest needs."""
    board = heat.board
    label = max(2, len(str(board.rows)))
    for decimals in (1, 0):
        texts = [
            answer_symbol(heat.answers[cell])
            if cell in heat.answers
            else percent_text(heat.count(cell), heat.total, decimals=decimals)
            for cell in range(board.cells)
        ]
        wide = max(len(column_name(board.columns - 1)), *map(len, texts))
        if width is None or label + (wide + 3) * board.columns <= width:
            break
    heads = (_middle(column_name(column), wide) for column in range(board.columns))
    lines = [" " * label + "".join(f" {head}  " for head in heads)]
    for row in range(board.rows):
        line = f"{row + 1:>{label}}"
        for cell in range(row * board.columns, (row + 1) * board.columns):
            best = cell in heat.best_cells
            inner = _middle(texts[cell], wide) if cell in heat.answers else texts[cell].rjust(wide)
            text, share = f" {inner}{'*' if best else ' '} ", heat.share(cell)
            line += text if share is None else painted(text, DARK.scale(share), colours, bold=best)
        lines.append(line)
    return lines


def _middle(text: str, width: int) -> str:
    """The text centred, one place to the right where it cannot be exact."""
    left = (width - len(text) + 1) // 2
    return (" " * left + text).ljust(width)


def _size(heat: HeatMap) -> tuple[Scale, int]:
    """Sizes for a board, and the decimals of its percentages."""
    side = max(heat.board.rows, heat.board.columns)
    sizes = ((6, 60, 16, 1), (12, 48, 13.5, 1), (26, 38, 11, 1), (side, 26, 10, 0))
    _, cell, text, decimals = next(size for size in sizes if side <= size[0])
    return Scale(cell, text, label=12), decimals


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
    >>> from seabattle.enumerate.position import Position
    >>> from seabattle.enumerate.rules import Rules
    >>> heat = HeatMap.at(Position(Rules("2x2", "1")), [[1, 1], [1, 1]], 4)
    >>> heatmap_svg(heat).startswith("<svg ")
    True
    """
    palette = palette_of(theme)
    size, decimals = _size(heat)
    board, game = heat.board, game_words(heat.position.rules)
    gutter = max(18, round(text_width(str(board.rows), LINE_SIZE)) + 8)
    inner = max(gutter + board.columns * size.cell, MIN_WIDTH)
    lines = [(plain(heat.title), TITLE_SIZE), (plain(game), LINE_SIZE)]
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
    shapes.append(coloured_board(Boards(board, size, palette=palette), faces, left, top))
    key, end = _legend(heat, left, top + board.rows * size.cell + 24, inner - gutter, palette)
    shots = tuple(heat.answers.items())
    content = (
        board, heat.counts, heat.total, shots, heat.best_cells, heat.title,
        *((heat.layouts, heat.prior) if heat.prior else ()), game,
    )  # fmt: skip
    return document(
        id_prefix("h", content) + ("" if palette is LIGHT else palette.theme.value[0]),
        inner + 2 * MARGIN,
        end + MARGIN,
        heat.title,
        "\n".join([*shapes, *key]),
        description=f"{game}\n{heatmap_text(heat)}",
        ground=palette.ground,
    )


def _legend(
    heat: HeatMap, left: float, y: float, width: float, palette: Palette
) -> tuple[list[str], float]:
    """The colour bar with its ends named, then the signs; and where they end."""
    found: list[str] = []
    if heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        whole = f" under the prior {plain(heat.prior)}" if heat.prior else " of the layouts"
        if low == high:
            edge = palette.sea_line
            found.append(rect(left, y, 24, 14, fill=ground_of(0.5, palette), stroke=edge, line=1))
            found += [text_line(left + 32, y + 11, f"{low}{whole}", 12, palette.ink_soft)]
        else:
            high += whole
            names = text_width(low, LINE_SIZE) + text_width(high, LINE_SIZE)
            length = max(60.0, min(260.0, width - names - 16))
            found += colour_bar(left, y, length, low, high, gap=6, palette=palette)
        y += 30
    u, x = 18.0, left
    entries = [("best", -1)] if heat.best_cells else []
    entries += [(answer_text(code), code) for code in sorted(set(heat.answers.values()))]
    for name, code in entries:
        need = u + 6 + text_width(name, 12) + 16
        if x > left and x + need > left + width:
            x, y = left, y + 26
        if code < 0:
            found += [rect(x, y, u, u, fill=ground_of(1.0, palette))]
            if not palette.filled:
                found += share_bar(1.0, x, y, u, palette)
            found += best_frame(x, y, u, palette)
        else:
            sign = Boards(heat.board, LARGE, palette=palette).sign(code)
            found += [rect(x, y, u, u, fill=palette.shot)]
            found.append(f'<g transform="translate({x:g} {y:g})">{sign}</g>')
        found.append(text_line(x + u + 6, y + 13, name, 12, palette.ink_soft))
        x += need
    return found, y + (u if entries else 0)


def save_heatmap(
    heat: HeatMap, path: str | Path, *, scale: float | None = None, theme: Theme | str = Theme.LIGHT
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
    require_picture(path, "heat map")
    save_picture(heatmap_svg(heat, theme=theme), path, scale=scale)
