"""Layouts: every way to place the whole fleet, each once, as bit masks.

Ships are placed longest first; a ship of the form of the one before it takes a higher placement
number, so identical ships are never swapped and every layout comes exactly once. The layouts are
counted before anything is allocated, and not beyond what memory allows.
``fitting`` says which of them would have given all answers of a position.

The kernels at the end are those of the decision table, of trees and of the search. Arrays that
several of them take, none modified unless a kernel says so:

    masks : uint64 (n_placements, 2) or (n_layouts, words), cells occupied, low word first: 2 words
        of placements (boards of up to 128 cells), 1 or 2 in tables
    ships : uint16 (n_layouts, n_ships), placement numbers
    lengths : int64 (n_ships,), lengths of the ships, longest first
    mode : answer mode with its announcement, one of the ``KERNEL_`` numbers of ``answers``

A *segment* is a range ``lo:hi`` of ``ids``, int32 or int64 ``(n,)``: the numbers of the layouts
still possible, partitioned in place as answers come in. ``rows`` are masks ``(n_layouts,)``, uint64
or ``wide``: the cells that each layout occupies, bit c for cell c.

Counts are int64 and bounded by the number of layouts, which must fit in memory, or by the sum of
the weights, which is validated to stay below 2**62: no sum here can overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
)
from seabattle.enumerate.core.library import core
from seabattle.enumerate.deductions import check_answers, contradiction
from seabattle.enumerate.errors import MOST_GIB, FleetError, LayoutError, TooLargeError, within
from seabattle.enumerate.kernels import ONE, ZERO, allocating_kernel, kernel, lowest_bit
from seabattle.enumerate.picture import board_svg
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

MAX_ENUMERATED_CELLS = 128
DEFAULT_MEMORY_GIB = 2.0
"""Default limit on the memory that the layouts of one game may take."""

MOST_LAYOUTS = 1 << 62
"""More than can be listed."""

BOARDS_SHOWN = 12
"""Number of boards that a notebook shows."""

Progress = Callable[[int], None]
"""Called now and then with the number of layouts found so far."""


@dataclass(frozen=True, eq=False)
class Layouts:
    """All layouts of a game.

    Attributes
    ----------
    rules
        The game.
    ships
        uint16 ``(n_layouts, n_ships)``: placement numbers, in the fleet's order.

    Raises
    ------
    LayoutError
        If there are not as many ships as in the fleet, or a number is no placement's.
    """

    rules: Rules
    ships: NDArray[np.uint16]

    def __post_init__(self) -> None:
        table, shape = placement_table(self.rules), self.ships.shape
        if shape[1:] != (len(table.slots),) or self.ships.max(initial=0) >= max(1, len(table)):
            raise LayoutError(
                f"ships of shape {shape}: give an array (layouts, {len(table.slots)}) of placement "
                f"numbers, 0 to {len(table) - 1}"
            )

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        """The cells each layout occupies: uint64 ``(n_layouts, words)``, low word first, read-only.

        There is a word for 64 cells of the board.

        >>> Layouts(Rules("1x4", "2"), np.array([[2]], dtype=np.uint16)).masks.tolist()
        [[12]]
        """
        table = placement_table(self.rules)
        masks = np.zeros((len(self), table.words), dtype=np.uint64)
        for numbers in self.ships.T:
            masks |= table.masks.take(numbers, axis=0)[:, : table.words]
        masks.flags.writeable = False
        return masks

    def __len__(self) -> int:
        return len(self.ships)

    def __repr__(self) -> str:
        return f"<{len(self)} layouts of {self.rules}>"

    def placements(self, index: int) -> list[Placement]:
        """Ships of one layout."""
        table = placement_table(self.rules)
        return [table.placements[number] for number in self.ships[index].tolist()]

    def picture(self, index: int) -> str:
        """One layout as an SVG document.

        >>> enumerate_layouts(Rules("3x3", "3,1,1")).picture(0).startswith("<svg ")
        True
        """
        title = f"Layout {' '.join(self.names(index))} on {self.rules.board}"
        return board_svg(self.rules, title=title, ships=self.placements(index))

    def _repr_html_(self) -> str:
        """The first boards side by side."""
        drawn = min(len(self), BOARDS_SHOWN)
        style = "display:inline-block;margin:4px 8px 4px 0;text-align:center;vertical-align:top"
        boards = "".join(
            f'<div style="{style}">{self.picture(i)}'
            f'<div style="font-size:11px">{" ".join(self.names(i))}</div></div>'
            for i in range(drawn)
        )
        more = f"; the first {drawn} are shown" if drawn < len(self) else ""
        note = f"{len(self):,} layouts of {self.rules}{more}"
        return f'<div>{boards}<p style="margin:4px 0;font-size:12px">{note}</p></div>'

    def names(self, index: int) -> list[str]:
        """Names of the ships of one layout, as in ``['A1:A3', 'C1']``."""
        return placement_table(self.rules).names(self.ships[index])


def _enumerated_words(rules: Rules) -> int:
    """Words of a mask of the cells of a board whose layouts can be enumerated.

    Raises
    ------
    TooLargeError
        If the board has more than 128 cells.
    """
    cells = rules.board.cells
    if cells > MAX_ENUMERATED_CELLS:
        raise TooLargeError(
            f"board {rules.board}: layouts are enumerated on boards of up to "
            f"{MAX_ENUMERATED_CELLS} cells, this one has {cells}"
        )
    return placement_table(rules).words


def _list(
    rules: Rules,
    allowed: NDArray[np.bool_] | None,
    most: int,
    progress: Progress | None,
    layouts: NDArray[np.uint16] | None = None,
) -> int:
    """List the layouts into an array, or count them: by the placements of the first ship.

    Ends when more than ``most`` are found.
    """
    table, kinds, words = placement_table(rules), rules.fleet.kinds, _enumerated_words(rules)
    slots = [
        (first, stop, depth > 0 and kinds[depth] == kinds[depth - 1])
        for depth, (first, stop) in enumerate(table.slots)
    ]
    masks, halos = (np.ascontiguousarray(each[:, :words]) for each in (table.masks, table.halos))
    whole = np.ones(len(table), np.uint8) if allowed is None else allowed.astype(np.uint8)
    placed, found = np.empty(len(slots), np.uint16), 0
    for first in range(*table.slots[0]):
        found += core().list_layouts(
            masks, halos, whole, np.array(slots, np.int64), words, first, first + 1, most - found,
            placed, None if layouts is None else layouts[found:],
        )  # fmt: skip
        if progress is not None:
            progress(found)
        if found > most:
            break
    return found


def count_layouts(
    rules: Rules,
    *,
    most: int | None = None,
    progress: Progress | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> int:
    """Number of layouts, by walking over all of them.

    Parameters
    ----------
    rules
        The game; boards up to 128 cells.
    most
        Stop as soon as more than this many are found, and return a number above ``most``.
    progress
        Called with the number found so far, many times a second.
    allowed
        ``(n_placements,)``: the placements that a layout may have; all by default.

    Examples
    --------
    >>> count_layouts(Rules("5x5", "3,2,2,1,1,1"))
    1428
    """
    return _list(rules, allowed, MOST_LAYOUTS if most is None else most, progress)


def bytes_per_layout(rules: Rules) -> int:
    """Bytes of one enumerated layout: its mask and its placement numbers."""
    return 8 * _enumerated_words(rules) + 2 * len(rules.fleet.lengths)


def fleet_does_not_fit(rules: Rules) -> FleetError:
    """The error for a fleet that does not fit on its board."""
    return FleetError(
        f"fleet {rules.fleet} does not fit on the board {rules.board} under contact rule "
        f"{rules.contact.value!r}: there is no layout"
    )


def enumerate_layouts(
    rules: Rules,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Progress | None = None,
    bytes_each: int = 0,
    allowed: NDArray[np.bool_] | None = None,
) -> Layouts:
    """All layouts of a game, each once, in the order of their placement numbers.

    Parameters
    ----------
    rules
        The game; boards up to 128 cells.
    memory_limit
        GiB that the result may take. Layouts are counted before anything is allocated.
    progress
        Called now and then with the number found so far.
    bytes_each
        Bytes that each layout will take with what is made of it, if that is more than itself.
    allowed
        As in ``count_layouts``.

    Raises
    ------
    FleetError
        If the fleet has no layout.
    TooLargeError
        If the layouts need more than ``memory_limit``.

    Examples
    --------
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> len(layouts), layouts.names(0)
    (4, ['A1:C1', 'A3', 'C3'])
    """
    each = max(bytes_per_layout(rules), bytes_each)
    allowance = min(within("memory_limit", memory_limit, 0), MOST_GIB) * 2**30
    most = int(allowance) // each
    total = count_layouts(rules, most=most, progress=progress, allowed=allowed)
    if total > most:
        raise TooLargeError(
            f"{rules.board} with {rules.fleet} has more layouts than the limit of "
            f"{memory_limit:g} GiB holds ({most:,}): raise it, or take a smaller board or fleet"
        )
    if total == 0:
        raise fleet_does_not_fit(rules)
    ships = np.empty((total, len(rules.fleet.lengths)), dtype=np.uint16)
    _list(rules, allowed, total, progress, ships)
    ships.flags.writeable = False
    return Layouts(rules, ships)


def fitting(position: Position, layouts: Layouts | NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Which of some layouts would have given the answers of a position.

    Each placement either may be there or may not, and the ships of a layout together have to
    cover every hit (see ``seabattle.enumerate.deductions``).

    Parameters
    ----------
    position
        The answers.
    layouts
        Layouts of the same game, not necessarily all of them, also as placement numbers alone:
        uint16 ``(n_layouts, n_ships)``.

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
    >>> rules = Rules("3x3", "3,1,1")
    >>> fitting(Position(rules).shoot("B1", "miss"), enumerate_layouts(rules)).tolist()
    [0, 1, 1, 1]
    """
    ships = layouts.ships if isinstance(layouts, Layouts) else layouts
    if not position.shots:
        return np.ones(len(ships), dtype=np.uint8)
    allowed = check_answers(position)
    hit = position.hit_mask
    own = placement_table(position.rules).own
    hits = np.array([(mask & hit).bit_count() for mask in own], dtype=np.int16)
    met = np.zeros(len(ships), dtype=np.int16)
    keep = np.ones(len(ships), dtype=np.uint8)
    for ship in ships.T:
        met += hits[ship]
        keep &= allowed[ship]
    keep &= (met == hit.bit_count()).astype(np.uint8)
    if not keep.any():
        raise contradiction(position)
    return keep


