"""The rooms of the package and the arrows between them, read from the imports of every file.

A *room* is a folder of Python files: ``enumerate/game``, ``solver/search``, and so on; the kernels
of a room belong to it. An *arrow* leads from a room to one that it imports from. Imports inside
functions count like all others. Two kinds do not: those under ``TYPE_CHECKING``, which never
happen when the program runs, and those inside the methods by which a notebook shows an object
(``_repr_svg_`` and the like), which borrow a renderer from further up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

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


def imports() -> list[Import]:
    """Every import of one file of product code by another, save the two kinds that do not count."""
    return [
        found
        for source in sources()
        for found in _walk(ast.parse((ROOT / source).read_text(encoding="utf-8")), source, False)
        if found.target != source
    ]
