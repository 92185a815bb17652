"""Heat maps: how likely each cell is occupied, as text, SVG, PNG or PDF.

A map is exact: for every cell the number of layouts that occupy it, out of a total. Percentages
are made from these integers when they are shown, and never say 0 or 100 of a cell that is merely
close to it. Colours run over the palette's scale from the least to the most likely cell not shot
yet; cells shot show what was answered instead (``.`` miss, ``x`` hit, ``X`` sunk), best cells are
marked.

    heat = HeatMap.at(position, counts, total)          # a game in progress
    heat = HeatMap("3x3", counts, total, title="…")     # or from the parts
    print(heatmap_text(heat, colours=terminal_colours(sys.stdout)))
    save_heatmap(heat, "map.svg")                       # or .png, .pdf
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from seabattle.enumerate.answers import HIT, MISS, SUNK, game_words, is_sunk
from seabattle.enumerate.board import Board, cells_of, column_name, mask_of
from seabattle.enumerate.colours import DARK, Colour, painted, share_between
from seabattle.enumerate.colours import Colours as Colours
from seabattle.enumerate.colours import terminal_colours as terminal_colours
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.picture import id_prefix, sunk_mask
from seabattle.enumerate.words import counted, plain
from seabattle.enumerate.words import percent_text as percent_text

if TYPE_CHECKING:
    from seabattle.enumerate.map import AloneMap, ChanceMap, OccupancyMap, ShipMap
    from seabattle.enumerate.position import Position

TITLE = "How likely each cell is occupied"
MOST_NAMED = 12
"""Largest number of best cells that are named one by one."""


@dataclass(frozen=True, init=False)
class HeatMap:
    """How many of the layouts still possible occupy each cell.

    Parameters
    ----------
    board
        A ``Board`` or text such as ``10x10``.
    counts
        Rows of integers, top row first: layouts (or their weight) that occupy each cell. Integers
        of any size; arrays of numpy are welcome.
    total
        Number (or weight) of all layouts, at least 1.
    shots
        Pairs (cell, answer code) as in ``Position.shots``. Every cell that belongs to a sunk ship
        should have the answer ``sunk``; ``HeatMap.at`` sees to that.
    best_cells
        Cells to shoot, as numbers or names; by default every cell not shot that most layouts
        occupy.
    title
        Heading of the picture; by default ``TITLE``.
    layouts
        Number of layouts, where the total is not that; it is told, not drawn.
    prior
        Name of the prior under which the chances hold; empty when all layouts are equally likely.
    game
        The fleet and the rules in words, for the heading of the picture; ``HeatMap.at`` and
        ``HeatMap.of`` write them.

    Raises
    ------
    DrawingError
        If the counts do not fit the board, or one is negative or above the total.
    BoardError
        If a cell does not exist.

    Examples
    --------
    >>> heat = HeatMap("3x3", [[4, 1, 4], [1, 0, 1], [4, 1, 4]], 4, shots=[(0, 1), (4, 0)])
    >>> heat.best_shots
    ('C1', 'A3', 'C3')
    """

    board: Board
    counts: tuple[tuple[int, ...], ...]
    total: int
    shots: tuple[tuple[int, int], ...]
    best_cells: tuple[int, ...]
    title: str
    layouts: int
    prior: str
    game: str

    def __init__(
        self,
        board: Board | str,
        counts: Iterable[Iterable[Any]],
        total: int,
        shots: Iterable[tuple[int, int]] = (),
        best_cells: Iterable[int | str] | None = None,
        title: str = TITLE,
        layouts: int | None = None,
        prior: str = "",
        game: str = "",
    ) -> None:
        board = Board.parse(board) if isinstance(board, str) else board
        rows = tuple(tuple(int(count) for count in row) for row in counts)
        shape = [len(row) for row in rows]
        if shape != [board.columns] * board.rows:
            raise DrawingError(
                f"heat map: {sum(shape)} counts in {len(rows)} rows; the board {board} needs "
                f"{board.rows} rows of {board.columns}"
            )
        if total < 1 or any(not 0 <= count <= total for row in rows for count in row):
            raise DrawingError(
                f"heat map: counts must be from 0 to the total, and the total {total} at least 1"
            )
        made = tuple((int(cell), int(code)) for cell, code in shots)
        shot = {board.cell(cell) for cell, _ in made}
        if best_cells is None:
            flat = [count for row in rows for count in row]
            open_cells = [cell for cell in range(board.cells) if cell not in shot]
            most = max((flat[cell] for cell in open_cells), default=0)
            best_cells = [cell for cell in open_cells if most and flat[cell] == most]
        cells = [board.cell(cell) for cell in best_cells]
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "counts", rows)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "shots", made)
        object.__setattr__(self, "best_cells", tuple(sorted(set(cells))))
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "layouts", total if layouts is None else layouts)
        object.__setattr__(self, "prior", prior)
        object.__setattr__(self, "game", game)

    @classmethod
    def at(
        cls,
        position: Position,
        counts: Iterable[Iterable[Any]],
        total: int,
        best_cells: Iterable[int | str] | None = None,
        title: str = TITLE,
        layouts: int | None = None,
        prior: str = "",
    ) -> HeatMap:
        """Map of a game in progress: its misses, hits and every cell known to be sunk.

        >>> from seabattle.enumerate.position import Position
        >>> from seabattle.enumerate.rules import Rules
        >>> rules = Rules("2x3", "2,1", answers="sunk")
        >>> position = Position.of_cells(rules, sunk=["A1:A2"])
        >>> HeatMap.at(position, [[2, 0, 1], [2, 0, 1]], 2).shots
        ((0, 2), (3, 2))
        """
        sunk = sunk_mask(position.rules, position.shots)
        sunk |= mask_of(cell for ship in position.ships for cell in ship)
        shots = [(cell, SUNK if sunk >> cell & 1 else code) for cell, code in position.shots]
        board = position.rules.board
        game = game_words(position.rules)
        return cls(board, counts, total, shots, best_cells, title, layouts, prior, game)

    @classmethod
    def of(
        cls,
        found: OccupancyMap | ChanceMap | ShipMap | AloneMap,
        best_cells: Iterable[int | str] | None = None,
        title: str | None = None,
    ) -> HeatMap:
        """The map that a counter found; by default its best cells are marked.

        The map of one length of ship says so in its title, unless another one is given.
        """
        board = found.position.rules.board
        shares = [found.share(cell) for cell in range(board.cells)]
        parts = [part for part, _ in shares]
        rows = [parts[at : at + board.columns] for at in range(0, board.cells, board.columns)]
        best = found.best_cells if best_cells is None else best_cells
        prior = found.prior_name
        if title is None:
            title = getattr(found, "title", TITLE)
        return cls.at(found.position, rows, shares[0][1], best, title, found.layouts, prior)

    @property
    def best_shots(self) -> tuple[str, ...]:
        """Names of the best cells, in reading order."""
        return tuple(map(self.board.name, self.best_cells))

    @cached_property
    def answers(self) -> Mapping[int, int]:
        """For every cell shot: ``MISS``, ``HIT`` or ``SUNK``."""
        return {
            cell: MISS if code == MISS else SUNK if is_sunk(code) else HIT
            for cell, code in self.shots
        }

    def count(self, cell: int | str) -> int:
        """Layouts that occupy a cell, given by name or number."""
        row, column = divmod(self.board.cell(cell), self.board.columns)
        return self.counts[row][column]

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """Least and greatest count of the cells not shot yet; None when all are shot."""
        left = [self.count(cell) for cell in cells_of(self.board.full_mask & ~self._shot)]
        return (min(left), max(left)) if left else None

    @property
    def _shot(self) -> int:
        return mask_of(self.answers)

    def share(self, cell: int | str) -> float | None:
        """Where a cell not shot yet is on the scale, 0 to 1; None of others."""
        cell = self.board.cell(cell)
        if cell in self.answers or self.span is None:
            return None
        return share_between(self.count(cell), *self.span)

    def colour(self, cell: int | str) -> Colour | None:
        """Colour of a cell not shot yet in a terminal, None of others."""
        share = self.share(cell)
        return None if share is None else DARK.scale(share)

    @property
    def prefix(self) -> str:
        """Start of the picture's ids: the same for the same map, another one for another."""
        return id_prefix(
            "h",
            (
                self.board, self.counts, self.total, self.shots, self.best_cells, self.title,
                *((self.layouts, self.prior) if self.prior else ()), self.game,
            ),
        )  # fmt: skip

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
        from seabattle.trees.drawing.heatmap_picture import heatmap_svg

        return heatmap_svg(self)


