"""Slow, obvious twins of counting under a prior: layouts one by one, in exact fractions.

Nothing of ``seabattle`` is imported. Layouts are those of ``naive``: sets of ships, a ship being a
set of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from twins.naive import Layout, Ship, cells_of

Weigh = Callable[[Layout], Fraction]
"""What a layout weighs under a prior."""


def by_ships(weights: Mapping[Ship, Fraction], forced: Iterable[int] = ()) -> Weigh:
    """The product of the weights of its ships; 0 unless it occupies the forced cells."""
    forced = frozenset(forced)

    def weigh(layout: Layout) -> Fraction:
        weight = Fraction(1)
        for ship in layout:
            weight *= weights[ship]
        return weight if forced <= cells_of(layout) else Fraction(0)

    return weigh


def by_cells(weights: Sequence[Fraction]) -> Weigh:
    """The sum of the weights of the cells that it occupies."""
    return lambda layout: sum((weights[cell] for cell in cells_of(layout)), Fraction(0))


def by_table(weights: Mapping[Layout, int], others: int) -> Weigh:
    """What a table says."""
    return lambda layout: Fraction(weights.get(layout, others))


def total(found: Iterable[Layout], weigh: Weigh) -> Fraction:
    """What some layouts weigh together."""
    return sum(map(weigh, found), Fraction(0))


def chance(found: Sequence[Layout], weigh: Weigh, holds: Callable[[Layout], bool]) -> Fraction:
    """How likely something holds of one of some layouts, drawn by weight."""
    return total(filter(holds, found), weigh) / total(found, weigh)


def cell_chances(found: Sequence[Layout], weigh: Weigh, cells: int) -> list[Fraction]:
    """How likely each cell is occupied."""
    whole = total(found, weigh)
    sums = [Fraction(0)] * cells
    for layout in found:
        weight = weigh(layout)
        for cell in cells_of(layout):
            sums[cell] += weight
    return [weight / whole for weight in sums]


def ship_chances(found: Sequence[Layout], weigh: Weigh) -> dict[Ship, Fraction]:
    """How likely each ship is there, those that are in none of the layouts left out."""
    whole = total(found, weigh)
    sums: dict[Ship, Fraction] = {}
    for layout in found:
        weight = weigh(layout)
        for ship in layout:
            sums[ship] = sums.get(ship, Fraction(0)) + weight
    return {ship: weight / whole for ship, weight in sums.items()}
