"""Sinkings whose ship can lie in several ways: which cells sank is then worth asking.

Where ships may touch at their sides, the answer ``sunk`` does not always show which of the hits
around it belong to the ship. The placements it can be are those that some layout that fits has:
they are counted, so none is named that is impossible and none is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from seabattle.enumerate.answers import SUNK_LENGTH, is_sunk
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode


@dataclass(frozen=True)
class OpenSinking:
    """A sinking whose ship can lie in several ways.

    Attributes
    ----------
    shot
        Name of the cell that was answered ``sunk``.
    length
        The length that was announced; None if none was.
    ships
        The placements it can be, by name, in the order of the placement table.
    """

    shot: str
    length: int | None
    ships: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """The sinking as JSON."""
        return {"shot": self.shot, "length": self.length, "ships": list(self.ships)}


def open_sinkings(
    position: Position,
    memory_limit: float = 4.0,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[OpenSinking, ...]:
    """The sinkings of a position whose ship can lie in several ways, in the order of the shots.

    Parameters
    ----------
    position
        What is known; some layout has to fit it.
    memory_limit
        GiB for counting, which is done only where one answer alone leaves several ways.
    progress
        Called before each row that is counted, with its number and the number of rows.

    Raises
    ------
    PositionError
        If no layout fits.
    TooLargeError
        If counting needs more memory.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("4x4", "2,2", "sides", "sunk")
    >>> told = Position.in_order(rules, "A1 hit, B2 hit, A2 sunk=2")
    >>> open_sinkings(told)
    (OpenSinking(shot='A2', length=2, ships=('A2:B2', 'A1:A2')),)
    """
    if position.rules.answers is not AnswerMode.SUNK:
        return ()
    table = placement_table(position.rules)
    sunk = [(cell, code) for cell, code in position.shots if is_sunk(code)]

    def ways(possible: np.ndarray[Any, Any]) -> list[tuple[int, int, list[int]]]:
        numbers = np.flatnonzero(possible).tolist()
        found = [
            (cell, code, [i for i in numbers if table.placements[i].mask >> cell & 1])
            for cell, code in sunk
        ]
        return [way for way in found if len(way[2]) > 1]

    if not ways(check_answers(position)):
        return ()
    counter = Counter(position, memory_limit=memory_limit, progress=progress)
    counts = counter.occupancy_map().placements
    name = position.rules.board.name
    return tuple(
        OpenSinking(name(cell), code - SUNK_LENGTH if code >= SUNK_LENGTH else None,
                    tuple(str(table.placements[i]) for i in found))
        for cell, code, found in ways(np.array([layouts > 0 for layouts in counts]))
    )  # fmt: skip
