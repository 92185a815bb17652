"""Layouts: every way to place the whole fleet, each once, as bit masks.

Ships are placed longest first; a ship of the form of the one before it takes a higher placement
number, so identical ships are never swapped and every layout comes exactly once. The layouts are
counted before anything is allocated, and not beyond what memory allows.
``fitting`` says which of them would have given all answers of a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import core_mode
from seabattle.enumerate.board import mask_of
from seabattle.enumerate.board_text import SHIP, Drawn, Rows, read_board
from seabattle.enumerate.core.library import core
from seabattle.enumerate.deductions import check_answers, contradiction
from seabattle.enumerate.errors import MOST_GIB, FleetError, LayoutError, TooLargeError, within
from seabattle.enumerate.picture import board_svg
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position import Position, require_size
from seabattle.enumerate.rules import Rules

MAX_ENUMERATED_CELLS = 128
DEFAULT_MEMORY_GIB = 2.0
"""Default limit on the memory that the layouts of one game may take."""

MOST_WALKED = 1_000_000_000
"""Layouts that are counted one by one where no other limit is given: some five seconds."""

PLACEMENTS_PER_STEP = 5_000_000
"""That are tried before Ctrl-C is heard and progress told, in some hundredths of a second."""

BOARDS_SHOWN = 12
"""Number of boards that a notebook shows."""

_ANSWERING_BYTES = 4096
"""More than a layout of 128 cells takes that is shot at."""

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
        If there are not as many ships as in the fleet, or a number is not a placement's.
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

    @classmethod
    def of_board(
        cls,
        rules: Rules,
        board: Rows | Drawn,
        signs: str | Mapping[Any, str] | None = None,
        *,
        memory_limit: float = DEFAULT_MEMORY_GIB,
        progress: Progress | None = None,
    ) -> Layouts:
        r"""The layouts that occupy exactly the cells of a full board, on which every ship is shown.

        The board is a fleet of this game in as many ways as there are; in none if there are none.

        Parameters
        ----------
        rules
            The game; boards up to 128 cells.
        board
            Text, rows of text, or an array ``(rows, columns)``: 0, ``.`` or ``~`` for water, 1,
            ``#``, ``x`` or ``S`` for a cell of a ship, and what else ``board_text`` knows.
        signs
            What other signs mean: ``water`` or ``ship``.
        memory_limit
            GiB that the result may take, or the work on it.
        progress
            Called now and then with the number of parts of the board looked at so far.

        Raises
        ------
        PositionError
            If it is no board of this size, or a sign is not understood.
        TooLargeError
            If the layouts need more than ``memory_limit``.

        Examples
        --------
        >>> rules = Rules("3x3", "2,2", contact="sides")
        >>> found = Layouts.of_board(rules, [[1, 1, 0], [1, 1, 0], [0, 0, 0]])
        >>> [found.names(number) for number in range(len(found))]
        [['A1:B1', 'A2:B2'], ['A1:A2', 'B1:B2']]
        >>> len(Layouts.of_board(Rules("3x3", "2,2", contact="none"), "##.\n##.\n..."))
        0
        """
        drawn = board if isinstance(board, Drawn) else read_board(board, signs, full=True)
        require_size(rules.board, drawn)
        occupied = mask_of(drawn.cells(SHIP))
        if occupied.bit_count() != rules.fleet.cells:
            return cls(rules, np.empty((0, len(rules.fleet.lengths)), dtype=np.uint16))
        found = _covering(rules, occupied, memory_limit, progress or (lambda done: None))
        ships = np.array(sorted(found), dtype=np.uint16).reshape(-1, len(rules.fleet.lengths))
        ships.flags.writeable = False
        return cls(rules, ships)

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
    """List the layouts into an array, or count them, step by step.

    Ends when more than ``most`` are found.
    """
    table, kinds, words = placement_table(rules), rules.fleet.kinds, _enumerated_words(rules)
    slots = np.array([
        (first, stop, depth > 0 and kinds[depth] == kinds[depth - 1])
        for depth, (first, stop) in enumerate(table.slots)
    ], np.int64)  # fmt: skip
    masks, halos = (np.ascontiguousarray(each[:, :words]) for each in (table.masks, table.halos))
    whole = np.ones(len(table), np.uint8) if allowed is None else allowed.astype(np.uint8)
    placed, ship = np.full(len(slots), slots[0, 0], np.uint16), np.zeros(1, np.int32)
    found = 0
    while ship[0] >= 0 and found <= most:
        found += core().list_layouts(
            masks, halos, whole, slots, words, most - found, PLACEMENTS_PER_STEP, placed, ship,
            None if layouts is None else layouts[found:],
        )  # fmt: skip
        if progress is not None:
            progress(found)
    return found


def count_layouts(
    rules: Rules,
    *,
    most: int | None = None,
    progress: Progress | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> int:
    """Number of layouts, by walking over all of them; a ``Counter`` needs no walk.

    Parameters
    ----------
    rules
        The game; boards up to 128 cells.
    most
        Stop as soon as more than this many are found, and return a number above ``most``. Without
        it, more than a thousand million raise a ``TooLargeError``.
    progress
        Called with the number found so far, many times a second.
    allowed
        ``(n_placements,)``: the placements that a layout may have; all by default.

    Examples
    --------
    >>> count_layouts(Rules("5x5", "3,2,2,1,1,1"))
    1428
    """
    found = _list(rules, allowed, MOST_WALKED if most is None else most, progress)
    if most is None and found > MOST_WALKED:
        raise TooLargeError(
            f"{rules.board} with {rules.fleet} has more than {MOST_WALKED:,} layouts, which are "
            "not counted one by one: take Counter(rules).count()"
        )
    return found


def bytes_per_layout(rules: Rules) -> int:
    """Bytes of one enumerated layout: its mask and its placement numbers."""
    return 8 * _enumerated_words(rules) + 2 * len(rules.fleet.lengths)


def _too_many(rules: Rules, memory_limit: float, most: int) -> TooLargeError:
    """The error for more layouts than a limit of memory holds."""
    return TooLargeError(
        f"{rules.board} with {rules.fleet} has more layouts than the limit of {memory_limit:g} GiB "
        f"holds ({most:,}): raise it, or take a smaller board or fleet"
    )


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
    found = _listed(rules, memory_limit, progress, bytes_each, allowed)
    if not len(found):
        raise fleet_does_not_fit(rules)
    return found


def _listed(
    rules: Rules,
    memory_limit: float,
    progress: Progress | None,
    bytes_each: int,
    allowed: NDArray[np.bool_] | None,
) -> Layouts:
    """The layouts of ``enumerate_layouts``, which may be none."""
    each = max(bytes_per_layout(rules), bytes_each)
    allowance = min(within("memory_limit", memory_limit, 0), MOST_GIB) * 2**30
    most = int(allowance) // each
    total = count_layouts(rules, most=most, progress=progress, allowed=allowed)
    if total > most:
        raise _too_many(rules, memory_limit, most)
    ships = np.empty((total, len(rules.fleet.lengths)), dtype=np.uint16)
    if total:
        _list(rules, allowed, total, progress, ships)
    ships.flags.writeable = False
    return Layouts(rules, ships)


_PART_BYTES = 512
"""More than is kept of a part of a board that is to be covered."""


def _covering(
    rules: Rules, occupied: int, memory_limit: float, progress: Progress
) -> Iterator[list[int]]:
    """The layouts that occupy exactly as many cells as the fleet has, as placement numbers.

    Some ship covers the first cell that is not covered yet, and the cells left after it are a part
    of the board that ships placed in another order leave, too. So it is counted first, part by
    part, in how many ways each can be covered; and then only what leads to a layout is tried.
    """
    _enumerated_words(rules)
    table, kinds = placement_table(rules), list(rules.fleet.kind_counts)
    slots = dict(zip(rules.fleet.kinds, table.slots, strict=True))
    halos = [ship.halo(rules.contact) for ship in table.placements]
    beginning: dict[tuple[int, int], list[int]] = {}
    for kind, slot in slots.items():
        for number in range(*slot):
            if not table.own[number] & ~occupied:
                first = table.own[number] & -table.own[number]
                beginning.setdefault((kind, first), []).append(number)
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    allowance = min(within("memory_limit", memory_limit, 0), MOST_GIB) * 2**30

    def steps(left: int, fleet: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Ships that may cover the first cell, each with the cells and the fleet left by it."""
        for place, kind in enumerate(kinds):
            for number in beginning.get((kind, left & -left), ()) if fleet[place] else ():
                after = left & ~table.own[number]
                if not table.own[number] & ~left and not halos[number] & after:
                    yield number, after, (*fleet[:place], fleet[place] - 1, *fleet[place + 1 :])

    def ways(left: int, fleet: tuple[int, ...]) -> int:
        """In how many ways the cells left can be covered."""
        if not left:
            return 1
        if (left, fleet) not in known:
            known[left, fleet] = sum(ways(after, rest) for _, after, rest in steps(left, fleet))
            progress(len(known))
            if len(known) * _PART_BYTES > allowance:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet}: this board can be covered in too many "
                    f"orders for the limit of {memory_limit:g} GiB: raise it"
                )
        return known[left, fleet]

    def layouts(left: int, fleet: tuple[int, ...]) -> Iterator[list[int]]:
        if not left:
            yield []
        for number, after, rest in steps(left, fleet) if left else ():
            if ways(after, rest):
                for numbers in layouts(after, rest):
                    yield [number, *numbers]

    whole = occupied, tuple(rules.fleet.kind_counts.values())
    if ways(*whole) * bytes_per_layout(rules) > allowance:
        raise _too_many(rules, memory_limit, int(allowance) // bytes_per_layout(rules))
    return map(sorted, layouts(*whole))


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


def cell_counts(rules: Rules, ships: NDArray[np.uint16], weights: NDArray[Any]) -> NDArray[Any]:
    """How many layouts, or how much of their weight, occupy each cell.

    Parameters
    ----------
    rules
        The game.
    ships
        uint16 ``(n_layouts, n_ships)``: placement numbers.
    weights
        int64 or float64 ``(n_layouts,)``; length 0 where all are 1. Whole numbers are added up
        exactly while their sum is below 2^53.

    Returns
    -------
    counts
        int64 or float64 ``(cells,)``, as the weights.

    Examples
    --------
    >>> layouts = enumerate_layouts(Rules("1x3", "2"))
    >>> cell_counts(layouts.rules, layouts.ships, np.array([1, 5])).tolist()
    [1, 6, 5]
    """
    table = placement_table(rules)
    laid = np.zeros(len(table), dtype=weights.dtype)
    for ship in ships.T:
        laid += np.bincount(ship, weights if len(weights) else None, len(table)).astype(laid.dtype)
    return table.covering @ laid


def answers_to(rules: Rules, ships: NDArray[np.uint16], shots: Sequence[int]) -> NDArray[np.int64]:
    """Answers of layouts to the last of some shots, by the rules of the game.

    Parameters
    ----------
    rules
        The game; boards up to 128 cells.
    ships
        uint16 ``(n_layouts, n_ships)``: placement numbers.
    shots
        Cells in the order shot, none twice.

    Returns
    -------
    answers
        int64 ``(n_layouts,)``: answer codes.

    Examples
    --------
    >>> rules = Rules("1x3", "2", answers="sunk")
    >>> answers_to(rules, enumerate_layouts(rules).ships, [0, 1]).tolist()  # A1, then B1
    [2, 1]
    """
    answers = np.empty(len(ships), dtype=np.int64)
    memory = np.empty(_ANSWERING_BYTES, dtype=np.uint8)
    core().answer_shot(
        placement_table(rules).masks, np.ascontiguousarray(ships), len(rules.fleet.lengths),
        core_mode(rules), np.array(shots, dtype=np.int16), answers, memory,
    )  # fmt: skip
    return answers
