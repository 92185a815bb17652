"""Verification: trees that follow the rules pass, trees broken on purpose are each caught."""

import copy
from dataclasses import replace

import pytest
from twins.naive_trees import (
    greedy_nodes,
    tree_of,
)

from seabattle.enumerate.answers import HIT, MISS
from seabattle.enumerate.rules import Rules
from seabattle.trees.tree import tree_arrays
from seabattle.trees.verify import verify

SMALL = Rules("3x3", "3,1,1")
SIDES = Rules("3x3", "2,2", "sides")
MIDDLE = Rules("3x4", "2,1")


def name_of(rules):
    """Short name for reports."""
    return "-".join(
        map(str, [rules.board, rules.fleet, rules.contact, rules.answers, rules.announce])
    )


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
