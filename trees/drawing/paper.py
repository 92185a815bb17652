"""A whole tree on sheets of paper, in print that can be read.

A sheet is A4 or letter, lying on its side. The tree is folded into *parts*: a part begins at one
board and holds as many of the shots below it, level by level, as fit on a sheet. A dashed box
stands where a part ends, and says in which part on which sheet it goes on; small parts share a
sheet. A tree that fits is one part on one sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from seabattle.enumerate.colours import Theme, palette_of
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.picture import (
    LINE_SIZE,
    MARGIN,
    Boards,
    Scale,
    document,
    pdf,
    save_picture,
    text_line,
    text_width,
)
from seabattle.enumerate.words import counted
from seabattle.trees.drawing.selection import NodeKind, SelectedNode, rules_text, select_nodes
from seabattle.trees.drawing.tree_svg import (
    MOST_NODES,
    Blocks,
    Picture,
    default_title,
    drawing_prefix,
    heading,
    heading_words,
    legend,
    shapes,
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

    number: int
    drawing: Picture
    above: _Part | None  # the part that leads here
    shrunk: float = 1.0  # below 1 where one board with its answers is wider than a sheet
    sheet: int = 0
    x: float = 0
    y: float = 0

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height, with the line above."""
        wide, high = self.drawing.size
        head = text_width("888 · from 888 on sheet 888")
        return max(wide * self.shrunk, head), high * self.shrunk + _HEADER

    def shrink(self, room: tuple[float, float]) -> float:
        """How much smaller it has to be drawn to fit: 1 where it does."""
        wide, high = self.drawing.size
        return min(1.0, room[0] / wide, (room[1] - _HEADER) / high)


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
    game = title is None  # the default title names board and fleet
    title = default_title(tree, None, None) if title is None else title
    prefix = drawing_prefix(tree, paper, title, palette.theme.value)
    boards = Boards(tree.rules, SIZES, prefix, palette)
    # Every sheet has the same heading and legend, hence the same room.
    head, top = heading(tree, title, width - 2 * MARGIN, game=game, palette=palette)
    stub = replace(selected[0], kind=NodeKind.STUB)
    key, key_high = legend(boards, [*selected, stub], width - 2 * MARGIN, parts=True)
    room = width - 2 * MARGIN, height - top - 2 * MARGIN - key_high
    parts = _parts(selected, Blocks(tree, boards, _POINTER), room)
    sheets = _packed(parts, room)
    found = []
    for number, sheet in enumerate(sheets, start=1):
        place = f"sheet {number} of {len(sheets)}"
        body = [
            head,
            text_line(width - MARGIN, MARGIN + 20, place, LINE_SIZE, palette.ink_soft, "end"),
            *(_drawn(part, parts, top) for part in sheet),
            f'<g transform="translate({MARGIN} {height - MARGIN - key_high + 4:g})">{key}</g>',
        ]
        drawn = [item for part in sheet for item in part.drawing.selected]
        shown = sum(item.kind is not NodeKind.STUB for item in drawn)
        numbers = ", ".join(str(part.number) for part in sheet)
        words = (
            f"Battleship strategy as a decision tree, {place}: {rules_text(tree)}. "
            f"In words: {heading_words(tree, game=True)}. "
            f"Here: {counted(shown, 'board')} in {counted(len(sheet), 'part')}, "
            f"numbered {numbers}."
        )
        found.append(
            document(
                f"{prefix}{number}", round(width, 1), round(height, 1), f"{title} · {place}",
                "\n".join(body), description=words, definitions=shapes(boards, selected),
                font_size=LINE_SIZE, ground=palette.ground,
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
    selected: Sequence[SelectedNode], blocks: Blocks, room: tuple[float, float]
) -> list[_Part]:
    """The tree folded into parts that fit on a sheet."""
    below: list[list[int]] = [[] for _ in selected]
    for place, item in enumerate(selected):
        if item.parent >= 0:
            below[item.parent].append(place)
    parts: list[_Part] = []
    waiting: list[tuple[int, _Part | None]] = [(0, None)]
    while waiting:
        root, above = waiting.pop(0)
        opened = {root}
        shown, goes_on = _folded(selected, below, root, opened)
        part = _Part(len(parts) + 1, Picture(shown, blocks), above)
        tried = goes_on
        while tried:  # level by level: boxes that were opened bring new ones
            level, tried = tried, []
            for place in level:
                shown, ends = _folded(selected, below, root, {*opened, place})
                larger = _Part(part.number, Picture(shown, blocks), above)
                if larger.shrink(room) == 1:
                    opened.add(place)
                    part, goes_on = larger, ends
                    tried += [kid for kid in below[place] if kid in ends]
        part.shrunk = part.shrink(room)
        parts.append(part)
        waiting += [(place, part) for place in goes_on]
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


def _packed(parts: Sequence[_Part], room: tuple[float, float]) -> list[list[_Part]]:
    """The parts on sheets, in rows from left to right, each in the first row with room for it."""
    rows: list[list[_Part]] = []
    ends: list[float] = []  # where the next row of each sheet would begin
    for part in parts:
        wide, high = part.size
        for row in rows:
            x = row[-1].x + row[-1].size[0] + _GAP
            if x + wide <= room[0] and high <= row[0].size[1]:
                part.sheet, part.x, part.y = row[0].sheet, x, row[0].y
                row.append(part)
                break
        else:
            sheet = next((n for n, end in enumerate(ends) if end + high <= room[1]), len(ends))
            ends += [0.0] * (sheet == len(ends))
            part.sheet, part.y = sheet + 1, ends[sheet]
            ends[sheet] += high + _GAP
            rows.append([part])
    sheets = [[part for part in parts if part.sheet == n] for n in range(1, len(ends) + 1)]
    for alone in (sheet[0] for sheet in sheets if len(sheet) == 1):
        alone.x = (room[0] - alone.size[0]) / 2
    return sheets


def _drawn(part: _Part, parts: Sequence[_Part], top: float) -> str:
    """One part, with its number above it, and in its boxes where they go on."""
    drawing, palette = part.drawing, part.drawing.boards.palette
    head = ""
    if len(parts) > 1:
        words = "Begin here"
        if part.above:
            sheet = part.above.sheet
            words = f"from {part.above.number}"
            words += "" if sheet == part.sheet else f" on sheet {sheet}"
        head = text_line(0, 14, str(part.number), 13, palette.ink, bold=True) + text_line(
            round(text_width(str(part.number), 13) + 6, 1), 14, words, 11, palette.ink_soft
        )
    # Parts follow in the order of the boxes that lead to them.
    leads = iter(
        f"→ {other.number}" + ("" if other.sheet == part.sheet else f", sheet {other.sheet}")
        for other in parts
        if other.above is part
    )
    body = re.sub(_POINTER, lambda _: next(leads), drawing.body())
    left = max(0, (part.size[0] - drawing.size[0] * part.shrunk) / 2)
    shrunk = f" scale({part.shrunk:.3f})" if part.shrunk < 1 else ""
    return (
        f'<g transform="translate({MARGIN + part.x:g} {top + part.y:g})">\n{head}\n'
        f'<g transform="translate({left:g} {_HEADER}){shrunk}">\n{body}\n</g>\n</g>'
    )
