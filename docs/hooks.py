"""What the site needs beyond its pages: the reference, made from the sources when it is built.

Every public module has a page that mkdocstrings fills from its docstrings, every room an index,
and one page shows the help of every command. Pages of the folder that the configuration does not
name stand under "More". Screenshots of the explorer come from ``outputs/explorer``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "enumerate": "What can be there and what a shot reveals.",
    "trees": "What a strategy looks like.",
    "solver": "What to shoot.",
}


def modules(room: str) -> list[str]:
    """Public modules of a room."""
    return sorted(p.stem for p in (ROOT / room).glob("*.py") if not p.name.startswith("_"))


def first_line(room: str, module: str) -> str:
    """What a module says of itself first."""
    tree = ast.parse((ROOT / room / f"{module}.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " ")


def _pages_named(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for item in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _pages_named(item)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the reference, and the pages that are not named, to the navigation."""
    named = set(_pages_named(config.nav))
    folder = Path(config.docs_dir)
    others = sorted(p.name for p in folder.glob("*.md") if p.name not in named)
    if others:
        config.nav.append({"More": others})
    config.nav.append({"Commands": "commands.md"})
    rooms: list[Any] = ["api/index.md"]
    for room in ROOMS:
        pages = [{name: f"api/{room}/{name}.md"} for name in modules(room)]
        rooms.append({room: [f"api/{room}/index.md", *pages]})
    config.nav.append({"Reference": rooms})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the reference."""

    def add(path: str, content: str) -> None:
        files.append(File.generated(config, path, content=content))

    for name in ("answer-light", "compare-light"):
        source = ROOT / "outputs" / "explorer" / f"{name}.png"
        files.append(File.generated(config, f"explorer/{name}.png", abs_src_path=str(source)))
    add("commands.md", commands_page())
    add("api/index.md", names_page())
    for room, purpose in ROOMS.items():
        lines = [f"# seabattle.{room}", "", purpose, ""]
        for name in modules(room):
            lines.append(f"- [`{name}`]({name}.md): {first_line(room, name)}")
            add(f"api/{room}/{name}.md", f"::: seabattle.{room}.{name}\n")
        add(f"api/{room}/index.md", "\n".join(lines) + "\n")
    return files


def names_page() -> str:
    """The names importable from ``seabattle`` itself, by room."""
    import seabattle

    lines = [
        "# Reference",
        "",
        "Importable from `seabattle` itself, loaded when first used. A room imports only those",
        "above it: `enumerate`, `trees`, `solver`.",
        "",
    ]
    for room, purpose in ROOMS.items():
        lines += [f"## [{room}]({room}/index.md)", "", purpose, ""]
        homes = {name: home for name, home in seabattle._HOMES.items() if home.startswith(room)}
        for name, home in sorted(homes.items(), key=lambda item: item[0].lower()):
            module = home.rpartition(".")[2]
            link = f"[`{name}`][seabattle.{home}.{name}]"
            lines.append(f"- {link} ([{module}]({room}/{module}.md)): {summary(home, name)}")
        lines.append("")
    return "\n".join(lines)


def summary(home: str, name: str) -> str:
    """What a public class or function says of itself first, on one line."""
    source = ROOT / f"{home.replace('.', '/')}.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    raise LookupError(f"{source} defines no {name}")


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    """The context a command's help is printed in, on a terminal as wide as the page."""
    return click.Context(command, parent, name, terminal_width=84, **command.context_settings)


def commands_page() -> str:
    """The help of every command, as the program prints it."""
    from seabattle.commands import commands

    lines = ["# Commands", "", "What `--help` prints.", ""]
    top = _context(commands, "seabattle")
    listed: list[tuple[str, click.Command, click.Context]] = [("seabattle", commands, top)]
    while listed:
        path, command, context = listed.pop(0)
        lines += [f"## `{path}`", "", "```text", command.get_help(context), "```", ""]
        if isinstance(command, click.Group):
            below = []
            for name, child in sorted(command.commands.items()):
                below.append((f"{path} {name}", child, _context(child, name, context)))
            listed = below + listed
    return "\n".join(lines)
