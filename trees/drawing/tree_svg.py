"""A tree as a picture (SVG): every node is a board with the shots made so far.

The current shot is marked in red, edges carry the answer (``.`` miss, ``x`` hit, ``X`` sunk, with
a length or name if announced), leaves show the ships. The whole tree is drawn, or its first shots,
or one path; a subtree that is left out becomes a dashed box with its numbers. The boards are
composed from shared shapes, so that the 2,855 nodes of a 5x5 tree make a file of 2 MB. Trees grow
downwards, paths from left to right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

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
from seabattle.enumerate.picture import (
    LARGE,
    LINE_SIZE,
    MARGIN,
    SMALL,
    TITLE_SIZE,
    Boards,
    Scale,
    document,
    text_width,
    wrapped,
    xml,
)
from seabattle.enumerate.picture import heading as heading_shapes
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Fleet
from seabattle.enumerate.words import counted, plain
from seabattle.trees.drawing.selection import (
    MISS_PATH,
    NodeKind,
    Path,
    SelectedNode,
    cost_text,
    mean_decimal,
    rules_text,
    select_nodes,
    ships_text,
    shots_text,
    still_to_come,
)
from seabattle.trees.drawing.text import text
from seabattle.trees.drawing.tidy import Box, positions
from seabattle.trees.tree import Reading, Tree

MOST_NODES = 6000
"""Larger drawings are refused: browsers would take minutes."""

MIN_WIDTH = 520


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
    path: Path | None = None,
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
        If ``path`` is no layout that the tree knows.

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
    named = title is not None
    if title is None:
        title = default_title(tree, depth, path)
    prefix = drawing_prefix(tree, depth, path, title, palette.theme.value)
    drawing = Picture(tree, selected, sideways=path is not None, prefix=prefix, palette=palette)
    wide, high = drawing.size
    inner = max(wide, MIN_WIDTH)
    # On a very wide drawing the heading and the legend stay together at its left edge.
    head, top = heading(tree, title, min(inner, 1400), game=not named, palette=palette)
    key, key_height = legend(drawing.boards, selected, min(inner, 1400))
    codes = sorted({item.code for item in selected if item.parent >= 0})
    parts = [
        head,
        f'<g transform="translate({MARGIN + (inner - wide) // 2} {top})">',
        drawing.body(),
        "</g>",
        f'<g transform="translate({MARGIN} {top + high + 30})">',
        key,
        "</g>",
    ]
    labels = chips(prefix, codes, tree.rules.fleet, palette)
    return document(
        prefix,
        inner + 2 * MARGIN,
        top + high + 30 + key_height + MARGIN,
        title,
        "\n".join(parts),
        description=description(tree, selected, depth, path),
        definitions=f"<defs>\n{drawing.boards.defs()}\n{labels}\n</defs>",
        font_size=LINE_SIZE,
        ground=palette.ground,
    )


# ------------------------------------------------------------------------------------------------
# Nodes and edges of a drawing: how large they are, where they go, and their SVG.
#
# Positions are whole pixels. Trees grow downwards, paths from left to right; a board's position is
# that of its middle across and of its top, labels included.


MOST_LARGE = 80
"""Drawings of up to this many boards have large cells, column letters and row numbers."""


@dataclass(frozen=True)
class _Place:
    """Where a node is drawn: middle of its board or stub across, its top, and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def left(self) -> int:
        """Where it begins."""
        return self.x - self.width // 2


