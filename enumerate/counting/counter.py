"""The counter: exactly how many layouts fit what is known, and how many occupy each cell.

A frontier sweep counts without listing: the 1,855,545,978,831,780 layouts of the Russian fleet on
10x10 take a tenth of a second. One sweep forward and one backward give, for every placement, the
number of layouts that have it, and so the occupancy of every cell; walks along the same sums draw
layouts that are exactly equally likely. The idea of sweeping rows and keeping what the rows below
need to know is that of "Again Sea battle. We count the number of possible ship locations" (Habr).

Numbers are exact integers of any size.
"""

from __future__ import annotations

from copy import copy
from math import factorial

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.frontier import MAX_WIDTH, Frontier, frontier
from seabattle.enumerate.counting.occupancy_map import OccupancyMap
from seabattle.enumerate.counting.sweep import WORD_BITS, BufferPool, Progress, Sweep, grid
from seabattle.enumerate.errors import (
    FleetError,
    PositionError,
    TooLargeError,
    WeightsError,
)
from seabattle.enumerate.game.answers import HIT_SHIP, SUNK, SUNK_LENGTH, is_sunk
from seabattle.enumerate.game.arguments import (
    require_function,
    require_number,
    require_position,
    require_whole,
)
from seabattle.enumerate.game.deductions import (
    Constraints,
    constrain,
    contradiction,
    hit_group,
)
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Contact
from seabattle.enumerate.layouts.games import Game, position_of
from seabattle.enumerate.layouts.table import DecisionTable

BYTES_PER_PROFILE = 100
"""Approximate memory for one profile of one layer while it is being found, with its steps."""

THRIFTY = 1 << 30
"""A map that needs more bytes than this is counted first without keeping its sums."""


