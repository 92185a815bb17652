"""The front process: it listens, answers, and ends in good order."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from seabattle.enumerate.errors import SeabattleError
from seabattle.web.service import service
from seabattle.web.settings import Settings

IDLE = 30.0
"""Seconds after which a connection is closed on which no request arrives, or no answer is read."""

CONNECTIONS = 500
"""Connections at a time; further ones are answered 503."""

_FULL_BODY = b'{"error": "too many connections are open: ask again later"}'
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 10\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(_FULL_BODY), _FULL_BODY)
)
"""The answer on a connection too many."""


class _Connection(H11Protocol):
    """A connection that is closed when nothing comes of it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.write(FULL)
            transport.close()
        self._since = self.loop.time()
        self._look = self.loop.call_later(IDLE / 4, self._close_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        self._look.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    def _close_if_idle(self) -> None:
        now = self.loop.time()
        unread = self.transport.get_write_buffer_size() > 0
        if self.cycle is not None and not self.cycle.response_complete and not unread:
            self._since = now
        elif now - self._since > IDLE:
            # What a client does not read would keep a connection that is closed in good order.
            if unread:
                self.transport.abort()
            else:
                self.transport.close()
            return
        self._look = self.loop.call_later(IDLE / 4, self._close_if_idle)


class Server(uvicorn.Server):
    """A server that remembers by which signal it was ended.

    Attributes
    ----------
    ended_by
        The number of the signal; None as long as there was none.
    """

    def __init__(self, settings: Settings, *, warm_up: bool = True) -> None:
        app = service(settings, warm_up=warm_up)
        self.app = app
        self.ended_by: int | None = None
        config = uvicorn.Config(
            app,
            http=_Connection,
            ws="none",
            loop="asyncio",
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=256,
            h11_max_incomplete_event_size=16 << 10,
            timeout_graceful_shutdown=int(settings.seconds) + 5,
        )
        super().__init__(config)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; asked again, end at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.ended_by = sig

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more questions, and finish those that are being worked on."""
        self.app.state.desk.close()
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens on an address.

    Raises
    ------
    SeabattleError
        If it cannot; names the address.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SeabattleError(f"--host {host}: there is no such address here ({error})") from None
    try:
        if os.name == "posix":  # elsewhere this would let two programs share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(256)
    except OSError as error:
        made.close()
        raise SeabattleError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; choose another "
            f"with --port"
        ) from None
    return made


def run(settings: Settings, sock: socket.socket, started: Callable[[], Any]) -> int | None:
    """Answer until a signal comes.

    Parameters
    ----------
    settings
        What the service may use.
    sock
        Where it listens.
    started
        Called once it answers.

    Returns
    -------
    signal
        The number of the signal.
    """
    server = Server(settings)

    async def main() -> None:
        async def tell() -> None:
            while not server.started and not server.should_exit:
                await asyncio.sleep(0.02)
            if server.started:
                started()

        telling = asyncio.ensure_future(tell())
        await server.serve([sock])
        telling.cancel()

    asyncio.run(main())
    return server.ended_by
