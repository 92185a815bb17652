"""A browser, and pages in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import browsing, play_pages
from support.play_pages import Table


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if why := browsing.why_no_browser():
        pytest.skip(why)
    with browsing.browser() as running:
        yield running


@pytest.fixture
def table(chromium: Any) -> Iterator[Table]:
    with play_pages.table(chromium) as opened:
        yield opened
