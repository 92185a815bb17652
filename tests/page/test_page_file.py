"""The page of ``seabattle play`` as a file: small, asking nobody, and up to date."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.wasm import unpacked

from seabattle.trees.page.play import TABS, page_path, play_page

ROOT = Path(__file__).resolve().parents[2]
REBUILD = "python -m seabattle.trees.page.play {trees/page,outputs/play}/seabattle.html"

MOST_BYTES = 700_000


@pytest.fixture(scope="module")
def fresh() -> str:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("the page's core is built by zig: pip install '.[test]'")
    return play_page("A title & more")


def test_both_copies_are_as_they_would_be_assembled_now(fresh: str) -> None:
    fresh = fresh.replace("A title &amp; more", "Sea battle")
    for path in (page_path(), ROOT / "outputs" / "play" / "seabattle.html"):
        assert unpacked(path.read_text("utf-8")) == unpacked(fresh), REBUILD
    assert len(fresh.encode()) <= MOST_BYTES


def test_it_asks_nobody(fresh: str) -> None:
    page = fresh
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "<title>A title &amp; more</title>" in page
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', page)
    assert "fetch(" not in page


def test_every_tab_has_its_panel_and_its_script(fresh: str) -> None:
    page = fresh
    assert not re.findall(r"\{\{\w+\}\}", page)
    for name in TABS:
        assert f'aria-controls="{name}"' in page
        assert re.search(rf'<section id="{name}" role="tabpanel"', page)
        assert f"class {name.capitalize()}Tab" in page


def test_the_command_says_where_it_lies(run: Callable[..., tuple[int, str, str]]) -> None:
    assert run("play", "--no-browser") == (0, f"{page_path()}\n", "")
