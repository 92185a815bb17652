"""Many clients at once: python tests/benchmarks/load_service.py --seconds 60 --clients 100

Every client plays a game of its own, Russian or Hasbro by turns: it begins in the middle of the
game, asks for the map, shoots the likeliest cell, and so on to the end of the game, without a
pause. When it is told to come later (503) it does so after the time it is told. ``--rude`` sets
clients beside them that leave at once, send a megabyte, send nothing, or send nonsense.

It prints the answers by status, how long they took, how many came in a second, and the peak of
memory of all processes of the service together; then it compares answers with the library's, and
some with what the command ``seabattle count --json`` prints, digit by digit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter as Tally
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.nonsense import NONSENSE
from support.serving import running

from seabattle.documents.counts import map_document
from seabattle.enumerate.answers import HIT, MISS, SUNK, SUNK_LENGTH
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.enumerate.rules import Contact, Rules

FLEETS = ("russian", "hasbro")
KEPT = 400
"""Answers that are compared with the library's."""

BY_COMMAND = 4
"""Answers that are compared with the command's."""


@dataclass
class Report:
    """What came of the load.

    Attributes
    ----------
    statuses
        Answers to polite clients by status; 0 where the connection failed.
    rude
        Answers to rude clients by what they do and status.
    seconds
        How long the answers 200 took.
    answers
        Some questions and their answers.
    """

    statuses: Tally[int] = field(default_factory=Tally)
    rude: Tally[tuple[str, int]] = field(default_factory=Tally)
    seconds: list[float] = field(default_factory=list)
    answers: list[tuple[Position, dict[str, Any]]] = field(default_factory=list)
    peak: int = 0
    lasted: float = 0.0
    health: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The report as it is printed."""
        times = np.array(self.seconds or [0.0])
        found = [
            f"answers by status     {dict(sorted(self.statuses.items()))}",
            f"answers a second      {len(self.seconds) / self.lasted:.1f}",
            f"p50, p99, longest     {np.quantile(times, 0.5):.2f}, {np.quantile(times, 0.99):.2f}, "
            f"{times.max():.2f} s",
            f"peak memory           {self.peak / 2**20:,.0f} MiB",
        ]
        for (what, status), number in sorted(self.rude.items()):
            found.append(f"rude: {what:<15} {status}: {number}")
        return [*found, f"health at the end     {json.dumps(self.health)}"]


class Client:
    """One connection, kept open from one question to the next."""

    def __init__(self, host: str, port: int) -> None:
        self.address = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of the answer; status 0 where the connection fails."""
        for last in (False, True):  # an idle connection may have been closed
            fresh = self._streams is None
            try:
                if self._streams is None:
                    self._streams = await asyncio.open_connection(*self.address)
                return await self._exchange(*self._streams, path, body)
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                if fresh or last:
                    break
        return 0, b"", {}

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes
    ) -> tuple[int, bytes, dict[str, str]]:
        writer.write(request(self.address, path, body))
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        told = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(head[0].split()[1]), told, headers

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


