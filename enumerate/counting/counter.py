"""The counter: exactly how many layouts fit what is known, and how many occupy each cell.

A frontier sweep [Knuth2011] counts without listing: the 1,855,545,978,831,780 layouts of the
Russian fleet on 10x10 take a tenth of a second. One sweep forward and one backward give, for every
placement, the number of layouts that have it, and so the occupancy of every cell; walks along the
same sums draw layouts that are exactly equally likely. The idea of sweeping rows and keeping what
the rows below need to know is that of [Mrrl2013].

Numbers of layouts are exact integers of any size. Where a prior makes some layouts likelier than
others, chances are floating-point numbers with a stated error, and layouts are drawn by the prior.

Several threads may count at once, with counters of their own or with one: each thread has its own
memory for sums, up to the counter's limit.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from math import factorial, log, prod
from os import PathLike
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT_SHIP, SUNK_LENGTH, is_sunk
from seabattle.enumerate.arguments import (
    require_memory,
    require_placements,
    require_position,
    require_whole,
)
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.frontier import Frontier, affordable_frontier, grid
from seabattle.enumerate.counting.listed import ListedSweep
from seabattle.enumerate.counting.placing import chances_alone, draw_by_placing
from seabattle.enumerate.counting.sweep import (
    ROUNDING,
    WORD_BITS,
    BufferPool,
    Progress,
    Sweep,
    random_ranks,
)
from seabattle.enumerate.counting.weighed import (
    ProductWeights,
    WeighedByList,
    WeighedBySweep,
    weigh_by_list,
)
from seabattle.enumerate.deductions import Constraints, constrain, contradiction
from seabattle.enumerate.errors import FleetError, PositionError, TooLargeError, WeightsError
from seabattle.enumerate.layouts import Layouts, fitting_ships, fleet_does_not_fit
from seabattle.enumerate.map import AloneMap, ChanceMap, Chances, OccupancyMap
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, TablePrior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable, Game, position_of


class Counter:
    """Counts, maps and samples the layouts that fit what is known of a game.

    Parameters
    ----------
    game
        Rules, a position, or a decision table whose layouts are all equally likely: of a table
        only the rules and the position are used.
    prior
        How likely the layouts are before the first shot: a prior, or the name or file of one (see
        ``load_prior``); None when all are equally likely.
    memory_limit
        GiB the counter may take.
    progress
        Called before each row that is swept, with its number and the number of rows.

    Attributes
    ----------
    rules, position, prior
        The game, and how likely its layouts are.

    Raises
    ------
    TooLargeError
        By what counts, if the shorter side of the board is above 16, or the sweep needs more
        memory; says what. See ``too_large``.
    PositionError
        If the table has no history.
    WeightsError
        If the table has weights, or the prior is of another game.
    FileAccessError
        If the file of the prior cannot be read.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> counter = Counter(Rules("10x10", "russian", answers="sunk"))
    >>> counter.count()
    1855545978831780
    >>> counter.at(counter.position.shoot("A1", "miss")).count()
    1417058250642564
    >>> Counter(Rules("3x3", "3,1,1")).map().occupancy
    ((4, 1, 4), (1, 0, 1), (4, 1, 4))
    """

    def __init__(
        self,
        game: Game,
        *,
        prior: Prior | str | PathLike[str] | None = None,
        memory_limit: float = 4.0,
        progress: Progress | None = None,
    ) -> None:
        self.position = position_of(game)
        if isinstance(game, DecisionTable) and len(game.prior):
            raise WeightsError(
                "the counter takes all layouts for equally likely, and this table has weights"
            )
        self.prior = require_prior(prior, self.position.rules)
        self.rules = self.position.rules
        self.progress = progress
        self.memory_limit = require_memory(memory_limit)
        self._frontier: Frontier | TooLargeError | None = None
        if self.rules.fleet.all_lines:
            try:
                width = grid(self.rules).width
                self._frontier = affordable_frontier(self.rules, width, self.memory_limit)
            except TooLargeError as error:
                self._frontier = error
        self.pool = BufferPool()
        self._set_weights()

    def _set_weights(self) -> None:
        self._weights = None
        if isinstance(self.prior, ProductPrior) and self.rules.fleet.all_lines:
            self._weights = ProductWeights(self.prior)

    def __repr__(self) -> str:
        game = self.position if self.position.shots else self.rules
        return f"Counter({game!r})" if self.prior is None else f"Counter({game!r}, {self.prior!r})"

    def at(self, position: Position) -> Counter:
        """The counter of another position of the same game; the tables of the sweep are shared.

        Raises
        ------
        PositionError
            If the position is of another game.
        """
        require_position(position, self.rules)
        other = copy(self)
        other.position = position
        return other

    def under(self, prior: Prior | str | PathLike[str] | None) -> Counter:
        """The counter of the same position under another prior; tables and memory are shared.

        Raises
        ------
        WeightsError, FileAccessError
            If the prior is of another game, or its file cannot be read.
        """
        other = copy(self)
        other.prior = require_prior(prior, self.rules)
        other._set_weights()
        return other

    @property
    def too_large(self) -> TooLargeError | None:
        """What the exact count would need, where it cannot be had; layouts are drawn all the same.

        Without a prior ``sample`` then draws by placing ships, and ``map_of_ships_alone`` stands
        for the map.
        """
        if isinstance(self._frontier, TooLargeError):
            return self._frontier
        if not self.rules.fleet.all_lines:
            try:
                ListedSweep(self.rules, self._constrain())
            except TooLargeError as error:
                return error
        return None

    @property
    def frontier(self) -> Frontier:
        """Profiles and steps of the sweep.

        Raises
        ------
        TooLargeError
            If they would need too much memory, or there is no sweep for this fleet.
        """
        if isinstance(self._frontier, TooLargeError):
            raise type(self._frontier)(str(self._frontier))
        if self._frontier is None:
            raise TooLargeError(f"fleet {self.rules.fleet}: no sweep carries ships of other forms")
        return self._frontier

    @frontier.setter
    def frontier(self, frontier: Frontier) -> None:
        self._frontier = frontier

    @property
    def _table_bytes(self) -> int:
        return 0 if self._frontier is None else self.frontier.nbytes

    def _constrain(self) -> Constraints:
        """What the position says; known ships are set aside for a sweep alone."""
        return constrain(self.position, propagate=self.rules.fleet.all_lines)

    def _fits(self, sums: int, what: str, advice: str = "raise --memory-limit") -> None:
        """Reject work whose sums would need too much memory.

        Raises
        ------
        TooLargeError
            Says what is needed.
        """
        need = self._table_bytes + sums
        if need > self.memory_limit * 2**30:
            raise TooLargeError(
                f"board {self.rules.board} with fleet {self.rules.fleet}: {what} needs "
                f"{need / 2**30:.2g} GiB, more than the limit of {self.memory_limit:g} GiB; "
                f"{advice}"
            )

    def sweep(self) -> tuple[Constraints, Sweep | ListedSweep]:
        """Constraints of the position and the sweep that counts its layouts, exact."""
        constraints = self._constrain()
        sweep = self._sweep(constraints)
        if sweep.words > 1:
            total = self._total(sweep)
            sweep = self._sweep(constraints, max(1, -(-total.bit_length() // WORD_BITS)))
        self._fits_map(sweep)
        return constraints, sweep

    def _fits_map(self, sweep: Sweep | ListedSweep) -> None:
        self._fits(sweep.map_bytes, "a map", "raise --memory-limit, or count with --no-map")

    def _sweep(self, constraints: Constraints, words: int | None = None) -> Sweep | ListedSweep:
        if not self.rules.fleet.all_lines:
            return ListedSweep(self.rules, constraints)
        return Sweep(
            self.rules, constraints, words=words, steps=self.frontier, pool=self.pool,
            progress=self.progress, memory=self._memory,
        )  # fmt: skip

    @property
    def _memory(self) -> int:
        """Bytes that sums may take."""
        return int(self.memory_limit * 2**30) - self._table_bytes

    def _total(self, sweep: Sweep | ListedSweep) -> int:
        """Number of layouts, keeping no sums."""
        self._fits(sweep.count_bytes, "counting")
        return sweep.count()

    def count(self) -> int:
        """Number of layouts that fit the position; 0 only if the fleet has none at all.

        Raises
        ------
        PositionError
            If no layout fits.
        """
        total = self.count_under(self._constrain())
        if total == 0 and self.position.shots:
            raise contradiction(self.position)
        return total

    def count_under(self, constraints: Constraints) -> int:
        """Number of layouts that satisfy constraints, whatever the position says."""
        return self._total(self._sweep(constraints))

    def map(self) -> OccupancyMap | ChanceMap:
        """Occupancy of every cell and of every placement; their chances under a prior.

        Returns
        -------
        map
            An ``OccupancyMap``, whose numbers are exact; a ``ChanceMap`` under a prior.

        Raises
        ------
        PositionError
            If no layout fits the position.
        FleetError
            If the fleet has no layout on the board.
        WeightsError
            If every layout that fits weighs 0 under the prior; see also ``chances``.
        """
        return self.occupancy_map() if self.prior is None else self.chance_map()

    def occupancy_map(self) -> OccupancyMap:
        """The map without a prior: it counts layouts, whatever they weigh."""
        constraints, sweep = self.sweep()
        total = sweep.total
        if total == 0:
            raise self._none_fits()
        placements = sweep.placement_counts()
        for ship in constraints.fixed:
            placements[ship] = total
        cells = map(sum, placement_table(self.rules).over_cells(placements))
        return OccupancyMap(
            self.position, total, tuple(cells), self.labelled(total), tuple(placements),
            tuple(sweep.states),
        )  # fmt: skip

    def chance_map(self) -> ChanceMap:
        """The map under the prior; where there is none, all layouts are equally likely."""
        begin = perf_counter()
        chances = self.chances()
        middle = perf_counter()
        total = self.count()
        labelled = self.labelled(total)
        cells, placements = tuple(chances.cells.tolist()), tuple(chances.placements.tolist())
        return ChanceMap(
            self.position, total, cells, labelled, placements, self.prior, chances.log_weight,
            chances.error, middle - begin, perf_counter() - middle,
        )  # fmt: skip

    def map_of_ships_alone(self) -> AloneMap:
        """The map of ships taken one by one, for boards too large to count; see ``AloneMap``."""
        return AloneMap(self.position, 0, chances_alone(self.position), str(self.too_large or ""))

    def chances(self) -> Chances:
        """The chances of a map alone, without the exact number of layouts, which takes longer.

        Raises
        ------
        PositionError, FleetError
            If no layout fits.
        WeightsError
            If every layout that fits weighs 0; if the weights of a product prior are too far
            apart; if another prior's layouts are too many to be listed.
        """
        if self.prior is not None:
            return self._weighed(self.prior).chances()
        found = self.occupancy_map()
        return Chances(
            np.array([layouts / found.layouts for layouts in found.placements]),
            np.array([layouts / found.layouts for layouts in found.cells]),
            log(found.layouts),
            ROUNDING,
        )

    def layout_chances(self, ships: NDArray[np.uint16]) -> NDArray[np.float64]:
        """How likely layouts that fit are, given as ``sample`` draws them: float64 ``(n,)``.

        Errors are those of ``chances``.
        """
        require_placements(ships, self.rules, "ships")
        if self.prior is None:
            return np.full(len(ships), 1 / self.count())
        logs = self.prior.log_weights(Layouts.of_ships(self.rules, ships))
        return np.exp(logs - self.log_weight())

    def log_weight(self) -> float:
        """Natural logarithm of the sum of the weights of all layouts that fit.

        In the units of the prior's weights; without a prior every layout weighs 1.

        Raises
        ------
        PositionError, FleetError, WeightsError
            As for ``chances``.
        """
        if self.prior is not None:
            return self._weighed(self.prior).log_weight
        total = self.count()
        if total == 0:
            raise self._none_fits()
        return log(total)

    def _weighed(self, prior: Prior) -> WeighedBySweep | WeighedByList:
        """The layouts that fit, weighed by the prior.

        Raises
        ------
        PositionError, FleetError, WeightsError
            As for ``chances``.
        """
        if self._weights is None:
            listed = weigh_by_list(
                prior, self.rules, lambda most: self.likely(most=most), self.memory_limit
            )
            if listed is None:
                raise self._nothing_left(prior)
            return listed
        weighing = self._weights.weigh(constrain(self.position))
        if weighing is not None:
            sweep = Sweep(
                self.rules, weighing.constraints, weighing.weights, steps=self.frontier,
                pool=self.pool, progress=self.progress, memory=self._memory,
            )  # fmt: skip
            self._fits_map(sweep)
            if sweep.mass > 0:
                return WeighedBySweep(sweep, weighing)
        raise self._nothing_left(prior)

    def _nothing_left(self, prior: Prior) -> PositionError | FleetError | WeightsError:
        """The error where no layout that fits weighs more than 0."""
        if self.count() == 0:
            return self._none_fits()
        return WeightsError(f"{prior.called}: every layout that fits weighs 0")

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
        total = self.count() if total is None else require_whole("total", total, 0)
        return labelled_layouts(self.position, total, self.count_under)

    def layouts(self, *, most: int = 10_000) -> NDArray[np.uint16]:
        """Every layout that fits the position, when there are few of them, whatever they weigh.

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
        return self._ranked(constraints, sweep, most)

    @staticmethod
    def _ranked(
        constraints: Constraints, sweep: Sweep | ListedSweep, most: int
    ) -> NDArray[np.uint16]:
        """All layouts of a sweep, in the order of their ranks."""
        if sweep.total > most:
            raise _too_many(sweep.total, most)
        ranks = np.zeros((sweep.total, sweep.words), dtype=np.uint64)
        ranks[:, 0] = np.arange(sweep.total)
        return constraints.whole(sweep.layouts(ranks))

    def likely(self, *, most: int = 10_000) -> NDArray[np.uint16]:
        """Every layout that fits the position and weighs more than 0, when there are few.

        Parameters and result are those of ``layouts``.

        Raises
        ------
        TooLargeError
            If there are more than ``most``.
        PositionError, FleetError, WeightsError
            If none fits, or all that fit weigh 0.
        """
        prior = self.prior
        if prior is None or not prior.rules_out:
            return self.layouts(most=most)
        if isinstance(prior, TablePrior) and not prior.others:
            listed = prior.listed
            found: NDArray[np.uint16]
            try:
                found = listed[fitting_ships(self.position, listed) == 1]
            except PositionError:
                raise self._nothing_left(prior) from None
        elif self._weights is not None:
            weighing = self._weights.weigh(constrain(self.position))
            total = 0 if weighing is None else self.count_under(weighing.constraints)
            if weighing is None or total == 0:
                raise self._nothing_left(prior)
            found = self._ranked(weighing.constraints, self._sweep(weighing.constraints), most)
        else:
            ships = self.layouts(most=most)
            logs = prior.log_weights(Layouts.of_ships(self.rules, ships))
            found = ships[logs > -np.inf]
            if not len(found):
                raise self._nothing_left(prior)
        if len(found) > most:
            raise _too_many(len(found), most)
        return found

    def _none_fits(self) -> PositionError | FleetError:
        """The error where nothing is left to count."""
        if self.position.shots:
            return contradiction(self.position)
        return fleet_does_not_fit(self.rules)

    def sample(self, count: int, seed: int | np.random.Generator = 0) -> NDArray[np.uint16]:
        """Layouts drawn independently: by the prior, or all that fit equally likely.

        Without a prior they are exactly equally likely. Under a product prior each is drawn step by
        step; every step adds an error of one part in 2**53 to that of the masses
        (``ChanceMap.error``). Under other priors they are drawn exactly by their weights.

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
        PositionError, FleetError, WeightsError
            As for ``chances``.
        TooLargeError
            If the sample needs more memory than the limit.
        """
        number = require_whole("count", count, 0)
        each = 40 * (len(self.rules.fleet.lengths) + 1)  # bytes; measured, with what is sorted
        if self.too_large is None:
            self._fits(each * number, f"a sample of {number:,}")
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(require_whole("seed", seed, 0))
        if self.prior is None and self.too_large is not None:
            return draw_by_placing(self.position, number, seed)
        if self.prior is not None:
            return np.sort(self._weighed(self.prior).draw(number, seed), axis=1).astype(np.uint16)
        constraints, sweep = self.sweep()
        if sweep.total == 0:
            raise self._none_fits()
        ranks = random_ranks(number, sweep.total, sweep.words, seed)
        return constraints.whole(sweep.layouts(ranks))


