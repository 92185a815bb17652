"""The exact search of every answer mode: one class, and why its keys are exact.

Words: S is a sub-table (the layouts still possible), K the cells shot and hit, H the cells that
every layout of S occupies, M the cells that none occupies. A *certain hit* is a cell of H not
shot yet. A *group* is a set of cells connected by their sides.

Mode ``hit`` (``HIT``)
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

The core is asked by one thread, or by several that ask the same question and share one table. Every
thread has rows, counters and scratch of its own; what one proves, all find in the table
(``table.hpp``). A thread puts off shots whose sub-tables another is busy with, so that they part
the work without ever being told how. In a step all threads begin together, and it is over when one
of them has its answer, has looked at as many rows as allowed, or finds no room. So all that happens
between two steps happens while nothing else runs: the table grows, a checkpoint is saved, progress
is shown, limits are kept. What is proven, and so the value, is the same with any number of threads.
Which keys it takes is not: that depends on who was faster.

The core stops by itself after an allowance of work, which in games of many layouts takes seconds.
So it works in threads of its own then (``solver.threads``), which are told to stop.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import CORE_SUNK_LENGTH, core_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.core.library import FULL, STOPPED, aligned_memory, core, memory_for
from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.placements import mask_words
from seabattle.enumerate.rules import Contact
from seabattle.solver.search.bounds import (
    LONGEST_LINE,
    line_misses,
    open_patterns,
    sinking_patterns,
)
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.problem import Family, Problem, whole_mask
from seabattle.solver.search.queries import (
    INFEASIBLE,
    NO_LIMIT,
    Goal,
    LimitReached,
    Limits,
    Pace,
    Paused,
    SearchOptions,
    Snapshot,
    Value,
    core_limit,
)
from seabattle.solver.threads import run_together

FULL_TABLE, ALLOWANCE_USED, FULL_PARTS, FULL_STATES = 1, 2, 3, 4
"""Why a search stopped, in ``counters.status``."""

FIRST_PARTS = 256
"""Parts of sub-tables on the path that there is room for at first."""

BUSY_PLACES = 1 << 12
"""Places for marks of busy sub-tables: some hundred times what threads are busy with."""

LEAST_ROOM = 64
"""Keys per thread for which a step of several is worth while: with less room the table grows."""

WATCHED_ROWS = 1_000_000
"""Steps that may look at more rows than this are watched, as they may take a tenth of a second."""

# The table as Python reads it: its columns, and the parts of a packed word. What an entry is, and
# how several threads fill the table at once, stands in ``table.hpp``.

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Packed word where nothing is stored."""

