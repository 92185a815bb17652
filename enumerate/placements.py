"""Placements: one ship on the board, by name (``A1:A3``), as cells, as masks.

A placement that is not a line is written by all its cells, ``A1+B1+A2``. The placements of a fleet
are numbered once, longest ships first, horizontal before vertical and each in reading order;
enumerator, trees and files all refer to them by that number. A ship of length 1 has one placement
per cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import Board, Letters, cells_of, mask_of
from seabattle.enumerate.errors import LayoutError, Number, TooLargeError, quoted
from seabattle.enumerate.rules import Contact, Fixed, Rules, Ship, extent, ways_to_lie


@dataclass(frozen=True)
class Placement:
    """One ship on the board: its cells in reading order.

    >>> Placement.parse("A1:A3", Board(5, 5)).cells
    (0, 5, 10)
    """

    board: Board
    cells: tuple[int, ...]

    @property
    def mask(self) -> int:
        """Mask of the cells."""
        return mask_of(self.cells)

    @property
    def length(self) -> int:
        """Number of cells."""
        return len(self.cells)

    def halo(self, contact: Contact) -> int:
        """Mask of the cells that no other ship may occupy, the ship's own ones included."""
        halo = self.mask
        for cell in self.cells:
            if contact is not Contact.SIDES:
                halo |= self.board.side_masks[cell]
            if contact is Contact.NONE:
                halo |= self.board.corner_masks[cell]
        return halo

    def __str__(self) -> str:
        if not self.is_line:
            return "+".join(map(self.board.name, self.cells))
        first = self.board.name(self.cells[0])
        return first if self.length == 1 else f"{first}:{self.board.name(self.cells[-1])}"

    @property
    def is_line(self) -> bool:
        """Whether the cells are in one row or column, without a gap."""
        steps = {after - cell for cell, after in pairwise(self.cells)}
        first, last = (cell // self.board.columns for cell in (self.cells[0], self.cells[-1]))
        return steps <= {self.board.columns} or (steps == {1} and first == last)

    @classmethod
    def parse(cls, text: str, board: Board) -> Placement:
        """Read a ship's two ends, ``A1:A4``, its one cell, ``C7``, or its cells, ``A1+B1+A2``.

        Raises
        ------
        LayoutError
            If the ends are not in one row or column.
        BoardError
            If a cell is off the board.
        """
        if "+" in text:
            return cls(board, tuple(sorted({board.cell(name) for name in text.split("+")})))
        cells = board.line(text)
        if cells is None:
            raise LayoutError(
                f"ship {quoted(text)}: write its two ends in one row or column, as in A1:A4, or "
                f"its one cell"
            )
        return cls(board, cells)


def placements_of(rules: Rules, ship: Ship) -> list[Placement]:
    """All placements of a ship: each way to turn it in reading order; of lines, horizontal first.

    Parameters
    ----------
    rules
        The game.
    ship
        The length of a line, a form, or one that may not be turned.
    """
    board = rules.board
    found = []
    for turned in ways_to_lie(ship):
        height, width = extent(turned)
        steps = [row * board.columns + column for row, column in turned]
        for row in range(board.rows - height + 1):
            for first in range(row * board.columns, (row + 1) * board.columns - width + 1):
                found.append(Placement(board, tuple(first + step for step in steps)))
    return [ship for ship in found if ship.mask & ~rules.open_mask == 0]


def mask_words(masks: Iterable[int], words: int) -> NDArray[np.uint64]:
    """Masks as an array ``(n_masks, words)`` of uint64, least significant word first."""
    whole = b"".join(mask.to_bytes(8 * words, "little") for mask in masks)
    return np.frombuffer(whole, dtype="<u8").reshape(-1, words).astype(np.uint64)


class PlacementTable:
    """Every placement of a fleet's ships, numbered, with the arrays that the core reads.

    Attributes
    ----------
    placements
        The ``Placement`` objects in order of their number.
    slots
        For each ship of the fleet, longest first, the range ``(first, stop)`` of the numbers of
        its placements; equal ships share one range.
    kinds
        The kind of each placement's ship, as in ``Fleet.kinds``.
    numbers
        The number of each placement by its cells, in reading order.
    own, closed, lengths
        For each placement: mask of its cells; mask of those that no other ship may occupy when it
        is there; its length.
    words
        Words of 64 bits that a mask of the board takes.
    masks, halos
        The masks as uint64 arrays ``(n_placements, words)``, low word first, two words or more.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.placements: list[Placement] = []
        self.kinds: list[int] = []
        ranges: dict[int, tuple[int, int]] = {}
        for kind, ship in dict(zip(rules.fleet.kinds, rules.fleet.ships, strict=True)).items():
            first = len(self.placements)
            self.placements += placements_of(rules, ship)
            ranges[kind] = first, len(self.placements)
            self.kinds += [kind] * (len(self.placements) - first)
        self.slots = tuple(ranges[kind] for kind in rules.fleet.kinds)
        self.numbers = {p.cells: number for number, p in enumerate(self.placements)}
        self._read: dict[str, int] = {}
        self.own = [p.mask for p in self.placements]
        self.closed = [p.halo(rules.contact) for p in self.placements]
        self.lengths = [p.length for p in self.placements]
        self.words = (rules.board.cells + 63) // 64
        words = max(2, self.words)
        self.masks, self.halos = mask_words(self.own, words), mask_words(self.closed, words)

    @cached_property
    def covering(self) -> NDArray[np.uint8]:
        """Which placements cover each cell: uint8 ``(n_cells, n_placements)``, 1 or 0."""
        return self._over_cells(self.masks)

    @cached_property
    def beside(self) -> NDArray[np.uint8]:
        """Which placements leave each cell free without covering it, in the same form."""
        return self._over_cells(self.halos ^ self.masks)

    def _over_cells(self, masks: NDArray[np.uint64]) -> NDArray[np.uint8]:
        bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
        return np.ascontiguousarray(bits[:, : self.rules.board.cells].T)

    def __len__(self) -> int:
        return len(self.placements)

    def number(self, placement: Placement) -> int:
        """Number of a placement.

        Raises
        ------
        LayoutError
            If no ship of the fleet has its form, or may lie so.
        FleetError
            If ships of two kinds may lie on these cells.
        """
        self.rules.fleet.require_told_by_cells("the name of a placement")
        found = self.numbers.get(placement.cells)
        closed = self.rules.board.names(placement.mask & ~self.rules.open_mask)
        if closed:
            raise LayoutError(f"ship {placement} lies on {closed[0]}, which is blocked")
        if found is None:
            what = f"length {placement.length}" if placement.is_line else "a form of its own"
            if any(isinstance(ship, Fixed) for ship in self.rules.fleet.ships):
                what += " or lies turned"
            raise LayoutError(
                f"ship {placement} has {what}, and the fleet {self.rules.fleet} has no such ship"
            )
        return found

    def over_cells(self, numbers: Sequence[Number]) -> list[Number]:
        """For each cell the sum of the numbers of the placements that cover it, rounded once.

        >>> placement_table(Rules("1x3", "2")).over_cells([5, 7])
        [5, 12, 7]
        """
        found: list[list[Number]] = [[] for _ in range(self.rules.board.cells)]
        for placement, number in zip(self.placements, numbers, strict=True):
            if number:
                for cell in placement.cells:
                    found[cell].append(number)
        add: Any = fsum if any(isinstance(number, float) for number in numbers) else sum
        return list(map(add, found))

    def names(self, ships: Iterable[int]) -> list[str]:
        """Names of the placements with the given numbers."""
        return [str(self.placements[int(i)]) for i in ships]

    def is_layout(self, numbers: Sequence[int]) -> bool:
        """Whether placement numbers, in increasing order, are one for each ship and a layout.

        >>> table = placement_table(Rules("1x4", "2,1"))
        >>> [table.is_layout(numbers) for numbers in ([0, 6], [0, 5], [0], [0, 7])]
        [True, False, False, False]
        """
        if len(numbers) != len(self.slots):
            return False
        taken = 0
        for number, (first, stop) in zip(numbers, self.slots, strict=True):
            if not first <= number < stop or self.closed[number] & taken:
                return False
            taken |= self.own[number]
        return True

    def _number_of(self, name: str) -> int:
        """Number of a placement by its name, which is parsed once: files name few very often."""
        if name not in self._read:
            self._read[name] = self.number(Placement.parse(name, self.rules.board))
        return self._read[name]

    def parse_layout(self, names: Sequence[str]) -> tuple[int, ...]:
        """Numbers of the placements of a layout given by its ships' names, in increasing order.

        Raises
        ------
        LayoutError
            If the ships are not the fleet's, overlap, or touch where the contact rule forbids it.
        """
        fleet = self.rules.fleet
        numbers = sorted(map(self._number_of, names))
        if self.is_layout(numbers):
            return tuple(numbers)
        ships = [Placement.parse(name, self.rules.board) for name in names]
        text = " ".join(map(str, ships))
        if [self.kinds[number] for number in numbers] != list(fleet.kinds):
            got = ",".join(str(ship.length) for ship in ships) or "no ship"
            raise LayoutError(f"layout {text}: its ships are {got}, not {fleet}")
        for ship, other in combinations(ships, 2):
            if ship.halo(self.rules.contact) & other.mask:
                rule = f"touch, which contact rule {self.rules.contact.value!r} forbids"
                how = "overlap" if ship.mask & other.mask else rule
                raise LayoutError(f"layout {text}: {ship} and {other} {how}")
        return tuple(numbers)


def placement_table(rules: Rules) -> PlacementTable:
    """The placement table of the rules, built once per process.

    Its placements are named in the letters of the rules, in which equal rules may differ.
    """
    return _table_in(rules, rules.letters)


@lru_cache(maxsize=32)
def _table_in(rules: Rules, letters: Letters) -> PlacementTable:
    return PlacementTable(rules)


MOST_COVERS = 20_000
"""Sets of placements that cover the hits are listed up to so many."""

Cover = tuple[tuple[int, ...], dict[int, int], float]
"""Placements, the ships left by kind, and the weight of choosing them."""


def ways_to_cover(
    table: PlacementTable, cells: int, left: dict[int, int], of_kind: dict[int, NDArray[np.int64]]
) -> list[Cover]:
    """All ways to cover some cells by ships that keep apart, each with its weight.

    Parameters
    ----------
    table
        The placements of the game.
    cells
        Mask of the cells.
    left
        How many ships of each kind there are.
    of_kind
        The placements that each kind may have.

    Raises
    ------
    TooLargeError
        If there are too many ways.
    """
    done: list[Cover] = []
    open_covers: list[tuple[int, int, Cover]] = [(cells, 0, ((), left, 1.0))]
    while open_covers:
        rest, taken, (chosen, left, weight) = open_covers.pop()
        if not rest:
            done.append((chosen, left, weight))
        if len(done) + len(open_covers) > MOST_COVERS:
            raise TooLargeError("hits can be covered in too many ways: tell which ships are sunk")
        cell = next(cells_of(rest), -1)
        for kind, number in left.items() if rest else ():
            ways = of_kind[kind] if number else ()
            for ship in map(int, ways):
                own = table.own[ship]
                if own >> cell & 1 and not own & taken:
                    share = weight * number / len(of_kind[kind])
                    fewer = left | {kind: number - 1}
                    cover = ((*chosen, ship), fewer, share)
                    open_covers.append((rest & ~own, taken | table.closed[ship], cover))
    return done
