"""The core as WebAssembly as the page has it, run by V8 beside the core of this machine.

That it is what the sources compile to is seen by the tests of the page's file.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from py_mini_racer import MiniRacer

from seabattle.enumerate.core.build_core import FOLDER
from seabattle.trees.page.modules import classic
from seabattle.trees.page.play import page_path

SECONDS = 300
"""Most seconds for a call."""
CORE = re.compile('(const CORE = )"([^"]*)"')
"""The core in a page: it may be packed in several ways, so that what is unpacked is compared."""


class WebCore:
    """The core as the page has it; ``run`` calls it from JavaScript."""

    def __init__(self, wasm: bytes) -> None:
        self._scripts = new_engine()
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
    """The WebAssembly in the page."""
    return unpacked(page_path().read_text("utf-8"))[1]


def unpacked(page: str) -> tuple[str, bytes]:
    """A page without its core, and the core."""
    [(_, packed)] = CORE.findall(page)
    return re.sub("'sha256-[^']*'", "", CORE.sub("", page)), gzip.decompress(
        base64.b64decode(packed)
    )


def new_engine() -> MiniRacer:
    """V8, made in a thread without a loop of asyncio: in one that has a loop, as playwright's, it
    would take that one, and wait for itself.
    """
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(MiniRacer).result()


def web_core() -> Iterator[WebCore]:
    """A core that is closed in the end, for a fixture."""
    made = WebCore(web_core_bytes())
    try:
        yield made
    finally:
        made.close()
