"""Slow, obvious twins of the equilibrium, for tiny games: no symmetry, no keys, no floats.

In ``value`` every strategy of the shooter is listed by what it costs against each layout, all
vectors that another one beats everywhere are dropped, and the matrix game between the vectors and
the layouts is solved by the simplex method in fractions. ``oracle_value`` lists only the best
strategies against the mixes of layouts that it meets, which is enough and takes it to somewhat
larger games. Nothing of ``seabattle`` is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from twins import naive

Vector = tuple[int, ...]


def undominated(vectors: set[Vector]) -> list[Vector]:
    """Vectors that no other one is at least as small as everywhere.

    >>> undominated({(0, 1), (1, 0), (1, 1), (2, 0)})
    [(0, 1), (1, 0)]
    """
    kept: list[Vector] = []
    for vector in sorted(vectors, key=lambda v: (sum(v), v)):
        if not any(all(a <= b for a, b in zip(other, vector, strict=True)) for other in kept):
            kept.append(vector)
    return kept


def parts_of_shot(
    layouts: Sequence[naive.Layout],
    left: Sequence[int],
    shots: frozenset[int],
    cell: int,
    mode: str,
) -> dict[str, list[int]]:
    """The rows left after each answer to a shot; none where the shot is not worth making."""
    if cell in shots or not any(cell in naive.cells_of(layouts[row]) for row in left):
        return {}
    parts: dict[str, list[int]] = {}
    for row in left:
        told = naive.answer(layouts[row], tuple(shots), cell, mode)
        parts.setdefault(told, []).append(row)
    if len(parts) == 1 and mode == "hit":
        return {}  # a certain hit tells nothing
    return parts


def miss_vectors(layouts: Sequence[naive.Layout], cells: int, mode: str) -> list[Vector]:
    """Undominated misses of all strategies, one number per layout.

    >>> rows = sorted(naive.layouts(1, 3, [1]), key=sorted)
    >>> len(miss_vectors(rows, 3, "hit"))  # the six orders of shooting three cells
    6
    """
    everything = tuple(layouts)

    @cache
    def best(left: tuple[int, ...], shots: frozenset[int]) -> list[Vector]:
        occupied = [naive.cells_of(everything[row]) for row in left]
        if len(set(occupied)) == 1:
            return [(0,) * len(left)]
        found: set[Vector] = set()
        for cell in range(cells):
            parts = parts_of_shot(everything, left, shots, cell, mode)
            if not parts:
                continue
            below = [best(tuple(rows), shots | {cell}) for rows in parts.values()]
            for chosen in product(*below):
                cost = {}
                for (told, rows), vector in zip(parts.items(), chosen, strict=True):
                    for row, misses in zip(rows, vector, strict=True):
                        cost[row] = misses + (told == "miss")
                found.add(tuple(cost[row] for row in left))
        return undominated(found)

    return best(tuple(range(len(everything))), frozenset())


def game_value(vectors: Sequence[Vector]) -> Fraction:
    """Value of the matrix game in which one player picks a vector and pays the entry of the other.

    >>> game_value([(0, 1), (1, 0)])
    Fraction(1, 2)
    >>> game_value([(0, 3), (1, 1)])
    Fraction(1, 1)
    """
    return solved_matrix(vectors)[0]


def solved_matrix(vectors: Sequence[Vector]) -> tuple[Fraction, list[Fraction]]:
    """Value of that game, and a best mix of the entries.

    Simplex in fractions with Bland's rule: greatest sum of y >= 0 with A y <= 1, where A has one
    column per vector, one row per layout, and every entry raised by 1 to be positive; the value
    is 1 over that sum, less 1. The mix is the solution of the dual, scaled to 1.

    >>> solved_matrix([(0, 3), (1, 1)])
    (Fraction(1, 1), [Fraction(0, 1), Fraction(1, 1)])
    """
    rows, columns = len(vectors[0]), len(vectors)
    table = [
        [Fraction(vector[i] + 1) for vector in vectors]
        + [Fraction(int(i == j)) for j in range(rows)]
        + [Fraction(1)]
        for i in range(rows)
    ]
    goal = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + i for i in range(rows)]
    while True:
        entering = next((j for j in range(columns + rows) if goal[j] < 0), None)
        if entering is None:
            return 1 / goal[-1] - 1, [price / goal[-1] for price in goal[columns : columns + rows]]
        ratios = [
            (line[-1] / line[entering], basis[i], i)
            for i, line in enumerate(table)
            if line[entering] > 0
        ]
        leaving = min(ratios)[2]
        basis[leaving] = entering
        pivot = table[leaving][entering]
        table[leaving] = [entry / pivot for entry in table[leaving]]
        for line in [goal, *(table[i] for i in range(rows) if i != leaving)]:
            factor = line[entering]
            if factor:
                line[:] = [a - factor * b for a, b in zip(line, table[leaving], strict=True)]


def value(rows: int, columns: int, fleet: Sequence[int], mode: str, contact: str) -> Fraction:
    """Value of the game of hiding and shooting.

    >>> value(1, 3, [1], "hit", "none")
    Fraction(1, 1)
    """
    layouts = sorted(
        naive.layouts(rows, columns, fleet, contact), key=lambda found: sorted(map(sorted, found))
    )
    return game_value(miss_vectors(layouts, rows * columns, mode))


def best_vector(
    layouts: Sequence[naive.Layout], cells: int, mode: str, weights: Sequence[Fraction]
) -> tuple[Fraction, Vector]:
    """Least weighted misses of a strategy, and its misses against each layout.

    >>> rows = sorted(naive.layouts(1, 3, [1]), key=sorted)
    >>> best_vector(rows, 3, "hit", [Fraction(0), Fraction(3), Fraction(1)])
    (Fraction(1, 1), (2, 0, 1))
    """

    @cache
    def best(left: tuple[int, ...], shots: frozenset[int]) -> tuple[Fraction, Vector]:
        occupied = [naive.cells_of(layouts[row]) for row in left]
        if len(set(occupied)) == 1:
            return Fraction(0), (0,) * len(left)
        found: list[tuple[Fraction, Vector]] = []
        for cell in range(cells):
            parts = parts_of_shot(layouts, left, shots, cell, mode)
            if not parts:
                continue
            misses: dict[int, int] = {}
            for told, rows in parts.items():
                below = best(tuple(rows), shots | {cell})[1]
                misses |= {
                    row: number + (told == "miss") for row, number in zip(rows, below, strict=True)
                }
            cost = sum((weights[row] * number for row, number in misses.items()), Fraction(0))
            found.append((cost, tuple(misses[row] for row in left)))
        return min(found)

    return best(tuple(range(len(layouts))), frozenset())


def oracle_value(
    rows: int, columns: int, fleet: Sequence[int], mode: str, contact: str
) -> Fraction:
    """Value of the game of hiding and shooting.

    With some strategies only, the shooter pays at least the value; against the mix of layouts
    that is best there, the best strategy of all costs at most the value. Strategies are added until
    the two are equal.

    >>> oracle_value(1, 3, [1], "hit", "none")
    Fraction(1, 1)
    >>> oracle_value(2, 3, [2, 1], "sunk", "none") == value(2, 3, [2, 1], "sunk", "none")
    True
    """
    layouts = sorted(
        naive.layouts(rows, columns, fleet, contact), key=lambda found: sorted(map(sorted, found))
    )
    mix = [Fraction(1, len(layouts))] * len(layouts)
    vectors: list[Vector] = []
    above: Fraction | None = None
    while True:
        least, vector = best_vector(layouts, rows * columns, mode, mix)
        if least == above:
            return least
        vectors.append(vector)
        above, mix = solved_matrix(vectors)
