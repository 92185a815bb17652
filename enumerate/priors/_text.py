"""What files of priors have in common: lines that say something, and layouts written in them."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import SeabattleError, WeightsError, quoted
from seabattle.enumerate.game.placements import Placement, PlacementTable, placement_table
from seabattle.enumerate.layouts.enumeration import Layouts

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")

Line = tuple[int, str]
"""Number of a line, counted from 1, and its text without blanks around it."""


def lines_of(text: str, source: str) -> list[Line]:
    """Lines that say something, with their numbers."""
    found = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    found = [(number, line) for number, line in found if line and not line.startswith("#")]
    if not found:
        raise WeightsError(f"{source} is empty: it holds no weights")
    return found


def tokens_of(line: str) -> list[str]:
    """Parts of a line between commas or blanks; two commas in a row leave an empty one."""
    return _SEPARATOR.split(line)


class LayoutReader:
    """Reads layouts line by line, then finds them among the game's layouts all at once.

    Whether ships fit together is decided by the finding: a layout that is not found is read again
    by the rules, for the error.
    """

    def __init__(self, layouts: Layouts, source: str) -> None:
        self.layouts = layouts
        self.source = source
        self.table: PlacementTable = placement_table(layouts.rules)
        self.size = len(layouts.rules.fleet.lengths)
        self.numbers: dict[str, int] = {}
        self.lines: list[int] = []
        self.found: list[list[int]] = []
        self.names: list[list[str]] = []

    def add(self, line: Line, parse: Callable[[str], tuple[str, int]]) -> int:
        """Note a line's layout, and return the number that goes with it."""
        number, text = line
        try:
            layout, weight = parse(text)
            names = tokens_of(layout)
            ships = sorted(self._ship(name) for name in names)
            if len(ships) != self.size:
                self.table.parse_layout(names)  # tells which ships the fleet has
        except SeabattleError as error:
            raise self._wrong(number, error) from None
        self.lines.append(number)
        self.found.append(ships)
        self.names.append(names)
        return weight

    def _wrong(self, number: int, error: SeabattleError) -> WeightsError:
        return WeightsError(f"{self.source}, line {number}: {error}")

    def _ship(self, name: str) -> int:
        known = self.numbers.get(name)
        if known is None:
            if not name:
                raise WeightsError("there is nothing between two separators; a ship is missing")
            if len(name) > 40:
                raise WeightsError(f"ship {quoted(name)} cannot be read; write it as A1:A3 or C1")
            known = self.table.number(Placement.parse(name, self.layouts.rules.board))
            self.numbers[name] = known
        return known

    def rows(self) -> NDArray[np.int64]:
        """Rows in ``layouts`` of the layouts read, int64 ``(n_lines,)``."""
        wanted, inverse = np.unique(
            _keys(np.array(self.found, dtype=np.uint16)), return_inverse=True
        )
        keys = _keys(self.layouts.ships)
        place = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        there = np.flatnonzero(wanted[place] == keys)
        row = np.full(len(wanted), -1, dtype=np.int64)
        row[place[there]] = there
        rows: NDArray[np.int64] = row[inverse.reshape(-1)]
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            first = int(missing[0])
            error: SeabattleError
            try:
                self.table.parse_layout(self.names[first])
                error = WeightsError("this layout is not among the layouts that can be weighed")
            except SeabattleError as why:
                error = why
            raise self._wrong(self.lines[first], error)
        return rows


def _keys(ships: NDArray[np.uint16]) -> NDArray[np.bytes_]:
    """Rows of placement numbers as byte strings, which sort as the rows do."""
    bytes_each = 2 * ships.shape[1]
    return np.ascontiguousarray(ships, dtype=">u2").view(f"S{bytes_each}").reshape(-1)
