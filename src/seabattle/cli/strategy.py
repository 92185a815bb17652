"""The commands of strategy files: strategy build, info, probe, verify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import asked_position, game_options, known_options, told_position
from seabattle.cli.limits import all_or_nothing, check_limits, elapsed, memory_option
from seabattle.cli.options import OUTPUT_FOLDER, PATH, json_option, output_option
from seabattle.cli.printing import game_lines, mean_text, print_answer, print_lines, print_verdict
from seabattle.cli.progress import Bar
from seabattle.cli.tables import NO_ANSWER, fitting_table

if TYPE_CHECKING:
    from seabattle.trees.strategy.strategy import Strategy


@click.group()
def strategy() -> None:
    """Build and probe files of solved strategies.

    A strategy file answers any of its positions at once, without a search.
    """


def _bytes(opened: Strategy) -> int:
    return sum(file.stat().st_size for file in opened.path.iterdir())


def _misses(opened: Strategy, value: int, layouts: int) -> str:
    if opened.objective == "worst":
        return f"worst {value}"
    return f"mean {mean_text(value, layouts)}"


def _about(opened: Strategy) -> dict[str, Any]:
    """What a strategy file holds, the game apart."""
    totals = opened.objective == "mean"
    return {
        "objective": opened.objective,
        "scope": opened.scope,
        "position": opened.manifest["position"],
        "states": opened.states,
        "layouts": opened.layouts,
        "total_misses": opened.value if totals else None,
        "mean_misses": opened.value / opened.layouts if totals else None,
        "worst_misses": None if totals else opened.value,
        "symmetries": len(opened.symmetries),
        "bytes": _bytes(opened),
        "made_by": opened.manifest.get("made_by", ""),
    }


def _about_lines(opened: Strategy) -> list[tuple[str, str]]:
    scope = {
        "complete": "every position",
        "reachable": "what optimal play can meet",
    }[opened.scope]
    return [
        *game_lines(opened.position),
        ("layouts", f"{opened.layouts:,}"),
        ("objective", opened.objective),
        ("misses", _misses(opened, opened.value, opened.layouts)),
        ("holds", f"{scope}: {opened.states:,} states, {_bytes(opened) / 1e6:.2f} MB"),
    ]


@strategy.command()
@output_option(
    "FOLDER", "Where to write; a strategy file that is there is replaced.", type=OUTPUT_FOLDER
)
@click.option(
    "--objective",
    default="mean",
    show_default=True,
    metavar="mean|worst",
    help="What to minimise: mean misses, or misses in the worst case.",
)
@click.option(
    "--complete",
    is_flag=True,
    help="Hold every position, not only those that optimal play can meet.",
)
@game_options()
@all_or_nothing
@json_option
def build(
    output: Path,
    objective: str,
    complete: bool,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> None:
    """Solve a game and write its strategy file."""
    from seabattle.cli.output_files import made_by
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.studies.building import build_strategy
    from seabattle.trees.strategy.folder import refuse_target
    from seabattle.trees.strategy.keys import refuse_rules

    check_limits(time_limit, memory_limit)
    refuse_target(output)
    position = asked_position(**game)
    refuse_large_board(position.rules)
    refuse_rules(position.rules)
    with Bar("strategy build") as bar:
        table = fitting_table(position, memory_limit, bar, stopped=NO_ANSWER)
        opened = build_strategy(
            table,
            output,
            objective=objective,
            complete=complete,
            **bar.within(time_limit, memory_limit),
            made_by=f"{made_by()['command']} ({made_by()['version']})",
        )
    if as_json:
        print_answer(opened.position, {**_about(opened), "seconds": elapsed()})
        return
    print_lines([*_about_lines(opened), ("saved", str(output))])


@strategy.command()
@click.argument("file", type=PATH)
@json_option
def info(file: Path, as_json: bool) -> None:
    """Say what a strategy file holds."""
    from seabattle.trees.strategy.strategy import Strategy

    opened = Strategy.open(file)
    if as_json:
        print_answer(opened.position, _about(opened))
    else:
        print_lines(_about_lines(opened))


@strategy.command()
@click.argument("file", type=PATH)
@known_options(implies=False)
@json_option
def probe(file: Path, position: str | None, as_json: bool, **told: Any) -> None:
    """Look up where to shoot, and how many misses are still to come.

    The game is that of the file.
    """
    from seabattle.enumerate.errors import StrategyError
    from seabattle.trees.strategy.strategy import Strategy

    opened = Strategy.open(file)
    if position is not None:
        asked = asked_position(position=position, **told)
    else:
        asked = told_position(opened.rules, told)
    here = asked if asked.shots else opened.position
    found = opened.probe(here)
    names = [] if found.best_shot is None else [found.best_shot]
    every = opened.scope == "complete" or found.certain
    if names and opened.scope == "complete" and not found.certain:
        try:
            values = opened.cell_values(here)
        except StrategyError:
            every = False
        else:
            best = sorted(cell for cell, value in values.items() if value == found.value)
            names = [opened.rules.board.name(cell) for cell in best]
    if as_json:
        print_answer(
            here,
            {
                "layouts": found.layouts,
                "best_shots": names,
                "every_best_shot": every and not found.certain,
                "certain_hit": found.certain,
                "total_misses": found.total,
                "mean_misses": None if found.mean is None else float(found.mean),
                "worst_misses": found.worst,
            },
        )
        return
    kind = "certain hit" if found.certain else "best shots" if len(names) > 1 else "best shot"
    print_lines(
        [
            *game_lines(here),
            ("layouts", f"{found.layouts:,}"),
            ("to come", _misses(opened, found.value, found.layouts)),
            (kind, " ".join(names) or "none: the layout is known"),
        ]
    )


@strategy.command()
@click.argument("file", type=PATH)
@memory_option("Memory for enumerating the layouts anew.")
@json_option
def verify(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check a strategy file from the rules alone.

    Checksums, layouts, keys, values and shots are all worked out anew. Where the file holds every
    position (built with --complete), its values are then proven to be optimal.
    """
    check_limits(None, memory_limit)
    return verify_folder(file, memory_limit, as_json)


def verify_folder(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check a strategy file and print what came of it; exit status."""
    from seabattle.enumerate.errors import StrategyError
    from seabattle.trees.strategy.check import StrategyCheck, check
    from seabattle.trees.strategy.strategy import Strategy

    opened = None
    with Bar("strategy verify", at_once=True) as bar:

        def show(states: int) -> None:
            bar.say(f"{states:,} states")

        try:
            opened = Strategy.open(file)
            found = check(opened, memory_limit=memory_limit, progress=show)
        except StrategyError as error:
            found = StrategyCheck(False, False, 0, 0, (str(error),))
    lines = []
    if opened is not None and found.valid:
        proof = (
            "every position is there and none has a better shot: the values are optimal"
            if found.proven
            else "every value is what its shot costs; whether another is better was not checked"
        )
        lines = [
            ("states", f"{found.states:,}"),
            ("misses", _misses(opened, found.value, opened.layouts)),
            ("shown", proof),
        ]
    return print_verdict(
        opened.position if opened is not None else None,
        "strategy",
        found.problems,
        as_json=as_json,
        found={"proven": found.proven, "states": found.states, "value": found.value},
        lines=lines,
    )
