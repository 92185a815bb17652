"""The command that draws a layout to use at the table: hide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.equilibrium import refuse_beside, solve_rules
from seabattle.cli.games import rules_options
from seabattle.cli.limits import check_limits, elapsed, limit_options
from seabattle.cli.options import PATH, given_options, json_option, output_option, picture_options
from seabattle.cli.printing import game_lines, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    import numpy as np

    from seabattle.enumerate.rules import Rules
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium
    from seabattle.solver.hiding import DrawnLayout

GAP = 1e-3
"""How closely a game is solved before a layout is drawn, in misses."""


@click.command()
@rules_options()
@click.option(
    "--from",
    "folder",
    type=PATH,
    metavar="DIR",
    help="Draw from the mixes that 'equilibrium --out DIR' wrote, instead of solving the game.",
)
@prior_option
@click.option(
    "--seed",
    type=int,
    default=None,
    metavar="N",
    help="Seed of the draw. [default: a different layout each time]",
)
@output_option("FILE", "Write a picture of the layout: .svg, .png or .pdf.", required=False)
@picture_options("the picture of -o")
@click.option(
    "--gap",
    type=float,
    default=GAP,
    show_default=True,
    metavar="MISSES",
    help="Before drawing, solve the game until its value is known to within this.",
)
@limit_options
@json_option
def hide(
    board: str | None,
    fleet: str | None,
    contact: str | None,
    answers: str | None,
    folder: Path | None,
    prior: str,
    seed: int | None,
    output: Path | None,
    scale: float | None,
    theme: str,
    gap: float,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
) -> int:
    """Draw a layout to use at the table, and say what it promises.

    On small boards it is drawn from the equilibrium, which no shooter can beat. Where the game
    cannot be solved, and where --prior is given, it is drawn by the prior, which promises less.
    """
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.picture import require_picture, save_picture
    from seabattle.solver.equilibrium.double_oracle import check_gap

    check_limits(time_limit, memory_limit)
    check_gap(gap)
    if seed is not None and seed < 0:
        raise SeabattleError(f"--seed {seed}: must be 0 or above")
    if output is not None:
        require_picture(output, "output")
    for name in given_options("scale", "theme") if output is None else ():
        raise SeabattleError(f"{name} is of the picture of -o, which is not given: leave it out")
    if folder is not None:
        refuse_beside("--from", "prior")
    import numpy as np

    from seabattle.enumerate.answers import rule_words
    from seabattle.enumerate.colours import palette_of
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.hiding import draw_from_mix
    from seabattle.trees.drawing.layout_pictures import layout_text, layouts_svg

    solved = None
    if folder is not None:
        from seabattle.solver.equilibrium.mix_files import load_mixes

        solved = load_mixes(folder)
    else:
        rules = Rules(board, fleet, contact, answers)
        if not given_options("prior"):
            solved = _solved(rules, gap, time_limit, memory_limit)
    generator = np.random.default_rng(seed)
    if solved is not None:
        drawn = draw_from_mix(solved, generator)
    else:
        drawn = _by_prior(rules, prior, generator, memory_limit)
    interrupted = solved is not None and solved.interrupted
    names = drawn.names
    if output is not None:
        title = f"A layout of {drawn.rules.fleet} on {drawn.rules.board}"
        told = f"{rule_words(drawn.rules)}; drawn {drawn.how}, chance {100 * drawn.chance:.3g} %"
        shown = [(drawn.ships, " ".join(names))]
        picture = layouts_svg(drawn.rules, shown, title, told, palette_of(theme))
        save_picture(picture, output, scale=scale)
    if as_json:
        print_answer(
            drawn.rules,
            {
                "layout": names,
                "probability": drawn.chance,
                "drawn": drawn.how,
                **drawn.facts,
                "seed": seed,
                "seconds": elapsed(),
            },
        )
        return 130 if interrupted else 0
    print_lines(
        [
            *game_lines(drawn.rules),
            ("layout", " ".join(names)),
            ("drawn", drawn.how),
            ("chance", f"{100 * drawn.chance:.3g} %"),
            ("promise", drawn.promise),
            *([("saved", str(output))] if output is not None else []),
        ]
    )
    click.echo()
    click.echo(layout_text(drawn.rules, drawn.ships))
    return 130 if interrupted else 0


def _solved(
    rules: Rules, gap: float, time_limit: float | None, memory_limit: float
) -> Equilibrium | None:
    """The equilibrium; None if the game cannot be solved."""
    from seabattle.enumerate.errors import RulesError, TooLargeError
    from seabattle.solver.hiding import why_not_hidden

    try:
        return solve_rules(rules, gap, time_limit, memory_limit)
    except (RulesError, TooLargeError) as error:
        as_people = "" if why_not_hidden(rules, "people") else "--prior people hides as people do, "
        click.echo(
            f"seabattle: no equilibrium: {error}. The layout is drawn uniformly instead "
            f"(--prior uniform); {as_people}--prior FILE hides as a file says",
            err=True,
        )
        return None


def _by_prior(
    rules: Rules, text: str, generator: np.random.Generator, memory_limit: float
) -> DrawnLayout:
    """A layout drawn by a prior, with the progress shown."""
    from seabattle.solver.hiding import draw_by_prior

    prior = asked_prior(text, rules)
    with Bar("hide", at_once=True) as bar:
        bar.say("counting the layouts")
        return draw_by_prior(rules, prior, generator, memory_limit=memory_limit)
