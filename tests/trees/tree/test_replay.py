"""Replaying a tree against a layout: answers by the rules, until the fleet is sunk."""

import pytest
from twins import naive
from twins.naive_trees import (
    greedy_nodes,
    greedy_tree,
    naive_layouts,
    numbers_of,
    spoken,
    tree_of,
)

from seabattle.enumerate.errors import LayoutError, TreeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.trees.replay import misses_of, replay

GAMES = [
    Rules(board, fleet, contact, answers, announce)
    for board, fleet in [("3x3", "2,2"), ("3x4", "3,2,1"), ("2x5", "2,2,1")]
    for contact in ("corners", "sides")
    for answers, announce in [
        ("hit", "length"),
        ("sunk", "length"),
        ("sunk", "none"),
        ("ship", "length"),
    ]
]


def name_of(rules):
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


def names_of(rules, layout):
    return placement_table(rules).names(numbers_of(rules, layout))


@pytest.mark.parametrize("rules", GAMES, ids=name_of)
def test_replay_gives_the_naive_answers_and_sinks_the_fleet(rules):
    tree = greedy_tree(rules)
    choose = naive.greedy_choice("hits", rules.board.cells, rules.answers.value)
    expected = naive.play_all(naive_layouts(rules), choose, *spoken(rules))
    worst = 0
    for layout in naive_layouts(rules):
        names = names_of(rules, layout)
        shots = replay(tree, names)
        cells = [rules.board.cell(cell) for cell, _ in shots]
        for i, (_, told) in enumerate(shots):
            assert told == naive.answer(layout, cells[:i], cells[i], *spoken(rules))
        assert len(set(cells)) == len(cells)
        assert naive.cells_of(layout) <= set(cells)
        assert misses_of(shots) == expected[layout]
        assert len(shots) == misses_of(shots) + rules.fleet.cells
        worst = max(worst, misses_of(shots))
        assert replay(tree, ",".join(reversed(names)).lower()) == shots
        assert replay(tree, " ".join(names)) == shots
    assert worst == tree.worst_misses


def test_a_game_played_by_hand():
    """The cruiser lies on row 1; the boats below it are hit last."""
    tree = greedy_tree(Rules("3x3", "3,1,1"))
    assert replay(tree, "A1:C1,A3,C3") == [
        ("B1", "hit"),
        ("A1", "hit"),
        ("C1", "hit"),
        ("A3", "hit"),
        ("C3", "hit"),
    ]
    assert replay(tree, "A3:C3 A1 C1")[:4] == [
        ("B1", "miss"),
        ("A2", "miss"),
        ("C2", "miss"),
        ("A1", "hit"),
    ]


def test_replay_goes_on_from_a_position():
    rules = Rules("3x3", "2,2", "sides", "ship")
    history = [(4, "hit:2#1"), (3, "hit:2#2"), (8, "miss")]
    tree = greedy_tree(rules, history=history)
    left = naive.fitting(naive_layouts(rules), history, *spoken(rules))
    assert left
    for layout in naive_layouts(rules):
        if layout not in left:
            with pytest.raises(LayoutError, match="does not fit the position this tree starts"):
                replay(tree, names_of(rules, layout))
            continue
        shots = replay(tree, names_of(rules, layout))
        cells = [rules.board.cell(cell) for cell, _ in shots]
        assert not {4, 3, 8} & set(cells)
        assert naive.cells_of(layout) <= {4, 3, *cells}
        before = [4, 3, 8]
        for cell, (_, told) in zip(cells, shots, strict=True):
            assert told == naive.answer(layout, before, cell, *spoken(rules))
            before.append(cell)


def test_trees_that_do_not_know_the_layout_say_so():
    rules = Rules("3x3", "3,1,1")
    nodes = greedy_nodes(rules)
    claims = {"total_misses": 6, "worst_misses": 3}
    leaf = next(v for v, node in enumerate(nodes) if node[0] < 0)
    names = placement_table(rules).names(nodes[leaf][2][0])
    other = next(node[2] for v, node in enumerate(nodes) if node[0] < 0 and v != leaf)

    wrong = [*nodes]
    wrong[leaf] = (-1, [], other)
    with pytest.raises(TreeError, match=f"ends at another layout than {' '.join(names)}"):
        replay(tree_of(rules, wrong, **claims), names)

    shot, edges, _ = nodes[0]
    cut = [(shot, [edge for edge in edges if edge[0] == 0], []), *nodes[1:]]
    inside = [x for x in naive_layouts(rules) if shot in naive.cells_of(x)]
    with pytest.raises(TreeError, match=f"no branch for 'hit' at {rules.board.name(shot)}"):
        replay(tree_of(rules, cut, **claims), names_of(rules, inside[0]))
