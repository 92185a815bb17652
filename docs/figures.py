"""Figures that a script of this folder has measured, kept, and shown on the pages.

They are kept as rows in ``NAME.json`` and stand on the pages as a table, between ``<!-- NAME -->``
and ``<!-- end of NAME -->``. The tests see that no page says anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

Rows = list[dict[str, Any]]


class Figures:
    r"""Measured rows, and the table that shows them.

    >>> figures = Figures("gaps", lambda rows: f"{len(rows)} rows\n")
    >>> figures.page_with("<!-- gaps -->\nold\n<!-- end of gaps -->", [{}, {}])
    '<!-- gaps -->\n2 rows\n<!-- end of gaps -->'
    """

    def __init__(self, name: str, table: Callable[[Rows], str]) -> None:
        self.file, self.table = HERE / f"{name}.json", table
        place = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
        self.place = re.compile(place, re.DOTALL)

    def rows(self) -> Rows:
        """What was kept."""
        kept: Rows = json.loads(self.file.read_text(encoding="utf-8"))
        return kept

    def page_with(self, text: str, rows: Rows) -> str:
        """A page with the table in it, where it has a place for one."""
        return self.place.sub(lambda found: found[1] + self.table(rows) + found[2], text)

    def keep(self, rows: Rows) -> None:
        """Keep rows, and write them into the pages."""
        kept = ",\n".join(json.dumps(row) for row in rows)
        self.file.write_text(f"[\n{kept}\n]\n", encoding="utf-8")
        for page in (HERE / "pages").glob("*.md"):
            old = page.read_text(encoding="utf-8")
            if (new := self.page_with(old, rows)) != old:
                page.write_text(new, encoding="utf-8")
