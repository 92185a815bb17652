"""Where the boxes of a drawn tree go: a tidy layout in linear time.

Every subtree is laid out by itself, its root over the middle of its children, and then pushed to
the right until it clears the subtrees before it [Reingold1981]. How far is found by walking down
the right contour of those before it and its own left contour together; *threads* lead from the end
of a contour to where a taller neighbour goes on. Subtrees between two that were pushed apart share
the space in equal parts, added up once at the end, which keeps the whole linear [Buchheim2002];
the names of the fields are theirs.

One unit is one SVG pixel; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A node to place.

    Attributes
    ----------
    width, height
        Its size.
    parent
        Its parent's number, -1 at the root.
    straight
        Whether it goes on in its parent's line: the parent stands over it, not over the middle.
    """

    width: float
    height: float
    parent: int
    straight: bool = False


@dataclass(eq=False, slots=True)
class _Node:
    """A box while its tree is laid out.

    ``prelim`` is its place among its siblings, ``mod`` what is added to the places below it.
    """

    size: float
    straight: bool = False
    parent: _Node | None = None
    children: list[_Node] = field(default_factory=list)
    number: int = 0  # among its siblings
    prelim: float = 0.0
    mod: float = 0.0
    shift: float = 0.0
    change: float = 0.0
    thread: _Node | None = None
    ancestor: _Node | None = None  # None for itself

    @property
    def left(self) -> _Node | None:
        """The next node down the left contour."""
        return self.children[0] if self.children else self.thread

    @property
    def right(self) -> _Node | None:
        """The next node down the right contour."""
        return self.children[-1] if self.children else self.thread


def _arrange(node: _Node, gap: float) -> float:
    """Place the children of a node, whose own subtrees are laid out; return where it stands."""
    default = node.children[0]
    for child, before in zip(node.children[1:], node.children, strict=False):
        stands = child.prelim  # over its own children
        child.prelim = before.prelim + (before.size + child.size) / 2 + gap
        child.mod = child.prelim - stands
        default = _push_clear(child, default, gap)
    shift = change = 0.0
    for child in reversed(node.children):
        child.prelim += shift
        child.mod += shift
        change += child.change
        shift += child.shift + change
    line = [child.prelim for child in node.children if child.straight]
    return line[0] if line else (node.children[0].prelim + node.children[-1].prelim) / 2


def _push_clear(node: _Node, default: _Node, gap: float) -> _Node:
    """Push a subtree clear of its siblings before it; return the default ancestor of the next."""
    assert node.parent is not None
    siblings = node.parent.children
    facing, inner = siblings[node.number - 1], node  # the contours that face each other
    first, last = siblings[0], node  # the outer contours, which receive the threads
    at_facing, at_inner, at_first, at_last = facing.mod, inner.mod, first.mod, last.mod
    while (below_facing := facing.right) is not None and (below_inner := inner.left) is not None:
        facing, inner = below_facing, below_inner
        assert first.left is not None
        assert last.right is not None
        first, last = first.left, last.right
        last.ancestor = node
        space = (facing.size + inner.size) / 2 + gap
        push = facing.prelim + at_facing + space - (inner.prelim + at_inner)
        if push > 0:
            owner = facing.ancestor
            if owner is None or owner.parent is not node.parent:
                owner = default
            share = push / (node.number - owner.number)
            node.change -= share
            node.shift += push
            owner.change += share
            node.prelim += push
            node.mod += push
            at_inner += push
            at_last += push
        at_facing += facing.mod
        at_inner += inner.mod
        at_first += first.mod
        at_last += last.mod
    if facing.right is not None and last.right is None:
        last.thread = facing.right
        last.mod += at_facing - at_last
    if inner.left is not None and first.left is None:
        first.thread = inner.left
        first.mod += at_inner - at_first
        return node
    return default


def positions(
    boxes: Sequence[Box], *, sideways: bool = False, gap: float = 8, rank_gap: float = 40
) -> list[Point]:
    """Centres of the boxes of a tree, the smallest coordinates of all boxes being 0.

    Parameters
    ----------
    boxes
        The nodes, each after its parent; children keep their order.
    sideways
        Grow from left to right instead of downwards.
    gap, rank_gap
        Space between neighbours, and between a rank and the next.

    Examples
    --------
    >>> positions([Box(10, 10, -1), Box(10, 10, 0), Box(10, 10, 0)], gap=10, rank_gap=30)
    [(15.0, 5.0), (5.0, 45.0), (25.0, 45.0)]
    """
    nodes = [_Node(box.height if sideways else box.width, box.straight) for box in boxes]
    ranks = [0] * len(boxes)
    for place, (node, box) in enumerate(zip(nodes, boxes, strict=True)):
        if box.parent >= 0:
            node.parent = nodes[box.parent]
            node.number = len(node.parent.children)
            node.parent.children.append(node)
            ranks[place] = ranks[box.parent] + 1
    for node in reversed(nodes):
        if node.children:
            node.prelim = _arrange(node, gap)
    deep = [0.0] * (max(ranks) + 1)
    for rank, box in zip(ranks, boxes, strict=True):
        deep[rank] = max(deep[rank], box.width if sideways else box.height)
    tops = [sum(deep[:rank]) + rank * rank_gap for rank in range(len(deep))]
    added = [0.0] * len(nodes)  # what the nodes above add
    across = []
    for place, (node, box) in enumerate(zip(nodes, boxes, strict=True)):
        if box.parent >= 0:
            added[place] = added[box.parent] + nodes[box.parent].mod
        across.append(node.prelim + added[place])
    least = min(x - node.size / 2 for x, node in zip(across, nodes, strict=True))
    centres = [
        (round(x - least, 1), round(tops[rank] + deep[rank] / 2, 1))
        for x, rank in zip(across, ranks, strict=True)
    ]
    return [(y, x) for x, y in centres] if sideways else centres
