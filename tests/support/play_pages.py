"""The page of ``seabattle play`` in a browser, opened from its file, as tests drive it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from support import browsing
from support.table_games import Friend

from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.trees.page.play import page_path

SETTLED = '#advise-board .board[aria-busy="false"]'


class Table:
    """Pages that ask nobody; at the end nothing may have gone wrong in any of them."""

    def __init__(self, chromium: Any, home: str = "", beside: Sequence[str] = ()) -> None:
        self.chromium = chromium
        self.beside = beside
        self.home = home or page_path().as_uri()
        self.opened: list[Any] = []
        self.errors: list[str] = []
        self._heard = {
            "console": lambda said: self.errors.append(f"{said.type}: {said.text}"),
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": self._request,
        }

    def page(self, address: str, **options: Any) -> Any:
        """The page at an address, such as ``advise/russian/C4h``, with options of playwright."""
        page = browsing.kept_page(self.chromium, **options)
        self.opened.append(page)
        for event, hear in self._heard.items():
            page.on(event, hear)
        page.goto(self.home + (f"#{address}" if address else ""))
        return page

    def close(self) -> None:
        """Give the pages back; nothing may have gone wrong in them."""
        for page in self.opened:
            browsing.give_back(page)
            for event, hear in self._heard.items():
                page.remove_listener(event, hear)
        assert self.errors == []

    def open(self, address: str = "", **options: Any) -> Any:
        """The page at a game that is advised, when it has its answer."""
        page = self.page(f"advise/{address}" if address else "", **options)
        settle(page)
        return page

    def _request(self, request: Any) -> None:
        inside = request.url.startswith(("data:", "blob:")) or request.url.endswith(
            tuple(self.beside)
        )
        if request.url.split("#")[0] != self.home and not inside:
            self.errors.append(f"asked for {request.url}")


@contextmanager
def table(chromium: Any, home: str = "", beside: Sequence[str] = ()) -> Iterator[Table]:
    """Pages that are given back at the end, with files beside them that they may ask for."""
    opened = Table(chromium, home, beside)
    try:
        yield opened
    finally:
        opened.close()


def settle(page: Any) -> None:
    """Wait until the page has its answer."""
    page.wait_for_selector(SETTLED, timeout=60_000)


def advised(page: Any) -> str:
    """The shot that is asked for, empty if there is none."""
    found = page.locator("#advise-ask .aim")
    return found.inner_text() if found.count() else ""


def tap(page: Any, answer: str) -> None:
    """Answer the shot that is asked for."""
    button = page.locator(f'#advise-replies [data-reply="{answer}"]')
    if not button.count():
        page.click('#advise-replies [data-reply="more"]')
    button.click()
    settle(page)


def pick(page: Any, cell: str) -> None:
    """Tap a cell of the board."""
    page.click(f'#advise-board [data-cell="{cell}"]')


def answer(page: Any, cell: str, given: str) -> None:
    """Answer a cell of the board."""
    pick(page, cell)
    tap(page, given)


def chips(page: Any) -> list[tuple[str, str]]:
    """The answers so far, as cells and words."""
    found = page.locator("#advise-path .chip").evaluate_all(
        "all => all.map(e => [e.dataset.cell, e.querySelector('.told').textContent])"
    )
    return [(cell, told) for cell, told in found]


def stat(page: Any, name: str) -> str:
    """A number beside the board."""
    tile = page.locator("#advise-stats > div").filter(has=page.locator("dt", has_text=name))
    found: str = tile.locator("dd").evaluate("e => e.firstChild.textContent")
    return found


def chance(page: Any, cell: str) -> str:
    """What a cell of the board shows."""
    found: str = page.locator(f'#advise-board [data-cell="{cell}"] .chance').inner_text()
    return found


def choose_game(page: Any, **rules: str) -> None:
    """Take a game in the form, and wait until it is known who can play it."""
    page.click("#match-chooser summary")
    for name, value in rules.items():
        control = page.locator(f'#match-chooser [name="{name}"]')
        if name in ("board", "fleet"):
            control.fill(value)
        else:
            control.select_option(value)
    page.click("#match-chooser [type=submit]")
    page.wait_for_selector("#match-draw [data-draw=random]")


def draw_fleet(page: Any, how: str = "random") -> None:
    """Have a fleet drawn."""
    page.click(f'#match-draw [data-draw="{how}"]')
    page.wait_for_selector('#match-verdict[data-state="right"]')


def start(page: Any, *, player: str = "easy", first: str = "you", again: bool = True) -> None:
    """Start the game."""
    page.select_option("#match-player", player)
    page.select_option("#match-first", first)
    page.set_checked("#match-again", again)
    page.click("#match-start")
    page.wait_for_selector("#match-game:not([hidden])")
    my_turn(page)


def my_turn(page: Any) -> None:
    """Wait until it is the person's turn, or the game is over."""
    page.wait_for_selector(
        "#match-turn:is([data-state=yours], [data-state=won], [data-state=lost])", timeout=60_000
    )


