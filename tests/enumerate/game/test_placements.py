"""Placements: names both ways, numbers, halos, and layouts that break the rules."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import naive_layouts, numbers_of

from seabattle.enumerate.board import Board, cells_of
from seabattle.enumerate.errors import LayoutError
from seabattle.enumerate.placements import (
    Placement,
    placement_table,
    placements_of,
)
from seabattle.enumerate.rules import Contact, Rules

quick = examples(50)


@quick
@given(st.integers(1, 6), st.integers(1, 30), st.integers(1, 4))
def test_names_round_trip_in_both_directions(rows, columns, length):
    board = Board(rows, columns)
    assume(length <= max(rows, columns))
    for placement in placements_of(Rules(board, (length,)), length):
        assert Placement.parse(str(placement), board) == placement
        first, _, last = str(placement).partition(":")
        assert Placement.parse(f"{last or first}:{first}".lower(), board) == placement


@pytest.mark.parametrize("contact", list(Contact))
def test_halos_are_the_cells_no_other_ship_may_take(contact):
    rules = Rules("4x5", "3,2,1", contact)
    for placement in placement_table(rules).placements:
        closed = {
            cell
            for cell in range(20)
            if not naive.may_stand(5, frozenset(placement.cells), frozenset([cell]), contact.value)
        }
        assert set(cells_of(placement.halo(contact))) == closed


@pytest.mark.parametrize(
    ("contact", "names", "why"),
    [
        ("none", ["A1:C1", "C1:D1"], "A1:C1 and C1:D1 overlap"),
        ("sides", ["A1:C1", "C1:C2"], "A1:C1 and C1:C2 overlap"),
        ("none", ["A1:C1", "A2:B2"], "touch, which contact rule 'none' forbids"),
        ("corners", ["A1:C1", "A2:B2"], "touch, which contact rule 'corners' forbids"),
        ("none", ["A1:C1"], "its ships are 3, not 3,2"),
    ],
)
def test_layouts_that_break_the_rules_are_refused(contact, names, why):
    with pytest.raises(LayoutError, match=why) as caught:
        placement_table(Rules("5x5", "3,2", contact)).parse_layout(names)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("contact", ["none", "corners", "sides"])
def test_parse_layout_accepts_exactly_the_layouts(contact):
    """Every pair of placements is either a layout found by brute force or refused."""
    rules = Rules("3x4", "2,2", contact)
    table = placement_table(rules)
    expected = {numbers_of(rules, layout) for layout in naive_layouts(rules)}
    accepted = set()
    for first in table.placements:
        for second in table.placements:
            try:
                numbers = table.parse_layout([str(first), str(second)])
            except LayoutError:
                continue
            assert table.parse_layout([str(second), str(first)]) == numbers
            accepted.add(numbers)
    assert accepted == expected
