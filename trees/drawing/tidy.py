"""Where the boxes of a drawn tree go: a tidy layout.

Every subtree is laid out by itself, its root over the middle of its children, and then pushed to
the right until it clears the subtrees before it [Reingold1981]. How far is read off *contours*: the
left and the right end of a subtree in each of its ranks. Subtrees between two that were pushed
apart share the space in equal parts [Buchheim2002].

One unit is one SVG pixel; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    sizes = [box.height if sideways else box.width for box in boxes]
    children: list[list[int]] = [[] for _ in boxes]
    ranks = [0] * len(boxes)
    for number, box in enumerate(boxes):
        if box.parent >= 0:
            children[box.parent].append(number)
            ranks[number] = ranks[box.parent] + 1
    contours = [([-size / 2], [size / 2]) for size in sizes]  # seen from the root of each subtree
    across = [0.0] * len(boxes)  # from the parent, then from the first root
    for number in reversed(range(len(boxes))):
        if kids := children[number]:
            places = _side_by_side([contours[kid] for kid in kids], gap)
            line = [x for x, kid in zip(places, kids, strict=True) if boxes[kid].straight]
            middle = line[0] if line else (places[0] + places[-1]) / 2
            left, right = contours[number]
            for kid, place in zip(kids, places, strict=True):
                across[kid] = place - middle
                ends = [[across[kid] + end for end in side] for side in contours[kid]]
                left += ends[0][len(left) - 1 :]  # of the first that goes so deep
                right[1 : len(ends[1]) + 1] = ends[1]  # of the last
    for number, box in enumerate(boxes):
        if box.parent >= 0:
            across[number] += across[box.parent]
    deep = [0.0] * (max(ranks) + 1)
    for rank, box in zip(ranks, boxes, strict=True):
        deep[rank] = max(deep[rank], box.width if sideways else box.height)
    tops = [sum(deep[:rank]) + rank * rank_gap for rank in range(len(deep))]
    least = min(x - size / 2 for x, size in zip(across, sizes, strict=True))
    centres = [
        (round(x - least, 1), round(tops[rank] + deep[rank] / 2, 1))
        for x, rank in zip(across, ranks, strict=True)
    ]
    return [(y, x) for x, y in centres] if sideways else centres
