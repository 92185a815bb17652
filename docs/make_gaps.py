"""How far players are from proven optima: ``python docs/make_gaps.py`` plays them again.

Games on 5x5 to 6x6 whose optimum the atlas has proven; each player shoots at every layout once, so
that its misses are exact.
"""

from __future__ import annotations

import csv
import json
from typing import Any

from figures import HERE, Figures, Rows

ATLAS = HERE.parent / "outputs" / "atlas" / "table.csv"
GAMES = (
    ("5x5", "3,2,2,1,1,1"), ("5x5", "3,3,2,2,1"), ("5x5", "4,3,2"), ("5x5", "3,2"),
    ("5x6", "4,4,2,1,1"), ("5x6", "4,3,2,2,2"), ("6x6", "4,4,4,2,1,1"),
)  # fmt: skip
ANSWERS = ("hit", "sunk")
PLAYERS = ("lookahead", "map-endgame", "greedy-map", "density")


def optima() -> dict[tuple[str, str, str], int]:
    """Least misses over all layouts, of the games that the atlas has proven."""
    with ATLAS.open(encoding="utf-8") as file:
        return {
            (row["board"], row["fleet"], row["answers"]): int(row["total_misses"])
            for row in csv.DictReader(file)
            if row["contact"] == "none" and not row["blocked"]
            if row["total_misses"] == row["total_lower_bound"]
        }


def measured(board: str, fleet: str, answers: str, least: int) -> dict[str, Any]:
    """The misses of every player over all layouts of a game."""
    from seabattle import Position, Rules, players, tournament

    rules = Rules(board, fleet, answers=answers)
    able = [name for name in PLAYERS if not players()[name].why_not(Position(rules))]
    found = tournament(rules, able, layouts="all")
    misses = {score.player: score.misses.total for score in found.scores}
    return {
        "board": board, "fleet": fleet, "answers": answers, "layouts": found.games,
        "optimum": least, **misses,
    }  # fmt: skip


def table(rows: Rows) -> str:
    """The rows as the page shows them.

    >>> print(table([{"board": "5x5", "fleet": "3,2", "answers": "hit", "layouts": 10,
    ...               "optimum": 50, "lookahead": 50, "greedy-map": 51}]).splitlines()[-1])
    | 5x5 3,2 `hit` | 10 | 5.000 | 0 | | +2.0 % | |
    """
    heads = ["game", "layouts", "optimum", *(f"`{name}`" for name in PLAYERS)]
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for row in rows:
        gaps = [
            "" if name not in row
            else "0" if row[name] == row["optimum"]
            else f"+{row[name] / row['optimum'] - 1:.1%}".replace("%", " %")
            for name in PLAYERS
        ]  # fmt: skip
        cells = [
            f"{row['board']} {row['fleet']} `{row['answers']}`", f"{row['layouts']:,}",
            f"{row['optimum'] / row['layouts']:.3f}", *gaps,
        ]  # fmt: skip
        lines.append("".join(f"| {cell} " if cell else "| " for cell in cells) + "|")
    return "\n".join(lines) + "\n"


FIGURES = Figures("gaps", table)

if __name__ == "__main__":
    least = optima()
    games = [(board, fleet, answers) for board, fleet in GAMES for answers in ANSWERS]
    measured_rows = []
    for game in games:
        measured_rows.append(measured(*game, least[game]))
        print(json.dumps(measured_rows[-1]), flush=True)
    FIGURES.keep(measured_rows)
