"""Open water: the fewest shots of which one must hit, and the misses that one ship costs at worst.

Of a fleet of one ship a layout is a placement, and a strategy until its first hit is a list of
cells. Two numbers of cells bound what it costs at worst:

* the *fewest that must hit*: the least number h of cells such that every placement has one of them.
  Placements without a common cell, d of them, prove h >= d: each shot hits one of them at most. So
  some placement is missed h - 1 times at least.
* the *fewest that leave one*: the least number of cells such that all placements but one at most
  have one of them. With fewer misses two placements are left, and to tell them apart costs another:
  a shot that hits one of them alone may miss, and a shot that hits both tells nothing. So every
  strategy misses that often.

A ship of 5 on 10x10: 20 disjoint placements prove 19 misses. But 19 misses leave one of four blocks
of 5x5 with 4 of them or fewer, so that a row and a column of it are free: at least 20.

Both numbers are least solutions of linear inequalities in whole numbers, which HiGHS finds. From
above, a strategy shoots a set of cells that must hit, those last that are cheap to finish from, and
plays exactly once it has hit. Sets are those of the inequalities, and the diagonals: all cells with
row + s * column = t modulo the length of the ship.

*Several ships*: the fewest cells h such that every layout has one of them. A set that meets every
placement of one ship will do. From below, lay the ships one after the other where no cell of such a
set is: at some ship this ends, and the set meets each of its placements that keep apart from those
laid before (``_blocked_at_least``). Where that leaves a gap, the least set that meets the layouts
drawn so far is sought, and layouts that avoid it are drawn, until there are none: then it is the
fewest of all, and before that a bound from below.

With shots made, placements and layouts are those that fit them, without their cells that were hit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import Constraints, constrain, contradiction
from seabattle.enumerate.errors import FleetError, PositionError, Stop, why_stopped
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import Game, position_of
from seabattle.enumerate.words import counted
from seabattle.solver.search.queries import LimitReached, Limits
from seabattle.solver.studies.programs import SECONDS, Look, solved

Cells = frozenset[int]


@dataclass(frozen=True)
class OpenWater:
    """The fewest shots that must hit, and what a single ship costs at worst.

    Attributes
    ----------
    position
        The game, and the shots made.
    must_hit_at_least, must_hit
        Proven interval of the fewest cells of which one must be hit; equal where it is known.
    cells
        Names of cells of which one must be hit; of one ship in the order in which the strategy of
        the upper bound shoots them.
    disjoint
        Of one ship: so many placements have no cell in common. None of several ships.
    lower_bound, upper_bound
        Of one ship: proven interval of the least misses to come in the worst case.
    interrupted, stopped_by
        Whether Ctrl-C ended the search for more, and what ended it in words, empty when nothing
        did.
    """

    position: Position
    must_hit_at_least: int
    must_hit: int
    cells: tuple[str, ...]
    disjoint: int | None = None
    lower_bound: int | None = None
    upper_bound: int | None = None
    interrupted: bool = False
    stopped_by: str = ""

    def document(self) -> dict[str, Any]:
        """What ``bound --json`` says of shots that must hit.

        Fields
        ------
        disjoint: of one ship, placements without a common cell
        must_hit: the fewest shots of which one must hit some ship, as far as known
        must_hit_at_least: proven least of that; equal where it is known
        worst_lower_bound: of one ship, every strategy misses so often at worst, at least
        worst_upper_bound: of one ship, some strategy misses no more often
        cells: shots of which one must hit; of one ship in the order of that strategy
        must_hit_stopped_by: what ended the search for fewer or proof of more, if anything did
        """
        document = {
            "disjoint": self.disjoint,
            "must_hit": self.must_hit,
            "must_hit_at_least": self.must_hit_at_least,
            "worst_lower_bound": self.lower_bound,
            "worst_upper_bound": self.upper_bound,
            "cells": list(self.cells),
            "must_hit_stopped_by": self.stopped_by or None,
        }
        return {name: value for name, value in document.items() if value is not None}

    def facts(self) -> list[tuple[str, str]]:
        """The same as labels and texts."""
        must_hit = _between(self.must_hit_at_least, self.must_hit, "shot")
        known = f"{must_hit}, the fewest of which one must hit"
        known += f"; {self.stopped_by}" if self.stopped_by else ""
        if self.disjoint is None or self.lower_bound is None or self.upper_bound is None:
            return [("must hit", known), ("shoot", " ".join(self.cells))]
        left = self.position.rules.fleet.cells - self.position.hit_mask.bit_count()
        misses = _between(self.lower_bound, self.upper_bound, "miss")
        shots = _between(self.lower_bound + left, self.upper_bound + left, "shot")
        return [
            ("must hit", f"{known} ({counted(self.disjoint, 'disjoint placement')})"),
            ("at worst", f"{misses}, {shots}"),
            ("shoot", " ".join(self.cells)),
        ]


def _between(low: int, high: int, noun: str) -> str:
    """Both ends of an interval, or the number that it is, with the noun.

    >>> _between(1, 1, "shot"), _between(0, 2, "miss")
    ('1 shot', '0 to 2 misses')
    """
    return counted(high, noun) if low == high else f"{low} to {counted(high, noun)}"


def open_water(
    game: Game,
    *,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[int, int], object] = lambda least, most: None,
    stop: Stop | None = None,
) -> OpenWater:
    """The fewest shots of which one must hit, and how many misses a single ship costs at worst.

    Parameters
    ----------
    game
        The game, and the shots made; the layouts of a table count as all that fit. Every answer
        mode is the same up to the next hit.
    time_limit
        Seconds after which what is known by then is returned.
    memory_limit
        GiB that counting may take, which only several ships need.
    progress
        Called often, with the interval of the fewest shots that must hit, as far as it is known.
    stop
        Called often; when it returns true, or why in words, the work ends as if by Ctrl-C, with
        what is known by then.

    Raises
    ------
    FleetError, PositionError
        If no layout fits, or all ships may be sunk, so that no shot must hit.

    Examples
    --------
    >>> water = open_water(Rules("4x4", "3"))
    >>> water.disjoint, water.must_hit, water.lower_bound, water.upper_bound
    (5, 5, 5, 5)
    >>> rules = Rules("1x13", "2,2,2", contact="sides")
    >>> open_water(Position.in_order(rules, "A1 miss, I1 miss, M1 miss")).must_hit
    2
    """
    position = position_of(game)
    rules, told, table = position.rules, constrain(position), placement_table(position.rules)
    limits, several = Limits.of(time_limit, memory_limit, stop=stop), len(rules.fleet.ships) > 1
    counter = Counter(
        position, memory_limit=memory_limit, progress=lambda row, rows: limits.require_time()
    )
    if several and not counter.count():
        raise contradiction(position) if position.shots else fleet_does_not_fit(rules)
    if several and position.hit_mask.bit_count() == rules.fleet.cells:
        raise PositionError("every ship is sunk: no shot is left that must hit")
    fixed = [frozenset(cells_of(table.own[n] & ~position.hit_mask)) for n in told.fixed]
    sure = frozenset().union(*fixed)
    if sure:  # a ship that can lie in one way only, and is not sunk
        return OpenWater(position, 1, 1, (rules.board.name(min(sure)),))
    whole = told.required if sum(told.left.values()) == 1 else 0  # one ship has every open hit
    families = {
        kind: [
            frozenset(cells_of(table.own[number] & ~position.hit_mask))
            for number in np.flatnonzero(told.allowed).tolist()
            if table.kinds[number] == kind and not whole & ~table.own[number]
        ]
        for kind, ships in told.left.items()
        if ships
    }
    if not families:
        raise PositionError("every ship is sunk: no shot is left that must hit")
    if not all(families.values()):
        raise fleet_does_not_fit(rules) if not position.shots else contradiction(position)
    if sum(told.left.values()) > 1:
        return _several(position, told, families, counter, limits, progress)
    (ships,) = families.values()
    if not all(ships):
        raise PositionError("the ship may be sunk: no shot must hit")
    return _alone(position, ships, limits, progress)


def _alone(
    position: Position,
    ships: list[Cells],
    limits: Limits,
    progress: Callable[[int, int], object],
) -> OpenWater:
    """The fewest cells of which one must be hit, and the worst case, for one ship to be found."""
    rules, occupied = position.rules, frozenset().union(*ships)
    least, least_leaving, disjoint = 1, 0, 1
    hitting = occupied  # which misses all but the cells of the ship at worst
    plans: list[Plan] = []
    ended: BaseException | None = None

    def look() -> None:
        progress(least, len(hitting))
        limits.require_time()

    try:
        through = _through(ships, rules.board.cells)
        least = disjoint = max(1, _most_disjoint(through, look))
        proven, found = _fewest(through, look, spared=0)
        least = max(least, proven)
        if (through @ found > 0).all():
            hitting = frozenset(np.flatnonzero(found).tolist())
        plans.append(_plan(ships, hitting & occupied, look))
        least_leaving, _ = _fewest(through, look, spared=1)
        for each in {*_diagonals(rules, look)} - {hitting}:
            if all(s & each for s in ships):
                plans.append(_plan(ships, each & occupied, look))
    except (LimitReached, KeyboardInterrupt) as why:
        ended = why
    if not plans:
        plans.append((len(occupied) - len(ships[0]), sorted(occupied)))
    worst, order = min(plans, key=lambda plan: (plan[0], len(plan[1]), plan[1]))
    return OpenWater(
        position,
        must_hit_at_least=least,
        must_hit=min(len(order) for _, order in plans),
        cells=tuple(map(rules.board.name, order)),
        disjoint=disjoint,
        lower_bound=min(worst, max(least - 1, least_leaving)),
        upper_bound=worst,
        interrupted=isinstance(ended, KeyboardInterrupt),
        stopped_by="" if ended is None else why_stopped(ended),
    )


def _through(sets: Sequence[Cells], cells: int) -> Any:
    """Which cells sets have: a sparse array of float64 ``(n_sets, n_cells)``, 1 or 0."""
    columns = [cell for each in sets for cell in sorted(each)]
    starts = np.cumsum([0, *map(len, sets)])
    return sparse.csr_array((np.ones(len(columns)), columns, starts), shape=(len(sets), cells))


# ------------------------------------------------------------------------------------------------
# Several ships.

DRAWN = 100
"""Layouts that are drawn at a time."""


def _several(
    position: Position,
    told: Constraints,
    families: Mapping[int, Sequence[Cells]],
    counter: Counter,
    limits: Limits,
    progress: Callable[[int, int], object],
) -> OpenWater:
    """The fewest cells of which every layout has one, for several ships still to be found."""
    cells = position.rules.board.cells
    best = frozenset(cells_of(position.rules.open_mask & ~position.shot_mask))
    least, ended = 1, None

    def look() -> None:
        progress(least, len(best))
        limits.require_time()

    try:
        for ships in families.values():
            if all(ships):
                _, found = _fewest(_through(ships, cells), look, spared=0)
                best = min(best, frozenset(np.flatnonzero(found).tolist()), key=len)
        if not told.required:
            least = _blocked_at_least(position, told, look)
        drawn, avoided = np.empty((0, cells)), Cells()
        end = time.monotonic() + SECONDS
        while least < len(best) and time.monotonic() < end:
            met = _avoiding(counter, position, avoided)
            if not len(met):
                best = avoided
                break
            if not met.any(axis=1).all():
                raise PositionError("all ships may be sunk: no shot must hit")
            drawn = np.unique(np.vstack([drawn, met]), axis=0)
            found = _whole(np.ones(cells), LinearConstraint(drawn, 1, np.inf), look)
            if found.x is None:
                break
            least = max(least, ceil((found.mip_dual_bound or 0.0) - 1e-6))
            avoided = frozenset(np.flatnonzero(np.round(found.x)).tolist())
    except (LimitReached, KeyboardInterrupt) as why:
        ended = why
    names = tuple(map(position.rules.board.name, sorted(best)))
    return OpenWater(
        position,
        min(least, len(best)),
        len(best),
        names,
        interrupted=isinstance(ended, KeyboardInterrupt),
        stopped_by="" if ended is None else why_stopped(ended),
    )


def _avoiding(counter: Counter, position: Position, avoided: Cells) -> np.ndarray:
    """Layouts without some cells, as the cells that they have and that were not hit; or none."""
    for cell in avoided:
        position = position.shoot(cell, MISS)
    table = placement_table(position.rules)
    try:
        ships = counter.at(position).sample(DRAWN, len(avoided))
    except (PositionError, FleetError):
        return np.empty((0, position.rules.board.cells))
    laid = table.covering[:, ships].any(axis=2).T.astype(float)
    laid[:, list(cells_of(position.hit_mask))] = 0
    return laid


def _blocked_at_least(position: Position, told: Constraints, look: Look) -> int:
    """How many cells a set has, at least, that every layout meets, while no hit is open.

    Ships are laid kind by kind. Weights of the placements of one kind, such that those through a
    cell weigh 1 at most together, bound from below how many cells meet all placements: their sum.
    A ship laid before forbids placements that weigh as much as its worst place forbids. The best
    weights are the solution of a linear program.
    """
    table, cells = placement_table(position.rules), position.rules.board.cells
    allowed = np.flatnonzero(told.allowed)
    kinds = np.array(table.kinds)[allowed]
    own, closed = table.covering[:, allowed].T, (table.covering | table.beside)[:, allowed].T
    least, before = cells, dict[int, int]()
    for kind, ships in told.left.items():
        if not ships:
            continue
        before |= {kind: ships - 1}
        mine = own[kinds == kind].astype(float)
        rows, forbidding = [np.hstack([mine.T, np.zeros((cells, len(before)))])], before.keys()
        for place, other in enumerate(forbidding):
            forbidden = closed[kinds == other].astype(float) @ mine.T > 0
            losses = np.zeros((len(forbidden), len(before)))
            losses[:, place] = -1
            rows.append(np.hstack([forbidden, losses]))
        inequalities = np.vstack(rows)
        right = np.repeat([1.0, 0.0], [cells, len(inequalities) - cells])
        gains = np.concatenate([-np.ones(len(mine)), np.array(list(before.values()), dtype=float)])
        found = solved(gains, look, A_ub=inequalities, b_ub=right)
        least = min(least, 0 if found.x is None else ceil(-found.fun - 1e-6))
        before[kind] = ships
    return max(least, 1)


def _most_disjoint(through: Any, look: Look) -> int:
    """How many placements without a common cell are found."""
    ships = through.shape[0]
    found = _whole(-np.ones(ships), LinearConstraint(through.T, -np.inf, 1), look)
    chosen = np.zeros(ships) if found.x is None else np.round(found.x)
    return int(chosen.sum()) if (through.T @ chosen).max(initial=0) <= 1 else 0


def _fewest(through: Any, look: Look, *, spared: int) -> tuple[int, np.ndarray]:
    """Fewest cells that leave so many placements at most: a bound from below, and such cells."""
    ships, cells = through.shape
    sparing = sparse.csr_array(np.repeat([[0.0, 1.0]], [cells, ships], axis=1))
    rows = sparse.vstack([sparse.hstack([through, sparse.eye_array(ships)]), sparing], format="csr")
    least = np.append(np.ones(ships), -np.inf)
    most = np.append(np.full(ships, np.inf), spared)
    found = _whole(np.repeat([1, 0], [cells, ships]), LinearConstraint(rows, least, most), look)
    if found.x is None:
        return 0, np.ones(cells)
    return ceil((found.mip_dual_bound or 0.0) - 1e-6), np.round(found.x[:cells])


def _whole(costs: np.ndarray, constraint: LinearConstraint, look: Look) -> Any:
    """What HiGHS finds of least cost, each number 0 or 1."""
    ones = np.ones(len(costs))
    return solved(
        costs, look, whole=True, integrality=ones, bounds=Bounds(0, 1), constraints=constraint
    )


def _diagonals(rules: Rules, look: Look) -> Iterator[Cells]:
    """Cells on diagonals that every straight ship of the length crosses."""
    board, length = rules.board, rules.fleet.cells
    for slope in range(1, length + 1):
        for start in range(length):
            look()
            yield frozenset(
                cell
                for cell in range(board.cells)
                if (cell // board.columns + slope * (cell % board.columns)) % length == start
            )


Plan = tuple[int, list[int]]
"""Misses in the worst case, and the order of shots until one hits."""


def _plan(ships: list[Cells], hitting: Cells, look: Look) -> Plan:
    """Worst case of a strategy that shoots a set of cells until it hits, and its order.

    The last shot is one after whose hit least is missed, and so on backwards: what a hit leaves
    depends on the shots before it alone.
    """
    order: list[int] = []
    worst = 0
    unshot = [set(ship & hitting) for ship in ships]  # the cells of each that are not in the order
    through: dict[int, list[int]] = {cell: [] for cell in hitting}
    alone: dict[int, set[Cells]] = {cell: set() for cell in hitting}  # ships with no other left
    for number, cells in enumerate(unshot):
        for cell in cells:
            through[cell].append(number)
        if len(cells) == 1:
            alone[min(cells)].add(ships[number])
    after = {cell: _worst_after(frozenset(alone[cell])) for cell in sorted(hitting)}
    while after:
        look()
        cell = min(after, key=lambda cell: (after[cell], cell))
        worst = max(worst, len(after) - 1 + after.pop(cell))
        order.insert(0, cell)
        for number in through[cell]:
            unshot[number].discard(cell)
            if len(unshot[number]) == 1:
                (last,) = unshot[number]
                alone[last].add(ships[number])
                after[last] = _worst_after(frozenset(alone[last]))
    return worst, order


@lru_cache(maxsize=4096)
def _worst_after(ships: frozenset[Cells]) -> int:
    """Least misses at worst to tell some placements apart; shots at water are left out."""
    if len(ships) <= 1:
        return 0
    split = {frozenset(s for s in ships if cell in s) for ship in ships for cell in ship}
    return min(
        max(_worst_after(hit), 1 + _worst_after(ships - hit)) for hit in split if hit != ships
    )
