"""The map of a count: how many layouts there are, and how many of them occupy each cell.

Maps under a prior: how likely each cell is to be occupied.

The map of the ships of one length: where can the ship of length 4 be?

Two ships of one length never share a cell. So the number of layouts in which such a ship occupies a
cell is the sum, over the placements that cover the cell, of the number of layouts that have the
placement. The map of all ships already holds these numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import (
    require_number,
    require_numbers_each,
    require_position,
    require_type,
    require_whole,
)
from seabattle.enumerate.deductions import answers_in_words
from seabattle.enumerate.errors import FleetError, SeabattleError, whole_number
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.plain_arguments import require_list
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules


@dataclass(frozen=True)
class OccupancyMap:
    """How many layouts there are, and how many of them occupy each cell.

    Attributes
    ----------
    position
        What is known.
    layouts
        Number of layouts that fit.
    labelled_layouts
        The same with identical ships distinguished, except those known to be sunk.
    occupancy
        Rows of integers, top row first: layouts that occupy the cell.
    placements
        For each placement of the rules' placement table, the layouts that have it.
    states
        For each row of the sweep, how many pairs (profile, ships used) are met at its end.
    """

    position: Position
    layouts: int
    labelled_layouts: int
    occupancy: tuple[tuple[int, ...], ...]
    placements: tuple[int, ...]
    states: tuple[int, ...]

    @classmethod
    def of_placements(
        cls,
        position: Position,
        layouts: int,
        labelled_layouts: int,
        placements: Sequence[int],
        states: Sequence[int],
    ) -> OccupancyMap:
        """The map, from the layouts that have each placement."""
        require_position(position)
        table = placement_table(position.rules).placements
        require_whole("layouts", layouts, 0)
        require_whole("labelled_layouts", labelled_layouts, 0)
        each = require_list("placements", placements, "[2, 0, 1]", of="numbers")
        if len(each) != len(table) or any(whole_number(count) is None for count in each):
            raise SeabattleError(f"placements: give {len(table)} whole numbers, one each")
        numbers = require_list("states", states, "[2, 0, 1]", of="numbers")
        board = position.rules.board
        cells = [0] * board.cells
        for placement, count in zip(table, each, strict=True):
            if count:
                for cell in placement.cells:
                    cells[cell] += count
        rows = (cells[at : at + board.columns] for at in range(0, board.cells, board.columns))
        return cls(
            position,
            layouts,
            labelled_layouts,
            tuple(map(tuple, rows)),
            tuple(each),
            tuple(numbers),
        )

    @property
    def cells(self) -> tuple[int, ...]:
        """Occupancy by cell number."""
        return tuple(count for row in self.occupancy for count in row)

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of the likeliest cells among those not shot, in reading order."""
        return self.likeliest(self.cells)

    def likeliest(self, counts: Sequence[float]) -> tuple[int, ...]:
        """Of numbers of layouts, one per cell, where the greatest is among the cells not shot."""
        shot, board = self.position.shot_mask, self.position.rules.board
        each = require_numbers_each("counts", counts, board.cells, "cells")
        left = {c: n for c, n in enumerate(each) if not shot >> c & 1}
        most = max(left.values(), default=0)
        return tuple(cell for cell, count in left.items() if count == most and most > 0)

    @property
    def best_shots(self) -> tuple[str, ...]:
        """Names of the likeliest cells among those not shot, in reading order."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def certain_cells(self) -> tuple[int, ...]:
        """Numbers of the cells that every layout occupies."""
        return tuple(cell for cell, count in enumerate(self.cells) if count == self.layouts)

    def share(self, cell: int) -> tuple[int, int]:
        """The chance of a cell as a part and a whole: layouts that occupy it, and all layouts."""
        return self.share_of(self.cells[self.position.rules.board.cell(cell)])

    def share_of(self, count: float) -> tuple[int, int]:
        """A number of layouts as a part of all layouts."""
        return int(require_number("count", count, "layouts", least=0, most=2.0**999)), self.layouts

    def of_length(self, length: int) -> ShipMap:
        """The map of the ships of one length alone: in how many layouts one occupies each cell.

        Raises
        ------
        FleetError
            If the fleet has no such ship.
        TypeError
            If it is not a whole number.

        Examples
        --------
        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().of_length(3).rows
        ((2, 1, 2), (1, 0, 1), (2, 1, 2))
        """
        rules = self.position.rules
        length = ship_length(rules, length)
        cells = [0] * len(self.cells)
        for placement, count in ships_of_length(rules, length, self.placements):
            for cell in placement.cells:
                cells[cell] += count
        return ShipMap(self, length, tuple(cells))

    @property
    def prior_name(self) -> str:
        """Empty: all layouts are equally likely."""
        return ""

    def document(self) -> dict[str, Any]:
        """How likely each cell is occupied, as JSON."""
        return {"occupancy": [list(row) for row in self.occupancy]}

    def chance(self, cell: str | int) -> Fraction:
        """Probability that a cell, given by name or number, is occupied.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().chance("B1")
        Fraction(1, 4)
        """
        return Fraction(self.cells[self.position.rules.board.cell(cell)], self.layouts)

    def __repr__(self) -> str:
        known = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        return f"<occupancy map of {self.layouts:,} layouts: {self.position.rules}{known}>"

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import position_map_html

        rules = self.position.rules
        caption = f"{rules}: {self.layouts:,} layouts, percent of them that occupy each cell"
        return position_map_html(self.position, self.cells, self.layouts, self.best_cells, caption)


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
        >>> from seabattle.enumerate.rules import Rules
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
        from seabattle.enumerate.picture import position_map_html

        under = f"under {self.prior.called}" if self.prior else "without a prior"
        caption = (
            f"{self.position.rules}: {self.layouts:,} layouts, chance in percent {under} that each "
            f"cell is occupied"
        )
        parts = [self.share(cell)[0] for cell in range(self.position.rules.board.cells)]
        return position_map_html(self.position, parts, WHOLE, self.best_cells, caption)


_Number = TypeVar("_Number", int, float)


def ship_length(rules: Rules, length: int) -> int:
    """The length as an integer, when the fleet has such a ship.

    Raises
    ------
    FleetError
        If it has none.
    TypeError
        If the length is not a whole number.
    """
    number = require_whole("length", length)
    if number not in rules.fleet.counts:
        raise FleetError(f"length {number}: the fleet {rules.fleet} has no such ship")
    return number


def ships_of_length(
    rules: Rules, length: int, numbers: Sequence[_Number]
) -> Iterator[tuple[Placement, _Number]]:
    """The possible placements of one length, each with its number.

    Parameters
    ----------
    rules
        The game.
    length
        Length of the ships.
    numbers
        One for every placement of the rules' placement table, 0 if it is impossible.
    """
    for placement, number in zip(placement_table(rules).placements, numbers, strict=True):
        if number and placement.length == length:
            yield placement, number


@dataclass(frozen=True)
class ShipMap:
    """How likely a ship of one length occupies each cell; sunk ships count, too.

    Made by ``of_length`` of an ``OccupancyMap`` or a ``ChanceMap``.

    Attributes
    ----------
    whole
        The map of all ships.
    length
        Length of the ships shown.
    cells
        By cell number: the number of layouts in which such a ship occupies the cell, or its chance
        if ``whole`` is a ``ChanceMap``.
    """

    whole: OccupancyMap | ChanceMap
    length: int
    cells: tuple[int, ...] | tuple[float, ...]

    @property
    def position(self) -> Position:
        """What is known."""
        return self.whole.position

    @property
    def layouts(self) -> int:
        """Number of layouts that fit."""
        return self.whole.layouts

    @property
    def prior_name(self) -> str:
        """How the prior is called; empty when all layouts are equally likely."""
        return self.whole.prior_name

    @property
    def title(self) -> str:
        """What the map shows, in words."""
        ship = "a ship" if self.position.rules.fleet.counts[self.length] > 1 else "the ship"
        return f"How likely {ship} of length {self.length} occupies each cell"

    @property
    def rows(self) -> tuple[tuple[int, ...], ...] | tuple[tuple[float, ...], ...]:
        """The numbers of the cells by rows, top row first."""
        columns = self.position.rules.board.columns
        starts = range(0, len(self.cells), columns)
        return tuple(self.cells[at : at + columns] for at in starts)

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of the cells not shot where such a ship is likeliest, in reading order.

        Empty when every such ship is known to be hit in all its cells.
        """
        return self.whole.likeliest(self.cells)

    @property
    def best_shots(self) -> tuple[str, ...]:
        """The same cells by name."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def certain_cells(self) -> tuple[int, ...]:
        """Numbers of the cells that such a ship occupies in every layout."""
        parts = (self.share(cell) for cell in range(len(self.cells)))
        return tuple(cell for cell, (part, whole) in enumerate(parts) if part == whole)

    def share(self, cell: int) -> tuple[int, int]:
        """The chance of a cell as part and whole, as in the map of all ships."""
        return self.whole.share_of(self.cells[self.position.rules.board.cell(cell)])

    def chance(self, cell: str | int) -> Fraction | float:
        """Probability that such a ship occupies a cell, given by name or number.

        Exact without a prior.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> long = Counter(Rules("3x3", "3,1,1")).map().of_length(3)
        >>> long.chance("B1"), long.chance("A1"), long.best_shots
        (Fraction(1, 4), Fraction(1, 2), ('A1', 'C1', 'A3', 'C3'))
        """
        found = self.cells[self.position.rules.board.cell(cell)]
        return Fraction(found, self.layouts) if isinstance(found, int) else found

    def document(self) -> dict[str, Any]:
        """The map as JSON: ``occupancy`` or ``chances`` as in that of all ships."""
        kind = "occupancy" if "occupancy" in self.whole.document() else "chances"
        return {
            "length": self.length,
            kind: [list(row) for row in self.rows],
            "best": list(self.best_shots),
        }

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import position_map_html

        shares = [self.share(cell) for cell in range(len(self.cells))]
        under = f" under prior {self.prior_name}" if self.prior_name else ""
        caption = (
            f"{self.position.rules}: {self.layouts:,} layouts{under}. {self.title}, in percent"
        )
        parts = [part for part, _ in shares]
        return position_map_html(self.position, parts, shares[0][1], self.best_cells, caption)

    def __repr__(self) -> str:
        known = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        under = f" under prior {self.prior_name}" if self.prior_name else ""
        return (
            f"<map of the ships of length {self.length} in {self.layouts:,} layouts{under}: "
            f"{self.position.rules}{known}>"
        )
