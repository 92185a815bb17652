"""The tab to play, in a real browser on a real service: fleets are hidden, and games played.

What the boards show is set beside the fleets, which everybody sees when a game is over. Every test
fails on an error in the browser's console, on a request to anywhere else, and on an answer with a
status that it does not expect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest
from support import axe_audit, browsing, match_pages, page_audit
from support.match_pages import (
    Pages,
    choose_game,
    draw_fleet,
    game_id,
    is_over,
    marks,
    resign,
    settle,
    ships_shown,
    shoot,
    start,
)
from support.serving import Running

from seabattle import Counter, Position, Rules
from seabattle.enumerate.board import Board

pytestmark = pytest.mark.skipif(bool(browsing.why_no_browser()), reason=browsing.why_no_browser())

MINE, ITS = "#match-my-board", "#match-its-board"
SMALL = {"board": "4x4", "fleet": "2,1,1", "contact": "none", "answers": "sunk"}


# Keeps in window.seen how many shots the person's board has shown.
COUNT_SHOTS = """() => {
  const board = document.querySelector("#match-my-board");
  window.seen = [];
  new MutationObserver(() => {
    const shown = board.querySelectorAll(".is-miss, .is-hit, .is-sunk").length;
    if (window.seen[window.seen.length - 1] !== shown) window.seen.push(shown);
  }).observe(board, { subtree: true, attributes: true, childList: true });
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing.browser() as running:
        yield running


@pytest.fixture
def pages(chromium: Any, service: Running) -> Iterator[Pages]:
    with match_pages.pages_of(chromium, service) as opened:
        yield opened


def cells_of(ships: list[str], board: str) -> set[str]:
    """Cells of ships given by name."""
    place = Board.parse(board)
    found = set()
    for ship in ships:
        ends = [place.cell(end) for end in ship.split(":")]
        step = 1 if ends[-1] - ends[0] < place.columns else place.columns
        found |= {place.name(cell) for cell in range(ends[0], ends[-1] + 1, step)}
    return found


def free_cells(page: Any) -> list[str]:
    """Cells of its fleet's board that were not shot, in order."""
    made = marks(page, ITS)
    names = page.locator(f"{ITS} .cell").evaluate_all("all => all.map(e => e.dataset.cell)")
    return [name for name in names if name not in made]


def play_to_the_end(page: Any) -> None:
    """Shoot the cells in order until the game is over."""
    while not is_over(page):
        shoot(page, free_cells(page)[0])


def check_ended(pages: Pages, page: Any) -> dict[str, Any]:
    """A game that is over shows on both boards what the fleets say; its state."""
    _, state, _ = pages.service.ask(f"/api/games/{game_id(page)}")
    for board, ships, side in [(ITS, "its_ships", "yours"), (MINE, "your_ships", "program")]:
        cells = cells_of(state[ships], state["board"])
        assert cells <= ships_shown(page, board) | set(marks(page, board))
        shown = marks(page, board)
        assert set(shown) == {cell for cell, _ in state[side]["shots"]}
        assert {cell for cell, kind in shown.items() if kind != "miss"} == cells & set(shown)
    for side, name in [("yours", "its"), ("program", "my")]:
        shots = state[side]["shots"]
        misses = sum(answer == "miss" for _, answer in shots)
        score = page.inner_text(f"#match-{name}-score")
        assert [int(number) for number in re.findall(r"\d+", score)] == [len(shots), misses]
    won = {"you": "You have won!", "program": "The program has won."}[state["winner"]]
    said = page.inner_text("#match-turn")
    assert said == ("You resigned: the program has won." if state["resigned"] else won)
    return state


def hidden_until_the_end(pages: Pages, its_ships: list[str]) -> None:
    """No answer before the end of the game held any of its ships."""
    before = [document for path, document in pages.answers
              if not (path.startswith("/api/games") and document["turn"] is None)]  # fmt: skip
    assert len(before) > 2
    for document in before:
        assert document.get("its_ships") is None
        told = set(match_pages.texts_in({**document, "your_ships": []}))
        if "id" in document:
            assert not {ship for ship in its_ships if ":" in ship} & told


def test_a_fleet_placed_by_hand_and_a_game_to_its_end(pages: Pages) -> None:
    page = pages.open("match/")
    choose_game(page, **SMALL)
    page.click('#match-hiding [data-cell="D1"]')
    assert "from D1 would leave the board" in page.inner_text("#match-verdict")
    page.click('#match-hiding [data-cell="A1"]')
    page.click('#match-hiding [data-cell="C2"]')
    verdict = page.inner_text("#match-verdict")
    assert "C2 and A1:B1 would touch at a corner" in verdict
    assert page.get_attribute("#match-verdict", "data-state") == "wrong"
    assert page.locator("#match-hiding .is-bad").count() == 3
    # Where the ship cannot go is hatched: the ship itself and all around it are not free.
    barred = page.locator("#match-hiding .is-barred").evaluate_all(
        "all => all.map(e => e.dataset.cell)"
    )
    assert barred == ["C1", "A2", "B2", "C2"]
    page.click('#match-hiding [data-cell="D2"]')
    assert page.is_disabled("#match-start")
    assert page.inner_text("#match-ready") == "1 ship still to place."
    # The ship of 2 is taken up again, turned and put down elsewhere.
    page.click('#match-hiding [data-cell="B1"]')
    page.click("#match-turn-ship")
    page.click('#match-hiding [data-cell="A3"]')
    page.click('#match-hiding [data-cell="C4"]')
    assert page.inner_text("#match-verdict") == "Your fleet is hidden: A3:A4, D2 and C4."
    start(page)
    assert ships_shown(page, MINE) == {"A3", "A4", "D2", "C4"}
    assert ships_shown(page, ITS) == set()
    play_to_the_end(page)
    state = check_ended(pages, page)
    assert sorted(state["your_ships"]) == ["A3:A4", "C4", "D2"]
    hidden_until_the_end(pages, state["its_ships"])
    assert page.evaluate("document.activeElement.id") == "match-turn"


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [{"board": "4x4", "fleet": "3,2", "contact": "sides", "answers": "sunk"},
     pytest.param({"board": "3x4", "fleet": "2,2", "contact": "corners", "answers": "ship"},
                  marks=pytest.mark.slow),
     pytest.param({"board": "3x3", "fleet": "3,1,1", "contact": "none", "answers": "hit"},
                  marks=pytest.mark.slow)],
)  # fmt: skip
def test_a_drawn_fleet_and_a_game_by_other_rules(pages: Pages, rules: dict[str, str]) -> None:
    page = pages.open("match/")
    choose_game(page, **rules)
    ways = page.locator("#match-draw button").evaluate_all("all => all.map(e => e.dataset.draw)")
    draw_fleet(page, ways[-1])
    start(page, first="program", again=False)
    play_to_the_end(page)
    state = check_ended(pages, page)
    assert state["order"][:2] == ["program", "you"]
    hidden_until_the_end(pages, state["its_ships"])


