"""The files of a tournament: tables that other programs read, and what was saved read back."""

from __future__ import annotations

import csv
import itertools
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile.damage import damaged_documents

import seabattle
from seabattle import Rules, Standings, TournamentResult, load_tournament, save_tournament
from seabattle.enumerate.errors import (
    DrawingError,
    FileAccessError,
    PlayerError,
    SeabattleError,
)
from seabattle.solver.tournament.tables import csv_text, distribution_rows, game_rows

Run = Callable[..., tuple[int, str, str]]
RULES = Rules("5x5", "3,2,1", answers="sunk")
PLAYERS = ("density", "random", "hunt-target")


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    """A tournament."""
    return seabattle.tournament(RULES, PLAYERS, games=70, seed=3)


@pytest.fixture(scope="module")
def folder(result: TournamentResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files."""
    made = tmp_path_factory.mktemp("saved") / "tour"
    files = result.save(made)
    assert sorted(file.name for file in files) == sorted(file.name for file in made.iterdir())
    return made


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, strict=True))


def type_of(values: list[str]) -> str:
    """The type that a spreadsheet or pandas gives a column; empty cells are unknown numbers."""
    for name, reads in (("int", int), ("float", float)):
        try:
            found = [reads(value) for value in values if value]
        except ValueError:
            continue
        assert all(math.isfinite(value) for value in found)
        return name
    if set(values) <= {"True", "False"}:
        return "bool"
    assert all(value and not value[0].isdigit() for value in values)
    assert not any(sign in value for value in values for sign in "[]{};|")
    return "text"


COLUMNS = {
    "table.csv": "text int bool " + "float " * 7 + "int int " + "float " * 7 + "int int",
    "pairs.csv": "text text int float float float int int int",
    "distribution.csv": "int int int int",
    "games.csv": "int text int int",
}


@pytest.mark.parametrize("name", COLUMNS)
def test_csv_files_have_one_value_a_cell_and_one_type_a_column(folder: Path, name: str) -> None:
    rows = rows_of(folder / name)
    assert rows
    types = [type_of([row[column] for row in rows]) for column in rows[0]]
    expected = COLUMNS[name].split()
    assert len(types) == len(expected)
    for column, found, wanted in zip(rows[0], types, expected, strict=True):
        assert found == wanted or (found, wanted) == ("int", "float"), column
        assert column.replace("_", "").replace("-", "").isalnum(), column


def test_csv_of_one_game_leaves_unknown_intervals_empty(tmp_path: Path) -> None:
    seabattle.tournament(RULES, ["random", "density"], games=1).save(tmp_path, formats=["svg"])
    for name, column in (("table.csv", "mean_shots_low"), ("pairs.csv", "mean_more_shots_high")):
        assert [row[column] for row in rows_of(tmp_path / name)] == [""] * (2 - (name[0] == "p"))


def test_pandas_reads_them(folder: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    games = pandas.read_csv(folder / "games.csv")
    assert games.groupby("player").shots.mean()["density"] == pytest.approx(
        load_tournament(folder).score("density").shots.mean
    )


def test_games_are_those_that_were_played(folder: Path, result: TournamentResult) -> None:
    rows = rows_of(folder / "games.csv")
    assert len(rows) == 70 * 3
    assert [row["player"] for row in rows[:4]] == [*PLAYERS, "density"]
    assert [int(row["game"]) for row in rows[:4]] == [1, 1, 1, 2]
    assert all(int(row["shots"]) - int(row["misses"]) == 6 for row in rows)
    for score in result.scores:
        shots = [int(row["shots"]) for row in rows if row["player"] == score.player]
        assert sum(shots) == score.shots.total
    distribution = rows_of(folder / "distribution.csv")
    for player in PLAYERS:
        assert sum(int(row[player]) for row in distribution) == 70


def test_tables_agree(folder: Path, result: TournamentResult) -> None:
    document = json.loads((folder / "table.json").read_text())
    for row, score, found in zip(
        rows_of(folder / "table.csv"), result.scores, document["players"], strict=True
    ):
        assert float(row["mean_shots"]) == float(score.shots.mean) == found["shots"]["mean"]
        low, high = float(row["mean_shots_low"]), float(row["mean_shots_high"])
        assert [low, high] == found["shots"]["interval"]
        assert float(row["shots_median"]) == found["shots"]["median"]
    for row, found in zip(rows_of(folder / "pairs.csv"), document["pairs"], strict=True):
        assert float(row["mean_more_shots"]) == found["mean_more_shots"]
        assert int(row["fewer"]) + int(row["as_many"]) + int(row["more"]) == 70


def test_python_saves_what_the_command_saves(folder: Path, tmp_path: Path, run: Run) -> None:
    status, _, err = run(
        "tournament", "--board", "5x5", "--fleet", "3,2,1", "--answers", "sunk", "--players",
        ",".join(PLAYERS), "--games", "70", "--seed", "3", "--out", str(tmp_path / "cli"),
        "--workers", "1",
    )  # fmt: skip
    assert (status, err) == (0, "")
    files = {file.name for file in folder.iterdir()}
    assert {file.name for file in (tmp_path / "cli").iterdir()} == files
    for name in files - {"table.json"}:
        assert (tmp_path / "cli" / name).read_bytes() == (folder / name).read_bytes(), name
    one, other = (
        json.loads((each / "table.json").read_text()) for each in (tmp_path / "cli", folder)
    )
    assert one.pop("made_by")["command"].startswith("seabattle tournament --board 5x5")
    assert other.pop("made_by")["seed"] == 3
    assert one == other


def same(one: Standings, other: Standings) -> None:
    mine, theirs = one.document(), other.document()
    assert mine.pop("seconds") != theirs.pop("seconds") or one is other
    assert mine == theirs


def test_what_was_saved_is_read_back(
    folder: Path, result: TournamentResult, tmp_path: Path
) -> None:
    """With the games, the plots are the same too; without them, all but the bands."""
    found = load_tournament(folder)
    same(found, result.standings)
    assert repr(found) == repr(result.standings)
    assert np.array_equal(found.shots, result.shots)
    save_tournament(found, tmp_path / "again", formats=["svg"])
    for name in ("histogram.svg", "cumulative.svg", "differences.svg", "games.csv", "table.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes(), name
    (tmp_path / "again" / "games.csv").unlink()
    bare = load_tournament(tmp_path / "again")
    same(bare, result.standings)
    assert bare.shots is None
    assert list(game_rows(bare)) == []
    assert csv_text(distribution_rows(bare)) == (folder / "distribution.csv").read_text()
    save_tournament(bare, tmp_path / "bare", formats=["svg"], theme="dark", baseline="random")
    assert "against random" in (tmp_path / "bare" / "differences.svg").read_text()
    with pytest.raises(ValueError, match="only the mean"):
        bare.duels[0].more_shots  # noqa: B018


def test_duels_either_way_round(result: TournamentResult) -> None:
    standings = result.standings
    one, other = standings.duel("density", "random"), standings.duel("random", "density")
    assert one.mean == -other.mean
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert one.interval == (-other.interval[1], -other.interval[0])
    assert other.more_shots.mean == -one.more_shots.mean
    for wrong in ("nobody", ""):
        with pytest.raises(PlayerError, match="is none of density, random, hunt-target"):
            standings.duel("density", wrong)
    with pytest.raises(PlayerError, match="named twice"):
        standings.duel("density", "density")


def test_positions_and_priors_are_read_back(tmp_path: Path) -> None:
    start = seabattle.Position.of_cells(RULES, miss=["A1"], sunk=["C3:C4"])
    played = seabattle.tournament(start, ["density", "random"], games=9)
    played.save(tmp_path, formats=["svg"])
    assert load_tournament(tmp_path).position == start
    assert "after 3 shots" in (tmp_path / "histogram.svg").read_text()


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"formats": ["gif"]}, DrawingError, "'gif' is no kind of picture; write some of svg, png"),
        ({"formats": "svg"}, TypeError, "formats: give a list of kinds of pictures"),
        ({"theme": "pink"}, DrawingError, "theme 'pink' is unknown"),
        ({"scale": 99}, DrawingError, "scale 99"),
        ({"baseline": "bob"}, PlayerError, "baseline 'bob' is none of the players density, random"),
        ({"baseline": 3}, TypeError, "baseline: give the name of a player"),
        ({"folder": 3}, TypeError, "folder"),
    ],
)
def test_bad_requests(
    result: TournamentResult, tmp_path: Path, options: dict[str, Any], error: type, told: str
) -> None:
    with pytest.raises(error, match=told):
        result.save(**{"folder": tmp_path / "new", **options})
    assert not (tmp_path / "new").exists()


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
        damaged_documents(json.loads(text), random.Random(1)), 0, None, 9
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
        with pytest.raises(PlayerError, match=r"does not have the games of table\.json beside it"):
            load_tournament(tmp_path)


def test_nothing_played_is_not_saved(tmp_path: Path) -> None:
    stopped = seabattle.tournament(RULES, ["random"], stop=lambda: True)
    with pytest.raises(PlayerError, match="no game was played"):
        stopped.save(tmp_path)
