"""The whole idea in one file: an exact search that reads like its definition.

The decision table has a row for every layout and a column for every cell. One ship of three cells
and two of one on 3x3 stand in four ways, so every column is a string of four bits:

>>> from seabattle.enumerate.rules import Rules
>>> from seabattle.enumerate.table import DecisionTable
>>> table = DecisionTable.build(Rules("3x3", "3,1,1"))
>>> print(table.text())
A1 B1 C1 A2 B2 C2 A3 B3 C3
 X  X  X  .  .  .  X  .  X  A1:C1 A3 C3
 X  .  X  .  .  .  X  X  X  A3:C3 A1 C1
 X  .  X  X  .  .  X  .  X  A1:A3 C1 C3
 X  .  X  .  .  X  X  .  X  C1:C3 A1 A3
>>> table.column("A1").to01(), table.column("B1").to01(), table.column("A2").to01()
('1111', '1000', '0010')

What is known in the middle of a game is the set of layouts still possible, again a string of bits,
the *sub-table* S. A shot at cell c leaves ``S & column`` if it hits and ``S & ~column`` if it
misses. If B1 and then A2 are missed, two layouts are left:

>>> from bitarray.util import ones
>>> (ones(4, "little") & ~table.column("B1") & ~table.column("A2")).to01()
'0101'

Only misses cost. A1 is occupied in every layout: shooting it is free and reveals nothing, so it can
wait until one layout is left. B3 distinguishes the two layouts: the shot misses in one of them, and
after either answer nothing more is missed. So the best way to play S costs, in total over its
layouts,

    T(S) = 0 if all layouts of S occupy the same cells, else
    T(S) = min over cells c of |S & ~c| + T(S & ~c) + T(S & c),

because a miss costs every layout that is still possible after it one shot. On 3x3 that is 3 for
the miss at B1, 2 for the one at A2 and 1 for the one at B3: 6 in all, and 3 in the worst case.

>>> search = ReferenceSearch(table)
>>> search.least()
Cost(total=6, worst=3)
>>> tree = search.tree("mean")
>>> tree.rules.board.name(tree.root.shot), tree.total_misses, tree.worst_misses
('B1', 6, 3)

Three more ideas make this the search of every game the library solves:

* *Objectives.* T(S, w) is the least total among the strategies that miss at most w times on any
  path; after a miss, w - 1 are left. Without such a budget it is the least total of all, and the
  smallest w that any strategy can keep to is the least worst case. Among equal totals the smaller
  worst case is taken, and that may be decided answer by answer: a total is least only if the play
  after every answer has the least total, and the worst case of the whole is the largest of theirs.
* *Weights.* In totals a layout of weight 3 counts like three layouts; in the worst case all count
  alike.
* *Answers that say more.* In mode ``hit`` the sub-table is the whole state. Where a sinking is
  announced, or a hit names its ship, what a layout answers next also depends on the cells hit so
  far, so the state is the sub-table and those cells. The cells missed need not be kept, since no
  layout of the sub-table occupies them; nor the names of the ships hit, since its layouts agree on
  which of the cells hit belong to one ship.

Every state is computed once; there is no bound and no symmetry, and no shot is left out except
those that cannot change the state. ``ExactSearch`` finds the same values, thousands of times
faster, and the tests compare them with this file. In mode ``hit`` the states are the vertices that
``seabattle graph`` counts: 42,290 on 4x4 with 3,2,1, a matter of seconds here.
"""

from __future__ import annotations

from itertools import compress, count
from math import inf
from typing import NamedTuple

from bitarray import bitarray, frozenbitarray
from bitarray.util import count_and, ones, zeros

from seabattle.enumerate.answers import (
    CORE_SUNK_LENGTH,
    HIT,
    HIT_SHIP,
    MISS,
    SUNK,
    SUNK_LENGTH,
    core_mode,
)
from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable, Game
from seabattle.solver.search.queries import Objective, Within, read_objective
from seabattle.trees.tree import Reading, Tree, tree_arrays

Hits = dict[int, int]
"""Cells hit so far, each with its answer code; always empty in mode ``hit``."""


class Cost(NamedTuple):
    """What the best strategy costs: in total over the layouts, and in the worst case.

    Compared in this order. Both are infinite where no strategy keeps to the budget.
    """

    total: float
    worst: float


