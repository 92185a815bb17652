"""Threads that search together: values are those of one thread, and no entry is used half written.

Steps are made so short that the threads join at once and meet at the end of many rounds.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.checkpoint import Checkpoint
from seabattle.solver.search.exact_search import CLAIMED, EMPTY, PACKED, ExactSearch
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.queries import LimitReached, Limits, Snapshot


def short_steps(threads: int, **other: Any) -> Limits:
    """Limits with steps so short that threads meet often."""
    return Limits(threads=threads, rows_per_step=30_000, **other)


def assert_entries_true(many: ExactSearch, one: ExactSearch) -> None:
    """Keys that both searches hold agree: exact values are equal, bounds do not exceed them."""
    found, known = entries(many), entries(one)
    for key in found.keys() & known.keys():
        mine, theirs = found[key], known[key]
        if mine & 1 << 21 and theirs & 1 << 21:
            assert mine >> 22 == theirs >> 22
        elif theirs & 1 << 21:
            assert mine >> 22 <= theirs >> 22
        elif mine & 1 << 21:
            assert theirs >> 22 <= mine >> 22


def entries(search: ExactSearch) -> dict[tuple[int, ...], int]:
    """What is stored of each key and miss limit."""
    column = PACKED
    rows = search.table[search.table[:, column] != EMPTY]
    keys = np.delete(rows, column, axis=1)
    packed = rows[:, column]
    assert (packed != CLAIMED).all()
    return {
        (*map(int, key), int(word) & 127): int(word) for key, word in zip(keys, packed, strict=True)
    }


# The table.


@pytest.mark.parametrize("answers", ["hit", "sunk"])
@pytest.mark.parametrize("threads", [1, 3])
def test_an_entry_written_by_half_is_not_used(
    answers: str, threads: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    problem = as_problem(Rules("4x4", "3,2,1", answers=answers))
    whole = ExactSearch(problem)
    value = whole.minimize()
    torn = ExactSearch(problem, limits=short_steps(threads))
    torn.table = whole.table.copy()
    torn.counters.states = whole.states
    held = np.flatnonzero(torn.table[:, PACKED] != EMPTY)
    torn.table[held, PACKED] = CLAIMED  # every key stands, none is whole
    found = torn.minimize()
    assert (found.misses, found.exact) == (value.misses, True)
    assert torn.states > whole.states  # entered anew in other slots
    # A checkpoint has none of them, nor has a table that has grown.
    torn.checkpoint = Checkpoint(tmp_path / "kept", problem)
    torn.save()
    kept = Checkpoint(tmp_path / "kept", problem).load(torn.table_width)
    assert kept is not None
    assert (kept[:, PACKED] < CLAIMED).all()
    torn.enlarge()
    assert len(entries(torn)) == len(kept)


# Stopping.


def hard() -> Problem:
    """A game that takes many rounds."""
    return as_problem(Rules("5x5", "4,3,2", answers="sunk"))


def searching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "core"]


def test_limits_hold_and_nothing_runs_on() -> None:
    problem = hard()
    harder = as_problem(Rules("5x5", "3,2,1"))

    def report(_: Snapshot) -> None:
        assert not searching()  # all pause between two rounds, while one looks after the rest

    def stop() -> bool:
        return True  # at once: on a busy machine rounds are few and long

    for game, limits, error in (
        (harder, short_steps(3, deadline=time.monotonic() + 0.5), LimitReached),
        (harder, short_steps(3, memory=0.004), LimitReached),
        (problem, short_steps(3, stop=stop, report=report), KeyboardInterrupt),
    ):
        search = ExactSearch(game)
        search.prepare()
        search.limits = limits
        with pytest.raises(error):
            search.minimize()
        assert not searching()
        # A slot whose thread was put to sleep may be passed over, and a key be stored twice.
        assert 100 < len(entries(search)) <= search.states < len(entries(search)) + 10
    search.limits = Limits(threads=3)
    assert search.minimize().misses == 2591


def test_ctrl_c_while_threads_search() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    search = ExactSearch(hard(), limits=Limits(threads=3, rows_per_step=400_000))
    main = threading.main_thread()
    pressed = threading.Timer(0.3, lambda: signal.pthread_kill(main.ident or 0, signal.SIGINT))
    pressed.start()

    def ask_again_and_again() -> None:
        nonlocal search
        while True:
            search.minimize()
            search = ExactSearch(search.problem, limits=search.limits)

    with pytest.raises(KeyboardInterrupt):
        ask_again_and_again()
    pressed.join()
    time.sleep(0.2)  # a thread that was just being started finds that it comes too late
    assert not searching()
    assert search.states >= len(entries(search))
    assert search.minimize().misses == 2591


KILLED = """
import sys
from seabattle.enumerate.rules import Rules
from seabattle.solver.search import checkpoint
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.queries import Limits
from seabattle.solver.search.problem import as_problem
problem = as_problem(Rules("5x5", "4,3,2", answers="sunk"))
search = ExactSearch(problem, limits=Limits(threads=4, rows_per_step=100_000))
search.prepare()
kept = checkpoint.Checkpoint(checkpoint.Path(sys.argv[1]), problem)
kept.due = lambda: True
save = kept.save
kept.save = lambda entries: (save(entries), print("saved", flush=True))
search.resume(kept)
search.minimize()
"""


def test_a_checkpoint_of_threads_that_are_killed(tmp_path: Path) -> None:
    problem = hard()
    whole = ExactSearch(problem)
    whole.minimize()
    kept = tmp_path / "kept"
    loaded = []
    for saved in (2, 5):
        program = [sys.executable, "-c", KILLED, str(kept)]
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            try:
                for _ in range(saved):
                    assert child.stdout.readline() == "saved\n"
                time.sleep(saved / 1_000)
            finally:
                child.kill()
        again = ExactSearch(problem, limits=Limits(threads=2))
        loaded.append(again.resume(Checkpoint(kept, problem)))
        assert_entries_true(again, whole)
    assert 0 < loaded[0] < loaded[1] < 110_000
    assert again.minimize().misses == 2591
