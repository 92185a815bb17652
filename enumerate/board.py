"""The board: cells, their names both ways, neighbours, masks and symmetries.

A board has ``rows`` x ``columns`` cells. Cell A1 is the top-left one; letters count columns
(A ... Z, AA, AB, ...), numbers count rows, and a cell's number is ``row * columns + column``, the
reading order. A set of cells is an integer *mask* whose bit ``cell`` is set when the cell is in
the set; the functions here use Python integers of any size, the core words of 64 bits.

Columns are named in Latin letters or in Russian ones, as Russian boards are printed: А Б В Г Д Е Ж
З И К, without Ё and Й. In these В5 is the third column, though it looks like B5; a cell written in
the letters of the other alphabet is therefore refused. The letters belong to the board, as this is
what names cells: they go wherever it goes, to every text, picture and file. They are no part of a
game: boards that differ in them alone are equal and hash alike, so that no search, file or cache
tells them apart. What a cache holds must not name cells (``placement_table`` says how it does).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import product
from operator import index
from typing import TypeVar

import numpy as np

from seabattle.enumerate.errors import BoardError, quoted
from seabattle.enumerate.words import split_list

Item = TypeVar("Item")

MAX_CELLS = 2500
"""Larger boards are rejected at once; most methods have a lower limit of their own."""

_BOARD = re.compile(r"\s*([0-9]{1,18})\s*[xX\u0445\u0425\u00d7*]\s*([0-9]{1,18})\s*")
_CELL = re.compile(r"\s*(?:([^\W\d_]{1,9})\s*([0-9]{1,9})|([0-9]{1,9})\s*([^\W\d_]{1,9}))\s*")


class Letters(StrEnum):
    """The letters that name columns: how cells are written and shown."""

    LATIN = "latin"
    RUSSIAN = "russian"

    @property
    def alphabet(self) -> str:
        """The letters in their order."""
        return _ALPHABETS[self]


_ALPHABETS = {
    Letters.LATIN: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    Letters.RUSSIAN: "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ",
}
_LOOK_ALIKE = {
    Letters.LATIN: str.maketrans("АВЕКМНОРСТУХ", "ABEKMHOPCTYX"),
    Letters.RUSSIAN: str.maketrans("ABEKMHOPCTYX", "АВЕКМНОРСТУХ"),
}
"""Letters of the other alphabet that look like letters of this one."""


def column_name(column: int, letters: Letters = Letters.LATIN) -> str:
    """Letters of a column counted from 0, as spreadsheets write them.

    >>> [column_name(c) for c in (0, 25, 26, 27, 701, 702)]
    ['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA']
    >>> [column_name(c, Letters.RUSSIAN) for c in (2, 9, 27, 28)]
    ['В', 'К', 'Я', 'АА']
    """
    name, alphabet = "", letters.alphabet
    column += 1
    while column:
        column, letter = divmod(column - 1, len(alphabet))
        name = alphabet[letter] + name
    return name


def column_number(name: str, letters: Letters = Letters.LATIN) -> int | None:
    """Number of a column from 0 by its letters, which are capitals; None for other letters.

    >>> column_number("AB"), column_number("В", Letters.RUSSIAN), column_number("В")
    (27, 2, None)
    """
    number, alphabet = 0, letters.alphabet
    for letter in name:
        if letter not in alphabet:
            return None
        number = number * len(alphabet) + alphabet.index(letter) + 1
    return number - 1


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
    letters
        The letters that name the columns. Boards that differ in them alone are equal.

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
    >>> russian = Board(10, 10, Letters.RUSSIAN)
    >>> russian.cell("В5") == Board(10, 10).cell("C5"), russian.name(42), russian == Board(10, 10)
    (True, 'В5', True)
    """

    rows: int
    columns: int
    letters: Letters = field(default=Letters.LATIN, compare=False)

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1 or self.cells > MAX_CELLS:
            raise BoardError(
                f"board {quoted(self.rows)}x{quoted(self.columns)}: give it at least 1 row and 1 "
                f"column, and at most {MAX_CELLS:,} cells"
            )

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    def __repr__(self) -> str:
        letters = "" if self.letters is Letters.LATIN else f", letters=Letters.{self.letters.name}"
        return f"Board(rows={self.rows}, columns={self.columns}{letters})"

    def lettered(self, letters: Letters) -> Board:
        """The same board with its columns named in other letters."""
        return self if letters is self.letters else replace(self, letters=letters)

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
        return f"{column_name(column, self.letters)}{row + 1}"

    def cell(self, name: str | int) -> int:
        """Number of a cell given by its name, or by its number.

        A name is a letter and a number in either order, in upper or lower case. Letters of the
        other alphabet are refused, also where they look alike: В5 is the third column in Russian.

        Raises
        ------
        BoardError
            If the text is not a cell name, is written in other letters, or the cell is off the
            board.
        """
        if not isinstance(name, str):
            number = index(name)
            if not 0 <= number < self.cells:
                raise BoardError(
                    f"cell {quoted(number)}: board {self} has cells 0 to {self.cells - 1}"
                )
            return number
        match = _CELL.fullmatch(name.upper())
        letters = (match[1] or match[4]) if match else ""
        column = column_number(letters, self.letters) if letters else None
        first, last = self.name(0), self.name(self.cells - 1)
        if match is None or column is None:
            self._refuse_other_letters(name, letters, int((match and (match[2] or match[3])) or 0))
            without = ", without Ё and Й" if self.letters is Letters.RUSSIAN else ""
            raise BoardError(
                f"cell {quoted(name)}: write a letter for the column and a number for the row, "
                f"from {first} to {last}{without}"
            )
        row = int(match[2] or match[3])
        if not (1 <= row <= self.rows and column < self.columns):
            raise BoardError(f"cell {name.strip()!r} is off the board {self}, {first} to {last}")
        return (row - 1) * self.columns + column

    def line(self, text: str) -> tuple[int, ...] | None:
        """Cells from one to another, in reading order; None if they share no row or column.

        >>> Board(3, 4).line("A1:C1"), Board(3, 4).line("b2"), Board(3, 4).line("A1:B2")
        ((0, 1, 2), (5,), None)
        """
        ends = sorted(map(self.cell, text.split(":")))
        first, last = ends[0], ends[-1]
        row = first // self.columns == last // self.columns
        if len(ends) > 2 or not (row or (last - first) % self.columns == 0):
            return None
        return tuple(range(first, last + 1, 1 if row else self.columns))

    def listed(self, cells: str | Iterable[str | int]) -> tuple[int, ...]:
        """The cells of a list: names or numbers, and lines by their two ends.

        Raises
        ------
        BoardError
            As for ``cell``, or if two ends are in neither one row nor one column.

        Examples
        --------
        >>> Board(3, 4).listed("C3, A1:C1"), Board(3, 4).listed(["B2", 0])
        ((10, 0, 1, 2), (5, 0))
        """
        found: list[int] = []
        for each in split_list(cells) if isinstance(cells, str) else cells:
            line = self.line(each) if isinstance(each, str) else (self.cell(each),)
            if line is None:
                raise BoardError(
                    f"cells {quoted(each)}: write the two ends of a row or column of cells, as in "
                    f"A1:A4"
                )
            found += line
        return tuple(found)

    def _refuse_other_letters(self, name: str, letters: str, row: int) -> None:
        """Refuse a cell written in another alphabet, with what it can mean.

        Raises
        ------
        BoardError
            If the letters are those of another alphabet.
        """
        for other in Letters:
            column = column_number(letters, other)
            if not letters or column is None or other is self.letters:
                continue
            like = column_number(letters.translate(_LOOK_ALIKE[self.letters]), self.letters)
            on_board = 1 <= row <= self.rows
            looks, counts = (
                None if number is None or number >= self.columns or not on_board
                else f"{column_name(number, self.letters)}{row}"
                for number in (like, column)
            )  # fmt: skip
            said = f"cell {quoted(name.strip())} is written with a {other.capitalize()} letter"
            if looks is None and counts is None:
                raise BoardError(
                    f"{said}, and is off the board {self}, {self.name(0)} to "
                    f"{self.name(self.cells - 1)}"
                )
            if counts is None or looks == counts:
                raise BoardError(f"{said}: type {looks}, or say --letters {other}")
            if looks is None:
                raise BoardError(
                    f"{said}: {counts} as column {column + 1}? Say --letters {other}, or type "
                    f"{counts}"
                )
            raise BoardError(
                f"{said}: {looks} as it looks, or {counts} as column {column + 1}? Say --letters "
                f"{other} for the latter, or type {looks}"
            )

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
        heads = [column_name(column, self.letters) for column in range(self.columns)]
        width = max(map(len, [*items, heads[-1]]))
        label = max(2, len(str(self.rows)))
        lines = [" " * label + "".join(f" {head:>{width}}" for head in heads)]
        cells = [paint(cell, f" {item:>{width}}") for cell, item in enumerate(items)]
        for number, row in enumerate(self.by_rows(cells), start=1):
            lines.append(f"{number:>{label}}" + "".join(row))
        return "\n".join(line.rstrip() for line in lines)
