"""Least sets that meet every one of some sets; sets are masks."""

from __future__ import annotations

from collections.abc import Iterable

STEPS = 20_000


def least_hitting_set(sets: Iterable[int], below: int, *, steps: int = STEPS) -> int | None:
    """A set of least size that has an element of each set, if it is smaller than a bound.

    Parameters
    ----------
    sets
        Masks, none empty.
    below
        The set has fewer elements than this.
    steps
        Most branches that are looked at.

    Returns
    -------
    chosen
        A mask; None if no set is that small.

    Raises
    ------
    TimeoutError
        If it took more steps.

    Examples
    --------
    >>> bin(least_hitting_set([0b011, 0b110, 0b101], 3))
    '0b11'
    >>> least_hitting_set([0b01, 0b10], 2) is None
    True
    """
    found = _Found(below, steps)
    found.look(_minimal(sets), 0, 0)
    return found.best


def _minimal(sets: Iterable[int]) -> list[int]:
    """Sets without those that contain another, smallest first."""
    kept: list[int] = []
    for mask in sorted(set(sets), key=lambda mask: (mask.bit_count(), mask)):
        if not any(other & ~mask == 0 for other in kept):
            kept.append(mask)
    return kept


class _Found:
    """The best set so far of a search by branch and bound."""

    def __init__(self, below: int, steps: int) -> None:
        self.below = below
        self.steps = steps
        self.best: int | None = None

    def look(self, sets: list[int], chosen: int, banned: int) -> None:
        """Complete a choice without the elements that are banned."""
        self.steps -= 1
        if self.steps < 0:
            raise TimeoutError
        if not sets:
            self.best, self.below = chosen, chosen.bit_count()
            return
        if chosen.bit_count() + _disjoint(sets, banned) >= self.below:
            return
        branch = min((mask & ~banned for mask in sets), key=int.bit_count)
        while branch:
            element = 1 << branch.bit_length() - 1
            branch ^= element
            left = [mask for mask in sets if not mask & element]
            self.look(left, chosen | element, banned)
            banned |= element


def _disjoint(sets: list[int], banned: int) -> int:
    """A number of sets of which no two share an element: each needs one of its own."""
    taken = number = 0
    for mask in sorted((mask & ~banned for mask in sets), key=int.bit_count):
        if not mask & taken:
            taken |= mask
            number += 1
    return number
