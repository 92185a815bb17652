"""How many layouts a strategy can finish with few misses, when some ships are hidden.

All other ships are shown to the shooter beforehand, which can only help. A strategy then turns a
layout into a *word*: how often it misses before the first hit on a hidden ship, between that hit
and the next, and so on. Different layouts have different words, so that with at most k misses
only so many can be finished as there are words of at most k misses. Three ways of writing words
hold, each where its function says so; the fewest words count. With t hidden ships of h cells:

cells
    One gap before each hit, C(k + h, h) words; in mode ``sunk`` also which hits sink.
order
    The same in mode ``sunk``, with the order in which lengths are touched instead.
touches
    One gap before the first hit of each ship, which shows the ship: C(k + t, t) gaps, the order of
    the lengths, and where each ship lies through the cell touched. The ship touched last need not
    be shown: finding its other cells costs misses, too.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, factorial, prod

from seabattle.enumerate.board import Board
from seabattle.enumerate.placements import placements_of_length
from seabattle.enumerate.rules import AnswerMode, Contact, Rules

LONGEST_IN_ORDER = 2
"""Of longer ships two cells that do not touch can be hit, and it is open whose they are."""


def finished(rules: Rules, hidden: tuple[int, ...], misses: int) -> int:
    """Most layouts, among those that agree in all other ships, finished with so few misses.

    Parameters
    ----------
    rules
        The game; of its fleet only ``hidden`` counts.
    hidden
        Lengths of the ships that are hidden.
    misses
        The most misses of a layout that is counted.

    Examples
    --------
    >>> russian = Rules("10x10", "russian", contact="none", answers="sunk")
    >>> finished(russian, (1, 1, 1, 1), 10) == comb(10 + 4, 4)
    True
    """
    counts = [by_touches(rules.board, hidden, misses)]
    if rules.contact is not Contact.SIDES and rules.answers is not AnswerMode.SHIP:
        counts.append(by_cells(rules.answers, hidden, misses))
        if rules.answers is AnswerMode.SUNK and max(hidden, default=1) <= LONGEST_IN_ORDER:
            counts.append(by_order(hidden, misses))
    return min(counts)


def by_cells(answers: AnswerMode, hidden: tuple[int, ...], misses: int) -> int:
    """Words of all hits, where a layout is known by its cells and hits do not name ships.

    >>> by_cells(AnswerMode.HIT, (2, 1), 4) == comb(7, 3)
    True
    """
    cells, ships = sum(hidden), len(hidden)
    sinkings = 1 if answers is AnswerMode.HIT or not ships else comb(cells - 1, ships - 1)
    return comb(misses + cells, cells) * sinkings


def by_order(hidden: tuple[int, ...], misses: int) -> int:
    """Words of all hits and the order of the lengths, for ships of length 1 and 2 in ``sunk``."""
    return comb(misses + sum(hidden), sum(hidden)) * orders(hidden)


def orders(lengths: tuple[int, ...]) -> int:
    """Number of orders of lengths, equal ones not told apart.

    >>> orders((4, 3, 3, 2, 2, 2, 1, 1, 1, 1))
    12600
    """
    return factorial(len(lengths)) // prod(factorial(n) for n in Counter(lengths).values())


def by_touches(board: Board, hidden: tuple[int, ...], misses: int) -> int:
    """Words of touches, under all rules.

    >>> [by_touches(Board(10, 10), (2,), k) for k in range(5)]
    [1, 3, 6, 10, 14]
    """
    if not hidden:
        return 1
    total = 0
    for last in set(hidden):
        others = list(hidden)
        others.remove(last)
        shown = orders(tuple(others)) * prod(through_cell(board, length) for length in others)
        found = 0
        for more in range(misses + 1):  # misses after the last ship has been touched
            fewer = _placed(board, last, more - 1) if more else 0
            gaps = comb(misses - more + len(hidden), len(hidden))
            found += (_placed(board, last, more) - fewer) * gaps
        total += shown * found
    return total


def _placed(board: Board, length: int, misses: int) -> int:
    """Placements through a cell that has been hit, told apart with so many misses more."""
    return min(through_cell(board, length), comb(misses + length - 1, length - 1))


@lru_cache(maxsize=256)
def through_cell(board: Board, length: int) -> int:
    """Most placements of a ship that share one cell.

    >>> [through_cell(Board(10, 10), length) for length in (1, 2, 3, 4, 5)]
    [1, 4, 6, 8, 10]
    """
    covers = Counter(c for ship in placements_of_length(board, length) for c in ship.cells)
    return max(covers.values(), default=0)
