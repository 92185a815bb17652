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
    Match,
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
    referee = Referee(Rules("4x4", "3,2,1", answers="ship"), seed=3)
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


def test_ships_may_be_given_by_number() -> None:
    rules = Rules("3x3", "2,1", answers="sunk")
    for row in enumerate_layouts(rules).ships:
        assert Referee(rules, row).ships == placement_table(rules).names(row)
    with pytest.raises(LayoutError, match="placements 0, 1 are no layout"):
        Referee(rules, [1, 0])


class Sides:
    """A match told by hand: what is hidden, whose turn it is, and what is left."""

    def __init__(self, rules: Rules, ships: list[list[str]]) -> None:
        table = placement_table(rules)
        numbers = [table.parse_layout(each) for each in ships]
        self.fleets = [[set(table.placements[n].cells) for n in each] for each in numbers]
        self.open = [set(range(rules.board.cells)) - set(rules.blocked) for _ in ships]
        self.turn = 0

    def afloat(self, side: int) -> int:
        return sum(bool(ship & self.open[side]) for ship in self.fleets[side])


@pytest.mark.parametrize(
    "turns", [{}, {"again": True}, {"salvo": True}], ids=["by turns", "again", "salvo"]
)
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_match_keeps_turns(rules: Rules, turns: dict[str, bool]) -> None:
    """Side 0 shoots at fleet 0 and owns fleet 1; by turns, again after a hit, or by salvos."""
    rng = random.Random(2)
    for seed in range(4):
        referees = Referee(rules, seed=seed), Referee(rules, seed=seed + 50)
        match = Match(*referees, **turns)
        sides = Sides(rules, [referee.ships for referee in referees])
        while not match.over:
            assert (match.turn, match.winner) == (sides.turn, None)
            target, own = sides.turn, 1 - sides.turn
            allowed = 1
            if "salvo" in turns:
                allowed = min(sides.afloat(own), len(sides.open[target]))
            assert match.allowed == allowed
            cells = rng.sample(sorted(sides.open[target]), allowed)
            with pytest.raises(PositionError, match=f"the turn has {allowed} shots, not 0"):
                match.salvo([])
            answers = match.salvo(cells)
            sides.open[target] -= set(cells)
            assert [answer != "miss" for answer in answers] == [
                any(cell in ship for ship in sides.fleets[target]) for cell in cells
            ]
            hit_again = "again" in turns and answers != ["miss"]
            if sides.afloat(target) and not hit_again:
                sides.turn = own
        assert match.winner == sides.turn
        assert (sides.afloat(sides.turn), referees[sides.turn].over) == (0, True)
        with pytest.raises(PositionError, match=f"side {sides.turn} has won"):
            match.shoot("A1")
        assert f"won by side {sides.turn}" in repr(match)


def test_ships_that_are_given_are_not_drawn() -> None:
    with pytest.raises(SeabattleError, match="give the ships, or a seed"):
        Referee(Rules("5x5", "3"), ["A1:A3"], seed=3)


def test_a_match_that_is_none_is_refused() -> None:
    rules = Rules("3x3", "2,1")
    one, other = Referee(rules, seed=1), Referee(rules, seed=2)
    with pytest.raises(PositionError, match="not with both"):
        Match(one, other, again=True, salvo=True)
    with pytest.raises(PositionError, match="two referees"):
        Match(one, one)
    match = Match(one, other)
    match.shoot("A1")
    with pytest.raises(PositionError, match="A1 was shot before"):
        (match.shoot("A1"), match.shoot("A1"))
    with pytest.raises(PositionError, match="not shot at yet"):
        Match(one, other)
