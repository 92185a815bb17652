"""Who fares how against whom: greedy, optimal and equilibrium shooting against three hiders.

The hiders are *uniform* (every layout alike), *equilibrium* (the hiding mix), and *knowing*: the
one who knows the shooter's strategy, though not its dice, and takes the layout that costs it
most. The shooters are the greedy tree, the tree that is best against uniform layouts, each as it
is and turned or mirrored at random before the game, and the shooting mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.table import DecisionTable
from seabattle.solver.certify import misses_by_layout, shooting_costs
from seabattle.solver.greedy import greedy_tree
from seabattle.solver.mixed_solution import Equilibrium
from seabattle.solver.search import Limits
from seabattle.solver.solve import solve
from seabattle.trees.tree import Tree


@dataclass(frozen=True)
class Matchup:
    """Mean misses of one way to shoot against the three hiders."""

    shooter: str
    uniform: Fraction
    equilibrium: Fraction
    knowing: Fraction

    def document(self) -> dict[str, Any]:
        """The row as JSON: numbers."""
        return {
            "shooter": self.shooter,
            "uniform": float(self.uniform),
            "equilibrium": float(self.equilibrium),
            "knowing": float(self.knowing),
        }


def matchups(solved: Equilibrium, *, limits: Limits | None = None) -> tuple[Matchup, ...]:
    """The table, computed exactly from the trees' misses against every layout.

    Parameters
    ----------
    solved
        The equilibrium.
    limits
        When the search for the optimal tree stops; the tree is then the best known.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.equilibrium import equilibrium
    >>> for row in matchups(equilibrium(Rules("3x4", "2,1", answers="sunk"))):
    ...     print(f"{row.shooter:17}{float(row.knowing):.3f}")
    greedy           8.000
    greedy, turned   5.000
    optimal          7.000
    optimal, turned  6.000
    equilibrium      3.607
    """
    layouts = solved.layouts
    table = DecisionTable(layouts)
    greedy = greedy_tree(table, "hits", limits=limits)
    optimal = solve(table, "mean", limits=limits).tree
    rows = []
    for name, tree in (("greedy", greedy), ("optimal", optimal)):
        alone = _of(misses_by_layout(tree, layouts))
        rows.append(_row(name, alone, solved.hiding))
        rows.append(_row(f"{name}, turned", _turned(solved, [tree], [1]), solved.hiding))
    trees = [solved.tree(number) for number in range(len(solved.plans))]
    costs = _turned(solved, trees, solved.shooting)
    return (*rows, _row("equilibrium", costs, solved.hiding))


def _of(misses: NDArray[np.int64]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, misses.tolist()))


def _turned(
    solved: Equilibrium, trees: Sequence[Tree], weights: Sequence[int]
) -> tuple[Fraction, ...]:
    return shooting_costs(solved.layouts, trees, weights)


def _row(name: str, costs: tuple[Fraction, ...], hiding: Sequence[int]) -> Matchup:
    # One common denominator: adding thousands of fractions one by one is slow.
    scale = lcm(*(cost.denominator for cost in costs))
    whole = [cost.numerator * (scale // cost.denominator) for cost in costs]
    mixed = sum(cost * weight for cost, weight in zip(whole, hiding, strict=True))
    return Matchup(
        name,
        Fraction(sum(whole), scale * len(whole)),
        Fraction(mixed, scale * sum(hiding)),
        max(costs),
    )


def matchups_table(rows: Sequence[Matchup]) -> str:
    """The table as text."""
    wide = max(len(row.shooter) for row in rows)
    head = f"{'shooter':<{wide}}  {'uniform':>8}  {'equilibrium':>11}  {'knowing':>8}"
    lines = [
        f"{row.shooter:<{wide}}  {float(row.uniform):>8.4f}  {float(row.equilibrium):>11.4f}  "
        f"{float(row.knowing):>8.4f}"
        for row in rows
    ]
    return "\n".join([head, "-" * len(head), *lines])
