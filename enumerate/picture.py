"""Pictures: boards as SVG, what stands around them, and files of SVG, PNG and PDF.

Everything is plain SVG 1.1: attributes instead of style sheets, ``xlink:href``, and no text in
pieces, so that every renderer shows the same (some lay a ``tspan`` over the text before it). Sizes
are in pixels, x to the right and y down; later shapes lie over earlier ones. No font is known to be
installed, and renderers disagree about widths: those of texts are estimated from above, so that
nothing is clipped or overlaps. Ids begin with a digest of what is drawn, so that many pictures can
be on one page.

*Boards.* ``Boards`` draws those of one picture. Signs differ in shape as well as in colour: a miss
is a dot, a hit a cross, a cell known to be sunk a cross on a dark square, the current shot a target
in a frame, a ship a rounded bar. What all boards share is defined once and used by reference, and
the signs of one kind are one path, so that boards by the thousand stay small. ``coloured_board``
colours each cell by a number instead, as maps do.

*Notebooks* ask an object for ``_repr_svg_`` or ``_repr_html_``; those methods call ``board_svg``
and ``html_table``. A table carries its few styles with each element, so that it looks alike in
every front end, and follows the page's own colours, light or dark.

*Files.* PNG is made by resvg (https://github.com/linebender/resvg, MIT or Apache 2), a renderer of
static SVG in Rust; the wheels of ``resvg-py`` (1.4 MB, one per platform for every Python from 3.10)
carry it whole. PDF is made by svglib (LGPL), which translates SVG for reportlab (BSD), with vectors
and real text; with lxml they take 23 MB, and are installed by the extra ``pdf``. Neither needs a
library of the system, as cairosvg needs cairo. Both use DejaVu Sans, which comes with matplotlib: a
file looks the same on every machine.
"""

from __future__ import annotations

import hashlib
import io
import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from html import escape
from operator import or_
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, SUNK, is_sunk
from seabattle.enumerate.board import cells_of, column_name, mask_of
from seabattle.enumerate.colours import LIGHT, Palette, css, palette_of, text_on
from seabattle.enumerate.errors import DrawingError, quoted, within
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.words import plain

FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"

MARGIN = 20
MIN_WIDTH = 380
"""Least width of what is drawn, for heading and legend of a small board."""

TITLE_SIZE, LINE_SIZE, KEY_SIZE = 18, 12, 11

_NARROW = set("iljftI.,:;'|!()[] ")


def xml(text: str) -> str:
    """Text for XML: escaped, and without the characters that XML does not allow."""
    return escape(plain(text))


