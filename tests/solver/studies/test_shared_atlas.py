"""The atlas and lists of games on several processes: the same rows, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.clusters import local_cluster

from seabattle.enumerate.rules import Rules
from seabattle.solver.studies.atlas import BOARDS, atlas_games, read_games, solve_atlas

SMALL = {"3x3": BOARDS["3x3"]}
Run = Callable[..., tuple[int, str, str]]

GAMES = """board,fleet,contact,answers
4x4,"3,2,1",none,hit

4x4,"3,2",corners,sunk
4x3,"3,2",sides,ship
3x4,"2,2",sides,
4x4,"2,3",corners,sunk
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
    alone = solve_atlas(games, tmp_path / "alone")
    found: list[Any] = []
    solve_atlas([row.rules for row in alone[:3]], tmp_path / "shared")
    assert solve_atlas(games, tmp_path / "shared", found=found.append, **where) == alone
    assert len(found) == len(alone) - 3
    written = [(tmp_path / folder / "table.csv").read_text() for folder in ("alone", "shared")]
    assert written[0] == written[1]


def test_lists_of_games(tmp_path: Path, run: Run) -> None:
    listed = tmp_path / "games.csv"
    listed.write_text(GAMES)
    assert read_games(listed) == [  # easiest first
        Rules("4x3", "3,2", "sides", "ship"), Rules("3x4", "2,2", "sides", "hit"),
        Rules("4x4", "3,2", "corners", "sunk"), Rules("4x4", "3,2,1", "none", "hit"),
    ]  # fmt: skip
    status, told, err = run("atlas", "--out", str(tmp_path / "out"), "--games", str(listed))
    assert (status, err) == (0, "")
    assert told.splitlines()[4] == "games    4 of 4"
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
        ("fleet\n3,2\n", "line 2: has more fields than the first line; a fleet of several"),
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
