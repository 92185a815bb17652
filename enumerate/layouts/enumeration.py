"""Layouts: every way to place the whole fleet, each once, as bit masks.

Ships are placed longest first; a ship as long as the one before it takes a higher placement
number, so identical ships are never swapped and every layout comes exactly once. The walk counts
before it allocates and stops as soon as the layouts would need more memory than allowed; the error
then gives an approximate number of layouts, estimated by random placing [Knuth1975].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import FleetError, LayoutError, TooLargeError, wrong_type
from seabattle.enumerate.game.arguments import (
    require_function,
    require_memory,
    require_placements,
    require_rules,
    require_whole,
)
from seabattle.enumerate.game.placements import Placement, PlacementTable, placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts import _layout_kernels
from seabattle.enumerate.memory import require_addresses

MAX_ENUMERATED_CELLS = 128
DEFAULT_MEMORY_GIB = 2.0
"""Default limit on the memory that the layouts of one game may take."""

STEPS_AT_ONCE = 20_000_000
"""Placements tried between two calls of a progress function: a fraction of a second."""

MOST_COUNTED = 1 << 62
"""More layouts, or bytes of them, are not asked for: kernels count in words of 64 bits."""

Progress = Callable[[int], None]
"""Called now and then with the number of layouts found so far."""


@dataclass(frozen=True, eq=False)
class Layouts:
    """All layouts of a game.

    Attributes
    ----------
    rules
        The game.
    masks
        uint64 ``(n_layouts, words)``, low word first, ``words`` = 1 up to 64 cells and 2 up to
        128: the cells each layout occupies.
    ships
        uint16 ``(n_layouts, n_ships)``: placement numbers, in the fleet's order.

    Raises
    ------
    LayoutError
        If the arrays do not fit the game or each other. That the masks are those of the ships is
        not checked.
    TypeError
        If a parameter is of the wrong type; names it.
    """

    rules: Rules
    masks: NDArray[np.uint64]
    ships: NDArray[np.uint16]

    def __post_init__(self) -> None:
        require_rules(self.rules)
        if not isinstance(self.masks, np.ndarray) or self.masks.dtype != np.uint64:
            raise wrong_type("masks", "a uint64 array (layouts, words)", self.masks)
        if not isinstance(self.ships, np.ndarray) or self.ships.dtype != np.uint16:
            raise wrong_type("ships", "a uint16 array (layouts, ships)", self.ships)
        require_placements(self.ships, self.rules, "ships")
        shape = (len(self.ships), _words(self.rules))
        if self.masks.shape != shape:
            raise LayoutError(f"masks of shape {self.masks.shape}: give one of shape {shape}")

    @classmethod
    def of_ships(cls, rules: Rules, ships: NDArray[np.uint16]) -> Layouts:
        """Layouts given as placement numbers, uint16 ``(n_layouts, n_ships)``; masks are made.

        >>> Layouts.of_ships(Rules("1x4", "2"), np.array([[2]], dtype=np.uint16)).masks.tolist()
        [[12]]
        """
        require_rules(rules)
        require_placements(ships, rules, "ships")
        masks = placement_table(rules).masks[ships, : _words(rules)]
        return cls(rules, np.bitwise_or.reduce(masks, axis=1), ships)

    def __len__(self) -> int:
        return int(self.masks.shape[0])

    def __repr__(self) -> str:
        return f"<{len(self)} layouts of {self.rules}>"

    def _row(self, index: int) -> NDArray[np.uint16]:
        """Placement numbers of one layout.

        Raises
        ------
        LayoutError
            If there is no layout of this number.
        TypeError
            If it is not a whole number.
        """
        number = require_whole("index", index)
        if not 0 <= number < len(self):
            raise LayoutError(f"index {number}: layouts are numbered 0 to {len(self) - 1} here")
        row: NDArray[np.uint16] = self.ships[number]
        return row

    def placements(self, index: int) -> list[Placement]:
        """Ships of one layout."""
        table = placement_table(self.rules)
        return [table.placements[int(number)] for number in self._row(index)]

    def picture(self, index: int) -> str:
        """One layout as an SVG document.

        >>> enumerate_layouts(Rules("3x3", "3,1,1")).picture(0).startswith("<svg ")
        True
        """
        from seabattle.enumerate.display.notebook import board_svg

        title = f"Layout {' '.join(self.names(index))} on {self.rules.board}"
        return board_svg(self.rules, title=title, ships=self.placements(index))

    def _repr_html_(self) -> str:
        from seabattle.enumerate.display.notebook import BOARDS_SHOWN, figures

        drawn = min(len(self), BOARDS_SHOWN)
        note = f"{len(self):,} layouts of {self.rules}"
        if drawn < len(self):
            note += f"; the first {drawn} are shown"
        return figures(((self.picture(i), " ".join(self.names(i))) for i in range(drawn)), note)

    def names(self, index: int) -> list[str]:
        """Names of the ships of one layout, as in ``['A1:A3', 'C1']``."""
        return placement_table(self.rules).names(self._row(index))


class _Walk:
    """State of one depth-first walk, which can be observed and interrupted between its chunks."""

    def __init__(self, table: PlacementTable) -> None:
        rules = table.rules
        ships = len(rules.fleet.lengths)
        self.table = table
        self.first = np.array([a for a, _ in table.slots], dtype=np.int64)
        self.stop = np.array([b for _, b in table.slots], dtype=np.int64)
        lengths = rules.fleet.lengths
        self.same = np.array(
            [i > 0 and lengths[i] == lengths[i - 1] for i in range(ships)], dtype=np.uint8
        )
        self.state = np.zeros(ships + 1, dtype=np.int64)
        self.state[0] = self.first[0]
        self.blocked = np.zeros((ships + 1, 2), dtype=np.uint64)
        self.occupied = np.zeros((ships + 1, 2), dtype=np.uint64)

    def advance(
        self,
        out_masks: NDArray[np.uint64],
        out_ships: NDArray[np.uint16],
        *,
        write: bool,
        most: int,
    ) -> int:
        """Try about ``STEPS_AT_ONCE`` placements; return the layouts found, ``most`` at most."""
        return int(
            _layout_kernels.place_ships(
                self.table.masks,
                self.table.halos,
                self.first,
                self.stop,
                self.same,
                self.state,
                self.blocked,
                self.occupied,
                out_masks,
                out_ships,
                int(write),
                most,
                STEPS_AT_ONCE,
            )
        )

    @property
    def over(self) -> bool:
        """Whether every layout has been found."""
        return bool(self.state[-1] < 0)


def _words(rules: Rules) -> int:
    """Words of a mask of the board's cells.

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
    return 1 if cells <= 64 else 2


