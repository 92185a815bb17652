"""Commands that write, prepared once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hostile.writers import Prepared, Writer, prepare


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Writer], Prepared]:
    """A writer with its results, in a folder of its own."""
    root = tmp_path_factory.mktemp("writers")
    prepare(root / "in")
    known: dict[str, Prepared] = {}

    def get(writer: Writer) -> Prepared:
        if writer.name not in known:
            known[writer.name] = Prepared(writer, root / f"work {len(known)}", root / "in")
        return known[writer.name]

    return get
