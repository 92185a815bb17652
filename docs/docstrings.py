"""Docstrings as the site shows them: doctests and tables of plain text become code blocks.

The docstrings are written to be read in an editor. Markdown would take the ``>>>`` of a doctest
for a quotation and run the lines of a table together, so both are fenced before they are read.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_TABLE = re.compile(r"\s*=+( +=+)+\s*")


def fenced(text: str) -> str:
    r"""The docstring with fences around doctests outside of "Examples", and around tables.

    >>> fenced("Add.\n\n>>> 1 + 1\n2").splitlines()
    ['Add.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    lines: list[str] = []
    fence = ""  # what is open: "" nothing, "doctest", "table"
    examples = False
    source = text.split("\n")
    for number, line in enumerate(source):
        following = source[number + 1] if number + 1 < len(source) else ""
        if following and set(following.strip()) == {"-"}:
            examples = line.strip() == "Examples"
        bare = line.strip()
        if not fence and bare.startswith(">>>") and not examples:
            lines.append("```pycon")
            fence = "doctest"
        elif not fence and _TABLE.fullmatch(line):
            lines.append("```text")
            fence = "table"
        elif fence and not bare:
            lines.append("```")
            fence = ""
        lines.append(line)
    if fence:
        lines.append("```")
    return "\n".join(lines)


class Fences(griffe.Extension):  # type: ignore[misc]
    """Fences the docstring of every object that has one."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called with every object that was read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
