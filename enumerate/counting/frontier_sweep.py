"""A frontier sweep over one board under given constraints, for any type of number.

A sweep follows the steps of a frontier row by row and adds up, for every profile, a *sum vector*:
one number for each choice of how many ships of every length are used. Forward sums say in how many
ways a profile is reached, backward sums in how many ways the fleet can be completed from it.
``Sweep`` adds up whole numbers, and each layout counts 1; ``MassSweep`` adds up floating-point
numbers, and each layout counts its weight. This class holds what the two have in common.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from math import prod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.counting._sum_kernels import Reached, forget, reach_row
from seabattle.enumerate.counting.frontier import Frontier, frontier
from seabattle.enumerate.counting.grid import grid
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.rules import Rules

MEMORY = 1 << 32
"""Bytes that sums may take by default."""

MOST_KEPT = 1 << 29
"""The sums of all rows are kept if they take no more bytes than this."""

BYTES_REACHED = 5
"""Bytes for one node of ``Reached``."""

SPARSE = 16
"""If fewer than one profile in this many is reached, they are taken from a list and sorted."""

Vectors = NDArray[Any]
Progress = Callable[[int, int], None]


class BufferPool(threading.local):
    """Arrays reused by one sweep after another: allocating new ones takes half as long as a sweep.

    Every thread has arrays of its own, so sweeps of several threads may share a pool.

    Attributes
    ----------
    keeper
        The sweep whose sums the arrays of all rows hold; None while they are being written.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.uint64]] = {}
        self._reached: dict[str, Reached] = {}
        self.keeper: object = None

    def __reduce__(self) -> tuple[type[BufferPool], tuple[()]]:
        return BufferPool, ()  # what the arrays hold is of no use elsewhere

    def get(self, name: str, size: int) -> NDArray[np.uint64]:
        """A uint64 array of ``size`` with arbitrary content; the same memory for the same name."""
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size, dtype=np.uint64)
        return self._arrays[name][:size]

    def reached(self, name: str, nodes: int, width: int) -> Reached:
        """Memory for the nodes reached in a row, reused as in ``get``; its content is arbitrary."""
        known = self._reached.get(name)
        if known is None or (len(known.alive), len(known.counts)) != (nodes, width + 1):
            known = self._reached[name] = Reached(
                np.zeros(nodes, dtype=np.uint8),
                np.empty(nodes, dtype=np.int32),
                np.zeros(width + 1, dtype=np.int64),
            )
        return known


class NumberKernels(NamedTuple):
    """The kernels that add up one type of number; all take sums of that type.

    Attributes
    ----------
    dtype
        Type of the numbers, 8 bytes each.
    forward_row, backward_row
        See ``_sum_kernels``.
    """

    dtype: type[np.generic]
    forward_row: Callable[..., Any]
    backward_row: Callable[..., Any]