def test_the_maps_of_both_sides_and_help_that_is_counted(pages: Pages) -> None:
    page = pages.open("match/")
    choose_game(page, **SMALL)
    draw_fleet(page)
    start(page, player="greedy-map", first="program")
    page.check("#match-map")
    page.wait_for_selector(f"{MINE} .has-chance")
    _, state, _ = pages.service.ask(f"/api/games/{game_id(page)}")
    rules = Rules(**SMALL)
    found = Counter(Position.read(rules, [tuple(shot) for shot in state["program"]["shots"]])).map()
    expected = {
        rules.board.name(cell): round(100 * Fraction(number, found.layouts))
        for cell, number in enumerate(chain(*found.occupancy))
    }
    shown = page.locator(f"{MINE} .has-chance .chance").evaluate_all(
        "all => all.map(e => [e.parentElement.dataset.cell, Number(e.textContent)])"
    )
    assert shown
    assert all(abs(number - expected[cell]) <= 1 for cell, number in shown)
    assert page.inner_text("#match-map-says").startswith(f"{found.layouts:,} layout")
    # Ships stay visible below the numbers.
    assert cells_of(state["your_ships"], "4x4") <= ships_shown(page, MINE) | set(marks(page, MINE))

    assert page.locator(f"{ITS} .is-target").count() == 0
    page.check("#match-hint")
    page.wait_for_selector(f"{ITS} .is-target")
    best = page.get_attribute(f"{ITS} .is-target >> nth=0", "data-cell")
    assert best in page.inner_text("#match-hint-says")
    shoot(page, best)
    assert page.evaluate("location.hash").endswith("+1")
    if not is_over(page):
        assert "1 shot of yours made with help." in page.inner_text("#match-hint-says")
        page.uncheck("#match-hint")
        assert page.locator(f"{ITS} .has-chance").count() == 0
        resign(page)
    assert "1 of them with help" in page.inner_text("#match-last")
    check_ended(pages, page)
    page.click("#match-new")
    # The fleet is kept for the next game.
    assert page.is_enabled("#match-start")
    assert page.inner_text("#match-verdict").startswith("Your fleet is hidden")


