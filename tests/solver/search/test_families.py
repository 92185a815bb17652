"""The exact search of each family of answers: known answers, and what holds nowhere else.

``test_exact_search`` has what holds in every mode.
"""

from __future__ import annotations

import pytest
from support.search_games import search_of
from twins import naive
from twins.naive_trees import naive_layouts, spoken

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.endgame import endgame
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.solve import solve


def test_plain_search_visits_every_sub_table() -> None:
    problem = as_problem(Rules("4x4", "3,2,1"))
    plain = search_of(problem.without_symmetry(), options=SearchOptions.plain())
    assert plain.minimize().misses == 605
    assert plain.states + len(problem) == graph_size(problem.table).vertices == 42290


def test_answers_with_names_take_forty_cells_on_which_ships_may_lie() -> None:
    """Hits among them, whatever the size of the board; an endgame takes more."""
    rules = Rules("6x7", "2", answers="ship")
    one = Position.of_cells(rules, miss=["A1"])
    with pytest.raises(TooLargeError, match=r"41 cells of .* the limit with .*'ship' is 40 "):
        as_problem(one)
    assert as_problem(Position.of_cells(rules, miss=["A1", "G6"])).cells == 40
    assert as_problem(Rules("5x8", "2", answers="ship")).cells == 40
    assert as_problem(Rules("6x7", "2")).cells == 42
    ends = [
        endgame(Position.of_cells(Rules("6x7", "5", answers=a), miss=["A1"]))
        for a in ("hit", "ship")
    ]
    assert ends[0].total_misses == ends[1].total_misses  # of one ship its name tells nothing


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError, match=r"42 cells of .* the limit with .*'ship' is 40 "):
        solve(Rules("6x7", "7", answers="ship"))
    # 17 digits of base 17 do not fit in a word, 18 layouts or not; 13 digits of base 13 do.
    with pytest.raises(TooLargeError, match=r"answer mode 'ship'.* smaller fleets"):
        solve(Rules("1x34", [1] * 17, answers="ship"))
    assert solve(Rules("1x26", [1] * 13, answers="ship")).layouts == 14
    with pytest.raises(TooLargeError, match=r"'sunk' under contact rule 'sides' up to 16384"):
        solve(Rules("5x5", "3,2,1", "sides", "sunk"))


CERTAIN_HITS_CAN_WAIT = [
    ("1x6", "3,2", 2, 3), ("1x9", "2,2,2,2", 2, 4), ("2x3", "2,2", 11, 12),
    ("2x3", "2,2,1", 13, 14), ("2x4", "2,2,2", 27, 29), ("1x9", "3,2,2", 24, 26),
]  # fmt: skip


@pytest.mark.parametrize("announce", ["none", "length"])
@pytest.mark.parametrize(("board", "fleet", "free", "first"), CERTAIN_HITS_CAN_WAIT)
def test_certain_hits_are_not_shot_first_in_the_open_mode(
    board: str, fleet: str, announce: str, free: int, first: int
) -> None:
    """Shooting a certain hit early gives away what its answer would have told later."""
    rules = Rules(board, fleet, "sides", "sunk", announce)
    found, (mode, _, contact) = naive_layouts(rules), spoken(rules)
    at_once = naive.Search(found, mode, announce, contact, certain_hits_first=True)
    assert naive.objectives(at_once.optimum())["mean"] == first
    assert solve(rules).total_misses == free


def test_a_certain_hit_can_be_a_bad_shot() -> None:
    rules = Rules("1x7", "2,2,2", "sides", "sunk")
    position = Position.read(rules, [("D1", "hit"), ("B1", "hit")])
    assert as_problem(position).certain == rules.board.mask([1, 3, 5])
    solution = solve(position, values=True)
    assert solution.values is not None
    assert solution.values[5] == 3
    assert solution.total_misses == 2
    assert "F1" not in solution.best_shots


@pytest.mark.parametrize("announce", ["none", "length"])
def test_the_order_of_shots_matters_in_the_open_mode(announce: str) -> None:
    rules = Rules("3x3", "3,2", "sides", "sunk", announce)
    sunk = "sunk" if announce == "none" else "sunk:2"
    told = {
        order: len(as_problem(Position.read(rules, order)))
        for order in [
            (("C3", "hit"), ("B3", sunk), ("A3", "hit")),
            (("C3", "hit"), ("A3", "hit"), ("B3", sunk)),
        ]
    }
    assert list(told.values()) == ([1, 9] if announce == "none" else [1, 2])


def test_symmetries_are_those_of_the_layouts_one_by_one() -> None:
    for rules in (Rules("4x4", "2,2,1", answers="sunk"), Rules("3x4", "3,2", "sides", "sunk"),
                  Rules("3x5", "1,1,1,1", "sides", "ship")):  # fmt: skip
        problem = Problem(as_problem(rules).table)
        rows = {frozenset(row): i for i, row in enumerate(problem.ships[:, :, 0].tolist())}
        images = problem.row_images()
        assert len(problem.symmetries) == len(rules.board.symmetries)
        for g, symmetry in enumerate(problem.symmetries):
            for i, row in enumerate(problem.ships[:, :, 0].tolist()):
                moved = frozenset(
                    sum(1 << symmetry[c] for c in range(problem.cells) if ship >> c & 1)
                    for ship in row
                )
                assert images[g, i] == rows[moved]
