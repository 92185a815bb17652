"""One running service that the tests of this folder ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.serving import Running, running


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    """A service with two counting processes."""
    with running("--workers", "2", "--time-limit", "30", warm=True) as started:
        yield started
