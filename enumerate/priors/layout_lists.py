"""Layouts listed by the names of their ships: read one by one, checked all at once.

A layout is written as its ships in any order, joined by blanks or commas: ``A1:A3 C1 C3``. No
layouts are enumerated, so lists can be read for boards of any size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import LayoutError, SeabattleError, WeightsError, quoted
from seabattle.enumerate.game.placements import (
    Placement,
    PlacementTable,
    mask_words,
    placement_table,
)
from seabattle.enumerate.game.rules import Rules

_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_LONGEST_NAME = 40
ROWS_AT_ONCE = 1 << 16


def parts_of(text: str) -> list[str]:
    """The parts of a line between commas or blanks; two commas in a row enclose an empty part.

    >>> parts_of("A1:A3, C1 C3"), parts_of("1,,2")
    (['A1:A3', 'C1', 'C3'], ['1', '', '2'])
    """
    return _SEPARATOR.split(text)


class LayoutReader:
    """Reads layouts by the names of their ships.

    Parameters
    ----------
    rules
        The game.
    """

    def __init__(self, rules: Rules) -> None:
        self.table: PlacementTable = placement_table(rules)
        self.rules = rules
        self.size = len(rules.fleet.lengths)
        self.numbers: dict[str, int] = {}
        self.places: list[str] = []
        self.found: list[tuple[int, ...]] = []

    def ship(self, name: str) -> int:
        """Number of the placement of a ship.

        Raises
        ------
        SeabattleError
            If it cannot be read, or the fleet has no such ship.
        """
        known = self.numbers.get(name)
        if known is None:
            if not name:
                raise WeightsError("there is nothing between two separators; a ship is missing")
            if len(name) > _LONGEST_NAME:
                raise WeightsError(f"ship {quoted(name)} cannot be read; write it as A1:A3 or C1")
            known = self.table.number(Placement.parse(name, self.rules.board))
            self.numbers[name] = known
        return known

    def add(self, place: str, text: str) -> None:
        """Read one layout.

        Parameters
        ----------
        place
            Where it stands, for the beginning of messages: ``weights.csv, line 4``.
        text
            Its ships.

        Raises
        ------
        WeightsError
            If a ship cannot be read, or they are not the ships of the fleet.
        """
        try:
            names = parts_of(text)
            ships = tuple(sorted(map(self.ship, names)))
            if len(ships) != self.size:
                self.table.parse_layout(names)  # names the ships of the fleet
        except SeabattleError as error:
            raise WeightsError(f"{place}: {error}") from None
        self.places.append(place)
        self.found.append(ships)

    def layouts(self) -> list[tuple[int, ...]]:
        """Placement numbers of the layouts read, in increasing order.

        Raises
        ------
        WeightsError
            If the ships of a layout are not the fleet's, overlap or touch.
        """
        wrong = first_impossible(self.rules, self.found)
        if wrong is not None:
            try:
                self.table.parse_layout(self.table.names(self.found[wrong]))
            except LayoutError as error:
                raise WeightsError(f"{self.places[wrong]}: {error}") from None
        return self.found


def first_impossible(rules: Rules, layouts: Sequence[Sequence[int]]) -> int | None:
    """The first of some layouts that breaks the rules; None if they are all possible.

    Parameters
    ----------
    rules
        The game.
    layouts
        Placement numbers, one for each ship of the fleet, in increasing order.
    """
    table = placement_table(rules)
    words = (rules.board.cells + 63) // 64
    masks = mask_words((p.mask for p in table.placements), words)
    halos = mask_words((p.halo(rules.contact) for p in table.placements), words)
    for start in range(0, len(layouts), ROWS_AT_ONCE):
        rows = np.array(layouts[start : start + ROWS_AT_ONCE], dtype=np.int64)
        wrong = np.zeros(len(rows), dtype=bool)
        for column, (first, stop) in enumerate(table.slots):
            wrong |= (rows[:, column] < first) | (rows[:, column] >= stop)
        rows[wrong] = 0  # they may be no placements at all
        for i in range(rows.shape[1]):
            for j in range(i + 1, rows.shape[1]):
                wrong |= (halos[rows[:, i]] & masks[rows[:, j]]).any(axis=1)
        if wrong.any():
            return start + int(np.flatnonzero(wrong)[0])
    return None


def layout_keys(ships: NDArray[np.integer]) -> NDArray[np.bytes_]:
    """Rows of placement numbers as byte strings, which sort in the same order as the rows."""
    bytes_each = 2 * ships.shape[1]
    return np.ascontiguousarray(ships, dtype=">u2").view(f"S{bytes_each}").reshape(-1)
