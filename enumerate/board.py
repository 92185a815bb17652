"""The board: cells, their names both ways, neighbours, masks and symmetries.

A board has ``rows`` x ``columns`` cells. Cell A1 is the top-left one; letters count columns
(A ... Z, AA, AB, ...), numbers count rows, and a cell's number is ``row * columns + column``, the
reading order. A set of cells is an integer *mask* whose bit ``cell`` is set when the cell is in
the set; the functions here use Python integers of any size, the core words of 64 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import index
from typing import TypeVar

import numpy as np

from seabattle.enumerate.errors import BoardError, quoted

Item = TypeVar("Item")

MAX_CELLS = 2500
"""Larger boards are rejected at once; most methods have a lower limit of their own."""

_BOARD = re.compile(r"\s*([0-9]{1,18})\s*[xX\u00d7*]\s*([0-9]{1,18})\s*")
_CELL = re.compile(r"\s*(?:([A-Z]{1,9})\s*([0-9]{1,9})|([0-9]{1,9})\s*([A-Z]{1,9}))\s*")
LOOK_ALIKE = str.maketrans("АВСЕНІЈКМОРЅТУХ", "ABCEHIJKMOPSTYX")
"""Cyrillic capitals that look like Latin ones."""


def column_name(column: int) -> str:
    """Letters of a column counted from 0, as spreadsheets write them.

    >>> [column_name(c) for c in (0, 25, 26, 27, 701, 702)]
    ['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA']
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def cells_of(mask: int) -> Iterator[int]:
    """Cells of a mask in reading order.

    >>> list(cells_of(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[int]) -> int:
    """Mask of cell numbers, which are not checked.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


