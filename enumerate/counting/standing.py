"""Whether some claims of a position can stand together: whether one layout meets them all.

In modes ``hit`` and ``sunk`` claims allow or forbid single placements and require cells. In mode
``ship`` they also say in which order equal ships were first hit: a *schedule* gives the first shots
at the numbered ships, and under each schedule claims are about single placements again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from seabattle.enumerate.answers import HIT_SHIP
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.claims import Claims
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.one_layout import (
    GivenUpError,
    Layout,
    LayoutSearch,
    neighbourhood,
    supported,
)
from seabattle.enumerate.deductions import Constraints, placement_masks
from seabattle.enumerate.rules import AnswerMode

STEPS = 2_000
"""Placements tried to find a layout before layouts are counted."""

IMPOSSIBLE = -1
"""What a layout fails that no numbering of its ships makes right: every claim."""

Schedule = dict[int, tuple[int, ...]]
"""For every length shots at its ships: the first at each, or some at those without a claim."""


class Standing:
    """Answers which claims of a position can stand together.

    Parameters
    ----------
    claims
        The claims.
    memory_limit
        GiB for counting.
    patience
        How many times as long as usual a layout is searched for before layouts are counted.

    Attributes
    ----------
    counts
        How often layouts had to be counted.
    """

    def __init__(self, claims: Claims, *, memory_limit: float = 4.0, patience: int = 1) -> None:
        self.claims = claims
        self.rules = claims.rules
        self.memory_limit = memory_limit
        self.patience = patience
        self.counts = 0
        self._named = self.rules.answers is AnswerMode.SHIP
        self._lengths = placement_masks(self.rules)[2]
        self._cost = [min(way.bit_count() for way in ways) for ways in claims.against]
        self._failing: list[int] = []
        self._refuted: dict[int, bool] = {}
        self._counter: Counter | None = None

    def failing(self, kept: int) -> int | None:
        """The other claims that fail in some layout that meets those kept; None if none does.

        Parameters
        ----------
        kept
            Mask of claims.
        """
        for failing in self._failing:
            if failing & kept == 0:
                return failing
        if self.refuted(kept):
            return None
        return self._failing_in_named(kept) if self._named else self._failing_in(kept)

    def stands(self, kept: int) -> bool:
        """Whether a layout meets all of some claims, given as a mask."""
        return self.failing(kept) is not None

    def refuted(self, kept: int) -> bool:
        """Whether looking at pairs of placements shows that some claims cannot stand together."""
        known = self._refuted.get(kept)
        if known is None:
            found = supported(self.rules, self._allowed(kept), self.claims.required(kept))
            known = self._refuted[kept] = found is None
        return known

    def _allowed(self, kept: int) -> int:
        """Mask of the placements that claims do not rule out, each by itself."""
        return mask_of(
            i for i, ways in enumerate(self.claims.against) if any(way & kept == 0 for way in ways)
        )

    def _failing_in(self, kept: int) -> int | None:
        return self._solve(kept, self._allowed(kept), self.claims.required(kept))

    def _solve(self, kept: int, allowed: int, required: int) -> int | None:
        """Claims that fail in a layout of allowed placements on required cells, if there is one."""
        left = supported(self.rules, allowed, required)
        if left is None:
            return None
        try:
            found = self._search(kept, left, required)
        except GivenUpError:
            return self.claims.all & ~kept if self._count(left, required) else None
        return None if found is None else self._keep(self._fails(found, kept))

    def _search(self, kept: int, allowed: int, required: int) -> Layout | None:
        search = LayoutSearch(
            self.rules,
            required,
            cost=self._cost,
            steps=self.patience * STEPS,
            accept=lambda layout: self._fails(layout, kept) & kept == 0,
        )
        return search.find(allowed)

    def _keep(self, failing: int) -> int:
        self._failing.append(failing)
        return failing

    def _count(self, allowed: int, required: int) -> int:
        """Number of layouts of allowed placements that occupy the required cells."""
        self.counts += 1
        if self._counter is None:
            self._counter = Counter(self.rules, memory_limit=self.memory_limit)
        numbers = np.zeros(len(self._lengths), dtype=np.uint8)
        numbers[list(cells_of(allowed))] = 1
        return self._counter.count_under(
            Constraints(numbers, required, dict(self.rules.fleet.counts), ())
        )

    def _fails(self, layout: Layout, kept: int) -> int:
        """Claims that a layout fails, read so that those kept are met if possible."""
        failing = self.claims.unmet(layout)
        if not self._named:
            for ship in layout:
                ways = self.claims.against[ship]
                failing |= min(ways, key=lambda way: ((way & kept).bit_count(), way.bit_count()))
            return failing
        for length in self.rules.fleet.counts:
            hit = [
                ship
                for ship in layout
                if self._lengths[ship] == length and self.claims.first[ship] is not None
            ]
            for ship, number in self._numbers(hit, kept):
                if number > len(hit):
                    return IMPOSSIBLE
                failing |= self.claims.against_name(ship, number)
        return failing

    def _numbers(self, hit: list[int], kept: int) -> list[tuple[int, int]]:
        """Equal ships that are hit with their numbers."""
        if self.claims.position.ordered:
            hit = sorted(hit, key=lambda ship: self.claims.first[ship] or 0)
            return [(ship, number) for number, ship in enumerate(hit, start=1)]
        told = {ship: self.claims.number(ship, kept) for ship in hit}
        free = iter(n for n in range(1, len(hit) + 1) if n not in told.values())
        return [(ship, told[ship] or next(free, len(hit) + 1)) for ship in hit]

    def _failing_in_named(self, kept: int) -> int | None:
        """As ``_failing_in`` in mode ``ship``."""
        required = self.claims.required(kept)
        allowed = supported(self.rules, self._allowed(kept), required) or 0
        try:
            found = self._search(kept, allowed, required)
        except GivenUpError:
            for schedule in self._schedules(kept):
                failing = self._under(kept, schedule, allowed, required)
                if failing is not None:
                    return failing
            return None
        return None if found is None else self._keep(self._fails(found, kept))

    def _under(self, kept: int, schedule: Schedule, allowed: int, required: int) -> int | None:
        shots = self.claims.position.shots
        chosen = {length: mask_of(shots[at][0] for at in when) for length, when in schedule.items()}
        scheduled = mask_of(cell for cells in chosen.values() for cell in cells_of(cells))
        masks = neighbourhood(self.rules).cells
        allows = self._allows_ordered if self.claims.position.ordered else self._allows_unordered
        left = 0
        for ship in cells_of(allowed):
            length = self._lengths[ship]
            cells = masks[ship] & scheduled
            its_own = cells & ~chosen[length] == 0 and cells.bit_count() <= 1
            if its_own and allows(ship, kept, schedule[length], cells):
                left |= 1 << ship
        return self._solve(kept, left, required | scheduled)

    def _allows_ordered(self, ship: int, kept: int, when: tuple[int, ...], cells: int) -> bool:
        """Whether a placement fits the first shots at the ships of its length."""
        first = self.claims.first[ship]
        if first in when:
            return self.claims.against_name(ship, when.index(first) + 1) & kept == 0
        late = first is None or not when or first > when[-1]
        return late and not cells and self.claims.at[ship] & kept == 0

    def _allows_unordered(self, ship: int, kept: int, _: tuple[int, ...], cells: int) -> bool:
        """Whether a placement fits some shots at ships without a number among the claims."""
        return not cells or self.claims.number(ship, kept) is None

    def _schedules(self, kept: int) -> Iterator[Schedule]:
        """Every schedule that claims leave open."""
        lengths = list(self.rules.fleet.counts)

        def go(at: int, made: Schedule) -> Iterator[Schedule]:
            if at == len(lengths):
                yield made
                return
            taken = {shot for when in made.values() for shot in when}
            for when in self._when(lengths[at], kept):
                if taken.isdisjoint(when):
                    yield from go(at + 1, {**made, lengths[at]: when})

        return go(0, {})

    def _when(self, length: int, kept: int) -> Iterator[tuple[int, ...]]:
        """Shots at the ships of a length."""
        shots = self.claims.position.shots
        known: dict[int, int] = {}
        seen = set()
        for claim in (self.claims.claims[i] for i in cells_of(kept)):
            if claim.shot is not None:
                seen.add(claim.shot)
                named, number = divmod(shots[claim.shot][1] - HIT_SHIP, 64)
                if named == length:
                    known.setdefault(number, claim.shot)
        open_shots = [shot for shot in range(len(shots)) if shot not in seen]
        most = max(known, default=0)
        if not self.claims.position.ordered:
            yield from combinations(open_shots, most - len(known))
            return

        def go(number: int, end: int) -> Iterator[tuple[int, ...]]:
            """Increasing first shots, before ``end``, at the ships up to a number."""
            if number == 0:
                yield ()
                return
            options = [shot for shot in reversed(open_shots) if shot < end]
            if number in known:
                options = [shot for shot in options if shot < known[number]]
                options = [known[number], *options] if known[number] < end else options
            for shot in options:
                for before in go(number - 1, shot):
                    yield (*before, shot)

        yield from go(most, len(shots))
