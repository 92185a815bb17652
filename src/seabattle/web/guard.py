"""What holds for every request and answer: who may ask, how much is read, what browsers may do."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seabattle.web.settings import LOOPBACK, Settings

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content security policy of every answer that has no other."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class Guard:
    """An application that refuses what must not be asked, before another one is asked.

    The header ``Host`` has to name this machine: a page of a foreign site could otherwise make
    its own name stand for this machine's address, and ask in the name of whoever opened it.
    Requests that a page of another site makes are refused, too.

    Parameters
    ----------
    app
        The application that is guarded.
    settings
        The address, and the length of a request.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self._names = {name.lower() for name in (*LOOPBACK, settings.host)}
        self._any_address = settings.host in ("0.0.0.0", "::")
        if self._any_address:
            own = socket.gethostname().lower()
            self._names |= {own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_headers(message.get("headers", ()))
            await send(message)

        refused = self._refused(scope)
        if refused is None:
            await self.app(scope, receive, send_guarded)
            return
        status, said = refused
        body = json.dumps({"error": said}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await send_guarded({"type": "http.response.start", "status": status, "headers": headers})
        await send_guarded({"type": "http.response.body", "body": body})

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence of a refusal, None if the request may be answered."""
        given: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = given.get("host", [])
        if len(hosts) != 1 or not self._is_here(hosts[0]):
            return 421, "the header Host does not name this service"
        if scope["path"] != "/" or scope["method"] not in ("GET", "HEAD"):
            own = {f"http://{hosts[0].lower()}", f"https://{hosts[0].lower()}"}
            sites = given.get("sec-fetch-site", [])
            if any(origin.lower() not in own for origin in given.get("origin", [])) or any(
                site not in ("same-origin", "none") for site in sites
            ):
                return 403, "pages of other sites may not ask this service"
        most = self.settings.body_bytes
        for length in given.get("content-length", []):
            if not (length.isascii() and length.isdigit()):
                return 400, "the header Content-Length must be a number"
            if len(length) > 18 or int(length) > most:
                return 413, f"the request has more than {most:,} bytes"
        return None

    def _is_here(self, host: str) -> bool:
        """Whether a header ``Host`` names this service."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            urlsplit(f"//{host}").port  # noqa: B018  raises if it is none
        except ValueError:
            return False
        if "@" in host or "/" in host:
            return False
        return name in self._names or (self._any_address and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Headers with those that every answer has; its own win."""
    headers = list(given)
    known = {name.lower() for name, _ in headers}
    added = {**HEADERS, "content-security-policy": POLICY}
    headers += [
        (name.encode(), value.encode())
        for name, value in added.items()
        if name.encode() not in known
    ]
    return headers
