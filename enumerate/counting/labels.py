"""The number of layouts when identical ships are told apart, except those known to be sunk."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT_SHIP, SUNK, SUNK_LENGTH, is_sunk
from seabattle.enumerate.board import mask_of
from seabattle.enumerate.deductions import Constraints, constrain, hit_group
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules

Count = Callable[[Constraints], int]
"""Number of layouts that satisfy some constraints."""


def labelled_layouts(position: Position, total: int, count: Count) -> int:
    """Number of layouts when identical ships not known to be sunk are told apart.

    Parameters
    ----------
    position
        What is known.
    total
        The number of layouts that fit.
    count
        Counts the layouts under constraints; called only if the length of a sunk ship is unknown.
    """
    rules = position.rules
    left = dict(rules.fleet.counts)
    unsure: list[int] = []
    if rules.answers is AnswerMode.SHIP:
        for code in {code for _, code in position.shots if code >= HIT_SHIP}:
            length = (code - HIT_SHIP) // 64
            left[length] -= sum(c == code for _, c in position.shots) == length
    elif rules.answers is AnswerMode.SUNK:
        for cell, code in position.shots:
            if code >= SUNK_LENGTH:
                left[code - SUNK_LENGTH] -= 1
            elif is_sunk(code) and rules.contact is not Contact.SIDES:
                group = hit_group(rules.board, position.hit_mask, cell)
                left[group.bit_count()] -= 1
            elif code == SUNK:
                unsure.append(cell)
    if not unsure:
        return total * _rearrangements(left)
    return _ways(rules, constrain(position, propagate=False), unsure, left, count)


def known_sunk(position: Position) -> NDArray[np.bool_]:
    """Where a ship would be known to be sunk: bool ``(n_placements,)``."""
    placements = placement_table(position.rules).placements
    if position.rules.answers is AnswerMode.SHIP:
        hit = position.hit_mask
        return np.array([ship.mask & ~hit == 0 for ship in placements])
    sunk = mask_of(cell for cell, code in position.shots if is_sunk(code))
    return np.array([ship.mask & sunk != 0 for ship in placements])


def _ways(
    rules: Rules, constraints: Constraints, unsure: list[int], left: dict[int, int], count: Count
) -> int:
    """Sum over the possible lengths of the sunk ships whose length is unknown."""
    if not unsure:
        return count(constraints) * _rearrangements(left)
    table = placement_table(rules)
    covers = np.array([p.mask >> unsure[0] & 1 for p in table.placements], dtype=np.uint8)
    lengths = np.array([p.length for p in table.placements])
    total = 0
    for length, ships in left.items():
        if ships == 0:
            continue
        allowed = constraints.allowed * (1 - covers * (lengths != length)).astype(np.uint8)
        if (allowed & covers).any():
            total += _ways(
                rules,
                Constraints(allowed, constraints.required, constraints.left, ()),
                unsure[1:],
                {**left, length: ships - 1},
                count,
            )
    return total


def _rearrangements(left: dict[int, int]) -> int:
    """Ways to permute identical ships among those left."""
    product = 1
    for ships in left.values():
        product *= factorial(max(0, ships))
    return product
