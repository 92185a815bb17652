"""The desk of the page, its scripts run outside a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.wasm import new_engine, web_core_bytes

from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.trees.page.play import desk_script

SECONDS = 120
"""Most seconds for an answer."""


class Desk:
    """Answers questions as the page's worker does."""

    def __init__(self, begin: str = "") -> None:
        bytes_ = json.dumps(list(web_core_bytes()))
        self._scripts = new_engine()
        self._scripts.eval(begin)
        self._scripts.eval(desk_script())
        self._scripts.eval(f"desk_core.loadCore(Uint8Array.from({bytes_}), desk_data.HEADER)")

    def ask(self, kind: str, game: Position | dict[str, Any], **options: Any) -> Any:
        """The answer to a question, or what was refused."""
        body = position_document(game) if isinstance(game, Position) else game
        question = json.dumps({"kind": kind, "body": {**body, "options": options}})
        text = self._scripts.eval(
            f"desk_desk.answerAtOnce({json.dumps(question)})", timeout_sec=SECONDS
        )
        said = json.loads(text)
        return said.get("found", said)

    def run(self, script: str) -> Any:
        """What a script finds that ends in a JSON text."""
        return json.loads(self._scripts.eval(script, timeout_sec=SECONDS))

    def close(self) -> None:
        """End the scripts."""
        self._scripts.close()


@contextmanager
def desk(begin: str = "") -> Iterator[Desk]:
    """A desk that is closed in the end: its threads would keep the process alive.

    Parameters
    ----------
    begin
        A script that is run before those of the page.
    """
    made = Desk(begin)
    try:
        yield made
    finally:
        made.close()
