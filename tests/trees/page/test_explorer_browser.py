"""The explorer in a real browser: played to the end, by mouse and keyboard, and set beside replay.

What the page shows is compared with ``replay`` and with sums over the layouts worked out here.
Every test fails on an error in the browser's console.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support import page_audit

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.trees.files import load_tree
from seabattle.trees.page.explorer import explorer_page
from seabattle.trees.replay import misses_of, replay
from seabattle.trees.tree import Tree

SOLVED = Path(__file__).resolve().parents[3] / "outputs" / "5x5-3,2,2,1,1,1"
LAYOUTS = [
    "A1:A3 C1:D1 E5:D5 C3 A5 E3",
    "A5:C5 C2:C3 E3:E4 A1 E1 A3",
    "C3:E3 A1:B1 A4:A5 D1 C5 E5",
]


@cache
def solved(name: str) -> Tree:
    """A tree of the 5x5 game that is kept with the outputs."""
    return load_tree(SOLVED / f"{name}.json")


Open = Callable[..., Any]


def stat(page: Any, name: str) -> str:
    """A number beside the board."""
    tile = page.locator("#stats > div").filter(has=page.locator("dt", has_text=name))
    return re.match(r"[\d,.]+", tile.locator("dd").inner_text())[0]


def target(page: Any) -> str | None:
    """The cell marked as the next shot."""
    return page.evaluate("document.querySelector('#walk-board .is-target')?.dataset.cell ?? null")


def possible_at(tree: Tree, answers: list[str]) -> list[list[str]]:
    """Layouts below the node that some answers lead to."""
    node = tree.root
    for answer in answers:
        node = node.children[answer]
    found, open_nodes = [], [node]
    while open_nodes:
        node = open_nodes.pop()
        found += node.layouts
        open_nodes += node.children.values()
    return found


@pytest.mark.parametrize(
    ("mode", "layout"),
    [("hit", LAYOUTS[0]), ("ship", LAYOUTS[1])],
)
def test_answering_by_clicks_ends_at_the_layout(opened: Open, mode: str, layout: str) -> None:
    tree = solved(f"{mode}-optimal-mean")
    page = opened(explorer_page([tree]))
    game = replay(tree, layout)
    answers: list[str] = []
    for cell, answer in game:
        if target(page) is None:
            break
        assert target(page) == cell
        assert int(stat(page, "Layouts left").replace(",", "")) == len(possible_at(tree, answers))
        page.click(f'#answers [data-answer="{answer}"]')
        answers.append(answer)
    found = page.inner_text("#ask")
    misses = misses_of(game)
    assert found.startswith(f"Found with {misses} miss")
    left = len(game) - len(answers)
    assert (f"{left} cell" in found) if left else ("Every ship is hit" in found)
    ships = tree.root  # the last node is reached through its answers
    for answer in answers:
        ships = ships.children[answer]
    assert page.inner_text("#ask .ships") == " ".join(ships.layouts[0])
    assert page.locator("#answers button").count() == 0
    assert page.locator("#walk-board .is-found").count() == left
    assert page.locator("#path .chip").count() == len(answers)


@pytest.mark.parametrize("mode", ["sunk"])
def test_numbers_and_chances_are_those_of_the_layouts(opened: Open, mode: str) -> None:
    tree = solved(f"{mode}-optimal-mean")
    page = opened(explorer_page([tree]))
    assert stat(page, "Misses to come") == f"{tree.total_misses / tree.layouts:.3f}"
    assert f"{tree.total_misses}/{tree.layouts}" in page.inner_text("#stats")
    assert stat(page, "At worst") == str(tree.worst_misses)
    answer = next(iter(tree.root.children))
    page.click(f'#answers [data-answer="{answer}"]')
    layouts = possible_at(tree, [answer])
    board = tree.rules.board
    shot = board.name(tree.root.shot)
    counts = dict.fromkeys(map(board.name, range(board.cells)), 0)
    for layout in layouts:
        for ship in layout:
            ends = [board.cell(end) for end in ship.split(":")]
            step = 1 if max(ends) - min(ends) < board.columns else board.columns
            for cell in range(min(ends), max(ends) + 1, step):
                counts[board.name(cell)] += 1
    for name, count in counts.items():
        text = page.inner_text(f'#walk-board [data-cell="{name}"] .chance')
        if name == shot or count == 0:
            assert text == ""
        elif count == len(layouts):
            assert text == "100"
        else:
            share = 100 * count / len(layouts)
            assert text in {"<1", ">99"} or abs(int(text) - share) <= 0.5
    page.uncheck("#chances")
    assert page.inner_text("#walk-board").split() == [*"ABCDE", *"12345"]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_names_are_there_and_fingers_have_room(opened: Open, scheme: str) -> None:
    names = ["ship-optimal-mean", "hit-optimal-mean", "sunk-greedy-hits"]
    page = opened(
        explorer_page([solved(name) for name in names]), color_scheme=scheme, has_touch=True,
        viewport={"width": 390, "height": 844}, address="#answer.2.0.1.0",
    )  # fmt: skip

    def looked_over() -> None:
        assert page_audit.poor_contrasts(page) == []
        assert page_audit.small_targets(page) == []
        assert page_audit.nameless(page) == []

    page.click("summary")
    page.click("#back")  # what lies ahead is shown in another way
    looked_over()
    for i in range(2):
        page.locator("#picker button").nth(i).click()
        page.locator("#answers button").last.click()
        looked_over()
        near, here = (page.locator(f"#near{each}").bounding_box() for each in ("", " .here .frame"))
        assert near["x"] <= here["x"] <= near["x"] + near["width"] - here["width"]
    page.click("#tab-hide")
    page.click("#gap")
    for button in ("#next", "#last", "#clear"):
        page.click(button)
        looked_over()


def test_a_fleet_is_hidden_ship_by_ship_and_found(opened: Open) -> None:
    tree = solved("sunk-optimal-mean")
    page = opened(explorer_page([tree]))
    page.click("#tab-hide")
    page.click("#clear")
    assert page.is_disabled("#play")
    page.click("#turn")
    page.click('#secret-board [data-cell="A4"]')
    assert "would leave the board" in page.inner_text("#verdict")
    page.click('#secret-board [data-cell="A1"]')
    page.click('#secret-board [data-cell="A4"]')
    assert page.get_attribute("#verdict", "data-state") == "wrong"
    page.click("#turn")
    for cell in ("C1", "D5", "C3", "A5", "E3"):
        page.click(f'#secret-board [data-cell="{cell}"]')
    assert page.inner_text("#verdict") == "A good layout: A1:A3 C1:D1 D5:E5 C3 A5 E3."
    page.click("#last")
    assert page.inner_text("#cards .line").startswith("All sunk after")
    misses = misses_of(replay(tree, LAYOUTS[0]))
    assert page.inner_text("#cards .score").split()[0] == str(misses)


@cache
def greedy(fleet: str) -> Tree:
    """A tree of a fleet that may have forms."""
    return greedy_tree(Rules("5x5", fleet, answers="sunk"))


def lay(page: Any, how: str, cell: str, turns: int) -> None:
    """Turn the chosen ship so often, and put it down with its first cell here."""
    at = page.locator(f'#secret-board [data-cell="{cell}"]')
    for _ in range(turns):
        if how == "keys":
            page.keyboard.press("r")
        else:
            getattr(page, how)("#turn")
    if how == "keys":
        at.focus()
        page.keyboard.press("Enter")
    else:
        getattr(at, how)()


@pytest.mark.parametrize(
    ("fleet", "hows", "ships", "told"),
    [
        ("2x2,2", ["click", "tap", "keys"], [("A1", 0), ("D2", 1)], "A1+B1+A2+B2 D2:D3"),
        ("3h,3v,2", ["tap"], [("A1", 0), ("A3", 0), ("C5", 0)], "A1:C1 A3:A5 C5:D5"),
        ("xx/x.,3", ["keys"], [("A1", 0), ("B3", 2)], "A1:C1 B3+B4+C4"),
        (".x/xx=,2", ["click"], [("D2", 0), ("A1", 1)], "D2+C3+D3 A1:A2"),
    ],
)
def test_ships_of_any_form_are_laid(
    opened: Open, fleet: str, hows: list[str], ships: list[tuple[str, int]], told: str
) -> None:
    """By mouse, finger and keyboard; what is taken up goes down again as it lay."""
    page = opened(explorer_page([greedy(fleet)]), has_touch=True)
    whole = f"A good layout: {told}."
    for how in hows:
        page.click("#tab-hide")
        page.click("#clear")
        for ship, (cell, turns) in enumerate(ships):
            assert page.get_attribute("#verdict", "data-state") == "unfinished"
            assert page.get_attribute(f'#tray [data-ship="{ship}"]', "aria-pressed") == "true"
            lay(page, how, cell, turns)
        assert page.inner_text("#verdict") == whole
        for cell, _ in ships:
            lay(page, how, cell, 0)
            assert page.get_attribute("#verdict", "data-state") == "unfinished"
            lay(page, how, cell, 0)
            assert page.inner_text("#verdict") == whole
        page.click("#last")
        assert page.inner_text("#cards .line").startswith("All sunk after")
        assert page.locator("#cards .is-sunk").count() == sum(greedy(fleet).rules.fleet.lengths)
        page.reload()  # a ship that is laid again begins as it was turned last


def test_a_ship_that_may_not_be_turned_says_so(opened: Open) -> None:
    page = opened(explorer_page([greedy("3h,3v,2")]))
    page.click("#tab-hide")
    page.click("#clear")
    assert page.is_disabled("#turn")
    page.click('#tray [data-ship="2"]')
    assert page.is_enabled("#turn")
    page.click("#turn")
    assert page.inner_text("#verdict").endswith("going down.")
    page.click('#tray [data-ship="0"]')
    assert page.is_disabled("#turn")
    assert page.inner_text("#verdict").endswith("going right.")


@pytest.mark.parametrize("locale", ["en", "ru"])
def test_cards_hold_what_is_on_them(opened: Open, locale: str) -> None:
    """Nothing sticks out of them, and no word of their headings is broken."""
    names = ["hit-optimal-mean", "hit-greedy-hits", "hit-greedy-half"]
    page = opened(explorer_page([solved(name) for name in names]), locale=locale, address="#hide.9")
    for button, width in product(("#hardest", "#last"), (1280, 360, 320)):
        if width == 1280:
            page.click(button)
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = page.evaluate(
            """() => [...document.querySelectorAll(".card")].flatMap((card) => {
                const edge = card.getBoundingClientRect().right - 2;
                return [...card.querySelectorAll(":not(.sr)")]
                    .filter((node) => node.getBoundingClientRect().right > edge)
                    .map((node) => node.outerHTML.slice(0, 80));
            })"""
        )
        assert outside == []
        broken = page.evaluate(
            """() => [...document.querySelectorAll(".card h2")].filter((node) => {
                const words = node.textContent.split(" ").length;
                const { lineHeight } = getComputedStyle(node);
                return node.clientHeight > (words + 0.5) * parseFloat(lineHeight);
            }).map((node) => node.textContent)"""
        )
        assert broken == []


def test_pictures_follow_the_system_when_it_turns_dark(opened: Open) -> None:
    page = opened(explorer_page([solved("sunk-optimal-mean")]), color_scheme="light")
    painted = "document.querySelector('canvas').toDataURL()"
    light = page.evaluate(painted)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => light !== {painted}", arg=light)
    dark = page.evaluate(painted)
    assert page_audit.poor_contrasts(page) == []
    page.reload()
    assert page.evaluate(painted) == dark != light


ENGLISH = re.compile(r"[A-Za-z]{3,}")


def test_a_russian_reader_meets_no_english(opened: Open) -> None:
    """All texts are said in Russian, and columns have Russian letters."""
    trees = [solved("hit-optimal-mean"), solved("hit-greedy-half")]
    page = opened(explorer_page(trees), locale="ru-RU")
    assert page.evaluate("document.documentElement.lang") == "ru"
    page.click("footer summary")
    allowed = {"English", "Home", "End", "Enter", "seabattle"}
    for step in ("start", "answered", "hidden"):
        if step == "answered":
            page.click('#answers [data-answer="miss"]')
        if step == "hidden":
            page.click("#tab-hide")
            page.click("#hardest")
            page.click("#last")
        told = page.evaluate(
            """() => document.body.innerText + [...document.querySelectorAll("[aria-label]")]
                .map((node) => node.getAttribute("aria-label")).join(" ")"""
        )
        assert set(ENGLISH.findall(told)) - allowed == set(), step
    cells = page.locator("#secret-board [data-cell]")
    names = cells.evaluate_all("all => all.map(e => e.dataset.cell)")
    assert names[:5] == ["А1", "Б1", "В1", "Г1", "Д1"]
    assert "#hide." in page.url
