"""What is said to the next person: its Python runs, and the files it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.page_examples import check_python

ROOT = Path(__file__).resolve().parents[2]
CONTRIBUTING = ROOT / "docs" / "CONTRIBUTING.md"
TEXTS = [ROOT / "README.md", CONTRIBUTING, *sorted((ROOT / "docs" / "pages").glob("*.md"))]
FOLDER = r"(?<![\w/])(?:enumerate|trees|solver|src/seabattle|tests|docs)"
PATH = re.compile(FOLDER + r"/[\w./-]*\w\.(?:py|md|js)\b")


def test_python_example(tmp_path: Path) -> None:
    assert check_python(CONTRIBUTING.read_text(encoding="utf-8"), tmp_path) == 2


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    named = set(PATH.findall(page.read_text(encoding="utf-8")))
    assert {path for path in named if not (ROOT / path).exists()} == set()
    if page.name in ("CONTRIBUTING.md", "architecture.md"):
        assert len(named) >= 12
