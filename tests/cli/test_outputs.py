"""Where commands may write: never over their input, another output, or another kind of file."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.examples import some_rows

GAME = ["--board", "3x3", "--fleet", "3,1,1"]


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Status and standard error of a command."""
    found = subprocess.run(
        [sys.executable, "-m", "seabattle", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in found.stderr
    return found.returncode, found.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    assert run(folder, "solve", *GAME, "--tree", "t.json", "--checkpoint", "c.npz")[0] == 0
    assert run(folder, "render", "t.json", "-o", "t.svg")[0] == 0
    (folder / "p.json").write_text(
        json.dumps(
            {
                "format": "seabattle-position",
                "version": 1,
                "board": "3x3",
                "fleet": "3,1,1",
                "contact": "none",
                "answers": "hit",
                "announce": "length",
                "shots": [["B1", "hit"]],
            }
        )
    )
    (folder / "w.csv").write_text("layout,weight\nA1:A3 C1 C3,2\nA1:C1 A3 C3,1\n")
    (folder / "notes.txt").write_text("Dear diary\n")
    (folder / "notes.html").write_text("Dear diary\n")
    (folder / "dir").mkdir()
    (folder / "link").symlink_to("t.json")
    return folder


WRONG = [
    ("render t.json -o t.json", "also what"),
    ("render t.json -o link", "also what"),
    ("render t.json -o ./t.json", "also what"),
    ("render t.json -o p.json", "write a .svg, .png, .pdf, .dot or .txt file"),
    ("render t.json -o dir", "it is a folder"),
    ("render t.json -o notes.txt", "may not replace"),
    ("render t.json -o t.svg/x.svg", "Not a directory|no folder"),
    ("explore t.json -o t.json", "also what"),
    ("explore t.json -o notes.txt", "write a .html file"),
    ("explore t.json -o notes.html", "may not replace"),
    ("solve GAME --tree notes.txt", "may not replace"),
    ("solve GAME --tree t.svg", "may not replace"),
    ("solve GAME --tree c.npz", "may not replace"),
    ("solve GAME --tree p.json", "may not replace"),
    ("solve GAME --tree dir", "it is a folder"),
    ("solve GAME --checkpoint t.json", "may not replace"),
    ("solve GAME --tree new --checkpoint new", "also what --tree names"),
    ("solve --position p.json --tree p.json", "also what"),
    ("solve --position p.json --checkpoint p.json", "also what"),
    ("solve GAME --prior w.csv --tree w.csv", "also what"),
    ("greedy GAME --tree w.csv", "may not replace"),
    ("count GAME --map t.json", "no picture"),
    ("count --position p.json --map p.json", "also what|no picture"),
    ("hide GAME -o t.json", "write a .svg, .png or .pdf file"),
    ("prior fit --board 3x3 --fleet 3,1,1 --layouts notes.txt -o notes.txt", "also what"),
    ("prior fit --board 3x3 --fleet 3,1,1 --layouts notes.txt -o t.json", "may not replace"),
    ("strategy build GAME -o t.json", "no strategy file"),
    ("solve GAME --tree ''", "names no file"),
]


@pytest.mark.parametrize(
    ("command", "says"), some_rows(WRONG, 14), ids=[command for command, _ in WRONG]
)
def test_nothing_else_is_lost(folder: Path, command: str, says: str) -> None:
    import re
    import shlex

    before = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    status, errors = run(folder, *shlex.split(command.replace("GAME", " ".join(GAME))))
    assert status == 2
    assert errors.count("\n") == 1
    assert re.search(says, errors), errors
    after = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    assert before == after


def test_it_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary\n")
    started = time.monotonic()
    status, errors = run(
        tmp_path, "solve", "--board", "6x6", "--fleet", "3,2,2,1", "--tree", "notes.txt"
    )
    assert status == 2
    assert "notes.txt" in errors
    assert time.monotonic() - started < 20  # the search itself takes hours


def test_the_same_command_twice_replaces_its_own_results(folder: Path) -> None:
    for _ in range(2):
        assert run(folder, "solve", *GAME, "--tree", "again.json")[0] == 0
        assert run(folder, "render", "again.json", "-o", "again.svg")[0] == 0
        assert run(folder, "render", "again.json", "-o", "again.txt")[0] == 0
