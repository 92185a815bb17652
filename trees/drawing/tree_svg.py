"""A tree as a picture (SVG): every node is a board with the shots made so far.

The current shot is marked in red, edges carry the answer (``.`` miss, ``x`` hit, ``X`` sunk, with
a length or name if announced), leaves show the ships. The whole tree is drawn, or its first shots,
or one path; a subtree that is left out becomes a dashed box with its numbers. The boards are
composed from shared shapes, so that the 2,855 nodes of a 5x5 tree make a file of 2 MB. Trees grow
downwards, paths from left to right.
"""

from __future__ import annotations

import hashlib

from seabattle.enumerate.colours import Theme, palette_of
from seabattle.enumerate.picture import LINE_SIZE, MARGIN, document
from seabattle.trees.drawing._nodes import Picture
from seabattle.trees.drawing._surroundings import chips, default_title, description, heading, legend
from seabattle.trees.drawing.selection import Path, select_nodes
from seabattle.trees.tree import Tree

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
    drawing = Picture(
        tree,
        selected,
        sideways=path is not None,
        prefix=drawing_prefix(tree, depth, path, title, palette.theme.value),
        palette=palette,
    )
    words = description(tree, selected, depth, path)
    return _document(drawing, title, words, game=not named)


def _document(drawing: Picture, title: str, words: str, *, game: bool) -> str:
    """The whole document around the placed nodes."""
    prefix = drawing.prefix
    wide, high = drawing.size
    inner = max(wide, MIN_WIDTH)
    # On a very wide drawing the heading and the legend stay together at its left edge.
    palette = drawing.palette
    head, top = heading(drawing.tree, title, min(inner, 1400), game=game, palette=palette)
    key, key_height = legend(drawing.boards, drawing.selected, min(inner, 1400))
    width = inner + 2 * MARGIN
    height = top + high + 30 + key_height + MARGIN
    # Edges of a path come last, over the others that leave the same board.
    below = sorted((item.on_path, p) for p, item in enumerate(drawing.selected) if item.parent >= 0)
    edges = [drawing.edge(p) for _, p in below]
    codes = sorted({item.code for item in drawing.selected if item.parent >= 0})
    parts = [
        head,
        f'<g transform="translate({MARGIN + (inner - wide) // 2} {top})">',
        drawing.edges([line for line, _ in edges]),
        drawing.nodes(),
        *(label for _, label in edges),
        "</g>",
        f'<g transform="translate({MARGIN} {top + high + 30})">',
        key,
        "</g>",
    ]
    labels = chips(prefix, codes, drawing.tree.rules.fleet, palette)
    shapes = f"<defs>\n{drawing.boards.defs()}\n{labels}\n</defs>"
    return document(
        prefix,
        width,
        height,
        title,
        "\n".join(part for part in parts if part),
        description=words,
        definitions=shapes,
        font_size=LINE_SIZE,
        ground=palette.ground,
    )
