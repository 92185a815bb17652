"""Fleets and rules: reading, texts that round-trip, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FleetError, RulesError
from seabattle.enumerate.rules import (
    Announce,
    AnswerMode,
    Contact,
    Fleet,
    Rules,
)

lengths = st.lists(st.integers(1, 9), min_size=1, max_size=10)
quick = examples(60)


@quick
@given(lengths, st.randoms())
def test_the_order_of_ships_does_not_matter(given_lengths, random):
    shuffled = random.sample(given_lengths, len(given_lengths))
    fleet = Fleet(shuffled)
    assert fleet == Fleet(given_lengths)
    assert hash(fleet) == hash(Fleet(given_lengths))
    assert list(fleet.lengths) == sorted(given_lengths, reverse=True)
    assert fleet.cells == sum(given_lengths)


@quick
@given(lengths)
def test_fleets_round_trip(given_lengths):
    fleet = Fleet(given_lengths)
    assert eval(repr(fleet)) == fleet
    assert Fleet.parse(str(fleet)) == fleet
    assert Fleet.parse(" , ".join(map(str, given_lengths))) == fleet


def test_named_fleets():
    assert Fleet.parse(" Russian ").lengths == (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
    assert Fleet.parse("HASBRO").lengths == (5, 4, 3, 3, 2)


def test_fleets_in_the_ways_people_write_them():
    for text in ("3 2 2x3", "3,2,2x3", " 3  2, 2×3 ", "2х3,3,2", "3;2; 2x3"):
        assert Fleet.parse(text) == Fleet((3, 2, "2x3"))


@pytest.mark.parametrize(
    "text",
    ["1x4 2x3 3x2 4x1", "4x1,3x2,2x3,1x4", "4х1; 3×2; 2x3", "1X5,1x4,2x3,1x2", "1x2,2x1,2x2"],
)
def test_numbers_of_ships_are_not_taken_for_rectangles(text):
    with pytest.raises(FleetError, match=r"numbers of ships.*; write two ships of length 3 as 3,3"):
        Rules("10x10", text)


def test_rectangles_that_can_be_nothing_else_are_ships():
    for text, ships in (
        ("2x3,2x2", ("2x3", "2x2")),
        ("1x4", (4,)),
        ("3,1x2,2x2,2x3", (3, 2, "2x2", "2x3")),
        ("2x2,1x3", ("2x2", 3)),
        ("4x1 3x1,2", (4, 3, 2)),
        ("3x2,4,1x3=", ("2x3", 4, "3h")),
    ):
        assert Fleet.parse(text) == Fleet(ships)
    assert Fleet(["1x4", "2x3"]) == Fleet((4, "2x3"))  # each is a ship


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (",", "fleet ',': a ship is missing at a comma"),
        ("3,2,1,", "fleet '3,2,1,': a ship is missing at a comma"),
        ("3,,2", "a ship is missing at a comma"),
        ("rusian", "did you mean russian"),
        ("roman", "russian or hasbro"),
        ("3,0", "'0' is not a ship; write ships with commas between"),
        ("٣", "is not a ship"),
        (",".join(["1"] * 65), "65 ships: at most"),
    ],
    ids=lambda text: text[:14],
)
def test_fleets_that_cannot_be_read_are_refused(text, why):
    with pytest.raises(FleetError, match=why) as caught:
        Fleet.parse(text)
    assert "\n" not in str(caught.value)


@quick
@given(
    st.sampled_from(["5x5", "3x4", "10x12"]),
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
)
def test_rules_round_trip(board, fleet, contact, answers, announce):
    rules = Rules(board, fleet, contact, answers, announce)
    again = eval(repr(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.board == Board.parse(board)
    assert again.fleet == Fleet(fleet)
    assert (again.contact, again.answers, again.announce) == (contact, answers, announce)
    assert all(str(part) in str(rules) for part in (rules.board, rules.fleet, contact, answers))


RUSSIAN = "4,3,3,2,2,2,1,1,1,1"
HASBRO = "5,4,3,3,2"


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ({}, ("5x5", "3,2,2,1,1,1", "none", "hit")),
        ({"fleet": "russian"}, ("10x10", RUSSIAN, "none", "sunk")),
        ({"fleet": "hasbro"}, ("10x10", HASBRO, "sides", "sunk")),
        ({"fleet": " Hasbro "}, ("10x10", HASBRO, "sides", "sunk")),
        ({"board": "8x8", "fleet": "hasbro"}, ("8x8", HASBRO, "sides", "sunk")),
        ({"fleet": "hasbro", "contact": "none"}, ("10x10", HASBRO, "none", "sunk")),
        ({"board": "10x10", "fleet": Fleet.parse("hasbro")}, ("10x10", HASBRO, "none", "hit")),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_a_named_fleet_is_a_whole_game_and_what_is_given_wins(given, whole):
    rules = Rules(**given)
    assert rules == Rules(*whole, "length")
    assert (str(rules.board), str(rules.fleet), rules.contact, rules.answers) == whole
    assert eval(repr(rules)) == rules
    assert Rules(**given, announce="none").announce is Announce.NONE


@pytest.mark.parametrize(
    ("args", "error", "why"),
    [
        (("5x5", "6"), FleetError, "the ship 6 does not fit on the board 5x5"),
        (("2x2", "2,2,1"), FleetError, "5 cells do not fit on the board 2x2 of 4 cells"),
        (("5x5", "3", "touching"), RulesError, "'touching' is unknown.*none, corners, sides"),
        (("5x5", "3", "none", "hit", "name"), RulesError, "'name' is unknown.*none, length"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(args, error, why):
    with pytest.raises(error, match=why) as caught:
        Rules(*args)
    assert "\n" not in str(caught.value)
