"""The map of the ships of one length: where can the ship of length 4 be?

Two ships of one length never share a cell. So the number of layouts in which such a ship occupies a
cell is the sum, over the placements that cover the cell, of the number of layouts that have the
placement. The map of all ships already holds these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.game.arguments import require_whole
from seabattle.enumerate.game.deductions import answers_in_words
from seabattle.enumerate.game.placements import Placement, placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules

if TYPE_CHECKING:
    from seabattle.enumerate.counting.chance_map import ChanceMap
    from seabattle.enumerate.counting.occupancy_map import OccupancyMap

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
        >>> from seabattle.enumerate.game.rules import Rules
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
        from seabattle.enumerate.display.notebook import position_map_html

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
