"""Exact play in wide positions: sets of layouts as keys, on boards of any size."""

import time
from itertools import count

import pytest

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.layouts import Layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.endgame import EndgameSearch
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.set_search import SetSearch


@pytest.mark.parametrize(
    ("board", "answers"), [("12x12", "hit"), ("9x9", "sunk"), ("5x13", "ship")]
)
def test_one_cell_among_many(board, answers):
    """It is found with 0, 1 ... n - 1 misses, more than 127 among them."""
    counter = Counter(Rules(board, "1", "sides", answers))
    cells = counter.rules.board.cells
    search = EndgameSearch(Position(counter.rules), counter.layouts())
    assert isinstance(search._search, SetSearch)
    found = search.solve()
    assert (found.total_misses, found.weight) == (cells * (cells - 1) // 2, cells)
    assert (found.worst_misses, found.best_cells) == (cells - 1, tuple(range(cells)))
    assert search.total_after(cells - 1) == found.total_misses


ISLANDS = 40
"""Places that a ship of 2 has left on 15x15 in every other row, between the cells missed."""


@pytest.mark.parametrize("contact", ["none", "sides"])
@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_one_ship_among_islands(contact, answers):
    """A shot at any island finds the ship or an island less."""
    rules = Rules("15x15", "2", contact, answers)
    water = [c for c in range(225) if c // 15 % 2 or c % 15 % 3 == 2]
    search = EndgameSearch(position := Position.of_cells(rules, miss=map(rules.board.name, water)),
                           Counter(position).layouts())  # fmt: skip
    assert isinstance(search._search, SetSearch)
    assert len(search._cells) == 2 * ISLANDS
    found = search.solve()
    assert (found.layouts, found.total_misses) == (ISLANDS, ISLANDS * (ISLANDS - 1) // 2)
    assert found.worst_misses == ISLANDS - 1
    assert found.best_cells == tuple(c for c in range(225) if c not in water)
    assert search.total_after(water[0]) == found.total_misses + ISLANDS


REAL = (
    "E5 hit:3#1, F5 hit:5#1, F4 hit:5#1, F3 miss, F6 hit:5#1, F7 hit:5#1, F8 hit:5#1, E4 "
    "hit:3#1, E3 hit:3#1, C6 miss, G2 miss, E9 miss, D7 miss, D2 miss, B8 miss, B4 miss, H4 "
    "miss, I5 miss, A5 miss, G6 miss, G10 miss, J7 miss, H9 hit:2#1, H8 miss, I9 miss, G9 "
    "hit:2#1, J3 miss, C10 miss, C1 miss, G1 miss, A9 miss, A3 hit:4#1, A2 miss"
)
"""A game with the fleet of Hasbro: 26 layouts are left, and they occupy 66 cells."""


def test_a_shot_is_worth_its_misses_and_what_comes_after():
    """One step of the recurrence in a position of a real game; what follows is solved anew."""
    rules = Rules("10x10", "hasbro", answers="ship")
    position = Position.in_order(rules, REAL)
    layouts = Layouts.of_ships(rules, Counter(position).layouts())
    search = EndgameSearch(position, layouts.ships)
    found = search.solve()
    assert (found.layouts, len(search._cells)) == (26, 66)
    totals = {}
    for cell in {*found.best_cells, *range(0, 100, 7)}:
        if position.shot_mask >> cell & 1:
            continue
        totals[cell] = 0
        for code in possible_answers(rules):
            try:
                after = Position(rules, (*position.shots, (cell, code)))
                left = layouts.ships[fitting(after, layouts) == 1]
            except PositionError:
                continue
            if len(left):
                totals[cell] += EndgameSearch(after, left).solve().total_misses
                totals[cell] += len(left) if code == MISS else 0
        assert search.total_after(cell) == totals[cell]
    assert found.total_misses == min(totals.values())
    best = {cell for cell, total in totals.items() if total == found.total_misses}
    assert best == set(found.best_cells)


def test_wide_positions_keep_to_limits():
    rules = Rules("10x10", "2,1", "none", "hit")
    ships = Counter(rules).layouts(most=20_000)[::20]
    with pytest.raises(LimitReached, match="the time limit was reached"):
        EndgameSearch(Position(rules), ships, limits=Limits(time.monotonic() + 0.2)).solve()
    with pytest.raises(LimitReached, match=r"the memory limit is 1e-05 GiB"):
        EndgameSearch(
            Position(rules), ships, limits=Limits(memory=1e-5, rows_per_step=1000)
        ).solve()
    calls = count()
    with pytest.raises(KeyboardInterrupt):
        EndgameSearch(
            Position(rules), ships,
            limits=Limits(stop=lambda: next(calls) > 2, rows_per_step=1000),
        ).solve()  # fmt: skip
