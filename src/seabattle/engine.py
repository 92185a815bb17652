"""The engine: JSON lines in, JSON lines out, as chess programs talk to engines.

Each line on standard input is a request, each line on standard output an answer, in the order in
which they are ready::

    {"id": 1, "command": "count", "position": {"fleet": "russian", "shots": [["C4", "hit"]]}}
    {"id": 1, "status": 0, "answer": {"board": "10x10", ..., "layouts": 325337867160492, ...}}

``command``
    A command that has ``--json``, with the same answer; ``check``, whether the answers of the
    position can stand together; or ``stop``, with the id of another request as ``of``.
``position``
    The game and its shots, the fields of a position file; what is left out is as on the command
    line.
``options``
    The command's options by name, ``{"objective": "worst", "values": true}``; arguments that are no
    options go by their names in the help, ``{"file": "tree.json"}``.
``time_limit``
    Seconds after which the request is stopped: like Ctrl-C, so that a search still answers with the
    interval it has proven, and then for good.
``id``
    Any JSON value; the answer carries it.

What cannot be answered has ``{"id": 1, "status": 2, "error": "one line"}``; statuses are those of
the command line, 130 for what was stopped. Requests are worked at by processes of the engine's own,
several at a time, each with its share of the memory; a process that is lost is replaced.
"""

from __future__ import annotations

import io
import json
import os
import selectors
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import click

LONGEST_LINE = 1 << 20
"""Bytes of a request at most."""

MOST_WAITING = 16 << 20
"""Bytes of requests that may wait to be worked at."""

GRACE = 5.0
"""Seconds that a request has for an answer after it was stopped."""

_GAME = ("board", "fleet", "contact", "answers", "announce", "blocked")


class RequestError(Exception):
    """A request that cannot be answered, in one line."""


# One request: in the process that works.


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request, or the error.

    >>> asked = {"command": "count", "position": {"board": "3x3", "fleet": "3,1,1"}}
    >>> answer(asked)["answer"]["occupancy"]
    [[4, 1, 4], [1, 0, 1], [4, 1, 4]]
    >>> answer({"command": "count", "position": {"board": "0x0"}})["status"]
    2
    """
    from seabattle.__main__ import refusal
    from seabattle.cli.progress import CLOCK

    CLOCK.started = time.monotonic()
    try:
        status, document = _answered(request)
        return {"status": status, "answer": document}
    except RequestError as error:
        return {"status": 2, "error": str(error)}
    except BaseException as error:
        try:
            message, status = refusal(error)
        except BaseException as fault:  # a fault of the program, which must not end the engine
            message, status = f"{type(fault).__name__}: {fault}", 1
        return {"status": status, "error": message.removeprefix("seabattle: ")}


def _answered(request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Exit status and document of a request."""
    from seabattle.cli.command import FOR_A_PROGRAM, Answer

    name = request.get("command")
    if not isinstance(name, str):
        raise RequestError('a request needs a command, such as {"command": "count"}')
    if name == "check":
        return 0, _check(_position_text(request.get("position", {})))
    command = _command(name)
    if command is None or not any(each.name == "as_json" for each in command.params):
        raise RequestError(f"the command {name[:40]!r} is none that answers a request")
    words, text = _words(command, request)
    sys.stdin = io.StringIO(text)
    found = command.main(words, prog_name=name, standalone_mode=False, obj=FOR_A_PROGRAM)
    if not isinstance(found, Answer):
        raise RequestError(f"{name} has no answer to these options")
    return found.status, found.whole()


def _command(name: str) -> click.Command | None:
    """The command of a name, which has two words in a group."""
    from seabattle.cli.commands import commands

    found: click.Command | None = commands
    for word in name.split():
        if not isinstance(found, click.Group):
            return None
        found = found.get_command(click.Context(found), word)
    return found


def _words(command: click.Command, request: dict[str, Any]) -> tuple[list[str], str]:
    """The command line that a request stands for, and what is on its standard input."""
    options, words, text = dict(request.get("options") or {}), ["--json"], ""
    parameters = {each.name: each for each in command.params}
    known = {
        spelled.lstrip("-").replace("-", "_"): each
        for each in command.params
        for spelled in (each.name or "", *each.opts)
    }
    if "position" in request:
        if "position" in parameters:
            options["position"], text = "-", _position_text(request["position"])
        elif command.name == "review":
            options["file"], text = "-", _position_text(request["position"])
        else:
            fields = dict(request["position"])
            if fields.pop("shots", None):
                raise RequestError(f"{command.name} is about a game at its beginning: no shots")
            options |= {name: fields[name] for name in _GAME if name in fields}
    arguments: list[str] = []
    for name, value in options.items():
        parameter = known.get(name.replace("-", "_"))
        if parameter is None:
            raise RequestError(f"{command.name} has no option {name[:40]!r}")
        spelled = parameter.opts[-1]
        values = value if isinstance(value, list) and not parameter.multiple else [value]
        if isinstance(parameter, click.Argument):
            arguments += map(str, values)
        elif getattr(parameter, "is_flag", False):
            words += [spelled] if value else []
        elif value is not None:
            words += [spelled, ",".join(map(str, values))]
    return [*words, *(["--", *arguments] if arguments else [])], text


