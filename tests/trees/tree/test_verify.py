"""Verification: trees that follow the rules pass, trees broken on purpose are each caught."""

import copy
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import (
    greedy_nodes,
    greedy_tree,
    naive_layouts,
    numbers_of,
    optimal_tree,
    spoken,
    strategy_nodes,
    tree_of,
)

from seabattle.enumerate.answers import HIT, MISS, SUNK, answer_text
from seabattle.enumerate.rules import Rules
from seabattle.trees.tree import tree_arrays
from seabattle.trees.verify import require_valid, verify

GAMES = [
    Rules(board, fleet, contact, answers, announce)
    for board, fleet in [("3x3", "3,2"), ("3x3", "2,2"), ("3x4", "2,1,1"), ("2x5", "2,2,1")]
    for contact in ("none", "corners", "sides")
    for answers, announce in [
        ("hit", "length"),
        ("sunk", "length"),
        ("sunk", "none"),
        ("ship", "length"),
    ]
    if naive.layouts(*map(int, board.split("x")), map(int, fleet.split(",")), contact)
]
SMALL = Rules("3x3", "3,1,1")
SIDES = Rules("3x3", "2,2", "sides")
MIDDLE = Rules("3x4", "2,1")


def name_of(rules):
    """Short name for reports."""
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


def true_cost(tree):
    """(total, worst) by walking every naive layout down the tree, or None where it goes wrong."""
    rules = tree.rules
    listed, costs = Counter(), []
    for layout in naive_layouts(rules):
        node, shots, missed = tree.root, [], 0
        while not node.is_leaf:
            told = naive.answer(layout, shots, node.shot, *spoken(rules))
            if node.shot in shots or told not in node.children:
                return None
            shots.append(node.shot)
            missed += told == "miss"
            node = node.children[told]
        numbers = numbers_of(rules, layout)
        start, stop = tree.leaf[node.index : node.index + 2]
        if [tuple(row) for row in tree.ships[start:stop].tolist()].count(numbers) != 1:
            return None
        listed[numbers] += 1
        costs.append(missed)
    if len(listed) != len(tree.ships):
        return None
    return sum(costs), max(costs)


@pytest.mark.parametrize("rule", ["hits", "half"])
@pytest.mark.parametrize("rules", GAMES, ids=name_of)
def test_greedy_trees_are_valid_and_cost_what_the_naive_game_costs(rules, rule):
    tree = greedy_tree(rules, rule)
    found = verify(tree)
    assert found.problems == ()
    assert found.valid
    assert bool(found)
    expected = naive.greedy(naive_layouts(rules), rules.board.cells, rule, *spoken(rules))
    assert (found.total_misses, found.worst_misses) == expected == true_cost(tree)
    assert found.layouts == found.weight == len(naive_layouts(rules)) == tree.layouts
    assert found.wasted == 0
    assert found.mean_misses == tree.mean_misses == Fraction(expected[0], found.layouts)


@pytest.mark.parametrize(
    "rules",
    [
        Rules("3x3", "3,1,1"),
        Rules("3x3", "2,1", answers="sunk"),
        Rules("3x3", "3,2", "sides", "sunk", "none"),
        Rules("3x3", "2,2", "sides", "sunk"),
        Rules("3x3", "2,2", "corners", "ship"),
    ],
    ids=name_of,
)
def test_optimal_trees_are_valid_and_reach_the_optimum(rules):
    mode, announce, contact = spoken(rules)
    best = naive.optimum(naive_layouts(rules), mode, announce=announce, contact=contact)
    found = require_valid(optimal_tree(rules))
    assert found.total_misses == best["mean"]
    assert found.wasted == 0


def test_boards_of_more_than_64_cells_verify():
    rules = Rules("6x12", "2,1", answers="sunk")
    tree = tree_of(
        rules,
        strategy_nodes(rules, lambda possible, shots: first_useful(possible, shots)),
    )
    assert require_valid(tree).layouts == len(naive_layouts(rules))


def first_useful(possible, shots):
    """The last cell that some layout occupies and that is not shot yet."""
    return max(frozenset().union(*map(naive.cells_of, possible)) - set(shots))


# Broken on purpose


def problems_of(rules, nodes, **claims):
    """Problems of a tree that claims the given things; it must not be valid."""
    found = verify(tree_of(rules, nodes, **claims))
    assert not found.valid
    assert found.problems
    assert all("\n" not in problem for problem in found.problems)
    return found.problems


def says(problems, *texts):
    """Whether every text is in some problem."""
    return all(any(text in problem for problem in problems) for text in texts)


def leaves(nodes):
    """Numbers of the leaves."""
    return [number for number, node in enumerate(nodes) if node[0] < 0]


def cost(nodes, rules):
    """Claims of a tree's true cost, to be kept while its nodes are broken."""
    tree = tree_of(rules, nodes)
    return {"total_misses": tree.total_misses, "worst_misses": tree.worst_misses}


