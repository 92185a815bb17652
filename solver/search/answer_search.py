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
    only if all cells beside it are in M. So everything that was told is: the cells of H are
    occupied, those of M are not, and a group of H is sunk or not as (H, M) shows. Let x be any
    layout of the whole table that contains H and avoids M. Shot at the same cells it gives the
    same answers, group by group, except perhaps that x leaves a group complete that was told not
    sunk; but such a group has a cell beside it outside M, not in H either, and if x occupies none
    of those, x would have answered sunk. So S is the set of layouts that contain H, avoid M, and
    occupy a cell beside every group of H that has one outside M: a function of (H, M).

Mode ``ship``, every contact rule
    A hit names its ship, so the layouts left are those that cover the hit cells by ships of the
    told lengths, the same cells by the same ship, and avoid the missed ones. That does not depend
    on the order of shots; equal ships carry a number only to tell them apart. Certain hits are
    free and their answers are those they would give later, so they come first, and after them the
    key is (H, M) with the ship of every cell of H. Sinking is implied by the names.

Mode ``sunk``, contact rule ``sides``
    None of this holds. Hit cells that touch may belong to several ships, so what a sinking tells
    depends on which shot it came with, and shooting a certain hit early can give away what its
    answer would have told later. The next answers of a layout depend on the layout and on K. So
    the state is (S, K), the key is S row by row and K, and certain hits are shots to be weighed
    like all others, except that they cost nothing.

The counting bound of mode ``hit`` is not used: it is false where an answer has more than two
values. Every mode has the path of all misses (``_bound_kernels.miss_path_bound``); the closed
modes also count words whose letters are the answers they have (``words_bound``). Dominance is
used in the closed modes only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.game.answers import KERNEL_SUNK_LENGTH, kernel_mode
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Contact
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.search.bounds import reach_table
from seabattle.solver.search.hit_search import (
    INFEASIBLE,
    UNLIMITED,
    WORST_CASE,
    Limits,
    Switches,
    Value,
    Workspace,
    search_options,
)
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.kernels.transposition import rehash_rows
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem
from seabattle.solver.search.tree_building import grow_by_rules
from seabattle.trees.tree.tree import Tree

MOST_OPEN_LAYOUTS = 1 << 14
"""Most layouts of a game whose keys hold a bit per layout."""


MOST_COUNTED_SHIPS = 12


