"""Small games for tests of priors: their layouts, in the words of files and of the naive twin."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.layouts import Layouts, enumerate_layouts
from seabattle.enumerate.rules import Rules

GAME = Rules("3x3", "3,1,1")
TINY = [
    Rules("2x3", "2"),
    Rules("3x3", "2,1"),
    Rules("3x3", "3,1,1"),
    Rules("3x4", "3,2"),
    Rules("1x7", "2,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("2x3", "2,1", "sides"),
    Rules("3x3", "2,2", "sides"),
    Rules("7x10", "1"),
]


@lru_cache(maxsize=64)
def all_of(rules: Rules) -> Layouts:
    """All layouts of a game."""
    return enumerate_layouts(rules)


def naive_rows(layouts: Layouts) -> list[naive.Layout]:
    """Naive layouts in the order of the enumeration."""
    by_number = layouts_by_number(layouts.rules)
    return [by_number[tuple(row)] for row in layouts.ships.tolist()]


def in_line(layouts: Layouts, row: int) -> str:
    """A layout as files write it."""
    return " ".join(layouts.names(row))


def text_of(rules: Rules, tokens: list[str], separator: str = " ") -> str:
    """One text per cell as the lines of a grid."""
    columns = rules.board.columns
    rows = [tokens[i : i + columns] for i in range(0, len(tokens), columns)]
    return "\n".join(separator.join(row) for row in rows)


def write(folder: Path, text: str | bytes, name: str = "weights.txt") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
