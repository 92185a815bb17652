"""The command group: every command of the program, by the file that holds it."""

from __future__ import annotations

import click

from seabattle.cli import (
    advising,
    atlas,
    comparing,
    counting,
    equilibrium,
    exploring,
    hiding,
    priors_fitting,
    reviewing,
    serving,
    solving,
    strategy,
    tournament,
    trees,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="seabattle", prog_name="seabattle")
def commands() -> None:
    """Exactly where to shoot in Battleship.

    On small boards: the decision tree with provably the fewest misses, compared with greedy
    play, verified from the rules, saved and drawn. On boards of full size: how many layouts fit
    what is known and how likely each cell is occupied, exactly. For real games: advice shot by
    shot, an opponent, and a look back, at the terminal or in the browser. Try:

    \b
      seabattle compare --board 5x5 --fleet 3,2,2,1,1,1 --out results
      seabattle solve --board 4x4 --fleet 3,2,1 --values
      seabattle count --fleet russian --percent
      seabattle advise --fleet hasbro
      seabattle play
    """  # noqa: D301


for _command in (
    solving.solve,
    solving.greedy,
    solving.graph,
    comparing.compare,
    atlas.atlas,
    counting.count,
    advising.advise,
    reviewing.review,
    priors_fitting.prior,
    tournament.tournament,
    tournament.players,
    tournament.layouts,
    equilibrium.equilibrium,
    hiding.hide,
    trees.verify,
    trees.replay,
    trees.render,
    exploring.explore,
    serving.serve,
    serving.play,
    strategy.strategy,
):
    commands.add_command(_command)
