"""The exact search of every answer mode: one class, and why its keys are exact.

Words: S is a sub-table (the layouts still possible), K the cells shot and hit, H the cells that
every layout of S occupies, M the cells that none occupies. A *certain hit* is a cell of H not
shot yet. A *group* is a set of cells connected by their sides.

Mode ``hit`` (``PLAIN``)
    *(H, M) is an exact key*: a row of the whole table belongs to S exactly when it contains H and
    avoids M, because every answer so far only said "this cell is occupied" (it is in H) or "it is
    not" (it is in M). Certain hits cost nothing and tell nothing, and are never shot.

Mode ``sunk``, contact rules ``none`` and ``corners`` (``CLOSED_SUNK``)
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

Mode ``ship``, every contact rule (``NAMED``)
    A hit names its ship, so the layouts left are those that cover the hit cells by ships of the
    named lengths, the same cells by the same ship, and avoid the missed ones. That does not depend
    on the order of shots; equal ships carry a number only to tell them apart. Certain hits are
    free and their answers are those they would give later, so they come first, and after them the
    key is (H, M) with the ship of every cell of H. Sinking is implied by the names.

Mode ``sunk``, contact rule ``sides`` (``OPEN_SUNK``)
    None of this holds. Hit cells that touch may belong to several ships, so what a sinking tells
    depends on which shot it came with, and shooting a certain hit early can give away what its
    answer would have revealed later. The next answers of a layout depend on the layout and on K. So
    the state is (S, K), the key is S row by row and K, and certain hits are shots to be weighed
    like all others, except that they cost nothing; but a ship that lies alike in all of S is taken
    as shot (``answers.hpp``).

What keeps a search small is listed in ``queries``, the bounds in ``bounds.hpp``. The recurrence is
in ``minimize.hpp``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import CORE_SUNK_LENGTH, core_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.core.library import core
from seabattle.enumerate.placements import mask_words
from seabattle.enumerate.rules import Contact
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.coverage import (
    first_states,
    more_states,
    open_patterns,
    sinking_patterns,
)
from seabattle.solver.search.limits import LimitReached, Limits, Pace, Paused, Snapshot
from seabattle.solver.search.problem import Family, Problem, whole_mask
from seabattle.solver.search.queries import (
    INFEASIBLE,
    NO_LIMIT,
    Goal,
    SearchOptions,
    Value,
    core_limit,
)
from seabattle.solver.search.reveal_bound import LONGEST_LINE
from seabattle.solver.search.searcher import (
    ALLOWANCE_USED,
    FULL_STATES,
    FULL_TABLE,
    Searcher,
    new_counters,
)
from seabattle.solver.search.table import CLAIMED, EMPTY, KEY, PACKED
from seabattle.solver.search.team import Team

LEAST_PARTED = 16
"""Rows of a sub-table for which it is worth while to ask what is left once cells are revealed."""

ROWS_SPLIT = 64
"""Least rows of a sub-table whose shots are refuted so: smaller ones are cheap to know exactly."""


FIRST_CAPACITY = 1 << 14
"""Slots of a table at the start, a power of 2."""


class ExactSearch:
    """An exact search over the sub-tables of one problem.

    Every query names its goal and, with the goal ``TOTAL``, may limit the misses on any path: only
    trees that keep the limit then count, and there may be none (``INFEASIBLE``). Queries are
    *fail-soft*: below the budget the result is exact, otherwise it is a proven lower bound, at
    least the budget and at most the true value. Whatever a query proves stays in the table for all
    later ones. A query raises ``LimitReached`` at a limit of time or memory.

    Parameters
    ----------
    problem
        The rows.
    options
        What the search may use; everything by default.
    limits
        When to stop.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> for answers in "hit", "sunk", "ship":
    ...     search = ExactSearch(as_problem(Rules("4x4", "3,2,1", answers=answers)))
    ...     print(search.minimize().misses, search.states)
    605 184
    428 228
    384 186
    """

    def __init__(
        self,
        problem: Problem,
        *,
        options: SearchOptions | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.problem = problem
        self.options = options or SearchOptions()
        self.limits = limits or Limits()
        self.reserved = 0  # bytes that others hold on its behalf
        self.started = time.monotonic()
        self.least_rows_per_step = 16 * len(problem)
        self.rows_per_step = max(self.limits.rows_per_step, self.least_rows_per_step)
        self.stage = ""
        self.interval: Callable[[], tuple[int | None, int | None]] = lambda: (None, None)
        self.bounded = "total"  # what that is an interval of, as in ``Snapshot``
        self.checkpoint: Checkpoint | None = None
        alone = 2 * self.rows_per_step // 5
        if problem.mode != Family.PLAIN:
            # A row takes a few times as long as in mode ``hit``, and a step should be as short.
            self.rows_per_step = max(self.limits.rows_per_step // 4, self.least_rows_per_step)
            alone = self.rows_per_step // 64
        self.hit = problem.hit
        self.counting = self.options.bounds and self.options.coverage and problem.is_counted
        apart = problem.hits_are_shot and problem.rules.contact is not Contact.SIDES
        short = max(problem.rules.fleet.lengths) <= LONGEST_LINE and problem.looks_at_ships
        self.reveals = (
            self.options.bounds and self.options.reveal and apart and short and problem.on_board
        )
        self.game = self._game()
        self.searcher = Searcher(self.game, new_counters())
        self.counters = self.searcher.counters
        self.team = Team(self.game, self.searcher, alone)
        self.table = self._empty_table(FIRST_CAPACITY)
        by_ships = self.counting and problem.mode == Family.CLOSED_SUNK
        self.states_counted = first_states(by_ships=by_ships)

    def _game(self) -> dict[str, Any]:
        """The game as the core takes it: the fields of ``seabattle_search_game``."""
        problem, options = self.problem, self.options
        words = problem.places // 64
        sides = [problem.mask(problem.rules.beside[cell]) for cell in problem.board_cells]
        by_rows = problem.mode == Family.OPEN_SUNK
        return {
            "family": problem.mode,
            "cells": problem.cells,
            "words": words,
            "key_words": problem.key_words,
            "announced": self.announced,
            "bounds": options.bounds,
            "ordering": options.ordering,
            "dominance": options.dominance,
            "lookahead": options.lookahead,
            "budgets": options.budgets,
            "coverage": options.coverage,
            "reveal_rows": LEAST_PARTED if self.reveals else 0,
            "rows": problem.rows.ravel(),
            "weights": problem.row_weights,
            "ships": None if problem.mode == Family.PLAIN else problem.ships.ravel(),
            "lengths": np.array(problem.rules.fleet.lengths, dtype=np.int64),
            "sides": mask_words(sides, words).ravel(),
            "moves": np.array(problem.symmetries, dtype=np.int64).ravel(),
            "images": problem.row_images().ravel() if by_rows else None,
            "patterns": self._sinkings().ravel(),
            "lines": problem.lines().ravel() if self.reveals else None,
        }

    @property
    def announced(self) -> bool:
        """Whether a sinking tells the length, and sub-tables are kept by it."""
        mode = core_mode(self.problem.rules)
        return self.problem.mode == Family.OPEN_SUNK and mode == CORE_SUNK_LENGTH

    def _sinkings(self) -> NDArray[np.int64]:
        """The sequences of hits and sinkings that the bounds may count; see ``coverage``."""
        problem = self.problem
        if problem.mode != Family.OPEN_SUNK:
            return sinking_patterns(problem.rules.fleet.lengths)
        if not self.options.coverage:
            return np.zeros((1, 1), dtype=np.int64)
        alike = int(np.unique(problem.rows, axis=0, return_counts=True)[1].max())
        return open_patterns(problem.rules.fleet.lengths, announced=self.announced, alike=alike)

    def prepare(self, pace: Pace | None = None) -> None:
        """Count what hits leave, where the bounds use it; see ``run`` for what may stop it."""
        if not self.counting:
            return
        rows = np.arange(len(self.problem), dtype=np.int32)

        def count() -> int:
            if not self.counting:  # there is to be no more room: what was counted is used
                return 0
            return self.searcher.count_states(rows, self.question(Goal.TOTAL, NO_LIMIT))

        self.run_alone(count, self._more_states, pace=pace)
        self.counting = False

    def _more_states(self) -> None:
        """Make room for more states, or for parts of the sub-tables on the way to them."""
        if self.counters.status != FULL_STATES:
            self.team.more_parts()
            return
        states = more_states(self.states_counted, len(self.problem.symmetries), self.limits.memory)
        self.counting = states is not None
        self.states_counted = states or self.states_counted

    def question(
        self, goal: Goal, limit: int, budget: int = INFEASIBLE, cell: int = -1, **more: Any
    ) -> Mapping[str, Any]:
        """A question as the core takes it: ``seabattle_question`` without ``stop``.

        Parameters
        ----------
        goal
            What is made least.
        limit
            Miss limit, as ``core_limit`` gives it.
        budget, cell
            The value is exact when below the budget; a first shot, or -1.
        more
            Other fields of it.
        """
        return {
            "goal": goal,
            "miss_limit": limit,
            "budget": budget,
            "every_shot": False,
            "cell": cell,
            "split_rows": 0,
            "hit": self.mask_words(self.hit),
            "table": self.table.ravel(),
            "busy": None,
            "states": self.states_counted,
            **more,
        }

    def mask_words(self, mask: int) -> NDArray[np.uint64]:
        """A mask of cells as the core takes it."""
        words: NDArray[np.uint64] = mask_words([mask], self.problem.places // 64).ravel()
        return words

    def _after(
        self,
        rows: NDArray[np.int64] | None,
        cell: int,
        goal: Goal,
        miss_limit: int | None,
        budget: int,
        *,
        every_shot: bool = False,
        pace: Pace | None = None,
    ) -> Value:
        """Least misses of some rows after a shot, or, with cell -1, before any.

        Asked by as many threads as there may be.
        """
        if rows is None:
            rows = np.arange(len(self.problem))
        if len(rows) == 0:
            return Value(0, 0, True)
        limit = core_limit(goal, miss_limit)
        if goal is not Goal.LOST:  # what hits leave bounds only misses
            self.prepare(pace)
        glance = pace is not None and pace.one_step
        split = self.options.split and pace is not None and pace.split
        step = self.team.step(
            rows.astype(np.int32),
            lambda: self.question(
                goal,
                limit,
                budget,
                cell,
                every_shot=every_shot,
                split_rows=ROWS_SPLIT if split else 0,
            ),
            threads=1 if glance else self.limits.threads,
            step_rows=self.rows_per_step,
            over=(lambda: True) if glance else self.limits.over,
        )
        value = self.run(step, self.team.more_parts, pace)
        worst = self.searcher.counters.worst
        return Value(value, worst, value < budget)

    def minimize(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        rows: NDArray[np.int64] | None = None,
        pace: Pace | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table.

        Parameters
        ----------
        goal
            Whether the total or the worst case is made least.
        miss_limit
            Most misses on any path, 0 to 125, or None; None with the goal ``WORST``.
        budget
            The value is exact when below this, else only proven to be at least ``misses``.
        rows
            int64 ``(n,)``: numbers of the sub-table's rows, all rows by default.
        pace
            When to pause, by ``Paused``.
        """
        return self._after(rows, -1, goal, miss_limit, budget, pace=pace)

    def tell(self, goal: Goal, rows: NDArray[np.int64], hit: int, misses: int, cell: int) -> None:
        """Enter the value of a sub-table that is known for a goal, and its best shot.

        Parameters
        ----------
        goal
            What is made least.
        rows
            int64 ``(n,)``: its rows, of which no certain hit is due.
        hit
            Mask of the cells hit so far (open mode).
        misses, cell
            Its value and the first shot of a tree; of the worst case of that no more is said than
            that no tree misses more often than there are cells.
        """
        worst = misses if goal is Goal.WORST else self.problem.cells
        limit = core_limit(goal, None)
        shot = self.mask_words(hit)
        ids = rows.astype(np.int32)
        while not self.searcher.tell(
            ids, self.question(goal, limit, cell=cell, hit=shot), misses, worst
        ):
            self.enlarge()

    def best_shots(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        pace: Pace | None = None,
    ) -> tuple[Value, int]:
        """Least misses of the whole problem, and all shots with which a best tree begins.

        All other shots are refuted by one miss more than ``minimize`` would take, by the same
        search: to ask for the value of every shot takes far longer.

        Parameters
        ----------
        goal, miss_limit, budget, pace
            As in ``minimize``.

        Returns
        -------
        value
            As ``minimize`` does.
        cells
            Mask of the shots if the value is exact, else 0. Certain hits are among them only
            where they are not free (``Problem.hits_are_free``).
        """
        problem = self.problem
        if problem.hits_are_shot and problem.certain & ~self.hit:
            value = self.minimize(goal, miss_limit=miss_limit, budget=budget, pace=pace)
            # What certain hits tell parts the rows, so that no single state is asked for its shots.
            cells = 0
            for cell in cells_of(problem.unknown if value.exact else 0):
                below = value.misses + 1
                least = self.shot_value(cell, goal, miss_limit=miss_limit, budget=below, pace=pace)
                cells |= (least == value.misses) << cell
            return value, cells
        value = self._after(None, -1, goal, miss_limit, budget, every_shot=True, pace=pace)
        return value, whole_mask(self.searcher.best) if value.exact else 0

    def shot_value(
        self,
        cell: int,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        pace: Pace | None = None,
    ) -> int:
        """Least misses of a tree that begins with a shot at a cell; arguments as in ``minimize``.

        At most ``INFEASIBLE``, which means that no such tree keeps the miss limit.
        """
        return self._after(None, cell, goal, miss_limit, budget, pace=pace).misses

    def _empty_table(self, capacity: int) -> NDArray[np.uint64]:
        self.counters.capacity = capacity * 3 // 4
        return np.full((capacity, self.table_width), EMPTY, dtype=np.uint64)

    @property
    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return KEY + self.problem.key_words

    @property
    def states(self) -> int:
        """Distinct keys stored."""
        return int(self.counters.states)

    @property
    def nodes(self) -> int:
        """Sub-tables expanded: their columns counted and their shots weighed."""
        return int(self.counters.nodes)

    def snapshot(self, stage: str) -> Snapshot:
        """The state of the search, for a progress display."""
        known = time.monotonic() - self.started, self.states, self.nodes, stage
        return Snapshot(*known, *self.interval(), self.bounded)

    def enlarge(self) -> None:
        """Double the table.

        Raises
        ------
        LimitReached
            If the larger table would not fit in the memory limit.
        """
        needed = 3 * self.table.nbytes  # the old and the new one, while entries move
        needed += self.reserved
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"the search would need {needed / 2**30:.2g} GiB to go on; the memory limit is "
                f"{self.limits.memory:g} GiB"
            )
        try:
            larger = self._empty_table(2 * len(self.table))
        except MemoryError:
            self.counters.capacity = len(self.table) * 3 // 4
            raise LimitReached("this machine has no memory for more keys") from None
        core().rehash(self.table.ravel(), larger.ravel(), self.problem.key_words)
        self.table = larger

    def release(self) -> None:
        """Give the memory of the table back, when nothing more will be asked."""
        self.table = self.table[:0].copy()

    def save(self) -> None:
        """Write what is proven to the checkpoint, if there is one."""
        if self.checkpoint is not None:
            held = self.table[:, PACKED] < CLAIMED
            self.checkpoint.save(self.table[held])

    def contradiction(self, words: str) -> Exception:
        """The error for what cannot be: of the file that was read, or else of the search."""
        return AssertionError(words) if self.checkpoint is None else self.checkpoint.untrue()

    def resume(self, checkpoint: Checkpoint) -> int:
        """Load a checkpoint, as ``Checkpoint.load``, and write to it from now on: keys loaded."""
        entries = checkpoint.load(self.table_width)
        self.checkpoint = checkpoint
        if entries is None:
            return 0
        capacity = len(self.table)
        while capacity * 3 // 4 <= len(entries):
            capacity *= 2
        needed = capacity * entries.strides[0] + entries.nbytes  # while entries move
        if needed > self.limits.memory * 2**30:
            raise LimitReached(
                f"the checkpoint {checkpoint.path} holds {len(entries)} keys, and to go on from "
                f"there takes {needed / 2**30:.2g} GiB; the memory limit leaves "
                f"{self.limits.memory:.2g} GiB"
            )
        self.table = self._empty_table(capacity)
        core().rehash(entries.ravel(), self.table.ravel(), self.problem.key_words)
        self.counters.states = len(entries)
        return len(entries)

    def look(self, stage: str) -> None:
        """Report a stage, and stop if asked to."""
        if self.limits.report is not None:
            self.limits.report(self.snapshot(stage))
        if self.limits.stop is not None and self.limits.stop():
            raise KeyboardInterrupt

    def run_alone(
        self,
        ask: Callable[[], int],
        make_room: Callable[[], None] | None = None,
        *,
        pace: Pace | None = None,
    ) -> int:
        """As ``run``, of work of the core that the first search does and one thread asks for.

        Parameters
        ----------
        ask
            Works for as long as the allowance lasts; negative where it is not done.
        make_room
            As in ``run``; by default for parts of the sub-tables on the path.
        pace
            As in ``run``.
        """
        over = (lambda: True) if pace is not None and pace.one_step else self.limits.over
        make_room = make_room or self.team.more_parts
        return self.run(lambda: self.team.alone(ask, over), make_room, pace)

    def run(
        self, step: Callable[[], int], make_room: Callable[[], None], pace: Pace | None = None
    ) -> int:
        """Take steps until one is done, growing the table and reporting in between.

        Parameters
        ----------
        step
            Works for as long as the allowance lasts; negative where it is not done.
        make_room
            Makes room where something else than the table is full.
        pace
            When to pause.

        Raises
        ------
        LimitReached
            At a limit of time or memory.
        Paused
            When the pace says so.
        """
        pace = pace or Pace()
        while True:
            allowed = pace.rows_of_step(self.rows_per_step, self.least_rows_per_step)
            self.counters.allowance = allowed
            self.counters.status = 0
            value = step()
            pace.left -= allowed - max(0, int(self.counters.allowance))
            if value >= 0:
                return value
            if self.counters.status == FULL_TABLE:
                self.enlarge()
            elif self.counters.status != ALLOWANCE_USED:
                make_room()
            if not pace.one_step:
                if self.checkpoint is not None and self.checkpoint.due():
                    self.save()
                self.look(self.stage)
                if self.limits.seconds_left() < 0:
                    raise LimitReached("the time limit was reached")
            if pace.is_over:
                raise Paused