@kernel
def count_columns(masks, weights, counts):
    """Add every layout's weight to the counts of the cells it occupies.

    masks : uint64 (n_layouts, words); weights : int64 (n_layouts,), or (0,) when all are 1
    counts : int64 (cells,), modified
    Weights and counts may both be float64 instead.
    """
    uniform = weights.shape[0] == 0
    for i in range(masks.shape[0]):
        weight = 1 if uniform else weights[i]
        for w in range(masks.shape[1]):
            word = masks[i, w]
            while word != ZERO:
                counts[64 * w + lowest_bit(word)] += weight
                word &= word - ONE


@kernel
def shoot(cell, shot):
    """Add a cell to those shot; whether it was one of them before. shot : uint64 (words,)"""
    before = shot[cell >> 6]
    shot[cell >> 6] |= ONE << np.uint64(cell & 63)
    return shot[cell >> 6] == before


@kernel
def name_answer(ships, lengths, cell, shot, names, mode):
    """Answer code (int64) of one shot at one layout: the rules of the game and nothing else.

    ships : uint64 (n_ships, words), the cells of each
    cell : the cell shot now; shot : uint64 (words,), the cells shot, this one among them
    names : int64 (n_ships,), modified in mode ``ship``: 0 until a ship is hit, then its number
        among the ships of its length
    """
    for d in range(lengths.shape[0]):
        if (ships[d, cell >> 6] >> np.uint64(cell & 63)) & ONE == ZERO:
            continue
        if mode == KERNEL_HIT:
            return HIT
        if mode == KERNEL_SHIP:
            if names[d] == 0:
                number = 1
                for e in range(lengths.shape[0]):
                    if lengths[e] == lengths[d] and names[e] > 0:
                        number += 1
                names[d] = number
            return HIT_SHIP + 64 * lengths[d] + names[d]
        for w in range(shot.shape[0]):
            if ships[d, w] & ~shot[w] != ZERO:
                return HIT
        return SUNK if mode == KERNEL_SUNK else SUNK_LENGTH + lengths[d]
    return MISS


