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


def check(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Check a value, refusing fields that the description does not name."""
    strict = json.loads(json.dumps({**schema, "components": document["components"]}))
    for made in strict["components"]["schemas"].values():
        made.setdefault("additionalProperties", False)
    jsonschema.Draft202012Validator(strict).validate(value)


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
        asked = described["requestBody"]["content"]["application/json"]["schema"]
        check(document, asked, body)
    status, answer, _ = service.ask(f"/api/{path}", body)
    told = described["responses"][str(status)]["content"]["application/json"]["schema"]
    check(document, told, answer)


def test_examples_are_answered(service: Running, document: dict[str, Any]) -> None:
    for path, described in document["paths"].items():
        if "post" in described:
            content = described["post"]["requestBody"]["content"]["application/json"]
            check(document, content["schema"], content["example"])
            assert service.ask(path, content["example"])[0] == 200, path
    health = document["paths"]["/api/health"]["get"]["responses"]["200"]["content"]
    check(document, health["application/json"]["schema"], service.health())


def test_the_service_gives_its_description(service: Running, document: dict[str, Any]) -> None:
    assert service.ask("/openapi.json")[1] == document
    kinds = {"count", "advise", "solve", "review", "position", "picture"}
    assert {f"/api/{kind}" for kind in kinds} | {"/api/health"} <= document["paths"].keys()


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
            check(document, schema, value)
        except (jsonschema.ValidationError, RecursionError):
            refused += 1
    assert refused > 40
