"""Fleets and rules: reading, texts that round-trip, and what is refused."""

from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle.enumerate.errors import BoardError, FleetError, RulesError
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.fleet import MAX_SHIPS, NAMED_FLEETS, Fleet
from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, Rules, choose

lengths = st.lists(st.integers(1, 9), min_size=1, max_size=10)
quick = settings(max_examples=60, deadline=None)


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


@quick
@given(lengths)
def test_rearrangements_count_the_orders_of_equal_ships(given_lengths):
    fleet = Fleet(given_lengths)
    assert list(fleet.counts) == sorted(set(given_lengths), reverse=True)
    counts = [given_lengths.count(length) for length in set(given_lengths)]
    assert fleet.rearrangements == prod(factorial(count) for count in counts)


def test_named_fleets():
    assert Fleet.parse(" Russian ").lengths == (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
    assert Fleet.parse("HASBRO").lengths == (5, 4, 3, 3, 2)
    assert Fleet.usual_contact("Hasbro") == "sides"
    assert Fleet.usual_contact("russian") == "none"
    assert Fleet.usual_contact("5,4,3,3,2") == "none"
    assert all(contact in list(Contact) for _, contact in NAMED_FLEETS.values())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("3,,2", "'' is no ship length"),
        ("3,2,", "'' is no ship length"),
        ("3;2", "'3;2' is no ship length"),
        ("roman", "or a name .hasbro, russian"),
        ("3,0", "0 is out of range"),
        ("3,-1", "-1 is out of range"),
        ("--1", "no ship length"),
        ("2.0", "no ship length"),
        ("٣", "no ship length"),
        ("²", "no ship length"),
        ("1" * 5000, "out of range"),
        (",".join(["1"] * 65), "65 ships: at most"),
    ],
    ids=lambda text: text[:14],
)
def test_fleets_that_cannot_be_read_are_refused(text, why):
    with pytest.raises(FleetError, match=why) as caught:
        Fleet.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given_lengths", [[], [0], [3, -2], [1] * (MAX_SHIPS + 1)])
def test_fleets_that_do_not_exist_are_refused(given_lengths):
    with pytest.raises(FleetError, match="fleet"):
        Fleet(given_lengths)


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


def test_a_named_fleet_brings_its_contact_rule():
    assert Rules("10x10", "hasbro").contact is Contact.SIDES
    assert Rules("10x10", "hasbro", contact="none").contact is Contact.NONE
    assert Rules("10x10", "5,4,3,3,2").contact is Contact.NONE
    assert Rules("10x10", Fleet.parse("hasbro")).contact is Contact.NONE
    assert Rules("5x5", (3, 2)) == Rules(Board(5, 5), [2, 3], "none", "hit", "length")


@pytest.mark.parametrize(
    ("args", "error", "why"),
    [
        (("5x5", "6"), FleetError, "length 6 is longer than the board 5x5"),
        (("2x2", "2,2,1"), FleetError, "5 cells do not fit on the board 2x2 of 4 cells"),
        (("5x5", "3", "touching"), RulesError, "'touching' is unknown.*none, corners, sides"),
        (("5x5", "3", "none", "sink"), RulesError, "'sink' is unknown.*hit, sunk, ship"),
        (("5x5", "3", "none", "hit", "name"), RulesError, "'name' is unknown.*none, length"),
        (("5", "3"), BoardError, "ROWSxCOLUMNS"),
        (("5x5", "x"), FleetError, "no ship length"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(args, error, why):
    with pytest.raises(error, match=why) as caught:
        Rules(*args)
    assert "\n" not in str(caught.value)


def test_a_ship_may_be_as_long_as_the_longer_side():
    assert Rules("1x5", "5").fleet.lengths == (5,)
    assert Rules("5x1", "5").fleet.lengths == (5,)


def test_choices_ignore_case():
    assert choose(AnswerMode, " SUNK ", "answer mode") is AnswerMode.SUNK
