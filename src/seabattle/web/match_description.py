"""What /openapi.json says of games against the program, of drawn fleets and of players."""

from __future__ import annotations

from typing import Any

from seabattle.solver.matches.terms import STRONGEST, First, Hiding, Side
from seabattle.web.schemas import (
    FLAG,
    GAME,
    QUESTION,
    SHOT,
    TEXT,
    WHOLE,
    an_object,
    error_responses,
    ref,
    said,
)

_SHIPS = {"type": "array", "items": TEXT, "example": ["A1:A3", "C1:D1", "C4"]}
_SIDE = {"type": "string", "enum": list(Side)}
_NO_SIDE = {"enum": [*Side, None]}
_HIDE = {"type": "string", "enum": list(Hiding), "default": Hiding.RANDOM}
_SEED = {**said(WHOLE, "Everything random follows from it; a new one by default."), "minimum": 0}
_TERMS: dict[str, Any] = {
    "player": {**said(TEXT, "Who shoots for the program."), "default": STRONGEST},
    "hide": said(_HIDE, "How the program hides its fleet."),
    "first": {**said({"enum": list(First)}, "Who begins."), "default": First.TOSS},
    "again": {**said(FLAG, "Whether a hit shoots again."), "default": True},
}
_SIDE_SHOTS = an_object({"shots": {"type": "array", "items": SHOT}}, ("shots",))
_NAMED = {"name": TEXT, "summary": TEXT}
_REASONS = {"type": "object", "additionalProperties": TEXT}

MATCH_SCHEMAS: dict[str, Any] = {
    "Match": an_object(
        {
            "id": said(TEXT, "Names the game in later requests; nobody can guess it."),
            **GAME,
            "options": an_object(_TERMS, tuple(_TERMS)),
            "turn": said(_NO_SIDE, "Who shoots next; null when the game is over."),
            "winner": _NO_SIDE,
            "resigned": FLAG,
            "yours": said(_SIDE_SHOTS, "Your shots at its fleet, with their answers."),
            "program": said(_SIDE_SHOTS, "Its shots at yours."),
            "order": {"type": "array", "items": _SIDE, "description": "Who made each shot."},
            "your_ships": _SHIPS,
            "its_ships": {
                "anyOf": [_SHIPS, {"type": "null"}],
                "description": "Its fleet, once the game is over.",
            },
        },
        ("id", *GAME, "options", "turn", "winner", "resigned", "yours", "program", "order",
         "your_ships", "its_ships"),
        description="A game against the program, as you see it.",
    ),
    "Removed": an_object({"id": TEXT, "removed": FLAG}, ("id", "removed")),
    "Layout": an_object(
        {
            **GAME,
            "ships": _SHIPS,
            "how": said(TEXT, "What it was drawn from."),
            "promise": said(TEXT, "What that promises against a shooter."),
        },
        (*GAME, "ships", "how", "promise"),
        description="A fleet to hide.",
    ),
    "Players": an_object(
        {
            **GAME,
            "players": {
                "type": "array",
                "items": an_object(
                    {**_NAMED, "quick": said(FLAG, "Whether it shoots at once.")},
                    (*_NAMED, "quick"),
                ),
            },
            "hiding": {"type": "array", "items": an_object(_NAMED, tuple(_NAMED))},
            "left_out": an_object(
                {"players": _REASONS, "hiding": _REASONS},
                ("players", "hiding"),
                description="What this game does not allow, and why.",
            ),
        },
        (*GAME, "players", "hiding", "left_out"),
        description="Who can shoot in a game, and how fleets can be hidden in it.",
    ),
}  # fmt: skip
"""The schemas of answers, by name."""

_SMALL = {"board": "4x4", "fleet": "3,2,1", "answers": "sunk"}
_KEPT = (403, 404, 421)
"""Refusals of a request for a game that is kept."""


def _described(
    name: str,
    summary: str,
    answer: str,
    statuses: tuple[int, ...],
    asked: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Keywords of FastAPI that describe a route."""
    content = {"application/json": {"schema": ref(answer)}}
    return {
        "summary": summary,
        "operation_id": name,
        "response_model": None,
        "responses": {
            200: {"description": "The answer.", "content": content},
            **error_responses(*statuses),
        },
        "openapi_extra": asked or {},
    }


def _body(properties: dict[str, Any], required: tuple[str, ...], example: Any) -> dict[str, Any]:
    schema = an_object(properties, required, additionalProperties=False)
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}


BEGIN = _described(
    "begin_game",
    "Begin a game against the program",
    "Match",
    QUESTION,
    _body(
        {
            **GAME,
            "options": an_object(
                {"ships": said(_SHIPS, "Your fleet."), **_TERMS, "seed": _SEED},
                ("ships",),
                additionalProperties=False,
            ),
        },
        ("options",),
        {**_SMALL, "options": {"ships": ["A1:A3", "C1:D1", "C4"], "player": "density"}},
    ),
)
LOOK = _described("look_at_game", "The state of a game", "Match", _KEPT)
SHOOT = _described(
    "shoot",
    "Shoot; the program's shots of the same turn are in the answer",
    "Match",
    (*QUESTION, 404, 409),
    _body({"shot": {**TEXT, "description": "A cell."}}, ("shot",), {"shot": "C4"}),
)
RESIGN = _described("resign", "Give a game up", "Match", (*_KEPT, 409, 413))
REMOVE = _described("remove_game", "Let a game go", "Removed", _KEPT)
LAYOUT = _described(
    "draw_layout",
    "Draw a fleet to hide",
    "Layout",
    QUESTION,
    _body(
        {
            **GAME,
            "options": an_object(
                {
                    "hide": said(_HIDE, "How it is drawn."),
                    "prior": {
                        "type": "string",
                        "enum": ["uniform", "people"],
                        "description": "The same by the name of a prior, in place of hide.",
                    },
                    "seed": _SEED,
                },
                additionalProperties=False,
            ),
        },
        (),
        {"fleet": "hasbro", "options": {"hide": "people", "seed": 1}},
    ),
)
PLAYERS = _described(
    "list_players",
    "Who can play a game, and how fleets can be hidden in it",
    "Players",
    (403, 413, 421, 422, 500, 503),
    {
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in GAME.items()
        ]
    },
)
