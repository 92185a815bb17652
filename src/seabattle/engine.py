r"""The engine: JSON lines in, JSON lines out, as chess programs talk to engines.

Each line on standard input is a request, each line on standard output an answer, in the order in
which they are ready::

    {"id": 1, "command": "count", "position": {"fleet": "russian", "shots": [["C4", "hit"]]}}
    {"id": 1, "status": 0, "answer": {"board": "10x10", ..., "layouts": 325337867160492, ...}}

``command``
    A command that has ``--json``, with the same answer; ``check`` of a position, whether its
    answers can stand together; ``referee new``, ``referee shoot`` and ``referee reveal``, by which
    a fleet is hidden, answers shots, and is shown; or ``stop``, with the id of another request as
    ``of``.
``position``
    The game and its shots, the fields of a position file; what is left out is as on the command
    line. Or a board as text, ``"....\n.ox.\n....\no..x"``, with the game among the options; for
    ``layouts``, a full board.
``options``
    The command's options by name, ``{"objective": "worst", "values": true}``; arguments that are no
    options go by their names in the help, ``{"file": "tree.json"}``.
``time_limit``
    Seconds after which the request is stopped: like Ctrl-C, so that a search still answers with the
    interval it has proven, and then for good.
``progress``
    Whether how far it is is told, about once a second, in lines before the answer::

        {"id": 1, "progress": {"seconds": 2.0, "note": "total 70 to 73, mean", "done": 9, ...}}
``id``
    Any JSON value; the answer carries it.

What takes longer than a second is told on standard error, after one second, two, four and so on.
A request or position with another field is refused, as it would be about another game. What cannot
be answered has ``{"id": 1, "status": 2, "error": "one line"}``; statuses are those of the command
line, 130 for what was stopped. Requests are worked on by processes of the engine's own, several at
a time, each with its share of the memory. A process that is lost is replaced; so is one that fails
by an error that no request makes, such as a library of which half is imported because it was
stopped just then, and the request is asked once more. Processes end when the engine does, whatever
ended it.
"""

from __future__ import annotations

import io
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from math import isfinite
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from seabattle.cli import progress
from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.errors import SeabattleError, WorkFailed, quoted, within
from seabattle.enumerate.files import json_document, require_format, require_known
from seabattle.enumerate.rules import DOCUMENT_FIELDS
from seabattle.enumerate.words import split_list

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.referee import Referee

FIELDS = ("id", "command", "position", "options", "time_limit", "progress", "of")
"""Fields of a request."""

STOPPED = b"stopped: "
"""How begins what a process is told, before it is interrupted: why that is, in words."""

READY = b"ready"
"""What a process says once it takes requests."""

FAULT = b'{"fault": true, '
"""How the answer of a process begins that is no longer to be trusted."""

PROGRESS = b'{"progress": '
"""How what a process says begins that is no answer yet."""

LONGEST_LINE = 1 << 20
"""Bytes of a request at most."""

MOST_WAITING = 1 << 24
"""Bytes of requests that are not answered yet; beyond them no more are read."""

TICK = 0.05
"""Seconds between two looks at the clock while a request is worked on."""

LONG_AGO = 1.0
"""The deadline of a request that another one stopped."""

TIMED_OUT = "the time limit was reached"
"""Why all others are stopped."""

GRACE = 5.0
"""Seconds that a request has for an answer after it was stopped."""

_HEAD = ("format", "version")


class RequestError(SeabattleError):
    """A request that cannot be answered, in one line."""


def _number(text: str) -> float:
    """A number with a point or an exponent; not one that an answer would repeat as no JSON."""
    number = float(text)
    if not isfinite(number):
        raise RequestError(f"{quoted(text)} is not a number")
    return number


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

    try:
        status, document = _answered(request)
        return {"status": status, "answer": document}
    except BaseException as error:
        fault = {}
        try:
            message, status = refusal(error)
        except BaseException as unexpected:  # a fault of the program, which must not end the engine
            message, status = f"{type(unexpected).__name__}: {unexpected}", 1
            fault = {"fault": True}
        return {**fault, "status": status, "error": message.removeprefix("seabattle: ")}


