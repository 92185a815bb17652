"""Misses to come by phase of a game, for the page: ``python outputs/play/phases.py [GAMES]``.

Plays games of the two named fleets by the likeliest cell against layouts drawn at random, and
writes to ``trees/page/phases.json``, for every four bits of the number of layouts left, the mean
and the standard deviation of the misses that were still to come, and of how many positions.
"""

from __future__ import annotations

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

FILE = Path(__file__).resolve().parents[2] / "trees" / "page" / "phases.json"
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


def phases(fleet: str, games: int) -> list[list[float]]:
    """Rows ``[bits, mean, deviation, positions]``, fewest bits first."""
    by_phase = defaultdict(list)
    spawn = get_context("spawn")  # every game in a process of its own, which ends with its tables
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        for game in pool.map(played, repeat(Rules(fleet=fleet)), range(games)):
            for bits, misses in game:
                by_phase[round(bits / BITS) * BITS].append(misses)
    return [
        [bits, round(statistics.mean(some), 3), round(statistics.pstdev(some), 3), len(some)]
        for bits, some in sorted(by_phase.items())
    ]


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = {"games": games} | {fleet: phases(fleet, games) for fleet in ("russian", "hasbro")}
    FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")
