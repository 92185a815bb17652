"""How near the interval of games that are not proven comes within a time: few ships, much water.

    python tests/benchmarks/bench_frontier.py [--seconds 30] [--game 3]

prints a row for each game: what the best tree found misses in all, what is proven to be missed at
least, the gap between the two, and what the greedy tree misses. Seconds are of one machine and one
day, and so is how far a search comes in them; games share nothing, and each runs on one core.
"""

from __future__ import annotations

import argparse

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve

GAMES = (
    Rules("6x6", "3,2"),
    Rules("6x6", "3,2", answers="sunk"),
    Rules("6x6", "3,2,2"),
    Rules("6x6", "3,2,1", answers="sunk"),
    Rules("7x7", "4,3"),
    Rules("8x8", "5,4", answers="sunk"),
    Rules("5x5", "3,2", "sides", "sunk"),
    Rules("5x5", "2,2,1", answers="sunk"),
    Rules("5x6", "3,2,2,1,1,1"),
)
"""Games that a beginner may well try first, and one that takes minutes."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="for each game (default 30)")
    parser.add_argument("--memory", type=float, default=4, help="GiB for each game (default 4)")
    parser.add_argument("--game", type=int, help="only this one of the games, from 1 on")
    given = parser.parse_args()
    chosen = GAMES if given.game is None else GAMES[given.game - 1 : given.game]
    print("| game | layouts | returned | greedy | better by | proven at least | gap |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for rules in chosen:
        greedy = greedy_tree(rules).total_misses
        found = solve(rules, time_limit=given.seconds, memory_limit=given.memory, threads=1)
        if found.status == "optimal":
            gap = f"proven in {found.search_seconds:.0f} s"
        else:
            gap = f"{found.total_misses / max(1, found.lower_bound) - 1:.1%}"
        better = f"{1 - found.total_misses / greedy:.2%}"
        print(
            f"| {rules} | {found.layouts:,} | {found.total_misses:,} | {greedy:,} | {better} "
            f"| {found.lower_bound:,} | {gap} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
