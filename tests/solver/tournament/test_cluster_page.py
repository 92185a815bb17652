"""What the page on tournaments says of clusters, as it stands there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.page_examples import write_files

from seabattle.solver.tournament.files import load_tournament

PAGE = Path(__file__).resolve().parents[3] / "docs" / "pages" / "tournament.md"


@pytest.mark.slow  # the processes of a local cluster take half a minute to start
def test_thousands_of_games_on_a_local_cluster(tmp_path: Path) -> None:
    """The program of the page, and the command that does the same on one machine."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    text = PAGE.read_text(encoding="utf-8")
    write_files(text, tmp_path)
    made = subprocess.run(
        [sys.executable, "big.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"prints `{made.stdout.strip()}`" in text
    command = "tournament --fleet hasbro --players density,hunt-target-parity,hunt-target"
    subprocess.run(
        [sys.executable, "-m", "seabattle", *command.split(), "--games", "4000", "--seed", "1",
         "--out", "alone"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    for name in ("games.csv", "table.csv", "pairs.csv", "histogram.svg", "differences.svg"):
        there, alone = (tmp_path / folder / name for folder in ("big", "alone"))
        assert there.read_bytes() == alone.read_bytes(), name
    assert load_tournament(tmp_path / "big").games == 4000
    lines = (tmp_path / "big.jsonl").read_text().splitlines()
    assert sum(len(json.loads(line)["shots"]) for line in lines[1:]) == 3 * 4000
