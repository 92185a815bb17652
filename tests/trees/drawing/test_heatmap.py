"""Heat maps: exact percentages, colours that can be read, the same map in three forms."""

from __future__ import annotations

import io
import re
import struct
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seabattle.enumerate.answers import HIT, MISS, SUNK
from seabattle.enumerate.board import Board
from seabattle.enumerate.colours import DARK, LIGHT, Palette, ansi_256, contrast, luminance, text_on
from seabattle.enumerate.errors import BoardError, DrawingError, FileAccessError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.trees.drawing.heatmap import (
    Colours,
    HeatMap,
    heatmap_text,
    percent_text,
    terminal_colours,
)
from seabattle.trees.drawing.heatmap_picture import heatmap_png, heatmap_svg, save_heatmap

SVG = "{http://www.w3.org/2000/svg}"
SHARES = st.floats(0, 1)


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


@given(st.integers(1, 10**30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_percentages_are_rounded_from_the_exact_ones(pair: tuple[int, int]) -> None:
    count, total = pair
    told = percent_text(count, total)
    assert (told == "0") == (count == 0)
    assert (told == "100") == (count == total)
    if told[0].isdigit() and 0 < count < total:
        exact = Decimal(1000 * count * 10**9 // total) / Decimal(10**10)
        if abs(exact * 10 % 1 - Decimal("0.5")) > Decimal("1e-6"):
            assert Decimal(told) == exact.quantize(Decimal("0.1"), ROUND_HALF_UP)


def test_the_game_of_the_sample_is_counted_by_hand() -> None:
    # A ship of 2 is sunk at A1:A2 and E2 is hit: E1, E3 or both belong to its ship.
    assert GAME.total == 12
    assert GAME.answers == {12: MISS, 18: MISS, 4 + 5: HIT, 0: SUNK, 5: SUNK}
    assert GAME.span == (0, 12)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_likelier_the_further_from_the_ground(palette: Palette) -> None:
    grey = [luminance(palette.scale(i / 200)) for i in range(201)]
    steps = [b - a for a, b in pairwise(grey)]
    assert all(step < 0 for step in steps) if palette is LIGHT else all(step > 0 for step in steps)
    assert (palette.scale(-1), palette.scale(2)) == (palette.scale(0), palette.scale(1))
    assert contrast(palette.scale(0), palette.scale(1)) > 7, "the scale spans light and dark"


@given(SHARES, st.sampled_from([LIGHT, DARK]))
def test_text_on_any_colour_has_the_contrast_asked_of_small_text(
    share: float, palette: Palette
) -> None:
    back = palette.scale(share)
    assert contrast(text_on(back), back) >= 4.5
    shown = ansi_256(back)[1]
    assert contrast(text_on(shown), shown) >= 4.5


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


@pytest.mark.parametrize("colours", ["256", "truecolour"])
def test_colours_add_nothing_to_the_text(colours: str) -> None:
    painted = heatmap_text(GAME, colours=colours)
    assert "\x1b[" in painted
    bare = re.sub(r"\x1b\[[0-9;]*m", "", painted).splitlines()
    assert [line.rstrip() for line in bare[:-1]] == heatmap_text(GAME).splitlines()
    assert bare[-1].split() == ["0", "%", "100", "%"]
    assert painted.count("\x1b[1;") == 3, "best cells are bold"


def test_wide_boards_drop_the_decimal_where_the_terminal_is_narrow() -> None:
    heat = HeatMap("2x20", [list(range(20)), list(range(20))], 1000)
    assert "1.9" in heatmap_text(heat, width=200)
    narrow = heatmap_text(heat, width=120)
    assert "1.9*" not in narrow
    assert max(map(len, narrow.splitlines()[3:6])) <= 120


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


def test_where_no_row_fits_the_board_is_cut_into_equal_parts() -> None:
    heat = HeatMap("2x10", [[1] * 10, [2] * 10], 2)
    told = heatmap_text(heat, width=40).splitlines()
    assert told[-9:-1] == [
        "    A   B   C   D   E",
        " 1  50  50  50  50  50",
        " 2*100*100*100*100*100",
        "",
        "    F   G   H   I   J",
        " 1  50  50  50  50  50",
        " 2*100*100*100*100*100",
        "",
    ]
    assert told[-1] == "percent of layouts   * before best"
    for width in (6, 12, 40, 60):
        painted = heatmap_text(heat, colours="256", width=width)
        bare = re.sub(r"\x1b\[[0-9;]*m", "", painted)
        assert [bare.split().count(name) for name in ("A", "J")] == [1, 1]
        assert width < 20 or max(map(len, bare.splitlines())) <= width


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": ""}, Colours.TRUE),
        ({"TERM": "xterm-256color"}, Colours.ANSI_256),
        ({"TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "truecolor"}, Colours.NONE),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colours.NONE),
        ({}, Colours.NONE),
    ],
)
def test_colours_of_a_terminal(environment: dict[str, str], expected: Colours) -> None:
    assert terminal_colours(Terminal(), environment) is expected
    assert terminal_colours(io.StringIO(), environment) is Colours.NONE


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


def test_tree_svg_loads_nothing_and_has_ids_of_its_own() -> None:
    picture = heatmap_svg(GAME)
    assert "href=" not in picture
    assert "url(" not in picture
    other = heatmap_svg(HeatMap("1x1", [[1]], 1))
    ids = [re.findall(r' id="([^"]+)"', text) for text in (picture, other)]
    assert not set(ids[0]) & set(ids[1])
    assert heatmap_svg(GAME) == picture
    assert GAME._repr_svg_() == picture


@pytest.mark.parametrize("board", ["1x1", "1x40", "40x1", "3x4", "10x10", "26x26", "28x36"])
def test_nothing_leaves_the_picture(board: str) -> None:
    size = Board.parse(board)
    counts = np.arange(size.cells).reshape(size.rows, size.columns)
    heat = HeatMap(board, counts, size.cells, title="where to shoot next " * 9)
    root = ElementTree.fromstring(heatmap_svg(heat))
    width, height = float(root.get("width")), float(root.get("height"))
    for rect in root.iter(f"{SVG}rect"):
        x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
        assert 0 <= x <= x + float(rect.get("width")) <= width
        assert 0 <= y <= y + float(rect.get("height")) <= height
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("y")) < height
        wide = 0.6 * float(text.get("font-size")) * len(text.text)
        if text.get("text-anchor") is None:
            assert float(text.get("x")) + wide * 0.8 < width


def test_markup_in_a_title_is_text() -> None:
    title = "<script>alert(1)</script> $x$ \x1b[31m & 日本"
    heat = HeatMap("1x2", [[1, 0]], 1, title=title)
    picture = heatmap_svg(heat)
    assert "<script" not in picture
    assert "\x1b" not in picture
    assert "\x1b" not in heatmap_text(heat)
    assert heatmap_png(heat).startswith(b"\x89PNG")


def test_all_cells_alike_or_all_shot() -> None:
    alike = HeatMap("1x2", [[1, 1]], 2)
    assert alike.best_cells == (0, 1)
    assert "50.0 % of the layouts" in texts(heatmap_svg(alike))
    over = HeatMap("1x2", [[1, 1]], 1, [(0, HIT), (1, SUNK)])
    assert (over.best_cells, over.span) == ((), None)
    assert "best" not in heatmap_text(over, colours="256")
    assert "%" not in "".join(texts(heatmap_svg(over)))
    nothing = HeatMap("1x2", [[1, 0]], 1, [(0, HIT)])
    assert nothing.best_cells == (), "a cell that no layout occupies is no best shot"


def test_files_by_their_suffix(tmp_path) -> None:
    save_heatmap(GAME, tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == heatmap_svg(GAME)
    save_heatmap(GAME, tmp_path / "map.PNG")
    content = (tmp_path / "map.PNG").read_bytes()
    root = ElementTree.fromstring(heatmap_svg(GAME))
    size = struct.unpack(">II", content[16:24])
    assert size == tuple(round(2 * float(root.get(side))) for side in ("width", "height"))
    assert content == heatmap_png(GAME)
    with pytest.raises(DrawingError, match=r"\.gif is no picture; write a \.svg, \.png or \.pdf"):
        save_heatmap(GAME, tmp_path / "map.gif")
    with pytest.raises(DrawingError, match="without a suffix"):
        save_heatmap(GAME, tmp_path / "map")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileAccessError):
        save_heatmap(GAME, tmp_path / "file" / "map.svg")


def test_png_has_the_colours_of_the_svg() -> None:
    from matplotlib.image import imread

    pixels = (imread(io.BytesIO(heatmap_png(GAME)))[:, :, :3] * 255).round().astype(int)
    root = ElementTree.fromstring(heatmap_svg(GAME))
    cells = [r for r in root.iter(f"{SVG}rect") if r.get("stroke") == LIGHT.ground][:25]
    for rect in cells:
        # A corner of the cell, where no text and no sign is.
        x = 2 * (float(rect.get("x")) + 0.14 * float(rect.get("width")))
        y = 2 * (float(rect.get("y")) + 0.14 * float(rect.get("height")))
        shown = "#{:02x}{:02x}{:02x}".format(*pixels[round(y), round(x)])
        assert shown in (rect.get("fill"), "#ffffff", LIGHT.target)
    assert len({rect.get("fill") for rect in cells}) == 4


def test_repr_makes_the_same_map() -> None:
    assert eval(repr(GAME), {"HeatMap": HeatMap, "Board": Board}) == GAME


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("2x2", [[1, 1]], 1), DrawingError, "2 counts in 1 rows; the board 2x2 needs 2 rows of 2"),
        (("1x2", [[1, 2]], 1), DrawingError, "from 0 to the total"),
        (("1x2", [[1, -1]], 1), DrawingError, "from 0 to the total"),
        (("1x2", [[0, 0]], 0), DrawingError, "at least 1"),
        (("1x2", [[0, 0]], 1, [(2, MISS)]), BoardError, "cell 2"),
        (("1x2", [[0, 0]], 1, (), ["C1"]), BoardError, "off the board"),
    ],
)
def test_bad_input(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        HeatMap(*arguments)


def test_unknown_colours() -> None:
    with pytest.raises(DrawingError, match="write none, 256, truecolour"):
        heatmap_text(GAME, colours="rainbow")
