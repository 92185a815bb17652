"""The desk: the queue, processes that die or do not heed, work that nobody waits for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import desk_work

from seabattle.web import desk as desks
from seabattle.web.desk import Desk
from seabattle.web.refusals import Refused


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with Desk(1, waiting=3, memory=0.5) as opened:
        yield opened


def until(true: Callable[[], object], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_work_is_done_in_another_process(desk: Desk) -> None:
    assert desk.ask(desk_work.double, 21).future.result(20) == 42
    assert desk.ask(desk_work.process).future.result(20) in desk.processes
    assert desk.busy == 0


@pytest.mark.parametrize(
    ("kind", "status", "said"),
    [
        ("position", 422, "no layout fits"),
        ("large", 413, "a map needs 5 GiB, more than the limit of 2 GiB"),
        ("program", 500, "an error of the program (ZeroDivisionError)"),
        ("memory", 413, "more memory than one may take"),
    ],
)
def test_errors_become_refusals(desk: Desk, kind: str, status: int, said: str) -> None:
    with pytest.raises(Refused, match=r".") as refused:
        desk.ask(desk_work.fail, kind).future.result(20)
    assert refused.value.status == status
    assert said in str(refused.value)
    assert "--" not in str(refused.value), "advice about options of the command line"


def test_a_full_queue_refuses_and_says_when_to_come_again(desk: Desk, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    slips = [desk.ask(desk_work.heed, str(begun))]
    until(begun.exists)
    slips += [desk.ask(desk_work.double, n) for n in range(3)]
    assert (desk.waiting, desk.busy) == (3, 1)
    with pytest.raises(Refused, match="3 questions are waiting already") as refused:
        desk.ask(desk_work.double, 1)
    assert refused.value.status == 503
    assert 1 <= desk.patience <= 60
    slips[2].leave()
    assert desk.waiting == 2, "left work leaves the queue at once"
    assert slips[2].future.cancelled()
    slips[0].leave()
    assert slips[3].future.result(10) == 4
    assert slips[1].future.result(10) == 0
    assert begun.read_text() == "Stopped"


def test_left_work_that_heeds_does_not_cost_the_process(desk: Desk, tmp_path: Path) -> None:
    before = desk.ask(desk_work.process).future.result(20)
    begun = tmp_path / "begun"
    slip = desk.ask(desk_work.heed, str(begun))
    until(begun.exists)
    slip.leave()
    until(lambda: begun.read_text() == "Stopped", 2)
    assert desk.ask(desk_work.process).future.result(20) == before


def test_work_that_does_not_heed_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "GRACE", 0.3)
    before = desk.ask(desk_work.process).future.result(20)
    slip = desk.ask(desk_work.be_deaf)
    until(lambda: slip.begun is not None)
    slip.leave()
    begin = time.monotonic()
    assert desk.ask(desk_work.process).future.result(20) != before
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("work", [desk_work.heed, desk_work.be_deaf])
def test_work_that_takes_too_long_is_refused(
    desk: Desk, work: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "GRACE", 0.3)
    arguments = ("",) if work is desk_work.heed else ()
    with pytest.raises(Refused, match=r"took longer than 0\.2 s, which is the limit") as refused:
        desk.ask(work, *arguments, seconds=0.2).future.result(20)
    assert refused.value.status == 413


def test_a_process_that_dies_is_replaced_and_its_work_tried_once_more(
    desk: Desk, tmp_path: Path
) -> None:
    assert desk.ask(desk_work.die_once, str(tmp_path / "mark")).future.result(20) == "alive"
    with pytest.raises(Refused, match="has died") as refused:
        desk.ask(desk_work.die).future.result(20)
    assert refused.value.status == 500
    assert desk.ask(desk_work.double, 4).future.result(20) == 8


def test_a_process_that_keeps_too_much_memory_is_replaced(desk: Desk) -> None:
    before = desk.ask(desk_work.hoard, 0.55).future.result(20)
    assert desk.ask(desk_work.process).future.result(20) != before


def test_memory_far_above_the_limit_is_not_given(desk: Desk) -> None:
    with pytest.raises(Refused, match="more memory than one may take"):
        desk.ask(desk_work.hoard, 8.0).future.result(20)


def test_work_that_cannot_be_handed_over_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="cannot be handed over"):
        desk.ask(desk_work.double, lambda: 0).future.result(20)
    assert desk.ask(desk_work.double, 5).future.result(20) == 10


def test_closing_refuses_what_waits_and_finishes_what_has_begun(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    desk = Desk(1, memory=0.5).open()
    first = desk.ask(desk_work.heed, str(begun), 0.5)
    until(begun.exists, 20)
    waiting = desk.ask(desk_work.double, 1)
    desk.close()
    with pytest.raises(Refused, match="the service is ending"):
        waiting.future.result(5)
    with pytest.raises(Refused, match="the service is ending"):
        desk.ask(desk_work.double, 1)
    assert first.future.result(5) == "done"
    desk.join(10)
    assert desk.processes == []


def test_the_first_process_is_prepared_before_the_others_start(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    with Desk(2, memory=0.5, warm_up=[(desk_work.heed, str(begun), 0.5)]) as desk:
        until(begun.exists, 20)
        assert not desk.warm
        assert len(desk.processes) == 1
        until(lambda: desk.warm and len(desk.processes) == 2)
        assert desk.ask(desk_work.double, 1).future.result(20) == 2


def test_questions_come_before_preparing(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    pieces = [(desk_work.heed, "", 2.0), (desk_work.heed, str(begun), 0.1)]
    with Desk(1, memory=0.5, warm_up=pieces) as desk:
        assert desk.ask(desk_work.double, 1).future.result(20) == 2
        assert not begun.exists()
        until(lambda: desk.warm)
        assert begun.exists()
