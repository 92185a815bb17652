"""Exact play in wide positions: sets of layouts as keys, on boards of any size."""

import time
from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError, TooLargeError
from seabattle.enumerate.layouts import Layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import endgame as endgames
from seabattle.solver.search import set_search
from seabattle.solver.search.endgame import EndgameSearch
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.reference import ReferenceSearch
from seabattle.solver.search.set_search import SetSearch

GAMES = [("3x3", "3,2"), ("3x4", "2,1"), ("4x4", "3,2"), ("2x5", "2,2,1"), ("4x4", "2,1,1"),
         ("4x5", "3,3,2"), ("1x9", "2,2,1")]  # fmt: skip
FEW = 150
"""Layouts at most."""
TINY = 24
"""Layouts at most where the search by the definition is asked."""
WEIGHTS = [0, 1, 2, 7, 1000, 10**9]


def play(counter, data, most):
    """A position reached by random shots with answers that some layout gives."""
    position = Position(counter.rules)
    codes = possible_answers(counter.rules)
    for _ in range(data.draw(st.integers(0, most))):
        free = [c for c in range(counter.rules.board.cells) if not position.shot_mask >> c & 1]
        if not free:
            break
        cell = data.draw(st.sampled_from(free))
        for code in data.draw(st.permutations(codes)):
            after = Position(counter.rules, (*position.shots, (cell, code)))
            try:
                counter.at(after).count()
            except PositionError:
                continue
            position = after
            break
    return position


def in_words_and_in_sets(position, ships, weights):
    """The same endgame by the search whose masks are words and by the one of sets."""
    found = EndgameSearch(position, ships, weights=weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgames, "MAX_SOLVED_CELLS", 0)
        patch.setattr(set_search, "FIRST_CAPACITY", 2)
        patch.setattr(set_search, "FIRST_ARENA", 2)
        by_sets = EndgameSearch(position, ships, weights=weights)
    assert isinstance(by_sets._search, SetSearch)
    assert not isinstance(found._search, SetSearch)
    return found, by_sets


@examples(240)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
    st.booleans(),
    st.data(),
)
def test_sets_are_worth_what_words_are(game, contact, answers, announce, weighted, data):
    rules = Rules(*game, contact, answers, announce)
    counter = Counter(rules)
    if counter.count() == 0:
        return
    position = play(counter, data, 8)
    assume(counter.at(position).count() <= FEW)
    ships = counter.at(position).layouts()
    weights = None
    if weighted:
        some = st.lists(st.sampled_from(WEIGHTS), min_size=len(ships), max_size=len(ships))
        weights = np.array(data.draw(some.filter(any)))
    words, sets = in_words_and_in_sets(position, ships, weights)
    found, twin = sets.solve(), words.solve()
    assert (found.total_misses, found.best_cells) == (twin.total_misses, twin.best_cells)
    assert (found.weight, found.layouts, found.position) == (twin.weight, len(ships), position)
    assert found.worst_misses >= found.mean_misses
    for cell in range(rules.board.cells):
        if not position.shot_mask >> cell & 1:
            assert sets.total_after(cell) == words.total_after(cell)


@examples(90)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
    st.data(),
)
def test_sets_are_worth_what_the_definition_says(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    counter = Counter(rules)
    if counter.count() == 0:
        return
    position = play(counter, data, 10)
    assume(counter.at(position).count() <= TINY)
    table = DecisionTable.build(rules).at(position)
    order = np.lexsort(table.layouts.ships[table.index].T[::-1])
    ships = table.layouts.ships[table.index][order]
    twin = ReferenceSearch(DecisionTable(table.layouts).at(position))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endgames, "MAX_SOLVED_CELLS", 0)
        sets = EndgameSearch(position, ships)
    everything, hits = twin.everything, twin.hits
    found = sets.solve()
    assert found.total_misses == twin.least().total
    for cell in range(rules.board.cells):
        if not position.shot_mask >> cell & 1:
            value = twin.shot_value(everything, hits, cell, float("inf")).total
            assert sets.total_after(cell) == value


@pytest.mark.parametrize(
    ("board", "answers"), [("12x12", "hit"), ("9x9", "sunk"), ("9x9", "ship"), ("5x13", "hit")]
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
    assert len(search._condensed.cells) == 2 * ISLANDS
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
    assert (found.layouts, len(search._condensed.cells)) == (26, 66)
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


def test_more_layouts_than_a_key_may_have_bits_are_refused(monkeypatch):
    monkeypatch.setattr(set_search, "MOST_SET_LAYOUTS", 10)
    counter = Counter(Rules("10x10", "1"))
    with pytest.raises(TooLargeError, match=r"100 layouts with 100 cells .* takes up to 10"):
        EndgameSearch(Position(counter.rules), counter.layouts())
