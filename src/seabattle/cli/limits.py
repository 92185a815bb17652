"""Limits of time and memory for a whole command."""

from __future__ import annotations

import time

import click

from seabattle.cli.options import Option, with_options

STARTED = time.monotonic()
"""When the program began: limits and ``seconds`` count from here."""


LEAST_GIB = 1e-12
"""Far less than a byte: with less the numbers in messages would make no sense."""


KEPT = "The program itself takes up to 0.4 GiB besides."
"""What the help says of every memory limit; ``tests/benchmarks/memory_of_process.py`` measures it:
a process stays within 1.25 times the limit and 0.4 GiB."""


def memory_option(help: str) -> Option:
    """``--memory-limit GIB``; ``help`` says what takes the memory."""
    return click.option(
        "--memory-limit",
        type=float,
        default=4.0,
        show_default=True,
        metavar="GIB",
        help=f"{help} {KEPT}",
    )


limit_options = with_options(
    click.option(
        "--time-limit", type=float, default=None, metavar="SECONDS",
        help="Stop after this time, with what is proven by then. [default: no limit]",
    ),
    memory_option("Memory for the layouts, the search and the trees together."),
)  # fmt: skip


def check_limits(time_limit: float | None, memory_limit: float) -> None:
    """Refuse limits that are not positive numbers."""
    from seabattle.enumerate.errors import SeabattleError

    for name, value in (("--time-limit", time_limit), ("--memory-limit", memory_limit)):
        if value is not None and not 0 < value < float("inf"):
            raise SeabattleError(f"{name} {value:g}: must be a number above 0")
    if memory_limit < LEAST_GIB:
        raise SeabattleError(
            f"--memory-limit {memory_limit:g}: nothing fits into less than {LEAST_GIB:g} GiB"
        )


def elapsed() -> float:
    """Seconds since the program began."""
    return time.monotonic() - STARTED
