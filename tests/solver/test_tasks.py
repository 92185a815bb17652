"""Tasks in other processes: handed out one by one, told to end, lost."""

from __future__ import annotations

import operator
import signal
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.clusters import local_cluster

from seabattle.enumerate.errors import SeabattleError, WorkFailed
from seabattle.solver import tasks
from seabattle.solver.tasks import Pool, Reader, shares_of


def numbers(taken: list[int]) -> Iterator[tuple[int, int]]:
    for number in range(20):
        taken.append(number)
        yield number, 1


@pytest.fixture(params=["two processes", "Dask"])
def where(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    if request.param == "two processes":
        yield {"workers": 2}
        return
    with local_cluster(2) as address:
        yield {"workers": 1, "cluster": address}


def test_tasks_are_taken_when_there_is_a_process_for_them(where: dict[str, Any]) -> None:
    taken: list[int] = []
    found = []
    with Pool(**where) as pool:
        assert pool.slots == 2
        for result in pool.run(operator.add, numbers(taken)):
            found.append(result)
            assert len(taken) <= len(found) + 3
    assert sorted(found) == list(range(1, 21))


def test_tasks_read_what_is_said(where: dict[str, Any]) -> None:
    with Pool(**where) as pool:
        reads = Reader.read  # a method, as tests cannot be imported elsewhere
        pool.say({"best": 17})
        (said,) = pool.run(reads, iter([(pool.reader,)]))
        assert said["best"] == 17
        pool.say(None)
        assert list(pool.run(reads, iter([(pool.reader,)]))) == [None]
        if "cluster" not in where:
            assert pool.reader.ended
    if "cluster" not in where:
        assert Reader(pool.reader.file, "").ended, "the owner is gone"


def test_errors_come_back(where: dict[str, Any]) -> None:
    with Pool(**where) as pool, pytest.raises(ZeroDivisionError):
        list(pool.run(operator.truediv, iter([(1, 0)])))


def test_a_lost_process_is_said_in_one_line() -> None:
    with Pool(2) as pool, pytest.raises(WorkFailed, match=tasks.LOST):
        list(pool.run(signal.raise_signal, iter([(signal.SIGKILL,)])))


def grown(megabytes: int) -> int:
    """What a process does that keeps a large array, which joblib takes for a leak."""
    tasks.kept = np.ones((megabytes, 1 << 17))  # type: ignore[attr-defined]
    time.sleep(1.2)  # it looks once a second
    return megabytes


def test_a_process_that_has_grown_is_replaced_without_a_word(
    recwarn: pytest.WarningsRecorder,
) -> None:
    with Pool(workers=2) as pool:
        found = list(pool.run(grown, iter([(1,), (1,), (400,), (400,), (1,), (1,)])))
    assert sorted(found) == [1, 1, 1, 1, 400, 400]
    assert not [str(warned.message) for warned in recwarn]


def test_the_owner_looks_while_it_waits() -> None:
    looks: list[float] = []
    with Pool(2) as pool:
        list(pool.run(time.sleep, iter([(1.0,)]), lambda: looks.append(time.monotonic())))
    assert len(looks) >= 3


def test_addresses_where_nobody_answers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="no extra 'cluster' here")
    monkeypatch.setattr(tasks, "ANSWER_SECONDS", 0.2)
    for address, says in (
        ("nowhere", "no Dask scheduler can be at 'nowhere'"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at"),
    ):
        with pytest.raises(SeabattleError, match=says):
            Pool(1, address)


@pytest.mark.parametrize("limit", [0.01, 0.3, 1.0, 4.0, 64.0])
@pytest.mark.parametrize("workers", [1, 2, 3, 64])
def test_processes_share_the_memory(limit: float, workers: int) -> None:
    found, each = shares_of(limit, workers)
    assert 1 <= found <= workers
    assert each > 0
    assert found * each <= limit


class KilledWorker(Exception):  # noqa: N818 (the name that Dask gives it)
    """What Dask says of a task that lost several workers."""


class FutureCancelledError(Exception):
    """What Dask says of a task when its scheduler is gone."""


class Client:
    """A client of a cluster that has a task end in an error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def submit(self, *task: object, pure: bool) -> Client:
        return self

    def nthreads(self) -> dict[str, int]:
        return {"one": 1}

    def done(self) -> bool:
        return True

    def result(self) -> None:
        raise self.error

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (KilledWorker("task", 4), tasks.LOST),
        (FutureCancelledError("task"), "the connection to the Dask scheduler was lost"),
        (SeabattleError("the disk is full"), "the disk is full"),
    ],
)
def test_what_a_cluster_loses_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    distributed = pytest.importorskip("distributed", reason="no extra 'cluster' here")

    class Variable:
        def __init__(self, name: str, client: Client) -> None:
            pass

        def set(self, value: str) -> None:
            pass

    monkeypatch.setattr(tasks, "connected", lambda cluster: Client(error))
    monkeypatch.setattr(distributed, "Variable", Variable)
    with Pool(1, "tcp://host:1") as pool, pytest.raises(SeabattleError, match=says):
        list(pool.run(time.sleep, iter([(1,)])))


def test_no_more_processes_than_the_memory_affords() -> None:
    assert shares_of(4.0, 10**30)[0] == 10
    assert shares_of(float("inf"), 10**30)[0] == tasks.MOST_WORKERS
