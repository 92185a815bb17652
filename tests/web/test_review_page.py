"""The tab to review, in a real browser on a real service, set beside the library's reviews.

Every test fails on an error in the browser's console, on a request to anywhere else, and on an
answer with a status that it does not expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from support import axe_audit, browsing, match_pages, page_audit
from support.match_pages import Pages, choose_game, draw_fleet, is_over, position_file, shoot, start
from support.serving import Running

from seabattle import Position, Rules
from seabattle.enumerate.position_files import position_document
from seabattle.solver.review import review

pytestmark = pytest.mark.skipif(bool(browsing.why_no_browser()), reason=browsing.why_no_browser())

RULES = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
SHOTS = (
    "C3 hit, C2 miss, D3 miss, C4 sunk, E1 sunk, E4 miss, A1 hit, A2 miss, B1 hit, C1 sunk, "
    "A3 hit, A4 sunk, E5 sunk, E3 sunk"
)
GAME = Position.in_order(RULES, SHOTS)
# Nobody can tell what these shots lose exactly: far too many layouts are left.
LARGE = Position.in_order(Rules(fleet="russian"), "A1 miss, E5 miss, D4 hit")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing.browser() as running:
        yield running


@pytest.fixture
def pages(chromium: Any, service: Running) -> Iterator[Pages]:
    with match_pages.pages_of(chromium, service) as opened:
        yield opened


def open_file(page: Any, position: Position, **changed: Any) -> None:
    """Open the position as a file, and wait for its review."""
    file = position_file("game.json", {**position_document(position), **changed})
    page.set_input_files("#review-file", file)


def reviewed(page: Any) -> None:
    """Wait for the review, and for the chances on the board."""
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)


def stat(page: Any, name: str) -> str:
    """A number of the summary."""
    tile = page.locator("#review-stats > div").filter(has=page.get_by_text(name, exact=True))
    found: str = tile.locator("dd").evaluate("e => e.firstChild.textContent")
    return found


def cells(page: Any, kind: str) -> list[str]:
    """Cells of the board of some kind."""
    found: list[str] = page.locator(f"#review-board .is-{kind}").evaluate_all(
        "all => all.map(e => e.dataset.cell)"
    )
    return sorted(found)


@pytest.mark.slow
def test_a_position_file_is_reviewed_as_by_the_library(pages: Pages) -> None:
    page = pages.open("review/")
    assert page.is_visible("#review-empty")
    open_file(page, GAME)
    reviewed(page)
    found = review(GAME)
    assert found.is_exact
    assert stat(page, "Misses lost") == f"{float(found.misses_lost):.2f}" == "2.49"
    assert stat(page, "Luck, in hits") == "+0.39"
    assert stat(page, "Misses") == "4"
    worst = page.locator("#review-worst button").evaluate_all(
        "all => all.map(e => [Number(e.dataset.number), e.querySelector('.loss').textContent])"
    )
    assert worst == [[s.number, f"{float(s.lost):.3f}"] for s in found.mistakes[:6]]
    # The worst mistake is shown at once, on the board as it was before that shot.
    worst_shot = found.mistakes[0]
    assert page.inner_text("#review-shot h2") == "Shot 8 of 14: A2, miss"
    assert "It lost 1.000 misses, exactly." in page.inner_text("#review-shot")
    assert cells(page, "target") == ["A2"]
    assert cells(page, "best") == sorted(worst_shot.optimal_shots or ())
    made = {*cells(page, "miss"), *cells(page, "hit"), *cells(page, "sunk")}
    assert made == {RULES.board.name(cell) for cell, _ in GAME.shots[:7]}
    page.wait_for_selector("#review-board .has-chance")
    shown = page.inner_text('#review-board [data-cell="E3"] .chance')
    assert shown == str(round(100 * float(worst_shot.best_chance)))
    # As a table, and as bars.
    page.click("#review summary")
    rows = page.locator("#review-table tbody tr").evaluate_all(
        "all => all.map(e => e.lastElementChild.textContent)"
    )
    assert [float(row) for row in rows] == [round(float(s.lost), 3) for s in found.shots]
    heights = page.locator("#review-strip .fill").evaluate_all(
        "all => all.map(e => e.clientHeight)"
    )
    assert max(heights) == heights[7]
    assert [height == 0 for height in heights] == [s.lost == 0 for s in found.shots]


def test_stepping_through_a_game(pages: Pages) -> None:
    page = pages.open("review/")
    open_file(page, GAME)
    reviewed(page)

    def number() -> int:
        return int(re.match(r"Shot (\d+)", page.inner_text("#review-shot h2"))[1])

    page.keyboard.press("Home")
    assert number() == 1
    assert page.is_disabled("#review-previous")
    page.keyboard.press("ArrowRight")
    assert number() == 2
    assert "The best there was 75.8 %".lower() in page.inner_text("#review-shot").lower()
    page.click("#review-next")
    assert number() == 3
    page.keyboard.press("End")
    assert number() == 14
    assert page.is_disabled("#review-next")
    assert page.inner_text("#live").startswith("Shot 14: E3, sunk.")
    page.keyboard.press("ArrowLeft")
    assert number() == 13
    page.focus("#review-slider")
    page.keyboard.press("Home")
    assert number() == 1
    page.click('#review-worst [data-number="6"]')
    assert number() == 6
    assert page.get_attribute('#review-worst [data-number="6"]', "aria-current") == "true"
    # A bar leads to its shot, and so does a cell that was shot.
    bar = page.locator('#review-strip [data-number="4"]').bounding_box()
    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    assert number() == 4
    page.click('#review-board [data-cell="C2"]')
    assert number() == 2
    # The address keeps the game.
    page.reload()
    reviewed(page)
    assert stat(page, "Misses lost") == "2.49"


@pytest.mark.slow
def test_losses_at_once_are_told_apart_from_exact_ones(pages: Pages) -> None:
    page = pages.open("review/")
    open_file(page, LARGE)
    page.wait_for_selector("#review-wait:not([hidden])")
    assert "Counting 3 maps" in page.inner_text("#review-wait-says")
    reviewed(page)
    found = review(LARGE, time_limit=0)
    assert stat(page, "Misses lost") == f"~{float(found.misses_lost):.2f}"
    assert page.locator("#review-strip .once").count() == 3
    assert page.inner_text("#review-worst li:first-child .loss").startswith("~")
    assert "misses at once." in page.inner_text("#review-shot")


def test_a_review_can_be_cancelled(pages: Pages) -> None:
    page = pages.open("review/")
    page.route("**/api/review", lambda route: None)  # never answered
    open_file(page, GAME)
    page.click("#review-cancel")
    page.wait_for_selector("#review-empty:not([hidden])")
    assert page.is_hidden("#review-wait")
    assert page.is_hidden("#review-notice")
    page.unroute("**/api/review")
    open_file(page, GAME)
    reviewed(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"shots": [["C3", "hit"], ["D4", "hit"]]}, "cannot stand together: C3 hit and D4 hit"),
        ({"ordered": False}, "order"),
        ({"shots": []}, "no shots to look back at"),
        ({"shots": [["Z9", "hit"]]}, "game.json is no position file"),
        ({"format": "something"}, "game.json is no position file"),
    ],
)
def test_games_that_cannot_be_reviewed(pages: Pages, changed: dict[str, Any], said: str) -> None:
    pages.expected |= {422}
    page = pages.open("review/")
    open_file(page, GAME, **changed)
    page.wait_for_selector("#review-notice:not([hidden])")
    assert said in page.inner_text("#review-notice")
    assert page.is_hidden("#review-found")


def test_a_service_that_is_gone_can_be_asked_again(pages: Pages) -> None:
    page = pages.open("review/")
    page.route("**/api/review", lambda route: route.abort())
    open_file(page, GAME)
    page.wait_for_selector("#review-notice button")
    assert "does not answer" in page.inner_text("#review-notice")
    page.unroute("**/api/review")
    page.click("#review-notice button")
    reviewed(page)


def test_both_sides_of_a_played_game(pages: Pages) -> None:
    page = pages.open("match/")
    rules = {"board": "4x4", "fleet": "2,1,1", "contact": "none", "answers": "sunk"}
    choose_game(page, **rules)
    draw_fleet(page)
    key = start(page, again=False)
    for cell in [f"{column}{row}" for row in range(1, 5) for column in "ABCD"]:
        if not is_over(page):
            shoot(page, cell)
    _, state, _ = pages.service.ask(f"/api/games/{key}")
    lost = {}
    for side in ("yours", "program"):
        shots = [(cell, answer) for cell, answer in state[side]["shots"]]
        lost[side] = f"{float(review(Position.read(Rules(**rules), shots)).misses_lost):.2f}"
    page.click("#match-review-its")
    page.wait_for_selector("#review-both strong + strong", timeout=60_000)
    said = f"You lost {lost['yours']} misses by your shots, the program {lost['program']}."
    assert page.inner_text("#review-both") == said
    assert stat(page, "Misses lost") == lost["program"]
    page.click('#review-sides [data-side="yours"]')
    assert stat(page, "Misses lost") == lost["yours"]
    page.click("#tab-match")
    assert page.is_visible("#match-review-mine")


def test_a_game_that_was_advised_is_handed_over(pages: Pages) -> None:
    page = pages.open("advise/5x5-3,2,2,1,1,1-none-sunk-length/C3h.C2m.D3m")
    page.click("#advise-review")
    reviewed(page)
    assert page.inner_text("#review-shot h2") == "Shot 2 of 3: C2, miss"
    assert page.is_hidden("#review-sides")
    # What the advice goes on with does not change what is looked back at.
    page.click("#tab-advise")
    page.click("#tab-review")
    assert page.inner_text("#review-shot h2") == "Shot 2 of 3: C2, miss"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "scheme"),
    [(360, "dark"), (1280, "light"),
     pytest.param(360, "light", marks=pytest.mark.slow),
     pytest.param(1280, "dark", marks=pytest.mark.slow)],
)  # fmt: skip
def test_it_can_be_read_and_used(pages: Pages, width: int, scheme: str) -> None:
    phone = {"has_touch": True, "is_mobile": True} if width < 500 else {}
    page = pages.open(
        "review/", viewport={"width": width, "height": 740}, color_scheme=scheme, **phone
    )
    open_file(page, GAME)
    reviewed(page)
    page.wait_for_selector("#review-board .has-chance")
    page.click("#review summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page_audit.poor_contrasts(page) == []
    assert page_audit.nameless(page) == []
    assert axe_audit.serious_violations(page) == []
    if phone:
        assert page_audit.small_targets(page) == []
