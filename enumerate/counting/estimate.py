"""An estimate of the map and of the number of layouts, for boards too large to count.

Layouts are drawn by sequential importance sampling [Knuth1975] [LiuChen1998]: ships are laid one
after the other on placements that still fit, and a layout weighs as much as there were choices.
What is known restricts the placements exactly, and hits are covered first. ``estimate.hpp`` says
how it is done.

Layouts are drawn in batches that are independent of each other. How much the batches differ gives
the errors, which are standard errors: two thirds of the numbers are off by less, 95 % by less than
twice as much. An estimate improves with every batch; the same seed gives the same one.

    estimator = Estimator(position)
    while not estimator.done:  # or as long as somebody looks
        estimator.draw()
        estimator.estimate().layouts
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, floor, lgamma, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.core.library import FULL, core
from seabattle.enumerate.deductions import constrain, sunk_ships
from seabattle.enumerate.errors import TooLargeError, within
from seabattle.enumerate.placements import mask_words, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import about

PARTICLES = 1024
"""Layouts of a batch."""

LEAST_BATCHES, MOST_BATCHES = 32, 512
"""Batches that are drawn at least, and at most."""

SMALL_ERROR = 0.001
"""Once no cell's standard error is greater, no more is drawn."""

LEAST_EFFECTIVE = 200
"""An estimate rests on layouts that are worth at least so many equally likely ones."""

ALIKE = 2.0
"""Chances that differ by less than so many standard errors of their difference count as equal."""

UNSURE = 1e-9
"""A chance that is not known to be 0 or 1 is at least so far from it."""


class CellChances(NamedTuple):
    """Estimates for the cells of a board, in reading order.

    Attributes
    ----------
    chances, errors
        How likely each cell is occupied, and the standard error of that. Both are exact for what
        is known: a cell hit has the chance 1, one where no ship can be 0.
    best
        Cells not shot that may be the likeliest: that differ from it by less than the error.
    """

    chances: tuple[float, ...]
    errors: tuple[float, ...]
    best: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Estimate:
    """What layouts that were drawn say of all.

    Attributes
    ----------
    position
        What is known.
    log_layouts, log_labels
        float64 ``(batches,)``: natural logarithms of the number of layouts by each batch, minus
        infinity where none was completed, and of the number of labelled layouts for each of them.
    effective_of
        float64 ``(batches,)``: so many independent layouts of equal weight say as much.
    placements_of
        float64 ``(batches, n_placements)``: how likely each placement is by each batch.
    """

    position: Position
    log_layouts: NDArray[np.float64]
    log_labels: NDArray[np.float64]
    effective_of: NDArray[np.float64]
    placements_of: NDArray[np.float64]

    @property
    def samples(self) -> int:
        """Layouts that were begun; those that could not be completed count as well."""
        return PARTICLES * len(self.log_layouts)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Weights of the batches, in proportion to the layouts by each; they add up to 1.

        All are 0 where no layout was completed.
        """
        whole = np.logaddexp.reduce(self.log_layouts)
        return np.asarray(np.exp(self.log_layouts - max(whole, -1e300)))

    @property
    def effective(self) -> float:
        """So many independent layouts, equally likely, would say as much as the weighed ones do."""
        met = self.shares > 0
        squares = float((self.shares[met] ** 2 / self.effective_of[met]).sum())
        return 1 / squares if squares else 0.0

    @property
    def says_something(self) -> bool:
        """Whether enough layouts were met."""
        return self.effective >= LEAST_EFFECTIVE

    @property
    def layouts(self) -> int:
        """About how many layouts fit."""
        return _whole(_log_mean(self.log_layouts))

    @property
    def labelled_layouts(self) -> int:
        """About how many there are with identical ships not known to be sunk told apart."""
        return _whole(_log_mean(self.log_layouts + self.log_labels))

    @property
    def layouts_error(self) -> float:
        """Standard error of the number of layouts, relative to it."""
        return float(self.shares.std(ddof=1) * np.sqrt(len(self.shares)))

    @property
    def placements(self) -> tuple[float, ...]:
        """How likely each placement is."""
        return tuple(np.minimum(self.shares @ self.placements_of, 1.0).tolist())

    def document(self) -> dict[str, Any]:
        """How good it is, as JSON: ``estimated`` of a map has its fields."""
        return {
            "samples": self.samples,
            "effective": round(self.effective),
            "layouts_error": self.layouts_error,
        }

    def facts(self) -> list[tuple[str, str]]:
        """The numbers of layouts as labels and texts, with what they rest on."""
        worth = f"{self.samples:,} layouts drawn, worth {self.effective:,.0f} equally likely ones"
        return [
            ("layouts", about(self.layouts, self.layouts_error)),
            ("identical ships told apart", about(self.labelled_layouts, self.layouts_error)),
            ("estimated from", f"{worth}; ± is the standard error"),
        ]

    def cells(self, *lengths: int) -> CellChances:
        """How likely each cell is occupied, by a ship of one of some lengths if any are given."""
        rules, shot = self.position.rules, self.position.shot_mask
        table = placement_table(rules)
        those = np.isin(table.lengths, lengths) if lengths else np.ones(len(table))
        cells, owners = _cells_of_placements(rules)

        def over(numbers: NDArray[Any]) -> NDArray[np.float64]:
            weights = (numbers * those)[owners]
            return np.bincount(cells, weights, rules.board.cells).astype(np.float64)

        batches = np.array(list(map(over, self.placements_of)))
        chances = self.shares @ batches
        errors = self._error(batches - chances)
        possible = over(_allowed(self.position)) > 0
        hits = [] if lengths else list(cells_of(self.position.hit_mask))
        chances = np.where(possible, np.clip(chances, UNSURE, 1 - UNSURE), 0.0)
        chances[hits], errors[hits] = 1.0, 0.0
        open_cells = [c for c in np.flatnonzero(possible).tolist() if not shot >> c & 1]
        best: tuple[int, ...] = ()
        if open_cells:
            first = max(open_cells, key=chances.__getitem__)
            behind = batches[:, [first]] - batches
            errors_behind = self._error(behind - self.shares @ behind)
            alike = chances[first] - chances <= ALIKE * errors_behind
            best = tuple(cell for cell in open_cells if alike[cell])
        return CellChances(tuple(chances.tolist()), tuple(errors.tolist()), best)

    def _error(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Standard error of a mean weighed by batches, whose weights are random, too."""
        batches = len(self.shares)
        return np.asarray(np.sqrt(self.shares**2 @ deviations**2 * (batches / (batches - 1))))


