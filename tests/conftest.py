"""Fixtures that several test files share."""

from __future__ import annotations

import faulthandler
import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support import browsing

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # A shell has what it runs in the background ignore Ctrl-C, and so would the commands that the
    # tests start and stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)

from seabattle.__main__ import main
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable

SECONDS_UNTIL_END = 500
"""Seconds after which a test that its time limit did not end, ends its process."""


LONGEST = (
    "page/test_advise_page.py",
    "project/test_docs.py",
    "page/test_counting.py",
    "cli/test_engine.py",
    "trees/page/test_explorer_browser.py",
    "laws/test_search_laws.py",
    "page/test_solve_page.py",
    "cli/test_edges.py",
    "cli/test_engine_client.py",
    "cli/test_processes.py",
    "cli/test_progress.py",
    "solver/proofs/test_proofs.py",
    "cli/test_command_lines.py",
    "known/test_known_answers.py",
    "solver/players/test_map_players.py",
    "laws/test_identity_laws.py",
    "page/test_match_page.py",
    "page/test_solving.py",
    "trees/page/test_costs_browser.py",
)
"""Files that take longest: they begin, so that no process works at one when all others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest; the limit of ``pyproject.toml`` is that of the everyday tests."""
    place = {f"tests/{name}": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish() -> None:
    """What thousands of tests are made of is kept, and not looked through for garbage any more.

    What is new is looked through once in a while: most is numbers and sets, and gone by itself.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Keep tests apart.

    One that hangs in the core, which hears no signal, ends its process if it is an everyday test.
    One that leaves Ctrl-C unheard, as programs do that end, does so for itself alone.
    """
    hears = signal.getsignal(signal.SIGINT)
    if not item.get_closest_marker("slow"):
        faulthandler.dump_traceback_later(SECONDS_UNTIL_END, exit=True, file=sys.__stderr__)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, hears)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """End the run when one of its processes has died, and say so.

    pytest-xdist would go on, and with ``--dist loadfile`` sometimes wait for ever.
    """
    if error:
        print(f"\nthe tests end here: process {node.gateway.id} of them died, {error}", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)  # not even an exit would be sure to come to an end


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Say at the very end which tests had no browser, and how to run them."""
    yield
    if told := browsing.what_was_not_run(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(told, yellow=True)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser; where there is none the test is skipped, or in CI fails."""
    browsing.require_browser()
    with browsing.browser() as running:
        yield running


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
        if "pytest" in type(sys.stdin).__module__:  # which may not be read
            monkeypatch.setattr(sys, "stdin", io.StringIO())
        hears = signal.getsignal(signal.SIGINT)
        with pytest.raises(SystemExit) as stop:
            main()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, hears)  # which a program that ends no longer hears
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return call
