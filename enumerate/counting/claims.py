"""What each placement would have answered to the shots of a game, one answer at a time.

A *claim* is one answer of a position, or one sunk ship that is known. All shots count as made, but
claims may be left out: then what the shot was answered is taken for unknown. As an answer depends
only on the layout and on the cells shot before, claims that no layout meets are not mended by more
claims; leaving some out never makes a contradiction.

A placement that is there contradicts some claims about its own cells. Which ones can depend on what
the position does not say: in mode ``ship`` on the number that the ship got among equal ones, and
where the order of shots is not known on which of its cells was shot last. Each possibility is a
*way* of the placement. Masks of claims have bit ``i`` for claim ``i``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH, is_sunk
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.deductions import placement_masks
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode


@dataclass(frozen=True)
class Claim:
    """One answer, or one sunk ship that is known.

    Attributes
    ----------
    cells
        Mask of the cells that it says are occupied.
    shot
        Number of the shot, from 0; None of a ship.
    ship
        Number of the known ship in the position; None of an answer.
    """

    cells: int
    shot: int | None = None
    ship: int | None = None


class Claims:
    """The claims of a position, and what the placements of the game say to each.

    Parameters
    ----------
    position
        What was answered. Known ships follow the last shot at one of their cells.

    Attributes
    ----------
    claims
        In the order of the shots.
    against
        For every placement the masks of the claims that it contradicts, one for each way.
    meets
        For every placement the mask of the claims that need some ship and that it can meet.
    at
        For every placement the mask of the claims about its cells.
    first
        For every placement the number of the first shot at it, or None.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules = position.rules
        self._masks, _, self._lengths = placement_masks(position.rules)
        self._order = {cell: shot for shot, (cell, _) in enumerate(position.shots)}
        self.claims = self._sorted()
        self._of_shot = {claim.shot: i for i, claim in enumerate(self.claims)}
        self._of_cell = {c: self._of_shot[shot] for c, shot in self._order.items()}
        self._known = [(i, c.cells) for i, c in enumerate(self.claims) if c.shot is None]
        self._needing = mask_of(i for i, claim in enumerate(self.claims) if claim.cells)
        self._named: dict[int, int] = {}
        for cell, code in position.shots:
            self._named[code] = self._named.get(code, 0) | 1 << self._of_cell[cell]
        self.first: list[int | None] = []
        self.against: list[tuple[int, ...]] = []
        self.meets: list[int] = []
        self.at: list[int] = []
        self._crossed: list[int] = []
        for i, (mask, length) in enumerate(zip(self._masks, self._lengths, strict=True)):
            shots = [(self._order[c], c) for c in cells_of(mask & position.shot_mask)]
            self.first.append(min(shots)[0] if shots else None)
            hits = mask_of(self._of_cell[c] for _, c in shots) & self._needing
            here = mask_of(i for i, cells in self._known if cells == mask)
            crossed = mask_of(i for i, cells in self._known if cells & mask) & ~here
            self.at.append(mask_of(self._of_cell[c] for _, c in shots))
            self.meets.append(hits | here)
            self._crossed.append(crossed)
            self.against.append(tuple(w | crossed for w in self._ways(i, mask, length)))

    def _sorted(self) -> tuple[Claim, ...]:
        position = self.position
        found = [
            (shot, 0, Claim(0 if code == MISS else 1 << cell, shot=shot))
            for shot, (cell, code) in enumerate(position.shots)
        ]
        for number, cells in enumerate(position.ships):
            last = max(self._order[cell] for cell in cells)
            found.append((last, 1 + number, Claim(mask_of(cells), ship=number)))
        return tuple(claim for *_, claim in sorted(found, key=lambda f: f[:2]))

    def _ways(self, ship: int, mask: int, length: int) -> list[int]:
        """Claims about its cells that a placement contradicts, for each of its ways."""
        cells = list(cells_of(mask & self.position.shot_mask))
        if self.rules.answers is AnswerMode.SHIP:
            numbers = range(1, self.rules.fleet.counts[length] + 1) if cells else ()
            return [self.against_name(ship, number) for number in numbers] or [0]
        whole = self.rules.answers is AnswerMode.SUNK and len(cells) == length
        if not whole:
            return [self._wrong(cells, None, length)]
        if self.position.ordered:
            return [self._wrong(cells, max(cells, key=self._order.__getitem__), length)]
        return [self._wrong(cells, last, length) for last in cells]

    def _wrong(self, cells: list[int], last: int | None, length: int) -> int:
        """Claims that a ship contradicts, of which the last cell, if any, was sunk."""
        wrong = 0
        codes = self.position.shots
        for cell in cells:
            code = codes[self._order[cell]][1]
            if cell == last:
                right = is_sunk(code) and code in (SUNK, SUNK_LENGTH + length)
            else:
                right = code == HIT
            wrong |= (not right) << self._of_cell[cell]
        return wrong

    def against_name(self, ship: int, number: int) -> int:
        """Claims that a placement contradicts if it has this number among ships of its length."""
        named = self._named.get(HIT_SHIP + 64 * self._lengths[ship] + number, 0)
        return self._crossed[ship] | self.at[ship] ^ named

    def number(self, ship: int, kept: int) -> int | None:
        """The number that some claims give to a placement that is hit, if they do."""
        for i in cells_of(self.meets[ship] & kept):
            shot = self.claims[i].shot
            if shot is not None:
                return (self.position.shots[shot][1] - HIT_SHIP) % 64
        return None

    @property
    def all(self) -> int:
        """Mask of all claims."""
        return (1 << len(self.claims)) - 1

    def required(self, kept: int) -> int:
        """Mask of the cells that some claims say are occupied."""
        return reduce(or_, (self.claims[i].cells for i in cells_of(kept)), 0)

    def unmet(self, layout: tuple[int, ...]) -> int:
        """Claims that need a ship where a layout, given as placement numbers, has none."""
        met = 0
        for ship in layout:
            met |= self.meets[ship]
        return self._needing & ~met
