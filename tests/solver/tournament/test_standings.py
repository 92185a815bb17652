"""What came of a tournament: tables that other programs read, figures, and files read back."""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from corpus.damage import damaged_documents
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import seabattle
from seabattle import Rules, Standings, load_tournament, save_tournament
from seabattle.enumerate.colours import DARK, LIGHT, PRINT
from seabattle.enumerate.errors import DrawingError, FileAccessError, PlayerError, SeabattleError
from seabattle.enumerate.position import Position
from seabattle.solver.players.registry import PLAYERS
from seabattle.solver.tournament.plots import (
    baseline_of,
    binned,
    cumulative,
    differences,
    histogram,
    player_styles,
    saved_band,
    saved_by,
)
from seabattle.solver.tournament.standings import standings_of
from seabattle.solver.tournament.statistics import Score, Spread

RULES = Rules("5x5", "3,2,1", answers="sunk")
NAMES = ("density", "random", "hunt-target")


@pytest.fixture(scope="module")
def played() -> Standings:
    """A tournament."""
    return seabattle.tournament(RULES, NAMES, games=70, seed=3)


@pytest.fixture(scope="module")
def folder(played: Standings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files."""
    made = tmp_path_factory.mktemp("saved") / "tour"
    files = save_tournament(played, made)
    assert sorted(file.name for file in files) == sorted(file.name for file in made.iterdir())
    return made


def test_blocked_cells_are_read_back(tmp_path: Path) -> None:
    start = Position(Rules("4x4", "2,1", blocked="A1"))
    shots = np.array([[5, 6, 7], [7, 7, 8]], dtype=np.int16)
    found = standings_of(start, {"one": False, "two": False}, shots)
    save_tournament(found, tmp_path, formats=())
    assert load_tournament(tmp_path).position == start


def test_without_formats_nothing_is_drawn(
    played: Standings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)  # importing it is an error
    files = save_tournament(played, tmp_path, formats=())
    assert {file.suffix for file in files} == {".json", ".txt", ".csv"}
    with pytest.raises(PlayerError, match="bob"):
        save_tournament(played, tmp_path, formats=(), baseline="bob")


def test_records_are_rows_of_one_type_a_column(played: Standings) -> None:
    """So pandas and polars take them as they are."""
    for rows, number in (
        (played.records(), 3),
        (played.pair_records(), 3),
        (played.distribution_records(), len(played.distribution_records())),
        (played.game_records(), 210),
    ):
        assert len(rows) == number > 0
        for row in rows:
            assert list(row) == list(rows[0])
            for name, value in row.items():
                assert type(value) is type(rows[0][name]), name
    games = played.game_records()
    assert [(row["game"], row["player"]) for row in games[:4]] == [
        (1, "density"), (1, "random"), (1, "hunt-target"), (2, "density"),
    ]  # fmt: skip
    assert all(row["shots"] - row["misses"] == 6 for row in games)
    for row, score, found in zip(
        played.records(), played.scores, played.document()["players"], strict=True
    ):
        shots = [game["shots"] for game in games if game["player"] == score.player]
        assert sum(shots) == score.shots.total
        assert row["mean_shots"] == float(score.shots.mean) == found["shots"]["mean"]
        assert [row["mean_shots_low"], row["mean_shots_high"]] == found["shots"]["interval"]
        assert sum(n[score.player] for n in played.distribution_records()) == 70
    first = seabattle.tournament(RULES, ["random"], games=1)
    assert first.records()[0]["mean_shots_low"] is None  # one game says nothing of the mean


def documents(one: Standings, other: Standings) -> list[dict[str, Any]]:
    return [{**each.document(), "seconds": None} for each in (one, other)]


def test_what_was_saved_is_read_back(folder: Path, played: Standings, tmp_path: Path) -> None:
    """With the games, the plots are the same too; without them, all but the bands."""
    found = load_tournament(folder)
    assert documents(found, played)[0] == documents(found, played)[1]
    assert repr(found) == repr(played)
    assert np.array_equal(found.shots, played.shots)  # type: ignore[arg-type]
    save_tournament(found, tmp_path / "again", formats=["svg"])
    for name in ("histogram.svg", "cumulative.svg", "differences.svg", "games.csv", "table.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes(), name
    (tmp_path / "again" / "games.csv").unlink()
    bare = load_tournament(tmp_path / "again")
    assert documents(bare, played)[0] == documents(bare, played)[1]
    assert bare.shots is None
    assert bare.game_records() == []
    save_tournament(bare, tmp_path / "bare", formats=["svg"], theme="dark", baseline="random")
    assert "against random" in (tmp_path / "bare" / "differences.svg").read_text()


def test_files_that_cannot_be_read_are_refused_in_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match="cannot read"):
        load_tournament(tmp_path / "nowhere")
    text = (folder / "table.json").read_text()
    games = (folder / "games.csv").read_text()
    for wrong in ("{}", "[1]", text.replace('"games": 70', '"games": 71'), text[:300],
                  text.replace('"fleet": "3,2,1"', '"fleet": "9,9"')):  # fmt: skip
        (tmp_path / "table.json").write_text(wrong)
        with pytest.raises(PlayerError, match=r"table\.json is no") as refused:
            load_tournament(tmp_path)
        assert "\n" not in str(refused.value)
    right = [score.shots.total for score in load_tournament(folder).scores]
    for how, wrong in itertools.islice(
        damaged_documents(json.loads(text), random.Random(1)), 0, None, 20
    ):
        (tmp_path / "table.json").write_bytes(wrong.encode("utf-8", "surrogatepass"))
        told, totals = "", right
        try:
            totals = [score.shots.total for score in load_tournament(tmp_path).scores]
        except SeabattleError as error:
            told = str(error)
        # What is accepted is damaged where tables and plots do not come from.
        assert "\n" not in told, how
        assert totals == right, how
    (tmp_path / "table.json").write_text(text)
    for wrong in ("shots\n3\n", games.replace("1,density,", "1,nobody,", 1), games[:200],
                  games.replace("\n1,density,", "\n0,density,", 1), "\udcff"):  # fmt: skip
        (tmp_path / "games.csv").write_bytes(wrong.encode("utf-8", "surrogateescape"))
        with pytest.raises(SeabattleError, match=r"games\.csv[^\n]*\Z"):
            load_tournament(tmp_path)


# Figures


def test_figures_are_axes_and_documents(played: Standings, tmp_path: Path) -> None:
    for palette in (LIGHT, DARK, PRINT):
        for draw in (histogram, cumulative, differences):
            axes = Figure().subplots()
            assert draw(axes, played, palette=palette) is axes
        styles = player_styles([*PLAYERS, "mine"], palette).values()
        looks = {(style.colour, str(style.stroke), style.marker) for style in styles}
        assert len(looks) == len(styles)
    assert len(player_styles([f"mine{number}" for number in range(60)])) == 60
    found = seabattle.tournament(RULES, ["density", "random"], games=1, seed=1)
    for file in save_tournament(found, tmp_path, formats=["svg"], theme="dark"):
        assert file.suffix != ".svg" or ElementTree.parse(file).getroot().get("width") == "960"
    assert baseline_of(played) == "density"
    assert baseline_of(played, "random") == "random"
    for options, error in (
        ({"formats": ["gif"]}, DrawingError),
        ({"theme": "pink"}, SeabattleError),
        ({"baseline": "bob"}, PlayerError),
    ):
        with pytest.raises(error):
            save_tournament(played, tmp_path / "new", **options)  # type: ignore[arg-type]


SHOTS = st.lists(st.integers(4, 30), min_size=1, max_size=60)


@given(SHOTS, st.integers(1, 6), st.integers(0, 5))
def test_bars_hold_every_game(shots: list[int], width: int, beyond: int) -> None:
    score = Score("a", Spread(0, np.bincount(shots)), 4)
    edges, shares = binned(score, max(shots) + beyond, width)
    assert shares.sum() == pytest.approx(100)
    for low, high, share in zip(edges, edges[1:], shares, strict=False):
        assert share == pytest.approx(100 * sum(low < s <= high for s in shots) / len(shots))


@given(st.lists(st.tuples(st.integers(6, 25), st.integers(6, 25)), min_size=2, max_size=60))
def test_what_is_saved_is_as_defined(games: list[tuple[int, int]]) -> None:
    first, second = np.array(games, dtype=np.int16).T
    found = standings_of(Position(RULES), {"a": False, "b": False}, np.stack([first, second]))
    mean, half = saved_by(*found.scores, 30), saved_band(first, second, 30)
    for s in range(31):
        saved = [min(a, s) - min(b, s) for a, b in games]
        assert mean[s] == pytest.approx(sum(saved) / len(games))
    duel = found.duel("a", "b")
    assert mean[-1] == pytest.approx(duel.mean)
    assert 2 * half[-1] == pytest.approx(duel.interval[1] - duel.interval[0])
