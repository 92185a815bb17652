"""Commands that write are killed: every file is the old one or the new one, and the next run works.

A command is killed before each step of its writing (``disk_faults``), and at moments chosen evenly
over its time. Afterwards each file is the old one or the new one, a strategy file as a whole;
nothing else is there but what the next run of the command sweeps, which then ends as if nothing had
happened. The long run kills each kind of output at every step, and a hundred times at least.
"""

from __future__ import annotations

import random
import signal
import time
import zlib
from collections.abc import Callable

import pytest
from hostile.disk_faults import Steps, killed_at
from hostile.writers import WRITERS, Prepared, Writer, counted, few_of, writing_options
from support.examples import some

KILLS = 100


def test_every_command_that_writes_is_tried() -> None:
    assert {(writer.command, writer.option) for writer in WRITERS} == writing_options()


def killed_at_step(case: Prepared, number: int) -> list[str]:
    """Kill before a step; returns what is wrong afterwards."""
    found = case.writer.run(case.begin(), before=lambda: Steps(killed_at(number)).install())
    wrong = [] if found.status == -signal.SIGKILL else [f"was not killed: {found}"]
    return wrong + case.faults_of_files(leftovers=True) + case.faults_of_next_run()


def killed_after(case: Prepared, seconds: float) -> list[str]:
    """Kill after a time; returns what is wrong afterwards."""
    child = case.writer.start(case.begin())
    time.sleep(seconds)
    child.tell(signal.SIGKILL)
    found = child.ended()
    wrong = [] if found.status == -signal.SIGKILL or found.went_well else [f"ended: {found}"]
    return wrong + case.faults_of_files(leftovers=True) + case.faults_of_next_run()


def assert_survives_kills(case: Prepared, steps: list[int], moments: int) -> None:
    """Kill before steps and at random moments, and count."""
    chance = random.Random(zlib.crc32(case.writer.name.encode()))
    wrong = [f"killed at step {n}: {fault}" for n in steps for fault in killed_at_step(case, n)]
    for place in range(moments):
        seconds = case.seconds * (place + chance.random()) / moments
        wrong += [f"killed after {seconds:.3f} s: {fault}" for fault in killed_after(case, seconds)]
    counted("kill", case.writer, [len(steps), moments], wrong)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("writer", some(WRITERS, 4), ids=lambda w: w.name)
def test_killed_at_some_steps(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_survives_kills(case, few_of(writer, case.steps), 1)


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_killed_at_every_step(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_survives_kills(case, list(range(case.steps)), max(10, KILLS - case.steps))
