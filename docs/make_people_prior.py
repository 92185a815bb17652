"""Fit the prior ``people`` to the published games: ``python docs/make_people_prior.py``.

The games are those of [Cliambrown2021]. Writes ``counts.csv`` and ``people.json`` in
``enumerate/priors/people``, whose README says where the data come from and which of them are used.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from seabattle import Rules, fit_frequencies, save_prior
from seabattle.enumerate.files import write_text

FOLDER = Path(__file__).resolve().parents[1] / "enumerate" / "priors" / "people"
GAME = Rules(fleet="hasbro")
SOURCE = (
    "https://github.com/cliambrown/battleship-data, commit 3cb5352: the ships of people in 54,652 "
    "games against a program that shoots by probability (ai_mode_id 2 and 3, autoplay 0)"
)
LICENCE = "MIT, Copyright (c) 2021 cliambrown"


def used(row: dict[str, str]) -> bool:
    """Whether a line of ``squares.csv`` counts."""
    return row["ai_ships"] == "0" and row["ai_mode_id"] in ("2", "3") and row["autoplay"] == "0"


def counts_of(chosen: Callable[[dict[str, str]], bool]) -> list[int]:
    """How often a ship lay on each cell, top row first, over the lines that are chosen."""
    counts = [0] * GAME.board.cells
    with (FOLDER / "squares.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if chosen(row):
                counts[int(row["square"]) - 1] += int(row["games"])
    return counts


def main() -> None:
    """Sum up the counts that are used, and fit the prior to them: about half a minute."""
    counts = counts_of(used)
    columns = GAME.board.columns
    rows = [counts[start : start + columns] for start in range(0, len(counts), columns)]
    write_text(FOLDER / "counts.csv", "".join(f"{','.join(map(str, row))}\n" for row in rows))
    found = fit_frequencies(GAME, rows, progress=print)
    facts = {**found.prior.facts, "source": SOURCE, "licence": LICENCE}
    save_prior(replace(found.prior, facts=facts), FOLDER / "people.json")
    print(found)


if __name__ == "__main__":
    main()