class Counter:
    """Counts, maps and samples the layouts that fit what is known of a game.

    Parameters
    ----------
    game
        Rules, a position, or a decision table whose layouts are all equally likely: of a table
        only the rules and the position are used.
    memory_limit
        GiB the counter may take.
    progress
        Called before each row that is swept, with its number and the number of rows.

    Attributes
    ----------
    rules, position
        The game.

    Raises
    ------
    TooLargeError
        If the shorter side of the board is above 16, or the sweep needs more memory; says what.
    PositionError
        If the table has no history.
    WeightsError
        If the table has weights.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.enumerate.game.rules import Rules
    >>> counter = Counter(Rules("10x10", "russian", answers="sunk"))
    >>> counter.count()
    1855545978831780
    >>> counter.at(counter.position.shoot("A1", "miss")).count()
    1417058250642564
    >>> Counter(Rules("3x3", "3,1,1")).map().occupancy
    ((4, 1, 4), (1, 0, 1), (4, 1, 4))
    """

    def __init__(
        self, game: Game, *, memory_limit: float = 4.0, progress: Progress | None = None
    ) -> None:
        self.position = position_of(game)
        if isinstance(game, DecisionTable) and len(game.prior):
            raise WeightsError(
                "the counter takes all layouts for equally likely, and this table has weights"
            )
        require_function("progress", progress)
        self.rules = self.position.rules
        self.progress = progress
        self.memory_limit = require_number("memory_limit", memory_limit, "GiB", least=0)
        self.grid = grid(self.rules)
        self.frontier = self._frontier()
        self.pool = BufferPool()

    def __repr__(self) -> str:
        game = self.position if self.position.shots else self.rules
        return f"Counter({game!r})"

    def at(self, position: Position) -> Counter:
        """The counter of another position of the same game; the tables of the sweep are shared.

        Raises
        ------
        PositionError
            If the position is of another game.
        TypeError
            If it is no position.
        """
        require_position(position, self.rules)
        other = copy(self)
        other.position = position
        return other

    def _frontier(self) -> Frontier:
        """Find profiles and steps; refuse a board on which they need too much memory."""
        width, lengths = self.grid.width, self.rules.fleet.lengths
        memory = int(self.memory_limit * 2**30)
        if width > MAX_WIDTH:
            raise TooLargeError(
                f"board {self.rules.board}: its shorter side is {width}, and sweeping it needs "
                f"about {self._estimate(width):.2g} GiB; at most {MAX_WIDTH} is supported"
            )
        most = memory // (BYTES_PER_PROFILE * (width + 1))
        try:
            found = frontier(width, self.rules.contact, lengths, most)
        except TooLargeError as error:
            if "between two cells" not in str(error):
                raise
            raise TooLargeError(
                f"board {self.rules.board} with fleet {self.rules.fleet}: counting needs about "
                f"{self._estimate(width):.2g} GiB, more than the limit of {self.memory_limit:g} "
                f"GiB; raise --memory-limit or take a board whose shorter side is below {width}"
            ) from None
        return found

    def _fits(self, sums: int, what: str, advice: str = "raise --memory-limit") -> None:
        """Reject work whose sums would need too much memory.

        Raises
        ------
        TooLargeError
            Says what is needed.
        """
        need = self.frontier.nbytes + sums
        if need > self.memory_limit * 2**30:
            raise TooLargeError(
                f"board {self.rules.board} with fleet {self.rules.fleet}: {what} needs "
                f"{need / 2**30:.2g} GiB, more than the limit of {self.memory_limit:g} GiB; "
                f"{advice}"
            )

    def _estimate(self, width: int) -> float:
        """GiB needed, extrapolated from narrower boards."""
        sizes = []
        for narrow in (7, 8):
            found = frontier(narrow, self.rules.contact, self.rules.fleet.lengths)
            entries = 1 if found.counted else found.uses
            sizes.append(found.nbytes + found.nodes * entries * 8)
        return float(sizes[1]) * (sizes[1] / sizes[0]) ** (width - 8) / 2**30

    def sweep(self) -> tuple[Constraints, Sweep]:
        """Constraints of the position and the sweep that counts its layouts, exact."""
        constraints = constrain(self.position)
        sweep = self._sweep(constraints)
        if sweep.words > 1:
            total = self._total(sweep)
            sweep = self._sweep(constraints, max(1, -(-total.bit_length() // WORD_BITS)))
        self._fits(sweep.map_bytes, "a map", "raise --memory-limit, or count with --no-map")
        return constraints, sweep

    def _sweep(self, constraints: Constraints, words: int | None = None) -> Sweep:
        return Sweep(
            self.rules, constraints, words=words, steps=self.frontier, pool=self.pool,
            progress=self.progress,
        )  # fmt: skip

    def _total(self, sweep: Sweep) -> int:
        """Number of layouts, keeping no sums where these would take much memory."""
        if sweep.map_bytes < THRIFTY:
            return sweep.total
        self._fits(sweep.count_bytes, "counting")
        return sweep.count_thriftily()

    def count(self) -> int:
        """Number of layouts that fit the position; 0 only if the fleet has none at all.

        Raises
        ------
        PositionError
            If no layout fits.
        """
        total = self._total(self._sweep(constrain(self.position)))
        if total == 0 and self.position.shots:
            raise contradiction(self.position)
        return total

    def map(self) -> OccupancyMap:
        """Occupancy of every cell, and of every placement.

        Raises
        ------
        PositionError
            If no layout fits the position.
        FleetError
            If the fleet has no layout on the board.
        """
        constraints, sweep = self.sweep()
        total = sweep.total
        if total == 0:
            raise self._none_fits()
        placements = sweep.placement_counts()
        for ship in constraints.fixed:
            placements[ship] = total
        board = self.rules.board
        cells = [0] * board.cells
        for placement, layouts in zip(
            placement_table(self.rules).placements, placements, strict=True
        ):
            if layouts:
                for cell in placement.cells:
                    cells[cell] += layouts
        return OccupancyMap(
            self.position,
            total,
            self.labelled(total),
            tuple(
                tuple(cells[r * board.columns : (r + 1) * board.columns]) for r in range(board.rows)
            ),
            tuple(placements),
            tuple(sweep.states),
        )

    def labelled(self, total: int | None = None) -> int:
        """Number of layouts with identical ships told apart that are not known to be sunk.

        Parameters
        ----------
        total
            The number of layouts, if it has been counted.

        Raises
        ------
        PositionError
            If no layout fits.
        """
        position = self.position
        total = self.count() if total is None else require_whole("total", total, 0)
        left = dict(self.rules.fleet.counts)
        unsure: list[int] = []
        if self.rules.answers is AnswerMode.SHIP:
            for code in {code for _, code in position.shots if code >= HIT_SHIP}:
                length = (code - HIT_SHIP) // 64
                left[length] -= sum(c == code for _, c in position.shots) == length
        elif self.rules.answers is AnswerMode.SUNK:
            for cell, code in position.shots:
                if code >= SUNK_LENGTH:
                    left[code - SUNK_LENGTH] -= 1
                elif is_sunk(code) and self.rules.contact is not Contact.SIDES:
                    group = hit_group(self.rules.board, position.hit_mask, cell)
                    left[group.bit_count()] -= 1
                elif code == SUNK:
                    unsure.append(cell)
        if not unsure:
            return total * _rearrangements(left)
        constraints = constrain(position, propagate=False)
        return self._labelled_ways(constraints, unsure, left)

    def _labelled_ways(
        self, constraints: Constraints, unsure: list[int], left: dict[int, int]
    ) -> int:
        """Sum over the possible lengths of the sunk ships whose length is unknown."""
        if not unsure:
            return self._total(self._sweep(constraints)) * _rearrangements(left)
        table = placement_table(self.rules)
        covers = np.array([p.mask >> unsure[0] & 1 for p in table.placements], dtype=np.uint8)
        lengths = np.array([p.length for p in table.placements])
        total = 0
        for length, ships in left.items():
            if ships == 0:
                continue
            allowed = constraints.allowed * (1 - covers * (lengths != length)).astype(np.uint8)
            if (allowed & covers).any():
                total += self._labelled_ways(
                    Constraints(allowed, constraints.required, constraints.left, ()),
                    unsure[1:],
                    {**left, length: ships - 1},
                )
        return total

    def layouts(self, *, most: int = 10_000) -> NDArray[np.uint16]:
        """Every layout that fits the position, when there are few of them.

        Parameters
        ----------
        most
            Most layouts to list.

        Returns
        -------
        ships
            uint16 ``(layouts, n_ships)`` as in ``sample``, each layout once.

        Raises
        ------
        TooLargeError
            If there are more than ``most``.
        PositionError, FleetError
            If none fits.
        """
        require_whole("most", most, 0)
        constraints, sweep = self.sweep()
        total = sweep.total
        if total == 0:
            raise self._none_fits()
        if total > most:
            raise TooLargeError(f"{total:,} layouts fit, and at most {most:,} are listed")
        ranks = np.zeros((total, sweep.words), dtype=np.uint64)
        ranks[:, 0] = np.arange(total)
        return _with_fixed(sweep.layouts(ranks), constraints)

    def _none_fits(self) -> PositionError | FleetError:
        """The error where nothing is left to count."""
        if self.position.shots:
            return contradiction(self.position)
        return FleetError(
            f"fleet {self.rules.fleet}: no layout on the board {self.rules.board} under contact "
            f"rule {self.rules.contact.value!r}"
        )

    def sample(self, count: int, seed: int | np.random.Generator = 0) -> NDArray[np.uint16]:
        """Layouts drawn independently, every one that fits equally likely.

        Parameters
        ----------
        count
            How many.
        seed
            Seed of the random numbers, a whole number from 0 on; or their generator.

        Returns
        -------
        ships
            uint16 ``(count, n_ships)``: placement numbers, increasing in each row, as in
            ``Layouts``.

        Raises
        ------
        PositionError, FleetError
            If no layout fits.
        """
        number = require_whole("count", count, 0)
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(require_whole("seed", seed, 0))
        constraints, sweep = self.sweep()
        if sweep.total == 0:
            raise self._none_fits()
        ranks = _ranks(number, sweep.total, sweep.words, seed)
        return _with_fixed(sweep.layouts(ranks), constraints)


def _with_fixed(found: NDArray[np.int64], constraints: Constraints) -> NDArray[np.uint16]:
    """Add the known ships to each layout of the others; numbers increase in each row."""
    fixed = np.tile(np.array(constraints.fixed, dtype=np.int64), (len(found), 1))
    return np.sort(np.concatenate([found, fixed], axis=1), axis=1).astype(np.uint16)


def _rearrangements(left: dict[int, int]) -> int:
    """Ways to permute identical ships among those left."""
    product = 1
    for ships in left.values():
        product *= factorial(max(0, ships))
    return product


def _ranks(count: int, total: int, words: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Uniform random numbers below ``total``: uint64 ``(count, words)``."""
    if words == 1:
        return rng.integers(0, total, size=(count, 1), dtype=np.uint64)
    top_bits = total.bit_length() - WORD_BITS * (words - 1)
    limit = [total >> (WORD_BITS * w) & ((1 << WORD_BITS) - 1) for w in range(words)]
    ranks = np.empty((0, words), dtype=np.uint64)
    while len(ranks) < count:
        drawn = rng.integers(
            0, 1 << WORD_BITS, size=(count, words), dtype=np.uint64, endpoint=False
        )
        drawn[:, -1] >>= np.uint64(WORD_BITS - top_bits)
        below = np.zeros(count, dtype=bool)
        equal = np.ones(count, dtype=bool)
        for w in range(words - 1, -1, -1):
            below |= equal & (drawn[:, w] < np.uint64(limit[w]))
            equal &= drawn[:, w] == np.uint64(limit[w])
        ranks = np.concatenate([ranks, drawn[below]])
    return ranks[:count]
