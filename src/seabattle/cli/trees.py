"""The commands that read tree files: replay, render."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.options import (
    PATH,
    given_options,
    json_option,
    output_option,
    picture_options,
    within,
)
from seabattle.cli.printing import counted, game_lines, print_answer, print_lines
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.trees.tree import Tree


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
    from seabattle.enumerate.position_files import shot_fields
    from seabattle.trees.files import load_tree
    from seabattle.trees.replay import misses_of
    from seabattle.trees.replay import replay as replay_tree

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
@output_option(
    "FILE", "Where to write: .svg, .png or .pdf a picture, .dot for Graphviz, .txt text."
)
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
@click.option(
    "--paper",
    type=click.Choice(["A4", "letter"], case_sensitive=False),
    default=None,
    help="Draw the whole tree on sheets of paper: the pages of a .pdf, or one numbered file each.",
)
@picture_options("the picture")
def render(
    file: Path,
    output: Path,
    depth: int | None,
    path: str | None,
    title: str | None,
    paper: str | None,
    scale: float | None,
    theme: str,
) -> None:
    """Draw a tree file.

    A large tree is drawn on sheets of paper by --paper, in print that can be read; a box that ends
    a sheet says where it goes on. Try:

    \b
      seabattle render tree.json -o path.png --path misses
      seabattle render tree.json -o tree.pdf --paper A4
      seabattle render tree.json -o tree.pdf --depth 3 --theme print
    """  # noqa: D301
    from seabattle.enumerate.errors import BoardError, LayoutError, SeabattleError
    from seabattle.trees.files import load_tree

    suffix = output.suffix.lower()
    text = suffix in (".txt", ".dot")
    if not text:
        _require_tree_picture(output)
    for name in given_options("title", "paper", "scale", "theme") if text else ():
        raise SeabattleError(f"{name} goes with pictures: write a .svg, .png or .pdf file")
    for name in given_options("depth", "path") if paper else ():
        raise SeabattleError(f"--paper draws the whole tree: leave out {name}")
    if path is not None and suffix == ".dot":
        raise SeabattleError("--path goes with .txt and pictures; a .dot file holds the whole tree")
    with Bar("render", at_once=not paper) as bar:
        tree = load_tree(file)
        try:
            if text:
                written = [_write_text(tree, output, depth=depth, path=path)]
            elif paper:
                from seabattle.trees.drawing.paper import save_paper

                def say(number: int, of: int) -> None:
                    if bar.interrupted:
                        raise KeyboardInterrupt
                    bar.say(f"sheet {number} of {of}")

                theme = theme if given_options("theme") else "print"
                written = save_paper(
                    tree, output, paper, title=title, scale=scale, theme=theme, progress=say
                )
            else:
                from seabattle.enumerate.picture import save_picture
                from seabattle.trees.drawing.tree_svg import svg

                picture = svg(tree, depth=depth, path=path, title=title, theme=theme)
                written = [(output, save_picture(picture, output, scale=scale))]
        except (BoardError, LayoutError) as error:  # of the layout that --path names
            raise type(error)(f"--path: {error}") from None
    size = f"{sum(size for _, size in written) / 1e6:.2f} MB"
    saved = f"{written[0][0]}, {size}"
    if len(written) > 1:
        saved = f"{written[0][0]} to {written[-1][0].name}, {size}"
    print_lines([*game_lines(tree.position), ("saved", saved)])


def _require_tree_picture(output: Path) -> None:
    """Refuse a file of a kind that render does not write."""
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.picture import SUFFIXES, require_picture

    suffix = output.suffix.lower()
    if suffix not in SUFFIXES:
        raise SeabattleError(f"output {output}: write a .svg, .png, .pdf, .dot or .txt file")
    require_picture(output)


def _write_text(
    tree: Tree, output: Path, *, depth: int | None, path: str | None
) -> tuple[Path, int]:
    """Write the tree as text or for Graphviz; the file and its size."""
    from seabattle.enumerate.files import write_text

    if output.suffix.lower() == ".txt":
        from seabattle.trees.drawing.text import text

        written = text(tree, depth=depth, path=path) + "\n"
    else:
        from seabattle.trees.drawing.export import to_dot

        written = to_dot(tree, depth=depth)
    write_text(output, written)
    return output, len(written.encode())
