"""A frontier sweep over one board: numbers of layouts, or their weights.

``sweep.hpp`` says how it adds along the steps of a frontier, and does it. Here is what a game makes
of it: what every row allows, how many words the sums need, and what the sums mean.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, inf, prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.core.library import core
from seabattle.enumerate.counting.frontier import Frontier, grid
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


class Buffer(threading.local):
    """Memory reused by one sweep after another: taking new memory takes half as long as a sweep.

    Every thread has memory of its own.

    Attributes
    ----------
    memory
        uint8: zeros, or what the sweep before left there.
    walked
        The sweep whose sums for walks it holds; None once another takes it.
    """

    memory = np.zeros(0, dtype=np.uint8)
    walked: Sweep | None = None

    def __reduce__(self) -> tuple[type[Buffer], tuple[()]]:
        return Buffer, ()  # what it holds is of no use elsewhere


@dataclass(frozen=True, eq=False)
class Workspace:
    """What all sweeps of a game share, those of several threads, too.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    frontier
        Profiles and steps to sweep with.
    memory_limit
        GiB that these and the sums of a sweep may take.
    progress
        Called before each row that is swept, with its number and the number of rows.
    """

    rules: Rules
    frontier: Frontier
    memory_limit: float = inf
    progress: Progress | None = None
    buffer: Buffer = field(default_factory=Buffer, repr=False)

    def require(self, size: int, what: str, advice: str) -> None:
        """Refuse work that takes so many bytes more than there are.

        Raises
        ------
        TooLargeError
            Says what is needed.
        """
        need = self.frontier.nbytes + size
        if need > self.memory_limit * 2**30:
            raise TooLargeError(
                f"board {self.rules.board} with fleet {self.rules.fleet}: {what} needs "
                f"{need / 2**30:.2g} GiB, more than the limit of {self.memory_limit:g} GiB; "
                f"{advice}"
            )

    def memory(self, size: int) -> NDArray[np.uint8]:
        """So many bytes for a sweep."""
        buffer = self.buffer
        buffer.walked = None
        if len(buffer.memory) < size:
            buffer.memory = np.zeros(0, dtype=np.uint8)  # let go first
            buffer.memory = np.zeros(size, dtype=np.uint8)
        return buffer.memory


class Sweep:
    """Sums over the layouts that satisfy the constraints.

    Parameters
    ----------
    space
        The game, its frontier, and memory.
    constraints
        Allowed placements and required cells of the ships still to be found.
    weights
        float64 ``(n_placements,)``: above 0 for every placement that is allowed, and such that no
        sum leaves the range of float64 (see ``scaled_weights``); None to count layouts.
    words
        Words of 64 bits in every count, at least. Counts are modulo 2**(64 words), exact when there
        are fewer layouts than that; by default no number of layouts can reach it.

    Raises
    ------
    TooLargeError
        If sums of no kind have so many words; by what counts and maps, if these need more memory
        than there is.
    """

    def __init__(
        self,
        space: Workspace,
        constraints: Constraints,
        weights: NDArray[np.float64] | None = None,
        *,
        words: int | None = None,
    ) -> None:
        self.space, self.rules, self.frontier = space, space.rules, space.frontier
        self.constraints, self.weights = constraints, weights
        self.grid = grid(self.rules)
        self.height, self.width = map(int, self.grid.cells.shape)
        needed = 1 if weights is not None else words or words_needed(self.rules, constraints)
        if needed > WORDS[-1]:
            raise TooLargeError(f"{self.rules}: numbers of layouts do not fit {WORDS[-1]} words")
        self.words = next(words for words in WORDS if words >= needed)

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
        occupied = np.zeros(self.rules.board.cells, dtype=np.uint32)
        occupied[list(cells_of(self.constraints.required))] = 1
        bits = occupied[self.grid.cells] << np.arange(self.width, dtype=np.uint32)
        return {
            "frontier": front.memory,
            "words": self.words if self.weights is None else 0,
            "height": self.height,
            "left": np.array(list(self.constraints.left.values()), dtype=np.int32),
            "allowed": allowed.reshape(-1),
            "required": bits.sum(axis=1, dtype=np.uint32),
            "weights": weights,
        }

    def require_memory(self, *, kept: bool) -> tuple[Any, int]:
        """What the core is told to count, or to keep what a map needs, and the bytes for that.

        Raises
        ------
        TooLargeError
            If these are more than there are.
        """
        board = core().structure("board", self.fields | {"keeps": int(kept)})
        size, advice = core().sweep_bytes(board), "raise --memory-limit"
        if kept:
            self.space.require(size, "a map", f"{advice}, or count with --no-map")
        else:
            self.space.require(size, "counting", advice)
        return board, size

    def _report(self, row: int) -> None:
        if self.space.progress is not None:
            self.space.progress(row, self.height)

    def _forward(self, kept: bool) -> NDArray[np.uint8]:
        """Memory in which all rows are summed up forward; those that are already, not again."""
        board, size = self.require_memory(kept=kept)
        memory = self.space.memory(size)
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
        buffer = self.space.buffer
        if buffer.walked is not self:
            self._backward(self._forward(kept=True), None)
            buffer.walked = self
        return buffer.memory

    def _total(self, kept: bool) -> Any:
        words = np.empty((1, self.words), dtype=np.uint64)
        core().sweep_total(self._forward(kept), words)
        return self._numbers(words)[0]

    def _numbers(self, words: NDArray[np.uint64]) -> list[Any]:
        """Sums ``(n, words)``: integers from their words, the low one first, or masses."""
        if self.weights is not None:
            return list(words.view(np.float64)[:, 0].tolist())
        places = WORD_BITS * np.arange(self.words)
        return list((words.astype(object) << places).sum(axis=1).tolist())

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
        return self._numbers(starts.reshape(-1, self.words)[self.grid.starts])

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
        walks, starts = np.zeros((count, 3), np.int64), np.zeros((count, n_ships), np.int64)
        placement_at = np.zeros(self.height * self.frontier.codes, dtype=np.int64)
        placement_at[self.grid.starts] = np.arange(len(self.grid.starts))
        memory = self._walked()
        for row in range(self.height):
            self._report(row)
            core().sweep_walk(memory, row, walks, words, starts)
        return placement_at[starts]


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
