"""Where frequencies lie among those that layouts can have: inside, on a face, or outside.

The possible frequencies are all weighted averages of layouts: a polytope, their convex hull. The
frequencies ``u`` of equally likely layouts lie inside it. Follow the ray from ``u`` through the
frequencies ``f``, and let ``u + s (f - u)`` be the last possible point on it. If s is above 1,
``f`` is inside; if s = 1, it is on a face; if s is below 1, it is impossible. By duality

    s = min over c with c . (f - u) = 1 of  max over layouts x of  c . x  -  c . u

A linear program over the layouts known so far gives a lower bound on s; once this is above 1, ``f``
is proved to be inside. The program's ``c`` also gives an upper bound, by the heaviest layout under
``c``, which then joins the known layouts. There are finitely many layouts, so the bounds meet.

If ``f`` is not inside, more linear programs look for a ``c`` with few cells that shows it, and
``proofs`` turns this into whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from seabattle.enumerate.errors import WorkFailed
from seabattle.enumerate.fitting.certificate import Certificate
from seabattle.enumerate.fitting.dual import Point, Target
from seabattle.enumerate.fitting.proofs import FINE_SCALES, NEAR, SCALES, Prover

CLEARLY = 1e-7
"""An s that differs from 1 by less than this counts as 1 until whole numbers decide."""

EXACT = 1e-9
"""Rounding of linear programs, as a share of the greatest coefficient."""

WIDEST_BOX = 1e9
WAYS = (("highs-ds", 1e-10), ("highs-ds", 1e-9), ("highs-ds", 1e-7), ("highs-ipm", 1e-8))
"""Methods of HiGHS with their tolerances, tried in turn until one succeeds."""

FEW_ROUNDS = 40
"""Rounds spent on making a certificate shorter."""

Bounds = tuple[float | None, float | None]


class Hull:
    """The convex hull of layouts, as far as the free cells go.

    Parameters
    ----------
    target
        The frequencies.
    start
        The map of equally likely layouts.
    prover
        Exact checks.
    layouts
        Layouts known at the beginning, as placement numbers ``(n, n_ships)``.
    say
        Called before every round.
    """

    def __init__(
        self,
        target: Target,
        start: Point,
        prover: Prover,
        layouts: NDArray[np.uint16],
        say: Callable[[], None],
    ) -> None:
        self.target, self.prover, self.say = target, prover, say
        self.goals, self.middle = target.goals, start.expected
        self.of_placement = target.features.of_placement.toarray()[:, target.free]
        self.known = np.unique(self._counts(layouts), axis=0)

    def _counts(self, layouts: NDArray[np.uint16]) -> NDArray[np.int64]:
        """Which free cells each layout occupies: int64 ``(n, n_free)``."""
        found: NDArray[np.int64] = self.of_placement[layouts.astype(np.int64)].sum(axis=1)
        return found

    def face(self) -> Certificate | None:
        """None if the frequencies are inside, otherwise the certificate that shows why not.

        Raises
        ------
        WorkFailed
            If rounding leaves it open.
        """
        direction = self.goals - self.middle
        length = float(np.max(np.abs(direction), initial=0.0))
        if length < 1e-12:
            return None
        box = 100.0
        while True:
            self.say()
            c, most, narrow = self._ray(direction / length, box)
            reach = (most - float(c @ self.middle)) / length
            if reach > 1 + CLEARLY and not narrow:
                return None
            if self._learn(c, most):
                continue
            if reach > 1 + CLEARLY:
                if box > WIDEST_BOX:
                    return None
                box *= 100
                continue
            return self._shown(c, outside=reach < 1 - CLEARLY)

    def _ray(
        self, direction: NDArray[np.float64], box: float
    ) -> tuple[NDArray[np.float64], float, bool]:
        """The coefficients in a box that bound s best, and the largest value of a known layout.

        Also returns whether the limits of the box matter. All layouts occupy equally many free
        cells, so one coefficient can be fixed at 0.
        """
        cost = np.append(-self.middle, 1.0)
        bounds: list[Bounds] = [(-box, box)] * len(direction) + [(None, None)]
        bounds[int(np.argmin(np.abs(direction)))] = (0.0, 0.0)
        solved = _solved(
            cost, self._rows(), np.zeros(len(self.known)),
            csr_array(np.append(direction, 0.0).reshape(1, -1)), np.ones(1), bounds,
        )  # fmt: skip
        held = np.abs(solved.lower.marginals) + np.abs(solved.upper.marginals)
        narrow = held[np.abs(solved.x) > 0.999 * box].max(initial=0.0) > EXACT
        return solved.x[:-1], float(solved.x[-1]), bool(narrow)

    def _rows(self, split: bool = False) -> csr_array:
        """Rows ``c . x - t <= 0`` for the known layouts; ``split`` writes c as a difference."""
        known = csr_array(self.known.astype(np.float64))
        ones = csr_array(-np.ones((len(self.known), 1)))
        return csr_array(hstack([known, -known, ones] if split else [known, ones]))

    def _learn(self, c: NDArray[np.float64], most: float) -> bool:
        """Whether some layout clearly exceeds the known ones under c; it then joins them."""
        found, unit = self.prover.heaviest(c)
        if found is None:
            return False
        greatest = float(np.max(np.abs(c), initial=0.0))
        if found.gain * unit <= most + EXACT * max(1.0, greatest) * len(c):
            return False
        new = self._counts(np.array([found.ships], dtype=np.uint16))
        if (self.known == new).all(axis=1).any():
            return False
        self.known = np.concatenate([self.known, new])
        return True

    def _shown(self, c: NDArray[np.float64], *, outside: bool) -> Certificate | None:
        """The certificate for frequencies that are not inside, from coefficients that show it."""
        short = self.shorter(outside=outside, rounds=None if not outside else FEW_ROUNDS)
        near = None if outside else NEAR
        for coefficients in (short, c):
            if coefficients is not None:
                found = self.prover.rounded(coefficients, SCALES, near=near)
                if found is not None:
                    return found
        found = self.prover.rounded(c, FINE_SCALES)
        if found is None and outside:
            raise WorkFailed(
                "the frequencies are impossible, or so close to it that rounding does not tell"
            )
        return found

    def shorter(self, *, outside: bool, rounds: int | None) -> NDArray[np.float64] | None:
        """Coefficients of few cells that show that the frequencies are not inside.

        The sum of their absolute values is minimal, which leaves most of them 0.

        Parameters
        ----------
        outside
            Whether the frequencies are impossible, not on a face.
        rounds
            The most linear programs to solve; if they do not suffice, None is returned.
        """
        cells = len(self.goals)
        gap = np.concatenate([-self.goals, self.goals, [1.0]])  # t - c . f
        steep = np.concatenate([-self.middle, self.middle, [1.0]])  # t - c . u
        norm = np.append(np.ones(2 * cells), 0.0)
        bounds: list[Bounds] = [(0.0, None)] * (2 * cells) + [(None, None)]
        while rounds is None or rounds > 0:
            self.say()
            rounds = None if rounds is None else rounds - 1
            rows, extra = self._rows(split=True), norm if outside else gap
            limits = np.append(np.zeros(len(self.known)), 1.0 if outside else 0.0)
            matrix = csr_array(vstack([rows, csr_array(extra.reshape(1, -1))]))
            if outside:
                found = _solved(gap, matrix, limits, None, None, bounds).x
            else:
                equal = csr_array(steep.reshape(1, -1))
                try:
                    found = _solved(norm, matrix, limits, equal, np.ones(1), bounds).x
                except WorkFailed:  # inside after all, by less than rounding
                    return None
            c: NDArray[np.float64] = found[:cells] - found[cells:-1]
            if not self._learn(c, float(found[-1])):
                return c
        return None


def _solved(
    cost: NDArray[np.float64],
    rows: csr_array,
    limits: NDArray[np.float64],
    equal: csr_array | None,
    values: NDArray[np.float64] | None,
    bounds: list[Bounds],
) -> Any:
    """The solution of a linear program, as scipy gives it."""
    for method, exactness in WAYS:
        options = {
            "primal_feasibility_tolerance": exactness,
            "dual_feasibility_tolerance": exactness,
        }
        solved = linprog(cost, rows, limits, equal, values, bounds, method=method, options=options)
        if solved.status == 0:
            return solved
    raise WorkFailed(f"a linear program of the fit failed: {solved.message}")
