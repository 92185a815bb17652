"""Blocks: what hits alone leave of a game, and how a hit leads from one to the next.

A *block* is a sub-table after hits and no miss: its rows, and in the open mode the cells hit. After
misses as well, the sub-table is the block's rows without those that occupy a missed cell, for what
a hit tells of a row depends on the row and on the cells hit before, never on misses. So a block
with k *cells in question*, which some but not all of its rows occupy, stands for 2^k sub-tables,
one for each set of misses. A shot leads from them to sub-tables of the same block where it misses,
and of others where it hits: the block's *parts* by that shot, one for each answer. Symmetric blocks
are one.

Where certain hits come first without loss (``answer_search`` says when), they are shot together
with the hit that makes them certain. Parts whose rows all occupy the same cells cost nothing and
are left out.

Blocks are recognised by sums of random words over their rows, the least over the symmetries. Where
the sums agree the rows themselves are compared, so that nothing depends on chance.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.solver.search import work as w
from seabattle.solver.search.arrays import HI, LO, H, K, U
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem

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
        from seabattle.solver.search.kernels import miss_blocks

        self.kernels = miss_blocks
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
        while not kernels.parts_of_shot(ids, cell, np.uint64(hit), search.kernel_arrays()):
            search.make_room()
        count = int(search.counters[w.ARENA_TOP])
        named = np.zeros((count, 3), dtype=np.uint64)
        kernels.name_parts(ids, self.marks, self.images, self.moves, named, search.kernel_arrays())
        entries, masks = (array[:count] for array in search.arena)
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
