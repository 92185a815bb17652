"""Work of the search as the pages tell it: ``python docs/make_figures.py`` measures it again.

Keys and sub-tables of proofs with one thread, which are the same on every machine, are kept in
``figures.json`` and written into the pages between ``<!-- figures -->`` and ``<!-- end -->``. The
tests see that no page says anything else.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEPT = HERE / "figures.json"
BLOCK = re.compile(r"(<!-- figures -->\n).*?(<!-- end -->)", re.DOTALL)
GAMES = (
    ("5x5", "3,2,2,1,1,1", "hit"),
    ("5x5", "3,2,2,1,1,1", "sunk"),
    ("5x5", "3,2,2,1,1,1", "ship"),
    ("5x5", "4,3,2", "sunk"),
    ("5x5", "3,2,1", "hit"),
)


def measured() -> list[dict[str, Any]]:
    """Every game solved with one thread."""
    from seabattle import Rules, solve

    rows = []
    for board, fleet, answers in GAMES:
        found = solve(Rules.read(board, fleet, answers=answers), threads=1)
        rows.append({
            "board": board, "fleet": fleet, "answers": answers, "layouts": found.layouts,
            "misses": found.total_misses, "keys": found.states, "sub_tables": found.nodes,
        })  # fmt: skip
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as the pages show them.

    >>> print(table([{"board": "5x5", "fleet": "3,2", "answers": "hit", "layouts": 9000,
    ...               "misses": 1, "keys": 2, "sub_tables": 3}]).splitlines()[-1])
    | 5x5 3,2 `hit` | 9,000 | 1 | 2 | 3 |
    """
    lines = ["| game | layouts | misses | keys | sub-tables |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {row['board']} {row['fleet']} `{row['answers']}` | {row['layouts']:,} | "
        f"{row['misses']:,} | {row['keys']:,} | {row['sub_tables']:,} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def page_with(text: str, rows: list[dict[str, Any]]) -> str:
    """A page with the figures in it."""
    return BLOCK.sub(lambda found: found[1] + table(rows) + found[2], text)


if __name__ == "__main__":
    figures = measured()
    kept = ",\n".join(json.dumps(row) for row in figures)
    KEPT.write_text(f"[\n{kept}\n]\n", encoding="utf-8")
    for page in (HERE / "pages").glob("*.md"):
        old = page.read_text(encoding="utf-8")
        if (new := page_with(old, figures)) != old:
            page.write_text(new, encoding="utf-8")
