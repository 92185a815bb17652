"""Boards whose cells are coloured by a number, as shapes: heat maps and probability maps.

Everything is a list of shapes in pixels, so that SVG and PNG show the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seabattle.enumerate.display.colours import css
from seabattle.enumerate.display.palette import LIGHT, Palette
from seabattle.enumerate.display.shapes import Disc, Line, Rect, Shape, Text
from seabattle.enumerate.display.signs import (
    HIT_ARM,
    HIT_LINE,
    MISS_RADIUS,
    SUNK_ARM,
    SUNK_INSET,
    SUNK_LINE,
)
from seabattle.enumerate.display.svg import text_width, wrapped
from seabattle.enumerate.game.answers import MISS, SUNK
from seabattle.enumerate.game.board import Board, column_name

MARGIN = 20
TITLE_SIZE, LINE_SIZE = 18, 12

BAR_STEPS = 64


@dataclass(frozen=True)
class CellFace:
    """What is drawn in one cell.

    Attributes
    ----------
    share
        Where it is on the scale, 0 to 1; None for a cell shot.
    text
        The text on it.
    answer
        ``MISS``, ``HIT`` or ``SUNK`` for a cell shot.
    best
        Whether it is framed and its text is bold.
    """

    share: float | None
    text: str = ""
    answer: int = MISS
    best: bool = False


@dataclass(frozen=True)
class BoardSize:
    """Sizes of a coloured board, in pixels.

    Attributes
    ----------
    cell, text
        Side of a cell; size of the text in it.
    text_drop
        Base line of that text below the middle of the cell.
    label, label_gap, label_drop
        Size of column letters and row numbers, their distance from the board, and the base line of
        a row number below the middle of its row.
    """

    cell: int
    text: float
    text_drop: float
    label: int
    label_gap: int
    label_drop: float


def heading(
    lines: Sequence[tuple[str, int]], width: float, palette: Palette = LIGHT
) -> tuple[list[Shape], int]:
    """Lines of text above a drawing, each with its size, and where they end."""
    shapes: list[Shape] = []
    y = MARGIN
    for text, size in lines:
        title = size == TITLE_SIZE
        for line in wrapped(text, size, width) if text else ():
            y += round(size * 1.4)
            ink = palette.ink if title else palette.ink_soft
            shapes.append(Text(MARGIN, y - 4, line, size, ink, bold=title))
    return shapes, y


def coloured_board(
    board: Board,
    faces: Sequence[CellFace],
    left: float,
    top: float,
    size: BoardSize,
    palette: Palette = LIGHT,
) -> list[Shape]:
    """A board with labels; ``faces`` in reading order, its upper left corner at (left, top)."""
    u, soft = size.cell, palette.ink_soft
    labels: list[Shape] = [
        Text(left + (c + 0.5) * u, top - size.label_gap, column_name(c), size.label, soft, "middle")
        for c in range(board.columns)
    ]
    for r in range(board.rows):
        y = top + (r + 0.5) * u + size.label_drop
        labels.append(Text(left - size.label_gap, y, str(r + 1), size.label, soft, "end"))
    grounds: list[Shape] = []
    marks: list[Shape] = []
    frames: list[Shape] = []
    between = palette.ground if palette.filled else palette.sea_line
    for cell, face in enumerate(faces):
        row, column = divmod(cell, board.columns)
        x, y = left + column * u, top + row * u
        fill = palette.shot if face.share is None else ground_of(face.share, palette)
        grounds.append(Rect(x, y, u, u, fill=fill, stroke=between, line=1))
        if face.share is None:
            marks += answer_sign(face.answer, x, y, u, palette)
        else:
            if not palette.filled:
                marks += share_bar(face.share, x, y, u, palette)
            base = y + u / 2 + size.text_drop - (0 if palette.filled else 0.06 * u)
            ink = palette.number_on(palette.scale(face.share))
            marks.append(Text(x + u / 2, base, face.text, size.text, ink, "middle", bold=face.best))
        if face.best:
            frames += best_frame(x, y, u, palette)
    edge = Rect(left, top, board.columns * u, board.rows * u, stroke=soft, line=1)
    return [*labels, *grounds, *marks, edge, *frames]


def ground_of(share: float, palette: Palette) -> str:
    """Ground of a cell that is so far up the scale."""
    return css(palette.scale(share)) if palette.filled else palette.sea


def share_bar(share: float, x: float, y: float, u: float, palette: Palette) -> list[Shape]:
    """A bar as long as a cell is likely, at the foot of its square of side ``u`` at (x, y)."""
    inset, high = 0.14 * u, max(2.0, 0.09 * u)
    long = (u - 2 * inset) * min(max(share, 0.0), 1.0)
    return [Rect(x + inset, y + u - inset - high / 2, long, high, fill=palette.heat)]


def answer_sign(code: int, x: float, y: float, u: float, palette: Palette = LIGHT) -> list[Shape]:
    """A miss, hit or sunk cell in the square of side ``u`` at (x, y)."""
    if code == MISS:
        return [Disc(x + u / 2, y + u / 2, u * MISS_RADIUS, palette.miss)]
    sunk = code == SUNK
    reach = u * (SUNK_ARM if sunk else HIT_ARM)
    near, far = u / 2 - reach, u / 2 + reach
    stroke, line = (palette.wreck_ink, SUNK_LINE) if sunk else (palette.hit, HIT_LINE)
    line *= u
    side = u * (1 - 2 * SUNK_INSET)
    square = Rect(x + u * SUNK_INSET, y + u * SUNK_INSET, side, side, fill=palette.wreck)
    return [
        *([square] if sunk else []),
        Line(x + near, y + near, x + far, y + far, stroke, line),
        Line(x + near, y + far, x + far, y + near, stroke, line),
    ]


def best_frame(x: float, y: float, u: float, palette: Palette = LIGHT) -> list[Shape]:
    """The frame of a best cell, with a line of the ground in it: it stands out on any colour."""
    line = max(2.0, u * 0.07)
    inset = line / 2
    inner = inset + line * 0.85
    short, side = u - 2 * inner, u - 2 * inset
    frame = Rect(x + inset, y + inset, side, side, stroke=palette.target, line=line)
    if not palette.filled:
        return [frame]
    return [Rect(x + inner, y + inner, short, short, stroke=palette.ground, line=line * 0.7), frame]


def colour_bar(
    left: float, y: float, length: float, low: str, high: str, *, gap: float,
    palette: Palette = LIGHT,
) -> list[Shape]:  # fmt: skip
    """The scale, its ends named by texts at a distance of ``gap``."""
    start, step = left + text_width(low, LINE_SIZE) + gap, length / BAR_STEPS
    shapes: list[Shape] = []
    if palette.filled:
        for i in range(BAR_STEPS):
            # Each step extends under the next one, so that no seam shows between them.
            reach = min(2, BAR_STEPS - i) * step
            fill = css(palette.scale(i / (BAR_STEPS - 1)))
            shapes.append(Rect(start + i * step, y, reach, 14, fill=fill))
        shapes.append(Rect(start, y, length, 14, stroke=palette.sea_line, line=1))
    else:
        for i in range(5):
            long = length / 6
            x, wide = start + i * (length - long) / 4, long * i / 4
            shapes.append(Rect(x, y, long, 14, stroke=palette.sea_line, line=1))
            shapes.append(Rect(x, y + 9, wide, 3, fill=palette.heat))
    shapes.append(Text(left, y + 11, low, LINE_SIZE, palette.ink_soft))
    shapes.append(Text(start + length + gap, y + 11, high, LINE_SIZE, palette.ink_soft))
    return shapes
