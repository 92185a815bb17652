"""The pictures of the theory pages are those that their script makes, and each is on a page."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    sys.path.insert(0, str(DOCS))
    try:
        from make_theory_pictures import pictures
    finally:
        sys.path.remove(str(DOCS))
    return pictures()


def test_pictures_are_as_the_script_makes_them(made: dict[str, str]) -> None:
    for name, picture in made.items():
        kept = (DOCS / "pages" / "images" / name).read_text(encoding="utf-8")
        assert kept == picture, f"{name}: run python docs/make_theory_pictures.py"


def test_every_picture_is_on_a_page(made: dict[str, str]) -> None:
    pages = (DOCS / "pages" / name for name in ("counting.md", "sunk-key.md"))
    shown = [
        name
        for page in pages
        for name in re.findall(r"\]\(images/([^)]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert sorted(shown) == sorted(made)


def test_pictures_have_a_title_and_text_that_can_be_read(made: dict[str, str]) -> None:
    for name, picture in made.items():
        root = ET.fromstring(picture)
        width, height = int(root.attrib["width"]), int(root.attrib["height"])
        assert root.attrib["viewBox"] == f"0 0 {width} {height}", name
        assert width <= 860, name  # a page's column, unscaled
        assert root.findtext("{http://www.w3.org/2000/svg}title"), name
        sizes = re.findall(r'font-size="(\d+)"', picture)
        assert min(map(int, sizes)) >= 12, name
