"""The rooms of the package and the arrows between them, read from the imports of every file.

A *room* is a folder of Python files: ``enumerate/game``, ``solver/search``, and so on; the kernels
of a room belong to it. An *arrow* leads from a room to one that it imports from. Imports inside
functions count like all others. Two kinds do not: those under ``TYPE_CHECKING``, which never
happen when the program runs, and those inside the methods by which a notebook shows an object
(``_repr_svg_`` and the like), which borrow a renderer from further up.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

import networkx as nx

ROOT = Path(__file__).resolve().parent.parent
FACE = "src/seabattle"
FOLDERS = ("enumerate", "trees", "solver", FACE)
"""The folders of product code; each imports only from itself and from those before it."""


@dataclass(frozen=True)
class Import:
    """One file imports from another; both by their paths from the root."""

    source: str
    target: str
    inside_function: bool

    @property
    def arrow(self) -> tuple[str, str]:
        """The rooms that it joins."""
        return room_of(self.source), room_of(self.target)


def sources() -> list[str]:
    """Every Python file of product code; the face holds links to the three other folders."""
    found = [
        path.relative_to(ROOT)
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not (folder == FACE and path.relative_to(ROOT / FACE).parts[0] in FOLDERS)
    ]
    return [path.as_posix() for path in found]


def room_of(path: str) -> str:
    """The room of a file.

    >>> room_of("enumerate/files.py"), room_of("solver/search/kernels/work.py")
    ('enumerate', 'solver/search')
    """
    return path.rpartition("/")[0].removesuffix("/kernels")


def rooms() -> list[str]:
    """All rooms, in the order of their folders; a folder is the first of its own rooms."""
    return list(dict.fromkeys(sorted(map(room_of, sources()), key=_place)))


def _place(room: str) -> tuple[int, str]:
    return next(i for i, folder in enumerate(FOLDERS) if room.startswith(folder)), room


def _file(module: str) -> str | None:
    """The file of a module of the package, None for any other module.

    >>> _file("seabattle.enumerate.errors"), _file("seabattle.cli"), _file("numpy")
    ('enumerate/errors.py', 'src/seabattle/cli/__init__.py', None)
    """
    first, *names = module.split(".")
    if first != "seabattle":
        return None
    path = "/".join(names if names and names[0] in FOLDERS else [FACE, *names])
    return next((f for f in (f"{path}.py", f"{path}/__init__.py") if (ROOT / f).exists()), None)


def _imported(node: ast.AST) -> Iterator[str]:
    """Files of the package that one import statement reads."""
    names: Iterable[str] = ()
    if isinstance(node, ast.Import):
        names = (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        below = [f"{module}.{alias.name}" for alias in node.names]  # modules of a room, or names
        names = (name if _file(name) else module for name in below)
    yield from (file for name in names if (file := _file(name)) is not None)


def _walk(node: ast.AST, source: str, inside: bool) -> Iterator[Import]:
    for target in _imported(node):
        yield Import(source, target, inside)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.name.startswith("_repr_"):
            return
        inside = True
    below = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        below = list(node.orelse)
    for child in below:
        yield from _walk(child, source, inside)


@cache
def imports() -> tuple[Import, ...]:
    """Every import of one file of product code by another, save the two kinds that do not count."""
    return tuple(
        found
        for source in sources()
        for found in _walk(ast.parse((ROOT / source).read_text(encoding="utf-8")), source, False)
        if found.target != source
    )


# The drawing

PICTURE = ROOT / "docs" / "pages" / "images" / "rooms.svg"
PLAN: dict[str, list[list[str]]] = {
    FACE: [[FACE, f"{FACE}/cli"], [f"{FACE}/web", f"{FACE}/documents"]],
    "solver": [
        [
            f"solver/{room}"
            for room in ("studies", "advice", "players", "tournament", "equilibrium", "matches")
        ],
        ["solver/search"],
    ],
    "trees": [["trees/page", "trees/drawing", "trees/strategy"], ["trees/tree"]],
    "enumerate": [
        [f"enumerate/{room}" for room in ("display", "layouts", "priors", "counting", "fitting")],
        ["enumerate/game"],
    ],
}
"""Where the rooms stand: the floors from the top, each with its rows of rooms."""

WIDTH, MARGIN, LEFT, GAP = 1280, 16, 170, 26
ROW_GAP, FLOOR_GAP, PAD, LINE = 24, 28, 20, 17
LIGHT = {"paper": "#fff", "floor": "#e9eff5", "room": "#fff", "line": "#9aacbd", "ink": "#1b2733",
         "soft": "#46545f", "go": "#1d5fa8"}  # fmt: skip
DARK = {"paper": "#14191f", "floor": "#1e262e", "room": "#2a343e", "line": "#5f7183",
        "ink": "#eef3f8", "soft": "#b9c5d1", "go": "#7db7f5"}  # fmt: skip


def style(paper: str, floor: str, room: str, line: str, ink: str, soft: str, go: str) -> str:
    """Rules of one palette; written out, as not every program that shows SVG knows variables."""
    return (
        f".paper{{fill:{paper}}}.floor{{fill:{floor}}}.room{{fill:{room};stroke:{line}}}"
        f".name,.title{{fill:{ink};font-weight:700}}.says{{fill:{soft}}}"
        f".arrow,.down{{fill:none;stroke:{go};stroke-width:2}}.head{{fill:{go}}}"
    )


STYLE = (
    f"{style(**LIGHT)}\n.name{{font-size:17px}}.title{{font-size:19px}}.says{{font-size:14px}}"
    f".lazy{{stroke-dasharray:5 4}}\n@media (prefers-color-scheme:dark){{{style(**DARK)}}}\n"
    ".down{stroke-width:6}"
)


LEGEND = (
    "An arrow leads to what is imported, a dashed one from inside functions only; arrows that "
    "follow from others are left out. Every floor may use all floors below it."
)


@dataclass(frozen=True)
class Area:
    """A rectangle of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its middle from left to right."""
        return self.x + self.width / 2


def sentence(room: str) -> str:
    """What a room says of itself first."""
    if room == FACE:
        return "Every public name, and the entry of the program."
    source = (ROOT / room / "__init__.py").read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(source)) or ""
    return " ".join(said.split("\n\n")[0].split())


def lines_of(room: str, width: float) -> list[str]:
    """The sentence of a room as it is broken in a box."""
    return textwrap.wrap(sentence(room), int((width - 20) / 6.7))


def floor_arrows(floor: str) -> dict[tuple[str, str], bool]:
    """Arrows between the rooms of a floor, each with whether it holds inside functions only.

    An arrow is left out where others lead the same way: tournament to search goes by players.
    """
    drawn = {room for row in PLAN[floor] for room in row}
    lazy: dict[tuple[str, str], bool] = {}
    for found in imports():
        if found.arrow[0] != found.arrow[1] and drawn.issuperset(found.arrow):
            lazy[found.arrow] = lazy.get(found.arrow, True) and found.inside_function
    always = nx.transitive_reduction(nx.DiGraph(arrow for arrow in lazy if not lazy[arrow]))
    kept = dict.fromkeys(always.edges, False)
    for arrow in lazy:
        graph = nx.DiGraph(other for other in lazy if other != arrow)
        if lazy[arrow] and not (
            graph.has_node(arrow[0]) and arrow[1] in nx.descendants(graph, arrow[0])
        ):
            kept[arrow] = True
    return kept


def _areas() -> tuple[dict[str, Area], dict[str, Area], float]:
    """Places of the floors, of the rooms, and the height of the whole drawing."""
    floors, places = {}, {}
    y = float(MARGIN)
    for floor, rows in PLAN.items():
        top, y = y, y + PAD
        for row in rows:
            width = (WIDTH - 2 * MARGIN - LEFT - PAD - GAP * (len(row) - 1)) / len(row)
            height = 40 + LINE * max(len(lines_of(room, width)) for room in row)
            for number, room in enumerate(row):
                places[room] = Area(MARGIN + LEFT + number * (width + GAP), y, width, height)
            y += height + ROW_GAP
        y += PAD - ROW_GAP
        floors[floor] = Area(MARGIN, top, WIDTH - 2 * MARGIN, y - top)
        y += FLOOR_GAP
    return floors, places, y - FLOOR_GAP + MARGIN + 2 * LINE


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _box(room: str, area: Area) -> list[str]:
    name = "the public names" if room == FACE else room.rpartition("/")[2]
    shapes = [
        f'<rect class="room" x="{area.x:g}" y="{area.y:g}" width="{area.width:g}"'
        f' height="{area.height:g}" rx="7"/>',
        _text("name", area.x + 12, area.y + 24, name),
    ]
    return shapes + [
        _text("says", area.x + 12, area.y + 44 + LINE * number, line)
        for number, line in enumerate(lines_of(room, area.width))
    ]


def _arrow(source: Area, target: Area, *, lazy: bool) -> str:
    """An arrow down, to the neighbour, or in an arc above the rooms between."""
    if target.y > source.y:
        path = f"M{source.middle:g} {source.y + source.height:g}V{target.y - 9:g}"
    else:
        left = target.x < source.x
        here = source.x if left else source.x + source.width
        there = target.x + target.width + 9 if left else target.x - 9
        middle = source.y + source.height / 2
        path = f"M{here:g} {middle:g}H{there:g}"
        if abs(here - there) > GAP:
            end = target.middle
            path = f"M{source.middle:g} {source.y:g}v-15H{end:g}V{target.y - 9:g}"
    return f'<path class="arrow{" lazy" if lazy else ""}" marker-end="url(#head)" d="{path}"/>'


def drawing() -> str:
    """The rooms as an SVG document: floors that rest on those below, and the arrows inside each."""
    floors, places, height = _areas()
    title = "The rooms of seabattle and what imports what"
    shapes = [f'<rect class="paper" width="{WIDTH}" height="{height:g}"/>']
    for (floor, area), below in zip(
        floors.items(), [*list(floors.values())[1:], None], strict=True
    ):
        shapes.append(
            f'<rect class="floor" x="{area.x:g}" y="{area.y:g}" width="{area.width:g}"'
            f' height="{area.height:g}" rx="10"/>'
        )
        shapes.append(_text("title", area.x + 14, area.y + 34, floor))
        own = [path.rpartition("/")[2] for path in sources() if room_of(path) == floor != FACE]
        files = ", ".join(name[:-3] for name in own if name != "__init__.py")
        shapes += [
            _text("says", area.x + 14, area.y + 56 + LINE * number, line)
            for number, line in enumerate(textwrap.wrap(files, int((LEFT - 20) / 6.7)))
        ]
        if below is not None:
            start, stop = area.y + area.height, below.y - 13
            path = f"M{WIDTH / 2:g} {start:g}V{stop:g}"
            shapes.append(f'<path class="down" marker-end="url(#foot)" d="{path}"/>')
    shapes.append(_text("says", MARGIN + 14, height - 16, LEGEND))
    for floor in PLAN:
        for (source, target), lazy in sorted(floor_arrows(floor).items()):
            shapes.append(_arrow(places[source], places[target], lazy=lazy))
    for room, area in places.items():
        shapes += _box(room, area)
    heads = "".join(
        f'<marker id="{name}" viewBox="0 0 10 10" refX="1" refY="5" markerWidth="{size}"'
        f' markerHeight="{size}" markerUnits="userSpaceOnUse" orient="auto">'
        '<path class="head" d="M0 0L10 5L0 10z"/></marker>'
        for name, size in (("head", 11), ("foot", 18))
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}"'
            f' viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="title"'
            " font-family=\"Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif\">",
            f'<title id="title">{title}</title>',
            f"<style>{STYLE}</style>",
            f"<defs>{heads}</defs>",
            *shapes,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
    print(PICTURE.name, f"{PICTURE.stat().st_size / 1000:.0f} kB")
