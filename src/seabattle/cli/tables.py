"""The decision table of a command: the layouts that fit, and how likely each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.options import PATH, with_options, within
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.game.position import Position
    from seabattle.enumerate.layouts.table import DecisionTable

MANY_LAYOUTS = 20_000
"""From so many layouts on, a search may take hours, which is said beforehand."""

prior_options = with_options(
    click.option("--weights", type=PATH, default=None, metavar="FILE",
                 help="How likely each layout is: a CSV file of layouts and weights, a grid of "
                      "cell weights, or a list of observed layouts. "
                      "[default: all equally likely]"),
    click.option("--weights-rule", default=None, metavar="product|sum",
                 help="Whether a layout weighs the product or the sum of a grid's cell weights."),
    click.option("--smoothing", type=int, callback=within(0), default=0, show_default=True,
                 metavar="N",
                 help="Add N to the count of every layout of a list of observed ones."),
)  # fmt: skip


@dataclass(frozen=True)
class Prior:
    """Where the weights of the layouts come from."""

    path: Path
    rule: str | None
    smoothing: int

    @classmethod
    def read(cls, path: Path | None, rule: str | None, smoothing: int) -> Prior | None:
        """The prior that the options ask for; None when all layouts are equally likely."""
        if path is None and (rule is not None or smoothing):
            from seabattle.enumerate.errors import WeightsError

            raise WeightsError("--weights-rule and --smoothing go with --weights FILE")
        return None if path is None else cls(path, rule, smoothing)

    def weigh(self, table: DecisionTable) -> DecisionTable:
        """The table with these weights; layouts of weight 0 stay in it."""
        from seabattle.enumerate.layouts.table import DecisionTable
        from seabattle.enumerate.priors.prior_files import read_weights

        weights = read_weights(self.path, table.layouts, rule=self.rule, smoothing=self.smoothing)
        return DecisionTable(table.layouts, None, weights)


def fitting_table(
    position: Position, memory_limit: float, bar: Bar, prior: Prior | None = None
) -> DecisionTable:
    """The layouts that fit a position, with their weights; many of them are announced."""
    from seabattle.enumerate.layouts.table import DecisionTable

    table = DecisionTable.build(position.rules, memory_limit=memory_limit / 2, progress=bar.layouts)
    if prior is not None:
        table = prior.weigh(table)
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
