"""The description of the service, from which clients are generated."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from support.nonsense import NONSENSE
from support.serving import Running

from seabattle.web.questions import OPTIONS, Kind, read_options
from seabattle.web.service import service as make_service
from seabattle.web.settings import Settings

RUSSIAN = {"fleet": "russian", "shots": [["C4", "hit"], ["J8", "miss"]]}
HASBRO = {"fleet": "hasbro", "shots": [["A1", "hit"], ["B2", "hit"], ["A2", "sunk:2"]]}
SMALL = {"board": "4x4", "fleet": "3,2,1", "shots": [["B2", "miss"], ["A1", "hit"]]}
CONFLICT = {"fleet": "russian", "shots": [["C4", "hit"], ["D5", "hit"]]}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The description, as it goes over the wire."""
    found: dict[str, Any] = json.loads(
        json.dumps(make_service(Settings(), warm_up=False).openapi())
    )
    return found


def assert_described(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Check a value, refusing fields that the description does not name."""
    strict = json.loads(json.dumps({**schema, "components": document["components"]}))
    for made in strict["components"]["schemas"].values():
        made.setdefault("additionalProperties", False)
    jsonschema.Draft202012Validator(strict).validate(value)


def asked_with(described: dict[str, Any]) -> dict[str, Any]:
    """Schema and example of the body of a route."""
    found: dict[str, Any] = described["requestBody"]["content"]["application/json"]
    return found


def told(described: dict[str, Any], status: int) -> dict[str, Any]:
    """The schema of a route's JSON answer."""
    found: dict[str, Any] = described["responses"][str(status)]["content"]["application/json"]
    return dict(found["schema"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("count", {**RUSSIAN, "options": {"percent": True, "ship": 3}}),
        ("count", {**HASBRO, "options": {"prior": "people", "ship": 3}}),
        ("count", {**RUSSIAN, "options": {"no_map": True}}),
        ("advise", RUSSIAN),
        ("advise", SMALL),
        ("advise", {**HASBRO, "options": {"prior": "people"}}),
        ("solve", {**SMALL, "options": {"values": True}}),
        ("solve", {**SMALL, "options": {"objective": "pareto"}}),
        ("review", SMALL),
        ("position", HASBRO),
        ("position", CONFLICT),
        ("count", CONFLICT),
        ("count", {"fleet": "german"}),
    ],
)
def test_answers_are_as_described(
    service: Running, document: dict[str, Any], path: str, body: dict[str, Any]
) -> None:
    described = document["paths"][f"/api/{path}"]["post"]
    if body.get("fleet") != "german":
        assert_described(document, asked_with(described)["schema"], body)
    status, answer, _ = service.ask(f"/api/{path}", body)
    assert_described(document, told(described, status), answer)


def test_examples_are_answered(service: Running, document: dict[str, Any]) -> None:
    game = ""
    for path, described in document["paths"].items():
        if "requestBody" not in described.get("post", {}):
            continue
        post = described["post"]
        asked = asked_with(post)
        assert_described(document, asked["schema"], asked["example"])
        status, answer, _ = service.ask(path.replace("{id}", game), asked["example"])
        assert status == 200, path
        if "application/json" in post["responses"]["200"]["content"]:
            assert_described(document, told(post, 200), answer)
        if path == "/api/games":
            game = answer["id"]
    assert game


def test_the_state_of_the_service_is_as_described(
    service: Running, document: dict[str, Any]
) -> None:
    assert_described(document, told(document["paths"]["/api/health"]["get"], 200), service.health())


def test_a_game_against_the_program_is_as_described(
    service: Running, document: dict[str, Any]
) -> None:
    """Begun, looked at, shot in, given up, and let go; what is refused is described, too."""
    paths = document["paths"]

    def ask(path: str, body: Any = None, *, key: str = "", method: str = "") -> Any:
        described = paths[path][method or ("get" if body is None else "post")]
        status, answer, _ = service.ask(
            path.replace("{id}", key), body, method=method.upper() or None
        )
        assert_described(document, told(described, status), answer)
        return status, answer

    begun = asked_with(paths["/api/games"]["post"])["example"]
    refused = {**begun, "options": {**begun["options"], "hide": "well"}}
    assert ask("/api/games", refused)[0] == 422
    status, game = ask("/api/games", {**begun, "options": {**begun["options"], "seed": 1}})
    assert (status, game["its_ships"]) == (200, None)
    key = game["id"]
    assert ask("/api/games/{id}", key=key) == (200, game)
    assert ask("/api/games/{id}/shots", {"shot": "B2"}, key=key)[0] == 200
    assert ask("/api/games/{id}/shots", {"shot": "B2"}, key=key)[0] == 422
    status, game = ask("/api/games/{id}/resign", {}, key=key)
    assert (status, game["winner"], game["turn"]) == (200, "program", None)
    assert ask("/api/games/{id}/shots", {"shot": "C2"}, key=key)[0] == 409
    assert ask("/api/games/{id}/resign", {}, key=key)[0] == 409
    assert ask("/api/games/{id}", key=key, method="delete")[0] == 200
    assert ask("/api/games/{id}", key=key)[0] == 404
    assert ask("/api/games/{id}/shots", {"shot": "C2"}, key=key)[0] == 404


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?fleet=hasbro", 200),
        ("?board=4x4&fleet=3,2,1&answers=ship", 200),
        ("?board=4x4&fleet=9", 422),
        ("?board=21x20&fleet=3", 413),
        ("?size=4", 422),
    ],
)
def test_players_are_as_described(
    service: Running, document: dict[str, Any], query: str, status: int
) -> None:
    described = document["paths"]["/api/players"]["get"]
    found, answer, _ = service.ask(f"/api/players{query}")
    assert found == status
    assert_described(document, told(described, found), answer)


