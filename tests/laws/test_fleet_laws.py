"""Laws of fleets: ships that may not be turned, and ships joined at corners."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import CONTACTS, Game, law, rules_drawn
from twins import naive

from seabattle import (
    Counter,
    DecisionTable,
    Fleet,
    FleetError,
    Rules,
    RulesError,
    advise,
    conflict,
    explorer_page,
    solve,
)
from seabattle.enumerate.position import Position


@law(150)
@given(rules_drawn())
def test_symmetries_are_those_of_the_board_that_keep_all_layouts(game: Game) -> None:
    """Of a fleet with fixed ships, too: found by moving every layout."""
    everything = set(game.everything)
    kept = [
        g
        for g in game.rules.board.symmetries
        if {
            frozenset(frozenset(g[cell] for cell in ship) for ship in layout)
            for layout in everything
        }
        == everything
    ]
    used = game.rules.symmetries
    assert used[0] == tuple(range(game.cells))
    assert set(used) <= set(kept)
    fixed = any(sign in game.fleet for sign in "hv=")
    assert fixed or game.blocked or len(used) == len(kept)


SHIPS = {2: ("2", "2h", "2v"), 3: ("xx/x.", "xx/x.=", ".x/xx=")}
DRAWINGS = {"2": "xx", "2h": "xx=", "2v": "x/x="}


@law(60)
@given(
    st.sampled_from([(2, 3), (3, 3), (3, 4)]),
    st.sampled_from(sorted(SHIPS)),
    st.lists(st.integers(0, 2), min_size=2, max_size=3),
    st.sampled_from(CONTACTS),
)
def test_ships_of_one_form_of_which_some_are_fixed(
    size: tuple[int, int], cells: int, drawn: list[int], contact: str
) -> None:
    """They are told apart from the others and alike among themselves."""
    rows, columns = size
    names = [SHIPS[cells][number] for number in drawn]
    assume(cells * len(names) <= rows * columns)
    kinds = sorted(set(names))
    ways = [naive.ships_of_form(rows, columns, DRAWINGS.get(kind, kind)) for kind in kinds]

    def laid(left: list[int], chosen: tuple[naive.Ship, ...]) -> Iterator[tuple[naive.Ship, ...]]:
        if not left:
            yield chosen
            return
        for some in combinations(sorted(ways[left[0]], key=sorted), names.count(kinds[left[0]])):
            ships = (*chosen, *some)
            pairs = combinations(ships, 2)
            if all(naive.may_stand(columns, a, b, contact) for a, b in pairs):
                yield from laid(left[1:], ships)

    found = list(laid(list(range(len(kinds))), ()))
    counter = Counter(Rules(f"{rows}x{columns}", ",".join(names), contact))
    assert counter.count() == len(found)
    if found:
        occupied = counter.map()
        assert list(occupied.cells) == [
            sum(cell in ship for ships in found for ship in ships) for cell in range(rows * columns)
        ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3h", "3h"), ("3V", "3v"), ("1x3=", "3h"), ("x/x/x=", "3v"), ("1h", "1"), ("2x2=", "2x2"),
        ("2x3=", "2x3="), ("3x2=", "3x2="), ("..x/.xx=", ".x/xx="), ("xx/x. , 2", "xx/x.,2"),
        ("x.x/.x.", "x.x/.x."), (".x/x.", "x./.x"), (".x/x.=", ".x/x.="),
        ("3v,3,3h,2x3=,3v", "2x3=,3,3h,3v,3v"),
    ],
)  # fmt: skip
def test_fleets_are_written_as_they_are_read(text: str, written: str) -> None:
    fleet = Fleet.parse(text)
    assert str(fleet) == written
    assert Fleet.parse(written) == eval(repr(fleet)) == fleet
    assert hash(Fleet.parse(written)) == hash(fleet)


@pytest.mark.parametrize("text", ["3=", "3hh", "3h=", "h", "x=", "xx/x.==", "x.x", "xx/...x=", "="])
def test_what_is_no_ship_is_refused(text: str) -> None:
    with pytest.raises(FleetError, match="fleet: "):
        Fleet.parse(f"{text},2")


def test_ships_that_do_not_fit_as_they_lie() -> None:
    assert Counter(Rules("2x4", "4h")).count() == 2
    with pytest.raises(FleetError, match="the ship 4v does not fit on the board 2x4"):
        Rules("2x4", "4v")


def test_a_lone_fixed_ship_is_solved_as_by_hand() -> None:
    """Three places in a row, two of which share the middle: one miss at most."""
    rules = Rules("1x4", "2h")
    assert solve(rules).total_misses == solve(Rules("1x4", "2")).total_misses
    assert len(Rules("4x4", "2h,2v").symmetries) == 8
    assert len(Rules("4x4", "2h,1").symmetries) == 4


def test_what_knows_ships_by_their_cells_refuses_ships_of_one_form_that_lie_differently() -> None:
    rules = Rules("4x4", "3,3h")
    with pytest.raises(FleetError, match="a decision table cannot tell a ship that may be turned"):
        DecisionTable.build(rules)
    assert advise(Position(rules)).map.layouts == Counter(rules).count()


def test_hits_do_not_show_what_is_sunk_where_ships_joined_at_corners_may_touch_there() -> None:
    for contact in ("none", "sides"):
        Rules("4x4", "x./.x,1", contact, "sunk")
    with pytest.raises(RulesError, match="hits do not show which ship is sunk"):
        Rules("4x4", "x./.x,1", "corners", "sunk")
    told = Position.in_order(Rules("4x4", "x./.x,2", answers="sunk"), "A1 hit, B2 sunk, C3 hit")
    found = conflict(told)
    assert found is not None
    assert found.contact_that_fits == "sides"


def test_the_page_of_trees_refuses_ships_joined_at_corners() -> None:
    with pytest.raises(RulesError, match="joined at corners only"):
        explorer_page([solve(Rules("3x3", "x./.x")).tree])
