"""Boards whose cells are coloured by a number, as shapes: heat maps and probability maps.

Everything is a list of shapes in pixels, so that SVG and PNG show the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seabattle.enumerate.display.boards import GREY, INK, RED
from seabattle.enumerate.display.colours import Colour, css, text_on, viridis
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

SHOT = "#e9edf1"
"""Ground of cells shot: no colour of the scale."""

BAR_STEPS = 64


@dataclass(frozen=True)
class CellFace:
    """What is drawn in one cell.

    Attributes
    ----------
    colour
        Its colour on the scale; None for a cell shot.
    text
        The text on it.
    answer
        ``MISS``, ``HIT`` or ``SUNK`` for a cell shot.
    best
        Whether it is framed and its text is bold.
    """

    colour: Colour | None
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


def heading(lines: Sequence[tuple[str, int]], width: float) -> tuple[list[Shape], int]:
    """Lines of text above a drawing, each with its size, and where they end."""
    shapes: list[Shape] = []
    y = MARGIN
    for text, size in lines:
        title = size == TITLE_SIZE
        for line in wrapped(text, size, width) if text else ():
            y += round(size * 1.4)
            shapes.append(Text(MARGIN, y - 4, line, size, INK if title else GREY, bold=title))
    return shapes, y


def coloured_board(
    board: Board, faces: Sequence[CellFace], left: float, top: float, size: BoardSize
) -> list[Shape]:
    """A board with labels; ``faces`` in reading order, its upper left corner at (left, top)."""
    u = size.cell
    labels: list[Shape] = [
        Text(left + (c + 0.5) * u, top - size.label_gap, column_name(c), size.label, GREY, "middle")
        for c in range(board.columns)
    ]
    for r in range(board.rows):
        y = top + (r + 0.5) * u + size.label_drop
        labels.append(Text(left - size.label_gap, y, str(r + 1), size.label, GREY, "end"))
    grounds: list[Shape] = []
    marks: list[Shape] = []
    frames: list[Shape] = []
    for cell, face in enumerate(faces):
        row, column = divmod(cell, board.columns)
        x, y = left + column * u, top + row * u
        ground = SHOT if face.colour is None else css(face.colour)
        grounds.append(Rect(x, y, u, u, fill=ground, stroke="#fff", line=1))
        if face.colour is None:
            marks += answer_sign(face.answer, x, y, u)
        else:
            base, ink = y + u / 2 + size.text_drop, css(text_on(face.colour))
            marks.append(Text(x + u / 2, base, face.text, size.text, ink, "middle", bold=face.best))
        if face.best:
            frames += best_frame(x, y, u)
    edge = Rect(left, top, board.columns * u, board.rows * u, stroke=GREY, line=1)
    return [*labels, *grounds, *marks, edge, *frames]


def answer_sign(code: int, x: float, y: float, u: float) -> list[Shape]:
    """A miss, hit or sunk cell in the square of side ``u`` at (x, y)."""
    if code == MISS:
        return [Disc(x + u / 2, y + u / 2, u * MISS_RADIUS, GREY)]
    sunk = code == SUNK
    reach = u * (SUNK_ARM if sunk else HIT_ARM)
    near, far = u / 2 - reach, u / 2 + reach
    stroke, line = ("#fff", u * SUNK_LINE) if sunk else (INK, u * HIT_LINE)
    inset = u * SUNK_INSET
    ground = [Rect(x + inset, y + inset, u - 2 * inset, u - 2 * inset, fill=INK)] if sunk else []
    return [
        *ground,
        Line(x + near, y + near, x + far, y + far, stroke, line),
        Line(x + near, y + far, x + far, y + near, stroke, line),
    ]


def best_frame(x: float, y: float, u: float) -> list[Shape]:
    """The frame of a best cell: red on white, so that it stands out on any colour."""
    line = max(2.0, u * 0.07)
    inset = line / 2
    inner = inset + line * 0.85
    return [
        Rect(x + inner, y + inner, u - 2 * inner, u - 2 * inner, stroke="#fff", line=line * 0.7),
        Rect(x + inset, y + inset, u - 2 * inset, u - 2 * inset, stroke=RED, line=line),
    ]


def colour_bar(
    left: float, y: float, length: float, low: str, high: str, *, gap: float
) -> list[Shape]:
    """The colour scale, its ends named by texts at a distance of ``gap``."""
    start, step = left + text_width(low, LINE_SIZE) + gap, length / BAR_STEPS
    shapes: list[Shape] = []
    for i in range(BAR_STEPS):
        # Each step extends under the next one, so that no seam shows between them.
        reach = min(2, BAR_STEPS - i) * step
        shapes.append(Rect(start + i * step, y, reach, 14, fill=css(viridis(i / (BAR_STEPS - 1)))))
    shapes.append(Text(left, y + 11, low, LINE_SIZE, GREY))
    shapes.append(Text(start + length + gap, y + 11, high, LINE_SIZE, GREY))
    return shapes
