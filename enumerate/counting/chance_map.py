"""Maps under a prior: how likely each cell is to be occupied."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.ship_map import ShipMap, ship_length, ships_of_length
from seabattle.enumerate.game.arguments import (
    require_number,
    require_numbers_each,
    require_position,
    require_type,
    require_whole,
)
from seabattle.enumerate.game.deductions import answers_in_words
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.priors.prior import Prior

ALIKE = 1e-9
"""Chances whose relative difference is at most this count as equal."""

SURE = 1e-11
"""A chance this close to 1 counts as 1; rounding errors are smaller."""

WHOLE = 10**15
"""Chances are rounded to multiples of 1 / WHOLE where they are shown as whole numbers."""


@dataclass(frozen=True)
class Chances:
    """How likely every placement and every cell is, and the total weight of all layouts.

    Attributes
    ----------
    placements
        float64 ``(n_placements,)``: chance of each placement of the rules' placement table.
    cells
        float64 ``(n_cells,)``: chance of each cell to be occupied.
    log_weight
        Natural logarithm of the sum of the weights of all layouts that fit.
    error
        Bound on the relative error of a chance that is above 1e-300, and of the sum of weights.
    """

    placements: NDArray[np.float64]
    cells: NDArray[np.float64]
    log_weight: float
    error: float


@dataclass(frozen=True)
class ChanceMap:
    """How likely each cell is to be occupied when a prior says how likely the layouts are.

    Attributes
    ----------
    position
        What is known.
    prior
        How likely the layouts were before the first shot.
    layouts
        Number of layouts that fit the answers, exact, those of weight 0 included.
    labelled_layouts
        The same with identical ships distinguished, except those known to be sunk.
    chances
        Rows of numbers from 0 to 1, top row first: chance of the cell to be occupied.
    placements
        For each placement of the rules' placement table, the chance that a ship lies there.
    log_weight
        Natural logarithm of the sum of the weights of all layouts that fit.
    error
        Bound on the relative error of a chance that is above 1e-300, and of the sum of weights.
    mass_seconds
        Time taken to compute the chances.
    count_seconds
        Time taken to compute the exact numbers of layouts.
    """

    position: Position
    prior: Prior | None
    layouts: int
    labelled_layouts: int
    chances: tuple[tuple[float, ...], ...]
    placements: tuple[float, ...]
    log_weight: float
    error: float
    mass_seconds: float
    count_seconds: float

    @classmethod
    def of_chances(
        cls,
        position: Position,
        prior: Prior | None,
        chances: Chances,
        layouts: int,
        labelled_layouts: int,
        seconds: tuple[float, float],
    ) -> ChanceMap:
        """The map, from its chances, the exact numbers of layouts, and the seconds they took."""
        require_position(position)
        require_type("chances", chances, Chances, "Chances, as Counter.chances finds them")
        require_whole("layouts", layouts, 0)
        require_whole("labelled_layouts", labelled_layouts, 0)
        spent = require_numbers_each("seconds", seconds, 2, "parts of the work")
        columns, cells = position.rules.board.columns, chances.cells.tolist()
        return cls(
            position,
            prior,
            layouts,
            labelled_layouts,
            tuple(tuple(cells[at : at + columns]) for at in range(0, len(cells), columns)),
            tuple(chances.placements.tolist()),
            chances.log_weight,
            chances.error,
            *spent,
        )

    @property
    def cells(self) -> tuple[float, ...]:
        """Chances by cell number."""
        return tuple(chance for row in self.chances for chance in row)

    @property
    def log2_weight(self) -> float:
        """Binary logarithm of the sum of the weights of all layouts that fit."""
        return self.log_weight / log(2)

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of the likeliest cells among those not shot, in reading order."""
        return self.likeliest(self.cells)

    def likeliest(self, chances: Sequence[float]) -> tuple[int, ...]:
        """The cells not shot that have the greatest of these chances, which are one per cell."""
        shot, board = self.position.shot_mask, self.position.rules.board
        each = require_numbers_each("chances", chances, board.cells, "cells")
        left = {c: p for c, p in enumerate(each) if not shot >> c & 1}
        most = max(left.values(), default=0.0)
        return tuple(c for c, p in left.items() if p >= most * (1 - ALIKE) and p > 0)

    @property
    def best_shots(self) -> tuple[str, ...]:
        """Names of the likeliest cells among those not shot, in reading order."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def certain_cells(self) -> tuple[int, ...]:
        """Numbers of the cells whose chance is 1 within rounding errors."""
        return tuple(cell for cell, p in enumerate(self.cells) if p >= 1 - SURE)

    def share(self, cell: int) -> tuple[int, int]:
        """The chance of a cell as part and whole, for display; rounded as in ``share_of``."""
        return self.share_of(self.cells[self.position.rules.board.cell(cell)])

    def share_of(self, chance: float) -> tuple[int, int]:
        """A chance as part and whole, for display.

        The whole is ``WHOLE``. Only an impossible cell gets 0, and only a certain one ``WHOLE``.
        """
        require_number("chance", chance, "probability", least=-math.inf)
        if chance <= 0:
            return 0, WHOLE
        if chance >= 1 - SURE:
            return WHOLE, WHOLE
        return min(max(round(chance * WHOLE), 1), WHOLE - 1), WHOLE

    def of_length(self, length: int) -> ShipMap:
        """The map of the ships of one length alone: the chance that one occupies each cell.

        Raises
        ------
        FleetError
            If the fleet has no such ship.
        TypeError
            If it is not a whole number.
        """
        rules = self.position.rules
        length = ship_length(rules, length)
        found: list[list[float]] = [[] for _ in self.cells]
        for placement, chance in ships_of_length(rules, length, self.placements):
            for cell in placement.cells:
                found[cell].append(chance)
        # Rounding may bring a certain ship to a little more than 1.
        return ShipMap(self, length, tuple(min(fsum(chances), 1.0) for chances in found))

    @property
    def prior_name(self) -> str:
        """How the prior is called."""
        return "uniform" if self.prior is None else self.prior.name or "without a name"

    def document(self) -> dict[str, Any]:
        """How likely each cell is occupied, as JSON."""
        return {"prior": self.prior_name, "chances": [list(row) for row in self.chances]}

    def chance(self, cell: str | int) -> float:
        """Probability that a cell, given by name or number, is occupied.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.game.rules import Rules
        >>> from seabattle.enumerate.priors.prior import ProductPrior
        >>> prior = ProductPrior.of_cells(Rules("1x4", "2"), [2, 1, 1, 3])
        >>> round(Counter(prior.rules, prior=prior).map().chance("A1"), 12)
        0.333333333333
        """
        return self.cells[self.position.rules.board.cell(cell)]

    def __repr__(self) -> str:
        known = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        under = f"under {self.prior.called}" if self.prior else "without a prior"
        return f"<chance map of {self.layouts:,} layouts {under}: {self.position.rules}{known}>"

    def _repr_html_(self) -> str:
        from seabattle.enumerate.display.notebook import position_map_html

        under = f"under {self.prior.called}" if self.prior else "without a prior"
        caption = (
            f"{self.position.rules}: {self.layouts:,} layouts, chance in percent {under} that each "
            f"cell is occupied"
        )
        parts = [self.share(cell)[0] for cell in range(self.position.rules.board.cells)]
        return position_map_html(self.position, parts, WHOLE, self.best_cells, caption)