def _position_text(fields: Any) -> str:
    """A position file of the fields of a request, with the game's defaults."""
    from seabattle.enumerate.rules import Rules

    if not isinstance(fields, dict):
        raise RequestError('position: give an object, such as {"fleet": "russian"}')
    game = {name: fields.get(name) for name in _GAME}
    for name in ("fleet", "blocked"):
        value = game[name]
        if isinstance(value, list):
            game[name] = ",".join(map(str, value))
    for name, value in game.items():
        if value is not None and not isinstance(value, str):
            raise RequestError(f"position: {name} is text, not {type(value).__name__}")
    from seabattle.cli.command import game_document

    whole = game_document(Rules(**game))
    kept = {name: value for name, value in fields.items() if name not in _GAME}
    head = {"format": "seabattle-position", "version": 1, "shots": []}
    return json.dumps({**head, **whole, **kept})


def _check(text: str) -> dict[str, Any]:
    """Whether the answers of a position can stand together, and which cannot."""
    from seabattle.cli.command import game_document
    from seabattle.enumerate.counting.conflict import conflict
    from seabattle.enumerate.position_files import position_of_text

    position = position_of_text(text, "position", contradictory=True)
    found = conflict(position)
    told = {} if found is None else {"conflict": found.document()}
    return {**game_document(position), "valid": found is None, **told}


def _work(requests: Connection) -> None:
    """Answer requests until there are no more: a process of the engine's."""
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    while True:
        try:
            request = requests.recv()
            found = answer(request)
            requests.send_bytes(json.dumps(found, ensure_ascii=True).encode())
        except (EOFError, BrokenPipeError):
            return
        except KeyboardInterrupt:  # between two requests
            continue


# All requests: in the process that talks.


@dataclass
class _Worker:
    """A process that works at one request at a time."""

    process: Any
    talk: Connection
    request: dict[str, Any] | None = None
    deadline: float = float("inf")
    stopped: bool = False

    def stop(self) -> None:
        """Have it end as by Ctrl-C; if it does not within ``GRACE``, for good."""
        if self.stopped:
            self.process.kill()
            return
        self.stopped = True
        self.deadline = time.monotonic() + GRACE
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGINT)


