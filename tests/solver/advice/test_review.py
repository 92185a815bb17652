"""Reviews: luck and losses of whole games, large games, and what is not a history."""

import pytest
from twins import naive
from twins.naive_trees import naive_rows, position_of, spoken

from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import advise
from seabattle.solver.review import review
from seabattle.solver.search.solve import solve


def optimal(rules, history):
    """A player without fault."""
    return advise(position_of(rules, history), time_limit=60).best_cells[0]


@pytest.mark.parametrize("choose", [lambda rules, history: len(history), optimal])
@pytest.mark.parametrize("mode", ["hit", "sunk"])
def test_luck_and_losses_over_all_layouts(choose, mode):
    """Luck has mean 0, and losses add up to what is missed more than the optimum, exactly."""
    rules = Rules("3x3", "2,1", answers=mode)
    luck = lost = missed = 0
    for layout in naive_rows(rules):
        cells, history = [], []
        while not naive.cells_of(layout) <= set(cells):
            cell = choose(rules, history)
            history.append((cell, naive.answer(layout, cells, cell, *spoken(rules))))
            cells.append(cell)
        found = review(position_of(rules, history), time_limit=60)
        assert found.is_exact
        assert (choose is not optimal) or found.mistakes == ()
        luck, lost, missed = luck + found.luck, lost + found.misses_lost, missed + found.misses
    assert luck == 0
    assert missed - lost == solve(rules).total_misses


def test_the_end_of_a_large_game_is_exact():
    rules = Rules("10x10", "2,1", answers="sunk")
    position = Position.in_order(
        rules, "A1 miss, J10 sunk, E5 hit, E4 miss, D5 miss, A9 miss, F5 sunk"
    )
    found = review(position, time_limit=2)
    exact = [shot.number for shot in found.shots if shot.exact_loss is not None]
    assert exact == [4, 5, 6, 7]
    assert [shot.lost for shot in found.shots[3:]] == [0, 0, 1, 0]
    assert found.mistakes[0].name == "A9"
    assert not found.is_exact
    assert ", partly at once" in repr(found)


def test_a_review_that_is_stopped_keeps_what_is_done():
    rules = Rules("4x4", "3,2,1", answers="sunk")
    position = Position.in_order(rules, "B2 miss, A1 hit, A2 hit, C4 miss")
    whole = review(position, time_limit=0)
    told = []

    def progress(what, number, count):
        told.append((what, number, count))

    found = review(position, progress=progress, stop=lambda: len(told) >= 3)
    assert told == [("chances", 1, 4), ("chances", 2, 4), ("chances", 3, 4)]
    assert found.stopped_by == "stopped by Ctrl-C"
    assert found.shots == whole.shots[:1]


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Rules("3x3", "3,1,1"), "there is no shot to review"),
        (
            Position.of_cells(Rules("3x3", "3,2", "sides", "sunk"), sunk=["A1:A2"]),
            "needs the order of the shots, which this position does not tell",
        ),
        (
            Position.in_order(Rules("3x3", "1"), "A1 hit, B2 miss, C3 miss"),
            "shot 2 at B2: the fleet was sunk before it",
        ),
        (
            Position.in_order(Rules("3x3", "3,1,1", answers="sunk"), "A1 miss, A3 miss, C1 miss"),
            "no layout of 3,1,1 fits these answers: A1 miss, A3 miss, C1 miss",
        ),
    ],
)
def test_what_is_no_history_is_refused(game, why):
    with pytest.raises(PositionError, match=why):
        review(game)