@kernel
def set_up(layout, masks, ships):
    """Put a layout, given by its placements, on the board: ships, as in ``name_answer``, modified.

    layout : uint16 (n_ships,); masks : uint64 (n_placements, 2)
    """
    for d in range(layout.shape[0]):
        for w in range(ships.shape[1]):
            ships[d, w] = masks[layout[d], w]


@kernel
def replay(ships, lengths, history, shot, names, mode):
    """Shoot some cells at a layout, as ``name_answer`` takes it, from the beginning on.

    history : int64 (n_shots,), cells in order; shot, names : modified, whatever they held
    """
    shot[:] = ZERO
    names[:] = 0
    for cell in history:
        shoot(cell, shot)
        if mode == KERNEL_SHIP:
            name_answer(ships, lengths, cell, shot, names, mode)


@allocating_kernel
def name_all(ids, masks, ships, lengths, history, cell, mode, answers):
    """Answers of some layouts to a shot, given the cells shot before, by the rules of the game.

    ids : int64 (n,), rows of ``ships``; masks : uint64 (n_placements, 2)
    history : int64 (n_before,), cells shot before, in order; cell : the cell shot now
    answers : int64 (n,), modified: answer codes
    """
    shot, placed = np.empty(2, np.uint64), np.empty((lengths.shape[0], 2), np.uint64)
    names = np.empty(lengths.shape[0], np.int64)
    for i in range(ids.shape[0]):
        set_up(ships[ids[i]], masks, placed)
        replay(placed, lengths, history, shot, names, mode)
        shoot(cell, shot)
        answers[i] = name_answer(placed, lengths, cell, shot, names, mode)