@dataclass
class Engine:
    """Requests that wait, and the processes that work at them.

    Attributes
    ----------
    threads
        Requests that are worked at at the same time; a search of one of them uses one thread.
    memory_limit
        GiB of each request.
    time_limit
        Seconds of each request, unless it asks for less.
    """

    threads: int
    memory_limit: float
    time_limit: float
    out: Any = field(default_factory=lambda: sys.stdout.buffer)
    _waiting: deque[dict[str, Any]] = field(default_factory=deque)
    _bytes: int = 0
    _workers: list[_Worker] = field(default_factory=list)

    def run(self, source: int) -> None:
        """Answer the requests on a file descriptor until its end, and until all are answered."""
        lines = _Lines()
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            reading = True
            while reading or self._waiting or any(worker.request for worker in self._workers):
                self._hand_out(selector)
                for key, _ in selector.select(self._patience()):
                    if key.data is not None:
                        self._take(key.data, selector)
                        continue
                    block = os.read(source, 1 << 16)
                    for line in lines.feed(block):
                        self._request(line)
                    if not block:
                        selector.unregister(source)
                        reading = False
                self._stop_late()
        for worker in self._workers:
            worker.talk.close()
            worker.process.join(1)
            worker.process.kill()

    def _say(self, request: dict[str, Any], found: dict[str, Any] | bytes) -> None:
        """Write the answer to a request."""
        head = json.dumps({"id": request.get("id")})[:-1].encode()
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.out.write(head + b", " + body[1:] + b"\n")
        self.out.flush()

    def _request(self, line: bytes | None) -> None:
        """Take a line: None for one that was too long."""
        request: dict[str, Any] = {}
        try:
            if line is None:
                raise RequestError(f"the request is longer than {LONGEST_LINE:,} bytes")
            if not line.strip():
                raise RequestError("the line is empty")
            found = json.loads(line)
            if not isinstance(found, dict):
                raise RequestError('a request is an object, such as {"command": "count"}')
            request = found
            if request.get("command") == "stop":
                return self._say(request, {"status": 0, "answer": {"stopped": self._stop(request)}})
            limit = request.get("time_limit", self.time_limit)
            if not isinstance(limit, int | float) or not limit > 0:
                raise RequestError("time_limit: give a number of seconds above 0")
            if not isinstance(request.get("options", {}), dict):
                raise RequestError("options: give an object")
            if self._bytes + len(line) > MOST_WAITING:
                raise RequestError("too many requests are waiting: wait for answers")
            self._bytes += len(line)
            self._waiting.append({**request, "time_limit": min(limit, self.time_limit),
                                  "bytes": len(line)})  # fmt: skip
        except RequestError as error:
            self._say(request, {"status": 2, "error": str(error)})
        except (ValueError, RecursionError):
            self._say(request, {"status": 2, "error": "the line is no JSON"})

    def _stop(self, request: dict[str, Any]) -> bool:
        """Stop a request; whether it waited or was worked at."""
        for waiting in list(self._waiting):
            if waiting.get("id") == request.get("of"):
                self._waiting.remove(waiting)
                self._bytes -= waiting["bytes"]
                self._say(waiting, {"status": 130, "error": "stopped"})
                return True
        for worker in self._workers:
            if worker.request is not None and worker.request.get("id") == request.get("of"):
                worker.stop()
                return True
        return False

    def _hand_out(self, selector: selectors.BaseSelector) -> None:
        """Give waiting requests to processes that are free, or new."""
        while self._waiting:
            free = [worker for worker in self._workers if worker.request is None]
            if not free and len(self._workers) < self.threads:
                here, there = get_context("spawn").Pipe()
                process = get_context("spawn").Process(target=_work, args=(there,), daemon=True)
                process.start()
                there.close()
                free = [_Worker(process, here)]
                self._workers += free
                selector.register(here, selectors.EVENT_READ, free[0])
            if not free:
                return
            worker, request = free[0], self._waiting.popleft()
            self._bytes -= request["bytes"]
            worker.request, worker.stopped = request, False
            worker.deadline = time.monotonic() + request["time_limit"]
            with suppress(BrokenPipeError):  # its end is seen below
                worker.talk.send(self._limited(request))

    def _limited(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request with the engine's limits where it asks for more, or for nothing."""
        options = dict(request.get("options") or {})
        command = _command(str(request.get("command")))
        names = {each.name for each in command.params} if command is not None else set()
        if "memory_limit" in names:
            asked = options.get("memory_limit", self.memory_limit)
            if isinstance(asked, int | float):
                options["memory_limit"] = min(asked, self.memory_limit)
        if "threads" in names:
            options["threads"] = 1
        if "workers" in names and "scheduler" not in options:
            options["workers"] = 1
        return {**request, "options": options}

    def _take(self, worker: _Worker, selector: selectors.BaseSelector) -> None:
        """Take the answer of a process, or notice that it has ended."""
        request = worker.request or {}
        try:
            found: dict[str, Any] | bytes = worker.talk.recv_bytes()
        except (EOFError, OSError):
            selector.unregister(worker.talk)
            worker.talk.close()
            self._workers.remove(worker)
            stopped = {"status": 130, "error": "stopped, without an answer so far"}
            lost = {"status": 1, "error": "the process that worked at this ended, perhaps for lack "
                                          "of memory"}  # fmt: skip
            found = stopped if worker.stopped else lost
        if worker.request is not None:
            self._say(request, found)
        worker.request, worker.deadline = None, float("inf")

    def _patience(self) -> float | None:
        """Seconds until the next request is to be stopped."""
        first = min((worker.deadline for worker in self._workers), default=float("inf"))
        return None if first == float("inf") else max(0.0, first - time.monotonic())

    def _stop_late(self) -> None:
        """Stop requests whose time is over."""
        for worker in self._workers:
            if time.monotonic() > worker.deadline:
                worker.stop()


class _Lines:
    r"""Lines of a stream of bytes; of one that is too long no more is kept than needed.

    >>> lines = _Lines()
    >>> list(lines.feed(b"one\ntw")), list(lines.feed(b"o\n")), list(lines.feed(b"x" * 2**21))
    ([b'one'], [b'two'], [])
    >>> list(lines.feed(b"x\n")), list(lines.feed(b"last")), list(lines.feed(b""))
    ([None], [], [b'last'])
    """

    def __init__(self) -> None:
        self._begun = b""
        self._long = False

    def feed(self, block: bytes) -> Iterator[bytes | None]:
        """The lines that end in a block; None for one that is too long. An empty block ends all."""
        *ended, rest = (self._begun + block).split(b"\n")
        if not block and (rest or self._long):
            ended, rest = [rest], b""
        for line in ended:
            yield None if self._long or len(line) > LONGEST_LINE else line
            self._long = False
        self._begun = rest
        if len(rest) > LONGEST_LINE:
            self._begun, self._long = b"", True
