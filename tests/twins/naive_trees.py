"""Small trees made from naive strategies, for every answer mode and contact rule.

Layouts and answers come from ``naive``; only the flat arrays are the package's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from twins import naive
from twins.naive import Layout

from seabattle.enumerate.answers import answer_code
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees.tree import Reading, Tree, tree_arrays

Nodes = list[tuple[int, list[tuple[int, int]], list[tuple[int, ...]]]]
"""Nodes as ``tree_arrays`` takes them: (shot, [(answer code, child)], layouts)."""


@lru_cache(maxsize=64)
def naive_layouts(rules: Rules) -> frozenset[Layout]:
    """All layouts of a game, by brute force."""
    board = rules.board
    found = naive.layouts(board.rows, board.columns, rules.fleet.lengths, rules.contact.value)
    return frozenset(found)


def naive_rows(rules: Rules) -> list[Layout]:
    """The same in an order that does not change between runs, to draw from."""
    return sorted(naive_layouts(rules), key=lambda layout: sorted(map(sorted, layout)))


def position_of(rules: Rules, history: Sequence[tuple[int, str]]) -> Position:
    """Cells shot and answers as texts, as a position."""
    return Position(rules, tuple((cell, answer_code(told)) for cell, told in history))


def spoken(rules: Rules) -> tuple[str, str, str]:
    """Mode, announcement and contact rule as ``naive`` takes them."""
    return rules.answers.value, rules.announce.value, rules.contact.value


@lru_cache(maxsize=64)
def _ship_numbers(rules: Rules) -> dict[naive.Ship, int]:
    return {frozenset(p.cells): n for n, p in enumerate(placement_table(rules).placements)}


def numbers_of(rules: Rules, layout: Layout) -> tuple[int, ...]:
    """A naive layout as placement numbers in increasing order."""
    return tuple(sorted(_ship_numbers(rules)[ship] for ship in layout))


@lru_cache(maxsize=64)
def layouts_by_number(rules: Rules) -> dict[tuple[int, ...], Layout]:
    """All naive layouts of a game by their placement numbers."""
    return {numbers_of(rules, layout): layout for layout in naive_layouts(rules)}


def strategy_nodes(
    rules: Rules, choose: naive.Choose, history: Sequence[tuple[int, str]] = ()
) -> Nodes:
    """Nodes of a strategy's tree, parents before children."""
    nodes: Nodes = []
    told_by = spoken(rules)

    def grow(possible: frozenset[Layout], shots: list[int]) -> int:
        number = len(nodes)
        if len({naive.cells_of(layout) for layout in possible}) == 1:
            nodes.append((-1, [], sorted(numbers_of(rules, layout) for layout in possible)))
            return number
        cell = choose(possible, shots)
        edges: list[tuple[int, int]] = []
        nodes.append((cell, edges, []))
        parts: dict[int, set[Layout]] = defaultdict(set)
        for layout in possible:
            parts[answer_code(naive.answer(layout, shots, cell, *told_by))].add(layout)
        for code in sorted(parts):
            edges.append((code, grow(frozenset(parts[code]), [*shots, cell])))
        return number

    start = naive.fitting(naive_layouts(rules), history, *told_by)
    grow(frozenset(start), [cell for cell, _ in history])
    return nodes


def leaf_misses(nodes: Nodes) -> dict[int, int]:
    """Misses on the way to each leaf that the root leads to."""
    found: dict[int, int] = {}

    def walk(node: int, missed: int) -> None:
        shot, edges, _ = nodes[node]
        if shot < 0:
            found[node] = missed
        for code, child in edges:
            walk(child, missed + (code == 0))

    walk(0, 0)
    return found


def tree_of(
    rules: Rules,
    nodes: Nodes,
    *,
    weights: Callable[[tuple[int, ...]], int] | None = None,
    history: Sequence[tuple[int, str]] = (),
    **claims: Any,
) -> Tree:
    """Tree from its nodes; it claims what its nodes cost unless ``claims`` say otherwise."""
    rows = [(row, missed) for leaf, missed in leaf_misses(nodes).items() for row in nodes[leaf][2]]
    weigh = weights or (lambda row: 1)
    board = rules.board
    given = {
        "reading": Reading.FULL,
        "objective": "hits",
        "status": "heuristic",
        "total_misses": sum(missed * weigh(row) for row, missed in rows),
        "worst_misses": max((missed for _, missed in rows), default=0),
        "weights": np.array(
            [weights(row) for node in nodes for row in node[2]] if weights else [], dtype=np.int64
        ),
        "position": Position.read(rules, [(board.name(cell), told) for cell, told in history]),
    }
    return Tree(rules=rules, **tree_arrays(nodes, len(rules.fleet.lengths)), **(given | claims))


def greedy_nodes(
    rules: Rules, rule: str = "hits", history: Sequence[tuple[int, str]] = ()
) -> Nodes:
    """Nodes of a greedy strategy."""
    choose = naive.greedy_choice(rule, rules.board.cells, rules.answers.value)
    return strategy_nodes(rules, choose, history)


def greedy_tree(rules: Rules, rule: str = "hits", **options: Any) -> Tree:
    """Tree of a greedy strategy; ``options`` as for ``tree_of``."""
    nodes = greedy_nodes(rules, rule, options.get("history", ()))
    return tree_of(rules, nodes, **{"objective": rule, **options})
