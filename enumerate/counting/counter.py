"""The counter: exactly how many layouts fit what is known, and how many occupy each cell.

A frontier sweep [Knuth2011] counts without listing: the 1,855,545,978,831,780 layouts of the
Russian fleet on 10x10 take a tenth of a second. One sweep forward and one backward give, for every
placement, the number of layouts that have it, and so the occupancy of every cell; walks along the
same sums draw layouts that are exactly equally likely. The idea of sweeping rows and keeping what
the rows below need to know is that of [Mrrl2013].

Numbers of layouts are exact integers of any size. Where a prior makes some layouts likelier than
others, chances are floating-point numbers with a stated error, and layouts are drawn by the prior;
see ``chances``. On boards too large to count the map and the number of layouts are estimated, and
layouts are drawn by laying ships at random; see ``estimate`` and ``placing``.

Several threads may count at once, with counters of their own or with one: each thread has its own
memory for sums, up to the counter's limit.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from itertools import product
from math import factorial, prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.chances import (
    Chances,
    Listed,
    likely_constraints,
    scaled_weights,
)
from seabattle.enumerate.counting.estimate import estimate
from seabattle.enumerate.counting.frontier import Frontier, frontier, grid
from seabattle.enumerate.counting.placing import draw_by_placing
from seabattle.enumerate.counting.sweep import WORD_BITS, Progress, Sweep, Workspace
from seabattle.enumerate.deductions import Constraints, constrain, contradiction, sunk_ships
from seabattle.enumerate.errors import (
    MOST_GIB,
    FleetError,
    PositionError,
    TooLargeError,
    WeightsError,
    within,
)
from seabattle.enumerate.layouts import (
    DEFAULT_MEMORY_GIB,
    Layouts,
    bytes_per_layout,
    fitting,
    fleet_does_not_fit,
)
from seabattle.enumerate.map import HeatMap
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position, require_position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, TablePrior, log_of
from seabattle.enumerate.table import DecisionTable, Game, position_of

MOST_LISTED = 2_000_000
"""The most layouts that are listed, which takes some seconds."""

MOST_SOLVED = 1_000_000
"""The most layouts of a large board that are listed to be solved."""

SAMPLED_BYTES = 40
"""Bytes of a ship of a layout drawn, measured, with what is sorted; one ship is counted more."""


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
    too_large
        What the exact count would need, where it cannot be had. Without a prior ``sample`` then
        draws by placing ships, and ``map_or_estimate`` estimates.

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
    >>> Counter(Rules("3x3", "3,1,1")).map().rows
    ((4, 1, 4), (1, 0, 1), (4, 1, 4))
    """

    def __init__(
        self,
        game: Game,
        *,
        prior: Prior | str | Path | None = None,
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
        self.memory_limit = min(within("memory_limit", memory_limit, 0), MOST_GIB)
        self.too_large: TooLargeError | None = None
        try:
            steps = frontier(grid(self.rules).ships, int(self.memory_limit * 2**30))
            self._space = Workspace(self.rules, steps, self.memory_limit, progress)
        except TooLargeError as error:
            self.too_large = error
        self._sampled: Chances | None = None

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
        other.position, other._sampled = position, None
        return other

    def under(self, prior: Prior | str | Path | None) -> Counter:
        """The counter of the same position under another prior; tables and memory are shared.

        Raises
        ------
        WeightsError, FileAccessError
            If the prior is of another game, or its file cannot be read.
        """
        other = copy(self)
        other.prior, other._sampled = require_prior(prior, self.rules), None
        return other

    @property
    def _workspace(self) -> Workspace:
        """What sweeps share.

        Raises
        ------
        TooLargeError
            If the frontier would need too much memory.
        """
        if self.too_large is not None:
            raise type(self.too_large)(str(self.too_large))
        return self._space

    @property
    def frontier(self) -> Frontier:
        """Profiles and steps of the sweep.

        Raises
        ------
        TooLargeError
            If they would need too much memory.
        """
        return self._workspace.frontier

    def _sweep(self, constraints: Constraints) -> Sweep:
        """Exact numbers of the layouts that satisfy constraints, for a map.

        Raises
        ------
        PositionError, FleetError, WeightsError
            If there are none.
        """
        sweep = Sweep(self._workspace, constraints)
        if sweep.words > 1:  # as many as may be needed: most often there are fewer layouts
            Sweep(self._workspace, constraints, words=1).require_memory(kept=True)
            words = -(-sweep.count().bit_length() // WORD_BITS)
            sweep = Sweep(self._workspace, constraints, words=max(1, words))
        if not sweep.total:
            raise self._none_left()
        return sweep

    def count(self) -> int:
        """Number of layouts that fit the position; 0 only if the fleet has none at all.

        Raises
        ------
        PositionError
            If no layout fits.
        """
        total = self.count_under(constrain(self.position))
        if total == 0 and self.position.shots:
            raise contradiction(self.position)
        return total

    def count_under(self, constraints: Constraints) -> int:
        """Number of layouts that satisfy constraints, whatever the position says."""
        return Sweep(self._workspace, constraints).count()

    def map(self) -> HeatMap:
        """Occupancy of every cell and of every placement; their chances under a prior.

        Raises
        ------
        PositionError
            If no layout fits the position.
        FleetError
            If the fleet has no layout on the board.
        WeightsError
            If every layout that fits weighs 0 under the prior; see also ``chances``.
        """
        found = self.chances()
        if self.prior is None:
            cells = placement_table(self.rules).over_cells(found.sums)
            return HeatMap(
                self.position, found.total, tuple(cells), placements=tuple(found.sums),
                labelled_layouts=self.labelled(found.total),
            )  # fmt: skip
        cells, placements = found.cells.tolist(), tuple(found.placements.tolist())
        total = self.count()
        return HeatMap(
            self.position, total, tuple(cells), prior_name=self.prior.name or "without a name",
            placements=placements, labelled_layouts=self.labelled(total), error=found.error,
        )  # fmt: skip

    def map_or_estimate(self) -> HeatMap:
        """The map, or an estimate of it where the board is too large to count.

        Raises
        ------
        PositionError, FleetError, WeightsError
            As for ``map``.
        TooLargeError
            If too few layouts that fit are met to estimate anything; under a prior, of which
            nothing is estimated, also as for ``map``.

        Examples
        --------
        >>> from seabattle.enumerate.rules import Rules
        >>> found = Counter(Rules("20x20", "5,4,3,3,2", "sides")).map_or_estimate()
        >>> found.chance_text(0), found.chance_text(210)
        ('about 1.5 ± 0.1 %', 'about 4.9 ± 0.1 %')
        """
        try:
            return self.map()
        except TooLargeError as error:
            if self.prior is not None:
                raise
            needed = str(error)
        found = estimate(self.position)
        cells, errors, best = found.cells()
        return HeatMap(
            self.position, found.layouts, cells, title="About how likely each cell is occupied",
            marked=best, placements=found.placements, labelled_layouts=found.labelled_layouts,
            estimate=found, errors=errors, not_counted=needed,
        )  # fmt: skip

    def chances(self) -> Chances:
        """What the layouts that fit weigh, and how likely each placement and each cell is.

        Under a prior this takes less than the map, which counts them as well.

        Raises
        ------
        PositionError, FleetError
            If no layout fits.
        WeightsError
            If every layout that fits weighs 0; if the weights of a product prior are too far
            apart; if another prior's layouts are too many to be listed.
        """
        prior, log_unit = self.prior, 0.0
        weighed: Sweep | Listed
        if prior is None:
            return Chances(self._sweep(constrain(self.position)))
        if isinstance(prior, ProductPrior):
            constraints = likely_constraints(prior, constrain(self.position))
            weights, log_unit = scaled_weights(prior, constraints)
            weighed = Sweep(self._workspace, constraints, weights)
        else:
            weigh, _, unit = prior.weigher()
            constraints, ships = constrain(self.position, propagate=False), self._few(prior)
            log_unit = log_of(unit)
            weighed = Listed(self.rules, constraints, ships, weigh(ships).tolist())
        if not weighed.total:
            raise self._none_left()
        return Chances(weighed, log_unit)

    def _few(self, prior: Prior) -> NDArray[np.uint16]:
        """The layouts that fit and weigh more than 0, to be weighed one by one."""
        most = int(self.memory_limit * 2**30) // (24 * len(self.rules.fleet.lengths) + 200)
        try:
            return self.likely(most=min(most, MOST_LISTED))
        except TooLargeError as error:
            raise WeightsError(
                f"{prior.called} is not a product of weights, so its layouts have to be listed: "
                f"{error}; counting more needs a product prior, which 'seabattle prior fit' finds"
            ) from None

    def layout_chances(self, ships: NDArray[np.uint16]) -> NDArray[np.float64]:
        """How likely layouts that fit are, given as ``sample`` draws them: float64 ``(n,)``.

        Errors are those of ``chances``.
        """
        if self.prior is None:
            return np.full(len(ships), 1 / self.count())
        logs = self.prior.log_weights(Layouts(self.rules, ships))
        return np.exp(logs - self.chances().log_weight)

    def _none_left(self) -> PositionError | FleetError | WeightsError:
        """The error where no layout that fits weighs more than 0."""
        if self.prior is not None and self.count() > 0:
            return WeightsError(f"{self.prior.called}: every layout that fits weighs 0")
        if self.position.shots:
            return contradiction(self.position)
        return fleet_does_not_fit(self.rules)

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
        total = self.count() if total is None else total
        constraints, table = constrain(self.position), placement_table(self.rules)
        kinds, possible = np.array(table.kinds), constraints.allowed.copy()
        possible[list(constraints.fixed)] = 1
        here = [table.covering[cell] * possible for cell, _ in sunk_ships(self.position)]
        ways = list(product(*(set(kinds[covers > 0].tolist()) for covers in here)))
        labelled = 0
        for way in ways:  # where ships touch, the kinds of the sunk ships may not be known
            left = Tally(self.rules.fleet.kind_counts)
            left.subtract(way)
            if min(left.values()) < 0:
                continue
            layouts = total
            if len(ways) > 1:
                allowed = constraints.allowed.copy()
                for covers, kind in zip(here, way, strict=True):
                    allowed[(covers > 0) & (kinds != kind)] = 0
                layouts = self.count_under(replace(constraints, allowed=allowed))
            labelled += layouts * prod(map(factorial, left.values()))
        return labelled

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
        return self._listed(constrain(self.position), most)

    def _listed(self, constraints: Constraints, most: int) -> NDArray[np.uint16]:
        """Every layout that satisfies constraints, in the order of the sweep."""
        sweep = self._sweep(constraints)
        _require_few(sweep.total, most)
        return constraints.whole(sweep.layouts(range(sweep.total)))

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
            ships = prior.listed
            try:
                ships = ships[fitting(self.position, ships) == 1]
            except PositionError:
                raise self._none_left() from None
        else:
            constraints = constrain(self.position)
            if isinstance(prior, ProductPrior):
                constraints = likely_constraints(prior, constraints)
            ships = self._listed(constraints, most)
            ships = ships[prior.log_weights(Layouts(self.rules, ships)) > -np.inf]
            if not len(ships):
                raise self._none_left()
        _require_few(len(ships), most)
        return ships

    def sample(self, count: int, seed: int | np.random.Generator = 0) -> NDArray[np.uint16]:
        """Layouts drawn independently: by the prior, or all that fit equally likely.

        Without a prior they are exactly equally likely. Under a product prior each is drawn step by
        step; every step adds an error of one part in 2**53 to that of the masses
        (``HeatMap.error``). Under other priors they are drawn exactly by their weights.

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
        if self.too_large is None:
            size = SAMPLED_BYTES * (len(self.rules.fleet.lengths) + 1) * number
            self._workspace.require(size, f"a sample of {number:,}", "raise --memory-limit")
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(within("seed", seed, 0))
        if self.prior is None and self.too_large is not None:
            return draw_by_placing(self.position, number, seed)
        self._sampled = self._sampled or self.chances()  # its sums serve further samples
        return self._sampled.draw(number, seed)


def _require_few(layouts: int, most: int) -> None:
    """Refuse to list more than so many layouts.

    Raises
    ------
    TooLargeError
        If there are more.
    """
    if layouts > most:
        raise TooLargeError(f"{layouts:,} layouts fit, and at most {most:,} are listed")


def fitting_table(
    game: Game,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Callable[[int], None] | None = None,
    prior: Prior | None = None,
    bytes_each: int = 0,
) -> DecisionTable:
    """The decision table of a game: ``DecisionTable.build`` also where only few layouts are left.

    On a board whose cells fit a word, all layouts of the game are enumerated where they fit the
    memory, and those that fit the position are picked. Of a larger game in progress those that fit
    are counted, and listed if they are few enough.

    Parameters
    ----------
    game, memory_limit, progress, prior, bytes_each
        As for ``DecisionTable.build``.

    Raises
    ------
    PositionError, FleetError
        If no layout fits.
    TooLargeError
        If too many do.
    WeightsError
        As for ``DecisionTable.build``.

    Examples
    --------
    >>> from seabattle.enumerate.position import Position
    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("10x10", "4,3,3,2", answers="sunk")
    >>> position = Position.of_cells(rules, sunk=["A1:A4", "C1:C3", "E1:E3"], hit=["J10"])
    >>> len(fitting_table(position))
    2
    """
    position = position_of(game)
    small = isinstance(game, DecisionTable) or position.rules.board.cells <= WORD_BITS
    if small or not position.shots:
        try:
            return DecisionTable.build(
                game, memory_limit=memory_limit, progress=progress, prior=prior,
                bytes_each=bytes_each,
            )  # fmt: skip
        except TooLargeError:
            if not position.shots:
                raise
    each = max(bytes_each, bytes_per_layout(position.rules))
    counter = Counter(position, memory_limit=memory_limit)
    layouts, most = counter.count(), min(MOST_SOLVED, int(memory_limit * 2**30) // each)
    if layouts > most:
        raise TooLargeError(
            f"{layouts:,} layouts fit, and at most {most:,} are listed to be solved: until fewer "
            f"are left, advise plays by its map"
        )
    return DecisionTable.of_fitting(position, counter.layouts(most=most), prior)
