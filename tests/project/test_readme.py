"""The README's examples: every command shown with output prints that output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.page_examples import assert_command_prints, check_python, commands

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = commands(TEXT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: later ones use the files of earlier ones."""
    return tmp_path_factory.mktemp("readme")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[e[0][:60] for e in EXAMPLES])
def test_example(command: str, expected: str, folder: Path) -> None:
    assert_command_prints(command, expected, folder)


def test_python_example(tmp_path: Path) -> None:
    assert "# prints " in TEXT
    assert check_python(TEXT, tmp_path) == 1


def test_pictures_shown_exist() -> None:
    shown = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT)
    assert shown
    for path in shown:
        assert (ROOT / path).exists()
