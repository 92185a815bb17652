"""Layouts drawn by laying ships at random, on boards too large to count.

Every ship is laid on an allowed placement at random, each equally likely, beginning anew where two
are in each other's way. Every layout is then met in the same number of ways, one for each order of
its equal ships, so all are equally likely. Cells that must be occupied are covered first: of all
sets of placements that cover them, one is drawn by the number of ways in which the other ships can
be laid, which for a ship of a kind with ``a`` placements and ``m`` ships is ``m / a`` times as many
as without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.deductions import constrain, contradiction
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.placements import PlacementTable, placement_table, ways_to_cover
from seabattle.enumerate.position import Position

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
    rules, constraints = position.rules, constrain(position)
    table, left = placement_table(rules), {k: n for k, n in constraints.left.items() if n}
    allowed = np.where(constraints.allowed, table.kinds, 0)
    of_kind = {kind: np.flatnonzero(allowed == kind) for kind in left}
    if any(len(of_kind[kind]) < number for kind, number in left.items()):
        raise contradiction(position) if position.shots else fleet_does_not_fit(rules)
    covers = ways_to_cover(table, constraints.required, left, of_kind)
    if not covers:
        raise contradiction(position)
    weights = np.array([weight for _, _, weight in covers])
    weights /= weights.sum()
    found = np.empty((count, sum(left.values())), dtype=np.int64)
    for row in found:
        for _ in range(MOST_TRIES):
            covering, others, _ = covers[int(rng.choice(len(covers), p=weights))]
            free = [of_kind[kind] for kind, number in others.items() for _ in range(number)]
            if (ships := _laid(table, covering, free, rng)) is not None:
                row[:] = ships
                break
        else:
            raise TooLargeError(
                f"board {rules.board} with fleet {rules.fleet}: no layout that fits was met in "
                f"{MOST_TRIES:,} tries"
            )
    return constraints.whole(found)


def _laid(
    table: PlacementTable,
    ships: tuple[int, ...],
    free: list[NDArray[np.int64]],
    rng: np.random.Generator,
) -> tuple[int, ...] | None:
    """Some ships and one more of each of some sets; None if two are in each other's way."""
    taken = 0
    for ship in ships:
        taken |= table.closed[ship]
    for possible in free:
        ship = int(possible[rng.integers(len(possible))])
        if table.own[ship] & taken:
            return None
        taken |= table.closed[ship]
        ships = (*ships, ship)
    return ships
