"""A friend at a table who hides a fleet and answers shots truthfully, made for tests."""

from __future__ import annotations

from collections.abc import Iterable

RUSSIAN = "A1:A4 C1:E1 G1:I1 C3:D3 F3:G3 I3:I4 C6 E6 G6 J8"
HASBRO = "B2:B6 D2:G2 D3:D5 H5:H7 I5:I6"
"""Fleets hidden on 10x10, as the placements of the games of these names."""


def cells_of_ship(ship: str) -> list[str]:
    """The cells of a ship on a board of at most 26 columns.

    >>> cells_of_ship("A2:A4"), cells_of_ship("C3")
    (['A2', 'A3', 'A4'], ['C3'])
    """
    first, last = (ship.split(":") * 2)[:2]
    return [
        f"{chr(column)}{row}"
        for column in range(ord(first[0]), ord(last[0]) + 1)
        for row in range(int(first[1:]), int(last[1:]) + 1)
    ]


class Friend:
    """Answers shots at a hidden fleet.

    Parameters
    ----------
    ships
        The fleet, as ships apart by spaces.
    tells_length
        Whether a sinking tells the ship's length.
    """

    def __init__(self, ships: str, *, tells_length: bool) -> None:
        self.ships = [set(cells_of_ship(ship)) for ship in ships.split()]
        self.tells_length = tells_length

    def answer(self, cell: str, shot: Iterable[str]) -> str:
        """The answer to a shot after others."""
        made = {*shot, cell}
        for ship in self.ships:
            if cell in ship:
                if not ship <= made:
                    return "hit"
                return f"sunk:{len(ship)}" if self.tells_length else "sunk"
        return "miss"

    def answers(self, cells: Iterable[str]) -> list[tuple[str, str]]:
        """Shots in this order with their answers."""
        made: list[tuple[str, str]] = []
        for cell in cells:
            made.append((cell, self.answer(cell, [name for name, _ in made])))
        return made