def with_new_root(nodes, cell, answer):
    """Nodes with one more shot before everything, and one answer to it."""
    moved = [(shot, [(a, c + 1) for a, c in edges], rows) for shot, edges, rows in nodes]
    return [(cell, [(answer, 1)], []), *moved]


def test_a_leaf_with_the_wrong_layout_is_caught():
    nodes = greedy_nodes(SMALL)
    claims = cost(nodes, SMALL)
    one, two = leaves(nodes)[:2]
    rows = nodes[one][2][:]
    nodes[one][2][:] = nodes[two][2]
    nodes[two][2][:] = rows
    problems = problems_of(SMALL, nodes, **claims)
    assert says(problems, f"leaf {one} does not list layout", "(2 such layouts)")
    assert says(problems, f"leaf {one} lists layout", "which does not end there")
    assert len(problems) == 2


def test_a_leaf_of_occupancies_that_differ_beyond_cell_64_is_caught():
    rules = Rules("1x66", "1")
    water = [(cell, "miss") for cell in range(64)]
    problems = problems_of(rules, [(-1, [], [(64,), (65,)])], history=water)
    assert problems == ("leaf 0 lists layouts that occupy different cells",)


def test_an_impossible_answer_is_caught():
    rules = Rules("3x4", "2,1", answers="sunk")
    nodes = greedy_nodes(rules)
    claims = cost(nodes, rules)
    number, (shot, edges, _) = next(
        (v, node)
        for v, node in enumerate(nodes)
        if node[0] >= 0 and {a for a, _ in node[1]} != {MISS, HIT, SUNK}
    )
    answer = min({MISS, HIT, SUNK} - {a for a, _ in edges})
    edges.append((answer, len(nodes)))
    nodes.append((-1, [], [nodes[leaves(nodes)[0]][2][0]]))
    name = rules.board.name(shot)
    problems = problems_of(rules, nodes, **claims)
    assert says(problems, f"node {number}: answer '{answer_text(answer)}' to {name} cannot occur")


def test_a_wasted_shot_is_reported_and_refused_in_an_optimal_tree_only():
    """No layout occupies B2."""
    nodes = with_new_root(greedy_nodes(SMALL), 4, MISS)
    found = verify(tree_of(SMALL, nodes))
    assert (found.valid, found.wasted) == (True, 1)
    assert (found.total_misses, found.worst_misses) == (6 + 4, 3 + 1)
    bounded = verify(tree_of(SMALL, nodes, status="bounded"))
    assert (bounded.valid, bounded.wasted) == (True, 1)
    problems = problems_of(SMALL, nodes, status="optimal")
    assert problems == ("1 wasted shots in a tree that claims to be optimal",)


def test_a_certain_hit_is_refused_in_mode_hit():
    """Every layout occupies A1."""
    nodes = with_new_root(greedy_nodes(SMALL), 0, HIT)
    problems = problems_of(SMALL, nodes)
    assert problems == ("1 shots in mode 'hit' that hit in every possible layout",)


def test_a_cell_shot_twice_is_caught():
    nodes = greedy_nodes(SMALL)
    claims = cost(nodes, SMALL)
    shot, edges, _ = nodes[0]
    (miss, child), hit = edges
    edges[:] = [(miss, len(nodes)), hit]
    nodes.append((shot, [(miss, child)], []))
    problems = problems_of(SMALL, nodes, **claims)
    assert says(problems, "3 layouts are not covered", "a cell is shot twice on its path")


@pytest.mark.parametrize("rules", [MIDDLE, SIDES], ids=name_of)
@pytest.mark.parametrize("by", [-1, 1, 10**15])
def test_false_claims_are_caught(rules, by):
    nodes = greedy_nodes(rules)
    total, worst = cost(nodes, rules).values()
    assert problems_of(rules, nodes, total_misses=total + by) == (
        f"the tree claims {total + by} misses in total, it has {total}",
    )
    assert problems_of(rules, nodes, worst_misses=worst + by) == (
        f"the tree claims {worst + by} misses in the worst case, it has {worst}",
    )
    assert len(problems_of(rules, nodes, total_misses=total + by, worst_misses=0)) == 2


NO_TREE = "the nodes are no tree: a node has no parent or more than one"


def redirect(nodes, number, child):
    """Nodes with the last branch of one leading elsewhere."""
    nodes = copy.deepcopy(nodes)
    edges = nodes[number][1]
    edges[-1] = (edges[-1][0], child)
    return nodes


