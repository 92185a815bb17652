"""Two programs write to one place at once: a whole result of one of them, or one line that refuses.

The first is halted before a step of its writing, the second runs to its end, then the first goes on
(``disk_faults``). And several are started at the same moment.
"""

from __future__ import annotations

import random
import signal
import zlib
from collections.abc import Callable

import pytest
from hostile.disk_faults import Steps, halted_at
from hostile.forked import Ended
from hostile.writers import WRITERS, Prepared, Writer, content, counted, few_of, state_of
from support.examples import some

SHARED = [writer for writer in WRITERS if writer.command != "advise"]
"""An advice that goes on from a file replaces that file, which the other one has changed."""


def faults(case: Prepared, ends: list[Ended]) -> list[str]:
    """What is wrong after several programs have written to one place."""
    wrong = [
        f"{found.status}: {found.told!r}"
        for found in ends
        if not found.went_well and not found.refused_in_one_line
    ]
    if not any(found.went_well for found in ends):
        wrong.append(f"all refused: {ends[0].told!r}")
    found = state_of(case.folder)
    wholes = [case.new, case.old | {n: c for n, c in found.items() if n not in case.old}]
    if case.writer.kind == "checkpoint":
        wholes = [case.new]
    if not any(
        found.keys() == whole.keys()
        and all(content(name, found[name]) == content(name, whole[name]) for name in whole)
        for whole in wholes
    ):
        wrong.append(f"no whole result: {sorted(found)}")
    return wrong + case.faults_of_files(leftovers=False)


def halted(case: Prepared, number: int) -> list[str]:
    """One is halted before a step while another one writes the old result."""
    first = case.writer.start(case.begin(), before=lambda: Steps(halted_at(number)).install())
    assert first.halted(), first.ended()
    second = case.writer.run(case.folder, case.writer.old)
    first.tell(signal.SIGCONT)
    return faults(case, [first.ended(), second])


def together(case: Prepared, programs: int) -> list[str]:
    """Several start at once."""
    case.begin()
    words = [case.writer.new, case.writer.old]
    started = [case.writer.start(case.folder, words[n % 2]) for n in range(programs)]
    return faults(case, [child.ended() for child in started])


def assert_results_stay_whole(case: Prepared, steps: list[int], meetings: int) -> None:
    """Let programs meet, and count."""
    chance = random.Random(zlib.crc32(case.writer.name.encode()))
    wrong = [f"halted at step {n}: {fault}" for n in steps for fault in halted(case, n)]
    for _ in range(meetings):
        programs = chance.choice([2, 4])
        wrong += [f"{programs} at once: {fault}" for fault in together(case, programs)]
    counted("two at once", case.writer, [len(steps), meetings], wrong)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("writer", some(SHARED, 3), ids=lambda w: w.name)
def test_some_meetings(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_results_stay_whole(
        case, few_of(writer, case.steps)[: 1 if writer.heavy else 2], 0 if writer.heavy else 1
    )


@pytest.mark.slow
@pytest.mark.parametrize("writer", SHARED, ids=lambda w: w.name)
def test_meetings_at_every_step(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_results_stay_whole(case, list(range(case.steps)), 20)
