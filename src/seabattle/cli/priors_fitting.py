"""The commands about priors: fit one to observations, and show one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import rules_options
from seabattle.cli.limits import check_limits, elapsed, limit_options, memory_option
from seabattle.cli.options import PATH, PRIOR_FILE, given_options, json_option, output_option
from seabattle.cli.printing import counted, game_lines, print_answer, print_lines
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.priors.fit import FitProgress, PriorFit


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def prior() -> None:
    """Fit or show a prior: how likely each layout is."""


@prior.command()
@rules_options()
@click.option(
    "--cells",
    "cells_file",
    type=PATH,
    metavar="FILE",
    help="How often each cell was occupied: frequencies from 0 to 1 or counts, one line for each "
    "row of the board.",
)
@click.option(
    "--games",
    type=float,
    default=None,
    metavar="N",
    help="Number of games behind the counts of --cells. [default: their sum divided by the "
    "number of cells of the fleet]",
)
@click.option(
    "--layouts",
    "layouts_file",
    type=PATH,
    metavar="FILE",
    help="Layouts that one opponent used in earlier games, one per line, instead of --cells.",
)
@click.option(
    "--weights",
    metavar="cells|classes|placements",
    default="cells",
    show_default=True,
    help="With --layouts, what has its own weight: each cell, each class of cells that symmetries "
    "of the board map to each other (for few games), or each placement (for many games).",
)
@click.option(
    "--smoothing",
    type=float,
    default=20,
    show_default=True,
    metavar="K",
    help="With --layouts, how many imaginary games with layouts drawn at random are added.",
)
@click.option(
    "--tolerance",
    type=float,
    default=1e-6,
    show_default=True,
    metavar="SHARE",
    help="Largest deviation of a cell's chance from its frequency.",
)
@output_option(
    "PRIOR", "File of the prior: JSON, or CSV if its name ends in .csv.", type=PRIOR_FILE
)
@limit_options
@json_option
def fit(
    cells_file: Path | None,
    games: float | None,
    layouts_file: Path | None,
    weights: str,
    smoothing: float,
    tolerance: float,
    output: Path,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Fit a prior to how often each cell was occupied, or to layouts seen.

    Among all priors with these frequencies, the fit finds the one that assumes nothing else: the
    one of maximum entropy, and says how near it came. Try:

    \b
      seabattle prior fit --fleet hasbro --cells counts.csv -o opponent.json
      seabattle prior fit --fleet hasbro --layouts seen.txt -o opponent.json
      seabattle count --fleet hasbro --prior opponent.json --percent
    """  # noqa: D301
    from seabattle.cli.output_files import output_folder
    from seabattle.enumerate.errors import SeabattleError, WeightsError
    from seabattle.enumerate.priors.files import save_prior
    from seabattle.enumerate.priors.fit import (
        fit_frequencies,
        fit_layouts,
        load_grid,
        load_layouts,
    )
    from seabattle.enumerate.rules import Rules

    check_limits(time_limit, memory_limit)
    if (cells_file is None) == (layouts_file is None):
        raise SeabattleError("give either --cells FILE or --layouts FILE")
    wrong = (
        given_options("weights", "smoothing") if layouts_file is None else given_options("games")
    )
    if wrong:
        right = "--layouts" if layouts_file is None else "--cells"
        raise SeabattleError(f"{wrong[0]} goes with {right}: leave it out")
    rules = Rules(**game)
    options: dict[str, Any] = {
        "tolerance": tolerance, "memory_limit": memory_limit, "name": output.name
    }  # fmt: skip
    with output_folder(output.absolute().parent, shared=True), Bar("fit") as bar:

        def progress(at: FitProgress) -> None:
            bar.say(f"fitting: {counted(at.maps, 'map')}, deviation {at.deviation:.2g}")

        limits = bar.within(time_limit, memory_limit)
        options |= {"time_limit": limits["time_limit"], "stop": limits["stop"]}
        bar.say("counting layouts")
        if layouts_file is not None:
            seen = load_layouts(layouts_file, rules)
            found = fit_layouts(
                rules, seen, weights=weights, smoothing=smoothing, progress=progress, **options
            )
        else:
            assert cells_file is not None
            grid = load_grid(cells_file, rules)
            try:
                found = fit_frequencies(rules, grid, games=games, progress=progress, **options)
            except WeightsError as error:
                raise WeightsError(f"{cells_file}: {error}") from None
        save_prior(found.prior, output)
        interrupted = bar.interrupted
    if as_json:
        print_answer(rules, {**found.document(), "saved": str(output), "seconds": elapsed()})
    else:
        print_lines([*game_lines(rules), *found.facts(), ("saved", str(output))])
    for warning in _warnings(found):
        click.echo(f"seabattle: {warning}", err=True)
    return 130 if interrupted else 0