def text_width(text: str, size: float = LINE_SIZE) -> float:
    """Estimate from above of the width of a line of sans-serif text, in pixels.

    >>> 60 < text_width("1428 layouts", 11) < 80
    True
    """
    ems = 0.0
    for c in text:
        if c in _NARROW:
            ems += 0.4
        elif c in "mwMW@%" or unicodedata.east_asian_width(c) in "WF":
            ems += 1.0
        else:
            ems += 0.75 if c.isupper() or c in "≈=+" else 0.63
    return ems * size


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most ``width`` pixels each.

    >>> wrapped("fleet 3,1,1 on 3x3", 10, 70)
    ['fleet 3,1,1', 'on 3x3']
    """
    most = max(8, min(len(text), int(width / (0.4 * size)) + 1))
    lines = textwrap.wrap(text, most) or [""]
    while most > 8 and any(text_width(line, size) > width for line in lines):
        most -= 1
        lines = textwrap.wrap(text, most)
    return lines


def id_prefix(letter: str, content: object) -> str:
    """Start of a drawing's ids: the same for equal content, different for different content.

    Parameters
    ----------
    letter
        First character, one for each kind of drawing.
    content
        What is drawn; its repr counts.
    """
    digest = hashlib.blake2s(repr(content).encode("utf-8", "replace"), digest_size=4)
    return letter + digest.hexdigest()


def document(
    prefix: str,
    width: float,
    height: float,
    title: str,
    body: str,
    *,
    description: str = "",
    definitions: str = "",
    ground: str = "#ffffff",
) -> str:
    """An SVG document.

    Parameters
    ----------
    prefix
        Id of the document and start of all its ids.
    width, height
        Size in pixels.
    title, description
        For screen readers; plain text.
    body, definitions
        SVG elements: what is drawn; shared shapes.
    ground
        Colour of the ground.
    """
    across, down = f"{width:.9g}", f"{height:.9g}"
    labels = f"{prefix}-title {prefix}-desc" if description else f"{prefix}-title"
    # SVG 1.1 has references in a namespace of their own, and renderers still ask for it.
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'id="{prefix}" width="{across}" height="{down}" viewBox="0 0 {across} {down}" role="img" '
        f'aria-labelledby="{labels}" font-family="{FONTS}" font-size="{LINE_SIZE}" '
        f'stroke-linecap="round">',
        f'<title id="{prefix}-title">{xml(title)}</title>',
    ]
    if description:
        lines = "\n".join(map(xml, description.split("\n")))
        parts.append(f'<desc id="{prefix}-desc">{lines}</desc>')
    behind = f'<rect width="{across}" height="{down}" fill="{ground}"/>'
    parts += [definitions, behind, body, "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def rect(
    x: float, y: float, width: float, height: float, fill: str = "none", stroke: str = "none",
    line: float = 0.0,
) -> str:  # fmt: skip
    """A rectangle; a ``fill`` or ``stroke`` of "none" is not painted."""
    edge = f' stroke="{stroke}" stroke-width="{line:g}"' if line else ""
    size = f'width="{width:g}" height="{height:g}"'
    return f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}"{edge}/>'


def text_line(
    x: float, y: float, text: str, size: float, fill: str, anchor: str = "start", *,
    bold: bool = False,
) -> str:  # fmt: skip
    """One line of text; ``y`` is its base line, ``anchor`` start, middle or end."""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"'
    return f"<text {place}{where}{weight}>{xml(text)}</text>"


@dataclass(frozen=True)
class Scale:
    """Sizes of a drawing, in pixels.

    Attributes
    ----------
    cell
        Side of a cell, even, so that the middles of cells are whole numbers and the file short.
    text
        Size of the lines under a board, or of the texts in its cells.
    label
        Size of column letters and row numbers, 0 for boards without them.
    gap, rank_gap
        Space between neighbours, and between a node and its children.
    words
        Whether numbers under a board have their nouns, and a hint says the rest.
    """

    cell: int
    text: float
    label: int
    gap: int = 0
    rank_gap: int = 0
    words: bool = False

    @property
    def gutter(self) -> int:
        """Space for the labels beside and above a board."""
        return self.label + 6 if self.label else 0


LARGE = Scale(cell=18, text=11, label=9, gap=18, rank_gap=46, words=True)
SMALL = Scale(cell=12, text=9, label=0, gap=8, rank_gap=40)


def signs_of(
    rules: Rules, shots: Sequence[tuple[int, int]], ships: Iterable[Sequence[int]] = ()
) -> dict[int, int]:
    """The sign of each cell shot: ``MISS``, ``HIT``, or ``SUNK`` where its ship is known to be.

    Under the contact rules ``none`` and ``corners`` these are the hit cells joined to a shot
    answered ``sunk``; under ``sides`` other cells of the sunk ship can be uncertain, so that only
    the cell of that shot counts, and those of known ``ships``. In mode ``ship`` they are the cells
    of a ship all hit.

    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> signs_of(rules, [(0, 1), (1, 2), (8, 0)])
    {0: 2, 1: 2, 8: 0}
    """
    hits = {cell: code for cell, code in shots if code != MISS}
    sunk = {cell for cell, code in hits.items() if is_sunk(code)}
    if rules.answers is AnswerMode.SHIP:
        met = Counter(hits.values())
        sunk = {cell for cell, code in hits.items() if met[code] == (code - HIT_SHIP) // 64}
    elif rules.contact is not Contact.SIDES:
        sunk = set(cells_of(reduce(or_, (rules.group(mask_of(hits), c) for c in sunk), 0)))
    sunk.update(*ships)
    return {cell: SUNK if cell in sunk else HIT if cell in hits else MISS for cell, _ in shots}


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

    def __init__(
        self, rules: Rules, scale: Scale, prefix: str = "", palette: Palette = LIGHT
    ) -> None:
        self.rules = rules
        self.board = self.rules.board
        self.scale = scale
        self.prefix = prefix
        self.palette = palette
        self.width = self.board.columns * scale.cell
        self.height = self.board.rows * scale.cell

    def corner(self, cell: int) -> tuple[int, int]:
        """Where the square of a cell begins, to the right of and below the board's corner."""
        row, column = divmod(cell, self.board.columns)
        return column * self.scale.cell, row * self.scale.cell

    def defs(self) -> str:
        """The shared shapes: board and current shot."""
        u, own = self.scale.cell, self.palette
        width, height = self.width, self.height
        grid = "".join(f"M{x} 0v{height}" for x in range(u, width, u))
        grid += "".join(f"M0 {y}h{width}" for y in range(u, height, u))
        land = "".join(f"M{x} {y}h{u}v{u}h-{u}z" for x, y in map(self.corner, self.rules.blocked))
        parts = [
            f'<g id="{self.prefix}b"><rect width="{width}" height="{height}" fill="{own.sea}"/>',
            f'<path fill="none" stroke="{own.sea_line}" stroke-width="{u * 0.05:g}" d="{grid}"/>',
            *([f'<path fill="{own.ink_soft}" d="{land}"/>'] if land else []),
            f'<rect width="{width}" height="{height}" fill="none" stroke="{own.ink_soft}" '
            f'stroke-width="{u * 0.07:g}"/>{self.labels()}</g>',
        ]
        inset, middle = u * 0.06, u / 2
        side = u - 2 * inset
        ground = rect(inset, inset, side, side, own.aim, own.target, u * 0.12)
        parts.append(
            f'<g id="{self.prefix}t">{ground}'
            f'<circle cx="{middle:g}" cy="{middle:g}" r="{u * 0.24:g}" fill="none" '
            f'stroke="{own.target}" stroke-width="{u * 0.1:g}"/>'
            f'<circle cx="{middle:g}" cy="{middle:g}" r="{u * 0.08:g}" fill="{own.target}"/></g>'
        )
        return "\n".join(parts)

    def labels(self) -> str:
        """Letters of the columns and numbers of the rows; nothing where their size is 0."""
        u, size = self.scale.cell, self.scale.label
        if not size:
            return ""
        columns = "".join(
            f'<text x="{(c + 0.5) * u:g}" y="-4">{column_name(c, self.board.letters)}</text>'
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
        x, y = self.corner(cell) if cell is not None else (0, 0)
        place = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
        return f'<use xlink:href="#{name}"{place}/>'

    def signs(self, cells: Mapping[int, int]) -> str:
        """The signs of some cells, each ``MISS``, ``HIT`` or ``SUNK``."""
        u, own = self.scale.cell, self.palette
        inset = round(0.2 * u)
        square = f"h{u - 2 * inset}v{u - 2 * inset}h-{u - 2 * inset}z"

        def cross(share: float) -> tuple[int, str]:
            arm = round(u * share)
            return u // 2 - arm, f"l{2 * arm} {2 * arm}m-{2 * arm} 0l{2 * arm}-{2 * arm}"

        # A dot is the round ends of a line: not of length 0, as some renderers do not paint these.
        kinds = (
            (MISS, (u // 2, "h.01"), own.miss, 0.27),
            (HIT, cross(0.24), own.hit, 0.13),
            (SUNK, (inset, square), own.wreck, 0),
            (SUNK, cross(0.17), own.wreck_ink, 0.11),
        )
        drawn = ""
        for kind, (start, shape), colour, line in kinds:
            corners = [self.corner(cell) for cell, code in cells.items() if code == kind]
            path = "".join(f"M{x + start} {y + start}{shape}" for x, y in corners)
            paint = f'fill="{colour}"'
            if line:
                paint = f'fill="none" stroke="{colour}" stroke-width="{u * line:g}"'
            if path:
                drawn += f'<path {paint} d="{path}"/>'
        return drawn

    def ships(self, placements: Iterable[Placement]) -> str:
        """The ships of a layout: their cells joined by strokes, the hull within the outline."""
        u, own, columns = self.scale.cell, self.palette, self.board.columns
        path = ""
        for ship in placements:
            cells = set(ship.cells)
            for cell in ship.cells:
                x, y = (at + u // 2 for at in self.corner(cell))
                right, below = cell + 1 in cells and (cell + 1) % columns, cell + columns in cells
                path += f"M{x} {y}h{u}" if right else f"M{x} {y}h.01" if len(cells) == 1 else ""
                path += f"M{x} {y}v{u}" if below else ""
                if right and below and cell + columns + 1 in cells:
                    path += f"h{u}v-{u}h-{u}z"
        if not path:
            return ""
        return "".join(
            f'<path fill="{colour}" stroke="{colour}" stroke-width="{u * wide:g}" '
            f'stroke-linejoin="round" d="{path}"/>'
            for colour, wide in ((own.ship, 0.86), (own.hull, 0.7))
        )


BAR_STEPS, BAR_GAP = 64, 8


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


def heading(
    title: str, lines: Sequence[str], width: float, palette: Palette = LIGHT
) -> tuple[list[str], int]:
    """A title and lines of text above a drawing, and where they end."""
    shapes: list[str] = []
    y = MARGIN
    sizes = [TITLE_SIZE, *[LINE_SIZE] * len(lines)]
    for text, size in zip((title, *lines), sizes, strict=True):
        bold = size == TITLE_SIZE
        for line in wrapped(plain(text), size, width) if text else ():
            y += round(size * 1.4)
            ink = palette.ink if bold else palette.ink_soft
            shapes.append(text_line(MARGIN, y - 4, line, size, ink, bold=bold))
    return shapes, y


def key_lines(
    entries: Iterable[tuple[str, float, str]], width: float, palette: Palette
) -> tuple[str, int]:
    """Signs and what they mean, in as many lines as the width needs; and the height.

    Parameters
    ----------
    entries
        Each sign as a shape whose left end is in the middle of its line, its width, and its text;
        a text without a sign has a line of its own.
    width
        Pixels that a line may take.
    palette
        Colours.
    """
    found, x, y = [], 0.0, 0
    for body, wide, meaning in entries:
        lead = wide + 6 if wide else 0
        texts = wrapped(meaning, KEY_SIZE, max(120, width - lead))
        need = lead + max(text_width(each, KEY_SIZE) for each in texts)
        if x and (x + need > width or not wide):
            x, y = 0.0, y + 24
        words = "".join(
            text_line(lead, 4 + 14 * n, each, KEY_SIZE, palette.ink_soft)
            for n, each in enumerate(texts)
        )
        found.append(f'<g transform="translate({x:g} {y})">{body}{words}</g>')
        x = round(x + need + 10, 1)
        y += 14 * (len(texts) - 1)
    return "\n".join(found), y + 12


def coloured_board(boards: Boards, faces: Sequence[CellFace], left: float, top: float) -> str:
    """A board with labels; ``faces`` in reading order, its upper left corner at (left, top)."""
    u, size, palette = boards.scale.cell, boards.scale.text, boards.palette
    grounds: list[str] = []
    marks: list[str] = []
    frames: list[str] = []
    between = palette.ground if palette.filled else palette.sea_line
    line = max(2.0, u * 0.07)
    frame = [(line / 2, palette.target, line)]
    if palette.filled:  # a line of the ground in the frame: it stands out on any colour
        frame.insert(0, (line * 1.35, palette.ground, line * 0.7))
    for cell, face in enumerate(faces):
        x, y = boards.corner(cell)
        fill, ink, base = palette.shot, palette.ink, y + u / 2 + 0.35 * size
        if face.share is not None and palette.filled:
            colour = palette.scale(face.share)
            fill, ink = css(colour), css(text_on(colour))
        elif face.share is not None:
            fill, base = palette.sea, base - 0.06 * u
            inset, high = 0.14 * u, max(2.0, 0.09 * u)
            long, foot = (u - 2 * inset) * face.share, y + u - inset - high / 2
            marks.append(rect(x + inset, foot, long, high, fill=palette.heat))
        grounds.append(rect(x, y, u, u, fill=fill, stroke=between, line=1))
        if face.share is not None and face.text:
            marks.append(text_line(x + u / 2, base, face.text, size, ink, "middle", bold=face.best))
        if face.best:
            for inset, edge, wide in frame:
                side = u - 2 * inset
                frames.append(rect(x + inset, y + inset, side, side, stroke=edge, line=wide))
    shot = {cell: face.answer for cell, face in enumerate(faces) if face.share is None}
    border = rect(0, 0, boards.width, boards.height, stroke=palette.ink_soft, line=1)
    inside = "\n".join([boards.labels(), *grounds, boards.signs(shot), *marks, border, *frames])
    return f'<g transform="translate({left:g} {top:g})">\n{inside}\n</g>'


def colour_bar(
    left: float, y: float, width: float, low: str, high: str, palette: Palette
) -> list[str]:
    """The scale, its ends named by texts beside it; as long as fits the width, within limits."""
    length = max(60.0, min(260.0, width - (text_width(low) + text_width(high)) - 16))
    start, step = left + text_width(low, LINE_SIZE) + BAR_GAP, length / BAR_STEPS
    shapes: list[str] = []
    if palette.filled:
        for i in range(BAR_STEPS):
            # Each step extends under the next one, so that no seam shows between them.
            reach = min(2, BAR_STEPS - i) * step
            fill = css(palette.scale(i / (BAR_STEPS - 1)))
            shapes.append(rect(start + i * step, y, reach, 14, fill=fill))
        shapes.append(rect(start, y, length, 14, stroke=palette.sea_line, line=1))
    else:
        for i in range(5):
            long = length / 6
            x, wide = start + i * (length - long) / 4, long * i / 4
            shapes.append(rect(x, y, long, 14, stroke=palette.sea_line, line=1))
            shapes.append(rect(x, y + 9, wide, 3, fill=palette.heat))
    shapes.append(text_line(left, y + 11, low, LINE_SIZE, palette.ink_soft))
    shapes.append(text_line(start + length + BAR_GAP, y + 11, high, LINE_SIZE, palette.ink_soft))
    return shapes


def board_svg(
    rules: Rules,
    *,
    title: str,
    ships: Sequence[Placement] = (),
    shots: Sequence[tuple[int, int]] = (),
    sunk: Iterable[Sequence[int]] = (),
) -> str:
    """One board with ships and shots as an SVG document.

    Parameters
    ----------
    rules
        The game.
    title
        What is drawn, for screen readers.
    ships
        Placements to draw.
    shots
        Pairs (cell, answer code) to draw.
    sunk
        Cells of ships known to be sunk, which the shots alone may not tell.

    Returns
    -------
    str
        The document; its ids are its own, so that many can be on one page.
    """
    prefix = id_prefix("b", (rules, title, [ship.cells for ship in ships], list(shots)))
    boards = Boards(rules, LARGE, prefix)
    margin = 6
    top = margin + boards.scale.gutter
    left = top + 6 * (rules.board.rows > 9)
    body = (
        f'<g transform="translate({left} {top})">{boards.use(prefix + "b")}'
        f"{boards.ships(ships)}{boards.signs(signs_of(rules, shots, sunk))}</g>"
    )
    shapes = f"<defs>\n{boards.defs()}\n</defs>"
    width, height = left + boards.width + margin, top + boards.height + margin
    return document(prefix, width, height, title, body, definitions=shapes)


def html_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    note: str = "",
    left: Sequence[int] = (0,),
) -> str:
    """A table as HTML; texts are escaped.

    Parameters
    ----------
    head
        Heads of the columns, empty for none.
    rows
        Texts of the cells, row by row.
    caption, note
        Lines above and below.
    left
        Columns aligned to the left; the others are aligned to the right.
    """

    def line(texts: Sequence[str], tag: str) -> str:
        row = ""
        for column, text in enumerate(texts):
            side = "left" if column in left else "right"
            style = f"text-align:{side};padding:2px 6px;white-space:nowrap"
            row += f'<{tag} style="{style}">{escape(text)}</{tag}>'
        return f"<tr>{row}</tr>"

    body = "".join(line(row, "td") for row in rows)
    heads = f"<thead>{line(head, 'th')}</thead>" if head else ""
    style = "text-align:left;padding:2px 6px;white-space:nowrap"
    top = f'<caption style="{style}">{escape(caption)}</caption>' if caption else ""
    after = f'<p style="margin:4px 6px;font-size:12px">{escape(note)}</p>' if note else ""
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;font-size:12px">'
        f"{top}{heads}<tbody>{body}</tbody></table>{after}</div>"
    )


SUFFIXES = (".svg", ".png", ".pdf")
PNG_SCALE = 2.0
"""Pixels of a PNG per pixel of the picture, where no scale is given."""

MOST_PIXELS = 200_000_000
LEAST_SCALE, MOST_SCALE = 0.1, 20.0

_SIZE = re.compile(r' width="([0-9.]+)" *height="([0-9.]+)"')
_FONT = "DejaVu Sans"


def require_picture(path: str | Path, what: str = "picture") -> None:
    """Reject a file whose suffix names no kind of picture, or one that cannot be written here.

    Raises
    ------
    DrawingError
        If it is another one, or a package is missing.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise DrawingError(
            f"{what} {path}: {suffix or 'a name without a suffix'} is not a picture; "
            f"write a .svg, .png or .pdf file"
        )
    if suffix == ".pdf":
        _svglib()


def zoom(scale: float | None, usual: float = 1.0) -> float:
    """A scale, or the usual one where none is given.

    Raises
    ------
    SeabattleError
        If nothing can be drawn at the scale.
    """
    return usual if scale is None else within("scale", scale, LEAST_SCALE, MOST_SCALE)


@dataclass(frozen=True)
class Pictures:
    """How pictures are written.

    Attributes
    ----------
    formats
        Suffixes without the dot: each picture is written once for each.
    scale, theme
        As in ``save_picture`` and ``palette_of``.

    Raises
    ------
    SeabattleError
        If a picture cannot be written so.
    """

    formats: tuple[str, ...] = ("svg",)
    scale: float | None = None
    theme: str = "light"

    def __post_init__(self) -> None:
        zoom(self.scale)
        for form in self.formats:
            if f".{form}" not in SUFFIXES:
                kinds = ", ".join(suffix.removeprefix(".") for suffix in SUFFIXES)
                raise DrawingError(f"--formats: {quoted(form)} is no picture: it is one of {kinds}")
            require_picture(f"picture.{form}")

    @property
    def palette(self) -> Palette:
        """The colours."""
        return palette_of(self.theme)

    def save(self, picture: str, place: Path) -> list[Path]:
        """Write an SVG document; ``place`` is a file without its suffix."""
        files = [place.with_name(f"{place.name}.{form}") for form in self.formats]
        for file in files:
            save_picture(picture, file, scale=self.scale)
        return files


def save_picture(picture: str, path: str | Path, *, scale: float | None = None) -> None:
    """Write an SVG picture as the kind of file that the suffix names.

    Parameters
    ----------
    picture
        An SVG document of this program.
    path
        ``.svg``, ``.png`` or ``.pdf``.
    scale
        Size relative to the picture's own; by default 1, and of a PNG 2. Up to 20.

    Raises
    ------
    DrawingError
        If the suffix is another one, the PNG is too large, or a package is missing.
    SeabattleError
        If the scale is too small or too large.
    FileAccessError
        If the file cannot be written.
    """
    require_picture(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".svg":
        content = resized(picture, zoom(scale)).encode("utf-8")
    else:
        content = png(picture, scale=scale) if suffix == ".png" else pdf([picture], scale=scale)
    write_bytes(path, content)


def picture_size(picture: str) -> tuple[float, float]:
    """Width and height of an SVG document, in pixels."""
    width, height = map(float, _SIZE.findall(picture)[0])
    return width, height


def resized(picture: str, scale: float) -> str:
    """An SVG document that is shown so many times as large.

    >>> resized('<svg x="1" width="10" height="4" viewBox="0 0 10 4"></svg>', 1.5)
    '<svg x="1" width="15" height="6" viewBox="0 0 10 4"></svg>'
    """
    width, height = picture_size(picture)
    size = f' width="{width * scale:g}" height="{height * scale:g}"'
    return picture if scale == 1 else _SIZE.sub(size, picture, count=1)


def png(picture: str, *, scale: float | None = None) -> bytes:
    """An SVG document as a PNG; the same document gives the same bytes.

    Raises
    ------
    DrawingError
        If it would have more than ``MOST_PIXELS`` pixels.
    """
    import resvg_py

    times = zoom(scale, PNG_SCALE)
    width, height = picture_size(picture)
    if width * height * times * times > MOST_PIXELS:
        raise DrawingError(
            f"a PNG of {width * times:,.0f} x {height * times:,.0f} pixels is too large: "
            f"write .svg or .pdf, draw less, or choose a smaller scale"
        )
    regular, bold = _fonts()
    # Signs that DejaVu lacks, such as those of China and Japan, are taken from the system.
    known = not any(ord(c) > 0x2E80 for c in picture)
    # At the scale of the document, not by zoom, which rounds the size down.
    return resvg_py.svg_to_bytes(
        svg_string=resized(picture, times),
        skip_system_fonts=known,
        font_files=[regular, bold],
        font_family=_FONT,
        sans_serif_family=_FONT,
    )


def pdf(
    pictures: Sequence[str],
    *,
    scale: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> bytes:
    """SVG documents as the pages of one PDF; a pixel of theirs is 3/4 of a point.

    ``progress`` is called with the number of each page before it is written.

    Raises
    ------
    DrawingError
        If svglib is not installed.
    """
    svglib = _svglib()
    from reportlab.graphics import renderPDF
    from reportlab.pdfgen.canvas import Canvas

    points = 0.75 * zoom(scale)
    stream = io.BytesIO()
    canvas = Canvas(stream, pageCompression=1, invariant=1)
    canvas.setCreator("seabattle")
    for number, picture in enumerate(pictures, start=1):
        if progress is not None:
            progress(number)
        width, height = picture_size(picture)
        # svglib takes a pixel for a point; it knows the font by the name registered.
        named = picture.replace(f'font-family="{FONTS}"', f'font-family="{_FONT}"')
        drawing = svglib.svg2rlg(io.BytesIO(named.encode("utf-8")))
        if drawing is None:
            raise DrawingError("svglib cannot read the picture")
        canvas.setPageSize((width * points, height * points))
        if title := re.search(r"<title[^>]*>([^<]*)</title>", picture):  # plots have none
            canvas.setTitle(title[1])
        canvas.scale(width * points / drawing.width, height * points / drawing.height)
        renderPDF.draw(drawing, canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _fonts() -> tuple[str, str]:
    """Files of the font, regular and bold."""
    from matplotlib import get_data_path

    folder = Path(get_data_path()) / "fonts" / "ttf"
    return str(folder / "DejaVuSans.ttf"), str(folder / "DejaVuSans-Bold.ttf")


@cache
def _svglib() -> Any:
    """svglib, with the font registered."""
    try:
        from svglib import svglib
        from svglib.fonts import register_font
    except ImportError:
        raise DrawingError(
            "writing PDF needs the packages svglib and reportlab: pip install 'seabattle[pdf]'"
        ) from None
    regular, bold = _fonts()
    register_font(_FONT, regular)
    register_font(_FONT, bold, weight="bold")
    return svglib
