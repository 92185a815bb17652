"""The pages of results in a real browser: the atlas and the gallery, on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import browsing, page_audit

from seabattle.solver.studies.atlas import AtlasRow
from seabattle.solver.studies.atlas_files import table_page

pytestmark = pytest.mark.skipif(bool(browsing.why_no_browser()), reason=browsing.why_no_browser())

GALLERY = Path(__file__).resolve().parents[3] / "outputs" / "gallery" / "index.html"
ROWS = [
    AtlasRow("3x3", "3,1,1", "hit", 4, 3, 3, 6, 6, ("A1", "B1", "C1")),
    AtlasRow("3x3", "3,1,1", "sunk", 4, 0, 0, 0, 0, ("A1", "C1")),
    AtlasRow("5x5", "3,3,1,1,1,1", "hit", 4476, 21, 21, 12217, 13217, None),
    AtlasRow("5x5", "3,3,1,1,1,1", "sunk", 4476, 14, 21, 5203, 16714, None),
    AtlasRow("5x5", "1,1", "hit", 228, 21, 21, 3021, 3021, ("A1", "E5")),
]
MAKER = {"command": "seabattle atlas --out a", "version": "1", "row_limit_seconds": 120.0}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing.browser() as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages by name. The rows of the atlas here are as wide as they can be; one is missing."""
    atlas = tmp_path_factory.mktemp("atlas") / "index.html"
    atlas.write_text(table_page(ROWS, MAKER), encoding="utf-8")
    return {"atlas": atlas, "gallery": GALLERY}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
@pytest.mark.parametrize("name", ["atlas", "gallery"])
def test_pages_can_be_read_on_a_phone(
    chromium: Any, pages: dict[str, Path], name: str, scheme: str
) -> None:
    errors: list[str] = []
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text))
    page.on("requestfailed", lambda request: errors.append(request.url))
    page.goto(pages[name].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for summary in page.locator("summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page_audit.poor_contrasts(page) == []
    assert page_audit.small_targets(page) == []
    assert page_audit.nameless(page) == []
    # Pictures keep their size and scroll in a frame of their own; tables fit, intervals and all.
    frames = page.locator(".wide").evaluate_all(
        "all => all.map(e => e.scrollWidth - e.clientWidth)"
    )
    assert frames
    assert max(frames) > 0 if name == "gallery" else max(frames) <= 0
    assert page.locator('.wide:not([role="region"][tabindex="0"][aria-label])').count() == 0
    context.close()
    assert errors == []
