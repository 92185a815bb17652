"""The equilibrium in rows of the atlas: true values, found in time, checked when they are read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.known_answers import known
from twins import naive_equilibrium

from seabattle.cli.atlas import Journal
from seabattle.cli.atlas_reports import table_page
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.limits import Limits
from seabattle.solver.studies import atlas
from seabattle.solver.studies.atlas import (
    BOARDS,
    WIDEST,
    AtlasGame,
    AtlasRow,
    GameValue,
    atlas_games,
    atlas_row,
    game_value,
    solve_atlas,
    sort_key,
)

STORED = Path(__file__).resolve().parents[3] / "outputs" / "atlas" / "table.json"
FIELDS = ("equilibrium", "equilibrium_misses", "equilibrium_lower_bound")
MAKER = {"command": "seabattle atlas", "version": "1", "row_limit_seconds": 120.0}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def row() -> AtlasRow:
    """A row with an exact value: 31/12."""
    found = atlas_row(AtlasGame("3x3", "2,1", "hit", 24))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("boards", "most_layouts", "least_games"),
    [
        (("3x3", "3x4"), 6, 20),
        pytest.param(("3x3", "3x4"), 8, 31, marks=pytest.mark.slow),
        pytest.param(("3x3",), 16, 18, marks=pytest.mark.slow),
    ],
)
def test_rows_have_the_value_of_the_twin(
    boards: tuple[str, ...], most_layouts: int, least_games: int
) -> None:
    met = 0
    for game in atlas_games({board: BOARDS[board] for board in boards}):
        if game.layouts > most_layouts:
            continue
        met += 1
        found = atlas_row(game)
        assert found is not None
        rows, columns = map(int, game.board.split("x"))
        fleet = list(map(int, game.fleet.split(",")))
        value = naive_equilibrium.oracle_value(rows, columns, fleet, game.answers, "none")
        assert found.equilibrium == GameValue(value, value), game
    assert met >= least_games


def test_the_two_twins_agree() -> None:
    for rows, columns, fleet in ((1, 4, [1]), (2, 3, [2, 1]), (3, 3, [3, 1, 1])):
        for mode in ("hit", "sunk"):
            one = naive_equilibrium.value(rows, columns, fleet, mode, "none")
            assert one == naive_equilibrium.oracle_value(rows, columns, fleet, mode, "none")


@pytest.mark.parametrize("mode", ["hit", "sunk"])
def test_known_values(mode: str) -> None:
    for answer in known("equilibrium"):
        rules = Rules(answer["board"], answer["fleet"], answer["contact"], mode)
        value = game_value(rules, limits=Limits(), seconds=600)
        assert value is not None
        assert (value.lower, value.is_exact) == (Fraction(answer[mode]), True)


def test_larger_games_have_a_narrow_interval() -> None:
    value = game_value(Rules("4x5", "4,1,1", answers="sunk"), limits=Limits(), seconds=600)
    assert value is not None
    assert 0 < value.upper - value.lower <= WIDEST
    assert value.lower <= Fraction(47567568, 10**7) <= value.upper
    found = AtlasRow(
        "4x5", "4,1,1", "sunk", 240, 0, 9, 0, 2000, None, equilibrium=value, tried=True
    )
    assert AtlasRow.read(json.loads(json.dumps(found.document()))) == found
    assert found.document()["equilibrium"] is None
    assert f"from {value}" in table_page([found], MAKER)


def test_no_value_where_the_limit_comes_first_or_the_game_is_of_another_kind() -> None:
    game = AtlasGame("5x5", "2,1", "hit", 636)
    found = atlas_row(game, seconds=0.0, equilibrium_seconds=1e-9)
    assert found is not None
    assert (found.equilibrium, found.tried) == (None, True)
    assert [found.document()[name] for name in FIELDS] == [None] * 3
    assert game_value(game.rules, limits=Limits(memory=0.001), seconds=600) is None
    for kind in ({"answers": "ship"}, {"contact": "sides"}):
        assert game_value(Rules("3x3", "2,1", **kind), limits=Limits(), seconds=600) is None


def test_no_row_comes_of_a_stop_while_the_value_is_sought(row: AtlasRow) -> None:
    game = AtlasGame("5x5", "2,1", "sunk", 636)
    before = replace(row, board="5x5", answers="sunk", layouts=636, equilibrium=None, tried=False)
    stopped = Limits(stop=lambda: True)
    found = solve_atlas([game], pytest.fail, done={before.key: before}, limits=stopped)
    assert found == [before], "it is kept as it was"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"equilibrium": 3}, "must be null or a quotient"),
        ({"equilibrium": "1e9"}, "must be null or a quotient"),
        ({"equilibrium": "31/0"}, "divides by 0"),
        ({"equilibrium": "9" * 500}, "must be null or a quotient"),
        ({"equilibrium": "62/24"}, "contradict each other"),
        ({"equilibrium": "31/13"}, "contradict each other"),
        ({"equilibrium": None}, "contradict each other"),
        ({"equilibrium_misses": 2.5}, "contradict each other"),
        ({"equilibrium": None, "equilibrium_misses": 3}, "with a point"),
        ({"equilibrium": None, "equilibrium_misses": 1e9}, "with a point"),
        ({"equilibrium": None, "equilibrium_misses": None}, "with a point"),
        ({"equilibrium": None, "equilibrium_lower_bound": float("nan")}, "with a point"),
        ({"equilibrium": None, "equilibrium_misses": 2.59}, "too wide"),
        ({"equilibrium": None, "equilibrium_misses": 2.5}, "empty"),
        ({"equilibrium": "4097", "equilibrium_misses": 4097.0, "equilibrium_lower_bound": 4097.0},
         "out of range"),
        ({"equilibrium": "9", "equilibrium_misses": 9.0, "equilibrium_lower_bound": 9.0},
         "no game of its kind"),
        ({"equilibrium": "1", "equilibrium_misses": 1.0, "equilibrium_lower_bound": 1.0},
         "no game of its kind"),
        ({"answers": "ship"}, "no game of its kind"),
    ],
)  # fmt: skip
def test_impossible_values_are_refused(row: AtlasRow, change: dict[str, Any], says: str) -> None:
    with pytest.raises(SeabattleError, match=says):
        AtlasRow.read({**row.document(), **change})


def test_one_field_alone_is_refused(row: AtlasRow) -> None:
    for name in FIELDS:
        document = row.document()
        del document[name]
        with pytest.raises(SeabattleError, match="contradict each other"):
            AtlasRow.read(document)


def test_false_values_of_earlier_rows_are_solved_again(row: AtlasRow) -> None:
    game = AtlasGame(row.board, row.fleet, row.answers, row.layouts)
    true = Fraction(31, 12)
    near = GameValue(true - WIDEST / 4, true + WIDEST / 4)
    for claim, fault in (
        (GameValue(true + Fraction(1, 100), true + Fraction(1, 100)), "its equilibrium is 31/12"),
        (GameValue(true - WIDEST, true - WIDEST / 2), "its equilibrium is 31/12"),
        (near, ""),  # true, though less than can be said
        (row.equilibrium, ""),
    ):
        earlier = replace(row, equilibrium=claim)
        # The limit of a check is half a second; here it is such that the value is found.
        assert earlier.disproof(seconds=600).fault.startswith(fault)
        assert bool(fault) == bool(earlier.disproof(seconds=600).fault)
    assert row.disproof(seconds=600) == ("", True)
    kept: list[AtlasRow] = []
    false = replace(row, equilibrium=GameValue(true - WIDEST, true - WIDEST / 2))
    assert solve_atlas([game], kept.append, done={row.key: false}) == [row] == kept


def test_rows_of_earlier_versions_get_their_value(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("atlas", "--out", str(tmp_path), "--boards", "3x3")
    assert run(*command)[0] == 0
    table, page = tmp_path / "table.json", tmp_path / "index.html"
    whole, shown = table.read_text(encoding="utf-8"), page.read_text(encoding="utf-8")
    old = json.loads(whole)
    del old["made_by"]["equilibrium_limit_seconds"]
    for each in old["rows"]:
        for name in FIELDS:
            del each[name]
    for name in FIELDS:
        del old["columns"][name]
    table.write_text(json.dumps(old), encoding="utf-8")
    lines = [line.split(",") for line in (tmp_path / "table.csv").read_text().splitlines()]
    (tmp_path / "table.csv").write_text("\n".join(",".join(line[:-3]) for line in lines))
    monkeypatch.setattr(atlas, "atlas_row", pytest.fail)
    assert run(*command, "--equilibrium-limit", "0")[0] == 0
    rows = json.loads(table.read_text(encoding="utf-8"))["rows"]
    assert not any(name in each for each in rows for name in FIELDS)
    assert ">equilibrium<" in shown
    assert ">equilibrium<" not in page.read_text(encoding="utf-8")
    with (tmp_path / "table.csv").open(encoding="utf-8") as stream:
        assert {each["equilibrium"] for each in csv.DictReader(stream)} == {""}
    assert run(*command)[0] == 0
    assert table.read_text(encoding="utf-8") == whole
    assert page.read_text(encoding="utf-8") == shown


def test_the_table_waits_for_values_not_looked_for_yet(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = solve_atlas(atlas_games({"3x3": BOARDS["3x3"]}), lambda row: None)
    stopped = [replace(rows[0], equilibrium=None, tried=False), *rows[1:]]
    command = ("atlas", "--out", str(tmp_path), "--boards", "3x3")
    with monkeypatch.context() as patch:
        patch.setattr(atlas, "solve_atlas", lambda *games, **options: stopped)
        status, told, _ = run(*command)
        assert (status, told.splitlines()[1]) == (130, "rows     19 of 20")
        assert not (tmp_path / "table.json").exists()
        assert run(*command, "--equilibrium-limit", "0")[0] == 0


def test_with_another_limit_missing_values_are_sought_again(tmp_path: Path, row: AtlasRow) -> None:
    unknown = replace(row, answers="sunk", equilibrium=None)
    with Journal(tmp_path / "rows.jsonl", 120.0, 60.0) as journal:
        journal.keep(row)
        journal.keep(unknown)
    for limit, tried in ((60.0, True), (30.0, False)):
        rows = Journal(tmp_path / "rows.jsonl", 120.0, limit).rows
        assert [rows[each.key].tried for each in (row, unknown)] == [True, tried]


def stored_rows() -> dict[tuple[str, ...], AtlasRow]:
    document = json.loads(STORED.read_text(encoding="utf-8"))
    rows = [AtlasRow.read(each) for each in document["rows"]]
    return {each.key: each for each in sorted(rows, key=lambda each: sort_key(each.key))}


def test_laws_of_the_values_in_the_stored_atlas() -> None:
    rows = stored_rows()
    met = 0
    for each in rows.values():
        if each.equilibrium is None:
            continue
        met += 1
        assert Fraction(each.total_lower, each.layouts) <= each.equilibrium.upper
        assert each.equilibrium.lower <= each.worst_misses
        other = rows[each.board, each.fleet, "hit"].equilibrium
        if each.answers == "sunk" and other is not None:
            assert each.equilibrium.lower <= other.upper, "a sinking tells more"
            if set(each.fleet.split(",")) in ({"1"}, {"2"}):
                assert each.equilibrium.upper >= other.lower, "here it tells nothing"
    assert met > 150


def test_known_values_are_in_the_stored_atlas() -> None:
    rows = stored_rows()
    met = 0
    for answer in known("equilibrium"):
        for mode in ("hit", "sunk"):
            found = rows.get((answer["board"], ",".join(map(str, answer["fleet"])), mode))
            if found is not None:
                met += 1
                assert found.document()["equilibrium"] == answer[mode]
    assert met >= 4
