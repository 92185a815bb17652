"""Positions: histories of shots and answers, and the layouts that fit them."""

import pytest

from seabattle.enumerate.answers import HIT, MISS
from seabattle.enumerate.errors import PositionError, RulesError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules


@pytest.mark.parametrize(
    ("contact", "answers", "shots", "why"),
    [
        ("none", "sunk", [("A2", "sunk"), ("A1", "hit")], "A2: no ship can"),
        (
            "corners",
            "sunk",
            [("A1", "sunk"), ("C1", "miss"), ("B1", "hit")],
            "A1: no ship can",
        ),
        ("none", "ship", [("A1", "hit:2#2"), ("C1", "hit:2#1")], "equal ships are numbered"),
        ("sides", "ship", [("A1", "hit:2#2"), ("B1", "hit:2#1")], "equal ships are numbered"),
    ],
)
def test_a_sequence_that_cannot_be_is_fine_where_it_is_none(contact, answers, shots, why):
    rules = Rules("4x4", "2,2", contact, answers)
    layouts = enumerate_layouts(rules)
    with pytest.raises(PositionError, match=why):
        fitting(Position.read(rules, shots), layouts)
    unordered = fitting(Position.read(rules, shots, ordered=False), layouts)
    turned = fitting(Position.read(rules, shots[::-1]), layouts)
    assert unordered.tolist() == turned.tolist()


@pytest.mark.parametrize(
    ("answers", "contact", "shots", "error", "why"),
    [
        ("hit", "none", [("A1", "hit"), ("a1", "hit")], PositionError, "A1 is given twice"),
        ("hit", "none", [("A1", "sunk")], PositionError, "whose answers are miss, hit$"),
        ("sunk", "none", [("A1", "sunk:2")], PositionError, "hits there are a ship of length 1"),
        ("sunk", "sides", [("A1", "sunk")], PositionError, "miss, hit, sunk:3, sunk:2$"),
        ("ship", "none", [("A1", "hit:2#2")], PositionError, "'hit:2#2' does not belong"),
        ("hit", "none", [("A1", "bang")], RulesError, "answer 'bang'"),
    ],
)
def test_histories_that_make_no_sense_are_refused(answers, contact, shots, error, why):
    with pytest.raises(error, match=why) as caught:
        Position.read(Rules("5x5", "3,2", contact, answers), shots)
    assert "\n" not in str(caught.value)


def test_shots_are_added_taken_back_and_corrected():
    rules = Rules("5x5", "3,2,1", answers="sunk")
    start = Position(rules)
    one = start.shoot("C3", "miss")
    three = one.shoot(0, "hit").shoot("a2", 2)
    assert start.shots == (), "positions never change"
    assert three == Position.in_order(rules, "C3 miss, A1 hit, A2 sunk")
    assert three == Position.in_order(rules, "C3\tmiss,A1  hit, A2 sunk")
    assert three == Position.in_order(rules, "C3 miss; A1 hit; A2 sunk")
    assert (three.undo(2), three.undo(0), three.undo(3)) == (one, three, start)
    assert three.change("C3", "hit").shots == ((12, HIT), (0, HIT), (5, 2))
    assert three.without("A1").shots == ((12, MISS), (5, 2))
    assert Position(rules, [("C3", "miss")]) == Position.read(rules, [(12, 0)]) == one
    sides = Position(Rules("5x5", "3,2,1", "sides", "sunk"))
    assert sides.shoot("A1", "sunk=1") == sides.shoot("A1", "sunk:1")


def test_ships_are_numbered_anew_when_a_shot_is_taken_back():
    rules = Rules("5x5", "2,2,2", answers="ship")
    text = "A1 hit:2#1, C1 hit:2#2, E5 miss, E1 hit:2#3, C2 hit:2#2"
    position = Position.in_order(rules, text)
    told = "C1 hit:2#1, E5 miss, E1 hit:2#2, C2 hit:2#1"
    assert position.without("A1") == Position.in_order(rules, told)
    assert position.change("A1", "miss") == Position.in_order(rules, f"A1 miss, {told}")
    assert position.without("E5").shots == tuple(s for s in position.shots if s[0] != 24)
    listed = Position(rules, position.shots[::-1], ordered=False)
    assert listed.without("A1").shots == position.without("A1").shots[::-1]
    for left in (position.without("A1"), position.change("A1", "miss"), listed.without("A1")):
        assert fitting(left, enumerate_layouts(rules)).any()


def test_a_ship_known_goes_with_its_shots():
    rules = Rules("4x4", "2,2", "sides", "sunk")
    position = Position.of_cells(rules, miss=["C3"], sunk=["A1:A2"])
    assert position.shoot("D4", "miss").ships == position.ships == ((0, 4),)
    assert position.without("C3").ships == ((0, 4),)
    assert position.without("A2").ships == position.undo().ships == ()
    assert not position.undo().ordered
    with pytest.raises(PositionError, match="sunk ship A1:A2: its cell A1 is not hit"):
        position.change("A1", "miss")


@pytest.mark.parametrize(
    ("rules", "written", "told"),
    [
        (Rules("5x5", "3,2,1", answers="sunk"), "Hit", "hit"),
        (Rules("5x5", "3,2,1", answers="sunk"), "sunk=1", "sunk"),
        (Rules("5x5", "3,2,1", answers="sunk"), "Killed", "sunk"),
        (Rules("5x5", "3,2,1", answers="sunk"), " MISS ", "miss"),
        (Rules(fleet="hasbro"), "sunk 3", "sunk:3"),
        (Rules("5x5", "3,2,1", answers="ship"), "HIT = 3 # 1", "hit:3#1"),
    ],
)
def test_answers_are_read_as_people_write_them(rules: Rules, written: str, told: str) -> None:
    expected = Position(rules).shoot("A1", told)
    assert Position(rules).shoot("A1", written) == expected
    assert Position.in_order(rules, f"A1 {written}") == expected
    assert Position.read(rules, [("A1", written)]) == expected
