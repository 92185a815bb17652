"""A whole tree on sheets of paper, in print that can be read.

A sheet is A4 or letter, lying on its side. The tree is folded into *parts*: a part begins at one
board and holds as many of the shots below it, level by level, as fit on a sheet. A dashed box
stands where a part ends, and says in which part on which sheet it goes on; small parts share a
sheet. A tree that fits is one part on one sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seabattle.enumerate.colours import Palette, Theme, palette_of
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.picture import (
    LINE_SIZE,
    MARGIN,
    Scale,
    document,
    pdf,
    save_picture,
    text_width,
)
from seabattle.enumerate.words import counted
from seabattle.trees.drawing.selection import NodeKind, SelectedNode, rules_text, select_nodes
from seabattle.trees.drawing.tree_svg import (
    MOST_NODES,
    Picture,
    chips,
    default_title,
    drawing_prefix,
    heading,
    heading_words,
    legend,
)
from seabattle.trees.tree import Tree

PIXELS = 96 / 25.4
"""Pixels per millimetre: those of a browser, and of which a PDF has 72 / 96 points each."""

PAPERS = {"A4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of a sheet on its side, in millimetres."""

SIZES = Scale(cell=10, text=9, label=0, gap=8, rank_gap=26)
"""Cells of 2.6 millimetres, and no text below 6.75 points."""

_HEADER = 20  # height of the line above a part
_GAP = 30  # space between parts
_POINTER = "→ 888, sheet 888"  # as long as what is written into a box


