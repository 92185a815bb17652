"""The command that sets greedy play beside the optimum: compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import asked_position, game_options, implied_answers
from seabattle.cli.limits import check_limits, elapsed, limit_options
from seabattle.cli.options import json_option, out_option
from seabattle.cli.pictures import asked_pictures, folder_picture_options
from seabattle.cli.printing import print_json, print_lines
from seabattle.cli.priors import asked_prior, prior_lines, prior_option
from seabattle.cli.progress import Bar
from seabattle.cli.tables import bytes_of, fitting_table
from seabattle.documents.solutions import prior_document

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position

ALL = "all"
"""What ``--answers`` calls every answer mode."""


@click.command()
@game_options("hit|sunk|ship|all", usual_answers="all, whatever the fleet")
@out_option("Write the trees, the pictures and the table to this folder.")
@folder_picture_options("svg")
@prior_option
@limit_options
@json_option
def compare(
    out: Path | None,
    formats: str,
    scale: float | None,
    theme: str,
    prior: str,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Compare greedy play with the proven optimum.

    Both greedy rules and the optimal trees, of least mean and of least worst case, in every answer
    mode; each tree is verified.
    """
    from seabattle.cli.comparison_reports import (
        comparison_document,
        comparison_lines,
        comparison_table,
        save_comparison,
    )
    from seabattle.cli.output_files import output_folder
    from seabattle.enumerate.rules import AnswerMode
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.studies.compare import compare as compare_strategies

    check_limits(time_limit, memory_limit)
    pictures = asked_pictures(formats, scale, theme, out)
    position, answers = _asked(game)
    refuse_large_board(position.rules)
    believed = asked_prior(prior, position.rules)
    with output_folder(out), Bar("compare") as bar:
        table = fitting_table(position, memory_limit, bar, believed)
        result = compare_strategies(
            table,
            list(AnswerMode) if answers == ALL else [answers],
            **bar.within(time_limit, memory_limit, bytes_of(table)),
        )
        told = prior_document(believed, table)
        saved = []
        if out is not None:
            saved = save_comparison(result, answers, out, bar.say, told, pictures)
    for note in result.notes:
        click.echo(f"seabattle: {note}", err=True)
    if as_json:
        document = comparison_document(result, answers, told)
        print_json({**document, "seconds": elapsed()})
    else:
        print_lines([*comparison_lines(result, answers), *prior_lines(believed, table)])
        click.echo()
        click.echo(comparison_table(result))
        if saved:
            click.echo(f"\n{len(saved)} files written to {out}")
    return 130 if result.interrupted else 0


def _asked(game: dict[str, Any]) -> tuple[Position, str]:
    """The position, and the answers to compare: one mode, or all where no option says which."""
    answers = game["answers"]
    if answers is None and game["position"] is None:
        answers = implied_answers(game) or ALL
    if answers is not None and answers.strip().lower() == ALL:
        # sunk is the mode in which all other options of the game have a meaning
        return asked_position(**{**game, "answers": "sunk"}), ALL
    position = asked_position(**game)
    return position, position.rules.answers.value
