"""Games against the program, kept in the front process by ids that nobody can guess.

There are at most so many games, and none is kept for long after its last request: those that
nobody has asked for longest go first. What takes time, which is to hide the program's fleet and to
choose its shots, is done in counting processes. A game changes only when the program's answer to a
shot is there: if its player fails, the service is busy, or the client has gone, the game is as it
was before the shot, which can be made again.

All of this happens in the event loop, and so needs no locks beyond the mark that a game is waiting
for the program.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from seabattle.documents.games import game_document
from seabattle.enumerate.errors import quoted
from seabattle.enumerate.position_files import RULES
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.match import Match, Sealed
from seabattle.solver.matches.terms import STRONGEST, First, Hiding, Side, Terms
from seabattle.web import match_description as described
from seabattle.web import match_work
from seabattle.web.asking import Asking
from seabattle.web.bodies import read_json
from seabattle.web.questions import read_rules
from seabattle.web.refusals import Refused
from seabattle.web.responses import json_response
from seabattle.web.settings import Settings

MOST_SEED = 1 << 64
"""Seeds are below this."""

Id = Annotated[str, Path(alias="id", description="The id that the game was given.")]
"""The part of an address that names a game."""


@dataclass(eq=False)
class Game:
    """A game that is kept.

    Attributes
    ----------
    match
        Its state.
    used
        When it was last asked for.
    waiting
        Whether it waits for a shot of the program.
    """

    match: Match
    used: float
    waiting: bool = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One request at a time may change the game.

        Raises
        ------
        Refused
            With status 409, if it waits for the program.
        """
        if self.waiting:
            raise Refused("the program is still at its move in this game: wait for its answer", 409)
        self.waiting = True
        try:
            yield
        finally:
            self.waiting = False


