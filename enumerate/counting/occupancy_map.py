"""The map of a count: how many layouts there are, and how many of them occupy each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seabattle.enumerate.counting.ship_map import ShipMap, ship_length, ships_of_length
from seabattle.enumerate.errors import SeabattleError, whole_number
from seabattle.enumerate.game.arguments import (
    require_number,
    require_numbers_each,
    require_position,
    require_whole,
)
from seabattle.enumerate.game.deductions import answers_in_words
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.plain_arguments import require_list
from seabattle.enumerate.game.position import Position


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
        >>> from seabattle.enumerate.game.rules import Rules
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
        >>> from seabattle.enumerate.game.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().chance("B1")
        Fraction(1, 4)
        """
        return Fraction(self.cells[self.position.rules.board.cell(cell)], self.layouts)

    def __repr__(self) -> str:
        known = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        return f"<occupancy map of {self.layouts:,} layouts: {self.position.rules}{known}>"

    def _repr_html_(self) -> str:
        from seabattle.enumerate.display.notebook import position_map_html

        rules = self.position.rules
        caption = f"{rules}: {self.layouts:,} layouts, percent of them that occupy each cell"
        return position_map_html(self.position, self.cells, self.layouts, self.best_cells, caption)
