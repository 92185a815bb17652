"""ES modules as one script, so that a page in one piece needs no bundler.

The scripts of a page are modules in the folder ``scripts``. Each is read by its lines: those that
begin with ``import`` stand at its head, one for each module that it needs, and those that begin
with ``export`` declare a name that others may have::

    import { el, svg } from "../shared/elements.js";
    export function shipPart(joins, kind) {

A module becomes a function that is called once, after those that it imports, and returns what it
exports. All other lines stay as they are, but for comments and indentation: no text in backquotes
spans lines.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_DECLARATIONS = ("const", "let", "class", "function", "function*")


@dataclass(frozen=True, slots=True)
class Module:
    """A module as its lines say.

    Attributes
    ----------
    imports
        Names, by the path of the module that they are imported from.
    exports
        Names that are declared for others.
    body
        The lines without imports, the word ``export``, comments and indentation.
    """

    imports: dict[str, list[str]]
    exports: list[str]
    body: list[str]


def read_module(text: str, path: str) -> Module:
    r"""A module from its text.

    Parameters
    ----------
    text
        The text of the file.
    path
        Its path in the folder of scripts, such as ``match/tab.js``: imports start there.

    Examples
    --------
    >>> module = read_module('import { a } from "./b.js";\nexport const c = 2 * a;\n', "x/y.js")
    >>> module.imports, module.exports, module.body
    ({'x/b.js': ['a']}, ['c'], ['const c = 2 * a;'])
    """
    module = Module({}, [], [])
    for line in text.splitlines():
        if line.startswith("import "):
            names, source = line.removeprefix("import {").removesuffix('";').split('} from "')
            needed = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
            module.imports[needed] = [name.strip() for name in names.split(",")]
        elif line.startswith("export "):
            declared = line.removeprefix("export ")
            kind, name, *_ = declared.removeprefix("async ").split()
            if kind not in _DECLARATIONS:
                raise ValueError(f"{path}: not a declaration: {line}")
            module.exports.append(name.split("(")[0])
            module.body.append(declared)
        elif line.strip() and not line.lstrip().startswith("//"):
            module.body.append(line.strip())
    return module


def read_file(path: str) -> str:
    """The text of a file of the folder of scripts."""
    return (files("seabattle.trees.page") / "scripts" / path).read_text(encoding="utf-8")


def constant(path: str) -> str:
    """The name of what a module exports, in the script that is made of it.

    >>> constant("match/tab.js")
    'match_tab'
    """
    return path.removesuffix(".js").replace("/", "_")


def modules_of(entry: str, given: Mapping[str, str] | None = None) -> dict[str, Module]:
    """A module and all that it needs, each after those that it imports.

    Parameters
    ----------
    entry
        Path of the module in the folder of scripts, such as ``page.js``.
    given
        Texts by path, of modules that are used in place of the files.

    Raises
    ------
    ValueError
        If a module imports a name that is not exported, or modules need each other.
    """
    found: dict[str, Module] = {}
    begun: list[str] = []

    def add(path: str) -> None:
        if path in begun:
            raise ValueError(f"modules need each other: {' '.join([*begun, path])}")
        if path in found:
            return
        begun.append(path)
        text = (given or {}).get(path)
        module = read_module(read_file(path) if text is None else text, path)
        for needed, names in module.imports.items():
            add(needed)
            for name in names:
                if name not in found[needed].exports:
                    raise ValueError(f"{path}: {needed} exports no {name}")
        found[path] = module
        begun.pop()

    add(entry)
    return found


def classic(entry: str, given: Mapping[str, str] | None = None) -> str:
    """A module and all that it needs as one classic script.

    Parameters and errors as ``modules_of``. What each exports is the constant of its ``constant``.
    """
    lines = ['"use strict";']
    for path, module in modules_of(entry, given).items():
        lines.append(f"const {constant(path)} = (() => {{")
        for needed, names in module.imports.items():
            lines.append(f"const {{ {', '.join(names)} }} = {constant(needed)};")
        lines += module.body
        lines.append(f"return {{ {', '.join(module.exports)} }};\n}})();")
    return "\n".join(lines) + "\n"
