"""The tab that solves, in a browser: to the proof, stopped, shared, saved, walked through."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import axe_audit, page_audit
from support.play_pages import Table, settle

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.solve import solve

SMALL = "4x4-3,2,1-none-sunk-length"
LONG = "5x5-3,2,1-none-hit-length"
PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}


def solved(page: Any) -> None:
    """Wait until the tree is there, and the cost of every first shot."""
    page.wait_for_selector("#solve-start:not([hidden])", timeout=120_000)
    page.wait_for_selector("#solve-found:not([hidden])", timeout=120_000)


def number(page: Any, title: str) -> tuple[str, str]:
    """A number of the solution, and what stands below it."""
    tile = page.locator("#solve-stats > div").filter(has=page.locator("dt", has_text=title))
    value = tile.locator("dd")
    return value.evaluate("e => e.firstChild.textContent"), value.locator("small").inner_text()


def saved(page: Any, name: str, folder: Path) -> Path:
    with page.expect_download() as event:
        page.click(f"#solve-{name}")
    path = folder / event.value.suggested_filename
    event.value.save_as(path)
    return path


def test_a_solved_game_prints_on_one_sheet_in_the_colours_of_paper(table: Table) -> None:
    page = table.page("solve/4x4-3,2,1-none-sunk-length//objective=worst", color_scheme="dark")
    page.wait_for_selector("#solve-found:not([hidden])")
    page.wait_for_selector('#solve-values-says:has-text("Best: ")')
    assert page.inner_text("#solve-values").count("+1") == 12  # the corners are best
    dark = page.locator("#solve-whole rect").first.get_attribute("fill")
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", printed)) == 1
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    light = page.locator("#solve-whole rect").first.get_attribute("fill")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#solve-whole rect").first.get_attribute("fill") == dark != light


def test_a_solved_game_follows_the_system_when_it_turns_dark(table: Table) -> None:
    page = table.page(f"solve/{SMALL}/", color_scheme="light")
    solved(page)
    places = [f"#solve-{each}" for each in ("spreads", "strip", "whole", "values")]
    light = page.inner_html(places[-1])
    page.emulate_media(color_scheme="dark")
    shown = f"document.querySelector('{places[-1]}').innerHTML"
    page.wait_for_function(f"light => light !== {shown}", arg=light)
    assert page_audit.poor_contrasts(page) == []
    turned = [page.inner_html(place) for place in places]
    page.reload()
    solved(page)
    assert [page.inner_html(place) for place in places] == turned


def test_a_game_solved_walked_saved_and_shared(table: Table, tmp_path: Path, run: Any) -> None:
    """What the page says is what the library finds; the command line takes its tree."""
    page = table.page(f"solve/{SMALL}/")
    solved(page)
    known = solve(Rules("4x4", "3,2,1", answers="sunk"), threads=1)
    assert number(page, "Misses on average")[1] == f"{known.total_misses}/{known.layouts}"
    assert number(page, "At worst")[0] == str(known.worst_misses)
    assert page.inner_text("#solve-status") == "Proven: no tree is better."
    assert page.inner_text("#solve-quote").startswith("On 4 × 4 with 3,2,1 greedy play")
    assert page.inner_text("#solve-values-says") == f"Best: {', '.join(known.best_shots)}."
    status, out, _ = run("verify", str(saved(page, "tree", tmp_path)), "--json")
    assert (status, json.loads(out)["total_misses"]) == (0, known.total_misses)
    assert saved(page, "svg", tmp_path).read_text("utf-8").startswith("<svg ")
    assert saved(page, "png", tmp_path).read_bytes().startswith(b"\x89PNG")
    while page.locator("#answers [data-answer]:not(:disabled)").count():
        page.locator("#answers [data-answer]:not(:disabled)").first.click()
    assert page.inner_text("#ask").startswith("Found with")
    page.click("#restart")
    page.keyboard.press("m")
    assert page.locator("#path .chip:not([data-later])").count() == 1
    page.click("#solve-advise")
    settle(page)
    assert page.locator("#advise-path .chip").count() == 1
    again = table.page(f"solve/{SMALL}//objective=worst")
    solved(again)
    assert number(again, "At worst")[0] == str(solve(known.rules, "worst").worst_misses)
    assert again.evaluate("location.hash").endswith("objective=worst")


def test_a_long_search_is_stopped(table: Table, tmp_path: Path, run: Any) -> None:
    page = table.page(f"solve/{LONG}/")
    page.locator("#solve-interval", has_text="a gap of").wait_for(timeout=60_000)
    page.click("#solve-stop")
    solved(page)
    said = page.inner_text("#solve-status")
    assert said.startswith("Stopped. The best tree known so far.")
    assert "a gap of" in said
    status, out, _ = run("verify", str(saved(page, "tree", tmp_path)), "--json")
    assert status == 0
    assert json.loads(out)["total_misses"] >= 31_828


def test_solve_and_play_from_a_position(table: Table) -> None:
    page = table.open("5x5-3,2,1-none-sunk-length/C3h.A1m.C2h")
    page.click("#advise-solve")
    solved(page)
    assert page.inner_text("#solve-position").startswith("From a position after 3 shots: C3 hit")
    page.click("#solve-match")
    page.wait_for_selector("#match-draw [data-draw=random]")
    assert "3 shots" in page.inner_text("#match-from")
    page.click("#match-draw [data-draw=random]")
    page.wait_for_selector('#match-verdict[data-state="right"]')
    page.click("#match-start")
    page.wait_for_selector("#match-game:not([hidden])")
    assert page.locator("#match-its-board .is-hit").count() == 2
    page.click("#match-solve")
    solved(page)


@pytest.mark.parametrize(
    ("language", "scheme"),
    [
        ("en", "dark"),
        ("ru", "light"),
        pytest.param("en", "light", marks=pytest.mark.slow),
        pytest.param("ru", "dark", marks=pytest.mark.slow),
    ],
)
def test_it_can_be_read_on_a_phone(table: Table, language: str, scheme: str) -> None:
    page = table.page(f"solve/{SMALL}/", locale=language, color_scheme=scheme, **PHONE)
    solved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert page_audit.poor_contrasts(page) == []
    assert axe_audit.serious_violations(page) == []
