"""Verification: cost and coverage of a tree, recomputed from the rules alone.

Nothing of the search is used here. Every layout of the game (those that fit the position the tree
starts from) is enumerated anew and sent down the tree with the answers the rules prescribe. The
tree is valid when every layout ends in a leaf that lists it, no leaf lists anything else, no
answer leads where no layout goes, all layouts of a leaf occupy the same cells, and the totals are
the ones the tree claims. A *wasted* shot is one that no layout still possible occupies; trees
that read hits as ``positive`` contain some. They are reported, and refused only in a tree that
claims to be optimal. So is a node in mode ``hit`` whose cell every possible layout occupies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS, answer_text, core_mode
from seabattle.enumerate.core.library import core
from seabattle.enumerate.counting.counter import fitting_table
from seabattle.enumerate.errors import SeabattleError, TreeError
from seabattle.enumerate.layouts import DEFAULT_MEMORY_GIB, Layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode
from seabattle.trees.tree import Tree, distribution_document, distribution_of, distribution_text

MOST_PROBLEMS = 20
AT_ONCE = 20_000
"""Layouts that the core walks in one call, about 0.1 s at most."""

FINE, NO_BRANCH, SHOT_TWICE, NOT_LISTED = range(4)
"""How the walk of a layout ended: in a leaf that lists it; at a node without a branch for its
answer; at a cell that was shot before; in a leaf that does not list it. Every walk ends so, as a
board has only so many cells to shoot."""

_ARRAYS = "shots", "first", "answers", "children", "leaf"

FAULTS = {
    NO_BRANCH: "is not covered, as there is no branch for its answer",
    SHOT_TWICE: "is not covered, as a cell is shot twice on its path",
    NOT_LISTED: "ends in this leaf, which does not list it",
}


@dataclass(frozen=True)
class Verification:
    """Result of a verification; true when the tree is valid.

    Attributes
    ----------
    valid
        Whether nothing is wrong.
    total_misses, worst_misses
        Recomputed, over the layouts whose walk ended in a leaf; under weights over those that weigh
        more than 0.
    layouts, weight
        Number of these layouts, and the sum of their weights.
    wasted
        Number of shots that no layout possible there occupies.
    problems
        What is wrong, one line each, ``MOST_PROBLEMS`` at the most.
    distribution
        Weight of those layouts by the misses that each costs, least first.
    misses
        int64 ``(layouts,)``: misses on the walk of each, in the order of the enumeration.
    """

    valid: bool
    problems: tuple[str, ...]
    total_misses: int = 0
    worst_misses: int = 0
    layouts: int = 0
    weight: int = 0
    wasted: int = 0
    distribution: dict[int, int] = field(default_factory=dict)
    misses: NDArray[np.int64] = field(
        default_factory=lambda: np.empty(0, dtype=np.int64), repr=False, compare=False
    )

    def document(self) -> dict[str, Any]:
        """What ``verify --json`` prints of a tree, the verdict and its problems apart.

        Fields
        ------
        total_misses: misses over all layouts, each weighed by its weight
        worst_misses: the most misses for any layout that weighs more than 0
        distribution: how many layouts, or how much of their weight, cost so many misses
        layouts: layouts at the leaves
        wasted: shots at cells that no layout left occupies
        """
        return {
            "total_misses": self.total_misses,
            "worst_misses": self.worst_misses,
            "distribution": distribution_document(self.distribution),
            "layouts": self.layouts,
            "wasted": self.wasted,
        }

    def facts(self) -> list[tuple[str, str]]:
        """What was recomputed as labels and texts; nothing where no tree could be read."""
        if not self.layouts:
            return []
        told = f"{float(self.mean_misses):.4f} ({self.total_misses}/{max(1, self.weight)})"
        return [
            ("layouts", f"{self.layouts:,}"),
            ("misses", f"mean {told}, worst {self.worst_misses}"),
            ("by misses", distribution_text(self.distribution)),
            ("wasted shots", str(self.wasted)),
        ]

    def __bool__(self) -> bool:
        return self.valid

    @property
    def mean_misses(self) -> Fraction:
        """Total misses divided by the weight."""
        return Fraction(self.total_misses, max(1, self.weight))


def _structure_problems(tree: Tree) -> list[str]:
    """Faults of the arrays themselves, which would make a walk meaningless."""
    inner, children = tree.shots >= 0, tree.children
    edges, rows = np.diff(tree.first), np.diff(tree.leaf)
    there = (children >= 0) & (children < len(tree))
    parents = np.bincount(children[there], minlength=len(tree))
    wrong = {
        "the tree has no node": len(tree) == 0,
        "an answer leads to a node that does not exist": not there.all(),
        "a node shoots a cell off the board": (tree.shots >= tree.rules.board.cells).any(),
        "the nodes are not a tree: a node has no parent or more than one": (
            parents[:1].any() or (parents[1:] != 1).any()
        ),
        "a node is both a leaf and a shot": edges[~inner].any() or rows[inner].any(),
        "a node shoots and has no answer": not edges[inner].all(),
        "a leaf has no layout": not rows[~inner].all(),
    }
    return [text for text, found in wrong.items() if found]


def verify(
    tree: Tree, *, memory_limit: float = DEFAULT_MEMORY_GIB, layouts: Layouts | None = None
) -> Verification:
    """Recompute a tree's cost and coverage from the rules.

    Parameters
    ----------
    tree
        The tree; nothing it claims is trusted.
    memory_limit
        GiB for the enumeration of the layouts.
    layouts
        The layouts of the tree's board, fleet and contact rule, if they are enumerated already.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> verify(greedy_tree(Rules("3x3", "3,1,1"), "hits")).worst_misses
    3
    """
    problems = _structure_problems(tree)
    if problems:
        return Verification(False, tuple(problems))
    try:
        ships = _layouts_to_cover(tree, memory_limit, layouts)
    except TreeError as error:
        return Verification(False, (str(error),))
    rules, parents = tree.rules, tree.parents
    walks = _walked(tree, ships)
    visits, used, faults, ends, misses = (
        walks[name] for name in ("visits", "used", "faults", "ends", "misses")
    )
    for fault, text in FAULTS.items():
        where = np.flatnonzero(faults == fault)
        if len(where):
            names = " ".join(placement_table(rules).names(ships[where[0]]))
            problems.append(
                f"node {ends[where[0]]}: layout {names} {text} ({len(where)} such layouts)"
            )
    problems += _leaf_problems(tree, walks["matched"])
    for e in np.flatnonzero(used == 0)[:MOST_PROBLEMS]:
        problems.append(
            f"node {parents[e]}: answer {answer_text(int(tree.answers[e]))!r} to "
            f"{rules.board.name(int(tree.shots[parents[e]]))} cannot occur"
        )
    # Shots that miss, and shots that hit, in every layout still possible.
    missing = np.zeros(len(tree), dtype=np.int64)
    is_miss = tree.answers == MISS
    missing[parents[is_miss]] = visits[tree.children[is_miss]]
    shooting = (tree.shots >= 0) & (visits > 0)
    wasted = int((shooting & (missing == visits)).sum())
    certain = int((shooting & (missing == 0)).sum())
    if tree.status == "optimal" and wasted:
        problems.append(f"{wasted} wasted shots in a tree that claims to be optimal")
    if rules.answers is AnswerMode.HIT and certain:
        problems.append(f"{certain} shots in mode 'hit' that hit in every possible layout")
    ended = (faults == FINE) | (faults == NOT_LISTED)
    weights = np.ones(len(ships), dtype=np.int64)
    if len(tree.weights):
        weights = np.where(faults == FINE, tree.weights[walks["rows"]], 0)
    total = int((misses[ended] * weights[ended]).sum())
    worst = int(misses[ended].max(initial=0))
    if ended.all() and total != tree.total_misses:
        problems.append(f"the tree claims {tree.total_misses} misses in total, it has {total}")
    if ended.all() and worst != tree.worst_misses:
        problems.append(
            f"the tree claims {tree.worst_misses} misses in the worst case, it has {worst}"
        )
    return Verification(
        valid=not problems,
        total_misses=total,
        worst_misses=worst,
        layouts=len(ships),
        weight=int(weights.sum()),
        wasted=wasted,
        problems=tuple(problems[:MOST_PROBLEMS]),
        distribution=distribution_of(misses[ended], weights[ended]),
        misses=misses,
    )


def _walked(tree: Tree, ships: NDArray[np.uint16]) -> dict[str, NDArray[Any]]:
    """Every layout sent from the root to where the tree ends for it: ``seabattle_walks``."""
    rules = tree.rules
    named = {name: np.ascontiguousarray(getattr(tree, name)) for name in _ARRAYS}
    walks: dict[str, NDArray[Any]] = {
        "ships": ships,
        "visits": np.zeros(len(tree), dtype=np.int64),
        "used": np.zeros(len(tree.children), dtype=np.uint8),
        "matched": np.zeros(tree.layouts, dtype=np.uint8),
        **{name: np.zeros(len(ships), dtype=np.int64) for name in ("ends", "rows", "misses")},
        "faults": np.zeros(len(ships), dtype=np.uint8),
    }
    listed = np.ascontiguousarray(tree.ships)
    given = (
        core().structure("tree", {**named, "listed": listed}),
        core().structure("walks", walks),
        placement_table(rules).masks,
        np.array(rules.fleet.lengths, dtype=np.int64),
        np.array([cell for cell, _ in tree.position.shots], dtype=np.int16),
        core_mode(rules),
    )
    for first in range(0, len(ships), AT_ONCE):
        core().walk_layouts(*given, first, min(first + AT_ONCE, len(ships)))
    return walks


def _layouts_to_cover(
    tree: Tree, memory_limit: float, layouts: Layouts | None
) -> NDArray[np.uint16]:
    """The layouts that a tree has to cover, as placement numbers.

    A tree with weights says itself which layouts there are: one that no leaf lists weighs 0, and no
    leaf lists one that weighs 0.

    Raises
    ------
    TreeError
        If such a tree lists what is not a layout, or does not fit the shots before.
    """
    rules, position = tree.rules, tree.position
    if not len(tree.weights):
        layouts = layouts or fitting_table(position, memory_limit=memory_limit).layouts
        return np.ascontiguousarray(layouts.ships[fitting(position, layouts) == 1])
    ships = np.unique(tree.ships[tree.weights > 0], axis=0)
    for row in ships.tolist():
        if not placement_table(rules).is_layout(row):
            raise TreeError(f"a leaf lists placements {row}, which are not a layout")
    try:
        fits = fitting(position, ships)
    except SeabattleError as error:
        raise TreeError(str(error)) from None
    if not fits.all():
        names = " ".join(placement_table(rules).names(ships[int(np.argmin(fits))]))
        raise TreeError(f"a leaf lists layout {names}, which does not fit the shots before")
    return ships


def _leaf_problems(tree: Tree, matched: NDArray[np.uint8]) -> list[str]:
    """What leaves list that they should not: the layouts that reach them, and nothing else."""
    table = placement_table(tree.rules)
    problems = []
    cells = np.zeros((tree.layouts, 2), dtype=np.uint64)
    for placements in tree.ships.T:
        cells |= table.masks[placements]
    node = np.repeat(np.arange(len(tree)), np.diff(tree.leaf))
    differing = np.flatnonzero((cells != cells[tree.leaf[node]]).any(axis=1))
    if len(differing):
        problems.append(f"leaf {node[differing[0]]} lists layouts that occupy different cells")
    extra = np.flatnonzero(matched == 0)
    if len(extra):
        row = int(extra[0])
        listed = (tree.ships == tree.ships[row]).all(axis=1)
        why = "does not end there"
        if listed.sum() > 1:
            why = "is listed twice"
        elif len(tree.weights) and not tree.weights[row]:
            why = "weighs 0"
        problems.append(
            f"leaf {node[row]} lists layout {' '.join(table.names(tree.ships[row]))}, which {why} "
            f"({len(extra)} such layouts)"
        )
    return problems


def require_valid(tree: Tree, *, layouts: Layouts | None = None) -> Verification:
    """Verify a tree before anything of it is printed or saved.

    Raises
    ------
    TreeError
        If the tree is not valid; names the first problem.
    """
    found = verify(tree, layouts=layouts)
    if not found.valid:
        raise TreeError(f"the tree is wrong: {found.problems[0]}")
    return found
