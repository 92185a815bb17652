"""The commands about how fleets are hidden: prior, equilibrium, hide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import options
from seabattle.cli.command import (
    OUTPUT,
    Answer,
    command,
    game_document,
    given_options,
    option,
    output_folder,
)
from seabattle.cli.progress import Bar
from seabattle.cli.solving import bytes_of
from seabattle.enumerate.words import counted

if TYPE_CHECKING:
    import numpy as np

    from seabattle.enumerate.picture import Pictures
    from seabattle.enumerate.priors.fit import FitProgress


@click.group()
def prior() -> None:
    """Fit or show a prior: how likely each layout is."""


@command()
@option("--cells", "cells_file", type=options.FILE, metavar="FILE",
        help="How often each cell was occupied: frequencies from 0 to 1 or counts, one line for "
             "each row of the board.")  # fmt: skip
@option("--games", type=float, metavar="N",
        help="Number of games behind the counts of --cells. [default: their sum divided by the "
             "number of cells of the fleet]")  # fmt: skip
@option("--layouts", "layouts_file", type=options.FILE, metavar="FILE",
        help="Layouts that one opponent used in earlier games, one per line, instead "
             "of --cells.")  # fmt: skip
@option("--weights", type=options.words("cells|classes|placements"), default="cells",
        help="With --layouts, what has its own weight: each cell, each class of cells that "
             "symmetries of the board map to each other (for few games), or each placement (for "
             "many games).")  # fmt: skip
@option("--smoothing", type=float, default=20, metavar="K",
        help="With --layouts, how many imaginary games with layouts drawn at random "
             "are added.")  # fmt: skip
@option("--tolerance", type=float, default=1e-6, metavar="SHARE",
        help="Largest deviation of a cell's chance from its frequency.")  # fmt: skip
@options.rules_options()
@options.limit_options
@options.output_option("PRIOR", "File of the prior: JSON, or CSV if its name ends in .csv.")
@options.json_option
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
    **game: Any,
) -> Answer:
    """Fit a prior to how often each cell was occupied, or to layouts seen.

    Among all priors with these frequencies, the fit finds the one that assumes nothing else: the
    one of maximum entropy. Try:

    \b
      seabattle prior fit --fleet hasbro --cells counts.csv -o opponent.json
      seabattle prior fit --fleet hasbro --layouts seen.txt -o opponent.json
      seabattle count --fleet hasbro --prior opponent.json --percent
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.priors.fit import load_grid, load_layouts

    if (cells_file is None) == (layouts_file is None):
        raise seabattle.SeabattleError("give either --cells FILE or --layouts FILE")
    options.refuse_without("--layouts", layouts_file, "weights", "smoothing")
    options.refuse_without("--cells", cells_file, "games")
    rules = seabattle.Rules(**game)
    with Bar("fit") as bar:

        def progress(at: FitProgress) -> None:
            bar.say(f"fitting: {counted(at.maps, 'map')}, deviation {at.deviation:.2g}")

        bar.say("counting layouts")
        limits = bar.within(time_limit, memory_limit, progress=progress)
        limits |= {"tolerance": tolerance, "name": output.name}
        if layouts_file is not None:
            seen = load_layouts(layouts_file, rules)
            found = seabattle.fit_layouts(
                rules, seen, weights=weights, smoothing=smoothing, **limits
            )
        else:
            assert cells_file is not None
            grid = load_grid(cells_file, rules)
            try:
                found = seabattle.fit_frequencies(rules, grid, games=games, **limits)
            except seabattle.WeightsError as error:
                raise seabattle.WeightsError(f"{cells_file}: {error}") from None
        seabattle.save_prior(found.prior, output)
        interrupted = bar.interrupted
    if found.interrupted:
        told = "the fit was stopped: what is saved is the best prior by then"
        click.echo(f"seabattle: {told}", err=True)
    elif not found.reached:
        click.echo(
            f"seabattle: the deviation left, {found.deviation:.2g}, is above the tolerance of "
            f"{found.tolerance:g}: the frequencies may be out of reach",
            err=True,
        )
    saved = str(output)
    document = {**found.document(), "saved": saved}
    facts = [*found.facts(), ("saved", saved)]
    return Answer(document, facts, rules, status=130 if interrupted else 0)


