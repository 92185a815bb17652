"""Boards too large to count: layouts drawn by placing ships, and the map of ships taken one by one.

A layout is drawn by laying every ship on an allowed placement at random, each equally likely, and
beginning anew where two are in each other's way. Every layout is then met in the same number of
ways, one for each order of its equal ships, so all are equally likely. Cells that must be occupied
are covered first: of all sets of placements that cover them, one is drawn by the number of ways in
which the other ships can be laid, which for a ship of a kind with ``a`` placements and ``m`` ships
is ``m / a`` times as many as without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.deductions import (
    constrain,
    contradiction,
)
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.placements import PlacementTable, placement_table
from seabattle.enumerate.position import Position

MOST_TRIES = 200_000
"""So often a layout is begun anew at most."""

MOST_COVERS = 20_000
"""Sets of placements that cover the hits are listed up to so many."""

Cover = tuple[tuple[int, ...], dict[int, int], float]
"""Placements, the ships left by kind, and the weight of choosing them."""


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
    rules = position.rules
    constraints = constrain(position)
    table = placement_table(rules)
    masks, halos, kinds = table.own, table.closed, np.array(table.kinds)
    allowed = constraints.allowed.astype(np.bool_)
    of_kind = {k: np.flatnonzero(allowed & (kinds == k)) for k, n in constraints.left.items() if n}
    if any(len(of_kind[kind]) < number for kind, number in constraints.left.items() if number):
        raise contradiction(position) if position.shots else fleet_does_not_fit(rules)
    covers = ways_to_cover(table, constraints.required, constraints.left, of_kind)
    if not covers:
        raise contradiction(position)
    weights = np.array([weight for _, _, weight in covers])
    found = np.empty((count, sum(constraints.left.values())), dtype=np.int64)
    for row in found:
        for _ in range(MOST_TRIES):
            chosen, left, _ = covers[int(rng.choice(len(covers), p=weights / weights.sum()))]
            ships = list(chosen)
            taken = 0
            for ship in ships:
                taken |= halos[ship]
            for kind in (kind for kind, number in left.items() for _ in range(number)):
                ship = int(of_kind[kind][rng.integers(len(of_kind[kind]))])
                if masks[ship] & taken:
                    break
                taken |= halos[ship]
                ships.append(ship)
            else:
                row[:] = ships
                break
        else:
            raise TooLargeError(
                f"board {rules.board} with fleet {rules.fleet}: no layout that fits was met in "
                f"{MOST_TRIES:,} tries"
            )
    return constraints.whole(found)


def ways_to_cover(
    table: PlacementTable, cells: int, left: dict[int, int], of_kind: dict[int, NDArray[np.int64]]
) -> list[Cover]:
    """All ways to cover some cells by ships that keep apart, each with its weight.

    Parameters
    ----------
    table
        The placements of the game.
    cells
        Mask of the cells.
    left
        How many ships of each kind there are.
    of_kind
        The placements that each kind may have.

    Raises
    ------
    TooLargeError
        If there are too many ways.
    """
    done: list[Cover] = []
    open_covers: list[tuple[int, int, Cover]] = [(cells, 0, ((), left, 1.0))]
    while open_covers:
        rest, taken, (chosen, left, weight) = open_covers.pop()
        if not rest:
            done.append((chosen, left, weight))
        if len(done) + len(open_covers) > MOST_COVERS:
            raise TooLargeError("hits can be covered in too many ways: tell which ships are sunk")
        cell = next(cells_of(rest), -1)
        for kind, number in left.items() if rest else ():
            ways = of_kind[kind] if number else ()
            for ship in map(int, ways):
                own = table.own[ship]
                if own >> cell & 1 and not own & taken:
                    share = weight * number / len(of_kind[kind])
                    fewer = left | {kind: number - 1}
                    cover = ((*chosen, ship), fewer, share)
                    open_covers.append((rest & ~own, taken | table.closed[ship], cover))
    return done


def chances_alone(position: Position) -> tuple[float, ...]:
    """How likely each cell is occupied if ships are taken one by one, as if alone on the board.

    A cell's chance is that of at least one ship on it, each ship being on any of its allowed
    placements with equal chance. Beside a hit whose ship is not known it is at least the share of
    the placements over the hit that cover the cell.

    >>> from seabattle.enumerate.rules import Rules
    >>> [round(chance, 3) for chance in chances_alone(Position(Rules("1x4", "2")))]
    [0.333, 0.667, 0.667, 0.333]
    """
    rules, constraints = position.rules, constrain(position)
    table, allowed = placement_table(rules), constraints.allowed.astype(np.bool_)
    free, kinds = np.ones(rules.board.cells), np.array(table.kinds)
    for kind, ships in constraints.left.items():
        those = table.covering[:, allowed & (kinds == kind)]
        if ships and those.shape[1]:
            free *= (1 - those.mean(axis=1)) ** ships
    chances = 1 - free
    for hit in cells_of(constraints.required):
        over_hit = table.covering[:, allowed & (table.covering[hit] > 0)]
        chances = np.maximum(chances, over_hit.mean(axis=1))
    for ship in constraints.fixed:
        chances[list(table.placements[ship].cells)] = 1.0
    return tuple(float(chance) for chance in chances)
