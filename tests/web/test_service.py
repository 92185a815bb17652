"""What the service answers: the documents of the commands, digit by digit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.examples import some_rows
from support.serving import Running

Run = Callable[..., tuple[int, str, str]]

RUSSIAN = [["C4", "hit"], ["C5", "hit"], ["J8", "miss"], ["C6", "sunk"], ["A1", "miss"]]
HASBRO = [["E5", "hit"], ["E6", "hit"], ["A1", "miss"], ["E7", "sunk:3"], ["F6", "hit"]]
SMALL = {"board": "4x4", "fleet": "3,2,1", "answers": "sunk"}
SECONDS = re.compile(r'"(\w*seconds)": [-+.e\d]+')


def without_seconds(document: Any) -> Any:
    """A document whose times, which are never the same again, are set aside."""
    return json.loads(SECONDS.sub(r'"\1": 0', json.dumps(document)))


def by_command(
    run: Run, tmp_path: Path, command: str, body: dict[str, Any], *options: str
) -> dict[str, Any]:
    """What a command prints about the same position, from a position file."""
    from seabattle.enumerate.position_files import save_position
    from seabattle.web.questions import read_position
    from seabattle.web.settings import Settings

    file = tmp_path / "position.json"
    save_position(read_position(body, Settings()), file)
    where = (str(file),) if command == "review" else ("--position", str(file))
    status, out, err = run(command, *where, *options, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


CASES: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...]]] = [
    ("count", {"fleet": "russian"}, {}, ()),
    ("count", {"fleet": "russian", "shots": RUSSIAN}, {}, ()),
    ("count", {"fleet": "hasbro", "shots": HASBRO}, {"percent": True}, ("--percent",)),
    ("count", {"fleet": "hasbro", "shots": HASBRO}, {"no_map": True}, ("--no-map",)),
    ("count", {"fleet": "hasbro", "shots": HASBRO}, {"prior": "people"}, ("--prior", "people")),
    ("count", {"fleet": "russian", "shots": RUSSIAN}, {"ship": 4}, ("--ship", "4")),
    ("count", {"fleet": "russian", "shots": RUSSIAN}, {"ship": 2, "percent": True},
     ("--ship", "2", "--percent")),
    ("count", {}, {}, ()),
    ("count", {"board": "5x5", "fleet": "3,2,2,1,1,1", "answers": "ship",
               "shots": [["A1", "hit:2#1"], ["C3", "miss"]]}, {}, ()),
    ("count", {**SMALL, "shots": [["A1", "sunk"], ["A2", "hit"]], "ordered": False}, {}, ()),
    ("advise", {**SMALL, "shots": [["B2", "miss"]]}, {}, ()),
    ("advise", {"fleet": "russian", "shots": RUSSIAN}, {"think": 0}, ("--think", "0")),
    ("advise", {"fleet": "hasbro"}, {"prior": "people", "think": 0.5},
     ("--prior", "people", "--think", "0.5")),
    ("solve", {"board": "4x4", "fleet": "3,2,1"}, {"values": True}, ("--values",)),
    ("solve", {"board": "4x4", "fleet": "2,2"}, {"objective": "pareto"},
     ("--objective", "pareto")),
    ("review", {**SMALL, "shots": [["B2", "miss"], ["A1", "hit"], ["A2", "hit"]]}, {}, ()),
    ("review", {"fleet": "russian", "shots": RUSSIAN}, {"think": 0}, ("--think", "0")),
]  # fmt: skip


@pytest.mark.parametrize(("command", "body", "options", "written"), some_rows(CASES, 6),
                         ids=[f"{case[0]}-{i}" for i, case in enumerate(CASES)])  # fmt: skip
def test_answers_are_those_of_the_commands(
    service: Running,
    run: Run,
    tmp_path: Path,
    command: str,
    body: dict[str, Any],
    options: dict[str, Any],
    written: tuple[str, ...],
) -> None:
    asked = {**body, "options": options} if options else body
    status, answer, _ = service.ask(f"/api/{command}", asked)
    assert status == 200, answer
    expected = by_command(run, tmp_path, command, body, *written)
    assert answer.keys() == expected.keys()
    assert without_seconds(answer) == without_seconds(expected)


def test_the_answer_echoes_the_order_of_whoever_asks(service: Running) -> None:
    """The same known cells are counted once; every asker is answered with the own history."""
    before = service.health()
    orders = [RUSSIAN, [RUSSIAN[4], *RUSSIAN[:4]], [*RUSSIAN[1:2], *RUSSIAN[:1], *RUSSIAN[2:]]]
    body = {"fleet": "russian", "contact": "corners"}
    answers = [service.ask("/api/count", {**body, "shots": shots})[1] for shots in orders]
    assert [answer["shots"] for answer in answers] == orders
    assert len({str([a["occupancy"], a["best"], a["layouts"], a["states"]]) for a in answers}) == 1
    after = service.health()
    assert after["counted"] == before["counted"] + 1
    assert after["cache"]["used"] == before["cache"]["used"] + 2


def test_a_wrong_order_is_not_answered_from_a_right_one(service: Running) -> None:
    right = [["A1", "hit"], ["A2", "sunk"]]
    assert service.ask("/api/count", {**SMALL, "shots": right})[0] == 200
    status, answer, _ = service.ask("/api/count", {**SMALL, "shots": right[::-1]})
    assert status == 422
    assert answer["error"].startswith("hit A1: it would belong to the ship already sunk at A2")
    assert answer["conflict"]["answers"] == [["A2", "sunk"], ["A1", "hit"]]


@pytest.mark.parametrize("path", ["count", "advise", "solve", "review", "picture"])
def test_answers_that_contradict_are_named(service: Running, path: str) -> None:
    body = {
        "board": "4x4",
        "fleet": "3,2,1",
        "shots": [["A4", "miss"], ["B2", "hit"], ["A1", "hit"]],
    }
    status, answer, _ = service.ask(f"/api/{path}", body)
    assert status == 422
    assert answer["conflict"]["answers"] == [["B2", "hit"], ["A1", "hit"]]
    assert answer["conflict"]["contact_that_fits"] == "corners"
    assert "\n" not in answer["error"]


def test_position_tells_what_is_known(service: Running) -> None:
    body = {
        "fleet": "hasbro",
        "shots": [["A1", "hit"], ["B2", "hit"], ["J10", "miss"], ["A2", "sunk:2"]],
    }
    status, answer, _ = service.ask("/api/position", body)
    assert status == 200
    assert answer == {
        "board": "10x10", "fleet": "5,4,3,3,2", "contact": "sides", "answers": "sunk",
        "announce": "length", "shots": body["shots"], "over": False, "misses": 1, "conflict": None,
        "sinkings": [{"shot": "A2", "length": 2, "ships": ["A2:B2", "A1:A2"]}],
    }  # fmt: skip
    chosen = service.ask("/api/position", {**body, "ships": ["A1:A2"]})[1]
    assert (chosen["sinkings"], chosen["ships"]) == ([], ["A1:A2"])
    wrong = service.ask(
        "/api/position", {"fleet": "russian", "shots": [["A1", "hit"], ["B2", "hit"]]}
    )
    assert wrong[0] == 200
    assert wrong[1]["conflict"]["answers"] == [["A1", "hit"], ["B2", "hit"]]
    over = {"board": "3x3", "fleet": "2", "shots": [["A1", "hit"], ["A2", "hit"]]}
    assert service.ask("/api/position", over)[1]["over"] is True


def test_the_picture_is_that_of_the_command(service: Running, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    run("count", "--fleet", "russian", "--shots", "C4 hit, C5 hit", "--map", str(file))
    body = {
        "fleet": "russian",
        "shots": [["C4", "hit"], ["C5", "hit"]],
        "options": {"theme": "light"},
    }
    status, picture, headers = service.ask("/api/picture", body)
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert picture == file.read_text(encoding="utf-8")
    run("count", "--fleet", "russian", "--ship", "3", "--map", str(file))
    picture = service.ask("/api/picture", {"fleet": "russian", "options": {"ship": 3}})[1]
    assert picture == file.read_text(encoding="utf-8")
    run("count", "--board", "5x5", "--fleet", "3,2", "--map", str(file), "--theme", "dark")
    small = {"board": "5x5", "fleet": "3,2", "options": {"theme": "dark"}}
    assert service.ask("/api/picture", small)[1] == file.read_text(encoding="utf-8")
    small["options"] = {"theme": "sepia"}
    assert service.ask("/api/picture", small)[0] == 422


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("solve", {"fleet": "russian"}, "board 10x10"),
        ("count", {"board": "17x17", "fleet": "5,4,3,3,2"}, "shorter side is 17"),
        (
            "count",
            {"board": "16x16", "fleet": "russian", "contact": "corners"},
            "the limit of 2 GiB",
        ),
        (
            "count",
            {"board": "21x20", "fleet": "4"},
            "420 cells, and a question may have at most 400",
        ),
    ],
)
def test_what_is_too_large_is_refused(
    service: Running, path: str, body: dict[str, Any], said: str
) -> None:
    status, answer, _ = service.ask(f"/api/{path}", body)
    assert status in (413, 422)
    assert said in answer["error"]
    assert "--" not in answer["error"]


def test_health_and_other_addresses(service: Running) -> None:
    health = service.health()
    assert health["workers"] == 2
    assert health["warm"] is True
    assert {"version", "uptime", "waiting", "busy", "counted", "cache"} <= health.keys()
    status, answer, _ = service.ask("/api/nothing")
    assert (status, answer) == (404, {"error": "there is nothing at this address"})
    status, answer, headers = service.ask("/api/count")
    assert (status, answer["error"]) == (405, "this address is asked with another method")
    assert headers["allow"] == "POST"
    for path in ("/docs", "/redoc", "/api/count/", "/../etc/passwd", "/%2e%2e/"):
        assert service.ask(path)[0] == 404, path


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/openapi.json"])
def test_headers_of_every_answer(service: Running, path: str) -> None:
    headers = service.ask(path)[2]
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers
    assert not [name for name in headers if name.startswith("access-control")]
