"""The endgame on condensed cells agrees with the search on the whole board."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError, TooLargeError, WeightsError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.endgame import EndgameSearch, endgame, solve_endgame
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve

GAMES = [("3x3", "3,2"), ("3x4", "2,1"), ("4x4", "3,2"), ("2x5", "2,2,1"), ("4x4", "2,1,1")]
FEW = 300
"""Layouts of an endgame at most; where ships may touch, 1,500 take the search half a minute."""


def play(counter, data, most):
    """A position reached by random shots with answers that some layout gives."""
    position = Position(counter.rules)
    codes = possible_answers(counter.rules)
    for _ in range(data.draw(st.integers(1, most))):
        free = [c for c in range(counter.rules.board.cells) if not position.shot_mask >> c & 1]
        cell = data.draw(st.sampled_from(free))
        for code in data.draw(st.permutations(codes)):
            after = Position(counter.rules, (*position.shots, (cell, code)))
            try:
                counter.at(after).count()
            except PositionError:
                continue
            position = after
            break
    return position


@examples(120)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
    st.data(),
)
def test_the_endgame_is_worth_what_the_whole_board_says(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    counter = Counter(rules)
    if counter.count() == 0:
        return
    position = play(counter, data, 6)
    ships = counter.at(position).layouts()
    assume(len(ships) <= FEW)
    table = DecisionTable.build(rules).at(position)
    assert len(ships) == len(table) == len(np.unique(ships, axis=0))
    found = solve_endgame(position, ships)
    search = ExactSearch(as_problem(table))
    value = search.minimize()
    assert (found.total_misses, found.layouts) == (value.misses, len(table))
    for cell in found.best_cells:
        assert not position.shot_mask >> cell & 1
    if found.total_misses and not search.problem.certain & ~position.hit_mask:
        solution = solve(table)
        names = list(found.best_shots)
        assert names == list(solution.best_shots)


def test_a_large_board_is_solved_when_few_layouts_are_left():
    rules = Rules("10x10", "russian", answers="sunk")
    counter = Counter(rules)
    layout = counter.sample(1, 3)[0]
    from seabattle.enumerate.placements import placement_table

    placements = [placement_table(rules).placements[i] for i in layout]
    sunk = [p for p in placements if p.length > 1]
    water = [c for c in range(100) if not any(p.mask >> c & 1 for p in placements)]
    position = Position.of_cells(
        rules,
        sunk=[str(p) for p in sunk],
        miss=[rules.board.name(c) for c in water[::2]],
    )
    ships = counter.at(position).layouts(most=100_000)
    assert counter.at(position).count() == len(ships) > 1
    fewer = Position(
        rules, (*position.shots, *((c, 0) for c in water[1::2][: max(0, len(water) // 2 - 6)]
                                   if not position.shot_mask >> c & 1))
    )  # fmt: skip
    ships = counter.at(fewer).layouts()
    found = solve_endgame(fewer, ships)
    assert 0 < found.mean_misses < 6
    assert found.worst_misses >= found.mean_misses
    assert found.best_cells


def test_too_many_layouts_are_refused():
    counter = Counter(Rules("10x10", "1,1"))
    with pytest.raises(TooLargeError, match=r"layouts fit, and at most 10 are listed"):
        endgame(Position(counter.rules), most=10)


@pytest.mark.parametrize("board", ["3x3", "5x8", "8x8"])
def test_all_cells_of_a_board_may_be_occupied_still(board):
    """One cell among n is found with 0, 1 ... n - 1 misses; 64 cells are as many as a mask has."""
    counter = Counter(Rules(board, "1"))
    cells = counter.rules.board.cells
    found = solve_endgame(Position(counter.rules), counter.layouts())
    assert (found.total_misses, found.weight) == (cells * (cells - 1) // 2, cells)


@examples(40)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.data(),
)
def test_weighted_endgames_are_worth_what_the_whole_board_says(game, contact, answers, data):
    rules = Rules(*game, contact, answers)
    counter = Counter(rules)
    if counter.count() == 0:
        return
    position = play(counter, data, 6)
    whole = DecisionTable.build(rules)
    weight = st.sampled_from([0, 1, 2, 7, 1000])
    weights = np.array(data.draw(st.lists(weight, min_size=len(whole), max_size=len(whole))))
    left = whole.at(position)
    assume(len(left) <= FEW and weights[left.index].any())
    table = DecisionTable(whole.layouts, None, weights).at(position)
    order = np.array(data.draw(st.permutations(range(len(table)))))  # the order does not matter
    ships = table.layouts.ships[table.index][order]
    given = table.weights[order] if len(table.weights) else None
    found = solve_endgame(position, ships, weights=given)
    value = ExactSearch(as_problem(table)).minimize()
    assert (found.total_misses, found.weight) == (value.misses, table.total_weight)
    assert found.mean_misses * table.total_weight == value.misses


def test_an_endgame_takes_a_prior():
    rules = Rules("4x4", "3,2", answers="sunk")
    position = Position(rules).shoot("B2", "miss").shoot("A1", "hit")
    prior = ProductPrior.of_cells(rules, range(1, 17))
    found = endgame(position, prior=prior)
    best = solve(DecisionTable.build(position, prior=prior))
    assert found.mean_misses == best.mean_misses
    assert found.best_shots == best.best_shots
    assert found.mean_misses != endgame(position).mean_misses


def test_weights_of_an_endgame_are_checked():
    rules = Rules("3x3", "3,1,1")
    ships = Counter(rules).layouts()
    for weights, message in (
        ([1, 1], "give one per layout"),
        ([0] * len(ships), "all are zero"),
        ([-1] + [1] * (len(ships) - 1), "negative"),
    ):
        with pytest.raises(WeightsError, match=message):
            solve_endgame(Position(rules), ships, weights=np.array(weights))


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("contact", ["none", "sides"])
@pytest.mark.parametrize("weighted", [False, True])
def test_before_the_first_shot_the_board_keeps_its_symmetries(answers, contact, weighted):
    rules = Rules("3x4", "3,2", contact, answers)
    ships = Counter(rules).layouts()
    table = DecisionTable.build(rules)
    weights = None
    if weighted:  # by the first ship's cells, so that no symmetry is left but the identity
        rows = [tuple(row) for row in table.layouts.ships.tolist()]
        by_ships = {row: 1 + number for number, row in enumerate(rows)}
        weights = np.array([by_ships[tuple(row)] for row in ships.tolist()])
        table = DecisionTable(table.layouts, None, np.arange(1, len(rows) + 1))
    found = EndgameSearch(Position(rules), ships, weights=weights)
    solution = solve(table, values=True)
    end = found.solve()
    assert (end.total_misses, end.best_shots) == (solution.total_misses, solution.best_shots)
    assert [found.total_after(cell) for cell in range(12)] == list(solution.values)
    assert len(found._problem.symmetries) == (1 if weighted else 4)
    after = Position.in_order(rules, "A1 miss")
    later = EndgameSearch(after, Counter(after).layouts())
    assert len(later._problem.symmetries) == 1
    water = next(c for c in range(12) if c not in later._condensed.cells)
    assert later.total_after(water) == later.solve().total_misses + later.weight


@pytest.mark.parametrize(
    ("board", "fleet", "contact", "shots"),
    [
        ("5x5", "3,2", "none", "B1 hit, C1 sunk"),  # 40 misses, which took 42
        ("4x4", "4", "none", "C3 hit"),  # six best shots, of which one was named
        ("4x5", "3", "corners", "C4 hit"),
    ],
)
def test_bounds_hold_of_cells_numbered_anew(board, fleet, contact, shots):
    position = Position.in_order(Rules(board, fleet, contact, "sunk"), shots)
    found, whole = endgame(position), solve(position)
    assert (found.total_misses, found.best_shots) == (whole.total_misses, whole.best_shots)
