"""What the naive search finds for some sixty games, kept in ``tests/known/twins.json``.

``PYTHONPATH=tests python -m twins.results`` works them out anew, in about a minute, and writes the
file; the everyday tests read it and do not search again.
"""

from __future__ import annotations

import json
from pathlib import Path

from twins import naive

COMMAND = "PYTHONPATH=tests python -m twins.results"
KNOWN = Path(__file__).parent.parent / "known" / "twins.json"
GAMES = [
    ("1x6", "2,1"), ("1x8", "3,1"), ("2x4", "2,1"), ("2x5", "3"), ("3x3", "2,1"), ("3x3", "2,2"),
    ("3x3", "3,1"), ("2x4", "2,2"), ("3x4", "3,2"),
]  # fmt: skip
MOST = 45
"""Layouts of a game in which shots do not come in every order."""


def modes(contact: str) -> list[tuple[str, str]]:
    """Modes and announcements that make a difference under a contact rule."""
    said = [("sunk", "none"), ("sunk", "length")] if contact == "sides" else [("sunk", "length")]
    return [("hit", "length"), *said, ("ship", "length")]


def entries() -> list[dict[str, object]]:
    """Every game with the optimum of every objective and all best first shots."""
    found = []
    for board, fleet in GAMES:
        rows, columns = map(int, board.split("x"))
        lengths = list(map(int, fleet.split(",")))
        for contact in ("none", "corners", "sides"):
            layouts = naive.layouts(rows, columns, lengths, contact)
            if not 1 < len(layouts) <= MOST:
                continue
            for mode, announce in modes(contact):
                options = {"announce": announce, "contact": contact}
                optimum = naive.optimum(layouts, mode, **options)
                shots = naive.optimal_first_shots(layouts, rows * columns, mode, **options)
                occupied = frozenset().union(*map(naive.cells_of, layouts))
                over = len(set(map(naive.cells_of, layouts))) == 1
                found.append(
                    {
                        "board": board,
                        "fleet": lengths,
                        "contact": contact,
                        "answers": mode,
                        "announce": announce,
                        "source": COMMAND,
                        "mean-worst": optimum["mean-worst"],
                        "front": optimum["pareto"],
                        "best_shots": [
                            f"{'ABCDEFGH'[cell % columns]}{cell // columns + 1}"
                            for cell in shots
                            if cell in occupied and not over
                        ],
                    }
                )
    return found


def write() -> None:
    """Write the file."""
    about = (
        "What the naive twin finds: 'front' lists (worst, least total for that worst); "
        "'mean-worst' is the point of least total; 'best_shots' are all shots with which a tree of "
        "least total begins."
    )
    lines = ",\n  ".join(map(json.dumps, entries()))
    text = f'{{\n "about": {json.dumps(about)},\n "answers": [\n  {lines}\n ]\n}}\n'
    KNOWN.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
