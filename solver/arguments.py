"""Arguments that the public functions of this room refuse before they begin, each in one line.

Games and positions are objects, and a position counts cells by number: one of another board would
be taken for something else without a word.
"""

from __future__ import annotations

from operator import index

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import LayoutError, PositionError, RulesError, SeabattleError
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules


def require_rules(rules: object) -> None:
    """Refuse what is no game's rules.

    >>> require_rules("5x5")
    Traceback (most recent call last):
    seabattle.enumerate.errors.RulesError: rules '5x5': give Rules, as in Rules('5x5', '3,2,1')
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"rules {shown(rules)}: give Rules, as in Rules('5x5', '3,2,1')")


def require_position(position: object, rules: Rules | None = None) -> None:
    """Refuse what is no position, or one of other rules than these.

    Raises
    ------
    PositionError
        Says what was given, and what would be right.
    """
    if not isinstance(position, Position):
        raise PositionError(
            f"position {shown(position)}: give a Position, as in "
            f"Position.in_order(rules, 'C3 miss')"
        )
    if rules is not None and position.rules is not rules and position.rules != rules:
        raise PositionError(
            f"the position is of another game: of {position.rules!r}, not of {rules!r}"
        )


def require_placements(layouts: NDArray[np.uint16], rules: Rules) -> None:
    """Refuse what are no placement numbers of this game: the kernels would read beside tables.

    Raises
    ------
    LayoutError
        Says what would be right.
    """
    if not isinstance(layouts, np.ndarray) or not np.issubdtype(layouts.dtype, np.integer):
        raise LayoutError(f"layouts {shown(layouts)}: give an array of placement numbers")
    ships, placements = len(rules.fleet.lengths), len(placement_table(rules).placements)
    if layouts.ndim != 2 or layouts.shape[1] != ships:
        raise LayoutError(
            f"layouts of shape {layouts.shape}: give an array (games, {ships}) of placement numbers"
        )
    for number in (int(layouts.min()), int(layouts.max())) if len(layouts) else ():
        if not 0 <= number < placements:
            raise LayoutError(
                f"layouts with placement {number}: numbers are 0 to {placements - 1} here"
            )


def require_whole(name: str, value: object, least: int | None = None) -> None:
    """Refuse what is no whole number, or one below ``least``.

    Raises
    ------
    SeabattleError
        Says the name and what would be right.
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise SeabattleError(f"{name} {shown(value)}: must be a whole number") from None
    if least is not None and number < least:
        raise SeabattleError(f"{name} {number}: must be {least} or above")


def shown(value: object) -> str:
    """An argument as a message can show it: one line, and a short one."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
