"""The body of a request: JSON in UTF-8, bounded in length, depth and time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import ClientDisconnect, Request

from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.files import json_document
from seabattle.web.refusals import Refused

PATIENCE = 20.0
"""Seconds within which a request has to arrive."""


async def read_json(request: Request, most_bytes: int) -> Any:
    """The JSON document of a request.

    Raises
    ------
    Refused
        If it is not there in time, too long, of another type, or no JSON.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused("the content type of a request must be application/json", 415)
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused("the body of a request must not be compressed", 415)
    try:
        body = await asyncio.wait_for(_read(request, most_bytes), PATIENCE)
    except TimeoutError:
        raise Refused(f"the request did not arrive within {PATIENCE:g} s", 408) from None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the request is not UTF-8 text") from None
    return json_text(text)


def json_text(text: str) -> Any:
    """The document of a text, as strictly as JSON is defined; nothing is given twice.

    >>> json_text('{"percent": true, "percent": false}')
    Traceback (most recent call last):
    ...
    seabattle.web.refusals.Refused: the request is no valid JSON: the field 'percent' is given twice
    """
    try:
        return json_document(
            text, "the request", "JSON", SeabattleError, once=True, decimals=_decimal
        )
    except (SeabattleError, RecursionError) as error:
        if isinstance(error, RecursionError) or "cut short" not in str(error):
            raise Refused(str(error) or "the request is nested too deeply") from None
        raise Refused(f"the request is no JSON, or was cut short{_where(text)}") from None


def _decimal(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Refused(f"the request holds a number that is too large: {text[:40]}")
    return number


def _where(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        return f": line {problem.lineno}, column {problem.colno}"
    except (ValueError, RecursionError):
        return ": it is nested too deeply, or holds a number of too many digits"
    return ""


async def _read(request: Request, most_bytes: int) -> bytes:
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most_bytes:
                raise Refused(f"the request has more than {most_bytes:,} bytes", 413)
    except ClientDisconnect:
        raise Refused("the client has gone", 400) from None
    return bytes(body)
