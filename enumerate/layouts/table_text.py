"""A decision table as text, and as HTML for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seabattle.enumerate.game.board import cells_of

if TYPE_CHECKING:
    from seabattle.enumerate.layouts.table import DecisionTable


def table_html(table: DecisionTable) -> str:
    """The table with its first rows, their ships and weights, and how often each cell is occupied.

    How many rows are shown is up to ``display.notebook``.
    """
    from seabattle.enumerate.display.notebook import ROWS_SHOWN, html_table

    board = table.rules.board
    shown = min(len(table), ROWS_SHOWN)
    weighted = len(table.weights) > 0
    rows = []
    for number in range(shown):
        bits = table.row(number)
        rows.append(
            [
                " ".join(table.layouts.names(int(table.index[number]))),
                *([f"{int(table.weights[number]):,}"] if weighted else []),
                *("X" if bit else "" for bit in bits),
            ]
        )
    more = len(table) - shown
    return html_table(
        ["layout", *(["weight"] if weighted else []), *map(board.name, range(board.cells))],
        rows,
        caption=f"Decision table: {len(table):,} layouts x {board.cells} cells, {table.rules}",
        note=f"… and {more:,} more layouts" if more else "",
        foot=[
            "occupied in",
            *([f"{table.total_weight:,}"] if weighted else []),
            *(f"{int(count):,}" for count in table.column_counts()),
        ],
    )


def table_text(table: DecisionTable, most: int) -> str:
    """At most ``most`` rows as X and . with the layout's ships beside each."""
    board = table.rules.board
    names = [board.name(cell) for cell in range(board.cells)]
    lines = [" ".join(f"{name:>2}" for name in names)]
    for number in range(min(len(table), most)):
        mask = sum(int(word) << (64 * w) for w, word in enumerate(table.masks[number]))
        occupied = set(cells_of(mask))
        marks = " ".join(
            ("X" if cell in occupied else ".").rjust(max(2, len(name)))
            for cell, name in enumerate(names)
        )
        lines.append(f"{marks}  {' '.join(table.layouts.names(int(table.index[number])))}")
    if len(table) > most:
        lines.append(f"... {len(table) - most} more layouts")
    return "\n".join(lines)
