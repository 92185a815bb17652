"""What a position says about each placement, and what follows for the ships still to be found.

Every answer concerns one ship only, the one on the cell shot. So a layout fits a position if and
only if each of its ships, taken alone, would have given the answers on its cells, no ship lies on
a cell missed, and every cell hit has a ship. That holds in every answer mode and under every
contact rule: a position reduces to a set of *allowed placements* and a set of *required cells*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH, answer_text, is_sunk
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import PlacementTable, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact


@dataclass(frozen=True)
class Constraints:
    """What constrains the ships that are still to be found.

    Attributes
    ----------
    allowed
        uint8 ``(n_placements,)``: 1 where a ship still to be found may lie; numbers are those of
        the rules' placement table.
    required
        Mask of the cells that these ships must occupy.
    left
        Number of these ships by kind (of lines: by length), in the fleet's order, those with none
        left included.
    fixed
        Numbers of the placements known to be there: ships that can lie in one way only.
    """

    allowed: NDArray[np.uint8]
    required: int
    left: dict[int, int]
    fixed: tuple[int, ...]

    def whole(self, found: NDArray[np.int64]) -> NDArray[np.uint16]:
        """Layouts with the known ships beside those found; numbers increase in each row.

        Parameters
        ----------
        found
            int64 ``(n, ships_left)``: placement numbers of the ships still to be found.

        Returns
        -------
        ships
            uint16 ``(n, n_ships)``.
        """
        fixed = np.tile(np.array(self.fixed, dtype=np.int64), (len(found), 1))
        return np.sort(np.concatenate([found, fixed], axis=1), axis=1).astype(np.uint16)


def _touching(table: PlacementTable, mask: int) -> NDArray[np.bool_]:
    """Which placements cover one of some cells: bool ``(n_placements,)``."""
    return np.asarray(table.covering[list(cells_of(mask))].any(axis=0))


def contradiction(position: Position, why: str = "") -> PositionError:
    """The error for answers that contradict each other."""
    reason = f"{why}: " if why else ""
    return PositionError(
        f"{reason}no layout of {position.rules.fleet} fits these answers: {position.words}"
    )


def contradictions(position: Position, placements: Iterable[int]) -> Iterator[list[int]]:
    """Which answers each of some placements contradicts, at its own cells or those beside it.

    Yields
    ------
    ways
        Masks of answers, an answer numbered as its cell and the known sunk ships after the last
        cell of the board. There is more than one where the order of shots is not known, as any cell
        may have been shot last, or where the placement lies on equal ships of different numbers.
    """
    rules, order = position.rules, [cell for cell, _ in position.shots]
    table = placement_table(rules)
    known = [(1 << i, mask_of(ship)) for i, ship in enumerate(position.ships, rules.board.cells)]
    told: dict[int, int] = {}
    for cell, code in position.shots:
        told[code] = told.get(code, 0) | 1 << cell
    for number in placements:
        mask, length = table.own[number], table.lengths[number]
        here = mask & position.shot_mask
        crossed = sum(answer for answer, ship in known if ship & mask and ship != mask)
        crossed |= table.closed[number] & ~mask & position.hit_mask
        if rules.answers is AnswerMode.SHIP:
            names = (
                code for code in told if code >= HIT_SHIP and (code - HIT_SHIP) // 64 == length
            )
            own = [told[code] for code in names if told[code] & mask]
            yield [crossed | here ^ cells for cells in (*own, 0)]  # 0: of no ship that is named
            continue
        wrong = here & ~told.get(HIT, 0)
        if rules.answers is AnswerMode.HIT or here != mask:
            yield [crossed | wrong]
            continue
        sunk = told.get(SUNK, 0) | told.get(SUNK_LENGTH + length, 0)
        lasts = [max(cells_of(mask), key=order.index)] if position.ordered else cells_of(mask)
        yield [crossed | wrong & ~(1 << last) | (1 << last) & ~sunk for last in lasts]


def allowed_placements(position: Position) -> NDArray[np.uint8]:
    """Which placements, taken alone, would have been answered as they were.

    Returns
    -------
    allowed
        uint8 ``(n_placements,)``.
    """
    table, hit = placement_table(position.rules), position.hit_mask
    allowed = (~_touching(table, position.shot_mask & ~hit)).astype(np.uint8)
    allowed[table.beside[list(cells_of(hit))].any(axis=0)] = 0
    touched = np.flatnonzero(allowed * _touching(table, hit))
    allowed[touched] = [0 in ways for ways in contradictions(position, touched.tolist())]
    return allowed


def sunk_ships(position: Position) -> Iterator[tuple[int, int]]:
    """A cell of each ship that is known to be sunk, and its length, 0 where it is not known.

    Its sinking is announced, with the length or not, or its hits show it.

    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("5x5", "3,2,1", answers="ship")
    >>> list(sunk_ships(Position.in_order(rules, "A1 hit=2#1, C3 hit=3#1, A2 hit=2#1")))
    [(0, 2)]
    """
    rules, hit = position.rules, position.hit_mask
    hits = Counter(code for _, code in position.shots)
    first = {code: cell for cell, code in reversed(position.shots) if code >= HIT_SHIP}
    for code, cell in first.items():
        if hits[code] == (code - HIT_SHIP) // 64:
            yield cell, hits[code]
    for cell, code in position.shots:
        if SUNK_LENGTH <= code < HIT_SHIP:
            yield cell, code - SUNK_LENGTH
        elif is_sunk(code):
            shown = rules.contact is not Contact.SIDES
            yield cell, rules.group(hit, cell).bit_count() if shown else 0


def sunk_lengths(position: Position) -> Iterator[int]:
    """The lengths of the sunk ships that are announced, or that their hits show."""
    return (length for _, length in sunk_ships(position) if length)


def check_answers(position: Position) -> NDArray[np.uint8]:
    """Allowed placements; contradictions that one cell or one ship shows are rejected.

    Raises
    ------
    PositionError
        Names the cell or the ship.
    """
    rules = position.rules
    if position.renumbered(position.shots) != position.shots:
        raise contradiction(position, "equal ships are numbered in the order they are first hit")
    for length, sunk in Counter(sunk_lengths(position)).items():
        if sunk > rules.fleet.counts.get(length, 0):
            raise contradiction(
                position, f"sunk ships of length {length}: {sunk}, and {rules.fleet} has fewer"
            )
    allowed = allowed_placements(position)
    covered = np.any(placement_table(rules).covering & allowed, axis=1).tolist()
    for cell, code in position.shots:
        if code != MISS and not covered[cell]:
            raise contradiction(
                position,
                f"{answer_text(code)} {rules.board.name(cell)}: no ship can lie there that fits "
                f"the answers on all its cells",
            )
    return allowed


def constrain(position: Position, *, propagate: bool = True) -> Constraints:
    """What a position says, with the ships that can lie in one way only set aside.

    Parameters
    ----------
    position
        What is known.
    propagate
        Whether to look for such ships. It changes no layout, but speeds up counting.

    Raises
    ------
    PositionError
        If a cell or a ship shows that no layout fits.
    """
    rules, table = position.rules, placement_table(position.rules)
    allowed = check_answers(position)
    slots = dict(zip(rules.fleet.kinds, table.slots, strict=True))
    left = dict(rules.fleet.kind_counts)
    required = position.hit_mask
    fixed: list[int] = []
    while propagate:
        cells = list(cells_of(required))
        counts = (table.covering[cells] & allowed).sum(axis=1).tolist()
        ways, sure = min(zip(counts, cells, strict=True), default=(2, 0))
        if ways > 1:
            break
        if not ways:
            name = rules.board.name(sure)
            raise contradiction(position, f"hit {name}: no ship that is left can lie there")
        ship = int(np.flatnonzero(allowed * _touching(table, 1 << sure))[0])
        fixed.append(ship)
        required &= ~table.own[ship]
        left[table.kinds[ship]] -= 1
        allowed[_touching(table, table.closed[ship])] = 0
        for kind, (first, stop) in slots.items():
            if left[kind] == 0:
                allowed[first:stop] = 0
        if left[table.kinds[ship]] < 0:
            raise contradiction(position)
    return Constraints(allowed, required, left, tuple(sorted(fixed)))
