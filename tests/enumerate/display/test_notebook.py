"""What objects show in a notebook, and the example notebook itself."""

from __future__ import annotations

import importlib.util
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.sample_trees import sample_tree

from seabattle.enumerate.colours import LIGHT
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.enumerate.words import percent_text
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.tree import NODES_SHOWN

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOK = ROOT / "outputs" / "notebook" / "seabattle.ipynb"
LINK = "{http://www.w3.org/1999/xlink}href"
SVG = "{http://www.w3.org/2000/svg}"


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


def test_trees_are_cut_when_they_are_large() -> None:
    small, large = sample_tree("3x3", "3,1,1"), sample_tree("5x5", "3,2,2,1,1,1")
    assert len(small) <= NODES_SHOWN < len(large)
    assert small._repr_svg_() == svg(small)
    assert large._repr_svg_() == svg(large, depth=3)


def test_a_map_shows_percentages_shots_and_best_cells() -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    found = Counter(Position.of_cells(rules, miss=["C3", "D4"], sunk=["A1:A2"])).map()
    text = found._repr_svg_()
    shown = [each.text or "" for each in picture(text).iter(f"{SVG}text")]
    open_cells = [cell for cell in range(25) if cell not in {12, 18, 0, 5}]
    numbers = [percent_text(found.shares[cell]) for cell in open_cells]
    assert any(shown[i : i + len(numbers)] == numbers for i in range(len(shown)))
    assert shown[-3:] == ["best", "miss", "sunk"]
    assert text.count(LIGHT.target) == len(found.best_cells) + 1  # and in the legend
    assert f"{found.layouts:,} layouts" in text


def test_a_position_shows_the_ships_known_to_be_sunk() -> None:
    rules = Rules("5x5", "3,2", "sides", "sunk")
    shown = Position.of_cells(rules, sunk=["A1:A3"], miss=["E5"])._repr_svg_()
    assert LIGHT.hit not in shown
    assert shown.count(LIGHT.wreck) == 1


@pytest.mark.parametrize("prior", [None, np.arange(1, 25)])
def test_a_decision_table_has_a_heading_for_each_column(prior: np.ndarray | None) -> None:
    table = DecisionTable.build(Rules("3x3", "2,1", answers="sunk"), prior=prior)
    rows = Rows(table._repr_html_()).rows
    assert {len(row) for row in rows} == {10 if prior is None else 11}


def test_texts_are_escaped() -> None:
    from seabattle.enumerate.picture import html_table

    evil = "<script>alert(1)</script>"
    shown = html_table((evil,), [(evil,)], caption=evil, note=evil)
    assert "script" not in Rows(shown).tags


def outputs(notebook: Any) -> list[tuple[str, set[str], str]]:
    """Of every output: the cell, the kinds of picture or text, and the plain text."""
    return [
        (cell.id, set(output.data), output.data["text/plain"])
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]


@pytest.mark.slow
def test_example_notebook_runs_and_is_up_to_date() -> None:
    import nbformat  # of the extra ``notebook``

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
    assert NOTEBOOK.stat().st_size < 350_000
