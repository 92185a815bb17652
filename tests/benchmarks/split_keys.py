"""What splitting a game costs: keys and work of processes that share nothing but the best bound.

The games are the arguments, each as board, fleet, contact rule and answers with blanks between.
The processes are simulated in this one: each has a table of its own, and its clock is the number
of sub-tables it has expanded. A part is handed to the process that is free first, which knows what
was finished by then. So the figures are the same in every run. The budget of a part is not lowered
while it is searched, as it would be in real processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import split_parts, split_solve
from seabattle.solver.search.solve import solve

PROCESSES = 1, 2, 4, 8


class Simulated:
    """Processes that take turns in this one; used in place of ``solver.tasks.Pool``."""

    clocks: list[int]

    def __init__(self, workers: int, cluster: str | None = None) -> None:
        self.slots = workers
        self.reader = self
        self.said: dict[str, Any] | None = {}
        self.searches: list[tuple[str, Any]] = [("", None)] * workers
        self.clocks = [0] * workers
        Simulated.last = self

    last: Simulated

    def __enter__(self) -> Simulated:
        return self

    def __exit__(self, *exception: object) -> None:
        self.said = None

    def read(self) -> dict[str, Any] | None:
        """What was said last."""
        return self.said

    @property
    def ended(self) -> bool:
        """Whether all is over."""
        return self.said is None

    def say(self, notice: dict[str, Any] | None) -> None:
        """Said to all processes."""
        self.said = notice

    def limit(self, workers: int) -> None:
        """Memory is no concern here."""

    def run(
        self, function: Callable[..., Any], tasks: Iterator[tuple[Any, ...]], look: Any
    ) -> Iterator[Any]:
        """Outcomes in the order in which they are finished."""
        waiting: list[tuple[int, int, Any]] = []
        free = list(self.clocks)
        handed = 0
        while True:
            place = min(range(self.slots), key=lambda n: (free[n], n))
            for each in sorted(waiting, key=lambda each: each[:2]):
                if each[0] <= free[place]:
                    waiting.remove(each)
                    yield each[2]
            task = next(tasks, None)
            if task is None:
                break
            made = split_parts.MADE
            made.number, made.search = self.searches[place]
            outcome = function(*task)
            self.searches[place] = made.number, made.search
            free[place] += outcome.nodes
            handed += 1
            waiting.append((free[place], handed, outcome))
        for each in sorted(waiting, key=lambda each: each[:2]):
            yield each[2]
        self.clocks = free


def main(games: list[str]) -> None:
    """Print a table row for each game."""
    split_solve.Pool = Simulated  # type: ignore[assignment, misc]
    print("| game | keys in one search | " + " | ".join(f"{n} at work" for n in PROCESSES) + " |")
    print("| --- | --- |" + " --- |" * len(PROCESSES))
    for game in games:
        rules = Rules(*game.split())
        alone = solve(rules)
        shown = []
        for number in PROCESSES:
            found = split_solve.split_solve(rules, workers=number, solo_seconds=0)
            assert found.total_misses == alone.total_misses
            longest = max(Simulated.last.clocks)
            shown.append(f"{found.states / alone.states:.2f}, {longest / alone.nodes:.2f}")
        print(f"| {game} | {alone.states:,} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
