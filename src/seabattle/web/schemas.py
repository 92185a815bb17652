"""What the descriptions in /openapi.json are made of: the schemas of documents, and refusals."""

from __future__ import annotations

from typing import Any

from seabattle.documents import fields
from seabattle.documents.fields import FIELDS, Fields, sentence

GRID = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
NAMES = {"type": "array", "items": {"type": "string"}}
CELLS = {**NAMES, "description": "Cells by name."}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
TEXT = {"type": "string"}
FLAG = {"type": "boolean"}


def an_object(
    properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """The schema of an object with these fields."""
    made: dict[str, Any] = {"type": "object", "properties": properties, **more}
    return {**made, "required": list(required)} if required else made


def said(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A schema with what it means."""
    return {**schema, "description": description}


def explained(meanings: Fields, properties: dict[str, Any], *, within: str = "") -> dict[str, Any]:
    """Properties of an answer, or of a field of it, with what the table of fields says."""
    made = {}
    for name, schema in properties.items():
        meaning = meanings.get(f"{within}{name}")
        plain = meaning is None or "description" in schema or "$ref" in schema
        made[name] = schema if plain else said(schema, sentence(meaning or ""))
    return made


def ref(name: str) -> dict[str, str]:
    """The schema of a name, wherever the document has it."""
    return {"$ref": f"#/components/schemas/{name}"}


SHOT = {
    "type": "array",
    "items": TEXT,
    "minItems": 2,
    "maxItems": 2,
    "description": "A cell and its answer: miss, hit, sunk, sunk:3 or hit:3#1.",
    "example": ["C4", "hit"],
}
GAME = explained(fields.GAME, {
    "board": {**TEXT, "example": "10x10"},
    "fleet": {
        **TEXT,
        "example": "russian",
        "description": "Lengths of the ships, such as 3,2,1; or russian or hasbro, which stand for "
        "a whole game.",
    },
    "contact": {"type": "string", "enum": ["none", "corners", "sides"]},
    "answers": {"type": "string", "enum": ["hit", "sunk", "ship"]},
    "announce": {"type": "string", "enum": ["length", "none"]},
})  # fmt: skip
KNOWN = explained(fields.KNOWN, {
    "shots": {"type": "array", "items": SHOT},
    "ordered": FLAG,
    "ships": NAMES,
})  # fmt: skip
SCHEMAS: dict[str, Any] = {
    "Position": an_object(
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
    "Conflict": an_object(
        {
            "answers": {"type": "array", "items": SHOT},
            "shots": said({"type": "array", "items": WHOLE}, "Their numbers, from 1."),
            "ships": CELLS,
            "least": said(FLAG, "Whether no smaller set contradicts the newest of them."),
            "contact_that_fits": {"type": ["string", "null"]},
            "changes": said({"type": "array", "items": SHOT}, "Changing one resolves it."),
        },
        ("answers", "shots", "ships", "least", "contact_that_fits", "changes"),
        description="Answers that cannot stand together, none of which can be left out.",
    ),
    "Error": an_object(
        {"error": said(TEXT, "One sentence."), "conflict": ref("Conflict")}, ("error",)
    ),
    "ShipMap": an_object(
        {"length": WHOLE, "occupancy": GRID, "chances": GRID, "best": CELLS, "percent": GRID},
        ("length", "best"),
    ),
    "Count": an_object(
        explained(FIELDS["count"], {
            **GAME,
            **KNOWN,
            "layouts": WHOLE,
            "labelled_layouts": WHOLE,
            "occupancy": GRID,
            "chances": GRID,
            "best": NAMES,
            "prior": TEXT,
            "states": {"type": "array", "items": WHOLE},
            "chances_seconds": NUMBER,
            "layouts_seconds": NUMBER,
            "percent": GRID,
            "ship": ref("ShipMap"),
            "seconds": NUMBER,
        }),
        ("board", "fleet", "contact", "answers", "announce", "layouts", "labelled_layouts",
         "seconds"),
        description="As seabattle count --json.",
    ),
    "Advice": an_object(
        explained(FIELDS["advise"], {
            **GAME,
            **KNOWN,
            "layouts": WHOLE,
            "labelled_layouts": WHOLE,
            "occupancy": GRID,
            "chances": GRID,
            "prior": TEXT,
            "best": NAMES,
            "chance": {"type": ["number", "null"]},
            "method": {"type": "string", "enum": ["greedy-map", "optimal"]},
            "total_misses": WHOLE,
            "mean_misses": NUMBER,
            "worst_misses": WHOLE,
            "note": TEXT,
        }),
        ("board", "fleet", "layouts", "best", "chance", "method"),
        description="As seabattle advise --json.",
    ),
    "Solution": an_object(
        explained(FIELDS["solve"], {
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
            "sets": WHOLE,
            "best_shots": NAMES,
            "stopped_by": TEXT,
            "search_seconds": NUMBER,
            "prior": TEXT,
            "prior_rounding": NUMBER,
            "progress": {"type": "array", "items": an_object({"seconds": NUMBER,
                                                            "total_misses": WHOLE})},
            "values": GRID,
            "front": {"type": "array", "items": an_object({"worst_misses": WHOLE,
                                                         "total_misses": WHOLE,
                                                         "mean_misses": NUMBER})},
            "seconds": NUMBER,
        }),
        ("board", "fleet", "objective", "layouts", "status", "total_misses", "lower_bound",
         "upper_bound", "best_shots", "seconds"),
        description="As seabattle solve --json.",
    ),
    "ReviewedShot": an_object(
        explained(FIELDS["review"], {
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
        }, within="shots."),
        ("number", "cell", "answer", "chance", "best_chance", "best", "lost", "exact"),
    ),
    "Review": an_object(
        explained(FIELDS["review"], {
            **GAME,
            "prior": TEXT,
            "shots": {"type": "array", "items": ref("ReviewedShot")},
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
            "seconds": NUMBER,
        }),
        ("board", "fleet", "shots", "hits", "misses", "misses_lost", "luck", "mistakes", "seconds"),
        description="As seabattle review --json.",
    ),
    "Sinking": an_object(
        {
            "shot": TEXT,
            "length": {"type": ["integer", "null"]},
            "ships": said(CELLS, "The placements it can be."),
        },
        ("shot", "length", "ships"),
        description="A sinking whose ship can lie in several ways.",
    ),
    "Known": an_object(
        {
            **GAME,
            **KNOWN,
            "over": said(FLAG, "Whether every ship is sunk."),
            "misses": WHOLE,
            "conflict": {"anyOf": [ref("Conflict"), {"type": "null"}]},
            "sinkings": {"type": "array", "items": ref("Sinking")},
        },
        ("board", "fleet", "over", "misses", "conflict", "sinkings"),
    ),
    "Health": an_object(
        {
            "version": TEXT,
            "uptime": said(NUMBER, "Seconds."),
            "workers": said(WHOLE, "Counting processes."),
            "warm": said(FLAG, "Whether the first of them has prepared itself."),
            "waiting": said(WHOLE, "Questions that wait."),
            "busy": said(WHOLE, "Processes at work."),
            "counted": said(WHOLE, "Questions worked out so far."),
            "shared": said(WHOLE, "Questions that were being worked on when asked again."),
            "dropped": said(WHOLE, "Questions whose clients left."),
            "games": said(WHOLE, "Games against the program that are kept."),
            "cache": an_object({"answers": WHOLE, "bytes": WHOLE, "used": WHOLE}),
        },
        ("version", "uptime", "workers", "warm", "waiting", "busy", "games", "cache"),
    ),
}  # fmt: skip
"""The schemas of bodies and answers, by name."""

QUESTION = (403, 408, 413, 415, 421, 422, 500, 503)
"""The kinds of refusals of a question with a body."""

_REFUSALS = {
    403: "A page of another site asks.",
    404: "There is no game of this id, or no more.",
    408: "The request did not arrive in time.",
    409: "The game is over, or waits for the program's move.",
    413: "The body is too long, or the question needs more cells, memory or time than one may.",
    415: "The body is not application/json.",
    421: "The header Host does not name this service.",
    422: "Not understood, wrong, or answers that contradict each other.",
    500: "An error of the program.",
    503: "Too many questions are waiting; the header Retry-After says when to ask again.",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may refuse, by status, as FastAPI takes it."""
    content = {"application/json": {"schema": ref("Error")}}
    return {
        status: {"description": _REFUSALS[status], "content": content}
        for status in sorted(statuses)
    }
