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

from seabattle.enumerate.answers import MISS, answer_text, kernel_mode
from seabattle.enumerate.counting.fitting import fitting_table
from seabattle.enumerate.errors import SeabattleError, TreeError
from seabattle.enumerate.kernels import ZERO, allocating_kernel, kernel
from seabattle.enumerate.layouts import (
    DEFAULT_MEMORY_GIB,
    Layouts,
    first_impossible,
    fitting,
    name_answer,
    replay,
    set_up,
    words_of,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode
from seabattle.trees.tree import Tree, distribution_document, distribution_of, distribution_text

MOST_PROBLEMS = 20


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
    """

    valid: bool
    problems: tuple[str, ...]
    total_misses: int = 0
    worst_misses: int = 0
    layouts: int = 0
    weight: int = 0
    wasted: int = 0
    distribution: dict[int, int] = field(default_factory=dict)

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
    problems = []
    cells = tree.rules.board.cells
    if len(tree) == 0:
        return ["the tree has no node"]
    if len(tree.children) and (
        int(tree.children.min()) < 0 or int(tree.children.max()) >= len(tree)
    ):
        return ["an answer leads to a node that does not exist"]
    if (tree.shots >= cells).any():
        return ["a node shoots a cell off the board"]
    parents = np.bincount(tree.children, minlength=len(tree))
    if parents[0] != 0 or (parents[1:] != 1).any():
        problems.append("the nodes are no tree: a node has no parent or more than one")
    inner = tree.shots >= 0
    edges = np.diff(tree.first)
    rows = np.diff(tree.leaf)
    if (edges[~inner] > 0).any() or (rows[inner] > 0).any():
        problems.append("a node is both a leaf and a shot")
    if (edges[inner] == 0).any():
        problems.append("a node shoots and has no answer")
    if (rows[~inner] == 0).any():
        problems.append("a leaf has no layout")
    return problems


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
        The game's layouts, if the caller has enumerated them already.

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
    rules = tree.rules
    table = placement_table(rules)
    if layouts is not None and (
        (layouts.rules.board, layouts.rules.fleet, layouts.rules.contact)
        != (rules.board, rules.fleet, rules.contact)
    ):
        layouts = None  # of another game
    if len(tree.weights):
        ships, problems = _weighed_layouts(tree)
        if problems:
            return Verification(False, tuple(problems))
    else:
        layouts = layouts or fitting_table(tree.position, memory_limit=memory_limit).layouts
        ships = layouts.ships
        if tree.position.shots:
            ships = np.ascontiguousarray(ships[fitting(tree.position, layouts) == 1])
    visits = np.zeros(len(tree), dtype=np.int64)
    used = np.zeros(len(tree.children), dtype=np.uint8)
    ends = np.zeros(len(ships), dtype=np.int64)
    misses = np.zeros(len(ships), dtype=np.int64)
    problem = np.zeros(len(ships), dtype=np.uint8)
    walk_layouts(
        tree.shots, tree.first, tree.answers, tree.children, table.masks, ships,
        np.array(rules.fleet.lengths, dtype=np.int64),
        np.array([cell for cell, _ in tree.position.shots], dtype=np.int64),
        kernel_mode(rules), visits, used, ends, misses, problem,
    )  # fmt: skip
    problems += _walk_problems(tree, ships, ends, problem)
    good = problem == FINE
    row = np.full(len(ships), -1, dtype=np.int64)
    matched = np.zeros(tree.layouts, dtype=np.uint8)
    match_leaves(ships, ends, tree.leaf, tree.ships, row, matched)
    problems += _coverage_problems(tree, ships, ends, good, row, matched)
    parents = tree.parents
    for e in np.flatnonzero(used == 0)[:MOST_PROBLEMS]:
        problems.append(
            f"node {parents[e]}: answer {answer_text(int(tree.answers[e]))!r} to "
            f"{rules.board.name(int(tree.shots[parents[e]]))} cannot occur"
        )
    wasted, certain = _idle_shots(tree, visits)
    if tree.status == "optimal" and wasted:
        problems.append(f"{wasted} wasted shots in a tree that claims to be optimal")
    if rules.answers is AnswerMode.HIT and certain:
        problems.append(f"{certain} shots in mode 'hit' that hit in every possible layout")
    weights = np.ones(len(ships), dtype=np.int64)
    if len(tree.weights):
        weights = np.where(row >= 0, tree.weights[np.maximum(row, 0)], 0)
    total = int((misses[good] * weights[good]).sum())
    worst = int(misses[good].max()) if good.any() else 0
    if good.all():
        if total != tree.total_misses:
            problems.append(f"the tree claims {tree.total_misses} misses in total, it has {total}")
        if worst != tree.worst_misses:
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
        distribution=distribution_of(misses[good], weights[good]),
    )


def _weighed_layouts(tree: Tree) -> tuple[NDArray[np.uint16], list[str]]:
    """The layouts of positive weight, each once, and what is wrong with them.

    A tree with weights says itself which layouts there are: one that no leaf lists weighs 0.
    """
    ships = np.unique(tree.ships[tree.weights > 0], axis=0)
    wrong = first_impossible(tree.rules, ships)
    if wrong is not None:
        return ships, [f"a leaf lists placements {ships[wrong].tolist()}, which are no layout"]
    try:
        fits = fitting(tree.position, ships)
    except SeabattleError as error:
        return ships, [str(error)]
    if not fits.all():
        names = " ".join(placement_table(tree.rules).names(ships[int(np.argmin(fits))]))
        return ships, [f"a leaf lists layout {names}, which does not fit the shots before"]
    return ships, []


def _walk_problems(
    tree: Tree, ships: NDArray[np.uint16], ends: NDArray[np.int64], problem: NDArray[np.uint8]
) -> list[str]:
    """Layouts whose walk did not end in a leaf: their number and the first one, by fault."""
    table = placement_table(tree.rules)
    faults = {
        NO_BRANCH: "the tree has no branch for the answer there",
        SHOT_TWICE: "a cell is shot twice on its path",
    }
    problems = []
    for fault, text in faults.items():
        where = np.flatnonzero(problem == fault)
        if len(where):
            names = " ".join(table.names(ships[where[0]]))
            problems.append(
                f"{len(where)} layouts are not covered, the first is {names}: "
                f"at node {int(ends[where[0]])} {text}"
            )
    return problems


def _coverage_problems(
    tree: Tree,
    ships: NDArray[np.uint16],
    ends: NDArray[np.int64],
    good: NDArray[np.bool_],
    row: NDArray[np.int64],
    matched: NDArray[np.uint8],
) -> list[str]:
    """Layouts that a leaf lists wrongly: it must list those that reach it and no others."""
    table = placement_table(tree.rules)
    problems = []
    cells = np.zeros((tree.layouts, 2), dtype=np.uint64)
    for placements in tree.ships.T:
        cells |= table.masks[placements]
    node = np.repeat(np.arange(len(tree)), np.diff(tree.leaf))
    differing = np.flatnonzero((cells != cells[tree.leaf[node]]).any(axis=1))
    if len(differing):
        problems.append(f"leaf {node[differing[0]]} lists layouts that occupy different cells")
    missing = np.flatnonzero(good & (row < 0))
    if len(missing):
        names = " ".join(table.names(ships[missing[0]]))
        problems.append(
            f"leaf {int(ends[missing[0]])} does not list layout {names}, which ends there "
            f"({len(missing)} such layouts)"
        )
    listed = matched == 0
    if len(tree.weights):
        listed &= tree.weights > 0
    extra = np.flatnonzero(listed)
    if len(extra):
        names = " ".join(table.names(tree.ships[extra[0]]))
        problems.append(
            f"leaf {node[extra[0]]} lists layout {names}, which does not end there or is listed "
            f"twice ({len(extra)} such layouts)"
        )
    return problems


def _idle_shots(tree: Tree, visits: NDArray[np.int64]) -> tuple[int, int]:
    """Number of shots that miss, and of shots that hit, in every layout still possible there."""
    parent = tree.parents
    missing = np.zeros(len(tree), dtype=np.int64)
    is_miss = tree.answers == MISS
    np.add.at(missing, parent[is_miss], visits[tree.children[is_miss]])
    inner = (tree.shots >= 0) & (visits > 0)
    wasted = int((inner & (missing == visits)).sum())
    certain = int((inner & (missing == 0)).sum())
    return wasted, certain


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


# ------------------------------------------------------------------------------------------------
# Compiled loops that walk trees by the rules of the game alone.
#
# Counts are at most n_layouts and misses at most the cells of the board: nothing can overflow.


FINE, NO_BRANCH, SHOT_TWICE = 0, 1, 2
"""How the walk of a layout ended: in a leaf; at a node without a branch for its answer; at a cell
that was shot before. Every walk ends so, as a board has only so many cells to shoot."""


@allocating_kernel
def walk_layouts(
    shots,
    first,
    answers,
    children,
    masks,
    ships,
    lengths,
    history,
    mode,
    visits,
    used,
    ends,
    misses,
    problem,
):
    """Send every layout from the root to where the tree ends for it.

    shots : int16 (n_nodes,), first : int64 (n_nodes + 1,), answers : uint16 (n_edges,), children :
        int32 (n_edges,), the tree's arrays (see ``trees.tree``)
    masks : uint64 (n_placements, 2), cells of each placement
    ships : uint16 (n_layouts, n_ships), placement numbers; lengths : int64 (n_ships,)
    history : int64 (n_before,), cells shot before the tree begins, in order
    mode : answer mode, as ``name_answer`` takes it
    visits : int64 (n_nodes,), modified: increased by the layouts that pass through each node
    used : uint8 (n_edges,), modified: set to 1 where some layout takes the edge
    ends : int64 (n_layouts,), modified: node where the walk stopped (a leaf when all is well)
    misses : int64 (n_layouts,), modified: number of shots that missed
    problem : uint8 (n_layouts,), modified: ``FINE``, or what stopped the walk
    """
    count = lengths.shape[0]
    low = np.empty(count, np.uint64)
    high = np.empty(count, np.uint64)
    names = np.empty(count, np.int64)
    for i in range(ships.shape[0]):
        set_up(i, ships, masks, low, high, names)
        shot_low, shot_high = replay(low, high, lengths, history, names, mode)
        node = 0
        missed = 0
        problem[i] = FINE
        while True:
            visits[node] += 1
            cell = np.int64(shots[node])
            if cell < 0:
                break
            bit_low, bit_high = words_of(cell)
            if (shot_low & bit_low) != ZERO or (shot_high & bit_high) != ZERO:
                problem[i] = SHOT_TWICE
                break
            answer = name_answer(low, high, lengths, cell, shot_low, shot_high, names, mode)
            shot_low |= bit_low
            shot_high |= bit_high
            if answer == MISS:
                missed += 1
            following = -1
            for e in range(first[node], first[node + 1]):
                if answers[e] == answer:
                    following = children[e]
                    used[e] = 1
                    break
            if following < 0:
                problem[i] = NO_BRANCH
                break
            node = following
        ends[i] = node
        misses[i] = missed


@kernel
def match_leaves(ships, ends, leaf, listed, row, matched):
    """Find each layout among those its leaf lists.

    ships : uint16 (n_layouts, n_ships), placement numbers, in the order in which leaves list them
    ends : int64 (n_layouts,), node that each layout came to
    leaf : int64 (n_nodes + 1,), rows listed by node v: leaf[v] to leaf[v + 1] - 1
    listed : uint16 (n_listed, n_ships), placement numbers
    row : int64 (n_layouts,), modified: the listed row, -1 where the leaf does not list the layout
    matched : uint8 (n_listed,), modified: 1 where a layout was found; a row is taken only once
    """
    for i in range(ships.shape[0]):
        row[i] = -1
        for r in range(leaf[ends[i]], leaf[ends[i] + 1]):
            if matched[r] == 1:
                continue
            same = True
            for d in range(ships.shape[1]):
                if listed[r, d] != ships[i, d]:
                    same = False
                    break
            if same:
                matched[r] = 1
                row[i] = r
                break
