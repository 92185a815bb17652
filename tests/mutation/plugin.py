"""A pytest plugin for mutation runs: chosen tests in a given order, each with its own time limit.

It is told what to do by the file named in ``MUTATION_PLAN`` (JSON): ``limits`` maps the tests to
run, in order, to seconds (absent: all that are collected, ``limit`` seconds each), ``report`` is
the file to write, and ``lines`` asks for the lines of the package that each test executes.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import hypothesis
import pytest

FILE = os.environ.get("MUTATION_PLAN", "")
PLAN: dict[str, Any] = json.loads(Path(FILE).read_text(encoding="utf-8")) if FILE else {}
LIMITS: dict[str, float] = PLAN.get("limits", {})

MOST = 24
"""How many cases of one parametrised test are mapped, at most, evenly spread."""

EXAMPLES = 12
"""How many examples a law is tried on, at most: interpreted kernels are slow."""


class TooSlow(BaseException):
    """A test took longer than its limit; nothing that is tested catches this."""


def _too_slow(number: int, frame: FrameType | None) -> None:
    above = frame
    while above is not None:
        if "/coverage/" in above.f_code.co_filename:  # which holds a lock
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            return
        above = above.f_back
    raise TooSlow


def _shorten(item: Any) -> None:
    """Try a law on few examples, the same in every run."""
    name = "_hypothesis_internal_use_settings"
    test = getattr(item, "obj", None)
    if getattr(test, "is_hypothesis_test", False):
        function = getattr(test, "__func__", test)
        given = getattr(function, name)
        fewer = min(EXAMPLES, given.max_examples)
        short = hypothesis.settings(
            given, max_examples=fewer, deadline=None, derandomize=True, database=None
        )
        setattr(function, name, short)


def _thinned(items: list[pytest.Item]) -> list[pytest.Item]:
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    kept = {
        case.nodeid for cases in tests.values() for case in cases[:: 1 + (len(cases) - 1) // MOST]
    }
    return [item for item in items if item.nodeid in kept]


class Runs:
    """How each test went, and what it executed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.outcomes: dict[str, str] = {}
        self.coverage: Any = None
        if PLAN.get("lines"):
            import coverage

            root = Path(PLAN["root"])
            rooms = [str(root / room) for room in ("enumerate", "solver", "trees")]
            self.coverage = coverage.Coverage(data_file=None, config_file=False, source=rooms)
            self.coverage.start()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests of the plan, in its order; shorten the laws."""
        for item in items:
            _shorten(item)
        if LIMITS:
            order = {name: number for number, name in enumerate(LIMITS)}
            items[:] = sorted(
                (item for item in items if item.nodeid in order),
                key=lambda item: order[item.nodeid],
            )
        elif PLAN.get("lines"):
            items[:] = _thinned(items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run one test, with everything it sets up, under its limit."""
        if self.coverage is not None:
            self.coverage.switch_context(item.nodeid)
        begun = time.perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.perf_counter() - begun

    def _limited(self, item: pytest.Item) -> Iterator[None]:
        signal.signal(signal.SIGALRM, _too_slow)
        signal.setitimer(signal.ITIMER_REAL, LIMITS.get(item.nodeid, PLAN["limit"]))
        try:
            return (yield)
        except TooSlow:
            self.outcomes[item.nodeid] = "timeout"
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Limit the time to set up."""
        return (yield from self._limited(item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Limit the time of the test itself."""
        return (yield from self._limited(item))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome: passed, failed, skipped or timeout."""
        known = self.outcomes.get(report.nodeid, "passed")
        if known == "passed":
            self.outcomes[report.nodeid] = report.outcome

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the report."""
        found: dict[str, Any] = {
            "status": int(exitstatus), "seconds": self.seconds, "outcomes": self.outcomes,
        }  # fmt: skip
        if self.coverage is not None:
            self.coverage.stop()
            data = self.coverage.get_data()
            found["lines"] = {
                file: {line: sorted(names) for line, names in data.contexts_by_lineno(file).items()}
                for file in data.measured_files()
            }
        Path(PLAN["report"]).write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the run."""
    config.pluginmanager.register(Runs(), "mutation-runs")
