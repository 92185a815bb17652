"""The commands about an opponent who knows the plan: equilibrium, hide."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from seabattle.cli.options import (
    PATH,
    STARTED,
    Bar,
    check_limits,
    given_options,
    json_option,
    limit_options,
)
from seabattle.cli.printing import print_json, print_lines

if TYPE_CHECKING:
    from seabattle.enumerate.game.rules import Rules
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium

HIDE_GAP = 1e-3

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _rules_options(command: _Command) -> _Command:
    """The game alone: these commands start from an empty board."""
    options = [
        click.option("--board", default="5x5", show_default=True, metavar="ROWSxCOLUMNS",
                     help="Size of the board."),
        click.option("--fleet", default="3,2,2,1,1,1", show_default=True, metavar="LENGTHS",
                     help="Ship lengths, or a name."),
        click.option("--contact", metavar="none|corners",
                     help="Whether ships may touch: not at all, or at corners. [default: the "
                          "named fleet's own rule, else none]"),
        click.option("--answers", default="hit", show_default=True, metavar="hit|sunk",
                     help="What a shot reveals."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _rules(board: str, fleet: str, contact: str | None, answers: str) -> Rules:
    from seabattle.enumerate.game.rules import Rules

    return Rules(board, fleet, contact, answers)


def _solve(rules: Rules, gap: float, time_limit: float | None, memory_limit: float) -> Equilibrium:
    """Solve a game with the progress shown."""
    from seabattle.enumerate.layouts.table import DecisionTable
    from seabattle.solver.equilibrium.double_oracle import equilibrium as solve_game
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.trees.tree.plans import require_plannable

    refuse_large_board(rules)
    require_plannable(rules)
    with Bar("equilibrium") as bar:
        table = DecisionTable.build(rules, memory_limit=memory_limit / 2, progress=bar.layouts)
        used = 2 * (table.masks.nbytes + table.layouts.ships.nbytes)
        return solve_game(
            table,
            gap=gap,
            **{**bar.within(time_limit, memory_limit, used), "progress": bar.say},
        )


@click.command()
@_rules_options
@click.option(
    "--gap",
    type=float,
    default=1e-6,
    show_default=True,
    help="Stop when the value is known this closely, in misses.",
)
@click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Write the mixes, pictures and tables to this folder.",
)
@click.option(
    "--trees",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="With --out: how many of the likeliest trees to write as tree files.",
)
@click.option(
    "--check",
    type=PATH,
    metavar="DIR",
    help="Instead of solving: recompute the interval of mixes that --out wrote; exit status 1 "
    "when they do not show what they claim.",
)
@limit_options
@json_option
def equilibrium(
    board: str,
    fleet: str,
    contact: str | None,
    answers: str,
    gap: float,
    out: Path | None,
    trees: int,
    check: Path | None,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
) -> int:
    """Solve hiding and shooting against an opponent who knows your strategy."""
    from seabattle.solver.equilibrium.double_oracle import check_gap

    check_limits(time_limit, memory_limit)
    check_gap(gap)
    if check is not None:
        _refuse_beside("--check", "out", "trees")
        return _check(check, time_limit, memory_limit, as_json=as_json)
    from seabattle.cli.equilibrium_reports import game_lines, save_equilibrium
    from seabattle.cli.reports import output_folder
    from seabattle.solver.equilibrium.exploitability import matchups, matchups_table

    rules = _rules(board, fleet, contact, answers)
    with output_folder(out):
        solved = _solve(rules, gap, time_limit, memory_limit)
        rows = matchups(solved)
        saved = save_equilibrium(solved, rows, out, trees=trees) if out is not None else []
    if as_json:
        print_json(
            {
                "board": str(rules.board),
                "fleet": str(rules.fleet),
                "contact": rules.contact.value,
                "answers": rules.answers.value,
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
                "seconds": time.monotonic() - STARTED,
            }
        )
    else:
        print_lines(game_lines(solved, _status(solved, gap)))
        click.echo("\nmean misses of each way to shoot, by how the fleet is hidden:")
        click.echo(matchups_table(rows))
        if saved:
            click.echo(f"\n{len(saved)} files written to {out}")
    return 130 if solved.interrupted else 0


def _status(solved: Equilibrium, gap: float) -> str:
    if solved.is_exact:
        return "exact"
    return "closed" if solved.gap <= Fraction(gap) else "bounded"


def _refuse_beside(option: str, *others: str) -> None:
    """Refuse options that mean nothing where game and mixes come from a folder."""
    given = given_options("board", "fleet", "contact", "answers", "gap", *others)
    if given:
        from seabattle.enumerate.errors import RulesError

        raise RulesError(
            f"{option} takes the game and its mixes from the folder: leave out {', '.join(given)}"
        )


def _check(folder: Path, time_limit: float | None, memory_limit: float, *, as_json: bool) -> int:
    """Recompute what saved mixes claim."""
    from seabattle.enumerate.errors import FileAccessError, SeabattleError, WorkFailed
    from seabattle.solver.equilibrium.mix_files import check_mixes, load_mixes

    problems: list[str] = []
    solved = None
    try:
        solved = load_mixes(folder)
        with Bar("check") as bar:
            bar.say(f"{len(solved.plans)} trees")
            problems = check_mixes(solved, **bar.within(time_limit, memory_limit))
    except (FileAccessError, WorkFailed):
        raise
    except SeabattleError as error:
        problems = [str(error)]
    if as_json:
        print_json(
            {
                "valid": not problems,
                "lower_bound": float(solved.lower_bound) if solved else None,
                "upper_bound": float(solved.upper_bound) if solved else None,
                "trees": len(solved.plans) if solved else None,
                "layouts_in_support": solved.layouts_in_support if solved else None,
                "problems": problems,
            }
        )
    else:
        lines = [("valid", "no" if problems else "yes")]
        if solved is not None:
            between = f"{float(solved.lower_bound):.9f} to {float(solved.upper_bound):.9f}"
            lines += [
                ("game", str(solved.rules)),
                ("interval", f"{between} claimed" if problems else f"{between}, recomputed"),
                ("trees", f"{len(solved.plans)}"),
            ]
        print_lines([*lines, *(("problem", problem) for problem in problems)])
    return 1 if problems else 0


@click.command()
@_rules_options
@click.option(
    "--from",
    "folder",
    type=PATH,
    metavar="DIR",
    help="Draw from mixes that 'equilibrium --out DIR' wrote, instead of solving the game.",
)
@click.option("--seed", type=int, default=None, help="Seed of the draw. [default: none]")
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FILE.svg",
    help="Write a picture of the layout.",
)
@click.option(
    "--gap",
    type=float,
    default=HIDE_GAP,
    show_default=True,
    help="How closely to solve the game first, in misses.",
)
@limit_options
@json_option
def hide(
    board: str,
    fleet: str,
    contact: str | None,
    answers: str,
    folder: Path | None,
    seed: int | None,
    output: Path | None,
    gap: float,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
) -> int:
    """Draw a layout to use at the table, at random from the equilibrium."""
    from seabattle.enumerate.errors import DrawingError, SeabattleError
    from seabattle.solver.equilibrium.double_oracle import check_gap

    check_limits(time_limit, memory_limit)
    check_gap(gap)
    if seed is not None and seed < 0:
        raise SeabattleError(f"--seed {seed}: must be 0 or above")
    if output is not None and output.suffix.lower() != ".svg":
        raise DrawingError(f"output {output}: write a .svg file")
    if folder is not None:
        _refuse_beside("--from")
    import numpy as np

    from seabattle.solver.equilibrium.mix_files import load_mixes
    from seabattle.trees.drawing.layout_pictures import layout_text, layouts_svg
    from seabattle.trees.tree.tree_files import write_text

    if folder is not None:
        solved = load_mixes(folder)
    else:
        rules = _rules(board, fleet, contact, answers)
        solved = _solve(rules, gap, time_limit, memory_limit)
    number = solved.draw_layout_number(np.random.default_rng(seed))
    names, ships = solved.layouts.names(number), solved.layouts.ships[number].tolist()
    chance = float(solved.hiding_probabilities[number])
    if output is not None:
        title = f"A layout of {solved.rules.fleet} on {solved.rules.board}"
        told = f"drawn from the hiding mix, chance {100 * chance:.3g} %"
        write_text(output, layouts_svg(solved.rules, [(ships, " ".join(names))], title, told))
    if as_json:
        print_json(
            {
                "board": str(solved.rules.board),
                "fleet": str(solved.rules.fleet),
                "contact": solved.rules.contact.value,
                "answers": solved.rules.answers.value,
                "layout": names,
                "probability": chance,
                "value": float(solved.value),
                "gap": float(solved.gap),
                "seed": seed,
                "seconds": time.monotonic() - STARTED,
            }
        )
        return 130 if solved.interrupted else 0
    print_lines(
        [
            ("layout", " ".join(names)),
            ("chance", f"{100 * chance:.3g} %"),
            ("costs", f"any shooter {float(solved.lower_bound):.4f} misses or more on average, "
                      f"when drawn like this"),
            *([("saved", str(output))] if output is not None else []),
        ]
    )  # fmt: skip
    click.echo()
    click.echo(layout_text(solved.rules, ships))
    return 130 if solved.interrupted else 0
