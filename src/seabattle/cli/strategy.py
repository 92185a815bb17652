"""The commands of strategy files: strategy build, info, probe, verify."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.options import (
    STARTED,
    Bar,
    Request,
    check_limits,
    game_options,
    json_option,
    known_options,
    limit_options,
)
from seabattle.cli.printing import mean_text, position_line, print_json, print_lines

if TYPE_CHECKING:
    from seabattle.trees.strategy.strategy import Strategy


@click.group()
def strategy() -> None:
    """Solved strategies in files that answer any of their positions at once."""


def _bytes(opened: Strategy) -> int:
    return sum(file.stat().st_size for file in opened.path.iterdir())


def _misses(opened: Strategy, value: int, layouts: int) -> str:
    if opened.objective == "worst":
        return f"worst {value}"
    return f"mean {mean_text(value, layouts)}"


def _about(opened: Strategy) -> dict[str, Any]:
    rules = opened.rules
    return {
        "board": str(rules.board),
        "fleet": str(rules.fleet),
        "contact": rules.contact.value,
        "answers": rules.answers.value,
        "objective": opened.objective,
        "scope": opened.scope,
        "position": opened.manifest["position"],
        "states": opened.states,
        "layouts": opened.layouts,
        "total_misses": opened.value if opened.objective == "mean" else None,
        "mean_misses": opened.value / opened.layouts if opened.objective == "mean" else None,
        "worst_misses": opened.value if opened.objective == "worst" else None,
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
        ("game", str(opened.rules)),
        *position_line(Request(opened.rules, opened.position)),
        ("layouts", f"{opened.layouts:,}"),
        ("objective", opened.objective),
        ("misses", _misses(opened, opened.value, opened.layouts)),
        ("holds", f"{scope}: {opened.states:,} states, {_bytes(opened) / 1e6:.2f} MB"),
    ]


@strategy.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FOLDER",
              help="Where to write; a strategy file that is there is replaced.")  # fmt: skip
@click.option("--objective", default="mean", show_default=True, metavar="mean|worst",
              help="What is least: total misses, or misses in the worst case.")  # fmt: skip
@click.option("--complete", is_flag=True,
              help="Hold every position, not only what optimal play can meet.")  # fmt: skip
@game_options()
@limit_options
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
    """Solve a game and write its strategy file."""  # fmt: skip
    from seabattle.cli.reports import made_by
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.studies.strategy_building import build_strategy
    from seabattle.trees.strategy.strategy_folder import refuse_target
    from seabattle.trees.strategy.strategy_format import refuse_rules

    check_limits(time_limit, memory_limit)
    refuse_target(output)
    request = Request.read(**game)
    refuse_large_board(request.rules)
    refuse_rules(request.rules)
    with Bar("strategy build") as bar:
        table = request.table(memory_limit, bar)
        opened = build_strategy(
            table,
            output,
            objective=objective,
            complete=complete,
            **bar.within(time_limit, memory_limit),
            made_by=f"{made_by()['command']} ({made_by()['version']})",
        )
    if as_json:
        print_json({**_about(opened), "seconds": time.monotonic() - STARTED})
        return
    print_lines([*_about_lines(opened), ("saved", str(output))])


@strategy.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def info(file: Path, as_json: bool) -> None:
    """Say what a strategy file holds."""  # fmt: skip
    from seabattle.trees.strategy.strategy import Strategy

    opened = Strategy.open(file)
    if as_json:
        print_json(_about(opened))
    else:
        print_lines(_about_lines(opened))


@strategy.command()
@click.argument("file", type=click.Path(path_type=Path))
@known_options
@json_option
def probe(file: Path, as_json: bool, **known: str) -> None:
    """Look up where to shoot, and what is still to be missed."""
    from seabattle.enumerate.errors import StrategyError
    from seabattle.trees.strategy.strategy import Strategy

    opened = Strategy.open(file)
    rules = opened.rules
    request = Request.read(
        board=str(rules.board), fleet=str(rules.fleet), contact=rules.contact.value,
        answers=rules.answers.value, announce=rules.announce.value, **known,
    )  # fmt: skip
    position = request.position if request.position.shots else opened.position
    found = opened.probe(position)
    shots = [found.shot] if found.shot >= 0 else []
    every = opened.scope == "complete" or found.certain
    if shots and opened.scope == "complete" and not found.certain:
        try:
            values = opened.shot_values(position)
        except StrategyError:
            every = False
        else:
            shots = sorted(cell for cell, value in values.items() if value == found.value)
    names = [rules.board.name(cell) for cell in shots]
    if as_json:
        print_json(
            {
                "layouts": found.layouts,
                "best_shots": names,
                "every_best_shot": every and not found.certain,
                "certain_hit": found.certain,
                "total_misses": found.total,
                "mean_misses": None if found.mean is None else float(found.mean),
                "worst_misses": found.worst,
            }
        )
        return
    kind = "certain hit" if found.certain else "best shots" if len(names) > 1 else "best shot"
    print_lines(
        [
            ("game", str(rules)),
            *position_line(Request(rules, position)),
            ("layouts", f"{found.layouts:,}"),
            ("to come", _misses(opened, found.value, found.layouts)),
            (kind, " ".join(names) or "none: the layout is known"),
        ]
    )


@strategy.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--memory-limit", type=float, default=4.0, show_default=True, metavar="GIB",
              help="Memory for the layouts that are enumerated anew.")  # fmt: skip
@json_option
def verify(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check a strategy file from the rules alone.

    Checksums, layouts, keys, values and shots are all worked out anew. Of a file of every
    position (built with --complete) the values are then proven to be least.
    """
    from seabattle.enumerate.errors import StrategyError
    from seabattle.trees.strategy.strategy import Strategy
    from seabattle.trees.strategy.strategy_check import StrategyCheck, check

    check_limits(None, memory_limit)
    with Bar("strategy verify") as bar:

        def show(states: int) -> None:
            if bar.interrupted:
                raise KeyboardInterrupt
            bar.say(f"{states:,} states")

        try:
            opened = Strategy.open(file)
            found = check(opened, memory_limit=memory_limit, progress=show)
        except StrategyError as error:
            found = StrategyCheck(False, False, 0, 0, (str(error),))
    if as_json:
        print_json(
            {
                "valid": found.valid,
                "proven": found.proven,
                "states": found.states,
                "value": found.value,
                "problems": list(found.problems),
            }
        )
    else:
        pairs = [("valid", "yes" if found.valid else "no")]
        if found.valid:
            proof = (
                "every position is there, no shot of any is better: the values are least"
                if found.proven
                else "every value is what its shot costs; that none is better was not checked"
            )
            pairs += [
                ("states", f"{found.states:,}"),
                ("misses", _misses(opened, found.value, opened.layouts)),
                ("shown", proof),
            ]
        print_lines(pairs + [("problem", text) for text in found.problems])
    return 0 if found.valid else 1
