"""Boards as SVG: the shapes that all boards of a drawing share, and the marks of one board.

Shapes are defined once per drawing and used by reference; marks that differ from board to board
are one path per kind. Signs differ in shape as well as in colour: a miss is a dot, a hit a cross,
a cell known to be sunk a cross on a dark square, the current shot a target in a frame, a ship a
rounded bar. Colours are those of ``palette``.

Everything is plain SVG 1.1: attributes instead of style sheets, ``xlink:href``, and no text in
pieces, so that every renderer shows the same (some lay a ``tspan`` over the text before it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seabattle.enumerate.display.palette import LIGHT, Palette
from seabattle.enumerate.display.signs import (
    HIT_ARM,
    HIT_LINE,
    MISS_RADIUS,
    SUNK_ARM,
    SUNK_INSET,
    SUNK_LINE,
)
from seabattle.enumerate.game.answers import HIT_SHIP, MISS, is_sunk
from seabattle.enumerate.game.board import Board, cells_of, column_name, mask_of
from seabattle.enumerate.game.deductions import hit_group
from seabattle.enumerate.game.placements import Placement
from seabattle.enumerate.game.rules import AnswerMode, Contact, Rules


@dataclass(frozen=True)
class Scale:
    """Sizes of a drawing, in pixels.

    Attributes
    ----------
    cell
        Side of a cell, even, so that the middles of cells are whole numbers and the file short.
    text
        Size of the lines under a board.
    label
        Size of column letters and row numbers, 0 for boards without them.
    gap, rank_gap
        Space between neighbours, and between a node and its children.
    """

    cell: int
    text: int
    label: int
    gap: int
    rank_gap: int

    @property
    def gutter(self) -> int:
        """Space for the labels beside and above a board."""
        return self.label + 6 if self.label else 0


LARGE = Scale(cell=18, text=11, label=9, gap=18, rank_gap=46)
SMALL = Scale(cell=12, text=9, label=0, gap=8, rank_gap=40)


def sunk_mask(rules: Rules, shots: Sequence[tuple[int, int]]) -> int:
    """Mask of the cells that the answers show to belong to sunk ships.

    Under the contact rules ``none`` and ``corners`` these are the hit cells joined to a shot
    answered ``sunk``; under ``sides`` other cells of the sunk ship can be uncertain, so that only
    the cell of that shot counts. In mode ``ship`` they are the cells of a ship all hit.

    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> sunk_mask(rules, [(0, 1), (1, 2), (8, 0)])
    3
    """
    hits = {cell: code for cell, code in shots if code != MISS}
    if rules.answers is AnswerMode.SHIP:
        named: dict[int, list[int]] = {}
        for cell, code in hits.items():
            named.setdefault(code, []).append(cell)
        whole = [cells for code, cells in named.items() if len(cells) == (code - HIT_SHIP) // 64]
        return mask_of(cell for cells in whole for cell in cells)
    sunk = mask_of(cell for cell, code in hits.items() if is_sunk(code))
    if rules.contact is Contact.SIDES:
        return sunk
    for cell in cells_of(sunk):
        sunk |= hit_group(rules.board, mask_of(hits), cell)
    return sunk


class Boards:
    """The boards of one drawing.

    Parameters
    ----------
    rules
        The game.
    scale
        Sizes.
    prefix
        Start of every id, so that drawings on one page do not mix.
    palette
        Colours.
    """

    def __init__(self, rules: Rules, scale: Scale, prefix: str, palette: Palette = LIGHT) -> None:
        self.rules = rules
        self.board: Board = rules.board
        self.scale = scale
        self.prefix = prefix
        self.palette = palette
        self.width = self.board.columns * scale.cell
        self.height = self.board.rows * scale.cell

    def _corner(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.board.columns)
        return column * self.scale.cell, row * self.scale.cell

    def ship_id(self, length: int, *, vertical: bool) -> str:
        """Id of the shape of a ship."""
        return f"{self.prefix}{'v' if vertical and length > 1 else 's'}{length}"

    def defs(self) -> str:
        """The shared shapes: board, current shot, and the fleet's ships both ways."""
        u, own = self.scale.cell, self.palette
        width, height = self.width, self.height
        grid = "".join(f"M{x} 0v{height}" for x in range(u, width, u))
        grid += "".join(f"M0 {y}h{width}" for y in range(u, height, u))
        parts = [
            f'<g id="{self.prefix}b"><rect width="{width}" height="{height}" fill="{own.sea}"/>',
            f'<path fill="none" stroke="{own.sea_line}" stroke-width="{u * 0.05:g}" d="{grid}"/>',
            f'<rect width="{width}" height="{height}" fill="none" stroke="{own.ink_soft}" '
            f'stroke-width="{u * 0.07:g}"/>{self._labels()}</g>',
        ]
        inset, middle = u * 0.06, u / 2
        side = u - 2 * inset
        parts.append(
            f'<g id="{self.prefix}t"><rect x="{inset:g}" y="{inset:g}" width="{side:g}" '
            f'height="{side:g}" fill="{own.aim}" stroke="{own.target}" '
            f'stroke-width="{u * 0.12:g}"/>'
            f'<circle cx="{middle:g}" cy="{middle:g}" r="{u * 0.24:g}" fill="none" '
            f'stroke="{own.target}" stroke-width="{u * 0.1:g}"/>'
            f'<circle cx="{middle:g}" cy="{middle:g}" r="{u * 0.08:g}" fill="{own.target}"/></g>'
        )
        inset = u * 0.11
        for length in self.rules.fleet.counts:
            for vertical in (False, True) if length > 1 else (False,):
                long, short = length * u - 2 * inset, u - 2 * inset
                w, h = (short, long) if vertical else (long, short)
                parts.append(
                    f'<rect id="{self.ship_id(length, vertical=vertical)}" x="{inset:g}" '
                    f'y="{inset:g}" width="{w:g}" height="{h:g}" rx="{short / 2:g}" '
                    f'fill="{own.hull}" stroke="{own.ship}" stroke-width="{u * 0.08:g}"/>'
                )
        return "\n".join(parts)

    def _labels(self) -> str:
        u, size = self.scale.cell, self.scale.label
        if not size:
            return ""
        columns = "".join(
            f'<text x="{(c + 0.5) * u:g}" y="-4">{column_name(c)}</text>'
            for c in range(self.board.columns)
        )
        rows = "".join(
            f'<text x="-4" y="{(r + 0.5) * u + size * 0.35:g}">{r + 1}</text>'
            for r in range(self.board.rows)
        )
        return (
            f'<g font-size="{size}" fill="{self.palette.ink_soft}" text-anchor="middle">{columns}'
            f'<g text-anchor="end">{rows}</g></g>'
        )

    def use(self, name: str, cell: int | None = None) -> str:
        """A reference to a shared shape, at a cell or at the board's corner."""
        x, y = self._corner(cell) if cell is not None else (0, 0)
        place = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
        return f'<use xlink:href="#{name}"{place}/>'

    def _crosses(self, cells: Sequence[int], share: float) -> str:
        arm = round(self.scale.cell * share)
        start, side = self.scale.cell // 2 - arm, 2 * arm
        return "".join(
            f"M{x + start} {y + start}l{side} {side}m-{side} 0l{side}-{side}"
            for x, y in map(self._corner, cells)
        )

    def _misses(self, cells: Sequence[int]) -> str:
        # Round ends of a line: not of length 0, as some renderers do not paint these.
        u = self.scale.cell
        dots = "".join(f"M{x + u // 2} {y + u // 2}h.01" for x, y in map(self._corner, cells))
        return self._stroked(dots, self.palette.miss, 2 * MISS_RADIUS)

    def _hit(self, cells: Sequence[int]) -> str:
        return self._stroked(self._crosses(cells, HIT_ARM), self.palette.hit, HIT_LINE)

    def _stroked(self, path: str, colour: str, line: float) -> str:
        """A path of one colour; ``line`` is its width as a share of a cell.

        The document says that lines end round.
        """
        width = self.scale.cell * line
        return f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" d="{path}"/>'

    def _sunk(self, cells: Sequence[int]) -> str:
        inset = round(self.scale.cell * SUNK_INSET)
        side = self.scale.cell - 2 * inset
        squares = "".join(
            f"M{x + inset} {y + inset}h{side}v{side}h-{side}z" for x, y in map(self._corner, cells)
        )
        crosses = self._crosses(cells, SUNK_ARM)
        cross = self._stroked(crosses, self.palette.wreck_ink, SUNK_LINE)
        return f'<path fill="{self.palette.wreck}" d="{squares}"/>{cross}'

    def miss_sign(self) -> str:
        """A single miss, for the legend."""
        return self._misses([0])

    def hit_sign(self) -> str:
        """A single hit, for the legend."""
        return self._hit([0])

    def sunk_sign(self) -> str:
        """A single sunk cell, for the legend."""
        return self._sunk([0])

    def marks(self, shots: Sequence[tuple[int, int]]) -> str:
        """Misses, hits and sunk cells of the shots made so far."""
        sunk = sunk_mask(self.rules, shots)
        misses = [cell for cell, code in shots if code == MISS]
        hits = [cell for cell, code in shots if code != MISS and not sunk >> cell & 1]
        parts = []
        if misses:
            parts.append(self._misses(misses))
        if hits:
            parts.append(self._hit(hits))
        if sunk:
            parts.append(self._sunk(list(cells_of(sunk))))
        return "".join(parts)

    def ships(self, placements: Sequence[Placement]) -> str:
        """The ships of a layout."""
        return "".join(
            self.use(
                self.ship_id(p.length, vertical=p.cells[-1] - p.cells[0] >= self.board.columns),
                p.cells[0],
            )
            for p in placements
        )
