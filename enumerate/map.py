"""The map of a board: a number for each cell, what the numbers mean, and their pictures.

The numbers of a ``HeatMap`` are whole numbers of layouts, or chances. Those of a counter count the
layouts that occupy each cell; under a prior they say how likely each cell is to be occupied. A map
of all ships knows the same of each placement, so ``of_length`` gives the map of the ships of one
length alone: where can the ship of length 4 be?

Two ships of one length never share a cell. So the number of layouts in which such a ship occupies a
cell is the sum, over the placements that cover the cell, of the number of layouts that have the
placement. The map of all ships already holds these numbers.

Percentages are made from fractions when they are shown, and never say 0 or 100 of a cell that is
merely close to it. Of a board too large to count they are estimated, and come with their errors.
Colours run over the palette's scale from the least to the most likely cell not
shot yet; cells shot show what was answered instead (``.`` miss, ``x`` hit, ``X`` sunk), best cells
are marked.

    found = Counter(position).map()                     # what a counter found
    found = HeatMap(position, total, counts)            # or from numbers of one's own
    print(heatmap_text(found, colours=shows_colours(sys.stdout)))
    save_heatmap(found, "map.svg")                      # or .png, .pdf
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate import picture
from seabattle.enumerate.answers import answer_symbol, answer_text, game_words
from seabattle.enumerate.board import Board, column_name
from seabattle.enumerate.colours import DARK, Palette, Theme, painted, palette_of, share_between
from seabattle.enumerate.counting.estimate import Estimate
from seabattle.enumerate.errors import DrawingError, FleetError, quoted
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import about, counted, first_of, percent_text, plain

ALIKE = 1e-9
"""Chances whose relative difference is at most this count as equal."""

SURE = 1e-11
"""A chance this close to 1 counts as 1; rounding errors are smaller."""

MOST_NAMED = 12
"""Likeliest cells that are named one by one."""

WHOLE = 10**15
"""Chances are rounded to multiples of 1 / WHOLE where they are shown."""


def ship_length(rules: Rules, length: int) -> int:
    """A length, when the fleet has such a ship.

    Raises
    ------
    FleetError
        If it has none.
    """
    if length not in rules.fleet.counts:
        raise FleetError(f"length {quoted(length)}: the fleet {rules.fleet} has no such ship")
    return int(length)


class Salvo(NamedTuple):
    """Shots of one turn by name, and the hits to expect of them."""

    cells: tuple[str, ...]
    hits: float

    def document(self) -> dict[str, Any]:
        """What a map or advice adds for a turn of several shots.

        Fields
        ------
        salvo: with --salvo: the cells of a turn with the most hits to expect, likeliest first
        salvo_hits: with --salvo: how many hits to expect of it
        """
        return {"salvo": list(self.cells), "salvo_hits": self.hits}

    def facts(self) -> list[tuple[str, str]]:
        """The same as labels and texts."""
        return [("salvo", f"{' '.join(self.cells) or 'none'}: {self.hits:.2f} hits to expect")]


@dataclass(frozen=True, repr=False)
class HeatMap:
    """A number for each cell of a position's board.

    Parameters
    ----------
    position
        What is known: cells shot show what was answered.
    layouts
        Number of layouts that fit the answers, exact unless the map is estimated, those of weight 0
        included; 0 if unknown.
    cells
        The numbers in reading order, also as rows or as an array: whole numbers of layouts, or
        chances from 0 to 1. They are kept as one tuple.
    title
        What the map shows, in words.
    prior_name
        How the prior is called; empty when all layouts are equally likely.
    marked
        The cells to be called best; by default the likeliest not shot.
    placements
        Of a map of all ships: for each placement of the rules' placement table, the number of
        layouts that have it, or the chance that a ship lies there.
    labelled_layouts
        The number of layouts with identical ships distinguished, except those known to be sunk.
    lengths
        Of a map of the ships of one length or some alone, sunk ones included: the lengths.
    estimate
        Of a map that is estimated, from layouts drawn, where a board is too large to count: what
        they say. The number of layouts is then an estimate, too.
    errors
        Of an estimated map: the standard error of each cell's chance.
    not_counted
        Of an estimated map: what the exact count would need, in words.
    error
        Bound on the relative error of a chance that is above 1e-300.

    Raises
    ------
    DrawingError
        If there is not a number for each cell, or one is negative or above the layouts.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position.of_cells(Rules("3x3", "3,1,1"), miss=["B2"], hit=["A1"])
    >>> HeatMap(position, 4, [[4, 1, 4], [1, 0, 1], [4, 1, 4]]).best_shots
    ('C1', 'A3', 'C3')
    """

    position: Position
    layouts: int
    cells: tuple[float, ...]
    _: KW_ONLY
    title: str = "How likely each cell is occupied"
    prior_name: str = ""
    marked: tuple[int, ...] | None = None
    placements: tuple[float, ...] = ()
    labelled_layouts: int = 0
    lengths: tuple[int, ...] = ()
    estimate: Estimate | None = None
    errors: tuple[float, ...] = ()
    not_counted: str = ""
    error: float = 0.0

    def __post_init__(self) -> None:
        cells = tuple(np.asarray(self.cells, dtype=object).ravel().tolist())
        object.__setattr__(self, "cells", cells)
        fits = len(cells) == self.board.cells
        if not fits or min(cells) < 0 or max(cells) > (self.layouts if self.counts_layouts else 1):
            raise DrawingError(
                f"heat map: give the board {self.board} {self.board.cells} counts from 0 to the "
                f"number of layouts, which is {self.layouts}, or chances from 0 to 1"
            )

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.rules.board

    @property
    def counts_layouts(self) -> bool:
        """Whether the numbers are whole numbers of layouts, not chances."""
        return isinstance(self.cells[0], int)

    def records(self) -> list[dict[str, Any]]:
        """One row per cell, in reading order, as pandas and polars take them.

        ``layouts`` occupy the cell, None where the map has chances; ``shot`` is its answer, None
        where it was not shot.

        Examples
        --------
        >>> from seabattle import Counter, Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().records()[0]
        {'cell': 'A1', 'row': 1, 'column': 'A', 'layouts': 4, 'chance': 1.0, 'shot': None}
        """
        shots, board, shares = dict(self.position.shots), self.board, self.shares
        return [
            {
                "cell": board.name(cell),
                "row": cell // board.columns + 1,
                "column": column_name(cell % board.columns, board.letters),
                "layouts": number if self.counts_layouts else None,
                "chance": float(shares[cell]),
                "shot": answer_text(shots[cell]) if cell in shots else None,
            }
            for cell, number in enumerate(self.cells)
        ]

    def document(self) -> dict[str, Any]:
        """What is known of the layouts, and how likely each cell is occupied, as JSON.

        Fields
        ------
        layouts: layouts that fit, exactly unless estimated; may exceed 2^53
        labelled_layouts: the same with identical ships told apart
        prior: how the prior is called
        length: length of the ships shown, of several a list
        occupancy: rows of whole numbers, top row first: layouts that occupy the cell
        chances: rows of numbers from 0 to 1, top row first: how likely the cell is occupied
        best: every likeliest cell not shot yet; of an estimated map every cell that may be it
        estimated: on a board too large to count, where all numbers are about right: samples,
            the layouts drawn; effective, so many equally likely ones would say as much;
            layouts_error, the standard error of layouts, relative to it; error, the standard errors
            of the chances, by rows; exactly, what the exact count would need
        """
        document: dict[str, Any] = {}
        if self.placements:
            document["layouts"] = self.layouts
            document["labelled_layouts"] = self.labelled_layouts
        if self.placements and self.prior_name:
            document["prior"] = self.prior_name
        if self.lengths:
            lengths = list(self.lengths)
            document["length"] = lengths if len(lengths) > 1 else lengths[0]
        kind = "occupancy" if self.counts_layouts else "chances"
        document[kind] = list(map(list, self.rows))
        document["best"] = list(self.best_shots)
        if self.estimate is not None:
            told = Fraction(self.layouts)
            document["occupancy"] = [[round(told * Fraction(n)) for n in row] for row in self.rows]
            document["estimated"] = {
                **self.estimate.document(),
                "error": list(map(list, self.board.by_rows(self.errors))),
                "exactly": self.not_counted,
            }
        return document

    def facts(self) -> list[tuple[str, str]]:
        """The map as labels and texts, the game apart."""
        facts = []
        if self.placements and self.estimate is not None:
            facts += self.estimate.facts()
            facts.append(("exactly", self.not_counted))
        elif self.placements:
            facts.append(("layouts", f"{self.layouts:,}"))
            facts.append(("identical ships told apart", f"{self.labelled_layouts:,}"))
        if self.placements and self.prior_name:
            facts.append(("prior", self.prior_name))
        if self.best_cells:
            first = max(self.best_cells, key=self.cells.__getitem__)
            called = f"likeliest for length {self._of}" if self.lengths else "likeliest cells"
            named = first_of(self.best_shots, MOST_NAMED)
            facts.append((called, f"{named}: {self.chance_text(first, decimals=2)}"))
        return facts

    @property
    def _of(self) -> str:
        """The lengths in words."""
        return " or ".join(map(str, self.lengths))

    def of_length(self, *lengths: int) -> HeatMap:
        """The map of the ships of one length, or of either of some, of a map of all ships.

        Ships do not overlap, so the map of several lengths is the sum of those of each.

        It has no best cells when every such ship is known to be hit in all its cells.

        Raises
        ------
        FleetError
            If the fleet has no such ship.

        Examples
        --------
        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> found = Counter(Rules("3x3", "3,1,1")).map()
        >>> found.of_length(3).rows
        ((2, 1, 2), (1, 0, 1), (2, 1, 2))
        >>> found.of_length(3, 1).rows == found.rows
        True
        """
        rules = self.position.rules
        lengths = tuple(sorted({ship_length(rules, each) for each in lengths}, reverse=True))
        table = placement_table(rules)
        ships = zip(table.lengths, self.placements, strict=True)
        over = table.over_cells([n if each in lengths else 0 for each, n in ships])
        # Rounding may bring a certain ship to a little more than 1.
        cells = tuple(over if self.counts_layouts else [min(chance, 1.0) for chance in over])
        best, errors = None, self.errors
        if self.estimate is not None:
            cells, errors, best = self.estimate.cells(*lengths)
        several = sum(rules.fleet.counts[length] for length in lengths) > 1
        found = replace(
            self, cells=cells, marked=best, placements=(), lengths=lengths, errors=errors
        )
        ship = "a ship" if several else "the ship"
        return replace(found, title=f"How likely {ship} of length {found._of} occupies each cell")

    def likeliest(self, numbers: Sequence[float]) -> tuple[int, ...]:
        """Of numbers like those of the map, one per cell, where the greatest not shot are."""
        shot = self.position.shot_mask
        left = {cell: number for cell, number in enumerate(numbers) if not shot >> cell & 1}
        most = max(left.values(), default=0)
        least = most if self.counts_layouts else most * (1 - ALIKE)
        return tuple(cell for cell, number in left.items() if number >= least and number > 0)

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """The chance of each cell, as it is shown: only an impossible cell has 0, a certain one 1.

        Exact where the map counts layouts.
        """
        if self.counts_layouts:
            return tuple(Fraction(int(n), self.layouts) for n in self.cells)
        return tuple(
            Fraction(min(max(round(n * WHOLE), int(n > 0)), WHOLE - (n < 1 - SURE)), WHOLE)
            for n in self.cells
        )

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The numbers of the cells by rows, top row first."""
        return self.board.by_rows(self.cells)

    @cached_property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of the likeliest cells among those not shot, in reading order."""
        return self.likeliest(self.cells) if self.marked is None else tuple(sorted(self.marked))

    @property
    def best_shots(self) -> tuple[str, ...]:
        """The same cells by name."""
        return tuple(map(self.board.name, self.best_cells))

    def salvo(self, shots: int) -> Salvo:
        """The shots of one turn with the most hits to expect: the likeliest cells, in order.

        Shots of a turn are chosen before any is answered, so the hits to expect add up, whatever
        the others are.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().salvo(5)
        Salvo(cells=('A1', 'C1', 'A3', 'C3', 'B1'), hits=4.25)
        """
        position, cells = self.position, self.cells
        left = [c for c, count in enumerate(cells) if count and not position.shot_mask >> c & 1]
        chosen = sorted(left, key=lambda cell: (-cells[cell], cell))[:shots]
        hits = float(sum(self.shares[cell] for cell in chosen))
        return Salvo(tuple(map(self.board.name, chosen)), hits)

    @property
    def certain_cells(self) -> tuple[int, ...]:
        """Numbers of the cells that are occupied in every layout."""
        return tuple(cell for cell, share in enumerate(self.shares) if share == 1)

    def chance(self, cell: str | int) -> Fraction | float:
        """Probability that a cell, given by name or number, is occupied; exact without a prior.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> found = Counter(Rules("3x3", "3,1,1")).map()
        >>> found.chance("B1"), found.of_length(3).chance("A1")
        (Fraction(1, 4), Fraction(1, 2))
        """
        number = self.board.cell(cell)
        return self.shares[number] if self.counts_layouts else self.cells[number]

    def percent(self, cell: int, *, decimals: int = 1) -> str:
        """The chance of a cell in percent, as text without the sign."""
        return percent_text(self.shares[cell], decimals=decimals)

    def chance_text(self, cell: int, *, decimals: int = 1) -> str:
        """The chance of a cell, and what may be wrong with it, as text: ``about 28.0 ± 0.1 %``."""
        chance = self.percent(cell, decimals=decimals)
        return f"about {chance} ± {self._error_text([cell])} %" if self.errors else f"{chance} %"

    @property
    def largest_error(self) -> str:
        """Of an estimated map: the greatest standard error of a chance, in percent."""
        return self._error_text(range(self.board.cells))

    def _error_text(self, cells: Sequence[int]) -> str:
        """The greatest standard error of some cells in percent, rounded up."""
        return f"{ceil(1000 * max(self.errors[cell] for cell in cells)) / 10:g}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The numbers as an array ``(rows, columns)``; whole numbers of any size as objects."""
        exact = any(isinstance(count, int) and count >= 1 << 63 for count in self.cells)
        found = np.array(self.rows, dtype=object if exact else None)
        return found if dtype is None else found.astype(dtype)

    @cached_property
    def signs(self) -> dict[int, int]:
        """For every cell shot: ``MISS``, ``HIT``, or ``SUNK`` where its ship is sunk."""
        return picture.signs_of(self.position.rules, self.position.shots, self.position.ships)

    @cached_property
    def span(self) -> tuple[Fraction, Fraction] | None:
        """Least and greatest chance of the cells not shot yet; None when all are shot."""
        left = [share for cell, share in enumerate(self.shares) if cell not in self.signs]
        return (min(left), max(left)) if left else None

    def faces(self, decimals: int) -> list[picture.CellFace]:
        """What each cell shows: the sign of its answer, or its percentage on its colour."""
        low, high = self.span or (0, 0)
        faces = []
        for cell, share in enumerate(self.shares):
            if cell in self.signs:
                sign = self.signs[cell]
                faces.append(picture.CellFace(None, answer_symbol(sign), sign))
            else:
                text, best = self.percent(cell, decimals=decimals), cell in self.best_cells
                on_scale = share_between(float(share), float(low), float(high))
                faces.append(picture.CellFace(on_scale, text, best=best))
        return faces

    def subtitle(self) -> str:
        """Board, number of layouts, prior, and the best cells with their chance."""
        parts = [str(self.board)]
        if self.estimate is not None:
            parts.append(f"{about(self.layouts, self.estimate.layouts_error)} layouts")
        elif self.layouts:
            parts.append(counted(self.layouts, "layout"))
        if self.prior_name:
            parts.append(f"prior {plain(self.prior_name)}")
        if self.best_cells:
            chances = set(map(self.chance_text, self.best_cells))
            chance = f" ({chances.pop()})" if len(chances) == 1 else ""
            parts.append(f"best {first_of(self.best_shots, MOST_NAMED)}{chance}")
        return " · ".join(parts)

    def __repr__(self) -> str:
        what = f"the ships of length {self._of} in " if self.lengths else ""
        layouts = f"{self.layouts:,} layouts" if self.layouts else "chances"
        if self.estimate is not None:
            layouts = f"{about(self.layouts, self.estimate.layouts_error)} layouts"
        under = f" under prior {self.prior_name}" if self.prior_name else ""
        answers = f"; {self.position.words}" if self.position.shots else ""
        return f"<map of {what}{layouts}{under}: {self.position.rules}{answers}>"

    def _repr_svg_(self) -> str:
        return heatmap_svg(self)


