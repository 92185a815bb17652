"""The tab that advises, in a real browser: games at a table and what goes wrong.

A friend who hides a fleet answers truthfully; the answers are typed wrong where a test says so.
Every test fails on an error in the browser's console and on any request.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from support import axe_audit, play_pages
from support.play_pages import (
    Game,
    Table,
    advised,
    answer,
    chips,
    pick,
    play_with_a_wrong_answer,
    settle,
    stat,
    tap,
)
from support.table_games import HASBRO, RUSSIAN, Friend

from seabattle.enumerate.position_files import load_position
from seabattle.trees.page.play import page_path

SMALL = "7x7-3,2,1,1-none-sunk-length"
WRONG_LATE = (
    "russian/"
    "D6m.H4m.F7h.B6m.E1h.A3s.I4m.J1m.A2m.B9m.E5m.G4m.E9m.A6m.G10m.A10m."
    "G7h.G2m.A9m.D4m.E3m.C6m.B10m.J10m.E7m.F1h.I6m.G8m.J4m.J8m.D3m.E10m."
    "A4m.D8m.F3h.H5m.B4m.F5m.J2m.H9m.C5h.I7m.F10s.B3m.H1s.H7s.G5m.C9h."
    "B2m.G1m.B5m.G9m.I9m.A8m.I2m.I8m.B8m.J6s.D5m.B7m.C3h.E2m.F4s.D10m."
    "G6m.I3m.I10m.E6m.H3s"
)
"""A hit was answered as a miss; it shows 54 shots later, by 10 answers."""
"""A game that is counted in a moment."""
FEW = "7x7-3,2,1-none-sunk-length"
"""A game where after a hit or two the best shot is looked for."""
TOUCHING = "8x8-3,2,2-sides-sunk-length"
SINKING = "8x8-4,3,3,2-sides-sunk-length/C5h.C6h.D7h.E7h.C7s3"


GO_TO = """(hash) => new Promise((done) => {
    addEventListener("hashchange", done, { once: true });
    location.hash = hash;
})"""


def go_to(page: Any, address: str) -> None:
    """Change the address to a game, and wait until it is advised."""
    page.evaluate(GO_TO, f"#advise/{address}")
    settle(page)


def saved(page: Any, path: Path, button: str = "save") -> Path:
    """A file that the page saves."""
    with page.expect_download() as download:
        page.click(f"#advise-{button}")
    download.value.save_as(path)
    return path


@pytest.mark.slow  # as the next one, with more ships
def test_a_whole_russian_game_with_two_wrong_answers(table: Table) -> None:
    page = table.open()
    game = Game(page, Friend(RUSSIAN, tells_length=False))
    play_with_a_wrong_answer(game, after=4)
    # A hit beside a sunk ship cannot be.
    while not (sunk := game.sunk_cells()):
        game.shoot()
    cell = next(near for near in beside(sunk) if near not in game.made)
    game.record(cell, "hit")
    trouble = page.inner_text("#advise-trouble h2")
    assert trouble.endswith("be true.")
    assert f"{cell} hit" in trouble
    assert page.locator(f'#advise-board [data-cell="{cell}"].is-bad').count() == 1
    assert stat(page, "Layouts left") == "0"
    # The game goes on meanwhile.
    other = next(name for name in ("J10", "A10", "J1", "H10") if name not in game.made)
    game.record(other, game.right(other))
    page.click(f'#advise-trouble [data-change="{cell} miss"]')
    settle(page)
    game.change(cell, "miss")
    assert page.is_hidden("#advise-trouble")
    game.play_out()


def beside(cells: set[str]) -> list[str]:
    """Cells that touch some cells, on 10x10."""
    near = {
        f"{chr(ord(cell[0]) + across)}{int(cell[1:]) + down}"
        for cell in cells
        for across in (-1, 0, 1)
        for down in (-1, 0, 1)
    }
    return sorted(name for name in near - cells if re.fullmatch("[A-J]([1-9]|10)", name))


@pytest.mark.slow
def test_a_whole_hasbro_game_with_two_wrong_answers(table: Table) -> None:
    page = table.open()
    page.click('#advise [data-fleet="hasbro"]')
    settle(page)
    game = Game(page, Friend(HASBRO, tells_length=True))
    play_with_a_wrong_answer(game, after=6)
    while "sunk:4" not in [told for _, told in game.shots]:
        game.shoot()
    # There is one ship of length 4.
    cell = advised(page)
    game.record(cell, "sunk:4")
    assert f"{cell} sunk 4" in page.inner_text("#advise-trouble h2")
    page.click(f'#advise-trouble [data-change="{cell} back"]')
    settle(page)
    game.change(cell, None)
    assert advised(page) == cell
    game.play_out()


def test_undo_and_redo(table: Table) -> None:
    page = table.open(f"{SMALL}/")
    assert page.is_disabled("#advise-undo")
    begun = stat(page, "Layouts left")
    first = advised(page)
    tap(page, "hit")
    assert chips(page) == [(first, "hit")]
    page.click("#advise-undo")
    settle(page)
    assert (chips(page), stat(page, "Layouts left"), advised(page)) == ([], begun, first)
    page.click("#advise-redo")
    settle(page)
    assert chips(page) == [(first, "hit")]
    assert page.is_disabled("#advise-redo")
    # Another game is undone, too.
    page.click('#advise [data-fleet="hasbro"]')
    settle(page)
    assert chips(page) == []
    assert "Undo brings the old one back" in page.inner_text("#advise-news")
    page.click("#advise-undo")
    settle(page)
    assert chips(page) == [(first, "hit")]
    assert page.locator("#advise-board .cell").count() == 49


def test_a_game_outlasts_a_reload_while_another_tab_is_shown(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m.C3h")
    page.click("#tab-review")
    page.reload()
    page.wait_for_selector("#review:not([hidden])")
    page.click("#tab-advise")
    settle(page)
    assert chips(page) == [("A1", "miss"), ("C3", "hit")]
    fresh = table.page("")
    fresh.wait_for_selector("#advise-board .cell")
    assert chips(fresh) == []


def test_a_game_that_was_reviewed_outlasts_a_reload(table: Table) -> None:
    address = "4x4-3,2,1-none-sunk-length/A1m.B2m.C3h.C2m"
    page = table.open(address)
    game = chips(page)
    page.click("#advise-review")
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    page.click("#tab-advise")
    settle(page)
    page.reload()
    settle(page)
    assert page.url.endswith(f"#advise/{address}")
    assert chips(page) == game
    # The review is there as well, and outlasts a reload while it is shown.
    page.click("#tab-review")
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    assert page.url.endswith(f"#review/shots&{address}")
    page.reload()
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    page.click("#tab-advise")
    settle(page)
    assert chips(page) == game


def test_an_answer_is_changed_or_taken_back_where_it_stands(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m.C3h.E5m")
    pick(page, "A1")
    pressed = page.locator('#advise-replies [aria-pressed="true"]')
    assert pressed.get_attribute("data-reply") == "miss"
    tap(page, "hit")
    assert chips(page) == [("A1", "hit"), ("C3", "hit"), ("E5", "miss")]
    page.click('#advise-path [data-cell="C3"]')
    page.click('#advise-replies [data-reply="back"]')
    settle(page)
    assert chips(page) == [("A1", "hit"), ("E5", "miss")]
    # Tapping it again leaves the answer as it is.
    asked = advised(page)
    pick(page, "A1")
    pick(page, "A1")
    assert advised(page) == asked


def test_the_answers_that_can_be_given(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m")
    for game, shots, expected in (
        (SMALL, "", ["miss", "hit", "sunk"]),
        (TOUCHING, "B2h", ["miss", "hit", "sunk:2", "more"]),
        (TOUCHING, "B1h.B2h", ["miss", "hit", "sunk:3", "sunk:2"]),
        ("8x8-3,2,2-sides-ship-length", "B2h2-1", ["miss", "hit:3#1", "hit:2#1", "hit:2#2"]),
    ):
        go_to(page, f"{game}/{shots}")
        pick(page, "B3")
        given = page.locator("#advise-replies .reply").evaluate_all(
            "all => all.map(e => e.dataset.reply)"
        )
        assert given == expected


@pytest.mark.slow
def test_ships_are_hit_by_name(table: Table) -> None:
    page = table.open("8x8-4,3,2,2-none-ship-length/")
    answer(page, "A1", "hit:2#1")
    answer(page, "E1", "hit:2#2")
    pick(page, "E2")
    words = page.locator("#advise-replies .word").all_inner_texts()
    assert [word.replace("\n", " ") for word in words] == [
        "Miss", "Hit the 4", "Hit the 3", "The 2 at A1", "The 2 at E1",
    ]  # fmt: skip
    tap(page, "hit:2#2")
    # Equal ships are numbered as they are first hit, also after a change.
    pick(page, "A1")
    tap(page, "miss")
    assert chips(page) == [("A1", "miss"), ("E1", "hit 2#1"), ("E2", "hit 2#1")]
    assert page.locator("#advise-fleet .gone").count() == 1


def test_a_sinking_that_can_mean_two_ships_is_asked_for(table: Table) -> None:
    page = table.open("8x8-4,3,3,2-sides-sunk-length/C5h.C6h.D7h.E7h")
    answer(page, "C7", "sunk:3")
    page.wait_for_selector("#advise-which:not([hidden])")
    assert page.inner_text("#advise-which h2") == "Which ship did C7 sink?"
    choices = page.locator("#advise-which [data-ship]").evaluate_all(
        "all => all.map(e => e.dataset.ship)"
    )
    assert choices == ["C7:E7", "C5:C7", ""]
    assert page.locator("#advise-board .choices").count() == 2
    page.click('#advise-which [data-ship="C5:C7"]')
    settle(page)
    assert page.is_hidden("#advise-which")
    assert "ships=C5:C7" in page.url
    assert page.locator("#advise-board .is-sunk").count() == 3
    page.click("#advise-undo")
    page.wait_for_selector("#advise-which:not([hidden])")
    page.click('#advise-which [data-ship=""]')
    assert page.is_hidden("#advise-which")
    assert "ships=" not in page.url
    # It is not asked again after the next shot.
    answer(page, "H8", "miss")
    page.wait_for_timeout(700)
    assert page.is_hidden("#advise-which")


@pytest.mark.slow
def test_a_contact_rule_is_relaxed(table: Table) -> None:
    page = table.open("7x7-3,2,1-none-sunk-length/B2h.C3h.E5m")
    assert page.inner_text("#advise-trouble h2") == "B2 hit and C3 hit cannot both be true."
    page.click('#advise-trouble [data-change="contact"]')
    settle(page)
    assert page.is_hidden("#advise-trouble")
    assert "ships may touch at corners" in page.inner_text("#game")
    assert chips(page) == [("B2", "hit"), ("C3", "hit"), ("E5", "miss")]


def test_a_saved_game_is_read_by_the_library_and_loaded_again(table: Table, tmp_path: Path) -> None:
    page = table.open("6x6-3,2,2-sides-sunk-length/C4h.C5s2.A1m/ships=C4:C5")
    file = saved(page, tmp_path / "game.json")
    position = load_position(file)
    assert str(position.rules.fleet) == "3,2,2"
    assert position.ship_names == ["C4:C5"]
    assert len(position.shots) == 3
    other = table.open(SMALL)
    other.set_input_files("#advise-file", file)
    other.wait_for_selector("#advise-path .chip")
    settle(other)
    assert chips(other) == chips(page)
    assert other.url.split("#")[1] == page.url.split("#")[1]


def test_how_a_game_is_weighed_and_asked_is_kept(table: Table, tmp_path: Path) -> None:
    page = table.open("hasbro/C4h.A1m")
    page.click('#advise-salvo [data-salvo="3"]')
    page.click('#advise-goal [data-goal="within"]')
    settle(page)
    page.click('#advise-prior [data-prior="people"]')  # last, as such a map takes longest
    settle(page)
    limit = page.input_value("#advise-goal input")
    file = saved(page, tmp_path / "game.json")
    assert len(load_position(file).shots) == 2
    assert page.url.endswith(f"#advise/hasbro/C4h.A1m/prior=people/within={limit}/salvo=3")

    def kept(where: Any) -> list[str]:
        pressed = where.locator(
            '#advise :is([data-prior], [data-goal], [data-salvo])[aria-pressed="true"]'
        )
        found = pressed.evaluate_all("all => all.map(e => Object.values(e.dataset)[0])")
        return [*found, where.input_value("#advise-goal input")]

    assert kept(page) == ["people", "within", "3", limit]
    # What is kept shows before the maps are there, which take long.
    pressed = '#advise [data-prior="people"][aria-pressed="true"]'
    page.reload()
    page.wait_for_selector(pressed)
    assert kept(page) == ["people", "within", "3", limit]
    go_to(page, f"{SMALL}/")
    assert page.locator(pressed).count() == 0
    page.set_input_files("#advise-file", file)
    page.wait_for_selector(pressed)
    page.wait_for_selector("#advise-path .chip")
    assert kept(page) == ["people", "within", "3", limit]
    # A review weighs the game as the advice did, and keeps that, too.
    page.click("#advise-review")
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)
    assert "/prior=people" in page.url


POSITION = {
    "format": "seabattle-position", "version": 1, "board": "5x5", "fleet": "2,1",
    "contact": "none", "answers": "hit", "announce": "length", "shots": [],
}  # fmt: skip


def test_a_file_that_is_no_game_is_refused_in_one_sentence(table: Table, tmp_path: Path) -> None:
    page = table.open(f"{SMALL}/A1m")
    for number, (text, reason) in enumerate((
        ("no JSON", "it is not JSON"),
        (json.dumps({**POSITION, "shots": [["Z9", "hit"]]}), "Z9"),
        (
            json.dumps({**POSITION, "asked": {"salvo": 9}}),
            "“salvo” is not a number of shots from 1 to 5",
        ),
        ("1" * 70_000, "64 KiB"),
    )):  # fmt: skip
        file = tmp_path / f"wrong-{number}.json"
        file.write_text(text, encoding="utf-8")
        page.set_input_files("#advise-file", file)
        said = page.locator("#advise-kept", has_text=f"{file.name} is no position file: ")
        assert reason in said.inner_text()
        assert chips(page) == [("A1", "miss")]


@pytest.mark.parametrize(
    "address",
    [
        "russian/C4q", "%E0%A4%A", "<img src=x>", "__proto__/C4h",
        "5x5-2,1-toString-hit-length", "9" * 100_000,
    ],
)  # fmt: skip
def test_an_address_without_a_game_is_said(table: Table, address: str) -> None:
    page = table.page(f"advise/{address}")
    page.wait_for_selector("#advise-news:has-text('holds no game')")
    assert page.locator("#advise-board .cell").count() == 100


@pytest.mark.slow
def test_an_address_without_a_game_leaves_the_game_as_it_is(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m")
    page.evaluate("location.hash = '#advise/nonsense'")
    page.wait_for_selector("#advise-news:has-text('stays as it was')")
    settle(page)
    assert chips(page) == [("A1", "miss")]
    for name in ("constructor", "__proto__", "nonsense"):
        page.evaluate(f"location.hash = '#{name}/x'")
        page.wait_for_url(re.compile(re.escape(f"#advise/{SMALL}")))
    assert page.is_hidden("#failure")


def test_the_keyboard_alone(table: Table) -> None:
    page = table.open(f"{FEW}/")
    first = advised(page)
    press = page.keyboard.press
    press("m")
    settle(page)
    second = advised(page)
    press("h")
    settle(page)
    assert chips(page) == [(first, "miss"), (second, "hit")]
    press("u")
    settle(page)
    press("Control+z")
    settle(page)
    assert chips(page) == []
    press("Control+y")
    settle(page)
    press("r")
    settle(page)
    assert chips(page) == [(first, "miss"), (second, "hit")]
    # The board: reached by Tab, walked by arrows, a cell chosen by Enter.
    page.focus("#advise-chooser summary")
    press("Tab")
    held = page.evaluate("document.activeElement.dataset.cell")
    assert held
    press("ArrowDown")
    press("ArrowRight")
    cell = page.evaluate("document.activeElement.dataset.cell")
    assert cell != held
    press("Enter")
    assert advised(page) == cell
    press("s")
    settle(page)
    assert (cell, "sunk") in chips(page)
    assert page.evaluate("document.activeElement.dataset.cell") == cell
    # What was said last is heard.
    assert f"{cell} sunk" in page.inner_text("#live")
    # The buttons keep the focus when they are drawn anew.
    page.focus('#advise-replies [data-reply="miss"]')
    press("Enter")
    settle(page)
    assert page.evaluate("document.activeElement.dataset.reply") == "miss"


def test_answers_tapped_while_it_counts_all_count(table: Table) -> None:
    page = table.open("hasbro/")
    cells = ("A1", "C3", "E5", "G7")
    for cell in cells:
        pick(page, cell)
        page.click('#advise-replies [data-reply="miss"]')
    settle(page)
    assert chips(page) == [(cell, "miss") for cell in cells]


def test_a_tap_counts_though_the_page_is_drawn_while_the_finger_is_down(table: Table) -> None:
    page = table.open("hasbro/")
    pick(page, "C3")
    miss = page.locator('#advise-replies [data-reply="miss"]').bounding_box()
    page.mouse.move(miss["x"] + miss["width"] / 2, miss["y"] + miss["height"] / 2)
    page.mouse.down()
    page.evaluate("document.getElementById('advise-quiet').click()")  # as when a count is done
    page.mouse.up()
    assert chips(page) == [("C3", "miss")]


def test_why_this_shot_what_comes_next_and_the_misses_to_come(table: Table) -> None:
    page = table.open("russian/C1m.H1m.A3h.A4h.A5s.D3m.J3m.C6m.F6h.F7m")
    note = page.inner_text("#advise-note")
    assert note.startswith(
        "Why G6: of all layouts that fit the answers, more have a ship there than at any other "
        "cell."
    )
    assert "Next best: E6 45 %" in note
    assert stat(page, "Misses to come").startswith("≈")
    pick(page, "B3")
    assert "cannot be hit: no layout that fits has a ship there" in page.inner_text("#advise-ask")
    answer(page, "G6", "miss")
    assert page.locator("#advise-curve .in-all.estimated").count() == 1


def test_a_double_click_and_a_key_held_down_are_one_answer(table: Table) -> None:
    page = table.open(SMALL)
    box = page.locator('#advise-replies [data-reply="miss"]').bounding_box()
    for number in (1, 2):
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down(click_count=number)
        page.mouse.up(click_count=number)
        settle(page)
    assert len(chips(page)) == 1
    for _ in range(3):
        page.keyboard.down("m")
        settle(page)
    page.keyboard.up("m")
    settle(page)
    assert len(chips(page)) == 2


def test_what_is_stuck_to_the_end_of_an_address_does_not_matter(table: Table) -> None:
    page = table.open(f"{SMALL}/")
    for end in (").", ",", "?utm=1", "&fbclid=x"):
        go_to(page, f"{SMALL}/A1m.C3h{end}")
        assert chips(page) == [("A1", "miss"), ("C3", "hit")]
        go_to(page, f"{SMALL}/")
        assert chips(page) == []


def test_an_address_that_cannot_be_read_stays(table: Table) -> None:
    page = table.open("russian/C4q")
    assert page.url.endswith("#advise/russian/C4q")
    tap(page, "miss")
    assert page.url.endswith("#advise/hasbro/" + chips(page)[0][0] + "m")


def test_a_stranger_reads_what_it_is_and_how_it_is_used(table: Table) -> None:
    """It opens on the fleet that is usual where the language is spoken."""
    page = table.open()
    assert page.inner_text("#about").startswith("Battleship: where to shoot")
    assert page.inner_text("#advise-names") == (
        "Carrier 5 · Battleship 4 · Cruiser 3 · Submarine 3 · Destroyer 2"
    )
    page.click("#how summary")
    assert page.locator("#how svg").count() == 3
    russian = table.open(locale="ru-RU")
    assert (
        russian.inner_text("#advise-names")
        == "линкор 4 · 2 × крейсер 3 · 3 × эсминец 2 · 4 × катер 1"
    )


def test_the_advice_can_be_hidden(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m")
    page.click("#advise-quiet")
    assert page.locator("#advise-board .has-chance").count() == 0
    assert page.locator("#advise-board :is(.is-best, .is-target)").count() == 0
    assert page.inner_text("#advise-ask") == "Tap the cell that you shoot."
    pick(page, "C3")
    tap(page, "miss")
    assert chips(page) == [("A1", "miss"), ("C3", "miss")]
    page.click("#advise-quiet")
    assert advised(page)


def test_a_long_count_says_how_far_it_is_and_is_stopped(table: Table) -> None:
    page = table.page("advise/12x12-5,4,3,3,2,2-sides-sunk-length/A1m")
    page.click("#advise-stop", timeout=60_000)
    assert page.inner_text("#advise-trouble h2") == "This game cannot be counted"
    assert "The count was stopped" in page.inner_text("#advise-trouble")


def test_the_likeliest_mistakes_come_first(table: Table) -> None:
    """Of many answers that contradict each other, the six likeliest single changes."""
    page = table.open(WRONG_LATE)
    likely = page.locator("#advise-trouble [data-likely]")
    assert 1 <= likely.count() <= 6
    assert page.locator("#advise-trouble details").get_attribute("open") is None
    likely.first.click()
    settle(page)
    assert page.is_hidden("#advise-trouble")


def test_back_goes_to_the_tab_before(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m")
    page.click("#tab-match")
    page.click("#tab-review")
    page.go_back()
    page.wait_for_selector("#match:not([hidden])")
    page.go_back()
    page.wait_for_selector("#advise:not([hidden])")
    settle(page)
    assert chips(page) == [("A1", "miss")]


def test_a_board_too_large_to_be_counted_shows_an_estimate(table: Table) -> None:
    page = table.open("20x20-4,3,3,2,2,2-sides-sunk-length/A1m")
    assert "The map is estimated from" in page.inner_text("#advise-note")
    assert re.fullmatch(r"about [0-9.]+ × 10\^\d+", stat(page, "Layouts left"))
    assert advised(page)


def test_from_a_static_server_and_then_without_it(chromium: Any, tmp_path: Path) -> None:
    beside = page_path().parent / "offline"
    for file in (page_path(), *beside.iterdir()):
        shutil.copy(file, tmp_path)
    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/seabattle.html"
        with play_pages.table(chromium, home, [file.name for file in beside.iterdir()]) as opened:
            page = opened.open(f"{SMALL}/A1m", service_workers="allow")  # others stay online
            tap(page, "hit")
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            page.context.set_offline(True)
            page.reload()
            settle(page)
            assert len(chips(page)) == 2
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


RUSSIAN_KEYS = {"h": ("\u0440", "KeyH"), "m": ("\u044c", "KeyM"), "u": ("\u0433", "KeyU")}
"""What the keys of these letters give where Russian is typed."""


@pytest.mark.slow
def test_a_game_in_russian_by_a_russian_keyboard(table: Table) -> None:
    page = table.open(f"{SMALL}/", locale="ru-RU")
    assert page.evaluate("document.documentElement.lang") == "ru"
    first = advised(page)
    for letter in ("m", "h", "u"):
        key, code = RUSSIAN_KEYS[letter]
        page.evaluate(
            """([key, code]) => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key, code, bubbles: true }))""",
            [key, code],
        )
        settle(page)
    assert chips(page) == [(first, "мимо")]
    assert axe_audit.serious_violations(page) == []
    # The switch keeps the game.
    page.select_option("#language", "en")
    page.wait_for_selector("html[lang=en]")
    settle(page)
    assert chips(page) == [(first, "miss")]


def test_columns_in_russian_letters(table: Table) -> None:
    """Where the page is Russian the third column is В; addresses stay the same everywhere."""
    page = table.open("russian/C4m.D5h", locale="ru-RU")
    head = page.locator("#advise-board .row").first.locator(".edge").all_inner_texts()
    assert "".join(head) == "АБВГДЕЖЗИК"
    assert chips(page) == [("В4", "мимо"), ("Г5", "попал")]
    assert re.fullmatch("[АБВГДЕЖЗИК]\\d+", advised(page))
    answer(page, "И9", "miss")
    assert page.url.endswith("#advise/russian/C4m.D5h.I9m")
    page.click("#advise-paste summary")
    page.fill("#advise-paste textarea", "В4 мимо\nC5 мимо")
    page.click("#advise-take")
    page.wait_for_selector("#advise-kept:not(:empty)")
    assert "латинской буквой: С5" not in page.inner_text("#advise-kept")
    assert "латинской буквой: наберите В5" in page.inner_text("#advise-kept")
    with page.expect_download() as saved:
        page.click("#advise-save")
    document = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert (document["letters"], document["shots"][0]) == ("russian", ["В4", "miss"])
    page.set_input_files("#advise-file", saved.value.path())
    page.wait_for_selector("#advise-news:not(:empty)", state="attached")
    page.select_option("#language", "en")
    page.wait_for_selector("html[lang=en]")
    settle(page)
    assert chips(page)[0] == ("C4", "miss")


def test_one_of_several_fleets(table: Table) -> None:
    """They are typed, kept in the address, and told apart by an answer."""
    page = table.open("6x6-3,2-sides-sunk-length")
    page.click("#advise-chooser summary")
    page.fill("#advise-chooser [name=fleet]", "3,2 | 4,2 | 3, 3")
    page.click("#advise-chooser [type=submit]")
    page.wait_for_url(re.compile(re.escape("3,2+4,2+3,3")))
    settle(page)
    assert "4,2: 1,764" in page.inner_text("#advise-note")
    page.click('[data-length="4"]')
    settle(page)
    page.click('[data-length="3"]')
    settle(page)
    assert page.inner_text("#advise-caption").startswith("Where a ship of length 4 or 3 can be")
    for cell, given in (("C3", "hit"), ("C4", "hit"), ("C5", "sunk:3")):
        answer(page, cell, given)
    assert "4,2: 0" in page.inner_text("#advise-note")
    assert page.locator("#advise-review").is_disabled()


def test_a_game_typed_on_a_russian_keyboard(table: Table) -> None:
    """Its letter for x is one, and cells without ships are a row; numbers of ships are none."""
    page = table.open(f"{SMALL}/")
    page.click("#advise-chooser summary")
    page.fill("#advise-chooser [name=board]", "6х6")
    page.fill("#advise-chooser [name=blocked]", "A1:C1")
    page.fill("#advise-chooser [name=fleet]", "1х4; 2×3; 3x2")
    page.click("#advise-chooser [type=submit]")
    page.wait_for_selector("#advise-chooser .complaint:not([hidden])")
    assert "numbers of ships" in page.inner_text("#advise-chooser .complaint")
    page.fill("#advise-chooser [name=fleet]", "4; 2×3")
    page.click("#advise-chooser [type=submit]")
    page.wait_for_url(re.compile("6x6-2x3,4-.*blocked=A1.B1.C1"))


def test_the_board_is_edited_cell_by_cell(table: Table) -> None:
    """A tap turns a cell through what it can be; it is counted in the end."""
    page = table.open(f"{SMALL}/")
    page.click("#advise-edit")
    for cell, taps in (("C4", 1), ("E5", 2), ("E7", 3), ("A1", 4)):
        for _ in range(taps):
            pick(page, cell)
    assert chips(page) == [("C4", "miss"), ("E5", "hit"), ("E7", "sunk")]
    assert page.locator("#advise-replies").is_hidden()
    page.keyboard.press("Escape")
    settle(page)
    assert page.url.endswith(f"#advise/{SMALL}/C4m.E5h.E7s")
    assert re.fullmatch("[A-G][1-7]", advised(page))
    edited = table.open(f"{TOUCHING}/")
    edited.click("#advise-edit")
    for _ in range(3):
        pick(edited, "E5")
    edited.click("#advise-ask button")
    settle(edited)
    assert edited.url.endswith("unordered")


def test_a_finished_game_shows_whole_ships(table: Table) -> None:
    """The ship at A10:D10 follows from the others, and nothing is counted for it."""
    shots = "H3h.H4h.H5h.H6h.H7s5.E10h.D10h.B10h.A10h.C10s4.D7h.F7h.E7s3.E8h.E9s3.B5h.A5s2"
    page = table.open(f"hasbro/{shots}")
    assert page.inner_text("#advise-ask strong") == "The fleet is sunk: 17 shots, 0 misses."
    assert page.locator("#advise-board .cell.is-sunk").count() == 17
    assert page.locator("#advise-board .cell .wreck").count() == 17


def test_a_wide_board_shows_its_numbers_and_one_sheet_holds_a_game(table: Table) -> None:
    page = table.open("9x26-4,3,2-none-sunk-length/C3m")
    assert page.locator("#advise-board .tiny").count() == 0
    assert page.locator("#advise-board .chance:visible", has_text=re.compile("\\d")).count() > 200
    played = table.open("hasbro/" + ".".join(f"{c}{r}m" for r in "135" for c in "ABCDEFGHIJ"))
    printed = played.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", printed)) == 1


def test_shots_of_a_turn_and_a_board_that_is_pasted(table: Table) -> None:
    page = table.open(f"{SMALL}/A1m.C3h/blocked=D4.E5")
    page.click('[data-salvo="2"]')
    page.wait_for_selector("#advise-ask .also")
    turn = re.findall(r"[A-G][1-7]", page.inner_text("#advise-ask .also"))
    assert (len(turn), turn[0]) == (2, advised(page))
    tap(page, "miss")
    assert advised(page) == turn[1]
    page.click("#advise-paste summary")
    page.fill("#advise-paste textarea", "\n".join([".......", ".OX....", *["......."] * 5]))
    page.click("#advise-take")
    page.wait_for_selector("#advise-news:not(:empty)")
    settle(page)
    assert chips(page) == [("B2", "miss"), ("C2", "hit")]
    assert page.locator("#advise-board .is-blocked").count() == 2


def test_a_game_is_played_to_finish_in_time(table: Table) -> None:
    """With at most two misses half of the sixteen layouts are finished."""
    page = table.open("4x4-3-none-hit-length")
    page.click('[data-goal="within"]')
    settle(page)  # what is typed is drawn over when the answer comes
    page.fill("#advise-goal input", "2")
    page.press("#advise-goal input", "Enter")
    settle(page)
    assert stat(page, "Finished in time").startswith("50")
    asked = set(re.findall(r"[A-D][1-4]", page.inner_text("#advise-ask")))
    assert asked == {"B2", "B3", "C2", "C3"}
    tap(page, "miss")
    assert "within 2 misses" in page.inner_text("#advise-note")
    page.click('[data-goal="mean"]')
    settle(page)
    assert "miss least on average" in page.inner_text("#advise-note")


def test_which_ship_was_sunk_can_be_said_otherwise_later(table: Table) -> None:
    page = table.open(f"{SINKING}/ships=C5:C7")
    pick(page, "C7")
    page.click('#advise-ask [data-ask="ship"]')
    page.wait_for_selector("#advise-which:not([hidden])")
    page.click('#advise-which [data-ship="C7:E7"]')
    settle(page)
    assert "ships=C7:E7" in page.url
