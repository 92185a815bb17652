"""What the page of concepts says exactly: each sentence that readers took in two ways, once."""

from __future__ import annotations

import pytest

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players import independent_ships
from seabattle.solver.players.chance import Chance
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.trees.replay import replay


def test_best_shots_of_a_front_are_those_of_its_first_point() -> None:
    rules = Rules("4x5", "4,2")
    front = solve(rules, "pareto")
    first = solve(rules, "worst-mean")
    assert len(front.front) == 2
    assert front.tree.total_misses == first.total_misses == front.front[0].total_misses
    assert front.best_shots == first.best_shots != solve(rules, "mean").best_shots


@pytest.mark.parametrize("ties", ["first", "random"])
def test_of_several_certain_hits_greedy_trees_shoot_the_first(ties: str) -> None:
    """On 3x3 the corners are certain: A1 is shot, then, if nothing more is told, C1."""
    for answers in ("sunk", "ship"):
        tree = greedy_tree(Rules("3x3", "3,1,1", answers=answers), ties=ties, seed=1)
        assert replay(tree, "A1:A3,C1,C3")[0][0] == "A1"
    tree = greedy_tree(Rules("3x3", "1,1,1,1", answers="sunk"), ties=ties, seed=1)
    assert [cell for cell, _ in replay(tree, "A1,C1,A3,C3")] == ["A1", "C1", "A3", "C3"]
    whole = greedy_tree(Rules("3x3", "3,1,1"))
    assert replay(whole, "A1:A3,C1,C3")[0][0] == "B1"  # mode hit: certain hits are not in the tree


def test_bob_never_holds_a_placement_for_certain() -> None:
    """A hit that only one ship explains weighs a million, not without end."""
    from seabattle.solver.players.registry import make_player

    assert independent_ships.LEAST_OTHER == 1e-6
    rules = Rules("3x3", "2")
    position = Position(rules, ((rules.board.cell("A1"), 1), (rules.board.cell("A2"), MISS)))
    player = make_player("bob", rules)
    assert isinstance(player, independent_ships.Bob)
    weights, cell = player.after(position, Chance(0))
    assert cell == rules.board.cell("B1")
    assert weights[0, cell] == pytest.approx(1e6)  # A1:B1