def last_inner(nodes):
    """The last node that shoots."""
    return max(v for v, node in enumerate(nodes) if node[0] >= 0)


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (lambda nodes: 0, NO_TREE),
        (lambda nodes: 1, NO_TREE),
        (lambda nodes: last_inner(nodes), NO_TREE),
        (lambda nodes: leaves(nodes)[0], NO_TREE),
        (lambda nodes: len(nodes), "an answer leads to a node that does not exist"),
        (lambda nodes: 2**31 - 1, "an answer leads to a node that does not exist"),
        (lambda nodes: -1, "an answer leads to a node that does not exist"),
    ],
    ids=["root", "cycle", "itself", "shared", "one-too-far", "far-away", "negative"],
)
def test_cycles_shared_and_nonexistent_nodes_are_caught(where, why):
    nodes = greedy_nodes(MIDDLE)
    broken = redirect(nodes, last_inner(nodes), where(nodes))
    found = verify(tree_with(tree_of(MIDDLE, nodes), broken))
    assert not found.valid
    assert found.problems[0] == why
    assert (found.total_misses, found.worst_misses, found.layouts) == (0, 0, 0)


def tree_with(tree, nodes):
    """The tree with other nodes; what it claims stays."""
    return replace(tree, **tree_arrays(nodes, len(tree.rules.fleet.lengths)))


# Weights, positions, limits


def test_weights_count_in_the_total_and_not_in_the_worst():
    nodes = greedy_nodes(MIDDLE)
    plain = verify(tree_of(MIDDLE, nodes))
    tree = tree_of(MIDDLE, nodes, weights=lambda row: sum(row) % 4)
    found = require_valid(tree)
    layouts = {numbers_of(MIDDLE, x): x for x in naive_layouts(MIDDLE)}
    assert found.weight == tree.weight == sum(sum(row) % 4 for row in layouts)
    assert found.worst_misses == plain.worst_misses
    choose = naive.greedy_choice("hits", 12)
    misses = naive.play_all(layouts.values(), choose)
    assert found.total_misses == sum(sum(row) % 4 * misses[x] for row, x in layouts.items())
    problems = problems_of(MIDDLE, nodes, weights=lambda row: sum(row) % 4, total_misses=1)
    assert problems == (f"the tree claims 1 misses in total, it has {found.total_misses}",)


@pytest.mark.parametrize(
    ("rules", "history"),
    [
        (Rules("3x4", "2,1"), [(5, "miss")]),
        (Rules("3x4", "2,1", answers="sunk"), [(5, "hit"), (0, "miss")]),
        (Rules("3x3", "3,2", "sides", "sunk", "none"), [(8, "hit"), (6, "hit"), (7, "sunk")]),
        (Rules("3x3", "2,2", "sides", "ship"), [(4, "hit:2#1"), (3, "hit:2#2")]),
    ],
    ids=lambda value: name_of(value) if isinstance(value, Rules) else "",
)
def test_trees_that_start_from_a_position(rules, history):
    tree = greedy_tree(rules, history=history)
    found = require_valid(tree)
    left = naive.fitting(naive_layouts(rules), history, *spoken(rules))
    assert 1 < found.layouts == len(left) < len(naive_layouts(rules))
    whole = verify(tree_of(rules, greedy_nodes(rules, "hits", history)))
    assert not whole.valid, "without its position the tree does not cover the game"


BASE = {
    rules: greedy_nodes(rules)
    for rules in (SMALL, SIDES, MIDDLE, Rules("2x4", "2,1", "sides", "sunk"))
}


@examples(150)
@given(st.sampled_from(list(BASE)), st.integers(1, 3), st.data())
def test_random_damage_is_caught_or_harmless(rules, times, data):
    """Whatever verification calls valid has the cost that a naive walk finds."""
    nodes = copy.deepcopy(BASE[rules])
    tree = tree_of(rules, nodes)
    for _ in range(times):
        number = data.draw(st.integers(0, len(nodes) - 1))
        shot, edges, rows = nodes[number]
        kind = data.draw(st.sampled_from(["shot", "child", "answer", "row", "swap"]))
        if kind == "shot" and shot >= 0:
            nodes[number] = (data.draw(st.integers(0, rules.board.cells)), edges, rows)
        elif kind in ("child", "answer") and edges:
            e = data.draw(st.integers(0, len(edges) - 1))
            code, child = edges[e]
            if kind == "child":
                child = data.draw(st.integers(-1, len(nodes)))
            else:
                code = data.draw(st.sampled_from([0, 1, 2, 0x101, 0x102, 0x4081]))
            edges[e] = (code, child)
        elif kind == "row" and rows:
            rows[0] = data.draw(st.sampled_from([row for node in nodes for row in node[2]]))
        elif kind == "swap" and len(edges) == 2:
            (a, b), (c, d) = edges
            edges[:] = [(a, d), (c, b)]
    damaged = tree_with(tree, nodes)
    found = verify(damaged)
    if found.valid:
        assert true_cost(damaged) == (found.total_misses, found.worst_misses)
        assert (found.total_misses, found.worst_misses) == (tree.total_misses, tree.worst_misses)
    else:
        assert found.problems
