"""The layouts that fit a position, on a board of any size.

On a board whose cells fit a word, all layouts of the game are enumerated where they fit the memory,
and those that fit the position are picked. Of a larger game in progress those that fit are counted,
and listed if they are few enough.
"""

from __future__ import annotations

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.layouts import DEFAULT_MEMORY_GIB, Progress, bytes_per_layout
from seabattle.enumerate.table import DecisionTable, Game, WeighsLayouts, position_of

WORD = 64

MOST_LISTED = 1_000_000
"""Layouts that are listed one by one at most, which takes some seconds."""


def fitting_table(
    game: Game,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Progress | None = None,
    prior: WeighsLayouts | None = None,
    bytes_each: int = 0,
) -> DecisionTable:
    """The decision table of a game: ``DecisionTable.build`` also where only few layouts are left.

    Parameters
    ----------
    game, memory_limit, progress, prior, bytes_each
        As for ``DecisionTable.build``.

    Raises
    ------
    PositionError, FleetError
        If no layout fits.
    TooLargeError
        If too many do.
    WeightsError
        As for ``DecisionTable.build``.

    Examples
    --------
    >>> from seabattle.enumerate.position import Position
    >>> from seabattle.enumerate.rules import Rules
    >>> rules = Rules("10x10", "4,3,3,2", answers="sunk")
    >>> position = Position.of_cells(rules, sunk=["A1:A4", "C1:C3", "E1:E3"], hit=["J10"])
    >>> len(fitting_table(position))
    2
    """
    if isinstance(game, DecisionTable):
        return DecisionTable.build(game, prior=prior)
    position = position_of(game)
    if position.rules.board.cells <= WORD or not position.shots:
        try:
            return DecisionTable.build(
                game, memory_limit=memory_limit, progress=progress, prior=prior,
                bytes_each=bytes_each,
            )  # fmt: skip
        except TooLargeError:
            if not position.shots:
                raise
    each = max(bytes_each, bytes_per_layout(position.rules))
    counter = Counter(position, memory_limit=memory_limit)
    layouts, most = counter.count(), min(MOST_LISTED, int(memory_limit * 2**30) // each)
    if layouts > most:
        raise TooLargeError(
            f"{layouts:,} layouts fit, and at most {most:,} are listed to be solved: until fewer "
            f"are left, advise plays by its map"
        )
    return DecisionTable.of_fitting(position, counter.layouts(most=most), prior)
