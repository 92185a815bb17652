"""Priors: how likely each layout is before the first shot.

A prior gives every layout of a game a *weight*, a number from 0 on; only proportions matter. There
are three kinds:

``ProductPrior``
    A layout weighs the product of the weights of its placements. These can also be given by
    weights of cells: a placement then weighs the product of the weights of its cells. The counter
    takes such a prior on boards of any size.
``SumPrior``
    A layout weighs the sum of the weights of the cells that it occupies.
``TablePrior`` (``priors.table_prior``)
    Layouts are weighed one by one: those of a table, or those seen in earlier games.

The last two need the layouts themselves, so they are for boards whose layouts can be enumerated.

Weights are kept as exact fractions, as they were written. The search adds up whole numbers and
takes ``whole_weights``; the counter takes floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    BoardError,
    WeightsError,
    is_iterable,
    wrong_type,
)
from seabattle.enumerate.game.arguments import require_rules, require_whole
from seabattle.enumerate.game.placements import mask_words, placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import WholeWeights
from seabattle.enumerate.priors.base import Prior
from seabattle.enumerate.priors.numbers import exact_weights
from seabattle.enumerate.priors.whole_numbers import (
    log_of,
    lowest_terms,
    machine_integers,
    whole_weights,
)

__all__ = ["Prior", "ProductPrior", "SumPrior"]

Number = Fraction | float | np.number[Any]
"""A weight as programs may give it; a floating-point number stands for its exact value."""


@dataclass(frozen=True, eq=False, repr=False)
class ProductPrior(Prior):
    """A layout weighs the product of the weights of its placements.

    Attributes
    ----------
    placements
        One weight per placement, in the order of the rules' placement table.
    forced
        Mask of the cells that every layout must occupy; layouts that do not weigh 0.
    cells
        The weights of the cells that the placements' weights are products of, by cell number;
        None when weights were given to the placements directly.

    Raises
    ------
    WeightsError
        If a weight is negative or not finite, their number is wrong, every placement of a ship
        weighs 0, or the forced cells are not cells of the board or too many for the fleet.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> prior = ProductPrior.of_cells(Rules("1x4", "2"), [2, 1, 1, 3])
    >>> [int(weight) for weight in prior.placements]
    [2, 1, 3]
    >>> prior
    <prior: product of the weights of 4 cells; 1x4, fleet 2, contact none>
    """

    placements: tuple[Fraction, ...]
    forced: int = 0
    cells: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        table, board = placement_table(self.rules), self.rules.board
        given = exact_weights("placements", self.placements, len(table), "placements")
        object.__setattr__(self, "placements", given)
        for first, stop in dict.fromkeys(table.slots):
            if not any(given[first:stop]):
                raise WeightsError(
                    f"placements: those of a ship of length {table.placements[first].length} all "
                    f"weigh 0, so no layout is possible"
                )
        object.__setattr__(self, "forced", require_whole("forced", self.forced))
        if not 0 <= self.forced <= board.full_mask:
            raise WeightsError(f"forced: a cell is off the board {board}")
        if self.forced.bit_count() > self.rules.fleet.cells:
            raise WeightsError(
                f"forced: {self.forced.bit_count()} cells are given, and the fleet "
                f"{self.rules.fleet} has {self.rules.fleet.cells}"
            )
        if self.cells is not None:
            cells = exact_weights("cells", self.cells, board.cells, "cells")
            object.__setattr__(self, "cells", cells)

    @classmethod
    def of_cells(
        cls,
        rules: Rules,
        cells: Iterable[Number],
        *,
        forced: Iterable[str | int] = (),
        name: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> ProductPrior:
        """The prior whose placements weigh the product of the weights of their cells.

        Parameters
        ----------
        rules
            The game.
        cells
            A weight per cell, top row first.
        forced
            Cells that every layout must occupy.
        name, facts
            See ``Prior``.

        Raises
        ------
        WeightsError, TypeError
            As for the class; a forced cell that does not exist is a ``WeightsError``, too.
        """
        require_rules(rules)
        weights = exact_weights("cells", cells, rules.board.cells, "cells")
        if not any(weights):
            raise WeightsError("cells: every number is 0; at least one must be above 0")
        placements = products_of_cells(rules, weights)
        required = forced_mask(rules, forced)
        return cls(
            rules, placements, required, weights, name=name, facts={} if facts is None else facts
        )

    @property
    def floats(self) -> NDArray[np.float64]:
        """The weights for the counter: float64 ``(n_placements,)``, the largest of each length 1.

        All layouts have equally many ships of each length, so multiplying the weights of one
        length by a common factor changes no proportion.
        """
        found = np.zeros(len(self.placements))
        for first, stop in dict.fromkeys(placement_table(self.rules).slots):
            most = max(self.placements[first:stop])
            found[first:stop] = [float(weight / most) for weight in self.placements[first:stop]]
        return found

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.add.reduce(self._logs[layouts.ships], axis=1)
        if self.forced:
            needed = mask_words([self.forced], layouts.masks.shape[1])
            found[((layouts.masks & needed) != needed).any(axis=1)] = -np.inf
        return found

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        """Natural logarithms of the placements' weights."""
        return np.array([log_of(weight) for weight in self.placements])

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        values: list[int] = []
        for first, stop in dict.fromkeys(placement_table(self.rules).slots):
            values += lowest_terms(self.placements[first:stop])
        slots = placement_table(self.rules).slots
        most = prod(max(values[first:stop]) for first, stop in slots)
        table = machine_integers(values, most, self.called)
        needed = mask_words([self.forced], layouts.masks.shape[1])

        def weigh(part: slice) -> NDArray[np.int64]:
            found: NDArray[np.int64] = np.multiply.reduce(table[layouts.ships[part]], axis=1)
            if self.forced:
                found[((layouts.masks[part] & needed) != needed).any(axis=1)] = 0
            return found

        cells = self.rules.board.cells
        return whole_weights(weigh, len(layouts), cells, self.called, most=most)

    @property
    def _weights(self) -> tuple[object, ...]:
        return self.placements, self.forced

    @property
    def _kind(self) -> str:
        what = "placements" if self.cells is None else "cells"
        forced = " ".join(self.rules.board.names(self.forced))
        return (
            f"product of the weights of {len(self.cells or self.placements)} {what}"
            f"{', forced ' + forced if forced else ''}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class SumPrior(Prior):
    """A layout weighs the sum of the weights of the cells that it occupies.

    Attributes
    ----------
    cells
        The weights of the cells, by cell number.

    Raises
    ------
    WeightsError
        If a weight is negative or not finite, their number is wrong, or all are 0.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> SumPrior(Rules("1x4", "2"), [0.5, 1, 1.5, 2]).cells[0]
    Fraction(1, 2)
    """

    cells: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        given = exact_weights("cells", self.cells, self.rules.board.cells, "cells")
        if not any(given):
            raise WeightsError("cells: every number is 0; at least one must be above 0")
        object.__setattr__(self, "cells", given)

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        most = max(self.cells)  # so that no sum is too large or too small for a float
        values = np.array(
            [
                float(sum(self.cells[cell] for cell in placement.cells) / most)
                for placement in placement_table(self.rules).placements
            ]
        )
        with np.errstate(divide="ignore"):
            found: NDArray[np.float64] = np.log(np.add.reduce(values[layouts.ships], axis=1))
        return found + log_of(most)

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        cells = lowest_terms(self.cells)
        values = [
            sum(cells[cell] for cell in placement.cells)
            for placement in placement_table(self.rules).placements
        ]
        most = max(values) * len(self.rules.fleet.lengths)
        table = machine_integers(values, most, self.called)

        def weigh(part: slice) -> NDArray[np.int64]:
            found: NDArray[np.int64] = np.add.reduce(table[layouts.ships[part]], axis=1)
            return found

        return whole_weights(weigh, len(layouts), len(cells), self.called, most=most)

    @property
    def _weights(self) -> tuple[object, ...]:
        return (self.cells,)

    @property
    def _kind(self) -> str:
        return f"sum of the weights of {len(self.cells)} cells"


def products_of_cells(rules: Rules, cells: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The weight of every placement: the product of the weights of its cells."""
    return tuple(
        prod((cells[cell] for cell in placement.cells), start=Fraction(1))
        for placement in placement_table(rules).placements
    )


def forced_mask(rules: Rules, cells: Iterable[str | int]) -> int:
    """Mask of the cells that every layout must occupy.

    Raises
    ------
    WeightsError
        If a cell does not exist.
    TypeError
        If they are no cells.
    """
    if isinstance(cells, str) or not is_iterable(cells):
        raise wrong_type("forced", "a list of cells such as ['A1', 'C3']", cells)
    try:
        return rules.board.mask(rules.board.cell(cell) for cell in cells)
    except BoardError as error:
        raise WeightsError(f"forced: {error}") from None
