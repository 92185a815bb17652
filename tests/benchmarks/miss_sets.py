"""What it takes to work out every set of misses: blocks, sets, seconds, and the least misses.

    python tests/benchmarks/miss_sets.py [--threads 1] [GAME ...]

A game is board, fleet, contact rule and answers with blanks between, as in "5x5 2,1 none sunk".
Each is planned and swept after a small one for which the kernels are compiled.
"""

from __future__ import annotations

import argparse
import time

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.miss_sets import Blocks, MissSweep
from seabattle.solver.search.problem import as_problem

GAMES = [
    "5x5 2,1 none sunk",
    "5x5 3,1,1 none sunk",
    "5x5 2,1,1 none sunk",
    "5x5 2,2,1 none sunk",
    "5x5 3,2,1 none sunk",
    "5x5 3,2,1 none hit",
    "5x5 4,3,2 none sunk",
    "5x5 3,2 sides sunk",
]


def swept(game: str, threads: int) -> MissSweep:
    """The sweep of a game."""
    board, fleet, contact, answers = game.split()
    blocks = Blocks(as_problem(Rules(board, fleet, contact, answers)))
    blocks.find()
    sweep = MissSweep(blocks, threads=threads)
    if not sweep.run():
        sweep = MissSweep(blocks, value_bytes=4, threads=threads)
        sweep.run()
    return sweep


def main() -> None:
    """Print a row of a table for every game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("games", nargs="*", metavar="GAME")
    given = parser.parse_args()
    swept("3x3 2,1 none hit", 1)
    print("| game | answers | blocks | sets | weighed | seconds | GiB | least misses |")
    for game in given.games or GAMES:
        begun = time.perf_counter(), time.process_time()
        sweep = swept(game, given.threads)
        wall, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
        board, fleet, contact, answers = game.split()
        name = f"{board} {fleet}" + ("" if contact == "none" else f" `{contact}`")
        blocks = sweep.blocks
        print(
            f"| {name} | {answers} | {len(blocks.found):,} | {blocks.sets:,} | {sweep.weighed:,} "
            f"| {wall:.1f} ({cpu:.1f} of a core) | {sweep.nbytes / 2**30:.2f} "
            f"| {sweep.least():,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
