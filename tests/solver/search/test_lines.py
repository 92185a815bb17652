"""The misses listed for a ship over a known cell are those of a search by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from seabattle.solver.search.lines import LONGEST_LINE, line_misses

Placement = frozenset[tuple[int, int]]


def placements(length: int) -> list[Placement]:
    """All over (0, 0), in the order of the list."""
    across = [frozenset((0, x - i) for x in range(length)) for i in range(length)]
    return across + [frozenset((y, x) for x, y in ship) for ship in across]


@cache
def least(possible: frozenset[Placement]) -> int:
    costs = []
    for cell in frozenset[tuple[int, int]]().union(*possible):
        hit = frozenset(ship for ship in possible if cell in ship)
        if hit and hit != possible:
            missed = possible - hit
            costs.append(len(missed) + least(missed) + least(hit))
    return min(costs, default=0)


@pytest.mark.parametrize("length", range(1, LONGEST_LINE - 1))
def test_misses_of_all_sets_of_placements(length: int) -> None:
    misses = line_misses([length])
    assert misses.shape == (length + 1, 4**length)
    if length == 1:  # found when it is hit
        assert not misses.any()
        return
    ships = placements(length)
    for placed in range(4**length):
        possible = frozenset(ship for i, ship in enumerate(ships) if placed >> i & 1)
        assert misses[length, placed] == least(possible), placed


def test_lengths_of_a_fleet_are_listed_together() -> None:
    misses = line_misses([4, 2, 2])
    assert np.array_equal(misses[2, :16], line_misses([2])[2])
    assert np.array_equal(misses[4], line_misses([4])[4])
    assert not misses[3].any()


def test_nothing_is_listed_for_long_ships() -> None:
    assert line_misses([LONGEST_LINE + 1, 2]).shape == (1, 1)
