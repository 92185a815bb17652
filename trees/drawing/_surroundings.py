"""What surrounds the boards of a tree's drawing: heading, legend, and text for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from seabattle.enumerate.answers import HIT_SHIP, MISS, answer_symbol, answer_words, rule_words
from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.picture import (
    LINE_SIZE,
    TITLE_SIZE,
    Boards,
    shapes_svg,
    text_width,
    wrapped,
    xml,
)
from seabattle.enumerate.picture import heading as heading_shapes
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
    shots_text,
)
from seabattle.trees.drawing.text import text
from seabattle.trees.tree import Node, Reading, Tree

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
        node = Node(tree, last.node)
        if last.kind is NodeKind.LEAF:
            sentences.append(f"Ships at its end: {' or '.join(' '.join(s) for s in node.layouts)}.")
        elif last.kind is NodeKind.INNER:
            sentences.append(f"Next shot: {tree.rules.board.name(node.shot)}.")
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
    return shapes_svg(shapes), y + 14


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
    sign(f'<g transform="translate(0 {-u / 2:g})">{boards.miss_sign()}</g>', u, "miss")
    sign(f'<g transform="translate(0 {-u / 2:g})">{boards.hit_sign()}</g>', u, "hit")
    if boards.rules.answers.value != "hit":
        sign(f'<g transform="translate(0 {-u / 2:g})">{boards.sunk_sign()}</g>', u, "sunk")
    if NodeKind.LEAF in kinds:
        ship = min(boards.rules.fleet.counts, key=lambda length: abs(length - 2))
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
