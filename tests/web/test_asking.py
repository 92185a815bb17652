"""Equal questions are answered once, and dropped when nobody waits any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import Request
from support import desk_work

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.web import asking as askings
from seabattle.web.asking import Asking, ClientGone
from seabattle.web.desk import Desk
from seabattle.web.questions import Kind, Question, canonical
from seabattle.web.refusals import Refused
from seabattle.web.settings import Settings


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with Desk(1, waiting=8) as opened:
        yield opened


class Client:
    """A client that stays until it is told to leave."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.request = Request({"type": "http", "headers": []}, self._receive)

    async def _receive(self) -> Any:
        await self.left.wait()
        return {"type": "http.disconnect"}


def question(cell: str = "A1") -> Question:
    asked = Question(Kind.COUNT, Position(Rules("4x4", "2")).shoot(cell, "miss"))
    return canonical(asked)


class Work:
    """Stands for the counting: it takes as long as a test wants."""

    def __init__(self, desk: Desk, seconds: float) -> None:
        self.desk, self.seconds, self.slips = desk, seconds, 0
        self.waiting = self.busy = 0

    def ask(self, function: Any, key: Question, settings: Settings) -> Any:
        self.slips += 1
        return self.desk.ask(desk_work.heed, "", self.seconds)


def test_equal_questions_are_answered_once(desk: Desk) -> None:
    async def main() -> None:
        work = Work(desk, 0.3)
        asking = Asking(work, Settings())  # type: ignore[arg-type]
        clients = [Client() for _ in range(5)]
        answers = await asyncio.gather(
            *(asking.answer(client.request, question(), question()) for client in clients)
        )
        assert answers == ["done"] * 5
        assert (work.slips, asking.counted, asking.shared_used) == (1, 1, 4)
        assert await asking.answer(Client().request, question(), question()) == "done"
        assert (work.slips, asking.kept_used) == (1, 1)
        await asking.answer(Client().request, question("B1"), question("B1"))
        assert work.slips == 2
        assert asking.document()["cache"]["answers"] == 2

    asyncio.run(main())


def test_a_question_goes_on_while_one_client_waits(desk: Desk) -> None:
    async def main() -> None:
        work = Work(desk, 0.5)
        asking = Asking(work, Settings())  # type: ignore[arg-type]
        stays, leaves = Client(), Client()
        waiting = [
            asyncio.ensure_future(asking.answer(client.request, question(), question()))
            for client in (leaves, stays)
        ]
        await asyncio.sleep(0.1)
        leaves.left.set()
        with pytest.raises(ClientGone):
            await waiting[0]
        assert await waiting[1] == "done"
        assert (asking.dropped, asking.counted) == (0, 1)

    asyncio.run(main())


def test_a_question_is_dropped_with_its_last_client(desk: Desk) -> None:
    async def main() -> None:
        work = Work(desk, 30)
        asking = Asking(work, Settings())  # type: ignore[arg-type]
        clients = [Client(), Client()]
        waiting = [
            asyncio.ensure_future(asking.answer(client.request, question(), question()))
            for client in clients
        ]
        await asyncio.sleep(0.2)
        for client in clients:
            client.left.set()
        for answer in waiting:
            with pytest.raises(ClientGone):
                await answer
        assert (asking.dropped, asking.counted) == (1, 0)
        work.seconds = 0.0
        assert await asking.answer(Client().request, question(), question()) == "done", "anew"

    asyncio.run(main())


def test_kept_answers_are_bounded_in_bytes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        asking = Asking(Work(desk, 0.0), Settings(kept_bytes=2_100))  # type: ignore[arg-type]
        for cell in ("A1", "B1", "C1"):
            await asking.answer(Client().request, question(cell), question(cell))
        assert asking.document()["cache"]["answers"] == 2
        assert asking.document()["cache"]["bytes"] <= 2_100
        await asking.answer(Client().request, question("A1"), question("A1"))
        assert asking.kept_used == 0, "the oldest made room"
        await asking.answer(Client().request, question("C1"), question("C1"))
        assert asking.kept_used == 1

    assert askings.OVERHEAD == 1_000
    asyncio.run(main())


def test_a_refusal_is_told_to_all_and_not_kept(desk: Desk) -> None:
    async def main() -> None:
        asking = Asking(desk, Settings())
        refused = await asyncio.gather(
            *(asking.work(Client().request, desk_work.fail, "large") for _ in range(2)),
            return_exceptions=True,
        )
        assert [error.status for error in refused if isinstance(error, Refused)] == [413, 413]
        assert await asking.work(Client().request, desk_work.double, 4) == 8

    asyncio.run(main())
