"""How much CPU time and how many keys a solve takes, beside another installation of seabattle.

    python tests/benchmarks/beside_release.py ../release/.venv/bin/python
    python tests/benchmarks/beside_release.py ../release/.venv/bin/python --long

Each game is solved by both, one after the other, in processes of their own with one thread, a small
game of the same kind first, as releases before 0.4.0 compile: run it twice for long games.
``--long`` adds games of minutes. A ratio below 1 is less than the
other took; seconds are of one machine and one day.
The last rows are the maps of the empty boards, made from the start, in place of a solve: the median
of seven, and their layouts as keys.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

GAMES = [
    ("5x5", "3,2,2,1,1,1", "hit", "mean"),
    ("5x5", "3,2,2,1,1,1", "sunk", "mean"),
    ("5x5", "3,2,2,1,1,1", "ship", "mean"),
    ("5x5", "3,2,2,1,1,1", "hit", "worst"),
    ("5x5", "3,2,2,1,1,1", "hit", "mean-worst"),
    ("5x5", "3,2,2,1,1,1", "hit", "worst-mean"),
    ("5x5", "3,2,2,1,1,1", "hit", "pareto"),
    ("4x5", "4,2", "hit", "pareto"),
    ("5x5", "4,3,2", "sunk", "mean"),
    ("7x7", "2", "hit", "mean"),
    ("5x5", "3,2,1", "hit", "mean"),
]
LONG = [
    ("5x5", "3,2,1", "sunk", "mean"),
    ("5x6", "3,2,2,1,1,1", "hit", "mean"),
    ("6x6", "3,2", "hit", "mean"),
    ("6x6", "3,2", "sunk", "mean"),
]
MAPS = [("russian",), ("hasbro",)]
SOLVE = """
import json, sys, time
from seabattle import Rules, solve
board, fleet, answers, objective = sys.argv[1:]
solve(Rules("4x4", "2,1", answers=answers), objective, threads=1)
begun = time.process_time()
found = solve(Rules(board, fleet, answers=answers), objective, threads=1)
seconds = time.process_time() - begun
print(json.dumps([seconds, found.states, found.upper_bound, found.status]))
"""

MAP = """
import json, statistics, sys, time
from seabattle import Counter, Rules
seconds = []
for _ in range(8):
    begun = time.process_time()
    found = Counter(Rules(fleet=sys.argv[1])).map()
    seconds.append(time.process_time() - begun)
print(json.dumps([statistics.median(seconds[1:]), found.layouts, *found.cells]))
"""


def solved(python: str, game: tuple[str, ...]) -> list[float | int | str]:
    """CPU seconds, keys and what was found of a game by the installation of an interpreter."""
    program = MAP if game in MAPS else SOLVE
    done = subprocess.run(
        [python, "-c", program, *game], capture_output=True, text=True, check=True
    )
    found: list[float | int | str] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print a row for every game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="interpreter of the other installation")
    parser.add_argument("--long", action="store_true", help="games of minutes, too")
    asked = parser.parse_args()
    print(f"{'game':>34} {'seconds':>8} {'other':>8} {'ratio':>6} {'keys':>10} {'other':>10}")
    for game in [*GAMES, *LONG * asked.long, *MAPS]:
        (own, keys, *value), (other, others, *same) = (
            solved(python, game) for python in (sys.executable, asked.python)
        )
        assert value == same, (game, value, same)
        ratio = float(own) / float(other)
        print(f"{' '.join(game):>34} {own:8.2f} {other:8.2f} {ratio:6.2f} {keys:10,} {others:10,}")


if __name__ == "__main__":
    main()
