"""Players on their way to another process, and players that are functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from seabattle.enumerate.errors import PlayerError, SeabattleError, quoted
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.loading import load, put_together
from seabattle.solver.players.player import Player, quoted_error
from seabattle.solver.players.random_streams import Chance

ShootFunction = Callable[..., Any]
"""``shoot(position)`` or ``shoot(position, chance)``: the cell to shoot, by name or number."""


@dataclass(frozen=True)
class PackedPlayer:
    """What a process needs to make a player.

    Attributes
    ----------
    name, learns, takes_prepared
        As in its ``PlayerSpec``.
    place
        Where its class or function is found, ``module:Class`` or ``file.py:Class``; empty if
        nowhere.
    parts
        The class or function itself, for a process that cannot find it at ``place``.
    made
        The class or function, in the process it came from.
    """

    name: str
    learns: bool
    takes_prepared: bool
    place: str
    parts: bytes = b""
    made: Any = None

    def _found(self) -> Any:
        if self.made is not None:
            return self.made
        if self.parts:
            try:
                return load(self.place)
            except PlayerError:
                return put_together(self.parts)
        return load(self.place)

    def make(self, rules: Rules, prepared: Any = None) -> Player:
        """The player for these rules.

        Raises
        ------
        PlayerError
            If it is not found, or cannot be made.
        """
        found = self._found()
        if not isinstance(found, type):
            return FunctionPlayer(rules, found, self.name)
        made: Callable[..., Player] = player_class(found)
        try:
            player = made(rules, prepared) if self.takes_prepared else made(rules)
            player.name = self.name
        except SeabattleError:
            raise
        except Exception as error:
            raise PlayerError(
                f"player {self.name!r} cannot be made for {rules}: {quoted_error(error)}"
            ) from error
        return player


class FunctionPlayer(Player):
    """A player that is a function of the position, or of the position and the game's chance."""

    def __init__(self, rules: Rules, function: ShootFunction, name: str) -> None:
        super().__init__(rules)
        self.name = name
        self.function = function
        self.uses_chance = takes_chance(function)

    def choose(self, position: Position, chance: Chance) -> str | int:
        """What the function returns."""
        cell: str | int = (
            self.function(position, chance) if self.uses_chance else self.function(position)
        )
        return cell


def player_class(found: type) -> type[Player]:
    """The class, checked to be that of a player."""
    name = found.__name__
    if not issubclass(found, Player):
        raise PlayerError(
            f"class {name} is no player: derive it from seabattle.Player and give it a method "
            f"choose(self, position, chance)"
        )
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise PlayerError(f"class {name} is not complete: it lacks {missing}")
    if not isinstance(found.needs, AnswerMode | None):
        raise PlayerError(
            f"class {name}: needs {quoted(found.needs)} must be an AnswerMode or None"
        )
    return found


def takes_chance(function: ShootFunction) -> bool:
    """Whether a function takes a position and chance, and not only a position."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise PlayerError(f"player {quoted(function)}: its arguments cannot be read") from None
    for arguments in (1, 2):
        try:
            signature.bind(*range(arguments))
        except TypeError:
            continue
        return arguments == 2 or "chance" in list(signature.parameters)[1:2]
    raise PlayerError(
        f"function {getattr(function, '__name__', quoted(function))}{signature} is no player: it "
        f"is called with a position, or with a position and chance"
    )
