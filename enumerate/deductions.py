"""What a position says about each placement, and what follows for the ships still to be found.

Every answer concerns one ship only, the one on the cell shot. So a layout fits a position if and
only if each of its ships, taken alone, would have given the answers on its cells, no ship lies on
a cell missed, and every cell hit has a ship. That holds in every answer mode and under every
contact rule: a position reduces to a set of *allowed placements* and a set of *required cells*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH, answer_text, is_sunk
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules


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


@lru_cache(maxsize=32)
def placement_masks(rules: Rules) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Cells and halo of every placement as masks, and its length, by placement number."""
    placements = placement_table(rules).placements
    return (
        tuple(p.mask for p in placements),
        tuple(p.halo(rules.contact) for p in placements),
        tuple(p.length for p in placements),
    )


@lru_cache(maxsize=32)
def covering(rules: Rules) -> NDArray[np.uint8]:
    """Which placements cover each cell: uint8 ``(n_cells, n_placements)``, 1 or 0."""
    return _over_cells(rules, placement_masks(rules)[0])


@lru_cache(maxsize=32)
def _beside(rules: Rules) -> NDArray[np.uint8]:
    """Which placements leave each cell free without covering it, in the same form."""
    masks, halos, _ = placement_masks(rules)
    return _over_cells(rules, [halo & ~mask for mask, halo in zip(masks, halos, strict=True)])


def _over_cells(rules: Rules, masks: Sequence[int]) -> NDArray[np.uint8]:
    found = np.zeros((rules.board.cells, len(masks)), dtype=np.uint8)
    for number, mask in enumerate(masks):
        found[list(cells_of(mask)), number] = 1
    return found


def _touching(rules: Rules, mask: int) -> NDArray[np.bool_]:
    """Which placements cover one of some cells: bool ``(n_placements,)``."""
    return np.asarray(covering(rules)[list(cells_of(mask))].any(axis=0))


def _ways(rules: Rules, allowed: NDArray[np.uint8], cells: int) -> list[tuple[int, int]]:
    """Some cells, given as a mask, each with the number of allowed placements that cover it."""
    numbers = list(cells_of(cells))
    ways = (covering(rules)[numbers] & allowed).sum(axis=1)
    return list(zip(numbers, ways.tolist(), strict=True))


def answers_in_words(position: Position) -> str:
    """The answers so far in words."""
    name = position.rules.board.name
    return ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)


