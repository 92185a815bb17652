"""Questions of clients: equal ones are answered once, and those whose client has gone are dropped.

Answers are kept, bounded in bytes, by the canonical form of their question; a question that is
being worked on is shared by all who ask it, and goes on as long as one of them waits. All of this
happens in the event loop of the front process, and so needs no locks.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from seabattle.web import work
from seabattle.web.desk import Desk, Slip
from seabattle.web.questions import Kind, Question
from seabattle.web.refusals import Refused
from seabattle.web.settings import Settings

OVERHEAD = 1_000
"""Bytes that keeping an answer takes beyond its text, about."""


class ClientGone(Exception):  # noqa: N818  nobody is left to be told of an error
    """The client has closed its connection."""


@dataclass(eq=False)
class _Shared:
    """Work that several clients may wait for."""

    slip: Slip
    future: asyncio.Future[Any]
    askers: int = 0


class Asking:
    """What clients ask, and what they are answered.

    Parameters
    ----------
    desk
        Where the work is done.
    settings
        The limits of a question, and how many bytes of answers are kept.
    """

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.desk = desk
        self.settings = settings
        self.counted = 0
        self.kept_used = 0
        self.shared_used = 0
        self.dropped = 0
        self._kept: OrderedDict[Question, str] = OrderedDict()
        self._kept_bytes = 0
        self._asked: dict[Question, _Shared] = {}

    async def answer(self, request: Request, question: Question, key: Question) -> str:
        """The text of the answer, as ``seabattle.web.answers.answer`` gives it.

        Parameters
        ----------
        request
            Who asks: the answer is waited for as long as its client does.
        question
            What is asked.
        key
            Its canonical form, which is answered and kept.

        Raises
        ------
        Refused
            If there is none; where answers contradict each other, with those.
        ClientGone
            If nobody waits for it any more.
        """
        try:
            return await self._text(request, key)
        except Refused as error:
            if error.status != 422 or question.kind is Kind.CONFLICT or not question.position.shots:
                raise
            doubt = Question(Kind.CONFLICT, question.position)
            told = json.loads(await self._text(request, doubt))
            if not told:
                raise
            raise Refused(told["error"], conflict=told["conflict"]) from None

    async def _text(self, request: Request, key: Question) -> str:
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            self.kept_used += 1
            return kept
        shared = self._asked.get(key)
        if shared is None:
            slip = self.desk.ask(work.answer, key, self.settings)
            shared = self._asked[key] = _Shared(slip, asyncio.wrap_future(slip.future))
            shared.future.add_done_callback(lambda done: self._keep(key, shared, done))
        else:
            self.shared_used += 1
        found: str = await self._wait(request, shared)
        return found

    def _keep(self, key: Question, shared: _Shared, done: asyncio.Future[str]) -> None:
        if self._asked.get(key) is shared:
            del self._asked[key]
        if done.cancelled() or done.exception() is not None:
            return
        self.counted += 1
        if not _lasts(key, done.result()):
            return
        self._kept[key] = done.result()
        self._kept_bytes += _size(done.result())
        while self._kept_bytes > self.settings.kept_bytes:
            self._kept_bytes -= _size(self._kept.popitem(last=False)[1])

    async def work(
        self,
        request: Request,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = None,
    ) -> Any:
        """What a function returns that is called in a counting process; see ``desk``.

        Raises
        ------
        Refused
            If it raised one, took too long, or too much is waiting.
        ClientGone
            If the client of the request has gone.
        """
        slip = self.desk.ask(function, *arguments, seconds=seconds)
        return await self._wait(request, _Shared(slip, asyncio.wrap_future(slip.future)))

    async def _wait(self, request: Request, shared: _Shared) -> Any:
        """Wait for work as long as the client does."""
        shared.askers += 1
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait({shared.future, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not shared.future.done():
                raise ClientGone
            return shared.future.result()
        finally:
            gone.cancel()
            with suppress(asyncio.CancelledError, RuntimeError):
                await gone
            shared.askers -= 1
            if shared.askers == 0 and not shared.future.done():
                self.dropped += 1
                for key in [key for key, other in self._asked.items() if other is shared]:
                    del self._asked[key]
                shared.slip.leave()

    def document(self) -> dict[str, Any]:
        """What is known of the questions so far, for ``/api/health``."""
        return {
            "waiting": self.desk.waiting,
            "busy": self.desk.busy,
            "counted": self.counted,
            "shared": self.shared_used,
            "dropped": self.dropped,
            "cache": {
                "answers": len(self._kept),
                "bytes": self._kept_bytes,
                "used": self.kept_used,
            },
        }


async def _gone(request: Request) -> None:
    """Return when the client of a request, whose body has been read, closes its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _size(text: str) -> int:
    return len(text) + OVERHEAD


def _lasts(question: Question, text: str) -> bool:
    """Whether an answer is worth keeping: not one that was given up for want of time."""
    if question.kind is Kind.SOLVE:
        return bool(json.loads(text)["status"] == "optimal")
    return question.kind is not Kind.ADVISE or "note" not in json.loads(text)
