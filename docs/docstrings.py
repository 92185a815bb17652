"""Docstrings as the site shows them: doctests, tables and lists of terms in Markdown.

The docstrings are written to be read in an editor. Markdown would take the ``>>>`` of a doctest for
a quotation and run the lines of a table, or of a term and what it means, together. So before they
are read, doctests are fenced, tables of plain text become tables, and terms become items of a list.
Keys of the bibliography lead to their entries.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import griffe

_BORDER = re.compile(r"\s*=+( +=+)+\s*")
_TERM = re.compile(r"( *)(``[^`]+``)")
_CITED = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\](?![\[(])")


def as_markdown(text: str) -> str:
    r"""The docstring as Markdown.

    >>> as_markdown("Add.\n\n>>> 1 + 1\n2").splitlines()
    ['Add.', '', '```pycon', '>>> 1 + 1', '2', '```']
    >>> as_markdown("``a``\n    The first\n    letter.")
    '- ``a``: The first\n  letter.'
    >>> as_markdown("Fail-soft [Fishburn1983].")
    'Fail-soft [Fishburn1983][fishburn1983].'
    """
    return _fenced(_lists(_tables(_CITED.sub(_cited, text).split("\n"))))


def _cited(key: re.Match[str]) -> str:
    """A key of the bibliography as a link to its heading, whose anchor is in lower case."""
    return f"[{key[1]}][{key[1].lower()}]"


def _tables(lines: list[str]) -> list[str]:
    """Tables between borders of equals signs as tables of Markdown."""
    made: list[str] = []
    at = 0
    while at < len(lines):
        if not _BORDER.fullmatch(lines[at]):
            made.append(lines[at])
            at += 1
            continue
        ends = [n for n in range(at + 1, len(lines)) if _BORDER.fullmatch(lines[n])][:2]
        body = lines[at + 1 : ends[0]] + lines[ends[0] + 1 : ends[1]]
        made += _table(lines[at], body)
        at = ends[1] + 1
    return made


def _table(border: str, body: list[str]) -> list[str]:
    """A table whose first line heads it; a line that leaves the first column out goes on.

    Raises
    ------
    ValueError
        If a text reaches over the end of its column.
    """
    columns = [(match.start(), match.end()) for match in re.finditer("=+", border)]
    columns[-1] = (columns[-1][0], max(map(len, body)))
    rows: list[list[str]] = []
    for line in body:
        for (_, end), (start, _) in pairwise(columns):
            if line[end:start].strip():
                raise ValueError(f"a text reaches over the end of its column: {line!r}")
        cells = [line[start:end].strip().replace("|", "\\|") for start, end in columns]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
    indent = " " * columns[0][0]
    shown = [f"{indent}| {' | '.join(row)} |" for row in rows]
    return [shown[0], f"{indent}|{' --- |' * len(columns)}", *shown[1:]]


def _lists(lines: list[str]) -> list[str]:
    """A term alone on its line, with what it means indented below it, as an item of a list."""
    made: list[str] = []
    inside = -1  # how far the term is indented whose meaning is being read
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        depth = len(line) - len(line.lstrip())
        term = _TERM.fullmatch(line)
        if term and len(following) - len(following.lstrip()) > depth:
            if made and made[-1].strip() and inside < 0:
                made.append("")
            made.append(f"{term[1]}- {term[2]}:")
            inside = depth
        elif inside >= 0 and line.strip() and depth > inside:
            if made[-1].endswith(":") and made[-1].lstrip().startswith("- "):
                made[-1] += f" {line.strip()}"
            else:
                made.append(f"{' ' * inside}  {line.strip()}")
        else:
            if inside >= 0 and line.strip():
                made.append("")
            inside = -1
            made.append(line)
    return made


def _fenced(lines: list[str]) -> str:
    """Fences around doctests outside of "Examples"."""
    made: list[str] = []
    fence = examples = False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if following and set(following.strip()) == {"-"}:
            examples = line.strip() == "Examples"
        bare = line.strip()
        if not fence and bare.startswith(">>>") and not examples:
            made.append("```pycon")
            fence = True
        elif fence and not bare:
            made.append("```")
            fence = False
        made.append(line)
    return "\n".join([*made, "```"] if fence else made)


class Markdown(griffe.Extension):  # type: ignore[misc]
    """Makes the docstring of every object that has one into Markdown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called with every object that was read."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
