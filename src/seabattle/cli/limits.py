"""Limits of time, memory and cores for a whole command."""

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


def limits_with(at_the_limit: str) -> Option:
    """``--time-limit`` and ``--memory-limit``; ``at_the_limit`` says what comes of a stop."""
    return with_options(
        click.option(
            "--time-limit", type=float, default=None, metavar="SECONDS",
            help=f"{at_the_limit} [default: no limit]",
        ),
        memory_option("Memory for the layouts, the search and the trees together."),
    )  # fmt: skip


limit_options = limits_with("Stop after this time, with what is proven by then.")
"""Limits of commands that tell what they have when they are stopped."""

all_or_nothing = limits_with(
    "Give up after this time: then there is no answer, and the exit status is 1."
)
"""Limits of commands of which nothing can be told before the end."""


threads_option = click.option(
    "--threads",
    type=int,
    default=None,
    metavar="N",
    help="Search on so many cores at once. The misses proven are the same with any number; after "
    "the first moments the keys and sub-tables counted, and which of several best trees is found, "
    "are the same in every run only with 1. [default: all cores]",
)
"""``--threads N`` of commands that search a game."""


def check_threads(threads: int | None) -> None:
    """Refuse a number of threads that is out of range."""
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.solver.search.limits import MOST_THREADS

    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise SeabattleError(f"--threads {threads}: must be 1 to {MOST_THREADS}")


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
