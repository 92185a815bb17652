"""A tree as a picture (SVG): every node is a board with the shots made so far.

The current shot is marked in red, edges carry the answer (``.`` miss, ``x`` hit, ``X`` sunk, with
a length or name if announced), leaves show the ships. The whole tree is drawn, or its first shots,
or one path; a subtree that is left out becomes a dashed box with its numbers. The boards are
composed from shared shapes, so that the 2,855 nodes of a 5x5 tree make a file of 2 MB. Trees grow
downwards, paths from left to right, a long one in several rows. ``paper_pages`` folds a tree that
is too large to be printed in one piece onto sheets of paper.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import NamedTuple

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    MISS,
    SUNK,
    answer_symbol,
    answer_words,
    rule_words,
)
from seabattle.enumerate.colours import LIGHT, Palette, Theme, palette_of
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.picture import (
    LARGE,
    LINE_SIZE,
    MARGIN,
    SMALL,
    Boards,
    Scale,
    document,
    key_lines,
    pdf,
    save_picture,
    signs_of,
    text_line,
    text_width,
    xml,
)
from seabattle.enumerate.picture import heading as heading_shapes
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.rules import AnswerMode, Fleet
from seabattle.enumerate.words import counted, split_list
from seabattle.trees.drawing.selection import (
    MISS_PATH,
    NodeKind,
    SelectedNode,
    TreePath,
    cost_text,
    mean_decimal,
    rules_text,
    select_nodes,
    ships_text,
    shots_text,
    still_to_come,
    text,
)
from seabattle.trees.tree import Reading, Tree

MOST_NODES = 6000
"""Larger drawings are refused: browsers would take minutes."""

MIN_WIDTH, MOST_WIDE = 520, 1400
"""Least width of a drawing, and the width from which a path is drawn in rows."""


def drawing_prefix(tree: Tree, *options: object) -> str:
    """Start of the ids: the same for the same drawing, different for different ones."""
    digest = hashlib.blake2s(digest_size=3)
    for array in (tree.shots, tree.answers, tree.children, tree.ships):
        digest.update(array.tobytes())
    digest.update(repr((tree.rules, tree.position, *options)).encode("utf-8", "replace"))
    return f"t{digest.hexdigest()}"


def svg(
    tree: Tree,
    *,
    depth: int | None = None,
    path: TreePath | None = None,
    title: str | None = None,
    theme: Theme | str = Theme.LIGHT,
) -> str:
    """Draw a tree, its first shots, or one path.

    Parameters
    ----------
    tree
        The strategy.
    depth
        Shots to draw from the root; by default all. Subtrees after that many are drawn as dashed
        boxes that say how many layouts are left and how many misses can still come.
    path
        Draw only one path: ``"misses"`` for the branch where every shot misses (the miss child as
        long as there is one), or the ships of a layout as a list (``["A1:A3", "C1"]``) or joined
        by commas or spaces. Nodes off the path are drawn as dashed boxes.
    title
        Title of the picture; by default what is drawn, the fleet and the board.
    theme
        ``light``, ``dark``, or ``print``: black on white without large fills.

    Returns
    -------
    str
        An SVG document with a title and a description for screen readers. Ids and styles are the
        drawing's own, so that several drawings can be on one page.

    Raises
    ------
    DrawingError
        If ``depth`` is negative, or if more than ``MOST_NODES`` nodes would be drawn.
    LayoutError, BoardError, TreeError
        If ``path`` is not a layout that the tree knows.

    Notes
    -----
    Half a second and 2 MB for the 2,855 nodes of a 5x5 tree. Up to 80 boards are drawn large,
    with column letters and row numbers.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> picture = svg(greedy_tree(Rules("3x3", "3,1,1"), "hits"), path="misses")
    >>> picture.startswith("<svg "), "<title" in picture
    (True, True)
    """
    palette = palette_of(theme)
    selected = select_nodes(tree, depth=depth, path=path, most=MOST_NODES, miss_first=True)
    game = title is None  # the default title names board and fleet
    title = default_title(tree, depth, path) if title is None else title
    prefix = drawing_prefix(tree, depth, path, title, palette.theme.value)
    few = boards_among(selected) <= MOST_LARGE
    boards = Boards(tree.rules, LARGE if few else SMALL, prefix, palette)
    drawing = Picture(selected, Blocks(tree, boards), sideways=path is not None)
    if path is not None:
        drawing = next((d for d in drawing.in_rows() if d.size[0] <= MOST_WIDE), drawing)
    wide, high = drawing.size
    inner = max(wide, MIN_WIDTH)
    # On a very wide drawing the heading and the legend stay together at its left edge.
    head, top = heading(tree, title, min(inner, MOST_WIDE), game=game, palette=palette)
    key, key_height = legend(boards, selected, min(inner, MOST_WIDE))
    parts = [
        head,
        f'<g transform="translate({MARGIN + (inner - wide) // 2} {top})">',
        drawing.body(),
        "</g>",
        f'<g transform="translate({MARGIN} {top + high + 30})">',
        key,
        "</g>",
    ]
    return document(
        prefix,
        inner + 2 * MARGIN,
        top + high + 30 + key_height + MARGIN,
        title,
        "\n".join(parts),
        description=description(tree, selected, depth, path),
        definitions=shapes(boards, selected),
        ground=palette.ground,
    )


# ------------------------------------------------------------------------------------------------
# Nodes and edges of a drawing: how large they are, where they go, and their SVG.
#
# Positions are whole pixels. Trees grow downwards, paths from left to right; a board's position is
# that of its middle across and of its top, labels included.


ROW_GAP, TURN = 56, 16
"""Space between the rows of a path, and beside them for the line from one to the next."""

MOST_LARGE = 80
"""Drawings of up to this many boards have large cells, column letters and row numbers."""


class Block(NamedTuple):
    """A node as it is drawn.

    Attributes
    ----------
    svg
        What is drawn.
    corner
        Its origin, from the middle of the block's top.
    width, height
        Its size; the width is even.
    middle
        How far below the top the middle of the board or box is.
    half
        From the middle to the left end of the board, its labels included, or of the box.
    """

    svg: str
    corner: tuple[int, int]
    width: int
    height: int
    middle: int
    half: int


def is_board(item: SelectedNode) -> bool:
    """Whether a node is drawn as a board, not as a box in place of what is not drawn there."""
    return item.kind in (NodeKind.INNER, NodeKind.LEAF)


def boards_among(selected: Sequence[SelectedNode]) -> int:
    """How many boards are drawn."""
    return sum(map(is_board, selected))


class Blocks:
    """Makes the nodes of a tree as they are drawn, whatever their place.

    Parameters
    ----------
    tree
        The tree.
    boards
        The shapes it is drawn with, and their sizes.
    """

    def __init__(self, tree: Tree, boards: Boards) -> None:
        self.tree, self.boards = tree, boards
        self.line = round(boards.scale.text * 1.3)  # height of a line of text
        self._made: dict[tuple[int, NodeKind], Block] = {}

    def of(self, item: SelectedNode) -> Block:
        """The block of a node."""
        key = item.node.index, item.kind
        if key not in self._made:
            draw = self._board if is_board(item) else self._box
            self._made[key] = draw(item)
        return self._made[key]

    def _width(self, lines: Sequence[str], more: float = 0, least: float = 0) -> int:
        words = max(text_width(line, self.boards.scale.text) for line in lines)
        return 2 * ceil(max(least, words + more) / 2)

    def _board(self, item: SelectedNode) -> Block:
        """A board with the shots made, and the next shot or the ships found."""
        boards, scale, node = self.boards, self.boards.scale, item.node
        left, misses = counted(item.layouts, "layout"), counted(item.misses, "miss")
        marks = boards.signs(signs_of(boards.rules, item.shots))
        if item.kind is NodeKind.INNER:
            shot = self.tree.rules.board.name(node.shot)
            rest = f"· {left if scale.words else f'{item.layouts:,}'}"
            lines = [f"{shot} {rest}"]
            hint = f"{shot}: {left} left, {misses} so far, {still_to_come(item)}"
            marks += boards.use(f"{boards.prefix}t", node.shot) + self._shot_line(shot, rest)
        else:
            placements = placement_table(self.tree.rules).placements
            row = self.tree.ships[int(self.tree.leaf[node.index])]
            lines = [misses, *([f"1 of {left}"] if item.layouts > 1 else [])]
            hint = f"{ships_text(node)}: {misses}"
            marks = boards.ships([placements[int(number)] for number in row]) + marks
            marks += "".join(
                f'<text x="{boards.width // 2}" y="{self._base(number)}">{line}</text>'
                for number, line in enumerate(lines)
            )
        title = f"<title>{xml(hint)}</title>" if scale.words else ""
        return Block(
            title + boards.use(f"{boards.prefix}b") + marks,
            (-(boards.width // 2), scale.gutter),
            self._width(lines, least=boards.width + 2 * scale.gutter),
            scale.gutter + boards.height + len(lines) * self.line + 4,
            scale.gutter + boards.height // 2,
            boards.width // 2 + scale.gutter,
        )

    def _base(self, number: int) -> int:
        """Base line of a line of text under a board."""
        return self.boards.height + 2 + round(self.line * (number + 0.8))

    def _shot_line(self, shot: str, rest: str) -> str:
        """The shot, bold, and what stands after it: two texts that meet near the middle."""
        size, y = self.boards.scale.text, self._base(0)
        wide, gap = text_width(shot, size), 0.3 * size
        meet = (self.boards.width + wide - text_width(rest, size)) / 2
        return (
            f'<text x="{meet - gap / 2:.1f}" y="{y}" text-anchor="end" font-weight="bold" '
            f'fill="{self.boards.palette.target}">{shot}</text>'
            f'<text x="{meet + gap / 2:.1f}" y="{y}" text-anchor="start">{rest}</text>'
        )

    def _box(self, item: SelectedNode) -> Block:
        """A box in place of a subtree that is left out, or of what leaves a path."""
        size, palette = self.boards.scale.text, self.boards.palette
        count = counted(item.layouts, "layout")
        last = _POINTER if item.kind is NodeKind.FOLD else still_to_come(item)
        width, height = self._width([count, last], more=size), 2 * self.line + round(size * 0.9)
        first = round(size * 0.3 + self.line * 0.8)
        drawn = (
            f'<rect x="{-width // 2}" width="{width}" height="{height}" rx="{size // 2}" '
            f"{dashed(palette)}/>"
            f'<text y="{first}" font-weight="bold" fill="{palette.ink}">{count}</text>'
            f'<text y="{first + self.line}">{last}</text>'
        )
        return Block(drawn, (0, 0), width, height, height // 2, width // 2)


class Picture:
    """The nodes and edges of one drawing, and their places.

    Parameters
    ----------
    selected, blocks
        What is drawn, and how each node is.
    sideways
        Whether it grows from left to right.
    columns
        Of a path sideways: how many of its boards are in a row; 0 for all.
    """

    def __init__(
        self,
        selected: Sequence[SelectedNode],
        blocks: Blocks,
        *,
        sideways: bool = False,
        columns: int = 0,
    ) -> None:
        self.selected, self.boards, self.sideways = selected, blocks.boards, sideways
        self.columns, self._makes = columns or len(selected), blocks
        self.blocks = [blocks.of(item) for item in selected]
        # Sideways, labels lie within the space between ranks, beside the bend of the edges.
        fleet = self.boards.rules.fleet
        self.chip = max((chip_width(code, fleet) for code in answers_in(selected)), default=0)
        self.rank_gap = self.chip + 38 if sideways else self.boards.scale.rank_gap
        # The row of each block, where each row begins, and how far to the right it reaches.
        self.rows, self._tops, self._ends = [0] * len(selected), [0], [0]
        self.places = self._place()

    def in_rows(self) -> Iterator[Picture]:
        """The same path in one row, in two, and so on, with equally many boards in each."""
        boards = sum(item.on_path for item in self.selected)
        for columns in dict.fromkeys(ceil(boards / rows) for rows in range(1, boards + 1)):
            yield Picture(self.selected, self._makes, sideways=True, columns=columns)

    def _place(self) -> list[tuple[int, int]]:
        """Middle of the top of each block. Blocks of a rank begin at one line."""
        sizes = [(b.height, b.width) if self.sideways else (b.width, b.height) for b in self.blocks]
        middles = tidy_middles(
            [across for across, _ in sizes],
            [item.parent for item in self.selected],
            [item.on_path for item in self.selected],
            self.boards.scale.gap,
        )
        step = max(along for _, along in sizes) + self.rank_gap
        root = self.selected[0].depth
        places = []
        for item, block, middle in zip(self.selected, self.blocks, middles, strict=True):
            begin = (item.depth - root) * step
            if self.sideways:
                places.append((begin + block.width // 2, round(middle - block.height / 2)))
            else:
                places.append((round(middle), begin))
        return self._wrap(places, step) if self.sideways else places

    def _wrap(self, places: Sequence[tuple[int, int]], step: int) -> list[tuple[int, int]]:
        """A path in rows: what leaves its last board in a row stays beside that board."""
        root = self.selected[0].depth
        for place, item in enumerate(self.selected):
            # The last column of a row has only boxes: the path itself goes on in the next row.
            column = item.depth - root - (not item.on_path)
            self.rows[place] = column // self.columns
        tops = [10**9] * (max(self.rows) + 1)
        bottoms, ends = [0] * len(tops), [0] * len(tops)
        moved = []
        for row, (x, y), block in zip(self.rows, places, self.blocks, strict=True):
            x -= row * self.columns * step
            moved.append((x, y))
            tops[row], bottoms[row] = min(tops[row], y), max(bottoms[row], y + block.height)
            ends[row] = max(ends[row], x + block.width // 2)
        begins, down = [], 0
        for top, bottom in zip(tops, bottoms, strict=True):
            begins.append(down)
            down += bottom - top + ROW_GAP
        self._tops, self._ends = begins, ends
        return [
            (x, y - tops[row] + begins[row]) for row, (x, y) in zip(self.rows, moved, strict=True)
        ]

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of everything placed."""
        placed = list(zip(self.places, self.blocks, strict=True))
        turn = TURN if max(self.rows) else 0
        return (
            max(x + block.width // 2 for (x, _), block in placed) + turn,
            max(y + block.height for (_, y), block in placed),
        )

    def edge(self, place: int) -> tuple[str, str]:
        """SVG of the edge to a node: its line, and its label.

        A line leaves its board straight on, bends to one side, and reaches the node straight on.
        Every edge of a rank bends the same way, so that edges cannot cross.
        """
        item = self.selected[place]
        (x1, y1), above = self.places[item.parent], self.blocks[item.parent]
        (x2, y2), here = self.places[place], self.blocks[place]
        if self.rows[place] != self.rows[item.parent]:
            return self._turning_edge(place)
        if self.sideways:
            # Stubs can be wider than boards: stay level to the end of their column.
            column = x2 - here.width // 2
            start, begin = x1 + self.boards.width // 2, column - self.rank_gap
            end, stop = column - self.chip - 10, x2 - here.half
            label = column - 5 - chip_width(item.code, self.boards.rules.fleet) // 2
            across = y1 + above.middle
            shift = y2 + here.middle - across
            if abs(shift) < 4:
                shift = 0  # the boxes are aligned, not the boards in them
        else:
            start = begin = y1 + above.height
            end, stop, label = y2 - self.rank_gap // 2, y2, y2 - CHIP // 2 - 4
            across, shift = x1, x2 - x1

        def at(along: int, aside: int) -> tuple[int, int]:
            return (along, aside) if self.sideways else (aside, along)

        on, half = "H" if self.sideways else "V", (end - begin) // 2
        bent = (at(half, 0), at(half, shift), at(end - begin, shift))
        level = f"{on}{begin}" if begin != start else ""
        bend = f"{level}c" + " ".join(f"{x} {y}" for x, y in bent) if shift else ""
        x, y = at(start, across)
        mark = f' stroke="{self.boards.palette.ink}" stroke-width="2"' if item.on_path else ""
        line = f'<path{mark} d="M{x} {y}{bend}{on}{stop}"/>'
        x, y = at(label, across + shift)
        return line, f'<use xlink:href="#{self.boards.prefix}e{item.code}" x="{x}" y="{y}"/>'

    def _turning_edge(self, place: int) -> tuple[str, str]:
        """SVG of the edge from the end of a row to the board that begins the next one."""
        item = self.selected[place]
        (x1, y1), above = self.places[item.parent], self.blocks[item.parent]
        x2, y2 = self.places[place]
        r = TURN // 2
        right = self._ends[self.rows[item.parent]] + TURN - 1
        between = self._tops[self.rows[place]] - ROW_GAP + 2 * r
        line = (
            f'<path stroke="{self.boards.palette.ink}" stroke-width="2" '
            f'd="M{x1 + self.boards.width // 2} {y1 + above.middle}H{right - r}q{r} 0 {r} {r}'
            f'V{between - r}q0 {r} -{r} {r}H{x2 + r}q-{r} 0 -{r} {r}V{y2}"/>'
        )
        label = f'<use xlink:href="#{self.boards.prefix}e{item.code}" x="{x2}" '
        return line, label + f'y="{y2 - CHIP // 2 - 4}"/>'

    def body(self) -> str:
        """Everything drawn: edges, then nodes, then the labels of the edges."""
        scale, palette = self.boards.scale, self.boards.palette
        # Edges of a path come last, over the others that leave the same board.
        below = sorted(
            (item.on_path, p) for p, item in enumerate(self.selected) if item.parent >= 0
        )
        edges = [self.edge(place) for _, place in below]
        nodes = [
            f'<g class="n" transform="translate({x + block.corner[0]} {y + block.corner[1]})">'
            f"{block.svg}</g>"
            for (x, y), block in zip(self.places, self.blocks, strict=True)
        ]
        wide = 1.4 if scale.words else 1
        return "\n".join(
            [
                f'<g fill="none" stroke="{palette.edge}" stroke-width="{wide}">',
                *(line for line, _ in edges),
                "</g>",
                f'<g font-size="{scale.text}" fill="{palette.ink_soft}" text-anchor="middle">',
                *nodes,
                "</g>",
                *(label for _, label in edges),
            ]
        )


# ------------------------------------------------------------------------------------------------
# What surrounds the boards of a tree's drawing: heading, legend, and text for screen readers.


CHIP = 16
"""Height of an edge's label."""

MOST_DESCRIBED = 60
"""Drawings of up to this many nodes are described node by node."""


def default_title(tree: Tree, depth: int | None, path: TreePath | None) -> str:
    """Title of a drawing for which none is given."""
    game = f"fleet {tree.rules.fleet} on {tree.rules.board}"
    if path == MISS_PATH:
        what = "Miss path"
    elif path is not None:
        ships = split_list(path) if isinstance(path, str) else path
        what = f"Path of layout {' '.join(ships)}"
    elif depth is not None:
        what = f"First {counted(depth, 'shot')}"
    else:
        what = "Decision tree"
    return f"{what} · {game}"


def description(
    tree: Tree, selected: Sequence[SelectedNode], depth: int | None, path: TreePath | None
) -> str:
    """The drawing in words."""
    sentences = [
        f"Battleship strategy as a decision tree: {rules_text(tree)}.",
        f"In words: {heading_words(tree, game=True)}.",
        f"Objective and cost: {cost_text(tree)}.",
    ]
    if tree.position.shots:
        sentences.append(f"Shots before the tree begins: {shots_text(tree, tree.position.shots)}.")
    kinds = [item.kind for item in selected]
    drawn = [counted(kinds.count(NodeKind.INNER), "shot")]
    if NodeKind.LEAF in kinds:
        noun = "leaf" if kinds.count(NodeKind.LEAF) == 1 else "leaves"
        drawn.append(f"{kinds.count(NodeKind.LEAF)} {noun}")
    if NodeKind.STUB in kinds:
        drawn.append(f"{counted(kinds.count(NodeKind.STUB), 'subtree')} only as numbers")
    sentences.append(f"Drawn: {', '.join(drawn)}.")
    if path is not None:
        last = [item for item in selected if item.on_path][-1]
        shots = last.shots[len(tree.position.shots) :]
        sentences.append(f"Path: {shots_text(tree, shots) or 'no shot'}.")
        if last.kind is NodeKind.LEAF:
            sentences.append(f"Ships at its end: {ships_text(last.node)}.")
        elif last.kind is NodeKind.INNER:
            sentences.append(f"Next shot: {tree.rules.board.name(last.node.shot)}.")
    lines = [" ".join(sentences)]
    if len(selected) <= MOST_DESCRIBED:
        lines.append(text(tree, depth=depth, path=path).split("\n\n", 1)[1])
    return "\n".join(lines)


def heading(
    tree: Tree, title: str, width: float, *, game: bool, palette: Palette = LIGHT
) -> tuple[str, int]:
    """Heading of a drawing and its height.

    Board and fleet are left out if ``game``, when the title names them. The names that the
    program uses are in the description.
    """
    lines = [heading_words(tree, game=game)]
    if tree.position.shots:
        lines.append(f"after {shots_words(tree, tree.position.shots)}")
    shapes, y = heading_shapes(title, lines, width, palette)
    return "\n".join(shapes), y + 14


def heading_words(tree: Tree, *, game: bool) -> str:
    """The rules and the cost of a tree in words."""
    rules = tree.rules
    parts = [] if game else [f"{rules.board}, fleet {rules.fleet}"]
    parts.append(rule_words(rules))
    if tree.reading is Reading.POSITIVE:
        parts.append("hits are read as positive only")
    return "; ".join([*parts, cost_words(tree), counted(tree.layouts, "layout")])


def cost_words(tree: Tree) -> str:
    """What a tree costs, in words, and whether less is possible."""
    mean, worst = mean_decimal(tree), str(tree.worst_misses)
    if tree.status != "optimal":
        how = "not proven to be the fewest" if tree.status == "bounded" else "by a rule of thumb"
        return f"misses on average: {mean}, at worst {worst} ({how})"
    if tree.objective == "worst":
        return f"fewest misses at worst: {worst}, on average {mean}"
    if tree.objective in ("worst-mean", "pareto"):
        return f"fewest misses at worst: {worst}, and then on average: {mean}"
    if tree.objective == "mean-worst":
        return f"fewest misses on average: {mean}, and then at worst: {worst}"
    return f"fewest misses on average: {mean}, at worst {worst}"


def shots_words(tree: Tree, shots: Sequence[tuple[int, int]]) -> str:
    """Shots with their answers in words."""
    rules = tree.rules
    named = rules.answers is AnswerMode.SHIP
    return ("; " if named else ", ").join(
        f"{rules.board.name(cell)} {answer_words(code, rules.fleet)}" for cell, code in shots
    )


def dashed(palette: Palette) -> str:
    """Attributes of a box that stands for a subtree."""
    return (
        f'fill="{palette.stub}" stroke="{palette.ink_soft}" stroke-dasharray="4 3" '
        'stroke-linecap="butt"'
    )


def chip_text(code: int, fleet: Fleet) -> str:
    """The label of edges with an answer; a ship's number only where there are several like it."""
    symbol = answer_symbol(code)
    alone = code >= HIT_SHIP and fleet.counts[(code - HIT_SHIP) // 64] == 1
    return symbol.partition("#")[0] if alone else symbol


def chip_width(code: int, fleet: Fleet) -> int:
    """Width of an edge's label."""
    text = chip_text(code, fleet)
    return CHIP if len(text) == 1 else round(text_width(text, 11)) + 8


def answers_in(selected: Sequence[SelectedNode]) -> list[int]:
    """Codes of the answers in a drawing."""
    return sorted({item.code for item in selected if item.parent >= 0})


def shapes(boards: Boards, selected: Sequence[SelectedNode]) -> str:
    """Shared shapes of a drawing: those of its boards, and the labels of edges, at the origin."""
    palette, fleet = boards.palette, boards.rules.fleet
    parts = []
    for code in answers_in(selected):
        symbol, w = chip_text(code, fleet), chip_width(code, fleet)
        edge = palette.ink_soft if code == MISS else palette.ink
        back, face = palette.ground, edge
        if symbol.startswith("X"):
            back, face = palette.wreck, palette.wreck_ink
        size, y = (12, 3.5) if len(symbol) == 1 else (11, 4)
        sign = (
            f'<text y="{y}" font-size="{size}" font-weight="bold" fill="{face}" '
            f'text-anchor="middle">{symbol}</text>'
        )
        if code == MISS:
            sign = f'<circle r="2.8" fill="{face}"/>'
        parts.append(
            f'<g id="{boards.prefix}e{code}"><rect x="{-w / 2:g}" y="{-CHIP / 2:g}" width="{w}" '
            f'height="{CHIP}" rx="{CHIP / 2:g}" fill="{back}" stroke="{edge}"/>{sign}</g>'
        )
    return "\n".join(["<defs>", boards.defs(), *parts, "</defs>"])


def legend(boards: Boards, selected: Sequence[SelectedNode], width: float) -> tuple[str, int]:
    """The meaning of the signs drawn, in as many lines as the width needs, and their height."""
    u, prefix, rules = boards.scale.cell, boards.prefix, boards.rules
    kinds = {item.kind for item in selected}
    entries: list[tuple[str, float, str]] = []  # a sign, its width, and what it means

    def shape(name: str, wide: int, meaning: str) -> None:
        entries.append((f'<use xlink:href="#{name}" y="{-u / 2:g}"/>', wide, meaning))

    if NodeKind.INNER in kinds:
        shape(f"{prefix}t", u, "shot")
    signs = {
        sign for item in selected if is_board(item) for sign in signs_of(rules, item.shots).values()
    }
    for code, meaning in ((MISS, "miss"), (HIT, "hit"), (SUNK, "sunk")):
        if code in signs:
            mark = f'<g transform="translate(0 {-u / 2:g})">{boards.signs({0: code})}</g>'
            entries.append((mark, u, meaning))
    if NodeKind.LEAF in kinds:
        lines = [ship for ship in rules.fleet.ships if isinstance(ship, int)] or [1]
        ship = min(lines, key=lambda length: abs(length - 2))
        placed = Placement(boards.board, tuple(range(min(ship, boards.board.columns))))
        sign = f'<g transform="translate(0 {-u / 2:g})">{boards.ships([placed])}</g>'
        entries.append((sign, placed.length * u, "ship"))
    for code in answers_in(selected):
        w = chip_width(code, rules.fleet)
        chip = f'<use xlink:href="#{prefix}e{code}" x="{w / 2:g}"/>'
        entries.append((chip, w, f"answer: {answer_words(code, rules.fleet)}"))
    box = f'<rect y="-8" width="26" height="16" rx="4" {dashed(boards.palette)}/>'
    for kind, meaning in (
        (NodeKind.STUB, "not drawn: layouts left there, most misses still to come"),
        (NodeKind.FOLD, "layouts left there; goes on in the part named"),
    ):
        if kind in kinds:
            entries.append((box, 26, meaning))
    notes = {
        NodeKind.INNER: "below a board: next shot and layouts left",
        NodeKind.LEAF: "below a leaf: misses made",
    }
    if kinds & notes.keys():
        entries.append(("", 0, "; ".join(text for kind, text in notes.items() if kind in kinds)))
    return key_lines(entries, width, boards.palette)


# ------------------------------------------------------------------------------------------------
# Where the boxes of a drawn tree go: a tidy layout.
#
# Every subtree is laid out by itself, its root over the middle of its children, and then pushed to
# the right until it clears the subtrees before it [Reingold1981]. How far is read off *contours*:
# the left and the right end of a subtree in each of its ranks. Subtrees between two that were
# pushed apart share the space in equal parts [Buchheim2002].
#
# One unit is one SVG pixel; y grows downwards.


def _side_by_side(contours: Sequence[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """Where the roots of subtrees stand, the first at 0. A contour has a left and a right side."""
    places, shared = [0.0], [0.0] * len(contours)
    before = [(end, 0) for end in contours[0][1]]  # right contour, and whose it is
    for number, (left, right) in enumerate(contours[1:], start=1):
        place = before[0][0] + gap - left[0]
        for (end, owner), begins in zip(before, left, strict=False):
            push = end + gap - (place + begins)
            if push > 0:
                place += push
                for between in range(owner + 1, number):
                    shared[between] += push * (between - owner) / (number - owner)
        places.append(place)
        before[: len(right)] = [(place + end, number) for end in right]
    return [place + more for place, more in zip(places, shared, strict=True)]


def tidy_middles(
    widths: Sequence[float], parents: Sequence[int], straight: Sequence[bool], gap: float
) -> list[float]:
    """Where the middles of the boxes of a tree are across its ranks, its left end being 0.

    Parameters
    ----------
    widths
        Of the boxes, each after its parent; children keep their order.
    parents
        The number of each one's parent, -1 at the root.
    straight
        Whether a box goes on in its parent's line: the parent stands over it, not over the middle.
    gap
        Space between neighbours.

    Examples
    --------
    >>> tidy_middles([10, 10, 10], [-1, 0, 0], [False] * 3, 10)
    [15.0, 5.0, 25.0]
    """
    children: list[list[int]] = [[] for _ in widths]
    for number, parent in enumerate(parents[1:], start=1):
        children[parent].append(number)
    contours = [([-width / 2], [width / 2]) for width in widths]  # from the root of each subtree
    across = [0.0] * len(widths)  # from the parent, then from the first root
    for number in reversed(range(len(widths))):
        if kids := children[number]:
            places = _side_by_side([contours[kid] for kid in kids], gap)
            line = [x for x, kid in zip(places, kids, strict=True) if straight[kid]]
            middle = line[0] if line else (places[0] + places[-1]) / 2
            left, right = contours[number]
            for kid, place in zip(kids, places, strict=True):
                across[kid] = place - middle
                ends = [[across[kid] + end for end in side] for side in contours[kid]]
                left += ends[0][len(left) - 1 :]  # of the first that goes so deep
                right[1 : len(ends[1]) + 1] = ends[1]  # of the last
    for number, parent in enumerate(parents[1:], start=1):
        across[number] += across[parent]
    least = min(x - width / 2 for x, width in zip(across, widths, strict=True))
    return [round(x - least, 1) for x in across]


# ------------------------------------------------------------------------------------------------
# A whole tree on sheets of paper, in print that can be read.
#
# A sheet is A4 or letter, lying on its side. The tree is folded into *parts*: a part begins at one
# board and holds as many of the shots below it, level by level, as fit on a sheet. A dashed box
# stands where a part ends, and says in which part on which sheet it goes on; small parts share a
# sheet. A tree that fits is one part on one sheet, enlarged until it fills that; so is a path, in
# the rows that let it be largest.


PIXELS = 96 / 25.4
"""Pixels per millimetre: those of a browser, and of which a PDF has 72 / 96 points each."""

PAPERS = {"A4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of a sheet on its side, in millimetres."""

SIZES = Scale(cell=10, text=9, label=9, gap=8, rank_gap=26)
"""Cells of 2.6 millimetres, and no text below 6.75 points."""

MOST_ENLARGED = 3.0
"""How many times larger than that a tree is drawn at most to fill its sheet."""

_HEADER = 20  # height of the line above a part
_GAP = 30  # space between parts
_POINTER = "→ 888, sheet 888"
"""Stands in a box that leads to another part until the sheets are filled and its text, which is not
longer, is known."""


@dataclass(eq=False)
class _Part:
    """A piece of the tree: what is drawn of it, and where its boxes lead."""

    number: int
    drawing: Picture
    above: _Part | None  # the part that leads here
    room: tuple[float, float]  # width and height that a sheet has for it
    largest: float = 1.0  # how many times its own size it may have
    sheet: int = 0
    x: float = 0
    y: float = 0

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height, with the line above."""
        wide, high = self.drawing.size
        head = text_width("888 · from 888 on sheet 888")
        return max(wide * self.scale, head), high * self.scale + _HEADER

    @cached_property
    def scale(self) -> float:
        """Below 1 where it has to be drawn smaller to fit: one board with all its answers."""
        wide, high = self.drawing.size
        return min(self.largest, self.room[0] / wide, (self.room[1] - _HEADER) / high)


def paper_pages(
    tree: Tree,
    paper: str = "A4",
    *,
    depth: int | None = None,
    path: TreePath | None = None,
    title: str | None = None,
    theme: Theme | str = Theme.PRINT,
) -> list[str]:
    """Draw a tree, its first shots, or one path on sheets of paper.

    Parameters
    ----------
    tree
        The strategy.
    paper
        ``A4`` or ``letter``.
    depth, path
        As in ``svg``. A path is on one sheet.
    title
        Title of every sheet; by default as in ``svg``.
    theme
        ``print``, ``light`` or ``dark``.

    Returns
    -------
    list of str
        SVG documents, one a sheet, the first of which holds the first shot.

    Raises
    ------
    DrawingError
        If the paper is unknown, ``depth`` is negative, or more than ``MOST_NODES`` nodes would be
        drawn.
    LayoutError, BoardError, TreeError
        If ``path`` is not a layout that the tree knows.

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
    selected = select_nodes(tree, depth=depth, path=path, most=MOST_NODES, miss_first=True)
    game = title is None  # the default title names board and fleet
    title = default_title(tree, depth, path) if title is None else title
    prefix = drawing_prefix(tree, paper, depth, path, title, palette.theme.value)
    boards = Boards(tree.rules, SIZES, prefix, palette)
    # Every sheet has the same heading, and room for the fullest legend.
    head, top = heading(tree, title, width - 2 * MARGIN, game=game, palette=palette)
    fold = replace(selected[0], kind=NodeKind.FOLD)
    _, key_high = legend(boards, [*selected, fold], width - 2 * MARGIN)
    room = width - 2 * MARGIN, height - top - 2 * MARGIN - key_high
    blocks = Blocks(tree, boards)
    if path is None:
        parts = _parts(selected, blocks, room)
    else:
        rows = Picture(selected, blocks, sideways=True).in_rows()
        parts = [
            max((_Part(1, d, None, room, MOST_ENLARGED) for d in rows), key=lambda part: part.scale)
        ]
    if len(parts) == 1:
        parts = [replace(parts[0], largest=MOST_ENLARGED)]
    sheets = _packed(parts, room)
    found = []
    for number, sheet in enumerate(sheets, start=1):
        place = f"sheet {number} of {len(sheets)}"
        drawn = [item for part in sheet for item in part.drawing.selected]
        key, key_high = legend(boards, drawn, width - 2 * MARGIN)
        body = [
            head,
            text_line(width - MARGIN, MARGIN + 20, place, LINE_SIZE, palette.ink_soft, "end"),
            *(_drawn(part, parts, top) for part in sheet),
            f'<g transform="translate({MARGIN} {height - MARGIN - key_high + 4:g})">{key}</g>',
        ]
        numbers = ", ".join(str(part.number) for part in sheet)
        words = (
            f"Battleship strategy as a decision tree, {place}: {rules_text(tree)}. "
            f"In words: {heading_words(tree, game=True)}. "
            f"Here: {counted(boards_among(drawn), 'board')} in {counted(len(sheet), 'part')}, "
            f"numbered {numbers}."
        )
        found.append(
            document(
                f"{prefix}{number}", round(width, 1), round(height, 1), f"{title} · {place}",
                "\n".join(body), description=words, definitions=shapes(boards, selected),
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
    files, digits = [path] * len(pages), len(str(len(pages)))
    for number, page in enumerate(pages, start=1):
        if len(pages) > 1:
            files[number - 1] = path.with_stem(f"{path.stem}-{number:0{digits}}")
        progress(number)
        save_picture(page, files[number - 1], scale=scale)
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
        part = _Part(len(parts) + 1, Picture(shown, blocks), above, room)
        tried = goes_on
        while tried:  # level by level: boxes that were opened bring new ones
            level, tried = tried, []
            for place in level:
                shown, ends = _folded(selected, below, root, {*opened, place})
                larger = replace(part, drawing=Picture(shown, blocks))
                if larger.scale == 1:
                    opened.add(place)
                    part, goes_on = larger, ends
                    tried += [kid for kid in below[place] if kid in ends]
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
            item = replace(item, kind=NodeKind.FOLD)
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
    if len(parts) == 1:
        parts[0].y = (room[1] - parts[0].size[1]) / 2
    return sheets


def _drawn(part: _Part, parts: Sequence[_Part], top: float) -> str:
    """One part, with its number above it, and in its boxes where they go on."""
    drawing, palette = part.drawing, part.drawing.boards.palette
    head = ""
    if len(parts) > 1:
        words = "Begin here"
        if part.above:
            sheet = part.above.sheet
            words = f"from {part.above.number}{'' if sheet == part.sheet else f' on sheet {sheet}'}"
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
    left = max(0, (part.size[0] - drawing.size[0] * part.scale) / 2)
    scaled = "" if part.scale == 1 else f" scale({part.scale:.3f})"
    return (
        f'<g transform="translate({MARGIN + part.x:g} {top + part.y:g})">\n{head}\n'
        f'<g transform="translate({left:g} {_HEADER}){scaled}">\n{body}\n</g>\n</g>'
    )