def _answered(request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Exit status and document of a request."""
    from seabattle.cli.shared import FOR_A_PROGRAM, Answer

    name = request.get("command")
    if not isinstance(name, str):
        raise RequestError('a request needs a command, such as {"command": "count"}')
    options = request.get("options")
    of_a_file = name == "check" and isinstance(options, dict) and "file" in options
    if name in _OF_THE_ENGINE and not of_a_file:
        return 0, _OF_THE_ENGINE[name](request)
    command = _command(name)
    if command is None or not _answers(command):
        near = _nearest(name, _names())
        raise RequestError(f"the command {quoted(name)} is not one that answers requests{near}")
    words, text = _words(command, request)
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8")
    with command.make_context(name, words, obj=FOR_A_PROGRAM) as context:
        found = command.invoke(context)
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


def _answers(command: click.Command) -> bool:
    """Whether a command has an answer for a program."""
    return any(each.name == "as_json" for each in command.params)


def _names() -> list[str]:
    """Names of the commands that answer a request."""
    from seabattle.cli.commands import commands

    found = [*_OF_THE_ENGINE, "stop"]
    groups: list[tuple[str, click.Group]] = [("", commands)]
    for before, group in groups:
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            if isinstance(command, click.Group):
                groups.append((f"{before}{name} ", command))
            elif command is not None and _answers(command):
                found.append(before + name)
    return found


def _nearest(name: str, known: Iterable[str]) -> str:
    """What a message says of the known name that is nearest to one that is unknown, if one is near.

    >>> _nearest("coutn", ["count", "solve"])
    "; did you mean 'count'?"
    """
    near = get_close_matches(name[:40].lower(), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _words(command: click.Command, request: dict[str, Any]) -> tuple[list[str], str]:
    """The command line that a request stands for, and what is on its standard input."""
    known = {
        spelled.lstrip("-").replace("-", "_"): each
        for each in command.params
        for spelled in (each.name or "", *each.opts)
    }
    options, text = _options(command, known, request)
    words, arguments = ["--json"], []
    for name, value in options.items():
        parameter = known.get(name.replace("-", "_"))
        if parameter is None:
            near = _nearest(name, known)
            raise RequestError(f"options: {command.name} has no option {quoted(name)}{near}")
        spelled = parameter.opts[-1]
        values = [str(each) for each in value] if isinstance(value, list) else [str(value)]
        if isinstance(parameter, click.Argument):
            arguments += [] if value is None else values
        elif getattr(parameter, "is_flag", False):
            if not isinstance(value, bool | type(None)):
                raise RequestError(f"options: {name} is true or false, not {quoted(value)}")
            words += [spelled] if value else []
        elif value is not None:
            for each in values if parameter.multiple else [",".join(values)]:
                words += [spelled, each]
    return [*words, *(["--", *arguments] if arguments else [])], text


def _options(
    command: click.Command, known: dict[str, click.Parameter], request: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """The options of a request: its own, its position and what it may use; and standard input."""
    from seabattle.enumerate.position_files import position_text

    options, text = dict(request.get("options") or {}), ""
    if "position" in request:
        place = "file" if command.name == "review" else "position"
        if command.name == "layouts":
            board = request["position"]
            if not isinstance(board, str | list):
                raise RequestError("position: give the full board as text, or as an array of rows")
            options["file"], text = "-", board if isinstance(board, str) else json.dumps(board)
        elif place in known:
            position, asked = _position(request)
            options[place], text = "-", position_text(position, asked)
            told = (*DOCUMENT_FIELDS, "signs")
            options = {name: value for name, value in options.items() if name not in told}
        else:
            fields = request["position"]
            if not known.keys() & {*DOCUMENT_FIELDS}:
                raise RequestError(f"position: {command.name} takes none: it is about a file")
            if not isinstance(fields, dict) or fields.get("shots"):
                raise RequestError(f"position: {command.name} is about a game at its beginning")
            require_known(
                fields, (*DOCUMENT_FIELDS, "shots", *_HEAD), RequestError, of="the position"
            )
            options |= {name: fields[name] for name in DOCUMENT_FIELDS if name in fields}
    shares = {"memory_limit": request.get("memory_limit"), "threads": 1}
    shares |= {} if "scheduler" in options else {"workers": 1}
    for name, most in shares.items():
        if name in known and most is not None:
            wanted = options.get(name)
            if wanted is None or isinstance(wanted, int | float):  # all else is refused
                options[name] = most if wanted is None else min(wanted, most)
    return options, text


def _position(
    request: dict[str, Any], *, contradictory: bool = False
) -> tuple[Position, dict[str, Any]]:
    """The position of a request, as fields of its file or a board as text; and how it is asked.

    Raises
    ------
    RequestError
        If it is none; the message begins with the field of the request.
    """
    from seabattle.enumerate.board_text import is_board
    from seabattle.enumerate.deductions import check_answers
    from seabattle.enumerate.position_files import (
        ASKED,
        FORMAT,
        SHOT_FIELDS,
        VERSION,
        position_of_board,
        read_asked,
        read_shot_fields,
    )
    from seabattle.enumerate.rules import LETTERS, Rules

    fields, game = request.get("position", {}), _game("options", request.get("options") or {})
    asked: dict[str, Any] = {}
    try:
        signs = (request.get("options") or {}).get("signs")
        if signs is not None and not isinstance(signs, str | dict):
            raise RequestError('give signs as "~=unknown,!=miss", or as an object')
        if isinstance(fields, list) or (isinstance(fields, str) and is_board(fields)):
            position = position_of_board(fields, signs, **game)
        elif not isinstance(fields, dict):
            raise RequestError('give an object, such as {"fleet": "russian"}, or a board')
        else:
            require_known(fields, (*_HEAD, *DOCUMENT_FIELDS, *SHOT_FIELDS, ASKED), RequestError)
            head = {"format": FORMAT, "version": VERSION, **fields}
            require_format(head, FORMAT, VERSION, RequestError)
            asked = read_asked(fields)
            letters = game.pop(LETTERS, None)
            told = [*game, *(["signs"] if signs is not None else [])]
            if told:
                raise RequestError(
                    f"it says the whole game: leave {', '.join(told)} out of options"
                )
            rules = Rules(**_game("position", fields))
            position = read_shot_fields(rules, {"shots": [], **fields})
            position = position.lettered(letters or rules.letters)
        if not contradictory:
            check_answers(position)
    except SeabattleError as error:
        message = str(error).removeprefix("position: ")
        kind = WorkFailed if isinstance(error, WorkFailed) else RequestError
        raise kind(f"position: {message}") from error
    return position, asked


def _game(place: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The game that the fields in a place of a request say, as texts."""
    game = {name: fields[name] for name in DOCUMENT_FIELDS if fields.get(name) is not None}
    for name, value in game.items():
        if isinstance(value, list):
            game[name] = ",".join(map(str, value))
        elif not isinstance(value, str):
            raise RequestError(f"{place}: {name} is text, not {type(value).__name__}")
    return game


def _check(request: dict[str, Any]) -> dict[str, Any]:
    """Whether the answers of a position can stand together, and which cannot."""
    from seabattle.enumerate.counting.conflict import conflict

    known = (*DOCUMENT_FIELDS, "signs")
    require_known(request.get("options") or {}, known, RequestError, of="options")
    position, _ = _position(request, contradictory=True)
    found = conflict(position)
    told = {} if found is None else {"conflict": found.document()}
    return {**position.document(), "valid": found is None, **told}


# The engine keeps no referee: a fleet is known by the seed that it was drawn by, or by its ships,
# and the position says what was shot. So a process may be lost, and a game go on elsewhere.

_HIDDEN = ("seed", "ships", "prior")


def _new(request: dict[str, Any]) -> dict[str, Any]:
    """Hide a fleet: drawn by a seed, which is told, or given."""
    options = _referee_options(request)
    position, _ = _position(request)
    if position.shots:
        raise RequestError("position: a new referee was not shot at yet: leave out its shots")
    if "ships" not in options and options.get("seed") is None:
        options["seed"] = secrets.randbits(32)
    return _told(_referee(position, options), options)


def _shoot(request: dict[str, Any]) -> dict[str, Any]:
    """Answer shots at the fleet of a referee, after those of the position."""
    options = _referee_options(request, "cells")
    cells = options.pop("cells", None)
    cells = split_list(cells) if isinstance(cells, str) else cells
    if not isinstance(cells, list) or not cells or {type(each) for each in cells} != {str}:
        raise RequestError('options: name the cells that are shot, as in {"cells": ["C3"]}')
    referee = _shot_at(request, options)
    answers = referee.salvo(cells)
    return {"answers": answers, **_told(referee, options)}


def _reveal(request: dict[str, Any]) -> dict[str, Any]:
    """The fleet of a referee, over or not."""
    options = _referee_options(request)
    referee = _shot_at(request, options)
    return {**_told(referee, options), "ships": referee.ships}


_OF_THE_ENGINE = {
    "check": _check, "referee new": _new, "referee shoot": _shoot, "referee reveal": _reveal,
}  # fmt: skip
"""Requests that are no commands; ``check`` is the command where a file is named, of a proof."""


def _referee_options(request: dict[str, Any], *more: str) -> dict[str, Any]:
    """By what a fleet is known, and more; the rules go there beside a board as text."""
    options = request.get("options") or {}
    require_known(options, (*_HIDDEN, *more, *DOCUMENT_FIELDS), RequestError, of="options")
    given = {name: value for name, value in options.items() if value is not None}
    found = {name: given[name] for name in (*_HIDDEN, *more) if name in given}
    ships = found.get("ships")
    if ships is not None and any(name in found for name in ("seed", "prior")):
        raise RequestError("options: give a seed, by which a fleet is drawn, or ships")
    if not isinstance(found.get("seed", 0), int) or isinstance(found.get("seed"), bool):
        raise RequestError("options: the seed is a whole number from 0 on")
    if not isinstance(found.get("prior", ""), str):
        raise RequestError("options: the prior is a text")
    listed = isinstance(ships, list) and all(isinstance(each, str) for each in ships)
    if not (ships is None or isinstance(ships, str) or listed):
        raise RequestError('options: ships are names, as in ["A1:A3", "C1"]')
    return found


def _shot_at(request: dict[str, Any], options: dict[str, Any]) -> Referee:
    """The referee of a request after the shots of its position, which must be its own answers."""
    if options.get("ships") is None and options.get("seed") is None:
        raise RequestError("options: say which fleet: the seed that 'referee new' told, or ships")
    position, _ = _position(request)
    if position.ships or not position.ordered:
        raise RequestError("position: a referee takes its shots in order, and no ships beside them")
    referee = _referee(position, options)
    if position.shots:
        told = [(position.rules.board.name(c), answer_text(code)) for c, code in position.shots]
        for (cell, said), answer in zip(told, referee.salvo(c for c, _ in told), strict=True):
            if said != answer:
                raise RequestError(f"position: {cell} is {said}, and this fleet answers {answer}")
    return referee


def _referee(position: Position, options: dict[str, Any]) -> Referee:
    """The referee of a fleet, to which no shot was told yet."""
    from seabattle.solver.referee import Referee

    ships = options.get("ships")
    try:
        if ships is None:
            prior = str(options.get("prior", "uniform"))
            ships = _drawn(position.rules, within("seed", options["seed"], 0), prior)
        return Referee(position.rules, ships)
    except SeabattleError as error:
        kind = WorkFailed if isinstance(error, WorkFailed) else RequestError
        raise kind(f"options: {error}") from error


@lru_cache(maxsize=256)
def _drawn(rules: Rules, seed: int, prior: str) -> tuple[str, ...]:
    """Names of the ships of a fleet that is drawn; it is asked for with every shot."""
    from seabattle.enumerate.priors.files import require_prior
    from seabattle.solver.referee import Referee

    return tuple(Referee(rules, seed=seed, prior=require_prior(prior, rules)).ships)


def _told(referee: Referee, options: dict[str, Any]) -> dict[str, Any]:
    """What a referee tells of the game: a position that every request takes, and the score."""
    from seabattle.enumerate.position_files import position_document

    return {
        "position": position_document(referee.position),
        **options,
        "misses": referee.misses,
        "afloat": referee.afloat,
        "over": referee.over,
    }


def _work(requests: Connection) -> None:
    """Answer requests until there are no more: a process of the engine's."""
    sys.stdout = sys.stderr  # the other is for answers, and a player of one's own may print
    Thread(target=_end_with_parent, daemon=True).start()
    talking, working = Lock(), False

    def tell(state: dict[str, Any]) -> None:
        with talking, suppress(OSError):
            requests.send_bytes(PROGRESS + json.dumps(state).encode() + b"}")

    def reason() -> str:
        """Why the request at work is interrupted; whoever does that says it first."""
        said = requests.recv_bytes() if requests.poll() else b""
        return said.removeprefix(STOPPED).decode() or "stopped"

    def interrupt(number: int, frame: object) -> None:
        nonlocal working
        if working:  # else it comes too late
            working = False
            raise KeyboardInterrupt(reason())

    signal.signal(signal.SIGINT, interrupt)
    _block_interrupts(False)
    requests.send_bytes(READY)
    progress.listener, progress.reason = tell, reason
    while True:
        try:
            line = requests.recv_bytes()
            if line.startswith(STOPPED):  # it came too late for the request before
                continue
            try:
                working = True
                document = answer(json.loads(line))
                working = False
            except KeyboardInterrupt as stopped:  # when the answer was made
                document = {"status": 130, "error": str(stopped)}
            found = json.dumps(document, ensure_ascii=True).encode()
            with talking:
                requests.send_bytes(found)
        except (EOFError, BrokenPipeError):
            return


def _block_interrupts(block: bool) -> None:
    """Keep interrupts from this thread and from the processes that it starts, or no longer."""
    if hasattr(signal, "pthread_sigmask"):
        how = signal.SIG_BLOCK if block else signal.SIG_UNBLOCK
        signal.pthread_sigmask(how, {signal.SIGINT})


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, whatever ended that one."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


# All requests: in the process that talks, with a thread for each process that works.


@dataclass(eq=False)
class _Job:
    """A request and its id, as JSON, and when it is to be stopped; 0 while it waits.

    ``heard`` says whether who asked wants to know how far it is, ``noted`` how many seconds had
    passed when standard error was told so.
    """

    id: str
    command: str
    request: bytes
    seconds: float
    heard: bool
    deadline: float = 0.0
    noted: float = 0.5


@dataclass
class Server:
    """Requests that wait, and those that are worked on.

    Attributes
    ----------
    threads
        Requests that are worked on at the same time; a search of one of them uses one thread.
    memory_limit
        GiB of each request.
    time_limit
        Seconds of each request, unless it asks for less.
    """

    threads: int
    memory_limit: float
    time_limit: float
    _waiting: SimpleQueue[_Job | None] = field(default_factory=SimpleQueue)
    _jobs: list[_Job] = field(default_factory=list)
    _bytes: int = 0
    _lock: Condition = field(default_factory=Condition)

    def run(self, source: BinaryIO) -> None:
        """Answer the requests on a stream until its end, and until all are answered."""
        servers = [Thread(target=self._serve, daemon=True) for _ in range(self.threads)]
        for server in servers:
            server.start()
        for line in _lines(source):
            self._request(line)
        for _ in servers:
            self._waiting.put(None)
        for server in servers:
            server.join()

    def _say(self, id: str, found: dict[str, Any] | bytes) -> None:
        """Write the answer to the request with an id, given as JSON."""
        head = f'{{"id": {id}'.encode()
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        body = body.removeprefix(FAULT) if body.startswith(FAULT) else body[1:]
        with self._lock:
            try:
                sys.stdout.buffer.write(head + b", " + body + b"\n")
                sys.stdout.buffer.flush()
            except OSError as error:  # nobody hears of anything any more
                _end_at_once(error)

    def _end(self, job: _Job, found: dict[str, Any] | bytes) -> None:
        """Answer a request for good."""
        with self._lock:
            self._jobs.remove(job)
            self._bytes -= len(job.request)
            self._lock.notify()
            self._say(job.id, found)

    def _request(self, line: bytes | None) -> None:
        """Take a line: None for one that was too long."""
        id = "null" if line is None else _id(line)
        try:
            if line is None:
                raise RequestError(f"the request is longer than {LONGEST_LINE:,} bytes")
            request = json_document(line, "the line", "request", RequestError, decimals=_number)
            if not isinstance(request, dict):
                raise RequestError('a request is an object, such as {"command": "count"}')
            require_known(request, FIELDS, RequestError, of="the request")
            if request.get("command") == "stop":
                stopped = {"stopped": self._stop(json.dumps(request.get("of")))}
                return self._say(id, {"status": 0, "answer": stopped})
            limit = request.get("time_limit", self.time_limit)
            if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
                raise RequestError("time_limit: give a number of seconds above 0")
            if not isinstance(request.get("options", {}), dict):
                raise RequestError("options: give an object")
            if not isinstance(request.get("progress", False), bool):
                raise RequestError("progress: give true or false")
            limits = {"time_limit": min(limit, self.time_limit), "memory_limit": self.memory_limit}
            whole = json.dumps({**request, **limits}).encode()
            heard, command = request.get("progress", False), str(request.get("command"))
            job = _Job(id, command, whole, limits["time_limit"], heard)
            with self._lock:
                self._lock.wait_for(lambda: self._bytes < MOST_WAITING)
                self._bytes += len(whole)
                self._jobs.append(job)
            self._waiting.put(job)
        except RequestError as error:
            self._say(id, {"status": 2, "error": str(error)})

    def _stop(self, id: str) -> bool:
        """Stop the request with an id; whether it waited or was worked on."""
        with self._lock:
            for job in self._jobs:
                if job.id == id:
                    if job.deadline:
                        job.deadline = LONG_AGO  # which its thread sees
                    else:
                        self._end(job, {"status": 130, "error": "stopped"})
                    return True
        return False

    def _serve(self) -> None:
        """Have requests worked on, one after the other, by a process that is started for them."""
        process: Any = None
        _block_interrupts(True)  # until a process that is started can take them
        while (job := self._waiting.get()) is not None:
            found: bytes | dict[str, Any] | None = None
            for _ in range(2):  # a process may fail by an error that no request makes
                if process is None:
                    process, talk = _started()
                with self._lock:
                    if job not in self._jobs:  # it was stopped
                        break
                    job.deadline = job.deadline or time.monotonic() + job.seconds
                found = self._worked_at(job, process, talk)
                is_fault = isinstance(found, bytes) and found.startswith(FAULT)
                if is_fault or isinstance(found, dict):  # the process has ended, or has to
                    talk.close()
                    process.kill()
                    process = None
                if not is_fault:
                    break
            if found is not None:
                self._end(job, found)
        if process is not None:
            talk.close()
            process.join(1)
            process.kill()

    def _worked_at(self, job: _Job, process: Any, talk: Connection) -> bytes | dict[str, Any]:
        """The answer of a process to a request, or what is said when the process has ended.

        What is late is stopped as by Ctrl-C, and after ``GRACE`` for good.
        """
        why, begun, told = "", time.monotonic(), "beginning"
        try:
            talk.send_bytes(job.request)
            while True:
                while not talk.poll(TICK):
                    _note(job, time.monotonic() - begun, told)
                    if time.monotonic() > job.deadline:
                        ends = signal.SIGKILL if why else signal.SIGINT
                        why = why or ("stopped" if job.deadline == LONG_AGO else TIMED_OUT)
                        talk.send_bytes(STOPPED + why.encode())
                        os.kill(process.pid, ends)
                        job.deadline = time.monotonic() + GRACE
                found = talk.recv_bytes()
                if not found.startswith(PROGRESS):
                    return found
                told = _how_far(json.loads(found)["progress"])
                if job.heard:
                    self._say(job.id, found)
        except (EOFError, OSError):
            if why:
                return {"status": 130, "error": f"{why}, without an answer so far"}
            why = "the process that worked on this ended, perhaps for lack of memory"
            return {"status": 1, "error": why}


def _started() -> tuple[Any, Connection]:
    """A process that takes requests, and the connection to it."""
    talk, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_work, args=(there,), daemon=True)
    process.start()
    there.close()
    with suppress(EOFError, OSError):  # it has ended, as will be told
        talk.recv_bytes()
    return process, talk


