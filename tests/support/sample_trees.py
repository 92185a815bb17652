"""Sample trees for the tests of prints, exports and drawings: a slow greedy of their own.

Every node shoots the cell that most layouts still possible occupy, the first in reading order
among equals; answers are worked out by replaying the shots against each layout's ships.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules
from seabattle.trees.tree import Reading, Tree, tree_arrays


def answer(rules: Rules, ships: list[frozenset[int]], before: list[int], cell: int) -> int:
    """Code of the answer to a shot at ``cell`` after the shots ``before``."""
    ship = next((s for s in ships if cell in s), None)
    if ship is None:
        return MISS
    if rules.answers is AnswerMode.SHIP:
        met: list[frozenset[int]] = []
        for shot in [*before, cell]:
            for s in ships:
                if shot in s and len(s) == len(ship) and s not in met:
                    met.append(s)
        return HIT_SHIP + 64 * len(ship) + met.index(ship) + 1
    if rules.answers is AnswerMode.HIT or ship - set(before) - {cell}:
        return HIT
    told = rules.contact is Contact.SIDES and rules.announce is Announce.LENGTH
    return SUNK_LENGTH + len(ship) if told else SUNK


@cache
def sample_tree(
    board: str,
    fleet: str,
    contact: str = "none",
    answers: str = "hit",
    announce: str = "length",
    shots: tuple[tuple[str, str], ...] = (),
    objective: str = "hits",
) -> Tree:
    """A greedy tree from the start, or from the position given by its shots."""
    rules = Rules(board, fleet, contact, answers, announce)
    position = Position.read(rules, shots)
    layouts = enumerate_layouts(rules)
    table = placement_table(rules)
    keep = np.flatnonzero(fitting(position, layouts))
    rows = [[int(n) for n in layouts.ships[i]] for i in keep]
    ships = [[frozenset(table.placements[n].cells) for n in row] for row in rows]
    cells = [frozenset().union(*layout) for layout in ships]
    nodes: list[tuple[int, list[tuple[int, int]], list[list[int]]]] = []
    cost = [0] * len(rows)

    def grow(possible: list[int], before: list[int], misses: int) -> int:
        number = len(nodes)
        if len({cells[i] for i in possible}) == 1:
            nodes.append((-1, [], [rows[i] for i in possible]))
            for i in possible:
                cost[i] = misses
            return number
        counts = dict.fromkeys(range(rules.board.cells), 0)
        for i in possible:
            for cell in cells[i]:
                counts[cell] += 1
        useful = {
            cell: count
            for cell, count in counts.items()
            if cell not in before and (count < len(possible) or rules.answers is not AnswerMode.HIT)
        }
        cell = max(useful, key=useful.__getitem__)
        nodes.append((cell, [], []))
        parts: dict[int, list[int]] = {}
        for i in possible:
            parts.setdefault(answer(rules, ships[i], before, cell), []).append(i)
        for code in sorted(parts):
            child = grow(parts[code], [*before, cell], misses + (code == MISS))
            nodes[number][1].append((code, child))
        return number

    grow(list(range(len(rows))), [cell for cell, _ in position.shots], 0)
    return Tree(
        rules=rules,
        weights=np.empty(0, dtype=np.int64),
        reading=Reading.FULL,
        objective=objective,
        status="heuristic",
        total_misses=sum(cost),
        worst_misses=max(cost),
        position=position,
        **tree_arrays(nodes, len(rules.fleet.lengths)),
    )


def changed(tree: Tree, **fields) -> Tree:
    """A copy of a tree with some fields replaced."""
    return Tree(**{**{name: getattr(tree, name) for name in Tree.__annotations__}, **fields})


def small_trees() -> dict[str, Tree]:
    """One tree of every answer mode and contact rule, by name."""
    return {
        "hit": sample_tree("3x3", "3,1,1"),
        "hit 5x5": sample_tree("5x5", "3,2,2,1,1,1"),
        "sunk": sample_tree("4x4", "3,2,1", answers="sunk"),
        "sunk corners": sample_tree("3x4", "2,2,1", "corners", "sunk"),
        "ship": sample_tree("3x3", "2,2", "sides", "ship"),
        "sides": sample_tree("3x3", "3,2", "sides", "sunk"),
        "sides, nothing told": sample_tree("3x3", "2,2", "sides", "sunk", "none"),
        "position": sample_tree(
            "4x4", "3,2,1", "none", "sunk", shots=(("B2", "miss"), ("A1", "hit"), ("A2", "sunk"))
        ),
        "one cell": sample_tree("1x1", "1"),
    }
