"""Heat maps: exact percentages, colours that can be read, the same map in three forms."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from seabattle.enumerate.answers import HIT, MISS
from seabattle.enumerate.colours import LIGHT
from seabattle.enumerate.picture import png
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.trees.drawing.heatmap import (
    HeatMap,
    heatmap_text,
    percent_text,
)
from seabattle.trees.drawing.heatmap_picture import heatmap_svg

SVG = "{http://www.w3.org/2000/svg}"


def map_of(rules: Rules, **known: list[str]) -> HeatMap:
    """Map of a small game by counting its layouts."""
    position = Position.of_cells(rules, **known)
    table = DecisionTable.build(rules).at(position)
    counts = table.column_counts().reshape(rules.board.rows, rules.board.columns)
    return HeatMap.at(position, counts, len(table))


GAME = map_of(
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"), miss=["C3", "D4"], hit=["E2"], sunk=["A1:A2"]
)


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_text_word_for_word() -> None:
    lines = heatmap_text(GAME).splitlines()
    assert lines == [
        "How likely each cell is occupied",
        "5x5 · 12 layouts · best E1 E3 E5 (100 %)",
        "",
        "     A      B      C      D      E",
        " 1   X       0   66.7      0    100*",
        " 2   X       0   66.7      0     x",
        " 3    0      0     .       0    100*",
        " 4 66.7      0   66.7     .       0",
        " 5 66.7      0   66.7      0    100*",
        "",
        "percent of layouts   * best   . miss   x hit   X sunk",
    ]


def test_narrow_terminals_get_a_narrow_board() -> None:
    rows = [[100 * row + column for column in range(10)] for row in range(10)]
    heat = HeatMap("10x10", rows, 2000, shots=[(11, MISS), (12, HIT)])
    told = heatmap_text(heat, width=40)
    assert max(map(len, told.splitlines())) <= 40
    assert told.splitlines()[-14:] == [
        "    A  B  C  D  E  F  G  H  I  J",
        " 1  0 <1 <1 <1 <1 <1 <1 <1 <1 <1",
        " 2  5  .  x  5  5  5  5  5  5  5",
        " 3 10 10 10 10 10 10 10 10 10 10",
        " 4 15 15 15 15 15 15 15 15 15 15",
        " 5 20 20 20 20 20 20 20 20 20 20",
        " 6 25 25 25 25 25 25 25 25 25 25",
        " 7 30 30 30 30 30 30 30 30 30 30",
        " 8 35 35 35 35 35 35 35 35 35 35",
        " 9 40 40 40 40 40 40 40 40 40 40",
        "10 45 45 45 45 45 45 45 45 45*45",
        "",
        "percent of layouts   * before best   .",
        "miss   x hit",
    ]


def test_tree_svg_tells_every_cell() -> None:
    picture = heatmap_svg(GAME)
    found = texts(picture)
    assert found[0] == "How likely each cell is occupied"
    assert " ".join(found[1:3]) == GAME.game
    assert found[3] == GAME.subtitle()
    del found[1:3]
    assert found[2:12] == [*"ABCDE", *"12345"]
    told = [
        percent_text(GAME.count(cell), GAME.total) for cell in range(25) if cell not in GAME.answers
    ]
    assert found[12 : 12 + len(told)] == told
    assert found[12 + len(told) :] == [
        "0 %", "100 % of the layouts", "best", "miss", "hit", "sunk",
    ]  # fmt: skip
    root = ElementTree.fromstring(picture)
    # Two signs in the board and one in the legend.
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    reds = [r for r in root.iter(f"{SVG}rect") if r.get("stroke") == LIGHT.target]
    assert len(reds) == len(GAME.best_cells) + 1
    assert root.find(f"{SVG}desc").text == f"{GAME.game}\n{heatmap_text(GAME)}"


def test_png_has_the_colours_of_the_svg() -> None:
    from matplotlib.image import imread

    pixels = (imread(io.BytesIO(png(heatmap_svg(GAME))))[:, :, :3] * 255).round().astype(int)
    root = ElementTree.fromstring(heatmap_svg(GAME))
    cells = [r for r in root.iter(f"{SVG}rect") if r.get("stroke") == LIGHT.ground][:25]
    for rect in cells:
        # A corner of the cell, where no text and no sign is.
        x = 2 * (float(rect.get("x")) + 0.14 * float(rect.get("width")))
        y = 2 * (float(rect.get("y")) + 0.14 * float(rect.get("height")))
        shown = "#{:02x}{:02x}{:02x}".format(*pixels[round(y), round(x)])
        assert shown in (rect.get("fill"), "#ffffff", LIGHT.target)
    assert len({rect.get("fill") for rect in cells}) == 4
