"""The command that makes strategies into a page: explore."""

from __future__ import annotations

import os
from pathlib import Path

import click

from seabattle.cli.limits import check_limits, memory_option
from seabattle.cli.options import PATH, output_option
from seabattle.cli.printing import game_lines, print_lines
from seabattle.cli.progress import Bar


@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH)
@output_option("FILE.html", "Where to write the page.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="What to call a strategy; give it once for each file. [default: what the file says]",
)
@click.option(
    "--title", default="Sea battle explorer", show_default=True, metavar="TEXT", help="Heading."
)
@memory_option("Memory for enumerating the layouts anew, to verify the strategies.")
def explore(
    files: tuple[Path, ...], output: Path, names: tuple[str, ...], title: str, memory_limit: float
) -> None:
    """Make a page to walk, watch and compare strategies.

    FILES are tree files or strategy files of one board, fleet and contact rule. The page needs no
    network: open it in any browser.
    """
    from seabattle.enumerate.errors import SeabattleError, TreeError
    from seabattle.enumerate.writing import write_text
    from seabattle.trees.page.explorer import explorer_page
    from seabattle.trees.strategy.strategy import Strategy
    from seabattle.trees.tree.tree_files import load_tree
    from seabattle.trees.tree.verify import verify

    check_limits(None, memory_limit)
    if names and len(names) != len(files):
        raise SeabattleError(f"{len(names)} names for {len(files)} files: give --name once for "
                             f"each file, or not at all")  # fmt: skip
    for file in files:
        if os.path.exists(output) and os.path.exists(file) and os.path.samefile(output, file):
            raise SeabattleError(f"-o {output}: the page would replace the strategy {file}")
    trees = []
    with Bar("explore") as bar:
        for file in files:
            bar.say(f"verifying {file.name}")
            tree = Strategy.open(file).tree() if os.path.isdir(file) else load_tree(file)
            found = verify(tree, memory_limit=memory_limit)
            if not found.valid:
                raise TreeError(f"{file}: the tree is wrong: {found.problems[0]}")
            if bar.interrupted:
                raise KeyboardInterrupt
            trees.append(tree)
        page = explorer_page(trees, names=names or None, title=title)
        write_text(output, page)
    games = dict.fromkeys(line for tree in trees for line in game_lines(tree.position))
    print_lines([*games, ("saved", f"{output}, {len(page.encode()) / 1e6:.2f} MB")])
