"""Bounds in the middle of a game: shots that must hit, and the mean, beside plain twins."""

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.examples import examples

from seabattle import (
    Position,
    PositionError,
    Rules,
    RulesError,
    SeabattleError,
    enumerate_layouts,
    miss_bound,
    open_water,
    solve,
)
from seabattle.enumerate.answers import MISS
from seabattle.enumerate.layouts import answers_to, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.solver.studies.bound import game_left

quick = examples(40)

BOARDS = ("1x7", "2x4", "3x3", "2x5", "3x4")
FLEETS = ("3", "2", "2,1", "3,2", "2,2", "1,1", "2x2,1", "xx/x.,1", "3,1,1")


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A small game in which some shots were answered as a layout answers them."""
    rules = (
        draw(st.sampled_from(BOARDS)), draw(st.sampled_from(FLEETS)),
        draw(st.sampled_from(("none", "corners", "sides"))), draw(st.sampled_from(("hit", "sunk"))),
    )  # fmt: skip
    try:
        layouts = enumerate_layouts(Rules(*rules))
    except ValueError:  # it does not fit
        assume(False)
    game = layouts.rules
    hidden = layouts.ships[draw(st.integers(0, len(layouts) - 1))][None]
    shots = draw(st.permutations(range(game.board.cells)))[: draw(st.integers(0, 4))]
    position = Position(game)
    for number in range(len(shots)):
        answer = int(answers_to(game, hidden, shots[: number + 1])[0])
        position = position.shoot(shots[number], answer)
    return position


def cells_left(position: Position) -> list[int]:
    """The cells of each layout that fits, as masks, without those that were hit."""
    layouts = enumerate_layouts(position.rules)
    table, keep = placement_table(position.rules), fitting(position, layouts)
    masks = [sum(table.own[n] for n in row) for row in layouts.ships[keep == 1].tolist()]
    return [mask & ~position.hit_mask for mask in masks]


@quick
@given(positions())
def test_the_fewest_shots_that_must_hit_are_those_of_trying_every_set(position: Position) -> None:
    left = cells_left(position)
    if not all(left):
        with pytest.raises(PositionError):
            open_water(position)
        return
    found = open_water(position)
    board = position.rules.board
    mask = board.mask(found.cells)
    assert all(mask & layout for layout in left)
    assert not mask & position.shot_mask
    fewest = next(
        size
        for size in range(1, board.cells + 1)
        if any(
            all(sum(1 << c for c in cells) & layout for layout in left)
            for cells in combinations(range(board.cells), size)
        )
    )
    assert found.must_hit_at_least == found.must_hit == len(found.cells) == fewest


@quick
@given(positions())
def test_the_game_left_has_the_layouts_left_and_its_bound_holds(position: Position) -> None:
    try:
        rules = game_left(position)
    except PositionError:
        assert position.hit_mask
        return
    left = cells_left(position)
    layouts = enumerate_layouts(rules)
    own = placement_table(rules).own
    assert sorted(left) == sorted(sum(own[n] for n in row) for row in layouts.ships.tolist())
    try:
        bound = miss_bound(position)
    except RulesError:
        assert not rules.fleet.all_lines
        return
    assert bound.layouts == len(left)
    assert bound.total_misses <= solve(position).total_misses


@pytest.mark.parametrize(
    ("game", "shots", "fewest"),
    [
        (("1x5", "2", "sides"), "C1 miss", 2),  # Codeforces 738D, both samples
        (("1x13", "2,2,2", "sides"), "A1 miss, I1 miss, M1 miss", 2),
        (("10x10", "4,3"), "", 24),
        (("10x10", "4,3", "sides"), "", 24),
        (("5x5", "3,2"), "C3 hit", 4),
        (("5x5", "3"), "C2 hit, C3 hit", 2),
    ],
)
def test_published_and_plain_cases(game: tuple[str, ...], shots: str, fewest: int) -> None:
    rules = Rules(*game)
    found = open_water(Position.in_order(rules, shots) if shots else Position(rules))
    assert (found.must_hit_at_least, found.must_hit) == (fewest, fewest)


def test_missed_cells_need_no_mean_of_their_own() -> None:
    """Misses alone leave a game whose missed cells are blocked."""
    position = Position(Rules("4x4", "2,1", answers="sunk")).shoot("B2", MISS)
    assert (
        miss_bound(position).mean_misses
        == miss_bound(Rules("4x4", "2,1", answers="sunk", blocked="B2")).mean_misses
    )


@pytest.mark.parametrize(
    ("game", "shots", "why"),
    [
        (("1x4", "2,2"), "", "does not fit"),
        (("4x4", "1,1,1,1,1,1,1"), "", "does not fit"),
        (("1x7", "2,2,2", "sides"), "D1 miss", "no layout of 2,2,2 fits"),
        (("5x5", "3,2,2"), "A3 miss, B3 miss, C3 miss, D3 miss, E3 miss, C1 miss, C5 miss, "
                           "C2 miss, C4 miss", "no layout of 3,2,2 fits"),
        (("1x5", "2,1", "sides"), "B1 hit, C1 hit, D1 hit", "every ship is sunk"),
        (("2x3", "2,2,1", "sides"), "A1 hit, B1 hit, A2 hit, B2 hit, C2 hit", "every ship is sunk"),
    ],
)  # fmt: skip
def test_where_no_layout_fits_or_none_is_left_no_shot_must_hit(
    game: tuple[str, ...], shots: str, why: str
) -> None:
    rules = Rules(*game)
    with pytest.raises(SeabattleError, match=why):
        open_water(Position.in_order(rules, shots) if shots else Position(rules))


def test_hits_that_fill_a_fleet_beside_cells_that_no_ship_can_have() -> None:
    """The one ship that fits nowhere else would be looked for where nothing lies."""
    rules = Rules("2x3", "2,1", contact="sides", blocked="B1,A2")
    position = Position.in_order(rules, "C1 hit, C2 hit, B1 miss, B2 hit, A2 miss")
    with pytest.raises(PositionError, match="every ship is sunk"):
        open_water(position)
