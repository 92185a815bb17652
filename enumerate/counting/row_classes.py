"""The classes of the row-by-row count of "Again Sea battle" (Habr), by its own definition.

Fillings of the upper rows are put in one class when the last row looks alike, the ships that can
still grow have the same lengths, and equally many ships of each length are finished. A run of two
or more cells in a row is finished at once; an isolated cell stays open until the cell below it is
empty, also when no ship could be longer. Contact rule ``none``. The counter itself
(``seabattle.enumerate.counting.counter``) needs far fewer states; this module serves the comparison
with the published figures.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _row_kernels as kernels
from seabattle.enumerate.errors import RulesError, TooLargeError
from seabattle.enumerate.rules import Contact, Rules

COUNT_BASE = kernels.COUNT_BASE


def _lines(width: int, fleet: NDArray[np.int64], strides: NDArray[np.int64]) -> NDArray[np.int64]:
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


def row_classes(
    rules: Rules,
    *,
    memory_limit: float = 4.0,
    progress: Callable[[int], None] | None = None,
) -> list[int]:
    """Number of classes after each row of the board.

    Parameters
    ----------
    rules
        Board and fleet; contact rule ``none``.
    memory_limit
        GiB the classes may take.
    progress
        Called now and then with the number of classes found so far.

    Raises
    ------
    RulesError
        Under another contact rule.
    TooLargeError
        If the classes do not fit in the memory, or a class in 64 bits.

    Examples
    --------
    >>> row_classes(Rules("3x3", "2,1"))
    [7, 18, 25]
    """
    if rules.contact is not Contact.NONE:
        raise RulesError(
            f"row classes are defined for contact rule 'none', not {rules.contact.value!r}"
        )
    width, counts = rules.board.columns, rules.fleet.counts
    longest = rules.fleet.lengths[0]
    fleet = np.zeros(longest + 1, dtype=np.int64)
    for length, ships in counts.items():
        fleet[length] = ships
    keys_end = (longest + 2) ** width * COUNT_BASE**longest
    if keys_end >= 1 << 63 or width > 20 or max(counts.values()) + width >= COUNT_BASE:
        raise TooLargeError(
            f"board {rules.board} with fleet {rules.fleet}: a class does not fit in 64 bits; "
            f"count without classes"
        )
    strides = np.array([0, *(COUNT_BASE**i for i in range(longest))], dtype=np.int64)
    lines = _lines(width, fleet, strides)
    keys, table = np.zeros(1 << 12, dtype=np.uint64), np.zeros(1 << 13, dtype=np.uint64)
    table[int(kernels.find_slot(table, np.uint64(0)))] = 1
    count, done, sizes = 1, 0, []
    for _ in range(rules.board.rows):
        stop = count  # an empty row on top changes no class: all stay, and only new ones grow
        while done < stop:
            count, done = kernels.extend_classes(
                width, lines, fleet, strides, keys, done, stop, count, table
            )
            if progress is not None:
                progress(count)
            if done < stop:
                if len(keys) * 2 * 24 > memory_limit * 2**30:
                    raise TooLargeError(
                        f"board {rules.board} with fleet {rules.fleet}: more than {count:,} "
                        f"classes, which do not fit in {memory_limit:g} GiB; raise --memory-limit"
                    )
                keys = np.concatenate([keys, np.zeros_like(keys)])
                table = np.zeros(2 * len(keys), dtype=np.uint64)
                kernels.refill(keys, count, table)
        sizes.append(count)
    return sizes
