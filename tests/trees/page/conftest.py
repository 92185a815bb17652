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

    def open_page(text: str, *, address: str = "", **options: Any) -> Any:
        page = browsing.kept_context(chromium, **options).new_page()
        pages.append(page)
        page.set_default_timeout(8_000)
        page.on("console", lambda message: errors.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        file = tmp_path / "explorer.html"
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri() + address)
        page.locator("#costs-hint", has_text="being unpacked").wait_for(state="detached")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert errors == []
    assert all(url.startswith("file:") for url in requests)
