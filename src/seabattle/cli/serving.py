"""The commands that answer over HTTP: serve, and play, which opens the page in a browser."""

from __future__ import annotations

import socket
import threading
import webbrowser

import click

from seabattle.cli.options import within

_workers = click.option(
    "--workers",
    type=int,
    callback=within(1, 256),
    default=None,
    metavar="W",
    help="Counting processes. [default: one for each core, as far as the memory goes]",
)


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; the default can be reached from this machine only.",
)
@click.option(
    "--port",
    type=int,
    callback=within(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Port to listen on; 0: any that is free.",
)
@_workers
def serve(host: str, port: int, workers: int | None) -> None:
    """Answer questions of other programs and of the page, over HTTP.

    The questions are those of count, advise, solve and review, asked and answered in JSON.
    """  # fmt: skip
    _run(host, port, workers, browser=False)


@click.command()
@click.option(
    "--port",
    type=int,
    callback=within(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on. [default: any that is free]",
)
@_workers
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
def play(port: int, workers: int | None, no_browser: bool) -> None:
    """Open the page: advice in a real game, a game against the program, a review.

    The page is served from this machine to this machine, and needs no network. Ctrl-C ends it.
    """  # fmt: skip
    _run("127.0.0.1", port, workers, browser=not no_browser)


def _run(host: str, port: int, workers: int | None, *, browser: bool) -> None:
    import uvicorn

    from seabattle.enumerate.errors import SeabattleError
    from seabattle.web.service import service
    from seabattle.web.settings import Settings

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        raise SeabattleError(
            f"cannot listen on {host} port {port}: {error.strerror or error}"
        ) from None
    port = listening.getsockname()[1]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    click.echo(f"seabattle: {address} (Ctrl-C ends it)")
    if browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    settings = Settings(host, port, workers or 1)
    uvicorn.Server(uvicorn.Config(service(settings), log_level="error")).run([listening])
