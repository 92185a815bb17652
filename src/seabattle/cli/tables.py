"""The decision table of a command: the layouts that fit, and how likely each of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.game.position import Position
    from seabattle.enumerate.layouts.table import DecisionTable
    from seabattle.enumerate.priors.base import Prior

MANY_LAYOUTS = 20_000
"""From so many layouts on, a search may take hours, which is said beforehand."""


def fitting_table(
    position: Position, memory_limit: float, bar: Bar, prior: Prior | None = None
) -> DecisionTable:
    """The layouts that fit a position, with their weights; many of them are announced."""
    from seabattle.enumerate.layouts.table import DecisionTable

    table = DecisionTable.build(
        position.rules, memory_limit=memory_limit / 2, progress=bar.layouts, prior=prior
    )
    if len(table) > MANY_LAYOUTS:
        click.echo(
            f"seabattle: {len(table):,} layouts; an exact search of this size may use all of "
            f"--memory-limit {memory_limit:g} GiB and take hours; it stops at the limits (or "
            f"Ctrl-C) with a proven interval",
            err=True,
        )
    return table.at(position)


def bytes_of(table: DecisionTable) -> int:
    """Memory that a table takes while it is searched."""
    return 2 * (table.masks.nbytes + table.layouts.ships.nbytes)
