"""The tournaments that are kept under ``outputs``: whole folders, whose tables agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import load_tournament
from seabattle.enumerate.files import csv_text

OUTPUTS = Path(__file__).resolve().parents[2] / "outputs"
FOLDERS = [*sorted(OUTPUTS.glob("tournament-*")), *sorted(OUTPUTS.glob("people/against-*"))]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_is_whole_and_agrees(folder: Path) -> None:
    standings = load_tournament(folder)
    assert not standings.interrupted
    assert standings.made_by is not None
    assert str(standings.made_by["command"]).startswith("seabattle tournament ")
    for name in ("histogram", "cumulative", "differences"):
        assert "</svg>" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    for name, text in (
        ("table.csv", csv_text(standings.records())),
        ("pairs.csv", csv_text(standings.pair_records())),
        ("distribution.csv", csv_text(standings.distribution_records())),
    ):
        assert (folder / name).read_text(encoding="utf-8") == text, name
    assert (folder / "table.txt").read_text(encoding="utf-8").endswith(f"\n\n{standings.text()}\n")
