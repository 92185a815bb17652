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

Blocks are recognised by sums of random words over their rows, the least over the symmetries. Where
the sums agree the rows themselves are compared, so that nothing depends on chance.

*The sweep* goes from the largest set down.

Let V(B, M) be the least misses of the rows of block B that occupy no cell of M A shot at a cell c
in question leads to (B, M and c) where it misses, and where it hits to its parts, each with those
misses that matter there:

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

*A best tree.* From the root on, the best shot of each set is entered into the table of a search,
under the key of the rows that are left. Trees grow from there as after any search.

A sweep takes its time and memory whatever the game is like, and both are known before it begins: by
the number of sets. A search may be over at once, or never. So a search begins, and between its
turns the blocks of the game are listed, as many as its work so far makes worth while; a game whose
sets are not many more than what the search has looked at is swept.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.memory import require_addresses
from seabattle.solver.search import work as w
from seabattle.solver.search.answers import part_all
from seabattle.solver.search.arrays import HI, LO, H, K, U
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.limits import LimitReached
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal, Value

MOST_BITS = 31
"""Most cells in question of a block: a set of misses is a number of 31 bits."""

SEED = 11


@dataclass(frozen=True)
class Block:
    """What some hits leave, moved by a symmetry so that all blocks alike are the same.

    Attributes
    ----------
    rows
        int32 ``(n,)``: numbers of its rows.
    hit
        Mask of the cells hit; outside the open mode of those that all rows occupy.
    certain
        Mask of the cells that all rows occupy.
    cells
        Cells in question: cell i is bit i of a set of misses.
    """

    rows: NDArray[np.int32]
    hit: int
    certain: int
    cells: tuple[int, ...]

    @property
    def sets(self) -> int:
        """Number of its sets of misses."""
        return 1 << len(self.cells)


class Part(NamedTuple):
    """Where a hit leads: a block, by number, and the symmetry that moves the part's rows to it."""

    block: int
    symmetry: int


