"""What /openapi.json says of each address: bodies, answers, errors, examples."""

from __future__ import annotations

from typing import Any


def describe(name: str) -> dict[str, Any]:
    """Keywords that describe a route."""
    return {"summary": f"{name}"}