CLAIMED = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Packed word of an entry that is being written: beyond all that are proven."""

PACKED = 0
"""Column of the packed words; the words of the key are in those from ``KEY`` on."""
KEY = 1

NO_SHOT = 127
"""In place of a shot, where there is only a bound."""

SEVEN_BITS = np.uint64(127)
# Where the parts of a packed word begin; the miss limit is in its lowest bits.
MISSES_AT = np.uint64(22)
EXACT_AT = np.uint64(21)
SHOT_AT = np.uint64(14)

FIRST_CAPACITY = 1 << 14
"""Slots of a table at the start, a power of 2."""

SMALL_TABLE = 1 << 26
"""Bytes up to which a table becomes four times as large when it is full, and then twice: it is less
crowded, and grows half as often."""

# The states of which it is counted what hits leave (``coverage.hpp``).

MISSES_COUNTED = 32
"""Of more misses than this nothing is counted."""

FOUND_PLANES = 2
"""Layouts found with so many misses, and of those that one shot hits."""

FIRST_STATES = 1 << 9
"""States that there is room for at first. It doubles: memory that is not used takes time, too."""

MOST_STATES = 1 << 17
"""States of one game; where there are more, the bound is used for those that were counted."""

LEAST_PARTED = 16
"""Rows of a sub-table for which it is worth while to ask what is left once cells are revealed."""

ROWS_SPLIT = 64
"""Least rows of a sub-table whose shots are refuted so: smaller ones are cheap to know exactly."""

LATER_ALONE = 100
"""Part of a step that one thread takes alone of each question; of the first a fraction of a second,
so that small games take no more time than with one thread, and the same keys."""


class Searcher:
    """One search of a game in the core: its scratch, its counters, its order of the rows.

    Parameters
    ----------
    game
        The fields of ``seabattle_search_game`` but for ``parts``.

    Attributes
    ----------
    counters
        What it has counted.
    best
        uint64 ``(2,)``: mask of all best shots, where they were sought.
    memory
        The object of the core, which what builds on it is given.
    """

    def __init__(self, game: Mapping[str, Any]) -> None:
        names = "states", "nodes", "capacity", "allowance", "status", "shot", "worst"
        self.counters = core().structure("counters", dict.fromkeys(names, 0))
        self.best = np.zeros(2, dtype=np.uint64)
        self._game, self._parts = game, FIRST_PARTS
        self._make()

    def _make(self) -> None:
        made = core().structure("search_game", {**self._game, "parts": self._parts})
        self.memory = memory_for(lambda memory: core().search_make(made, memory))
        self._made = made  # the search looks at its arrays

    def more_parts(self) -> None:
        """Make room for more parts; what was proven is in the table."""
        self._parts *= 4
        self._make()

    def ask(
        self,
        function: Callable[..., Any],
        subject: NDArray[Any],
        question: ctypes.Structure,
        *more: Any,
    ) -> int:
        """What a function of the core answers, or ``STOPPED``.

        Parameters
        ----------
        function
            One that takes a search, its subject, a question, counters, and more.
        subject
            Mostly int32 ``(n,)``: the rows that are asked about.
        question
            Of ``ExactSearch.question``.
        more
            What else it takes.
        """
        return int(function(self.memory, subject, question, self.counters, *more))


Work = Callable[[Searcher], int]
"""Works with a search for as long as its allowance lasts; negative where it is not done."""


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
    428 229
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
        self.stage = ""
        self.checkpoint: Checkpoint | None = None
        # With other answers than ``hit`` a row takes a few times as long, and a step should not.
        plain = problem.family == Family.HIT
        self.least_rows_per_step = 16 * len(problem)
        rows = self.limits.rows_per_step if plain else self.limits.rows_per_step // 4
        self.rows_per_step = max(rows, self.least_rows_per_step)
        self.rows_alone = 2 * self.rows_per_step // 5 if plain else self.rows_per_step // 64
        self.hit = problem.hit
        self.counting = self.options.bounds and self.options.coverage and problem.is_counted
        self.states_counted = self._room_for_states(0)
        self.game = self._game()
        self.searcher = Searcher(self.game)
        self.others: list[Searcher] = []  # that search together
        self.stop = np.zeros(1, dtype=np.int32)  # not 0 once a step is to end
        self.busy: NDArray[np.uint64] | None = None  # marks that those of a step share
        self.counters = self.searcher.counters
        self.table = self._empty_table(FIRST_CAPACITY)

    def _game(self) -> dict[str, Any]:
        """The game as the core takes it: the fields of ``seabattle_search_game``."""
        problem, options = self.problem, self.options
        lengths = problem.rules.fleet.lengths
        sides = [problem.mask(problem.rules.beside[cell]) for cell in problem.board_cells]
        apart = problem.hits_are_shot and problem.rules.contact is not Contact.SIDES
        short = max(lengths) <= LONGEST_LINE and problem.looks_at_ships
        reveals = options.bounds and options.reveal and apart and short and problem.on_board
        by_rows = problem.family == Family.OPEN_SUNK
        announced = by_rows and core_mode(problem.rules) == CORE_SUNK_LENGTH
        return {
            **vars(options),
            "family": problem.family,
            "cells": problem.cells,
            "words": problem.words,
            "key_words": problem.key_words,
            "announced": announced,
            "reveal_rows": LEAST_PARTED if reveals else 0,
            "rows": problem.rows,
            "weights": problem.row_weights,
            "ships": None if problem.family == Family.HIT else problem.ships,
            "lengths": np.array(lengths, dtype=np.int64),
            "sides": mask_words(sides, problem.words),
            "moves": np.array(problem.symmetries, dtype=np.int64),
            "images": problem.row_images() if by_rows else None,
            "patterns": self._sinkings(announced=announced),
            "lines": line_misses(lengths) if reveals else None,
        }

    def _sinkings(self, *, announced: bool) -> NDArray[np.int64]:
        """The sequences of hits and sinkings that the bounds may count; see ``bounds``."""
        problem = self.problem
        if problem.family != Family.OPEN_SUNK:
            return sinking_patterns(problem.rules.fleet.lengths)
        if not self.options.coverage:
            return np.zeros((1, 1), dtype=np.int64)
        alike = int(np.unique(problem.rows, axis=0, return_counts=True)[1].max())
        return open_patterns(problem.rules.fleet.lengths, announced=announced, alike=alike)

    @property
    def states(self) -> int:
        """Distinct keys stored."""
        return int(self.counters.states)

    @property
    def nodes(self) -> int:
        """Sub-tables expanded: their columns counted and their shots weighed."""
        return int(self.counters.nodes)

    def minimize(
        self,
        goal: Goal = Goal.TOTAL,
        *,
        miss_limit: int | None = None,
        budget: int = INFEASIBLE,
        rows: NDArray[np.int64] | None = None,
        cell: int = -1,
        every_shot: bool = False,
        pace: Pace | None = None,
    ) -> Value:
        """Least misses of the whole problem or of a sub-table, asked by as many threads as may be.

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
        cell
            A first shot, or -1.
        every_shot
            Whether all best shots are sought, too: ``best_shots``.
        pace
            When to pause, by ``Paused``.
        """
        ids = np.arange(len(self.problem)) if rows is None else rows
        if len(ids) == 0:
            return Value(0, 0, True)
        limit, pace = core_limit(goal, miss_limit), pace or Pace()
        if not (pace.one_step or goal is Goal.LOST):  # what hits leave bounds only misses
            self.prepare(pace)
        split = ROWS_SPLIT if self.options.split and pace.split else 0
        ids = ids.astype(np.int32)

        def ask(searcher: Searcher) -> int:
            question = self.question(
                goal, limit, budget=budget, cell=cell, every_shot=every_shot, split_rows=split
            )
            return searcher.ask(core().search_ask, ids, question, searcher.best)

        threads = 1 if pace.one_step else self.limits.threads
        value = self.run(ask, pace=pace, threads=threads)
        return Value(value, self.counters.worst, value < budget)

    def best_shots(self, goal: Goal = Goal.TOTAL, **asked: Any) -> tuple[Value, int]:
        """Least misses of the whole problem, and all shots with which a best tree begins.

        All other shots are refuted by one miss more than ``minimize`` would take, by the same
        search: to ask for the value of every shot takes far longer.

        Parameters
        ----------
        goal, asked
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
        if not problem.hits_are_shot or not problem.certain & ~self.hit:
            value = self.minimize(goal, every_shot=True, **asked)
            return value, whole_mask(self.searcher.best) if value.exact else 0
        value = self.minimize(goal, **asked)
        # What certain hits tell parts the rows, so that no single state is asked for its shots.
        asked["budget"], cells = value.misses + 1, 0
        for cell in cells_of(problem.unknown if value.exact else 0):
            cells |= (self.shot_value(cell, goal, **asked) == value.misses) << cell
        return value, cells

    def shot_value(self, cell: int, goal: Goal = Goal.TOTAL, **asked: Any) -> int:
        """Least misses of a tree that begins with a shot at a cell; arguments as in ``minimize``.

        At most ``INFEASIBLE``, which means that no such tree keeps the miss limit.
        """
        return self.minimize(goal, cell=cell, **asked).misses

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
        asked: dict[str, Any] = {
            "limit": core_limit(goal, None),
            "cell": cell,
            "hit": self.problem.mask_words(hit),
        }
        ids, tell = rows.astype(np.int32), core().search_tell
        while self.searcher.ask(tell, ids, self.question(goal, **asked), misses, worst) == STOPPED:
            self.enlarge()

    def question(
        self,
        goal: Goal = Goal.TOTAL,
        limit: int = NO_LIMIT,
        *,
        budget: int = INFEASIBLE,
        cell: int = -1,
        **more: Any,
    ) -> ctypes.Structure:
        """A question as the core takes it, with the table as it is now.

        Parameters
        ----------
        goal
            What is made least.
        limit
            Miss limit, as ``core_limit`` gives it.
        budget, cell
            The value is exact when below the budget; a first shot, or -1.
        more
            Other fields of ``seabattle_question``.
        """
        return core().structure("question", {
            "goal": goal, "miss_limit": limit, "budget": budget, "every_shot": False, "cell": cell,
            "split_rows": 0, "hit": self.problem.mask_words(self.hit),
            "table": self.table.ravel(), "states": self.states_counted,
            "stop": self.stop, "busy": self.busy, **more,
        })  # fmt: skip

    def run(
        self,
        work: Work,
        make_room: Callable[[], None] | None = None,
        *,
        pace: Pace | None = None,
        threads: int = 1,
        limits: Limits | None = None,
    ) -> int:
        """Take steps until one is done, making room and reporting in between.

        Parameters
        ----------
        work
            Asks the core by a search, its own or that of a thread.
        make_room
            Makes room for what the work itself fills, where it answers ``FULL``; it then goes on.
        pace
            When to pause.
        threads
            How many there may be; those do the same work together.
        limits
            Others than those of the search.

        Raises
        ------
        LimitReached
            At a limit of time or memory.
        KeyboardInterrupt
            Where ``limits.stop`` says so.
        Paused
            When the pace says so.
        """
        pace, counters, limits = pace or Pace(), self.counters, limits or self.limits
        over = (lambda: True) if pace.one_step else limits.over
        if threads > 1:
            self.rows_alone = max(self.rows_alone, self.rows_per_step // LATER_ALONE)
        while True:
            allowed = pace.rows_of_step(self.rows_per_step, self.least_rows_per_step)
            counters.allowance, counters.status = allowed, 0
            while (value := self._step(work, threads, over)) == FULL:
                assert make_room is not None
                make_room()
            pace.left -= allowed - max(0, counters.allowance)
            if value >= 0:
                return value
            if counters.status == FULL_TABLE:
                self.enlarge(limits)
            elif counters.status == FULL_PARTS:
                self.more_parts()
            elif counters.status == FULL_STATES:
                self._more_states()
            if not pace.one_step:
                if self.checkpoint is not None and self.checkpoint.due():
                    with suppress(FileAccessError):  # the last one counts; the disk may have room
                        self.save()
                self.report(self.stage, limits)
                limits.require_time()
            if pace.is_over:
                raise Paused

    def _step(self, work: Work, threads: int, over: Callable[[], bool]) -> int:
        """A step of so many threads, of which the first rows are looked at by one alone."""
        counters = self.counters
        if threads == 1:
            return self._alone(work, over)
        if self.rows_alone > 0:
            allowed = counters.allowance
            counters.allowance = first = min(allowed, self.rows_alone)
            value = self._alone(work, over)
            self.rows_alone -= first - max(0, counters.allowance)
            counters.allowance += allowed - first
            ended = value != STOPPED or counters.status != ALLOWANCE_USED
            if ended or allowed == first or self.stop[0]:
                return value
        return self._together(work, threads, over)

    def _alone(self, work: Work, over: Callable[[], bool]) -> int:
        """A step of one thread; where it may take long it is stopped when a limit comes."""
        self.stop[0] = 0
        if self.counters.allowance <= WATCHED_ROWS:
            return work(self.searcher)
        values: list[int] = []
        works = [lambda: values.append(work(self.searcher))]
        run_together(works, over, partial(self.stop.fill, 1))
        return values[0]

    def _together(self, work: Work, threads: int, over: Callable[[], bool]) -> int:
        """A step of several threads; what they count is added to the counters of the search."""
        while len(self.others) < threads:
            self.others.append(Searcher(self.game))
        counters, others = self.counters, self.others[:threads]
        values = [STOPPED] * threads

        def ask(number: int) -> None:
            values[number] = work(others[number])

        for searcher in others:
            own = searcher.counters
            own.states = own.nodes = own.status = 0
            own.allowance = counters.allowance
            own.capacity = max(0, counters.capacity - counters.states) // threads
        self.stop[0], self.busy = 0, np.zeros(BUSY_PLACES, dtype=np.uint64)
        try:
            works = [partial(ask, number) for number in range(threads)]
            run_together(works, over, partial(self.stop.fill, 1))
        finally:
            self.stop[0], self.busy = 0, None
            for searcher in others:
                counters.states += searcher.counters.states
                counters.nodes += searcher.counters.nodes
        for searcher, value in zip(others, values, strict=True):
            if value != STOPPED:
                counters.shot, counters.worst = searcher.counters.shot, searcher.counters.worst
                self.searcher.best[:] = searcher.best
                return value
        counters.allowance = max(searcher.counters.allowance for searcher in others)
        reasons = {searcher.counters.status for searcher in others}
        least = max(LEAST_ROOM * threads, counters.capacity // 32)
        if FULL_PARTS in reasons:
            counters.status = FULL_PARTS
        elif FULL_TABLE in reasons and counters.capacity - counters.states < least:
            counters.status = FULL_TABLE
        else:  # what room there is, is shared out anew
            counters.status = ALLOWANCE_USED
        return STOPPED

    def report(self, stage: str, limits: Limits | None = None) -> None:
        """Report the state of the search, where that is wanted; see ``run`` for the limits."""
        report = (limits or self.limits).report
        if report is not None:
            report(Snapshot(time.monotonic() - self.started, self.states, self.nodes, stage))

    def more_parts(self) -> None:
        """Make room for more parts of the sub-tables on the path, in every thread."""
        for searcher in (self.searcher, *self.others):
            searcher.more_parts()

    def _empty_table(self, capacity: int) -> NDArray[np.uint64]:
        table = np.full((capacity, self.table_width), EMPTY, dtype=np.uint64)
        self.counters.capacity = capacity * 3 // 4
        return table

    @property
    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return KEY + self.problem.key_words

    def enlarge(self, limits: Limits | None = None) -> None:
        """Make the table two or four times as large.

        Raises
        ------
        LimitReached
            If the larger table would not fit in the memory limit.
        """
        memory = (limits or self.limits).memory
        small = min(SMALL_TABLE, memory * 2**29)
        times = 4 if 4 * self.table.nbytes <= small else 2
        self._move(self.table, times * len(self.table), memory, "the search would need")

    def _move(self, entries: NDArray[np.uint64], slots: int, memory: float, why: str) -> None:
        """Move entries to a table of so many slots; both are in memory meanwhile."""
        needed = entries.nbytes + 8 * slots * self.table_width + self.reserved
        if needed > memory * 2**30:
            raise LimitReached(
                f"{why} {needed / 2**30:.2g} GiB to go on; the memory limit leaves {memory:.2g} GiB"
            )
        try:
            larger = self._empty_table(slots)
        except MemoryError:
            raise LimitReached("this machine has no memory for more keys") from None
        core().rehash(entries.ravel(), larger.ravel(), self.problem.key_words)
        self.table = larger

    def release(self) -> None:
        """Give the memory of the table back, when nothing more will be asked."""
        self.table = self.table[:0].copy()

    def resume(self, checkpoint: Checkpoint) -> int:
        """Load a checkpoint, as ``Checkpoint.load``, and write to it from now on: keys loaded."""
        entries = checkpoint.load(self.table_width)
        self.checkpoint = checkpoint
        if entries is None:
            return 0
        slots = len(self.table)
        while slots * 3 // 4 <= len(entries):
            slots *= 2
        why = f"the checkpoint {checkpoint.path} holds {len(entries)} keys, which need"
        self._move(entries, slots, self.limits.memory, why)
        self.counters.states = len(entries)
        return len(entries)

    def save(self) -> None:
        """Write what is proven to the checkpoint, if there is one."""
        if self.checkpoint is not None:
            held = self.table[:, PACKED] < CLAIMED
            self.checkpoint.save(self.table[held])

    def contradiction(self, words: str) -> Exception:
        """The error for what cannot be: of the file that was read, or else of the search."""
        return AssertionError(words) if self.checkpoint is None else self.checkpoint.untrue()

    def prepare(self, pace: Pace | None = None) -> None:
        """Count what hits leave, where the bounds use it; see ``run`` for what may stop it."""
        rows, scratch = np.arange(len(self.problem), dtype=np.int32), aligned_memory(1 << 16)

        def count(searcher: Searcher) -> int:
            if not self.counting:  # there is to be no more room: what was counted is used
                return 0
            return searcher.ask(core().search_count_states, rows, self.question(), scratch)

        def more_scratch() -> None:
            nonlocal scratch
            scratch = aligned_memory(2 * scratch.size)

        if self.counting:
            self.run(count, more_scratch, pace=pace)
            self.counting = False

    def _more_states(self) -> None:
        """Make room for more states."""
        fewer = self.states_counted
        found, numbers = fewer.kept["found"], FOUND_PLANES * MISSES_COUNTED
        have = found.size // numbers
        bytes_of_one = 8 * numbers + 48 * len(self.problem.symmetries)
        most = min(MOST_STATES, int(self.limits.memory * 2**30 / 32) // bytes_of_one)
        room = min(max(FIRST_STATES, 2 * have), most)
        if room <= have:
            self.counting = False
            return
        self.states_counted = more = self._room_for_states(room)
        more.kept["found"][: found.size] = found
        core().rehash(fewer.kept["slots"], more.kept["slots"], 2)
        more.size = fewer.size

    def _room_for_states(self, room: int) -> Any:
        """The structure of so many states before any is counted: ``seabattle_states``."""
        capacity = 1 << (2 * room * len(self.problem.symmetries)).bit_length()  # at most half full
        fields = {
            "slots": np.full(3 * capacity, EMPTY, dtype=np.uint64),
            "found": np.zeros(room * FOUND_PLANES * MISSES_COUNTED, dtype=np.int64),
            "size": 0,
            "by_ships": self.counting and self.problem.family == Family.CLOSED_SUNK,
        }
        return core().structure("states", fields)
