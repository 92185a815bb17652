"""The page of ``seabattle play`` in a browser, at its tabs Play and Review, as tests drive it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from support import browsing
from support.serving import Running


class Pages:
    """Pages of one service; at the end nothing may have gone wrong in any of them.

    ``answers`` are the JSON documents of the service in the order in which they came, with the
    paths they came from.
    """

    def __init__(self, chromium: Any, service: Running) -> None:
        self.chromium = chromium
        self.service = service
        self.opened: list[Any] = []  # contexts of their own, and pages in kept ones
        self.errors: list[str] = []
        self.answers: list[tuple[str, Any]] = []
        self.expected = {200, 204}

    def context(self, **options: Any) -> Any:
        """A browser of its own, with the options of playwright."""
        context = self.chromium.new_context(**(browsing.USUAL | options))
        self.opened.append(context)
        return context

    def open(self, address: str, *, context: Any = None, **options: Any) -> Any:
        """The page at an address, such as ``match/`` or ``review/``."""
        page = (context or browsing.kept_context(self.chromium, **options)).new_page()
        self.opened.append(page)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._response)
        page.goto(f"{self.service.url}/#{address}")
        return page

    def _console(self, message: Any) -> None:
        # The browser itself reports answers that refuse; they are judged by their status.
        if not message.text.startswith("Failed to load resource"):
            self.errors.append(f"{message.type}: {message.text}")

    def _response(self, response: Any) -> None:
        address = urlsplit(response.url)
        if address.scheme in ("data", "blob"):
            return
        if address.netloc != self.service.netloc or response.status not in self.expected:
            self.errors.append(f"{response.status} {response.url}")
        elif response.headers.get("content-type", "").startswith("application/json"):
            self.answers.append((address.path, response.json()))


@contextmanager
def pages_of(chromium: Any, service: Running) -> Iterator[Pages]:
    """Pages that are closed at the end."""
    opened = Pages(chromium, service)
    yield opened
    for each in reversed(opened.opened):
        each.close()
    assert opened.errors == []


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


def start(page: Any, *, player: str = "random", first: str = "you", again: bool = True) -> str:
    """Start the game; its id."""
    page.select_option("#match-player", player)
    page.select_option("#match-first", first)
    page.set_checked("#match-again", again)
    page.click("#match-start")
    page.wait_for_selector("#match-game:not([hidden])")
    settle(page)
    return game_id(page)


def game_id(page: Any) -> str:
    """The id in the address."""
    address: str = page.evaluate("location.hash")
    return address.removeprefix("#match/").split("+")[0]


def settle(page: Any) -> None:
    """Wait until it is the person's turn, or the game is over."""
    page.wait_for_selector(
        "#match-turn:is([data-state=yours], [data-state=won], [data-state=lost])"
    )


def resign(page: Any) -> None:
    """Resign, and wait until the game is lost: at first the page still says whose turn it is."""
    page.click("#match-resign")
    page.wait_for_selector("#match-turn[data-state=lost]")


def shoot(page: Any, cell: str) -> None:
    """Shoot at a cell, and wait for the program's shots."""
    page.click(f'#match-its-board [data-cell="{cell}"]')
    page.wait_for_selector(f'#match-its-board [data-cell="{cell}"]:is(.is-miss, .is-hit, .is-sunk)')
    settle(page)


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


def texts_in(document: Any) -> Iterator[str]:
    """All texts of a JSON document."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from texts_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from texts_in(value)
    elif isinstance(document, str):
        yield document


def position_file(name: str, document: dict[str, Any]) -> dict[str, Any]:
    """A file to be chosen in the page, with the head of a position file."""
    whole = {"format": "seabattle-position", "version": 1, **document}
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(whole).encode()}