_SIGNS = {MISS: ".", HIT: "x", SUNK: "X"}
_MEANINGS = {MISS: "miss", HIT: "hit", SUNK: "sunk"}


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
        Columns of the terminal: where one decimal would not fit, whole percents are printed, then
        without a space on either side, then some columns of the board below the others. Other
        lines are broken.

    Raises
    ------
    DrawingError
        If the colours are unknown.

    Examples
    --------
    >>> heat = HeatMap("3x3", [[4, 1, 4], [1, 0, 1], [4, 1, 4]], 4, shots=[(0, 1), (4, 0)])
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
    lines = [*_broken(plain(heat.title), width), *_broken(heat.subtitle(), width), ""]
    grid = _fitting_grid(heat, width)
    lines += grid.parts(colours, width)
    signs = [f"* {'before ' if grid.tight else ''}best"] if heat.best_cells else []
    present = sorted(set(heat.answers.values()))
    signs += [f"{_SIGNS[code]} {_MEANINGS[code]}" for code in present]
    legend = "   ".join(["chance in percent" if heat.prior else "percent of layouts", *signs])
    lines += ["", *_broken(legend, width)]
    if colours is not Colours.NONE and heat.span is not None:
        low, high = (f"{percent_text(count, heat.total)} %" for count in heat.span)
        long = 32 if width is None else max(2, min(32, width - len(low) - len(high) - 2))
        steps = (DARK.scale(i / (long - 1)) for i in range(long))
        bar = "".join(painted(" ", step, colours, bold=False) for step in steps)
        lines.append(f"{low} {bar} {high}")
    return "\n".join(line.rstrip() for line in lines)


