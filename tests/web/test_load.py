"""Many clients for a few seconds, some of them rude; python tests/benchmarks/load_service.py."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support.serving import Running

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "load_service.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("load_service", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["load_service"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow  # a load of many seconds
def test_many_clients_and_rude_ones(service: Running, script: ModuleType) -> None:
    host, port = service.netloc.split(":")
    report = asyncio.run(
        script.load((host, int(port)), service.process.pid, 25, 3.0, rude=True, seed=5)
    )
    assert set(report.statuses) <= {200, 503}
    assert report.statuses[200] > 5
    for (what, status), _ in report.rude.items():
        if what == "send nonsense":
            assert 400 <= status < 500 or status == 503, status
        if what == "send 1 MB":
            assert status in (0, 413), status
    report.answers = report.answers[:12]
    assert script.check(report, by_command=1) == min(12, report.statuses[200])
