"""A whole tree on pages that can be read from the back of a room.

A page has the shape of a screen of 1920 x 1080 pixels, on which no text is smaller than 16. The
tree is cut into *parts*: a part begins at one board and holds as many of the shots below it, level
by level, as fit on a page. A dashed box stands where a part ends, and says in which part on which
page it goes on; small parts share a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seabattle.enumerate.arguments import require_type
from seabattle.enumerate.colours import Palette, Theme, palette_of
from seabattle.enumerate.picture import LINE_SIZE, MARGIN, Scale, document, text_width, xml
from seabattle.enumerate.words import counted
from seabattle.trees.drawing._nodes import Picture
from seabattle.trees.drawing._surroundings import (
    chips,
    default_title,
    heading,
    heading_words,
    legend,
)
from seabattle.trees.drawing.selection import NodeKind, SelectedNode, rules_text, select_nodes
from seabattle.trees.drawing.tree_svg import drawing_prefix
from seabattle.trees.tree import Tree

SCREEN = (1920, 1080)
"""Size at which a page is shown, in pixels."""

ENLARGED = 1.6
"""Pixels of the screen per unit of the drawing."""

WIDTH, HEIGHT = SCREEN[0] / ENLARGED, SCREEN[1] / ENLARGED
SIZES = Scale(cell=18, text=11, label=10, gap=12, rank_gap=29)
LEAST_TEXT = min(SIZES.text, SIZES.label) * ENLARGED

MOST_NODES = 6000
HEADER = 20
"""Height of the line above a part."""

GAP = 30
"""Space between parts."""

_POINTER = "→ 888, page 888"


@dataclass
class _Part:
    """A piece of the tree: what is drawn of it, and where each box leads."""

    number: int
    drawing: Picture
    goes_on: dict[int, int]  # place of a stub in the drawing: place in the whole tree
    from_part: int
    page: int = 0
    x: float = 0
    y: float = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, with the line above."""
        wide, high = self.drawing.size
        return max(wide, text_width("888 · from 888 on page 888", SIZES.text)), high + HEADER


def svg_pages(
    tree: Tree, *, title: str | None = None, theme: Theme | str = Theme.LIGHT
) -> list[str]:
    """Draw a whole tree on pages of 1920 x 1080 pixels, in text of at least 16.

    Parameters
    ----------
    tree
        The strategy.
    title
        Title of every page; by default the fleet and the board.
    theme
        ``light``, ``dark`` or ``print``.

    Returns
    -------
    list of str
        SVG documents, the first of which holds the first shot.

    Raises
    ------
    DrawingError
        If the tree has more than ``MOST_NODES`` nodes, Graphviz is missing, or the theme unknown.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> len(svg_pages(greedy_tree(Rules("3x3", "3,1,1"), "hits")))
    1
    """
    require_type("tree", tree, Tree, "a Tree, such as solve(game).tree")
    if title is not None:
        require_type("title", title, str, "text")
    palette = palette_of(theme)
    selected = select_nodes(tree, most=MOST_NODES, miss_first=True)
    named = title is not None
    title = default_title(tree, None, None) if title is None else title
    prefix = drawing_prefix(tree, "pages", title, palette.theme.value)
    # Every page has the same heading and legend, hence the same room.
    head, top = heading(tree, title, WIDTH - 2 * MARGIN, game=not named, palette=palette)
    sample = Picture(
        tree, selected[:1], sideways=False, prefix=prefix, palette=palette, scale=SIZES
    )
    stub = replace(selected[0], kind=NodeKind.STUB)
    key, key_height = legend(sample.boards, [*selected, stub], WIDTH - 2 * MARGIN, parts=True)
    room = (WIDTH - 2 * MARGIN, HEIGHT - top - key_height - MARGIN - 10)
    parts = _parts(tree, selected, prefix, palette, room)
    pages = _packed(parts, room)
    _point(parts)
    codes = sorted({item.code for item in selected if item.parent >= 0})
    labels = chips(prefix, codes, tree.rules.fleet, palette)
    shapes = f"<defs>\n{sample.boards.defs()}\n{labels}\n</defs>"
    found = []
    for number, page in enumerate(pages, start=1):
        place = f"page {number} of {len(pages)}"
        body = [
            head,
            f'<text x="{WIDTH - MARGIN:g}" y="{MARGIN + 20}" text-anchor="end" '
            f'fill="{palette.ink_soft}">{place}</text>',
            *(_drawn(part, parts, top, palette) for part in page),
            f'<g transform="translate({MARGIN} {HEIGHT - MARGIN - key_height + 4:g})">{key}</g>',
        ]
        boards = sum(
            item.kind is not NodeKind.STUB for part in page for item in part.drawing.selected
        )
        words = (
            f"Battleship strategy as a decision tree, {place}: {rules_text(tree)}. "
            f"In words: {heading_words(tree, game=True)}. "
            f"Here: {counted(boards, 'board')} in {counted(len(page), 'part')}, "
            f"numbered {page[0].number} to {page[-1].number}."
        )
        found.append(
            document(
                f"{prefix}{number}",
                WIDTH,
                HEIGHT,
                f"{title} · {place}",
                "\n".join(body),
                description=words,
                definitions=shapes,
                font_size=LINE_SIZE,
                ground=palette.ground,
                shown=SCREEN,
            )
        )
    return found


