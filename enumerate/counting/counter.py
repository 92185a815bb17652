"""The counter: exactly how many layouts fit what is known, and how many occupy each cell.

A frontier sweep [Knuth2011] counts without listing: the 1,855,545,978,831,780 layouts of the
Russian fleet on 10x10 take a tenth of a second. One sweep forward and one backward give, for every
placement, the number of layouts that have it, and so the occupancy of every cell; walks along the
same sums draw layouts that are exactly equally likely. The idea of sweeping rows and keeping what
the rows below need to know is that of [Mrrl2013].

Numbers of layouts are exact integers of any size. Where a prior makes some layouts likelier than
others, chances are floating-point numbers with a stated error, and layouts are drawn by the prior.

Under a product prior weights are scaled so that no sum leaves the range of float64: all layouts
have equally many ships of each kind, so multiplying the weights of one kind by a common factor
changes no chance. The weights of each kind are divided by a power of 2 such that the largest and
the smallest of those still allowed are equally far from 1. Then no sum is less than the smallest
possible product of weights, nor more than the largest one times the number of layouts. If these
bounds leave the range of float64, the prior is refused.

Under other priors layouts are listed and weighed one by one, exactly.

On boards too large to count, a layout is drawn by laying every ship on an allowed placement at
random, each equally likely, and beginning anew where two are in each other's way. Every layout is
then met in the same number of ways, one for each order of its equal ships, so all are equally
likely. Cells that must be occupied are covered first: of all sets of placements that cover them,
one is drawn by the number of ways in which the other ships can be laid, which for a ship of a kind
with ``a`` placements and ``m`` ships is ``m / a`` times as many as without it. The map and the
number of layouts are estimated there; see ``estimate``.

Several threads may count at once, with counters of their own or with one: each thread has its own
memory for sums, up to the counter's limit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import accumulate
from math import factorial, log, log2, prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT_SHIP, is_sunk
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.estimate import estimate
from seabattle.enumerate.counting.frontier import Frontier, affordable_frontier
from seabattle.enumerate.counting.sweep import (
    ROUNDING,
    WORD_BITS,
    BufferPool,
    Progress,
    Sweep,
    layouts_bound,
    random_numbers,
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
from seabattle.enumerate.layouts import (
    DEFAULT_MEMORY_GIB,
    Layouts,
    bytes_per_layout,
    fitting,
    fleet_does_not_fit,
)
from seabattle.enumerate.map import HeatMap
from seabattle.enumerate.placements import placement_table, ways_to_cover
from seabattle.enumerate.position import Position, require_position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, TablePrior, log_of
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable, Game, position_of

MOST_LISTED = 2_000_000
"""The most layouts that are listed, which takes some seconds."""

MOST_SOLVED = 1_000_000
"""The most layouts of a large board that are listed to be solved."""


BITS = 1020
"""Sums stay between 2**-BITS and 2**BITS; normal float64 reaches from 2**-1022 to 2**1024."""


class Listed:
    """Layouts one by one, with weights in whole numbers; it answers what a ``Sweep`` answers.

    Parameters
    ----------
    rules
        The game.
    ships
        uint16 ``(n, n_ships)``: placement numbers of every layout.
    weights
        The weight of each; 1 by default.
    """

    error = ROUNDING

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        ships: NDArray[np.uint16],
        weights: Sequence[int] | None = None,
    ) -> None:
        self.rules, self.constraints, self.ships = rules, constraints, ships
        self.weights = [1] * len(ships) if weights is None else weights
        self.total: Any = sum(self.weights)

    def placement_sums(self) -> list[Any]:
        """For every placement, the weight of the layouts that have it."""
        kind = np.int64 if self.total < 1 << 62 else object
        found = np.zeros(len(placement_table(self.rules)), dtype=kind)
        for column in self.ships.T:
            np.add.at(found, column, np.array(self.weights, dtype=kind))
        return list(found.tolist())

    def layouts(self, ranks: Sequence[int]) -> NDArray[np.int64]:
        """The layouts below whose weights, added up, lie some numbers: int64 ``(n, n_ships)``."""
        up_to = list(accumulate(self.weights))
        rows = [bisect_right(up_to, rank) for rank in ranks]
        return self.ships[np.array(rows, dtype=np.int64)].astype(np.int64)


@dataclass(frozen=True)
class Chances:
    """How likely every placement and every cell is, and the total weight of all layouts.

    Attributes
    ----------
    placements
        float64 ``(n_placements,)``: chance of each placement of the rules' placement table.
    cells
        float64 ``(n_cells,)``: chance of each cell to be occupied.
    log_weight
        Natural logarithm of the sum of the weights of all layouts that fit.
    error
        Bound on the relative error of a chance that is above 1e-300, and of the sum of weights.
    """

    placements: NDArray[np.float64]
    cells: NDArray[np.float64]
    log_weight: float
    error: float


@dataclass(frozen=True)
class Weighed:
    """The layouts that fit a position and what they weigh.

    Attributes
    ----------
    sweep
        Sums over them, the ships that are known to lie somewhere set aside; its total is above 0.
    log_unit
        Natural logarithm of the ratio between a layout's weight and the one in ``sweep``.
    """

    sweep: Sweep | Listed
    log_unit: float = 0.0

    @property
    def log_weight(self) -> float:
        """Natural logarithm of the sum of the weights."""
        return log(self.sweep.total) + self.log_unit

    def placements(self) -> list[Any]:
        """For every placement the weight of the layouts that have it, in the unit of the sweep."""
        found = self.sweep.placement_sums()
        for ship in self.sweep.constraints.fixed:
            found[ship] = self.sweep.total
        return found

    def chances(self) -> Chances:
        """How likely every placement and every cell is."""
        total, placements = self.sweep.total, self.placements()
        over = placement_table(self.sweep.rules).over_cells(placements)
        # Rounding may bring what is certain to a little more or less than 1.
        cells = np.array([min(weight / total, 1.0) for weight in over])
        cells[list(cells_of(self.sweep.constraints.required))] = 1.0
        chances = np.array([min(weight / total, 1.0) for weight in placements])
        return Chances(chances, cells, self.log_weight, self.sweep.error)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Layouts drawn by weight; under a product prior each step errs by one part in 2**53."""
        total = self.sweep.total
        most = 1 << 64 if isinstance(total, float) else total
        return self.sweep.constraints.whole(self.sweep.layouts(random_numbers(count, most, rng)))


