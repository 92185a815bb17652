"""Players: knowledge in, shot out. The interface, what a player may know, and the list of players.

A player is asked for a shot with a ``Position`` (the shots so far, in order, and their answers) and
with the ``Chance`` of the game, and returns a cell that has not been shot. It keeps nothing between
shots, so the same player can be asked in the middle of any game. Between games only ``learning``
keeps something.

What a player is told is reduced to what it *needs*: a player that needs ``hit`` sees every other
answer as ``hit`` or ``miss``; one that needs ``sunk`` and plays with answers ``ship`` is told of
sinkings as in mode ``sunk``; one that *uses everything* is told everything. A player that needs
more than the answers reveal cannot play, and says why. ``register`` adds a player to the list; see
``Kind``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.game.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_SUNK,
    MISS,
    SUNK,
    SUNK_LENGTH,
    kernel_mode,
)
from seabattle.enumerate.game.arguments import require_placements, require_position, require_rules
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Rules
from seabattle.solver.players.random_streams import Chance
from seabattle.trees.tree.replay import Game

BLOCK = 1000
"""Games ``BLOCK * i`` to ``BLOCK * (i + 1) - 1`` are a block: a player learns within one only."""

_TELLS = (AnswerMode.HIT, AnswerMode.SUNK, AnswerMode.SHIP)


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


class Player(ABC):
    """Chooses cells to shoot in games of one set of rules.

    Attributes
    ----------
    rules
        The game as played; ``told`` is the same game with the answers this player needs.
    uses_everything
        Whether it takes what the answers reveal beyond its needs.
    """

    name: str
    needs: AnswerMode
    uses_everything = False

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        if self.uses_everything:
            self.needs = rules.answers
        self.told = rules.answering(self.needs.value)

    def __repr__(self) -> str:
        return f"<player {self.name}: {self.rules}>"

    @abstractmethod
    def choose(self, position: Position, chance: Chance) -> int:
        """Cell to shoot; the position is reduced to what this player needs."""

    def shoot(self, position: Position, chance: Chance | None = None) -> int:
        """Cell to shoot.

        Parameters
        ----------
        position
            A position of the player's rules in which the fleet is not sunk yet.
        chance
            The game's random numbers; those of game 0 with seed 0 by default.
        """
        require_position(position, self.rules)
        chance = chance or Chance.of(seed=0, player=self.name, game=0)
        return self.choose(reduced(position, self.needs), chance)

    def begin_block(self) -> None:  # noqa: B027
        """Forget what was learnt in earlier games."""

    def finish(self, position: Position) -> None:  # noqa: B027
        """A game is over; ``position`` holds all its shots."""

    def play(self, layout: Sequence[int], chance: Chance, start: Position) -> Position:
        """Play one game, shot by shot.

        Parameters
        ----------
        layout
            Placement numbers of the hidden layout.
        chance
            The game's random numbers.
        start
            Position the game starts from; the layout must fit it.

        Returns
        -------
        Position
            The whole game: the shots of ``start``, then the player's.
        """
        game = Game(self.rules, tuple(int(n) for n in layout), start.shots)
        position = start
        while game.left():
            cell = self.shoot(position, chance)
            position = Position(self.rules, (*position.shots, (cell, game.shoot(cell))))
        self.finish(position)
        return position

    def play_all(
        self,
        layouts: NDArray[np.uint16],
        *,
        seed: int = 0,
        first_game: int = 0,
        start: Position | None = None,
        record: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int32]:
        """Play one game against each layout.

        Parameters
        ----------
        layouts
            uint16 ``(n_games, n_ships)``: placement numbers of the hidden layouts.
        seed
            Seed of the tournament.
        first_game
            Number of the first game; the player's chance in a game depends on seed and number.
        start
            Position that all games start from; the empty board by default.
        record
            int16 ``(n_games, cells)``, modified: the cells shot in each game, in order.

        Returns
        -------
        int32 ``(n_games,)``
            Shots of each game, those of ``start`` not counted.

        Raises
        ------
        LayoutError
            If the layouts are not of this fleet's placements.
        """
        start = Position(self.rules) if start is None else start
        require_placements(layouts, self.rules)
        shots = np.empty(len(layouts), dtype=np.int32)
        for row, layout in enumerate(layouts):
            number = first_game + row
            if number % BLOCK == 0:
                self.begin_block()
            chance = Chance.of(seed=seed, player=self.name, game=number)
            played = self.play(layout.tolist(), chance, start).shots
            shots[row] = len(played) - len(start.shots)
            if record is not None:
                record[row, : len(played)] = [cell for cell, _ in played]
        return shots


def unshot(position: Position) -> list[int]:
    """Cells not shot yet, in reading order."""
    return list(cells_of(position.rules.board.full_mask & ~position.shot_mask))


@dataclass(frozen=True)
class Kind:
    """A player that can be asked for by name.

    Attributes
    ----------
    name
        As on the command line.
    summary
        What it does, one line.
    needs
        The least that answers must reveal.
    home
        Module and class of the player, as ``module:Class``; loaded when first used.
    chance
        Whether it uses random numbers; a player that does not plays every layout the same way.
    quick
        Whether it plays when no players are named.
    learns
        Whether games of a block depend on the earlier ones.
    refuses
        Why it cannot play given rules, or an empty text.
    prepare
        Work done once for a tournament, before games are handed out; what it returns is given to
        every copy of the player as ``prepared``. Its third argument says whether to stop.
    read_strategy
        Makes ``prepared`` from a strategy file instead, given its path and the position that games
        start from; None where the player reads none.
    """

    name: str
    summary: str
    needs: AnswerMode
    home: str
    chance: bool = True
    quick: bool = True
    learns: bool = False
    refuses: Callable[[Rules, Position], str] = lambda rules, position: ""
    prepare: Callable[[Rules, Position, Callable[[], bool]], Any] | None = None
    read_strategy: Callable[[str | Path, Position], Any] | None = None

    def why_not(
        self, rules: Rules, position: Position | None = None, *, strategy: bool = False
    ) -> str:
        """Why this player cannot play these rules; an empty text when it can.

        With ``strategy`` a strategy file is at hand: a player that reads one asks the file.
        """
        if _TELLS.index(self.needs) > _TELLS.index(rules.answers):
            need = "which ship is hit" if self.needs is AnswerMode.SHIP else "when a ship is sunk"
            return f"it must be told {need}, and answers are {rules.answers.value!r}"
        if strategy and self.read_strategy is not None:
            return ""
        return self.refuses(rules, Position(rules) if position is None else position)

    def require(
        self, rules: Rules, position: Position | None = None, *, strategy: bool = False
    ) -> None:
        """Refuse rules that this player cannot play, for the reason that ``why_not`` gives.

        Raises
        ------
        PlayerError
            If there is one.
        """
        reason = self.why_not(rules, position, strategy=strategy)
        if reason:
            raise PlayerError(f"player {self.name!r} cannot play {rules}: {reason}")

    def prepared(
        self,
        position: Position,
        *,
        strategy: str | Path | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Any:
        """What copies of this player need for games from a position; None if nothing.

        Parameters
        ----------
        position
            What the player knows at the start.
        strategy
            A strategy file, for a player that reads one.
        stop
            Says whether to stop.
        """
        if strategy is not None and self.read_strategy is not None:
            return self.read_strategy(strategy, position)
        return None if self.prepare is None else self.prepare(position.rules, position, stop)

    def make(self, rules: Rules, prepared: Any = None) -> Player:
        """The player for these rules, from what ``prepared`` returned.

        Raises
        ------
        PlayerError
            If it cannot play them.
        """
        if prepared is None:  # what is prepared for a position need not be possible without it
            self.require(rules)
        module, _, class_name = self.home.partition(":")
        cls = getattr(import_module(module), class_name)
        needs_nothing = self.prepare is None and self.read_strategy is None
        player: Player = cls(rules) if needs_nothing else cls(rules, prepared)
        return player


_KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> Kind:
    """Add a player to the list."""
    _KINDS[kind.name] = kind
    return kind


def kinds() -> Mapping[str, Kind]:
    """All players by name."""
    return dict(_KINDS)


def kind_of(name: str) -> Kind:
    """The player of that name.

    Raises
    ------
    PlayerError
        If there is none; lists those there are.
    """
    found = _KINDS.get(name.strip().lower()) if isinstance(name, str) else None
    if found is None:
        raise PlayerError(f"player {name!r} is unknown; the players are {', '.join(_KINDS)}")
    return found


def make_player(name: str, rules: Rules, position: Position | None = None) -> Player:
    """A player by name, prepared for games of these rules that start from ``position``.

    >>> player = make_player("density", Rules("10x10", "hasbro", answers="sunk"))
    >>> player.rules.board.name(player.shoot(Position(player.rules)))
    'E5'
    """
    kind = kind_of(name)
    require_rules(rules)
    start = Position(rules) if position is None else position
    require_position(start, rules)
    kind.require(rules, start)
    return kind.make(rules, kind.prepared(start))


def later(home: str) -> Callable[..., Any]:
    """A function that is imported when it is first called, given as ``module:function``."""

    def call(*arguments: Any) -> Any:
        module, _, name = home.partition(":")
        return getattr(import_module(module), name)(*arguments)

    return call


_ROOM = "seabattle.solver"
for _kind in (
    Kind(
        "random",
        "shoots anywhere",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:Random",
    ),
    Kind(
        "hunt-target",
        "shoots anywhere until it hits, then around every hit",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:HuntTarget",
    ),
    Kind(
        "hunt-target-parity",
        "the same, hunting on every second cell only",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:HuntTargetParity",
    ),
    Kind(
        "density",
        "the cell that most placements of the ships afloat cover",
        AnswerMode.SUNK,
        f"{_ROOM}.players.density:Density",
        chance=False,
    ),
    Kind(
        "diagonal",
        "every fourth diagonal until the longest ship is found, then closer ones",
        AnswerMode.SUNK,
        f"{_ROOM}.players.density:Diagonal",
    ),
    Kind(
        "over-9000",
        "chances of each named ship by itself, favoured edges and a little noise",
        AnswerMode.SHIP,
        f"{_ROOM}.players.independent_ships:Over9000",
    ),
    Kind(
        "learning",
        "over-9000 that favours the cells where it hit in earlier games",
        AnswerMode.SHIP,
        f"{_ROOM}.players.independent_ships:Learning",
        learns=True,
    ),
    Kind(
        "bob",
        "chances of each ship by itself, told of hits and misses only",
        AnswerMode.HIT,
        f"{_ROOM}.players.independent_ships:Bob",
        chance=False,
    ),
    Kind(
        "greedy-map",
        "the cell that most of the layouts still possible occupy",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:GreedyMap",
        chance=False,
        quick=False,
    ),
    Kind(
        "map-endgame",
        "greedy-map, optimal once few layouts are left",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:MapEndgame",
        chance=False,
        quick=False,
    ),
    Kind(
        "exact",
        "the optimal tree, on small boards",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:Exact",
        chance=False,
        quick=False,
        refuses=later(f"{_ROOM}.players.exact_map:refuses_to_solve"),
        prepare=later(f"{_ROOM}.players.exact_map:optimal_tree"),
        read_strategy=later(f"{_ROOM}.players.exact_map:tree_of_file"),
    ),
    Kind(
        "equilibrium",
        "trees drawn at random so that nobody can prepare for them, on small boards",
        AnswerMode.HIT,
        f"{_ROOM}.equilibrium.mixed_player:Mixed",
        quick=False,
        refuses=later(f"{_ROOM}.equilibrium.mixed_player:refuses"),
        prepare=later(f"{_ROOM}.equilibrium.mixed_player:prepare"),
    ),
):
    register(_kind)
