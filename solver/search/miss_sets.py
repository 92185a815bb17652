"""Every set of misses, worked out instead of searched: blocks, the sweep, its trees, and when.

A *block* is a sub-table after hits and no miss: its rows, and in the open mode the cells hit. After
misses as well, the sub-table is the block's rows without those that occupy a missed cell, for what
a hit tells of a row depends on the row and on the cells hit before, never on misses. So a block
with k *cells in question*, which some but not all of its rows occupy, stands for 2^k sub-tables,
one for each set of misses. A shot leads from them to sub-tables of the same block where it misses,
and of others where it hits: the block's *parts* by that shot, one for each answer. Symmetric blocks
are one.

Where certain hits come first without loss (``exact_search`` says when), they are shot together
with the hit that makes them certain. Parts whose rows all occupy the same cells cost nothing and
are left out.

Blocks are recognised by the keys that sub-tables have in the table of a search (``keys``).

*The sweep* goes from the largest set down.

The least misses of a block after a set of misses follow from those of larger sets and of blocks
with more hits (``miss_sets.hpp``, which works them out). So blocks in order of falling hits, and
the sets of each in order of falling numbers, are a schedule in which everything needed is known. An
array takes the place of the table: 2 bytes for a set, without keys. A set that is weighed takes 0.4
microseconds where the search takes 1.9 for a sub-table (5x5 3,2,1, answers hit). Bounds let the
search leave most sets out; where they do not, the sweep is faster by far.

Three kinds of sets need not be weighed: those that leave no row; those after which some cell is
empty in all rows that are left, which are worth what they are with that cell; and, in a block that
symmetries keep, those with a larger image.

A cell that misses have made certain is shot before all others where that loses nothing.

Several threads work out the sets of a large block together, a segment of it each: those that differ
in their lowest bits alone. A segment needs those with more of the higher bits, so that all with as
many of them are worked out at the same time. Each thread writes to its own segment only.

*A best tree.* From the root on, the best shot of each set is entered into the table of a search,
under the key of the rows that are left. Trees grow from there as after any search.

A sweep takes its time and memory whatever the game is like, and both are known before it begins: by
the number of sets. A search may be over at once, or never. So a search begins, and between its
steps the blocks of the game are listed, as many as its work so far makes worth while; a game whose
sets are not many more than what the search has looked at is swept.

A set of misses of a block with k cells in question is a number below 2^k, bit i for the block's
cell i.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.core.library import FULL, core
from seabattle.enumerate.errors import end_if
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem, holding, whole_mask
from seabattle.solver.search.queries import Goal

MOST_BITS = 31
"""Most cells in question of a block: a set of misses is a number of 31 bits."""

SEGMENT_BITS = 16
"""Sets that differ in these bits alone are a segment, which one thread works out."""

FIRST_ROOM = 256
"""Parts of a block's rows that there is room for at first."""

SHARES = 4 * 256
"""What each byte of a set of misses is under a symmetry: so many numbers."""


@dataclass(frozen=True, eq=False)
class Block:
    """What some hits leave, moved by a symmetry so that all blocks alike are the same.

    Attributes
    ----------
    number
        Its place among the blocks found.
    rows
        int32 ``(n,)``: numbers of its rows.
    hit
        Mask of the cells hit; outside the open mode of those that all rows occupy.
    certain
        Mask of the cells that all rows occupy.
    cells
        Cells in question: cell i is bit i of a set of misses.
    parts
        Of each cell worth a shot the parts that a hit leaves, once they are known.
    """

    number: int
    rows: NDArray[np.int32]
    hit: int
    certain: int
    cells: tuple[int, ...]
    parts: dict[int, list[Part]] = field(default_factory=dict)

    @property
    def sets(self) -> int:
        """Number of its sets of misses."""
        return 1 << len(self.cells)

    def bit_of(self, cell: int) -> int:
        """Bit of a cell in a set of misses; -1 of one that is certain: no shot there misses."""
        return self.cells.index(cell) if cell in self.cells else -1


class Part(NamedTuple):
    """Where a hit leads: a block, and the symmetry that moves the part's rows to it."""

    block: Block
    symmetry: int