@dataclass(frozen=True)
class Board:
    """A board of ``rows`` x ``columns`` cells.

    Parameters
    ----------
    rows, columns
        Number of rows (numbers) and columns (letters), at least 1 each.

    Raises
    ------
    BoardError
        If a side is below 1 or the board has more than ``MAX_CELLS`` cells.

    Examples
    --------
    >>> board = Board(5, 5)
    >>> board.cell("c2"), board.cell(7), board.name(7)
    (7, 7, 'C2')
    >>> Board.parse("3x4")
    Board(rows=3, columns=4)
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1 or self.cells > MAX_CELLS:
            raise BoardError(
                f"board {quoted(self.rows)}x{quoted(self.columns)}: give it at least 1 row and 1 "
                f"column, and at most {MAX_CELLS:,} cells"
            )

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read ``ROWSxCOLUMNS``, as in ``5x5`` or ``10x12``."""
        match = _BOARD.fullmatch(text)
        if match is None:
            raise BoardError(
                f"board {quoted(text)}: write ROWSxCOLUMNS with whole numbers, as in 5x5"
            )
        return cls(int(match[1]), int(match[2]))

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    @property
    def full_mask(self) -> int:
        """Mask of all cells."""
        return (1 << self.cells) - 1

    def name(self, cell: str | int) -> str:
        """Name of a cell: letters of its column, number of its row.

        Raises
        ------
        BoardError
            As for ``cell``.
        """
        row, column = divmod(self.cell(cell), self.columns)
        return f"{column_name(column)}{row + 1}"

    def cell(self, name: str | int) -> int:
        """Number of a cell given by its name, or by its number.

        A name is a letter and a number in either order, in upper or lower case; Cyrillic letters
        that look like Latin ones stand for those.

        Raises
        ------
        BoardError
            If the text is not a cell name, or the cell is off the board.
        """
        if not isinstance(name, str):
            number = index(name)
            if not 0 <= number < self.cells:
                raise BoardError(
                    f"cell {quoted(number)}: board {self} has cells 0 to {self.cells - 1}"
                )
            return number
        match = _CELL.fullmatch(name.upper().translate(LOOK_ALIKE))
        last = self.name(self.cells - 1)
        if match is None:
            raise BoardError(
                f"cell {quoted(name)}: write a letter for the column and a number for the row, "
                f"from A1 to {last}"
            )
        column = 0
        for letter in match[1] or match[4]:
            column = column * 26 + ord(letter) - ord("A") + 1
        row = int(match[2] or match[3])
        if not (1 <= row <= self.rows and column <= self.columns):
            raise BoardError(f"cell {name.strip()!r} is off the board {self}, A1 to {last}")
        return (row - 1) * self.columns + column - 1

    def mask(self, cells: Iterable[str | int]) -> int:
        """Mask of cells given by name or number.

        Raises
        ------
        BoardError
            As for ``cell``.

        Examples
        --------
        >>> bin(Board(2, 3).mask(["A1", "C1", 4]))
        '0b10101'
        """
        return mask_of(map(self.cell, cells))

    def names(self, mask: int) -> list[str]:
        """Names of a mask's cells in reading order.

        Raises
        ------
        BoardError
            If the mask has a cell off the board.
        """
        return [self.name(cell) for cell in cells_of(mask)]

    def _around(self, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        """For every cell, the mask of the cells that these steps (down, across) lead to."""
        rows, columns = range(self.rows), range(self.columns)
        return tuple(
            mask_of(
                (r + down) * self.columns + c + across
                for down, across in steps
                if r + down in rows and c + across in columns
            )
            for r, c in product(rows, columns)
        )

    @cached_property
    def side_masks(self) -> tuple[int, ...]:
        """For every cell, the mask of the up to 4 cells that share a side with it."""
        return self._around(((-1, 0), (1, 0), (0, -1), (0, 1)))

    @cached_property
    def corner_masks(self) -> tuple[int, ...]:
        """For every cell, the mask of the up to 4 cells that share only a corner with it."""
        return self._around(tuple(product((-1, 1), (-1, 1))))

    def neighbours(self, cell: str | int) -> tuple[int, ...]:
        """Cells that share a side with ``cell``, in reading order.

        Raises
        ------
        BoardError
            As for ``cell``.
        """
        return tuple(cells_of(self.side_masks[self.cell(cell)]))

    def group(self, mask: int, cell: int, *, corners: bool = False) -> int:
        """Mask of the cells of a mask that are joined with one of them by sides, or corners, too.

        >>> Board(3, 3).group(0b100_000_011, 0), Board(3, 3).group(0b10_101, 0, corners=True)
        (3, 21)
        """
        found = front = 1 << cell
        while front:
            around = 0
            for at in cells_of(front):
                around |= self.side_masks[at] | (self.corner_masks[at] if corners else 0)
            front = around & mask & ~found
            found |= front
        return found

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Permutations of the cells that map the board to itself; the identity comes first.

        There are 8 on a square and 4 on a rectangle, fewer distinct ones when a side is 1.
        Symmetry ``g`` moves cell ``c`` to cell ``g[c]``.
        """
        cells = np.arange(self.cells).reshape(self.rows, self.columns)
        turned = (cells, cells.T) if self.rows == self.columns else (cells,)
        images = (
            tuple(grid[::down, ::across].ravel().tolist())
            for grid, down, across in product(turned, (1, -1), (1, -1))
        )
        return tuple(dict.fromkeys(images))

    def by_rows(self, items: Sequence[Item]) -> tuple[tuple[Item, ...], ...]:
        """What there is for each cell, in reading order, by rows.

        >>> Board(2, 3).by_rows(range(6))
        ((0, 1, 2), (3, 4, 5))
        """
        starts = range(0, self.cells, self.columns)
        return tuple(tuple(items[at : at + self.columns]) for at in starts)

    def grid(
        self, text: Iterable[str], paint: Callable[[int, str], str] = lambda cell, text: text
    ) -> str:
        """Lay out one text per cell as a board with column letters and row numbers.

        Parameters
        ----------
        text
            Texts of all cells in reading order, also as one text of a character each.
        paint
            Called with each cell and its text as it is laid out; what it returns is printed.

        Examples
        --------
        >>> print(Board(2, 3).grid("X..X.."))
           A B C
         1 X . .
         2 X . .
        """
        items = list(text)
        width = max([len(t) for t in items] + [len(column_name(self.columns - 1))])
        label = max(2, len(str(self.rows)))
        lines = [" " * label + "".join(f" {column_name(c):>{width}}" for c in range(self.columns))]
        cells = [paint(cell, f" {item:>{width}}") for cell, item in enumerate(items)]
        for number, row in enumerate(self.by_rows(cells), start=1):
            lines.append(f"{number:>{label}}" + "".join(row))
        return "\n".join(line.rstrip() for line in lines)