class Blocks:
    """The blocks of a game, found one after another.

    Parameters
    ----------
    problem
        The problem.
    orbits
        Whether symmetric blocks are one.

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

    def __init__(self, problem: Problem, *, orbits: bool = True) -> None:
        # compiled when first imported, which most games do without
        from seabattle.solver.search.kernels import miss_sets

        self.kernels = miss_sets
        self.problem = problem
        self.open = self.problem.mode == w.OPEN_SUNK
        self.hit = problem.hit if self.open else 0
        self.search = ExactSearch(problem)
        symmetries, self.images = problem.symmetries, problem.row_images()
        count = len(symmetries) if orbits else 1
        self.images = np.ascontiguousarray(self.images[:count])
        self.moves = np.zeros((count, 64), dtype=np.int64)
        for g in range(count):
            self.moves[g, : self.problem.cells] = symmetries[g]
        number = {tuple(move): g for g, move in enumerate(self.moves.tolist())}
        cells = self.problem.cells
        off = [0] * (64 - cells)
        self.after: list[list[int]] = [
            [number[(*(int(then[c]) for c in first[:cells]), *off)] for then in self.moves]
            for first in self.moves.tolist()
        ]
        """Number of the symmetry that does the first one and then the second."""
        random = np.random.default_rng(SEED)
        self.marks = random.integers(0, 1 << 64, (len(self.problem), 2), dtype=np.uint64)
        self.seen = np.zeros(len(self.problem), dtype=np.int8)
        self.numbers: dict[tuple[int, int], list[int]] = {}
        self.found: list[Block] = []
        self.sets = 0
        self.most_bits = 0
        # Shots of block b: first_shot[b] to first_shot[b + 1]; parts of shot s likewise.
        self.first_shot = array("q", [0])
        self.shot_cells = array("b")
        self.first_part = array("q", [0])
        self.part_blocks = array("i")
        self.part_symmetries = array("b")
        everything = np.arange(len(self.problem), dtype=np.int32)
        self.roots = [part for part, _ in self.parts_of(everything, -1, self.hit)]

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
            self._expand(self.found[self.expanded])
        return self.most_bits <= MOST_BITS and self.sets <= most_sets

    @property
    def expanded(self) -> int:
        """Blocks whose parts are known."""
        return len(self.first_shot) - 1

    def parts(self, shot: int) -> Iterator[Part]:
        """The parts of a shot, by its number."""
        for p in range(self.first_part[shot], self.first_part[shot + 1]):
            yield Part(self.part_blocks[p], self.part_symmetries[p])

    def _expand(self, block: Block) -> None:
        """Find the parts of all its shots."""
        occupied = self.problem.rows[block.rows]
        in_question = sum(1 << cell for cell in block.cells)
        for cell in cells_of(in_question | (block.certain & ~block.hit)):
            rows = block.rows[(occupied >> np.uint64(cell) & np.uint64(1)).astype(bool)]
            for part, _ in self.parts_of(rows, cell, block.hit):
                self.part_blocks.append(part.block)
                self.part_symmetries.append(part.symmetry)
            self.shot_cells.append(cell)
            self.first_part.append(len(self.part_blocks))
        self.first_shot.append(len(self.shot_cells))

    def parts_of(
        self, rows: NDArray[np.int32], cell: int, hit: int
    ) -> Iterator[tuple[Part, NDArray[np.int32]]]:
        """The parts of a shot that hits, each with its rows; cell -1: before any shot.

        Parameters
        ----------
        rows
            int32 ``(n,)``: rows that occupy the cell.
        cell
            The shot.
        hit
            In the open mode, mask of the cells hit before.
        """
        ids = rows.copy()
        search, kernels = self.search, self.kernels
        while part_all(ids, cell, np.uint64(hit), search.kernel_arrays()) == w.STOP:
            search.make_room()
        count = int(search.counters[w.ARENA_TOP])
        named = np.zeros((count, 3), dtype=np.uint64)
        kernels.name_parts(ids, self.marks, self.images, self.moves, named, search.kernel_arrays())
        entries, masks, _ = (array[:count] for array in search.arena)
        for entry, mask, name in zip(entries, masks, named.tolist(), strict=True):
            if mask[H] != mask[U]:
                one, two, g = map(int, name)
                members = ids[int(entry[LO]) : int(entry[HI])]
                yield Part(self._number(members, mask, (one, two), g), g), members

    def _number(
        self, rows: NDArray[np.int32], mask: NDArray[np.uint64], name: tuple[int, int], g: int
    ) -> int:
        """Number of the block of some rows moved by symmetry g, a new one if need be."""
        kernels = self.kernels
        hit = int(kernels.moved(mask[K] if self.open else mask[H], g, self.moves))
        alike = self.numbers.setdefault(name, [])
        for number in alike:
            block = self.found[number]
            if block.hit == hit and kernels.same_rows(rows, self.images, g, block.rows, self.seen):
                return number
        certain, occupied = (int(kernels.moved(mask[place], g, self.moves)) for place in (H, U))
        block = Block(self.images[g, rows], hit, certain, tuple(cells_of(occupied & ~certain)))
        alike.append(len(self.found))
        self.found.append(block)
        self.sets += block.sets
        self.most_bits = max(self.most_bits, len(block.cells))
        return alike[-1]

    def own_symmetries(self, block: Block) -> list[int]:
        """Numbers of the symmetries that keep a block, without the identity."""
        kernels = self.kernels
        return [
            g
            for g in range(1, len(self.moves))
            if int(kernels.moved(np.uint64(block.hit), g, self.moves)) == block.hit
            and kernels.same_rows(block.rows, self.images, g, block.rows, self.seen)
        ]

    def bit_images(self, block: Block, other: Block, g: int) -> NDArray[np.int64]:
        """Bit in another block of each cell in question of a block, moved by symmetry g.

        -1 where the cell does not matter there, ``MOST_BITS`` where a miss leaves nothing.
        """
        place = np.full(64, -1, dtype=np.int64)
        place[list(other.cells)] = np.arange(len(other.cells))
        place[list(cells_of(other.certain))] = MOST_BITS
        return place[self.moves[g, list(block.cells)]]


if TYPE_CHECKING:
    from seabattle.solver.search.kernels.miss_sets import Shots


VALUE_BYTES = 2, 4, 8
"""Bytes that a value may take."""

SETS_PER_LOOK = 256

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
    if threads == 1 or len(numbers) == 1:
        done = []
        for number in numbers:
            over()
            done.append(work(number))
        return done
    pool = ThreadPoolExecutor(threads)
    try:
        done = []
        for outcome in pool.map(work, numbers):
            over()
            done.append(outcome)
        return done
    finally:
        pool.shutdown(cancel_futures=True)


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
        self.goal = goal
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
        from seabattle.solver.search.kernels import miss_sets as kernels

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
        from seabattle.solver.search.kernels.miss_sets import add_up

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
        from seabattle.solver.search.kernels import miss_sets as kernels

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
        from seabattle.solver.search.kernels import miss_sets as kernels

        to = np.array(images, dtype=np.int64).reshape(len(images), bits)
        dead = ((to == MOST_BITS) << np.arange(bits)).sum(axis=1)
        to[to == MOST_BITS] = -1
        shares = np.empty((kernels.BYTES, 256, len(images)), dtype=np.int32)
        kernels.fill_shares(to, shares)
        return dead, shares

    def states_after_hit(self, number: int, shot: int, missed: int) -> Iterator[tuple[int, int]]:
        """Blocks and sets of misses after a shot of a block that hits, given the misses so far."""
        blocks = self.blocks
        block = blocks.found[number]
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
                yield part.block, image

    def after_hit(self, number: int, shot: int, missed: int) -> int:
        """Least misses after a shot of a block that hits, given the misses so far."""
        after = self.states_after_hit(number, shot, missed)
        costs = [self.value(*state) for state in after]
        return max(costs, default=0) if self.worst else sum(costs)

    def best_shot(self, number: int, missed: int) -> int:
        """A shot of a block, by its number, that is best after a set of misses.

        Where certain hits come first without loss one that is due is taken.
        """
        blocks = self.blocks
        block = blocks.found[number]
        bit_of = {cell: bit for bit, cell in enumerate(block.cells)}
        rows = self.rows(number, missed)
        whole = int(self.weights[rows].sum())
        best = MOST_TOTAL, -1
        for shot in range(blocks.first_shot[number], blocks.first_shot[number + 1]):
            cell = blocks.shot_cells[shot]
            bit = bit_of.get(cell, -1)
            occupied = blocks.problem.rows[rows] >> np.uint64(cell) & np.uint64(1) == 1
            water = whole - int(self.weights[rows[occupied]].sum())
            if water == whole:
                continue
            if not water and not blocks.open:
                return shot
            cost = self.after_hit(number, shot, missed)
            if water:
                on_miss = self.value(number, missed | 1 << bit)
                cost = max(cost, 1 + on_miss) if self.worst else cost + water + on_miss
            best = min(best, (cost, shot))
        assert best[0] == self.value(number, missed)
        return best[1]

    def rows(self, number: int, missed: int) -> NDArray[np.int64]:
        """Rows of a block, by its number, that a set of misses leaves."""
        block = self.blocks.found[number]
        water = mask_of(cell for bit, cell in enumerate(block.cells) if missed >> bit & 1)
        occupied = self.blocks.problem.rows[block.rows]
        rows: NDArray[np.int64] = block.rows[occupied & np.uint64(water) == 0].astype(np.int64)
        return rows

    def tell(self, search: ExactSearch, look: Callable[[], None] = lambda: None) -> None:
        """Enter the shots of a best tree into the table of a search of the same problem.

        Each block stands for the sub-tables that symmetries move there, as their keys do.

        Parameters
        ----------
        search
            The search.
        look
            Called every few hundred sub-tables; what it raises ends it.
        """
        worst_of: dict[tuple[int, int], int] = {}

        def worst(number: int, missed: int) -> int:
            """The worst case of a block after a set of misses, once its tree is told."""
            state = number, missed
            rows = self.rows(number, missed)
            if state in worst_of or not len(rows):
                return worst_of.get(state, 0)
            certain, occupied = self.blocks.problem.closure(rows)
            if certain == occupied:
                return 0
            if len(worst_of) % SETS_PER_LOOK == 0:
                look()
            shot = self.best_shot(number, missed)
            cell = self.blocks.shot_cells[shot]
            found = [worst(*after) for after in self.states_after_hit(number, shot, missed)]
            if not certain >> cell & 1:
                bit = self.blocks.found[number].cells.index(cell)
                found.append(1 + worst(number, missed | 1 << bit))
            worst_of[state] = max(found, default=0)
            if self.blocks.open or not certain >> cell & 1:
                hit = self.blocks.found[number].hit if self.blocks.open else 0
                value = self.value(number, missed)
                search.tell(self.goal, rows, hit, value, worst_of[state], cell)
            return worst_of[state]

        for part in self.blocks.roots:
            worst(part.block, 0)

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


SETS_PER_UNIT = {
    w.PLAIN: 1_200_000,
    w.CLOSED_SUNK: 6_000_000,
    w.OPEN_SUNK: 6_000_000,
    w.NAMED: 6_000_000,
}
"""Sets that are worked out at most for a unit of work of the search, a twentieth of a step.

