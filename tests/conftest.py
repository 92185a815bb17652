"""Fixtures that several test files share."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

WORKER = os.environ.get("PYTEST_XDIST_WORKER")
if WORKER and "SEABATTLE_CACHE_DIR" in os.environ:
    # Two processes that keep two signatures of one kernel at the same moment may give both the
    # same file (numba numbers them), so each has a folder of its own, begun as a copy.
    shared = Path(os.environ["SEABATTLE_CACHE_DIR"])
    for kernels in shared.glob("kernels-*"):
        if not (shared / WORKER / kernels.name).exists():
            shutil.copytree(kernels, shared / WORKER / kernels.name)
    os.environ["SEABATTLE_CACHE_DIR"] = str(shared / WORKER)

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # A shell has what it runs in the background ignore Ctrl-C, and so would the commands that the
    # tests start and stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)

from seabattle.__main__ import main  # noqa: E402  after the cache is chosen
from seabattle.enumerate.game.rules import Rules  # noqa: E402
from seabattle.enumerate.layouts.table import DecisionTable  # noqa: E402


@pytest.fixture(scope="session")
def example() -> Rules:
    """The game of the examples, 5x5 with 3,2,2,1,1,1."""
    return Rules("5x5", "3,2,2,1,1,1")


@pytest.fixture(scope="session")
def example_table(example: Rules) -> DecisionTable:
    """Its 1,428 layouts."""
    return DecisionTable.build(example)


@pytest.fixture(scope="session")
def small_example() -> Rules:
    """A game that every part of the program solves in a moment, 4x4 with 3,2,1."""
    return Rules("4x4", "3,2,1")


@pytest.fixture(scope="session")
def small_table(small_example: Rules) -> DecisionTable:
    """Its 176 layouts."""
    return DecisionTable.build(small_example)


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: exit status, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["seabattle", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return call
