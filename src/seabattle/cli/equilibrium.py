"""The command about an opponent who knows the plan: equilibrium."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.games import rules_options
from seabattle.cli.limits import check_limits, elapsed, limit_options
from seabattle.cli.options import (
    PATH,
    given_options,
    json_option,
    out_option,
    within,
)
from seabattle.cli.pictures import asked_pictures, folder_picture_options
from seabattle.cli.printing import game_lines, print_answer, print_lines, print_verdict
from seabattle.cli.progress import Bar
from seabattle.cli.tables import bytes_of

if TYPE_CHECKING:
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium

_game_options = rules_options("none|corners", "hit|sunk")


def solve_rules(
    rules: Rules, gap: float, time_limit: float | None, memory_limit: float
) -> Equilibrium:
    """Solve a game with the progress shown."""
    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.equilibrium.double_oracle import equilibrium as solve_game
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.trees.plans import require_plannable

    refuse_large_board(rules)
    require_plannable(rules)
    with Bar("equilibrium") as bar:
        table = DecisionTable.build(rules, memory_limit=memory_limit / 2, progress=bar.layouts)
        begun = time.monotonic()
        built: list[float] = []

        def say(text: str) -> None:
            if text.startswith("between") and not built:
                built.append(time.monotonic() - begun)
                # the certificate searches much the same sub-tables again
                closing = "stopped; certifying the interval so far", 1.5 * built[0]
                bar.closing = lambda: closing
            bar.say(text)

        return solve_game(
            table,
            gap=gap,
            **{**bar.within(time_limit, memory_limit, bytes_of(table)), "progress": say},
        )


@click.command()
@_game_options
@click.option(
    "--gap",
    type=float,
    default=1e-6,
    show_default=True,
    metavar="MISSES",
    help="Stop when the value is known to within this.",
)
@out_option("Write the mixes, the pictures and the tables to this folder.")
@folder_picture_options("svg")
@click.option(
    "--trees",
    type=int,
    callback=within(0),
    default=3,
    show_default=True,
    metavar="N",
    help="With --out: write the N likeliest trees as tree files.",
)
@click.option(
    "--check",
    type=PATH,
    metavar="DIR",
    help="Instead of solving, recompute every figure in a folder that --out wrote, its pictures "
    "apart; exit status 1 when one is not what the folder claims.",
)
@limit_options
@json_option
def equilibrium(
    board: str | None,
    fleet: str | None,
    contact: str | None,
    answers: str | None,
    gap: float,
    out: Path | None,
    formats: str,
    scale: float | None,
    theme: str,
    trees: int,
    check: Path | None,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
) -> int:
    """Solve the game against an opponent who knows your plan.

    Finds the random mix of layouts to hide and the random mix of trees to shoot by that neither
    side can improve on, and compares other ways to shoot with it.
    """
    from seabattle.solver.equilibrium.double_oracle import check_gap

    check_limits(time_limit, memory_limit)
    check_gap(gap)
    if check is not None:
        refuse_beside("--check", "out", "trees", "formats", "scale", "theme")
        return check_folder(check, time_limit, memory_limit, as_json=as_json)
    from seabattle.cli.equilibrium_reports import equilibrium_lines, save_equilibrium
    from seabattle.cli.output_files import output_folder
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.equilibrium.exploitability import matchups, matchups_table

    pictures = asked_pictures(formats, scale, theme, out)
    rules = Rules(board, fleet, contact, answers)
    with output_folder(out):
        solved = solve_rules(rules, gap, time_limit, memory_limit)
        rows = matchups(solved)
        saved = []
        if out is not None:
            saved = save_equilibrium(solved, rows, out, trees=trees, pictures=pictures)
    if as_json:
        print_answer(
            rules,
            {
                "layouts": len(solved.layouts),
                "status": _status(solved, gap),
                "value": float(solved.value),
                "lower_bound": float(solved.lower_bound),
                "upper_bound": float(solved.upper_bound),
                "gap": float(solved.gap),
                "uniform_value": float(solved.uniform_value),
                "exact": {
                    "value": str(solved.value) if solved.is_exact else None,
                    "lower_bound": str(solved.lower_bound),
                    "upper_bound": str(solved.upper_bound),
                    "uniform_value": str(solved.uniform_value),
                },
                "trees": len(solved.plans),
                "layouts_in_support": solved.layouts_in_support,
                "subtables": solved.subtables,
                "sweeps": solved.sweeps,
                "stopped_by": solved.stopped_by,
                "matchups": [row.document() for row in rows],
                "seconds": elapsed(),
            },
        )
    else:
        print_lines([*game_lines(rules), *equilibrium_lines(solved, _status(solved, gap))])
        click.echo("\nmean misses of each way to shoot, by how the fleet is hidden:")
        click.echo(matchups_table(rows))
        if saved:
            click.echo(f"\n{len(saved)} files written to {out}")
    return 130 if solved.interrupted else 0


def _status(solved: Equilibrium, gap: float) -> str:
    if solved.is_exact:
        return "exact"
    return "closed" if solved.gap <= Fraction(gap) else "bounded"


def refuse_beside(option: str, *others: str) -> None:
    """Refuse options that mean nothing where game and mixes come from a folder."""
    given = given_options("board", "fleet", "contact", "answers", "gap", *others)
    if given:
        from seabattle.enumerate.errors import RulesError

        raise RulesError(
            f"{option} takes the game and its mixes from the folder: leave out {', '.join(given)}"
        )


def check_folder(
    folder: Path, time_limit: float | None, memory_limit: float, *, as_json: bool
) -> int:
    """Recompute what a folder of mixes claims; exit status."""
    from seabattle.cli.equilibrium_reports import report_problems
    from seabattle.enumerate.errors import FileAccessError, SeabattleError, WorkFailed
    from seabattle.solver.equilibrium.exploitability import matchups
    from seabattle.solver.equilibrium.mix_check import check_files
    from seabattle.solver.equilibrium.mix_files import check_mixes, load_mixes

    problems: list[str] = []
    solved = None
    try:
        solved = load_mixes(folder)
        with Bar("check") as bar:
            bar.say(f"{len(solved.plans)} trees")
            problems = check_mixes(solved, **bar.within(time_limit, memory_limit))
            problems += check_files(solved, folder)
            if not problems:
                bar.say("the tables beside them")
                rows = matchups(solved, time_limit=time_limit, memory_limit=memory_limit)
                problems = report_problems(solved, rows, folder)
    except (FileAccessError, WorkFailed):
        raise
    except SeabattleError as error:
        problems = [str(error)]
    lines = []
    if solved is not None:
        between = f"{float(solved.lower_bound):.9f} to {float(solved.upper_bound):.9f}"
        lines = [
            ("interval", f"{between} claimed" if problems else f"{between}, recomputed"),
            ("trees", f"{len(solved.plans)}"),
        ]
    return print_verdict(
        solved.rules if solved else None,
        "equilibrium",
        problems,
        as_json=as_json,
        found={
            "lower_bound": float(solved.lower_bound) if solved else None,
            "upper_bound": float(solved.upper_bound) if solved else None,
            "trees": len(solved.plans) if solved else None,
            "layouts_in_support": solved.layouts_in_support if solved else None,
        },
        lines=lines,
    )