def heatmap_text(heat: HeatMap, *, colours: bool = False, width: int | None = None) -> str:
    """The map as text: percentages under column letters, best cells marked ``*``.

    Parameters
    ----------
    heat
        The heat map.
    colours
        Whether to paint them, for a terminal. What the colours say is in the text too.
    width
        Columns of the terminal: where one decimal would not fit, whole percents are printed.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position.of_cells(Rules("3x3", "3,1,1"), miss=["B2"], hit=["A1"])
    >>> print(heatmap_text(HeatMap(position, 4, [4, 1, 4, 1, 0, 1, 4, 1, 4])))
    How likely each cell is occupied
    3x3 · 4 layouts · best C1 A3 C3 (100 %)
    <BLANKLINE>
          A    B    C
     1    x 25.0 *100
     2 25.0    . 25.0
     3 *100 25.0 *100
    <BLANKLINE>
    percent of layouts   * best   . miss   x hit
    """

    def grid(decimals: int, colours: bool = False) -> str:
        faces = heat.faces(decimals)

        def paint(cell: int, text: str) -> str:
            face = faces[cell]
            if face.share is None or not colours:
                return text
            return painted(text, DARK.scale(face.share), bold=face.best)

        return heat.board.grid((f"{'*' * face.best}{face.text}" for face in faces), paint)

    decimals = int(width is None or max(map(len, grid(1).split("\n"))) <= width)
    signs = ["* best"] if heat.best_cells else []
    codes = sorted(set(heat.signs.values()))
    signs += [f"{answer_symbol(code)} {answer_text(code)}" for code in codes]
    unit = "percent of layouts" if heat.counts_layouts else "chance in percent"
    if heat.errors:
        unit = f"chance in percent, estimated, ± {heat.largest_error} at most"
    lines = [plain(heat.title), heat.subtitle(), "", grid(decimals, colours), "",
             "   ".join([unit, *signs])]  # fmt: skip
    return "\n".join(lines)


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
    RulesError
        If there is no such theme.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> heat = HeatMap(Position(Rules("2x2", "1")), 4, [1, 1, 1, 1])
    >>> heatmap_svg(heat).startswith("<svg ")
    True
    """
    palette = palette_of(theme)
    board, game = heat.board, game_words(heat.position.rules)
    side = max(board.rows, board.columns)
    sizes = ((6, 60, 16, 1), (12, 48, 13.5, 1), (26, 38, 11, 1), (side, 26, 10, 0))
    _, cell, text, decimals = next(size for size in sizes if side <= size[0])
    size = picture.Scale(cell, text, label=12)
    gutter = max(18, round(picture.text_width(str(board.rows))) + 8)
    inner = max(gutter + board.columns * size.cell, picture.MIN_WIDTH)
    lines = (game, heat.subtitle())
    shapes, y = picture.heading(heat.title, lines, min(inner, 1400), palette)
    left, top = picture.MARGIN + gutter, y + 30
    boards = picture.Boards(heat.position.rules, size, palette=palette)
    shapes.append(picture.coloured_board(boards, heat.faces(decimals), left, top))
    key, end = _legend(heat, left, top + board.rows * size.cell + 24, inner - gutter, palette)
    description = f"{game}\n{heatmap_text(heat)}"
    return picture.document(
        picture.id_prefix("h", (heat.shares, description, palette.theme)),
        inner + 2 * picture.MARGIN,
        end + picture.MARGIN,
        heat.title,
        "\n".join([*shapes, *key]),
        description=description,
        ground=palette.ground,
    )


def _legend(
    heat: HeatMap, left: float, y: float, width: float, palette: Palette
) -> tuple[list[str], float]:
    """The colour bar with its ends named, then the signs; and where they end."""
    found: list[str] = []
    entries: list[tuple[str, picture.CellFace]] = []
    if heat.span is not None:
        low, high = (f"{percent_text(share)} %" for share in heat.span)
        whole = " of the layouts" if heat.counts_layouts else ""
        if heat.prior_name:
            whole = f" under the prior {plain(heat.prior_name)}"
        if low == high:
            entries.append((f"{low}{whole}", picture.CellFace(0.5)))
        else:
            high += whole
            found += picture.colour_bar(left, y, width, low, high, palette)
            y += 30
    if heat.best_cells:
        entries.append(("best", picture.CellFace(1.0, best=True)))
    codes = sorted(set(heat.signs.values()))
    entries += [(answer_text(code), picture.CellFace(None, answer=code)) for code in codes]
    one = picture.Boards(Rules("1x1", "1"), picture.Scale(18, text=0, label=0), palette=palette)
    signs = ((picture.coloured_board(one, [face], 0, -9), 18, name) for name, face in entries)
    key, height = picture.key_lines(signs, width, palette)
    found.append(f'<g transform="translate({left:g} {y + 9:g})">{key}</g>')
    return found, y + height


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
        If the suffix is another one, the scale too large, or a package that writes PDF is missing.
    RulesError
        If the theme is unknown.
    FileAccessError
        If the file cannot be written.
    """
    picture.save_picture(heatmap_svg(heat, theme=theme), path, scale=scale)
