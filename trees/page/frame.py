"""HTML pages in one piece: their frame, pages of results, and pages that run scripts.

A page loads nothing: style and script stand in it. The content security policy of a page with
scripts allows no other script or style than these, named by their hashes. Their texts are files
beside this one: ``templates``, of which a body, a style sheet and a script are joined, and the ES
modules of ``source``.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import version
from importlib.resources import files

from seabattle.enumerate.colours import DARK, LIGHT, Palette, css


def _variables(palette: Palette) -> str:
    """The colours of a theme, as the style sheet calls them."""
    named = {
        "ink": palette.ink,
        "grey": palette.ink_soft,
        "ground": palette.ground,
        "line": palette.line,
        "band": palette.stub,
        "accent": palette.heat,
        "mark": css(palette.scale(0.4)),
        "warn": palette.hit,
    }
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())


def page_text(path: str) -> str:
    """The text of a file of this folder."""
    return (files("seabattle.trees.page") / path).read_text(encoding="utf-8")


def template(name: str) -> str:
    """The text of a file of the templates."""
    return page_text(f"templates/{name}").rstrip("\n")


def scrolled(content: str, name: str) -> str:
    """HTML that may be wider than the page, in a region that scrolls, by keyboard too."""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(name)}">{content}</div>'
    )


def source_hash(text: str) -> str:
    """The source of a script or style sheet as a content security policy names it."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def script_safe(json_text: str) -> str:
    """Escape JSON so that no text in it can end the script element around it."""
    for c in "&<>":
        json_text = json_text.replace(c, f"\\u{ord(c):04x}")
    return json_text


def html_document(
    title: str, body: str, style: str, *, policy: str = "", meta: Mapping[str, str] | None = None
) -> str:
    """The frame that all pages share.

    Parameters
    ----------
    title
        Text.
    body
        HTML.
    style
        The style sheet.
    policy
        Content security policy; none by default.
    meta
        Names and contents of further ``meta`` elements; text.
    """
    head = ['<meta charset="utf-8">']
    if policy:
        head.append(f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
    head.append('<meta name="viewport" content="width=device-width, initial-scale=1">')
    for name, content in (meta or {}).items():
        head.append(f'<meta name="{escape(name)}" content="{escape(content)}">')
    lines = "\n".join(head)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{lines}\n<title>{escape(title)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def page(title: str, body: str, *, style: str = "", made_by: str) -> str:
    """A page of results.

    Parameters
    ----------
    title
        Title and heading; text.
    body
        What stands below the heading; HTML.
    style
        Further rules of the style sheet.
    made_by
        Command and version that made the page; text.
    """
    content = (
        f"<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n<footer>{escape(made_by)}</footer>"
    )
    colours = f"""
:root {{ color-scheme: light dark; {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
"""
    return html_document(title, content, f"{colours}{template('results.css')}\n{style}")


# ------------------------------------------------------------------------------------------------
# Pages with scripts.


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


_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


def uncommented(script: str) -> str:
    r"""A script without the lines that are comments: they are read in the sources.

    >>> uncommented("// What it does.\nstart();\n")
    'start();\n'
    """
    return _COMMENT.sub("", script)


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
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        source = (given or {}).get(name) or page_text(f"source/{name}.js")
        for needed in _IMPORT.findall(source):
            add(needed[1])
        body = _IMPORT.sub(r"const {\1} = \2Module;", source)
        exported = ", ".join(_EXPORT.findall(body))
        body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), body)
        done[name] = f"const {name}Module = (() => {{\n{body}return {{ {exported} }};\n}})();\n"

    add(module)
    return '"use strict";\n' + uncommented("".join(done.values()))


def assembled(
    name: str,
    title: str,
    parts: Mapping[str, str],
    *,
    styles: Iterable[str] = ("page.css",),
    scripts: Iterable[str],
    allowed: str = "",
    runs: str = "",
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
    runs
        What the policy allows as a script beside these: `` 'wasm-unsafe-eval'`` for WebAssembly.
    made
        What made the page; by default the program and its version.
    """
    made = made or f"Made with seabattle {version('seabattle')}"
    style = "\n" + "\n".join(map(template, styles)) + "\n"
    texts = "\n\n".join(map(template, [*SHARED_SCRIPTS, *scripts]))
    script = f"\n{uncommented(texts)}\n"
    given = {"generator": made, "title": escape(title), "script": script}
    given.update(parts)
    # One pass: a text that looks like a placeholder of the template stays a text.
    body = re.sub(r"\{\{(\w+)\}\}", lambda match: given[match[1]], template(name))
    policy = (
        f"default-src 'none'; script-src {source_hash(script)}{runs}; "
        f"style-src {source_hash(style)}; {allowed}base-uri 'none'; form-action 'none'"
    )
    return html_document(
        title, body, style, policy=policy, meta={"color-scheme": "light dark", "generator": made}
    )
