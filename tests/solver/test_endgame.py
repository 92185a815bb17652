"""The endgame on condensed cells agrees with the search on the whole board."""

import pytest

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError, TooLargeError
from seabattle.enumerate.layouts import Layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.endgame import EndgameSearch, endgame


def test_too_many_layouts_are_refused():
    counter = Counter(Rules("10x10", "1,1"))
    with pytest.raises(TooLargeError, match=r"layouts fit, and at most 10 are listed"):
        endgame(Position(counter.rules), most=10)


@pytest.mark.parametrize(
    ("board", "answers"),
    [("3x3", "hit"), ("5x8", "ship"), ("8x8", "sunk"), ("9x14", "hit"), ("9x9", "sunk"),
     ("5x13", "ship")],
)  # fmt: skip
def test_all_cells_of_a_board_may_be_occupied_still(board, answers):
    """One cell among n is found with 0, 1 ... n - 1 misses; masks have 64 cells or 126."""
    counter = Counter(Rules(board, "1", "sides", answers))
    cells = counter.rules.board.cells
    search = EndgameSearch(Position(counter.rules), counter.layouts())
    found = search.solve()
    assert (found.total_misses, found.weight) == (cells * (cells - 1) // 2, cells)
    assert (found.worst_misses, found.best_cells) == (cells - 1, tuple(range(cells)))
    assert search.total_after(cells - 1) == found.total_misses


@pytest.mark.parametrize("contact", ["none", "sides"])
@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_one_ship_among_islands(contact, answers):
    """A shot at any island finds the ship or an island less; 40 are left on 15x15, of two cells."""
    rules = Rules("15x15", "2", contact, answers)
    water = [c for c in range(225) if c // 15 % 2 or c % 15 % 3 == 2]
    position = Position.of_cells(rules, miss=map(rules.board.name, water))
    search = EndgameSearch(position, Counter(position).layouts())
    found = search.solve()
    assert (found.layouts, found.total_misses, found.worst_misses) == (40, 780, 39)
    assert found.best_cells == tuple(c for c in range(225) if c not in water)
    assert search.total_after(water[0]) == found.total_misses + 40


def test_more_cells_than_two_words_hold_are_refused():
    counter = Counter(Rules("12x12", "1"))
    with pytest.raises(TooLargeError, match=r"144 cells of the board 12x12 .* limit is 126"):
        EndgameSearch(Position(counter.rules), counter.layouts()).solve()


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
    layouts = Layouts(rules, Counter(position).layouts())
    search = EndgameSearch(position, layouts.ships)
    found = search.solve()
    assert found.layouts == 26
    totals = {}
    for cell in {*found.best_cells, *range(0, 100, 11)}:
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


def test_a_ship_on_a_large_board_is_found_as_on_all_boards():
    """The first shot at a ship of 5 on 5x13, whose placements occupy all 65 cells."""
    rules = Rules("5x13", "5", answers="sunk")
    found = endgame(rules)
    search = EndgameSearch(Position(rules), Counter(rules).layouts())
    missed, hit = (
        endgame(Position.in_order(rules, f"{found.best_shots[0]} {told}"))
        for told in ("miss", "hit")
    )
    assert found.total_misses == missed.total_misses + missed.layouts + hit.total_misses
    assert search.total_after(found.best_cells[0]) == found.total_misses
