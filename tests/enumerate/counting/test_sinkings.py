"""Sinkings whose ship can lie in several ways, compared with a list of all layouts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.games import Game, law

from seabattle.enumerate.counting.sinkings import open_sinkings
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

GAMES = [
    Game("4x4", "2,2", "sides", "sunk"),
    Game("4x4", "2,2,1", "sides", "sunk"),
    Game("3x4", "3,2", "sides", "sunk"),
    Game("4x4", "3,2", "sides", "sunk", "none"),
    Game("5x3", "2,2,1", "sides", "sunk", "none"),
    Game("4x4", "3,2,1", "corners", "sunk"),
]


@law(200)
@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
def test_as_a_list_of_all_layouts_says(game: Game, chance: Random) -> None:
    """The ships on the cell in every layout that fits; whichever is chosen, it is open no more."""
    hidden = chance.choice(game.everything)
    cells = sorted(cell for ship in hidden for cell in ship)
    cells = chance.sample(cells, chance.randint(3, len(cells)))
    for cell in dict.fromkeys([*chance.sample(range(game.cells), 2), *cells]):
        game = game.shoot(cell, hidden)
    rules, expected = game.rules, {}
    for cell, told in game.history:
        ships = {ship for layout in game.possible for ship in layout if cell in ship}
        if told.startswith("sunk") and len(ships) > 1:
            expected[rules.board.name(cell)] = ships
    found = open_sinkings(game.position)
    placed = [[frozenset(Placement.parse(s, rules.board).cells) for s in f.ships] for f in found]
    assert {f.shot: set(ships) for f, ships in zip(found, placed, strict=True)} == expected
    assert all(len(set(ships)) == len(ships) for ships in placed)
    for sinking in found:
        for ship in sinking.ships:
            known = Position.read(rules, list(game.position.shots), ships=[ship])
            assert sinking.shot not in [other.shot for other in open_sinkings(known)]


def test_the_document_and_other_modes() -> None:
    rules = Rules("4x4", "2,2", "sides", "sunk")
    told = Position.in_order(rules, "A1 hit, B2 hit, A2 sunk=2")
    assert [sinking.document() for sinking in open_sinkings(told)] == [
        {"shot": "A2", "length": 2, "ships": ["A2:B2", "A1:A2"]}
    ]
    assert open_sinkings(Position.in_order(rules.answering("hit"), "A1 hit, B2 hit")) == ()
    assert open_sinkings(Position(rules)) == ()


def test_answers_that_no_layout_fits_are_refused() -> None:
    rules = Rules("4x4", "2,2", "sides", "sunk")
    with pytest.raises(PositionError):
        open_sinkings(Position.in_order(rules, "A1 sunk=2, B2 hit"))
