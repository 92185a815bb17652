"""Pages of results: one frame around them, light and dark, that loads nothing from elsewhere."""

from __future__ import annotations

from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1b2733; --grey: #5a6875; --ground: #ffffff;
  --line: #d5dce3; --band: #f3f6f9; --accent: #14537f; --mark: #9cc7ea; --warn: #9a3b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --grey: #9fadba; --ground: #14191f;
  --line: #34404b; --band: #1c242c; --accent: #8fc4ee; --mark: #2f78ad; --warn: #ffb27d; } }
body { margin: 0 auto; max-width: 1180px; padding: 1.5rem 1rem 3rem; background: var(--ground);
  color: var(--ink); line-height: 1.5;
  font-family: 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p, li { max-width: 72ch; } a { color: var(--accent); }
code { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .9em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: left; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
tbody tr { border-bottom: 1px solid var(--line); } tbody tr:hover { background: var(--band); }
.n { text-align: right; } .small, footer { color: var(--grey); font-size: .8rem; }
.bounded { color: var(--warn); }
figure { margin: 0 0 2.5rem; }
figure img { display: block; margin-bottom: .5rem; max-width: 100%; height: auto;
  background: #fff; border-radius: 4px; border: 1px solid var(--line); box-sizing: border-box; }
figcaption { margin-top: .3rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .7rem; }
"""


def page(title: str, body: str, *, style: str = "", made_by: str) -> str:
    """A whole HTML page.

    Parameters
    ----------
    title
        Title and heading; text.
    body
        What stands below the heading; HTML.
    style
        Further rules of style.
    made_by
        Command and version that made the page; text.
    """
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n<footer>{escape(made_by)}</footer>\n</body>\n</html>\n"
    )