class Picture:
    """The nodes and edges of one drawing: their content, size and place.

    Parameters
    ----------
    tree, selected
        What is drawn.
    sideways
        Whether it grows from left to right.
    prefix
        Start of its ids.
    palette
        Colours.
    scale
        Sizes; by default by the number of boards.
    pointer
        Last line of every stub, as long as those that ``point`` writes there later; by default the
        misses still to come.
    """

    def __init__(
        self,
        tree: Tree,
        selected: Sequence[SelectedNode],
        *,
        sideways: bool,
        prefix: str,
        palette: Palette = LIGHT,
        scale: Scale | None = None,
        pointer: str = "",
    ) -> None:
        self.tree = tree
        self.selected = selected
        self.sideways = sideways
        boards = sum(item.kind is not NodeKind.STUB for item in selected)
        self.scale: Scale = scale or (LARGE if boards <= MOST_LARGE else SMALL)
        self.pointer = pointer
        self.palette = palette
        self.boards = Boards(tree.rules, self.scale, prefix, palette)
        self.prefix = prefix
        # Sideways, labels lie within the space between ranks, beside the bend of the edges.
        fleet = tree.rules.fleet
        self.chip = max(
            (chip_width(item.code, fleet) for item in selected if item.parent >= 0), default=0
        )
        self.rank_gap = self.chip + 38 if sideways else self.scale.rank_gap
        self.lines = [self._lines(item) for item in selected]
        self.places = self._place()

    def _lines(self, item: SelectedNode) -> list[str]:
        """Lines under a board, or in a stub."""
        if item.kind is NodeKind.STUB:
            return [counted(item.layouts, "layout"), self.pointer or still_to_come(item)]
        if item.kind is NodeKind.INNER:
            left = counted(item.layouts, "layout") if self.scale.label else str(item.layouts)
            return [f"{self.tree.rules.board.name(item.node.shot)} · {left}"]
        lines = [counted(item.misses, "miss")]
        if item.layouts > 1:
            lines.append(f"1 of {item.layouts} layouts")
        return lines

    def point(self, place: int, text: str) -> None:
        """Write the last line of a stub."""
        self.lines[place][-1] = text

    @property
    def line(self) -> int:
        """Height of a line of text."""
        return round(self.scale.text * 1.3)

    def _size(self, place: int) -> tuple[int, int]:
        """Width, an even number, and height."""
        item, lines, scale = self.selected[place], self.lines[place], self.scale
        words = max(text_width(line, scale.text) for line in lines)
        if item.kind is NodeKind.STUB:
            return _even(words + scale.text), len(lines) * self.line + round(scale.text * 0.9)
        width = max(self.boards.width + 2 * scale.gutter, words)
        return _even(width), scale.gutter + self.boards.height + len(lines) * self.line + 4

    def _place(self) -> list[_Place]:
        """Place the nodes in boxes of equal height, so that ranks share their tops."""
        sizes = [self._size(place) for place in range(len(self.selected))]
        most = max(size[0 if self.sideways else 1] for size in sizes)
        boxes = [
            Box(
                most if self.sideways else width,
                height if self.sideways else most,
                item.parent,
                item.on_path,
            )
            for item, (width, height) in zip(self.selected, sizes, strict=True)
        ]
        centres = positions(
            boxes, sideways=self.sideways, gap=self.scale.gap, rank_gap=self.rank_gap
        )
        places = []
        for box, (width, height), (x, y) in zip(boxes, sizes, centres, strict=True):
            left = round(x - box.width / 2)
            middle = left + width // 2 if self.sideways else round(x)
            top = round(y - box.height / 2)
            places.append(_Place(middle, top, width, height))
        return places

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of everything placed."""
        return (
            max(p.x + p.width // 2 for p in self.places),
            max(p.y + p.height for p in self.places),
        )

    def _grid_top(self, place: int) -> int:
        return self.places[place].y + self.scale.gutter

    def _middle(self, place: int) -> int:
        """Half the height of a node's board or stub."""
        if self.selected[place].kind is NodeKind.STUB:
            return self.places[place].y + self.places[place].height // 2
        return self._grid_top(place) + self.boards.height // 2

    def node(self, place: int) -> str:
        """SVG of one node."""
        if self.selected[place].kind is NodeKind.STUB:
            return self._stub(place)
        item, at, scale, boards = self.selected[place], self.places[place], self.scale, self.boards
        node = item.node
        parts = [boards.use(f"{self.prefix}b")]
        if item.kind is NodeKind.LEAF:
            table = placement_table(self.tree.rules)
            row = self.tree.ships[int(self.tree.leaf[node.index])]
            parts.append(boards.ships([table.placements[int(n)] for n in row]))
        parts.append(boards.marks(item.shots))
        if item.kind is NodeKind.INNER:
            parts.append(boards.use(f"{self.prefix}t", node.shot))
        for number, line in enumerate(self.lines[place]):
            y = boards.height + 2 + round(self.line * (number + 0.8))
            if item.kind is NodeKind.INNER:
                parts += self._shot_line(line, y)
            else:
                parts.append(f'<text x="{boards.width // 2}" y="{y}">{xml(line)}</text>')
        if scale.label:
            parts.insert(0, f"<title>{xml(self._hint(item))}</title>")
        corner = f"{at.x - boards.width // 2} {self._grid_top(place)}"
        return f'<g class="n" transform="translate({corner})">{"".join(parts)}</g>'

    def _shot_line(self, line: str, y: int) -> list[str]:
        """The shot, bold, and what stands after it: two texts that meet near the middle."""
        shot, _, rest = line.partition(" ")
        size = self.scale.text
        wide, gap = text_width(shot, size), 0.3 * size
        meet = (self.boards.width + wide - text_width(rest, size)) / 2
        return [
            f'<text x="{meet - gap / 2:.1f}" y="{y}" text-anchor="end" font-weight="bold" '
            f'fill="{self.palette.target}">{shot}</text>',
            f'<text x="{meet + gap / 2:.1f}" y="{y}" text-anchor="start">{xml(rest)}</text>',
        ]

    def _hint(self, item: SelectedNode) -> str:
        """Text shown while a pointer rests on a board."""
        if item.kind is NodeKind.INNER:
            shot, left = self.tree.rules.board.name(item.node.shot), counted(item.layouts, "layout")
            return (
                f"{shot}: {left} left, {counted(item.misses, 'miss')} so far, {still_to_come(item)}"
            )
        return f"{ships_text(item.node)}: {counted(item.misses, 'miss')}"

    def _stub(self, place: int) -> str:
        at, scale = self.places[place], self.scale
        count, *others = (xml(line) for line in self.lines[place])
        first = round(scale.text * 0.3 + self.line * 0.8)
        below = "".join(
            f'<text y="{first + number * self.line}">{line}</text>'
            for number, line in enumerate(others, start=1)
        )
        return (
            f'<g class="n" transform="translate({at.x} {at.y})">'
            f'<rect x="{-at.width // 2}" width="{at.width}" height="{at.height}" '
            f'rx="{scale.text // 2}" {dashed(self.palette)}/>'
            f'<text y="{first}" font-weight="bold" fill="{self.palette.ink}">{count}</text>'
            f"{below}</g>"
        )

    def edge(self, place: int) -> tuple[str, str]:
        """SVG of the edge to a node: its line, and its label."""
        item = self.selected[place]
        above, here = self.places[item.parent], self.places[place]
        chip = f'<use xlink:href="#{chip_id(self.prefix, item.code)}"'
        if self.sideways:
            # Stubs can be wider than boards: stay level to the end of their column.
            x1 = above.x + self.boards.width // 2
            y1 = self._middle(item.parent)
            x2, y2 = here.left, self._middle(place)
            if item.kind is not NodeKind.STUB:
                x2 = here.x - self.boards.width // 2 - self.scale.gutter
            start, end = here.left - self.rank_gap, here.left - self.chip - 10
            half = (end - start) // 2
            drop = y2 - y1
            if abs(drop) < 4:
                # The boxes are aligned, not the boards in them: ignore so small a difference.
                drop, y2 = 0, y1
            curve = f"H{start}c{half} 0 {half} {drop} {end - start} {drop}" if drop else ""
            line = f"M{x1} {y1}{curve}H{x2}"
            x = here.left - 5 - chip_width(item.code, self.tree.rules.fleet) // 2
            label = f'{chip} x="{x}" y="{y2}"/>'
        else:
            x1, y1, x2, y2 = above.x, above.y + above.height, here.x, here.y
            # Every edge of a rank bends the same way, so that edges cannot cross.
            fall = y2 - y1 - self.rank_gap // 2
            half, over = fall // 2, x2 - x1
            curve = f"c0 {half} {over} {half} {over} {fall}" if over else ""
            line = f"M{x1} {y1}{curve}V{y2}"
            label = f'{chip} x="{x2}" y="{y2 - CHIP // 2 - 4}"/>'
        mark = f' stroke="{self.palette.ink}" stroke-width="2"' if item.on_path else ""
        return f'<path{mark} d="{line}"/>', label

    def body(self) -> str:
        """Everything drawn: edges, then nodes, then the labels of the edges."""
        # Edges of a path come last, over the others that leave the same board.
        below = sorted(
            (item.on_path, p) for p, item in enumerate(self.selected) if item.parent >= 0
        )
        edges = [self.edge(place) for _, place in below]
        wide = 1.4 if self.scale.label else 1
        return "\n".join(
            [
                f'<g fill="none" stroke="{self.palette.edge}" stroke-width="{wide}">',
                *(line for line, _ in edges),
                "</g>",
                f'<g font-size="{self.scale.text}" fill="{self.palette.ink_soft}" '
                f'text-anchor="middle">',
                *map(self.node, range(len(self.selected))),
                "</g>",
                *(label for _, label in edges),
            ]
        )


