"""What surrounds the boards of a drawing: text sizes, heading, legend, and text for screen readers.

Graphviz and SVG renderers disagree about text widths, and no font is known for sure: widths are
estimated from above, so that nothing is clipped or overlaps in any sans-serif font.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from html import escape

from seabattle.enumerate.display.boards import GREY, INK, Boards
from seabattle.enumerate.game.answers import answer_symbol, answer_text
from seabattle.trees.drawing.selection import (
    MISS_PATH,
    NodeKind,
    Path,
    SelectedNode,
    cost_text,
    counted,
    plain,
    rules_text,
    shots_text,
)
from seabattle.trees.drawing.text import text
from seabattle.trees.tree.tree import Node, Tree

FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
MARGIN = 20
TITLE_SIZE, LINE_SIZE = 18, 12
CHIP = 16
"""Height of an edge's label."""

MOST_TOLD = 60
"""Drawings of up to so many nodes are told node by node in their description."""

_NARROW = set("iljftI.,:;'|!()[] ")


def xml(given: str) -> str:
    """Text for XML, without the characters that XML does not allow."""
    return escape(plain(given))


def text_width(given: str, size: float) -> float:
    """Estimate from above of the width of a line of sans-serif text, in pixels.

    >>> 60 < text_width("1428 layouts", 11) < 80
    True
    """
    ems = 0.0
    for c in given:
        if unicodedata.east_asian_width(c) in "WF":
            ems += 1.0
        elif c in _NARROW:
            ems += 0.4
        elif c in "mwMW@%":
            ems += 1.0
        else:
            ems += 0.75 if c.isupper() or c in "≈=+" else 0.63
    return ems * size


def wrapped(given: str, size: float, width: float) -> list[str]:
    """Lines of a text so that each is at most ``width`` pixels wide.

    >>> wrapped("fleet 3,1,1 on 3x3", 10, 70)
    ['fleet 3,1,1', 'on 3x3']
    """
    most = max(8, min(len(given), int(width / (0.4 * size)) + 1))
    lines = textwrap.wrap(given, most) or [""]
    while most > 8 and any(text_width(line, size) > width for line in lines):
        most -= 1
        lines = textwrap.wrap(given, most)
    return lines


def default_title(tree: Tree, depth: int | None, path: Path | None) -> str:
    """Title of a drawing that was given none."""
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
    told = [
        f"Battleship strategy as a decision tree: {rules_text(tree)}.",
        f"Objective and cost: {cost_text(tree)}.",
    ]
    if tree.position.shots:
        told.append(f"Shots before the tree begins: {shots_text(tree, tree.position.shots)}.")
    kinds = [item.kind for item in selected]
    drawn = [counted(kinds.count(NodeKind.INNER), "shot")]
    if NodeKind.LEAF in kinds:
        noun = "leaf" if kinds.count(NodeKind.LEAF) == 1 else "leaves"
        drawn.append(f"{kinds.count(NodeKind.LEAF)} {noun}")
    if NodeKind.STUB in kinds:
        drawn.append(f"{counted(kinds.count(NodeKind.STUB), 'subtree')} only as numbers")
    told.append(f"Drawn: {', '.join(drawn)}.")
    if path is not None:
        last = [item for item in selected if item.on_path][-1]
        shots = last.shots[len(tree.position.shots) :]
        told.append(f"Path: {shots_text(tree, shots) or 'no shot'}.")
        node = Node(tree, last.node)
        if last.kind is NodeKind.LEAF:
            told.append(f"Ships at its end: {' or '.join(' '.join(s) for s in node.layouts)}.")
        elif last.kind is NodeKind.INNER:
            told.append(f"Next shot: {tree.rules.board.name(node.shot)}.")
    lines = [" ".join(told)]
    if len(selected) <= MOST_TOLD:
        lines.append(text(tree, depth=depth, path=path).split("\n\n", 1)[1])
    return "\n".join(lines)


def heading(tree: Tree, title: str, width: float, *, game: bool) -> tuple[str, int]:
    """Heading of a drawing and its height; ``game`` tells whether the title names the game."""
    rules = rules_text(tree)
    if game:
        rules = rules.removeprefix(f"{tree.rules.board}, fleet {tree.rules.fleet}, ")
    parts = []
    y = MARGIN
    lines = [(title, TITLE_SIZE)] + [(t, LINE_SIZE) for t in (rules, cost_text(tree))]
    if tree.position.shots:
        lines.append((f"after {shots_text(tree, tree.position.shots)}", LINE_SIZE))
    for given, size in lines:
        face = f'fill="{INK}" font-weight="bold"' if size == TITLE_SIZE else f'fill="{GREY}"'
        for line in wrapped(plain(given), size, width):
            y += round(size * 1.4)
            parts.append(
                f'<text x="{MARGIN}" y="{y - 4}" font-size="{size}" {face}>{xml(line)}</text>'
            )
    return "\n".join(parts), y + 14


