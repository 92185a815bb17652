"""Shots of one's own in the explorer, in a real browser, beside the strategy file in Python.

Where the page holds a complete strategy file, any cell can be shot. After random shots and answers
everything it shows is compared with ``Strategy.probe`` and ``Strategy.cell_values``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

import pytest
from support.examples import THOROUGH

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.page.explorer import explorer_page
from seabattle.trees.strategy.strategy import Strategy

GAMES = {
    "sunk": (Rules("4x4", "3,2,1", answers="sunk"), "mean", ()),
    "hit, not square": (Rules("3x4", "2,2"), "mean", ()),
    "ship, sides": (Rules("3x4", "2,2,1", "sides", "ship"), "mean", ()),
    "ship, worst": (Rules("3x4", "2,1,1", answers="ship"), "worst", ()),
    "no symmetry": (Rules("4x4", "2,2,1", answers="sunk"), "mean", (("B1", "miss"),)),
    "more than 32 cells": (Rules("5x7", "4", answers="sunk"), "mean", (("D3", "hit"),)),
    "more than 40 cells": (Rules("6x7", "4"), "mean", (("D3", "hit"),)),
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


Open = Callable[..., Any]


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
    masks = strategy.positions.rows[strategy.fitting(position)]
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
    page = opened(explorer_page([strategy.tree()], files=[strategy], checked=True))
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
