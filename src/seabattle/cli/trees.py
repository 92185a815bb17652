"""The commands that read tree files: replay, render."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.options import PATH, json_option, output_option, within
from seabattle.cli.printing import counted, game_lines, print_answer, print_lines
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.trees.tree.tree import Tree


@click.command()
@click.argument("file", type=PATH)
@click.option(
    "--layout",
    required=True,
    metavar="A1:A3,C1,...",
    help="The hidden layout: each ship by its two ends or its one cell.",
)
@json_option
def replay(file: Path, layout: str, as_json: bool) -> None:
    """Play a saved strategy against one hidden layout."""
    from seabattle.enumerate.errors import BoardError, LayoutError
    from seabattle.enumerate.game.position_files import shot_fields
    from seabattle.trees.tree.replay import misses_of
    from seabattle.trees.tree.replay import replay as replay_tree
    from seabattle.trees.tree.tree_files import load_tree

    tree = load_tree(file)
    try:
        shots = replay_tree(tree, layout)
    except (BoardError, LayoutError) as error:
        raise type(error)(f"--layout: {error}") from None
    if as_json:
        # "shots" are those of the replay; where the tree begins later, "position" tells those
        # before, as in a tree file
        begins = {"position": shot_fields(tree.position)} if tree.position.shots else {}
        told = [{"cell": cell, "answer": answer} for cell, answer in shots]
        print_answer(tree.rules, {**begins, "shots": told, "misses": misses_of(shots)})
        return
    print_lines(game_lines(tree.position))
    click.echo()
    for number, (cell, answer) in enumerate(shots, start=1):
        click.echo(f"{number:>3}  {cell:<4} {answer}")
    misses = counted(misses_of(shots), "miss", "misses")
    click.echo(f"{counted(len(shots), 'shot')}, {misses}")


@click.command()
@click.argument("file", type=PATH)
@output_option("FILE", "Where to write: .svg a picture, .dot for Graphviz, .txt text.")
@click.option(
    "--depth",
    type=int,
    callback=within(0),
    default=None,
    metavar="N",
    help="Draw only the first N shots. [default: all]",
)
@click.option(
    "--path",
    default=None,
    metavar="misses|LAYOUT",
    help="Draw one path: the one on which every shot misses, or the one of a layout, given as in "
    "A1:A3,C1. [default: the whole tree]",
)
@click.option("--title", default=None, metavar="TEXT", help="Title of the picture.")
def render(
    file: Path, output: Path, depth: int | None, path: str | None, title: str | None
) -> None:
    """Draw a tree file."""
    from seabattle.enumerate.errors import BoardError, LayoutError
    from seabattle.enumerate.writing import write_text
    from seabattle.trees.tree.tree_files import load_tree

    with Bar("render", at_once=True):
        tree = load_tree(file)
        try:
            text = _rendered(tree, output.suffix, depth=depth, path=path, title=title)
        except (BoardError, LayoutError) as error:  # of the layout that --path names
            raise type(error)(f"--path: {error}") from None
        write_text(output, text)
    saved = f"{output}, {len(text.encode()) / 1e6:.2f} MB"
    print_lines([*game_lines(tree.position), ("saved", saved)])


def _rendered(
    tree: Tree, suffix: str, *, depth: int | None, path: str | None, title: str | None
) -> str:
    """Text of a picture file by its suffix.

    Raises
    ------
    SeabattleError
        If the suffix names no format, or an option does not go with it.
    """
    from seabattle.enumerate.errors import SeabattleError

    if suffix == ".svg":
        from seabattle.trees.drawing.tree_svg import svg

        return svg(tree, depth=depth, path=path, title=title)
    if suffix == ".txt":
        from seabattle.trees.drawing.text import text

        return text(tree, depth=depth, path=path) + "\n"
    if suffix == ".dot":
        from seabattle.trees.drawing.export import to_dot

        if path is not None:
            raise SeabattleError("--path goes with .svg and .txt; a .dot file holds the tree")
        return to_dot(tree, depth=depth)
    raise SeabattleError(f"output {suffix or 'without a suffix'}: write a .svg, .dot or .txt file")
