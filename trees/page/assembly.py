"""Pages in one piece: a template, its style sheets and its scripts, from ``trees/page/templates``.

A page loads nothing: style and script stand in it, and its content security policy allows no other
script or style than these, named by their hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import version
from importlib.resources import files

from seabattle.trees.page.frame import html_document, source_hash, template

SHARED_SCRIPTS = (
    "answers.js",
    "words.js",
    "game.js",
    "elements.js",
    "board.js",
    "hidden.js",
    "theme.js",
)
"""Scripts of every page, in the order in which they need each other."""


_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:const|class|function\*?) (\w+)", re.MULTILINE)


def made_with() -> str:
    """What made a page."""
    return f"Made with seabattle {version('seabattle')}"


def classic(module: str, given: Mapping[str, str] | None = None) -> str:
    """Modules as one classic script: an entry of ``trees/page/source`` and all that it imports.

    Each module becomes a function that returns what it exports, after those that it imports.

    Parameters
    ----------
    module
        Name of the entry, without ``.js``; its exports are the constant of that name.
    given
        Texts of modules that are used in place of the files.
    """
    folder = files("seabattle.trees.page") / "source"
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        source = (given or {}).get(name) or (folder / f"{name}.js").read_text(encoding="utf-8")
        for needed in _IMPORT.findall(source):
            add(needed[1])
        body = _IMPORT.sub(r"const {\1} = \2Module;", source)
        exported = ", ".join(_EXPORT.findall(body))
        body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), body)
        done[name] = f"const {name}Module = (() => {{\n{body}return {{ {exported} }};\n}})();\n"

    add(module)
    return '"use strict";\n' + "".join(done.values())


def assembled(
    name: str,
    title: str,
    parts: Mapping[str, str],
    *,
    styles: Iterable[str] = ("page.css",),
    scripts: Iterable[str],
    allowed: str = "",
    made: str = "",
) -> str:
    """A page in one piece.

    Parameters
    ----------
    name
        The template of its body, in which ``{{part}}`` stands for a part.
    title
        Title of the page; text.
    parts
        HTML by the name of the part; ``title``, ``generator`` and ``script`` are given.
    styles, scripts
        Files that are joined to one style sheet and one script.
    allowed
        What the content security policy allows beside the page's own script and style.
    made
        What made the page; by default the program and its version.
    """
    made = made or made_with()
    style = "\n" + "\n".join(map(template, styles)) + "\n"
    script = "\n" + "\n\n".join(map(template, [*SHARED_SCRIPTS, *scripts])) + "\n"
    given = {"generator": made, "title": escape(title), "script": script}
    given.update(parts)
    # One pass: a text that looks like a placeholder of the template stays a text.
    body = re.sub(r"\{\{(\w+)\}\}", lambda match: given[match[1]], template(name))
    policy = (
        f"default-src 'none'; script-src {source_hash(script)}; style-src {source_hash(style)}; "
        f"{allowed}base-uri 'none'; form-action 'none'"
    )
    return html_document(
        title, body, style, policy=policy, meta={"color-scheme": "light dark", "generator": made}
    )
