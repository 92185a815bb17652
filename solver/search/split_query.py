"""One query over all first shots, from parts that come in any order.

Every first shot up to symmetry has a lower bound from those of its parts; when all of them are
exact, so is it, and the least of these is the best one known. A part is closed when the bounds of
its first shot rise above that. When every first shot is exact or closed, the query is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.position import Position
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, Value
from seabattle.solver.search.split_parts import Outcome, Query, answers_to, part_name
from seabattle.trees.tree import Reading, Tree


def first_shots(problem: Problem) -> dict[int, int]:
    """Cells that may matter as first shot, each with the one of its orbit that is searched."""
    position = problem.table.history
    weighed = problem.unknown
    symmetries = problem.symmetries
    if not problem.hits_are_free:
        weighed |= problem.certain & ~position.shot_mask
        # Where the cells hit are part of the state, a symmetry has to keep them too.
        hit = position.hit_mask
        symmetries = tuple(s for s in symmetries if mask_of(s[c] for c in cells_of(hit)) == hit)
    found: dict[int, int] = {}
    for cell in cells_of(weighed):
        images = {symmetry[cell] for symmetry in symmetries}
        found[cell] = next((found[image] for image in images if image in found), cell)
    return found


@dataclass
class _Shot:
    """What is known of a first shot: by answer, the parts that have come."""

    cell: int
    missed: int
    codes: list[int]
    lower: dict[int, int] = field(default_factory=dict)
    done: dict[int, Outcome] = field(default_factory=dict)


class SplitQuery:
    """Bounds of all first shots for one query.

    Parameters
    ----------
    problem
        The game.
    query
        What is asked.
    budget
        The value is exact when below this.
    each
        Whether the value of every first shot is wanted, not only of the best ones.

    Attributes
    ----------
    stopped_by
        What stopped a part before it was done, in words.
    states, nodes
        Keys stored for all parts, and sub-tables expanded.
    """

    def __init__(
        self, problem: Problem, query: Query, budget: int = INFEASIBLE, *, each: bool = False
    ) -> None:
        self.query = query
        self.each = each
        self.best = budget - 1
        self.stopped_by = ""
        self.states = self.nodes = 0
        self.images = first_shots(problem)
        self.shots: dict[int, _Shot] = {}
        count: dict[int, int] = {}
        weights = problem.weights
        for cell in sorted(set(self.images.values())):
            codes = answers_to(problem, cell)
            missed = codes == MISS
            count[cell] = int(len(codes) - missed.sum())
            cost = int(weights[missed].sum() if len(weights) else missed.sum())
            shot = _Shot(cell, cost, [int(code) for code in np.unique(codes)])
            shot.lower = dict.fromkeys(shot.codes, 0)
            if query.goal is Goal.WORST:
                shot.missed = 0
            if query.miss_limit == 0 and MISS in shot.codes:
                shot.lower[MISS] = INFEASIBLE
            self.shots[cell] = shot
        # As in the kernels the cell that most rows occupy comes first; hits are the small parts.
        order = sorted(self.shots, key=lambda cell: (-count[cell], cell))
        parts = [(cell, code) for cell in order for code in self.shots[cell].codes]
        self.order = sorted(parts, key=lambda part: part[1] == MISS)

    @property
    def budget(self) -> int:
        """Below this a first shot is of interest."""
        return INFEASIBLE if self.each else min(self.best + 1, INFEASIBLE)

    def lower_of(self, cell: int) -> int:
        """What is proven of a first shot."""
        shot = self.shots[cell]
        if self.query.goal is Goal.WORST:
            return max(lower + (code == MISS) for code, lower in shot.lower.items())
        return min(INFEASIBLE, shot.missed + sum(shot.lower.values()))

    def exact(self, cell: int) -> bool:
        """Whether the value of a first shot is known."""
        shot = self.shots[cell]
        return len(shot.done) == len(shot.codes)

    def part_budget(self, cell: int, code: int) -> int:
        """Below this the value of a part is of interest; 0 or less when it is closed."""
        if self.exact(cell) or self.lower_of(cell) >= self.budget:
            return 0
        if self.query.goal is Goal.WORST:
            return self.budget - (code == MISS)
        return self.budget - self.lower_of(cell) + self.shots[cell].lower[code]

    def open_parts(self) -> Iterator[tuple[int, int]]:
        """First shots and answers still to be handed out; asked again and again."""
        for cell, code in self.order:
            if self.part_budget(cell, code) > self.shots[cell].lower[code]:
                yield cell, code

    @property
    def notice(self) -> dict[str, dict[str, int]]:
        """The budgets of all parts, for those who search them."""
        return {"budgets": {part_name(*part): self.part_budget(*part) for part in self.order}}

    def take(self, outcome: Outcome) -> None:
        """A part was searched."""
        self.states += outcome.states
        self.nodes += outcome.nodes
        self.stopped_by = self.stopped_by or outcome.stopped_by
        shot = self.shots[outcome.cell]
        shot.lower[outcome.code] = max(shot.lower[outcome.code], outcome.misses)
        if outcome.exact:
            shot.done[outcome.code] = outcome
        if self.exact(outcome.cell):
            self.best = min(self.best, self.lower_of(outcome.cell))

    @property
    def lower(self) -> int:
        """What is proven of the game."""
        return min(self.lower_of(cell) for cell in self.shots)

    @property
    def answered(self) -> bool:
        """Whether every first shot is exact or no better than the best one."""
        return all(self.exact(c) or self.lower_of(c) >= self.budget for c in self.shots)

    @property
    def winner(self) -> int | None:
        """The first cell of those with the least exact value; None if none is within budget."""
        exact = [cell for cell in self.shots if self.exact(cell)]
        return min(exact, key=lambda cell: (self.lower_of(cell), cell), default=None)

    @property
    def value(self) -> Value:
        """The answer."""
        cell = self.winner
        if cell is None or self.lower_of(cell) > self.lower:
            return Value(self.lower, 0, False)
        done = self.shots[cell].done
        worst = max(outcome.worst + (code == MISS) for code, outcome in done.items())
        return Value(self.lower, worst, True)

    @property
    def costs(self) -> dict[int, int]:
        """For every first shot its value, or a bound above that of the best ones."""
        return {cell: self.lower_of(image) for cell, image in self.images.items()}

    def tree(self, position: Position, objective: str, status: str) -> Tree | None:
        """The tree of the best first shot that is complete; None if there is none."""
        cell = self.winner
        if cell is None:
            return None
        trees = [(code, outcome.tree) for code, outcome in self.shots[cell].done.items()]
        parts = sorted((code, tree) for code, tree in trees if tree is not None)
        if len(parts) < len(trees):
            return None
        return joined(cell, parts, position, objective, status)


def joined(
    cell: int, parts: list[tuple[int, Tree]], position: Position, objective: str, status: str
) -> Tree:
    """The tree that shoots a cell and goes on with a tree for every answer.

    Parameters
    ----------
    cell
        The shot.
    parts
        Every answer that can come, in order, with the tree of what is left.
    position, objective, status
        Recorded in the tree.
    """
    trees = [tree for _, tree in parts]
    nodes = np.cumsum([1, *(len(tree.shots) for tree in trees)])
    edges = np.cumsum([len(parts), *(len(tree.children) for tree in trees)])
    leaves = np.cumsum([0, *(len(tree.ships) for tree in trees)])
    missed = dict(parts).get(MISS)
    cost = 0
    if missed is not None:
        cost = int(missed.weights.sum()) if len(missed.weights) else len(missed.ships)
    return Tree(
        rules=position.rules,
        shots=np.concatenate([np.array([cell], dtype=np.int16), *(t.shots for t in trees)]),
        first=np.concatenate(
            [
                np.array([0, len(parts)]),
                *(t.first[1:] + e for t, e in zip(trees, edges, strict=False)),
            ]
        ),
        answers=np.concatenate(
            [np.array([code for code, _ in parts], dtype=np.uint16), *(t.answers for t in trees)]
        ),
        children=np.concatenate(
            [nodes[:-1], *(t.children + n for t, n in zip(trees, nodes, strict=False))]
        ).astype(np.int32),
        leaf=np.concatenate(
            [np.array([0, 0]), *(t.leaf[1:] + n for t, n in zip(trees, leaves, strict=False))]
        ),
        ships=np.concatenate([t.ships for t in trees]),
        weights=np.concatenate([t.weights for t in trees]),
        reading=Reading.FULL,
        objective=objective,
        status=status,
        total_misses=cost + sum(tree.total_misses for tree in trees),
        worst_misses=max(tree.worst_misses + (code == MISS) for code, tree in parts),
        position=position,
    )
