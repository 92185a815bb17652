"""What objects show in a notebook, and the example notebook itself."""

from __future__ import annotations

import importlib.util
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.sample_trees import sample_tree

from seabattle.enumerate.board import Board
from seabattle.enumerate.colours import LIGHT
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.enumerate.words import percent_text
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.compare import compare
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.tree import NODES_SHOWN

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOK = ROOT / "outputs" / "notebook" / "seabattle.ipynb"
LINK = "{http://www.w3.org/1999/xlink}href"
SVG = "{http://www.w3.org/2000/svg}"
GAME = Rules("3x3", "3,1,1")


class Rows(HTMLParser):
    """Texts of a table's cells, row by row, and the tags met."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def picture(text: str) -> ElementTree.Element:
    """The root of an SVG whose references all lead to shapes of its own."""
    root = ElementTree.fromstring(text)
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert {use.get(LINK, "")[1:] for use in root.iter(f"{SVG}use")} <= ids
    assert root.find(f"{SVG}title") is not None
    return root


def test_board_shows_its_labels() -> None:
    root = picture(Board(3, 28)._repr_svg_())
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[0] == "A"
    assert texts[-5:] == ["AA", "AB", "1", "2", "3"]


def test_placement_shows_its_ship() -> None:
    ship = Placement.parse("B2:B4", Board(5, 5))
    root = picture(ship._repr_svg_())
    used = [use for use in root.iter(f"{SVG}use") if use.get(LINK, "").endswith("v3")]
    assert [(use.get("x"), use.get("y")) for use in used] == [("18", "18")]


def test_layouts_show_the_first_ones(example_table: DecisionTable) -> None:
    few = enumerate_layouts(GAME)._repr_html_()
    assert few.count("<svg ") == 4
    assert "A1:C1 A3 C3" in few
    many = example_table.layouts._repr_html_()
    assert many.count("<svg ") == 12
    assert "1,428 layouts" in many
    assert "the first 12 are shown" in many
    assert len(set(re.findall(r'<svg [^>]* id="([^"]+)"', many))) == 12


def test_table_shows_rows_and_occupancy() -> None:
    shown = Rows(DecisionTable.build(GAME)._repr_html_()).rows
    assert shown[0] == ["layout", *["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"]]
    assert shown[1] == ["A1:C1 A3 C3", "X", "X", "X", "", "", "", "X", "", "X"]
    assert shown[-1] == ["occupied in", *["4", "1", "4", "1", "0", "1", "4", "1", "4"]]
    assert len(shown) == 6


def test_large_or_weighted_tables(small_table: DecisionTable) -> None:
    text = small_table._repr_html_()
    assert len(Rows(text).rows) == 12
    assert "… and 166 more layouts" in text
    weighted = DecisionTable(small_table.layouts, None, np.arange(176))._repr_html_()
    assert Rows(weighted).rows[0][:2] == ["layout", "weight"]
    assert [row[1] for row in Rows(weighted).rows[1:4]] == ["0", "1", "2"]
    assert Rows(weighted).rows[-1][1] == f"{175 * 88:,}"


def test_position_shows_its_shots() -> None:
    rules = Rules("5x5", "3,2,1", answers="sunk")
    position = Position.of_cells(rules, miss=["C3"], hit=["E5"], sunk=["A1:A2"])
    root = picture(position._repr_svg_())
    marks = {
        path.get("stroke") or path.get("fill"): path.get("d", "")
        for path in root.iter(f"{SVG}path")
    }
    assert marks[LIGHT.miss].count("h.01") == 1
    assert marks[LIGHT.wreck].count("z") == 2
    assert "C3 miss, E5 hit, A1 hit, A2 sunk" in (root.findtext(f"{SVG}title") or "")


def test_trees_are_cut_when_they_are_large() -> None:
    small, large = sample_tree("3x3", "3,1,1"), sample_tree("5x5", "3,2,2,1,1,1")
    assert len(small) <= NODES_SHOWN < len(large)
    assert small._repr_svg_() == svg(small)
    assert large._repr_svg_() == svg(large, depth=3)


def test_solution_shows_facts_and_tree() -> None:
    solution = solve(GAME)
    text = solution._repr_html_()
    facts = dict(row for row in Rows(text).rows if len(row) == 2)
    assert facts["misses"] == "mean 1.5000 (6/4), worst 3"
    assert facts["status"] == "optimal; tree verified"
    assert facts["best first shots"] == " ".join(solution.best_shots)
    assert solution.tree._repr_svg_() in text
    front = Rows(solve(Rules("4x5", "4,2"), "pareto")._repr_html_()).rows
    assert ["front 1", "worst 6, total 475"] in front
    assert ["front 2", "worst 7, total 465"] in front


def test_stopped_solution_shows_its_interval() -> None:
    stopped = solve(Rules("5x5", "3,2,1"), stop=lambda: True)
    facts = dict(row for row in Rows(stopped._repr_html_()).rows if len(row) == 2)
    assert facts["status"] == (
        f"bounded, between {stopped.lower_bound:,} and {stopped.upper_bound:,}; tree verified"
    )
    assert facts["best first shots"] == "not proven"


def test_occupancy_map_shows_percentages_shots_and_best_cells() -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    found = Counter(Position.of_cells(rules, miss=["C3", "D4"], sunk=["A1:A2"])).map()
    text = found._repr_html_()
    rows = Rows(text).rows
    assert rows[0] == ["", *"ABCDE"]
    assert [row[0] for row in rows[1:]] == [*"12345"]
    shown = [cell for row in rows[1:] for cell in row[1:]]
    expected = [percent_text(count, found.layouts) for count in found.cells]
    for cell, sign in {12: ".", 18: ".", 0: "X", 5: "X"}.items():
        expected[cell] = sign
    assert shown == expected
    assert text.count(LIGHT.target) == len(found.best_cells)
    assert f"{found.layouts:,} layouts" in text


def test_comparison_shows_its_rows() -> None:
    result = compare(GAME, ["hit"])
    rows = Rows(result._repr_html_()).rows
    assert rows[0] == ["answers", "reading", "strategy", "worst", "mean", "total", "status"]
    assert rows[3] == ["hit", "full", "optimal-mean", "3", "1.5000", "6/4", "proven"]
    assert len(rows) == len(result.rows) + 1


def test_texts_are_escaped() -> None:
    from seabattle.enumerate.picture import figures, html_table

    evil = "<script>alert(1)</script>"
    shown = html_table((evil,), [(evil,)], caption=evil, note=evil, foot=(evil,))
    assert "script" not in Rows(shown).tags
    assert "script" not in Rows(figures([("", evil)], evil)).tags


def outputs(notebook: Any) -> list[tuple[str, set[str], str]]:
    """Of every output: the cell, the kinds of picture or text, and the plain text."""
    return [
        (cell.id, set(output.data), output.data["text/plain"])
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]


def test_example_notebook_runs_and_is_up_to_date() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    spec = importlib.util.spec_from_file_location("rebuild", NOTEBOOK.parent / "rebuild.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    fresh = script.run(NOTEBOOK)
    stored = nbformat.read(NOTEBOOK, as_version=4)
    assert outputs(fresh) == outputs(stored)
    assert len(outputs(fresh)) == sum(cell.cell_type == "code" for cell in fresh.cells)
    for name, kinds, _ in outputs(fresh):
        assert kinds & {"image/svg+xml", "text/html"}, name
    assert NOTEBOOK.stat().st_size < 200_000