def _warnings(found: PriorFit) -> list[str]:
    """Warnings about a fit."""
    warnings = []
    if found.interrupted:
        warnings.append("the fit was stopped: what is saved is the best prior by then")
    elif not found.reached:
        warnings.append(
            f"the deviation left, {found.deviation:.2g}, is above the tolerance of "
            f"{found.tolerance:g}; the frequencies may be out of reach"
        )
    return warnings


@prior.command()
@click.argument("name", metavar="people|FILE")
@rules_options()
@memory_option("Memory for counting.")
@json_option
def show(name: str, memory_limit: float, as_json: bool, **game: Any) -> None:
    """Show where a prior comes from, and its map.

    The options of the game are needed only for a file that does not name its game.
    """
    from seabattle.enumerate.counting.counter import Counter
    from seabattle.enumerate.errors import WeightsError
    from seabattle.enumerate.priors.files import load_prior
    from seabattle.enumerate.rules import Rules

    check_limits(None, memory_limit)
    asked = Rules(**game) if any(value is not None for value in game.values()) else None
    found = load_prior(name, asked)
    if found is None:
        raise WeightsError("under the prior uniform all layouts are equally likely: see count")
    with Bar("map") as bar:

        def progress(row: int, rows: int) -> None:
            if bar.interrupted:
                raise KeyboardInterrupt
            bar.say(f"row {row + 1} of {rows}")

        rules = found.rules
        counter = Counter(rules, prior=found, memory_limit=memory_limit, progress=progress)
        cells = counter.chances().cells.tolist()
    facts: dict[str, Any] = dict(found.facts)
    if as_json:
        columns = rules.board.columns
        rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
        answer = {"prior": found.name, "kind": repr(found), **facts, "chances": rows}
        print_answer(rules, {**answer, "seconds": elapsed()})
        return
    told: list[tuple[str, str]] = [
        (fact, str(facts[fact])) for fact in ("source", "licence") if fact in facts
    ]
    print_lines([("prior", repr(found)[1:-1]), *told, *_told_fit(facts.get("fit", {}))])
    click.echo("\nchance of each cell to be occupied, in percent:")
    click.echo(rules.board.grid(f"{100 * chance:.1f}" for chance in cells))


def _told_fit(fit: Any) -> list[tuple[str, str]]:
    """What a file says about the fit that made it: the facts that a fit usually records."""
    if not isinstance(fit, dict):
        return []
    forms = {
        "weights": "of {}",
        "games": "{:,g}",
        "smoothing": "{:g} imaginary games added",
        "maps": "{:,} counted",
        "deviation": "{:.2g} at most",
        "bits": "{:.4f} over equally likely layouts",
    }
    lines = []
    for fact, form in forms.items():
        value = fit.get(fact)
        if value in (None, 0):
            continue
        try:
            lines.append((f"fit: {fact}", form.format(value)))
        except (TypeError, ValueError):  # somebody else's file
            lines.append((f"fit: {fact}", str(value)))
    return lines
