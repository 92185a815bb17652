"""Limits of arguments: wrong values are rejected in one line; their types are the type checker's.

Positions and layouts number their cells and ships, so those of another game would silently be taken
for different ones, and kernels would read outside of their tables: these are rejected, too.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import LayoutError, PositionError, SeabattleError, quoted
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

MOST_GIB = 1e6
"""No limit of memory is higher."""


def require_position(position: Position, rules: Rules) -> None:
    """Reject a position of other rules.

    Raises
    ------
    PositionError
        Names the game that it is of.
    """
    if position.rules is not rules and position.rules != rules:
        raise PositionError(
            f"the position is of another game: of {position.rules!r}, not of {rules!r}"
        )


def require_placements(
    layouts: NDArray[np.integer[Any]], rules: Rules, name: str = "layouts"
) -> None:
    """Reject what are not placement numbers of this game, integers ``(games, ships)``.

    Raises
    ------
    LayoutError
        If the shape or a number is wrong; says what would be right.
    """
    ships, placements = len(rules.fleet.lengths), len(placement_table(rules).placements)
    if layouts.ndim != 2 or layouts.shape[1] != ships:
        raise LayoutError(
            f"{name} of shape {layouts.shape}: give an array (games, {ships}) of placement numbers"
        )
    require_numbers(f"{name} with placement", layouts, placements)


def require_numbers(name: str, value: NDArray[np.integer[Any]], count: int) -> None:
    """Reject numbers that are not from 0 to below a count: negative ones count from the end.

    Raises
    ------
    LayoutError
        Names the number.
    """
    for number in (int(value.min()), int(value.max())) if value.size else ():
        if not 0 <= number < count:
            raise LayoutError(f"{name} {number}: numbers are 0 to {count - 1} here")


def require_whole(name: str, value: int, least: int | None = None, most: int | None = None) -> int:
    """The value as an integer, also of a numpy type, if it is not below or above what is allowed.

    Raises
    ------
    SeabattleError
        If it is; names the limit.
    """
    number = index(value)
    if least is not None and number < least:
        raise SeabattleError(f"{name} {quoted(number)}: must be {least} or above")
    if most is not None and number > most:
        raise SeabattleError(f"{name} {quoted(number)}: must be {most:,} or below")
    return number


def require_number(name: str, value: float, unit: str, *, zero: bool = True) -> float:
    """The value, which counts a unit such as ``seconds``, if it is above 0, or 0 where that does.

    Raises
    ------
    SeabattleError
        If it is too small, or not a number (NaN).
    """
    if value > 0 or (zero and value == 0):
        return value
    right = ", 0 or above" if zero else " above 0"
    raise SeabattleError(f"{name} {value:g}: must be a number of {unit}{right}")


def require_memory(value: float, *, zero: bool = True) -> float:
    """A memory limit in GiB; one that no machine has is as good as a million.

    Raises
    ------
    SeabattleError
        If it is below 0 or not a number (NaN), or 0 where that leaves nothing to work with.
    """
    return min(require_number("memory_limit", value, "GiB", zero=zero), MOST_GIB)
