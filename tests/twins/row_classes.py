"""The classes of the row-by-row count of "Again Sea battle" (Habr), by its own definition.

An independent count of 10x10 by rows: nothing of ``seabattle`` is imported. Fillings of the upper
rows are put in one class when the last row looks alike, the ships that can still grow have the same
lengths, and equally many ships of each length are finished. A run of two or more cells in a row is
finished at once; an isolated cell stays open until the cell below it is empty, also when no ship
could be longer. Ships do not touch.

A class is an int64 *key*. To the base ``longest + 2`` it holds, for each column, the length of the
open ship that ends there, 0 for water, or ``longest + 1`` for a cell of a run; above these digits
stand the numbers of finished ships of each length, to the base ``COUNT_BASE``.
"""

from __future__ import annotations

import numpy as np

COUNT_BASE = 64

CELLS, RUNS, FINISHED = 0, 1, 2
"""Columns of the table of row fillings: mask of the cells occupied, mask of those in runs of two or
more, and what its runs add to the part of a key that counts finished ships."""


def _after(
    keys: np.ndarray, line: np.ndarray, width: int, fleet: np.ndarray, strides: np.ndarray
) -> np.ndarray:
    """Classes after one more row of one filling, some of them several times: int64.

    A key fits in 63 bits.
    """
    longest = len(fleet) - 1
    base, top = longest + 2, (longest + 2) ** width
    cells, runs, finished = line.tolist()
    digits = [keys // base**c % base for c in range(width)]
    total, after = keys // top + finished, np.zeros_like(keys)
    ships = [np.zeros_like(keys) for _ in range(longest + 1)]
    for c, digit in enumerate(digits):
        if runs >> c & 1:
            after += (longest + 1) * base**c
        elif cells >> c & 1:
            after += (digit + 1) * base**c
            for length in range(1, longest + 1):
                ships[length] += digit + 1 == length
        else:
            total += strides[digit]
    fits, longer = np.ones(len(keys), dtype=bool), 0
    for length in range(longest, 0, -1):  # a count above the fleet's shows as a carry
        closed = total // strides[length] % COUNT_BASE
        longer = longer + closed + ships[length]
        fits &= (closed <= fleet[length]) & (longer <= fleet[length:].sum())
    return np.unique((after + total * top)[fits])


def _free(keys: np.ndarray, width: int, longest: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each class, masks of the columns where a ship ends, and where one may not be longer."""
    digits = keys[:, None] // (longest + 2) ** np.arange(width) % (longest + 2)
    bits = 1 << np.arange(width)
    return (digits > 0) @ bits, (digits >= longest) @ bits


def _lines(width: int, fleet: np.ndarray, strides: np.ndarray) -> np.ndarray:
    """Fillings of a row whose runs are ships: int64 ``(n, 3)``, see ``CELLS``."""
    longest = len(fleet) - 1
    found = []
    for line in range(1 << width):
        runs, closed, fits = 0, np.zeros(longest + 1, dtype=np.int64), True
        for run in f"{line:b}"[::-1].replace("0", " ").split():
            if len(run) > longest:
                fits = False
            elif len(run) > 1:
                closed[len(run)] += 1
        if not fits or (closed > fleet).any():
            continue
        for c in range(width):
            beside = (line << 1 | line >> 1) >> c & 1
            runs |= (line >> c & beside) << c
        found.append((line, runs, int((closed * strides[:-1]).sum())))
    return np.array(found, dtype=np.int64)


def row_classes(rows: int, width: int, lengths: tuple[int, ...]) -> list[int]:
    """Number of classes after each row of the board."""
    longest = max(lengths)
    fleet = np.zeros(longest + 1, dtype=np.int64)
    for length in lengths:
        fleet[length] += 1
    strides = np.array([0, *(COUNT_BASE**i for i in range(longest)), 0], dtype=np.int64)
    lines = _lines(width, fleet, strides)
    known = new = np.zeros(1, dtype=np.int64)
    sizes = []
    for _ in range(rows):  # an empty row on top changes no class: all stay, and only new ones grow
        ends, full = _free(new, width, longest)
        found = []
        for line in lines:  # below an end there may be one cell, no run and nothing beside
            cells, runs = line[CELLS], line[RUNS]
            fit = ends & (cells << 1 | cells >> 1 | runs) | full & cells
            found.append(_after(new[fit == 0], line, width, fleet, strides))
        new = np.setdiff1d(np.unique(np.concatenate(found)), known, assume_unique=True)
        known = np.union1d(known, new)
        sizes.append(len(known))
    return sizes
