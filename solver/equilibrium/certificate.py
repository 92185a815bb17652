"""The interval that two mixes prove, recomputed from the mixes alone.

Nothing that produced the mixes is used here: neither the graph of sub-tables, nor sweeps, nor
linear programs, nor floats.

*Lower bound.* Against a fixed hiding mix the best the shooter can do is the optimal tree for
those weights; the exact search (``solver.search.exact_search``) finds it from the weighted decision
table in whole numbers, with its own keys, bounds and symmetries.

*Upper bound.* Every tree of the shooting mix is verified (``trees.verify``), every layout is
sent down it by the rules, and the misses are averaged over the trees, by their probabilities, and
over the symmetric copies of each tree, all in whole numbers. The bound is the mean against the
layout that costs most.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import TreeError, WeightsError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Limits
from seabattle.trees.tree import Tree, transformed_placements
from seabattle.trees.verify import require_valid


def best_response_value(
    layouts: Layouts, hiding: Sequence[int], *, limits: Limits | None = None
) -> Fraction:
    """Mean misses of the best tree against a hiding mix, by exact search.

    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
    >>> best_response_value(enumerate_layouts(Rules("3x3", "3,1,1")), [1, 1, 1, 1])
    Fraction(3, 2)
    """
    if any(weight < 0 for weight in hiding):
        raise WeightsError("the hiding mix has a negative weight; weights start at 0")
    if sum(hiding) >> 62:
        raise WeightsError("the weights of the hiding mix are too large for exact totals")
    table = DecisionTable(layouts, np.array(hiding, dtype=np.int64))
    search = ExactSearch(as_problem(table), limits=limits)
    return Fraction(search.minimize().misses, sum(hiding))


def transformed_copies(layouts: Layouts) -> NDArray[np.int64]:
    """Number of the layout to which each symmetry of the board maps each layout.

    Returns int64 ``(n_symmetries, n_layouts)``.
    """
    table = placement_table(layouts.rules)
    numbers = {tuple(row): i for i, row in enumerate(np.sort(layouts.ships, axis=1).tolist())}
    images = []
    for symmetry in layouts.rules.symmetries:
        moved = np.sort(transformed_placements(table, symmetry)[layouts.ships], axis=1)
        images.append([numbers[tuple(row)] for row in moved.tolist()])
    return np.array(images, dtype=np.int64)


def shooting_costs(
    layouts: Layouts, trees: Sequence[Tree], shooting: Sequence[int]
) -> tuple[list[int], int]:
    """Misses of a shooting mix against each layout, every tree verified first.

    Parameters
    ----------
    layouts
        All layouts of the game.
    trees, shooting
        Trees of the game and their whole-number weights; each is played under a random symmetry.

    Returns
    -------
    list of int
        For each layout its misses, added up over the trees, by their weights, and over the
        symmetries.
    int
        What they are divided by to be means.

    Raises
    ------
    WeightsError
        If a weight is negative, all are 0, or their number is not that of the trees.
    TreeError
        If a tree is not valid, or is one of another game.

    Examples
    --------
    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.solve import solve
    >>> rules = Rules("3x3", "3,1,1")
    >>> shooting_costs(enumerate_layouts(rules), [solve(rules).tree], [1])
    ([12, 12, 12, 12], 8)
    """
    if len(trees) != len(shooting) or not trees:
        raise WeightsError(
            f"the shooting mix has {len(shooting)} weights for {len(trees)} trees; give one each"
        )
    if any(weight < 0 for weight in shooting) or sum(shooting) == 0:
        raise WeightsError("the weights of the shooting mix start at 0, and one must be above")
    images = transformed_copies(layouts)
    added = np.zeros(len(layouts), dtype=object)
    for number, (tree, weight) in enumerate(zip(trees, shooting, strict=True)):
        if tree.rules != layouts.rules or tree.position.shots:
            raise TreeError(f"tree {number} of the shooting mix is of another game")
        misses = require_valid(tree, layouts=layouts).misses
        added += weight * misses[images].sum(axis=0).astype(object)
    return added.tolist(), sum(shooting) * len(images)
