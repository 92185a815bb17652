"""How much faster a search is with several threads: seconds, keys and sub-tables, taken in turn.

    python tests/benchmarks/bench_threads.py [--threads 2] [--times 3] [--game 1] [--whole]

prints a row for each search. Seconds on the clock are only worth something while nothing else runs;
``longest`` is the processor time of the busiest thread, with what one thread did alone: the seconds
that the search takes where each thread has a core to itself, but for what cores take from each
other. With ``--whole`` the whole ``solve`` is measured, with its pauses for better trees, which are
one thread's.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import threads
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve_problem

GAMES = (
    Rules("4x4", "3,2,1"),
    Rules("5x5", "3,2,2,1,1,1"),
    Rules("5x5", "4,3,2", answers="sunk"),
    Rules("5x5", "3,2,1"),
)
"""Two that are too small for threads, one of about a second, one of a quarter of a minute."""


def watched() -> dict[int, float]:
    """Have the processor seconds of each thread within rounds counted from now on."""
    taken: dict[int, float] = {}
    rounds: Any = threads.Rounds
    search = rounds.search_as

    def measured(self: Any, round_number: int, searcher: Any, arrays: Any) -> None:
        started = time.thread_time()
        search(self, round_number, searcher, arrays)
        number = self.searchers.index(searcher)
        taken[number] = taken.get(number, 0.0) + time.thread_time() - started

    rounds.search_as = measured
    return taken


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="compared with one (default 2)")
    parser.add_argument("--times", type=int, default=3, help="how often (default 3)")
    parser.add_argument("--game", type=int, help="only this one of the games, from 1 on")
    parser.add_argument("--whole", action="store_true", help="measure the whole solve")
    given = parser.parse_args()
    taken = watched()
    print("| game | threads | seconds | longest | keys | sub-tables | misses |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for rules in GAMES if given.game is None else GAMES[given.game - 1 : given.game]:
        problem = as_problem(rules)
        ExactSearch(problem).warm_up()
        for count in (1, given.threads) * given.times:
            limits = Limits(threads=count)
            taken.clear()
            clock, processor = time.perf_counter(), time.process_time()
            if given.whole:
                solution = solve_problem(problem, limits=limits)
                found = solution.total_misses, solution.states, solution.nodes
            else:
                search = ExactSearch(problem, limits=limits)
                found = search.minimize().misses, search.states, search.nodes
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            longest = processor - sum(taken.values()) + max(taken.values(), default=0.0)
            misses, keys, nodes = found
            print(
                f"| {rules} | {count} | {clock:.2f} | {longest:.2f} | {keys:,} | {nodes:,} "
                f"| {misses:,} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
