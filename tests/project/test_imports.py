"""Imports run one way between the four floors, and no files import each other in a circle."""

from __future__ import annotations

import ast
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("enumerate", "trees", "solver", "src/seabattle")


def modules() -> dict[str, Path]:
    """Every module of the product by its name, ``seabattle.enumerate.rules``."""
    found = {}
    for floor in FLOORS:
        package = "seabattle" if floor == FLOORS[-1] else f"seabattle.{floor}"
        for file in sorted((ROOT / floor).rglob("*.py")):
            inside = file.relative_to(ROOT / floor)
            if floor == FLOORS[-1] and inside.parts[0] in FLOORS:
                continue  # a link to another floor
            found[".".join((package, *inside.with_suffix("").parts)).removesuffix(".__init__")] = (
                file
            )
    return found


MODULES = modules()


def imports(name: str, *, anywhere: bool = True) -> set[str]:
    """The modules of the product that a module imports, anywhere or when it is loaded."""
    found = set()
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for node in ast.walk(tree) if anywhere else tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, f"{name} imports relatively"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(inner & MODULES.keys() or {node.module})
    return (found & MODULES.keys()) - {name}


IMPORTS = {name: imports(name) for name in MODULES}


def floor_of(name: str) -> int:
    room = name.split(".")[1] if "." in name else ""
    return FLOORS.index(room) if room in FLOORS else len(FLOORS) - 1


def test_imports_run_one_way() -> None:
    assert sum(map(len, IMPORTS.values())) > len(MODULES), "the imports were not read"
    wrong = [(name, other) for name in IMPORTS for other in IMPORTS[name]
             if floor_of(other) > floor_of(name)]  # fmt: skip
    assert not wrong


def test_no_files_load_each_other() -> None:
    loaded = {name: imports(name, anywhere=False) for name in MODULES}
    graph = nx.DiGraph((name, other) for name in loaded for other in loaded[name])
    circles = [sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1]
    assert not circles
