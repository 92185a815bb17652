"""How long the explorer's pages take to write and to open in a browser.

    pytest tests/benchmarks/bench_explorer.py -o python_functions="bench_*" \
        -m "" --benchmark-enable --benchmark-columns=min,median,rounds

Opening runs from the address typed to the board shown with the next shot marked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seabattle.trees.files import load_tree
from seabattle.trees.page.explorer import explorer_page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from support import browsing  # noqa: E402

SOLVED = ROOT.parent / "outputs" / "5x5-3,2,2,1,1,1"
PAGES = {
    "hit": ["hit-optimal-mean"],
    "sunk": ["sunk-optimal-mean"],
    "four": ["hit-optimal-mean", "hit-greedy-hits", "sunk-optimal-mean", "ship-optimal-mean"],
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A running browser."""
    if why := browsing.why_no_browser():
        pytest.skip(why)
    with browsing.browser() as running:
        yield running


@pytest.mark.parametrize("name", PAGES)
def bench_write(benchmark: Any, name: str) -> None:
    """The page's text, from trees in memory."""
    trees = [load_tree(SOLVED / f"{tree}.json") for tree in PAGES[name]]
    page = benchmark(explorer_page, trees)
    benchmark.extra_info.update(megabytes=round(len(page.encode()) / 1e6, 3))
    assert len(page.encode()) < 1_500_000


@pytest.mark.parametrize("name", PAGES)
def bench_open(benchmark: Any, chromium: Any, tmp_path: Path, name: str) -> None:
    """A new tab opens the page and shows the next shot."""
    file = tmp_path / "page.html"
    trees = [load_tree(SOLVED / f"{tree}.json") for tree in PAGES[name]]
    file.write_text(explorer_page(trees), encoding="utf-8")

    def open_page() -> str:
        tab = chromium.new_page()
        tab.goto(file.as_uri())
        shown: str = tab.wait_for_selector("#walk-board .is-target").get_attribute("data-cell")
        tab.close()
        return shown

    shown = benchmark.pedantic(open_page, rounds=7, warmup_rounds=1)
    assert shown == trees[0].rules.board.name(trees[0].root.shot)
