"""One ship in open water: how many misses it costs at worst, as an interval.

Of a fleet of one ship a layout is a placement, and a strategy until its first hit is a list of
cells. Two numbers of cells bound what it costs at worst:

* the *fewest that must hit*: the least number h of cells such that every placement has one of them.
  Placements without a common cell, d of them, prove h >= d: each shot hits one of them at most. So
  some placement is missed h - 1 times at least.
* the *fewest that leave one*: the least number of cells such that all placements but one at most
  have one of them. With fewer misses two placements are left, and to tell them apart costs another:
  a shot that hits one of them alone may miss, and a shot that hits both tells nothing. So every
  strategy misses that often.

A ship of 5 on 10x10: 20 disjoint placements prove 19 misses. But 19 misses leave one of four blocks
of 5x5 with 4 of them or fewer, so that a row and a column of it are free: at least 20.

Both numbers are least solutions of linear inequalities in whole numbers, which HiGHS finds. From
above, a strategy shoots a set of cells that must hit, those last that are cheap to finish from, and
plays exactly once it has hit. Sets are those of the inequalities, and the diagonals: all cells with
row + s * column = t modulo the length of the ship.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import interval_text

SECONDS = 20.0
"""For which each of the inequalities is worked on at most."""

Cells = frozenset[int]


@dataclass(frozen=True)
class OpenWater:
    """What a single ship costs at worst.

    Attributes
    ----------
    rules
        The game, with one ship.
    disjoint
        So many placements have no cell in common.
    must_hit_at_least, must_hit
        Proven interval of the fewest cells of which one must be hit; equal where it is known.
    lower_bound, upper_bound
        Proven interval of the least misses in the worst case.
    cells
        Names of cells of which one must be hit, in the order in which the strategy of the upper
        bound shoots them.
    """

    rules: Rules
    disjoint: int
    must_hit_at_least: int
    must_hit: int
    lower_bound: int
    upper_bound: int
    cells: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """What ``bound --json`` adds for a fleet of one ship.

        Fields
        ------
        disjoint: placements without a common cell
        must_hit: the fewest shots that must hit the ship, as far as known
        must_hit_at_least: proven least of that; equal where it is known
        worst_lower_bound: every strategy misses so often at worst, at least
        worst_upper_bound: some strategy misses no more often
        cells: shots that must hit the ship, in the order of that strategy
        """
        return {
            "disjoint": self.disjoint,
            "must_hit": self.must_hit,
            "must_hit_at_least": self.must_hit_at_least,
            "worst_lower_bound": self.lower_bound,
            "worst_upper_bound": self.upper_bound,
            "cells": list(self.cells),
        }

    def facts(self) -> list[tuple[str, str]]:
        """The same as labels and texts."""
        length = self.rules.fleet.cells
        must_hit = interval_text(self.must_hit_at_least, self.must_hit)
        misses = interval_text(self.lower_bound, self.upper_bound)
        shots = interval_text(self.lower_bound + length, self.upper_bound + length)
        return [
            ("must hit", f"{must_hit} shots, the fewest of which one must hit "
                         f"({self.disjoint} disjoint placements)"),
            ("at worst", f"{misses} misses, {shots} shots"),
            ("shoot", " ".join(self.cells)),
        ]  # fmt: skip


def open_water(rules: Rules) -> OpenWater:
    """How many misses a single ship costs at worst, at least and at most.

    Parameters
    ----------
    rules
        A game with one ship; every answer mode is the same up to the last hit.

    Raises
    ------
    FleetError
        If the fleet has more than one ship, or it does not fit on the board.

    Examples
    --------
    >>> water = open_water(Rules("4x4", "3"))
    >>> water.disjoint, water.must_hit, water.lower_bound, water.upper_bound
    (5, 5, 5, 5)
    """
    if len(rules.fleet.lengths) != 1:
        raise FleetError(f"fleet {rules.fleet}: open water is for a fleet of one ship")
    ships = [frozenset(ship.cells) for ship in placement_table(rules).placements]
    if not ships:
        raise fleet_does_not_fit(rules)
    cells = rules.board.cells
    through = np.zeros((len(ships), cells))
    for number, ship in enumerate(ships):
        through[number, list(ship)] = 1
    disjoint = _most_disjoint(through)
    least, hitting = _fewest(through, spared=0)
    least_leaving, _ = _fewest(through, spared=1)
    sets = {frozenset(np.flatnonzero(hitting).tolist()), *_diagonals(rules)}
    occupied = frozenset().union(*ships)
    plans = [_plan(ships, found & occupied) for found in sets if all(s & found for s in ships)]
    worst, order = min(plans, key=lambda plan: (plan[0], len(plan[1]), plan[1]))
    must_hit = min(len(order) for _, order in plans)
    least = max(least, disjoint)
    return OpenWater(
        rules=rules,
        disjoint=disjoint,
        must_hit_at_least=least,
        must_hit=must_hit,
        lower_bound=min(worst, max(least - 1, least_leaving)),
        upper_bound=worst,
        cells=tuple(map(rules.board.name, order)),
    )


def _most_disjoint(through: np.ndarray) -> int:
    """How many placements without a common cell are found."""
    found = _solved(-np.ones(len(through)), LinearConstraint(through.T, -np.inf, 1))
    chosen = np.zeros(len(through)) if found.x is None else np.round(found.x)
    return int(chosen.sum()) if (through.T @ chosen).max(initial=0) <= 1 else 0


def _fewest(through: np.ndarray, *, spared: int) -> tuple[int, np.ndarray]:
    """Fewest cells that leave so many placements at most: a bound from below, and such cells."""
    ships, cells = through.shape
    rows = np.vstack([np.hstack([through, np.eye(ships)]), np.repeat([0, 1], [cells, ships])])
    least = np.append(np.ones(ships), -np.inf)
    most = np.append(np.full(ships, np.inf), spared)
    found = _solved(np.repeat([1, 0], [cells, ships]), LinearConstraint(rows, least, most))
    if found.x is None:
        return 0, np.ones(cells)
    return ceil((found.mip_dual_bound or 0.0) - 1e-6), np.round(found.x[:cells])


def _solved(costs: np.ndarray, constraint: LinearConstraint) -> Any:
    """What HiGHS finds of least cost, each number 0 or 1."""
    return milp(costs, integrality=1, bounds=Bounds(0, 1), constraints=constraint,
                options={"time_limit": SECONDS})  # fmt: skip


def _diagonals(rules: Rules) -> Iterator[Cells]:
    """Cells on diagonals that every straight ship of the length crosses."""
    board, length = rules.board, rules.fleet.cells
    for slope in range(1, length + 1):
        for start in range(length):
            yield frozenset(
                cell
                for cell in range(board.cells)
                if (cell // board.columns + slope * (cell % board.columns)) % length == start
            )


def _plan(ships: list[Cells], hitting: Cells) -> tuple[int, list[int]]:
    """Worst case of a strategy that shoots a set of cells until it hits, and its order.

    The last shot is one after whose hit least is missed, and so on backwards: what a hit leaves
    depends on the shots before it alone.
    """
    order: list[int] = []
    worst = 0
    left = set(hitting)
    while left:
        after = {
            cell: _worst_after(frozenset(s for s in ships if s & left == {cell}))
            for cell in sorted(left)
        }
        cell = min(after, key=lambda cell: (after[cell], cell))
        left.remove(cell)
        worst = max(worst, len(left) + after[cell])
        order.insert(0, cell)
    return worst, order


@lru_cache(maxsize=4096)
def _worst_after(ships: frozenset[Cells]) -> int:
    """Least misses at worst to tell some placements apart; shots at water are left out."""
    if len(ships) <= 1:
        return 0
    split = {frozenset(s for s in ships if cell in s) for ship in ships for cell in ship}
    return min(
        max(_worst_after(hit), 1 + _worst_after(ships - hit)) for hit in split if hit != ships
    )
