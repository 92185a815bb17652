"""Explorer pages in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import browsing


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page; at the end nothing may have gone wrong in it, nor been asked of a network."""
    pages: list[Any] = []
    errors: list[str] = []
    requests: list[str] = []
    heard = {
        "console": lambda message: errors.append(f"{message.type}: {message.text}"),
        "pageerror": lambda error: errors.append(str(error)),
        "request": lambda request: requests.append(request.url),
    }

    def open_page(text: str, *, address: str = "", **options: Any) -> Any:
        page = browsing.kept_page(chromium, **options)
        pages.append(page)
        page.set_default_timeout(8_000)
        for event, hear in heard.items():
            page.on(event, hear)
        file = tmp_path / "explorer.html"
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri() + address, timeout=60_000)
        page.locator("#costs-hint", has_text="being unpacked").wait_for(state="detached")
        return page

    yield open_page
    for page in pages:
        browsing.give_back(page)
        for event, hear in heard.items():
            page.remove_listener(event, hear)
    assert errors == []
    assert all(url.startswith("file:") for url in requests)
