"""Observations in text files: a grid of frequencies or counts, or a list of layouts.

A grid has one line per row of the board, its numbers between blanks or commas, whole or decimal; a
list has one layout per line, its ships between blanks or commas. Blank lines and lines that begin
with ``#`` are skipped::

    0.19 0.18 0.20          A1:A3 C1 C3
    0.17 0.15 0.17          A1:C1 A3 C3
    0.20 0.18 0.19
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.files import read_text
from seabattle.enumerate.game.arguments import require_path, require_rules
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.priors.layout_lists import LayoutReader, parts_of
from seabattle.enumerate.priors.numbers import read_number

MOST_CHARACTERS = 1 << 26
"""Longer files are refused before they fill the memory."""


def _lines(path: str | Path, what: str) -> list[tuple[str, str]]:
    """The lines with content, each with its place for the beginning of messages.

    Raises
    ------
    WeightsError, FileAccessError
        If there is none, or the file cannot be read.
    """
    require_path("path", path)
    not_text = WeightsError(f"{path}: a file of {what} must be UTF-8 text")
    text = read_text(path, not_text, encoding="utf-8-sig", most=MOST_CHARACTERS)
    found = [(f"{path}, line {n}", line.strip()) for n, line in enumerate(text.split("\n"), 1)]
    found = [(place, line) for place, line in found if line and line[0] != "#"]
    if not found:
        raise WeightsError(f"{path} is empty: it holds no {what}")
    return found


def load_grid(path: str | Path, rules: Rules) -> list[list[Fraction]]:
    """Rows of numbers, as ``fit_frequencies`` takes them, from a file.

    Raises
    ------
    WeightsError
        If a number is wrong, or their number; names the file and the line.
    FileAccessError
        If the file cannot be read.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_rules(rules)
    board = rules.board
    rows: list[list[Fraction]] = []
    for place, line in _lines(path, "frequencies"):
        if len(rows) == board.rows:
            raise WeightsError(
                f"{place}: board {board} has {board.rows} rows, this line is one too many"
            )
        row = []
        for part in parts_of(line.rstrip(",")):
            if not part:
                raise WeightsError(f"{place}: there is nothing before or after a comma; write 0")
            try:
                row.append(read_number(part))
            except WeightsError as error:
                raise WeightsError(f"{place}: {error}") from None
        if len(row) != board.columns:
            raise WeightsError(
                f"{place}: {len(row)} numbers, and board {board} has {board.columns} columns; "
                f"write decimals with a point"
            )
        rows.append(row)
    if len(rows) != board.rows:
        raise WeightsError(f"{path}: the grid has {len(rows)} rows, and board {board} {board.rows}")
    return rows


def load_layouts(path: str | Path, rules: Rules) -> NDArray[np.int64]:
    """Placement numbers of layouts, as ``fit_layouts`` takes them, from a file.

    Returns
    -------
    int64 ``(games, n_ships)``.

    Raises
    ------
    WeightsError
        If a line is no layout of the game; names the file and the line.
    FileAccessError
        If the file cannot be read.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_rules(rules)
    reader = LayoutReader(rules)
    for place, line in _lines(path, "layouts"):
        reader.add(place, line)
    return np.array(reader.layouts(), dtype=np.int64)
