"""A comparison of strategies as text, as JSON and as files: table, trees, pictures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from seabattle.cli.output_files import made_by
from seabattle.cli.printing import game_lines
from seabattle.documents.games import game_document
from seabattle.enumerate.files import write_text
from seabattle.enumerate.picture import Pictures
from seabattle.solver.studies.compare import Comparison
from seabattle.trees.files import save_tree

SMALL_TREE = 40
"""Trees with at most so many leaves are drawn whole."""


def comparison_document(
    result: Comparison, answers: str, prior: Mapping[str, Any]
) -> dict[str, Any]:
    """The comparison as a JSON object.

    Parameters
    ----------
    result
        The comparison.
    answers
        What was asked for, a mode or ``all``.
    prior
        What is said of the prior, by field.
    """
    return {
        **game_document(result.position),
        "answers": answers,
        "layouts": result.layouts,
        "weight": result.weight,
        **prior,
        "rows": [row.document() for row in result.rows],
    }


def comparison_lines(result: Comparison, answers: str) -> list[tuple[str, str]]:
    """What was compared, as names and texts."""
    (name, game), *known = game_lines(result.position)
    mode = result.position.rules.answers.value
    return [
        (name, game.replace(f"answers {mode}", f"answers {answers}")),
        *known,
        ("layouts", f"{result.layouts:,}"),
    ]


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
            row.status,
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


def save_comparison(
    result: Comparison,
    answers: str,
    folder: Path,
    say: Callable[[str], None],
    prior: Mapping[str, Any],
    pictures: Pictures,
) -> list[Path]:
    """Write a comparison: tables, trees, pictures of the miss paths, and what made them."""
    from seabattle.trees.drawing.tree_svg import svg

    written = []

    def keep(name: str, text: str) -> None:
        write_text(folder / name, text)
        written.append(folder / name)

    document = comparison_document(result, answers, prior)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(document["rows"][0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(document["rows"])
    keep("table.csv", stream.getvalue())
    keep("table.json", json.dumps({"made_by": made_by(), **document}, indent=2) + "\n")
    keep("table.txt", comparison_table(result) + "\n")
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
