"""Answers piped to a command that tells one advice."""

from __future__ import annotations

from collections.abc import Iterable

from seabattle.cli.answer_lines import corrected, told_after, without_shots
from seabattle.cli.standard_input import has_input, is_typed, standard_input
from seabattle.enumerate.counting.conflict import conflict
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.position import Position


def piped_lines() -> list[str]:
    """Lines on standard input; none from a terminal, or where nothing comes."""
    return [] if is_typed() or not has_input() else standard_input().splitlines()


def played(position: Position, lines: Iterable[str]) -> Position:
    """The position after lines of answers, of which ``change`` and ``remove`` correct earlier ones.

    Raises
    ------
    PositionError
        If a line cannot be understood; names it. One line.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> start = Position(Rules("5x5", "3,2,1"))
    >>> played(start, ["C1 miss", "", "d4 hit", "change C1 hit"]).shots
    ((2, 1), (18, 1))
    """
    for number, line in enumerate(lines, start=1):
        word, _, rest = line.strip().partition(" ")
        try:
            if word.lower() == "change":
                position = corrected(position, rest)
            elif word.lower() == "remove":
                position = without_shots(position, rest)
            else:
                position = told_after(position, line, ())
        except SeabattleError as error:
            raise PositionError(f"line {number} of standard input: {error}") from None
    return position


def with_conflict(error: PositionError, position: Position, memory_limit: float) -> PositionError:
    """The error, and which answers cannot stand together, if it is that no layout fits."""
    try:
        found = conflict(position, memory_limit=memory_limit)
    except SeabattleError:
        return error
    if found is None:
        return error
    if len(found.shots) + len(found.ships) == 1:
        return PositionError(f"{error}; {found} cannot be right")
    return PositionError(f"{error}; of these {found} cannot stand together")
