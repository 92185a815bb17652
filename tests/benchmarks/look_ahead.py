"""What looking ahead saves, without the luck of the draw.

A game of the exact map is played until the layouts left can be listed. From that position on
*every* layout of the list, all of which are equally likely, is played by the map and by looking
ahead as the player ``lookahead`` does, without its exact endgame. The difference of their mean
misses is what one game says. Run as a script:

    python tests/benchmarks/look_ahead.py --fleet hasbro --games 10
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import lru_cache
from statistics import mean, stdev

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, KERNEL_SUNK, MISS, SUNK, SUNK_LENGTH, kernel_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.lookahead import CANDIDATES, WORTH, misses_ahead
from seabattle.trees.replay import HiddenGame

Choose = Callable[[Position, Layouts], int]
"""The next shot, given what is known and all layouts that fit it."""


@lru_cache(maxsize=1)
def coverage(rules: Rules) -> NDArray[np.bool_]:
    """Which cells each placement covers, ``(n_placements, n_cells)``."""
    placements = placement_table(rules).placements
    covers = np.zeros((len(placements), rules.board.cells), dtype=bool)
    for number, ship in enumerate(placements):
        covers[number, list(ship.cells)] = True
    return covers


def answers(position: Position, layouts: Layouts, cell: int) -> NDArray[np.int64]:
    """The answer of every layout to a shot, in modes ``hit`` and ``sunk``."""
    rules = position.rules
    covers = coverage(rules)
    found = np.full(len(layouts), MISS)
    open_cells = covers.copy()
    open_cells[:, list(cells_of(position.hit_mask))] = False
    left = open_cells.sum(axis=1)
    for ship, length in enumerate(rules.fleet.lengths):
        numbers = layouts.ships[:, ship]
        on_cell = covers[numbers, cell]
        found[on_cell] = HIT
        if rules.answers is AnswerMode.SUNK:
            told = SUNK if kernel_mode(rules) == KERNEL_SUNK else SUNK_LENGTH + length
            found[on_cell & (left[numbers] == 1)] = told
    return found


def greedy(position: Position, layouts: Layouts) -> int:
    """The likeliest cell."""
    covers = coverage(position.rules)
    occupied = np.zeros(position.rules.board.cells, dtype=np.int64)
    for ship in range(layouts.ships.shape[1]):
        occupied += covers[layouts.ships[:, ship]].sum(axis=0)
    occupied[list(cells_of(position.shot_mask))] = -1
    return int(occupied.argmax())


def ahead(position: Position, layouts: Layouts) -> int:
    """The cell that leads to the fewest misses."""
    worth = 0.0 if position.rules.answers is AnswerMode.HIT else WORTH
    found = misses_ahead(position, layouts, worth, CANDIDATES)
    return min(found, key=lambda cell: (found[cell], cell)) if found else greedy(position, layouts)


def misses_in_all(choose: Choose, position: Position, layouts: Layouts) -> int:
    """Misses summed over all layouts that fit a position."""
    if (layouts.masks == layouts.masks[0]).all():
        return 0
    cell = choose(position, layouts)
    told = answers(position, layouts, cell)
    total = int((told == MISS).sum())
    for code in np.unique(told).tolist():
        rows = np.flatnonzero(told == code)
        after = Position(position.rules, (*position.shots, (cell, code)))
        part = Layouts(position.rules, layouts.masks[rows], layouts.ships[rows])
        total += misses_in_all(choose, after, part)
    return total


def until_listed(rules: Rules, ships: list[int], most: int) -> tuple[Position, Layouts]:
    """A game of the exact map up to the first position with at most so many layouts."""
    counter = Counter(rules)
    game = HiddenGame(rules, ships)
    position = Position(rules)
    while True:
        found = counter.at(position).occupancy_map()
        if found.layouts <= most:
            rows = counter.at(position).layouts(most=most)
            return position, Layouts.of_ships(rules, rows)
        cell = found.best_cells[0]
        position = Position(rules, (*position.shots, (cell, game.shoot(cell))))


def main() -> None:
    """Play, and print after every game what is known so far."""
    parser = argparse.ArgumentParser(description="What looking ahead saves.")
    parser.add_argument("--fleet", default="hasbro", choices=["hasbro", "russian"])
    parser.add_argument("--answers", default="sunk", choices=["hit", "sunk"])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--most", type=int, default=10_000, help="layouts that are listed")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    contact = "none" if asked.fleet == "russian" else "sides"
    rules = Rules("10x10", asked.fleet, contact=contact, answers=asked.answers)
    means: list[list[float]] = [[], []]
    for ships in Counter(rules).sample(asked.games, asked.seed).tolist():
        position, layouts = until_listed(rules, ships, asked.most)
        spent = []
        for choose, of_player in zip((greedy, ahead), means, strict=True):
            start = time.process_time()
            of_player.append(misses_in_all(choose, position, layouts) / len(layouts))
            spent.append(time.process_time() - start)
        saved = [one - other for one, other in zip(*means, strict=True)]
        error = 1.96 * stdev(saved) / len(saved) ** 0.5 if len(saved) > 1 else float("nan")
        print(
            f"{len(saved)} games: {len(position.shots)} shots, {len(layouts):,} layouts left; "
            f"the map misses {mean(means[0]):.3f} more, looking ahead saves {mean(saved):.3f} "
            f"± {error:.3f} ({spent[0]:.0f} and {spent[1]:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
