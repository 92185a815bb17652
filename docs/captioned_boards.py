"""Boards in rows with captions: what the pictures of the theory pages are made of.

Boards, ships and marks are drawn by the program's own renderer; this file only lays boards out in
rows and writes on them what the pages speak of. Layouts are listed by the program, so that every
number in a picture is counted when the picture is made.

Signs beyond those of the program: ``~`` is a cell still to come that must be water, a digit on a
ship how many of its cells are to come, a thick line the frontier, ``?`` a cell that is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from seabattle import DecisionTable, Position, Rules, enumerate_layouts
from seabattle.enumerate.colours import LIGHT, css, text_on
from seabattle.enumerate.picture import ENDS, LINKS, Boards, Scale
from seabattle.enumerate.placements import Placement

FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
FRONTIER = "#b45309"
TO_COME = LIGHT.shot
GOOD = "#0b6e4f"
WATER = "#1a5a86"
MONOSPACE = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"

WIDE = Scale(cell=30, text=13, label=12, gap=26, rank_gap=0)
SMALL = Scale(cell=14, text=13, label=0, gap=10, rank_gap=0)
MARGIN = 12
LINE = 17
LETTER = 7.1
"""Width of a letter of the captions, about."""


@dataclass(frozen=True)
class Panel:
    """One board and what is written on it and below it."""

    rules: Rules
    ships: Sequence[Placement] = ()
    shots: Sequence[tuple[int, int]] = ()
    fills: dict[int, str] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    dashed: Sequence[int] = ()
    frontier: int | None = None
    caption: Sequence[str] = ()
    faded: bool = False
    scale: Scale = WIDE

    @property
    def rows(self) -> int:
        return self.rules.board.rows

    @property
    def columns(self) -> int:
        return self.rules.board.columns

    @property
    def width(self) -> float:
        text = max((len(line) for line in self.caption), default=0) * LETTER
        return max(self.columns * self.scale.cell + self.scale.gutter, text)

    @property
    def height(self) -> int:
        return self.rows * self.scale.cell + self.scale.gutter + LINE * len(self.caption)

    def inside(self, boards: Boards) -> str:
        """The board from its own corner, drawn by the program's renderer, with what is added."""
        u = self.scale.cell
        parts = [boards.use(f"{boards.prefix}b")]
        for cell, colour in self.fills.items():
            x, y = self._corner(cell)
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{u - 2}" height="{u - 2}" fill="{colour}"/>'
            )
        parts += [boards.ships(self.ships), boards.marks(self.shots)]
        for cell in self.dashed:
            x, y = self._corner(cell)
            parts.append(
                f'<rect x="{x + 4}" y="{y + 4}" width="{u - 8}" height="{u - 8}" rx="6" '
                f'fill="none" stroke="{GOOD}" stroke-width="2.4" stroke-dasharray="4 3"/>'
            )
        for cell, text in self.texts.items():
            x, y = self._corner(cell)
            back = self.fills.get(cell, "#ffffff")
            rgb = (int(back[1:3], 16), int(back[3:5], 16), int(back[5:7], 16))
            size, down = (22, 8) if text == "~" else (15, 5)
            colour = WATER if text == "~" else css(text_on(rgb))
            parts.append(
                f'<text x="{x + u / 2:g}" y="{y + u / 2 + down:g}" font-size="{size}" '
                f'text-anchor="middle" fill="{colour}">{escape(text)}</text>'
            )
        if self.frontier is not None:
            parts.append(self._line(self.frontier))
        return "".join(parts)

    def _corner(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        return column * self.scale.cell, row * self.scale.cell

    def _line(self, place: int) -> str:
        """The frontier before the cell at a place of the sweep: a line with one step."""
        u = self.scale.cell
        row, column = divmod(place, self.columns)
        x, y, right = column * u, row * u, self.columns * u
        path = f"M-5 {y + u}H{x}V{y}H{right + 5}" if column else f"M-5 {y}H{right + 5}"
        return f'<path d="{path}" fill="none" stroke="{FRONTIER}" stroke-width="3.4"/>'


Row = tuple[str, Sequence["Panel | str"]]
"""A line above the boards, and boards with signs between them."""

SIGN = 46


def picture(title: str, rows: Sequence[Row]) -> str:
    """Rows of boards as one SVG document."""
    kinds = list(
        dict.fromkeys((p.rules, p.scale) for _, row in rows for p in row if isinstance(p, Panel))
    )
    drawn: dict[tuple[Rules, Scale], list[str]] = {kind: [] for kind in kinds}
    prefixes = [f"t{number}" for number in range(len(kinds))]
    made = [Boards(*kind, prefix) for kind, prefix in zip(kinds, prefixes, strict=True)]
    boards = dict(zip(kinds, made, strict=True))
    words: list[str] = []
    y, widest = float(MARGIN), 0.0
    for heading, row in rows:
        if heading:
            words.append(_text(MARGIN, y + 13, heading, "start", bold=True))
            widest = max(widest, MARGIN + len(heading) * (LETTER + 0.4))
            y += LINE + 8
        panels = [item for item in row if isinstance(item, Panel)]
        tallest = max(p.rows * p.scale.cell + p.scale.gutter for p in panels)
        x = float(MARGIN)
        for number, item in enumerate(row):
            if isinstance(item, str):
                middle = y + panels[0].scale.gutter + panels[0].rows * panels[0].scale.cell / 2
                size = 24 if len(item) == 1 else 13
                wide = max(SIGN, len(item) * LETTER + 24)
                at = x + (wide + 6) / 2
                words.append(_text(at, middle + size / 3, item, "middle", size))
                x += wide
                continue
            long = item.columns * item.scale.cell
            gutter = item.scale.gutter
            left = x + gutter + (item.width - gutter - long) / 2
            top = y + gutter
            faded = ' opacity="0.38"' if item.faded else ""
            drawn[item.rules, item.scale].append(
                f'<g transform="translate({left:g} {top:g})"{faded}>'
                f"{item.inside(boards[item.rules, item.scale])}</g>"
            )
            for line, text in enumerate(item.caption):
                at = top + item.rows * item.scale.cell + LINE * (line + 1)
                words.append(_text(left + long / 2, at, text, "middle"))
            x += item.width
            if number + 1 < len(row) and isinstance(row[number + 1], Panel):
                x += item.scale.gap
        widest = max(widest, x)
        lines = max(len(p.caption) for p in panels)
        y += tallest + LINE * lines + 16
    width, height = round(widest + MARGIN), round(y - 16 + MARGIN)
    groups = "\n".join(
        f'<g id="{prefix}">{"".join(drawn[kind])}</g>'
        for prefix, kind in zip(prefixes, kinds, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{LINKS} width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title" '
        f'font-family="{FONTS}" {ENDS}>\n<title id="title">{escape(title)}</title>\n'
        f"<defs>\n{chr(10).join(b.defs() for b in made)}\n</defs>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f"{groups}\n{''.join(words)}\n</svg>\n"
    )


def _text(x: float, y: float, text: str, anchor: str, size: int = 13, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    if set(text) <= set("_~123"):  # a profile
        weight, size = f' font-family="{MONOSPACE}"', 14
    colour = LIGHT.ink_soft if size > 14 else LIGHT.ink
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(text)}</text>'
    )


# --- what the pages speak of ---------------------------------------------------------------------

TINY = Rules("3x3", "2,1", "none", "sunk")
Layout = list[Placement]


def ships(rules: Rules, *names: str) -> Layout:
    """Placements by their names."""
    return [Placement.parse(name, rules.board) for name in names]


def shots(rules: Rules, *history: tuple[str, str]) -> tuple[tuple[int, int], ...]:
    """Pairs of cell and answer code."""
    return Position.read(rules, history).shots


def all_layouts(rules: Rules) -> list[Layout]:
    """Every layout of a game."""
    found = enumerate_layouts(rules)
    return [found.placements(number) for number in range(len(found))]


def left(rules: Rules, *history: tuple[str, str]) -> list[Layout]:
    """The layouts that fit a history."""
    table = DecisionTable.build(rules).at(Position.read(rules, history))
    return [table.layouts.placements(int(number)) for number in table.index]


def layouts_in_words(count: int) -> str:
    return f"{count} layout" if count == 1 else f"{count} layouts"


def occupied(layout: Layout) -> int:
    """Mask of a layout's cells."""
    return sum(placement.mask for placement in layout)
