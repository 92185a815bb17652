"""The option ``--prior``, and what commands say about the prior that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from seabattle.cli.options import FILE_OR_NAME

if TYPE_CHECKING:
    from seabattle.enumerate.priors.prior import Prior
    from seabattle.enumerate.rules import Rules
    from seabattle.enumerate.table import DecisionTable

prior_option = click.option(
    "--prior",
    type=FILE_OR_NAME,
    default="uniform",
    show_default=True,
    metavar="uniform|people|FILE",
    help="How likely each layout is before the first shot: all equally likely (uniform), as people "
    "hide on 10x10 with the fleet hasbro (people), or as a file says. The file is JSON, or CSV "
    "whose first line tells what it holds: layout,weight; placement,weight; cells,product; "
    "cells,sum; or games.",
)


def asked_prior(text: str, rules: Rules) -> Prior | None:
    """The prior that ``--prior`` names, for the game; None when all layouts are equally likely.

    Raises
    ------
    SeabattleError
        If its file cannot be read or is wrong, or it is of another game.
    """
    from seabattle.enumerate.errors import WeightsError
    from seabattle.enumerate.priors.files import load_prior

    if not text.strip():
        raise WeightsError(f"--prior {text!r}: write uniform, people or the name of a file")
    return load_prior(text, rules)


def prior_lines(prior: Prior | None, table: DecisionTable) -> list[tuple[str, str]]:
    """The prior of a table as a name and a text; nothing if it is uniform."""
    if prior is None:
        return []
    rounding = (
        f": weights rounded to whole numbers, total variation {float(table.rounding):.2g}"
        if table.rounding
        else ""
    )
    return [("prior", f"{prior.name}{rounding}")]
