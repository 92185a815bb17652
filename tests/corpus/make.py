"""Makes the corpus of damaged and false files: ``PYTHONPATH=tests python -m corpus.make``.

Every field of some whole files is dropped, doubled, nudged, exchanged with another, or replaced by
something else; of all that, so many are drawn by a seed. Each file of the corpus holds one format:
``[what was done, the text]`` for each damaged file, in JSON.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from corpus.damage import damaged_documents

import seabattle as sb

FOLDER = Path(__file__).parent
EACH = 150
"""Damaged files of each whole one."""

JOURNAL = sb.Rules("3x3", "2,1")
"""The game of the journals, whose first line says the version and is written when it is read."""

LONGEST = 6000
"""Characters of a damaged file."""


def trees() -> list[Callable[[Path], object]]:
    """Writers of whole trees: at the beginning, and later under weights."""
    later = sb.Position(sb.Rules("2x4", "2,1")).shoot("A1", "miss")
    weights = sb.DecisionTable.build(later, prior=sb.SumPrior(later.rules, range(1, 9)))
    rules = sb.Rules("3x3", "2,1", answers="sunk")
    found = sb.solve(rules, threads=1).tree, sb.solve(weights, "worst", threads=1).tree
    return [partial(sb.save_tree, tree) for tree in found]


def positions() -> list[Callable[[Path], object]]:
    """Writers of whole positions: with an order that tells something, and in mode ``ship``."""
    sides = sb.Rules("3x3", "3,2", "sides", "sunk")
    ships = sb.Rules("4x4", "2,2,1", answers="ship")
    found = (
        sb.Position.in_order(sides, "C3 hit, B3 sunk=2, A1 miss"),
        sb.Position.in_order(ships, "A1 hit=2#1, C3 miss, A3 hit=1#1"),
    )
    return [partial(sb.save_position, position) for position in found]


def journal(path: Path, line: int) -> None:
    """Write a block of games, as a journal has it in such a line."""
    whole = path.with_name("journal")
    sb.tournament(JOURNAL, ["random"], games=5, journal=whole)
    path.write_text(whole.read_text(encoding="utf-8").splitlines()[line], encoding="utf-8")


def damaged(write: Callable[[Path], object], chance: random.Random) -> list[list[str]]:
    """Some of the ways to damage a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.json"
        write(path)
        whole = path.read_text(encoding="utf-8")
    found = [["whole", whole]]
    found += [list(each) for each in damaged_documents(json.loads(whole), chance)]
    short = [each for each in found[1:] if len(each[1]) <= LONGEST]
    return found[:1] + chance.sample(short, min(EACH, len(short)))


def main() -> None:
    """Write the corpus."""
    journals = [partial(journal, line=line) for line in (1, 2)]
    made = {"trees": trees(), "positions": positions(), "journals": journals}
    for name, writers in made.items():
        chance = random.Random(name)
        cases = [case for write in writers for case in damaged(write, chance)]
        text = "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
