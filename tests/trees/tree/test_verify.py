"""Verification: trees broken on purpose are each caught. That sound ones pass, the twins ask."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from twins.naive_trees import greedy_nodes, greedy_tree, tree_of

from seabattle.enumerate.answers import HIT, MISS
from seabattle.enumerate.rules import Rules
from seabattle.trees.tree import tree_arrays
from seabattle.trees.verify import verify

SMALL = Rules("3x3", "3,1,1")
SIDES = Rules("3x3", "2,2", "sides")
MIDDLE = Rules("3x4", "2,1")


def problems_of(rules, nodes, **claims):
    """Problems of a tree of other nodes, which claims what the greedy tree costs; it has some."""
    arrays = tree_arrays(nodes, len(rules.fleet.lengths))
    found = verify(replace(greedy_tree(rules), **arrays, **claims))
    assert not found.valid
    assert found.problems
    assert all("\n" not in problem for problem in found.problems)
    return found.problems


def leaves(nodes):
    return [number for number, node in enumerate(nodes) if node[0] < 0]


def with_new_root(nodes, cell, answer):
    """Nodes with one more shot before everything, and one answer to it."""
    moved = [(shot, [(a, c + 1) for a, c in edges], rows) for shot, edges, rows in nodes]
    return [(cell, [(answer, 1)], []), *moved]


def test_a_leaf_with_the_wrong_layout_is_caught():
    nodes = greedy_nodes(SMALL)
    one, two = leaves(nodes)[:2]
    nodes[one], nodes[two] = nodes[two], nodes[one]
    missing, extra = problems_of(SMALL, nodes)
    assert missing.startswith(f"node {one}: layout")
    assert extra.startswith(f"leaf {one} lists layout")
    assert all("(2 such layouts)" in problem for problem in (missing, extra))


@pytest.mark.parametrize("weights", [(1, 2), (0, 3), (3, 0)])
def test_a_layout_listed_twice_is_refused_in_either_order(weights):
    """Also where it weighs 0 in one of its places."""
    shape = Rules("1x4", "2")
    nodes = greedy_nodes(shape)
    leaf = leaves(nodes)[0]
    shot, edges, rows = nodes[leaf]
    nodes[leaf] = shot, edges, [rows[0], *rows]
    listed = [row for _, _, rows in nodes for row in rows]
    given = [*weights, *[1] * (len(listed) - 2)]
    problems = problems_of(shape, nodes, weights=np.array(given))
    assert any("which is listed twice (1 such layouts)" in problem for problem in problems)


def test_a_layout_that_weighs_nothing_is_not_listed():
    shape = Rules("1x4", "2")
    nodes = greedy_nodes(shape)
    problems = problems_of(shape, nodes, weights=np.array([0, 1, 1]))
    assert any("which weighs 0 (1 such layouts)" in problem for problem in problems)


def test_a_leaf_of_occupancies_that_differ_beyond_cell_64_is_caught():
    water = [(cell, "miss") for cell in range(64)]
    tree = tree_of(Rules("1x66", "1"), [(-1, [], [(64,), (65,)])], history=water)
    assert verify(tree).problems == ("leaf 0 lists layouts that occupy different cells",)


def test_a_wasted_shot_is_reported_and_refused_in_an_optimal_tree_only():
    """No layout occupies B2."""
    nodes = with_new_root(greedy_nodes(SMALL), 4, MISS)
    for status in ("heuristic", "bounded"):
        found = verify(tree_of(SMALL, nodes, status=status))
        assert (found.valid, found.wasted) == (True, 1)
        assert (found.total_misses, found.worst_misses) == (6 + 4, 3 + 1)
    problems = problems_of(SMALL, nodes, total_misses=10, worst_misses=4, status="optimal")
    assert problems == ("1 wasted shots in a tree that claims to be optimal",)


def test_a_certain_hit_is_refused_in_mode_hit():
    """Every layout occupies A1."""
    problems = problems_of(SMALL, with_new_root(greedy_nodes(SMALL), 0, HIT))
    assert problems == ("1 shots in mode 'hit' that hit in every possible layout",)


def test_a_branch_of_another_answer_is_no_branch():
    """Every layout answers B2 with a miss."""
    problems = problems_of(SMALL, with_new_root(greedy_nodes(SMALL), 4, HIT))
    assert any("there is no branch for its answer (4 such layouts)" in each for each in problems)


def test_a_cell_shot_twice_is_caught():
    nodes = greedy_nodes(SMALL)
    shot, edges, _ = nodes[0]
    (miss, child), hit = edges
    edges[:] = [(miss, len(nodes)), hit]
    nodes.append((shot, [(miss, child)], []))
    problems = problems_of(SMALL, nodes)
    assert any("is shot twice on its path (3 such layouts)" in problem for problem in problems)


@pytest.mark.parametrize("rules", [MIDDLE, SIDES], ids=["none", "sides"])
@pytest.mark.parametrize("by", [-1, 1, 10**15])
def test_false_claims_are_caught(rules, by):
    nodes, true = greedy_nodes(rules), greedy_tree(rules)
    total, worst = true.total_misses, true.worst_misses
    assert problems_of(rules, nodes, total_misses=total + by, worst_misses=worst + by) == (
        f"the tree claims {total + by} misses in total, it has {total}",
        f"the tree claims {worst + by} misses in the worst case, it has {worst}",
    )


NO_TREE = "the nodes are not a tree: a node has no parent or more than one"
NO_NODE = "an answer leads to a node that does not exist"


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (lambda nodes: 0, NO_TREE),
        (lambda nodes: 1, NO_TREE),
        (lambda nodes: last_inner(nodes), NO_TREE),
        (lambda nodes: leaves(nodes)[0], NO_TREE),
        (lambda nodes: len(nodes), NO_NODE),
        (lambda nodes: 2**31 - 1, NO_NODE),
        (lambda nodes: -1, NO_NODE),
    ],
    ids=["root", "cycle", "itself", "shared", "one-too-far", "far-away", "negative"],
)
def test_cycles_shared_and_nonexistent_nodes_are_caught(where, why):
    nodes = deepcopy(greedy_nodes(MIDDLE))
    edges = nodes[last_inner(nodes)][1]
    edges[-1] = (edges[-1][0], where(nodes))
    assert problems_of(MIDDLE, nodes)[0] == why


def last_inner(nodes):
    """The last node that shoots."""
    return max(v for v, node in enumerate(nodes) if node[0] >= 0)