def _log_mean(logs: NDArray[np.float64]) -> float:
    return float(np.logaddexp.reduce(logs)) - log(len(logs))


def _whole(logarithm: float) -> int:
    """About ``e ** logarithm``, as a whole number of any size.

    >>> _whole(0.0), _whole(log(1428)), _whole(float("-inf")), len(str(_whole(1000.0)))
    (1, 1428, 0, 435)
    """
    if logarithm < 34:
        return round(exp(logarithm))
    digits = floor(logarithm / log(10)) - 14
    return int(round(exp(logarithm - digits * log(10))) * 10**digits)


@lru_cache(maxsize=32)
def _forms(rules: Rules) -> dict[str, NDArray[np.int32]]:
    """Ships turned in every way, as fields of ``seabattle_laying``, without what is known."""
    table = placement_table(rules)
    kinds = {kind: n for n, kind in enumerate(rules.fleet.kind_counts)}
    at: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}
    for number, placement in enumerate(table.placements):
        anchor = placement.cells[0]
        steps = tuple(cell - anchor for cell in placement.cells)
        at.setdefault((kinds[table.kinds[number]], steps), {})[anchor] = number
    forms = sorted(at)
    numbers = np.full((len(forms), rules.board.cells), -1, dtype=np.int32)
    for form, row in zip(forms, numbers, strict=True):
        row[list(at[form])] = list(at[form].values())
    return {
        "form_kinds": np.array([kind for kind, _ in forms], dtype=np.int32),
        "step_ends": np.cumsum([len(steps) for _, steps in forms], dtype=np.int32),
        "steps": np.array([step for _, steps in forms for step in steps], dtype=np.int32),
        "numbers": numbers.ravel(),
    }


