"""A running service for tests: the command, in a process of its own, on a free port."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

STARTED = re.compile(r"seabattle: (http://\S+?)/ \(")


@dataclass
class Running:
    """A service that runs, and its address without the slash at the end."""

    url: str
    process: subprocess.Popen[str]

    @property
    def netloc(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        method: str | None = None,
        seconds: float = 60.0,
        **headers: str,
    ) -> tuple[int, Any, dict[str, str]]:
        """Status, document and headers of the answer; bytes are sent as they are."""
        connection = http.client.HTTPConnection(self.netloc, timeout=seconds)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            if body is None:
                connection.request(method or "GET", path, headers=given)
            else:
                sent = body if isinstance(body, bytes) else json.dumps(body).encode()
                given = {"content-type": "application/json", **given}
                connection.request(method or "POST", path, sent, given)
            answer = connection.getresponse()
            text = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
            is_json = found.get("content-type", "").startswith("application/json")
            return answer.status, json.loads(text) if is_json else text.decode(), found
        finally:
            connection.close()

    def health(self) -> dict[str, Any]:
        """The answer of /api/health."""
        status, document, _ = self.ask("/api/health")
        assert status == 200
        return document

    def end(self, number: int = signal.SIGTERM, seconds: float = 30.0) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(seconds)


@contextmanager
def running(*arguments: str, command: str = "serve", warm: bool = False) -> Iterator[Running]:
    """A service; ``warm`` waits until its first process is prepared."""
    port = () if "--port" in arguments else ("--port", "0")
    process = subprocess.Popen(
        [sys.executable, "-m", "seabattle", command, *port, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = STARTED.match(line)
        assert found, line + process.communicate()[1]
        service = Running(found[1], process)
        while warm and not service.health()["warm"]:
            time.sleep(0.1)
        yield service
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
