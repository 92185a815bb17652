"""Results as text and as files: tables, trees, pictures, and what made them."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

from seabattle.enumerate.errors import FileAccessError, SeabattleError
from seabattle.solver.search.solution import Solution
from seabattle.solver.studies.compare import Comparison
from seabattle.trees.tree.tree import Tree
from seabattle.trees.tree.tree_files import save_tree, write_text

SMALL_TREE = 40
"""Trees with at most so many leaves are drawn whole."""


def first_shot_grid(solution: Solution) -> str:
    """Mean misses after each first shot, as a board; the best ones are marked."""
    values = solution.values or ()
    least = min(values, default=0)
    cells = [
        f"{float(Fraction(value, solution.weight)):.3f}" + ("*" if value == least else " ")
        for value in values
    ]
    return solution.rules.board.grid(cells)


def comparison_table(result: Comparison) -> str:
    """The comparison as a text table."""
    head = ("answers", "reading", "strategy", "worst", "mean", "total", "status")
    body = [
        (
            row.tree.rules.answers.value,
            row.tree.reading.value,
            row.strategy,
            str(row.tree.worst_misses),
            f"{float(row.mean_misses):.4f}",
            f"{row.tree.total_misses}/{result.weight}",
            {"optimal": "proven"}.get(row.tree.status, row.tree.status),
        )
        for row in result.rows
    ]
    widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
    right = (False, False, False, True, True, True, False)
    lines = [
        "  ".join(
            text.rjust(width) if side else text.ljust(width)
            for text, width, side in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in (head, *body)
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def rules_line(result: Comparison) -> str:
    """Board, fleet and contact rule of a comparison; the rows say what is answered."""
    rules = result.rules
    return f"{rules.board}, fleet {rules.fleet}, contact {rules.contact.value}"


def prepare_folder(folder: Path) -> None:
    """Make the output folder, or say at once that it cannot be written.

    Raises
    ------
    FileAccessError
        If the folder cannot be made or written.
    """
    probe = folder / ".seabattle-probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise FileAccessError(
            f"cannot write the output folder {folder}: {error.strerror or error}"
        ) from None


@contextmanager
def output_folder(folder: Path | None) -> Iterator[None]:
    """Make the output folder of the work to come; nothing is left of it if that fails.

    Parameters
    ----------
    folder
        None where no files are asked for.

    Raises
    ------
    FileAccessError
        If the folder cannot be made or written.
    """
    if folder is None:
        yield
        return
    new = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        prepare_folder(folder)
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):  # it holds something
                path.rmdir()
        raise


def made_by(seed: int | None = None) -> dict[str, object]:
    """Command, version and seed, to be kept beside results."""
    command = shlex.join(["seabattle", *sys.argv[1:]])
    return {"command": command, "version": version("seabattle"), "seed": seed}


def save_comparison(result: Comparison, folder: Path, say: Callable[[str], None]) -> list[Path]:
    """Write a comparison: tables, trees, pictures of the miss paths, and what made them."""
    from seabattle.trees.drawing.tree_svg import svg

    written = []

    def keep(name: str, text: str) -> None:
        write_text(folder / name, text)
        written.append(folder / name)

    documents = [row.document() for row in result.rows]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(documents[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(documents)
    keep("table.csv", stream.getvalue())
    table = {
        "made_by": made_by(),
        "board": str(result.rules.board),
        "fleet": str(result.rules.fleet),
        "contact": result.rules.contact.value,
        "layouts": result.layouts,
        "weight": result.weight,
        "rows": documents,
    }
    keep("table.json", json.dumps(table, indent=2) + "\n")
    keep("table.txt", comparison_table(result) + "\n")
    for row in result.rows:
        name = row.name
        say(f"writing {name}")
        tree_file = folder / f"{name}.json"
        save_tree(row.tree, tree_file)
        written.append(tree_file)
        keep(f"{name}-misses.svg", svg(row.tree, path="misses"))
        if row.tree.leaves <= SMALL_TREE:
            keep(f"{name}-tree.svg", svg(row.tree))
    return written


def save_solution(solution: Solution, path: Path) -> list[Path]:
    """Write the tree; with several points of a front, one file each, worst case in its name."""
    if not solution.front:
        save_tree(solution.tree, path)
        return [path]
    written = []
    for tree in solution.front:
        name = path.with_name(f"{path.stem}-worst{tree.worst_misses}{path.suffix or '.json'}")
        save_tree(tree, name)
        written.append(name)
    return written


def render_tree(
    tree: Tree, suffix: str, *, depth: int | None, path: str | None, title: str | None
) -> str:
    """Text of a picture file by its suffix.

    Raises
    ------
    SeabattleError
        If the suffix names no format, or an option does not go with it.
    """
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
