"""The page of ``seabattle play`` in a browser, at its tab that advises, as tests drive it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from support import browsing
from support.serving import Running

SETTLED = '#advise-board .board[aria-busy="false"]'


class Table:
    """Pages of one service; at the end nothing may have gone wrong in any of them."""

    def __init__(self, chromium: Any, service: Running) -> None:
        self.chromium = chromium
        self.service = service
        self.opened: list[Any] = []  # contexts of their own, and pages in kept ones
        self.errors: list[str] = []

    def context(self, **options: Any) -> Any:
        """A browser of its own, with the options of playwright."""
        context = self.chromium.new_context(**(browsing.USUAL | options))
        self.opened.append(context)
        return context

    def open(self, address: str = "", *, context: Any = None, **options: Any) -> Any:
        """The page at an address, such as ``russian/C4h``, when it has its answer."""
        page = (context or browsing.kept_context(self.chromium, **options)).new_page()
        self.opened.append(page)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._response)
        page.goto(f"{self.service.url}/" + (f"#advise/{address}" if address else ""))
        settle(page)
        return page

    def _console(self, message: Any) -> None:
        # The browser itself reports answers that refuse; they are judged by their status.
        if not message.text.startswith("Failed to load resource"):
            self.errors.append(f"{message.type}: {message.text}")

    def _response(self, response: Any) -> None:
        address = urlsplit(response.url)
        if address.scheme in ("data", "blob"):
            return
        if address.netloc != self.service.netloc or response.status not in (200, 422):
            self.errors.append(f"{response.status} {response.url}")


@contextmanager
def table(chromium: Any, service: Running) -> Iterator[Table]:
    """Pages that are closed at the end."""
    opened = Table(chromium, service)
    yield opened
    for each in reversed(opened.opened):
        each.close()
    assert opened.errors == []


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
