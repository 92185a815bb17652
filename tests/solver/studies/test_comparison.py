"""What a comparison says and draws: one sentence a mode, one picture, one unit a column."""

import json
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.search_games import weighted

from seabattle import DecisionTable, Position, Rules, compare
from seabattle.enumerate.picture import Pictures
from seabattle.solver.studies import compare as sentences
from seabattle.solver.studies.compare import Comparison
from seabattle.solver.studies.comparison_files import (
    HEIGHT,
    WIDTH,
    comparison_svg,
    save_comparison,
)
from seabattle.trees.tree import Reading

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(__file__).resolve().parents[3] / "trees" / "page" / "scripts" / "solve" / "tab.js"


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return compare(Rules("3x4", "3,2"))


@pytest.fixture(scope="module")
def two_optima() -> Comparison:
    """Of this game no tree has both the least mean and the least worst case."""
    return compare(Rules("4x5", "4,2"), ["hit"])


def test_the_words_are_those_of_the_page() -> None:
    told = PAGE.read_text(encoding="utf-8")
    for words in ("BEST", "WORSE", "KNOWN", "SAME_WORST", "OTHER_WORST"):
        assert f't("{getattr(sentences, words)}"' in told


def test_a_sentence_a_mode_says_how_much_more_greedy_play_misses(
    compared: Comparison, two_optima: Comparison
) -> None:
    assert two_optima.sentences() == [
        "On 4 × 5 with 4,2 greedy play, at the likeliest cell, misses 1.9 % more on average, and "
        "as many at worst, 7, as the tree of least mean; at the cell that halves best, 8.0 %."
    ]
    assert len(compared.sentences()) == 3
    for mode, sentence in zip(("hit", "sunk", "ship"), compared.sentences(), strict=True):
        tree = {
            row.strategy: row.tree
            for row in compared.rows
            if (row.tree.rules.answers, row.tree.reading) == (mode, Reading.FULL)
        }
        assert f"with 3,2, answers {mode}, greedy play" in sentence
        best = tree["optimal-mean"]
        worst = tree["greedy-hits"].worst_misses, best.worst_misses
        told = (
            f"as many at worst, {worst[0]}, as"
            if worst[0] == worst[1]
            else "{} at worst, where the tree of least mean misses {}".format(*worst)
        )
        assert told in sentence
        found = re.findall(r"([0-9.]+) %", sentence)
        if tree["greedy-hits"].total_misses == best.total_misses:
            assert "is the best there is on average" in sentence
            assert not found
            continue
        for name, told in zip(("greedy-hits", "greedy-half"), found, strict=True):
            more = 100 * (Fraction(tree[name].total_misses, best.total_misses) - 1)
            assert float(told) == pytest.approx(float(more), abs=0.051)


def test_what_is_not_proven_is_not_said_to_be() -> None:
    result = compare(Rules("5x5", "3,2", answers="ship"), ["ship"], time_limit=0.3)
    best = result.rows[2].tree
    if best.status == "optimal":
        pytest.fail("three tenths of a second proved it: take a larger game")
    assert result.sentences() == [
        f"On 5 × 5 with 3,2 the best tree known misses {float(best.mean_misses):.3f} times on "
        f"average."
    ]
    assert "best known: mean" in comparison_svg(result)


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_the_picture_tells_every_row_as_bars_and_in_words(
    compared: Comparison, two_optima: Comparison, theme: str
) -> None:
    for result, rows in ((compared, 9), (two_optima, 4)):
        root = ElementTree.fromstring(comparison_svg(result, theme=theme))
        assert (float(root.get("width", 0)), float(root.get("height", 0))) == (WIDTH, HEIGHT)
        title, told = root.find(f"{SVG}title"), root.findtext(f"{SVG}desc") or ""
        assert title is not None
        assert root.get("aria-labelledby", "").split() == [
            title.get("id"), f"{root.get('id')}-desc"
        ]  # fmt: skip
        assert all(sentence in told for sentence in result.sentences())
        drawn = [row for row in result.rows if row.tree.reading is Reading.FULL]
        if rows == 9:  # the trees of least worst case are those of least mean
            drawn = [row for row in drawn if row.strategy != "optimal-worst"]
        assert len(drawn) == rows
        bars = list(root.iter(f"{SVG}rect"))[1:]
        assert len(bars) == sum(len(row.tree.distribution) for row in drawn)
        for row in drawn:
            assert f"mean {float(row.tree.mean_misses):.4f}, worst {row.tree.worst_misses}" in told
            counts = sorted(row.tree.distribution.items())
            assert ", ".join(f"{weight} with {n}" for n, weight in counts) in told
        for shape in [*bars, *root.iter(f"{SVG}text")]:
            assert 0 <= float(shape.get("x", 0)) <= WIDTH
            assert 0 <= float(shape.get("y", 0)) <= HEIGHT


def test_heights_are_shares_on_one_scale(two_optima: Comparison) -> None:
    root = ElementTree.fromstring(comparison_svg(two_optima))
    heights = [float(each.get("height", 0)) for each in root.iter(f"{SVG}rect")][1:]
    rows = {row.strategy: row.tree.distribution for row in two_optima.rows}
    counts = [n for name in rows for _, n in sorted(rows[name].items())]
    tallest = max(heights)
    for height, count in zip(heights, counts, strict=True):
        assert height == pytest.approx(max(1, tallest * count / max(counts)), abs=0.2)


@pytest.mark.parametrize(("fleet", "brackets"), [("3,1,1", False), ("2,1", True)])
def test_brackets_are_explained_where_there_are_any(fleet: str, brackets: bool) -> None:
    told = comparison_svg(compare(Rules("3x3", fleet), ["hit", "sunk"]))
    assert ("(+" in told) == ("in brackets" in told) == brackets


def test_a_position_and_weights_are_told() -> None:
    start = Position.in_order(Rules("3x4", "3,2"), "A1 miss")
    told = comparison_svg(compare(start, ["hit"]))
    assert "after A1 miss" in told
    table = DecisionTable.build(Rules("3x3", "2,1"))
    weighed = compare(weighted(table, [1 + n % 3 for n in range(len(table))]), ["hit"])
    assert "Bars: chance by" in comparison_svg(weighed)


def test_columns_have_one_unit(two_optima: Comparison, tmp_path: Path) -> None:
    save_comparison(two_optima, two_optima.document(), tmp_path, Pictures(), {})
    head, *lines = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert head.split(",") == list(two_optima.records()[0])
    assert len(lines) == len(two_optima.rows)
    assert "lower_bound" not in head
    by_name = {row["strategy"]: row for row in two_optima.records()}
    assert by_name["optimal-mean"]["least_total"] == by_name["optimal-mean"]["total_misses"] == 465
    assert by_name["optimal-worst"]["least_worst"] == by_name["optimal-worst"]["worst_misses"] == 6
    assert by_name["greedy-hits"]["least_worst"] is by_name["greedy-hits"]["least_total"] is None
    assert by_name["optimal-mean"]["least_worst"] is None
    assert (tmp_path / "comparison.svg").read_text(encoding="utf-8") == comparison_svg(two_optima)
    assert (
        (tmp_path / "table.txt")
        .read_text(encoding="utf-8")
        .endswith(two_optima.sentences()[0] + "\n")
    )
    document = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert document["sentences"] == two_optima.sentences()