Such a unit takes a few hundredths of a second, so many sets a few tenths. Bounds close more games
in mode ``hit`` than in the others."""

SETS_AS_UNIT = 200_000
"""Sets that take as long as a unit of work of the search."""

BLOCKS_AT_ONCE = 2400
"""Blocks that are listed at most in any case, in half a second: few ships have no more."""

BLOCKS_PER_UNIT = 15
"""... and for a unit of work of the search besides, which takes ten times as long."""

SETS_PER_SECOND = 6_000_000
"""At least, on machines of today: a sweep that cannot end before the deadline is not begun."""


class MissSets:
    """The values of every set of misses, if they are worth their while.

    Parameters
    ----------
    search
        The search of the same problem, whose limits hold and whose reports are made.
    goal
        Whether the total or the worst case is made least.
    """

    def __init__(self, search: ExactSearch, goal: Goal) -> None:
        self.search = search
        self.problem: Problem = search.problem
        self.goal = goal
        self.blocks: Blocks | None = None
        self.sweep: MissSweep | None = None
        self.memory_for_sets = 0.0
        self.possible = True

    def swept(self, units: int, left: float = math.inf) -> bool:
        """Work out every set, if that is worth while after so many units of work; whether it was.

        Parameters
        ----------
        units
            Units of work of the search so far.
        left
            Units that it is likely to take still.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            Where a limit or ``stop`` ends it.
        """
        if not self.possible:
            return False
        if self.blocks is None:
            self.blocks = Blocks(self.problem, orbits=self.search.options.orbits)
        most_sets = units * SETS_PER_UNIT[self.blocks.problem.mode]
        limits = self.search.limits
        most_blocks = BLOCKS_AT_ONCE + units * BLOCKS_PER_UNIT
        if not self.blocks.find(most_sets, most_blocks, limits.over):
            return False
        if left * SETS_AS_UNIT < self.blocks.sets:
            return False
        threads = limits.threads
        # A part of the layouts seldom costs more than all of them: of an open state it may.
        likely = (self.search.interval or (0, 0))[1]
        for size in VALUE_BYTES:
            if likely >> 8 * size:
                continue
            sweep = MissSweep(self.blocks, self.goal, value_bytes=size, threads=threads)
            needed = (sweep.nbytes + self.search.table.nbytes) / 2**30
            if needed > limits.memory:
                self.memory_for_sets = needed
                return False
            if self.blocks.sets / SETS_PER_SECOND > limits.seconds_left():
                return False
            try:
                require_addresses(sweep.nbytes)
                if sweep.run(self.look):
                    self.sweep = sweep
                    return True
            except MemoryError:
                self.possible = False
                return False
        raise AssertionError("totals are below 2^41")

    def look(self) -> None:
        """Report, and keep the limits."""
        assert self.blocks is not None
        self._tell("every set of misses")
        if self.search.limits.seconds_left() < 0:
            raise LimitReached(
                f"the time limit was reached among {self.blocks.sets} sets of misses"
            )

    def swept_for(self, goal: Goal) -> bool:
        """Whether the values are known, and are those for a goal."""
        return self.sweep is not None and goal is self.goal

    @property
    def advice(self) -> str:
        """What more memory would do, in words after those of a stop; "" where nothing is known."""
        if not self.memory_for_sets:
            return ""
        least = math.ceil(10 * self.memory_for_sets) / 10
        return f"; with a memory limit of {least:g} GiB every set of misses could be worked out"

    @property
    def sets(self) -> int:
        """Sets that were weighed shot by shot."""
        return 0 if self.sweep is None else self.sweep.weighed

    def value(self) -> Value:
        """The least misses of the whole problem."""
        assert self.sweep is not None
        return Value(self.sweep.least(), 0, True)

    def shot_value(self, cell: int) -> int:
        """Least misses of a tree that begins with a shot at a cell."""
        assert self.sweep is not None
        return self.sweep.first_shot(cell)

    def tell(self) -> None:
        """Tell the search the shots of a best tree."""
        assert self.sweep is not None
        self.sweep.tell(self.search, self._show)

    def _show(self) -> None:
        """Report, and stop if asked to: some seconds more than allowed are better than no tree."""
        self._tell(self.search.stage)

    def _tell(self, stage: str) -> None:
        """Report a stage, and ask whether to stop."""
        limits = self.search.limits
        if limits.report is not None:
            limits.report(self.search.snapshot(stage))
        if limits.stop is not None and limits.stop():
            raise KeyboardInterrupt
