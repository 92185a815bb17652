"""Advice: what it claims holds when it is followed, against every layout."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import naive_layouts, naive_rows, spoken

from seabattle.enumerate.answers import MISS, answer_code
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import CounterAdviser, Method

GAMES = [
    Rules("3x3", "3,1,1", answers="sunk"),
    Rules("3x3", "3,1,1", answers="hit"),
    Rules("3x3", "3,1,1", answers="ship"),
    Rules("3x4", "2,1", answers="sunk"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("3x3", "2,2", "sides", "sunk", "none"),
    Rules("3x3", "2,2", "sides", "ship"),
    Rules("2x4", "2,1", "corners", "hit"),
]
games = pytest.mark.parametrize("rules", GAMES, ids=str)


def first(best):
    """The shot that a player takes who does not choose."""
    return best[0]


def follow(rules, advise, layout, choose):
    """Misses until the fleet is sunk when every advice is taken."""
    position = Position(rules)
    while not (advice := advise(position)).over:
        cell = choose(advice.best_cells)
        before = [shot for shot, _ in position.shots]
        told = naive.answer(layout, before, cell, *spoken(rules))
        position = Position(rules, (*position.shots, (cell, answer_code(told))))
    return sum(code == MISS for _, code in position.shots)


@games
def test_followed_advice_misses_as_often_as_it_says(rules):
    advise = cache(CounterAdviser(rules, time_limit=60).advise)
    start = advise(Position(rules))
    layouts = naive_layouts(rules)
    assert start.method is Method.OPTIMAL
    assert start.layouts == len(layouts)
    for choose in (first, max):  # every tie is as good
        misses = [follow(rules, advise, layout, choose) for layout in layouts]
        assert sum(misses) == start.total_misses
        assert start.mean_misses == Fraction(sum(misses), len(layouts))


@examples(60)
@given(st.sampled_from(GAMES), st.booleans(), st.data())
def test_the_map_and_the_best_cells_are_those_of_the_layouts_left(rules, exact, data):
    layouts = naive_rows(rules)
    target = data.draw(st.sampled_from(layouts))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=7))
    history = [
        (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]
    left = naive.fitting(layouts, history, *spoken(rules))
    counts = naive.occupancy(left, rules.board.cells)
    adviser = CounterAdviser(rules, time_limit=60 if exact else 0)
    advice = adviser.advise(
        Position(rules, tuple((cell, answer_code(told)) for cell, told in history))
    )
    assert advice.layouts == len(left)
    assert advice.map.cells == tuple(counts)
    assert advice.over == (naive.cells_of(target) <= set(cells))
    assert (advice.ships is not None) == (len(left) == 1)
    open_cells = {cell for cell in range(rules.board.cells) if cell not in cells}
    if advice.over:
        assert advice.best_cells == ()
    elif advice.method is Method.GREEDY_MAP:
        most = max(counts[cell] for cell in open_cells)
        assert advice.best_cells == tuple(c for c in sorted(open_cells) if counts[c] == most)
        assert advice.chance(advice.best_cells[0]) == Fraction(most, len(left))
    else:
        assert set(advice.best_cells) <= open_cells
        chances = [counts[cell] for cell in advice.best_cells]
        assert chances == sorted(chances, reverse=True)
        assert chances[-1] > 0
    beside = list(advice.beside_hits)
    assert set(beside) <= open_cells
    if beside and rules.answers.value == "hit":
        sides = rules.board.side_masks
        near = {c for c in open_cells if sides[c] & advice.position.hit_mask}
        most = max(counts[cell] for cell in near)
        assert beside == [cell for cell in sorted(near) if counts[cell] == most]
    if len(left) == 1:
        (only,) = left
        told = {frozenset(Placement.parse(ship, rules.board).cells) for ship in advice.ships}
        assert told == only


def test_a_large_board_is_advised_by_its_map():
    adviser = CounterAdviser(Rules("10x10", "russian", answers="sunk"))
    document = adviser.advise(Position(adviser.rules)).document()
    assert document["layouts"] == 1855545978831780
    assert document["method"] == "greedy-map"
    assert document["best"] == ["C1", "H1", "A3", "J3", "A8", "J8", "C10", "H10"]
    assert "total_misses" not in document
    assert "note" not in document


def test_exact_play_that_takes_too_long_is_given_up_and_said():
    rules = Rules("5x5", "3,2,1", answers="sunk")
    adviser = CounterAdviser(rules, time_limit=1e-6, few=10_000)
    advice = adviser.advise(Position(rules))
    assert advice.method is Method.GREEDY_MAP
    assert advice.best_cells == advice.map.best_cells
    assert "exact play was not found within 1e-06 s" in advice.note
    again = adviser.advise(Position(rules))
    assert again.method is Method.GREEDY_MAP
    assert "tried again" in again.note
    adviser.seconds = 60
    later = Position.in_order(rules, "C3 sunk, A1 hit, E5 miss, E2 miss")
    assert adviser.advise(later).method is Method.OPTIMAL
