"""The exact search where an answer says more than hit or miss.

Words: S is a sub-table (the layouts still possible), K the cells shot and hit, H the cells that
every layout of S occupies, M the cells that none occupies. A *certain hit* is a cell of H not
shot yet. A *group* is a set of cells connected by their sides.

Mode ``sunk``, contact rules ``none`` and ``corners``
    *A group of hit cells lies in one ship*, because two ships never share a side; and the ship is
    complete exactly when no cell beside the group is occupied.

    *Certain hits first.* They cost nothing, so only what they tell matters. Suppose a strategy
    shoots another cell c while d is a certain hit. Let a second strategy shoot d, keep the answer
    in mind, and go on like the first, shooting nothing when the first shoots d. After the same
    shots both have hit the same cells, and what either knows of them is, group by group, whether
    the group is sunk: the shot that completes a ship says so, whichever of its cells that is. So
    from any point after the first one's shot at d the second knows the same, before it more, it
    can answer d's shot in the first one's place, and it misses where the first misses. Hence
    shooting d first is never worse, and the order in which certain hits are shot does not matter.

    *(H, M) is an exact key.* Once every certain hit has been shot, K = H (every hit cell is
    certain). For each group of H all layouts of S agree whether it is sunk, and it is sunk if and
    only if all cells beside it are in M. So all that the answers said is: the cells of H are
    occupied, those of M are not, and a group of H is sunk or not as (H, M) shows. Let x be any
    layout of the whole table that contains H and avoids M. Shot at the same cells it gives the
    same answers, group by group, except perhaps that x leaves a group complete that was answered
    as not sunk; but such a group has a cell beside it outside M, not in H either, and if x
    occupies none of those, x would have answered sunk. So S is the set of layouts that contain H,
    avoid M, and occupy a cell beside every group of H that has one outside M: a function of (H, M).

Mode ``ship``, every contact rule
    A hit names its ship, so the layouts left are those that cover the hit cells by ships of the
    named lengths, the same cells by the same ship, and avoid the missed ones. That does not depend
    on the order of shots; equal ships carry a number only to tell them apart. Certain hits are
    free and their answers are those they would give later, so they come first, and after them the
    key is (H, M) with the ship of every cell of H. Sinking is implied by the names.

Mode ``sunk``, contact rule ``sides``
    None of this holds. Hit cells that touch may belong to several ships, so what a sinking tells
    depends on which shot it came with, and shooting a certain hit early can give away what its
    answer would have revealed later. The next answers of a layout depend on the layout and on K. So
    the state is (S, K), the key is S row by row and K, and certain hits are shots to be weighed
    like all others, except that they cost nothing.

The counting bound of mode ``hit`` is not used: it is false where an answer has more than two
values. Every mode has the path of all misses (``kernels.bounds.miss_path_bound``); the closed
modes also count words whose letters are the answers they have (``words_bound``), and mode ``sunk``
what hits leave (``solver.search.finds``). Where ships do not touch at their sides, totals are
bounded by what is left once the cells around a hit are told (``kernels.beside``). Dominance is used
in the closed modes only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_SUNK_LENGTH, kernel_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Contact
from seabattle.solver.search.answer_growing import GrowingTree
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.bounds import reach_table
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.finds import MOST_SHIPS, no_finds, open_patterns, placements_for
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.kernels.arrays import (
    ENTRY_COLUMNS,
    KEY,
    MOST_PARTED,
    NO_KEY,
    AnswerArrays,
    Arena,
    Game,
    Keys,
)
from seabattle.solver.search.kernels.transposition import ROW_KEY, ROW_PACKED, rehash_rows
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.lines import LONGEST_LINE, line_misses
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.queries import INFEASIBLE, Goal, Value, kernel_limit
from seabattle.solver.search.sinkings import sinking_patterns
from seabattle.solver.search.state_count import StateCount
from seabattle.solver.search.threads import NOT_SHARED, Crew
from seabattle.trees.tree import Tree

LEAST_PARTED = 16
"""Layouts of a sub-table for which it is worth while to ask what is left once cells are told."""


class AnswerSearch(ExactSearch):
    """Exact search in modes ``sunk`` and ``ship``; see ``ExactSearch``.

    Parameters
    ----------
    problem, options, limits, first_capacity
        As in ``ExactSearch``.
    hit
        Mask of the cells hit before the search begins.
    first_arena
        Children that the arena holds at the start.

    Examples
    --------
    >>> from seabattle.enumerate.table import DecisionTable, Rules
    >>> rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    >>> search = AnswerSearch(AnswerProblem(DecisionTable.build(rules)))
    >>> search.minimize().misses, search.states < 40_000
    (2490, True)
    """

    problem: AnswerProblem

    def __init__(
        self,
        problem: AnswerProblem,
        *,
        options: SearchOptions | None = None,
        limits: Limits | None = None,
        first_capacity: int | None = None,
        hit: int = 0,
        first_arena: int = 1 << 10,
    ) -> None:
        self.words = problem.key_words
        self.hit = hit
        capacity = first_capacity or 1 << 14  # keys may be long
        super().__init__(problem, options=options, limits=limits, first_capacity=capacity)
        # A row takes a few times as long as in mode ``hit``, and a step should be as short.
        self.rows_per_step = max(self.limits.rows_per_step // 4, self.least_rows_per_step)
        self.crew = Crew(self, self.rows_per_step // 64)
        n, levels = len(problem), len(self.counts)
        sides = np.zeros(64, dtype=np.uint64)
        sides[: problem.cells] = problem.side_masks
        self.game = Game(
            problem.rows.copy(),  # kernels take writable arrays
            problem.weights if len(problem.weights) else np.ones(n, dtype=np.int64),
            problem.ships,
            np.array(problem.rules.fleet.lengths, dtype=np.int64),
            sides,
            line_misses(problem.rules.fleet.lengths),
        )
        self.images = problem.image_array(orbits=self.options.orbits)
        self.together = np.zeros((levels, 64), dtype=np.uint64)
        self.key = np.zeros((levels, 2, self.words), dtype=np.uint64)
        self.groups = np.zeros(3 * MOST_PARTED, dtype=np.int32)
        self.patterns = self.sinkings()
        self.reach = reach_table()
        self.finds = no_finds()
        self.state_count = StateCount(self)
        self.placements = placements_for(0)
        few = self.options.bounds and len(problem.rules.fleet.lengths) <= MOST_SHIPS
        self.counting = few and self.options.finds and problem.mode == w.CLOSED_SUNK
        self.arena = Arena(
            np.zeros((first_arena, ENTRY_COLUMNS), dtype=np.int64),
            np.zeros((first_arena, KEY + self.words), dtype=np.uint64),
        )
        lengths_announced = kernel_mode(problem.rules) == KERNEL_SUNK_LENGTH
        self.kernel_options[w.MODE] = problem.mode
        apart = problem.rules.contact is not Contact.SIDES
        short = max(problem.rules.fleet.lengths) <= LONGEST_LINE
        if few and self.options.beside and apart and short and problem.on_board:
            self.kernel_options[w.BESIDE] = LEAST_PARTED
        self.kernel_options[w.ANNOUNCED] = problem.mode == w.OPEN_SUNK and lengths_announced

    @property
    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return ROW_KEY + self.words

    @property
    def packed_column(self) -> int:
        """Column of the table that holds the packed value."""
        return ROW_PACKED

    def prepare(self) -> None:
        """Count what hits leave, where the bounds use it."""
        if self.counting:
            self.state_count.count_once()
            self.counting = False

    def move_entries(self, larger: NDArray[np.uint64]) -> None:
        """Fill a larger table with the entries of this one."""
        rehash_rows(self.table, larger, self.key[0])

    def make_room(self) -> None:
        """Double the arena of children, or the room for states, if there may be more."""
        if self.counters[w.STATUS] == w.FULL_FINDS:
            self.state_count.make_room()
            return
        entries, masks = self.arena
        self.arena = Arena(
            np.concatenate((entries, np.zeros_like(entries))),
            np.concatenate((masks, np.zeros_like(masks))),
        )

    def sinkings(self) -> NDArray[np.int64]:
        """The sequences of hits and sinkings that the bounds may count; see ``finds``."""
        problem = self.problem
        if problem.mode != w.OPEN_SUNK:
            return sinking_patterns(problem.rules.fleet.lengths)
        if not self.options.finds:
            return np.zeros((1, 1), dtype=np.int64)
        announced = kernel_mode(problem.rules) == KERNEL_SUNK_LENGTH
        alike = int(np.unique(problem.rows, return_counts=True)[1].max())
        return open_patterns(problem.rules.fleet.lengths, announced=announced, alike=alike)

    def kernel_arrays(self) -> AnswerArrays:
        """The arrays of the kernels in ``kernels.answer_search``."""
        return AnswerArrays(
            self.game,
            self.arena,
            Keys(self.key_shares, self.moves, self.images),
            self.table,
            self.patterns,
            self.reach,
            self.finds,
            self.placements,
            self.counts,
            self.together,
            self.key,
            self.groups,
            self.kernel_options,
            self.counters,
            NOT_SHARED,
        )

    def _after(
        self,
        rows: NDArray[np.int64] | None,
        cell: int,
        goal: Goal,
        miss_limit: int | None,
        budget: int,
    ) -> Value:
        """Least misses of some rows after a shot, or, with cell -1, before any."""
        # compiled when first imported, and of no use to answers hit and miss
        from seabattle.solver.search.kernels.after_shot import minimize_after

        ids = np.arange(len(self.problem)) if rows is None else rows
        if len(ids) == 0:
            return Value(0, 0, True)
        ids = ids.astype(np.int32)
        limit = kernel_limit(goal, miss_limit)
        self.prepare()
        self.kernel_options[w.GOAL] = goal
        value = self.run(
            self.crew.step(
                lambda arrays, ids: minimize_after(
                    ids, cell, np.uint64(self.hit), budget, limit, arrays
                ),
                ids,
            )
        )
        return Value.unpacked(value, budget)

    def minimize(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        rows: NDArray[np.int64] | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table; see ``ExactSearch``."""
        return self._after(rows, -1, goal, miss_limit, budget)

    def best_shots(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> tuple[Value, int]:
        """Least misses of the whole problem, and all best shots; see ``ExactSearch``."""
        if self.problem.hits_are_free and self.problem.certain & ~self.hit:
            value = self.minimize(goal, miss_limit=miss_limit, budget=budget)
            # What certain hits tell parts the rows, so that no single state is asked for its shots.
            cells = 0
            for cell in cells_of(self.problem.unknown if value.exact else 0):
                least = self.shot_value(cell, goal, miss_limit=miss_limit, budget=value.misses + 1)
                cells |= (least == value.misses) << cell
            return value, cells
        rows = np.arange(len(self.problem))
        with self.seeking_every_shot():
            value = self._of_state(rows, self.hit, goal, miss_limit, budget)
        return value, self.shots_found(value)

    def shot_value(
        self,
        cell: int,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
    ) -> int:
        """Least misses of a tree that begins with a shot at a cell; see ``ExactSearch``."""
        return self._after(None, cell, goal, miss_limit, budget).misses

    def best_shot(
        self,
        rows: NDArray[np.int64],
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        hit: int = 0,
    ) -> int:
        """A shot with which a best tree of some rows begins; see ``ExactSearch``."""
        self._of_state(rows, hit, goal, miss_limit, INFEASIBLE)
        return int(self.counters[w.SHOT])

    def _of_state(
        self,
        rows: NDArray[np.int64],
        hit: int,
        goal: Goal,
        miss_limit: int | None,
        budget: int,
    ) -> Value:
        """Least misses of some rows where no certain hit is due; leaves its best shots behind."""
        from seabattle.solver.search.kernels.answer_search import minimize

        ids = rows.astype(np.int32)
        certain, occupied = (np.uint64(mask) for mask in self.problem.closure(rows))
        weight = int(self.game.weights[rows].sum())
        limit = kernel_limit(goal, miss_limit)
        self.prepare()
        self.kernel_options[w.GOAL] = goal
        self.counters[w.ARENA_TOP] = 0
        value = self.run(
            self.crew.step(
                lambda arrays, ids: minimize(
                    *(ids, 0, len(ids), certain, occupied, np.uint64(hit), weight),
                    *(budget, limit, 0, NO_KEY, arrays),
                ),
                ids,
            )
        )
        return Value.unpacked(value, budget)

    def grow(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        position: Position,
        objective: str,
        status: str,
    ) -> Tree:
        """A best tree of the whole problem; see ``ExactSearch``."""
        self.kernel_options[w.GOAL] = goal
        growing = GrowingTree(
            self, due_first=self.problem.hits_are_free, miss_limit=kernel_limit(goal, miss_limit)
        )
        growing.grow_exactly()
        return growing.tree(position, objective=objective, status=status)
