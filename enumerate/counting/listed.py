"""Layouts counted by listing them, for fleets whose ships are not all lines.

The sweep decides a line at its first cell; it does not carry other forms. So the layouts that fit
are listed, where they are few enough, and answer what a sweep answers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

MOST_LISTED = 2_000_000
"""The most layouts that are listed, before those are left out that leave a hit uncovered."""


class ListedSweep:
    """The layouts that satisfy constraints, one by one; a stand-in for ``Sweep``.

    Parameters
    ----------
    rules
        The game.
    constraints
        What is known, with no ships set aside.

    Raises
    ------
    TooLargeError
        If there are too many.
    """

    words = 1
    states: tuple[int, ...] = ()
    map_bytes = 0
    count_bytes = 0

    def __init__(self, rules: Rules, constraints: Constraints) -> None:
        allowed = constraints.allowed.astype(np.bool_)
        found = count_layouts(rules, most=MOST_LISTED, allowed=allowed)
        if found > MOST_LISTED:
            raise TooLargeError(
                f"fleet {rules.fleet}: layouts of ships that are no lines are listed, up to "
                f"{MOST_LISTED:,} of them, and more may lie on the board {rules.board}"
            )
        self.rules = rules
        self.ships = np.empty((0, len(rules.fleet.lengths)), dtype=np.uint16)
        if found:
            listed = enumerate_layouts(rules, allowed=allowed)
            keep = np.ones(len(listed), dtype=np.bool_)
            for cell in cells_of(constraints.required):
                keep &= (listed.masks[:, cell // 64] >> np.uint64(cell % 64) & np.uint64(1)) == 1
            self.ships = listed.ships[keep]

    @property
    def total(self) -> int:
        """Number of layouts."""
        return len(self.ships)

    def count(self) -> int:
        """The same."""
        return self.total

    def placement_counts(self) -> list[int]:
        """For every placement, the layouts that have it."""
        placements = len(placement_table(self.rules))
        return [int(n) for n in np.bincount(self.ships.ravel(), minlength=placements)]

    def layouts(self, ranks: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Layouts of some ranks, uint64 ``(n, 1)``: placement numbers, int64 ``(n, n_ships)``."""
        return self.ships[ranks[:, 0].astype(np.int64)].astype(np.int64)
