"""The core as WebAssembly, built by zig and run by V8 beside the core of this machine."""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from py_mini_racer import MiniRacer

from seabattle.enumerate.core.build_core import FOLDER, build_wasm
from seabattle.trees.page.modules import classic

SECONDS = 300
"""Most seconds for a call."""


class WebCore:
    """The core as the page has it; ``run`` calls it from JavaScript."""

    def __init__(self, wasm: bytes) -> None:
        self._scripts = MiniRacer()
        self._scripts.eval(classic("desk/core.js"))
        header = json.dumps((FOLDER / "seabattle.h").read_text("utf-8"))
        self._scripts.eval(
            f"const bytes = Uint8Array.from({json.dumps(list(wasm))});"
            f"const core = new desk_core.Core(bytes, {header});"
        )

    def run(self, script: str, **given: Any) -> Any:
        """What a function body returns, whose names are ``core`` and what is given, as JSON."""
        names, values = ", ".join(given), ", ".join(json.dumps(value) for value in given.values())
        program = f"JSON.stringify((function ({names}) {{ {script} }})({values}))"
        return json.loads(self._scripts.eval(program, timeout_sec=SECONDS))

    def close(self) -> None:
        """End the scripts, whose threads would keep the process alive."""
        self._scripts.close()


@cache
def web_core_bytes() -> bytes:
    """The WebAssembly of the sources as they are, compiled once in a process.

    The test is skipped where zig is missing.
    """
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("WebAssembly is built by zig: pip install '.[test]'")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "core.wasm")
        build_wasm(path)
        return path.read_bytes()


def web_core() -> Iterator[WebCore]:
    """A core that is closed in the end, for a fixture."""
    made = WebCore(web_core_bytes())
    try:
        yield made
    finally:
        made.close()