class FrontierSweep(ABC):
    """Sums over the layouts that satisfy the constraints.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    constraints
        Allowed placements and required cells of the ships still to be found.
    steps
        The frontier to sweep with.
    pool
        Memory to reuse, for one sweep at a time.
    transposed, upwards
        See ``grid``.
    progress
        Called before each row that is swept, with its number and the number of rows.
    memory
        Bytes that sums may take. If they suffice, the sums of all rows are kept, so that they need
        not be computed twice.

    Attributes
    ----------
    entries
        Length of a sum vector, not counting the words that each number may have.
    shifts
        int64 ``(kinds,)``: by how many entries a step of each kind shifts a vector up.
    movable
        bool ``(kinds, entries)``: which entries a step of each kind may shift.
    shares_rows
        Whether rows that are as in the last sweep with the same memory are not swept again.
    allowed
        uint8 ``(rows, width * kinds)`` by code: 1 where a step is allowed.
    opened
        uint8 ``(rows, classes)``: 1 where the steps of a class are open, as they are allowed and
        make no cell water that must be occupied.
    """

    numbers: ClassVar[NumberKernels]
    shares_rows: ClassVar[bool] = True

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        *,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        transposed: bool | None = None,
        upwards: bool = False,
        progress: Progress | None = None,
        memory: int = MEMORY,
    ) -> None:
        self.rules, self.constraints = rules, constraints
        self.grid = grid(rules, transposed, upwards)
        self.frontier = steps or frontier(self.grid.width, rules.contact, rules.fleet.lengths)
        self.pool = pool or BufferPool()
        self.progress = progress
        self.memory = memory
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
        self.movable = np.ones((front.kinds, self.entries), dtype=bool)
        used = np.arange(self.entries)
        for t, (stride, afloat) in enumerate(zip(strides, left, strict=True)):
            for kind in (FIRST_SHIP + 2 * t, FIRST_SHIP + 2 * t + 1):
                self.shifts[kind] = stride
                if not front.counted:
                    self.movable[kind][used // stride % (afloat + 1) == afloat] = False

    def _set_allowed(self) -> None:
        """Set which steps each row allows and which of its cells must be occupied."""
        front, rows, width = self.frontier, self.grid.rows, self.grid.width
        allowed = np.zeros((rows, width, front.kinds), dtype=np.uint8)
        allowed.reshape(-1)[self.grid.starts] = self.constraints.allowed
        allowed[:, :, :FIRST_SHIP] = 1
        self.allowed = allowed.reshape(rows, -1)
        occupied = np.array(
            [self.constraints.required >> int(cell) & 1 for cell in self.grid.cells.ravel()]
        ).reshape(rows, width)
        required = (occupied << np.arange(width)).sum(axis=1)
        dry = (front.class_waters & required[:, None]) == 0
        self.opened = self.allowed[:, front.class_codes] & dry

    @property
    @abstractmethod
    def rows(self) -> list[Any]:
        """The rules of every row of the board, as the kernels take them."""

    @property
    @abstractmethod
    def vector_shape(self) -> tuple[int, ...]:
        """Shape of a sum vector; its last axis is that of the entries."""

    @property
    def vector_bytes(self) -> int:
        """Bytes of a sum vector."""
        return prod(self.vector_shape) * 8

    @property
    def map_bytes(self) -> int:
        """Bytes of the sums of a map: two rows of layers, and the end of every row."""
        vectors = 2 * self.frontier.nodes + self.grid.rows * self.frontier.profiles
        return vectors * self.vector_bytes

    def _reached(self) -> Reached:
        return self.pool.reached("reached", self.frontier.nodes, self.frontier.width)

    def _vectors(self, name: str) -> Vectors:
        """Buffer for the sums of one row; the same memory for the same name."""
        shape = (self.frontier.nodes, *self.vector_shape)
        return self.pool.get(name, prod(shape)).view(self.numbers.dtype).reshape(shape)

    def row_buffers(self, row: int) -> tuple[Vectors, Reached]:
        """Buffers for the sums of a row and its nodes reached; shared unless rows are kept."""
        name = f"forward {row}" if self._keeps_rows else "forward"
        front = self.frontier
        return self._vectors(name), self.pool.reached(name, front.nodes, front.width)

    @property
    def _keeps_rows(self) -> bool:
        """Whether the sums of all rows are kept, so that they need not be computed twice."""
        a_row = self.frontier.nodes * (self.vector_bytes + BYTES_REACHED)
        all_rows = self.grid.rows * a_row
        return all_rows <= min(MOST_KEPT, self.memory - self.map_bytes)

    def _enter(self, reached: Reached, numbers: NDArray[np.int64]) -> None:
        """Begin a row with the given profiles."""
        forget(reached, self.frontier.layers)
        reached.alive[numbers] = 1
        reached.listed[: len(numbers)] = numbers
        reached.counts[0] = len(numbers)

    def forward(
        self,
        sums: Vectors,
        reached: Reached,
        row: int,
        numbers: NDArray[np.int64],
        vectors: Vectors,
    ) -> None:
        """Nodes reached in a row and their sums, from those at its beginning."""
        self._enter(reached, numbers)
        sums[self._index(numbers)] = vectors
        front = self.frontier
        self.numbers.forward_row(sums, reached, front.layers, front.steps_out, self.rows[row])

    def _begin(self) -> tuple[NDArray[np.int64], Vectors]:
        """The empty frontier before the first row."""
        vector = np.zeros((1, *self.vector_shape), dtype=self.numbers.dtype)
        vector.reshape(-1)[0] = 1
        return np.array([self.first]), vector

    @cached_property
    def boundaries(self) -> list[tuple[NDArray[np.int64], Vectors]]:
        """Profiles alive before each row, and after the last, with their sums."""
        known = self._known_boundaries()
        self.pool.keeper = None
        for row in range(len(known) - 1, self.grid.rows):
            self._report(row)
            sums, reached = self.row_buffers(row)
            self.forward(sums, reached, row, *known[row])
            known.append(self._end_of_row(sums, reached))
        self.pool.keeper = self
        return known

    def _known_boundaries(self) -> list[tuple[NDArray[np.int64], Vectors]]:
        """The boundaries that the last sweep has in common with this one: at least the first.

        Its sums of the rows between them are kept and serve this one, too.
        """
        last = self.pool.keeper
        if not (self.shares_rows and isinstance(last, FrontierSweep) and self._begins_like(last)):
            return [self._begin()]
        differ = np.flatnonzero((self.opened != last.opened).any(axis=1))
        return last.boundaries[: 1 + (int(differ[0]) if len(differ) else self.grid.rows)]

    def _begins_like(self, other: FrontierSweep) -> bool:
        """Whether the same open steps make the same sums, which both keep."""
        return False

    def _end_of_row(self, sums: Vectors, reached: Reached) -> tuple[NDArray[np.int64], Vectors]:
        """Numbers of the profiles reached in the last layer, and their sums."""
        last, numbers = int(self.frontier.layers[-2]), self._numbers_at_end(reached)
        index = self._index(numbers)
        vectors = sums[last:][index]  # a copy already, if not all of them are taken
        return numbers, vectors.copy() if isinstance(index, slice) else vectors

    def _numbers_at_end(self, reached: Reached) -> NDArray[np.int64]:
        """Numbers of the profiles reached in the last layer."""
        last, count = int(self.frontier.layers[-2]), int(reached.counts[-1])
        if count * SPARSE > self.frontier.profiles:
            return np.flatnonzero(reached.alive[last:])
        return np.sort(reached.listed[last : last + count]).astype(np.int64) - last

    def nodes_reached(self, most: int) -> int:
        """Number of nodes reached in all rows; once it is above ``most``, the number so far."""
        reached, numbers, nodes = self._reached(), np.array([self.first]), 0
        for row in range(self.grid.rows):
            self._enter(reached, numbers)
            reach_row(reached, self.frontier.layers, self.frontier.steps_out, self.rows[row])
            nodes += int(reached.counts.sum())
            if nodes > most:
                break
            numbers = self._numbers_at_end(reached)
        return nodes

    def _index(self, numbers: NDArray[np.int64]) -> NDArray[np.int64] | slice:
        """Index of profiles in their layer; a slice, which is faster, when it is all of them."""
        return slice(self.frontier.profiles) if len(numbers) == self.frontier.profiles else numbers

    @property
    def profiles(self) -> list[int]:
        """After each row, the number of profiles that are reached."""
        return [len(numbers) for numbers, _ in self.boundaries[1:]]

    def _is_end(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which profiles after the last row can have used the whole fleet.

        All of them if ships used are an axis of the vectors; its last entry is the whole fleet.
        """
        front = self.frontier
        if not front.counted:
            return np.ones(len(numbers), dtype=bool)
        whole = np.uint64((front.uses - 1) * front.base**front.width)
        return np.asarray(front.keys[numbers] >= whole)

    def _report(self, row: int) -> None:
        if self.progress is not None:
            self.progress(row, self.grid.rows)

    def _end(self) -> Vectors:
        """Backward sums after the last row: 1 where the whole fleet is used."""
        numbers, _ = self.boundaries[-1]
        vectors = np.zeros((len(numbers), *self.vector_shape), dtype=self.numbers.dtype)
        vectors.reshape(len(numbers), -1)[self._is_end(numbers), self.full] = 1
        return vectors

    def _start_sums(self) -> Vectors:
        """For each step, the sum over the layouts in which a ship begins with it.

        Shape ``(rows, codes, 2 * words)``, as the kernel writes them.
        """
        boundaries, behind = self.boundaries, self._vectors("backward")
        kept = self._keeps_rows and self.pool.keeper is self
        self.pool.keeper = None
        after = self._end()
        shape = (*self.allowed.shape, 2 * prod(self.vector_shape[:-1]))
        starts = np.zeros(shape, dtype=self.numbers.dtype)
        for row in range(self.grid.rows - 1, -1, -1):
            self._report(row)
            ahead, reached = self.row_buffers(row)
            if not kept:
                self.forward(ahead, reached, row, *boundaries[row])
            after = self._backward(behind, reached, row, after, ahead, starts[row])
        self.pool.keeper = self
        return starts

    def _backward(
        self,
        sums: Vectors,
        reached: Reached,
        row: int,
        after: Vectors,
        ahead: Vectors,
        starts: Vectors,
    ) -> Vectors:
        """Compute backward sums of the nodes reached in a row; return a view of the first ones."""
        front, boundaries = self.frontier, self.boundaries
        sums[int(front.layers[-2]) :][self._index(boundaries[row + 1][0])] = after
        self.numbers.backward_row(
            sums, reached, front.layers, front.steps_out, self.rows[row], ahead, starts
        )
        found: Vectors = sums[self._index(boundaries[row][0])]
        return found

    @cached_property
    def completions(self) -> list[Vectors]:
        """Backward sums of the profiles alive before each row, and after the last."""
        sums, reached = self._vectors("backward"), self._reached()
        found = [self._end()]
        for row in range(self.grid.rows - 1, -1, -1):
            found.append(self._fill(sums, reached, row, found[-1]).copy())
        return found[::-1]

    def _fill(self, sums: Vectors, reached: Reached, row: int, after: Vectors) -> Vectors:
        """As ``_backward``, for all nodes that can be reached from the row's boundary."""
        front = self.frontier
        self._enter(reached, self.boundaries[row][0])
        reach_row(reached, front.layers, front.steps_out, self.rows[row])
        nothing = np.empty((0, 2), dtype=self.numbers.dtype)
        return self._backward(sums, reached, row, after, sums, nothing)

    def _walks(self, count: int, follow: Callable[..., None]) -> NDArray[np.int64]:
        """Draw layouts by walks along the backward sums.

        Parameters
        ----------
        count
            Number of walks.
        follow
            Takes all walks through one row; called as ``follow(sums, row, at, used, ships,
            found)``, where ``row`` are the row's rules and the rest is as in
            ``_sum_kernels.walk_row``.

        Returns
        -------
        ships
            int64 ``(count, ships still to be found)``: numbers of placements.
        """
        at = np.full(count, self.first, dtype=np.int64)
        used = np.zeros(count, dtype=np.int64)
        found = np.zeros(count, dtype=np.int64)
        ships = np.zeros((count, sum(self.constraints.left.values())), dtype=np.int64)
        codes = self.grid.width * self.grid.kinds
        placement_at = np.full(self.grid.rows * codes, -1, dtype=np.int64)
        placement_at[self.grid.starts] = np.arange(len(self.grid.starts))
        sums, reached = self._vectors("backward"), self._reached()
        completions = self.completions
        place = np.arange(ships.shape[1])
        for row in range(self.grid.rows):
            self._fill(sums, reached, row, completions[row + 1])
            before = found.copy()
            follow(sums, self.rows[row], at, used, ships, found)
            new = (place >= before[:, None]) & (place < found[:, None])
            ships[new] = placement_at[row * codes + ships[new]]
        return ships
