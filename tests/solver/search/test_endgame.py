"""The endgame on condensed cells agrees with the search on the whole board."""

import numpy as np
import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.endgame import EndgameSearch, endgame, solve_endgame
from seabattle.solver.search.solve import solve


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


def test_an_endgame_takes_a_prior():
    rules = Rules("4x4", "3,2", answers="sunk")
    position = Position(rules).shoot("B2", "miss").shoot("A1", "hit")
    prior = ProductPrior.of_cells(rules, range(1, 17))
    found = endgame(position, prior=prior)
    best = solve(DecisionTable.build(position, prior=prior))
    assert found.mean_misses == best.mean_misses
    assert found.best_shots == best.best_shots
    assert found.mean_misses != endgame(position).mean_misses


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
    water = next(c for c in range(12) if c not in later._cells)
    assert later.total_after(water) == later.solve().total_misses + later.weight
