"""What is known of a player before it plays: its name, its needs, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seabattle.enumerate.arguments import (
    require_choice,
    require_function,
    require_path,
    require_position,
    require_rules,
    require_type,
)
from seabattle.enumerate.errors import PlayerError, quoted, wrong_type
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.loading import load, place_of, taken_apart
from seabattle.solver.players.packed_player import (
    PackedPlayer,
    ShootFunction,
    player_class,
    takes_chance,
)
from seabattle.solver.players.player import Player

_TELLS = (AnswerMode.HIT, AnswerMode.SUNK, AnswerMode.SHIP)
_ROOM = "seabattle."


@dataclass(frozen=True, repr=False)
class PlayerSpec:
    """What is known of a player before it plays.

    Attributes
    ----------
    name
        As in the tables and on the command line.
    summary
        What it does, one line.
    needs
        The least that answers must reveal.
    source
        The class of the player, or a function, or where it is found: ``module:Class``,
        ``file.py:Class``; then it is loaded when first used.
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
        every copy of the player as its second argument. Its third argument says whether to stop.
    read_strategy
        Makes the same from a strategy file instead, given its path and the position that games
        start from; None where the player reads none.
    takes_prior
        Whether it can be given a prior, which every copy of the player gets as its second argument,
        or ``prepare`` as its fourth.
    prior
        The prior that it believes: a prior, its name or its file; None if all layouts are equally
        likely.

    Raises
    ------
    PlayerError
        If the name is none that tables can show.
    RulesError
        If ``needs`` is no answer mode.
    TypeError
        If a parameter is of the wrong type; names it.
    """

    name: str
    summary: str
    needs: AnswerMode
    source: str | type[Player] | ShootFunction
    chance: bool = True
    quick: bool = True
    learns: bool = False
    refuses: Callable[[Rules, Position], str] = lambda rules, position: ""
    prepare: Callable[..., Any] | None = None
    read_strategy: Callable[[str | Path, Position], Any] | None = None
    takes_prior: bool = False
    prior: Prior | str | Path | None = None

    def __post_init__(self) -> None:
        require_type("name", self.name, str, "text")
        _name(self.name)
        require_type("summary", self.summary, str, "text")
        needs = require_choice("needs", self.needs, AnswerMode, "answer mode")
        object.__setattr__(self, "needs", needs)
        if not isinstance(self.source, str) and not callable(self.source):
            raise wrong_type(
                "source", "a class derived from Player, a function, or its place", self.source
            )
        for flag in ("chance", "quick", "learns", "takes_prior"):
            require_flag(flag, getattr(self, flag))
        if not callable(self.refuses):
            raise wrong_type("refuses", "a function", self.refuses)
        require_function("prepare", self.prepare)
        require_function("read_strategy", self.read_strategy)

    def __repr__(self) -> str:
        return f"<player {self.name!r}, needs {self.needs.value}: {self.summary}>"

    @classmethod
    def of(cls, player: PlayerSpec | type[Player] | ShootFunction) -> PlayerSpec:
        """What is known of a class or function; a spec is returned as it is.

        Raises
        ------
        PlayerError
            If a class is no player's, or a function takes other arguments.
        TypeError
            If it is none of these.

        Examples
        --------
        >>> def first(position):
        ...     "Shoots in reading order."
        ...     return len(position.shots)
        >>> PlayerSpec.of(first)
        <player 'first', needs hit: Shoots in reading order.>
        """
        if isinstance(player, PlayerSpec):
            return player
        if isinstance(player, type):
            made = player_class(player)
            return cls(
                _name(made.name),
                _first_line(made),
                made.needs or AnswerMode.HIT,
                made,
                chance=made.uses_chance,
                quick=False,
                learns=made.learns,
                takes_prior=made.takes_prior,
            )
        if not callable(player):
            raise wrong_type(
                "player", "a name, a class derived from Player, a function or a PlayerSpec", player
            )
        return cls(
            _name(getattr(player, "__name__", type(player).__name__).strip("<>")),
            _first_line(player),
            AnswerMode.HIT,
            player,
            chance=takes_chance(player),
            quick=False,
        )

    @classmethod
    def at(cls, place: str) -> PlayerSpec:
        """What is known of the player at ``module:Class`` or ``file.py:Class``.

        Raises
        ------
        PlayerError
            If there is none.
        TypeError
            If it is not text.
        """
        require_type("place", place, str, "text such as 'mine.py:Center'")
        found = load(place)
        if not callable(found) and not isinstance(found, PlayerSpec):
            raise PlayerError(
                f"player {quoted(place)}: this is a {type(found).__name__}; name a class derived "
                f"from Player, or a function of a position"
            )
        spec = cls.of(found)
        return spec if spec is found else replace(spec, source=_absolute(place))

    def why_not(
        self, rules: Rules, position: Position | None = None, *, strategy: bool = False
    ) -> str:
        """Why this player cannot play these rules; an empty text when it can.

        With ``strategy`` a strategy file is at hand: a player that reads one asks the file.

        Raises
        ------
        PositionError
            If the position is of another game.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        require_rules(rules)
        if position is not None:
            require_position(position, rules)
        require_flag("strategy", strategy)
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
        PositionError, TypeError
            As for ``why_not``.
        """
        reason = self.why_not(rules, position, strategy=strategy)
        if reason:
            raise PlayerError(f"player {self.name!r} cannot play {rules}: {reason}")

    def believing(self, prior: Prior | str | Path | None, *, name: str = "") -> PlayerSpec:
        """The same player, given a prior to believe.

        Parameters
        ----------
        prior
            A prior, its name or its file; with ``uniform`` or None all layouts are equally likely.
        name
            Its new name; unchanged by default.

        Raises
        ------
        PlayerError
            If it takes no prior.
        """
        if not self.takes_prior:
            raise PlayerError(f"player {self.name!r} takes no prior: it does not weigh layouts")
        return replace(self, prior=prior, name=name or self.name)

    @property
    def takes_prepared(self) -> bool:
        """Whether the player's class takes what ``prepared`` returns."""
        return self.prepare is not None or self.read_strategy is not None or self.takes_prior

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

        Raises
        ------
        PlayerError
            If a strategy file is given to a player that believes a prior.
        WeightsError, FileAccessError
            If its prior cannot be read, or is of another game.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        require_position(position)
        if strategy is not None:
            require_path("strategy", strategy)
        if not callable(stop):
            raise wrong_type("stop", "a function", stop)
        prior = require_prior(self.prior, position.rules)
        if strategy is not None and self.read_strategy is not None:
            if prior is not None:
                raise PlayerError(
                    f"player {self.name!r}: a strategy file plays what it was built for; leave out "
                    f"the file or the prior"
                )
            return self.read_strategy(strategy, position)
        if self.prepare is None:
            return prior
        given = (prior,) if self.takes_prior else ()
        return self.prepare(position.rules, position, stop, *given)

    def make(self, rules: Rules, prepared: Any = None) -> Player:
        """The player for these rules, from what ``prepared`` returned.

        Raises
        ------
        PlayerError
            If it cannot play them.
        TypeError
            If ``rules`` is not ``Rules``.
        """
        require_rules(rules)
        if prepared is None:  # what is prepared for a position need not be possible without it
            self.require(rules)
        return self.packed(alone=True).make(rules, prepared)

    def packed(self, *, alone: bool = False) -> PackedPlayer:
        """The player as another process can make it; as this one can if ``alone``.

        Raises
        ------
        PlayerError
            If another process can neither find it nor be sent it.
        TypeError
            If ``alone`` is not True or False.
        """
        require_flag("alone", alone)
        place, parts, made = "", b"", None
        if isinstance(self.source, str):
            place = self.source
            made = None if place.startswith(_ROOM) else load(place)
        else:
            made = self.source
            place = place_of(made)
        if alone:
            return PackedPlayer(self.name, self.learns, self.takes_prepared, place, made=made)
        if made is not None and not place.startswith(_ROOM):
            try:
                parts = taken_apart(made)
            except PlayerError:
                if not place:
                    raise
        return PackedPlayer(self.name, self.learns, self.takes_prepared, place, parts)


def _name(name: object) -> str:
    """A name that tables can show."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or "," in name:
        raise PlayerError(f"player name {quoted(name)}: give a word or two, without commas")
    return name


def _first_line(thing: Any) -> str:
    """The first line of a docstring of its own."""
    text = getattr(thing, "__doc__", None) or ""
    return text.strip().partition("\n")[0]


def _absolute(place: str) -> str:
    """The same place, wherever the current folder is."""
    path, _, name = place.rpartition(":")
    path = path.strip()
    return f"{Path(path).resolve() if path.endswith('.py') else path}:{name.strip()}"
