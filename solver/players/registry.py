"""The list of players, and how one is asked for.

A player is a class derived from ``Player``, or a function of a position. ``PLAYERS`` has those that
are asked for by name: put your own there, or have a package of yours name it in its entry points::

    [project.entry-points."seabattle.players"]
    center = "my_package.players:Center"

Any other is asked for by the place it is written in, ``package.module:Center`` or
``mine.py:Center``, or given as it is.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from seabattle.enumerate.errors import PlayerError, SeabattleError, Stop, quoted
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable, Game, position_of
from seabattle.solver.players.failures import FAILURES, failure_text
from seabattle.solver.players.player import FunctionPlayer, Player, ShootFunction

_HERE = "seabattle.solver"

PLAYERS: dict[str, str | type[Player] | ShootFunction] = {
    "random": f"{_HERE}.players.hunt_target:Random",
    "hunt-target": f"{_HERE}.players.hunt_target:HuntTarget",
    "hunt-target-parity": f"{_HERE}.players.hunt_target:HuntTargetParity",
    "density": f"{_HERE}.players.density:Density",
    "odds": f"{_HERE}.players.density:Odds",
    "diagonal": f"{_HERE}.players.density:Diagonal",
    "over-9000": f"{_HERE}.players.independent_ships:Over9000",
    "learning": f"{_HERE}.players.independent_ships:Learning",
    "bob": f"{_HERE}.players.independent_ships:Bob",
    "greedy-map": f"{_HERE}.players.exact_map:GreedyMap",
    "map-endgame": f"{_HERE}.players.exact_map:MapEndgame",
    "lookahead": f"{_HERE}.players.lookahead:Lookahead",
    "rollout": f"{_HERE}.players.rollout:Rollout",
    "exact": f"{_HERE}.players.exact_map:Exact",
    "equilibrium": f"{_HERE}.equilibrium.mixed_player:Mixed",
}
"""The players by name: a class, a function, or the place of one, loaded when it is asked for."""

ENTRY_POINTS = "seabattle.players"
"""The group of entry points in which an installed package names players."""


@dataclass(frozen=True)
class Entrant:
    """A player as it was asked for.

    Attributes
    ----------
    name
        As in the tables.
    made
        Its class.
    prior
        The prior that it believes: a prior, its name or its file; None if all layouts are equally
        likely.
    """

    name: str
    made: type[Player]
    prior: Prior | str | Path | None = None

    def require(self, position: Position, *, strategy: bool = False) -> None:
        """Refuse games that this player cannot play.

        Raises
        ------
        PlayerError
            For the reason that ``why_not`` gives.
        """
        reason = self.made.why_not(position, strategy=strategy)
        if reason:
            raise PlayerError(f"player {self.name!r} cannot play {position.rules}: {reason}")

    def prepared(
        self,
        position: Position,
        *,
        strategy: str | Path | None = None,
        stop: Stop = lambda: False,
    ) -> tuple[Any, ...]:
        """What copies of this player need for games from a position; see ``Player.prepare``.

        Raises
        ------
        PlayerError
            If a strategy file is given to a player that believes a prior.
        WeightsError, FileAccessError
            If its prior cannot be read, or is of another game.
        """
        prior = require_prior(self.prior, position.rules)
        strategy = strategy if self.made.reads_strategy else None
        if strategy is not None and prior is not None:
            raise PlayerError(
                f"player {self.name!r}: a strategy file plays what it was built for; leave out "
                f"the file or the prior"
            )
        return self.made.prepare(position, prior, strategy, stop)

    def make(self, rules: Rules, prepared: tuple[Any, ...]) -> Player:
        """The player for these rules, from what ``prepared`` returned.

        Raises
        ------
        PlayerError
            If it cannot be made.
        """
        made: Callable[..., Player] = self.made
        try:
            player = made(rules, *prepared)
        except SeabattleError:
            raise
        except FAILURES as error:
            raise PlayerError(
                f"player {self.name!r} cannot be made for {rules}: "
                f"{failure_text(error, self.made.__init__)}"
            ) from error
        if not hasattr(player, "told"):
            raise PlayerError(
                f"player {self.name!r} cannot be made for {rules}: its __init__ must call "
                f"super().__init__(rules)"
            )
        player.name = self.name
        return player

    def code(self) -> str:
        """The text of the file of a player of one's own, where there is one."""
        functions = filter(inspect.isfunction, vars(self.made).values())
        written = getattr(self.made, "function", next(functions, self.made))
        if written.__module__.startswith("seabattle."):
            return ""
        try:
            return Path(inspect.getsourcefile(written) or "").read_text(encoding="utf-8")
        except (OSError, TypeError, ValueError):  # typed at a prompt, or built in
            return ""

    def __reduce__(self) -> tuple[Any, ...]:
        """To other processes the class itself travels, with all of its module that it uses."""
        import cloudpickle

        written = getattr(self.made, "function", self.made)
        module = sys.modules.get(getattr(written, "__module__", None) or "__main__")
        apart = module is not None and module.__name__.partition(".")[0] not in (
            "__main__", "seabattle",
        )  # fmt: skip
        try:
            if apart:
                cloudpickle.register_pickle_by_value(module)
            parts = cloudpickle.dumps((self.name, self.made, self.prior))
        except FAILURES as error:
            raise PlayerError(
                f"player {self.name!r} cannot be sent to another process: {failure_text(error)}; "
                f"play with one worker"
            ) from error
        finally:
            if apart:
                cloudpickle.unregister_pickle_by_value(module)
        return _put_together, (parts,)


