"""What the site needs beyond its pages: the reference, made from the sources when it is built.

Every public module has a page that mkdocstrings fills from its docstrings, every room an index,
and single pages show the help of every command, the fields of every JSON answer, and the formats
of all files, as the modules that read and write them tell. ``CONTRIBUTING.md`` is a page, too.
Pages of the folder that the configuration does not name stand under "More".

The pages link to files of the repository, so that their links work there. On the site a link to a
module leads to its page of the reference, and one to a file under ``outputs`` to a copy; the page
of ``seabattle play`` is published with the site.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parent))
from docstrings import as_markdown
from json_fields import FIELDS, GAME, KNOWN, sentence

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "pages"
FLOORS = ("enumerate", "trees", "solver")
"""The three folders of the package, each of which imports only those before it."""
FACE = ("client", "gym")
"""Modules of the package itself that programs import."""
FORMATS = {
    "Position": "enumerate.position_files",
    "Tree": "trees.files",
    "Strategy": "trees.strategy.keys",
    "Prior, as a table": "enumerate.priors.files",
    "Prior, as JSON": "enumerate.priors.files",
    "Equilibrium": "solver.equilibrium.mix_files",
    "Atlas": "solver.studies.atlas",
    "Checkpoint": "solver.search.checkpoint",
    "Tables of a tournament": "solver.tournament.files",
    "Journal of a tournament": "solver.tournament.tournament",
}
"""The modules that say what files look like."""
MADE = {
    "docs/CONTRIBUTING.md": "contributing.md",
    "docs/json_fields.py": "json.md",
    "src/seabattle/__init__.py": "api/index.md",
    "src/seabattle/cli/commands.py": "commands.md",
    **{f"src/seabattle/{name}.py": f"api/{name}.md" for name in FACE},
}
"""Files of the repository that a page of the site is made from, by that page."""
PLAY = ("seabattle.html", "seabattle.webmanifest", "offline.js", "icon.svg")
"""The page of ``seabattle play`` and what it needs to be installed, from ``outputs/play``."""
LINK = re.compile(r"\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def place_on_site(target: str, folder: Path) -> str | None:
    """Where a link to a file of the repository leads on the site.

    Parameters
    ----------
    target
        Path of the file from the folder of the page that links to it.
    folder
        Folder of that page in the repository.

    Returns
    -------
    str or None
        A path on the site, or None for a file that is not there.
    """
    path = Path(os.path.normpath(folder / target))
    inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    floor, _, rest = inside.partition("/")
    if inside in MADE:
        return MADE[inside]
    if floor in FLOORS and path.suffix == ".py":
        return f"api/{inside.removesuffix('.py')}.md"
    if floor == "outputs" and path.is_file():
        return rest
    return inside.removeprefix("docs/pages/") if path.is_relative_to(PAGES) else None


def linked_outputs() -> set[str]:
    """Files under ``outputs`` that pages show or link to, and the page of ``seabattle play``."""
    pages = [(page, page.read_text(encoding="utf-8")) for page in PAGES.glob("*.md")]
    places = {place_on_site(path, PAGES) for _, text in pages for path, _ in LINK.findall(text)}
    linked = {place for place in places if place and (ROOT / "outputs" / place).is_file()}
    return linked | {f"play/{name}" for name in PLAY}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to their places on the site."""
    folder = ROOT / "docs" if page.file.src_uri == "contributing.md" else PAGES

    def link(found: re.Match[str]) -> str:
        place = place_on_site(found[1], folder)
        return f"]({place or found[1]}{found[2] or ''})"

    return markdown if "/" in page.file.src_uri else LINK.sub(link, markdown)


def rooms(floor: str) -> list[str]:
    """The rooms of a floor as dotted names, the floor itself first."""
    folders = sorted(p.parent for p in (ROOT / floor).rglob("__init__.py"))
    return [".".join(folder.relative_to(ROOT).parts) for folder in folders]


def modules(room: str) -> list[str]:
    """Public modules of a room."""
    folder = ROOT / room.replace(".", "/")
    return sorted(p.stem for p in folder.glob("*.py") if not p.name.startswith("_"))


