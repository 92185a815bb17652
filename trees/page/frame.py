"""HTML pages in one piece: their frame, pages of results, and pages that run scripts.

A page loads nothing: style and script stand in it. The content security policy of a page with
scripts allows no other script or style than these, named by their hashes. Their texts are files
beside this one: bodies in ``templates``, style sheets in ``styles``, ES modules in ``scripts``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from seabattle.enumerate.colours import DARK, LIGHT, Palette, css
from seabattle.trees.page.modules import classic


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
    """The text of a template, a body or a part of one."""
    return page_text(f"templates/{name}.html").rstrip("\n")


def style_sheet(name: str) -> str:
    """The text of a style sheet."""
    return page_text(f"styles/{name}.css").rstrip("\n")


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
    return html_document(title, content, f"{colours}{style_sheet('results')}\n{style}")


# ------------------------------------------------------------------------------------------------
# Pages with scripts.


_TITLES = ("Sea battle", "Sea battle explorer")
"""What pages are called where nothing else is asked for."""


def words() -> dict[str, dict[str, Any]]:
    """The words of the pages in other languages than English, by their codes."""
    folder = files("seabattle.trees.page") / "words"
    texts = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".json"): json.loads(file.read_text("utf-8")) for file in texts}


def words_of(said: str) -> str:
    """The words for the texts that a page says, as JSON that can stand in it.

    Parameters
    ----------
    said
        All of the page that has texts.
    """
    said = re.sub(r"\s+", " ", said)
    found = {
        language: {text: word for text, word in given.items() if text[0] == "#" or text in said}
        for language, given in words().items()
    }
    return script_safe(json.dumps(found, ensure_ascii=False))


def assembled(
    name: str,
    title: str,
    parts: Mapping[str, str],
    *,
    styles: Iterable[str],
    entry: str,
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
        HTML by its name; ``title``, ``version``, ``script`` and ``words`` are given.
    styles
        Style sheets that are joined to one.
    entry
        The module that runs the page, in the folder of scripts.
    allowed
        What the content security policy allows beside the page's own script and style.
    runs
        What the policy allows as a script beside these: `` 'wasm-unsafe-eval'`` for WebAssembly.
    made
        What made the page; by default the program and its version.
    """
    made = made or f"Made with seabattle {version('seabattle')}"
    lines = "\n".join(map(style_sheet, styles)).splitlines()
    style = "\n" + "\n".join(line.strip() for line in lines if line.strip()) + "\n"
    script = f"\n{classic(entry)}"
    given = {"version": version("seabattle"), "title": escape(title), "script": script}
    given.update(parts)
    given["words"] = words_of("\n".join([*_TITLES, template(name), *given.values()]))
    # One pass: a text that looks like a placeholder of the template stays a text.
    body = re.sub(r"\{\{(\w+)\}\}", lambda match: given[match[1]], template(name))
    policy = (
        f"default-src 'none'; script-src {source_hash(script)}{runs}; "
        f"style-src {source_hash(style)}; {allowed}base-uri 'none'; form-action 'none'"
    )
    return html_document(
        title, body, style, policy=policy, meta={"color-scheme": "light dark", "generator": made}
    )
