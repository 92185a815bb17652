"""Imports run one way between the four floors, and no files import each other in a circle."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parents[2]
LONG: dict[str, str] = {}
"""Functions longer or with more branches than the others, and why."""

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


def imports(name: str) -> set[str]:
    """The modules of the product that a module imports, anywhere in it."""
    found = set()
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, f"{name} imports relatively"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(inner & MODULES.keys() or {node.module})
    return (found & MODULES.keys()) - {name}


@cache
def pairs() -> set[tuple[str, str]]:
    """Every module with each that it imports."""
    return {(name, other) for name in MODULES for other in imports(name)}


def floor_of(name: str) -> int:
    room = name.split(".")[1] if "." in name else ""
    return FLOORS.index(room) if room in FLOORS else len(FLOORS) - 1


def test_imports_run_one_way() -> None:
    assert len(pairs()) > len(MODULES), "the imports were not read"
    assert not [(name, other) for name, other in pairs() if floor_of(other) > floor_of(name)]


LATE = {("seabattle.trees.tree", "seabattle.trees.drawing.tree_svg")}
"""The one import that closes a circle: a notebook shows a tree by its picture."""


def test_no_files_import_each_other() -> None:
    """Nor inside functions, nor for the type checker alone."""
    assert pairs() >= LATE
    graph = nx.DiGraph(pairs() - LATE)
    circles = [sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1]
    assert not circles


MOST_LINES, MOST_BRANCHING = 120, 40
BRANCHES = (
    ast.If, ast.IfExp, ast.For, ast.While, ast.AsyncFor, ast.ExceptHandler, ast.match_case,
)  # fmt: skip


def branching(function: ast.AST) -> int:
    """McCabe's number: 1, and 1 for every way that a function can take at a place."""
    number = 1
    for node in ast.walk(function):
        number += isinstance(node, BRANCHES)
        if isinstance(node, ast.BoolOp):
            number += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            number += 1 + len(node.ifs)
    return number


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> int:
    """Lines of a function that are not blank, not comment and not its docstring."""
    described = ast.get_docstring(function) is not None
    skipped = range(function.body[0].lineno, (function.body[0].end_lineno or 0) + 1)
    return sum(
        1
        for number in range(function.lineno, (function.end_lineno or 0) + 1)
        if (text := lines[number - 1].strip())
        and not text.startswith("#")
        and not (described and number in skipped)
    )


@pytest.mark.parametrize("name", sorted(MODULES))
def test_functions_can_be_read(name: str) -> None:
    text = MODULES[name].read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if f"{name}.{node.name}" in LONG:
                continue
            assert code_lines(node, text.splitlines()) <= MOST_LINES, node.name
            assert branching(node) <= MOST_BRANCHING, node.name