def source_of(module: str) -> Path:
    """The file of a module, or of the room of that name."""
    path = (ROOT / "src" / "seabattle" if module in FACE else ROOT) / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def first_line(module: str) -> str:
    """What a module, or the room of that name, says of itself first."""
    tree = ast.parse(source_of(module).read_text(encoding="utf-8"))
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
    config.nav.append({"JSON answers": "json.md"})
    config.nav.append({"File formats": "formats.md"})
    reference: list[Any] = ["api/index.md"]
    for floor in FLOORS:
        inside: list[Any] = []
        for room in rooms(floor):
            folder = f"api/{room.replace('.', '/')}"
            pages = [f"{folder}/index.md", *({m: f"{folder}/{m}.md"} for m in modules(room))]
            inside += pages if room == floor else [{room.partition(".")[2]: pages}]
        reference.append({floor: inside})
    reference += [{name: f"api/{name}.md"} for name in FACE]
    config.nav.append({"Reference": reference})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the reference."""

    def add(path: str, content: str) -> None:
        files.append(File.generated(config, path, content=content))

    for path in sorted(linked_outputs()):
        source = ROOT / "outputs" / path
        files.append(File.generated(config, path, abs_src_path=str(source)))
    add("commands.md", commands_page())
    add("json.md", json_page())
    add("formats.md", formats_page())
    add("contributing.md", (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    add("api/index.md", names_page())
    for name in FACE:
        add(f"api/{name}.md", f"::: seabattle.{name}\n")
    for room in (room for floor in FLOORS for room in rooms(floor)):
        folder = f"api/{room.replace('.', '/')}"
        lines = [f"# seabattle.{room}", "", first_line(room), ""]
        for name in modules(room):
            lines.append(f"- [`{name}`]({name}.md): {first_line(f'{room}.{name}')}")
            add(f"{folder}/{name}.md", f"::: seabattle.{room}.{name}\n")
        add(f"{folder}/index.md", "\n".join(lines) + "\n")
    return files


def json_page() -> str:
    """The fields of the JSON answers, by command."""
    lines = [
        "# JSON answers",
        "",
        "What the commands print with `--json`, and what the [engine](engine.md) answers: one "
        "object, in which numbers of layouts and misses are whole numbers, chances and means are "
        "floating-point numbers. Grids are lists of rows, the top row first. Times are in seconds. "
        "A field of an object, or of the objects of a list, is named after a point.",
        "",
        "## The game",
        "",
        "Every answer about a game begins with it, as a [position file](formats.md) does.",
        "",
    ]
    sections = [("", {**GAME, **KNOWN}), *((f"`{name}`", it) for name, it in FIELDS.items())]
    for title, meanings in sections:
        lines += [f"## {title}", ""] if title else []
        lines += ["| field | meaning |", "| --- | --- |"]
        lines += [f"| `{name}` | {sentence(text)} |" for name, text in meanings.items()]
        lines.append("")
    return "\n".join(lines)


def formats_page() -> str:
    """What the modules that read and write files say of their formats."""
    lines = [
        "# File formats",
        "",
        "Every file is checked when it is read: a field that is missing, unknown or false is named "
        "in one line. Files are written whole or not at all.",
        "",
    ]
    for title, module in FORMATS.items():
        path = ROOT / f"{module.replace('.', '/')}.py"
        told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        lines += [f"## {title}", "", as_markdown(told).replace("``", "`"), ""]
        if module.partition(".")[0] in FLOORS:
            link = f"api/{module.replace('.', '/')}.md"
            lines += [f"Read and written by [`seabattle.{module}`]({link}).", ""]
    return "\n".join(lines)


def names_page() -> str:
    """The names importable from ``seabattle`` itself, by room."""
    import seabattle

    lines = [
        "# Reference",
        "",
        "Importable from `seabattle` itself, loaded when first used, by the room that holds them.",
        "",
    ]
    for room in (*(room for floor in FLOORS for room in rooms(floor)), *FACE):
        homes = {
            name: home
            for name, home in seabattle._homes().items()
            if room in (home, home.rpartition(".")[0])
        }
        if not homes:
            continue
        page = f"{room}.md" if room in FACE else f"{room.replace('.', '/')}/index.md"
        lines += [f"## [{room}]({page})", "", first_line(room), ""]
        for name, home in sorted(homes.items(), key=lambda item: item[0].lower()):
            module = f"[{home.rpartition('.')[2]}]({home.replace('.', '/')}.md)"
            said = summary(home, name)
            lines.append(f"- [`{name}`][seabattle.{home}.{name}] ({module}): {said}")
        lines.append("")
    return "\n".join(lines)


def summary(home: str, name: str) -> str:
    """What a public class, function or constant says of itself first, on one line."""
    source = source_of(home)
    nodes = ast.parse(source.read_text(encoding="utf-8")).body
    for node, after in pairwise([*nodes, ast.Pass()]):
        said = None
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            said = ast.get_docstring(node)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            said = ast.literal_eval(after.value) if isinstance(after, ast.Expr) else ""
        if said is not None:
            return " ".join(said.split("\n\n")[0].split())
    raise LookupError(f"{source} defines no {name}")


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    """The context a command's help is printed in, on a terminal as wide as the page."""
    return click.Context(command, parent, name, terminal_width=84, **command.context_settings)


def commands_page() -> str:
    """The help of every command, as the program prints it."""
    from seabattle.cli.commands import commands

    lines = ["# Commands", "", "What `--help` prints.", ""]
    top = _context(commands, "seabattle")
    listed: list[tuple[str, click.Command, click.Context]] = [("seabattle", commands, top)]
    while listed:
        path, command, context = listed.pop(0)
        lines += [f"## `{path}`", "", "```text", command.get_help(context), "```", ""]
        if isinstance(command, click.Group):
            below = []
            for name in sorted(command.list_commands(context)):
                child = command.get_command(context, name)
                assert child is not None
                below.append((f"{path} {name}", child, _context(child, name, context)))
            listed = below + listed
    return "\n".join(lines)
