"""Pictures as files of three kinds, and the same in several renderers."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from support.sample_trees import small_trees

from seabattle.enumerate.colours import Theme
from seabattle.enumerate.errors import DrawingError, SeabattleError
from seabattle.enumerate.map import HeatMap, heatmap_svg
from seabattle.enumerate.picture import (
    pdf,
    png,
    save_picture,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees.drawing.tree_svg import paper_pages, svg

SVG = "{http://www.w3.org/2000/svg}"
Pixels = NDArray[np.float64]


@cache
def pictures() -> dict[str, str]:
    """A picture of each kind."""
    trees = small_trees()
    rules = Rules("3x3", "3,1,1", answers="sunk")
    position = Position.of_cells(rules, miss=["B2"], hit=["A1"], sunk=["C3"])
    heat = HeatMap(position, 4, (4, 1, 4, 1, 0, 1, 4, 1, 4))
    return {
        "tree": svg(trees["sunk"]),
        "ship": svg(trees["ship"], theme="dark"),
        "path": svg(trees["hit 5x5"], path="misses"),
        "map": heatmap_svg(heat),
        "print": heatmap_svg(heat, theme="print"),
        "page": paper_pages(trees["sides"])[0],
    }


@pytest.mark.parametrize("name", ["tree", "ship", "path", "map", "print", "page"])
def test_pictures_are_plain_svg(name: str) -> None:
    """No style sheet, no text in pieces, nothing from elsewhere."""
    root = ElementTree.fromstring(pictures()[name])
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "defs", "g", "rect", "path", "circle", "text", "use"}
    for element in root.iter():
        assert element.get("style") is None
        assert element.get("href") is None, "SVG 1.1 has references in a namespace of their own"


def test_a_pdf_has_a_page_for_each_picture_and_its_words() -> None:
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    pytest.importorskip("svglib", reason="svglib is not installed")
    pages = paper_pages(small_trees()["sides"])
    document = pdfium.PdfDocument(pdf(pages))
    assert len(document) == len(pages)
    assert document[0].get_size() == pytest.approx((841.9, 595.3), abs=0.1), "A4 on its side"
    words = document[0].get_textpage().get_text_range()
    assert "Decision tree" in words
    assert "ships may touch" in words
    assert pdf(pages[:1]) == pdf(pages[:1])


@pytest.mark.parametrize("scale", [0, -1, 21, float("nan"), float("inf")])
def test_nonsense_scales(scale: float, tmp_path: Path) -> None:
    with pytest.raises(SeabattleError, match=r"scale .*: must be from 0\.1 to 20"):
        save_picture(pictures()["map"], tmp_path / "map.png", scale=scale)


def test_a_png_that_is_too_large_is_refused(tmp_path: Path) -> None:
    wide = '<svg xmlns="http://www.w3.org/2000/svg" width="40000" height="30000"></svg>'
    with pytest.raises(DrawingError, match=r"80,000 x 60,000 pixels is too large"):
        save_picture(wide, tmp_path / "wide.png")


def test_print_has_no_large_fills_and_no_colours() -> None:
    from PIL import Image

    for picture in (pictures()["print"], svg(small_trees()["ship"], theme=Theme.PRINT)):
        image = Image.open(io.BytesIO(png(picture, scale=1))).convert("RGB")
        pixels = np.asarray(image).astype(int)
        assert (pixels.max(axis=2) - pixels.min(axis=2)).max() == 0, "shades of grey"
        assert (pixels[:, :, 0] < 128).mean() < 0.12