@pytest.mark.slow
def test_a_game_survives_a_reload_and_one_that_is_gone_says_so(pages: Pages) -> None:
    page = pages.open("match/")
    choose_game(page, **SMALL)
    draw_fleet(page)
    key = start(page, again=False)
    shoot(page, "A1")
    before = [marks(page, ITS), marks(page, MINE), page.inner_text("#match-turn")]
    page.reload()
    page.wait_for_selector("#match-game:not([hidden])")
    settle(page)
    assert [marks(page, ITS), marks(page, MINE), page.inner_text("#match-turn")] == before
    pages.expected |= {404}
    page.goto("about:blank")
    page.goto(f"{pages.service.url}/#match/{key}x")
    page.wait_for_selector("#match-notice:not([hidden])")
    assert "This game is gone" in page.inner_text("#match-notice")
    assert page.is_visible("#match-setup")
    # One that goes while it is played leaves its fleet for a new one.
    page.goto("about:blank")
    page.goto(f"{pages.service.url}/#match/{key}")
    page.wait_for_selector("#match-game:not([hidden])")
    page.evaluate("key => fetch(`/api/games/${key}`, { method: 'DELETE' })", key)
    page.click("#match-resign")
    page.wait_for_selector("#match-new")
    assert page.inner_text("#match-turn") == "This game is gone."
    page.click("#match-new")
    assert page.inner_text("#match-verdict").startswith("Your fleet is hidden")
    assert page.is_hidden("#match-notice")


def refusing(status: int, head: dict[str, str], tries: list[int]) -> Callable[[Any], None]:
    """Answers a request in place of the service, and notes each try."""

    def refuse(route: Any) -> None:
        tries.append(status)
        route.fulfill(status=status, headers=head, json={"error": f"status {status}."})

    return refuse


def test_what_goes_wrong_is_said_and_nothing_is_lost(pages: Pages) -> None:
    page = pages.open("match/")
    choose_game(page, **SMALL)
    draw_fleet(page)
    fleet = page.inner_text("#match-verdict")
    page.route("**/api/games", lambda route: route.abort())
    page.click("#match-start")
    page.wait_for_selector("#match-notice button")
    assert "does not answer" in page.inner_text("#match-notice")
    assert page.inner_text("#match-verdict") == fleet
    page.unroute("**/api/games")
    page.click("#match-notice button")
    page.wait_for_selector("#match-game:not([hidden])")
    settle(page)

    pages.expected |= {409, 503}
    for status, head in [(409, {}), (503, {"Retry-After": "0.05"})]:
        tries: list[int] = []
        page.route("**/shots", refusing(status, head, tries))
        cell = free_cells(page)[0]
        page.click(f'{ITS} [data-cell="{cell}"]')
        page.wait_for_selector("#match-notice:not([hidden])")
        assert f"{cell} was not shot: status {status}." in page.inner_text("#match-notice")
        assert len(tries) == (6 if status == 503 else 1)
        assert cell not in marks(page, ITS)
        page.unroute("**/shots")
        page.click("#match-notice button")
        page.wait_for_selector("#match-notice", state="hidden")
    shoot(page, free_cells(page)[0])


def test_a_game_that_the_service_does_not_know_is_refused_in_the_form(pages: Pages) -> None:
    pages.expected |= {422}
    page = pages.open("match/")
    page.click("#match-chooser summary")
    page.fill('#match-chooser [name="board"]', "3x3")
    page.fill('#match-chooser [name="fleet"]', "3,3,3,3")
    page.click("#match-chooser [type=submit]")
    page.wait_for_selector("#match-chooser .complaint:not([hidden])")
    assert page.inner_text("#match-chooser .complaint")
    assert page.is_disabled("#match-start")


