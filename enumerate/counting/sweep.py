"""A frontier sweep over one board under given constraints: sums forward, backward, and walks.

The board is swept along its longer side, so that a row of the sweep is its shorter one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _sum_kernels as kernels
from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.counting._sum_kernels import RowRules
from seabattle.enumerate.counting.frontier import MAX_WIDTH, Frontier, frontier
from seabattle.enumerate.game.deductions import Constraints
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules

WORD_BITS = 64

FEW = 16
"""When fewer than one profile in this many is alive, only the nodes they reach are visited."""

Vectors = NDArray[np.uint64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Grid:
    """How a board is swept, and where each placement begins on the way.

    Attributes
    ----------
    rows, width
        Shape of the sweep.
    cells
        int64 ``(rows, width)``: the board's cell at each place.
    starts
        int64 ``(n_placements,)``: for each placement ``row * width * kinds + code`` of its first
        cell, a code being ``column * kinds + kind``.
    """

    rows: int
    width: int
    kinds: int
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]


@lru_cache(maxsize=32)
def grid(rules: Rules, transposed: bool | None = None) -> Grid:
    """How a board is swept; ``transposed``: by columns, by default if these are shorter."""
    board = rules.board
    cells = np.arange(board.cells).reshape(board.rows, board.columns)
    if board.columns > board.rows if transposed is None else transposed:
        cells = cells.T
    rows, width = cells.shape
    place = np.empty(board.cells, dtype=np.int64)
    place[cells.ravel()] = np.arange(board.cells)
    lengths = list(rules.fleet.counts)
    kinds = FIRST_SHIP + 2 * len(lengths)
    starts = []
    for placement in placement_table(rules).placements:
        places = place[list(placement.cells)]
        along = placement.length > 1 and places.max() - places.min() == placement.length - 1
        along = along and width > 1
        kind = FIRST_SHIP + 2 * lengths.index(placement.length) + int(along)
        starts.append(int(places.min()) * kinds + kind)
    return Grid(rows, width, kinds, np.ascontiguousarray(cells), np.array(starts, dtype=np.int64))


class BufferPool:
    """Arrays for one sweep after another: allocating anew takes half as long as a sweep."""

    def __init__(self) -> None:
        self._arrays: dict[str, Vectors] = {}

    def get(self, name: str, size: int) -> Vectors:
        """A uint64 array of ``size`` with arbitrary content; the same memory for the same name."""
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size, dtype=np.uint64)
        return self._arrays[name][:size]


class Sweep:
    """Sums over the layouts that satisfy the constraints.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    constraints
        Allowed placements and required cells of the ships still to be found.
    words
        Words of 64 bits in every sum. Sums are modulo 2**(64 words), exact when there are fewer
        layouts than that; by default no number of layouts can reach it.
    steps
        The frontier to sweep with.
    pool
        Memory to reuse, for one sweep at a time.
    transposed
        See ``grid``.
    progress
        Called before each row that is swept, with its number and the number of rows.
    """

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        *,
        words: int | None = None,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        transposed: bool | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.rules, self.constraints = rules, constraints
        self.grid = grid(rules, transposed)
        self.frontier = steps or frontier(self.grid.width, rules.contact, rules.fleet.lengths)
        self.words = words or words_needed(rules, constraints)
        self.pool = pool or BufferPool()
        self.progress = progress
        self._set_axis()
        self._set_allowed()

    def _set_axis(self) -> None:
        """Set how steps move along the axis of ships used, and where a sweep begins and ends."""
        front = self.frontier
        left = tuple(self.constraints.left[length] for length in front.lengths)
        self.first = 0
        if front.counted:
            self.entries, begin, self.full = 1, 0, 0
            for stride, ships, afloat in zip(front.strides, front.ships, left, strict=True):
                begin += stride * (ships - afloat)
            self.first = int(np.flatnonzero(front.keys == begin * front.base**front.width)[0])
            strides = [0] * len(left)
        else:
            strides = []
            self.entries = 1
            for afloat in left:
                strides.append(self.entries)
                self.entries *= afloat + 1
            self.full = self.entries - 1
        self.shifts = np.zeros(front.kinds, dtype=np.int64)
        self.masks = np.full((front.kinds, self.entries), ~np.uint64(0), dtype=np.uint64)
        used = np.arange(self.entries)
        for t, (stride, afloat) in enumerate(zip(strides, left, strict=True)):
            for kind in (FIRST_SHIP + 2 * t, FIRST_SHIP + 2 * t + 1):
                self.shifts[kind] = stride
                if not front.counted:
                    self.masks[kind][used // stride % (afloat + 1) == afloat] = 0

    def _set_allowed(self) -> None:
        """Set which steps each row allows and which of its cells must be occupied."""
        front, rows, width = self.frontier, self.grid.rows, self.grid.width
        allowed = np.zeros((rows, width, front.kinds), dtype=np.uint8)
        allowed.reshape(-1)[self.grid.starts] = self.constraints.allowed
        allowed[:, :, :FIRST_SHIP] = 1
        occupied = np.array(
            [self.constraints.required >> int(cell) & 1 for cell in self.grid.cells.ravel()]
        ).reshape(rows, width)
        required = (occupied << np.arange(width)).sum(axis=1)
        self.rows = [
            RowRules(by_code, mask, self.shifts, self.masks)
            for by_code, mask in zip(allowed.reshape(rows, -1), required, strict=True)
        ]

    @property
    def map_bytes(self) -> int:
        """Bytes of the sums of a map: two rows of layers, and the end of every row."""
        vectors = 2 * self.frontier.nodes + self.grid.rows * self.frontier.profiles
        return vectors * self.entries * self.words * 8

    def _vectors(self, name: str = "forward") -> Vectors:
        """Buffer for the sums of one row; the same memory for the same name."""
        shape = (self.frontier.nodes, self.words, self.entries)
        return self.pool.get(name, shape[0] * shape[1] * shape[2]).reshape(shape)

    def _visits(
        self, numbers: NDArray[np.int64], alive: NDArray[np.uint8], row: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Nodes to visit from some profiles: those after layer 0, and those before the last.

        All of them, unless few profiles are alive: then the nodes these reach, marked in ``alive``.
        """
        front = self.frontier
        if len(numbers) * FEW > front.profiles:
            return front.reached, front.begun
        layers = front.layers
        alive[front.profiles :] = 0
        alive[numbers] = 1
        listed = np.empty(front.nodes, dtype=np.int32)
        counts = np.zeros(front.width + 1, dtype=np.int64)
        listed[: len(numbers)] = numbers
        counts[0] = len(numbers)
        kernels.reach_row(alive, layers, front.steps_out, self.rows[row], listed, counts)
        parts = [listed[layers[c] : layers[c] + counts[c]] for c in range(front.width + 1)]
        return np.concatenate(parts[1:]), np.concatenate(parts[:-1])

    def _forward(
        self,
        sums: Vectors,
        alive: NDArray[np.uint8],
        row: int,
        numbers: NDArray[np.int64],
        vectors: Vectors,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Sums of the layers of a row from those at its beginning; returns as ``_visits``."""
        alive[: self.frontier.profiles] = 0
        alive[numbers] = 1
        sums[self._index(numbers)] = vectors
        reached, begun = self._visits(numbers, alive, row)
        kernels.forward_row(sums, alive, reached, self.frontier.steps_in, self.rows[row])
        return reached, begun

    def _begin(self) -> tuple[NDArray[np.int64], Vectors]:
        """The empty frontier before the first row."""
        vector = np.zeros((1, self.words, self.entries), dtype=np.uint64)
        vector[0, 0, 0] = 1
        return np.array([self.first]), vector

    @cached_property
    def boundaries(self) -> list[tuple[NDArray[np.int64], Vectors]]:
        """Profiles alive before each row, and after the last, with their sums."""
        sums, alive = self._vectors(), np.zeros(self.frontier.nodes, dtype=np.uint8)
        known = [self._begin()]
        for row in range(self.grid.rows):
            self._report(row)
            reached, _ = self._forward(sums, alive, row, *known[row])
            known.append(self._end_of_row(sums, alive, reached))
        return known

    def _end_of_row(
        self, sums: Vectors, alive: NDArray[np.uint8], reached: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], Vectors]:
        """Numbers of the profiles alive in the last layer, and their sums."""
        last = int(self.frontier.layers[-2])
        if reached is self.frontier.reached:
            numbers = np.flatnonzero(alive[last:])
        else:
            numbers = np.sort(reached[reached >= last]).astype(np.int64) - last
        return numbers, sums[last:][self._index(numbers)].copy()

    def _index(self, numbers: NDArray[np.int64]) -> NDArray[np.int64] | slice:
        """Index of profiles in their layer; a slice, which is faster, when it is all of them."""
        return slice(self.frontier.profiles) if len(numbers) == self.frontier.profiles else numbers

    @property
    def states(self) -> list[int]:
        """After each row, the number of (profile, ships used) pairs that are reached."""
        return [
            int(np.count_nonzero(vectors[:, 0] if self.words == 1 else vectors.any(axis=1)))
            for _, vectors in self.boundaries[1:]
        ]

    @property
    def profiles(self) -> list[int]:
        """After each row, the number of profiles that are reached."""
        return [len(numbers) for numbers, _ in self.boundaries[1:]]

    def _is_end(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which profiles after the last row can have used the whole fleet.

        All of them when the ships used are an axis: then the last entry stands for the whole fleet.
        """
        front = self.frontier
        if not front.counted:
            return np.ones(len(numbers), dtype=bool)
        whole = np.uint64((front.uses - 1) * front.base**front.width)
        return np.asarray(front.keys[numbers] >= whole)

    @property
    def count_bytes(self) -> int:
        """Bytes of the sums that ``count_thriftily`` holds: a row of layers, and its end."""
        return (self.frontier.nodes + self.frontier.profiles) * self.entries * self.words * 8

    def count_thriftily(self) -> int:
        """Number of layouts, as ``total``, in less memory: the ends of rows are not kept."""
        sums, alive = self._vectors(), np.zeros(self.frontier.nodes, dtype=np.uint8)
        end = self._begin()
        for row in range(self.grid.rows):
            self._report(row)
            reached, _ = self._forward(sums, alive, row, *end)
            end = self._end_of_row(sums, alive, reached)
        return self._sum_of_ends(*end)

    def _report(self, row: int) -> None:
        if self.progress is not None:
            self.progress(row, self.grid.rows)

    @cached_property
    def total(self) -> int:
        """Number of layouts, modulo 2**(64 words)."""
        return self._sum_of_ends(*self.boundaries[-1])

    def _sum_of_ends(self, numbers: NDArray[np.int64], vectors: Vectors) -> int:
        """Sum over the profiles after the last row that have used the whole fleet."""
        ends = vectors[self._is_end(numbers)][:, :, self.full]
        total = sum(sum(map(int, ends[:, w])) << (WORD_BITS * w) for w in range(self.words))
        return total % (1 << (WORD_BITS * self.words))

    def _end(self) -> Vectors:
        """Backward sums after the last row: 1 where the whole fleet is used."""
        numbers, _ = self.boundaries[-1]
        vectors = np.zeros((len(numbers), self.words, self.entries), dtype=np.uint64)
        vectors[self._is_end(numbers), 0, self.full] = 1
        return vectors

    def placement_counts(self) -> list[int]:
        """Number of layouts that have each placement, in the order of the placement table."""
        front, boundaries = self.frontier, self.boundaries
        ahead, behind = self._vectors("forward"), self._vectors("backward")
        alive = np.zeros(front.nodes, dtype=np.uint8)
        last = int(front.layers[-2])
        after = self._end()
        out = np.zeros((self.grid.rows, self.grid.width * front.kinds, self.words), dtype=np.uint64)
        for row in range(self.grid.rows - 1, -1, -1):
            self._report(row)
            _, begun = self._forward(ahead, alive, row, *boundaries[row])
            behind[last:][self._index(boundaries[row + 1][0])] = after
            steps, rules = front.steps_out, self.rows[row]
            kernels.backward_row(behind, alive, begun, steps, rules)
            kernels.start_counts(ahead, behind, alive, begun, steps, rules, out[row])
            after = behind[self._index(boundaries[row][0])]
        found = out.reshape(-1, self.words)[self.grid.starts]
        return [
            sum(int(word) << (WORD_BITS * w) for w, word in enumerate(words)) for words in found
        ]

    @cached_property
    def completions(self) -> list[Vectors]:
        """Backward sums of the profiles alive before each row, and after the last."""
        sums = self._vectors()
        alive = np.zeros(self.frontier.nodes, dtype=np.uint8)
        found = [self._end()]
        for row in range(self.grid.rows - 1, -1, -1):
            self._fill(sums, alive, row, found[-1])
            found.append(sums[self._index(self.boundaries[row][0])].copy())
        return found[::-1]

    def _fill(self, sums: Vectors, alive: NDArray[np.uint8], row: int, after: Vectors) -> None:
        """Backward sums of a row, for the nodes that its boundary reaches."""
        front, numbers = self.frontier, self.boundaries[row][0]
        alive[:] = 0
        alive[numbers] = 1
        _, begun = self._visits(numbers, alive, row)
        if begun is front.begun:
            alive[front.profiles :] = 1  # nodes not reached are summed too, to no purpose
            sums[int(front.layers[-2]) :] = 0
        sums[int(front.layers[-2]) :][self._index(self.boundaries[row + 1][0])] = after
        kernels.backward_row(sums, alive, begun, front.steps_out, self.rows[row])

    def layouts(self, ranks: Vectors) -> NDArray[np.int64]:
        """Layouts by their rank in the order of the sweep.

        Parameters
        ----------
        ranks
            uint64 ``(n, words)``, least significant word first, each below the total.

        Returns
        -------
        ships
            int64 ``(n, ships still to be found)``: numbers of placements.
        """
        count = len(ranks)
        left = ranks.copy()
        at = np.full(count, self.first, dtype=np.int64)
        used = np.zeros(count, dtype=np.int64)
        found = np.zeros(count, dtype=np.int64)
        ships = np.zeros((count, sum(self.constraints.left.values())), dtype=np.int64)
        codes = self.grid.width * self.grid.kinds
        placement_at = np.full(self.grid.rows * codes, -1, dtype=np.int64)
        placement_at[self.grid.starts] = np.arange(len(self.grid.starts))
        front, sums = self.frontier, self._vectors()
        alive = np.zeros(front.nodes, dtype=np.uint8)
        completions = self.completions
        place = np.arange(ships.shape[1])
        for row in range(self.grid.rows):
            self._fill(sums, alive, row, completions[row + 1])
            before = found.copy()
            kernels.walk_row(
                sums, front.layers, front.steps_out, self.rows[row], at, used, left, ships, found
            )
            new = (place >= before[:, None]) & (place < found[:, None])
            ships[new] = placement_at[row * codes + ships[new]]
        return ships


def words_needed(rules: Rules, constraints: Constraints) -> int:
    """Words of 64 bits that hold any possible number of layouts."""
    lengths = np.array([p.length for p in placement_table(rules).placements])
    bound = 1
    for length, ships in constraints.left.items():
        bound *= comb(int(constraints.allowed[lengths == length].sum()), ships)
    return max(1, -(-bound.bit_length() // WORD_BITS))


__all__ = ["MAX_WIDTH", "Grid", "Sweep", "grid", "words_needed"]
