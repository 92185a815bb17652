"""The frame of every HTML page, and pages of results: light and dark, loading nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape

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


_STYLE = (
    f"""
:root {{ color-scheme: light dark; {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
"""
    + """html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 66rem; padding: 1.5rem 1rem 3rem; background: var(--ground);
  color: var(--ink); line-height: 1.5;
  font-family: 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
p, li, figcaption { max-width: 72ch; } ul { padding-left: 1.2rem; } a { color: var(--accent); }
code { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .9em; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; }
nav a { display: inline-grid; place-items: center; min-width: 44px; min-height: 44px;
  box-sizing: border-box; padding: .2rem .8rem; border: 1px solid var(--line);
  border-radius: 9px; text-decoration: none; }
nav a:hover { background: var(--band); border-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: left; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tbody th { font-weight: inherit; }
tbody tr { border-bottom: 1px solid var(--line); } tbody tr:hover { background: var(--band); }
th.n, td.n { text-align: right; } .small, footer { color: var(--grey); font-size: .8rem; }
.bounded { color: var(--warn); white-space: nowrap; }
figure { margin: 0 0 2rem; }
figure img { display: block; border-radius: 6px; border: 1px solid var(--line);
  background: #fff; box-sizing: border-box; }
figure .wide + .wide { margin-top: .6rem; }
figcaption { margin-top: .5rem; }
summary { cursor: pointer; display: inline-flex; align-items: center; min-height: 44px; }
summary::before { content: '\\25b8'; width: 1.1em; }
details[open] summary::before { content: '\\25be'; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .7rem;
  overflow-wrap: anywhere; }
"""
)


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
    return html_document(title, content, _STYLE + style)
