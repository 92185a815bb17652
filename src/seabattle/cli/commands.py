"""The command group: every command of the program."""

from __future__ import annotations

import click

from seabattle.cli.compiling import compile_ahead
from seabattle.cli.working_commands import WORKING_COMMANDS


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


for _command in (*WORKING_COMMANDS, compile_ahead):
    commands.add_command(_command)