@command()
@click.argument("name", metavar="people|FILE")
@options.rules_options()
@options.memory_option("Memory for counting.")
@options.json_option
def show(name: str, memory_limit: float, **game: Any) -> Answer:
    """Show where a prior comes from, and its map.

    The options of the game are needed only for a file that does not name its game.
    """
    asked = seabattle.Rules(**game) if any(value is not None for value in game.values()) else None
    found = seabattle.load_prior(name, asked)
    if found is None:
        raise seabattle.WeightsError(
            "under the prior uniform all layouts are equally likely: see count"
        )
    board = found.rules.board
    with Bar("map") as bar:
        counter = seabattle.Counter(
            found.rules, prior=found, memory_limit=memory_limit, progress=bar.row
        )
        cells = counter.chances().cells.tolist()
    known: dict[str, Any] = dict(found.facts)
    rows = [cells[start : start + board.columns] for start in range(0, len(cells), board.columns)]
    document = {
        **game_document(found.rules),
        "prior": found.name, "kind": repr(found), **known, "chances": rows,
    }  # fmt: skip
    facts = [
        ("prior", repr(found)[1:-1]),
        *((fact, str(known[fact])) for fact in ("source", "licence") if fact in known),
        *((f"fit: {fact}", str(value)) for fact, value in dict(known.get("fit", {})).items()),
    ]
    grid = board.grid(f"{100 * chance:.1f}" for chance in cells)
    text = f"chance of each cell to be occupied, in percent:\n{grid}"
    return Answer(document, facts, text=text)


prior.add_command(fit)
prior.add_command(show)

gap_option = option(
    "--gap", type=float, default=1e-6, metavar="MISSES", **options.within(0),
    help="Stop when the value is known to within this.",
)  # fmt: skip


def solve_rules(
    rules: seabattle.Rules, gap: float, time_limit: float | None, memory_limit: float
) -> seabattle.Equilibrium:
    """Solve a game with the progress shown."""
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.trees.plans import require_plannable

    refuse_large_board(rules)
    require_plannable(rules)
    with Bar("equilibrium") as bar:
        table = seabattle.DecisionTable.build(
            rules, memory_limit=memory_limit / 2, progress=bar.layouts
        )
        limits = bar.within(time_limit, memory_limit, bytes_of(table), progress=bar.say)
        return seabattle.equilibrium(table, gap=gap, **limits)


def refuse_beside(named: str, *others: str) -> None:
    """Refuse options that mean nothing where game and mixes come from a folder."""
    given = given_options("board", "fleet", "contact", "answers", "gap", *others)
    if given:
        raise seabattle.RulesError(
            f"{named} takes the game and its mixes from the folder: leave out {', '.join(given)}"
        )


@command()
@gap_option
@options.rules_options("none|corners", "hit|sunk")
@options.limit_options
@options.out_option("Write the mixes, the pictures and the tables to this folder.")
@options.picture_options("--out", "out", "svg")
@option("--trees", section=OUTPUT, type=int, default=3, metavar="N", **options.within(0),
        help="With --out: write the N likeliest trees as tree files.")  # fmt: skip
@options.json_option
def equilibrium(
    gap: float,
    out: Path | None,
    pictures: Pictures,
    trees: int,
    time_limit: float | None,
    memory_limit: float,
    **game: Any,
) -> Answer:
    """Solve the game against an opponent who knows your plan.

    Finds the random mix of layouts to hide and the random mix of trees to shoot by that neither
    side can improve on, and compares other ways to shoot with it.
    """  # fmt: skip
    from seabattle.cli.command import made_by
    from seabattle.solver.equilibrium.exploitability import matchups, matchups_table
    from seabattle.solver.equilibrium.reports import save_equilibrium

    rules = seabattle.Rules(**game)
    with output_folder(out):
        solved = solve_rules(rules, gap, time_limit, memory_limit)
        rows = matchups(solved)
        saved: list[Path] = []
        if out is not None:
            saved = save_equilibrium(
                solved, rows, out, trees=trees, pictures=pictures, made_by=made_by()
            )
    table = matchups_table(rows)
    text = f"mean misses of each way to shoot, by how the fleet is hidden:\n{table}"
    if saved:
        text += f"\n\n{len(saved)} files written to {out}"
    document = {**solved.document(gap), "matchups": [row.document() for row in rows]}
    status = 130 if solved.interrupted else 0
    return Answer(document, solved.facts(gap), rules, text, status)