@kernel
def close_segment(ids, lo, hi, rows, full):
    """Masks of the cells that all layouts of a segment occupy, and that some do.

    full : mask of all cells of the board, returned first when the segment is empty.
    Modifies nothing.
    """
    certain = full
    occupied = ZERO
    for i in range(lo, hi):
        row = rows[ids[i]]
        certain &= row
        occupied |= row
    return certain, occupied


@kernel
def part_segment(ids, lo, hi, cells, rows):
    """Move the layouts that occupy none of some cells to the front; return where the others begin.

    ids : modified within ``lo:hi``; cells : mask
    """
    i = lo
    for j in range(lo, hi):  # branch-free: which layouts are hit cannot be predicted
        layout = ids[j]
        ids[j] = ids[i]
        ids[i] = layout
        i += np.int64((rows[layout] & cells) == ZERO)
    return i


@kernel
def group_of(seed, within, sides):
    """Masks of the cells of ``within`` connected to one of them, and of the cells beside those.

    seed, within : masks of the one cell and of all; sides : masks (cells,), for each cell
    the mask of the cells that share a side with it. Modifies nothing.
    """
    group = seed
    edge = seed
    around = ZERO
    while edge != ZERO:
        cell = lowest_bit(edge)
        edge &= edge - ONE
        around |= sides[cell]
        fresh = sides[cell] & within & ~group
        group |= fresh
        edge |= fresh
    return group, around & ~group
