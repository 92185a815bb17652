"""The options of commands that can use several processes, or a Dask cluster."""

from __future__ import annotations

import click

from seabattle.cli.options import Option, with_options


def sharing_options(workers: str, scheduler: str) -> Option:
    """``--workers W`` and ``--scheduler ADDRESS``, with what they do as help."""
    return with_options(
        click.option("--workers", type=int, default=None, metavar="W", help=workers),
        click.option("--scheduler", default=None, metavar="ADDRESS",
                     help=f"{scheduler} as in tcp://host:8786."),
    )  # fmt: skip


def require_workers(workers: int | None, refused: type[ValueError] | None = None) -> None:
    """Refuse a number of processes below 1.

    Raises
    ------
    SeabattleError
        Of the class ``refused``, if one is given.
    """
    from seabattle.enumerate.errors import SeabattleError

    if workers is not None and workers < 1:
        raise (refused or SeabattleError)(f"--workers {workers}: at least 1 is needed")


def refuse_both(workers: int | None, scheduler: str | None) -> None:
    """Refuse processes here together with a cluster.

    Raises
    ------
    SeabattleError
        If both are given.
    """
    from seabattle.enumerate.errors import SeabattleError

    if workers is not None and scheduler is not None:
        raise SeabattleError(
            f"--workers {workers} is about processes on this machine: with --scheduler leave it out"
        )
