"""Greedy rules in modes ``sunk`` and ``ship`` and where ships touch, in both readings of a hit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import layouts_by_number, naive_layouts, spoken

from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.trees.tree import Reading
from seabattle.trees.verify import verify

GAMES = [
    Rules(*game.split(), contact, answers, announce)
    for contact, answers, announce, games in [
        ("none", "sunk", "length", ["1x9 2,2,1", "4x4 3,2,1"]),
        ("corners", "sunk", "length", ["3x4 2,2,1", "4x4 4,3"]),
        ("sides", "sunk", "none", ["3x4 3,2", "1x8 3,2,2"]),
        ("sides", "sunk", "length", ["3x3 2,2,2", "3x4 3,3"]),
        ("none", "ship", "length", ["1x9 2,2,1", "4x4 3,2,1"]),
        ("corners", "ship", "length", ["3x4 2,2,1"]),
        ("sides", "ship", "length", ["2x4 2,2,2", "3x4 3,2"]),
        ("sides", "hit", "length", ["3x4 3,2"]),
    ]
    for game in games
]  # fmt: skip
TWO_READINGS = [
    rules
    for rules in GAMES
    if rules.answers.value == "sunk" and rules.contact.value != "sides"
]  # fmt: skip


def name_of(rules: Rules) -> str:
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


def naive_greedy(rules: Rules, rule: str, **options: object) -> tuple[int, int]:
    cells = rules.board.cells
    return naive.greedy(naive_layouts(rules), cells, rule, *spoken(rules), **options)  # type: ignore[arg-type]


# Cost


@pytest.mark.parametrize("rule", ["half", "hits"])
@pytest.mark.parametrize("rules", GAMES, ids=name_of)
def test_full_reading_agrees_with_the_naive_twin(rules: Rules, rule: str) -> None:
    tree = greedy_tree(rules, rule)
    assert (tree.total_misses, tree.worst_misses) == naive_greedy(rules, rule)
    assert (tree.reading, tree.objective, tree.status) == ("full", f"greedy-{rule}", "heuristic")
    found = verify(tree)
    assert found.valid
    assert (found.total_misses, found.worst_misses) == (tree.total_misses, tree.worst_misses)
    assert found.wasted == 0


@pytest.mark.parametrize("rule", ["half", "hits"])
@pytest.mark.parametrize("rules", TWO_READINGS, ids=name_of)
def test_positive_reading_agrees_with_the_naive_twin(rules: Rules, rule: str) -> None:
    tree = greedy_tree(rules, rule, reading="positive")
    assert (tree.total_misses, tree.worst_misses) == naive_greedy(rules, rule, reading="positive")
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


@pytest.mark.parametrize("rule", ["half", "hits"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules("3x4", "3,2,1", "none", "sunk"),
        Rules("3x3", "3,2", "sides", "sunk"),
        Rules("3x3", "2,2", "corners", "ship"),
    ],
    ids=name_of,
)
def test_weights_agree_with_the_naive_twin(rules: Rules, rule: str) -> None:
    table = DecisionTable.build(rules)
    weights = np.random.default_rng(5).integers(1, 6, len(table))
    by_number = layouts_by_number(rules)
    given = {
        by_number[tuple(sorted(map(int, row)))]: int(weight)
        for row, weight in zip(table.layouts.ships, weights, strict=True)
    }
    tree = greedy_tree(DecisionTable(table.layouts, None, weights.astype(np.int64)), rule)
    assert (tree.total_misses, tree.worst_misses) == naive_greedy(rules, rule, weights=given)
    assert verify(tree)


@pytest.mark.parametrize("rules", GAMES[::2], ids=name_of)
def test_greedy_from_a_position(rules: Rules) -> None:
    """A subtree of the greedy tree: the answers of one layout to two shots come before it."""
    layout = max(naive_layouts(rules), key=lambda x: sorted(map(sorted, x)))
    cells = [0, rules.board.cells // 2]
    told = [naive.answer(layout, cells[:i], cell, *spoken(rules)) for i, cell in enumerate(cells)]
    history = list(zip(cells, told, strict=True))
    position = Position.read(rules, [(rules.board.name(cell), text) for cell, text in history])
    fitting = frozenset(naive.fitting(naive_layouts(rules), history, *spoken(rules)))
    choose = naive.greedy_choice("hits", rules.board.cells, rules.answers.value)

    def cost(possible: frozenset[naive.Layout], shots: Sequence[int], missed: int) -> int:
        if len({naive.cells_of(x) for x in possible}) == 1:
            return missed * len(possible)
        cell = choose(possible, shots)
        parts: dict[str, set[naive.Layout]] = {}
        for x in possible:
            parts.setdefault(naive.answer(x, shots, cell, *spoken(rules)), set()).add(x)
        return sum(
            cost(frozenset(part), [*shots, cell], missed + (answer == "miss"))
            for answer, part in parts.items()
        )

    tree = greedy_tree(position)
    assert tree.total_misses == cost(fitting, cells, 0)
    found = verify(tree)
    assert found.valid
    assert found.layouts == len(fitting)
    assert tree.total_misses >= solve(position).total_misses


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


# What is refused


@pytest.mark.parametrize(
    "rules",
    [
        Rules("3x3", "2,1"),
        Rules("3x3", "2,1", "sides", "sunk"),
        Rules("3x3", "2,1", "none", "ship"),
        Rules("3x3", "2,1", "sides", "hit"),
    ],
    ids=name_of,
)
def test_positive_reading_needs_sinkings_that_show_the_ship(rules: Rules) -> None:
    with pytest.raises(RulesError, match="reading 'positive' differs from 'full' only with answe"):
        greedy_tree(rules, reading="positive")


def test_positive_reading_starts_from_an_empty_board() -> None:
    rules = Rules("3x3", "2,1", "none", "sunk")
    position = Position.read(rules, [("A1", "miss")])
    with pytest.raises(RulesError, match="starts from an empty board"):
        greedy_tree(position, reading="positive")