def _how_far(state: dict[str, Any]) -> str:
    """How far the work on a request is, in words.

    >>> _how_far({"seconds": 2.0, "note": "counting", "done": 3, "total": 10, "unit": "rows"})
    'counting, 3 of 10 rows'
    """
    counted = ""
    if "unit" in state:
        of = "" if state["total"] is None else f" of {state['total']:,}"
        counted = f"{state['done']:,}{of} {state['unit']}"
    return ", ".join(filter(None, (state["note"], counted))) or "at work"


def _note(job: _Job, seconds: float, told: str) -> None:
    """Say on standard error what keeps the engine, after one second, two, four and so on."""
    if seconds >= 2 * job.noted and sys.stderr is not None:
        job.noted *= 2
        with suppress(OSError):
            print(f"seabattle: request {job.id}, {job.command}: {told}, {seconds:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip


def _id(line: bytes) -> str:
    """The id of a request, as JSON; null where it has none, or several.

    It is also that of a line that is refused as it is read: who asked has to know which.

    >>> _id(b'{"id": 7, "command": "count", "command": "solve", "time_limit": NaN}')
    '7'
    """
    last: list[tuple[str, Any]] = []  # fields of the object that ended last: the outermost

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        last[:] = pairs
        return dict(pairs)

    try:
        whole = json.loads(line, object_pairs_hook=fields)
        ids = [value for name, value in last if name == "id"] if isinstance(whole, dict) else []
        return json.dumps(ids[0], allow_nan=False) if len(ids) == 1 else "null"
    except (ValueError, RecursionError):  # no JSON, or an id that is none
        return "null"


def _end_at_once(error: OSError) -> None:
    """End the engine, whatever its threads are about, as its output cannot be written."""
    from seabattle.__main__ import refusal

    try:
        message, status = refusal(error)
    except OSError:
        message, status = f"seabattle: cannot write to standard output: {error.strerror}", 1
    if message and sys.stderr is not None:
        print(message, file=sys.stderr, flush=True)
    os._exit(status)


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    r"""Lines of a stream; None for one that is too long, of which no more is kept than needed.

    >>> list(_lines(io.BytesIO(b"one\n" + b"x" * 2**21 + b"\nlast")))
    [b'one\n', None, b'last']
    """
    while line := source.readline(LONGEST_LINE):
        long = len(line) == LONGEST_LINE and not line.endswith(b"\n")
        yield None if long else line
        while long and line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
