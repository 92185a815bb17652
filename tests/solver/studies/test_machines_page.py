"""What the page on many machines says of clusters, as it stands there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.page_examples import write_files

PAGE = Path(__file__).resolve().parents[3] / "docs" / "pages" / "machines.md"


@pytest.mark.slow  # the processes of a local cluster take half a minute to start
def test_a_list_of_games_on_a_local_cluster(tmp_path: Path) -> None:
    """The program of the page prints the lines of the page, and the rows of the command."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    text = PAGE.read_text(encoding="utf-8")
    write_files(text, tmp_path)
    made = subprocess.run(
        [sys.executable, "many.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = made.stdout.splitlines()
    assert sorted(line.partition(" ")[0] for line in lines[:4]) == ["solved"] * 4
    assert "\n".join(lines[4:]) in text
    subprocess.run(
        [sys.executable, "-m", "seabattle", "atlas", "--games", "games.csv", "--out", "alone"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    table = (tmp_path / "alone" / "table.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(table) == len(lines[4:]) == 4
    for row, line in zip(table, lines[4:], strict=True):
        assert row.startswith(line.partition(" ")[0])
