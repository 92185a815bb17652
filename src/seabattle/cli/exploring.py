"""The command that makes strategies into a page: explore."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

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

    With a complete strategy file (strategy build --complete) any cell can be shot in the page,
    which says what each shot costs.
    """
    from seabattle.enumerate.errors import SeabattleError, StrategyError, TreeError
    from seabattle.enumerate.files import write_text
    from seabattle.trees.files import load_tree
    from seabattle.trees.page.explorer import document_page, explorer_document
    from seabattle.trees.strategy.check import check
    from seabattle.trees.strategy.strategy import Strategy
    from seabattle.trees.verify import verify

    check_limits(None, memory_limit)
    if output.suffix.lower() not in ("", ".html", ".htm"):
        raise SeabattleError(f"output {output}: the page is HTML; write a .html file")
    if names and len(names) != len(files):
        raise SeabattleError(f"{len(names)} names for {len(files)} files: give --name once for "
                             f"each file, or not at all")  # fmt: skip
    trees, complete = [], []
    with Bar("explore", at_once=True) as bar:

        def show(states: int) -> None:
            bar.say(f"verifying {file.name}: {states:,} states")

        for file in files:
            bar.say(f"verifying {file.name}")
            opened = Strategy.open(file) if os.path.isdir(file) else None
            tree = load_tree(file) if opened is None else opened.tree()
            found = verify(tree, memory_limit=memory_limit)
            if not found.valid:
                raise TreeError(f"{file}: the tree is wrong: {found.problems[0]}")
            if opened is not None and opened.scope != "complete":
                opened = None
            if opened is not None:
                states = check(opened, memory_limit=memory_limit, progress=show)
                if not states.valid:
                    raise StrategyError(f"{file}: the strategy file is wrong: {states.problems[0]}")
            trees.append(tree)
            complete.append(opened)
        document = explorer_document(trees, names or None, complete, checked=True)
        page = document_page(document, title)
        write_text(output, page)
    games = dict.fromkeys(line for tree in trees for line in game_lines(tree.position))
    costs = [
        ("costs", _costs_text(file, strategy["complete"]))
        for file, strategy in zip(files, document["strategies"], strict=True)
        if "complete" in strategy
    ]
    print_lines([*games, *costs, ("saved", f"{output}, {len(page.encode()) / 1e6:.2f} MB")])


def _costs_text(file: Path, complete: dict[str, Any]) -> str:
    """What became of a complete strategy file in the page."""
    from seabattle.trees.page.complete_files import PAGE_MEGABYTES

    if "left_out" in complete:
        return (
            f"left out: with the {complete['left_out']:,} states of {file} the page would take "
            f"more than {PAGE_MEGABYTES} MB"
        )
    return f"of every shot: {file}, {complete['states']:,} states, verified"
