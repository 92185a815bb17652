"""The data of the prior ``people``, and what the published games say of those who played."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "enumerate" / "priors" / "people"


def script(path: Path) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_games_broken_off_are_reckoned_with() -> None:
    """A program that shoots at random needs 17 * 101 / 18 moves on average, whoever wins."""
    rebuild = script(ROOT / "outputs" / "people" / "rebuild.py")
    with (FOLDER / "moves.csv").open(encoding="utf-8", newline="") as file:
        at_random, uniform, people = rebuild.logged_games(csv.DictReader(file))
    exact = 17 * 101 / 18
    assert exact == pytest.approx(95.39, abs=0.005)
    for mean in at_random["program_moves"]:
        assert mean == pytest.approx(exact, abs=0.25)
    assert at_random["program_moves_when_won"] < exact - 1
    for row in (uniform, people):
        assert row["program_moves"][0] > row["program_moves_when_won"] + 3
    assert people["program_moves"][1] < uniform["program_moves"][0]


def test_counts_are_those_of_the_games_that_are_used() -> None:
    make = script(ROOT / "docs" / "make_people_prior.py")
    counts = make.counts_of(make.used)
    assert sum(counts) == 17 * 54_652
    lines = (FOLDER / "counts.csv").read_text("utf-8").splitlines()
    assert [int(count) for line in lines for count in line.split(",")] == counts
