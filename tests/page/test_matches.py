"""The page's matches are answered and turned as those of two referees."""

from __future__ import annotations

import random

import pytest
from support.page_desk import Desk

from seabattle import Match, Referee, Rules

GAMES = [
    Rules("4x4", "3,2,1"),
    Rules("4x4", "2,1,1", answers="sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("3x4", "2,2", "sides", "ship"),
    Rules("3x4", "2,1", answers="sunk", blocked="A1,C3"),
]


@pytest.mark.parametrize("again", [False, True], ids=["by turns", "again"])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_match_is_that_of_two_referees(page: Desk, rules: Rules, again: bool) -> None:
    rng = random.Random(4)
    mine = Referee(rules, seed=9).ships
    cells = [name for name in map(rules.board.name, range(rules.board.cells))
             if rules.board.cell(name) not in rules.blocked]  # fmt: skip
    for first in ("you", "program"):
        rng.shuffle(cells)
        terms = {"ships": mine, "player": "easy", "first": first, "again": again}
        played = page.ask("begin", rules.document(), hide="random", **terms)
        for cell in cells:
            if played["turn"]:
                played = page.ask("shoot", {"match": played, "shot": cell})
        sides = ["you", "program"] if first == "you" else ["program", "you"]
        shots = {"you": iter(played["yours"]["shots"]), "program": iter(played["program"]["shots"])}
        hidden = {"you": played["its_ships"], "program": played["your_ships"]}
        match = Match(*(Referee(rules, hidden[side]) for side in sides), again=again)
        for side in played["order"]:
            assert sides[match.turn] == side
            cell, answer = next(shots[side])
            assert match.shoot(cell) == answer
        assert match.winner == sides.index(played["winner"])