def _too_many(total: int, most: int) -> TooLargeError:
    return TooLargeError(f"{total:,} layouts fit, and at most {most:,} are listed")


Count = Callable[[Constraints], int]
"""Number of layouts that satisfy some constraints."""


def labelled_layouts(position: Position, total: int, count: Count) -> int:
    """Number of layouts when identical ships not known to be sunk are told apart.

    Parameters
    ----------
    position
        What is known.
    total
        The number of layouts that fit.
    count
        Counts the layouts under constraints; called only if the kind of a sunk ship is unknown.
    """
    rules, fleet, table = position.rules, position.rules.fleet, placement_table(position.rules)
    left, of_fleet = dict(fleet.kind_counts), dict(zip(fleet.kinds, fleet.lengths, strict=True))
    unsure: list[int] = []
    if rules.answers is AnswerMode.SHIP:
        for code in {code for _, code in position.shots if code >= HIT_SHIP}:
            length = (code - HIT_SHIP) // 64
            kind = next(kind for kind, cells in of_fleet.items() if cells == length)
            left[kind] -= sum(c == code for _, c in position.shots) == length
    elif rules.answers is AnswerMode.SUNK:
        for cell, code in position.shots:
            if not is_sunk(code):
                continue
            kinds = [kind for kind, cells in of_fleet.items() if code == SUNK_LENGTH + cells]
            if rules.contact is not Contact.SIDES:
                group = rules.board.group(position.hit_mask, cell)
                kinds = [table.kind_of(Placement(rules.board, tuple(cells_of(group))))]
            if len(kinds) == 1:
                left[kinds[0]] -= 1
            else:
                unsure.append(cell)
    if not unsure:
        return total * prod(map(factorial, left.values()))
    return _ways(rules, constrain(position, propagate=False), unsure, left, count)


def _ways(
    rules: Rules, constraints: Constraints, unsure: list[int], left: dict[int, int], count: Count
) -> int:
    """Sum over the possible kinds of the sunk ships whose kind is unknown."""
    if not unsure:
        return count(constraints) * prod(map(factorial, left.values()))
    table = placement_table(rules)
    covers = np.array([p.mask >> unsure[0] & 1 for p in table.placements], dtype=np.uint8)
    kinds = np.array(table.kinds)
    total = 0
    for kind, ships in left.items():
        if ships == 0:
            continue
        allowed = constraints.allowed * (1 - covers * (kinds != kind)).astype(np.uint8)
        if (allowed & covers).any():
            total += _ways(
                rules,
                Constraints(allowed, constraints.required, constraints.left, ()),
                unsure[1:],
                {**left, kind: ships - 1},
                count,
            )
    return total