def count_layouts(
    rules: Rules, *, most: int | None = None, progress: Progress | None = None
) -> int:
    """Number of layouts, by walking over all of them.

    Parameters
    ----------
    rules
        The game; boards up to 128 cells.
    most
        Stop as soon as more than this many are found, and return a number above ``most``.
    progress
        Called with the number found so far, about every 20 million placements tried.

    Examples
    --------
    >>> count_layouts(Rules("5x5", "3,2,2,1,1,1"))
    1428
    """
    require_rules(rules)
    require_function("progress", progress)
    words = _words(rules)
    walk = _Walk(placement_table(rules))
    no_masks = np.empty((0, words), dtype=np.uint64)
    no_ships = np.empty((0, len(rules.fleet.lengths)), dtype=np.uint16)
    bound = MOST_COUNTED if most is None else min(require_whole("most", most, 0) + 1, MOST_COUNTED)
    found = 0
    while not walk.over and found < bound:
        found += walk.advance(no_masks, no_ships, write=False, most=bound - found)
        if progress is not None:
            progress(found)
    return found


def estimate_layouts(rules: Rules, *, probes: int = 20_000, seed: int = 0) -> float:
    """Unbiased estimate of the number of layouts by random placing [Knuth1975].

    >>> 1200 < estimate_layouts(Rules("5x5", "3,2,2,1,1,1")) < 1700
    True
    """
    _words(rules)
    table = placement_table(rules)
    walk = _Walk(table)
    labelled = _layout_kernels.probe_layouts(
        table.masks, table.halos, walk.first, walk.stop, seed, probes
    )
    return float(labelled) / rules.fleet.rearrangements


def bytes_per_layout(rules: Rules) -> int:
    """Bytes of one enumerated layout: its mask and its placement numbers."""
    return 8 * _words(rules) + 2 * len(rules.fleet.lengths)


def fleet_does_not_fit(rules: Rules) -> FleetError:
    """The error for a fleet that does not fit on its board."""
    return FleetError(
        f"fleet {rules.fleet} does not fit on the board {rules.board} under contact rule "
        f"{rules.contact.value!r}: there is no layout"
    )


def check_limits(memory_limit: float, progress: Progress | None) -> None:
    """Reject a wrong limit or progress function, also where layouts need not be enumerated.

    Raises
    ------
    TypeError
        Names the parameter.
    SeabattleError
        If the limit is below 0, or not a number (NaN).
    """
    require_memory(memory_limit)
    require_function("progress", progress)


def enumerate_layouts(
    rules: Rules,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Progress | None = None,
    bytes_each: int = 0,
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

    Raises
    ------
    FleetError
        If the fleet has no layout.
    TooLargeError
        If the layouts need more than ``memory_limit``; gives their approximate number.

    Examples
    --------
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> len(layouts), layouts.names(0)
    (4, ['A1:C1', 'A3', 'C3'])
    """
    require_rules(rules)
    check_limits(memory_limit, progress)
    words = _words(rules)
    each = max(bytes_per_layout(rules), require_whole("bytes_each", bytes_each, 0, 1 << 40))
    most = int(min(memory_limit * 2**30, MOST_COUNTED)) // each
    total = count_layouts(rules, most=most, progress=progress)
    if total > most:
        about = max(estimate_layouts(rules), float(total))
        raise TooLargeError(
            f"{rules.board} with {rules.fleet} has about {about:.3g} layouts, which need "
            f"{about * each / 2**30:.3g} GiB; the limit is {memory_limit:g} GiB "
            f"({most} layouts): raise it, or take a smaller board or fleet"
        )
    if total == 0:
        raise fleet_does_not_fit(rules)
    require_addresses(total * each)
    masks = np.empty((total, words), dtype=np.uint64)
    ships = np.empty((total, len(rules.fleet.lengths)), dtype=np.uint16)
    walk = _Walk(placement_table(rules))
    found = 0
    while not walk.over and found < total:
        found += walk.advance(masks[found:], ships[found:], write=True, most=total - found)
        if progress is not None:
            progress(found)
    masks.flags.writeable = False
    ships.flags.writeable = False
    return Layouts(rules, masks, ships)
