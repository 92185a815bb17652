"""An engine from Python: answers, progress, stops, errors, and its end."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread

import pytest

import seabattle
from seabattle import Engine, EngineError, Position, Rules

SMALL = {"board": "3x3", "fleet": "3,1,1"}
LONG = {"command": "solve", "position": {"board": "5x6", "fleet": "3,2,2,1,1,1"}}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(time_limit=3000) as started:
        yield started


def test_answers_are_those_of_the_commands(engine: Engine) -> None:
    count = engine.ask(command="count", position=SMALL)
    assert count["occupancy"] == [[4, 1, 4], [1, 0, 1], [4, 1, 4]]
    assert engine.ask({"command": "count", "position": SMALL})["layouts"] == count["layouts"]
    rules = Rules("3x3", "2,1")
    solved = seabattle.solve(rules)
    found = engine.ask(command="solve", position=rules, options={"values": True})
    assert found["total_misses"] == solved.total_misses
    game = Position.in_order(rules, "B2 miss, A1 hit")
    assert engine.ask(command="count", position=game)["layouts"] == len(
        seabattle.DecisionTable.build(game)
    )


def test_what_is_wrong_is_an_exception_and_the_engine_goes_on(engine: Engine) -> None:
    for request, status, said in (
        ({"command": "count", "position": {"board": "0x0"}}, 2, "board 0x0"),
        ({"command": "sing"}, 2, "'sing'"),
        ({"command": "count", "loud": True}, 2, "'loud' of the request"),
        ({"command": "count", "progress": "yes"}, 2, "progress: give true or false"),
        ({"command": "count", "position": {1, 2}}, 2, "cannot be sent"),
    ):  # fmt: skip
        with pytest.raises(EngineError, match=said) as caught:
            engine.ask(request)
        assert caught.value.status == status
        assert "\n" not in str(caught.value)
    assert issubclass(EngineError, seabattle.SeabattleError)
    assert engine.ask(command="count", position=SMALL)["layouts"] == 4


def test_progress_is_iterated_over_until_it_is_stopped(engine: Engine) -> None:
    asked = engine.begin(LONG)
    told = []
    for state in asked:
        told.append(state)
        if re.match(r"total [\d,]+ to [\d,]+", state["note"]):
            asked.stop()
    assert all(before["seconds"] < after["seconds"] for before, after in itertools.pairwise(told))
    assert any(state.get("unit") == "keys" for state in told)
    assert asked.is_answered
    found = asked.answer()
    assert found["status"] == "bounded"
    assert found["stopped_by"] == "stopped"
    assert 0 < found["lower_bound"] < found["upper_bound"]
    assert list(asked) == []


def test_several_may_ask_and_all_can_be_stopped() -> None:
    with Engine(threads=2, time_limit=3000) as engine:
        at_work = [engine.begin(LONG), engine.begin(LONG)]
        waiting = engine.begin(LONG)
        next(state for state in at_work[0] if state["note"].startswith("total"))
        engine.stop()
        assert [asked.answer()["status"] for asked in at_work[:1]] == ["bounded"]
        with pytest.raises(EngineError) as caught:
            waiting.answer()
        assert caught.value.status == 130
        answers: list[int] = []
        threads = [
            Thread(target=lambda: answers.append(
                engine.ask(command="count", position=SMALL)["layouts"]))
            for _ in range(4)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [4] * 4


def test_an_engine_that_has_ended_answers_nobody() -> None:
    engine = Engine(time_limit=3000)
    asked = engine.begin(LONG)
    next(iter(asked))
    os.kill(engine._process.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match="the engine has ended"):
        asked.answer()
    with pytest.raises(EngineError, match="the engine has ended"):
        engine.ask(command="count")
    engine.close()
    engine.close()


def test_standard_error_says_what_keeps_it() -> None:
    """After one second, two, four: with the request, and how far it is."""
    with subprocess.Popen(
        [sys.executable, "-m", "seabattle", "engine", "--threads", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        print(json.dumps({"id": "mine", **LONG}), file=process.stdin, flush=True)
        begin = re.compile(r'seabattle: request "mine", solve: (.*), \d+ s')
        for line in process.stderr:
            told = begin.fullmatch(line.rstrip())
            assert told, line
            if re.search(r"total [\d,]+ to [\d,]+", told[1]):
                break
        stop = {"command": "stop", "of": "mine", "id": 2}
        print(json.dumps(stop), file=process.stdin, flush=True)
        assert json.loads(process.stdout.readline()) == {
            "id": 2, "status": 0, "answer": {"stopped": True}
        }  # fmt: skip
        found = json.loads(process.stdout.readline())  # no progress, as none was asked for
        assert (found["id"], found["status"]) == ("mine", 130)
        process.communicate()
