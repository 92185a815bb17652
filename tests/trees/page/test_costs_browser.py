"""Shots of one's own in the explorer, in a real browser, beside the strategy file in Python.

Where the page holds a complete strategy file, any cell can be shot. After random shots and answers
everything it shows is compared with ``Strategy.probe`` and ``Strategy.cell_values``.
"""

from __future__ import annotations

import base64
import gzip
import random
import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import browsing, page_audit
from support.examples import THOROUGH

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.page import complete_files
from seabattle.trees.page.explorer import explorer_page
from seabattle.trees.strategy.strategy import Strategy

pytestmark = pytest.mark.skipif(bool(browsing.why_no_browser()), reason=browsing.why_no_browser())

GAMES = {
    "hit": (Rules("4x4", "3,2,1"), "mean", ()),
    "sunk": (Rules("4x4", "3,2,1", answers="sunk"), "mean", ()),
    "ship": (Rules("4x4", "2,2,1", answers="ship"), "mean", ()),
    "hit, not square": (Rules("3x4", "2,2"), "mean", ()),
    "sunk, corners": (Rules("3x4", "3,1,1", "corners", "sunk"), "mean", ()),
    "ship, sides": (Rules("3x4", "2,2,1", "sides", "ship"), "mean", ()),
    "hit, sides": (Rules("3x4", "3,2", "sides"), "mean", ()),
    "hit, worst": (Rules("4x4", "3,2,1"), "worst", ()),
    "ship, worst": (Rules("3x4", "2,1,1", answers="ship"), "worst", ()),
    "no symmetry": (Rules("4x4", "2,2,1", answers="sunk"), "mean", (("B1", "miss"),)),
    "after a hit": (Rules("4x4", "3,2", answers="ship"), "mean", (("A1", "hit:3#1"),)),
    "more than 32 cells": (Rules("5x7", "4", answers="sunk"), "mean", (("D3", "hit"),)),
    "more than 40 cells": (Rules("6x7", "4"), "mean", (("D3", "hit"),)),
    "5x5": (Rules("5x5", "3,2,2,1,1,1", answers="sunk"), "mean", ()),
}
"""Game, objective, and the shots before the file begins."""

ALWAYS = ("sunk", "hit, not square")
"""Games that are tried in every run; the others are among the slow tests."""


@pytest.fixture(scope="module")
def file_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Strategy]:
    """Gives the complete strategy file of a game by its name."""
    folder = tmp_path_factory.mktemp("files")

    @cache
    def built(name: str) -> Strategy:
        rules, objective, shots = GAMES[name]
        game = Position.read(rules, list(shots))
        path = folder / re.sub(r"\W", "-", name)
        return build_strategy(game, path, objective=objective, complete=True)

    return built


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing.browser() as running:
        yield running