class ReferenceSearch:
    """Exact search by the definition alone, for small games.

    Parameters
    ----------
    game
        Rules, a position whose shots are made already, or a decision table with its weights.
    """

    def __init__(self, game: Game) -> None:
        self.table = table = DecisionTable.build(game)
        self.rules, self.position = table.rules, table.position
        self.says_more = self.rules.answers is not AnswerMode.HIT
        self.everything = frozenbitarray(ones(len(table), "little"))
        self.columns = [table.column(cell) for cell in range(self.rules.board.cells)]
        self.weights = table.weights.tolist() if len(table.weights) else [1] * len(table)
        ships = table.layouts.ships[table.index]
        self.ships_at: list[list[tuple[Placement, bitarray]]] = [[] for _ in self.columns]
        for number, ship in enumerate(placement_table(self.rules).placements):
            holding = bitarray((ships == number).any(axis=1).tolist(), endian="little")
            for cell in ship.cells:
                self.ships_at[cell].append((ship, holding))
        shots = self.position.shots if self.says_more else ()
        self.hits: Hits = {cell: answer for cell, answer in shots if answer != MISS}
        self.known: dict[tuple[frozenbitarray, frozenset[int], float], tuple[Cost, int]] = {}

    def shots(self, rows: frozenbitarray, hits: Hits) -> list[int]:
        """Cells worth shooting; none when all layouts occupy the same cells."""
        occupied = [count_and(rows, column) for column in self.columns]
        unsure = [cell for cell, number in enumerate(occupied) if 0 < number < rows.count()]
        if not unsure or not self.says_more:
            return unsure  # in mode hit a certain hit reveals nothing
        return [cell for cell, number in enumerate(occupied) if number and cell not in hits]

    def answers(
        self, rows: frozenbitarray, hits: Hits, cell: int
    ) -> list[tuple[int, frozenbitarray, Hits]]:
        """Answers a shot can get, each with the state that follows; a miss comes first."""
        parts: dict[int, bitarray] = {MISS: rows & ~self.columns[cell]}
        if not self.says_more:
            parts[HIT] = rows & self.columns[cell]
        for ship, holding in self.ships_at[cell] if self.says_more else ():
            answer = self.answer_of(ship, hits)
            parts[answer] = parts.get(answer, zeros(len(rows), "little")) | rows & holding
        return [
            (answer, frozenbitarray(part),
             {**hits, cell: answer} if self.says_more and answer != MISS else hits)
            for answer, part in parts.items() if part.any()
        ]  # fmt: skip

    def answer_of(self, ship: Placement, hits: Hits) -> int:
        """What the next hit is answered if it is this ship that is hit."""
        before = [hits[cell] for cell in ship.cells if cell in hits]
        if self.rules.answers is AnswerMode.SHIP:
            names = {name for name in hits.values() if (name - HIT_SHIP) // 64 == ship.length}
            return before[0] if before else HIT_SHIP + 64 * ship.length + len(names) + 1
        if len(before) + 1 < ship.length:
            return HIT
        return SUNK_LENGTH + ship.length if core_mode(self.rules) == CORE_SUNK_LENGTH else SUNK

    def best(self, rows: frozenbitarray, hits: Hits, budget: float) -> tuple[Cost, int]:
        """Value of a state within a budget of misses, and the shot that reaches it (-1: none)."""
        if budget < 0:
            return Cost(inf, inf), -1
        state = rows, frozenset(hits), budget
        if state not in self.known:
            self.known[state] = min(
                ((self.shot_value(rows, hits, cell, budget), cell)
                 for cell in self.shots(rows, hits)),
                default=(Cost(0, 0), -1),
            )  # fmt: skip
        return self.known[state]

    def shot_value(self, rows: frozenbitarray, hits: Hits, cell: int, budget: float) -> Cost:
        """Value of a state if its next shot is given."""
        total: float = 0
        worst: float = 0
        for answer, part, hit in self.answers(rows, hits, cell):
            missed = int(answer == MISS)
            rest, _ = self.best(part, hit, budget - missed)
            total += rest.total + missed * sum(compress(self.weights, part))
            worst = max(worst, rest.worst + missed)
        return Cost(total, worst)

    def least(self, budget: float = inf) -> Cost:
        """Least total of the whole game with at most ``budget`` misses, and its worst case."""
        return self.best(self.everything, self.hits, budget)[0]

    def budget(self, objective: str) -> float:
        """Misses that the best tree for an objective may spend on any path."""
        chosen = read_objective(objective)
        if isinstance(chosen, Within):
            raise RulesError(f"objective {objective}: this search makes no tree for it")
        if chosen in (Objective.MEAN, Objective.MEAN_WORST):
            return inf
        return next(budget for budget in count() if self.least(budget).worst < inf)

    def tree(self, objective: str = "mean") -> Tree:
        """The best tree for an objective; of a Pareto front the one of least worst case.

        For ``mean`` it is that of ``mean-worst``, for ``worst`` that of ``worst-mean``.
        """
        nodes: list[tuple[int, list[tuple[int, int]], list[int]]] = []

        def grow(rows: frozenbitarray, hits: Hits, budget: float) -> int:
            cell = self.best(rows, hits, budget)[1]
            number = len(nodes)
            nodes.append((cell, [], list(rows.search(1)) if cell < 0 else []))
            for answer, part, hit in self.answers(rows, hits, cell) if cell >= 0 else ():
                child = grow(part, hit, budget - (answer == MISS))
                nodes[number][1].append((answer, child))
            return number

        budget = self.budget(objective)
        grow(self.everything, self.hits, budget)
        ships = self.table.layouts.ships[self.table.index]
        order = [row for _, _, rows in nodes for row in rows]
        return Tree(
            rules=self.rules,
            **tree_arrays([(cell, edges, [ships[row] for row in rows])
                           for cell, edges, rows in nodes], ships.shape[1]),
            weights=self.table.weights[order] if len(self.table.weights) else self.table.weights,
            reading=Reading.FULL,
            objective=objective,
            status="optimal",
            total_misses=int(self.least(budget).total),
            worst_misses=int(self.least(budget).worst),
            position=self.position,
        )  # fmt: skip
