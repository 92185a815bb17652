"""What the page owes its readers: contrast, room for fingers, names, and all in view on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from support import axe_audit, page_audit, play_pages
from support.play_pages import Table, draw_fleet, open_review, settle, start

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

SLOW = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
MIDDLE = "russian/C4m.D5h.E5s.A1m.J10m.H3h"
STATES = {
    "begin": "",
    "middle": MIDDLE,
    "contradiction": "russian/C4h.A1m.J7m.D5h",
    "sinking": "8x8-4,3,3,2-sides-sunk-length/C5h.C6h.D7h.E7h.C7s3",
}
REVIEWED = Position.in_order(
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "C3 hit, C2 miss, D3 miss, C4 sunk, E1 sunk"
)


def shown(page: Any, name: str) -> None:
    """Bring the page to a state."""
    if name in STATES:
        settle(page)
    if name == "sinking":
        page.wait_for_selector("#advise-which:not([hidden])")
    if name in ("fleet", "match"):
        page.wait_for_selector("#match-draw [data-draw=random]")
        draw_fleet(page)
    if name == "match":
        start(page)
        page.check("#match-hint")
        page.wait_for_selector("#match-its-board .has-chance", timeout=60_000)
    if name == "review":
        open_review(page, REVIEWED)


@pytest.mark.parametrize("phone", [pytest.param(False, marks=SLOW), True])
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=SLOW), "dark"])
@pytest.mark.parametrize("name", ["middle", *(
    pytest.param(name, marks=SLOW)
    for name in ("begin", "contradiction", "sinking", "fleet", "match", "review")
)])  # fmt: skip
def test_it_can_be_read_touched_and_named(
    table: Table, name: str, scheme: str, phone: bool
) -> None:
    address = f"advise/{STATES[name]}" if name in STATES else f"{name.replace('fleet', 'match')}/"
    page = table.page(address, color_scheme=scheme, **(PHONE if phone else {}))
    shown(page, name)
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page_audit.poor_contrasts(page) == []
    assert page_audit.small_targets(page, 44 if phone else 24, ".cell") == []
    assert page_audit.nameless(page) == []
    assert axe_audit.serious_violations(page) == []


def in_view(page: Any, height: int, *places: str) -> None:
    """Fail where something ends below the screen."""
    for place in places:
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= height, place


SIDEWAYS = ((740, 360), (640, 400))
"""A phone held sideways, and a window of 1280 x 800 enlarged twice."""


def test_board_and_answers_fit_a_phone(table: Table) -> None:
    page = table.open(MIDDLE, **PHONE)
    parts = ("#advise-board .board", "#advise-ask", "#advise-replies", "#advise-undo")
    in_view(page, 740, *parts)
    cell = page.locator("#advise-board .cell").first.bounding_box()
    assert min(cell["width"], cell["height"]) >= 29
    for width, height in SIDEWAYS:
        page.set_viewport_size({"width": width, "height": height})
        in_view(page, height, *parts)


@pytest.mark.slow
def test_in_a_match_both_fleets_fit_a_phone(table: Table) -> None:
    page = table.page("match/", **PHONE)
    draw_fleet(page)
    for width, height in ((360, 740), *SIDEWAYS):
        page.set_viewport_size({"width": width, "height": height})
        in_view(page, height, "#match-start")
        assert page.locator("#match-hiding .board").bounding_box()["height"] <= height
    start(page)
    for width, height in ((360, 740), *SIDEWAYS):
        page.set_viewport_size({"width": width, "height": height})
        in_view(page, height, "#match-turn", "#match-its-board .board", "#match-my-board .board")
    page.check("#match-hint")
    page.wait_for_selector("#match-hint-says:has-text('Your chance to win: about')", timeout=60_000)


@pytest.mark.slow
def test_what_is_printed(table: Table) -> None:
    page = table.open("7x7-3,2,1,1-none-sunk-length/A1m.C3h")
    page.emulate_media(media="print")
    rows = page.locator("#advise-table tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [["1", "A1", "miss"], ["2", "C3", "hit"]]
    assert page.is_visible("#advise-board")
    assert page.is_hidden("#advise-undo")


@pytest.mark.slow
def test_a_match_by_keyboard_alone(table: Table) -> None:
    page = table.page("match/")
    play_pages.choose_game(page, board="3x3", fleet="2,1", contact="none", answers="sunk")
    page.focus("#match-hiding [tabindex='0']")
    for key in ("ArrowDown", "r", "Enter", "ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert page.inner_text("#match-verdict") == "Your fleet is hidden: A2:A3 and C2."
    press_tab_until(page, "match-start")
    page.wait_for_selector("#match-game:not([hidden])")
    for keys in (["Home"], *[["ArrowRight"]] * 2, ["ArrowDown", "ArrowLeft", "ArrowLeft"],
                 *[["ArrowRight"]] * 2, ["ArrowDown", "ArrowLeft", "ArrowLeft"],
                 *[["ArrowRight"]] * 2):  # fmt: skip
        play_pages.my_turn(page)
        if play_pages.is_over(page):
            break
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
    play_pages.my_turn(page)
    press_tab_until(page, "match-review-mine")
    page.wait_for_selector("#review-found:not([hidden])")


def press_tab_until(page: Any, name: str) -> None:
    """Walk to a button and press it."""
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == name:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
