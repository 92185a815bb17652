"""Commands that write, prepared once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

import pytest
from hostile.writers import Prepared, Writer, prepare
from matplotlib.figure import Figure


def _short_figure(figure: Figure, stream: BinaryIO, *, format: str, **how: object) -> None:
    """In the place of a plot, whose drawing takes a second."""
    stream.write({"svg": b"<svg>%s</svg>", "png": b"\x89PNG%s"}[format] % (b"plot " * 3000))


@pytest.fixture(scope="session")
def short_figures() -> Iterator[None]:
    """Plots are not drawn: what matters is that they are written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", _short_figure)
        yield


@pytest.fixture(scope="session")
def prepared(
    tmp_path_factory: pytest.TempPathFactory, short_figures: None
) -> Callable[[Writer], Prepared]:
    """A writer with its results, in a folder of its own."""
    root = tmp_path_factory.mktemp("writers")
    prepare(root / "in")
    known: dict[str, Prepared] = {}

    def get(writer: Writer) -> Prepared:
        if writer.name not in known:
            known[writer.name] = Prepared(writer, root / f"work {len(known)}", root / "in")
        return known[writer.name]

    return get
