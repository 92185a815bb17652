"""Greedy trees: the reading of a hit that wastes shots, and ties; the laws have the rest."""

from __future__ import annotations

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import naive_layouts, spoken

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree, play_greedily
from seabattle.trees.tree import Reading
from seabattle.trees.verify import verify

TWO_READINGS = [
    Rules("1x9", "2,2,1", "none", "sunk"),
    Rules("4x4", "3,2,1", "none", "sunk"),
    Rules("3x4", "2,2,1", "corners", "sunk"),
    Rules("4x4", "4,3", "corners", "sunk"),
]


# Cost


@pytest.mark.parametrize("rule", ["half", "hits"])
@pytest.mark.parametrize("rules", TWO_READINGS, ids=str)
def test_positive_reading_agrees_with_the_naive_twin(rules: Rules, rule: str) -> None:
    tree = greedy_tree(rules, rule, reading="positive")
    cost = tree.total_misses, tree.worst_misses
    twin = naive_layouts(rules), rules.board.cells, rule, *spoken(rules)
    assert cost == naive.greedy(*twin, reading="positive")
    assert tree.reading is Reading.POSITIVE
    assert verify(tree)


def test_positive_reading_wastes_shots_on_the_main_fleet() -> None:
    """It shoots cells that the answers rule out: valid, reported, and dearer than a full one."""
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    full, positive = (greedy_tree(rules, reading=reading) for reading in ("full", "positive"))
    assert (full.total_misses, full.worst_misses) == (2595, 4)
    assert (positive.total_misses, positive.worst_misses) == (2876, 4)
    assert verify(full).wasted == 0
    found = verify(positive)
    assert found.valid
    assert found.wasted > 0
    assert not found.problems


# Ties


@pytest.mark.parametrize(
    ("rules", "reading"),
    [
        (Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "full"),
        (Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "positive"),
        (Rules("4x4", "3,2,1", "none", "ship"), "full"),
        (Rules("3x4", "3,2", "sides", "sunk"), "full"),
    ],
    ids=str,
)
def test_random_ties_are_seeded_and_spread(rules: Rules, reading: str) -> None:
    trees = [
        greedy_tree(rules, "half", ties="random", seed=seed, reading=reading) for seed in range(4)
    ]
    again = greedy_tree(rules, "half", ties="random", seed=2, reading=reading)
    assert np.array_equal(trees[2].shots, again.shots)
    assert np.array_equal(trees[2].ships, again.ships)
    assert len({tree.shots.tobytes() for tree in trees}) > 1
    assert all(verify(tree) for tree in trees)


def test_random_ties_go_to_every_cell_alike() -> None:
    """One ship of one cell: all nine cells tie, then the eight left, whatever came before."""
    rules = Rules("3x3", "1")
    trees = [greedy_tree(rules, ties="random", seed=seed) for seed in range(450)]
    first = np.bincount([tree.root.shot for tree in trees], minlength=9)
    assert first.min() > 25
    paths = [np.argsort(tree.shots[tree.shots >= 0]).tobytes() for tree in trees]
    assert len(set(paths)) > 440


# What is refused


@pytest.mark.parametrize(
    "rules",
    [
        Rules("3x3", "2,1"),
        Rules("3x3", "2,1", "sides", "sunk"),
        Rules("3x3", "2,1", "none", "ship"),
        Rules("3x3", "2,1", "sides", "hit"),
    ],
    ids=str,
)
def test_positive_reading_needs_sinkings_that_show_the_ship(rules: Rules) -> None:
    with pytest.raises(RulesError, match="reading 'positive' differs from 'full' only with answe"):
        greedy_tree(rules, reading="positive")


def test_positive_reading_starts_from_an_empty_board() -> None:
    position = Position.read(Rules("3x3", "2,1", "none", "sunk"), [("A1", "miss")])
    with pytest.raises(RulesError, match="starts from an empty board"):
        greedy_tree(position, reading="positive")


def test_a_tree_records_the_rule_however_it_was_written() -> None:
    rules = Rules("3x3", "2,1")
    for tree in (greedy_tree(rules, "HITS"), play_greedily(rules, "HITS", tree=True).tree):
        assert tree is not None
        assert tree.objective == "greedy-hits"
