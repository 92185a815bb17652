"""Pages in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import play_pages
from support.play_pages import Table


@pytest.fixture
def table(chromium: Any) -> Iterator[Table]:
    with play_pages.table(chromium) as opened:
        yield opened