def sinking_patterns(lengths: tuple[int, ...]) -> NDArray[np.int64]:
    """Ways to place the sinkings still to come among the hits still to come.

    Parameters
    ----------
    lengths
        Ship lengths, longest first.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``: for every set of ships not sunk (bit d is ship d)
        and every number g of their cells that are hit already, an upper bound on the number of
        sequences of the h = sum of lengths - g hits to come. The last one sinks, and before the
        i-th sinking at least i hits, and at least the i shortest lengths less g, are needed. 0
        (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> sinking_patterns((2, 1))[0b11, :2].tolist()  # x X X, X x X: the second hit may sink or not
    [2, 1]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    cells = sum(lengths)
    patterns = np.zeros((1 << len(lengths), cells + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = sorted(length for d, length in enumerate(lengths) if afloat >> d & 1)
        for g in range(sum(left) - len(left) + 1):
            hits = sum(left) - g
            least = [max(i, sum(left[:i]) - g) for i in range(1, len(left) + 1)]
            ways = {0: 1}  # sinkings so far -> sequences
            for position in range(1, hits + 1):
                following: dict[int, int] = {}
                for sunk, count in ways.items():
                    if position < hits:
                        following[sunk] = following.get(sunk, 0) + count
                    if sunk < len(left) and position >= least[sunk]:
                        following[sunk + 1] = following.get(sunk + 1, 0) + count
                ways = following
            patterns[afloat, g] = min(max(1, ways.get(len(left), 0)), 1 << 40)
    return patterns


class PartedProblem(Problem):
    """A problem in mode ``sunk`` or ``ship``: one row per layout, with its ships.

    Attributes
    ----------
    mode
        Family of the search: ``CLOSED_SUNK``, ``OPEN_SUNK`` or ``NAMED``.
    ships
        uint64 ``(n_layouts, n_ships)``: cells of each ship, in the fleet's order.
    """

    def __init__(self, table: DecisionTable) -> None:
        super().__init__(table, merge=False)
        rules = self.rules
        placements = placement_table(rules)
        self.numbers = table.layouts.ships[table.index].astype(np.int64)
        self.ships = np.ascontiguousarray(placements.masks[self.numbers, 0])
        self.choose_mode()

    def choose_mode(self) -> None:
        """The family of the search that the rules take.

        Raises
        ------
        TooLargeError
            If its keys would be too long.
        """
        rules = self.rules
        if rules.answers is AnswerMode.SHIP:
            self.mode = w.NAMED
            digits = rules.fleet.cells * np.log2(max(2, len(rules.fleet.lengths)))
            if self.cells > ONE_WORD_CELLS or digits > 64:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet} is too large for answer mode 'ship', which "
                    f"takes boards of up to {ONE_WORD_CELLS} cells and smaller fleets"
                )
        elif rules.contact is Contact.SIDES:
            self.mode = w.OPEN_SUNK
            self.certain_first = False
            if len(self) > MOST_OPEN_LAYOUTS:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet} has {len(self)} layouts: with answers "
                    f"'sunk' under contact rule 'sides' up to {MOST_OPEN_LAYOUTS} are solved"
                )
        else:
            self.mode = w.CLOSED_SUNK

    @property
    def key_words(self) -> int:
        """Words of a key."""
        if self.mode == w.OPEN_SUNK:
            return 1 + (len(self) + 63) // 64
        return 2 if self.mode == w.NAMED or self.two_words else 1

    @cached_property
    def _images(self) -> list[tuple[tuple[int, ...], NDArray[np.int32]]]:
        """Symmetries that keep the table, each with the row that every row becomes."""
        placements = placement_table(self.rules)
        rows = {tuple(row): i for i, row in enumerate(self.numbers.tolist())}
        kept = []
        for symmetry in self.rules.board.symmetries:
            moved = np.array(
                [
                    placements.number_of_cells(tuple(sorted(symmetry[c] for c in p.cells)))
                    for p in placements.placements
                ]
            )
            transformed = np.sort(moved[self.numbers], axis=1)
            found = [rows.get(tuple(row), -1) for row in transformed.tolist()]
            images = np.array(found, dtype=np.int32)
            if (images < 0).any():
                continue
            if len(self.weights) and not np.array_equal(self.weights[images], self.weights):
                continue
            kept.append((symmetry, images))
        return kept

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Symmetries of the board that map layouts to layouts of equal weight."""
        return tuple(symmetry for symmetry, _ in self._images)

    def image_array(self, *, orbits: bool) -> NDArray[np.int32]:
        """Row that each row becomes under each symmetry: int32 ``(n_symmetries, n_layouts)``."""
        if self.mode != w.OPEN_SUNK:
            return np.zeros((1, 1), dtype=np.int32)
        images = [image for _, image in self._images]
        return np.ascontiguousarray(np.stack(images if orbits else images[:1]))


