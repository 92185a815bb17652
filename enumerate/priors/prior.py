"""Priors: how likely each layout is before the first shot.

A prior gives every layout of a game a *weight*, a number from 0 on; only proportions matter. There
are three kinds:

``ProductPrior``
    A layout weighs the product of the weights of its ships' placements, or of the cells that it
    occupies, which is the same with a placement weighing the product of its cells. Such a prior
    can be counted on boards of any size.
``SumPrior``
    A layout weighs the sum of the weights of the cells that it occupies.
``TablePrior``
    Layouts are weighed one by one: those of a table, or those seen in earlier games.

The last two need the layouts themselves, so they are for boards whose layouts can be enumerated.

Weights are kept as exact fractions, as they were written. The search adds up whole numbers and
takes ``whole_weights``; the counter takes floating-point numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    BoardError,
    WeightsError,
    quoted,
    whole_number,
    wrong_type,
)
from seabattle.enumerate.game.arguments import require_rules, require_type, require_whole
from seabattle.enumerate.game.placements import mask_words, placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import WholeWeights
from seabattle.enumerate.priors.base import Prior, game_text
from seabattle.enumerate.priors.layout_lists import LayoutReader, first_impossible, layout_keys
from seabattle.enumerate.priors.numbers import exact_weights
from seabattle.enumerate.priors.whole_numbers import MACHINE, whole_weights

__all__ = ["Prior", "ProductPrior", "SumPrior", "TablePrior"]

MOST_BITS = 1 << 17
"""Weights of layouts with more bits than this, in whole numbers, would take hours to weigh."""

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
        Mask of the cells that every layout must occupy; the others weigh 0.
    cells
        The weights of the cells that the placements' weights are products of, by cell number;
        None when the placements have weights of their own.

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
        return cls(rules, placements, required, weights, name=name, facts=facts or {})

    @property
    def floats(self) -> NDArray[np.float64]:
        """The weights for the counter: float64 ``(n_placements,)``, the largest of each length 1.

        All layouts have equally many ships of each length, so a factor for a length changes no
        proportion.
        """
        found = np.zeros(len(self.placements))
        for first, stop in dict.fromkeys(placement_table(self.rules).slots):
            most = max(self.placements[first:stop])
            found[first:stop] = [float(weight / most) for weight in self.placements[first:stop]]
        return found

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        values: list[int] = []
        for first, stop in dict.fromkeys(placement_table(self.rules).slots):
            values += _whole(self.placements[first:stop])
        slots = placement_table(self.rules).slots
        most = prod(max(values[first:stop]) for first, stop in slots)
        table = _machine(values, most, self.called)
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

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        cells = _whole(self.cells)
        values = [
            sum(cells[cell] for cell in placement.cells)
            for placement in placement_table(self.rules).placements
        ]
        most = max(values) * len(self.rules.fleet.lengths)
        table = _machine(values, most, self.called)

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


@dataclass(frozen=True, eq=False, repr=False)
class TablePrior(Prior):
    """Layouts are weighed one by one.

    Attributes
    ----------
    weights
        The weight of each layout that is listed, by its placement numbers in increasing order.
    others
        The weight of every other layout.

    Raises
    ------
    WeightsError
        If a weight is negative, all are 0, or what is listed is no layout of the game.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> prior = TablePrior.of_games(Rules("3x3", "3,1,1"), ["A1:A3 C1 C3"] * 2, smoothing=1)
    >>> prior
    <prior: 1 layout listed, every other weighs 1; 3x3, fleet 3,1,1, contact none>
    """

    weights: Mapping[tuple[int, ...], int]
    others: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_type("weights", self.weights, Mapping, "a mapping from layouts to whole numbers")
        object.__setattr__(self, "others", require_whole("others", self.others))
        given: dict[tuple[int, ...], int] = {}
        for layout, weight in self.weights.items():
            ships, number = _ships(self.rules, layout), whole_number(weight)
            if number is None:
                raise wrong_type("weights", "whole numbers from 0 on", weight)
            given[ships] = number
        object.__setattr__(self, "weights", given)
        if min(self.others, *given.values(), 0) < 0:
            raise WeightsError("weights: one is negative; weights start at 0")
        if not self.others and not any(given.values()):
            raise WeightsError("weights: all are zero; at least one layout must be possible")
        listed = list(given)
        wrong = first_impossible(self.rules, listed)
        if wrong is not None:
            raise WeightsError(
                f"weights: placements {listed[wrong]} are no layout of {game_text(self.rules)}"
            )

    @classmethod
    def of_games(
        cls,
        rules: Rules,
        layouts: Iterable[str | Sequence[str]],
        *,
        smoothing: int = 0,
        name: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> TablePrior:
        """The prior of layouts seen in earlier games: each weighs how often it was seen.

        Parameters
        ----------
        rules
            The game.
        layouts
            The layouts seen, each as its ships: ``A1:A3 C1 C3`` or a list of these names.
        smoothing
            Added to the count of every layout of the game. With 0, one never seen is impossible.
        name, facts
            See ``Prior``.

        Raises
        ------
        WeightsError
            If one is no layout of the game, or there is none and nothing is added.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        require_rules(rules)
        if isinstance(layouts, str) or not isinstance(layouts, Iterable):
            raise wrong_type("layouts", "a list of layouts such as 'A1:A3 C1 C3'", layouts)
        added = require_whole("smoothing", smoothing)
        if added < 0:
            raise WeightsError(f"smoothing {added}: a whole number from 0 on is needed")
        reader = LayoutReader(rules)
        for number, layout in enumerate(layouts, start=1):
            names = layout if isinstance(layout, str) else " ".join(map(str, layout))
            reader.add(f"layout {number}", names)
        counts = Counter(reader.layouts())
        weights = {ships: count + added for ships, count in counts.items()}
        return cls(rules, weights, added, name=name, facts=facts or {})

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        most = max(self.others, *self.weights.values(), 0)
        listed = np.array(sorted(self.weights), dtype=np.int64).reshape(-1, layouts.ships.shape[1])
        keys = layout_keys(listed)
        values = [*(self.weights[ships] for ships in sorted(self.weights)), self.others]
        table = _machine(values, most, self.called)

        def weigh(part: slice) -> NDArray[np.int64]:
            wanted = layout_keys(layouts.ships[part])
            place = np.searchsorted(keys, wanted)
            there = np.flatnonzero(place < len(keys))
            place[there[keys[place[there]] != wanted[there]]] = len(keys)
            found: NDArray[np.int64] = table[place]
            return found

        cells = self.rules.board.cells
        return whole_weights(weigh, len(layouts), cells, self.called, most=most)

    @property
    def _weights(self) -> tuple[object, ...]:
        return frozenset(self.weights.items()), self.others

    @property
    def _kind(self) -> str:
        count = len(self.weights)
        return f"{count:,} layout{'s'[: count != 1]} listed, every other weighs {self.others:,}"


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
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise wrong_type("forced", "a list of cells such as ['A1', 'C3']", cells)
    try:
        return rules.board.mask(rules.board.cell(cell) for cell in cells)
    except BoardError as error:
        raise WeightsError(f"forced: {error}") from None


