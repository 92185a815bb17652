"""Which layouts fit a position: those that would have given all of its answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.deductions import check_answers, contradiction, placement_masks
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.layouts.enumeration import Layouts


def fitting(position: Position, layouts: Layouts) -> NDArray[np.uint8]:
    """Which of some layouts would have given the answers of a position.

    Each placement either may be there or may not, and the ships of a layout together have to
    cover every hit (see ``seabattle.enumerate.game.deductions``).

    Parameters
    ----------
    position
        The answers.
    layouts
        Layouts of the same game, not necessarily all of them.

    Returns
    -------
    keep
        uint8 ``(n_layouts,)``: 1 where the layout fits, else 0.

    Raises
    ------
    PositionError
        If none of them fits.

    Examples
    --------
    >>> from seabattle.enumerate.game.rules import Rules
    >>> from seabattle.enumerate.layouts.enumeration import enumerate_layouts
    >>> rules = Rules("3x3", "3,1,1")
    >>> fitting(Position(rules).shoot("B1", "miss"), enumerate_layouts(rules)).tolist()
    [0, 1, 1, 1]
    """
    return fitting_ships(position, layouts.ships)


def fitting_ships(position: Position, ships: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """As ``fitting``, of layouts given as placement numbers: uint16 ``(n_layouts, n_ships)``.

    Raises
    ------
    PositionError
        If none of them fits.
    """
    if not position.shots:
        return np.ones(len(ships), dtype=np.uint8)
    allowed = check_answers(position)
    hit = position.hit_mask
    masks, _, _ = placement_masks(position.rules)
    hits = np.array([(mask & hit).bit_count() for mask in masks], dtype=np.int16)
    met = np.zeros(len(ships), dtype=np.int16)
    keep = np.ones(len(ships), dtype=np.uint8)
    for ship in ships.T:
        met += hits[ship]
        keep &= allowed[ship]
    keep &= (met == hit.bit_count()).astype(np.uint8)
    if not keep.any():
        raise contradiction(position)
    return keep
