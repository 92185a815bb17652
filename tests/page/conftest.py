"""Pages in a browser, and their scripts without one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import page_desk, play_pages
from support.page_desk import Desk
from support.play_pages import Table


@pytest.fixture
def table(chromium: Any) -> Iterator[Table]:
    with play_pages.table(chromium) as opened:
        yield opened


@pytest.fixture(scope="session")
def page() -> Iterator[Desk]:
    """The desk of the page; it keeps nothing from one question to the next."""
    with page_desk.desk() as made:
        yield made