@lru_cache(maxsize=4)
def _cells_of_placements(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells of all placements, one after the other, and which placement each is of."""
    placements = placement_table(rules).placements
    cells = [cell for placement in placements for cell in placement.cells]
    lengths = [placement.length for placement in placements]
    return np.array(cells), np.repeat(np.arange(len(placements)), lengths)


@lru_cache(maxsize=4)
def _allowed(position: Position) -> NDArray[np.uint8]:
    """Which placements may be there: uint8 ``(n_placements,)``."""
    return constrain(position, propagate=False).allowed


class Estimator:
    """Draws layouts that fit a position, batch by batch.

    Parameters
    ----------
    position
        What is known.
    seed
        Seed of the random numbers, a whole number from 0 on.

    Attributes
    ----------
    laying
        The fields of ``seabattle_laying``: what ships can be laid where, and what is known.

    Raises
    ------
    PositionError
        If a cell or a ship shows that no layout fits.

    Examples
    --------
    >>> estimator = Estimator(Position(Rules("20x20", "5,4,3,3,2", "sides")))
    >>> estimator.draw(4)
    >>> found = estimator.estimate()
    >>> found.samples, f"{found.layouts:.1e}", found.layouts_error < 0.01
    (4096, '6.9e+13', True)
    """

    def __init__(self, position: Position, seed: int = 0) -> None:
        constrain(position)  # says what contradicts each other, if one cell or ship shows it
        self.position, self.seed = position, within("seed", seed, 0, 2**31 - 1)
        rules, words = position.rules, placement_table(position.rules).words
        table, forms = placement_table(rules), _forms(rules)
        self._ships = np.array(list(rules.fleet.kind_counts.values()), dtype=np.int32)
        allowed = np.append(_allowed(position), 0)  # the last for number -1
        numbers = np.where(allowed[forms["numbers"]], forms["numbers"], -1).astype(np.int32)
        sunk = mask_of(cell for cell, _ in sunk_ships(position))
        self.laying: dict[str, Any] = {
            **forms,
            "cells": rules.board.cells,
            "ships": self._ships,
            "numbers": numbers,
            "masks": mask_words(table.own, words).ravel(),
            "halos": mask_words(table.closed, words).ravel(),
            "hits": mask_words([position.hit_mask], words).ravel(),
            "sunk": mask_words([sunk], words).ravel(),
        }
        self._laying = core().structure("laying", self.laying)
        kinds = np.array(table.kinds)[_allowed(position) > 0].tolist()
        self._log_room = sum(
            m * (log(n) if (n := kinds.count(kind)) else -np.inf) - lgamma(m + 1)
            for kind, m in rules.fleet.kind_counts.items()
        )
        self._log_labels = sum(lgamma(m + 1) for m in self._ships.tolist())
        self._memory = np.empty(1 << 20, dtype=np.uint8)
        self._batches: list[tuple[float, float, float, NDArray[np.float64]]] = []

    @property
    def batches(self) -> int:
        """Batches drawn so far."""
        return len(self._batches)

    @property
    def done(self) -> bool:
        """Whether it is good enough, or as many layouts were drawn as are at most."""
        if self.batches < LEAST_BATCHES or self.batches % LEAST_BATCHES:
            return self.batches >= MOST_BATCHES
        found = self.estimate()
        good = found.says_something and max(found.cells().errors) <= SMALL_ERROR
        return good or self.batches >= MOST_BATCHES

    def draw(self, batches: int = 1) -> None:
        """Draw more batches of layouts."""
        for _ in range(batches):
            self._batches.append(self._batch(self.batches))

    def _batch(self, number: int) -> tuple[float, float, float, NDArray[np.float64]]:
        means = np.empty(int(self._ships.sum()))
        chances = np.zeros(len(placement_table(self.position.rules)))
        totals = np.zeros(2)
        while True:
            met = core().estimate(
                self._laying, self.seed, number, PARTICLES, self._memory, means, chances, totals
            )
            if met != FULL:
                break
            self._memory = np.empty(2 * self._memory.size, dtype=np.uint8)
        if not met or self._log_room == -np.inf:
            return -np.inf, 0.0, 0.0, chances
        log_layouts = self._log_room + float(np.log(means).sum())
        return log_layouts, self._log_labels + log(totals[1]), float(totals[0]), chances

    def estimate(self) -> Estimate:
        """What the layouts drawn so far say."""
        return Estimate(self.position, *map(np.array, zip(*self._batches, strict=True)))


def estimate(position: Position, *, seed: int = 0) -> Estimate:
    """The estimate of a position: layouts are drawn until it is good, up to a limit.

    Parameters
    ----------
    position
        What is known.
    seed
        Seed of the random numbers.

    Raises
    ------
    PositionError
        If a cell or a ship shows that no layout fits.
    TooLargeError
        If too few layouts that fit are met to say anything.

    Examples
    --------
    >>> found = estimate(Position(Rules("4x4", "3,2,1", answers="sunk")).shoot("B2", "miss"))
    >>> found.layouts
    148
    """
    estimator = Estimator(position, seed)
    while not estimator.done:
        estimator.draw(LEAST_BATCHES)
    found = estimator.estimate()
    if not found.says_something:
        rules = position.rules
        raise TooLargeError(
            f"board {rules.board} with fleet {rules.fleet}: of {found.samples:,} layouts begun at "
            f"random too few fit to estimate anything, worth {found.effective:.0f} where "
            f"{LEAST_EFFECTIVE} are needed"
        )
    return found
