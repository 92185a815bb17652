"""The equilibrium in rows of the atlas: true values, found in time, checked when they are read."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from twins import naive_equilibrium

from seabattle.solver.studies.atlas import (
    BOARDS,
    AtlasRow,
    atlas_games,
    atlas_row,
)

STORED = Path(__file__).resolve().parents[3] / "outputs" / "atlas" / "table.json"


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
        assert found.equilibrium == (value, value), game
    assert met >= least_games


def stored_rows() -> dict[tuple[str, ...], AtlasRow]:
    document = json.loads(STORED.read_text(encoding="utf-8"))
    rows = [AtlasRow.read(each) for each in document["rows"]]
    return {each.key: each for each in sorted(rows, key=lambda each: each.place)}


def test_laws_of_the_values_in_the_stored_atlas() -> None:
    rows = stored_rows()
    met = 0
    for each in rows.values():
        if each.equilibrium is None:
            continue
        met += 1
        lower, upper = each.equilibrium
        assert Fraction(each.total_lower, each.layouts) <= upper
        assert lower <= each.worst_misses
        other = rows[each.board, each.fleet, "hit", "none"].equilibrium
        if each.answers == "sunk" and other is not None:
            assert lower <= other[1], "a sinking tells more"
            if set(each.fleet.split(",")) in ({"1"}, {"2"}):
                assert upper >= other[0], "here it tells nothing"
    assert met > 150