class Blocks:
    """The blocks of a game, found one after another.

    Parameters
    ----------
    problem
        The problem.

    Examples
    --------
    >>> from seabattle.solver.search.problem import as_problem
    >>> from seabattle.enumerate.rules import Rules
    >>> blocks = Blocks(as_problem(Rules("3x3", "2,1")))
    >>> blocks.find()
    True
    >>> len(blocks.found), blocks.sets
    (8, 468)
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.open = not problem.hits_are_free
        self.search = ExactSearch(problem)
        self.moves = np.array(problem.symmetries, dtype=np.int64)
        self.images = problem.row_images()
        self.named: dict[bytes, Block] = {}
        self.found: list[Block] = []
        self.expanded = 0  # blocks whose parts are known
        self.sets = 0
        self.most_bits = 0
        everything = np.arange(len(problem), dtype=np.int32)
        roots = self._parts(everything, [-1], problem.hit if self.open else 0)
        self.roots = [part for _, part in roots]

    def find(
        self,
        most_sets: float = np.inf,
        most_blocks: float = np.inf,
        over: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Go on until all blocks are found; whether they are.

        Parameters
        ----------
        most_sets, most_blocks
            Where it gives up for now, so that it can be called again.
        over
            Asked for each block whether to give up.
        """
        while self.expanded < len(self.found):
            beyond = self.sets > most_sets or len(self.found) > most_blocks
            if beyond or self.most_bits > MOST_BITS or over():
                return False
            block = self.found[self.expanded]
            cells = sorted((*block.cells, *cells_of(block.certain & ~block.hit)))
            block.parts.update((cell, []) for cell in cells)
            for cell, part in self._parts(block.rows, cells, block.hit):
                block.parts[cell].append(part)
            self.expanded += 1
        return self.most_bits <= MOST_BITS and self.sets <= most_sets

    def _parts(
        self, rows: NDArray[np.int32], cells: list[int], hit: int
    ) -> Iterator[tuple[int, Part]]:
        """The parts of some rows after each of some shots that hit, or with cell -1 before any.

        In the open mode ``hit`` is the mask of the cells hit before.
        """
        search, words, key_words = self.search, self.problem.words, self.problem.key_words
        shots, room = np.array(cells, dtype=np.int32), FIRST_ROOM
        question = search.question(hit=self.problem.mask_words(hit))
        while True:
            found: dict[str, Any] = {
                "members": np.empty(room * len(rows), dtype=np.int32),
                "ends": np.empty(room, dtype=np.int64),
                "shots": np.empty(room, dtype=np.int32),
                "masks": np.empty(room * 3 * words, dtype=np.uint64),
                "keys": np.empty(room * key_words, dtype=np.uint64),
                "symmetries": np.empty(room, dtype=np.int64),
            }
            parts = core().structure("parts", found)
            count = search.searcher.ask(core().block_parts, rows, question, shots, parts)
            if count >= 0:
                break
            if count == FULL:
                room *= 4
            else:
                search.more_parts()
        ends = found["ends"][:count].tolist()
        keys, masks = found["keys"].reshape(room, -1), found["masks"].reshape(room, 3, words)
        for p, (start, end) in enumerate(pairwise((0, *ends))):
            rows_of_part, g = found["members"][start:end], int(found["symmetries"][p])
            block = self._block(keys[p].tobytes(), rows_of_part, g, map(whole_mask, masks[p]))
            yield int(found["shots"][p]), Part(block, g)

    def _images(self, mask: int) -> NDArray[np.uint64]:
        """The images of a mask under all symmetries."""
        bits = np.uint64(1) << self.moves[:, list(cells_of(mask))].astype(np.uint64)
        images: NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=1)
        return images

    def _block(self, key: bytes, rows: NDArray[np.int32], g: int, masks: Iterable[int]) -> Block:
        """The block of some rows, moved by the symmetry of their key; a new one if need be.

        The masks are those of the cells that all of them occupy, that some do, and that were hit.
        """
        if key not in self.named:
            certain, occupied, hit = (int(self._images(mask)[g]) for mask in masks)
            cells = tuple(cells_of(occupied & ~certain))
            rows = np.sort(self.images[g, rows])
            hit = hit if self.open else certain
            block = self.named[key] = Block(len(self.found), rows, hit, certain, cells)
            self.found.append(block)
            self.sets += block.sets
            self.most_bits = max(self.most_bits, len(cells))
        return self.named[key]

    def own_symmetries(self, block: Block) -> list[int]:
        """Numbers of the symmetries that keep a block, without the identity."""
        kept = np.flatnonzero(self._images(block.hit) == np.uint64(block.hit)).tolist()
        return [
            g for g in kept[1:] if np.array_equal(np.sort(self.images[g, block.rows]), block.rows)
        ]

    def bit_images(self, block: Block, other: Block, g: int) -> NDArray[np.int64]:
        """Bit in another block of each cell in question of a block, moved by symmetry g.

        -1 where the cell does not matter there, ``MOST_BITS`` where a miss leaves nothing.
        """
        place = np.full(64, -1, dtype=np.int64)
        place[list(other.cells)] = np.arange(len(other.cells))
        place[list(cells_of(other.certain))] = MOST_BITS
        return place[self.moves[g, list(block.cells)]]


