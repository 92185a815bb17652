"""Positions of games in which every shot is drawn at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees.replay import HiddenGame


def random_positions(
    rules: Rules, layouts: np.ndarray, games: int, seed: int, *, aimed: float = 0.5
) -> Iterator[Position]:
    """Every position of some games, from the empty board to the last shot.

    Parameters
    ----------
    rules
        The game.
    layouts
        uint16 ``(n, n_ships)``: layouts to hide.
    games
        How many games.
    seed
        Seed of the shots.
    aimed
        How often a shot is drawn from the cells of the ships, so that hits come early.
    """
    rng = np.random.default_rng(seed)
    for _ in range(games):
        row = tuple(layouts[rng.integers(len(layouts))].tolist())
        game = HiddenGame(rules, row, ())
        shots: list[tuple[int, int]] = []
        order = rng.permutation(rules.board.cells).tolist()
        while game.left():
            yield Position(rules, tuple(shots))
            cell = order[0]
            if rng.random() < aimed:
                cell = next((c for c in order if is_ship(rules, row, c)), cell)
            order.remove(cell)
            shots.append((cell, game.shoot(cell)))


def is_ship(rules: Rules, row: tuple[int, ...], cell: int) -> bool:
    """Whether a ship of a layout lies on a cell."""
    from seabattle.enumerate.placements import placement_table

    masks = placement_table(rules).own
    return any(masks[number] >> cell & 1 for number in row)
