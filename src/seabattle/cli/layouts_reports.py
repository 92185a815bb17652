"""The result of ``layouts`` as JSON, text and files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from seabattle.cli.output_files import made_by
from seabattle.documents.games import game_document
from seabattle.enumerate.answers import contact_words
from seabattle.enumerate.board import Board
from seabattle.enumerate.files import write_text
from seabattle.enumerate.picture import Pictures
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Fleet


def layouts_document(
    position: Position, counts: Sequence[int], whole: int, placed: Sequence[int], games: int
) -> dict[str, Any]:
    """Uniform layouts (exact) and layouts placed in sequence (counted), as a JSON object."""
    columns = position.rules.board.columns

    def by_rows(values: Sequence[Any]) -> list[list[Any]]:
        return [list(values[i : i + columns]) for i in range(0, len(values), columns)]

    return {
        **game_document(position),
        "layouts": whole,
        "occupancy": by_rows(counts),
        "sequential_games": games,
        "sequential_occupancy": by_rows(placed),
        "more_or_fewer": by_rows(
            [b * whole / (a * games) - 1 if a else 0.0 for a, b in zip(counts, placed, strict=True)]
        ),
        "largest_standard_error": max(sqrt(max(0, 1 - b / games) / b) for b in placed if b),
    }


def layouts_text(document: dict[str, Any]) -> str:
    """How much more (+) or less (-) often each cell is occupied in sequence."""
    board = Board.parse(document["board"])
    cells = [100 * share for row in document["more_or_fewer"] for share in row]
    return (
        f"cells occupied more (+) or less (-) often by {document['sequential_games']:,} layouts "
        f"placed ship after ship than by uniform ones, in % "
        f"(standard error {100 * document['largest_standard_error']:.2f} or less):\n\n"
        + board.grid([f"{value:+.1f}" for value in cells])
    )


def save_layouts(
    document: dict[str, Any], seed: int, folder: Path, pictures: Pictures
) -> list[Path]:
    """Write the comparison of uniform and sequential layouts: JSON, text, picture."""
    from seabattle.cli.plots import occupancy_plot
    from seabattle.enumerate.picture import colours_of, figure_svg
    from seabattle.solver.tournament.plots import fleet_words

    write_text(
        folder / "table.json", json.dumps({"made_by": made_by(seed), **document}, indent=2) + "\n"
    )
    game = f"{document['board']}, fleet {document['fleet']}, contact {document['contact']}"
    text = f"{game}: {document['layouts']:,} layouts\n{layouts_text(document)}\n"
    write_text(folder / "table.txt", text)
    board = Board.parse(document["board"])
    shares = [
        [n / document[whole] for row in document[name] for n in row]
        for name, whole in (
            ("occupancy", "layouts"),
            ("sequential_occupancy", "sequential_games"),
        )
    ]
    with colours_of(pictures.palette):
        picture = figure_svg(
            occupancy_plot(
                list(zip(("all layouts alike", "ship after ship"), shares, strict=True)),
                board.rows,
                board.columns,
                "Where ships lie: in all layouts alike, and placed one after another",
                f"{board}, {fleet_words(Fleet.parse(document['fleet']))}; "
                f"{contact_words(document['contact'])}; "
                f"{document['sequential_games']:,} layouts placed ship after ship",
                pictures.palette,
            )
        )
    return [
        folder / "table.json",
        folder / "table.txt",
        *pictures.save(picture, folder / "occupancy"),
    ]