def likely_constraints(prior: ProductPrior, constraints: Constraints) -> Constraints | None:
    """Constraints with placements of weight 0 excluded, too, and forced cells required.

    None if a known ship weighs 0.
    """
    masks = [placement.mask for placement in placement_table(prior.rules).placements]
    positive = np.array([weight > 0 for weight in prior.placements], dtype=np.uint8)
    known = mask_of(cell for ship in constraints.fixed for cell in cells_of(masks[ship]))
    if not positive[list(constraints.fixed)].all():
        return None
    required = constraints.required | prior.forced & ~known
    return replace(constraints, allowed=constraints.allowed * positive, required=required)


def scaled_weights(
    prior: ProductPrior, constraints: Constraints
) -> tuple[NDArray[np.float64], float] | None:
    """The weights of placements under a product prior as a sweep takes them.

    Parameters
    ----------
    prior
        The prior.
    constraints
        As ``likely_constraints`` gives them.

    Returns
    -------
    weights
        float64 ``(n_placements,)``: scaled, 0 where a placement is not allowed.
    log_unit
        Natural logarithm of the ratio between a layout's weight in the prior's own units, its known
        ships included, and its scaled weight.

    None if no layout of positive weight is left.

    Raises
    ------
    WeightsError
        If the weights are too far apart.
    """
    kinds = np.array(placement_table(prior.rules).kinds)
    weights, logs = np.zeros(len(kinds)), prior.logs / log(2)
    unit = float(logs[list(constraints.fixed)].sum())
    highest, lowest = log2(max(1, layouts_bound(constraints, kinds))), 0.0
    shifts: dict[int, int] = {}
    for kind, ships in constraints.left.items():
        those = np.flatnonzero((kinds == kind) & (constraints.allowed > 0))
        if len(those) < ships:
            return None
        if ships:
            in_order = np.sort(logs[those])
            shift = shifts[kind] = round(float(in_order[0] + in_order[-1]) / 2)
            unit += shift * ships
            highest += float(np.maximum(in_order[-ships:] - shift, 0).sum())
            lowest += float(np.minimum(in_order[:ships] - shift, 0).sum())
    if max(highest, -lowest) > BITS:
        decades, most = ((n * log(2) / log(10)) for n in (highest - lowest, 2 * BITS))
        raise WeightsError(
            f"{prior.called}: sums of its layouts' weights can be {decades:,.0f} decades apart, "
            f"and the counter adds up at most {most:.0f}; take weights that are less extreme, or 0"
        )
    for number in np.flatnonzero(constraints.allowed).tolist():
        shift = shifts.get(int(kinds[number]), 0)
        above, below = prior.placements[number].as_integer_ratio()
        weights[number] = (above << max(-shift, 0)) / (below << max(shift, 0))
    return weights, unit * log(2)


