"""Games against the program and reviews, in a real browser on the page's file."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from support.play_pages import (
    Table,
    choose_game,
    draw_fleet,
    is_over,
    marks,
    open_review,
    resign,
    ships_shown,
    shoot,
    start,
)

from seabattle.enumerate.board import Board
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.review import review

MINE, ITS = "#match-my-board", "#match-its-board"
SMALL = {"board": "4x4", "fleet": "2,1,1", "contact": "none", "answers": "sunk"}
RULES = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
SHOTS = (
    "C3 hit, C2 miss, D3 miss, C4 sunk, E1 sunk, E4 miss, A1 hit, A2 miss, B1 hit, C1 sunk, "
    "A3 hit, A4 sunk, E5 sunk, E3 sunk"
)
GAME = Position.in_order(RULES, SHOTS)


def kept(page: Any) -> dict[str, Any]:
    """The match as the browser keeps it."""
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('seabattle match')"))
    return found["match"]


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


def check_ended(page: Any) -> dict[str, Any]:
    """A game that is over shows on both boards what the fleets say; the match."""
    state = kept(page)
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


def test_a_match_outlasts_a_reload(table: Table) -> None:
    page = table.page("match/")
    choose_game(page, **SMALL)
    draw_fleet(page)
    start(page, player="strong")
    shoot(page, free_cells(page)[0])
    before = kept(page)
    assert before["its_ships"] is None
    page.reload()
    page.wait_for_selector("#match-game:not([hidden])")
    assert kept(page) == before
    assert set(marks(page, ITS)) == {cell for cell, _ in before["yours"]["shots"]}
    play_to_the_end(page)
    check_ended(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "answers"), [("easy", "hit"), ("middling", "ship"), ("strong", "ship")]
)
def test_every_opponent_plays_by_the_answers(table: Table, player: str, answers: str) -> None:
    page = table.page("match/")
    choose_game(page, **{**SMALL, "answers": answers, "contact": "sides"})
    draw_fleet(page)
    start(page, player=player, first="program")
    play_to_the_end(page)
    state = check_ended(page)
    rules = Rules(**{**SMALL, "answers": answers, "contact": "sides"})
    for side in ("yours", "program"):
        shots = [tuple(shot) for shot in state[side]["shots"]]
        assert len(Position.read(rules, shots).shots) == len(shots)


def test_a_fleet_placed_by_hand_and_a_game_to_its_end(table: Table) -> None:
    page = table.page("match/")
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
    state = check_ended(page)
    assert sorted(state["your_ships"]) == ["A3:A4", "C4", "D2"]
    assert page.evaluate("document.activeElement.id") == "match-turn"


def test_an_impossible_game_is_refused_in_the_form(table: Table) -> None:
    page = table.page("match/")
    page.click("#match-chooser summary")
    page.fill('#match-chooser [name="board"]', "3x3")
    page.fill('#match-chooser [name="fleet"]', "3,3,3,3")
    page.click("#match-chooser [type=submit]")
    page.wait_for_selector("#match-chooser .complaint:not([hidden])")
    assert "not fit" in page.inner_text("#match-chooser .complaint")
    assert "10 × 10" in page.inner_text("#game")
    assert page.is_disabled("#match-start")


def test_stepping_through_a_game(table: Table) -> None:
    page = table.page("review/")
    open_review(page, GAME)

    def number() -> int:
        return int(re.match(r"Shot (\d+)", page.inner_text("#review-shot h2"))[1])

    page.keyboard.press("Home")
    assert number() == 1
    assert page.is_disabled("#review-previous")
    page.keyboard.press("ArrowRight")
    assert number() == 2
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
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    assert stat(page, "Misses") == "4"


@pytest.mark.slow
def test_both_sides_of_a_played_game(table: Table) -> None:
    page = table.page("match/")
    tiny = {"board": "3x4", "fleet": "2,1", "contact": "none", "answers": "sunk"}
    choose_game(page, **tiny)
    draw_fleet(page)
    start(page, again=False)
    play_to_the_end(page)
    state = kept(page)
    lost = {}
    for side in ("yours", "program"):
        shots = [(cell, answer) for cell, answer in state[side]["shots"]]
        lost[side] = f"{float(review(Position.read(Rules(**tiny), shots)).misses_lost):.2f}"
    page.click("#match-review-its")
    page.wait_for_selector("#review-both strong + strong", timeout=60_000)
    said = f"You lost {lost['yours']} misses by your shots, the program {lost['program']}."
    assert page.inner_text("#review-both") == said
    page.click("#tab-match")
    assert page.is_visible("#match-review-mine")


@pytest.mark.slow
def test_a_mistake_is_tried_again_before_the_best_shot_is_shown(table: Table) -> None:
    page = table.page("review/")
    open_review(page, GAME)
    page.click("#review-worst button >> nth=0")
    assert "Where would you shoot now?" in page.inner_text("#review-shot")
    assert cells(page, "best") == []
    page.wait_for_timeout(500)
    page.locator("#review-board .cell:not(.is-miss, .is-hit, .is-sunk)").first.click()
    assert re.search("hits with|is a best shot|again:", page.inner_text("#review-shot"))
    assert cells(page, "best")
    page.click("#review-worst button >> nth=1")
    page.click('[data-show="best"]')
    assert cells(page, "best")


def test_russian_columns_in_a_match_and_its_review(table: Table) -> None:
    """A match that is kept has its cells named anew where the language is changed."""
    page = table.page("match/", locale="ru-RU")
    page.wait_for_selector("#match-draw [data-draw=random]")
    draw_fleet(page)
    start(page, again=False)
    shoot(page, "В3")
    assert set(marks(page, "#match-its-board")) == {"В3"}
    resign(page)
    page.click("#match-review-mine")
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    assert "yours&russian/C3" in page.url
    assert page.inner_text("#review-shot h2").startswith("Выстрел 1 из 1: В3")
    page.click("#tab-match")
    page.select_option("#language", "en")
    page.wait_for_selector("html[lang=en]")
    assert set(marks(page, "#match-its-board")) == {"C3"}