Open = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of a strategy file; at the end nothing may have gone wrong in it."""
    pages: list[Any] = []
    errors: list[str] = []

    def open_page(text: str | Strategy, *, address: str = "", **options: Any) -> Any:
        if isinstance(text, Strategy):
            text = explorer_page([text.tree()], files=[text], checked=True)
        page = browsing.kept_context(chromium, **options).new_page()
        pages.append(page)
        page.set_default_timeout(8_000)
        page.on("console", lambda message: errors.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: errors.append(str(error)))
        file = tmp_path / "explorer.html"
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri() + address)
        page.locator("#costs-hint", has_text="being unpacked").wait_for(state="detached")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert errors == []


SHOWN = """() => ({
    cells: Object.fromEntries([...document.querySelectorAll("#walk-board .cell")].map((cell) => [
        cell.dataset.cell,
        { label: cell.getAttribute("aria-label"), text: cell.querySelector(".chance").textContent,
          pick: cell.classList.contains("pick"), best: cell.classList.contains("is-best"),
          target: cell.classList.contains("is-target") },
    ])),
    stats: [...document.querySelectorAll("#stats dd")].map((each) => each.innerText),
    hash: location.hash,
    ask: document.getElementById("ask").innerText,
    path: document.getElementById("path-cost").textContent,
})"""
"""What the page shows beside the tree."""


GO_TO = """(hash) => location.hash === hash || new Promise((done) => {
    addEventListener("hashchange", () => done(), { once: true });
    location.hash = hash;
})"""
"""Changes the address, and waits until the page has noticed."""


def cell_at(page: Any, name: str) -> Any:
    return page.locator(f'#walk-board [data-cell="{name}"]')


def to_come(shown: dict[str, Any], objective: str) -> int:
    """Misses to come as the page says: the total, or the worst case."""
    if objective == "worst":
        return int(shown["stats"][3].split()[0])
    return int(re.search(r"mean, (\d+)/", shown["stats"][2])[1])


def cost_text(cost: int, count: int, objective: str) -> str:
    """A cost as a cell shows it."""
    if cost == 0 or objective == "worst":
        return "0" if cost == 0 else f"+{cost}"
    if cost / count < 0.005:
        return "<0.01"
    return f"+{Decimal(cost / count).quantize(Decimal('0.01'), ROUND_HALF_UP)}"


def check_costs(strategy: Strategy, position: Position, shown: dict[str, Any]) -> dict[str, int]:
    """Compare the costs of a page with the file; return the misses to come after each shot."""
    board, objective = strategy.rules.board, strategy.objective
    found = strategy.probe(position)
    values = {board.name(cell): value for cell, value in strategy.cell_values(position).items()}
    masks = strategy.arrays.rows[strategy.fitting(position)]
    wasted = found.value + (found.layouts if objective == "mean" else 1)
    for cell in range(board.cells):
        name, look = board.name(cell), shown["cells"][board.name(cell)]
        assert look["pick"] is not bool(position.shot_mask >> cell & 1)
        if position.shot_mask >> cell & 1:
            continue
        certain = bool((masks >> cell & 1).all())
        value = values.setdefault(name, found.value if certain else wasted)
        text = cost_text(value - found.value, found.layouts, objective)
        assert look["text"] == text, (name, look)
        assert look["best"] is (value == found.value)
        if certain:
            assert look["label"].endswith("a certain hit, costs nothing")
        elif value == found.value:
            assert look["label"].endswith("costs nothing more than the best shot")
        else:
            number = re.search(r"costs (?:less than )?([\d.]+) miss(es)? more", look["label"])[1]
            assert number == text.lstrip("+<")
    return values


@pytest.mark.parametrize(
    "name",
    [each if each in ALWAYS else pytest.param(each, marks=pytest.mark.slow) for each in GAMES],
)
def test_costs_after_random_shots_are_those_of_the_file(
    opened: Open, file_of: Callable[[str], Strategy], name: str
) -> None:
    strategy = file_of(name)
    objective = strategy.objective
    page = opened(strategy)
    page.check("#costs")
    draws = random.Random(name)
    seen = 0
    for _ in range(4 if THOROUGH else 2):
        page.evaluate(GO_TO, "#answer.0")
        position, paid = strategy.position, 0.0
        while True:
            found = strategy.probe(position)
            shown = page.evaluate(SHOWN)
            assert shown["stats"][0].split()[0].replace(",", "") == str(found.layouts)
            assert to_come(shown, objective) == found.value
            if found.best_shot is None:
                assert shown["ask"].startswith("Found with")
                assert not any(cell["pick"] for cell in shown["cells"].values())
                break
            assert shown["cells"][found.best_shot]["target"], shown["ask"]
            values = check_costs(strategy, position, shown)
            seen += 1
            shot = draws.choice(sorted(values))
            cell_at(page, shot).click()
            shown = page.evaluate(SHOWN)
            assert shown["cells"][shot]["target"]
            if values[shot] != found.value or shot in strategy.shot_values(position):
                assert to_come(shown, objective) == values[shot]
            if shot != found.best_shot:
                assert shown["ask"].split("\n")[0].split() == ["Your", "shot", shot]
                scale = found.layouts if objective == "mean" else 1
                paid += (values[shot] - found.value) / scale
            answers = page.locator("#answers button:not(:disabled)")
            button = answers.nth(draws.randrange(answers.count()))
            position = position.shoot(shot, button.get_attribute("data-answer"))
            button.click()
            said = page.evaluate(SHOWN)["path"]
            total = float(re.search(r"([\d.]+) miss(es)? more", said)[1]) if said else 0.0
            assert total == pytest.approx(paid, abs=0.0006)
    assert seen >= 4


def test_every_answer_after_a_shot_of_ones_own_is_offered_with_its_layouts(
    opened: Open, file_of: Callable[[str], Strategy]
) -> None:
    strategy = file_of("ship")
    page = opened(strategy)
    cell_at(page, "B2").click()
    buttons = page.locator("#answers button")
    offered = {
        button.get_attribute("data-answer"): int(
            button.locator("small").last.inner_text().split()[0]
        )
        for button in buttons.all()
    }
    counts = {}
    for answer in offered:
        position = strategy.position.shoot("B2", answer)
        counts[answer] = strategy.probe(position).layouts
    assert offered == counts
    assert sum(counts.values()) == strategy.layouts


def test_back_forward_and_the_way_back_to_the_advice(
    opened: Open, file_of: Callable[[str], Strategy]
) -> None:
    strategy = file_of("sunk")
    page = opened(strategy)
    start = page.evaluate(SHOWN)
    advised = strategy.probe().best_shot
    cell_at(page, "B2").click()
    assert page.inner_text("#advice") == f"Take the advice: {advised}"
    page.keyboard.press("m")
    page.keyboard.press("m")
    cell_at(page, "D4").click()
    page.locator("#answers button:not(:disabled)").first.click()
    end = page.evaluate(SHOWN)
    prices = page.locator("#path .price").all_inner_texts()
    assert len(prices) == 2
    assert end["path"].startswith("Your 2 shots cost ")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate(SHOWN)["ask"].startswith("Your shot B2")
    for _ in range(3):
        page.click("#forward")
    assert page.evaluate(SHOWN) == end
    # Another answer earlier on: what was chosen below it is forgotten, what stands above stays.
    page.locator("#path button").first.click()
    page.click('#answers [data-answer="hit"]')
    assert len(page.locator("#path .price").all_inner_texts()) == 1
    page.keyboard.press("Home")
    page.focus("#advice")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "ask"
    assert page.evaluate(SHOWN) == start
    assert page.locator("#path .chip").count() == 0
    cell_at(page, advised).click()
    assert page.evaluate(SHOWN) == start


def test_the_address_keeps_shots_of_ones_own(
    opened: Open, file_of: Callable[[str], Strategy]
) -> None:
    strategy = file_of("sunk")
    page = opened(strategy)
    cell_at(page, "B2").click()
    assert page.evaluate("location.hash") == "#answer.0.B2"
    page.keyboard.press("m")
    cell_at(page, "C3").click()
    page.keyboard.press("h")
    shown = page.evaluate(SHOWN)
    assert shown["hash"] == "#answer.0.B2.0.C3.1"
    again = opened(strategy, address=shown["hash"])
    assert again.evaluate(SHOWN) == shown
    page.evaluate(GO_TO, "#answer.0.D1")
    assert page.inner_text("#ask").startswith("Your shot D1")
    for nonsense in ("#answer.0.Z9", "#answer.0.B2.B2.7", "#answer.0.B2.0.B2.0", "#answer.0.b2"):
        page.evaluate(GO_TO, nonsense)
        assert page.is_hidden("#failure")
        assert page.evaluate("location.hash").startswith("#answer.0")


def test_by_keyboard_and_for_the_ear(opened: Open, file_of: Callable[[str], Strategy]) -> None:
    strategy = file_of("hit")
    page = opened(strategy)
    page.focus('#walk-board [tabindex="0"]')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    cost = strategy.shot_values()["B2"] - strategy.value
    number = cost_text(cost, strategy.layouts, "mean").removeprefix("+")
    assert page.inner_text("#live") == (
        f"Your shot B2 costs {number} misses more than the best shot. How is it answered?"
    )
    assert page.evaluate("document.activeElement.dataset.cell") == "B2"
    assert page.get_attribute("#walk-board [role=grid]", "aria-multiselectable") is None
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    assert page.inner_text("#live") == "B2 has been shot."
    page.check("#costs")
    assert not page.is_checked("#chances")
    name = re.compile(r"^C3, costs \d\.\d\d misses more than the best shot$")
    assert page.get_by_role("gridcell", name=name).count() == 1
    page.check("#chances")
    assert not page.is_checked("#costs")
    assert page.get_by_role("gridcell", name=name).count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_costs_can_be_read_on_a_phone(
    opened: Open, file_of: Callable[[str], Strategy], scheme: str
) -> None:
    page = opened(
        file_of("5x5"), color_scheme=scheme, has_touch=True, viewport={"width": 360, "height": 740}
    )
    page.check("#costs")
    cell_at(page, "B2").tap()
    page.tap('#answers [data-answer="miss"]')
    cell_at(page, "E4").tap()
    assert page_audit.poor_contrasts(page) == []
    assert page_audit.small_targets(page) == []
    assert page_audit.nameless(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = """() => [...document.querySelectorAll("#walk-board .chance")].filter((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getBoundingClientRect().width > text.parentElement.clientWidth - 2;
    }).map((text) => text.textContent)"""
    assert page.evaluate(wide) == []
    assert page.locator("#walk-board .chance").first.is_visible()


def test_where_the_costs_come_from(opened: Open, file_of: Callable[[str], Strategy]) -> None:
    strategy = file_of("sunk")
    for checked, said in ((True, "checked from the rules"), (False, "which was not checked")):
        page = opened(explorer_page([strategy.tree()], files=[strategy], checked=checked))
        about = page.inner_text("#about")
        assert f"Costs come from its strategy file of {strategy.states:,} positions" in about
        assert said in about


def test_pages_with_and_without_a_file_side_by_side(
    opened: Open, file_of: Callable[[str], Strategy]
) -> None:
    strategy = file_of("sunk")
    other = solve(Rules("4x4", "3,2,1")).tree
    page = opened(explorer_page([other, strategy.tree()], files=[None, strategy], names=["a", "b"]))
    assert page.is_hidden("#costs-switch")
    assert page.locator("#walk-board .pick").count() == 0
    cell_at(page, "B2").click()
    assert page.inner_text("#ask").startswith("Next shot")
    page.locator("#picker button").nth(1).click()
    page.wait_for_selector("#costs:not(:disabled)")
    cell_at(page, "B2").click()
    assert page.inner_text("#ask").startswith("Your shot B2")
    page.locator("#picker button").first.click()
    assert page.inner_text("#ask").startswith("Next shot")
    plain = opened(explorer_page([other]))
    assert plain.is_hidden("#costs-switch")
    assert plain.is_hidden("#costs-hint")
    cell_at(plain, "B2").click()
    assert plain.inner_text("#ask").startswith("Next shot")


def test_a_file_that_is_too_large_is_left_out_and_the_page_says_so(
    opened: Open, file_of: Callable[[str], Strategy], monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = file_of("sunk")
    for most in (strategy.states // 2, strategy.states + 10):
        monkeypatch.setattr("seabattle.trees.page.explorer.MOST_BYTES", most)
        page = opened(strategy)
        assert "is too large for a page" in page.inner_text("#costs-hint")
        assert f"{strategy.states:,} positions" in page.inner_text("#costs-hint")
        assert page.is_hidden("#costs-switch")
        assert page.inner_text("#ask").startswith("Next shot")


def damaged(strategy: Strategy, change: Callable[[bytearray], None]) -> str:
    """A page whose file is changed after it was packed."""
    text = explorer_page([strategy.tree()], files=[strategy], checked=True)
    packed = complete_files.complete_document(strategy, checked=True)["packed"]
    data = bytearray(gzip.decompress(base64.b64decode(packed)))
    change(data)
    return text.replace(packed, base64.b64encode(gzip.compress(bytes(data))).decode("ascii"))


@pytest.mark.slow
def test_a_damaged_file_is_noticed(opened: Open, file_of: Callable[[str], Strategy]) -> None:
    strategy = file_of("sunk")
    start = int(strategy.locate(strategy.fitting(None))[0][0])
    used = complete_files.complete_document(strategy, checked=True)["bytes"]
    values = slice(strategy.states, (1 + used) * strategy.states)

    def wrong_start(data: bytearray) -> None:
        data[strategy.states + start] ^= 1

    def no_values(data: bytearray) -> None:
        data[values] = bytes(used * strategy.states)

    def wrong_keys(data: bytearray) -> None:
        data[values.stop] ^= 1  # the first, from which all others follow

    def cut_short(data: bytearray) -> None:
        del data[-1:]

    for change in (wrong_start, no_values, wrong_keys, cut_short):
        page = opened(damaged(strategy, change))
        assert "The strategy file in this page is damaged" in page.inner_text("#costs-hint")
        assert page.locator("#walk-board .pick").count() == 0
        page.keyboard.press("m")  # the tree is still there
        assert page.locator("#path .chip").count() == 1


def test_a_value_that_contradicts_others_is_noticed_where_it_matters(
    opened: Open, file_of: Callable[[str], Strategy]
) -> None:
    strategy = file_of("sunk")
    after = Position.read(strategy.rules, [("B2", "miss")])
    place = int(strategy.locate(strategy.fitting(after))[0][0])

    def change(data: bytearray) -> None:
        data[strategy.states + place] += 1

    page = opened(damaged(strategy, change))
    cell_at(page, "B2").click()
    assert "damaged" in page.inner_text("#costs-hint")


HOSTILE = "</script><script>window.harm=1</script><img src=x onerror=window.harm=1>"


def test_hostile_texts_stay_texts(opened: Open, file_of: Callable[[str], Strategy]) -> None:
    strategy = file_of("sunk")
    text = explorer_page([strategy.tree()], files=[strategy], names=[HOSTILE], title=HOSTILE)
    page = opened(text, address=f"#answer.0.{HOSTILE}.B2")
    cell_at(page, "B2").click()
    assert page.evaluate("window.harm") is None
    assert HOSTILE in page.inner_text("#about")
