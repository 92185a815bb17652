"""Nodes and edges of a drawing: how large they are, where they go, and their SVG.

Positions are whole pixels. Trees grow downwards, paths from left to right; a board's position is
that of its middle across and of its top, labels included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.picture import LARGE, SMALL, Boards, Scale, text_width, xml
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.words import counted
from seabattle.trees.drawing._surroundings import CHIP, chip_id, chip_width, dashed
from seabattle.trees.drawing.selection import NodeKind, SelectedNode, still_to_come
from seabattle.trees.drawing.tidy import Box, positions
from seabattle.trees.tree import Node, Tree

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
        node = Node(self.tree, item.node)
        if item.kind is NodeKind.INNER:
            left = counted(item.layouts, "layout") if self.scale.label else str(item.layouts)
            return [f"{self.tree.rules.board.name(node.shot)} · {left}"]
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
        node = Node(self.tree, item.node)
        parts = [boards.use(f"{self.prefix}b")]
        if item.kind is NodeKind.LEAF:
            table = placement_table(self.tree.rules)
            row = self.tree.ships[int(self.tree.leaf[item.node])]
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
            parts.insert(0, f"<title>{xml(self._hint(item, node))}</title>")
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

    def _hint(self, item: SelectedNode, node: Node) -> str:
        """Text shown while a pointer rests on a board."""
        if item.kind is NodeKind.INNER:
            return (
                f"{self.tree.rules.board.name(node.shot)}: {counted(item.layouts, 'layout')} left, "
                f"{counted(item.misses, 'miss')} so far, {still_to_come(item)}"
            )
        ships = " or ".join(" ".join(names) for names in node.layouts)
        return f"{ships}: {counted(item.misses, 'miss')}"

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

    def edges(self, lines: Sequence[str]) -> str:
        """The edges in a group, which gives them what they have in common."""
        wide = 1.4 if self.scale.label else 1
        return (
            f'<g fill="none" stroke="{self.palette.edge}" stroke-width="{wide}">\n'
            + "\n".join(lines)
            + "\n</g>"
        )

    def nodes(self) -> str:
        """All nodes in a group, which gives their texts what they have in common."""
        return (
            f'<g font-size="{self.scale.text}" fill="{self.palette.ink_soft}" '
            f'text-anchor="middle">\n'
            + "\n".join(map(self.node, range(len(self.selected))))
            + "\n</g>"
        )


def _even(number: float) -> int:
    return 2 * ceil(number / 2)