@dataclass(eq=False)
class _Part:
    """A piece of the tree: what is drawn of it, and where its boxes lead."""

    drawing: Picture
    above: int  # number of the part that leads here, 0 at the first
    shrunk: float = 1.0  # below 1 where one board with its answers is wider than a sheet
    sheet: int = 0
    x: float = 0
    y: float = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, with the line above."""
        wide, high = self.drawing.size
        head = text_width("888 · from 888 on sheet 888", LINE_SIZE)
        return max(wide * self.shrunk, head), high * self.shrunk + _HEADER


def paper_pages(
    tree: Tree, paper: str = "A4", *, title: str | None = None, theme: Theme | str = Theme.PRINT
) -> list[str]:
    """Draw a whole tree on sheets of paper.

    Parameters
    ----------
    tree
        The strategy.
    paper
        ``A4`` or ``letter``.
    title
        Title of every sheet; by default the fleet and the board.
    theme
        ``print``, ``light`` or ``dark``.

    Returns
    -------
    list of str
        SVG documents, one a sheet, the first of which holds the first shot.

    Raises
    ------
    DrawingError
        If the paper is unknown, or the tree has more than ``MOST_NODES`` nodes.

    Examples
    --------
    >>> from seabattle import Rules, greedy_tree
    >>> len(paper_pages(greedy_tree(Rules("3x3", "3,1,1"))))
    1
    """
    if paper not in PAPERS:
        raise DrawingError(f"paper {quoted(paper)}: write one of {', '.join(PAPERS)}")
    width, height = (side * PIXELS for side in PAPERS[paper])
    palette = palette_of(theme)
    selected = select_nodes(tree, most=MOST_NODES, miss_first=True)
    named = title is not None
    title = default_title(tree, None, None) if title is None else title
    prefix = drawing_prefix(tree, paper, title, palette.theme.value)
    # Every sheet has the same heading and legend, hence the same room.
    head, top = heading(tree, title, width - 2 * MARGIN, game=not named, palette=palette)
    boards = Picture(
        tree, selected[:1], sideways=False, prefix=prefix, palette=palette, scale=SIZES
    ).boards
    room = width - 2 * MARGIN, height - top - 2 * MARGIN
    stub = replace(selected[0], kind=NodeKind.STUB)
    key, key_high = legend(boards, [*selected, stub], room[0], parts=True)
    room = room[0], room[1] - key_high
    parts = _parts(tree, selected, prefix, palette, room)
    sheets = _packed(parts, room)
    _point(parts)
    codes = sorted({item.code for item in selected if item.parent >= 0})
    shapes = f"<defs>\n{boards.defs()}\n{chips(prefix, codes, tree.rules.fleet, palette)}\n</defs>"
    found = []
    for number, sheet in enumerate(sheets, start=1):
        place = f"sheet {number} of {len(sheets)}"
        body = [
            head,
            f'<text x="{width - MARGIN:g}" y="{MARGIN + 20}" text-anchor="end" '
            f'fill="{palette.ink_soft}">{place}</text>',
            *(_drawn(part, parts, top, palette) for part in sheet),
            f'<g transform="translate({MARGIN} {height - MARGIN - key_high + 4:g})">{key}</g>',
        ]
        drawn = [item for part in sheet for item in part.drawing.selected]
        shown = sum(item.kind is not NodeKind.STUB for item in drawn)
        numbers = ", ".join(str(parts.index(part) + 1) for part in sheet)
        words = (
            f"Battleship strategy as a decision tree, {place}: {rules_text(tree)}. "
            f"In words: {heading_words(tree, game=True)}. "
            f"Here: {counted(shown, 'board')} in {counted(len(sheet), 'part')}, "
            f"numbered {numbers}."
        )
        found.append(
            document(
                f"{prefix}{number}", round(width, 1), round(height, 1), f"{title} · {place}",
                "\n".join(body), description=words, definitions=shapes, font_size=LINE_SIZE,
                ground=palette.ground,
            )
        )  # fmt: skip
    return found


def save_pages(
    pages: Sequence[str],
    path: Path,
    scale: float | None = None,
    progress: Callable[[int], None] = lambda number: None,
) -> list[Path]:
    """Write sheets of paper: a PDF of them all, or SVG or PNG files, numbered.

    Parameters
    ----------
    pages
        SVG documents, as ``paper_pages`` makes them.
    path
        ``.pdf``, ``.svg`` or ``.png``; of several sheets ``tree-1.svg`` and so on are written.
    scale
        As in ``save_picture``.
    progress
        Called with the number of each sheet before it is written.

    Returns
    -------
    list
        The files.

    Raises
    ------
    DrawingError, FileAccessError
        As ``save_picture``.
    """
    if path.suffix.lower() == ".pdf":
        write_bytes(path, pdf(pages, scale=scale, progress=progress))
        return [path]
    digits = len(str(len(pages)))
    files = [
        path.with_stem(f"{path.stem}-{number:0{digits}}") if len(pages) > 1 else path
        for number in range(1, len(pages) + 1)
    ]
    for number, (file, page) in enumerate(zip(files, pages, strict=True), start=1):
        progress(number)
        save_picture(page, file, scale=scale)
    return files


def _parts(
    tree: Tree,
    selected: Sequence[SelectedNode],
    prefix: str,
    palette: Palette,
    room: tuple[float, float],
) -> list[_Part]:
    """The tree folded into parts that fit on a sheet."""
    below: list[list[int]] = [[] for _ in selected]
    for place, item in enumerate(selected):
        if item.parent >= 0:
            below[item.parent].append(place)

    def drawing(shown: Sequence[SelectedNode]) -> Picture:
        return Picture(
            tree, shown, sideways=False, prefix=prefix, palette=palette, scale=SIZES,
            pointer=_POINTER,
        )  # fmt: skip

    def fits(picture: Picture) -> bool:
        wide, high = picture.size
        return wide <= room[0] and high + _HEADER <= room[1]

    parts: list[_Part] = []
    waiting = [(0, 0)]
    while waiting:
        root, above = waiting.pop(0)
        opened = {root}
        shown, goes_on = _folded(selected, below, root, opened)
        picture = drawing(shown)
        tried = goes_on
        while tried:  # level by level: boxes that were opened bring new ones
            level, tried = tried, []
            for place in level:
                more, ends = _folded(selected, below, root, {*opened, place})
                larger = drawing(more)
                if fits(larger):
                    opened.add(place)
                    picture, goes_on = larger, ends
                    tried += [kid for kid in below[place] if kid in ends]
        wide, high = picture.size
        shrunk = min(1.0, room[0] / wide, (room[1] - _HEADER) / high)
        parts.append(_Part(picture, above, shrunk))
        waiting += [(place, len(parts)) for place in goes_on]
    return parts


def _folded(
    selected: Sequence[SelectedNode], below: Sequence[Sequence[int]], root: int, opened: set[int]
) -> tuple[list[SelectedNode], list[int]]:
    """The nodes of a part, each after its parent, and the places where it is folded.

    ``opened`` are the places of the boards whose answers are drawn in it.
    """
    shown: list[SelectedNode] = []
    goes_on: list[int] = []
    waiting = [(root, -1)]
    while waiting:
        place, parent = waiting.pop()
        item = selected[place]
        if item.kind is NodeKind.INNER and place not in opened:
            item = replace(item, kind=NodeKind.STUB)
            goes_on.append(place)
        elif place in opened:
            waiting += [(kid, len(shown)) for kid in reversed(below[place])]
        shown.append(replace(item, parent=parent, code=item.code if parent >= 0 else -1))
    return shown, goes_on


@dataclass
class _Row:
    """Parts side by side on a sheet: its top, its height, and where the next one would begin."""

    y: float
    high: float = 0.0
    x: float = 0.0


def _row_for(part: _Part, rows: list[_Row], room: tuple[float, float]) -> _Row | None:
    """The row of a sheet in which a part has room, a new one if need be; None if it has none."""
    wide, high = part.size
    for row in rows:
        grows = row is rows[-1] and row.y + high <= room[1]
        if row.x + wide <= room[0] and (high <= row.high or grows):
            return row
    y = rows[-1].y + rows[-1].high + _GAP if rows else 0.0
    if rows and y + high > room[1]:
        return None
    rows.append(_Row(y))
    return rows[-1]


def _packed(parts: Sequence[_Part], room: tuple[float, float]) -> list[list[_Part]]:
    """The parts on sheets, in rows from left to right, each on the first sheet with room for it."""
    sheets: list[list[_Part]] = []
    rows: list[list[_Row]] = []
    for part in parts:
        places = ((n, _row_for(part, there, room)) for n, there in enumerate(rows))
        number, row = next((place for place in places if place[1] is not None), (len(rows), None))
        if row is None:
            rows.append([row := _Row(0.0)])
            sheets.append([])
        part.sheet, part.x, part.y = number + 1, row.x, row.y
        sheets[number].append(part)
        wide, high = part.size
        row.x, row.high = row.x + wide + _GAP, max(row.high, high)
    for sheet in sheets:
        if len(sheet) == 1:
            sheet[0].x = (room[0] - sheet[0].size[0]) / 2
    return sheets


def _point(parts: Sequence[_Part]) -> None:
    """Write into each box where it goes on."""
    following = enumerate(parts[1:], start=2)  # parts follow in the order of the boxes
    for part in parts:
        for place, item in enumerate(part.drawing.selected):
            if item.kind is NodeKind.STUB:
                number, other = next(following)
                there = "" if other.sheet == part.sheet else f", sheet {other.sheet}"
                part.drawing.point(place, f"→ {number}{there}")


def _drawn(part: _Part, parts: Sequence[_Part], top: float, palette: Palette) -> str:
    """One part, with its number above it."""
    drawing = part.drawing
    head = ""
    if len(parts) > 1:
        words = "Begin here"
        if part.above:
            sheet = parts[part.above - 1].sheet
            words = f"from {part.above}" + ("" if sheet == part.sheet else f" on sheet {sheet}")
        number = str(parts.index(part) + 1)
        head = (
            f'<text x="0" y="14" font-weight="bold" font-size="13" fill="{palette.ink}">'
            f"{number}</text>"
            f'<text x="{text_width(number, 13) + 6:.1f}" y="14" font-size="11" '
            f'fill="{palette.ink_soft}">{words}</text>'
        )
    left = max(0, (part.size[0] - drawing.size[0] * part.shrunk) / 2)
    shrunk = f" scale({part.shrunk:.3f})" if part.shrunk < 1 else ""
    return "\n".join(
        [
            f'<g transform="translate({MARGIN + part.x:g} {top + part.y:g})">',
            head,
            f'<g transform="translate({left:g} {_HEADER}){shrunk}">',
            drawing.body(),
            "</g>",
            "</g>",
        ]
    )
