"""The frame of every HTML page, and pages of results: light and dark, loading nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
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


def template(name: str) -> str:
    """The text of a file of the templates."""
    folder = files("seabattle.trees.page") / "templates"
    return (folder / name).read_text(encoding="utf-8").rstrip("\n")


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
