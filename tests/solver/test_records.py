"""Tables for pandas and polars: lists of dicts, the same columns in every row, plain values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seabattle import Counter, HeatMap, Position, Rules, compare, review, tournament
from seabattle.enumerate.files import csv_text
from seabattle.solver.studies.atlas import AtlasRow, atlas_row, read_table, records, table_csv

RULES = Rules("3x4", "3,2")
GAME = Position.in_order(RULES, "A1 miss, B2 hit, A3 miss")
ATLAS = Path(__file__).resolve().parents[2] / "outputs" / "atlas" / "table.json"


def rows_of(name: str) -> list[dict[str, Any]]:
    """A table of every kind."""
    played = tournament(RULES, ["random", "bob"], games=4)
    found: dict[str, Any] = {
        "comparison": lambda: compare(RULES, ["hit", "sunk"]).records(),
        "players": played.records,
        "pairs": played.pair_records,
        "distribution": played.distribution_records,
        "games": played.game_records,
        "review": review(GAME).records,
        "map": Counter(GAME).map().records,
        "atlas": lambda: records([atlas_row(RULES), atlas_row(Rules("3x3", "3,1,1"))]),
    }
    rows: list[dict[str, Any]] = found[name]()
    return rows


@pytest.mark.parametrize(
    "name",
    ["comparison", "players", "pairs", "distribution", "games", "review", "map", "atlas"],
)
def test_every_table_is_a_list_of_rows_with_the_same_columns(name: str) -> None:
    rows = rows_of(name)
    assert type(rows) is list
    assert rows
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    values = [value for row in rows for value in row.values()]
    assert all(value is None or type(value) in (bool, int, float, str) for value in values)
    assert len(csv_text(rows).splitlines()) == len(rows) + 1


def test_a_review_has_its_shots() -> None:
    found = review(GAME)
    rows = found.records()
    assert [(row["cell"], row["answer"]) for row in rows] == [
        ("A1", "miss"), ("B2", "hit"), ("A3", "miss")
    ]  # fmt: skip
    assert [row["best"].split() for row in rows] == [
        list(shot.map.best_shots) for shot in found.shots
    ]
    assert sum(row["lost"] for row in rows) == pytest.approx(float(found.misses_lost))
    assert all((row["optimal"] is not None) == row["exact"] for row in rows)


def test_a_map_has_its_cells() -> None:
    counted = Counter(GAME).map()
    rows = counted.records()
    assert [row["cell"] for row in rows] == [RULES.board.name(cell) for cell in range(12)]
    assert [f"{row['column']}{row['row']}" for row in rows] == [row["cell"] for row in rows]
    assert [row["layouts"] for row in rows] == list(counted.cells)
    assert {row["cell"]: row["shot"] for row in rows if row["shot"]} == {
        "A1": "miss", "B2": "hit", "A3": "miss"
    }  # fmt: skip
    for row, chance in zip(rows, counted.shares, strict=True):
        assert row["chance"] == float(chance)
    chances = HeatMap(GAME, 0, [0.0] * 11 + [0.5])
    assert [(row["layouts"], row["chance"]) for row in chances.records()][-1] == (None, 0.5)


def test_the_atlas_that_is_kept_can_be_read_as_rows() -> None:
    rows = list(read_table(ATLAS).values())
    assert all(type(row) is AtlasRow for row in rows)
    table = records(rows)
    assert len(table) == len(rows) > 100
    assert csv_text(table) == table_csv(rows)
