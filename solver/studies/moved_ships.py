"""Misses beside ships: two layouts that differ by one ship moved a little cost a miss.

Let two layouts agree in all ships but one, which lies on s in the first and on s' in the second,
and let each cell of s that is not in s' be one where s' forbids ships, and the other way round.
Every strategy plays both layouts alike until it first shoots a cell that only one of s and s'
has. That shot hits in one layout and misses in the other, *beside the ship there*, on a cell that
the ship forbids to all others. So of the pairs of layouts of this kind each costs a miss.

A miss of a layout on a cell x can pay for several pairs, those of all s that contain x. Pairs
therefore get *weights* such that the pairs that one miss can pay for weigh 1 at most together; the
weights of all pairs then add up to a lower bound on the misses beside ships, summed over all
layouts. The best weights are the solution of a linear program. What it finds in floating-point
numbers becomes fractions, and these are made smaller where they are too large for a miss, so that
the bound is exact whatever the program found.

A cell of s that is not in s' can be forbidden in the second layout by no other ship than s', since
all others are in the first layout, too. So no miss is counted for two ships.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from operator import mul
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.placements import placement_table, placements_of_length
from seabattle.enumerate.rules import Contact, Fleet, Rules

PARTS = 60
"""Weights are rounded to fractions whose denominators are at most so large."""


class Move(NamedTuple):
    """Two placements of a ship, as masks, the smaller first."""

    one: int
    other: int

    @property
    def misses(self) -> list[tuple[int, int]]:
        """The misses that can pay for the pair: the ship that is there, and the cell shot."""
        found = [(self.one, cell) for cell in cells_of(self.other & ~self.one)]
        return found + [(self.other, cell) for cell in cells_of(self.one & ~self.other)]


def moves(rules: Rules, length: int) -> list[Move]:
    """All pairs of placements of one length that cost a miss, in no particular order.

    >>> [len(moves(Rules("3x3", "2", contact=contact), 2)) for contact in ("corners", "sides")]
    [30, 0]
    """
    if rules.contact is Contact.SIDES:  # ships forbid nothing but their own cells
        return []
    ships = placements_of_length(rules.board, length)
    halos = [(ship.mask, ship.halo(rules.contact)) for ship in ships]
    return [
        Move(*sorted((mask, other)))
        for i, (mask, halo) in enumerate(halos)
        for other, other_halo in halos[:i]
        if not other & ~halo and not mask & ~other_halo
    ]


def beside_ships(rules: Rules, length: int, progress: Callable[[], None] | None = None) -> Fraction:
    """A lower bound on the misses beside the ships of one length, summed over all layouts.

    Parameters
    ----------
    rules
        The game, in any answer mode.
    length
        A length of the fleet.
    progress
        Called after each count.

    Examples
    --------
    >>> beside_ships(Rules("1x4", "2"), 2)  # each of A1:B1, B1:C1, C1:D1 and the next
    Fraction(2, 1)
    """
    count = _rest_counter(rules, length)
    groups, layouts = [], []
    for group in _images(rules, moves(rules, length)):
        each = count(group[0])
        if progress is not None:
            progress()
        if each:
            groups.append(group)
            layouts.append(each * len(group))
    return sum(map(mul, _weights(groups, layouts), layouts), start=Fraction(0))


def _weights(groups: list[list[Move]], layouts: list[int]) -> list[Fraction]:
    """A weight for each group of pairs such that no miss pays for more than weight 1."""
    if not groups:
        return []
    rows: dict[tuple[int, int], int] = {}
    pays: list[dict[int, int]] = []  # for every miss, how many pairs of each group it pays for
    for number, group in enumerate(groups):
        for miss in chain.from_iterable(move.misses for move in group):
            at = rows.setdefault(miss, len(rows))
            if at == len(pays):
                pays.append({})
            pays[at][number] = pays[at].get(number, 0) + 1
    uses = np.zeros((len(pays), len(groups)))
    for at, paid in enumerate(pays):
        for number, pairs in paid.items():
            uses[at, number] = pairs
    gains = np.array(layouts, dtype=float)
    uses = np.unique(uses, axis=0)
    found = linprog(-gains / gains.max(), A_ub=uses, b_ub=np.ones(len(uses)), method="highs-ds")
    if found.x is None:  # no weights are always right
        return [Fraction(0)] * len(groups)
    weights = [Fraction(max(0.0, float(x))).limit_denominator(PARTS) for x in found.x]
    most = max(sum(weights[number] * pairs for number, pairs in paid.items()) for paid in pays)
    return [weight / max(most, 1) for weight in weights]


def _images(rules: Rules, pairs: list[Move]) -> list[list[Move]]:
    """The pairs, those together that symmetries of the board map to each other."""
    left = set(pairs)
    groups = []
    for pair in sorted(pairs):
        if pair in left:
            group = {
                Move(*sorted(mask_of(image[cell] for cell in cells_of(ship)) for ship in pair))
                for image in rules.board.symmetries
            }
            left -= group
            groups.append(sorted(group))
    return groups


def _rest_counter(rules: Rules, length: int) -> Callable[[Move], int]:
    """Counts the layouts of all other ships that leave room for both placements of a pair."""
    lengths = list(rules.fleet.lengths)
    lengths.remove(length)
    if not lengths:
        return lambda move: 1
    rest = Rules(rules.board, Fleet(lengths), contact=rules.contact, answers="hit")
    counter = Counter(rest)
    halos = {s.mask: s.halo(rules.contact) for s in placements_of_length(rules.board, length)}
    masks = [ship.mask for ship in placement_table(rest).placements]

    def count(move: Move) -> int:
        taken = halos[move.one] | halos[move.other]
        allowed = np.array([mask & taken == 0 for mask in masks], dtype=np.uint8)
        return counter.count_under(Constraints(allowed, 0, dict(rest.fleet.counts), ()))

    return count
