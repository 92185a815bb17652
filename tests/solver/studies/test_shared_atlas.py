"""The atlas and lists of games on several processes: the same rows, and nothing is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.clusters import local_cluster

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.limits import Limits
from seabattle.solver.studies.atlas import BOARDS, atlas_games, read_games, solve_atlas

SMALL = {"3x3": BOARDS["3x3"]}
Run = Callable[..., tuple[int, str, str]]

GAMES = """board,fleet,contact,answers
4x4,"3,2,1",none,hit

4x4,"3,2",corners,sunk
4x3,"3,2",sides,ship
3x4,"2,2",sides,
"""


@pytest.fixture(params=["two processes", "Dask"])
def where(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    if request.param == "two processes":
        yield {"workers": 2}
        return
    with local_cluster(1) as address:
        yield {"scheduler": address}


def test_rows_are_the_same_wherever_they_are_solved(where: dict[str, Any], tmp_path: Path) -> None:
    games = atlas_games(SMALL)
    alone = solve_atlas(games, lambda row: None)
    kept: list[Any] = []
    earlier = {row.rules: row for row in alone[:3]}
    shared = solve_atlas(games, kept.append, done=earlier, folder=tmp_path, **where)
    assert shared == alone
    assert len(kept) == len(alone) - 3
    assert list(tmp_path.iterdir()) == []


def test_a_stop_ends_the_searches_that_run(where: dict[str, Any], tmp_path: Path) -> None:
    """A row of minutes is given up within seconds."""
    games = [Rules("3x3", "3,1,1"), Rules("5x5", "3,2,1", answers="sunk")]
    rows: list[Any] = []
    begun: list[float] = []

    def stop() -> bool:
        if rows and not begun:
            begun.append(time.monotonic() + 1)
        return bool(begun) and time.monotonic() > begun[0]

    found = solve_atlas(games, rows.append, limits=Limits(stop=stop), folder=tmp_path, **where)
    assert [row.rules for row in found] == games[:1]
    assert time.monotonic() < begun[0] + 30
    assert list(tmp_path.iterdir()) == []


def test_lists_of_games(tmp_path: Path, run: Run) -> None:
    listed = tmp_path / "games.csv"
    listed.write_text(GAMES)
    assert read_games(listed) == [  # easiest first
        Rules("4x3", "3,2", "sides", "ship"), Rules("3x4", "2,2", "sides", "hit"),
        Rules("4x4", "3,2", "corners", "sunk"), Rules("4x4", "3,2,1", "none", "hit"),
    ]  # fmt: skip
    status, told, err = run("atlas", "--out", str(tmp_path / "out"), "--games", str(listed))
    assert (status, err) == (0, "")
    assert told.splitlines()[4:6] == [f"games    those of {listed}", "rows     4 of 4"]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<title>Solved games</title>" in page
    assert '<h2 id="4x3-sides">4 × 3, contact sides</h2>' in page
    document = json.loads((tmp_path / "out" / "table.json").read_text(encoding="utf-8"))
    assert "anywhere (sides)" in document["columns"]["contact"]
    for row in document["rows"]:
        game = [f"--{name}={row[name]}" for name in ("board", "fleet", "contact", "answers")]
        status, told, _ = run("solve", *game, "--json")
        solved = json.loads(told)
        assert row["status"] == "proven"
        assert row["total_misses"] == solved["total_misses"]
        assert row["best_first_shots"] == solved["best_shots"]
        status, told, _ = run("solve", *game, "--objective", "worst", "--json")
        assert row["worst_misses"] == json.loads(told)["worst_misses"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fleet,shape\n", "line 1: the first line names fleet and"),
        ("fleet\n3,2\n", "line 2: has 2 fields for 1 columns; a fleet of several ships is quoted"),
        ('fleet\n"3,2"\n"2,3"\n', "line 3: the game of line 2 again"),
        ('fleet,board,contact,answers\n"3,2,2",6x6,sides,sunk\n', "more than 16,384 layouts"),
    ],
)
def test_bad_lists_are_refused_in_one_line(tmp_path: Path, run: Run, text: str, says: str) -> None:
    listed = tmp_path / "games.csv"
    listed.write_text(text)
    status, told, err = run("atlas", "--out", str(tmp_path / "out"), "--games", str(listed))
    assert (status, told, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not (tmp_path / "out").exists()
