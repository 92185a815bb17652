"""Players: knowledge in, shot out. What a player is, and what it may know.

A player is asked for a shot with a ``Position`` (the shots so far, in order, and their answers) and
with the ``Chance`` of the game, and returns a cell that has not been shot. It keeps nothing between
shots, so the same player can be asked in the middle of any game. Between games only ``learning``
keeps something.

What a player is told is reduced to what it *needs*: a player that needs ``hit`` sees every other
answer as ``hit`` or ``miss``; one that needs ``sunk`` and plays with answers ``ship`` is told of
sinkings as in mode ``sunk``; one that *uses everything*, or states no needs, is told everything. A
player that needs more than the answers reveal cannot play, and says why. ``registry`` lists the
players; ``player_spec`` says what else is known of each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import index

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_text,
    kernel_mode,
)
from seabattle.enumerate.arguments import (
    require_placements,
    require_position,
    require_rules,
    require_type,
    require_whole,
)
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import (
    LayoutError,
    PlayerError,
    PositionError,
    SeabattleError,
    quoted,
    wrong_type,
)
from seabattle.enumerate.layouts import fitting_ships
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.plain_arguments import require_list
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.random_streams import Chance
from seabattle.trees.replay import HiddenGame

BLOCK = 1000
"""Games ``BLOCK * i`` to ``BLOCK * (i + 1) - 1`` are a block: a player learns within one only."""

MOST_QUOTED = 200
"""Characters of another program's error that a message quotes."""


def reduced(position: Position, needs: AnswerMode) -> Position:
    """What a player that needs no more than ``needs`` is told of a position.

    >>> rules = Rules("3x3", "2,1", answers="ship")
    >>> named = Position.read(rules, [("A1", "hit:2#1"), ("C3", "miss"), ("B1", "hit:2#1")])
    >>> [code for _, code in reduced(named, AnswerMode.SUNK).shots]
    [1, 0, 2]
    >>> [code for _, code in reduced(named, AnswerMode.HIT).shots]
    [1, 0, 1]
    """
    rules = position.rules
    if needs is rules.answers:
        return position
    told = rules.answering(needs.value)
    if needs is AnswerMode.HIT:
        return Position(told, tuple((cell, min(code, HIT)) for cell, code in position.shots))
    plain = kernel_mode(told) == KERNEL_SUNK
    left: dict[int, int] = {}
    shots = []
    for cell, code in position.shots:
        if code == MISS:
            shots.append((cell, MISS))
            continue
        length = (code - HIT_SHIP) // 64
        left[code] = left.get(code, length) - 1
        sunk = SUNK if plain else SUNK_LENGTH + length
        shots.append((cell, HIT if left[code] else sunk))
    return Position(told, tuple(shots))


def unshot(position: Position) -> list[int]:
    """Cells not shot yet, in reading order."""
    return list(cells_of(position.rules.board.full_mask & ~position.shot_mask))


def shots_text(position: Position) -> str:
    """The shots of a position as the option ``--shots`` takes them.

    >>> rules = Rules("3x3", "3,2", "sides", "sunk")
    >>> shots_text(Position.in_order(rules, "C3 hit, A3 hit, B3 sunk=2"))
    'C3 hit, A3 hit, B3 sunk=2'
    """
    name = position.rules.board.name
    return ", ".join(
        f"{name(cell)} {answer_text(code).replace(':', '=')}" for cell, code in position.shots
    )


def quoted_error(error: BaseException) -> str:
    """Type and text of another program's error, on one line."""
    text = " ".join(str(error).split())
    if len(text) > MOST_QUOTED:
        text = f"{text[:MOST_QUOTED]}..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def require_games(
    rules: Rules, ships: object, seed: object, first_game: object, start: object, record: object
) -> None:
    """Reject wrong arguments of ``Player.play_all``, before a kernel writes beyond an array."""
    require_placements(ships, rules, "ships")  # type: ignore[arg-type]
    require_whole("seed", seed, 0)
    if require_whole("first_game", first_game, 0) + len(ships) >= 1 << 63:  # type: ignore[arg-type]
        raise SeabattleError(f"first_game {quoted(first_game)}: must be below 2**63")
    if start is not None:
        require_position(start, rules, name="start")
    if record is not None:
        shape = (len(ships), rules.board.cells)  # type: ignore[arg-type]
        if not isinstance(record, np.ndarray) or record.dtype != np.int16:
            raise wrong_type("record", f"an int16 array {shape}", record)
        if record.shape != shape:
            raise SeabattleError(f"record of shape {record.shape}: give one of shape {shape}")