@command()
@option("--from", "folder", type=options.FILE, metavar="DIR",
        help="Draw from the mixes that 'equilibrium --out DIR' wrote, instead of "
             "solving the game.")  # fmt: skip
@option("--gap", type=float, default=1e-3, metavar="MISSES", **options.within(0),
        help="Before drawing, solve the game until its value is known to within this.")  # fmt: skip
@options.seed_option("Seed of the draw. [default: a different layout each time]", None)
@options.rules_options()
@options.prior_option
@options.limit_options
@options.output_option("FILE", "Write a picture of the layout: .svg, .png or .pdf.", required=False)
@options.picture_options("-o", "output")
@options.json_option
def hide(
    folder: Path | None,
    gap: float,
    seed: int | None,
    prior: str,
    output: Path | None,
    pictures: Pictures,
    time_limit: float | None,
    memory_limit: float,
    **game: Any,
) -> Answer:
    """Draw a layout to use at the table, and say what it promises.

    On small boards it is drawn from the equilibrium, which no shooter can beat. Where the game
    cannot be solved, and where --prior is given, it is drawn by the prior, which promises less.
    """  # fmt: skip
    from seabattle.enumerate.picture import require_picture

    if output is not None:
        require_picture(output, "output")
    if folder is not None:
        refuse_beside("--from", "prior")
    import numpy as np

    from seabattle.solver.hiding import draw_from_mix

    solved = None
    if folder is not None:
        solved = seabattle.load_mixes(folder)
    elif not given_options("prior"):
        solved = _solved(seabattle.Rules(**game), gap, time_limit, memory_limit)
    generator = np.random.default_rng(seed)
    if solved is not None:
        drawn = draw_from_mix(solved, generator)
    else:
        drawn = _by_prior(seabattle.Rules(**game), prior, generator, memory_limit)
    if output is not None:
        _draw(drawn, output, pictures)
    document = {**drawn.document(), "seed": seed}
    facts = [*drawn.facts(), *([("saved", str(output))] if output is not None else [])]
    from seabattle.trees.drawing.layout_pictures import layout_text

    status = 130 if solved is not None and solved.interrupted else 0
    return Answer(document, facts, drawn.rules, layout_text(drawn.rules, drawn.ships), status)


def _draw(drawn: seabattle.DrawnLayout, output: Path, pictures: Pictures) -> None:
    """Write a picture of a layout."""
    from seabattle.enumerate.answers import rule_words
    from seabattle.enumerate.picture import save_picture
    from seabattle.trees.drawing.layout_pictures import layouts_svg

    title = f"A layout of {drawn.rules.fleet} on {drawn.rules.board}"
    told = f"{rule_words(drawn.rules)}; drawn {drawn.how}"
    told += "" if drawn.chance is None else f", chance {100 * drawn.chance:.3g} %"
    shown = [(drawn.ships, " ".join(drawn.names))]
    picture = layouts_svg(drawn.rules, shown, title, told, pictures.palette)
    save_picture(picture, output, scale=pictures.scale)


def _solved(
    rules: seabattle.Rules, gap: float, time_limit: float | None, memory_limit: float
) -> seabattle.Equilibrium | None:
    """The equilibrium; None if the game cannot be solved."""
    from seabattle.solver.hiding import solved_to_hide, why_not_hidden

    found, reason = solved_to_hide(
        rules, lambda asked: solve_rules(asked, gap, time_limit, memory_limit)
    )
    if found is None:
        as_people = "" if why_not_hidden(rules, "people") else "--prior people hides as people do, "
        click.echo(
            f"seabattle: no equilibrium: {reason}. The layout is drawn uniformly instead "
            f"(--prior uniform); {as_people}--prior FILE hides as a file says",
            err=True,
        )
    return found


def _by_prior(
    rules: seabattle.Rules, text: str, generator: np.random.Generator, memory_limit: float
) -> seabattle.DrawnLayout:
    """A layout drawn by a prior, with the progress shown."""
    from seabattle.solver.hiding import draw_by_prior

    prior = options.asked_prior(text, rules)
    with Bar("hide", at_once=True) as bar:
        bar.say("counting the layouts")
        return draw_by_prior(rules, prior, generator, memory_limit=memory_limit)
