"""What looking ahead saves, without the luck of the draw.

A game of ``greedy-map`` is played until the layouts left can be listed. From that position on both
players play in *every* layout of the list, all of which are equally likely; the difference of
their mean misses is what one game says. Run as a script:

    python tests/benchmarks/look_ahead.py --fleet hasbro --games 10
"""

from __future__ import annotations

import argparse
import time
from statistics import mean, stdev

import numpy as np

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.game.answers import HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH
from seabattle.enumerate.game.answers import kernel_mode as mode_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.solver.players.exact_map import GreedyMap, _fitting_rows
from seabattle.solver.players.lookahead import Lookahead
from seabattle.solver.players.player import Player
from seabattle.solver.players.random_streams import Chance
from seabattle.trees.tree.hidden_game import HiddenGame


def possible_answers(rules: Rules) -> list[int]:
    """The codes of all answers that a shot can have."""
    counts = rules.fleet.counts
    if rules.answers is AnswerMode.SHIP:
        names = [HIT_SHIP + 64 * n + i for n, ships in counts.items() for i in range(1, ships + 1)]
        return [MISS, *names]
    if rules.answers is AnswerMode.SUNK:
        told = [SUNK_LENGTH + length for length in counts] if mode_of(rules) == 2 else [SUNK]
        return [MISS, HIT, *told]
    return [MISS, HIT]


def misses_in_all(player: Player, position: Position, layouts: Layouts) -> int:
    """Misses of a player, summed over layouts that fit a position, all of them still possible."""
    if len(np.unique(layouts.masks, axis=0)) == 1:
        return 0
    cell = player.choose(position, Chance(0))
    total = 0
    for code in possible_answers(player.rules):
        after = Position(player.rules, (*position.shots, (cell, code)))
        rows = np.flatnonzero(_fitting_rows(after, layouts))
        if len(rows):
            part = Layouts(player.rules, layouts.masks[rows], layouts.ships[rows])
            total += (code == MISS) * len(rows) + misses_in_all(player, after, part)
    return total


def until_listed(rules: Rules, ships: list[int], most: int) -> tuple[Position, Layouts]:
    """A game of ``greedy-map`` up to the first position with at most so many layouts."""
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fleet", default="hasbro", choices=["hasbro", "russian"])
    parser.add_argument("--answers", default="sunk", choices=["hit", "sunk", "ship"])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--most", type=int, default=10_000, help="layouts that are listed")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    contact = "none" if asked.fleet == "russian" else "sides"
    rules = Rules("10x10", asked.fleet, contact=contact, answers=asked.answers)
    players = [GreedyMap(rules), Lookahead(rules)]
    means: list[list[float]] = [[], []]
    for ships in Counter(rules).sample(asked.games, asked.seed).tolist():
        position, layouts = until_listed(rules, ships, asked.most)
        spent = []
        for player, of_player in zip(players, means, strict=True):
            start = time.process_time()
            player._lists.most = len(layouts) * rules.board.cells  # none is dropped
            player._lists.put(position.shots, player._listed(layouts))
            of_player.append(misses_in_all(player, position, layouts) / len(layouts))
            spent.append(time.process_time() - start)
        saved = [greedy - ahead for greedy, ahead in zip(*means, strict=True)]
        error = 1.96 * stdev(saved) / len(saved) ** 0.5 if len(saved) > 1 else float("nan")
        print(
            f"{len(saved)} games: {len(position.shots)} shots, {len(layouts):,} layouts left; "
            f"greedy-map misses {mean(means[0]):.3f} more, lookahead saves {mean(saved):.3f} "
            f"± {error:.3f} ({spent[0]:.0f} and {spent[1]:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
