"""Heat maps: exact percentages, colours that can be read, the same map in three forms."""

from __future__ import annotations

from seabattle.enumerate.map import (
    HeatMap,
    heatmap_text,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable


def map_of(rules: Rules, **known: list[str]) -> HeatMap:
    """Map of a small game by counting its layouts."""
    position = Position.of_cells(rules, **known)
    table = DecisionTable.build(rules).at(position)
    return HeatMap(position, len(table), table.column_counts().tolist())


GAME = map_of(
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"), miss=["C3", "D4"], hit=["E2"], sunk=["A1:A2"]
)


def test_text_word_for_word() -> None:
    lines = heatmap_text(GAME).splitlines()
    assert lines == [
        "How likely each cell is occupied",
        "5x5 · 12 layouts · best E1 E3 E5 (100 %)",
        "",
        "      A    B    C    D    E",
        " 1    X    0 66.7    0 *100",
        " 2    X    0 66.7    0    x",
        " 3    0    0    .    0 *100",
        " 4 66.7    0 66.7    .    0",
        " 5 66.7    0 66.7    0 *100",
        "",
        "percent of layouts   * best   . miss   x hit   X sunk",
    ]