def _parts(
    tree: Tree,
    selected: Sequence[SelectedNode],
    prefix: str,
    palette: Palette,
    room: tuple[float, float],
) -> list[_Part]:
    """The tree cut into parts that fit on a page."""
    below: list[list[int]] = [[] for _ in selected]
    for place, item in enumerate(selected):
        if item.parent >= 0:
            below[item.parent].append(place)
    parts: list[_Part] = []
    waiting = [(0, 0)]
    while waiting:
        root, from_part = waiting.pop(0)
        open_places = _chosen(tree, selected, below, root, palette, prefix, room)
        while True:
            shown, places = _cut(selected, below, root, open_places)
            drawing = Picture(
                tree, shown, sideways=False, prefix=prefix, palette=palette, scale=SIZES,
                pointer=_POINTER,
            )  # fmt: skip
            wide, high = drawing.size
            if len(open_places) <= 1 or (wide <= room[0] and high + HEADER <= room[1]):
                break
            open_places = open_places[:-1]
        goes_on = {
            here: places[here] for here, item in enumerate(shown) if item.kind is NodeKind.STUB
        }
        parts.append(_Part(len(parts) + 1, drawing, goes_on, from_part))
        waiting += [(place, len(parts)) for place in goes_on.values()]
    return parts


def _chosen(
    tree: Tree,
    selected: Sequence[SelectedNode],
    below: Sequence[Sequence[int]],
    root: int,
    palette: Palette,
    prefix: str,
    room: tuple[float, float],
) -> list[int]:
    """Inner nodes whose answers are drawn in the part that begins at ``root``, level by level."""
    first = selected[root]
    probe = Picture(
        tree, [replace(first, parent=-1, code=-1)], sideways=False, prefix=prefix,
        palette=palette, scale=SIZES,
    )  # fmt: skip
    board = probe.boards.width + 2 * SIZES.gutter
    high = probe.size[1]
    stub = max(text_width(line, SIZES.text) for line in ("up to 8 more misses", _POINTER)) + 12
    most = int((room[1] - HEADER + SIZES.rank_gap) // (high + SIZES.rank_gap))
    stub_high = 3 * probe.line + SIZES.text
    left = room[1] - HEADER - most * (high + SIZES.rank_gap)
    stubs_below = left >= stub_high
    chosen: list[int] = []
    shown: set[int] = set()

    def wide(place: int) -> float:
        item = selected[place]
        if place in shown:
            words = text_width(f"A10 · {counted(item.layouts, 'layout')}", SIZES.text)
            return max(
                board, words, sum(map(wide, below[place])) + SIZES.gap * (len(below[place]) - 1)
            )
        return board if item.kind is NodeKind.LEAF else stub

    level = [root]
    depth = 0
    while level:
        following = []
        for place in level:
            leaves = any(selected[kid].kind is NodeKind.LEAF for kid in below[place])
            fits = depth + 2 <= most or (depth + 1 <= most and stubs_below and not leaves)
            if not fits and chosen:
                continue
            shown.add(place)
            if wide(root) > room[0] and chosen:
                shown.discard(place)
                continue
            chosen.append(place)
            following += [kid for kid in below[place] if selected[kid].kind is NodeKind.INNER]
        level = following
        depth += 1
    return chosen


def _cut(
    selected: Sequence[SelectedNode],
    below: Sequence[Sequence[int]],
    root: int,
    open_places: Sequence[int],
) -> tuple[list[SelectedNode], list[int]]:
    """The nodes of a part, each after its parent, and their places in the whole tree."""
    shown: list[SelectedNode] = []
    places: list[int] = []
    drawn = set(open_places)

    def add(place: int, parent: int) -> None:
        item = selected[place]
        kind = item.kind
        if kind is NodeKind.INNER and place not in drawn:
            kind = NodeKind.STUB
        code = item.code if parent >= 0 else -1
        shown.append(replace(item, parent=parent, kind=kind, code=code))
        places.append(place)
        if kind is NodeKind.INNER:
            here = len(shown) - 1
            for kid in below[place]:
                add(kid, here)

    add(root, -1)
    return shown, places


def _packed(parts: Sequence[_Part], room: tuple[float, float]) -> list[list[_Part]]:
    """The parts in order on pages, in rows from left to right."""
    pages: list[list[_Part]] = [[]]
    x = y = row = 0.0
    for part in parts:
        wide, high = part.size
        if pages[-1] and x + wide > room[0]:
            x, y, row = 0.0, y + row + GAP, 0.0
        if pages[-1] and y + high > room[1]:
            pages.append([])
            x = y = row = 0.0
        part.page, part.x, part.y = len(pages), x, y
        pages[-1].append(part)
        x, row = x + wide + GAP, max(row, high)
    for page in pages:
        if len(page) == 1:
            page[0].x = (room[0] - page[0].size[0]) / 2
    return pages


def _point(parts: Sequence[_Part]) -> None:
    """Write into each box where it goes on."""
    # Parts were cut in the order in which the boxes were met.
    following = iter(parts[1:])
    for part in parts:
        for place in part.goes_on:
            other = next(following)
            there = "" if other.page == part.page else f", page {other.page}"
            part.drawing.point(place, f"→ {other.number}{there}")


def _drawn(part: _Part, parts: Sequence[_Part], top: float, palette: Palette) -> str:
    """One part, with its number above it."""
    drawing = part.drawing
    edges = [drawing.edge(place) for place, item in enumerate(drawing.selected) if item.parent >= 0]
    x, y = MARGIN + part.x, top + part.y
    wide, _ = drawing.size
    head = ""
    if len(parts) > 1:
        words = "Begin here"
        if part.from_part:
            above = parts[part.from_part - 1]
            words = f"from {above.number}"
            if above.page != part.page:
                words += f" on page {above.page}"
        at = xml(words)
        number = f"{part.number}"
        head = (
            f'<text x="0" y="14" font-weight="bold" font-size="13" fill="{palette.ink}">'
            f"{number}</text>"
            f'<text x="{text_width(number, 13) + 6:.1f}" y="14" font-size="{SIZES.text}" '
            f'fill="{palette.ink_soft}">{at}</text>'
        )
    return "\n".join(
        [
            f'<g transform="translate({x:g} {y:g})">',
            head,
            f'<g transform="translate({max(0, (part.size[0] - wide) / 2):g} {HEADER})">',
            drawing.edges([line for line, _ in edges]),
            drawing.nodes(),
            *(label for _, label in edges),
            "</g>",
            "</g>",
        ]
    )
