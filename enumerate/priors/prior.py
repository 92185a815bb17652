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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules


@dataclass(frozen=True)
class Prior:
    """What all priors have in common.

    Attributes
    ----------
    rules
        The game: its board, fleet and contact rule; how shots are answered does not matter.
    name
        How the prior is called in results: ``people``, or the name of its file.
    """

    rules: Rules
    name: str = field(default="", kw_only=True)


@dataclass(frozen=True)
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

    Examples
    --------
    >>> prior = ProductPrior.of_cells(Rules("1x4", "2"), [2, 1, 1, 3])
    >>> [int(weight) for weight in prior.placements]
    [2, 1, 3]
    """

    placements: tuple[Fraction, ...]
    forced: int = 0
    cells: tuple[Fraction, ...] | None = None

    @classmethod
    def of_cells(
        cls,
        rules: Rules,
        cells: Sequence[Fraction | float],
        *,
        forced: Iterable[str | int] = (),
        name: str = "",
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
        name
            See ``Prior``.
        """
        weights = tuple(Fraction(weight) for weight in cells)
        placements = tuple(
            prod((weights[cell] for cell in placement.cells), start=Fraction(1))
            for placement in placement_table(rules).placements
        )
        required = rules.board.mask(rules.board.cell(cell) for cell in forced)
        return cls(rules, placements, required, weights, name=name)

    @property
    def floats(self) -> NDArray[np.float64]:
        """The weights for the counter: float64 ``(n_placements,)``, the largest of each length 1.

        All layouts have equally many ships of each length, so a factor for a length changes no
        proportion.
        """
        lengths = np.array([p.length for p in placement_table(self.rules).placements])
        found = np.zeros(len(lengths))
        for length in set(lengths.tolist()):
            those = np.flatnonzero(lengths == length)
            most = max(self.placements[i] for i in those) or Fraction(1)
            found[those] = [float(self.placements[i] / most) for i in those]
        return found


@dataclass(frozen=True)
class SumPrior(Prior):
    """A layout weighs the sum of the weights of the cells that it occupies.

    Attributes
    ----------
    cells
        The weights of the cells, by cell number.
    """

    cells: tuple[Fraction, ...]


@dataclass(frozen=True)
class TablePrior(Prior):
    """Layouts are weighed one by one.

    Attributes
    ----------
    weights
        The weight of each layout that is listed, by its placement numbers in increasing order.
    others
        The weight of every other layout.
    """

    weights: Mapping[tuple[int, ...], int]
    others: int = 0
