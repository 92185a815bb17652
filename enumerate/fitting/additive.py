"""Weights that grow with every game: the learning grid of "Over 9000".

The player that [Chronicles2010] suggests keeps a weight per cell, which grows a little with every
hit there. In a game that is played to its end, every cell of the fleet is hit. So after some games
the weight of a cell is its start plus the growth times the number of games in which it was
occupied. This is *additive smoothing*: the counts are taken as if the cell had been occupied in
``start / growth`` earlier games, too. No weights are simpler, but a product prior with these
weights does not have the frequencies that were seen. For that, the weights must be fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.fitting.seen_layouts import SeenLayouts, ships_seen
from seabattle.enumerate.game.arguments import require_rules
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules


def learned_cells(
    rules: Rules,
    layouts_seen: SeenLayouts,
    start: Sequence[Fraction | float | str],
    growth: Fraction | float | str,
) -> tuple[Fraction, ...]:
    """Weights of the cells after some games: start plus growth for every game that occupied them.

    Parameters
    ----------
    rules
        The game.
    layouts_seen
        One layout per game, as for ``fit_layouts``.
    start
        The weight of each cell before the first game, top row first.
    growth
        What a game adds to the weights of the cells occupied in it.

    Returns
    -------
    A weight per cell, exact; decimals given as text are taken as written.

    Raises
    ------
    LayoutError
        If a layout is not one of the game.
    WeightsError
        If the number of weights is wrong.

    Examples
    --------
    >>> learned_cells(Rules("1x4", "2"), ["A1:B1", "B1:C1"], [1, 1, 1, 1], "0.5")
    (Fraction(3, 2), Fraction(2, 1), Fraction(3, 2), Fraction(1, 1))
    """
    require_rules(rules)
    if len(start) != rules.board.cells:
        raise WeightsError(
            f"start has {len(start)} weights: give one per cell of the board {rules.board}, "
            f"{rules.board.cells}"
        )
    ships, step = ships_seen(rules, layouts_seen), Fraction(growth)
    often = np.zeros(rules.board.cells, dtype=np.int64)
    placements = placement_table(rules).placements
    for number in ships.reshape(-1):
        often[list(placements[number].cells)] += 1
    return tuple(Fraction(s) + step * int(n) for s, n in zip(start, often, strict=True))
