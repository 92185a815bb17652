"""Greedy rules beside the proven optimum, on the same layouts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.engine import Game, as_problem
from seabattle.solver.greedy import greedy_tree
from seabattle.solver.search import Limits
from seabattle.solver.solve import solve
from seabattle.trees.tree import Tree
from seabattle.trees.verify import require_valid


@dataclass(frozen=True)
class Row:
    """One strategy of a comparison, with its verified tree."""

    strategy: str
    tree: Tree

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return self.tree.mean_misses

    def document(self) -> dict[str, Any]:
        """The row as a JSON object."""
        return {
            "strategy": self.strategy,
            "answers": self.tree.rules.answers.value,
            "reading": self.tree.reading.value,
            "status": self.tree.status,
            "worst_misses": self.tree.worst_misses,
            "mean_misses": float(self.mean_misses),
            "total_misses": self.tree.total_misses,
        }


@dataclass(frozen=True)
class Comparison:
    """Rows ``greedy-half``, ``greedy-hits``, ``optimal-mean``, ``optimal-worst``."""

    rules: Rules
    position: Position
    layouts: int
    weight: int
    rows: tuple[Row, ...]
    interrupted: bool = False


def compare(
    game: Game,
    *,
    position: Position | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Trees of both greedy rules and of the optimum, each verified.

    ``optimal-mean`` has the least total and among those trees the least worst case,
    ``optimal-worst`` the least worst case and among those the least total.

    Examples
    --------
    >>> for row in compare(Rules("3x3", "3,1,1")).rows:
    ...     print(row.strategy, row.tree.worst_misses, row.mean_misses)
    greedy-half 3 3/2
    greedy-hits 3 3/2
    optimal-mean 3 3/2
    optimal-worst 3 3/2
    """
    problem = as_problem(game, position)
    rows = []
    for rule in ("half", "hits"):
        tree = greedy_tree(problem, rule, position=position, limits=limits)
        require_valid(tree, layouts=problem.table.layouts)
        rows.append(Row(f"greedy-{rule}", tree))
    interrupted = False
    for name, objective in (("optimal-mean", "mean-worst"), ("optimal-worst", "worst-mean")):
        if interrupted:
            break
        solution = solve(problem, objective, position=position, limits=limits)
        interrupted = solution.interrupted
        rows.append(Row(name, solution.tree))
    return Comparison(
        rules=problem.rules,
        position=Position(problem.rules) if position is None else position,
        layouts=len(problem.table),
        weight=problem.table.total_weight,
        rows=tuple(rows),
        interrupted=interrupted,
    )
