"""The service: what is asked at which address. Questions are answered outside the event loop."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request, Response

from seabattle.documents.games import answer_document
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.web.questions import Kind, Question, read_question
from seabattle.web.refusals import Refused, refusal
from seabattle.web.settings import Settings

JSON = "application/json"


def service(settings: Settings) -> FastAPI:
    """The application that answers on the address of the settings."""
    app = FastAPI(title="seabattle", docs_url=None, redoc_url=None)
    begin = time.monotonic()

    for kind in (Kind.COUNT, Kind.ADVISE, Kind.SOLVE, Kind.REVIEW, Kind.POSITION, Kind.PICTURE):
        app.post(f"/api/{kind}")(_route(kind, settings))

    @app.get("/api/health")
    async def health() -> dict[str, Any]:
        return {
            "version": _version(),
            "uptime": time.monotonic() - begin,
            "workers": settings.workers,
        }

    @app.get("/")
    async def page() -> Response:
        try:
            from seabattle.trees.page.play import play_page  # type: ignore[import-not-found]
        except ImportError:
            return Response("<!DOCTYPE html><title>seabattle</title><p>The page is not there yet.",
                            media_type="text/html")  # fmt: skip
        return Response(play_page(), media_type="text/html")

    @app.exception_handler(SeabattleError)
    async def refuse(request: Request, error: SeabattleError) -> Response:
        said = refusal(error)
        return _json(said.document(), said.status)

    return app


def _version() -> str:
    try:
        return version("seabattle")
    except PackageNotFoundError:
        return ""


def _json(document: Any, status: int = 200) -> Response:
    return Response(json.dumps(document, ensure_ascii=False), status, media_type=JSON)


def _route(kind: Kind, settings: Settings) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        started = time.monotonic()
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise Refused("the request is no JSON") from None
        question = read_question(kind, body, settings)
        found = await run_sync(partial(_found, question, settings), abandon_on_cancel=True)
        if kind is Kind.PICTURE:
            return Response(found["svg"], media_type="image/svg+xml")
        if "seconds" in found or kind in (Kind.SOLVE, Kind.REVIEW):
            found["seconds"] = time.monotonic() - started
        position = question.position
        return _json(answer_document(position.rules if kind is Kind.REVIEW else position, found))

    return route


def _found(question: Question, settings: Settings) -> dict[str, Any]:
    from seabattle.web.answers import answer

    try:
        return answer(question, settings)
    except PositionError as error:
        told = answer(Question(Kind.CONFLICT, question.position), settings)["conflict"]
        if told is None:
            raise
        raise Refused(str(error), conflict=told) from None