def _put_together(parts: bytes) -> Entrant:
    """The player that was sent."""
    import cloudpickle

    return Entrant(*cloudpickle.loads(parts))


PlayerLike = str | Entrant | type[Player] | ShootFunction
"""A player by name or by place, its class, a function, or what ``find_player`` returned."""


def players() -> dict[str, type[Player]]:
    """All players of the list, by name, those that installed packages name last.

    >>> list(players())[:3]
    ['random', 'hunt-target', 'hunt-target-parity']
    """
    return {name: _class_of(found) for name, found in _listed().items()}


def _listed() -> dict[str, str | type[Player] | ShootFunction]:
    """``PLAYERS``, and those that installed packages name."""
    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)} | PLAYERS


def find_player(player: PlayerLike) -> Entrant:
    """The player that is meant.

    Parameters
    ----------
    player
        The name of a player of the list, a place (``mine.py:Center``, ``package.module:Center``),
        a class derived from ``Player``, or a function. A name and a prior joined by ``@``
        (``greedy-map@people``, ``greedy-map@mine.json``) is the player that believes it.

    Raises
    ------
    PlayerError
        If there is none of that name, which lists those there are; it is not a player; or it takes
        no prior.

    Examples
    --------
    >>> find_player("greedy-map@people").prior
    'people'
    """
    if isinstance(player, Entrant):
        return player
    if isinstance(player, str):
        asked = player.strip()
        # To look through the installed packages takes longer than many games.
        listed = PLAYERS if asked in PLAYERS else _listed()
        named = {name.lower(): name for name in listed}
        name = asked if asked in listed else named.get(asked.lower())
        if name is not None:
            return Entrant(name, _class_of(listed[name]))
        believer, at, prior = asked.partition("@")
        if at and ":" not in believer:
            if not prior.strip():
                raise PlayerError(
                    f"player {player!r}: name a prior after @, as in greedy-map@people"
                )
            return believing(find_player(believer), prior.strip(), name=asked)
        if ":" not in asked:
            near = get_close_matches(asked.lower(), named, n=1)
            meant = f" (did you mean {named[near[0]]}?)" if near else ""
            raise PlayerError(
                f"player {player!r} is unknown{meant}; the players are {', '.join(PLAYERS)}; one "
                f"of your own is named as in mine.py:Center"
            )
        player = asked
    made = _class_of(player)
    return Entrant(made.name, made)


def believing(entrant: Entrant, prior: Prior | str | Path, *, name: str = "") -> Entrant:
    """The same player, given a prior to believe, under another name if one is given.

    Raises
    ------
    PlayerError
        If it takes no prior.
    """
    if not entrant.made.takes_prior:
        raise PlayerError(f"player {entrant.name!r} takes no prior: it does not weigh layouts")
    return Entrant(name or entrant.name, entrant.made, prior)


