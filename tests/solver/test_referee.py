"""A referee answers as the rules say, hides by seed or prior, and takes no shot that is none."""

from __future__ import annotations

import random
from collections import Counter as Tally

import pytest
from twins import naive
from twins.naive_trees import spoken

from seabattle import (
    BoardError,
    LayoutError,
    PositionError,
    Referee,
    Rules,
    SeabattleError,
    enumerate_layouts,
    solve,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior

GAMES = [
    Rules("5x5", "3,2,2,1,1,1"),
    Rules("5x5", "3,2,1", answers="sunk"),
    Rules("4x5", "3,2,2", "sides", "sunk"),
    Rules("4x5", "3,2,2", "sides", "sunk", "none"),
    Rules("4x4", "2,2,1", "corners", "ship"),
    Rules("4x5", "2x2,xx/x.,1", answers="sunk"),
    Rules("3x4", "2,1", answers="sunk", blocked="A1,C3"),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_answers_are_those_of_the_rules(rules: Rules) -> None:
    rng = random.Random(1)
    mode, announce, contact = spoken(rules)
    table = placement_table(rules)
    for seed in range(5):
        referee = Referee(rules, seed=seed)
        assert Referee(rules, seed=seed).ships == referee.ships
        layout = frozenset(
            frozenset(table.placements[number].cells)
            for number in table.parse_layout(referee.ships)
        )
        cells = [c for c in range(rules.board.cells) if c not in rules.blocked]
        rng.shuffle(cells)
        shot: list[int] = []
        for cell in cells:
            if referee.over:
                break
            answer = referee.shoot(cell)
            assert answer == naive.answer(layout, shot, cell, mode, announce, contact)
            shot.append(cell)
        assert referee.position.shots == tuple(referee._game.shots)
        assert referee.misses == sum(answer == "miss" for _, answer in referee.shots)
        assert referee.over == (set().union(*layout) <= set(shot))


def test_the_answers_are_what_a_position_reads() -> None:
    referee = Referee(Rules("5x5", "3,2,1", answers="ship"), seed=3)
    while not referee.over:
        best = solve(referee.position).best_shots
        referee.shoot(best[0] if best else next(
            referee.rules.board.name(c) for c in referee._game.left()
        ))  # fmt: skip
    assert referee.misses <= solve(referee.rules).worst_misses


def test_seeds_draw_every_layout_alike_and_priors_by_their_weights() -> None:
    rules = Rules("1x4", "2")
    names = {str(Referee(rules, seed=seed).ships) for seed in range(40)}
    assert len(names) == len(enumerate_layouts(rules)) == 3
    prior = ProductPrior.of_cells(rules, [0, 0, 1, 1])
    drawn = Tally(str(Referee(rules, seed=seed, prior=prior).ships) for seed in range(20))
    assert list(drawn) == ["['C1:D1']"]
    first, second = Referee(rules), Referee(rules)
    assert first.seed is not None
    assert Referee(rules, seed=second.seed).ships == second.ships


def test_what_is_no_shot_is_refused_and_changes_nothing() -> None:
    referee = Referee(Rules("3x3", "2,1", answers="sunk", blocked="C3"), "A1:B1,A3")
    assert referee.salvo(["A1", "A2"]) == ["hit", "miss"]
    for wrong, error in (("A1", PositionError), ("C3", PositionError), ("D9", BoardError)):
        with pytest.raises(error, match=wrong):
            referee.shoot(wrong)
        with pytest.raises(error):
            referee.salvo(["B1", wrong])
    with pytest.raises(PositionError, match="B1"):
        referee.salvo(["B1", "B1"])
    assert referee.shots == [("A1", "hit"), ("A2", "miss")]
    assert referee.salvo(["B1", "A3"]) == ["sunk", "sunk"]
    assert referee.over
    with pytest.raises(PositionError, match="over after 4 shots"):
        referee.shoot("C1")
    assert "over" in repr(referee)


@pytest.mark.parametrize("ships", ["A1:A2", "A1:A2,A3", "A1:B1,C1,C2", "A1:Z9,C3"])
def test_ships_that_break_the_rules_are_refused(ships: str) -> None:
    with pytest.raises(SeabattleError):
        Referee(Rules("3x3", "2,1"), ships)
    with pytest.raises((LayoutError, BoardError)):
        Referee(Rules("3x3", "2,1"), ships)
