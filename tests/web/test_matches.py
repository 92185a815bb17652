"""Games against the program over HTTP: the contract, what stays hidden, and who waits for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from support.serving import Running

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.match import Match
from seabattle.solver.matches.opponents import program_shot
from seabattle.solver.players.random_streams import Chance
from seabattle.web import match_work
from seabattle.web.asking import ClientGone
from seabattle.web.matches import Matches
from seabattle.web.refusals import Refused
from seabattle.web.service import service
from seabattle.web.settings import Settings
from seabattle.web.worker import Watch

SMALL = {"board": "4x4", "fleet": "3,2,1", "answers": "sunk"}
RULES = Rules("4x4", "3,2,1", answers="sunk")
FLEET = ["A1:A3", "C1:D1", "C4"]
OPTIONS = {"ships": FLEET, "player": "density", "first": "you", "again": False, "seed": 7}


class Here:
    """The service in this process; what it hands to counting processes is done here, too."""

    def __init__(self, settings: Settings) -> None:
        self.app = service(settings, warm_up=False)
        self.app.state.asking.work = self.work
        self.handed_over: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.gate: asyncio.Event | None = None
        self.failure: Exception | None = None
        self.client = AsyncClient(
            transport=ASGITransport(self.app, raise_app_exceptions=False),
            base_url="http://127.0.0.1",
        )

    async def work(self, request: object, function: Callable[..., Any], *arguments: Any) -> Any:
        self.handed_over.append((function, arguments))
        if function is match_work.shoot:
            if self.gate is not None:
                await self.gate.wait()
            if self.failure is not None:
                raise self.failure
        return function(Watch(60), *arguments)

    async def ask(self, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        if body is None:
            answer = await self.client.get(path)
        else:
            answer = await self.client.post(path, json=body)
        return answer.status_code, answer.json()

    async def begin(self, **options: object) -> dict[str, Any]:
        status, game = await self.ask("/api/games", {**SMALL, "options": {**OPTIONS, **options}})
        assert status == 200, game
        return game


def played(script: Callable[[Here], Awaitable[None]], **limits: Any) -> Here:
    """Ask the service as a script says."""

    async def run() -> Here:
        here = Here(Settings(**limits))
        async with here.client:
            await script(here)
        return here

    return asyncio.run(run())


def test_a_game_is_the_match_of_the_library() -> None:
    async def script(here: Here) -> None:
        game = await here.begin()
        key = game["id"]
        match = Match.begin(RULES, FLEET, player="density", first="you", again=False, seed=7)
        while True:
            assert game == {"id": key, **match.view.document()}
            assert (await here.ask(f"/api/games/{key}")) == (200, game)
            if match.turn is None:
                break
            assert game["its_ships"] is None
            cell = program_shot("hunt-target", match.yours, Chance(3))
            match = match.shoot(cell)
            shot = {"shot": RULES.board.name(cell)}
            status, game = await here.ask(f"/api/games/{key}/shots", shot)
            assert status == 200
        assert game["winner"] in ("you", "program")
        assert len(game["its_ships"]) == 3
        for path, body in (("shots", {"shot": "A1"}), ("resign", {})):
            assert await here.ask(f"/api/games/{key}/{path}", body) == (
                409,
                {"error": "the game is over"},
            )

    played(script)


def test_the_answer_has_the_fields_of_the_contract() -> None:
    async def script(here: Here) -> None:
        game = await here.begin()
        status, game = await here.ask(f"/api/games/{game['id']}/shots", {"shot": "b2"})
        assert game == {
            "id": game["id"],
            **{"board": "4x4", "fleet": "3,2,1", "contact": "none", "answers": "sunk"},
            "announce": "length",
            "options": {"hide": "random", "player": "density", "first": "you", "again": False},
            **{"turn": "you", "winner": None, "resigned": False},
            "yours": {"shots": [["B2", "miss"]]},
            "program": {"shots": [["B2", "miss"]]},
            "order": ["you", "program"],
            "your_ships": FLEET,
            "its_ships": None,
        }
        status, game = await here.ask(f"/api/games/{game['id']}/resign", {})
        assert (status, game["turn"], game["winner"]) == (200, None, "program")
        assert game["resigned"]
        assert len(game["its_ships"]) == 3

    played(script)


def test_counting_processes_are_not_told_where_the_person_hides() -> None:
    async def script(here: Here) -> None:
        game = await here.begin(first="program", again=True, player="greedy-map")
        for cell in ("A1", "B1", "C1", "D1"):
            await here.ask(f"/api/games/{game['id']}/shots", {"shot": cell})

    hiding, *shots = played(script).handed_over
    assert hiding[0] is match_work.hide_for_program
    assert "ships" not in repr(hiding[1])
    assert len(shots) > 4
    for function, arguments in shots:
        assert function is match_work.shoot
        assert [type(argument) for argument in arguments] == [str, Position, Chance]


def test_of_two_shots_at_once_one_is_refused() -> None:
    async def script(here: Here) -> None:
        game = await here.begin()
        path = f"/api/games/{game['id']}"
        here.gate = asyncio.Event()
        first = asyncio.create_task(here.ask(f"{path}/shots", {"shot": "B2"}))
        while len(here.handed_over) < 2:
            await asyncio.sleep(0.01)
        for body in ("shots", {"shot": "C3"}), ("shots", {"shot": "B2"}), ("resign", {}):
            status, said = await here.ask(f"{path}/{body[0]}", body[1])
            assert status == 409
            assert said["error"].startswith("the program is still at its move in this game")
        status, meanwhile = await here.ask(path)
        assert (status, meanwhile["order"]) == (200, [])
        here.gate.set()
        status, after = await first
        assert (status, after["order"]) == (200, ["you", "program"])
        assert await here.ask(path) == (200, after)

    played(script)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Refused("the question took longer than 60 s, which is the limit here", 413), 413),
        (Refused("64 questions are waiting already: ask again later", 503), 503),
        (ValueError("a mistake of the program"), 500),
        (ClientGone(), 499),
    ],
)
def test_after_a_failed_move_of_the_program_the_shot_can_be_made_again(
    failure: Exception, expected: int
) -> None:
    async def script(here: Here) -> None:
        game = await here.begin()
        here.failure = failure
        status, said = await here.ask(f"/api/games/{game['id']}/shots", {"shot": "B2"})
        assert (status, set(said)) == (expected, {"error"})
        assert await here.ask(f"/api/games/{game['id']}") == (200, game)
        here.failure = None
        status, after = await here.ask(f"/api/games/{game['id']}/shots", {"shot": "B2"})
        assert (status, after["order"]) == (200, ["you", "program"])

    played(script)


def test_games_do_not_see_each_other_and_go_one_by_one() -> None:
    async def script(here: Here) -> None:
        first, second = await here.begin(), await here.begin(seed=8)
        await here.ask(f"/api/games/{first['id']}/shots", {"shot": "B2"})
        assert await here.ask(f"/api/games/{second['id']}") == (200, second)
        answer = await here.client.delete(f"/api/games/{first['id']}")
        assert answer.json() == {"id": first["id"], "removed": True}
        assert (await here.ask(f"/api/games/{first['id']}"))[0] == 404
        ids = {first["id"], second["id"]}
        for _ in range(3):  # the second is the one not used longest, and then the third
            ids.add((await here.begin())["id"])
        assert len(ids) == 5
        assert all(len(key) == 24 for key in ids)
        status, said = await here.ask(f"/api/games/{second['id']}")
        assert status == 404
        assert said["error"] == (
            "there is no game of this id: a game is kept for 6 hours after its last request, and "
            "of more than 2 games the one not used longest goes"
        )
        assert (await here.ask("/api/health"))[1]["games"] == 2

    played(script, matches=2)


def test_games_that_rest_too_long_go() -> None:
    now = [0.0]
    matches = Matches(3, 100, lambda: now[0])
    match = Match.begin(RULES, FLEET, player="random", seed=1)
    old, new = matches.add(match), matches.add(match)
    now[0] = 60
    assert matches.find(new).match is match
    now[0] = 120
    with pytest.raises(Refused, match="there is no game of this id"):
        matches.find(old)
    assert len(matches) == 1
    matches.find(new)
    third, fourth = matches.add(match), matches.add(match)
    with matches.find(new).turn():  # a game that waits for the program does not go
        matches.find(third)
        matches.find(fourth)
        matches.add(match)
        assert matches.find(new).match is match
        with pytest.raises(Refused) as gone:
            matches.find(third)
        assert gone.value.status == 404
        full = Matches(1, 100, lambda: now[0])
        with full.find(full.add(match)).turn(), pytest.raises(Refused) as busy:
            full.add(match)
        assert busy.value.status == 503


WRONG = [
    ({"options": {}}, "option 'ships' is missing"),
    ({"options": {"ships": "A1:A3"}}, "option 'ships' must be an array of ships"),
    ({"options": {"ships": ["A1:A3", "C1:D1"]}}, "its ships are 3,2, not 3,2,1"),
    ({"options": {"ships": ["A1:A3", "B1:C1", "D4"]}}, "A1:A3 and B1:C1 touch"),
    ({"options": {**OPTIONS, "again": "no"}}, "option 'again': 'no' must be true or false"),
    ({"options": {**OPTIONS, "seed": -1}}, "option 'seed': -1 must be a whole number"),
    ({"options": {**OPTIONS, "seed": 2**64}}, "option 'seed': 18446744073709551616 must be"),
    ({"options": {**OPTIONS, "seed": True}}, "option 'seed': True must be"),
    ({"options": {**OPTIONS, "first": "me"}}, "opening side 'me' is unknown"),
    ({"options": {**OPTIONS, "hide": "cellar"}}, "hiding 'cellar' is unknown"),
    ({"options": {**OPTIONS, "hide": "people"}}, "hiding 'people' cannot be had for 4x4"),
    ({"options": {**OPTIONS, "hide": 3}}, "option 'hide': 3 must be text"),
    ({"options": {**OPTIONS, "player": "nobody"}}, "option 'player': 'nobody' is unknown; there"),
    ({"options": {**OPTIONS, "player": "mine.py:Center"}}, "'mine.py:Center' is unknown; there"),
    ({"options": {**OPTIONS, "player": "greedy-map@/etc/hosts"}}, "is unknown; there are random"),
    ({"options": {**OPTIONS, "player": "os:abort"}}, "option 'player': 'os:abort' is unknown"),
    ({"options": {**OPTIONS, "player": "learning"}}, "a match is one game"),
    ({"options": {**OPTIONS, "think": 3}}, "the option 'think' is unknown"),
    ({"options": []}, "the field 'options' must be an object"),
    ({"shots": []}, "the field 'shots' is unknown"),
    ({"fleet": "9"}, "9"),
]


@pytest.mark.parametrize(("fields", "said"), WRONG)
def test_a_wrong_game_is_refused_in_one_sentence(fields: dict[str, Any], said: str) -> None:
    async def script(here: Here) -> None:
        status, found = await here.ask("/api/games", {**SMALL, "options": OPTIONS, **fields})
        assert status == 422
        assert set(found) == {"error"}
        assert said in found["error"]
        assert "\n" not in found["error"]
        assert (await here.ask("/api/health"))[1]["games"] == 0

    played(script)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "the field 'shot' must be the name of a cell"),
        ({"shot": 5}, "the field 'shot' must be the name of a cell"),
        ({"shot": "E5"}, "E5"),
        ({"shot": "A1"}, "you have shot A1 before"),
        ({"shot": "A2", "answer": "hit"}, "the field 'answer' is unknown"),
        ([], "the request must be a JSON object"),
    ],
)
def test_a_wrong_shot_is_refused_in_one_sentence(body: object, said: str) -> None:
    async def script(here: Here) -> None:
        game = await here.begin()
        path = f"/api/games/{game['id']}"
        _, game = await here.ask(f"{path}/shots", {"shot": "A1"})
        status, found = await here.ask(f"{path}/shots", body)
        assert status == 422
        assert said in found["error"]
        assert await here.ask(path) == (200, game)

    played(script)


def test_fleets_are_drawn() -> None:
    async def script(here: Here) -> None:
        async def drawn(**options: object) -> dict[str, Any]:
            status, found = await here.ask("/api/layout", {**SMALL, "options": options})
            assert status == 200, found
            return found

        assert (
            await drawn(seed=3)
            == await drawn(seed=3, hide="random")
            == {
                **SMALL,
                **{"contact": "none", "announce": "length"},
                "ships": ["D2:D4", "A1:B1", "B4"],
                "how": "uniformly among 176 layouts",
                "promise": (await drawn(prior="uniform"))["promise"],
            }
        )
        assert len({tuple((await drawn())["ships"]) for _ in range(10)}) > 3
        mixed = await drawn(hide="equilibrium")
        assert mixed["how"] == "from the hiding mix of the equilibrium"
        for options, said in (
            ({"hide": "cellar"}, "option 'hide': 'cellar' is none of random, people, equilibrium"),
            ({"hide": []}, "option 'hide': [] must be text"),
            ({"prior": "mine.json"}, "option 'prior': 'mine.json' is none of uniform, people"),
            ({"prior": "people"}, "hiding 'people' cannot be had for 4x4"),
            ({"prior": "uniform", "hide": "random"}, "options 'prior' and 'hide' say the same"),
            ({"ship": 3}, "the option 'ship' is unknown"),
        ):
            status, found = await here.ask("/api/layout", {**SMALL, "options": options})
            assert status == 422
            assert said in found["error"]

    played(script)


def test_players_are_listed() -> None:
    async def script(here: Here) -> None:
        status, found = await here.ask("/api/players?fleet=hasbro&answers=hit")
        assert status == 200
        assert (found["board"], found["answers"]) == ("10x10", "hit")
        assert found["players"][0] == {
            **{"name": "random", "summary": "shoots anywhere", "quick": True}
        }
        names = [row["name"] for row in found["players"]]
        assert names[-6:] == [
            *("bob", "greedy-map", "greedy-map@people", "map-endgame", "map-endgame@people"),
            "lookahead",
        ]
        assert [row["name"] for row in found["hiding"]] == ["random", "people"]
        left_out = found["left_out"]
        assert left_out["players"]["density"].startswith("it must be told when a ship is sunk")
        assert set(left_out["hiding"]) == {"equilibrium"}
        for query, said in (
            ("fleet=9", "9"),
            ("player=density", "the field 'player' is unknown"),
            ("board=30x30", "at most 400"),
        ):
            status, found = await here.ask(f"/api/players?{query}")
            assert status in (413, 422)
            assert said in found["error"]

    played(script)


@pytest.mark.parametrize(
    "player", [pytest.param("greedy-map", marks=pytest.mark.slow), "exact", "equilibrium"]
)
def test_a_game_is_played_by_counting_processes(service: Running, player: str) -> None:
    options = {"ships": FLEET, "player": player, "first": "program", "hide": "equilibrium"}
    status, game, _ = service.ask("/api/games", {**SMALL, "options": options})
    assert (status, game["turn"]) == (200, "you")
    cells = [f"{column}{row}" for row in range(1, 5) for column in "ABCD"]
    while game["turn"] is not None:
        shot = {"shot": cells[game["order"].count("you")]}
        status, game, _ = service.ask(f"/api/games/{game['id']}/shots", shot)
        assert status == 200
    assert game["winner"] == game["order"][-1]
    hits = {side: sum(a != "miss" for _, a in game[side]["shots"]) for side in ("yours", "program")}
    assert max(hits.values()) == 6
    for side in ("yours", "program"):
        status, reviewed, _ = service.ask("/api/review", {**SMALL, **game[side]})
        assert status == 200, reviewed
