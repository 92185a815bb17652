"""The published figures beside ours are those that the page shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "pages" / "reproduce.md"
SHOWN = PAGE.read_text(encoding="utf-8").split("reproduce.py\n")[1].split("\n```")[0].splitlines()


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """The lines that ``outputs/reproduce.py`` prints."""
    monkeypatch.syspath_prepend(ROOT / "outputs")
    from reproduce import report

    return lambda **how: list(report(**how))


def test_quick_figures_are_those_of_the_page(report: Callable[..., list[str]]) -> None:
    found = report(quick=True)
    assert [line for line in found if line not in SHOWN] == []
    assert sum(line.endswith(" same") for line in found) >= 15


@pytest.mark.slow
def test_all_figures_are_those_of_the_page(report: Callable[..., list[str]]) -> None:
    assert report() == SHOWN
