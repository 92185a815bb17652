"""The command group: every command of the program, by the file that holds it."""

from __future__ import annotations

import click

from seabattle import advising, counting, solving, tree_files


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="seabattle", prog_name="seabattle")
def commands() -> None:
    r"""Exactly where to shoot in Battleship.

    On small boards: the decision tree with provably the fewest misses, compared with greedy
    play, verified from the rules, saved and drawn. Try:

    \b
      seabattle compare --board 5x5 --fleet 3,2,2,1,1,1 --out results
      seabattle solve --board 4x4 --fleet 3,2,1 --values
    """


for _command in (
    solving.solve,
    solving.greedy,
    solving.graph,
    solving.compare,
    counting.count,
    advising.advise,
    tree_files.verify,
    tree_files.replay,
    tree_files.render,
):
    commands.add_command(_command)
