"""The list of players, and how one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, TypeVar

from seabattle.enumerate.errors import PlayerError, quoted
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode
from seabattle.enumerate.table import DecisionTable, Game, position_of
from seabattle.solver.players.packed_player import ShootFunction
from seabattle.solver.players.player import Player
from seabattle.solver.players.player_spec import PlayerSpec

PlayerLike = str | PlayerSpec | type[Player] | ShootFunction
"""A player by name or by place, its spec, its class, or a function."""

_PLAYERS: dict[str, PlayerSpec] = {}

_Given = TypeVar("_Given")


def register(player: _Given) -> _Given:
    """Add a player to the list: a spec, a class or a function, which is returned.

    So it serves as a decorator, too. Another player of the same name is replaced.

    Raises
    ------
    PlayerError
        If it is no player.
    """
    spec = PlayerSpec.of(player)  # type: ignore[arg-type]
    _PLAYERS[spec.name] = spec
    return player


def forget(name: str) -> None:
    """Take a player off the list.

    Raises
    ------
    PlayerError
        If none of the list has this name.
    """
    if name not in _PLAYERS:
        raise PlayerError(f"no player is named {quoted(name)}")
    del _PLAYERS[name]


def players() -> list[PlayerSpec]:
    """All players of the list.

    >>> [spec.name for spec in players()][:3]
    ['random', 'hunt-target', 'hunt-target-parity']
    """
    return list(_PLAYERS.values())


def player_spec(player: PlayerLike) -> PlayerSpec:
    """What is known of a player, however it is given.

    Parameters
    ----------
    player
        The name of a player of the list, a place (``mine.py:Center``, ``package.module:Center``),
        a class derived from ``Player``, a function, or a ``PlayerSpec``. A name and a prior joined
        by ``@`` (``greedy-map@people``, ``greedy-map@mine.json``) is the player that believes it.

    Raises
    ------
    PlayerError
        If there is none of that name, which lists those there are; it is no player; or it takes no
        prior.
    TypeError
        If it is nothing of the kind.

    Examples
    --------
    >>> player_spec("greedy-map@people").prior
    'people'
    """
    if not isinstance(player, str):
        return PlayerSpec.of(player)
    name = player.strip()
    if name in _PLAYERS:
        return _PLAYERS[name]
    believer, at, prior = name.partition("@")
    if at and ":" not in believer:
        if not prior.strip():
            raise PlayerError(f"player {player!r}: name a prior after @, as in greedy-map@people")
        return player_spec(believer).believing(prior.strip(), name=name)
    alike = [spec for spec in players() if spec.name.lower() == name.lower()]
    if alike:
        return alike[0]
    if ":" in name:
        return PlayerSpec.at(name)
    if name.endswith(".py"):
        raise PlayerError(
            f"player {player!r}: name the class or function in the file, as in {name}:Center"
        )
    near = get_close_matches(name.lower(), _PLAYERS, n=1)
    raise PlayerError(
        f"player {player!r} is unknown{f' (did you mean {near[0]}?)' if near else ''}; the players "
        f"are {', '.join(_PLAYERS)}; one of your own is named as in mine.py:Center"
    )


def start_of(game: Game) -> Position:
    """The position that games of players start from.

    Raises
    ------
    PlayerError
        If layouts have weights, which players would not see.
    PositionError
        If the game is a table without history.
    TypeError
        If it is no game.
    """
    if isinstance(game, DecisionTable) and len(game.weights):
        raise PlayerError(
            "players are told how likely layouts are by a prior, and this table has weights: give "
            "rules or a position, and the prior with the player"
        )
    return position_of(game)


def make_player(player: PlayerLike, game: Game) -> Player:
    """A player, prepared for games of these rules, or for games that start from this position.

    Parameters
    ----------
    player
        As for ``player_spec``.
    game
        The game.

    Raises
    ------
    PlayerError
        If there is no such player, or it cannot play this game.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> player = make_player("density", Rules("10x10", "hasbro", answers="sunk"))
    >>> player.rules.board.name(player.shoot(Position(player.rules)))
    'E5'
    """
    spec = player_spec(player)
    start = start_of(game)
    spec.require(start.rules, start)
    return spec.make(start.rules, spec.prepared(start))


def later(place: str) -> Callable[..., Any]:
    """A function that is imported when it is first called, given as ``module:function``."""

    def call(*arguments: Any) -> Any:
        module, _, name = place.partition(":")
        return getattr(import_module(module), name)(*arguments)

    return call


_ROOM = "seabattle.solver"
for _spec in (
    PlayerSpec(
        "random",
        "shoots anywhere",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:Random",
    ),
    PlayerSpec(
        "hunt-target",
        "shoots anywhere until it hits, then around every hit",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:HuntTarget",
    ),
    PlayerSpec(
        "hunt-target-parity",
        "the same, hunting on every second cell only",
        AnswerMode.HIT,
        f"{_ROOM}.players.hunt_target:HuntTargetParity",
    ),
    PlayerSpec(
        "density",
        "the cell covered by the most placements of the ships afloat",
        AnswerMode.SUNK,
        f"{_ROOM}.players.density:Density",
        chance=False,
    ),
    PlayerSpec(
        "diagonal",
        "every n-th diagonal, n the cells of the longest ship afloat",
        AnswerMode.SUNK,
        f"{_ROOM}.players.density:Diagonal",
    ),
    PlayerSpec(
        "over-9000",
        "chances of each named ship by itself, favoured edges and a little noise",
        AnswerMode.SHIP,
        f"{_ROOM}.players.independent_ships:Over9000",
    ),
    PlayerSpec(
        "learning",
        "over-9000 that favours the cells where it hit in earlier games",
        AnswerMode.SHIP,
        f"{_ROOM}.players.independent_ships:Learning",
        learns=True,
    ),
    PlayerSpec(
        "bob",
        "chances of each ship by itself, told of hits and misses only",
        AnswerMode.HIT,
        f"{_ROOM}.players.independent_ships:Bob",
        chance=False,
    ),
    PlayerSpec(
        "greedy-map",
        "the cell occupied in the most layouts still possible",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:GreedyMap",
        chance=False,
        quick=False,
        takes_prior=True,
    ),
    PlayerSpec(
        "map-endgame",
        "greedy-map, optimal once few layouts are left",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:MapEndgame",
        chance=False,
        quick=False,
        takes_prior=True,
    ),
    PlayerSpec(
        "lookahead",
        "greedy-map that tries its best shots in every layout left, once they can be listed",
        AnswerMode.HIT,
        f"{_ROOM}.players.lookahead:Lookahead",
        chance=False,
        quick=False,
    ),
    PlayerSpec(
        "exact",
        "the optimal tree, on small boards",
        AnswerMode.HIT,
        f"{_ROOM}.players.exact_map:Exact",
        chance=False,
        quick=False,
        refuses=later(f"{_ROOM}.players.exact_map:refuses_to_solve"),
        prepare=later(f"{_ROOM}.players.exact_map:optimal_tree"),
        read_strategy=later(f"{_ROOM}.players.exact_map:tree_of_file"),
        takes_prior=True,
    ),
    PlayerSpec(
        "equilibrium",
        "trees drawn at random so that nobody can prepare for them, on small boards",
        AnswerMode.HIT,
        f"{_ROOM}.equilibrium.mixed_player:Mixed",
        quick=False,
        refuses=later(f"{_ROOM}.equilibrium.mixed_player:refuses"),
        prepare=later(f"{_ROOM}.equilibrium.mixed_player:prepare"),
    ),
):
    register(_spec)