def chip_id(prefix: str, code: int) -> str:
    """Id of the label of edges with an answer."""
    return f"{prefix}e{code}"


def chip_width(code: int) -> int:
    """Width of an edge's label."""
    symbol = answer_symbol(code)
    return CHIP if len(symbol) == 1 else round(text_width(symbol, 11)) + 8


def chips(prefix: str, codes: Sequence[int]) -> str:
    """Shared shapes of the edges' labels, each centred at the origin."""
    parts = []
    for code in codes:
        symbol, w = answer_symbol(code), chip_width(code)
        edge = GREY if symbol == "." else INK
        back, face = (INK, "#fff") if symbol.startswith("X") else ("#fff", edge)
        # A full stop is small, square in many fonts, and sits on the baseline.
        size, y = (14, 1) if symbol == "." else (12, 3.5) if len(symbol) == 1 else (11, 4)
        rounded = f' stroke="{edge}" stroke-width="2.6" stroke-linejoin="round"'
        line = rounded if symbol == "." else ""
        parts.append(
            f'<g id="{chip_id(prefix, code)}"><rect x="{-w / 2:g}" y="{-CHIP / 2:g}" width="{w}" '
            f'height="{CHIP}" rx="{CHIP / 2:g}" fill="{back}" stroke="{edge}"/>'
            f'<text y="{y}" font-size="{size}" font-weight="bold" fill="{face}" '
            f'text-anchor="middle"{line}>{symbol}</text></g>'
        )
    return "\n".join(parts)


def legend(boards: Boards, selected: Sequence[SelectedNode], width: float) -> tuple[str, int]:
    """What the signs mean, in as many lines as the width needs, and the height of that."""
    u, prefix = boards.scale.cell, boards.prefix
    kinds = {item.kind for item in selected}
    codes = sorted({item.code for item in selected if item.parent >= 0})
    entries: list[tuple[str, int, str]] = []

    def sign(body: str, wide: int, meaning: str) -> None:
        entries.append((body, wide, meaning))

    if NodeKind.INNER in kinds:
        sign(f'<use href="#{prefix}t" y="{-u / 2:g}"/>', u, "shot")
    sign(f'<path class="m" d="M{u / 2:g} 0h0"/>', u, "miss")
    sign(f'<g transform="translate(0 {-u / 2:g})">{boards.hit_sign()}</g>', u, "hit")
    if boards.rules.answers.value != "hit":
        sign(f'<g transform="translate(0 {-u / 2:g})">{boards.sunk_sign()}</g>', u, "sunk")
    if NodeKind.LEAF in kinds:
        ship = min(boards.rules.fleet.counts, key=lambda length: abs(length - 2))
        name = boards.ship_id(ship, vertical=False)
        sign(f'<use href="#{name}" y="{-u / 2:g}"/>', ship * u, "ship")
    for code in codes:
        w = chip_width(code)
        sign(
            f'<use href="#{chip_id(prefix, code)}" x="{w / 2:g}"/>',
            w,
            f"answer {answer_text(code)}",
        )
    if NodeKind.STUB in kinds:
        sign(
            '<rect class="d" y="-8" width="26" height="16" rx="4"/>', 26,
            "not drawn: layouts left there, most misses still to come",
        )  # fmt: skip
    notes = []
    if NodeKind.INNER in kinds:
        notes.append("below a board: next shot and layouts left")
    if NodeKind.LEAF in kinds:
        notes.append("below a leaf: misses made")
    sign("", 0, "; ".join(notes))
    return _flow([entry for entry in entries if entry[1] or entry[2]], width)


def _flow(entries: Sequence[tuple[str, int, str]], width: float) -> tuple[str, int]:
    """Signs with their meanings in lines from left to right."""
    line = 24
    parts, x, y = [], 0.0, 0
    for body, wide, meaning in entries:
        lead = wide + 6 if wide else 0
        lines = wrapped(meaning, 11, max(120, width - lead))
        need = lead + max(text_width(each, 11) for each in lines)
        if x and (x + need > width or not wide):
            x, y = 0.0, y + line
        words = "".join(
            f'<text x="{lead}" y="{4 + 14 * n}" font-size="11" fill="{GREY}">{xml(each)}</text>'
            for n, each in enumerate(lines)
        )
        parts.append(f'<g transform="translate({x:g} {y})">{body}{words}</g>')
        x = round(x + need + 10, 1)
        y += 14 * (len(lines) - 1)
    return "\n".join(parts), y + line // 2
