"""The matrix game between some trees and all orbits of layouts: a centre, a vertex, exactly.

Let C be the matrix of misses, one row per tree and one column per orbit of layouts, added up over
the layouts of the orbit, and s the sizes of the orbits. The placer gives each orbit a share q
(all q >= 0, sum 1, spread evenly over its layouts), the shooter each tree a probability p. Both
solve the same linear program:

    greatest v with  sum_o (C/s)[t, o] q[o] >= v  for every tree t       (placer)
    least    v with  sum_t p[t] (C/s)[t, o] <= v  for every orbit o      (shooter)

``lp_vertex`` solves it by HiGHS [Huangfu2018]. ``analytic_centre`` goes only as far as a point in
the middle: it maximises v / mu + sum_t log(slack of t) + sum_o log q[o] by Newton's method, from
which the multipliers p[t] = mu / slack are a mix for the shooter. Computing best trees against such
middle points closes the interval with half as many trees as at vertices, smoothed or not
[Gondzio2013]. ``exact_vertex`` turns a vertex into fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import linprog

Floats = NDArray[np.float64]

_STEPS = 60
_CLOSE = 0.3  # Newton decrement, squared, at which a point counts as the centre
_ZERO = 1e-9


@dataclass(frozen=True)
class Mix:
    """Mixed strategies of a restricted game.

    Attributes
    ----------
    shares
        float64 ``(n_orbits,)``: the placer's probability of each orbit.
    probabilities
        float64 ``(n_trees,)``: the shooter's probability of each tree.
    upper
        The most misses that the shooter's mix costs.
    """

    shares: Floats
    probabilities: Floats
    upper: float


def lp_vertex(costs: Floats) -> Mix:
    """Optimal mixes of the restricted game at a vertex, by linear programming.

    Parameters
    ----------
    costs
        float64 ``(n_trees, n_orbits)``: mean misses of each tree over each orbit.

    Raises
    ------
    LinAlgError
        If the linear program fails numerically.
    """
    trees, orbits = costs.shape
    rows = np.hstack([costs.T, -np.ones((orbits, 1))])
    found = linprog(
        np.append(np.zeros(trees), 1.0),
        A_ub=rows,
        b_ub=np.zeros(orbits),
        A_eq=np.append(np.ones(trees), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * trees + [(None, None)],
        method="highs-ds",
    )
    if found.x is None:
        raise LinAlgError(found.message)
    shares = np.maximum(-found.ineqlin.marginals, 0)
    probabilities = np.maximum(found.x[:trees], 0)
    probabilities /= probabilities.sum()
    return Mix(shares / shares.sum(), probabilities, float((probabilities @ costs).max()))


def analytic_centre(costs: Floats, shares: Floats, mu: float) -> Mix:
    """A point near the analytic centre of the restricted game, with parameter ``mu``.

    Parameters
    ----------
    costs
        float64 ``(n_trees, n_orbits)``.
    shares
        The starting point: any q > 0 with sum 1.
    mu
        Above 0; the interval between the two mixes is about ``mu * (n_trees + n_orbits)``.

    Raises
    ------
    LinAlgError
        If rounding spoils the Newton system, as it does once ``mu`` is very small.
    """
    q = shares
    v = float((costs @ q).min()) - mu
    p = np.zeros(len(costs))
    for _ in range(_STEPS):
        slack = costs @ q - v
        r = 1 / slack
        grad_q = -(costs.T @ r) - 1 / q
        grad_v = -1 / mu + r.sum()
        weighted = costs * (r * r)[:, None]
        cross = -weighted.sum(axis=0)
        square = float((r * r).sum())
        hessian = costs.T @ weighted - np.outer(cross, cross) / square
        # In units of q the barrier of q >= 0 adds the identity.
        hessian = hessian * np.outer(q, q) + np.eye(len(q)) * (1 + 1e-12)
        factor = cho_factor(hessian, check_finite=False)
        along = cho_solve(factor, (cross * grad_v / square - grad_q) * q, check_finite=False)
        across = cho_solve(factor, q, check_finite=False)
        step_q = (along - (q @ along) / (q @ across) * across) * q  # keeps the sum of q
        step_v = (-grad_v - cross @ step_q) / square
        decrement = -(grad_q @ step_q + grad_v * step_v)
        step_slack = costs @ step_q - step_v
        p = mu * (r - r * r * step_slack)
        if not np.isfinite(decrement):
            raise LinAlgError("the Newton step is not finite")
        length = min(1.0, _to_border(q, step_q), _to_border(slack, step_slack))
        before = -v / mu - np.log(slack).sum() - np.log(q).sum()
        while length > 1e-8:
            after = (
                -(v + length * step_v) / mu
                - np.log(slack + length * step_slack).sum()
                - np.log(q + length * step_q).sum()
            )
            if after <= before - 0.1 * length * decrement:
                break
            length /= 2
        q = q + length * step_q
        v += length * step_v
        if decrement < _CLOSE:
            break
    p = np.maximum(p, 0)
    if not p.sum() > 0:
        raise LinAlgError("no multiplier is positive")
    p /= p.sum()
    return Mix(q / q.sum(), p, float((p @ costs).max()))


def _to_border(values: Floats, step: Floats) -> float:
    """The greatest fraction of a step that keeps values positive, with a little room."""
    down = step < 0
    return float(0.95 * (values[down] / -step[down]).min()) if down.any() else 1.0


def solve_exactly(matrix: list[list[int]], right: list[int]) -> list[Fraction] | None:
    """The only solution of a system of integer equations, None if there is none or several.

    Fraction-free elimination above and below the pivot (E. H. Bareiss, Mathematics of Computation
    22, 1968), so that every pivot ends as the last one; there may be more equations than unknowns.

    >>> solve_exactly([[1, 1], [1, -1], [2, 0]], [3, 1, 4])
    [Fraction(2, 1), Fraction(1, 1)]
    """
    unknowns = len(matrix[0])
    rows = np.array([[*row, value] for row, value in zip(matrix, right, strict=True)], dtype=object)
    previous = 1
    for column in range(unknowns):
        pivots = column + np.flatnonzero(rows[column:, column])
        if not len(pivots):
            return None
        lead = rows[pivots[0]].copy()
        rows[pivots[0]] = rows[column]
        rows = (lead[column] * rows - np.outer(rows[:, column], lead)) // previous
        rows[column] = lead
        previous = lead[column]
    if rows[unknowns:, unknowns].any():
        return None
    return [Fraction(row[unknowns], previous) for row in rows[:unknowns]]


@dataclass(frozen=True)
class ExactMix:
    """Optimal mixes of a restricted game in whole numbers.

    Attributes
    ----------
    value
        Its value.
    weights
        object ``(n_orbits,)``: weight of one layout of each orbit; all layouts together weigh
        what makes each weight over the sum a probability.
    chances
        object ``(n_trees,)``: weight of each tree.
    """

    value: Fraction
    weights: NDArray[np.object_]
    chances: NDArray[np.object_]


def _whole(shares: list[Fraction], places: NDArray[np.int64], size: int) -> NDArray[np.object_]:
    """Fractions over their least common denominator, at their places among zeros."""
    scale = lcm(*(share.denominator for share in shares))
    numbers = np.zeros(size, dtype=object)
    numbers[places] = [int(share * scale) for share in shares]
    return numbers


def exact_vertex(sums: NDArray[np.int64], sizes: NDArray[np.int64], mix: Mix) -> ExactMix | None:
    """The vertex that a float solution stands for, proven optimal for the restricted game.

    The trees and orbits in use, and those whose constraints are tight, are taken from the floats;
    two systems of integer equations then give the mixes, and both are checked against every
    constraint. None where the floats mislead or do not stand for a vertex.

    Parameters
    ----------
    sums
        int64 ``(n_trees, n_orbits)``: misses of each tree added up over each orbit.
    sizes
        int64 ``(n_orbits,)``: layouts of each orbit.
    mix
        From ``lp_vertex``.
    """
    costs = sums / sizes
    trees = np.flatnonzero(mix.probabilities > _ZERO)
    orbits = np.flatnonzero(mix.shares > _ZERO)
    tight_orbits = np.flatnonzero(mix.probabilities @ costs > mix.upper - _ZERO)
    tight_trees = np.flatnonzero(costs @ mix.shares < mix.upper + _ZERO)
    shooter = solve_exactly(
        [[*sums[trees, o].tolist(), -int(sizes[o])] for o in tight_orbits]
        + [[1] * len(trees) + [0]],
        [0] * len(tight_orbits) + [1],
    )
    placer = solve_exactly(
        [[*sums[t, orbits].tolist(), -1] for t in tight_trees] + [[*sizes[orbits].tolist(), 0]],
        [0] * len(tight_trees) + [1],
    )
    if shooter is None or placer is None or shooter[-1] != placer[-1]:
        return None
    value = shooter.pop()
    placer.pop()
    if min(shooter) < 0 or min(placer) < 0:
        return None
    weights = _whole(placer, orbits, len(sizes))
    chances = _whole(shooter, trees, len(sums))
    misses, layouts = sums.astype(object), sizes.astype(object)
    if (chances @ misses > value * chances.sum() * layouts).any():
        return None
    if (misses @ weights < value * (weights @ layouts)).any():
        return None
    return ExactMix(value, weights, chances)
