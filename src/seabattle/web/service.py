"""The service: what is asked at which address.

The front process, which this is, reads requests, keeps answers and serves the page; it counts
nothing. Questions go to the desk (``asking``, ``desk``), whose counting processes answer them
(``answers``).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from seabattle.documents.games import game_document
from seabattle.enumerate.errors import SeabattleError
from seabattle.web import work
from seabattle.web.asking import Asking, ClientGone
from seabattle.web.bodies import read_json
from seabattle.web.description import describe, describe_health, with_schemas
from seabattle.web.desk import Desk
from seabattle.web.guard import Guard
from seabattle.web.matches import Matches, match_routes
from seabattle.web.questions import Kind, Question, canonical, read_question
from seabattle.web.refusals import refusal
from seabattle.web.responses import SvgResponse, json_response
from seabattle.web.settings import Settings

ASKED = (Kind.COUNT, Kind.ADVISE, Kind.SOLVE, Kind.REVIEW, Kind.POSITION, Kind.PICTURE)
"""The kinds of questions that have an address of their own."""

SAID = {
    404: "there is nothing at this address",
    405: "this address is asked with another method",
}
"""What is said about requests that no route takes."""


def service(settings: Settings, *, warm_up: bool = True) -> FastAPI:
    """The application that answers on the address of the settings.

    Its ``state`` holds the ``desk``, the ``asking``, the ``matches`` and the ``settings``.

    Parameters
    ----------
    settings
        What it may use.
    warm_up
        Whether the first counting process prepares itself before any question comes.
    """
    desk = Desk(
        settings.workers,
        waiting=settings.waiting,
        memory=settings.memory,
        seconds=settings.seconds,
        warm_up=work.warm_up(settings) if warm_up else (),
        module=work.MODULE,
    )
    asking = Asking(desk, settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with desk:
            yield

    app = FastAPI(title="seabattle", version=_version(), lifespan=lifespan,
                  docs_url=None, redoc_url=None, redirect_slashes=False)  # fmt: skip
    app.state.desk, app.state.asking, app.state.settings = desk, asking, settings
    app.add_middleware(Guard, settings=settings)
    _refuse_in_one_sentence(app)
    for kind in ASKED:
        app.post(f"/api/{kind}", **describe(kind))(_route(kind, asking, settings))
    matches = Matches(settings.matches, settings.match_idle)
    app.state.matches = matches
    app.include_router(match_routes(matches, asking, settings))
    begin = time.monotonic()

    @app.get("/api/health", **describe_health())
    async def health() -> Response:
        return json_response(
            {
                "version": _version(),
                "uptime": time.monotonic() - begin,
                "workers": settings.workers,
                "warm": desk.warm,
                "games": len(matches),
                **asking.document(),
            }
        )

    made_by_fastapi = app.openapi
    app.openapi = lambda: with_schemas(made_by_fastapi())  # type: ignore[method-assign]

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        text, policy = _page()
        return Response(text, media_type="text/html", headers={"content-security-policy": policy})

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        return Response(_icon(), media_type="image/svg+xml")

    return app


@cache
def _version() -> str:
    try:
        return version("seabattle")
    except PackageNotFoundError:  # run from its sources
        return "0"


@cache
def _page() -> tuple[str, str]:
    """The page, and its content security policy."""
    from seabattle.trees.page.play import play_page

    text = play_page()
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    own = found[1] if found else "default-src 'none'"
    return text, f"{own.rstrip('; ')}; frame-ancestors 'none'"


@cache
def _icon() -> str:
    """The picture that browsers show beside the title."""
    from seabattle.trees.page.assembly import template

    return template("icon.svg")


def _refuse_in_one_sentence(app: FastAPI) -> None:
    """Have every refusal and every error answered with one sentence."""

    @app.exception_handler(SeabattleError)
    async def refused(request: Request, error: SeabattleError) -> Response:
        said = refusal(error)
        headers = {}
        if said.status == 503:
            headers["retry-after"] = str(app.state.desk.patience)
        if said.status in (408, 413):
            headers["connection"] = "close"  # the rest of the request is not read
        return json_response(said.document(), said.status, headers)

    @app.exception_handler(ClientGone)
    async def gone(request: Request, error: ClientGone) -> Response:
        return json_response({"error": "the client has gone"}, 499)

    @app.exception_handler(HTTPException)
    async def not_found(request: Request, error: HTTPException) -> Response:
        said = SAID.get(error.status_code, str(error.detail))
        return json_response({"error": said}, error.status_code, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return json_response(
            {"error": "the service could not answer: an error of the program"}, 500
        )


def _route(
    kind: Kind, asking: Asking, settings: Settings
) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        started = time.monotonic()
        body = await read_json(request, settings.body_bytes)
        question, key = await run_sync(_read, kind, body, settings)
        found = await asking.answer(request, question, key)
        if kind is Kind.PICTURE:
            return SvgResponse(found)
        return json_response(_whole(question, found, time.monotonic() - started))

    route.__name__ = str(kind)
    return route


def _read(kind: Kind, body: Any, settings: Settings) -> tuple[Question, Question]:
    """The question of a request, and its canonical form; in a thread, as large boards take time."""
    question = read_question(kind, body, settings)
    return question, canonical(question)


def _whole(question: Question, found: str, seconds: float) -> str:
    """The answer: the game as it was told, what is found, and the seconds since it was asked."""
    kind, position = question.kind, question.position
    game = game_document(position.rules if kind is Kind.REVIEW else position)
    parts = [json.dumps(game, ensure_ascii=False)[1:-1], found[1:-1]]
    if kind in (Kind.COUNT, Kind.SOLVE, Kind.REVIEW):
        parts.append(f'"seconds": {seconds!r}')
    return "{" + ", ".join(parts) + "}"
