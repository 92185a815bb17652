"""The commands that read tree files: verify, replay, render."""

from __future__ import annotations

from pathlib import Path

import click

from seabattle.cli.options import Bar, check_limits, json_option
from seabattle.cli.printing import mean_text, print_json, print_lines


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--memory-limit",
    type=float,
    default=4.0,
    show_default=True,
    metavar="GIB",
    help="Memory for the layouts that are enumerated anew.",
)
@json_option
def verify(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check a tree file from the rules alone: coverage, worst case and total."""  # fmt: skip
    from seabattle.enumerate.errors import FileAccessError, TooLargeError, TreeError
    from seabattle.trees.tree.tree_files import load_tree
    from seabattle.trees.tree.verify import Verification
    from seabattle.trees.tree.verify import verify as verify_tree

    check_limits(None, memory_limit)
    with Bar("verify"):
        try:
            found = verify_tree(load_tree(file), memory_limit=memory_limit)
        except (FileAccessError, TooLargeError):
            raise
        except TreeError as error:
            found = Verification(False, 0, 0, 0, 0, 0, (str(error),))
    if as_json:
        print_json(
            {
                "valid": found.valid,
                "total_misses": found.total_misses,
                "worst_misses": found.worst_misses,
                "layouts": found.layouts,
                "wasted": found.wasted,
                "problems": list(found.problems),
            }
        )
    else:
        pairs = [("valid", "yes" if found.valid else "no")]
        if found.layouts:
            pairs += [
                ("layouts", f"{found.layouts:,}"),
                ("misses", f"mean {mean_text(found.total_misses, max(1, found.weight))}, "
                           f"worst {found.worst_misses}"),
                ("wasted shots", str(found.wasted)),
            ]  # fmt: skip
        print_lines(pairs + [("problem", text) for text in found.problems])
    return 0 if found.valid else 1


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--layout",
    required=True,
    metavar="A1:A3,C1,...",
    help="The hidden layout: each ship by its two ends, or its one cell.",
)
@json_option
def replay(file: Path, layout: str, as_json: bool) -> None:
    """Play a saved strategy against one hidden layout."""  # fmt: skip
    from seabattle.trees.tree.replay import misses_of
    from seabattle.trees.tree.replay import replay as replay_tree
    from seabattle.trees.tree.tree_files import load_tree

    shots = replay_tree(load_tree(file), layout)
    if as_json:
        print_json(
            {
                "shots": [{"cell": cell, "answer": answer} for cell, answer in shots],
                "misses": misses_of(shots),
            }
        )
        return
    for number, (cell, answer) in enumerate(shots, start=1):
        click.echo(f"{number:>3}  {cell:<4} {answer}")
    click.echo(f"{len(shots)} shots, {misses_of(shots)} misses")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where to write: .svg a picture, .dot for Graphviz, .txt text.",
)
@click.option(
    "--depth", type=click.IntRange(min=0), default=None, help="Draw no deeper than so many shots."
)
@click.option(
    "--path",
    default=None,
    metavar="misses|LAYOUT",
    help="Draw one path: where every shot misses, or the path of a layout.",
)
@click.option("--title", default=None, help="Title of the picture.")
def render(
    file: Path, output: Path, depth: int | None, path: str | None, title: str | None
) -> None:
    """Draw a tree file."""  # fmt: skip
    from seabattle.cli.reports import render_tree
    from seabattle.trees.tree.tree_files import load_tree, write_text

    with Bar("render"):
        text = render_tree(load_tree(file), output.suffix, depth=depth, path=path, title=title)
        write_text(output, text)
    click.echo(f"{output} written, {len(text.encode()) / 1e6:.2f} MB")
