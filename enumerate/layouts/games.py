"""What every function accepts as a game: rules, a position, or a decision table.

Rules are a game at its beginning, a position is a game in progress, a decision table its layouts.
A function that needs a game takes any of the three, and nothing else about the game.
"""

from __future__ import annotations

from seabattle.enumerate.errors import wrong_type
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import DEFAULT_MEMORY_GIB, Progress
from seabattle.enumerate.layouts.table import DecisionTable

Game = Rules | Position | DecisionTable
"""A game at its beginning, in progress, or as its layouts with their weights."""


def rules_of(game: Game) -> Rules:
    """The rules of a game.

    Raises
    ------
    TypeError
        If ``game`` is not ``Rules``, a ``Position`` or a ``DecisionTable``.

    Examples
    --------
    >>> rules_of("5x5")
    Traceback (most recent call last):
    TypeError: game: give Rules, a Position or a DecisionTable, not 'str'
    """
    if isinstance(game, Rules):
        return game
    if isinstance(game, Position | DecisionTable):
        return game.rules
    raise wrong_type("game", "Rules, a Position or a DecisionTable", game)


def position_of(game: Game) -> Position:
    """The position of a game; rules are a game at its beginning.

    Raises
    ------
    PositionError
        If the game is a table without history.
    TypeError
        If ``game`` is not ``Rules``, a ``Position`` or a ``DecisionTable``.
    """
    if isinstance(game, Position):
        return game
    if isinstance(game, DecisionTable):
        return game.history
    return Position(rules_of(game))


def as_table(
    game: Game,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Progress | None = None,
) -> DecisionTable:
    """The decision table of a game; a table is returned as it is.

    Parameters
    ----------
    game
        Rules, a position, or a table.
    memory_limit
        GiB that the layouts may take.
    progress
        Called with the number of layouts found so far.

    Raises
    ------
    PositionError, FleetError, TooLargeError
        As for ``DecisionTable.build``.
    TypeError
        If ``game`` is not ``Rules``, a ``Position`` or a ``DecisionTable``.
    """
    return DecisionTable.build(game, memory_limit=memory_limit, progress=progress)