def resign(page: Any) -> None:
    """Resign, and wait until the game is lost: at first the page still says whose turn it is."""
    page.click("#match-resign")
    page.wait_for_selector("#match-turn[data-state=lost]")


def shoot(page: Any, cell: str) -> None:
    """Shoot at a cell, and wait for the program's shots."""
    page.click(f'#match-its-board [data-cell="{cell}"]')
    page.wait_for_selector(f'#match-its-board [data-cell="{cell}"]:is(.is-miss, .is-hit, .is-sunk)')
    my_turn(page)


def is_over(page: Any) -> bool:
    """Whether the game is over."""
    return page.get_attribute("#match-turn", "data-state") != "yours"


def marks(page: Any, board: str) -> dict[str, str]:
    """What the cells shot on a board show: ``miss``, ``hit`` or ``sunk``."""
    found: dict[str, str] = {}
    for kind in ("miss", "hit", "sunk"):
        shown = page.locator(f"{board} .cell.is-{kind}")
        found |= dict.fromkeys(shown.evaluate_all("all => all.map(e => e.dataset.cell)"), kind)
    return found


def ships_shown(page: Any, board: str) -> set[str]:
    """Cells of a board on which a ship, or a part of it, is drawn."""
    drawn = page.locator(f"{board} .cell:has(.hull, .ghost, .wreck)")
    found: list[str] = drawn.evaluate_all("all => all.map(e => e.dataset.cell)")
    return set(found)


def position_file(name: str, document: dict[str, Any]) -> dict[str, Any]:
    """A file to be chosen in the page, with the head of a position file."""
    whole = {"format": "seabattle-position", "version": 1, **document}
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(whole).encode()}


def open_review(page: Any, position: Position) -> None:
    """Open the position as a file, and wait for its review."""
    page.set_input_files("#review-file", position_file("game.json", position_document(position)))
    page.wait_for_selector("#review-found:not([hidden])", timeout=60_000)


def said(answered: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Answers in the words of the page."""
    return [(cell, told.replace(":", " ")) for cell, told in answered]


class Game:
    """A game at a table: the friend's answers go to the page, and are remembered beside it."""

    def __init__(self, page: Any, friend: Friend) -> None:
        self.page = page
        self.friend = friend
        self.shots: list[tuple[str, str]] = []

    @property
    def made(self) -> list[str]:
        return [cell for cell, _ in self.shots]

    def right(self, cell: str) -> str:
        """The friend's answer, which for a shot made stays what it was then."""
        before = self.made[: self.made.index(cell)] if cell in self.made else self.made
        return self.friend.answer(cell, before)

    def shoot(self, given: str = "") -> None:
        """Make the shot that the page asks for."""
        cell = advised(self.page)
        self.record(cell, given or self.right(cell))

    def record(self, cell: str, given: str) -> None:
        if advised(self.page) != cell:
            pick(self.page, cell)
        tap(self.page, given)
        self.shots.append((cell, given))
        assert chips(self.page) == said(self.shots)

    def change(self, cell: str, given: str | None) -> None:
        """What the page should hold after a change."""
        at = self.made.index(cell)
        self.shots[at : at + 1] = [] if given is None else [(cell, given)]
        assert chips(self.page) == said(self.shots)

    def sunk_cells(self) -> set[str]:
        """Cells of the ships that the friend has called sunk."""
        sunk = {cell for cell, told in self.shots if told.startswith("sunk")}
        return {cell for ship in self.friend.ships if ship & sunk for cell in ship}

    def play_out(self) -> None:
        """Answer truthfully until the fleet is sunk."""
        while advised(self.page):
            self.shoot()
        assert self.page.inner_text("#advise-ask").startswith("The fleet is sunk")
        assert {cell for cell, told in self.shots if told != "miss"} == set().union(
            *self.friend.ships
        )


def play_with_a_wrong_answer(game: Game, after: int) -> None:
    """Ten shots after a hit was typed as a miss, the answer is changed on the board."""
    while (right := game.right(advised(game.page))) == "miss" or len(game.shots) < after:
        game.shoot()
    wrong = advised(game.page)
    game.shoot("miss")
    for _ in range(10):
        game.shoot()
    pick(game.page, wrong)
    assert game.page.inner_text("#advise-ask").startswith(f"{wrong} was miss")
    tap(game.page, right)
    game.change(wrong, right)