class PartedSearch(Workspace):
    """Exact search in modes ``sunk`` and ``ship``; asked like ``Search``.

    Examples
    --------
    >>> from seabattle.enumerate.layouts.table import Rules
    >>> rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    >>> search = PartedSearch(PartedProblem(DecisionTable.build(rules)))
    >>> search.least().misses, search.states < 40_000
    (2490, True)
    """

    problem: PartedProblem

    def __init__(
        self,
        problem: PartedProblem,
        *,
        switches: Switches | None = None,
        limits: Limits | None = None,
        hit: int = 0,
    ) -> None:
        self.switches = switches or Switches()
        self.words = problem.key_words
        self.hit = hit
        super().__init__(
            problem, orbits=self.switches.orbits, limits=limits, first_capacity=1 << 14
        )
        levels = problem.cells + 3
        n = len(problem)
        self.rows = problem.rows.copy()  # kernels take writable arrays
        self.images = problem.image_array(orbits=self.switches.orbits)
        self.weights = problem.weights if len(problem.weights) else np.ones(n, dtype=np.int64)
        self.lengths = np.array(problem.rules.fleet.lengths, dtype=np.int64)
        self.sides = np.zeros(64, dtype=np.uint64)
        self.sides[: problem.cells] = problem.side_masks
        self.ints = np.zeros((levels, 7, 64), dtype=np.int64)
        self.together = np.zeros((levels, 64), dtype=np.uint64)
        self.keys = np.zeros((levels, 2, self.words), dtype=np.uint64)
        self.patterns = sinking_patterns(problem.rules.fleet.lengths)
        self.reach = reach_table()
        self.arena = np.zeros((1 << 10, 6), dtype=np.int64)
        self.arena_masks = np.zeros((1 << 10, 3 + self.words), dtype=np.uint64)
        self.options = search_options(problem, self.switches)
        told = problem.mode == w.OPEN_SUNK and kernel_mode(problem.rules) == KERNEL_SUNK_LENGTH
        self.options[w.MODE] = problem.mode + (4 if told else 0)

    def table_width(self) -> int:
        """Words of a table row: the packed value and the key."""
        return 1 + self.words

    def move_entries(self, larger: NDArray[np.uint64]) -> None:
        """Fill a larger table with the entries of this one."""
        rehash_rows(self.table, larger, self.keys[0])

    @property
    def packed_column(self) -> int:
        """Column of the table that holds the packed value."""
        return 0

    def make_room(self) -> None:
        """Double the arena of children."""
        self.arena = np.concatenate((self.arena, np.zeros_like(self.arena)))
        self.arena_masks = np.concatenate((self.arena_masks, np.zeros_like(self.arena_masks)))

    def kernel_arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays every search kernel takes last."""
        return (
            *(self.rows, self.weights, self.problem.ships, self.lengths, self.sides),
            *(self.table, self.orbits, self.moves, self.images),
            *(self.ints, self.together, self.keys, self.arena, self.arena_masks),
            *(self.patterns, self.reach, self.options, self.counters),
        )

    def warm_up(self) -> None:
        """Compile or load the kernels, so that what follows measures the search alone."""
        self._after(np.zeros(1, dtype=np.int32), -1, self.hit, INFEASIBLE, UNLIMITED)

    def _after(
        self, ids: NDArray[np.int32], cell: int, hit: int, budget: int, allowed: int
    ) -> Value:
        # compiled when first imported, and of no use to answers hit and miss
        from seabattle.solver.search.kernels.answer_search import least_after

        self.options[w.OBJECTIVE] = allowed == w.WORST_CASE
        ids = ids.copy()
        packed = self.run(
            lambda: least_after(
                *(ids, cell, np.uint64(hit), budget, allowed), *self.kernel_arrays()
            )
        )
        misses = packed >> 7
        return Value(misses, packed & 127, misses < budget)

    def least(self, *, allowed: int = UNLIMITED, budget: int = INFEASIBLE) -> Value:
        """Least misses of the whole problem; arguments and errors as in ``Search.least``."""
        ids = np.arange(len(self.problem), dtype=np.int32)
        return self._after(ids, -1, self.hit, budget, allowed)

    def shot_value(self, cell: int, allowed: int, budget: int = INFEASIBLE) -> int:
        """Value of the best tree that begins with a shot; exact when below the budget."""
        ids = np.arange(len(self.problem), dtype=np.int32)
        return self._after(ids, cell, self.hit, budget, allowed).misses

    def best_shot(self, rows: NDArray[np.int64], hit: int, allowed: int) -> int:
        """Best next shot for some rows when no certain hit is due; exact."""
        from seabattle.solver.search.kernels.answer_search import least_parted
        from seabattle.solver.search.kernels.partition import NO_KEY

        ids = rows.astype(np.int32)
        masks = self.problem.rows[rows]
        certain = np.bitwise_and.reduce(masks)
        occupied = np.bitwise_or.reduce(masks)
        weight = int(self.weights[rows].sum())
        self.options[w.OBJECTIVE] = allowed == w.WORST_CASE
        self.counters[w.ARENA_TOP] = 0
        self.run(
            lambda: least_parted(
                *(ids, 0, len(ids), certain, occupied, np.uint64(hit), weight),
                *(INFEASIBLE, allowed, 0, NO_KEY),
                *self.kernel_arrays(),
            )
        )
        return int(self.counters[w.SHOT])

    def grow(self, allowed: int, *, position: Position, objective: str, status: str) -> Tree:
        """The optimal tree; ``allowed`` as in ``least``. Raises ``LimitReached`` at a limit."""
        open_mode = self.problem.mode == w.OPEN_SUNK

        def choose(rows: NDArray[np.int64], shots: Sequence[int], misses: int) -> int:
            shot = self.problem.rules.board.mask(shots)
            certain, occupied = self.problem.closure(rows)
            if certain & ~shot and not open_mode:
                return next(cells_of(certain & ~shot))
            left = allowed if allowed >= WORST_CASE else allowed - misses
            return self.best_shot(rows, shot & occupied & certain, left)

        return grow_by_rules(
            self.problem, choose, position=position, objective=objective, status=status
        )
