"""Node positions by Graphviz's ``dot`` layout [Gansner1993].

Graphviz is given plain boxes and only places them. Its ``dot`` program is used if it is installed,
through the ``graphviz`` package; otherwise the same engine inside the ``pygraphviz`` wheel. One
unit is one SVG pixel, which Graphviz takes for a point; y grows downwards.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seabattle.enumerate.errors import DrawingError

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
        Whether it is on a path that should run straight.
    """

    width: float
    height: float
    parent: int
    straight: bool = False


def _source(boxes: Sequence[Box], *, sideways: bool, gap: float, rank_gap: float) -> str:
    """DOT source of the boxes."""
    # A tree laid out in the order of its edges has no crossings: mclimit saves the search for them.
    lines = [
        "digraph tree {",
        f"graph [ordering=out splines=false rankdir={'LR' if sideways else 'TB'}"
        f" nodesep={gap / 72:.4f} ranksep={rank_gap / 72:.4f} mclimit=0.1]",
        'node [shape=box fixedsize=true label=""]',
        "edge [arrowhead=none]",
    ]
    for number, box in enumerate(boxes):
        size = f"width={box.width / 72:.4f} height={box.height / 72:.4f}"
        lines.append(f"{number} [{size}{' group=path' if box.straight else ''}]")
        if box.parent >= 0:
            lines.append(f"{box.parent}->{number}{' [weight=100]' if box.straight else ''}")
    return "\n".join([*lines, "}"])


def _by_program(source: str, count: int) -> list[str]:
    """Positions by the ``dot`` program, or an OSError or ValueError."""
    import graphviz

    try:
        answer = graphviz.pipe("dot", "json0", source.encode(), quiet=True)
    except graphviz.CalledProcessError as error:
        raise OSError(f"dot failed with status {error.returncode}") from None
    found = {node["name"]: node["pos"] for node in json.loads(answer)["objects"]}
    return [found[str(number)] for number in range(count)]


def _by_wheel(source: str, count: int) -> list[str]:
    """Positions by the engine inside the pygraphviz wheel."""
    import pygraphviz

    graph = pygraphviz.AGraph(string=source)
    # Not draw(prog="dot"), which writes to standard error for every graph above 1,000 nodes.
    graph.layout(prog="dot")
    return [graph.get_node(str(number)).attr["pos"] for number in range(count)]


def _engines() -> list[Callable[[str, int], list[str]]]:
    """Available layout engines, the preferred one first."""
    return [_by_program, _by_wheel] if shutil.which("dot") else [_by_wheel]


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
        Space between neighbours, and between a node and its children.

    Raises
    ------
    DrawingError
        If Graphviz is available in neither form, or fails.

    Examples
    --------
    >>> positions([Box(10, 10, -1), Box(10, 10, 0), Box(10, 10, 0)], gap=10, rank_gap=30)
    [(15.0, 5.0), (5.0, 45.0), (25.0, 45.0)]
    """
    source = _source(boxes, sideways=sideways, gap=gap, rank_gap=rank_gap)
    failures = []
    for engine in _engines():
        try:
            texts = engine(source, len(boxes))
            break
        except (ImportError, OSError, ValueError, KeyError) as error:
            failures.append(" ".join(str(error).split()) or type(error).__name__)
    else:
        raise DrawingError(
            "drawing a tree needs Graphviz: install the package pygraphviz, or the program dot "
            f"({'; '.join(failures)})"
        )
    centres = []
    for text in texts:
        x, y = text.split(",")
        centres.append((float(x), -float(y)))
    return _shifted(boxes, _apart(boxes, centres, sideways=sideways, gap=gap))


def _apart(
    boxes: Sequence[Box], centres: list[Point], *, sideways: bool, gap: float
) -> list[Point]:
    """Push overlapping neighbours of one rank apart.

    Graphviz writes five significant digits, so coordinates in very wide drawings are off by a few
    units.
    """
    ranks: dict[float, list[int]] = {}
    for number, (x, y) in enumerate(centres):
        ranks.setdefault(x if sideways else y, []).append(number)
    placed = list(centres)
    along = 1 if sideways else 0
    for rank in ranks.values():
        end = -float("inf")
        for number in sorted(rank, key=lambda n: centres[n][along]):
            half = (boxes[number].height if sideways else boxes[number].width) / 2
            # Tolerate half a unit of rounding, to keep the drawing symmetric.
            at = max(centres[number][along], end + gap + half - 0.5)
            end = at + half
            placed[number] = (placed[number][0], at) if sideways else (at, placed[number][1])
    return placed


def _shifted(boxes: Sequence[Box], centres: list[Point]) -> list[Point]:
    left = min(x - box.width / 2 for box, (x, _) in zip(boxes, centres, strict=True))
    top = min(y - box.height / 2 for box, (_, y) in zip(boxes, centres, strict=True))
    return [(round(x - left, 1), round(y - top, 1)) for x, y in centres]