class Player(ABC):
    """Chooses cells to shoot in games of one set of rules.

    Derive a class, give it a method ``choose``, and hand the class to ``tournament`` or
    ``make_player``.

    Attributes
    ----------
    name
        As in the tables; the name of the class unless it says otherwise.
    needs
        The least that answers must reveal; a player is told no more than that. One that leaves it
        as None plays with any answers and is told all they reveal.
    uses_everything
        Whether it takes what the answers reveal beyond its needs.
    uses_chance
        Whether it may play the same layout differently in another game. Only the mean of a player
        that does not can be exact.
    learns
        Whether games of a block depend on the earlier ones (see ``begin_block`` and ``finish``).
    takes_prior
        Whether it is made with a second argument, the prior it is to believe: how likely the
        layouts are, or None where all are equally likely.
    rules
        The game as played; ``told`` is the same game with the answers this player is told.
    """

    name: str
    needs: AnswerMode | None = None
    uses_everything = False
    uses_chance = True
    learns = False
    takes_prior = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def __init__(self, rules: Rules) -> None:
        require_rules(rules)
        self.rules = rules
        if self.uses_everything or self.needs is None:
            self.needs = rules.answers
        self.told = rules.answering(self.needs.value)

    def __repr__(self) -> str:
        return f"<player {self.name}: {self.rules}>"

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
            If the player fails, or returns what is no cell that can be shot; names the player and
            the position.
        PositionError
            If all cells have been shot.
        """
        require_position(position, self.rules)
        if chance is not None:
            require_type("chance", chance, Chance, "a Chance, as in Chance(seed)")
        if position.shot_mask == self.rules.board.full_mask:
            raise PositionError("all cells have been shot: the game is over")
        chance = chance or Chance.of(seed=0, player=self.name, game=0)
        try:
            cell = self.choose(reduced(position, self.told.answers), chance)
        except SeabattleError:
            raise
        except Exception as error:
            raise self._failed(position, error) from error
        return self._cell(cell, position)

    def _cell(self, cell: object, position: Position) -> int:
        """The number of a cell that was returned as a shot, if it can be shot."""
        board = self.rules.board
        number = -1
        try:
            if isinstance(cell, str):
                number = board.cell(cell)
            elif not isinstance(cell, bool | np.bool_):
                number = index(cell)  # type: ignore[arg-type]
        except (SeabattleError, TypeError):
            pass
        if not 0 <= number < board.cells:
            raise PlayerError(
                f"player {self.name!r} returned {quoted(cell)} {_when(position)}: return a cell of "
                f"the board {board}, by name such as 'A1' or by number from 0 to {board.cells - 1}"
            )
        if position.shot_mask >> number & 1:
            raise PlayerError(
                f"player {self.name!r} shot {board.name(number)} a second time {_when(position)}"
            )
        return number

    def _failed(self, position: Position, error: Exception) -> SeabattleError:
        """The error that says which player failed, where and why."""
        if isinstance(error, PlayerError) and f"player {self.name!r}" in str(error):
            return error
        return PlayerError(f"player {self.name!r} failed {_when(position)}: {quoted_error(error)}")

    def begin_block(self) -> None:  # noqa: B027
        """Forget what was learnt in earlier games."""

    def finish(self, position: Position) -> None:
        """Take note of a finished game; ``position`` holds all its shots, as played.

        Raises
        ------
        PositionError
            If the position is of another game.
        TypeError
            If it is no position.
        """
        require_position(position, self.rules)

    def play(self, ships: Sequence[int], chance: Chance, start: Position) -> Position:
        """Play one game, shot by shot.

        Parameters
        ----------
        ships
            Placement numbers of the hidden layout.
        chance
            The game's random numbers.
        start
            Position the game starts from; the layout must fit it.

        Returns
        -------
        Position
            The whole game: the shots of ``start``, then the player's.

        Raises
        ------
        PlayerError
            If the player fails, or returns what is no cell that can be shot; names the player and
            the position.
        LayoutError
            If the layout is not of this fleet's placements, or does not fit ``start``.
        PositionError
            If ``start`` is of another game.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        right = {"example": "[0, 17]", "of": "placement numbers"}
        numbers = [require_whole("ships", n) for n in require_list("ships", ships, **right)]
        layout = np.array([numbers], dtype=np.int64)
        require_placements(layout, self.rules, "ships")
        require_type("chance", chance, Chance, "a Chance, as in Chance(seed)")
        require_position(start, self.rules, name="start")
        try:
            fitting_ships(start, layout.astype(np.uint16))
        except PositionError:
            names = " ".join(placement_table(self.rules).names(numbers))
            raise LayoutError(f"ships {names}: they do not fit the position {start!r}") from None
        return self._play(tuple(numbers), chance, start)

    def _play(self, ships: tuple[int, ...], chance: Chance, start: Position) -> Position:
        """``play`` without the validation of its arguments."""
        game = HiddenGame(self.rules, ships, start.shots)
        position = start
        try:
            while game.left():
                cell = self.shoot(position, chance)
                position = Position(self.rules, (*position.shots, (cell, game.shoot(cell))))
            self.finish(position)
        except Exception as error:
            failure = self._failed(position, error)
            if failure is error:
                raise
            raise failure from error
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
        """Play one game against each layout.

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
            int16 ``(games, cells)``, modified: the cells shot in each game, in order.

        Returns
        -------
        int32 ``(games,)``
            Shots of each game, those of ``start`` not counted.

        Raises
        ------
        LayoutError
            If the layouts are not of this fleet's placements.
        PositionError
            If ``start`` is of another game.
        SeabattleError
            If a number is below 0, or ``record`` is of another shape.
        TypeError
            If a parameter is of the wrong type; names it.
        PlayerError
            If the player fails; see ``play``.
        """
        require_games(self.rules, ships, seed, first_game, start, record)
        start = Position(self.rules) if start is None else start
        shots = np.empty(len(ships), dtype=np.int32)
        for row, layout in enumerate(ships):
            number = first_game + row
            if number % BLOCK == 0:
                self.begin_block()
            chance = Chance.of(seed=seed, player=self.name, game=number)
            played = self._play(tuple(layout.tolist()), chance, start).shots
            shots[row] = len(played) - len(start.shots)
            if record is not None:
                record[row, : len(played)] = [cell for cell, _ in played]
        return shots


def _when(position: Position) -> str:
    """When a shot was asked for."""
    return f'after --shots "{shots_text(position)}"' if position.shots else "at the first shot"