class Matches:
    """The games that are kept, by id; the one used last at the end.

    Parameters
    ----------
    most
        How many.
    idle
        Seconds after its last request for which a game is kept.
    clock
        Seconds from some moment on.
    """

    def __init__(self, most: int, idle: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.idle = idle
        self.clock = clock
        self._games: OrderedDict[str, Game] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def add(self, match: Match) -> str:
        """Keep a new game, and let those go that were not asked for longest; its id.

        Raises
        ------
        Refused
            With status 503, if there are too many and all of them wait for the program.
        """
        self._forget()
        while len(self._games) >= self.most:
            resting = next((key for key, game in self._games.items() if not game.waiting), None)
            if resting is None:
                raise Refused(f"{len(self._games)} games are being played: ask again later", 503)
            del self._games[resting]
        key = secrets.token_urlsafe(18)
        self._games[key] = Game(match, self.clock())
        return key

    def find(self, key: str) -> Game:
        """The game of an id.

        Raises
        ------
        Refused
            With status 404, if there is none.
        """
        self._forget()
        game = self._games.get(key)
        if game is None:
            raise Refused(
                f"there is no game of this id: a game is kept for {_hours(self.idle)} after its "
                f"last request, and of more than {self.most:,} games the one not used longest goes",
                404,
            )
        game.used = self.clock()
        self._games.move_to_end(key)
        return game

    def remove(self, key: str) -> None:
        """Let a game go.

        Raises
        ------
        Refused
            With status 404, if there is none.
        """
        self.find(key)
        del self._games[key]

    def _forget(self) -> None:
        """Let those games go that nobody has asked for too long."""
        oldest = self.clock() - self.idle
        for key, game in list(self._games.items()):
            if game.used >= oldest:
                break
            if not game.waiting:
                del self._games[key]


def _hours(seconds: float) -> str:
    """A time in words.

    >>> _hours(21600), _hours(5400), _hours(3600)
    ('6 hours', '1.5 hours', '1 hour')
    """
    return f"{seconds / 3600:g} hour{'' if seconds == 3600 else 's'}"


def match_routes(matches: Matches, asking: Asking, settings: Settings) -> APIRouter:
    """The addresses of games against the program, of drawn fleets and of the list of players.

    Parameters
    ----------
    matches
        Where games are kept.
    asking
        Where work is handed to counting processes.
    settings
        The limits of a request.
    """
    router = APIRouter()

    async def replied(request: Request, match: Match) -> Match:
        """The match after the program's shots of its turn."""
        while match.turn is Side.PROGRAM:
            asked = (match.terms.player, match.program, match.chance)
            match = match.after(await asking.work(request, match_work.shoot, *asked))
        return match

    @router.post("/api/games", **described.BEGIN)
    async def begin(request: Request) -> Response:
        fields = _object(await read_json(request, settings.body_bytes))
        rules, options = _game(fields, settings)
        _known(options, ("ships", "hide", "player", "first", "again", "seed"), "option")
        if "ships" not in options:
            raise Refused("option 'ships' is missing: name your ships, as in ['A1:A4', 'C1']")
        ships = _texts(options["ships"])
        terms = Terms(
            rules,
            _text(options, "player", STRONGEST),
            _text(options, "hide", Hiding.RANDOM),
            _text(options, "first", First.TOSS),
            _flag(options, "again", default=True),
        )
        seed = _seed(options)
        yours = Sealed(rules, ships)
        names = await asking.work(request, match_work.hide_for_program, terms, seed)
        match = Match.opening(terms, yours, Sealed(rules, names), seed)
        match = await replied(request, match)
        return _state(matches.add(match), match)

    @router.get("/api/games/{id}", **described.LOOK)
    async def look(key: Id) -> Response:
        return _state(key, matches.find(key).match)

    @router.post("/api/games/{id}/shots", **described.SHOOT)
    async def shoot(key: Id, request: Request) -> Response:
        fields = _object(await read_json(request, settings.body_bytes))
        _known(fields, ("shot",), "field")
        cell = fields.get("shot")
        if not isinstance(cell, str):
            raise Refused("the field 'shot' must be the name of a cell, as in \"C4\"")
        game = matches.find(key)
        with game.turn():
            _not_over(game.match)
            match = await replied(request, game.match.after(cell))
            game.match = match
        return _state(key, match)

    @router.post("/api/games/{id}/resign", **described.RESIGN)
    async def resign(key: Id) -> Response:
        game = matches.find(key)
        with game.turn():
            _not_over(game.match)
            game.match = game.match.resign()
        return _state(key, game.match)

    @router.delete("/api/games/{id}", **described.REMOVE)
    async def remove(key: Id) -> Response:
        matches.remove(key)
        return json_response({"id": key, "removed": True})

    @router.post("/api/layout", **described.LAYOUT)
    async def layout(request: Request) -> Response:
        fields = _object(await read_json(request, settings.body_bytes))
        rules, options = _game(fields, settings)
        _known(options, ("prior", "hide", "seed"), "option")
        way, seed = _way(options), _seed(options)
        drawn = await asking.work(request, match_work.hide_for_you, rules, way, seed)
        return json_response({**game_document(rules), **drawn})

    @router.get("/api/players", **described.PLAYERS)
    async def list_players(request: Request) -> Response:
        fields = dict(request.query_params)
        _known(fields, RULES, "field")
        rules = read_rules(fields, settings)
        found = await asking.work(request, match_work.possible, rules)
        return json_response({**game_document(rules), **found})

    return router


def _state(key: str, match: Match) -> Response:
    return json_response({"id": key, **match.view.document()})


def _not_over(match: Match) -> None:
    if match.turn is None:
        raise Refused("the game is over", 409)


def _object(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise Refused('the request must be a JSON object, as in {"fleet": "russian"}')
    return body


def _known(fields: dict[str, Any], names: tuple[str, ...], what: str) -> None:
    """Refuse what would be ignored without a word."""
    for name in fields:
        if name not in names:
            raise Refused(f"the {what} {quoted(name)} is unknown; there are {', '.join(names)}")


def _game(fields: dict[str, Any], settings: Settings) -> tuple[Rules, dict[str, Any]]:
    """The rules of a request, and its options."""
    _known(fields, (*RULES, "options"), "field")
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise Refused('the field \'options\' must be an object, as in {"player": "density"}')
    rules = {name: value for name, value in fields.items() if name != "options"}
    return read_rules(rules, settings), options


def _text(options: dict[str, Any], name: str, usual: str) -> str:
    value = options.get(name, usual)
    if not isinstance(value, str):
        raise Refused(f"option {name!r}: {quoted(value)} must be text")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise Refused("option 'ships' must be an array of ships such as 'A1:A4'")
    return value


def _flag(options: dict[str, Any], name: str, *, default: bool) -> bool:
    value = options.get(name, default)
    if not isinstance(value, bool):
        raise Refused(f"option {name!r}: {quoted(value)} must be true or false")
    return value


def _seed(options: dict[str, Any]) -> int:
    """The seed that was given, else one that nobody knows."""
    seed = options.get("seed")
    if seed is None:
        return secrets.randbits(64)
    if type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise Refused(f"option 'seed': {quoted(seed)} must be a whole number from 0 to 2**64 - 1")
    return seed


def _way(options: dict[str, Any]) -> Hiding:
    """How a fleet is to be drawn: named itself, or by the name of a prior."""
    if "prior" in options and "hide" in options:
        raise Refused("options 'prior' and 'hide' say the same: give one of them")
    if "prior" not in options:
        name = _text(options, "hide", Hiding.RANDOM)
        if name in list(Hiding):
            return Hiding(name)
        raise Refused(f"option 'hide': {quoted(name)} is none of {', '.join(Hiding)}")
    prior = _text(options, "prior", "uniform")
    if prior not in ("uniform", "people"):
        raise Refused(f"option 'prior': {quoted(prior)} is none of uniform, people")
    return Hiding.RANDOM if prior == "uniform" else Hiding.PEOPLE
