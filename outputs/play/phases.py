"""Misses to come by phase of a game, for the page: ``python outputs/play/phases.py [GAMES]``.

Plays games of the two named fleets by the likeliest cell against layouts drawn at random, and
writes to ``trees/page/phases.json``, for every four bits of the number of layouts left, the mean
and the standard deviation of the misses that were still to come, and of how many positions. The
misses are scaled so that the beginning has the mean of the thousands of games of the tournaments.
"""

from __future__ import annotations

import csv
import json
import math
import statistics
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from seabattle import Counter, Position, Rules
from seabattle.enumerate.answers import MISS
from seabattle.trees.replay import HiddenGame

OUTPUTS = Path(__file__).resolve().parents[1]
FILE = OUTPUTS.parent / "trees" / "page" / "phases.json"
TOURNAMENTS = {"russian": "tournament-10x10-russian", "hasbro": "tournament-10x10-hasbro-map"}
BITS = 4


def played(rules: Rules, seed: int) -> list[tuple[float, int]]:
    """Bits of the layouts left before each shot, and the misses still to come."""
    hidden = HiddenGame(rules, tuple(Counter(rules).sample(1, seed)[0].tolist()), ())
    position, seen = Position(rules), []
    while hidden.left():
        found = Counter(position).map()
        cell = found.best_cells[seed % len(found.best_cells)]
        answer = hidden.shoot(cell)
        position = position.shoot(cell, answer)
        seen.append((math.log2(found.layouts), answer == MISS))
    return [(bits, sum(miss for _, miss in seen[i:])) for i, (bits, _) in enumerate(seen)]


def scaled(rows: list[list[float]], fleet: str) -> list[list[float]]:
    """The rows with the mean of the tournament's games at the beginning.

    >>> [row[1] for row in scaled([[48, 38.0, 4.0, 9], [52, 40.0, 4.0, 9]], "russian")]
    [34.478, 36.293]
    """
    with (OUTPUTS / TOURNAMENTS[fleet] / "table.csv").open(encoding="utf-8") as file:
        (mean,) = (float(row["mean_misses"]) for row in csv.DictReader(file)
                   if row["player"] == "greedy-map")  # fmt: skip
    (low, below, *_), (high, above, *_) = rows[-2:]
    bits = math.log2(Counter(Rules(fleet=fleet)).count())
    factor = mean / (below + (above - below) * (bits - low) / (high - low))
    return [[bits, *(round(value * factor, 3) for value in some), many]
            for bits, *some, many in rows]  # fmt: skip


def phases(fleet: str, games: int) -> list[list[float]]:
    """Rows ``[bits, mean, deviation, positions]``, fewest bits first."""
    by_phase = defaultdict(list)
    spawn = get_context("spawn")  # every game in a process of its own, which ends with its tables
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        for game in pool.map(played, repeat(Rules(fleet=fleet)), range(games)):
            for bits, misses in game:
                by_phase[round(bits / BITS) * BITS].append(misses)
    rows = [
        [bits, statistics.mean(some), statistics.pstdev(some), len(some)]
        for bits, some in sorted(by_phase.items())
    ]
    return scaled(rows, fleet)


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = {"games": games} | {fleet: phases(fleet, games) for fleet in ("russian", "hasbro")}
    FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")
