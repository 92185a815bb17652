"""Touches: how many layouts can be found with few misses when each ship hit is shown at once.

Some ships are *hidden*; a layout of them is *found with k misses* by a strategy that misses at most
k times in it. A ship is *touched* when it is hit for the first time, and a referee shows it then,
the one touched last apart. That helps the shooter, so that what bounds all such strategies bounds
all strategies, in every answer mode and under every contact rule.

*One ship.* With x misses at most it is touched by one of x + 1 cells. Let M(n) be no less than the
most placements that n cells cover (``most_touched``): at most M(x + 1) placements are touched.

*Several ships.* At most D placements of a ship share a cell. Of ships 0, 1, 2, ... in any order

    T(x) = product of (M_i(x + 1) + i D_i)

layouts have all ships touched with x misses at most. It is shown for a strategy that starts with f
cells missed before, which cover C_i placements, as the product of z_i = M_i(f + x + 1) - C_i + i
D_i, by induction on the number of ships. Let c_0, ..., c_x be its shots while all miss, and let c_j
touch d_i placements of ship i that no shot before touches. After a touch of ship i by c_j one ship
less is left, f + j cells are missed before, and x - j misses are left. So that is at most

    d_i * (product of z_l over l < i) * (product of z_l - D_l over l > i)

layouts, with z as it is before c_j, since ships after i move up by one place. As c_j lowers z_l
by d_l <= D_l, the sum over i is no more than what c_j lowers the product by; and all shots together
lower the product by no more than itself.

*The ship touched last* is found with e misses more by at most P(e) = min(D, C(e + L - 1, L - 1)) of
its placements through the cell touched, L its length: words of the hits still to come. Give the
others their places. Then the strategy has one path on which the last ship is missed throughout, and
on it one shot after y misses that may touch that ship; so there are no more such shots, over all
places of the others, than the others have layouts that are all touched with y misses, T'(y).
For every x

    found(k) <= T(x - 1) + sum over y = x .. k and the last ship of T'(y) P(k - y).

*On the board.* Ships that are not hidden take water away, and M is smaller then.
``found_on_boards`` adds up what is found on every board that they can leave.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Fleet, Rules
from seabattle.solver.studies.programs import Look, beside, optimum

PRICED_AT = (6, 4)
"""Prices are sought for as many shots as a sixth and as a quarter of the cells that ships have."""

PARTS = 60
"""Prices are rounded to so many parts of one."""

Numbers = NDArray[Any]


def most_touched(covering: Numbers) -> list[int]:
    """No fewer than the most placements that n cells cover, for n = 0 up to the number of cells.

    Give each placement a price u from 0 to 1. What n cells cover costs no more than the n dearest
    cells, each with all placements through it, and 1 - u of every placement on top. So it is with
    any prices. All 1 is good for few shots; others are the solution of a linear program, the dual
    of covering as much as possible by parts of cells.

    Parameters
    ----------
    covering
        Which cells each placement has, 1 or 0: ``(n_placements, n_cells)``.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> most_touched(placement_table(Rules("1x6", "2")).covering.T)  # 5 placements
    [0, 2, 4, 5, 5, 5, 5]
    """
    ships, cells = covering.shape
    used = covering[:, covering.any(axis=0)].astype(np.int64)
    priced = [np.full(ships, PARTS)]
    if used.sum() > ships:  # with cells of one placement each there is nothing to gain
        priced += [_prices(used, used.shape[1] // part) for part in PRICED_AT]
    most = np.full(cells + 1, ships)
    for prices in priced:
        dearest = np.cumsum(np.sort(prices @ used)[::-1])
        covered = ((PARTS - prices).sum() + np.append(0, dearest)) // PARTS
        most[: len(covered)] = np.minimum(most[: len(covered)], covered)
    return list(map(int, most))


def _prices(used: Numbers, shots: int) -> Numbers:
    """Prices of placements that make the bound for a number of shots small, in parts of one.

    They are u of: the least sum of 1 - u, of excess over the cells, and of shots * limit, such that
    all placements through a cell have the price of the limit and the excess there, at most.
    """
    ships, cells = used.shape
    gains = np.concatenate([-np.ones(ships), np.ones(cells), [shots]])
    paid = sparse.hstack([used.T, -sparse.eye_array(cells), -np.ones((cells, 1))], format="csr")
    bounds = [(0, 1)] * ships + [(0, None)] * (cells + 1)
    found = optimum(gains, A_ub=paid, b_ub=np.zeros(cells), bounds=bounds)
    if found.x is None:  # all prices are right
        return np.full(ships, PARTS)
    prices: Numbers = np.clip(np.round(found.x[:ships] * PARTS), 0, PARTS).astype(np.int64)
    return prices


def found_by_touches(
    lengths: Sequence[int], most: Sequence[Numbers], look: Look = lambda: None
) -> Numbers:
    """Most layouts found with k misses on each of some boards, k = 0, 1, 2, ...

    Parameters
    ----------
    lengths
        Lengths of the hidden ships.
    most
        Of each, what ``most_touched`` says of it on each board: ``(n_boards, n_cells + 1)``.
    look
        Called often; what it raises ends the work.

    Returns
    -------
    found
        ``(n_boards, n_cells)`` integers without limit. Equal ships are told apart: each layout
        counts once for each way to exchange them.

    Examples
    --------
    >>> found_by_touches((1, 1), [np.arange(6)[None]] * 2)[0].tolist()  # (k + 1) (k + 2)
    [2, 6, 12, 20, 30]
    """
    covered = [each[:, 1:].astype(object) for each in most]
    through = [each[:, :1] for each in covered]

    def touched(ships: Sequence[int]) -> Numbers:
        """Layouts of some ships of which all are touched with each number of misses."""
        product: Numbers = np.ones_like(covered[0])
        for place, ship in enumerate(ships):
            product *= covered[ship] + place * through[ship]
        return product

    ships = range(len(lengths))
    within = touched(ships)
    others = [touched([ship for ship in ships if ship != last]) for last in ships]
    found, late = within.copy(), np.zeros_like(within)
    for more in range(found.shape[1]):  # misses after the last touch, at most
        look()
        misses = found.shape[1] - more
        for length, there, rest in zip(lengths, through, others, strict=True):
            late[:, more:] += np.minimum(there, comb(more + length - 1, more)) * rest[:, :misses]
        before = np.insert(within, 0, 0, axis=1)[:, :misses]
        if (late[:, more:] > found[:, more:]).all():
            break
        found[:, more:] = np.minimum(found[:, more:], before + late[:, more:])
    return found


def found_on_boards(
    rules: Rules, hidden: tuple[int, ...], boards: Mapping[bytes, int], look: Look
) -> list[int]:
    """Most layouts found with k misses, k = 0, 1, 2, ..., added up over boards.

    Parameters
    ----------
    rules
        The game; of its fleet only ``hidden`` counts.
    hidden
        Lengths of the ships that are hidden; none is found with 0 misses.
    boards
        How often each board counts, by the cells that are closed to the hidden ships (``packed``).
    look
        Called often; what it raises ends the work.

    Examples
    --------
    >>> open_board = {packed(np.zeros(100, dtype=bool)): 1}
    >>> found_on_boards(Rules("10x10", "2"), (2,), open_board, lambda: None)[:5]
    [1, 3, 6, 10, 14]
    """
    if not hidden:
        return [sum(boards.values())] * rules.board.cells
    most = {}
    for length in set(hidden):
        look()
        alone = replace(rules, fleet=Fleet((length,)), answers=AnswerMode.HIT)
        most[length] = np.array(beside(partial(_most_on_board, alone), boards, look))
    found = found_by_touches(hidden, [most[length] for length in hidden], look)
    alike = prod(map(factorial, Multiset(hidden).values()))
    weights = np.array([[weight] for weight in boards.values()], dtype=object)
    return list((weights * (found // alike)).sum(axis=0))


@lru_cache(maxsize=256)
def _most_on_board(rules: Rules, board: bytes) -> list[int]:
    """What ``most_touched`` says of one ship where some cells are closed to it."""
    covering = placement_table(rules).covering.T
    closed = np.unpackbits(np.frombuffer(board, dtype=np.uint8), count=rules.board.cells)
    return most_touched(covering[~(covering & closed).any(axis=1)])


def packed(closed: Numbers) -> bytes:
    """Cells, yes or no, as bytes."""
    return np.packbits(closed).tobytes()


def boards_left(rules: Rules, shown: tuple[int, ...]) -> dict[bytes, int]:
    """What cells ships that are shown close to all others, and in how many of their layouts.

    Boards that a symmetry of the game turns into one another are one.

    Parameters
    ----------
    rules
        The game; of its fleet only ``shown`` counts.
    shown
        Lengths of the ships that are shown.

    Examples
    --------
    >>> sorted(boards_left(Rules("1x4", "2,1"), (2,)).values())  # A1:B1 and C1:D1; B1:C1
    [1, 2]
    """
    layouts = enumerate_layouts(replace(rules, fleet=Fleet(shown), answers=AnswerMode.HIT))
    table = placement_table(layouts.rules)
    closed = np.any((table.covering | table.beside).T[layouts.ships], axis=1)
    images = [np.packbits(closed[:, list(g)], axis=1) for g in rules.symmetries]
    return Multiset(min(map(bytes, same)) for same in zip(*images, strict=True))
