"""Placements: names both ways, numbers, halos, and layouts that break the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import naive_layouts, numbers_of

from seabattle.enumerate.board import Board, cells_of
from seabattle.enumerate.errors import BoardError, LayoutError
from seabattle.enumerate.placements import (
    Placement,
    PlacementTable,
    placement_table,
    placements_of_length,
)
from seabattle.enumerate.rules import Contact, Rules

quick = examples(50)


@quick
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_placements_of_one_ship_are_all_there_once(rows, columns, length):
    found = placements_of_length(Board(rows, columns), length)
    as_sets = [frozenset(p.cells) for p in found]
    assert len(set(as_sets)) == len(as_sets)
    assert set(as_sets) == naive.ships_of_length(rows, columns, length)
    assert all(p.length == length and list(p.cells) == sorted(p.cells) for p in found)


@quick
@given(st.integers(1, 6), st.integers(1, 30), st.integers(1, 4))
def test_names_round_trip_in_both_directions(rows, columns, length):
    board = Board(rows, columns)
    for placement in placements_of_length(board, length):
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


@pytest.mark.parametrize("board", ["5x5", "9x9", "11x11", "8x16"])
def test_table_numbers_placements_longest_first(board):
    rules = Rules(board, "3,2,2,1", "corners")
    table = PlacementTable(rules)
    assert [p.length for p in table.placements] == sorted(
        (p.length for p in table.placements), reverse=True
    )
    assert len(table.slots) == 4
    assert table.slots[1] == table.slots[2]
    for (first, stop), length in zip(table.slots, rules.fleet.lengths, strict=True):
        assert {p.length for p in table.placements[first:stop]} == {length}
    for number, placement in enumerate(table.placements):
        assert table.number(placement) == number
        low, high = (int(word) for word in table.masks[number])
        assert low + (high << 64) == placement.mask
        low, high = (int(word) for word in table.halos[number])
        assert low + (high << 64) == placement.halo(rules.contact)
    assert table.names(range(len(table))) == [str(p) for p in table.placements]


def test_a_ship_of_another_length_has_no_number():
    table = placement_table(Rules("5x5", "3,1"))
    with pytest.raises(LayoutError, match="A1:B1 has length 2, and the fleet 3,1 has no such ship"):
        table.number(Placement.parse("A1:B1", Board(5, 5)))


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("A1:B2", LayoutError, "neither in one row nor in one column"),
        ("A1:B1:C1", LayoutError, "write its two ends"),
        ("A1:Z1", BoardError, "off the board"),
        ("", BoardError, "write a letter and a number"),
        ("A1:", LayoutError, "write its two ends"),
        ("A1-A3", BoardError, "write a letter and a number"),
    ],
)
def test_ships_that_cannot_be_read_are_refused(text, error, why):
    with pytest.raises(error, match=why) as caught:
        Placement.parse(text, Board(5, 5))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("contact", "names", "why"),
    [
        ("none", ["A1:C1", "C1:D1"], "A1:C1 and C1:D1 overlap"),
        ("sides", ["A1:C1", "C1:C2"], "A1:C1 and C1:C2 overlap"),
        ("none", ["A1:C1", "D2:E2"], "touch, which contact rule 'none' forbids"),
        ("none", ["A1:C1", "A2:B2"], "touch, which contact rule 'none' forbids"),
        ("corners", ["A1:C1", "A2:B2"], "touch, which contact rule 'corners' forbids"),
        ("none", ["A1:C1"], "its ships are 3, not 3,2"),
        ("none", [], "its ships are no ship, not 3,2"),
        ("none", ["A1:C1", "A3:C3"], "its ships are 3,3, not 3,2"),
        ("none", ["A1:C1\n", "C1\n:D1"], "overlap"),
        ("none", ["A1\n:A2"], "its ships are 2, not 3,2"),
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
