"""A hidden layout that answers shots by the rules."""

from __future__ import annotations

from collections.abc import Iterable

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
    kernel_mode,
)
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules


class HiddenGame:
    """One hidden layout being shot at: answers by the rules.

    Parameters
    ----------
    rules
        The game.
    numbers
        Placement numbers of the hidden layout.
    before
        Pairs (cell, answer code) that count as shot already; the answers are worked out anew.
    """

    def __init__(
        self, rules: Rules, numbers: tuple[int, ...], before: Iterable[tuple[int, int]] = ()
    ) -> None:
        self.rules = rules
        placements = [placement_table(rules).placements[n] for n in numbers]
        self.ships = [p.mask for p in placements]
        self.lengths = [p.length for p in placements]
        self.occupied = 0
        for mask in self.ships:
            self.occupied |= mask
        self.shot = 0
        self.names: dict[int, int] = {}
        self.shots: list[tuple[int, int]] = []
        for cell, _ in before:
            self._answer(cell)

    def _answer(self, cell: int) -> int:
        bit = 1 << cell
        self.shot |= bit
        hit = next((d for d, mask in enumerate(self.ships) if mask & bit), None)
        if hit is None:
            return MISS
        mode = kernel_mode(self.rules)
        length = self.lengths[hit]
        if mode == KERNEL_SHIP:
            equal = [d for d in self.names if self.lengths[d] == length]
            return HIT_SHIP + 64 * length + self.names.setdefault(hit, len(equal) + 1)
        if mode == KERNEL_HIT or self.ships[hit] & ~self.shot:
            return HIT
        return SUNK if mode == KERNEL_SUNK else SUNK_LENGTH + length

    def shoot(self, cell: int) -> int:
        """Answer code of a shot, which is recorded."""
        code = self._answer(cell)
        self.shots.append((cell, code))
        return code

    def left(self) -> list[int]:
        """Occupied cells not yet shot, in reading order."""
        return list(cells_of(self.occupied & ~self.shot))