def _whole(values: Sequence[Fraction]) -> list[int]:
    """The values in lowest terms as integers: their ratios stay the same."""
    denominator = lcm(*(value.denominator for value in values))
    whole = [int(value * denominator) for value in values]
    divisor = gcd(*whole) or 1
    return [value // divisor for value in whole]


def _machine(values: Sequence[int], most: int, source: str) -> NDArray[np.int64]:
    """The values as machine integers where nothing made of them exceeds 2^62, else as Python's."""
    if most.bit_length() > MOST_BITS:
        raise WeightsError(
            f"{source}: in whole numbers the weights have up to {most.bit_length():,} bits; "
            f"{MOST_BITS:,} are allowed: round them"
        )
    return np.array(values, dtype=np.int64 if most < MACHINE else object)


def _ships(rules: Rules, layout: object) -> tuple[int, ...]:
    """Placement numbers of a listed layout, in increasing order."""
    if not isinstance(layout, tuple):
        raise wrong_type("weights", "layouts as tuples of placement numbers", layout)
    numbers = [whole_number(number) for number in layout]
    ships = tuple(number for number in numbers if number is not None)
    if len(ships) != len(numbers):
        raise wrong_type("weights", "layouts as tuples of placement numbers", layout)
    if len(ships) != len(rules.fleet.lengths) or list(ships) != sorted(ships):
        raise WeightsError(
            f"weights: {quoted(layout)} is no layout; give one placement number for each of the "
            f"{len(rules.fleet.lengths)} ships, in increasing order"
        )
    return ships
