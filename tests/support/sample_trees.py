"""Greedy trees for the tests of prints, exports, drawings and pages."""

from __future__ import annotations

from functools import cache

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.trees.tree import Tree


@cache
def sample_tree(*game: str, shots: tuple[tuple[str, str], ...] = (), **more: str) -> Tree:
    """The greedy tree of a game, given as to ``Rules``, from its start or after some shots."""
    return greedy_tree(Position.read(Rules(*game, **more), shots), "hits")


def small_trees() -> dict[str, Tree]:
    """One tree of every answer mode and contact rule, by name."""
    after = (("B2", "miss"), ("A1", "hit"), ("A2", "sunk"))
    return {
        "hit": sample_tree("3x3", "3,1,1"),
        "hit 5x5": sample_tree("5x5", "3,2,2,1,1,1"),
        "sunk": sample_tree("4x4", "3,2,1", "none", "sunk"),
        "sunk corners": sample_tree("3x4", "2,2,1", "corners", "sunk"),
        "ship": sample_tree("3x3", "2,2", "sides", "ship"),
        "sides": sample_tree("3x3", "3,2", "sides", "sunk"),
        "sides, nothing told": sample_tree("3x3", "2,2", "sides", "sunk", "none"),
        "position": sample_tree("4x4", "3,2,1", "none", "sunk", shots=after),
        "one cell": sample_tree("1x1", "1"),
    }
