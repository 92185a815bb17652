"""The decision table of a command: the layouts that fit, and how likely each of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from seabattle.cli.foretelling import INTERVAL
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.priors.prior import Prior
    from seabattle.enumerate.table import DecisionTable

MANY_LAYOUTS = 20_000
"""From so many layouts on, a search may take hours, which is said beforehand."""


BYTES_LISTED = 64
"""About what a layout takes that is only listed, to find those that fit a position."""

BYTES_SOLVED = 320
"""About what a layout takes at the most while a game is solved: itself, its occupancy, its nodes in
two trees, and its place in what verifies one of them."""

SPARE_GIB = 0.1
"""What layouts may take beyond the limit, which the program itself does not count towards."""

NO_ANSWER = "there is no answer before its end"


def fitting_table(
    position: Position,
    memory_limit: float,
    bar: Bar,
    prior: Prior | None = None,
    *,
    stopped: str | None = INTERVAL,
) -> DecisionTable:
    """The layouts that fit a position, with their weights; many of them are announced.

    ``stopped`` says what comes of a search that is stopped, ``INTERVAL`` or ``NO_ANSWER``; it is
    None where many layouts are no reason to warn.

    Raises
    ------
    TooLargeError
        If they, and trees that part them, would take more than the limit; before much is done.
    """
    from seabattle.enumerate.errors import TooLargeError
    from seabattle.enumerate.table import DecisionTable

    counted = memory_limit / (memory_limit + SPARE_GIB)  # the share that counts
    table = DecisionTable.build(
        position.rules,
        memory_limit=memory_limit,
        progress=bar.layouts,
        prior=prior,
        bytes_each=int(counted * (BYTES_LISTED if position.shots else BYTES_SOLVED)),
    ).at(position)
    needed = counted * bytes_of(table) / 2**30
    if needed > memory_limit:
        raise TooLargeError(
            f"{len(table):,} layouts fit, and trees that part them need {needed:.3g} GiB; the "
            f"limit is {memory_limit:g} GiB: raise it, or take a smaller board or fleet"
        )
    if len(table) > MANY_LAYOUTS and stopped is not None:
        what = (
            "what a proof takes is estimated once the search has run for some seconds"
            if stopped == INTERVAL
            else f"an exact search of this size may use all of --memory-limit {memory_limit:g} GiB "
            f"and take hours"
        )
        click.echo(f"seabattle: {len(table):,} layouts; {what}; {stopped}", err=True)
    return table


def bytes_of(table: DecisionTable) -> int:
    """Memory that the layouts of a table, and trees that part them, take besides the search."""
    return BYTES_SOLVED * len(table)
