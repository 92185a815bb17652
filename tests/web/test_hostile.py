"""Requests that mean harm or nothing: each is refused in one sentence, and the service goes on."""

from __future__ import annotations

import socket
import time

import pytest
from support.nonsense import NONSENSE
from support.serving import Running

GAME = {"fleet": "russian", "shots": [["C4", "hit"]]}
MOST = 300
"""Characters of the longest sentence."""


def test_a_hundred_kinds_of_nonsense(service: Running) -> None:
    assert len(NONSENSE) >= 100
    for name, body in NONSENSE.items():
        status, answer, headers = service.ask("/api/count", body)
        assert 400 <= status < 500, (name, status, answer)
        assert headers["content-type"] == "application/json", name
        assert answer.keys() <= {"error", "conflict"}, name
        assert 0 < len(answer["error"]) < MOST, (name, answer)
        assert answer["error"].isprintable(), (name, answer)
        assert "--" not in answer["error"], (name, answer)
    assert service.ask("/api/count", GAME)[0] == 200


def test_nonsense_elsewhere(service: Running) -> None:
    paths = ("advise", "solve", "review", "position", "picture")
    for number, (name, body) in enumerate(NONSENSE.items()):
        status, answer, _ = service.ask(f"/api/{paths[number % len(paths)]}", body)
        if isinstance(answer, dict) and "error" in answer:
            assert 400 <= status < 500, (name, status, answer)
        else:  # answers that contradict are a good question about a position
            assert status == 200, (name, status)


def test_files_are_out_of_reach(service: Running) -> None:
    for fields in (
        {"position": "/etc/passwd"},
        {"options": {"prior": "/etc/passwd"}},
        {"options": {"strategy": "/tmp"}},
        {"options": {"checkpoint": "/tmp/x"}},
        {"options": {"map": "/tmp/x.svg"}},
    ):
        for path in ("count", "advise", "solve", "review", "picture"):
            status, answer, _ = service.ask(f"/api/{path}", {**GAME, **fields})
            assert status == 422, (path, fields)
            assert "unknown" in answer["error"] or "none of uniform, people" in answer["error"]


def test_the_body_is_bounded(service: Running) -> None:
    status, answer, headers = service.ask("/api/count", b" " * 65_537)
    assert (status, answer["error"]) == (413, "the request has more than 65,536 bytes")
    assert headers["connection"] == "close"
    padded = b'{"fleet": "russian"}' + b" " * (65_536 - 20)
    assert service.ask("/api/count", padded)[0] == 200
    host, port = service.netloc.split(":")
    with socket.create_connection((host, int(port)), 10) as chunked:
        chunked.sendall(
            f"POST /api/count HTTP/1.1\r\nhost: {service.netloc}\r\ntransfer-encoding: chunked\r\n"
            f"content-type: application/json\r\n\r\n".encode()
        )
        for _ in range(5):
            chunked.sendall(b"4000\r\n" + b" " * 0x4000 + b"\r\n")
        assert chunked.recv(1000).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"content_type": "multipart/form-data; boundary=x"}, 415),
        ({"content_type": ""}, 415),
        ({"content_encoding": "gzip"}, 415),
        ({"content_type": "Application/JSON; charset=utf-8"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:80"}, 421),
        ({"host": ""}, 421),
        ({"host": "localhost:port"}, 421),
        ({"host": "localhost@evil.example"}, 421),
        ({"host": "LOCALHOST:1"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"sec_fetch_site": "same-origin"}, 200),
        ({"sec_fetch_site": "none"}, 200),
    ],
)
def test_headers_of_requests(service: Running, headers: dict[str, str], status: int) -> None:
    found, answer, _ = service.ask("/api/count", GAME, **headers)
    assert found == status, answer
    if status != 200:
        assert "\n" not in answer["error"]


def test_the_page_of_this_service_may_ask(service: Running) -> None:
    assert service.ask("/api/count", GAME, origin=service.url)[0] == 200
    other = service.url.replace("127.0.0.1", "localhost")
    assert service.ask("/api/count", GAME, origin=other)[0] == 403, "another name, another page"


def raw(service: Running, sent: bytes, seconds: float = 5.0) -> bytes:
    """What comes back on a connection of its own."""
    host, port = service.netloc.split(":")
    with socket.create_connection((host, int(port)), seconds) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while part := connection.recv(65_536):
            found += part
        return found


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"hello there\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"POST /api/count HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n{}",
        b"POST /api/count HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1e9\r\n\r\n{}",
        b"POST /api/count HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n"
        b"content-length: 6\r\n\r\n{}",
        b"POST /api/count HTTP/1.1\r\nhost: localhost\r\ncontent-length: "
        + b"9" * 400 + b"\r\n\r\n{}",
        b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_hardly_http(service: Running, sent: bytes) -> None:
    answer = raw(service, sent)
    assert answer == b"" or b" 4" in answer.split(b"\r\n")[0], answer[:200]
    assert service.ask("/api/health")[0] == 200


def test_web_sockets_are_not_spoken(service: Running) -> None:
    answer = raw(
        service,
        f"GET / HTTP/1.1\r\nhost: {service.netloc}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode(),
    )
    assert b" 101 " not in answer.split(b"\r\n")[0]


def test_a_client_that_leaves_is_not_counted_for(service: Running) -> None:
    """Questions that nobody waits for neither fill the queue nor hold the processes up."""
    host, port = service.netloc.split(":")
    before = service.health()
    body = b'{"fleet": "hasbro", "contact": "corners", "shots": [["A%d", "miss"]]}'
    for number in range(1, 11):
        with socket.create_connection((host, int(port)), 10) as connection:
            sent = body % number
            connection.sendall(
                f"POST /api/count HTTP/1.1\r\nhost: {service.netloc}\r\n"
                f"content-type: application/json\r\ncontent-length: {len(sent)}\r\n\r\n".encode()
                + sent
            )
            time.sleep(0.02)
    begin = time.monotonic()
    while (health := service.health())["waiting"] or health["busy"]:
        assert time.monotonic() - begin < 20
        time.sleep(0.05)
    assert health["dropped"] - before["dropped"] >= 5
    assert health["counted"] - before["counted"] <= 5
