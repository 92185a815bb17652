"""Answers in JSON."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Response

JSON = "application/json"


def json_response(
    document: Any, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """An answer in JSON."""
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    return Response(text.encode("utf-8", "replace"), status, headers, media_type=JSON)


class SvgResponse(Response):
    """A picture."""

    media_type = "image/svg+xml"
