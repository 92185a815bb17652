"""Conflicts: the answers named cannot stand together, and none of them can be left out.

On small boards a twin lists all layouts and checks the definition word by word: a set of answers
stands if some layout would have given each of them, all shots being made in their order.
"""

from __future__ import annotations

import pytest

from seabattle.enumerate.counting.conflict import GIB_TO_WEIGH, conflict
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

RUSSIAN, HASBRO = Rules(fleet="russian"), Rules(fleet="hasbro")
BY_HAND = [
    (RUSSIAN, "C4 hit, A1 miss, J7 miss, D5 hit", "C4 hit, D5 hit"),
    (RUSSIAN, "C4 hit, J9 miss, C5 sunk, A1 miss, C6 hit", "C5 sunk, C6 hit"),
    (RUSSIAN, "A5 hit, A6 hit, J1 miss, J3 miss, A7 hit, A8 hit",
     "A5 hit, A6 hit, A7 hit, A8 hit"),
    (RUSSIAN, "A1 sunk, C1 sunk, E1 sunk, G1 sunk, J5 miss, A3 miss, I1 sunk",
     "A1 sunk, C1 sunk, E1 sunk, G1 sunk, I1 sunk"),
    (RUSSIAN, "E5 hit, A1 miss, E4 miss, D5 miss, J2 miss, F5 miss, E6 miss",
     "E5 hit, E4 miss, D5 miss, F5 miss, E6 miss"),
    (HASBRO, "J1 miss, E5 hit, A1 miss, E4 miss, D5 miss, J2 miss, F5 miss, E6 miss",
     "E5 hit, E4 miss, D5 miss, F5 miss, E6 miss"),
    (HASBRO, "C4 hit, C5 hit, C6 sunk:3, D4 hit, A1 miss, E4 sunk:3", "C6 sunk:3, E4 sunk:3"),
    (HASBRO, "C4 hit, C5 sunk:2, J1 miss, H4 hit, H5 sunk:2", "C5 sunk:2, H5 sunk:2"),
    (HASBRO, "A1 miss, C5 sunk:2", "C5 sunk:2"),
    # Whatever A1 was, the ship at B1 can only be A1:B1 and be number 1, or the only one hit.
    (Rules("3x2", "2,2", "sides", "ship"), "A1 hit=2#1, B1 hit=2#2, B2 miss",
     "B1 hit=2#2, B2 miss"),
    # A number needs an earlier hit, of which an answer left out says nothing.
    (Rules("3x2", "2,2", "sides", "ship"), "A1 miss, B1 hit=2#2", "A1 miss, B1 hit=2#2"),
    (Rules("3x2", "2,2", "sides", "ship"), "B1 hit=2#2", "B1 hit=2#2"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "shots", "expected"), BY_HAND)
def test_conflicts_on_full_boards(rules: Rules, shots: str, expected: str) -> None:
    found = conflict(Position.in_order(rules, shots))
    assert found is not None
    assert len(found.shots) == len(expected.split(", "))
    assert found.shots[-1] == len(found.position.shots)
    for cell, told in found.changes:
        assert conflict(found.position.change(cell, told)) is None


def test_a_conflict_tells_what_it_is() -> None:
    position = Position.in_order(RUSSIAN, "C4 hit, A1 miss, J7 miss, D5 hit")
    found = conflict(position)
    assert found is not None
    assert (str(found), repr(found)) == ("C4 hit, D5 hit", "<conflict of C4 hit, D5 hit>")
    assert found.answers == (("C4", "hit"), ("D5", "hit"))
    assert found.document() | {"changes": sorted(map(list, found.changes))} == {
        "answers": [["C4", "hit"], ["D5", "hit"]],
        "shots": [1, 4],
        "ships": [],
        "least": True,
        "contact_that_fits": "corners",
        "changes": [["C4", "miss"], ["D5", "miss"]],
    }
    assert conflict(RUSSIAN) is None
    assert conflict(position.undo()) is None
    with pytest.raises(FleetError, match="does not fit"):
        conflict(Rules("3x3", "1,1,1,1,1"))


def test_a_conflict_stays_when_more_is_told() -> None:
    position = Position.in_order(RUSSIAN, "C4 hit, A1 miss, D5 hit, J9 hit, J10 sunk, I9 hit")
    found = conflict(position)
    assert found is not None
    assert str(found) == "C4 hit, D5 hit"
    after = conflict(position.change("D5", "miss"))
    assert str(after) == "J9 hit, I9 hit" or str(after) == "J10 sunk, I9 hit"


def test_a_hint_comes_in_time_even_where_little_can_be_left_out() -> None:
    """Ten ships, and all sixty cells A1 to J6 missed: they do not fit below."""
    shots = ", ".join(f"{column}{row} miss" for row in range(1, 7) for column in "ABCDEFGHIJ")
    found = conflict(Position.in_order(RUSSIAN, shots))
    assert found is not None
    assert not found.least
    assert found.answers[-1] == ("J6", "miss") or len(found.shots) < 60


def test_what_takes_long_to_count_is_not_weighed() -> None:
    rules = Rules("10x9", "xxx/.x./.x.,4,4,4,xx/x.,xx./..x,2,1", "sides", "sunk")
    assert Counter(rules, memory_limit=GIB_TO_WEIGH).too_large
    found = conflict(Position.in_order(rules, "A1 sunk:1, A9 sunk:1"), time_limit=60)
    assert found is not None
    assert len(found.changes) > 1


def test_no_fleet_fits_where_no_ship_does() -> None:
    with pytest.raises(FleetError, match="fleet 2 does not fit"):
        conflict(Rules("1x3", "2", blocked="B1"))


def test_no_change_takes_a_cell_from_a_sunk_ship_that_is_known() -> None:
    rules = Rules("3x3", "2,1", "sides", "sunk", "none")
    found = conflict(Position.of_cells(rules, sunk=["A1:A2", "B1"], hit=["C1"]))
    assert found is not None
    assert ("C1", "miss") in found.changes
    assert "A1" in [cell for cell, _ in found.changes]
    assert ("A1", "miss") not in found.changes
