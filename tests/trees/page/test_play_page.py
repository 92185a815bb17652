"""The page of ``seabattle play`` as a text: what it may load, and that its parts are in it."""

from __future__ import annotations

import re

from seabattle.trees.page.play import TABS, play_page


def test_the_page_may_ask_the_service_it_came_from_and_load_nothing_else() -> None:
    page = play_page()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert "unsafe" not in policy
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', page)


def test_every_tab_has_its_panel_and_its_script() -> None:
    page = play_page("A title & more")
    assert "<title>A title &amp; more</title>" in page
    assert not re.findall(r"\{\{\w+\}\}", page)
    for name in TABS:
        assert f'aria-controls="{name}"' in page
        assert re.search(rf'<section id="{name}" role="tabpanel"', page)
        assert f"class {name.capitalize()}Tab" in page
