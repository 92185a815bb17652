"""A comparison of strategies as files: tables, trees, pictures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from seabattle.enumerate.files import write_text
from seabattle.enumerate.picture import Pictures
from seabattle.solver.studies.compare import Comparison
from seabattle.trees.files import save_tree

SMALL_TREE = 40
"""Trees with at most so many leaves are drawn whole."""


def save_comparison(
    result: Comparison,
    document: Mapping[str, Any],
    folder: Path,
    pictures: Pictures,
    made_by: Mapping[str, Any],
    say: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Write a comparison: tables, trees, pictures of the miss paths, and what made them.

    Parameters
    ----------
    result
        The comparison.
    document
        What the table as JSON holds beside what made it.
    folder, pictures, made_by
        Where, kinds of pictures, and the command.
    say
        Called with what is being written.

    Returns
    -------
    list of Path
        The files.
    """
    from seabattle.trees.drawing.tree_svg import svg

    written = []

    def keep(name: str, text: str) -> None:
        write_text(folder / name, text)
        written.append(folder / name)

    stream = io.StringIO()
    records = result.records()
    writer = csv.DictWriter(stream, fieldnames=list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    keep("table.csv", stream.getvalue())
    keep("table.json", json.dumps({"made_by": made_by, **document}, indent=2) + "\n")
    keep("table.txt", result.text() + "\n")
    for row in result.rows:
        name = row.name
        say(f"writing {name}")
        tree_file = folder / f"{name}.json"
        save_tree(row.tree, tree_file)
        written.append(tree_file)
        misses = svg(row.tree, path="misses", theme=pictures.theme)
        written += pictures.save(misses, folder / f"{name}-misses")
        if row.tree.leaves <= SMALL_TREE:
            whole = svg(row.tree, theme=pictures.theme)
            written += pictures.save(whole, folder / f"{name}-tree")
    return written