SETS_PER_UNIT = 1_200_000
"""Sets that are worked out at most for a unit of work of the search, a twentieth of a step.

Such a unit takes a few hundredths of a second, so many sets half a second."""

BLOCKS_AT_ONCE = 2400
"""Blocks that are listed at most in any case, in half a second: few ships have no more."""

BLOCKS_PER_UNIT = 15
"""... and for a unit of work of the search besides, which takes ten times as long."""

SETS_PER_SECOND = 6_000_000
"""At least, on machines of today: a sweep that cannot end before the deadline is not begun."""

SETS_PER_REPORT = 256
"""Sets whose shots are entered between two reports."""


def _numbers_to(most: int) -> np.dtype[Any]:
    """The smallest kind of whole numbers that go so far."""
    return np.dtype(f"u{next(size for size in (2, 4, 8) if most < 1 << 8 * size)}")


def _fewer_bits(number: int) -> int:
    """A key by which numbers with more bits come first."""
    return -number.bit_count()


class MissSets:
    """The values of all blocks of a game, if they are worth their while.

    Parameters
    ----------
    search
        The search of the same problem, whose limits and threads hold and whose reports are made.
    goal
        Whether the total or the worst case is made least.

    Attributes
    ----------
    done
        Whether they are worked out.
    ended
        Whether they never will be: for want of memory, or the options or the cells in question are
        not those it is for.
    weighed
        Sets that were weighed shot by shot.

    Examples
    --------
    >>> from seabattle.solver.search.problem import as_problem
    >>> from seabattle.enumerate.rules import Rules
    >>> sets = MissSets(ExactSearch(as_problem(Rules("4x4", "3,2"))))
    >>> sets.blocks.find()
    True
    >>> sets.sweep()
    >>> sets.least()
    358
    """

    def __init__(self, search: ExactSearch, goal: Goal = Goal.TOTAL) -> None:
        self.search, self.problem = search, search.problem
        self.goal, self.worst = goal, goal is Goal.WORST
        weights = self.problem.row_weights
        self.weights = np.ones_like(weights) if self.worst else weights
        # By default every layout may miss all cells.
        self.dtype = _numbers_to(self.problem.table.total_weight * self.problem.cells)
        self.memory_for_sets = 0.0
        self.done = False
        self.ended = self.problem.renumbered or not search.options.sets
        self.weighed = 0

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks, as far as they are found."""
        return Blocks(self.problem)

    def due(self, units: float, most: int) -> bool:
        """Whether to work out every set is worth while after so many units of the search's work.

        The whole game is known to cost no more than ``most``.
        """
        if self.ended:
            return False
        most_sets = int(units * SETS_PER_UNIT)
        limits = self.search.limits
        most_blocks = BLOCKS_AT_ONCE + int(units * BLOCKS_PER_UNIT)
        if not self.blocks.find(most_sets, most_blocks, limits.over):
            return False
        # A part of the layouts costs no more than all of them: but of an open state it may.
        if not self.blocks.open:
            self.dtype = _numbers_to(most)
        left = max((self._left_type(b).itemsize * b.sets for b in self.blocks.found), default=0)
        needed = self.blocks.sets * self.dtype.itemsize + left + self.search.table.nbytes
        if needed > limits.memory * 2**30:
            self.memory_for_sets = needed / 2**30
            return False
        return self.blocks.sets / SETS_PER_SECOND <= limits.seconds_left()

    def swept(self, units: float, most: int) -> bool:
        """Work out every set, if that is ``due``; whether it was done.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            Where a limit or ``stop`` ends it.
        """
        if not self.due(units, most):
            return False
        try:
            self.sweep()
        except (MemoryError, RuntimeError):  # no room for it, or no thread
            self.ended = True
        return self.done

    @property
    def advice(self) -> str:
        """What more memory would do, in words after those of a stop; "" where nothing is known."""
        if not self.memory_for_sets:
            return ""
        least = math.ceil(10 * self.memory_for_sets) / 10
        return f"; with a memory limit of {least:g} GiB every set of misses could be worked out"

    def sweep(self) -> None:
        """Work out all values, once all blocks are found; raises as ``swept``."""
        found, weighed = self.blocks.found, 0
        self.starts = np.cumsum([0, *(block.sets for block in found)]).tolist()
        self.values = np.empty(self.starts[-1], dtype=self.dtype)
        pool = ThreadPoolExecutor(self.search.limits.threads)
        try:
            for block in sorted(found, key=lambda block: _fewer_bits(block.hit)):
                weighed += self._sweep(block, pool)
        finally:
            pool.shutdown(cancel_futures=True)
        self.weighed, self.done = weighed, True

    def _sweep(self, block: Block, pool: ThreadPoolExecutor) -> int:
        """Work out the values of one block; the sets that were weighed."""
        made, weighed = self._made(block), 0
        parts = len(made.kept["starts"])
        values = self.values.view(np.uint8)

        def weigh(segment: int) -> int:
            return int(core().sweep_sets(made, segment, np.zeros(parts, dtype=np.int64), values))

        segments = range((block.sets - 1 >> SEGMENT_BITS) + 1)
        for _, layer in groupby(sorted(segments, key=_fewer_bits), _fewer_bits):
            for sets in pool.map(weigh, layer):
                self.search.report("every set of misses")
                self.search.limits.require_time()
                weighed += sets
        return weighed

    def _made(self, block: Block) -> Any:
        """A block as the core takes it: ``seabattle_block``."""
        blocks, bits = self.blocks, len(block.cells)
        parts = [part for parts in block.parts.values() for part in parts]
        images = [blocks.bit_images(block, part.block, part.symmetry) for part in parts]
        twins = [blocks.bit_images(block, block, g) for g in blocks.own_symmetries(block)]
        to = np.array(images, dtype=np.int64).reshape(len(parts), bits)
        fields = {
            "cells": bits,
            "segment_bits": SEGMENT_BITS,
            "value_bytes": self.dtype.itemsize,
            "weight_bytes": self._left_type(block).itemsize,
            "worst": self.worst,
            "certain_first": not blocks.open,
            "start": self.starts[block.number],
            "bits": np.array([block.bit_of(cell) for cell in block.parts], dtype=np.int64),
            "first": np.cumsum([0, *map(len, block.parts.values())], dtype=np.int64),
            "starts": np.array([self.starts[part.block.number] for part in parts], dtype=np.int64),
            "dead": ((to == MOST_BITS) << np.arange(bits)).sum(axis=1),
            "shares": self._shares(images),
            "twins": self._shares(twins),
            "left": self._left(block),
        }
        return core().structure("block", fields)

    def _left(self, block: Block) -> NDArray[np.uint8]:
        """Weight of the rows that each set of misses leaves, in bytes."""
        size = self._left_type(block).itemsize
        left = np.zeros(size * block.sets, dtype=np.uint8)
        cells = np.array(block.cells, dtype=np.int64)
        rows = self.problem.rows[block.rows]
        core().block_left(rows, self.weights[block.rows], cells, size, left)
        return left

    def _left_type(self, block: Block) -> np.dtype[Any]:
        """What the weights of a block's rows are added up in."""
        return _numbers_to(int(self.weights[block.rows].sum()))

    @staticmethod
    def _shares(images: list[NDArray[np.int64]]) -> NDArray[np.int32]:
        """What each byte of misses is under each image of the bits."""
        to = np.array(images, dtype=np.int64).ravel()
        to[to == MOST_BITS] = -1
        shares = np.empty(SHARES * len(images), dtype=np.int32)
        core().set_images(to, len(images), shares)
        return shares

    def value(self, block: Block, missed: int = 0) -> int:
        """Least misses of a block after a set of misses as a number."""
        return int(self.values[self.starts[block.number] + missed])

    def least(self) -> int:
        """Least misses of the whole game."""
        return self._cost(0, [], [self.value(part.block) for part in self.blocks.roots])

    def _cost(self, water: int, missed: list[int], hit: list[int]) -> int:
        """Least misses that begin with a shot.

        Parameters
        ----------
        water
            Weight of the rows that it misses.
        missed, hit
            Values of what a miss and the other answers leave.
        """
        if self.worst:
            return max(0, *hit, 1 + max(missed, default=0) if water else 0)
        return water + sum(missed) + sum(hit)

    def first_shot(self, cell: int) -> int:
        """Least misses of a tree that begins with a shot at a cell."""
        water = int(self.weights[~holding(self.problem.rows, cell)].sum())
        missed, hit = [], []
        for block, symmetry in self.blocks.roots:
            image = int(self.blocks.moves[symmetry, cell])
            parts = block.parts.get(image)
            if parts is not None:
                hit += self._values_after_hit(block, parts, 0)
            if image in block.cells:
                missed.append(self.value(block, 1 << block.bit_of(image)))
            elif parts is None:  # the shot tells nothing of this block
                (hit if block.certain >> image & 1 else missed).append(self.value(block))
        return self._cost(water, missed, hit)

    def _values_after_hit(self, block: Block, parts: list[Part], missed: int) -> list[int]:
        return [self.value(*state) for state in self.states_after_hit(block, parts, missed)]

    def states_after_hit(
        self, block: Block, parts: list[Part], missed: int
    ) -> Iterator[tuple[Block, int]]:
        """Blocks and sets of misses after a shot that hits, given its parts and misses so far."""
        for part in parts:
            images = self.blocks.bit_images(block, part.block, part.symmetry).tolist()
            matter = [to for bit, to in enumerate(images) if missed >> bit & 1 and to >= 0]
            if MOST_BITS not in matter:
                yield part.block, mask_of(matter)

    def tell(self) -> None:
        """Enter the shots of a best tree into the table of the search.

        Each block stands for the sub-tables that symmetries move there, as their keys do. The
        search reports meanwhile, and stops if asked to; of its limits of time some seconds more are
        better than no tree.
        """
        search = self.search
        told: set[tuple[Block, int]] = set()
        left = [(part.block, 0) for part in self.blocks.roots]
        while left:
            block, missed = state = left.pop()
            rows = self.rows(block, missed)
            certain, occupied = self.problem.closure(rows) if len(rows) else (0, 0)
            if state in told or certain == occupied:
                continue
            if len(told) % SETS_PER_REPORT == 0:
                search.report(search.stage)
                end_if(search.limits.stop)
            told.add(state)
            cell, parts = self.best_shot(block, missed)
            left += self.states_after_hit(block, parts, missed)
            if not certain >> cell & 1:
                left.append((block, missed | 1 << block.bit_of(cell)))
            if self.blocks.open or not certain >> cell & 1:
                hit = block.hit if self.blocks.open else 0
                search.tell(self.goal, rows, hit, self.value(block, missed), cell)

    def best_shot(self, block: Block, missed: int) -> tuple[int, list[Part]]:
        """A cell of a block that is best after a set of misses, and its parts.

        Where certain hits come first without loss one that is due is taken.
        """
        rows = self.rows(block, missed)
        whole = int(self.weights[rows].sum())
        best = None
        for cell, parts in block.parts.items():
            water = int(self.weights[rows[~holding(self.problem.rows[rows], cell)]].sum())
            if water == whole:
                continue
            if not water and not self.blocks.open:
                return cell, parts
            if best is not None:
                continue
            on_miss = [self.value(block, missed | 1 << block.bit_of(cell))] if water else []
            on_hit = self._values_after_hit(block, parts, missed)
            if self._cost(water, on_miss, on_hit) == self.value(block, missed):
                best = cell, parts
        assert best is not None
        return best

    def rows(self, block: Block, missed: int) -> NDArray[np.int64]:
        """Rows of a block that a set of misses leaves."""
        water = mask_of(cell for bit, cell in enumerate(block.cells) if missed >> bit & 1)
        occupied = self.problem.rows[block.rows, 0]
        rows: NDArray[np.int64] = block.rows[occupied & np.uint64(water) == 0].astype(np.int64)
        return rows