MOST_TRIES = 200_000
"""So often a layout is begun anew at most."""


def draw_by_placing(position: Position, count: int, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Layouts that fit a position, drawn independently, all equally likely.

    Parameters
    ----------
    position
        What is known.
    count
        How many.
    rng
        Where chance comes from.

    Returns
    -------
    ships
        uint16 ``(count, n_ships)``: placement numbers, increasing in each row.

    Raises
    ------
    PositionError, FleetError
        If no layout fits.
    TooLargeError
        If a layout that fits is not met by chance in time.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> drawn = draw_by_placing(Position(Rules("20x30", "5,4,3")), 2, np.random.default_rng(1))
    >>> drawn.shape
    (2, 3)
    """
    rules = position.rules
    constraints = constrain(position)
    table = placement_table(rules)
    masks, halos, kinds = table.own, table.closed, np.array(table.kinds)
    allowed = constraints.allowed.astype(np.bool_)
    of_kind = {k: np.flatnonzero(allowed & (kinds == k)) for k, n in constraints.left.items() if n}
    if any(len(of_kind[kind]) < number for kind, number in constraints.left.items() if number):
        raise contradiction(position) if position.shots else fleet_does_not_fit(rules)
    covers = ways_to_cover(table, constraints.required, constraints.left, of_kind)
    if not covers:
        raise contradiction(position)
    weights = np.array([weight for _, _, weight in covers])
    found = np.empty((count, sum(constraints.left.values())), dtype=np.int64)
    for row in found:
        for _ in range(MOST_TRIES):
            chosen, left, _ = covers[int(rng.choice(len(covers), p=weights / weights.sum()))]
            ships = list(chosen)
            taken = 0
            for ship in ships:
                taken |= halos[ship]
            for kind in (kind for kind, number in left.items() for _ in range(number)):
                ship = int(of_kind[kind][rng.integers(len(of_kind[kind]))])
                if masks[ship] & taken:
                    break
                taken |= halos[ship]
                ships.append(ship)
            else:
                row[:] = ships
                break
        else:
            raise TooLargeError(
                f"board {rules.board} with fleet {rules.fleet}: no layout that fits was met in "
                f"{MOST_TRIES:,} tries"
            )
    return constraints.whole(found)


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
        self.progress = progress
        self.memory_limit = min(within("memory_limit", memory_limit, 0), MOST_GIB)
        self._frontier: Frontier | TooLargeError
        try:
            self._frontier = affordable_frontier(self.rules, self.memory_limit)
        except TooLargeError as error:
            self._frontier = error
        self.pool = BufferPool()
        self._sampled: Weighed | None = None

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
    def too_large(self) -> TooLargeError | None:
        """What the exact count would need, where it cannot be had; layouts are drawn all the same.

        Without a prior ``sample`` then draws by placing ships, and ``estimated_map`` stands for the
        map.
        """
        return self._frontier if isinstance(self._frontier, TooLargeError) else None

    @property
    def frontier(self) -> Frontier:
        """Profiles and steps of the sweep.

        Raises
        ------
        TooLargeError
            If they would need too much memory.
        """
        if isinstance(self._frontier, TooLargeError):
            raise type(self._frontier)(str(self._frontier))
        return self._frontier

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

    def _fits_map(self, sweep: Sweep) -> None:
        self._fits(sweep.map_bytes, "a map", "raise --memory-limit, or count with --no-map")

    def _sweep(
        self,
        constraints: Constraints,
        words: int | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> Sweep:
        return Sweep(
            self.rules, constraints, weights, words=words, steps=self.frontier, pool=self.pool,
            progress=self.progress,
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
        constraints = constraints or constrain(self.position)
        sweep = self._sweep(constraints)
        if sweep.words > 1:
            self._fits_map(self._sweep(constraints, 1))  # refused before layouts are counted
            total = self.count_under(constraints)
            sweep = self._sweep(constraints, max(1, -(-total.bit_length() // WORD_BITS)))
        self._fits_map(sweep)
        if not sweep.total:
            raise self._none_left()
        return Weighed(sweep)

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
        sweep = self._sweep(constraints)
        self._fits(sweep.count_bytes, "counting")
        return sweep.count()

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
        if self.prior is None:
            return self.occupancy_map()
        chances, total = self.chances(), self.count()
        return HeatMap(
            self.position, total, tuple(chances.cells.tolist()),
            prior_name=self.prior.name or "without a name",
            placements=tuple(chances.placements.tolist()), labelled_layouts=self.labelled(total),
            error=chances.error,
        )  # fmt: skip

    def occupancy_map(self) -> HeatMap:
        """The map without a prior: it counts layouts, whatever they weigh."""
        found = self.uniform()
        total, placements = found.sweep.total, found.placements()
        cells = placement_table(self.rules).over_cells(placements)
        return HeatMap(
            self.position, total, tuple(cells), placements=tuple(placements),
            labelled_layouts=self.labelled(total),
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
        """
        try:
            return self.map()
        except TooLargeError as error:
            if self.prior is not None:
                raise
            return self.estimated_map(str(error))

    def estimated_map(self, not_counted: str = "") -> HeatMap:
        """The map as layouts drawn show it, with its errors; see ``estimate``.

        Parameters
        ----------
        not_counted
            What the exact count would need.

        Raises
        ------
        PositionError
            If a cell or a ship shows that no layout fits.
        TooLargeError
            If too few layouts that fit are met to estimate anything.

        Examples
        --------
        >>> from seabattle.enumerate.rules import Rules
        >>> found = Counter(Rules("20x20", "5,4,3,3,2", "sides")).estimated_map()
        >>> found.chance_text(0), found.chance_text(210)
        ('about 1.5 ± 0.1 %', 'about 4.9 ± 0.1 %')
        """
        found = estimate(self.position)
        cells, errors, best = found.cells()
        return HeatMap(
            self.position, found.layouts, cells, title="About how likely each cell is occupied",
            marked=best, placements=found.placements, labelled_layouts=found.labelled_layouts,
            estimate=found, errors=errors, not_counted=not_counted or "not asked for",
        )  # fmt: skip

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
        logs = self.prior.log_weights(Layouts(self.rules, ships))
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
        if isinstance(prior, ProductPrior):
            constraints = likely_constraints(prior, constrain(self.position))
            scaled = None if constraints is None else scaled_weights(prior, constraints)
            if constraints is not None and scaled is not None:
                sweep = self._sweep(constraints, weights=scaled[0])
                self._fits_map(sweep)
                if sweep.total > 0:
                    return Weighed(sweep, scaled[1])
            raise self._none_left()
        most = int(self.memory_limit * 2**30) // (24 * len(self.rules.fleet.lengths) + 200)
        try:
            ships = self.likely(most=min(most, MOST_LISTED))
        except TooLargeError as error:
            raise WeightsError(
                f"{prior.called} is not a product of weights, so its layouts have to be listed: "
                f"{error}; counting more needs a product prior, which 'seabattle prior fit' finds"
            ) from None
        weigh, _, unit = prior.weigher()
        constraints = constrain(self.position, propagate=False)
        listed = Listed(self.rules, constraints, ships, [int(weight) for weight in weigh(ships)])
        if not listed.total:
            raise self._none_left()
        return Weighed(listed, log_of(unit))

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
        total = self.count() if total is None else within("total", total, 0)
        shots, lengths = self.position.shots, Tally(code for _, code in self.position.shots)
        named = {code: cell for cell, code in shots if code >= HIT_SHIP}
        sunk = [cell for cell, code in shots if is_sunk(code)]
        sunk += [cell for code, cell in named.items() if lengths[code] == (code - HIT_SHIP) // 64]
        return self._labelled(
            constrain(self.position), sunk, dict(self.rules.fleet.kind_counts), total
        )

    def _labelled(
        self, constraints: Constraints, sunk: list[int], left: dict[int, int], total: int | None
    ) -> int:
        """The same of the layouts that satisfy constraints.

        ``left`` has the ships by kind, of which those on the cells ``sunk`` are taken away;
        ``total`` is the number of layouts, or None if it is not counted yet.
        """
        if not sunk:
            if min(left.values()) < 0:
                return 0
            total = self.count_under(constraints) if total is None else total
            return total * prod(map(factorial, left.values()))
        table = placement_table(self.rules)
        kinds, possible = np.array(table.kinds), constraints.allowed.copy()
        possible[list(constraints.fixed)] = 1
        here = table.covering[sunk[0]] * possible
        ways = set(kinds[here > 0].tolist())
        labelled = 0
        for kind in ways:  # where ships touch, the kind of a sunk ship may not be known
            known = replace(constraints, allowed=constraints.allowed - here * (kinds != kind))
            layouts = total if len(ways) == 1 else None
            labelled += self._labelled(known, sunk[1:], left | {kind: left[kind] - 1}, layouts)
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
        return self._listed(self.uniform(), most)

    @staticmethod
    def _listed(found: Weighed, most: int) -> NDArray[np.uint16]:
        """All layouts of weight 1, in the order of their ranks."""
        if found.sweep.total > most:
            raise _too_many(found.sweep.total, most)
        return found.sweep.constraints.whole(found.sweep.layouts(range(found.sweep.total)))

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
                raise self._none_left() from None
        elif isinstance(prior, ProductPrior):
            constraints = likely_constraints(prior, constrain(self.position))
            if constraints is None:
                raise self._none_left()
            found = self._listed(self.uniform(constraints), most)
        else:
            ships = self.layouts(most=most)
            logs = prior.log_weights(Layouts(self.rules, ships))
            found = ships[logs > -np.inf]
            if not len(found):
                raise self._none_left()
        if len(found) > most:
            raise _too_many(len(found), most)
        return found

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
        each = 40 * (len(self.rules.fleet.lengths) + 1)  # bytes; measured, with what is sorted
        if self.too_large is None:
            self._fits(each * number, f"a sample of {number:,}")
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(within("seed", seed, 0))
        if self.prior is None and self.too_large is not None:
            return draw_by_placing(self.position, number, seed)
        self._sampled = self._sampled or self._weighed()  # what is summed up serves further samples
        return self._sampled.draw(number, seed)


def _too_many(total: int, most: int) -> TooLargeError:
    return TooLargeError(f"{total:,} layouts fit, and at most {most:,} are listed")


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
