"""The commands serve and play: how they begin and how they end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from support.serving import Running, running

from seabattle.web import server
from seabattle.web.settings import Settings, memory_free, usual_workers

SLOW = {"board": "16x16", "fleet": "9,8,7,6,5,4,3,2,1", "contact": "sides"}
"""A question that takes minutes, and whose counting does not heed the word to stop."""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_it_when_what_runs_is_finished(number: int, status: int) -> None:
    with running("--workers", "1") as service:
        found = []
        body = {"fleet": "hasbro", "options": {"prior": "people"}}
        asking = threading.Thread(target=lambda: found.append(service.ask("/api/count", body)))
        asking.start()
        while not service.health()["busy"]:
            time.sleep(0.01)
        time.sleep(0.2)
        assert service.end(number) == status
        asking.join(5)
        assert found[0][0] in (200, 503), "what had begun is finished, what waited is refused"
        out, err = service.process.communicate()
        assert (out, err) == ("", "")


@pytest.mark.slow
def test_play_prints_the_address_of_the_page() -> None:
    with running("--no-browser", "--workers", "1", command="play") as service:
        assert service.netloc.startswith("127.0.0.1:")
        status, page, headers = service.ask("/")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.startswith("<!DOCTYPE html>")
        assert service.end(signal.SIGINT) == 130


@pytest.mark.slow
@pytest.mark.slow  # half a minute until the new process is ready
def test_a_process_that_is_killed_is_replaced() -> None:
    with running("--workers", "1", warm=True) as service:
        task = f"/proc/{service.process.pid}/task"
        children = subprocess.run(
            ["sh", "-c", f"cat {task}/*/children"], capture_output=True, text=True, check=False
        ).stdout.split()
        if not children:
            pytest.skip("this system does not tell the children of a process")
        for child in children:
            text = subprocess.run(
                ["cat", f"/proc/{child}/cmdline"], capture_output=True, check=False
            ).stdout
            if b"resource_tracker" not in text:
                subprocess.run(["kill", "-9", child], check=True)
        assert service.ask("/api/count", {"fleet": "russian"})[0] == 200


@pytest.mark.slow  # waits for a time limit
def test_a_question_that_takes_too_long_is_ended() -> None:
    with running("--workers", "1", "--time-limit", "1.5", warm=True) as service:
        begin = time.monotonic()
        status, answer, _ = service.ask("/api/count", SLOW)
        assert (status, answer["error"]) == (
            413, "the question took longer than 1.5 s, which is the limit here",
        )  # fmt: skip
        assert time.monotonic() - begin < 20
        assert service.ask("/api/count", {"board": "4x4", "fleet": "2"})[0] == 200


def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE", 0.4)
    monkeypatch.setattr(server, "CONNECTIONS", 3)
    made = server.Server(Settings(), warm_up=False)
    sock = server.listening("127.0.0.1", 0)
    address = sock.getsockname()
    thread = threading.Thread(target=made.run, args=([sock],))
    thread.start()
    try:
        while not made.started:
            time.sleep(0.01)
        idle = [socket.create_connection(address, 5) for _ in range(3)]
        idle[1].sendall(b"POST /api/count HTTP/1.1\r\nhost: local")
        with socket.create_connection(address, 5) as too_many:
            answer = too_many.recv(10_000)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert json.loads(answer.split(b"\r\n\r\n")[1])["error"].startswith("too many")
        for connection in idle:
            assert connection.recv(1) == b""
            connection.close()
        running = Running(f"http://127.0.0.1:{address[1]}", None)  # type: ignore[arg-type]
        assert running.health()["workers"] == 1
    finally:
        made.should_exit = True
        thread.join(10)
        sock.close()


def test_a_client_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE", 0.4)
    made = server.Server(Settings(), warm_up=False)
    sock = server.listening("127.0.0.1", 0)
    thread = threading.Thread(target=made.run, args=([sock],))
    thread.start()
    try:
        while not made.started:
            time.sleep(0.01)
        with socket.socket() as silent:
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.connect(sock.getsockname())
            silent.settimeout(0.2)
            end = time.monotonic() + 20
            while not made.server_state.connections and time.monotonic() < end:
                time.sleep(0.01)
            with suppress(OSError):
                silent.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n" * 1000)
            while made.server_state.connections and time.monotonic() < end:
                time.sleep(0.05)
            assert not made.server_state.connections
    finally:
        made.should_exit = True
        thread.join(10)
        sock.close()


def test_an_address_in_use(run: Callable[..., tuple[int, str, str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, out, err = run("serve", "--port", port)
    assert (status, out) == (2, "")
    assert err.startswith(f"seabattle: cannot listen on 127.0.0.1, port {port}: ")
    assert "choose another with --port" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "no.such.host.invalid"), "--host no.such.host.invalid"),
        (("--port", "70000"), "--port"),
        (("--workers", "0"), "--workers"),
        (("--memory-limit", "0"), "--memory-limit"),
        (("--time-limit", "-1"), "--time-limit"),
    ],
)
def test_wrong_options(
    run: Callable[..., tuple[int, str, str]], arguments: tuple[str, ...], said: str
) -> None:
    status, out, err = run("serve", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_other_machines_are_warned_of() -> None:
    with running("--host", "0.0.0.0", "--workers", "1") as service:
        assert service.ask("/api/health", host="192.0.2.7:80")[0] == 200
        assert service.ask("/api/health", host="evil.example")[0] == 421
        service.end()
        assert service.process.stderr is not None
        assert "everyone who reaches this machine" in service.process.stderr.read()


def test_workers_by_cores_and_memory() -> None:
    assert memory_free() > 0.1
    assert usual_workers(1e9) == 1
    assert usual_workers(1e-9) >= 1


def test_the_front_process_loads_no_compiler() -> None:
    code = (
        "import sys; from seabattle.web.service import service; "
        "from seabattle.web.settings import Settings; service(Settings()); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
