"""Work of the search as the pages tell it: ``python docs/make_figures.py`` measures it again.

Keys and sub-tables of proofs with one thread are the same on every machine.
"""

from __future__ import annotations

from figures import Figures, Rows

GAMES = (
    ("5x5", "3,2,2,1,1,1", "hit"),
    ("5x5", "3,2,2,1,1,1", "sunk"),
    ("5x5", "3,2,2,1,1,1", "ship"),
    ("5x5", "4,3,2", "sunk"),
    ("5x5", "3,2,1", "hit"),
)


def measured() -> Rows:
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


def table(rows: Rows) -> str:
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


FIGURES = Figures("figures", table)

if __name__ == "__main__":
    FIGURES.keep(measured())
