"""A player that looks further than the next shot: ``lookahead``.

``greedy-map`` shoots the cell that is likeliest to be occupied, whatever comes after. ``lookahead``
does the same until the layouts still possible can be listed. Then each of the ``CANDIDATES`` best
cells is tried: the game is played on from there in *every* layout of the list, by a simple rule,
and the cell with the fewest misses in all is shot. Play that is improved in this way at every shot
misses no more on average than the simple rule.

The simple rule shoots the cell for which the chance of a miss, less ``WORTH`` times what the
answer tells in bits, is least. Of two cells as likely to be occupied, it takes the one whose answer
leaves less to be found. Where answers are hit or miss only, what they tell is worth nothing to it:
there it shoots the likeliest cell.

At the end ``lookahead`` plays optimally, as ``map-endgame`` does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players._ahead_kernels import Ahead, look_ahead
from seabattle.solver.players.exact_map import MapEndgame, _Listed

WORTH = 0.3
"""Misses that a bit of information is worth."""
CANDIDATES = 10
"""Number of cells that are tried."""
AHEAD = 10_000
"""The game is played on in every layout once at most this many are left."""


class Lookahead(MapEndgame):
    """The cell that leads to the fewest misses, once the layouts left can be played on."""

    name = "lookahead"
    takes_prior = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.worth = 0.0 if rules.answers is AnswerMode.HIT else WORTH
        self._mode = kernel_mode(rules)

    @property
    def most_listed(self) -> int:
        """Layouts are listed once at most this many are left."""
        return AHEAD

    def _best_listed(self, position: Position, listed: _Listed) -> int:
        if not self.most_solved < len(listed.layouts) <= AHEAD:
            return super()._best_listed(position, listed)
        found = misses_ahead(position, listed.layouts, self.worth, CANDIDATES)
        if not found:
            return super()._best_listed(position, listed)
        return min(found, key=lambda cell: (found[cell], cell))


def misses_ahead(
    position: Position, layouts: Layouts, worth: float, candidates: int
) -> dict[int, int]:
    """Misses in all layouts when a cell is shot and the game is played on by the simple rule.

    Parameters
    ----------
    position
        What is known.
    layouts
        All layouts that fit it.
    worth
        Misses that a bit of information is worth to the rule.
    candidates
        How many cells are tried, at least 2; those that the rule likes best. With 1 there is no
        choice, nothing is played, and the rule's cell is returned with a total of 0.

    Returns
    -------
    misses
        By cell number. Where a total is not the least, it may be too small, but not below the
        least. A cell that all layouts occupy is shot first and alone, its total given as 0; empty
        when no shot parts the layouts.
    """
    table, open_cells, groups = _table(position, layouts)
    totals = np.full(position.rules.board.cells, -1, dtype=np.int64)
    best = look_ahead(
        table, open_cells, groups, kernel_mode(position.rules), worth, candidates, totals
    )
    if best >= 0 > totals[best]:
        totals[best] = 0
    return {int(cell): int(totals[cell]) for cell in np.flatnonzero(totals >= 0)}


def _table(position: Position, layouts: Layouts) -> tuple[Ahead, int, int]:
    """Layouts that fit a position as the kernels take them, the cells not hit and the ships hit."""
    rules = position.rules
    number = len(layouts)
    every = np.arange(number)
    covered = _placement_cells(rules)
    ship_at = np.full((number, rules.board.cells), -1, dtype=np.int8)
    of_ships = []
    for ship, length in enumerate(rules.fleet.lengths):
        of_ship = covered[layouts.ships[:, ship], :length]
        ship_at[every[:, None], of_ship] = ship
        of_ships.append(of_ship)
    cells = np.concatenate(of_ships, axis=1)
    left = np.tile(np.array(rules.fleet.lengths, dtype=np.int8), (number, 1))
    group = np.zeros(left.shape, dtype=np.int8)
    groups = 0
    hits = [cell for cell, code in position.shots if code]
    for cell in hits:
        ships = ship_at[:, cell]
        left[every, ships] -= 1
        new = group[every, ships] == 0
        if rules.answers is AnswerMode.SHIP and new.any():
            groups += 1
            group[every, ships] = np.where(new, groups, group[every, ships])
    order = np.argsort(np.isin(cells, hits), axis=1, kind="stable")
    cells = np.ascontiguousarray(np.take_along_axis(cells, order, axis=1))
    lengths = np.array(rules.fleet.lengths, dtype=np.int64)
    return Ahead(cells, ship_at, lengths, left, group), cells.shape[1] - len(hits), groups


def _placement_cells(rules: Rules) -> NDArray[np.int16]:
    """Cells of every placement, ``(n_placements, longest)``, 0 behind the last."""
    placements = placement_table(rules).placements
    covered = np.zeros((len(placements), rules.fleet.lengths[0]), dtype=np.int16)
    for number, ship in enumerate(placements):
        covered[number, : ship.length] = ship.cells
    return covered
