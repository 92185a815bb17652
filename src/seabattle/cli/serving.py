"""The commands that answer over HTTP: serve, and play, which opens the page in a browser."""

from __future__ import annotations

import ipaddress
import signal
import threading
import webbrowser

import click

from seabattle.cli.limits import check_limits
from seabattle.cli.options import Option, with_options, within


def _counting_options() -> Option:
    return with_options(
        click.option(
            "--workers",
            type=int,
            callback=within(1, 256),
            default=None,
            metavar="W",
            help="Counting processes. [default: one for each core, as far as the memory goes]",
        ),
        click.option(
            "--memory-limit",
            type=float,
            default=2.0,
            show_default=True,
            metavar="GIB",
            help="Memory for each counting process.",
        ),
        click.option(
            "--time-limit",
            type=float,
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="The longest time that one question may take.",
        ),
    )


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; with the default, only this machine can ask, with 0.0.0.0 everyone "
    "on the network.",
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
@_counting_options()
def serve(host: str, port: int, workers: int | None, memory_limit: float, time_limit: float) -> int:
    """Answer other programs over HTTP, in JSON.

    The questions are those of count, advise, solve and review, and the answers those they print
    with --json; there are games against the program, too. GET /openapi.json describes all of it,
    and GET / is the page of seabattle play. Ctrl-C ends it when what runs is finished. Try:

    \b
      seabattle serve --port 8000
      curl localhost:8000/api/count -H "content-type: application/json" \\
        -d '{"fleet": "russian", "shots": [["C4", "hit"]]}'
    """  # noqa: D301
    return _run(host, port, workers, memory_limit, time_limit, browser=False)


@click.command()
@click.option(
    "--port",
    type=int,
    callback=within(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on. [default: any that is free]",
)
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
@_counting_options()
def play(
    port: int, no_browser: bool, workers: int | None, memory_limit: float, time_limit: float
) -> int:
    """Open a page in the browser for advice, play and review.

    Advice in a real game, tap by tap; a game against the program; a look back at what was lost. The
    machine serves the page to itself, without any network; for a phone see seabattle serve --host.
    Ctrl-C ends it. Try:

    \b
      seabattle play
      seabattle play --port 8000 --no-browser
    """  # noqa: D301
    return _run("127.0.0.1", port, workers, memory_limit, time_limit, browser=not no_browser)


def _run(
    host: str,
    port: int,
    workers: int | None,
    memory_limit: float,
    time_limit: float,
    *,
    browser: bool,
) -> int:
    """Serve until a signal comes: status 130 after Ctrl-C, else 0."""
    check_limits(time_limit, memory_limit)
    from seabattle.web.server import listening, run
    from seabattle.web.settings import Settings, usual_workers

    sock = listening(host, port)
    if workers is None:
        workers = usual_workers(memory_limit)
    port = sock.getsockname()[1]
    settings = Settings(host, port, workers, memory=memory_limit, seconds=time_limit)
    address = _address(host, port)

    def started() -> None:
        counting = f"{workers} counting process" + ("es" if workers != 1 else "")
        click.echo(f"seabattle: {address} ({counting} of {memory_limit:g} GiB; Ctrl-C ends it)")
        if not _is_loopback(host):
            click.echo(
                f"seabattle: --host {host}: everyone who reaches this machine over the network "
                f"can ask",
                err=True,
            )
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    return 130 if run(settings, sock, started) == signal.SIGINT else 0


def _address(host: str, port: int) -> str:
    """The address of the page.

    >>> _address("::1", 80), _address("0.0.0.0", 80)
    ('http://[::1]:80/', 'http://127.0.0.1:80/')
    """
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
