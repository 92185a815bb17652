"""The game against an opponent who knows the plan: mixed hiding and mixed shooting, solved.

The placer picks a layout, the shooter a decision tree, neither seeing the other's choice; the
placer gains the misses. Played with probabilities on both sides this zero-sum game has a value
[Neumann1928]: a *hiding mix* that costs every tree at least that many misses on average,
and a *shooting mix* that costs at most as many against every layout.

*Symmetry.* Turning and mirroring the board changes nothing, so there are optimal mixes that do
not depend on the board's orientation: the placer draws an orbit of layouts and then one of its
layouts, all equally likely; the shooter draws a tree and then applies a random symmetry to it. The
cost of a tree is then one number per orbit of layouts, the mean of its misses there. The 1,428
layouts of the 5x5 fleet are 183 orbits.

*Method.* This is a double oracle [McMahan2003], [Bosansky2014]. Trees are far too many to list, but
the best one against a given hiding mix is one sweep over the stored graph of sub-tables
(``solver.equilibrium.subtable_graph``); since the weights are the same all over an orbit, one node
per orbit of sub-tables is enough. So trees are added one at a time: take a hiding mix that is good
against the trees known so far, find the best tree against it, add it. The tree's misses bound the
value from below; the best shooting mix of the known trees bounds it from above; when the two meet,
both mixes are optimal. As the next hiding mix the *centre* of the good ones is taken
(``solver.equilibrium.restricted_game``), and vertices of the linear program at the very end.

*Exact.* Mixes are whole numbers over a common denominator. Where the game is small the last
vertex is computed in fractions and the interval shrinks to a single one; otherwise the mixes are
rounded. The interval that is reported is recomputed from the mixes by
``solver.equilibrium.certificate``, which uses none of the above.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError
from threadpoolctl import threadpool_limits

from seabattle.enumerate.errors import PositionError, RulesError, Stop, why_stopped, within
from seabattle.enumerate.priors.prior import MAX_TOTAL
from seabattle.enumerate.table import DecisionTable, Game, position_of
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.equilibrium.restricted_game import (
    ExactMix,
    Mix,
    analytic_centre,
    exact_vertex,
    lp_vertex,
)
from seabattle.solver.equilibrium.subtable_graph import BestResponse, SubtableGraph
from seabattle.solver.search.problem import MEMORY_GIB, refuse_large_board
from seabattle.solver.search.queries import LimitReached, Limits
from seabattle.trees.plans import require_plannable

DEFAULT_GAP = 1e-6

EXACT_ORBITS = 64
"""Games with at most this many orbits of layouts are solved in fractions."""

_CENTRING = 0.8  # share of the interval that the next centre still leaves open
_SMOOTHING = 0.5, 0.25  # weights of the incumbent where vertices are drawn towards it
_NARROW = 1e-9  # relative width below which vertices take over from centres, ...
_NARROW_SMALL = 1e-5  # ... and in small games, whose vertices cost nothing
_VERTEX_EVERY = 40  # trees after which the vertex is tried ...
_VERTEX_FROM = 1e-3  # ... from this relative width on
_LATE = 5e-6  # relative width from which on centres must halve it ...
_PATIENCE = 50  # ... within so many trees, or vertices take over
_SHOOTING_TOTAL = 1 << 40
_EXACT = 1e-10  # width at which the vertex is computed in fractions


def equilibrium(
    game: Game,
    *,
    gap: float = DEFAULT_GAP,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[str], None] | None = None,
    stop: Stop | None = None,
) -> Equilibrium:
    """Solve the game of hiding and shooting.

    Parameters
    ----------
    game
        Rules, or a position or decision table at the beginning of a game, without weights:
        answers ``hit`` or ``sunk``, ships that do not share sides.
    gap
        Width of the interval at which to stop, in misses, above 0.
    time_limit
        Seconds from now after which the work stops with the interval known by then; time is
        reserved for the certificate, which then runs to its end.
    memory_limit
        GiB that the sub-tables may take; the layouts may take half as much.
    progress
        Called a few times a second with a line about the progress.
    stop
        Called a few times a second; when it returns true the work ends as if by Ctrl-C.

    Returns
    -------
    Equilibrium
        The mixes and the interval that ``certify`` recomputed from them.

    Raises
    ------
    TooLargeError
        If the sub-tables of the game are too many to enumerate; raised before the work starts.
    LimitReached
        If a limit is reached before the sub-tables are enumerated.
    RulesError, PositionError, SeabattleError
        If the game is of another kind or has begun, or the gap is not positive.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> equilibrium(Rules("4x4", "3,2,1", answers="sunk")).value
    Fraction(531, 218)
    """
    start = position_of(game)
    if start.shots:
        raise PositionError(
            f"the game of hiding and shooting starts at the beginning, not after "
            f"{start.words}: give {start.rules!r}"
        )
    within("gap", gap, 1e-15)
    limits = Limits.of(time_limit, memory_limit, None, stop)
    started = time.monotonic()
    refuse_large_board(start.rules)
    require_plannable(start.rules)
    table = DecisionTable.build(game, memory_limit=memory_limit / 2)
    if len(table.weights):
        raise RulesError("the game of hiding and shooting is solved for layouts without weights")
    return _OracleRun(table, gap, limits, progress or (lambda text: None), started).solve()


class _OracleRun:
    """One solve: the trees known, the best hiding mix and its bound, at any moment."""

    def __init__(
        self,
        table: DecisionTable,
        gap: float,
        limits: Limits,
        report: Callable[[str], None],
        started: float,
    ) -> None:
        self.report, self.started = report, started
        self.graph = SubtableGraph(table, limits=limits, report=report)
        # The certificate searches much the same sub-tables again.
        reserve = 0.2 + 1.5 * (time.monotonic() - started)
        self.limits = replace(limits, deadline=limits.deadline - reserve)
        self.sizes = self.graph.sizes
        self.small = len(self.sizes) <= EXACT_ORBITS
        self.target = gap / 2  # room for the rounding of the mixes
        self.plans: list[NDArray[np.int8]] = []
        self.sums: list[NDArray[np.int64]] = []
        self.sweeps = 0
        self.lower = 0.0
        uniform = self.graph.best_response(np.ones(len(self.sizes), dtype=np.int64))
        self.uniform = Fraction(int(uniform.value), len(table))
        self.hiding = self.sizes / self.sizes.sum()
        self.mix = Mix(self.hiding, np.ones(1), math.inf)
        self.interrupted, self.stopped_by = False, ""
        self._ask(self.hiding)

    @property
    def costs(self) -> NDArray[np.float64]:
        """Mean misses of the known trees over each orbit."""
        return np.array(self.sums) / self.sizes

    def _ask(self, shares: NDArray[np.float64]) -> bool:
        """Add the best tree against a hiding mix; return whether it is new."""
        response = self.graph.best_response(shares / self.sizes)
        self.sweeps += 1
        if response.value > self.lower:
            self.lower, self.hiding = response.value, shares
        return self._add(response)

    def _add(self, response: BestResponse) -> bool:
        """Add a tree; return whether it is new."""
        if any(np.array_equal(response.misses, known) for known in self.sums):
            return False
        self.sums.append(response.misses)
        self.plans.append(response.plan)
        return True

    def _take(self, mix: Mix) -> Mix:
        """Keep the shooting mix if it is the best so far, and report progress."""
        if mix.upper < self.mix.upper:
            self.mix = mix
        self.report(
            f"between {self.lower:.8f} and {self.mix.upper:.8f}, interval {self.width:.1e}, "
            f"{len(self.plans)} trees"
        )
        return mix

    @property
    def width(self) -> float:
        return self.mix.upper - self.lower

    def _stopped(self) -> bool:
        try:
            self.limits.require_time()
        except (LimitReached, KeyboardInterrupt) as ended:
            self.interrupted = isinstance(ended, KeyboardInterrupt)
            self.stopped_by = why_stopped(ended)
        return bool(self.stopped_by)

    def solve(self) -> Equilibrium:
        exact = None
        # The matrices are small: threads of the linear algebra mostly wait for each other, which
        # can take longer than all the work. (HiGHS needs no limit: its threads sleep here.)
        with threadpool_limits(limits=1, user_api="blas"):
            self._by_centres()
            if not self.stopped_by:
                exact = self._by_vertices()
        found = self._rounded(exact)
        shown = found.certify(Limits(memory=self.limits.memory))
        return replace(shown, seconds=time.monotonic() - self.started)

    def _by_centres(self) -> None:
        """Add trees against centres, until the interval is closed, or stays as it is.

        Now and then the vertex is tried: once the trees that matter are known, it closes the
        interval at one stroke.
        """
        shares = self.sizes / self.sizes.sum()
        self._take(Mix(shares, np.ones(1), float(self.costs.max())))
        widths = [self.width]
        while not self._stopped():
            unit = max(1.0, self.lower)
            least = _NARROW_SMALL * unit if self.small else max(self.target, _NARROW * unit)
            if self.width <= least:
                return
            mu = _CENTRING * max(self.width, _NARROW * unit) / sum(self.costs.shape)
            try:
                if len(widths) % _VERTEX_EVERY == 0 and self.width < _VERTEX_FROM * unit:
                    self._ask(self._take(lp_vertex(self.costs)).shares)
                costs = self.costs
                mix = self._take(analytic_centre(costs, shares, mu))
            except LinAlgError:
                return
            shares = mix.shares
            widths.append(self.width)
            stalled = len(widths) > _PATIENCE and 2 * self.width > widths[-_PATIENCE]
            if not self._ask(shares) or (stalled and self.width < _LATE * unit):
                return

    def _by_vertices(self) -> ExactMix | None:
        """Add trees against vertices of the linear program until the interval is closed.

        Returns the mixes in fractions where the game is small and they prove each other. A narrow
        interval is not enough for that: the vertex at hand may be another one than the hiding mix
        that gave the lower bound, and lose to a tree not known yet.
        """
        while not self._stopped():
            try:
                mix = self._take(lp_vertex(self.costs))
            except LinAlgError as error:  # rounding; what is known stays a certified interval
                self.stopped_by = f"the linear program failed: {error}"
                return None
            if not self.small and self.width <= self.target:
                return None
            if self.small and self.width <= _EXACT:
                known = len(self.plans)
                exact = self._exact(mix)
                if exact is not None or len(self.plans) == known:
                    return exact
                continue
            towards = (w * self.hiding + (1 - w) * mix.shares for w in (*_SMOOTHING, 0.0))
            if not any(map(self._ask, towards)):
                return self._exact(mix) if self.small else None
        return None

    def _exact(self, mix: Mix) -> ExactMix | None:
        """The vertex in fractions if no other tree beats it, in whole numbers; else None.

        A tree that does beat it is added.
        """
        exact = exact_vertex(np.array(self.sums), self.sizes, mix)
        if exact is None:
            return None
        scale = int(exact.weights @ self.sizes.astype(object))
        if scale * self.graph.problem.cells >= MAX_TOTAL:
            return None
        response = self.graph.best_response(exact.weights.astype(np.int64))
        self.sweeps += 1
        if Fraction(int(response.value), scale) == exact.value:
            return exact
        self._add(response)
        return None

    def _rounded(self, exact: ExactMix | None) -> Equilibrium:
        """The mixes in whole numbers; their interval is certified afterwards."""
        if exact is not None:
            weights, chances = exact.weights.tolist(), exact.chances.tolist()
        else:
            room = (MAX_TOTAL - 1) // self.graph.problem.cells - len(self.graph.problem)
            weights = np.rint(self.hiding / self.sizes * room).astype(np.int64).tolist()
            chances = np.rint(self.mix.probabilities * _SHOOTING_TOTAL).astype(np.int64).tolist()
        used = [t for t, chance in enumerate(chances) if chance > 0]
        used.sort(key=lambda t: -chances[t])
        divisor = math.gcd(*(chances[t] for t in used))
        shared = math.gcd(*weights)
        return Equilibrium(
            layouts=self.graph.table.layouts,
            hiding=tuple(weights[o] // shared for o in self.graph.orbit.tolist()),
            plans=tuple(self.plans[t] for t in used),
            shooting=tuple(chances[t] // divisor for t in used),
            lower_bound=Fraction(0),
            upper_bound=Fraction(0),
            uniform_value=self.uniform,
            interrupted=self.interrupted,
            stopped_by=self.stopped_by,
            subtables=len(self.graph),
            sweeps=self.sweeps,
            sought=2 * self.target,
        )
