"""The package's errors: each message is one line that names the input and what would be right."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from reprlib import Repr
from typing import TypeVar

Number = TypeVar("Number", int, float)

Stop = Callable[[], bool | str]
"""Asked now and then whether work is to end as if by Ctrl-C: true, or why in words."""

MOST_GIB = 1e6
"""Limits of memory that are higher count as this."""

LONGEST_MESSAGE = 600
"""Characters of a message that are shown whole."""


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def quoted(piece: object) -> str:
    r"""Quote a piece of input in a message: on one line, with its middle elided if it is long.

    >>> print(quoted("A1\n"), quoted("x" * 1000))
    'A1\n' 'xxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxx'
    """
    return _SHORT.repr(piece).replace("\n", " ")


def elided(text: str) -> str:
    """A message, without its middle if it is long.

    >>> len(elided("many words " * 500))
    595
    """
    if len(text) > LONGEST_MESSAGE:
        text = f"{text[: LONGEST_MESSAGE - 200]} ... {text[-190:]}"
    return text


class SeabattleError(ValueError):
    """Base of every error that this package raises on purpose; its text is one clear line."""

    def __str__(self) -> str:
        # Names of files and fields are quoted verbatim and may contain a line break.
        text = elided(super().__str__())
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def end_if(stop: Stop | None) -> None:
    """End work that was asked to end.

    Raises
    ------
    KeyboardInterrupt
        If ``stop`` says so, with what it says.
    """
    why = stop is not None and stop()
    if why:
        raise KeyboardInterrupt(*([why] if isinstance(why, str) else []))


def why_stopped(stop: BaseException) -> str:
    """What ended work, in words, by what was raised then.

    >>> why_stopped(KeyboardInterrupt()), why_stopped(KeyboardInterrupt("the engine was left"))
    ('stopped by Ctrl-C', 'the engine was left')
    """
    if isinstance(stop, MemoryError):
        return "this machine has no more memory"
    return str(stop) or "stopped by Ctrl-C"


def within(name: str, value: Number, least: float, most: float = inf) -> Number:
    """The value of an argument, if it is in its range.

    >>> within("threads", 2, 1, 64)
    2

    Raises
    ------
    SeabattleError
        If it is not, or is not a number (NaN).
    """
    if not least <= value <= most:
        right = f"{least:,} or above" if most == inf else f"from {least:,} to {most:,}"
        raise SeabattleError(f"{name} {quoted(value)}: must be {right}")
    return value


class BoardError(SeabattleError):
    """A board, a cell name or a cell number that does not exist."""


class FleetError(SeabattleError):
    """A fleet that is empty, has impossible lengths or has no layout on its board."""


class RulesError(SeabattleError):
    """An unknown contact rule, answer mode or announcement, or rules that do not go together."""


class LayoutError(SeabattleError):
    """A layout or placement that the rules do not allow, or that cannot be read."""


class PositionError(SeabattleError):
    """Shots and answers that contradict each other or that no layout fits."""


class TooLargeError(SeabattleError):
    """A request that needs more memory, layouts or cells than the limit allows."""


class ProofError(SeabattleError):
    """A proof file that is damaged, of an unknown version, or of no game that has such proofs."""


class TreeError(SeabattleError):
    """A tree or tree file that is malformed or foreign."""


class PlayerError(SeabattleError):
    """A player that does not exist or cannot play the given rules, or a tournament of no games.

    Also the journal of a tournament that cannot be gone on from.
    """


class CheckpointError(SeabattleError):
    """A checkpoint of a search that is damaged, foreign, or of another problem."""


class StrategyError(SeabattleError):
    """A strategy file that is damaged or foreign, or that does not hold what is asked of it."""


class WeightsError(SeabattleError):
    """Weights that are negative, all zero, of the wrong size or too large."""


class DrawingError(SeabattleError):
    """A picture or print that cannot be made: no layout engine, or more nodes than can be drawn."""


class FileAccessError(SeabattleError):
    """A file or folder that cannot be read or written."""


class WorkFailed(SeabattleError):  # noqa: N818
    """Sound input, but the work could not be finished: a limit was reached, a tool is missing."""


class CoreError(WorkFailed):
    """The compiled core is missing, cannot be compiled or loaded, or is called wrongly."""
