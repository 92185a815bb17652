"""One layout of allowed placements that occupies some cells, or the proof that there is none.

Sets of placements are masks with bit ``i`` for placement ``i``. A placement is *supported* if,
beside it, every required cell can still be occupied and every ship of the fleet still be placed;
placements without support are struck out until all have it. Then a search puts down ships, first
where there is least choice. Most questions end within a few steps.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.deductions import placement_masks
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

Layout = tuple[int, ...]


class GivenUpError(Exception):
    """The search took more steps than it may."""


@dataclass(frozen=True)
class Neighbourhood:
    """Which placements go together.

    Attributes
    ----------
    covering
        For every cell the placements that occupy it.
    beside
        For every placement the other placements that can stand with it.
    of_kind
        For every length of the fleet its placements.
    cells
        For every placement the mask of its cells.
    """

    covering: tuple[int, ...]
    beside: tuple[int, ...]
    of_kind: dict[int, int]
    cells: tuple[int, ...]


@lru_cache(maxsize=16)
def neighbourhood(rules: Rules) -> Neighbourhood:
    """Which placements of a game go together."""
    masks, halos, _ = placement_masks(rules)
    kinds = placement_table(rules).kinds
    covering = [0] * rules.board.cells
    of_kind = dict.fromkeys(rules.fleet.kind_counts, 0)
    for i, (mask, kind) in enumerate(zip(masks, kinds, strict=True)):
        of_kind[kind] |= 1 << i
        for cell in cells_of(mask):
            covering[cell] |= 1 << i
    everything = (1 << len(masks)) - 1
    beside = []
    for i, halo in enumerate(halos):
        near = 1 << i
        for cell in cells_of(halo):
            near |= covering[cell]
        if rules.fleet.kind_counts[kinds[i]] == 1:
            near |= of_kind[kinds[i]]
        beside.append(everything & ~near)
    return Neighbourhood(tuple(covering), tuple(beside), of_kind, masks)


def supported(rules: Rules, allowed: int, required: int) -> int | None:
    """Those allowed placements that have support.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    allowed
        Mask of placements.
    required
        Mask of the cells that have to be occupied.

    Returns
    -------
    left
        Mask of placements; None if this shows that there is no layout.
    """
    near = neighbourhood(rules)
    covers = [near.covering[cell] for cell in cells_of(required)]
    fleet = [(near.of_kind[kind], count) for kind, count in rules.fleet.kind_counts.items()]
    while True:
        if not all(cover & allowed for cover in covers):
            return None
        if any((of & allowed).bit_count() < count for of, count in fleet):
            return None
        if _too_few_ships(fleet, [cover & allowed for cover in covers]):
            return None
        left = allowed
        for ship in cells_of(allowed):
            with_it = left & near.beside[ship] | 1 << ship
            if not all(cover & with_it for cover in covers) or any(
                (of & with_it).bit_count() < count for of, count in fleet
            ):
                left &= ~(1 << ship)
        if left == allowed:
            return allowed
        allowed = left


def _too_few_ships(fleet: list[tuple[int, int]], covers: list[int]) -> bool:
    """Whether required cells need more ships of some lengths than the fleet has.

    Cells of which no two are occupied by one placement need a ship each, of a length that can
    occupy the cell.
    """
    apart: list[int] = []
    for cover in sorted(covers, key=int.bit_count):
        if not any(cover & other for other in apart):
            apart.append(cover)
    choices = [frozenset(i for i, (of, _) in enumerate(fleet) if of & cover) for cover in apart]
    return any(
        sum(choice <= lengths for choice in choices) > sum(fleet[i][1] for i in lengths)
        for lengths in {*choices, frozenset().union(*choices)}
    )


class LayoutSearch:
    """A search for one layout.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    required
        Mask of the cells that have to be occupied.
    cost
        For every placement how unwelcome it is; the cheapest is tried first.
    steps
        Most placements that are tried.
    """

    def __init__(self, rules: Rules, required: int, *, cost: Sequence[int], steps: int) -> None:
        self.near = neighbourhood(rules)
        self.counts = rules.fleet.kind_counts
        self.kinds = placement_table(rules).kinds
        self.required = required
        self.cost = cost
        self.left = steps
        self._random = random.Random(0)

    def find(self, allowed: int) -> Layout | None:
        """A layout of allowed placements, or None if there is none.

        Raises
        ------
        GivenUpError
            If that took too many steps.
        """
        return self._go(allowed, self.required, dict(self.counts), ())

    def _go(
        self, allowed: int, required: int, left: dict[int, int], ships: Layout
    ) -> Layout | None:
        if not left:
            return None if required else ships
        options = self._least_choice(allowed, required, left)
        order = list(cells_of(options))
        self._random.shuffle(order)
        order.sort(key=self.cost.__getitem__)
        for ship in order:
            if self.left <= 0:
                raise GivenUpError
            self.left -= 1
            allowed &= ~(1 << ship)  # what comes later has no layout with it
            kind = self.kinds[ship]
            fewer = {**left, kind: left[kind] - 1}
            rest = allowed & self.near.beside[ship]
            if not fewer[kind]:
                del fewer[kind]
                rest &= ~self.near.of_kind[kind]
            found = self._go(rest, required & ~self.near.cells[ship], fewer, (*ships, ship))
            if found is not None:
                return found
        return None

    def _least_choice(self, allowed: int, required: int, left: dict[int, int]) -> int:
        """Placements of which the layout has at least one, as few as there are; 0 if it fails."""
        best, fewest = 0, None
        for cell in cells_of(required):
            options = allowed & self.near.covering[cell]
            if fewest is None or options.bit_count() < fewest:
                best, fewest = options, options.bit_count()
        for kind, count in left.items():
            options = allowed & self.near.of_kind[kind]
            choice = options.bit_count()
            if choice < count:
                return 0
            if not required and (fewest is None or choice < fewest):
                best, fewest = options, choice
        return best
