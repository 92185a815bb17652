"""Imports run one way, between rooms and between files, and no room or file grows too large.

``MAY_IMPORT`` is the house as a drawing: to let a room use another, add it here, as long as no
circle comes of it. ``docs/rooms.py`` reads the imports and draws the picture of the same arrows.
"""

from __future__ import annotations

import doctest
import sys
from collections import Counter
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
try:
    import rooms
finally:
    sys.path.remove(str(ROOT / "docs"))

MAY_IMPORT: dict[str, set[str]] = {
    "enumerate": set(),
    "enumerate/game": {"enumerate"},
    "enumerate/display": {"enumerate/game"},
    "enumerate/layouts": {"enumerate/game"},
    "enumerate/priors": {"enumerate/layouts"},
    "enumerate/counting": {"enumerate/priors"},
    "enumerate/fitting": {"enumerate/counting"},
    "trees": set(),
    "trees/tree": {"trees"},
    "trees/drawing": {"trees/tree"},
    "trees/page": {"trees/drawing", "trees/strategy"},
    "trees/strategy": {"trees/tree"},
    "solver": set(),
    "solver/search": {"solver"},
    "solver/players": {"solver/search"},
    "solver/tournament": {"solver/players"},
    "solver/equilibrium": {"solver/tournament"},
    "solver/matches": {"solver/equilibrium"},
    "solver/advice": {"solver/search"},
    "solver/studies": {"solver/equilibrium"},
    "src/seabattle": {"src/seabattle/cli"},
    "src/seabattle/cli": {"src/seabattle/web"},
    "src/seabattle/web": {"src/seabattle/documents"},
    "src/seabattle/documents": set(),
}
"""What each room may import: these rooms, what these may import, and all folders before its own."""

LAZILY = {
    ("enumerate/layouts", "enumerate/display"),
    ("enumerate/counting", "enumerate/display"),
}
"""Arrows allowed inside functions only: a picture is drawn when it is asked for."""

MOST_LINES = 450
MOST_FILES_AT_THE_TOP = 10
IMPORTS = rooms.imports()
EDGES = {(found.source, found.target) for found in IMPORTS}


def reach(room: str) -> set[str]:
    """Every room that a room may import."""
    before = rooms.FOLDERS[: next(i for i, f in enumerate(rooms.FOLDERS) if room.startswith(f))]
    reached = {other for other in MAY_IMPORT if other.startswith(before)}
    waiting = [room]
    while waiting:
        new = MAY_IMPORT[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


def test_every_room_has_its_place() -> None:
    assert set(rooms.rooms()) == set(MAY_IMPORT)


def test_rooms_import_one_way() -> None:
    for room in MAY_IMPORT:
        assert room not in reach(room), f"{room} reaches itself"
    wrong = [
        f"{found.source} imports {found.target}"
        for found in IMPORTS
        if found.arrow[0] != found.arrow[1]
        and found.arrow[1] not in reach(found.arrow[0])
        and not (found.inside_function and found.arrow in LAZILY)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_files_import_each_other() -> None:
    graph = nx.DiGraph(sorted(EDGES))
    circles = [sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1]
    assert not circles, f"circles of imports: {circles}"


def test_rooms_do_not_import_the_face() -> None:
    """Names are imported from the module that defines them, never from ``seabattle`` itself."""
    package = f"{rooms.FACE}/__init__.py"
    assert not [s for s, target in EDGES if target == package and not s.startswith(rooms.FACE)]


def test_a_room_says_what_it_is_and_imports_nothing_by_itself() -> None:
    """Whoever imports one module of a room loads that module, not the whole room."""
    for room in rooms.rooms():
        door = ROOT / room / "__init__.py"
        assert door.read_text(encoding="utf-8").startswith('"""'), door
        if room != rooms.FACE:
            assert not [target for source, target in EDGES if source == f"{room}/__init__.py"]


def test_files_are_short_enough_to_read_in_one_sitting() -> None:
    lines = {f: len((ROOT / f).read_text(encoding="utf-8").splitlines()) for f in rooms.sources()}
    assert not [file for file, number in lines.items() if number > MOST_LINES]


def test_few_files_lie_outside_the_rooms() -> None:
    files = Counter(source.rpartition("/")[0] for source in rooms.sources())
    for folder in ("enumerate", "trees", "solver"):
        assert files[folder] <= MOST_FILES_AT_THE_TOP, folder


def test_the_graph_finds_what_there_is() -> None:
    """Were the imports misread, the tests above would pass for want of arrows."""
    assert doctest.testmod(rooms).failed == 0
    assert len(rooms.sources()) > 100
    assert ("solver/search/solve_run.py", "trees/tree/verify.py") in EDGES
    assert ("trees/tree/verify.py", "enumerate/errors.py") in EDGES
    assert any(found.inside_function for found in IMPORTS)
    assert ("solver/search/hit_search.py", "solver/search/kernels/work.py") in EDGES
    assert ("trees/tree/tree.py", "trees/drawing/tree_svg.py") not in EDGES, "a notebook's picture"
    assert ("solver/search/tree_building.py", "solver/search/hit_search.py") not in EDGES, "a type"


def test_the_drawing_shows_the_imports_of_today() -> None:
    drawn = {room for floor in rooms.PLAN.values() for row in floor for room in row}
    assert drawn == set(rooms.rooms()) - {"enumerate", "trees", "solver"}
    kept = rooms.PICTURE.read_text(encoding="utf-8")
    assert kept == rooms.drawing(), "run python docs/rooms.py"