def request(address: tuple[str, int], path: str, body: bytes) -> bytes:
    """The bytes of a request."""
    return (
        f"POST {path} HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    ).encode() + body


class Table:
    """Layouts to be shot at: drawn beforehand, by fleet."""

    def __init__(self, seed: int, games: int) -> None:
        self.random = np.random.default_rng(seed)
        self._hidden = {fleet: Counter(Rules(fleet=fleet)).sample(games, seed) for fleet in FLEETS}
        self._rules = {fleet: Rules(fleet=fleet) for fleet in FLEETS}
        self._next = 0

    def game(self) -> tuple[Position, list[int]]:
        """A position in the middle of a game, and the masks of the ships that are hidden."""
        fleet = FLEETS[self._next % len(FLEETS)]
        layouts = self._hidden[fleet]
        ships = layouts[self._next // len(FLEETS) % len(layouts)]
        self._next += 1
        rules = self._rules[fleet]
        masks = [placement_table(rules).placements[i].mask for i in ships.tolist()]
        position = Position(rules)
        for cell in self.random.permutation(100)[: self.random.integers(10, 30)].tolist():
            position = position.shoot(cell, told(position, masks, cell))
        return position, masks


def told(position: Position, masks: list[int], cell: int) -> int:
    """What a shot is answered."""
    ship = next((mask for mask in masks if mask >> cell & 1), 0)
    if not ship:
        return MISS
    if ship & ~(position.hit_mask | 1 << cell):
        return HIT
    return SUNK_LENGTH + ship.bit_count() if position.rules.contact is Contact.SIDES else SUNK


def body_of(position: Position) -> bytes:
    """A request for the map of a position."""
    return json.dumps(position_document(position)).encode()


async def play(client: Client, table: Table, report: Report, end: float) -> None:
    """Game after game."""
    while time.monotonic() < end:
        position, masks = table.game()
        while time.monotonic() < end:
            if position.hit_mask.bit_count() == position.rules.fleet.cells:
                break
            begin = time.monotonic()
            status, text, headers = await client.post("/api/count", body_of(position))
            report.statuses[status] += 1
            if status == 503:
                await asyncio.sleep(min(float(headers["retry-after"]), end - time.monotonic()))
                continue
            if status != 200:
                await asyncio.sleep(0.1)
                continue
            report.seconds.append(time.monotonic() - begin)
            answer = json.loads(text)
            if len(report.answers) < KEPT:
                report.answers.append((position, answer))
            cell = position.rules.board.cell(answer["best"][0])
            position = position.shoot(cell, told(position, masks, cell))
    client.close()


async def leave_at_once(address: tuple[str, int], table: Table, report: Report, end: float) -> None:
    """Ask, and do not wait for the answer."""
    while time.monotonic() < end:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(*address)
            writer.write(request(address, "/api/count", body_of(table.game()[0])))
            await writer.drain()
            writer.transport.abort()
            report.rude["leave at once", 0] += 1
        await asyncio.sleep(0.05)


async def send_much(address: tuple[str, int], report: Report, end: float) -> None:
    """Send a megabyte."""
    client = Client(*address)
    while time.monotonic() < end:
        status, *_ = await client.post("/api/count", b'{"fleet": "' + b"x" * 1_000_000 + b'"}')
        report.rude["send 1 MB", status] += 1
        client.close()
        await asyncio.sleep(0.2)


async def send_nothing(address: tuple[str, int], report: Report, end: float) -> None:
    """Hold a connection open, or one whose request is begun."""
    begun = False
    while time.monotonic() < end:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(*address)
            if begun:
                writer.write(request(address, "/api/count", b"x" * 100)[:-90])
            begun = not begun
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(reader.read(), max(0.1, min(45, end - time.monotonic())))
            writer.close()
            report.rude["send nothing", 0] += 1


async def send_nonsense(address: tuple[str, int], report: Report, end: float) -> None:
    """Send one kind of nonsense after the other."""
    client = Client(*address)
    while time.monotonic() < end:
        for body in NONSENSE.values():
            status, *_ = await client.post("/api/count", body)
            report.rude["send nonsense", status] += 1
            await asyncio.sleep(0.02)
            if time.monotonic() > end:
                break
    client.close()


async def watch_memory(process: int, report: Report, end: float) -> None:
    """The memory of a process and all below it, while the load lasts."""
    while time.monotonic() < end:
        report.peak = max(report.peak, sum(map(memory, family(process))))
        await asyncio.sleep(0.5)


def family(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for number in found:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{number}/task"):
                text = Path(f"/proc/{number}/task/{task}/children").read_text()
                found += map(int, text.split())
    return found


def memory(process: int) -> int:
    """Bytes of a process, shared ones divided among those that share them."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


async def load(
    address: tuple[str, int], process: int, clients: int, seconds: float, rude: bool, seed: int
) -> Report:
    """Let clients ask for some seconds."""
    report, table = Report(), Table(seed, clients)
    begin = time.monotonic()
    end = begin + seconds
    tasks = [play(Client(*address), table, report, end) for _ in range(clients)]
    tasks.append(watch_memory(process, report, end))
    if rude:
        tasks += [leave_at_once(address, table, report, end) for _ in range(5)]
        tasks += [send_much(address, report, end) for _ in range(2)]
        tasks += [send_nothing(address, report, end) for _ in range(10)]
        tasks += [send_nonsense(address, report, end) for _ in range(3)]
    await asyncio.gather(*tasks)
    report.lasted = time.monotonic() - begin
    return report


def check(report: Report, by_command: int = BY_COMMAND) -> int:
    """Compare answers with the library's and with the command's; how many were compared.

    Raises
    ------
    AssertionError
        If one differs in a digit.
    """
    counters = {rules: Counter(rules) for rules in {p.rules for p, _ in report.answers}}
    for position, answer in report.answers:
        found = json.loads(json.dumps(map_document(counters[position.rules].at(position).map())))
        _same(answer, {**found, "shots": position_document(position)["shots"]})
    for position, answer in report.answers[:: max(1, len(report.answers) // max(1, by_command))][
        :by_command
    ]:
        command = [sys.executable, "-m", "seabattle", "count", "--position", "-", "--json"]
        done = subprocess.run(
            command, input=body_of(position), capture_output=True, check=True, env=os.environ
        )
        printed = json.loads(done.stdout)
        _same(answer, {**printed, "seconds": answer["seconds"]})
    return len(report.answers)


def _same(answer: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        assert answer[name] == value, f"{name}: {answer[name]} is not {value}"


def main() -> None:
    """Start a service, load it, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rude", action="store_true")
    given = parser.parse_args()
    with running("--workers", str(given.workers), warm=True) as service:
        host, port = service.netloc.split(":")
        report = asyncio.run(
            load((host, int(port)), service.process.pid, given.clients, given.seconds, given.rude,
                 given.seed)
        )  # fmt: skip
        report.health = service.health()
    print("\n".join(report.lines()))
    print(f"compared              {check(report)} answers are equal to the digit, "
          f"{min(BY_COMMAND, len(report.answers))} of them with the command's")  # fmt: skip


if __name__ == "__main__":
    main()
