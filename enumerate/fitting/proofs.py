"""Turn real coefficients that seem to separate frequencies from layouts into whole ones that do.

Every candidate is rounded to whole numbers and then checked exactly: the largest value of a layout
is a whole number found by a sweep, and the mean value that the frequencies need is a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.heaviest import HeaviestLayout, HeaviestSearch
from seabattle.enumerate.fitting.certificate import Certificate
from seabattle.enumerate.fitting.dual import Target
from seabattle.enumerate.fitting.watch import Watch
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.deductions import Constraints, constrain
from seabattle.enumerate.game.position import Position

SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60, 100, 300, 1000)
FINE_SCALES = tuple(10**power for power in range(4, 16))
"""Greatest coefficients that are tried, the readable ones first."""

NEAR = 1e-3
"""How far coefficients of a face may be from whole numbers, as a share of the greatest."""


class Prover:
    """Exact checks of coefficients for the cells of one target.

    Parameters
    ----------
    target
        Frequencies of the cells.
    memory_limit
        GiB for sweeps.
    watch
        What ends the work.
    """

    def __init__(self, target: Target, memory_limit: float, watch: Watch) -> None:
        self.target = target
        rules = target.rules
        self.everywhere = HeaviestSearch(rules, memory_limit=memory_limit, progress=watch.rows)
        every = constrain(Position(rules))
        self.within = HeaviestSearch(
            rules,
            Constraints(target.allowed.astype(np.uint8), target.forced, every.left, ()),
            memory_limit=memory_limit,
            progress=watch.rows,
        )

    def heaviest(self, coefficients: NDArray[np.float64]) -> tuple[HeaviestLayout | None, float]:
        """A possible layout that is heaviest under coefficients of the free cells.

        Coefficients are rounded to multiples of a unit, 2^-40 of the greatest. The gain found is in
        this unit, which is returned as well.
        """
        greatest = float(np.max(np.abs(coefficients), initial=0.0)) or 1.0
        unit = greatest / 2.0**40
        whole = np.rint(coefficients / unit).astype(np.int64)
        gains = self.target.features.of_placement @ self._spread(whole, 0)
        return self.within.find(gains), unit

    def _spread(self, coefficients: NDArray[np.int64], outside: int) -> NDArray[np.int64]:
        """Coefficients of all cells: ``outside`` on forced ones, less than 0 on forbidden ones."""
        target = self.target
        found = np.full(len(target.features), -outside, dtype=np.int64)
        found[list(cells_of(target.forced))] = outside
        found[target.free] = coefficients
        return found

    def certificate(self, coefficients: NDArray[np.int64]) -> Certificate | None:
        """The certificate from whole coefficients of the free cells, if they prove anything.

        Where necessary, forced and forbidden cells get coefficients that outweigh the others.
        """
        target = self.target
        greatest = int(np.max(np.abs(coefficients), initial=0))
        outweighing = 2 * target.rules.fleet.cells * greatest + 1
        outside = [0, max(1, greatest), outweighing]
        if len(target.free) == len(target.features):
            outside = [0]
        for number in outside:
            cells = self._spread(coefficients, number)
            if not cells.any():
                continue
            found = self.everywhere.find(target.features.of_placement @ cells)
            assert found is not None  # the fleet has layouts
            whole = tuple(int(c) for c in cells)
            needed = sum(
                (c * f for c, f in zip(whole, target.wanted, strict=True) if c), Fraction(0)
            )
            if needed > found.gain or (needed == found.gain and not self._says_nothing(cells)):
                return Certificate(target.rules, whole, found.gain, needed)
        return None

    def _says_nothing(self, cells: NDArray[np.int64]) -> bool:
        """Whether every possible layout has the same value under these coefficients."""
        gains = self.target.features.of_placement @ cells
        most, least = self.within.find(gains), self.within.find(-gains)
        if most is None or least is None:
            return False
        needed = sum(
            (int(c) * f for c, f in zip(cells, self.target.wanted, strict=True)), Fraction(0)
        )
        return most.gain == -least.gain == needed

    def of_zeros_and_ones(self) -> Certificate | None:
        """The certificate where forced and forbidden cells leave no layout at all."""
        if self.within.find(np.zeros(len(self.target.allowed), dtype=np.int64)) is not None:
            return None
        return self.certificate(np.zeros(len(self.target.free), dtype=np.int64))

    def rounded(
        self, coefficients: NDArray[np.float64], scales: Sequence[int], *, near: float | None = None
    ) -> Certificate | None:
        """The first certificate among roundings to whole numbers of increasing size.

        Parameters
        ----------
        coefficients
            Real numbers for the free cells.
        scales
            Greatest whole numbers to try.
        near
            Try only roundings that change no coefficient by more than this share of the greatest.
        """
        for whole in _roundings(coefficients, scales, near):
            found = self.certificate(whole)
            if found is not None:
                return found
        return None


def _roundings(
    coefficients: NDArray[np.float64], scales: Sequence[int], near: float | None
) -> Iterator[NDArray[np.int64]]:
    """The different roundings, with the greatest coefficient equal to each scale in turn."""
    greatest = float(np.max(np.abs(coefficients), initial=0.0))
    if greatest == 0:
        return
    seen = set()
    for scale in scales:
        real = coefficients * (scale / greatest)
        whole = np.rint(real).astype(np.int64)
        if near is not None and np.max(np.abs(whole - real)) > near * scale:
            continue
        lowest = whole // max(1, int(np.gcd.reduce(whole)))
        if lowest.tobytes() not in seen:
            seen.add(lowest.tobytes())
            yield lowest
