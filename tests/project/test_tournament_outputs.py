"""The tournaments that are kept under ``outputs``: whole folders, whose tables agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import load_tournament
from seabattle.solver.tournament.tables import (
    csv_text,
    distribution_rows,
    duel_rows,
    score_rows,
    standings_text,
)

OUTPUTS = Path(__file__).resolve().parents[2] / "outputs"
FOLDERS = [*sorted(OUTPUTS.glob("tournament-*")), *sorted(OUTPUTS.glob("people/against-*"))]


def test_there_are_tournaments() -> None:
    assert len(FOLDERS) >= 8


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_is_whole_and_agrees(folder: Path) -> None:
    standings = load_tournament(folder)
    assert not standings.interrupted
    assert standings.made_by is not None
    assert str(standings.made_by["command"]).startswith("seabattle tournament ")
    for name in ("histogram", "cumulative", "differences"):
        assert "</svg>" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    for name, text in (
        ("table.csv", csv_text(score_rows(standings))),
        ("pairs.csv", csv_text(duel_rows(standings))),
        ("distribution.csv", csv_text(distribution_rows(standings))),
        ("table.txt", f"{standings_text(standings)}\n"),
    ):
        assert (folder / name).read_text(encoding="utf-8") == text, name