def _even(number: float) -> int:
    return 2 * ceil(number / 2)


# ------------------------------------------------------------------------------------------------
# What surrounds the boards of a tree's drawing: heading, legend, and text for screen readers.


CHIP = 16
"""Height of an edge's label."""

MOST_DESCRIBED = 60
"""Drawings of up to this many nodes are described node by node."""


def default_title(tree: Tree, depth: int | None, path: Path | None) -> str:
    """Title of a drawing for which none is given."""
    game = f"fleet {tree.rules.fleet} on {tree.rules.board}"
    if path == MISS_PATH:
        what = "Miss path"
    elif path is not None:
        ships = path.replace(",", " ").split() if isinstance(path, str) else path
        what = f"Path of layout {' '.join(ships)}"
    elif depth is not None:
        what = f"First {counted(depth, 'shot')}"
    else:
        what = "Decision tree"
    return f"{what} · {game}"


def description(
    tree: Tree, selected: Sequence[SelectedNode], depth: int | None, path: Path | None
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
    lines = [(title, TITLE_SIZE), (heading_words(tree, game=game), LINE_SIZE)]
    if tree.position.shots:
        lines.append((f"after {shots_words(tree, tree.position.shots)}", LINE_SIZE))
    shapes, y = heading_shapes([(plain(text), size) for text, size in lines], width, palette)
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


def chip_id(prefix: str, code: int) -> str:
    """Id of the label of edges with an answer."""
    return f"{prefix}e{code}"


def chip_text(code: int, fleet: Fleet) -> str:
    """The label of edges with an answer; a ship's number only where there are several like it."""
    symbol = answer_symbol(code)
    alone = code >= HIT_SHIP and fleet.counts[(code - HIT_SHIP) // 64] == 1
    return symbol.partition("#")[0] if alone else symbol


def chip_width(code: int, fleet: Fleet) -> int:
    """Width of an edge's label."""
    text = chip_text(code, fleet)
    return CHIP if len(text) == 1 else round(text_width(text, 11)) + 8


def chips(prefix: str, codes: Sequence[int], fleet: Fleet, palette: Palette = LIGHT) -> str:
    """Shared shapes of the edges' labels, each centred at the origin."""
    parts = []
    for code in codes:
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
            f'<g id="{chip_id(prefix, code)}"><rect x="{-w / 2:g}" y="{-CHIP / 2:g}" width="{w}" '
            f'height="{CHIP}" rx="{CHIP / 2:g}" fill="{back}" stroke="{edge}"/>{sign}</g>'
        )
    return "\n".join(parts)


def legend(
    boards: Boards, selected: Sequence[SelectedNode], width: float, *, parts: bool = False
) -> tuple[str, int]:
    """The meaning of the signs, in as many lines as the width needs, and their height.

    ``parts`` says that a subtree left out is drawn in another part.
    """
    u, prefix = boards.scale.cell, boards.prefix
    kinds = {item.kind for item in selected}
    codes = sorted({item.code for item in selected if item.parent >= 0})
    entries: list[tuple[str, int, str]] = []

    def sign(body: str, wide: int, meaning: str) -> None:
        entries.append((body, wide, meaning))

    if NodeKind.INNER in kinds:
        sign(f'<use xlink:href="#{prefix}t" y="{-u / 2:g}"/>', u, "shot")
    sign(f'<g transform="translate(0 {-u / 2:g})">{boards.sign(MISS)}</g>', u, "miss")
    sign(f'<g transform="translate(0 {-u / 2:g})">{boards.sign(HIT)}</g>', u, "hit")
    if boards.rules.answers.value != "hit":
        sign(f'<g transform="translate(0 {-u / 2:g})">{boards.sign(SUNK)}</g>', u, "sunk")
    if NodeKind.LEAF in kinds:
        lines = [ship for ship in boards.rules.fleet.ships if isinstance(ship, int)] or [1]
        ship = min(lines, key=lambda length: abs(length - 2))
        name = boards.ship_id(ship, vertical=False)
        sign(f'<use xlink:href="#{name}" y="{-u / 2:g}"/>', ship * u, "ship")
    for code in codes:
        w = chip_width(code, boards.rules.fleet)
        sign(
            f'<use xlink:href="#{chip_id(prefix, code)}" x="{w / 2:g}"/>',
            w,
            f"answer: {answer_words(code, boards.rules.fleet)}",
        )
    if NodeKind.STUB in kinds:
        sign(
            f'<rect y="-8" width="26" height="16" rx="4" {dashed(boards.palette)}/>', 26,
            "goes on in the part named" if parts else
            "not drawn: layouts left there, most misses still to come",
        )  # fmt: skip
    notes = []
    if NodeKind.INNER in kinds:
        notes.append("below a board: next shot and layouts left")
    if NodeKind.LEAF in kinds:
        notes.append("below a leaf: misses made")
    sign("", 0, "" if parts else "; ".join(notes))
    shown = [entry for entry in entries if entry[1] or entry[2]]
    return _flow(shown, width, boards.palette.ink_soft)


def _flow(entries: Sequence[tuple[str, int, str]], width: float, colour: str) -> tuple[str, int]:
    """Arrange signs with their meanings in lines from left to right."""
    line = 24
    parts, x, y = [], 0.0, 0
    for body, wide, meaning in entries:
        lead = wide + 6 if wide else 0
        lines = wrapped(meaning, 11, max(120, width - lead))
        need = lead + max(text_width(each, 11) for each in lines)
        if x and (x + need > width or not wide):
            x, y = 0.0, y + line
        words = "".join(
            f'<text x="{lead}" y="{4 + 14 * n}" font-size="11" fill="{colour}">{xml(each)}</text>'
            for n, each in enumerate(lines)
        )
        parts.append(f'<g transform="translate({x:g} {y})">{body}{words}</g>')
        x = round(x + need + 10, 1)
        y += 14 * (len(lines) - 1)
    return "\n".join(parts), y + line // 2
