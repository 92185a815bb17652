"""Conflicts: the answers named cannot stand together, and none of them can be left out.

On small boards a twin lists all layouts and checks the definition word by word: a set of answers
stands if some layout would have given each of them, all shots being made in their order.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, permutations

import pytest
from twins import naive
from twins.naive_trees import naive_rows, spoken

from seabattle.enumerate.answers import answer_code, answer_text, possible_answers
from seabattle.enumerate.counting.conflict import Conflict, conflict
from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules

GAMES = [
    Rules("3x3", "3,1,1", "none", "hit"),
    Rules("2x5", "3,2", "corners", "hit"),
    Rules("2x3", "2,2", "sides", "hit"),
    Rules("4x4", "2,1,1", "none", "sunk"),
    Rules("3x4", "3,2,1", "corners", "sunk"),
    Rules("3x3", "3,2", "sides", "sunk", "length"),
    Rules("3x4", "2,2,1", "sides", "sunk", "length"),
    Rules("3x4", "3,2", "sides", "sunk", "none"),
    Rules("3x4", "2,1,1", "none", "ship"),
    Rules("3x3", "2,2,1", "corners", "ship"),
    Rules("3x3", "2,2,2", "sides", "ship"),
]


class Twin:
    """Sets of the answers of a position, judged by listing layouts and, if unknown, orders."""

    def __init__(self, position: Position) -> None:
        rules = position.rules
        self.told = [code for _, code in position.shots]
        cells = [cell for cell, _ in position.shots]
        orders = [cells] if position.ordered else permutations(cells)
        ships = [frozenset(ship) for ship in position.ships]
        found = set()
        for order in orders:
            for layout in rows(rules):
                given = {
                    cell: naive.answer(layout, order[:i], cell, *spoken(rules))
                    for i, cell in enumerate(order)
                }
                right = [self.same(given[c], t) for c, t in zip(cells, self.told, strict=True)]
                known = [ship in layout for ship in ships]
                found.add(frozenset(i for i, good in enumerate([*right, *known]) if good))
        self.met = found
        self.size = len(self.told) + len(ships)

    @staticmethod
    def same(given: str, told: int) -> bool:
        """Whether an answer given is the one told, whose length may have been left unsaid."""
        return answer_code(given) == told or (told == 2 and given.startswith("sunk"))

    def stands(self, kept: frozenset[int]) -> bool:
        return any(kept <= met for met in self.met)

    def least(self) -> int:
        """Least size of a set that does not stand."""
        return next(
            size
            for size in range(self.size + 1)
            if any(not self.stands(frozenset(s)) for s in combinations(range(self.size), size))
        )


@cache
def rows(rules: Rules) -> list[naive.Layout]:
    """All layouts in an order that does not change between runs."""
    return naive_rows(rules)


def random_position(rules: Rules, rng: random.Random, most: int, *, ordered: bool) -> Position:
    """Answers of a layout, some of them changed at random."""
    layout = rng.choice(rows(rules))
    cells = rng.sample(range(rules.board.cells), rng.randint(1, min(most, rules.board.cells)))
    shots = [
        (cell, naive.answer(layout, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]
    wrong = rng.uniform(0.3, 1)
    made = [
        (c, rng.choice(possible_answers(rules)) if rng.random() < wrong else told)
        for c, told in shots
    ]
    return Position(rules, made, ordered)


def upto(position: Position, number: int) -> Position:
    """The beginning of a position: unordered shots stay made, so only ordered ones are cut."""
    return Position(position.rules, position.shots[:number], position.ordered)


def check(position: Position) -> Conflict | None:
    twin = Twin(position)
    found = conflict(position)
    everything = frozenset(range(twin.size))
    assert (found is None) == twin.stands(everything)
    if found is None or position.rules.answers is AnswerMode.SHIP:  # there numbers matter, too
        return found
    number = len(position.shots)
    named = frozenset(shot - 1 for shot in found.shots)
    named |= {number + position.ship_names.index(ship) for ship in found.ships}
    assert not twin.stands(named)
    for one in named:
        assert twin.stands(named - {one})
    return found


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_conflict_is_one_and_irreducible(rules: Rules) -> None:
    rng = random.Random(str(rules))
    conflicts = 0
    for _ in range(60):
        position = random_position(rules, rng, 8, ordered=True)
        found = check(position)
        if found is None:
            continue
        conflicts += 1
        newest = found.shots[-1]
        assert Twin(upto(position, newest - 1)).stands(frozenset(range(newest - 1)))
        if found.least:
            assert len(found.shots) == Twin(upto(position, newest)).least()
        assert found.answers == tuple(
            (rules.board.name(position.shots[n - 1][0]), answer_text(position.shots[n - 1][1]))
            for n in found.shots
        )
    assert conflicts > 15


@pytest.mark.parametrize(
    "rules",
    [rules if rules.board.cells < 12 else pytest.param(rules, marks=pytest.mark.slow)
     for rules in GAMES],
    ids=str,
)  # fmt: skip
def test_where_the_order_is_not_known(rules: Rules) -> None:
    rng = random.Random(f"unordered {rules}")
    conflicts = sum(
        check(random_position(rules, rng, 5, ordered=False)) is not None for _ in range(20)
    )
    assert conflicts >= 2


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
    with pytest.raises(FleetError, match="no layout on the board"):
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


def test_no_change_takes_a_cell_from_a_sunk_ship_that_is_known() -> None:
    rules = Rules("3x3", "2,1", "sides", "sunk", "none")
    found = conflict(Position.of_cells(rules, sunk=["A1:A2", "B1"], hit=["C1"]))
    assert found is not None
    assert ("C1", "miss") in found.changes
    assert "A1" in [cell for cell, _ in found.changes]
    assert ("A1", "miss") not in found.changes
