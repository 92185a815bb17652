"""What /openapi.json says of each address: bodies, answers, errors, examples."""

from __future__ import annotations

from typing import Any

from seabattle.web.questions import Kind

GRID = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
CELLS = {"type": "array", "items": {"type": "string"}, "description": "Cells by name."}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
TEXT = {"type": "string"}
FLAG = {"type": "boolean"}


def _object(
    properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties, **more}
    return {**made, "required": list(required)} if required else made


def _said(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


SHOT = {
    "type": "array",
    "items": TEXT,
    "minItems": 2,
    "maxItems": 2,
    "description": "A cell and its answer: miss, hit, sunk, sunk:3 or hit:3#1.",
    "example": ["C4", "hit"],
}
GAME: dict[str, Any] = {
    "board": {**TEXT, "example": "10x10", "description": "ROWSxCOLUMNS."},
    "fleet": {
        **TEXT,
        "example": "russian",
        "description": "Ship lengths such as 3,2,1, or russian or hasbro, which stand for a whole "
        "game.",
    },
    "contact": {"type": "string", "enum": ["none", "corners", "sides"]},
    "answers": {"type": "string", "enum": ["hit", "sunk", "ship"]},
    "announce": {"type": "string", "enum": ["length", "none"]},
}
KNOWN: dict[str, Any] = {
    "shots": {"type": "array", "items": SHOT},
    "ordered": _said(FLAG, "False if the order of the shots is not known."),
    "ships": _said(CELLS, "Sunk ships known beyond what the answers say, as A1:A4."),
}
SCHEMAS: dict[str, Any] = {
    "Position": _object(
        {
            "format": {"type": "string", "enum": ["seabattle-position"]},
            "version": {"type": "integer", "enum": [1]},
            **GAME,
            **KNOWN,
        },
        additionalProperties=False,
        description="A game in progress, as in a position file; what is left out is as on the "
        "command line.",
    ),
    "Conflict": _object(
        {
            "answers": {"type": "array", "items": SHOT},
            "shots": _said({"type": "array", "items": WHOLE}, "Their numbers, from 1."),
            "ships": CELLS,
            "least": _said(FLAG, "Whether no smaller set contradicts the newest of them."),
            "contact_that_fits": {"type": ["string", "null"]},
            "changes": _said({"type": "array", "items": SHOT}, "Changing one resolves it."),
        },
        ("answers", "shots", "ships", "least", "contact_that_fits", "changes"),
        description="Answers that cannot stand together, none of which can be left out.",
    ),
    "Error": _object(
        {"error": _said(TEXT, "One sentence."), "conflict": _ref("Conflict")}, ("error",)
    ),
    "ShipMap": _object(
        {"length": WHOLE, "occupancy": GRID, "chances": GRID, "best": CELLS, "percent": GRID},
        ("length", "best"),
    ),
    "Count": _object(
        {
            **GAME,
            **KNOWN,
            "layouts": _said(WHOLE, "Layouts that fit, exactly; may exceed 2^53."),
            "labelled_layouts": _said(WHOLE, "The same with identical ships told apart."),
            "occupancy": _said(GRID, "Layouts that occupy each cell, top row first."),
            "chances": _said(GRID, "Under a prior: the chance of each cell."),
            "best": _said(CELLS, "All likeliest cells not shot."),
            "prior": TEXT,
            "states": _said({"type": "array", "items": WHOLE}, "The size of the sweep, by row."),
            "chances_seconds": NUMBER,
            "layouts_seconds": NUMBER,
            "percent": _said(GRID, "With the option percent."),
            "ship": _ref("ShipMap"),
            "seconds": _said(NUMBER, "From the request to the answer."),
        },
        ("board", "fleet", "contact", "answers", "announce", "layouts", "labelled_layouts",
         "seconds"),
        description="As seabattle count --json.",
    ),
    "Advice": _object(
        {
            **GAME,
            **KNOWN,
            "layouts": WHOLE,
            "labelled_layouts": WHOLE,
            "occupancy": GRID,
            "chances": GRID,
            "prior": TEXT,
            "best": _said(CELLS, "All best shots, likeliest first."),
            "chance": {"type": ["number", "null"], "description": "Of the first of them."},
            "method": {"type": "string", "enum": ["greedy-map", "optimal"]},
            "total_misses": WHOLE,
            "mean_misses": _said(NUMBER, "Misses to come, with the method optimal."),
            "worst_misses": WHOLE,
            "note": TEXT,
        },
        ("board", "fleet", "layouts", "best", "chance", "method"),
        description="As seabattle advise --json.",
    ),
    "Solution": _object(
        {
            **GAME,
            **KNOWN,
            "objective": TEXT,
            "layouts": WHOLE,
            "status": {"type": "string", "enum": ["optimal", "bounded"]},
            "total_misses": WHOLE,
            "mean_misses": NUMBER,
            "worst_misses": WHOLE,
            "weight": WHOLE,
            "lower_bound": WHOLE,
            "upper_bound": WHOLE,
            "states": WHOLE,
            "nodes": WHOLE,
            "best_shots": CELLS,
            "stopped_by": TEXT,
            "search_seconds": _said(NUMBER, "Of the search that found it, now or earlier."),
            "prior": TEXT,
            "prior_rounding": NUMBER,
            "progress": {"type": "array", "items": _object({"seconds": NUMBER,
                                                            "total_misses": WHOLE})},
            "values": GRID,
            "front": {"type": "array", "items": _object({"worst_misses": WHOLE,
                                                         "total_misses": WHOLE})},
            "seconds": _said(NUMBER, "From the request to the answer."),
        },
        ("board", "fleet", "objective", "layouts", "status", "total_misses", "lower_bound",
         "upper_bound", "best_shots", "seconds"),
        description="As seabattle solve --json.",
    ),
    "ReviewedShot": _object(
        {
            "number": WHOLE,
            "cell": TEXT,
            "answer": TEXT,
            "chance": NUMBER,
            "best_chance": NUMBER,
            "best": CELLS,
            "certain": FLAG,
            "layouts_before": WHOLE,
            "layouts_after": WHOLE,
            "lost": NUMBER,
            "exact": FLAG,
            "lost_at_once": NUMBER,
            "optimal": CELLS,
        },
        ("number", "cell", "answer", "chance", "best_chance", "best", "lost", "exact"),
    ),
    "Review": _object(
        {
            **GAME,
            "prior": TEXT,
            "shots": {"type": "array", "items": _ref("ReviewedShot")},
            "hits": WHOLE,
            "misses": WHOLE,
            "layouts": WHOLE,
            "misses_lost": NUMBER,
            "exact": FLAG,
            "lost_exactly": NUMBER,
            "lost_at_once": NUMBER,
            "luck": NUMBER,
            "expected_hits": NUMBER,
            "mistakes": {"type": "array", "items": WHOLE},
            "stopped_by": TEXT,
            "seconds": _said(NUMBER, "From the request to the answer."),
        },
        ("board", "fleet", "shots", "hits", "misses", "misses_lost", "luck", "mistakes", "seconds"),
        description="As seabattle review --json.",
    ),
    "Sinking": _object(
        {
            "shot": TEXT,
            "length": {"type": ["integer", "null"]},
            "ships": _said(CELLS, "The placements it can be."),
        },
        ("shot", "length", "ships"),
        description="A sinking whose ship can lie in several ways.",
    ),
    "Known": _object(
        {
            **GAME,
            **KNOWN,
            "over": _said(FLAG, "Whether every ship is sunk."),
            "misses": WHOLE,
            "conflict": {"anyOf": [_ref("Conflict"), {"type": "null"}]},
            "sinkings": {"type": "array", "items": _ref("Sinking")},
        },
        ("board", "fleet", "over", "misses", "conflict", "sinkings"),
    ),
    "Health": _object(
        {
            "version": TEXT,
            "uptime": _said(NUMBER, "Seconds."),
            "workers": _said(WHOLE, "Counting processes."),
            "warm": _said(FLAG, "Whether the first of them has prepared itself."),
            "waiting": _said(WHOLE, "Questions that wait."),
            "busy": _said(WHOLE, "Processes at work."),
            "counted": _said(WHOLE, "Questions worked out so far."),
            "shared": _said(WHOLE, "Questions that were being worked on when asked again."),
            "dropped": _said(WHOLE, "Questions whose clients left."),
            "cache": _object({"answers": WHOLE, "bytes": WHOLE, "used": WHOLE}),
        },
        ("version", "uptime", "workers", "warm", "waiting", "busy", "cache"),
    ),
}  # fmt: skip
"""The schemas of bodies and answers, by name."""

_PRIOR = {"type": "string", "enum": ["uniform", "people"], "default": "uniform"}
_THINK = "Seconds for exact play; 0: none."
_OPTIONS: dict[Kind, dict[str, Any]] = {
    Kind.COUNT: {
        "prior": _PRIOR,
        "ship": _said(WHOLE, "Also map the ships of this length by themselves."),
        "percent": {**FLAG, "default": False},
        "no_map": {**FLAG, "default": False},
    },
    Kind.ADVISE: {"prior": _PRIOR, "think": {**_said(NUMBER, _THINK), "default": 2}},
    Kind.SOLVE: {
        "objective": {
            "type": "string",
            "enum": ["mean", "worst", "mean-worst", "worst-mean", "pareto"],
            "default": "mean",
        },
        "values": {**FLAG, "default": False},
        "prior": _PRIOR,
        "time_limit": {**_said(NUMBER, "Seconds."), "default": 20},
        "memory_limit": _said(NUMBER, "GiB."),
    },
    Kind.REVIEW: {"prior": _PRIOR, "think": {**_said(NUMBER, _THINK), "default": 10}},
    Kind.POSITION: {},
    Kind.PICTURE: {
        "prior": _PRIOR,
        "ship": _said(WHOLE, "Map the ships of this length."),
        "theme": {"type": "string", "enum": ["light"], "default": "light"},
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
_REFUSALS = {
    403: "A page of another site asks.",
    408: "The request did not arrive in time.",
    413: "The body is too long, or the question needs more cells, memory or time than one may.",
    415: "The body is not application/json.",
    421: "The header Host does not name this service.",
    422: "Not understood, wrong, or answers that contradict each other.",
    500: "An error of the program.",
    503: "Too many questions are waiting; the header Retry-After says when to ask again.",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may refuse, as FastAPI takes it; all kinds of refusals by default."""
    return {
        status: {"description": text, "content": {"application/json": {"schema": _ref("Error")}}}
        for status, text in _REFUSALS.items()
        if not statuses or status in statuses
    }


def describe(kind: Kind) -> dict[str, Any]:
    """Keywords of FastAPI that describe the route of a kind of question."""
    summary, answer = _SUMMARY[kind]
    options = _object(_OPTIONS[kind], additionalProperties=False)
    position = {**SCHEMAS["Position"]["properties"], "options": options}
    body = _object(position, additionalProperties=False)
    example = _SMALL if kind in (Kind.SOLVE, Kind.REVIEW) else _EXAMPLE
    content = {"schema": _ref(answer)} if answer else {"schema": TEXT}
    kind_of_answer = "application/json" if answer else "image/svg+xml"
    return {
        "summary": summary,
        "operation_id": str(kind),
        "response_model": None,
        "responses": {
            200: {"description": "The answer.", "content": {kind_of_answer: content}},
            **error_responses(),
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
    content = {"application/json": {"schema": _ref("Health")}}
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
    """The document of FastAPI with the schemas that its routes refer to."""
    components = document.setdefault("components", {})
    components["schemas"] = {**components.get("schemas", {}), **SCHEMAS}
    return document
