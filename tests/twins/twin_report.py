"""What every kernel of the enumerator, of verification and of the search computes on small cases.

``test_twins_interpreted`` compares the report of the compiled kernels with the one of their plain
Python text. Everything is made of numbers, texts and lists, so that it survives JSON.
"""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from twins.naive_trees import greedy_nodes, greedy_tree, tree_of

from seabattle.enumerate import compiler
from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.kernels import kernel, lowest_bit, popcount
from seabattle.enumerate.layouts import (
    count_layouts,
    enumerate_layouts,
    fitting,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search import keys as least_image
from seabattle.solver.search import table as search_table
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree as solver_greedy_tree
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal, SearchOptions
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.check import check
from seabattle.trees.verify import verify

ROOMS = Path(compiler.__file__).resolve().parent.parent

GAMES = [
    Rules("3x3", "3,1,1"),
    Rules("3x4", "2,2,1", "corners", "sunk"),
    Rules("3x3", "2,2", "sides", "sunk"),
    Rules("3x3", "3,2", "sides", "sunk", "none"),
    Rules("3x3", "2,2", "sides", "ship"),
    Rules("3x24", "20,3", "corners", "ship"),
    Rules("7x10", "7,7", "sides", "sunk"),
]
SEARCHED = [
    Rules("2x3", "2,1"),
    Rules("2x4", "2,1", "corners"),
    Rules("6x7", "7,7"),
    Rules("2x4", "2,1", "none", "sunk"),
    Rules("3x3", "2,2", "corners", "sunk"),
    Rules("7x6", "7", "none", "sunk"),
    Rules("2x3", "2,2,1", "sides", "sunk"),
    Rules("1x8", "3,3", "sides", "sunk", "none"),
    Rules("2x3", "2,2", "sides", "ship"),
    Rules("2x4", "2,1", "corners", "ship"),
]
STORED = [
    Rules("2x3", "2,1"),
    Rules("1x42", "40,1", "corners"),
    Rules("2x4", "2,1", "none", "sunk"),
    Rules("2x3", "2,2", "sides", "ship"),
]
BOTH = (Goal.TOTAL, None), (Goal.WORST, None)
WORDS = [1, 2, 3, 2**31, 2**32 + 5, 2**63, 2**64 - 1, 2**63 + 1]


INSTRUCTIONS = search_table, least_image
"""Modules whose functions are a few machine instructions where they are compiled, no kernels."""


def kernel_modules() -> list[ModuleType]:
    """Every module of kernels of the package, but for what compiles them."""
    rooms = [path.relative_to(ROOMS).with_suffix("").parts for path in compiler.kernel_sources()]
    compiling = [("enumerate", name) for name in ("compiler", "kernels", "wide")]
    return [import_module(f"seabattle.{'.'.join(room)}") for room in rooms if room not in compiling]


def game_report(rules: Rules) -> dict[str, Any]:
    """Layouts, table, restrictions and fitting layouts of one game."""
    layouts = enumerate_layouts(rules)
    table = DecisionTable(layouts)
    weighted = DecisionTable(layouts, np.arange(len(layouts), dtype=np.int64) % 7)
    restricted = {}
    for cell in (0, rules.board.cells - 1):
        try:
            restricted[rules.board.name(cell)] = table.shoot(cell, "miss").index.tolist()
        except PositionError as error:
            restricted[rules.board.name(cell)] = str(error)
    kept = []
    for number in range(0, len(layouts), 1 + len(layouts) // 5):
        shots: list[tuple[int, int]] = []
        for cell in range(number % 2, rules.board.cells, 1 + rules.board.cells // 6):
            for code in possible_answers(rules):
                try:
                    keep = fitting(Position(rules, (*shots, (cell, code))), layouts)
                except PositionError:
                    continue
                if keep[number]:
                    shots.append((cell, code))
                    kept.append([cell, code, keep.tolist()])
                    break
    return {
        "count": count_layouts(rules),
        "most": count_layouts(rules, most=2),
        "masks": layouts.masks.tolist(),
        "ships": layouts.ships.tolist(),
        "counts": table.column_counts().tolist(),
        "weighted": weighted.column_counts().tolist(),
        "columns": [table.column(cell).to01() for cell in range(rules.board.cells)],
        "restricted": restricted,
        "fitting": kept,
    }


def tree_report(rules: Rules) -> list[Any]:
    """Verification of a good tree and of broken ones."""
    nodes = greedy_nodes(rules)
    trees = [greedy_tree(rules)]
    first = next(v for v, node in enumerate(nodes) if node[0] < 0)
    nodes[first][2].append(nodes[-1][2][0])
    trees.append(tree_of(rules, nodes))
    nodes = greedy_nodes(rules)
    edges = nodes[0][1]
    edges[-1] = (0x4FFF, edges[-1][1])
    trees.append(tree_of(rules, nodes))
    return [
        [v.valid, v.total_misses, v.worst_misses, v.layouts, v.weight, v.wasted, list(v.problems)]
        for v in map(verify, trees)
    ]


def search_report(rules: Rules) -> dict[str, Any]:
    """Values, counts of work, trees and first shots of one game, by every family's kernels."""
    problem = as_problem(rules)
    with np.errstate(over="ignore"):  # hashes are meant to wrap around
        search = ExactSearch(problem)
        plain = ExactSearch(problem.without_symmetry(), options=SearchOptions.plain())
        for each in (search, plain):
            each.arrays = each.arrays._replace(table=each._empty_table(4))
        values = []
        for each in (search, plain) if len(problem) < 30 else (search,):
            for goal, miss_limit in (*BOTH, (Goal.TOTAL, 2), (Goal.LOST, 0), (Goal.LOST, 2)):
                value = each.minimize(goal, miss_limit=miss_limit)
                values.append([value.misses, value.worst, value.exact, each.states, each.nodes])
        front = solve_problem(problem, "pareto").front if len(problem) < 30 else ()
        solution = solve_problem(problem, values=True)
        report = {
            "values": values,
            "front": [[t.worst_misses, t.total_misses, t.shots.tolist()] for t in front],
            "first": [list(solution.best_shots), list(solution.values or ())],
            "tree": [solution.tree.shots.tolist(), solution.tree.ships.tolist()],
            "greedy": [
                solver_greedy_tree(problem.table, rule).shots.tolist() for rule in ("half", "hits")
            ],
        }
        if rules.answers == "hit":
            size = graph_size(problem.table)
            report["graph"] = [size.vertices, size.edges, size.orbits]
        return report


def strategy_report(rules: Rules) -> dict[str, Any]:
    """Strategy files of one game: their arrays, what a check says, and the tree they walk into."""
    with tempfile.TemporaryDirectory() as folder, np.errstate(over="ignore"):
        files = [
            build_strategy(rules, f"{folder}/{complete}", complete=complete)
            for complete in (True, False)
        ]
        checks = [check(file) for file in files]
        return {
            "keys": [[file.keys.low.tolist(), file.keys.high.tolist()] for file in files],
            "values": [[file.values.tolist(), file.shots.tolist()] for file in files],
            "checks": [[found.valid, list(found.problems)] for found in checks],
            "tree": files[0].tree().shots.tolist(),
        }


def report() -> dict[str, Any]:
    """Everything."""
    return {
        "games": [game_report(rules) for rules in GAMES],
        "trees": [tree_report(rules) for rules in GAMES[:5]],
        "searches": [search_report(rules) for rules in SEARCHED],
        "strategies": [strategy_report(rules) for rules in STORED],
        "bits": [int(bits_of(np.uint64(word))) for word in WORDS],
    }


@kernel
def bits_of(word):  # type: ignore[no-untyped-def]
    """Number of set bits, by the instruction."""
    return popcount(word)


def plain_bits() -> list[list[int]]:
    """Twins of the two machine instructions, for interpreted runs only."""
    return [[popcount(np.uint64(w)), lowest_bit(np.uint64(w))] for w in WORDS]
