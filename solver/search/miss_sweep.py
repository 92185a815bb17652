"""The least misses after every set of misses of every block: a sweep from the largest set down.

Let V(B, M) be the least misses of the rows of block B that occupy no cell of M (``miss_blocks``
says what blocks are). A shot at a cell c in question leads to (B, M and c) where it misses, and
where it hits to its parts, each with those misses that matter there:

    V(B, M) = min over c of  weight missed + V(B, M and c) + sum over the parts of V(part, M),

for the worst case with 1 and maxima in place of the weight and the sums. Every term belongs to a
larger set of misses or to a block with more hits. So blocks in order of falling hits, and the sets
of each in order of falling numbers, are a schedule in which everything needed is known. An array
takes the place of the table: 2 bytes for a set, without keys. A set that is weighed takes 0.4
microseconds where the search takes 1.9 for a sub-table (5x5 3,2,1, answers hit). Bounds let the
search leave most sets out; where they do not, the sweep is faster by far.

Three kinds of sets need not be weighed: those that leave no row; those after which some cell is
empty in all rows that are left, which are worth what they are with that cell; and, in a block that
symmetries keep, those with a larger image.

A cell that misses have made certain is shot before all others where that loses nothing.

Several threads work out the sets of a large block together, a segment of it each: those that differ
in their lowest bits alone. A segment needs those with more of the higher bits, so that all with as
many of them are worked out at the same time. Each thread writes to its own segment only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search.miss_blocks import MOST_BITS, Block, Blocks
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.work_threads import work_thread

if TYPE_CHECKING:
    from seabattle.solver.search.kernels.miss_sweep import Shots


VALUE_BYTES = 2, 4, 8
"""Bytes that a value may take."""

MOST_TOTAL = 1 << 41
"""Above every total."""


def _fewer_bits(number: int) -> int:
    """A key by which numbers with more bits come first."""
    return -number.bit_count()


def each_of(
    work: Callable[[int], int], numbers: list[int], threads: int, over: Callable[[], None]
) -> list[int]:
    """What some work returns for each of some numbers, by several threads in any order.

    Parameters
    ----------
    work
        Called in all threads.
    numbers
        What it is called with.
    threads
        How many, the caller among them.
    over
        Called by the caller before each number; what it raises ends all of them.
    """
    waiting, lock = iter(numbers), threading.Lock()
    done: list[int] = []
    failed: list[BaseException] = []

    def take(look: Callable[[], None]) -> None:
        try:
            while not failed:
                look()
                with lock:
                    number = next(waiting, None)
                if number is None:
                    return
                done.append(work(number))
        except BaseException as error:
            failed.append(error)

    helpers = []
    try:
        for _ in range(min(threads, len(numbers)) - 1):
            helper = work_thread(take, (lambda: None,), name="sweep")
            helpers.append(helper)
            try:
                helper.start()
            except RuntimeError:  # this machine has no more threads
                break
        take(over)
    except KeyboardInterrupt as error:  # while a thread was started
        failed.append(error)
    for helper in helpers:
        while helper.is_alive():
            try:
                helper.join()
            except KeyboardInterrupt as error:
                failed.append(error)
    if failed:
        raise failed[0]
    return done


class MissSweep:
    """The values of all blocks of a game.

    Parameters
    ----------
    blocks
        All blocks.
    goal
        Whether the total or the worst case is made least.
    value_bytes
        Bytes that a value takes, one of ``VALUE_BYTES``.
    threads
        Threads that work together.

    Examples
    --------
    >>> from seabattle.solver.search.problem import as_problem
    >>> from seabattle.enumerate.rules import Rules
    >>> sweep = MissSweep(Blocks(as_problem(Rules("4x4", "3,2"))))
    >>> sweep.blocks.find() and sweep.run()
    True
    >>> sweep.least()
    358
    """

    def __init__(
        self, blocks: Blocks, goal: Goal = Goal.TOTAL, *, value_bytes: int = 2, threads: int = 1
    ) -> None:
        self.blocks = blocks
        self.threads = threads
        self.worst = goal is Goal.WORST
        self.dtype = np.dtype(f"u{value_bytes}")
        weights = blocks.search.game.weights
        self.weights = np.ones_like(weights) if self.worst else weights
        self.values = np.zeros(0, dtype=self.dtype)
        self.starts: list[int] = []
        self.weighed = 0

    @property
    def nbytes(self) -> int:
        """Memory that the sweep takes, in bytes."""
        most = max((self._left_type(b).itemsize * b.sets for b in self.blocks.found), default=0)
        return self.blocks.sets * self.dtype.itemsize + most

    def run(self, over: Callable[[], None] = lambda: None) -> bool:
        """Work out all values; whether they fit, else it takes a sweep with more bytes.

        Parameters
        ----------
        over
            Called a few times a second; what it raises ends the sweep.
        """
        found = self.blocks.found
        sizes = np.array([block.sets for block in found], dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(sizes))).tolist()
        self.values = np.empty(self.starts[-1], dtype=self.dtype)
        by_hits = sorted(range(len(found)), key=lambda b: _fewer_bits(found[b].hit))
        return all(self._sweep(number, over) for number in by_hits)

    def _sweep(self, number: int, over: Callable[[], None]) -> bool:
        """Work out the values of one block; whether they fit."""
        from seabattle.solver.search.kernels import miss_sweep as kernels

        block = self.blocks.found[number]
        left = self._left(block)
        shots = self._shots(number)
        most = min((1 << 8 * self.dtype.itemsize) - 1, MOST_TOTAL)

        def work(segment: int) -> int:
            lo = segment << kernels.SEGMENT_BITS
            hi = min(lo + (1 << kernels.SEGMENT_BITS), block.sets)
            bases = np.zeros(len(shots.starts), dtype=np.int64)
            return int(
                kernels.sweep(
                    lo, hi, left, self.values, self.starts[number], self.worst,
                    not self.blocks.open, shots, bases, most,
                )
            )  # fmt: skip

        segments = range((block.sets - 1 >> kernels.SEGMENT_BITS) + 1)
        for _, layer in groupby(sorted(segments, key=_fewer_bits), _fewer_bits):
            for weighed in each_of(work, list(layer), self.threads, over):
                if weighed < 0:
                    return False
                self.weighed += weighed
        return True

    def _left_type(self, block: Block) -> np.dtype[Any]:
        """What the weights of a block's rows are added up in."""
        weight = int(self.weights[block.rows].sum())
        return np.dtype(f"u{next(size for size in VALUE_BYTES if weight < 1 << 8 * size)}")

    def _left(self, block: Block) -> NDArray[np.unsignedinteger]:
        """Weight of the rows that each set of misses leaves."""
        from seabattle.solver.search.kernels.miss_sweep import add_up

        masks = self.blocks.problem.rows[block.rows]
        places = np.zeros(len(masks), dtype=np.int64)
        for bit, cell in enumerate(block.cells):
            places |= (masks >> np.uint64(cell) & np.uint64(1)).astype(np.int64) << bit
        left = np.zeros(block.sets, dtype=self._left_type(block))
        np.add.at(left, places, self.weights[block.rows].astype(left.dtype))
        add_up(left, len(block.cells))
        return left

    def _shots(self, number: int) -> Shots:
        """The shots of a block as the kernel reads them."""
        from seabattle.solver.search.kernels import miss_sweep as kernels

        blocks = self.blocks
        block = blocks.found[number]
        bit_of = {cell: bit for bit, cell in enumerate(block.cells)}
        bits, first, starts, images = [], [0], [], []
        for shot in range(blocks.first_shot[number], blocks.first_shot[number + 1]):
            bits.append(bit_of.get(blocks.shot_cells[shot], kernels.NO_BIT))
            for part in blocks.parts(shot):
                starts.append(self.starts[part.block])
                images.append(blocks.bit_images(block, blocks.found[part.block], part.symmetry))
            first.append(len(starts))
        twins = [blocks.bit_images(block, block, g) for g in blocks.own_symmetries(block)]
        return kernels.Shots(
            np.array(bits, dtype=np.int64),
            np.array(first, dtype=np.int64),
            np.array(starts, dtype=np.int64),
            *self._shares(images, len(block.cells)),
            self._shares(twins, len(block.cells))[1],
        )

    @staticmethod
    def _shares(
        images: list[NDArray[np.int64]], bits: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Of each image of the bits the misses that leave nothing, and the shares of bytes."""
        from seabattle.solver.search.kernels import miss_sweep as kernels

        to = np.array(images, dtype=np.int64).reshape(len(images), bits)
        dead = ((to == MOST_BITS) << np.arange(bits)).sum(axis=1)
        to[to == MOST_BITS] = -1
        shares = np.empty((kernels.BYTES, 256, len(images)), dtype=np.int32)
        kernels.fill_shares(to, shares)
        return dead, shares

    def after_hit(self, number: int, shot: int, missed: int) -> int:
        """Least misses after a shot of a block that hits, by its number, given the misses so far.

        missed : the set of misses as a number
        """
        blocks = self.blocks
        block = blocks.found[number]
        costs = [0]
        for part in blocks.parts(shot):
            image = 0
            for bit, to in enumerate(
                blocks.bit_images(block, blocks.found[part.block], part.symmetry).tolist()
            ):
                if missed >> bit & 1 and to == MOST_BITS:
                    break
                if missed >> bit & 1 and to >= 0:
                    image |= 1 << to
            else:
                costs.append(int(self.values[self.starts[part.block] + image]))
        return max(costs) if self.worst else sum(costs)

    def value(self, number: int, missed: int = 0) -> int:
        """Least misses of a block, by its number, after a set of misses as a number."""
        return int(self.values[self.starts[number] + missed])

    def first_shot(self, cell: int) -> int:
        """Least misses of a tree that begins with a shot at a cell."""
        blocks = self.blocks
        water = blocks.problem.rows >> np.uint64(cell) & np.uint64(1) == 0
        missed, hit = [0], [0]
        for number, symmetry in blocks.roots:
            block = blocks.found[number]
            image = int(blocks.moves[symmetry, cell])
            shots = range(blocks.first_shot[number], blocks.first_shot[number + 1])
            shot = next((s for s in shots if blocks.shot_cells[s] == image), None)
            if shot is not None:
                hit.append(self.after_hit(number, shot, 0))
            if image in block.cells:
                missed.append(self.value(number, 1 << block.cells.index(image)))
            elif shot is None:  # the shot tells nothing of this block
                (hit if block.certain >> image & 1 else missed).append(self.value(number))
        if self.worst:
            return max(*hit, 1 + max(missed) if water.any() else 0)
        return int(self.weights[water].sum()) + sum(missed) + sum(hit)

    def least(self) -> int:
        """Least misses of the whole game."""
        costs = [self.value(part.block) for part in self.blocks.roots]
        return max(costs, default=0) if self.worst else sum(costs)