def make_player(player: PlayerLike, game: Game) -> Player:
    """A player, prepared for games of these rules, or for games that start from this position.

    Parameters
    ----------
    player
        As for ``find_player``.
    game
        The game.

    Raises
    ------
    PlayerError
        If there is no such player, or it cannot play this game.

    Examples
    --------
    >>> player = make_player("density", Rules("10x10", "hasbro", answers="sunk"))
    >>> player.rules.board.name(player.shoot(Position(player.rules)))
    'E5'
    """
    entrant = find_player(player)
    start = start_of(game)
    entrant.require(start)
    return entrant.make(start.rules, entrant.prepared(start))


def start_of(game: Game) -> Position:
    """The position that games of players start from.

    Raises
    ------
    PlayerError
        If layouts have weights, which players would not see.
    """
    if isinstance(game, DecisionTable) and len(game.weights):
        raise PlayerError(
            "players are told how likely layouts are by a prior, and this table has weights: give "
            "rules or a position, and the prior with the player"
        )
    return position_of(game)


# Classes and functions of one's own


def _class_of(player: Any) -> type[Player]:
    """The class of a player: of a place, a class or a function."""
    found = load(player) if isinstance(player, str) else player
    if not callable(found):
        raise PlayerError(
            f"player {quoted(player)}: name a class derived from Player, or a function of a "
            f"position"
        )
    if not isinstance(found, type):
        return FunctionPlayer.of(found)
    name = found.__name__
    if not issubclass(found, Player):
        raise PlayerError(
            f"class {name} is not a player: derive it from seabattle.Player and give it a method "
            f"choose(self, position, chance)"
        )
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise PlayerError(f"class {name} is not complete: it lacks {missing}")
    return found


def load(source: str) -> Any:
    """What a text such as ``package.module:Center`` or ``mine.py:Center`` names.

    Parameters
    ----------
    source
        A module or a file that ends in ``.py``, a colon, and a name in it. Modules are looked for
        in the current folder, too; a file may import others of its folder.

    Raises
    ------
    PlayerError
        If there is no such place or name, or it cannot be loaded; says why.

    Examples
    --------
    >>> load("seabattle.solver.players.density:Density").name
    'density'
    """
    place, colon, name = source.rpartition(":")
    place, name = place.strip(), name.strip()
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise PlayerError(
            f"player {quoted(source)}: write a file or module, a colon, and the name of a class or "
            f"function in it, as in mine.py:Center or package.module:Center"
        )
    try:
        if place.endswith(".py"):
            file = Path(place).resolve()
            with _importable_from(file.parent):
                found: Any = SimpleNamespace(**run_path(str(file), run_name="seabattle_player"))
        else:
            with _importable_from(Path.cwd()):
                found = import_module(place)
    except FAILURES as error:
        why = _not_there(place, error) or failure_text(error)
        raise PlayerError(f"player {quoted(source)}: {why}") from error
    holder = place
    for part in name.split("."):
        if not hasattr(found, part):
            near = get_close_matches(part, dir(found), n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise PlayerError(f"player {quoted(source)}: {holder} has no {part!r}{meant}")
        found, holder = getattr(found, part), f"{part} of {holder}"
    return found


def _not_there(place: str, error: BaseException) -> str:
    """That the file or module of a player itself cannot be found; nothing if it is another error.

    What it opens or imports in its turn may be missing just as well, which is an error in it.
    """
    if place.endswith(".py"):
        named = getattr(error, "filename", None)
        missing = isinstance(error, OSError) and named == str(Path(place).absolute().resolve())
        return f"cannot read {place}: {error.strerror}" if missing else ""  # type: ignore[attr-defined]
    missing = isinstance(error, ModuleNotFoundError) and f"{place}.".startswith(f"{error.name}.")
    return f"no module {place!r} is in this folder or installed" if missing else ""


@contextmanager
def _importable_from(folder: Path) -> Iterator[None]:
    """Modules of a folder are found meanwhile, after all others."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:  # what was imported may have changed the path
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(str(folder))]