def contradiction(position: Position, why: str = "") -> PositionError:
    """The error for answers that contradict each other."""
    reason = f"{why}: " if why else ""
    return PositionError(
        f"{reason}no layout of {position.rules.fleet} fits these answers: "
        f"{answers_in_words(position)}"
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
    masks, halos, lengths = placement_masks(rules)
    known = [(1 << i, mask_of(ship)) for i, ship in enumerate(position.ships, rules.board.cells)]
    told: dict[int, int] = {}
    for cell, code in position.shots:
        told[code] = told.get(code, 0) | 1 << cell
    for number in placements:
        mask, length = masks[number], lengths[number]
        here = mask & position.shot_mask
        crossed = sum(answer for answer, ship in known if ship & mask and ship != mask)
        crossed |= halos[number] & ~mask & position.hit_mask
        if rules.answers is AnswerMode.SHIP:
            names = (
                code for code in told if code >= HIT_SHIP and (code - HIT_SHIP) // 64 == length
            )
            own = [told[code] for code in names if told[code] & mask]
            yield [crossed | here ^ cells for cells in own or [0]]
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
    hit = position.hit_mask
    allowed = (~_touching(position.rules, position.shot_mask & ~hit)).astype(np.uint8)
    allowed[_beside(position.rules)[list(cells_of(hit))].any(axis=0)] = 0
    touched = np.flatnonzero(allowed * _touching(position.rules, hit))
    allowed[touched] = [0 in ways for ways in contradictions(position, touched.tolist())]
    return allowed


def _check_groups(position: Position) -> None:
    """Where ships are connected groups of cells: hits side by side are of one ship.

    Raises
    ------
    PositionError
        If they cannot be, hits touch at a corner where that is forbidden, or a group is sunk that
        is no ship, or one more than the fleet has; names the cells.
    """
    rules, hit = position.rules, position.hit_mask
    board, fleet, table = rules.board, rules.fleet, placement_table(rules)
    left, seen = dict(fleet.kind_counts), 0
    for cell in cells_of(hit):
        corners = board.corner_masks[cell] & hit
        if rules.contact is Contact.NONE and corners and fleet.all_lines:
            raise contradiction(
                position,
                f"hits {board.name(cell)} and {board.names(corners)[0]} touch at a corner, "
                f"which contact rule 'none' forbids",
            )
        if seen >> cell & 1:
            continue
        group = board.group(hit, cell)
        seen |= group
        name = " ".join(board.names(group))
        made = [(board.name(c), is_sunk(code)) for c, code in position.shots if group >> c & 1]
        sunk = [place for place, (_, sinks) in enumerate(made) if sinks]
        if not sunk:
            if all(group & ~mask for mask in placement_masks(rules)[0]):
                raise contradiction(position, f"hits {name}: no ship of {fleet} lies on them all")
            continue
        if len(sunk) > 1 or (position.ordered and sunk[0] < len(made) - 1):
            first, also = made[sunk[0]][0], made[sunk[1] if len(sunk) > 1 else -1][0]
            raise contradiction(
                position, f"hit {also}: it would belong to the ship already sunk at {first}"
            )
        kind = table.kind_of(Placement(board, tuple(cells_of(group))))
        left[kind] = left.get(kind, 0) - 1
        if left[kind] < 0:
            raise contradiction(
                position, f"sunk ship {name}: the fleet {fleet} has no such ship, or no other"
            )


def _check_names(position: Position) -> None:
    """Equal ships are numbered in the order in which they are first hit.

    Where the order is not known there is one that fits unless a number is left out.
    """
    highest: Counter[int] = Counter()
    shots = position.shots
    if not position.ordered:
        shots = tuple(sorted(shots, key=lambda shot: shot[1]))
    for cell, code in shots:
        if code == MISS:
            continue
        length, number = divmod(code - HIT_SHIP, 64)
        if number > highest[length] + 1:
            raise contradiction(
                position,
                f"hit {position.rules.board.name(cell)}: ship {length}#{number} is named before "
                f"{length}#{number - 1}, but equal ships are numbered as they are first hit",
            )
        highest[length] = max(highest[length], number)


def check_answers(position: Position) -> NDArray[np.uint8]:
    """Allowed placements; contradictions that one cell or one ship shows are rejected.

    Raises
    ------
    PositionError
        Names the cell or the ship.
    """
    rules = position.rules
    if rules.answers is AnswerMode.SHIP:
        _check_names(position)
    if rules.contact is not Contact.SIDES:
        _check_groups(position)
    lengths = [c - SUNK_LENGTH for _, c in position.shots if SUNK_LENGTH <= c < HIT_SHIP]
    for length, sunk in Counter(lengths).items():
        if sunk > rules.fleet.counts.get(length, 0):
            raise contradiction(
                position, f"{sunk} ships of length {length} are sunk, and {rules.fleet} has fewer"
            )
    allowed = allowed_placements(position)
    covered = {cell for cell, ways in _ways(rules, allowed, position.hit_mask) if ways}
    for cell, code in position.shots:
        if code != MISS and cell not in covered:
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
    rules = position.rules
    allowed = check_answers(position)
    masks, halos, _ = placement_masks(rules)
    kinds = placement_table(rules).kinds
    slots = dict(zip(rules.fleet.kinds, placement_table(rules).slots, strict=True))
    left = dict(rules.fleet.kind_counts)
    required = position.hit_mask
    fixed: list[int] = []
    while propagate:
        known = _ways(rules, allowed, required)
        sure, ways = next(((cell, ways) for cell, ways in known if ways <= 1), (-1, 0))
        if sure < 0:
            break
        if not ways:
            name = rules.board.name(sure)
            raise contradiction(position, f"hit {name}: no ship that is left can lie there")
        ship = int(np.flatnonzero(allowed * _touching(rules, 1 << sure))[0])
        fixed.append(ship)
        required &= ~masks[ship]
        left[kinds[ship]] -= 1
        allowed[_touching(rules, halos[ship])] = 0
        for kind, (first, stop) in slots.items():
            if left[kind] == 0:
                allowed[first:stop] = 0
        if left[kinds[ship]] < 0:
            raise contradiction(position)
    return Constraints(allowed, required, left, tuple(sorted(fixed)))
