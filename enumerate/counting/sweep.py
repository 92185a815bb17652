"""A frontier sweep over one board: numbers of layouts, or their weights.

``sweep.hpp`` says how it adds along the steps of a frontier, and does it. Here is what a game makes
of it: what every row allows, how many words the sums need, and what the sums mean.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from math import comb, prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.counting.frontier import Frontier, frontier, grid
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

WORD_BITS = 64

WORDS = 1, 2, 8
"""Words of 64 bits that a sum may have."""

ROUNDING = 2.0**-53
"""Largest relative error of one rounding."""

Progress = Callable[[int, int], None]


class BufferPool(threading.local):
    """Memory reused by one sweep after another: taking new memory takes half as long as a sweep.

    Every thread has memory of its own, so sweeps of several threads may share a pool.

    Attributes
    ----------
    walked
        The sweep whose sums for walks the memory holds; None once another takes it.
    """

    def __init__(self) -> None:
        self.walked: tuple[Sweep, NDArray[np.uint8]] | None = None
        self._memory = np.zeros(0, dtype=np.uint8)
        self._steps: Frontier | None = None

    def __reduce__(self) -> tuple[type[BufferPool], tuple[()]]:
        return BufferPool, ()  # what it holds is of no use elsewhere

    def get(self, size: int, steps: Frontier) -> NDArray[np.uint8]:
        """So many bytes for a sweep along some steps: zeros, or what the sweep before left there.

        A sweep knows its steps by their address, so they are held as long as the memory is.
        """
        self.walked = None
        if len(self._memory) < size or self._steps is not steps:
            self._memory = np.zeros(0, dtype=np.uint8)  # let go first
            self._memory = np.zeros(size, dtype=np.uint8)
            self._steps = steps
        return self._memory


class Sweep:
    """Sums over the layouts that satisfy the constraints.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    constraints
        Allowed placements and required cells of the ships still to be found.
    weights
        float64 ``(n_placements,)``: above 0 for every placement that is allowed, and such that no
        sum leaves the range of float64 (see ``scaled_weights``); None to count layouts.
    words
        Words of 64 bits in every count, at least. Counts are modulo 2**(64 words), exact when there
        are fewer layouts than that; by default no number of layouts can reach it.
    steps
        The frontier to sweep with.
    pool
        Memory to reuse, for one sweep at a time.
    progress
        Called before each row that is swept, with its number and the number of rows.

    Raises
    ------
    TooLargeError
        If sums of no kind have so many words.
    """

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        weights: NDArray[np.float64] | None = None,
        *,
        words: int | None = None,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.rules, self.constraints, self.weights = rules, constraints, weights
        self.grid = grid(rules)
        self.frontier = steps or frontier(self.grid.ships)
        self.pool, self.progress = pool or BufferPool(), progress
        self.height, self.width = map(int, self.grid.cells.shape)
        needed = 1 if weights is not None else words or words_needed(rules, constraints)
        if needed > WORDS[-1]:
            raise TooLargeError(f"{rules}: numbers of layouts do not fit {WORDS[-1]} words")
        self.words = next(words for words in WORDS if words >= needed)
        self.dtype: Any = np.uint64 if weights is None else np.float64

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What the core is told of the board, see ``seabattle_board``."""
        front, starts = self.frontier, self.grid.starts
        allowed = np.zeros((self.height, front.codes), dtype=np.uint8)
        allowed.reshape(-1)[starts] = self.constraints.allowed
        allowed[:, 0] = 1
        weights = None
        if self.weights is not None:
            by_code = allowed.astype(np.float64)
            by_code.reshape(-1)[starts] *= self.weights
            weights = by_code.reshape(-1)
        occupied = [
            self.constraints.required >> cell & 1 for cell in self.grid.cells.ravel().tolist()
        ]
        bits = np.array(occupied).reshape(self.height, self.width) << np.arange(self.width)
        return {
            "frontier": front.memory,
            "words": self.words if self.weights is None else 0,
            "height": self.height,
            "left": np.array(list(self.constraints.left.values()), dtype=np.int32),
            "allowed": allowed.reshape(-1),
            "required": bits.sum(axis=1).astype(np.uint32),
            "weights": weights,
        }

    def _board(self, kept: bool) -> Any:
        return core().structure("board", self.fields | {"keeps": int(kept)})

    @property
    def count_bytes(self) -> int:
        """Bytes that ``count`` needs: the sums of a row, and of the profiles before and after."""
        return int(core().sweep_bytes(self._board(False)))

    @property
    def map_bytes(self) -> int:
        """Bytes that a map needs: the sums before every row, and within one both ways."""
        return int(core().sweep_bytes(self._board(True)))

    def _report(self, row: int) -> None:
        if self.progress is not None:
            self.progress(row, self.height)

    def _forward(self, kept: bool) -> NDArray[np.uint8]:
        """Memory in which all rows are summed up forward; those that are already, not again."""
        board = self._board(kept)
        memory = self.pool.get(core().sweep_bytes(board), self.frontier)
        for row in range(core().begin_sweep(board, memory), self.height):
            self._report(row)
            core().sweep_forward(memory, row)
        return memory

    def _backward(self, memory: NDArray[np.uint8], starts: NDArray[np.uint64] | None) -> None:
        """Sum up all rows backward, with starts, by row and code, or for walks."""
        for row in range(self.height - 1, -1, -1):
            self._report(row)
            core().sweep_backward(memory, row, None if starts is None else starts[row])

    def _walked(self) -> NDArray[np.uint8]:
        """Memory with the sums for walks; they are there still where no sweep came between."""
        if self.pool.walked is None or self.pool.walked[0] is not self:
            memory = self._forward(kept=True)
            self._backward(memory, None)
            self.pool.walked = self, memory
        return self.pool.walked[1]

    def _total(self, kept: bool) -> int | float:
        words = np.empty(self.words, dtype=np.uint64)
        core().sweep_total(self._forward(kept), words)
        return self._number(words)

    def _number(self, words: NDArray[np.uint64]) -> int | float:
        """A sum: an integer from its words, the low one first, or a mass."""
        if self.weights is not None:
            return float(words.view(np.float64)[0])
        number: int = sum(word << WORD_BITS * w for w, word in enumerate(words.tolist()))
        return number

    def count(self) -> int:
        """Number of layouts, as ``total``, in less memory: what a map needs is not kept."""
        return int(self._total(kept=False))

    @cached_property
    def total(self) -> Any:
        """Number of layouts modulo 2**(64 words), or their mass; 0 only if there are none."""
        return self._total(kept=True)

    def placement_sums(self) -> list[Any]:
        """Number of layouts that have each placement, or their mass, by placement number."""
        starts = np.zeros((self.height, self.frontier.codes * self.words), dtype=np.uint64)
        self._backward(self._forward(kept=True), starts)
        found = starts.reshape(-1, self.words)[self.grid.starts]
        if self.words == 1:
            return list(found.view(self.dtype)[:, 0].tolist())
        return [self._number(words) for words in found]

    @property
    def error(self) -> float:
        """Bound on the relative error of a chance or of the total mass; numbers are exact.

        Counts the roundings that the weight of a layout goes through: those of its way through the
        rows, and a few more. The mass of a placement is a sum of products of a forward and a
        backward sum, added up over the entries of a vector and then over nodes, which is as good
        as rounding three times, times a weight. The chance of a placement divides this by the
        total, and the chance of a cell adds up several. Each weight is itself rounded once.
        """
        if self.weights is None:
            return ROUNDING
        front, ships = self.frontier, len(self.rules.fleet.lengths)
        entries = 1 if front.counted else prod(n + 1 for n in self.constraints.left.values())
        roundings = (front.roundings * self.height + 9 + entries + 2 * ships) * ROUNDING
        return roundings / (1 - roundings)

    def layouts(self, luck: Sequence[int]) -> NDArray[np.int64]:
        """Layouts by their rank in the order of the sweep, or drawn by their mass.

        Parameters
        ----------
        luck
            Ranks, each below the total; of masses, the seed of each layout's random numbers, each
            below 2**64.

        Returns
        -------
        ships
            int64 ``(count, ships still to be found)``: numbers of placements.
        """
        count, mask, n_ships = len(luck), (1 << WORD_BITS) - 1, sum(self.constraints.left.values())
        numbers = [n >> WORD_BITS * w & mask for n in luck for w in range(self.words)]
        words = np.array(numbers, dtype=np.uint64)
        profiles, used, found = (np.zeros(count, dtype=np.int64) for _ in range(3))
        ships = np.zeros((count, n_ships), dtype=np.int64)
        codes = self.frontier.codes
        placement_at = np.full(self.height * codes, -1, dtype=np.int64)
        placement_at[self.grid.starts] = np.arange(len(self.grid.starts))
        memory = self._walked()
        place = np.arange(n_ships)
        for row in range(self.height):
            self._report(row)
            before = found.copy()
            core().sweep_walk(memory, row, profiles, used, words, ships, found)
            new = (place >= before[:, None]) & (place < found[:, None])
            ships[new] = placement_at[row * codes + ships[new]]
        return ships


def layouts_bound(constraints: Constraints, kinds: NDArray[np.int64]) -> int:
    """A number that the layouts do not exceed, from how many placements each ship has left.

    Parameters
    ----------
    constraints
        What the layouts satisfy.
    kinds
        int64 ``(n_placements,)``: kind of the ship of each placement.
    """
    bound = 1
    for kind, ships in constraints.left.items():
        bound *= comb(int(constraints.allowed[kinds == kind].sum()), ships)
    return bound


def words_needed(rules: Rules, constraints: Constraints) -> int:
    """Words of 64 bits that hold any possible number of layouts."""
    kinds = np.array(placement_table(rules).kinds)
    return max(1, -(-layouts_bound(constraints, kinds).bit_length() // WORD_BITS))


def random_numbers(count: int, total: int, rng: np.random.Generator) -> list[int]:
    """So many uniform random numbers below ``total``, of any size."""
    if total <= 1 << WORD_BITS:
        return list(rng.integers(0, total, size=count, dtype=np.uint64).tolist())
    chance = Random(int(rng.integers(1 << 62)))
    return [chance.randrange(total) for _ in range(count)]