def test_the_program_shoots_one_shot_after_another(pages: Pages) -> None:
    page = pages.open("match/", reduced_motion="no-preference")
    choose_game(page, **SMALL)
    draw_fleet(page)
    page.evaluate(COUNT_SHOTS)
    start(page, player="greedy-map", first="program")
    _, state, _ = pages.service.ask(f"/api/games/{game_id(page)}")
    shots = len(state["program"]["shots"])
    seen = page.evaluate("window.seen")
    assert seen[-1] == shots
    assert [number for number in seen if number] == list(range(1, shots + 1)), "one by one"
    said = page.inner_text("#live")
    assert all(cell in said for cell, _ in state["program"]["shots"])


@pytest.mark.slow
def test_two_games_in_two_tabs_at_once(pages: Pages) -> None:
    context = pages.context()
    tabs = [pages.open("match/", context=context) for _ in range(2)]
    keys = []
    for tab in tabs:
        tab.bring_to_front()
        choose_game(tab, **SMALL)
        draw_fleet(tab)
        keys.append(start(tab))
    assert keys[0] != keys[1]
    for cell in ("A1", "B3"):
        for tab in tabs:
            tab.bring_to_front()
            if not is_over(tab) and cell in free_cells(tab):
                shoot(tab, cell)
    for tab, key in zip(tabs, keys, strict=True):
        _, state, _ = pages.service.ask(f"/api/games/{key}")
        assert game_id(tab) == key
        assert set(marks(tab, ITS)) == {cell for cell, _ in state["yours"]["shots"]}
        assert set(marks(tab, MINE)) == {cell for cell, _ in state["program"]["shots"]}


@pytest.mark.slow
def test_by_keyboard_alone(pages: Pages) -> None:
    page = pages.open("match/")
    choose_game(page, board="3x3", fleet="2,1", contact="none", answers="sunk")
    page.focus("#match-hiding [tabindex='0']")
    for key in ("ArrowDown", "r", "Enter", "ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert page.inner_text("#match-verdict") == "Your fleet is hidden: A2:A3 and C2."
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "match-start":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#match-game:not([hidden])")
    settle(page)
    focused = "document.activeElement.dataset.cell"
    assert page.evaluate(focused) == "A1"
    for number in range(9):
        if is_over(page):
            break
        cell = "ABC"[number % 3] + str(number // 3 + 1)
        for key in (
            ["Home"]
            if number == 0
            else ["ArrowRight"]
            if number % 3
            else ["ArrowDown", "ArrowLeft", "ArrowLeft"]
        ):
            page.keyboard.press(key)
        assert page.evaluate(focused) == cell
        page.keyboard.press("Enter")
        page.wait_for_selector(f'{ITS} [data-cell="{cell}"]:is(.is-miss, .is-hit, .is-sunk)')
        settle(page)
    check_ended(pages, page)
    for _ in range(5):
        if page.evaluate("document.activeElement.id") == "match-review-mine":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#review-found:not([hidden])")
    assert page.evaluate("document.activeElement.id") == "tab-review"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_on_a_phone(pages: Pages, scheme: str) -> None:
    page = pages.open(
        "match/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True,
        color_scheme=scheme,
    )  # fmt: skip

    def check(cells: float = 44) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page_audit.poor_contrasts(page) == []
        assert page_audit.small_targets(page, cells) == []
        assert page_audit.nameless(page) == []
        assert axe_audit.serious_violations(page) == []

    page.wait_for_selector("#match-draw [data-draw=random]")
    page.click('#match-hiding [data-cell="B2"]')
    page.click('#match-hiding [data-cell="C3"]')
    check(24)  # ten columns are as wide as the screen allows
    choose_game(page, **SMALL)
    draw_fleet(page)
    check()
    start(page, player="greedy-map")
    shoot(page, "B2")
    if not is_over(page):
        page.check("#match-hint")
        page.check("#match-map")
        page.wait_for_selector(f"{MINE} .has-chance")
        page.wait_for_selector(f"{ITS} .has-chance")
        check()
        resign(page)
    check()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_wide_page_has_nothing_serious_against_it(pages: Pages, scheme: str) -> None:
    page = pages.open("match/", color_scheme=scheme)
    choose_game(page, **SMALL)
    draw_fleet(page)
    assert axe_audit.serious_violations(page) == []
    start(page)
    page.check("#match-hint")
    page.wait_for_selector(f"{ITS} .is-target")
    assert axe_audit.serious_violations(page) == []
    assert page_audit.poor_contrasts(page) == []
