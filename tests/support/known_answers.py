"""Known answers: the data files in ``known``, each answer with its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from seabattle.enumerate.rules import Rules

FOLDER = Path(__file__).parent.parent / "known"


def known(name: str, **wanted: object) -> list[dict[str, Any]]:
    """Answers of ``known/NAME.json`` whose fields have the wanted values."""
    document = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [
        entry
        for entry in document["answers"]
        if all(entry.get(field) == value for field, value in wanted.items())
    ]


def known_rules(entry: dict[str, Any]) -> Rules:
    """The game an answer is about."""
    return Rules(
        entry["board"],
        entry["fleet"],
        entry.get("contact", "none"),
        entry.get("answers", "hit"),
        entry.get("announce", "length"),
    )


def label(entry: dict[str, Any]) -> str:
    """Short name of an answer, for test reports."""
    fields = ("board", "fleet", "contact", "answers", "rule", "reading")
    return "-".join(
        ",".join(map(str, entry[field])) if field == "fleet" else str(entry[field])
        for field in fields
        if field in entry
    )