def test_every_address_is_described(document: dict[str, Any]) -> None:
    """With its answer and a summary; nothing is described that FastAPI makes up."""
    names = set()
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            names.add(described["operationId"])
            assert described["summary"], path
            content = described["responses"]["200"]["content"]
            assert content
            assert all(each["schema"] for each in content.values()), path
            for status in described["responses"].keys() - {"200"}:
                assert told(described, int(status)) == {"$ref": "#/components/schemas/Error"}
            if method == "post" and path != "/api/games/{id}/resign":
                assert described["requestBody"]["required"], path
    assert len(names) == sum(len(methods) for methods in document["paths"].values())
    assert "HTTPValidationError" not in str(document)


def test_the_service_gives_its_description(service: Running, document: dict[str, Any]) -> None:
    assert service.ask("/openapi.json")[1] == document
    kinds = {"count", "advise", "solve", "review", "position", "picture"}
    matches = {"games", "games/{id}", "games/{id}/shots", "games/{id}/resign", "layout", "players"}
    addresses = {f"/api/{name}" for name in kinds | matches | {"health"}}
    assert document["paths"].keys() == addresses


def test_options_are_those_that_are_read(document: dict[str, Any]) -> None:
    for kind in (Kind.COUNT, Kind.ADVISE, Kind.SOLVE, Kind.REVIEW, Kind.POSITION, Kind.PICTURE):
        post = document["paths"][f"/api/{kind}"]["post"]
        schema = post["requestBody"]["content"]["application/json"]["schema"]
        described = schema["properties"]["options"]["properties"]
        assert described.keys() == OPTIONS[kind].keys()
        usual = read_options(kind, {}, Settings())
        for name, option in described.items():
            assert "default" not in option or option["default"] == usual[name]


def test_bodies_that_the_description_refuses_are_refused(document: dict[str, Any]) -> None:
    """What jsonschema lets through, of nonsense, has a right shape and a wrong meaning."""
    post = document["paths"]["/api/count"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    refused = 0
    for body in NONSENSE.values():
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            continue
        try:
            assert_described(document, schema, value)
        except (jsonschema.ValidationError, RecursionError):
            refused += 1
    assert refused > 40


def test_the_fields_of_answers_are_explained(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name in ("Count", "Advice", "Solution", "Review", "ReviewedShot", "Position"):
        for field, schema in schemas[name]["properties"].items():
            if field not in ("format", "version"):
                assert "description" in schema or "$ref" in schema, (name, field)
