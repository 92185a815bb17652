"""Players: knowledge in, shot out. What a player is, and what it may know.

A player is asked for a shot with a ``Position`` (the shots so far, in order, and their answers) and
with the ``Chance`` of the game, and returns a cell that has not been shot. It keeps nothing between
shots, so the same player can be asked in the middle of any game. Between games only ``learning``
keeps something.

What a player is told is reduced to what it *needs*: a player that needs ``hit`` sees every other
answer as ``hit`` or ``miss``; one that needs ``sunk`` and plays with answers ``ship`` is told of
sinkings as in mode ``sunk``; one that states no needs is told everything. A player that needs more
than the answers reveal cannot play, and says why. ``registry`` lists the players.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, HIT_SHIP, MISS, answer_text, sunk_code
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import (
    LayoutError,
    PlayerError,
    PositionError,
    RulesError,
    SeabattleError,
    Stop,
    quoted,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.failures import FAILURES, failure_text
from seabattle.trees.replay import HiddenGame

BLOCK = 1000
"""Games ``BLOCK * i`` to ``BLOCK * (i + 1) - 1`` are a block: a player learns within one only."""


def reduced(position: Position, needs: AnswerMode) -> Position:
    """What a player that needs no more than ``needs`` is told of a position.

    >>> rules = Rules("3x3", "2,1", answers="ship")
    >>> named = Position.read(rules, [("A1", "hit:2#1"), ("C3", "miss"), ("B1", "hit:2#1")])
    >>> [code for _, code in reduced(named, AnswerMode.SUNK).shots]
    [1, 0, 2]
    >>> [code for _, code in reduced(named, AnswerMode.HIT).shots]
    [1, 0, 1]
    """
    if needs is position.rules.answers:
        return position
    told = position.rules.answering(needs.value)
    met: Counter[int] = Counter()

    def reduced_code(code: int) -> int:
        if code == MISS or needs is AnswerMode.HIT:
            return min(code, HIT)
        met[code] += 1
        length = (code - HIT_SHIP) // 64
        return sunk_code(told, length) if met[code] == length else HIT

    return Position(told, tuple((cell, reduced_code(code)) for cell, code in position.shots))


def unshot(position: Position) -> list[int]:
    """Cells not shot yet on which a ship can lie, in reading order."""
    return list(cells_of(position.rules.open_mask & ~position.shot_mask))


class Player(ABC):
    """Chooses cells to shoot in games of one set of rules.

    Derive a class, give it a method ``choose``, and hand the class to ``tournament`` or
    ``make_player``.

    Attributes
    ----------
    name
        As in the tables; the name of the class unless it says otherwise.
    summary
        What it does: the first line of the class's docstring.
    needs
        The least that answers must reveal; a player is told no more than that. One that leaves it
        as None plays with any answers and is told all they reveal.
    uses_chance
        Whether it may play the same layout differently in another game. Only the mean of a player
        that does not can be exact.
    quick
        Whether it plays when no players are named.
    learns
        Whether games of a block depend on the earlier ones (see ``begin_block`` and ``finish``).
    takes_prior
        Whether it is made with a second argument, the prior it is to believe: how likely the
        layouts are, or None where all are equally likely.
    reads_strategy
        Whether ``prepare`` takes a strategy file.
    rules
        The game as played; ``told`` is the same game with the answers this player is told.
    """

    name: str
    summary: ClassVar[str]
    needs: AnswerMode | None = None
    uses_chance: bool = True
    quick: ClassVar[bool] = False
    learns: ClassVar[bool] = False
    takes_prior: ClassVar[bool] = False
    reads_strategy: ClassVar[bool] = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__
        if not isinstance(cls.name, str):
            raise PlayerError(f"player {cls.__name__!r} has the name {quoted(cls.name)}: give text")
        cls.summary = (cls.__doc__ or "").strip().partition("\n")[0]
        if cls.needs not in (None, *AnswerMode):
            raise PlayerError(
                f"player {cls.name!r} needs {quoted(cls.needs)}: give {', '.join(AnswerMode)} or "
                f"None"
            )
        cls.needs = None if cls.needs is None else AnswerMode(cls.needs)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.needs = self.needs or rules.answers
        self.told = rules.answering(self.needs.value)

    def __repr__(self) -> str:
        return f"<player {self.name}: {self.rules}>"

    @classmethod
    def why_not(cls, position: Position, *, strategy: bool = False) -> str:
        """Why it cannot play games from a position; an empty text when it can.

        With ``strategy`` a strategy file is at hand: a player that reads one asks the file.
        """
        answers, needs = position.rules.answers, cls.needs or AnswerMode.HIT
        if list(AnswerMode).index(needs) > list(AnswerMode).index(answers):
            told = "which ship is hit" if needs is AnswerMode.SHIP else "when a ship is sunk"
            return f"it must be told {told}, and answers are {answers.value!r}"
        try:
            position.rules.answering(needs.value)
        except RulesError as error:
            return str(error)
        return "" if strategy and cls.reads_strategy else cls.refuses(position)

    @classmethod
    def refuses(cls, position: Position) -> str:
        """Why it cannot play games from a position whose answers tell enough."""
        return ""

    @classmethod
    def prepare(
        cls, position: Position, prior: Any, strategy: str | Path | None, stop: Stop
    ) -> tuple[Any, ...]:
        """Work done once for a tournament: what every copy of the player is made with, after rules.

        Parameters
        ----------
        position
            What is known at the start of the games.
        prior
            What the player is to believe, if it takes one.
        strategy
            A strategy file, if it reads one.
        stop
            Asked now and then whether to stop.
        """
        return (prior,) if cls.takes_prior else ()

    @abstractmethod
    def choose(self, position: Position, chance: Chance) -> str | int:
        """Cell to shoot, by name or number.

        Parameters
        ----------
        position
            The game so far, reduced to what this player needs.
        chance
            The game's random numbers. A player that takes random numbers from here only plays the
            same games whenever and wherever the tournament is repeated.
        """

    def shoot(self, position: Position, chance: Chance | None = None) -> int:
        """Number of the cell to shoot.

        Parameters
        ----------
        position
            A position of the player's rules in which the fleet is not sunk yet.
        chance
            The game's random numbers; those of game 0 with seed 0 by default.

        Raises
        ------
        PlayerError
            If the player fails, or returns what is not a cell that can be shot; names the player
            and the position.
        PositionError
            If all cells have been shot.
        """
        if position.rules != self.rules:  # whose cells have other numbers
            raise PositionError(
                f"the position is of another game: of {position.rules!r}, not of {self.rules!r}"
            )
        if not self.rules.open_mask & ~position.shot_mask:
            raise PositionError("all cells have been shot: the game is over")
        chance = chance or Chance.of(seed=0, player=self.name, game=0)
        try:
            cell = self.choose(reduced(position, self.told.answers), chance)
        except PlayerError:
            raise
        except FAILURES as error:
            raise self._failed(position, error) from error
        board = self.rules.board
        try:
            number = board.cell(cell)
        except (SeabattleError, TypeError):
            raise PlayerError(
                f"player {self.name!r} returned {quoted(cell)} {_when(position)}: return a cell of "
                f"the board {board}, by name such as 'A1' or by number from 0 to {board.cells - 1}"
            ) from None
        if position.shot_mask >> number & 1:
            raise PlayerError(
                f"player {self.name!r} shot {board.name(number)} a second time {_when(position)}"
            )
        return number

    def _failed(self, position: Position, error: BaseException) -> PlayerError:
        """The error that says which player failed, where and why."""
        asked = getattr(type(self), "function", type(self).choose)
        return PlayerError(
            f"player {self.name!r} failed {_when(position)}: {failure_text(error, asked)}"
        )

    def begin_block(self) -> None:  # noqa: B027
        """Forget what was learnt in earlier games."""

    def finish(self, position: Position) -> None:  # noqa: B027
        """Take note of a finished game; ``position`` holds all its shots, as played."""

    def play(self, ships: Sequence[int], chance: Chance, start: Position) -> Position:
        """Play one game, shot by shot.

        Parameters
        ----------
        ships
            Placement numbers of the hidden layout.
        chance
            The game's random numbers.
        start
            Position the game starts from, which the layout must fit.

        Returns
        -------
        Position
            The whole game: the shots of ``start``, then the player's.

        Raises
        ------
        LayoutError
            If the layout does not fit ``start``.
        PlayerError
            If the player fails, or returns what is not a cell that can be shot; names the player
            and the position.
        """
        game, position = HiddenGame(self.rules, tuple(ships)), start
        if any(game.shoot(cell) != answer for cell, answer in start.shots):
            raise LayoutError("the layout does not fit the position that its game starts from")
        while game.left():
            cell = self.shoot(position, chance)
            position = Position(self.rules, (*position.shots, (cell, game.shoot(cell))))
        try:
            self.finish(position)
        except FAILURES as error:
            raise self._failed(position, error) from error
        return position

    def play_all(
        self,
        ships: NDArray[np.uint16],
        *,
        seed: int = 0,
        first_game: int = 0,
        start: Position | None = None,
        record: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int32]:
        """Play one game against each layout; who learns begins anew with the first of them.

        Parameters
        ----------
        ships
            uint16 ``(games, ships)``: placement numbers of the hidden layouts.
        seed
            Seed of the tournament.
        first_game
            Number of the first game; the player's chance in a game depends on seed and number.
        start
            Position that all games start from; the empty board by default.
        record
            int16 ``(games, cells)``, modified: the cells shot in each game, in order, -1 behind the
            last.

        Returns
        -------
        int32 ``(games,)``
            Shots of each game, those of ``start`` not counted.

        Raises
        ------
        PlayerError
            If the player fails; see ``play``.
        """
        start = Position(self.rules) if start is None else start
        shots = np.empty(len(ships), dtype=np.int32)
        blocks = {0, *range(BLOCK - first_game % BLOCK, len(ships), BLOCK), len(ships)}
        for begin, end in pairwise(sorted(blocks)):
            try:
                self.begin_block()
            except FAILURES as error:
                raise self._failed(start, error) from error
            cells = self._play_block(ships[begin:end], seed, first_game + begin, start)
            shots[begin:end] = (cells >= 0).sum(axis=1) - len(start.shots)
            if record is not None:
                record[begin:end] = cells
        return shots

    def _play_block(
        self, ships: NDArray[np.uint16], seed: int, first: int, start: Position
    ) -> NDArray[np.int16]:
        """Play games of one block: the cells shot in each, in order, -1 behind the last."""
        cells = np.full((len(ships), self.rules.board.cells), -1, dtype=np.int16)
        for row, layout in enumerate(ships.tolist()):
            chance = Chance.of(seed=seed, player=self.name, game=first + row)
            played = self.play(layout, chance, start).shots
            cells[row, : len(played)] = [cell for cell, _ in played]
        return cells


def _when(position: Position) -> str:
    """When a shot was asked for."""
    name = position.rules.board.name
    shots = ", ".join(f"{name(c)} {answer_text(a).replace(':', '=')}" for c, a in position.shots)
    return f'after --shots "{shots}"' if shots else "at the first shot"


ShootFunction = Callable[..., Any]
"""``shoot(position)`` or ``shoot(position, chance)``: the cell to shoot, by name or number."""


class FunctionPlayer(Player):
    """A player that is a function of the position, or of the position and the game's chance."""

    function: ClassVar[ShootFunction]

    @classmethod
    def of(cls, function: ShootFunction) -> type[FunctionPlayer]:
        """The class of the player that a function is.

        Raises
        ------
        PlayerError
            If it takes other arguments.

        Examples
        --------
        >>> def first(position):
        ...     "Shoots in reading order."
        ...     return len(position.shots)
        >>> FunctionPlayer.of(first).summary
        'Shoots in reading order.'
        """
        name = getattr(function, "__name__", type(function).__name__).strip("<>")
        members = {
            "__doc__": function.__doc__,
            "name": name,
            "function": staticmethod(function),
            "uses_chance": _takes_chance(function, name),
        }
        return type(name, (cls,), members)

    def choose(self, position: Position, chance: Chance) -> str | int:
        """What the function returns."""
        given = (position, chance) if self.uses_chance else (position,)
        cell: str | int = type(self).function(*given)
        return cell


def _takes_chance(function: ShootFunction, name: str) -> bool:
    """Whether a function takes a position and chance, and not only a position."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise PlayerError(f"player {name}: its arguments cannot be read") from None
    for arguments in (1, 2):
        with suppress(TypeError):
            signature.bind(*range(arguments))
            return arguments == 2 or "chance" in list(signature.parameters)[1:2]
    raise PlayerError(
        f"function {name}{signature} is not a player: it is called with a position, or with a "
        f"position and chance"
    )
