"""The classes of the row-by-row count of "Again Sea battle" (Habr), by its own definition.

An independent count of 10x10 by rows: nothing of ``seabattle`` is imported. Fillings of the upper
rows are put in one class when the last row looks alike, the ships that can still grow have the same
lengths, and equally many ships of each length are finished. A run of two or more cells in a row is
finished at once; an isolated cell stays open until the cell below it is empty, also when no ship
could be longer. Ships do not touch.

A class is a uint64 *key*. To the base ``longest + 2`` it holds, for each column, the length of the
open ship that ends there, 0 for water, or ``longest + 1`` for a cell of a run; above these digits
stand the numbers of finished ships of each length, to the base ``COUNT_BASE``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

COUNT_BASE = 64

CELLS, RUNS, FINISHED = 0, 1, 2
"""Columns of the table of row fillings: mask of the cells occupied, mask of those in runs of two or
more, and what its runs add to the part of a key that counts finished ships."""


@njit
def find_slot(table, key):
    """Slot of a key in an open-addressing hash table, or of the gap where it belongs.

    table : uint64 (2**k,), keys plus one, 0 in gaps, of which there is at least one; key : uint64
    """
    size = np.uint64(len(table) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24) & size
    while table[slot] != np.uint64(0) and table[slot] != key + np.uint64(1):
        slot = (slot + np.uint64(1)) & size
    return slot


@njit
def refill(keys, count, table):
    """Put the first ``count`` keys into an empty hash table.

    keys : uint64 (capacity,); table : uint64 (2**k,), modified, zero on entry
    """
    for i in range(count):
        table[find_slot(table, keys[i])] = keys[i] + np.uint64(1)


@njit
def extend_classes(width, lines, fleet, strides, keys, first, stop, count, table):
    """Classes after one more row, from those numbered ``first`` to ``stop``.

    width : columns
    lines : int64 (n, 3), the fillings of a row, with the columns ``CELLS``, ``RUNS``, ``FINISHED``
    fleet : int64 (longest + 1,), ships of each length
    strides : int64 (longest + 1,), what a finished ship adds to the counts of a key
    keys : uint64 (capacity,), modified: the classes; count : how many they are
    table : uint64 (2**k,), modified: their hash table, see ``find_slot``
    Returns the number of classes now and the first class not extended, earlier than ``stop`` when
    ``keys`` or ``table`` is full. The caller sees to it that a key fits in 63 bits.
    """
    longest = len(fleet) - 1
    base = np.uint64(longest + 2)
    top = np.uint64(1)
    for _ in range(width):
        top *= base
    digits = np.empty(width, dtype=np.int64)
    closed = np.empty(longest + 1, dtype=np.int64)
    opened = np.empty(longest + 1, dtype=np.int64)
    for at in range(first, stop):
        if count + len(lines) > min(len(keys), len(table) // 2):
            return count, at
        rest = keys[at] % top
        done = np.int64(keys[at] // top)
        bits = 0
        for c in range(width):
            digits[c] = np.int64(rest % base)
            rest //= base
            if digits[c] > 0:
                bits |= 1 << c
        for n in range(len(lines)):
            line, line_runs = lines[n, CELLS], lines[n, RUNS]
            if line & (bits << 1 | bits >> 1) or line_runs & bits:
                continue  # a cell below a run is told by its digit, which is above the longest
            total = done + lines[n, FINISHED]
            opened[:] = 0
            key = np.uint64(0)
            power = np.uint64(1)
            fits = True
            for c in range(width):
                here = line >> c & 1
                before = digits[c]
                if line_runs >> c & 1:
                    key += np.uint64(longest + 1) * power
                elif here:
                    length = before + 1
                    if length > longest:
                        fits = False
                        break
                    opened[length] += 1
                    key += np.uint64(length) * power
                elif 0 < before <= longest:
                    total += strides[before]
                power *= base
            if not fits:
                continue
            for length in range(1, longest + 1):  # a count above the fleet's shows as a carry
                closed[length] = (total // strides[length]) % COUNT_BASE
            sum_closed, sum_open, sum_fleet = 0, 0, 0
            for length in range(longest, 0, -1):
                sum_closed += closed[length]
                sum_open += opened[length]
                sum_fleet += fleet[length]
                if closed[length] > fleet[length] or sum_closed + sum_open > sum_fleet:
                    fits = False
                    break
            if not fits:
                continue
            key += np.uint64(total) * top
            slot = find_slot(table, key)
            if table[slot] == np.uint64(0):
                table[slot] = key + np.uint64(1)
                keys[count] = key
                count += 1
    return count, stop


def _lines(width: int, fleet: np.ndarray, strides: np.ndarray) -> np.ndarray:
    """Fillings of a row whose runs are ships: int64 ``(n, 3)``, see ``_row_kernels``."""
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
        found.append((line, runs, int((closed * strides).sum())))
    return np.array(found, dtype=np.int64)


def row_classes(rows: int, width: int, lengths: tuple[int, ...]) -> list[int]:
    """Number of classes after each row of the board."""
    longest = max(lengths)
    fleet = np.zeros(longest + 1, dtype=np.int64)
    for length in lengths:
        fleet[length] += 1
    strides = np.array([0, *(COUNT_BASE**i for i in range(longest))], dtype=np.int64)
    lines = _lines(width, fleet, strides)
    keys, table = np.zeros(1 << 12, dtype=np.uint64), np.zeros(1 << 13, dtype=np.uint64)
    table[int(find_slot(table, np.uint64(0)))] = 1
    count, done, sizes = 1, 0, []
    for _ in range(rows):
        stop = count  # an empty row on top changes no class: all stay, and only new ones grow
        while done < stop:
            count, done = extend_classes(
                width, lines, fleet, strides, keys, done, stop, count, table
            )
            if done < stop:
                keys = np.concatenate([keys, np.zeros_like(keys)])
                table = np.zeros(2 * len(keys), dtype=np.uint64)
                refill(keys, count, table)
        sizes.append(count)
    return sizes
