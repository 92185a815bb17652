"""Sinkings whose ship can lie in several ways, compared with a list of all layouts."""

from __future__ import annotations

import numpy as np
import pytest

from seabattle.enumerate.answers import HIT, MISS, SUNK, SUNK_LENGTH, is_sunk
from seabattle.enumerate.counting.sinkings import open_sinkings
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable

GAMES = [
    Rules("4x4", "2,2", "sides", "sunk"),
    Rules("4x4", "2,2,1", "sides", "sunk"),
    Rules("3x5", "3,2,2", "sides", "sunk"),
    Rules("4x4", "3,2,2", "sides", "sunk", "none"),
    Rules("5x3", "2,2,2,1", "sides", "sunk", "none"),
    Rules("4x4", "3,2,1", "corners", "sunk"),
    Rules("4x4", "2,2", "none", "sunk", "none"),
]


def by_list(position: Position, layouts: list[list[int]]) -> list[tuple[str, int | None, set[str]]]:
    """The open sinkings by definition: the ship on the cell in every layout that answers so."""
    rules = position.rules
    placements = placement_table(rules).placements
    known = {sum(1 << cell for cell in ship) for ship in position.ships}
    lying: dict[int, set[str]] = {cell: set() for cell, code in position.shots if is_sunk(code)}
    for ships in layouts:
        masks = [placements[i].mask for i in ships]
        if not known <= set(masks) or not answers_so(position, masks):
            continue
        for cell in lying:
            lying[cell].add(
                str(next(placements[i] for i in ships if placements[i].mask >> cell & 1))
            )
    return [
        (rules.board.name(cell), code - SUNK_LENGTH if code >= SUNK_LENGTH else None, lying[cell])
        for cell, code in position.shots
        if is_sunk(code) and len(lying[cell]) > 1
    ]


def answers_so(position: Position, masks: list[int]) -> bool:
    """Whether a layout answers every shot as it was answered, in order."""
    shot = 0
    for cell, code in position.shots:
        shot |= 1 << cell
        if answer(position.rules, masks, shot, cell) != code:
            return False
    return True


def answer(rules: Rules, masks: list[int], shot: int, cell: int) -> int:
    ship = next((mask for mask in masks if mask >> cell & 1), 0)
    if not ship:
        return MISS
    if ship & ~shot:
        return HIT
    told = rules.contact.value == "sides" and rules.announce.value == "length"
    return SUNK_LENGTH + ship.bit_count() if told else SUNK


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_as_a_list_of_all_layouts_says(rules: Rules) -> None:
    layouts = DecisionTable.build(rules).layouts.ships.tolist()
    masks = [placement.mask for placement in placement_table(rules).placements]
    chance = np.random.default_rng(3)
    open_ones = 0
    for _ in range(40):
        hidden = [masks[i] for i in layouts[chance.integers(len(layouts))]]
        occupied = sum(hidden)
        position, shot = Position(rules), 0
        cells = sorted(
            chance.permutation(rules.board.cells).tolist(),
            key=lambda cell: not occupied >> cell & 1 and chance.random() < 0.8,
        )
        for cell in cells[: chance.integers(3, occupied.bit_count() + 4)]:
            shot |= 1 << cell
            position = position.shoot(cell, answer(rules, hidden, shot, cell))
        found = open_sinkings(position)
        expected = by_list(position, layouts)
        assert [(s.shot, s.length, set(s.ships)) for s in found] == expected
        assert all(len(set(s.ships)) == len(s.ships) for s in found)
        open_ones += len(found)
        for sinking in found:  # whichever is chosen, it is open no more
            for ship in sinking.ships:
                told = Position.read(rules, _shots(position), ships=[ship])
                left = open_sinkings(told)
                assert sinking.shot not in [other.shot for other in left]
                assert [(s.shot, s.length, set(s.ships)) for s in left] == by_list(told, layouts)
    assert bool(open_ones) == (rules.contact.value == "sides")


def _shots(position: Position) -> list[tuple[str | int, str | int]]:
    return list(position.shots)


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
