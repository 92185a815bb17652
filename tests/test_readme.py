"""The README's examples: every command shown with output prints that output."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", TEXT, flags=re.DOTALL)
EXAMPLES = [
    (command.strip(), expected.strip("\n"))
    for block in BLOCKS
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE)
]
TIME = re.compile(r"\d+\.\d+ s\b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: later ones use the files of earlier ones."""
    return tmp_path_factory.mktemp("readme")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[e[0][:60] for e in EXAMPLES])
def test_example(command: str, expected: str, folder: Path) -> None:
    program, *arguments = shlex.split(command)
    assert program == "seabattle"
    done = subprocess.run(
        [sys.executable, "-m", "seabattle", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    printed = [line.rstrip() for line in TIME.sub("? s", done.stdout).strip("\n").splitlines()]
    assert printed == [line.rstrip() for line in TIME.sub("? s", expected).splitlines()]


def test_python_example() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    comments = re.findall(r"# prints (.*)", code)
    assert comments
    assert done.stdout.splitlines() == comments


def test_pictures_shown_exist() -> None:
    shown = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT)
    assert shown
    for path in shown:
        assert (ROOT / path).exists()
