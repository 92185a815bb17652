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

from collections import Counter as Tally
from copy import copy
from dataclasses import replace
from math import factorial, prod
from os import PathLike
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT_SHIP, is_sunk
from seabattle.enumerate.counting.frontier import Frontier, affordable_frontier, grid
from seabattle.enumerate.counting.placing import chances_alone, draw_by_placing
from seabattle.enumerate.counting.sweep import WORD_BITS, BufferPool, Progress, Sweep
from seabattle.enumerate.counting.weighed import (
    MOST_LISTED,
    Listed,
    Weighed,
    likely_constraints,
    scaled_weights,
)
from seabattle.enumerate.deductions import Constraints, constrain, contradiction
from seabattle.enumerate.errors import (
    MOST_GIB,
    FleetError,
    PositionError,
    TooLargeError,
    WeightsError,
    within,
)
from seabattle.enumerate.layouts import Layouts, fitting, fleet_does_not_fit
from seabattle.enumerate.map import TITLE, AloneMap, ChanceMap, Chances, OccupancyMap
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position, require_position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, TablePrior, log_of
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
        self.memory_limit = min(within("memory_limit", memory_limit, 0), MOST_GIB)
        self._frontier: Frontier | TooLargeError | None = None
        if self.rules.fleet.all_lines:
            try:
                width = grid(self.rules).width
                self._frontier = affordable_frontier(self.rules, width, self.memory_limit)
            except TooLargeError as error:
                self._frontier = error
        self.pool = BufferPool()

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
                Listed.under(self.rules, self._constrain())
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

    def _fits_map(self, sweep: Sweep | Listed) -> None:
        self._fits(sweep.map_bytes, "a map", "raise --memory-limit, or count with --no-map")

    def _sweep(
        self,
        constraints: Constraints,
        words: int | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> Sweep | Listed:
        if not self.rules.fleet.all_lines:
            return Listed.under(self.rules, constraints)
        memory = int(self.memory_limit * 2**30) - self._table_bytes
        return Sweep(
            self.rules, constraints, weights, words=words, steps=self.frontier, pool=self.pool,
            progress=self.progress, memory=memory,
        )  # fmt: skip

    def uniform(self, constraints: Constraints | None = None) -> Weighed:
        """The layouts that fit, each of weight 1.

        Parameters
        ----------
        constraints
            What they satisfy beside the position.

        Raises
        ------
        PositionError, FleetError
            If no layout fits.
        """
        constraints = constraints or self._constrain()
        sweep = self._sweep(constraints)
        if sweep.words > 1:
            total = self.count_under(constraints)
            sweep = self._sweep(constraints, max(1, -(-total.bit_length() // WORD_BITS)))
        self._fits_map(sweep)
        if not sweep.total:
            raise self._none_fits()
        return Weighed(self.rules, constraints, sweep)

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
        sweep = self._sweep(constraints)
        self._fits(sweep.count_bytes, "counting")
        return sweep.count()

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
        found = self.uniform()
        total, placements = found.sweep.total, found.placements()
        cells = map(sum, placement_table(self.rules).over_cells(placements))
        return OccupancyMap(
            self.position, total, tuple(cells), self.labelled(total), tuple(placements),
            tuple(found.sweep.states),
        )  # fmt: skip

    def chance_map(self) -> ChanceMap:
        """The map under the prior; where there is none, all layouts are equally likely."""
        begin = perf_counter()
        chances = self.chances()
        middle = perf_counter()
        total = self.count()
        labelled = self.labelled(total)
        name = "uniform" if self.prior is None else self.prior.name or "without a name"
        cells, placements = tuple(chances.cells.tolist()), tuple(chances.placements.tolist())
        return ChanceMap(
            self.position, total, cells, labelled, placements, chances.log_weight,
            chances.error, middle - begin, perf_counter() - middle, prior_name=name,
        )  # fmt: skip

    def map_of_ships_alone(self) -> AloneMap:
        """The map of ships taken one by one, for boards too large to count; see ``AloneMap``."""
        chances, needs = chances_alone(self.position), str(self.too_large or "")
        title = f"{TITLE}, ships taken one by one"
        return AloneMap(self.position, 0, chances, needs, title=title)

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
        return self._weighed().chances()

    def layout_chances(self, ships: NDArray[np.uint16]) -> NDArray[np.float64]:
        """How likely layouts that fit are, given as ``sample`` draws them: float64 ``(n,)``.

        Errors are those of ``chances``.
        """
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
        return self._weighed().log_weight

    def _weighed(self) -> Weighed:
        """The layouts that fit, weighed by the prior.

        Raises
        ------
        PositionError, FleetError, WeightsError
            As for ``chances``.
        """
        prior = self.prior
        if prior is None:
            return self.uniform()
        if isinstance(prior, ProductPrior) and self.rules.fleet.all_lines:
            constraints = likely_constraints(prior, self._constrain())
            scaled = None if constraints is None else scaled_weights(prior, constraints)
            if constraints is not None and scaled is not None:
                sweep = self._sweep(constraints, weights=scaled[0])
                self._fits_map(sweep)
                if sweep.total > 0:
                    return Weighed(self.rules, constraints, sweep, scaled[1])
            raise self._nothing_left(prior)
        most = int(self.memory_limit * 2**30) // (24 * len(self.rules.fleet.lengths) + 200)
        try:
            ships = self.likely(most=min(most, MOST_LISTED))
        except TooLargeError as error:
            raise WeightsError(
                f"{prior.called} is no product of weights, so that its layouts have to be listed: "
                f"{error}; counting more needs a product prior, which 'seabattle prior fit' finds"
            ) from None
        weigh, _, unit = prior.weigher()
        listed = Listed(self.rules, ships, [int(weight) for weight in weigh(ships)])
        if not listed.total:
            raise self._nothing_left(prior)
        constraints = constrain(self.position, propagate=False)
        return Weighed(self.rules, constraints, listed, log_of(unit))

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
        total = self.count() if total is None else within("total", total, 0)
        shots, lengths = self.position.shots, Tally(code for _, code in self.position.shots)
        named = {code: cell for cell, code in shots if code >= HIT_SHIP}
        sunk = [cell for cell, code in shots if is_sunk(code)]
        sunk += [cell for code, cell in named.items() if lengths[code] == (code - HIT_SHIP) // 64]
        return self._labelled(self._constrain(), sunk, total)

    def _labelled(self, constraints: Constraints, sunk: list[int], total: int | None) -> int:
        """The same of the layouts that satisfy constraints, with some cells of sunk ships.

        ``total`` is their number, or None if it is not counted yet.
        """
        table = placement_table(self.rules)
        kinds = np.array(table.kinds)
        left = dict(self.rules.fleet.kind_counts)
        possible = constraints.allowed.copy()
        possible[list(constraints.fixed)] = 1
        for number, cell in enumerate(sunk):
            here = table.covering[cell] * possible
            ways = set(kinds[here > 0].tolist())
            if len(ways) > 1:  # where ships touch, the kind of a sunk ship may not be known
                return sum(
                    self._labelled(
                        replace(constraints, allowed=constraints.allowed - here * (kinds != kind)),
                        [cell, *sunk[:number], *sunk[number + 1 :]],
                        None,
                    )
                    for kind in ways
                )
            for kind in ways:
                left[kind] -= 1
        if min(left.values()) < 0:
            return 0
        total = self.count_under(constraints) if total is None else total
        return total * prod(map(factorial, left.values()))

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
        return self._listed(self.uniform(), most)

    @staticmethod
    def _listed(found: Weighed, most: int) -> NDArray[np.uint16]:
        """All layouts of weight 1, in the order of their ranks."""
        if found.sweep.total > most:
            raise _too_many(found.sweep.total, most)
        return found.constraints.whole(found.sweep.layouts(range(found.sweep.total)))

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
                found = listed[fitting(self.position, listed) == 1]
            except PositionError:
                raise self._nothing_left(prior) from None
        elif isinstance(prior, ProductPrior) and self.rules.fleet.all_lines:
            constraints = likely_constraints(prior, self._constrain())
            if constraints is None or not self.count_under(constraints):
                raise self._nothing_left(prior)
            found = self._listed(self.uniform(constraints), most)
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
        number = within("count", count, 0)
        each = 40 * (len(self.rules.fleet.lengths) + 1)  # bytes; measured, with what is sorted
        if self.too_large is None:
            self._fits(each * number, f"a sample of {number:,}")
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(within("seed", seed, 0))
        if self.prior is None and self.too_large is not None:
            return draw_by_placing(self.position, number, seed)
        return self._weighed().draw(number, seed)


def _too_many(total: int, most: int) -> TooLargeError:
    return TooLargeError(f"{total:,} layouts fit, and at most {most:,} are listed")
