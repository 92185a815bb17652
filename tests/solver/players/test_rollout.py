"""The player that plays on in layouts drawn: beside a slow twin, and beside what it improves on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.density import Odds
from seabattle.solver.players.lookahead import Lookahead
from seabattle.solver.players.player import Player, unshot
from seabattle.solver.players.registry import make_player
from seabattle.solver.players.rollout import Rollout
from seabattle.solver.search.solve import solve
from seabattle.trees.replay import HiddenGame

GAMES = [
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("4x4", "3,2", "none", "ship"),
    Rules("4x4", "3,2,2", "sides", "sunk", "none"),
]


class Drawing(Rollout):
    """Draws from the first shot to the last."""

    most_at_once = 0
    most_listed = 0
    layouts = 1_000
    candidates = 8


class LooksAhead(Lookahead):
    """The map to the last shot, as few as they are."""

    most_at_once = 0
    most_listed = 0


def misses_of(player: Player) -> int:
    layouts = enumerate_layouts(player.rules).ships
    return int(player.play_all(layouts).sum()) - player.rules.fleet.cells * len(layouts)


def played_on(player: Player, position: Position, cell: int, layout: list[int]) -> int:
    """Shots of one game, asked for one by one."""
    game = HiddenGame(position.rules, tuple(layout))
    shots = [(shot, game.shoot(shot)) for shot, _ in position.shots]
    shots.append((cell, game.shoot(cell)))
    while game.left():
        shot = player.shoot(Position(position.rules, tuple(shots)))
        shots.append((shot, game.shoot(shot)))
    return len(shots)


def some_positions(rules: Rules, layout: list[int], count: int) -> list[Position]:
    """Positions of a game of ``greedy-map``."""
    player = make_player("greedy-map", rules)
    whole = player.play(layout, Chance(0), Position(rules)).shots
    return [Position(rules, whole[:n]) for n in range(min(count, len(whole)))]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_games_are_played_on_shot_by_shot(rules: Rules) -> None:
    layouts = enumerate_layouts(rules).ships
    odds = Odds(rules)
    for position in some_positions(rules, layouts[7].tolist(), 6):
        ships = Counter(position).sample(5, 1)
        cell = unshot(position)[len(position.shots) % 3]
        found = odds.shots_after(position, cell, ships)
        assert found.tolist() == [played_on(odds, position, cell, s) for s in ships.tolist()]


def halved(rules: Rules, position: Position, ships: NDArray[np.uint16], candidates: int) -> int:
    """The cell that is left when half of the cells are given up again and again."""
    odds = Odds(rules)
    covered = [set(cells_of_layout(rules, layout)) for layout in ships.tolist()]
    met = {cell: sum(cell in cells for cells in covered) for cell in unshot(position)}
    cells = sorted((c for c in met if met[c]), key=lambda cell: (-met[cell], cell))[:candidates]
    if met[cells[0]] == len(ships):
        return cells[0]
    rounds = next(n for n in range(10) if 2**n >= len(cells))
    for number in range(rounds):
        end = len(ships) * (2 ** (number + 1) - 1) // (2**rounds - 1)
        seen = ships[:end].tolist()
        shots = {c: sum(played_on(odds, position, c, layout) for layout in seen) for c in cells}
        cells = sorted(cells, key=lambda cell: shots[cell])[: -(-len(cells) // 2)]
    return cells[0]


def cells_of_layout(rules: Rules, layout: list[int]) -> list[int]:
    from seabattle.enumerate.placements import placement_table

    table = placement_table(rules)
    return [cell for number in layout for cell in table.placements[number].cells]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_cell_that_is_left_is_the_twins(rules: Rules) -> None:
    layouts = enumerate_layouts(rules).ships
    player = Drawing(rules)
    for position in some_positions(rules, layouts[11].tolist(), 4):
        for number, candidates in ((40, 6), (7, 3), (1, 5)):
            ships = Counter(position).sample(number, 2)
            player.candidates = candidates
            found = player.best_drawn(position, ships, Odds(rules))
            assert found == halved(rules, position, ships, candidates)


@pytest.mark.parametrize("rules", GAMES[:2], ids=str)
def test_it_is_better_than_who_plays_on(rules: Rules) -> None:
    """Drawn from the first shot to the last; many layouts for so small a game."""
    least, odds = solve(rules).total_misses, misses_of(Odds(rules))
    assert least <= misses_of(Drawing(rules)) < odds


def test_the_same_position_is_answered_alike() -> None:
    """By another copy, and whatever was asked before."""
    rules = Rules("6x6", "4,3", "sides", "sunk")
    positions = some_positions(rules, enumerate_layouts(rules).ships[500].tolist(), 12)[::3]
    first, second = Drawing(rules), Drawing(rules)
    forward = [first.shoot(position) for position in positions]
    assert forward == [second.shoot(position) for position in positions[::-1]][::-1]


def test_a_game_that_is_listed_is_played_alike() -> None:
    """Layouts are drawn from the list while there are many, then it plays as ``lookahead``."""
    rules = Rules("4x4", "3,2", "sides", "sunk")

    class Listing(Rollout):
        layouts, most_listed = 50, 30

    some, other = Listing(rules), make_player("lookahead", rules)
    layout = enumerate_layouts(rules).ships[100].tolist()
    left = []
    for position in some_positions(rules, layout, 12):
        left.append(Counter(position).count())
        if left[-1] <= 30:
            assert some.shoot(position) == other.shoot(position)
        else:
            assert some.shoot(position) in unshot(position)
    assert left[0] > 30 >= left[-1]


def test_without_sinkings_it_looks_ahead() -> None:
    rules = Rules("4x4", "3,2", "sides", "hit")
    assert misses_of(Drawing(rules)) == misses_of(LooksAhead(rules))