def _broken(line: str, width: int | None) -> list[str]:
    """A line as lines that fit."""
    return [line] if width is None or len(line) <= width else wrap(line, width)


def _fitting_grid(heat: HeatMap, width: int | None) -> _Grid:
    """The board, as spacious as a width allows."""
    for grid in (_Grid.of(heat, decimals=1), _Grid.of(heat, decimals=0)):
        if width is None or grid.label + grid.pad * heat.board.columns <= width:
            return grid
    return _Grid.of(heat, decimals=0, tight=True)


@dataclass(frozen=True)
class _Grid:
    """Board of percentages; every column is as wide as the widest needs."""

    heat: HeatMap
    texts: tuple[str, ...]
    wide: int
    tight: bool

    @classmethod
    def of(cls, heat: HeatMap, *, decimals: int, tight: bool = False) -> _Grid:
        board = heat.board
        texts = []
        for cell in range(board.cells):
            answer = heat.answers.get(cell)
            percent = percent_text(heat.count(cell), heat.total, decimals=decimals)
            texts.append(percent if answer is None else _SIGNS[answer])
        wide = max(len(column_name(board.columns - 1)), *(len(t) for t in texts))
        return cls(heat, tuple(texts), wide, tight)

    @property
    def label(self) -> int:
        """Width of the numbers of the rows."""
        return max(2, len(str(self.heat.board.rows)))

    @property
    def pad(self) -> int:
        """Width of a column: with the mark of a best cell, and a space on either side if loose."""
        return self.wide + (1 if self.tight else 3)

    def parts(self, colours: Colours, width: int | None) -> list[str]:
        """The board, cut into parts of about as many columns where it is wider than that."""
        columns = range(self.heat.board.columns)
        most = len(columns) if width is None else max(1, (width - self.label) // self.pad)
        each = -(-len(columns) // -(-len(columns) // most))
        cuts = [columns[at : at + each] for at in range(0, len(columns), each)]
        return [line for cut in cuts for line in ("", *self.lines(colours, cut))][1:]

    def lines(self, colours: Colours, columns: range) -> list[str]:
        """Some columns of the board."""
        heat = self.heat
        heads = (_middle(column_name(column), self.wide) for column in columns)
        spaced = (f" {head}" if self.tight else f" {head}  " for head in heads)
        lines = [" " * self.label + "".join(spaced)]
        for row in range(heat.board.rows):
            line = f"{row + 1:>{self.label}}"
            for column in columns:
                cell = row * heat.board.columns + column
                best = cell in heat.best_cells
                shown = self.texts[cell]
                inner = _middle(shown, self.wide) if cell in heat.answers else shown
                mark = "*" if best else " "
                text = inner.rjust(self.wide)
                text = f"{mark}{text}" if self.tight else f" {text}{mark} "
                back = heat.colour(cell)
                line += text if back is None else painted(text, back, colours, bold=best)
            lines.append(line)
        return lines


def _middle(text: str, width: int) -> str:
    """The text centred, one place to the right where it cannot be exact."""
    left = (width - len(text) + 1) // 2
    return (" " * left + text).ljust(width)
