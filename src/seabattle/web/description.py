"""What /openapi.json says of the questions and of the service itself.

Each address has its body, its answers, its errors and an example. The addresses of games against
the program are described in ``match_description``.
"""

from __future__ import annotations

from typing import Any

from fastapi.responses import JSONResponse

from seabattle.web.match_description import MATCH_SCHEMAS
from seabattle.web.questions import Kind
from seabattle.web.responses import SvgResponse
from seabattle.web.schemas import (
    FLAG,
    NUMBER,
    QUESTION,
    SCHEMAS,
    TEXT,
    WHOLE,
    an_object,
    error_responses,
    ref,
    said,
)

_PRIOR = {"type": "string", "enum": ["uniform", "people"], "default": "uniform"}
_THINK = "Seconds for exact play; 0: none."
_OPTIONS: dict[Kind, dict[str, Any]] = {
    Kind.COUNT: {
        "prior": _PRIOR,
        "ship": said(WHOLE, "Also map the ships of this length by themselves."),
        "percent": {**FLAG, "default": False},
        "no_map": {**FLAG, "default": False},
    },
    Kind.ADVISE: {"prior": _PRIOR, "think": {**said(NUMBER, _THINK), "default": 2}},
    Kind.SOLVE: {
        "objective": {
            "type": "string",
            "enum": ["mean", "worst", "mean-worst", "worst-mean", "pareto"],
            "default": "mean",
        },
        "values": {**FLAG, "default": False},
        "prior": _PRIOR,
        "time_limit": {**said(NUMBER, "Seconds."), "default": 20},
        "memory_limit": said(NUMBER, "GiB."),
    },
    Kind.REVIEW: {"prior": _PRIOR, "think": {**said(NUMBER, _THINK), "default": 10}},
    Kind.POSITION: {},
    Kind.PICTURE: {
        "prior": _PRIOR,
        "ship": said(WHOLE, "Map the ships of this length."),
        "theme": {"type": "string", "enum": ["light", "dark", "print"], "default": "light"},
    },
}
_SUMMARY: dict[Kind, tuple[str, str]] = {
    Kind.COUNT: ("Count the layouts that fit and map how likely each cell is occupied", "Count"),
    Kind.ADVISE: ("The best next shots", "Advice"),
    Kind.SOLVE: ("Solve a small game exactly", "Solution"),
    Kind.REVIEW: ("Look back at a game, shot by shot", "Review"),
    Kind.POSITION: ("What is known: contradictions, sinkings to be asked about", "Known"),
    Kind.PICTURE: ("The map as a picture", ""),
}
_EXAMPLE = {"fleet": "russian", "shots": [["C4", "hit"], ["J8", "miss"]]}
_SMALL = {"board": "4x4", "fleet": "3,2,1", "shots": [["B2", "miss"]]}


def describe(kind: Kind) -> dict[str, Any]:
    """Keywords of FastAPI that describe the route of a kind of question."""
    summary, answer = _SUMMARY[kind]
    options = an_object(_OPTIONS[kind], additionalProperties=False)
    position = {**SCHEMAS["Position"]["properties"], "options": options}
    body = an_object(position, additionalProperties=False)
    example = _SMALL if kind in (Kind.SOLVE, Kind.REVIEW) else _EXAMPLE
    content = {"schema": ref(answer)} if answer else {"schema": TEXT}
    made = JSONResponse if answer else SvgResponse
    return {
        "summary": summary,
        "operation_id": str(kind),
        "response_model": None,
        "response_class": made,
        "responses": {
            200: {"description": "The answer.", "content": {made.media_type: content}},
            **error_responses(*QUESTION),
        },
        "openapi_extra": {
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": body, "example": example}},
            }
        },
    }


def describe_health() -> dict[str, Any]:
    """Keywords of FastAPI that describe the route of the service's state."""
    content = {"application/json": {"schema": ref("Health")}}
    return {
        "summary": "How the service does",
        "operation_id": "health",
        "response_model": None,
        "responses": {
            200: {"description": "The answer.", "content": content},
            **error_responses(403, 421),
        },
    }


def with_schemas(document: dict[str, Any]) -> dict[str, Any]:
    """The document of FastAPI with the schemas that its routes refer to.

    FastAPI describes errors of its own for every address with an id in it. There are none: every
    refusal is an ``Error``.
    """
    components = document.setdefault("components", {})
    components["schemas"] = {**SCHEMAS, **MATCH_SCHEMAS}
    for methods in document["paths"].values():
        for described in methods.values():
            if "HTTPValidationError" in str(described["responses"].get("422")):
                del described["responses"]["422"]
    return document
