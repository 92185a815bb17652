"""An engine from Python: a process of its own that answers requests, as chess libraries have it.

``Engine`` starts ``seabattle engine``, sends it requests and waits for the answers. Work that is
asked of it takes no time of the program's own process, can be stopped, and says how far it is.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from seabattle.enumerate.errors import SeabattleError, within
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.queries import MOST_THREADS

LEAST, MOST = 1e-6, 1e9
"""GiB, or seconds, that a request may be allowed."""

SECONDS_TO_END = 10.0
"""What an engine has to end by itself."""


class EngineError(SeabattleError):
    """A request that was refused or failed, in one line.

    Attributes
    ----------
    status
        As the exit status of the command: 1 it failed, 2 the request is wrong, 130 it was stopped
        before there was an answer.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class Asked:
    """A request that an engine works on; ``Engine.begin`` makes it.

    Iterating tells how far the work is, about once a second, until there is an answer: dicts with
    ``seconds``, ``note``, and ``done``, ``total`` and ``unit`` of what is counted.
    """

    def __init__(self, engine: Engine, id: int) -> None:
        self.id = id
        self._engine = engine
        self._heard: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._last: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<request {self.id}: {'answered' if self.is_answered else 'at work'}>"

    @property
    def is_answered(self) -> bool:
        """Whether iterating has come to the answer."""
        return self._last is not None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while self._last is None:
            found = self._heard.get()
            if "progress" in found:
                yield found["progress"]
            else:
                self._last = found

    def answer(self) -> dict[str, Any]:
        """Wait for the answer, what the command prints with ``--json``.

        A search that was stopped still answers with the interval it has proven.

        Raises
        ------
        EngineError
            If there is none; says why.
        """
        for _ in self:
            pass
        assert self._last is not None
        if "answer" not in self._last:
            raise EngineError(self._last["error"], self._last["status"])
        found: dict[str, Any] = self._last["answer"]
        return found

    def stop(self) -> None:
        """Have it end as by Ctrl-C: it is answered soon, with what is known by then."""
        self._engine.stop(self)


class Engine:
    """A process that answers requests.

    Parameters
    ----------
    threads
        Requests that are worked on at the same time.
    memory_limit
        GiB of each request.
    time_limit
        Seconds of each request, unless it asks for less.
    tells
        Whether it says on standard error what keeps it.

    Raises
    ------
    EngineError
        If the process cannot be started.
    SeabattleError
        If a number is out of range.

    Notes
    -----
    Several threads may ask at the same time. End it with ``close``, or use it in a ``with``
    statement; it ends with the program in any case.

    Examples
    --------
    >>> with Engine() as engine:
    ...     game = {"board": "3x3", "fleet": "3,1,1", "shots": [["A2", "miss"]]}
    ...     engine.ask(command="count", position=game)["layouts"]
    3
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        memory_limit: float = 2.0,
        time_limit: float = 60.0,
        tells: bool = False,
    ) -> None:
        limits = {
            "threads": within("threads", threads, 1, MOST_THREADS),
            "memory-limit": within("memory_limit", memory_limit, LEAST, MOST),
            "time-limit": within("time_limit", time_limit, LEAST, MOST),
        }
        words = [word for name, value in limits.items() for word in (f"--{name}", str(value))]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "seabattle", "engine", *words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=None if tells else subprocess.DEVNULL, encoding="utf-8",
            )  # fmt: skip
        except OSError as error:
            raise EngineError(f"the engine cannot be started: {error}") from None
        self._numbers = count(1)
        self._asked: dict[int, Asked] = {}
        self._lock = Lock()
        self._ended = False
        self._reader = Thread(target=self._read, name="seabattle engine", daemon=True)
        self._reader.start()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def ask(self, request: Mapping[str, Any] | None = None, /, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer.

        Parameters
        ----------
        request, fields
            The fields of a request, as an object or by name: ``command``, ``position``,
            ``options``, ``time_limit``. A position may be a ``Position`` or ``Rules``.

        Returns
        -------
        dict
            What the command prints with ``--json``.

        Raises
        ------
        EngineError
            If it is refused or fails, or the engine has ended.
        """
        return self.begin({"progress": False, **(request or {}), **fields}).answer()

    def begin(self, request: Mapping[str, Any] | None = None, /, **fields: Any) -> Asked:
        """Send a request without waiting: to see how far it is, to stop it, or to ask more.

        Parameters and errors are those of ``ask``.
        """
        told = {"progress": True, **(request or {}), **fields}
        if isinstance(position := told.get("position"), Rules | Position):
            told["position"] = position.document()
        asked = Asked(self, next(self._numbers))
        with self._lock:
            if self._ended:
                raise EngineError("the engine has ended")
            self._asked[asked.id] = asked
        self._send({**told, "id": asked.id})
        return asked

    def stop(self, asked: Asked | None = None) -> None:
        """Stop a request, or all that are not answered yet."""
        with self._lock:
            those = list(self._asked) if asked is None else [asked.id]
        for id in those:
            self._send({"command": "stop", "of": id, "id": None})

    def close(self) -> None:
        """Stop what is being worked on and end the engine; nothing if it has ended."""
        if not self._ended:
            self.stop()
        assert self._process.stdin is not None
        with suppress(OSError):  # it may have ended by itself
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    def _send(self, request: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            line = json.dumps(request)
            with self._lock:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except TypeError as error:  # a value that JSON does not have
            self._forget(request)
            raise EngineError(f"the request cannot be sent: {error}", 2) from None
        except (OSError, ValueError):  # it has ended: who waits is told by the reader
            pass

    def _forget(self, request: Mapping[str, Any]) -> None:
        with self._lock:
            self._asked.pop(request.get("id") or 0, None)

    def _read(self) -> None:
        """Hand out answers as they come, and at the end tell everyone who waits."""
        assert self._process.stdout is not None
        with self._process.stdout:
            for line in self._process.stdout:
                found = json.loads(line)
                with self._lock:
                    asked = self._asked.get(found["id"])
                    if asked is not None and "progress" not in found:
                        del self._asked[asked.id]
                if asked is not None:
                    asked._heard.put(found)
        with self._lock:
            self._ended = True
            left, self._asked = self._asked, {}
        for asked in left.values():
            asked._heard.put({"status": 1, "error": "the engine has ended"})
